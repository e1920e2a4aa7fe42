"""Building a bot once, however many processes want it, and knowing a bot by its content.

A bot is built in its own folder, where its author expects it. Beside it lies the file `.built`: the hash of what was
built from, and the hash of each file that the build made or changed. So a bot has the same content hash before and
after its build, an edited source leads to a new build, and so does a deleted or edited product.
"""

import fcntl
import hashlib
import os
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from referee.bots.spec import BotSpec
from referee.errors import BotStartError

STAMP = ".built"

_SKIPPED = {"__pycache__", "node_modules", ".git", STAMP}
_SCRATCH = (".swp", ".swo", "~", ".tmp", ".pyc")  # what editors leave while a run goes on
_SHOWN = 4_000
_BUILD_S = 600


class _Stamp(msgspec.Struct):
    """The content of `.built`."""

    source: str = ""
    products: dict[str, str] = {}


def content_hash(spec: BotSpec) -> str:
    """SHA-256 (hex) of what the bot is. Call it after `build`.

    Of a bot with a folder of its own: relative path and content of every file, sorted by path, without `__pycache__`,
    `node_modules`, `.git`, editors' scratch files and the build's products. Of any other bot: the command line, and
    the content of the files that it names. Interpreters and compilers are not part of it.
    """
    return _source_hash(spec, _hashes(spec), _read_stamp(Path(spec.dir)))


def build(spec: BotSpec) -> bool:
    """Run the build command, if the bot has one and its sources or products have changed; True if it ran.

    Other processes wait for it and do not run it again. Not in the sandbox: see the security notes for organisers.
    Raises BotStartError with the end of the compiler's output.
    """
    if spec.build is None:
        return False
    try:
        with _locked(Path(spec.dir)) as file:
            stamp, before = _parse_stamp(file.read()), _hashes(spec)
            if stamp.source == _source_hash(spec, before, stamp) and stamp.products.keys() <= before.keys():
                return False
            _run(spec, spec.build)
            after = _hashes(spec)
            stamp.products = {name: digest for name, digest in after.items() if before.get(name) != digest} | {
                name: digest for name, digest in after.items() if stamp.products.get(name) == digest
            }
            stamp.source = _source_hash(spec, after, stamp)
            file.seek(0)
            file.truncate()
            file.write(msgspec.json.encode(stamp))
    except OSError as error:
        raise BotStartError(f"{spec.name}: cannot be built: {error}") from error
    return True


def _run(spec: BotSpec, command: tuple[str, ...]) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=spec.dir,
            env={**os.environ, "LC_ALL": "C.UTF-8"},  # or javac cannot read a folder whose name is not ASCII
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_BUILD_S,
            check=False,
        )
    except FileNotFoundError:
        raise BotStartError(f"{spec.name}: cannot be built: {command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise BotStartError(f"{spec.name}: the build took more than {_BUILD_S} s: {' '.join(command)}") from None
    if done.returncode:
        output = done.stdout[-_SHOWN:].decode("utf-8", "replace")
        raise BotStartError(f"{spec.name}: the build failed: {' '.join(command)}\n{output}")


@contextmanager
def _locked(folder: Path) -> Iterator[IO[bytes]]:
    """The stamp, held by this process alone until the end of the block; the kernel lets go if we die."""
    with (folder / STAMP).open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file


def _read_stamp(folder: Path) -> _Stamp:
    try:
        with (folder / STAMP).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            return _parse_stamp(file.read())
    except OSError:
        return _Stamp()


def _parse_stamp(content: bytes) -> _Stamp:
    """An empty or damaged stamp is none: the bot is built again."""
    try:
        return msgspec.json.decode(content, type=_Stamp)
    except msgspec.DecodeError:
        return _Stamp()


def _source_hash(spec: BotSpec, hashes: dict[str, str], stamp: _Stamp) -> str:
    """The hash of all files but the products, as long as they are what the build made of them."""
    digest = hashlib.sha256()
    if not spec.own_folder:
        digest.update("\0".join(spec.argv[1:]).encode("utf-8", "surrogateescape") + b"\n")
    for name, each in sorted(hashes.items()):
        if stamp.products.get(name) != each:
            digest.update(f"{each}  {name}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _hashes(spec: BotSpec) -> dict[str, str]:
    """Relative path and SHA-256 of every file of the bot."""
    folder = Path(spec.dir)
    paths = _walk(folder) if spec.own_folder else [folder / word for word in spec.argv if (folder / word).is_file()]
    return {str(path.relative_to(folder) if path.is_relative_to(folder) else path.name): _hash(path) for path in paths}


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _walk(folder: Path) -> Iterable[Path]:
    for path in folder.iterdir():
        if path.name in _SKIPPED or path.name.endswith(_SCRATCH):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path)
        elif path.is_file():
            yield path
