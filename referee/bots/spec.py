"""What a bot is: a folder with a bot.toml, a script, an executable, or a command line.

name = "greedy"                    # default: the folder's name
version = "1.0"                    # shown, never compared
language = "Python"                # shown; default: told from the program
command = ["{python}", "bot.py"]   # {python}: the interpreter that runs the referee
build = ["cc", "-O2", "-o", "bot", "bot.c"]     # run once, and again when a file of the folder changes
threads = false                    # uses several threads: is not bound to one core
[env]                              # added to PATH, HOME and LANG, which is all that a bot gets
LEVEL = "2"
[limits]                           # see `Limits`
memory_mb = 512
"""

import os
import shlex
import shutil
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from referee.bots.program import PYTHON, resolve
from referee.errors import ConfigError, UsageError

FILE = "bot.toml"

_LANGUAGES = {
    "python": "Python", "node": "JavaScript", "deno": "JavaScript", "bun": "JavaScript", "java": "Java", "ruby": "Ruby",
    "perl": "Perl", "php": "PHP", "lua": "Lua", "pypy": "Python", "dotnet": "C#", "julia": "Julia", "sh": "shell",
    "bash": "shell",
}  # fmt: skip
_SCRIPTS = {".py": PYTHON, ".js": "node", ".mjs": "node", ".cjs": "node"}


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one bot may use; `None` (not to be written in TOML) is "no limit"."""

    memory_mb: int | None = 2048
    """MiB of writable memory of each of its processes (RLIMIT_DATA)."""
    processes: int = 64
    """Processes and threads; only binds in a sandbox, and never root."""
    files: int = 1024
    """Open files of each process."""
    file_mb: int = 64
    """MiB that one file may have, and all of /tmp in a sandbox."""
    cpu_s: int | None = None
    """CPU seconds of each process, over all the matches that it lives for."""


class BotSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Everything needed to launch a bot. Plain data: made once, then handed to every worker."""

    name: str
    version: str = ""
    argv: tuple[str, ...]
    """The program's absolute path (its bare name, if it is not on this machine) and the arguments."""
    dir: str
    """Absolute working folder."""
    env: dict[str, str] = {}
    build: tuple[str, ...] | None = None
    language: str = ""
    threads: bool = False
    limits: Limits = Limits()
    whole: bool = False
    """A sandbox shows all of `dir`, as it does with a folder of its own; else only the files named in `argv`."""
    own_folder: bool = False
    """`dir` is the bot's and nothing else is in it; else only the files named in `argv` are known to be its own."""


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """bot.toml, as it is written."""

    command: list[str]
    name: str = ""
    version: str = ""
    language: str = ""
    build: list[str] | None = None
    threads: bool = False
    env: dict[str, str] = {}
    limits: Limits = Limits()


def load_bot(text: str, base: Path) -> BotSpec:
    """The bot that `text` names: a folder with a bot.toml, a script, an executable file, or a command line.

    Paths and the command's working folder are relative to `base`. Starts no bot, builds nothing, and does not mind a
    program that is not installed (see `missing`). Raises UsageError (nothing there) or ConfigError (bot.toml wrong).
    """
    path = (base / Path(text).expanduser()).absolute()
    if path.name == FILE and path.is_file():
        path = path.parent
    if path.is_dir():
        return load_folder(path)
    if path.is_file():
        return _load_file(path)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{text}: {str(error).lower()} (a command line is quoted as in a shell)") from None
    if len(words) > 1 or (words and shutil.which(words[0])):
        return load_command(words, base)
    raise UsageError(f"{text}: no such file or folder (a bot is a folder with {FILE}, a script, or a command line)")


def load_command(
    command: Sequence[str], folder: Path, name: str = "", env: dict[str, str] | None = None, **more: Any
) -> BotSpec:
    """The bot that a command line starts in `folder`; `more` are other fields of BotSpec."""
    argv = resolve(command, folder := folder.absolute())
    named = name or next((Path(word).stem for word in command[1:] if (folder / word).is_file()), Path(command[0]).stem)
    return BotSpec(name=named, argv=argv, dir=str(folder), env=env or {}, language=_language(argv[0]), **more)


def load_folder(folder: Path) -> BotSpec:
    """The bot of a folder with a bot.toml."""
    file = folder / FILE
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{folder}: no {FILE} in this folder") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from None
    _check_keys(file, table, _File, "")
    if isinstance(table.get("limits"), dict):
        _check_keys(file, table["limits"], Limits, "limits.")
    try:
        config = msgspec.convert(table, _File)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$.")
        raise ConfigError(f"{file}: {where.rstrip('`') or FILE}: {what[0].lower()}{what[1:]}") from None
    for key in ("command", "build"):
        if getattr(config, key) == []:
            raise ConfigError(f"{file}: {key}: is empty (a list of words, the program first)")
    return _from_file(config, folder.absolute())


def _from_file(config: _File, folder: Path) -> BotSpec:
    argv = resolve(config.command, folder)
    return BotSpec(
        name=config.name or folder.name,
        version=config.version,
        argv=argv,
        dir=str(folder),
        env=config.env,
        build=resolve(config.build, folder) if config.build else None,
        language=config.language or _language(argv[0]),
        threads=config.threads,
        limits=config.limits,
        own_folder=True,
    )


def _load_file(path: Path) -> BotSpec:
    """A script by its extension, anything executable by itself."""
    interpreter = _SCRIPTS.get(path.suffix)
    if interpreter:
        return load_command([interpreter, path.name], path.parent, path.stem)
    if os.access(path, os.X_OK):
        return load_command([f"./{path.name}"], path.parent, path.stem)
    raise UsageError(f"{path}: neither executable nor one of {' '.join(_SCRIPTS)} (chmod +x, or quote a command line)")


def _check_keys(file: Path, table: dict[str, Any], struct: type[msgspec.Struct], prefix: str) -> None:
    known = struct.__struct_fields__
    for key in table:
        if key not in known:
            close = get_close_matches(key, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(sorted(known))}"
            raise ConfigError(f"{file}: {prefix}{key}: unknown key ({hint})")


def _language(program: str) -> str:
    name = Path(program).name
    return next((language for start, language in _LANGUAGES.items() if name.startswith(start)), "")


def missing(spec: BotSpec) -> str | None:
    """What this machine lacks to build and run the bot, in a few words; None if nothing."""
    for program in (*(spec.build or ())[:1], spec.argv[0]):
        if "/" not in program:
            return f"{program} is not installed"
        if not Path(program).exists() and not (spec.build and program == spec.argv[0]):
            return f"{program} is not there"
    return None
