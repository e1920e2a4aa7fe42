"""Where each key of a TOML text stands. No maintained reader keeps positions; an error without a line is half an error.

The text has to be valid: `tomllib` reads it first, so this scanner follows the shape and judges nothing.
"""

import re
import tomllib

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]+")
# In this order: three quotes are no empty string. Up to two quotes may stand right before the closing three.
_STRINGS = (
    re.compile(r'"""(?:\\.|[^\\])*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:\\.|[^"\\])*"'),
    re.compile(r"'[^']*'"),
)


def toml_lines(text: str) -> dict[Path, int]:
    """Map every path of a valid TOML text to the line (from 1) on which its key or, in an array, its value begins.

    `("bots", 1, "path")` is the key `path` of the second `[[bots]]`. A table that several lines mention stands where it
    is mentioned first. Text that `tomllib` refuses gives nonsense or an AssertionError.
    """
    scanner = _Scanner(text.replace("\r\n", "\n"))
    scanner.document()
    return scanner.lines


class _Scanner:
    """A cursor over the text; `line` moves with it, `lines` collects."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.line = text, 0, 1
        self.lines: dict[Path, int] = {}
        self.tables: dict[Path, int] = {}  # how many elements each array of tables has so far

    # The cursor

    def take(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        self.line += found[0].count("\n")
        return found[0]

    def skip(self, token: str) -> bool:
        """Step over `token` if it stands here."""
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def next_is(self, token: str) -> bool:
        """The same after blanks, line ends and comments."""
        self.take(_BLANK)
        return self.skip(token)

    def mark(self, path: Path, line: int) -> None:
        self.lines.setdefault(path, line)

    # The grammar

    def document(self) -> None:
        here: Path = ()
        while not self.at_end():
            line = self.line
            if self.skip("[["):
                here = self.header(line, array=True)
            elif self.skip("["):
                here = self.header(line, array=False)
            else:
                self.assignment(here)

    def at_end(self) -> bool:
        self.take(_BLANK)
        return self.at == len(self.text)

    def header(self, line: int, *, array: bool) -> Path:
        """Read `a.b]` or `a.b]]` and return the path of the table it opens."""
        path: Path = ()
        keys = self.keys()
        for key in keys[:-1]:
            path = self.inside((*path, key), line)
        path = (*path, keys[-1])
        self.skip("]]" if array else "]")
        if array:
            self.tables[path] = self.tables.get(path, 0) + 1
        return self.inside(path, line)

    def inside(self, path: Path, line: int) -> Path:
        """The table that `path` names in a header: of an array of tables, the newest element."""
        self.mark(path, line)
        if path in self.tables:
            path = (*path, self.tables[path] - 1)
            self.mark(path, line)
        return path

    def assignment(self, here: Path) -> None:
        line = self.line
        for key in self.keys():
            here = (*here, key)
            self.mark(here, line)
        self.next_is("=")
        self.value(here)

    def keys(self) -> list[str]:
        """A dotted key, its parts unquoted; a single key is a list of one."""
        keys = [self.key()]
        while self.next_is("."):
            keys.append(self.key())
        self.take(_BLANK)
        return keys

    def key(self) -> str:
        self.take(_BLANK)
        bare = self.take(_BARE_KEY)
        return bare if bare is not None else _unquoted(self.string())

    def string(self) -> str:
        """Step over a string and return it with its quotes; "" if there is none here."""
        return next((found for pattern in _STRINGS if (found := self.take(pattern)) is not None), "")

    def value(self, path: Path) -> None:
        self.take(_BLANK)
        if self.skip("["):
            self.array(path)
        elif self.skip("{"):
            self.inline_table(path)
        elif not self.string():
            assert self.take(_SCALAR) is not None, f"line {self.line}: no value"

    def array(self, path: Path) -> None:
        index = 0
        while not self.next_is("]"):
            self.mark((*path, index), self.line)
            self.value((*path, index))
            self.next_is(",")
            index += 1

    def inline_table(self, path: Path) -> None:
        while not self.next_is("}"):
            self.assignment(path)
            self.next_is(",")


def _unquoted(key: str) -> str:
    value = tomllib.loads(f"key = {key}")["key"]
    assert isinstance(value, str)
    return value
