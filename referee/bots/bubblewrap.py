"""The command line of bwrap that a bot is launched with.

Inside there is /usr, the bot's folder and its interpreter, all read-only; a private /tmp of bounded size; no network,
no other processes, no capabilities, no user namespaces to play with. All of it dies with the referee.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from glob import glob
from pathlib import Path

from referee.bots.program import resolve
from referee.bots.reaper import MARK
from referee.bots.spec import BotSpec

PATH = "/usr/local/bin:/usr/bin:/bin"

_SHARED = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl", "/etc/localtime", "/nix/store")
_SHARED_GLOBS = ("/etc/java-*",)
_MERGED = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")

# bwrap keeps its own copy of descriptors 0-2, so a bot that closes stdout would give no end of file. It does close
# what is above: the pipes go through as 3-5 and are moved back inside. (dash knows only descriptors of one digit.)
_OUT = 'exec "$@" 3<&0 4>&1 5>&2 </dev/null >/dev/null'
# The line that is written to stderr first says that the sandbox is set up, so that what fails from here on is the
# bot's. And it can only be written while the referee lives: a death during the set-up escapes bwrap's
# die-with-parent, and its bot would stay. (So no PDEATHSIG before bwrap's own: it would kill bwrap between clone and
# the word to its child, which waits for that word for ever.)
_BACK = f'echo "${MARK}" >&5 && exec "$@" <&3 >&4 2>&5 3<&- 4>&- 5>&-'


def command_line(bwrap: str, spec: BotSpec, hidden: tuple[str, ...], disable_userns: bool) -> list[str]:
    """Everything before the bot's own launcher and command."""
    return [
        *("/bin/sh", "-c", _OUT, "sh", bwrap),
        *("--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"),
        *(["--disable-userns"] if disable_userns else []),
        *("--die-with-parent", "--new-session", "--hostname", "sandbox"),
        *_system(),
        *_scratch(spec),
        *("--dir", spec.dir),  # to stand in, even where nothing of it is shown
        *_folders(spec, hidden),
        *("--remount-ro", "/", "--chdir", spec.dir, "--"),
        *("/bin/sh", "-c", _BACK, "sh"),
    ]


def search_path(spec: BotSpec) -> str:
    """PATH inside: where the bot's programs are, then the usual places."""
    own = [str(Path(program).parent) for program in programs(spec) if "/" in program]
    return ":".join(dict.fromkeys([*own, *PATH.split(":")]))


def programs(spec: BotSpec) -> list[str]:
    """The bot's program, and the interpreter that its `#!` line names."""
    found = [spec.argv[0]]
    try:
        with Path(spec.argv[0]).open("rb") as file:
            first = os.fsdecode(file.readline(256))
    except OSError:
        return found
    if first.startswith("#!"):
        words = [word for word in first[2:].split() if not word.startswith("-")]
        if len(words) > 1 and words[0].endswith("/env"):
            found += resolve(words[1:2], Path(spec.dir))
        found += words[:1]
    return found


def _system() -> Iterator[str]:
    """What every program needs: /usr, its old names, and the few files of /etc that loaders and runtimes read."""
    yield from ("--ro-bind", "/usr", "/usr")
    for name in _MERGED:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    for name in (*_SHARED, *(found for pattern in _SHARED_GLOBS for found in glob(pattern))):  # noqa: PTH207
        yield from ("--ro-bind-try", name, name)
    yield from ("--proc", "/proc", "--dev", "/dev")


def _scratch(spec: BotSpec) -> Iterator[str]:
    """The only places to write to. Without `remount-ro`, /dev and / would be two more, of unbounded size."""
    size = str(spec.limits.file_mb << 20)
    yield from ("--size", size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev")
    yield from ("--size", size, "--perms", "1777", "--tmpfs", "/tmp")


def _folders(spec: BotSpec, hidden: tuple[str, ...]) -> Iterator[str]:
    """The bot's folder and what its programs need, each at its own path, without what is to be hidden."""
    shown = _wanted(spec)
    for path in shown:
        yield from ("--ro-bind", path, path)
    for path in _outermost(path for path in hidden if _inside(path, shown)):
        if Path(path).is_dir():
            yield from ("--tmpfs", path, "--remount-ro", path)
        elif Path(path).is_file():
            yield from ("--ro-bind", "/dev/null", path)


def _inside(path: str, folders: list[str]) -> bool:
    return any(Path(path) != Path(each) and Path(path).is_relative_to(each) for each in folders)


def _outermost(paths: Iterable[str]) -> Iterator[str]:
    """Without those that lie in another one: what is hidden has no inside."""
    last: Path | None = None
    for path in sorted(paths):
        if last is None or not Path(path).is_relative_to(last):
            last = Path(path)
            yield path


def _wanted(spec: BotSpec) -> list[str]:
    """Outer folders first, so that none covers another."""
    folder = Path(spec.dir)
    wanted = set()
    for program in programs(spec):
        for prefix in _prefixes(Path(program)):
            wanted.add(program if folder.is_relative_to(prefix) else prefix)
    if spec.argv[0] == sys.executable:
        wanted.add(str(Path(__file__).parents[1]))  # for `import referee.bot`, when it is installed in editable form
    if spec.own_folder or (spec.whole and not _too_much(Path(spec.dir))):
        wanted.add(spec.dir)
    # The folder that a command is run in may hold the tournament file with its seed, other bots, and earlier runs.
    wanted |= {os.path.normpath(folder / word) for word in spec.argv[1:] if (folder / word).is_file()}
    return sorted(path for path in wanted if not _is_system(Path(path)))


def _prefixes(program: Path) -> Iterator[str]:
    """The installation around a program outside /usr, at every step of its chain of links (a venv, then its base)."""
    for _ in range(40):
        if program.is_absolute() and program.exists():
            prefix = program.parent.parent if program.parent.name in ("bin", "sbin") else program.parent
            yield str(program if _too_much(prefix) else prefix)
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / program.readlink()))


def _is_system(path: Path) -> bool:
    """In a folder that is there anyway."""
    return any(path.is_relative_to(name) for name in ("/usr", *_MERGED))


def _too_much(folder: Path) -> bool:
    """A folder that holds more than one program or bot: the root, a home or its .local, and what is above them."""
    home = Path.home()
    return folder in (home / ".local", Path("/tmp"), Path("/opt"), Path("/srv")) or home.is_relative_to(folder)
