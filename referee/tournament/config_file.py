"""A tournament file as checked plain values: what may stand in it, and errors that name file, line and key.

The tables below are the whole format; `config` builds the `Tournament` from it. A key that nobody reads is an error,
because a knob that is silently ignored plays another tournament than the one that was meant.
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee.errors import ConfigError, UsageError
from referee.rules.ruleset import PRESETS, Rules
from referee.tournament import toml_lines

NAME_CHARACTERS, NAME_BYTES = 40, 100  # two names and more make a file name, which ends at 255 bytes
DAY_MS = 24 * 60 * 60 * 1000


class Kind(NamedTuple):
    """What a value has to be: in words, as a test, and, for tables, key by key."""

    expected: str
    fits: Callable[[Any], bool]
    choices: tuple[str, ...] = ()
    keys: "Mapping[str, Kind] | None" = None  # of the table, or of each table of the list


def _whole(low: int, high: int) -> Kind:
    return Kind(f"a whole number from {low} to {high}", lambda v: type(v) is int and low <= v <= high)


def _one_of(*choices: str) -> Kind:
    quoted = [f'"{choice}"' for choice in choices]
    words = " or ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
    return Kind(words, lambda v: isinstance(v, str) and v in choices, choices)


def _printable(text: str, high: int) -> bool:
    return 0 < len(text) <= high and text.isprintable() and text == text.strip()


def _is_title(value: object) -> bool:
    return isinstance(value, str) and _printable(value, 100) and "/" not in value and not value.startswith(".")


def _is_seed(value: object) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= 200
    return type(value) is int and value.bit_length() <= 600


def _is_command(value: object) -> bool:
    if not isinstance(value, list) or not all(isinstance(word, str) and "\0" not in word for word in value):
        return False
    return bool(value and value[0])


def is_name(value: object) -> bool:
    """Whether a bot may be called this: it is shown in tables and is part of file names.

    Letters of any alphabet are fine; `isprintable` is false for control, bidi and other invisible characters.
    """
    return (
        isinstance(value, str)
        and _printable(value, NAME_CHARACTERS)
        and len(value.encode(errors="replace")) <= NAME_BYTES
        and "/" not in value
        and not value.startswith(".")
    )


_YES_NO = Kind("true or false", lambda v: isinstance(v, bool))
_PATH = Kind("a path in quotes", lambda v: isinstance(v, str) and v != "" and "\0" not in v)
_TITLE = Kind('text of 1 to 100 printable characters, no "/" in it, no "." in front', _is_title)  # names a folder
NAME = Kind(
    f'a name of 1 to {NAME_CHARACTERS} printable characters, {NAME_BYTES} bytes at most, no "/" in it, no "." in front',
    is_name,
)


def _rules() -> dict[str, Kind]:
    """Every field of `Rules`; a price of 0 would let a match go on for ever."""
    low = dict.fromkeys(
        ("match_target", "declare_at", "fault_points", "wrong_declaration_points", "wrong_declaration_trickless_points",
         "failed_close_points", "failed_close_trickless_points"), 1,
    )  # fmt: skip
    kinds = {"preset": _one_of(*PRESETS), "close_min_stock": _whole(2, 12)}
    for field in msgspec.structs.fields(Rules):
        kind = _YES_NO if isinstance(field.default, bool) else _whole(low.get(field.name, 0), 1000)
        kinds.setdefault(field.name, kind)
    return kinds


_CLOCK = {
    "start_ms": _whole(1, DAY_MS),
    "move_ms": _whole(1, DAY_MS),
    "match_ms": _whole(1, DAY_MS),
    "measure": _one_of("wall", "cpu"),
}
_BOT = {
    "name": NAME,
    "path": _PATH,
    "command": Kind("a list of words in quotes, the program first", _is_command),
    "dir": _PATH,
    "optional": _YES_NO,
}
FILE = Kind("a table", lambda v: isinstance(v, dict), keys={
    "name": _TITLE,
    "format": _one_of("round-robin", "gauntlet", "swiss", "knockout"),
    "pairs": _whole(1, 1_000_000),
    "seed": Kind("a whole number or text of 1 to 200 characters", _is_seed),
    "sandbox": _one_of("auto", "bwrap", "none"),
    "rounds": _whole(1, 1000),
    "hero": NAME,
    "fresh": _YES_NO,
    "freeze": _YES_NO,
    "on_start_fault": _one_of("stop", "leave-out"),
    "logs": _one_of("all", "compressed", "faults"),
    "rules": Kind("a table [rules]", lambda v: isinstance(v, dict), keys=_rules()),
    "clock": Kind("a table [clock]", lambda v: isinstance(v, dict), keys=_CLOCK),
    "bots": Kind(
        "tables [[bots]]", lambda v: isinstance(v, list) and all(isinstance(bot, dict) for bot in v), keys=_BOT
    ),
})  # fmt: skip


class ConfigFile:
    """One tournament file: `data` as tomllib gives it, checked against the tables above, and errors with lines.

    UsageError if there is no such file; ConfigError at the first thing that is wrong.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        text = self._text(_bytes(path))
        self.data: dict[str, Any] = self._parsed(text)
        self._lines = toml_lines.toml_lines(text)
        self._check((), self.data, FILE)

    def error(self, key: toml_lines.Path, why: str, hint: str = "") -> ConfigError:
        """An error at `key`, or at the table around it if the key is not there."""
        known = next((key[:n] for n in range(len(key), 0, -1) if key[:n] in self._lines), ())
        return self._error(self._lines.get(known, 1), _dotted(key), why + (f" ({hint})" if hint else ""))

    def _error(self, line: int, key: str, why: str) -> ConfigError:
        return ConfigError(f"{self.path}:{line}: {key}: {why}")

    def _text(self, raw: bytes) -> str:
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise self._error(line, "TOML", f"byte 0x{raw[error.start]:02x}, expected UTF-8") from None

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text)
        except ValueError as error:  # TOMLDecodeError, and whole numbers of thousands of digits
            why, line, column = _place(str(error), text)
            raise self._error(line, "TOML", f"{why}{column}, expected valid TOML") from None
        except RecursionError:
            raise self._error(1, "TOML", "nested too deeply, expected tables and lists as in the manual") from None

    def _check(self, path: toml_lines.Path, value: Any, kind: Kind) -> None:
        if not kind.fits(value):
            hint = did_you_mean(value, kind.choices)
            raise self.error(path, f"got {_shown(value)}, expected {kind.expected}", hint)
        if kind.keys is not None and isinstance(value, list):
            for index, table in enumerate(value):
                self._check_keys((*path, index), table, kind.keys)
        elif kind.keys is not None:
            self._check_keys(path, value, kind.keys)

    def _check_keys(self, path: toml_lines.Path, table: Mapping[str, Any], keys: Mapping[str, Kind]) -> None:
        for key, value in table.items():
            if key not in keys:
                hint = did_you_mean(key, keys) or _elsewhere(key, path)
                expected = "" if hint else f", expected one of {', '.join(keys)}"
                raise self.error((*path, key), "unknown key" + expected, hint)
            self._check((*path, key), value, keys[key])


def did_you_mean(word: object, choices: Iterable[str]) -> str:
    """`did you mean 'X'?` if one of the choices is near, else nothing."""
    near = difflib.get_close_matches(word, list(choices), n=1) if isinstance(word, str) else []
    return f"did you mean {near[0]!r}?" if near else ""


def _elsewhere(key: str, path: toml_lines.Path) -> str:
    """The hint for a key that stands in the wrong table; in TOML everything below `[clock]` belongs to the clock."""
    top = FILE.keys or {}
    if path and key in top:
        return f"did you mean {key!r} above the first [table]?"
    found = [f"{name}.{key}" for name, kind in top.items() if kind.keys and key in kind.keys]
    return f"did you mean {found[0]!r}?" if found else ""


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file, expected a tournament file") from None
    except IsADirectoryError:
        raise UsageError(f"{path}: this is a folder, expected a tournament file") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def _place(message: str, text: str) -> tuple[str, int, str]:
    """Split tomllib's `why (at line 3, column 5)` or `why (at end of document)`."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if found is not None:
        return found[1], int(found[2]), f" at column {found[3]}"
    return message.removesuffix(" (at end of document)"), text.rstrip("\n").count("\n") + 1, ""


def _dotted(path: toml_lines.Path) -> str:
    """`bots[2].path`, counted from 1 as people count."""
    parts = (f"[{part + 1}]" if isinstance(part, int) else f".{_visible(part)}" for part in path)
    return "".join(parts).removeprefix(".")


def _visible(key: str) -> str:
    return key if key and key.isprintable() and len(key) <= 60 else ascii(key[:60])


def _shown(value: object) -> str:
    """A value of the file in one short line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return ("a table" if isinstance(value, dict) else "a list") + ("" if value else " with nothing in it")
    if isinstance(value, str):
        return f'"{value}"' if value.isprintable() and len(value) <= 60 else ascii(value[:60])
    return str(value) if not isinstance(value, int) or value.bit_length() < 200 else "a huge number"
