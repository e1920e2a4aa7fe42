"""Starter kits: a small bot in each of many languages, which its author makes his own.

A kit is a folder in `referee/kits`, named after the language: a bot.toml, one source file, a README. `@name@` in
bot.toml and README stands for the bot's name.
"""

import json
from pathlib import Path

from referee.bots.spec import load_folder, missing
from referee.errors import UsageError

KITS = Path(__file__).parent.parent / "kits"

_NAME = "@name@"
_ALIASES = {
    "py": "python", "js": "javascript", "node": "javascript", "ts": "typescript", "c++": "cpp", "cxx": "cpp",
    "rs": "rust", "golang": "go", "pl": "perl", "shell": "sh", "bash": "sh", "posix": "sh",
}  # fmt: skip


def languages() -> list[str]:
    """What there is a kit for."""
    return sorted(path.parent.name for path in KITS.glob("*/bot.toml"))


def language_of(word: str) -> str | None:
    """The kit that somebody means who writes `JS` or `c++`; None if there is none."""
    plain = _ALIASES.get(word.lower(), word.lower())
    return plain if plain in languages() else None


def files_of(language: str) -> list[Path]:
    """The files of a kit, without what an installation or a run may have put beside them."""
    return sorted(path for path in (KITS / language).iterdir() if path.is_file() and not path.name.startswith("."))


def lacking(language: str) -> str | None:
    """What this machine lacks to build and run the kit, in a few words; None if nothing."""
    return missing(load_folder(KITS / language))


def write_kit(language: str, folder: Path, name: str) -> list[Path]:
    """Write the kit into the folder, which need not be there; the new files.

    Overwrites nothing: raises UsageError with the file that is in the way, before anything is written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        targets = [folder / source.name for source in files_of(language)]
        for target in targets:
            if target.is_symlink() or target.exists():
                raise _in_the_way(target)
        for source, target in zip(files_of(language), targets, strict=True):
            with target.open("x", encoding="utf-8", newline="\n") as file:
                file.write(_named(source, name))
            written.append(target)
    except FileExistsError as error:
        raise _in_the_way(Path(error.filename)) from None
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: cannot be written: {error.strerror}") from None
    return written


def _in_the_way(path: Path) -> UsageError:
    return UsageError(f"{path}: is there already, and nothing is overwritten (choose another folder)")


def _named(source: Path, name: str) -> str:
    text = source.read_text("utf-8")
    if source.suffix == ".toml":
        return text.replace(f'"{_NAME}"', json.dumps(name, ensure_ascii=False))
    return text.replace(_NAME, name) if source.suffix == ".md" else text
