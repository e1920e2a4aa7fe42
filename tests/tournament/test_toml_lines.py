"""Every path that tomllib yields has a line, and the key stands on that line."""

import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.toml_lines import Path, toml_lines

# Text is built from values, so that the tests know where they put what; each key appears as written, quoted or bare.

BARE = st.text("abcXYZ019_-", min_size=1, max_size=4)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
BLANK = st.sampled_from(["", " ", "\t "])
LINE_END = st.sampled_from(["\n", "\r\n", ' # a [comment] = "\n', "\n\n# x = 1\n"])


def basic(text: str) -> str:
    """A basic string with everything but plain characters escaped."""
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08X}" for c in text) + '"'


def literal(text: str) -> str:
    return f"'{text}'"


LITERAL_TEXT = st.text('ab#[]{}=.," \\', max_size=5)
MULTI_LINE = st.one_of(
    st.lists(st.sampled_from(["a", "\n", "]", "#", "'", '"a', '\\"', "\\\\", "\r\n", "\\\n  "]), max_size=6).map(
        lambda parts: '"""' + "".join(parts) + '"""'
    ),
    st.lists(st.sampled_from(["a", "\n", "[", "#", "'a", '"""', "\\", "key = 1\n"]), max_size=6).map(
        lambda parts: "'''" + "".join(parts) + "'''"
    ),
    st.sampled_from(['"""a"""""', "'''a''''", '""""""', "''''''", '"""""a"""']),
)
SCALAR = st.one_of(
    st.integers(-9, 99).map(str),
    st.sampled_from(["true", "1.5e3", "0xDEAD", "inf", "1979-05-27 07:32:00.5-07:00", "07:32:00"]),
    ANY_TEXT.map(basic),
    LITERAL_TEXT.map(literal),
    MULTI_LINE,
)


# A key: what it is and how it is written.
KEY = st.one_of(
    BARE.map(lambda key: (key, key)),
    BARE.map(lambda key: (key, literal(key))),
    (BARE | ANY_TEXT).map(lambda key: (key, basic(key))),
    LITERAL_TEXT.map(lambda key: (key, literal(key))),
)


@st.composite
def arrays(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    gap = st.sampled_from(["", " ", "\n", " # ] , [\n", "\r\n\n"])
    parts = [draw(gap) + draw(values) + draw(gap) for _ in range(draw(st.integers(0, 3)))]
    end = draw(st.sampled_from(["", ","])) if parts else ""
    return "[" + ",".join(parts) + end + draw(gap) + "]"


@st.composite
def inline_tables(draw: st.DrawFn, values: st.SearchStrategy[str]) -> str:
    entries = draw(st.lists(KEY, max_size=3, unique_by=lambda key: key[0]))
    return "{" + ", ".join(f"{written}{draw(BLANK)}= {draw(values)}" for _, written in entries) + draw(BLANK) + "}"


VALUE = st.recursive(SCALAR, lambda inner: arrays(inner) | inline_tables(inner), max_leaves=6)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Lines of TOML, mostly valid; what is not is dropped by the tests."""
    out = [draw(LINE_END)]
    few = st.sampled_from(["a", "b", '"a"', "'c d'", '"\\u0061.b"', "bots"])
    any_key = few | KEY.map(lambda key: key[1])
    for _ in range(draw(st.integers(0, 8))):
        dot = draw(BLANK) + "." + draw(BLANK)
        dotted = draw(BLANK) + dot.join(draw(st.lists(any_key, min_size=1, max_size=3)))
        kind = draw(st.sampled_from(["=", "=", "=", "[", "[["]))
        if kind == "=":
            out.append(f"{dotted}{draw(BLANK)}={draw(BLANK)}{draw(VALUE)}{draw(BLANK)}{draw(LINE_END)}")
        else:
            out.append(f"{draw(BLANK)}{kind}{dotted}{draw(BLANK)}{']' * len(kind)}{draw(BLANK)}{draw(LINE_END)}")
        if not valid("".join(out)):
            out.pop()
    return "".join(out)


def valid(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def paths(value: object, here: Path = ()) -> Iterator[Path]:
    inner: Iterator[tuple[str | int, object]] = iter(())
    if isinstance(value, dict):
        inner = iter(value.items())
    elif isinstance(value, list):
        inner = iter(enumerate(value))
    for key, child in inner:
        yield (*here, key)
        yield from paths(child, (*here, key))


def stands_on(key: str, line: str) -> bool:
    return any(written in line for written in {key, basic(key), literal(key), '"\\u0061.b"' if key == "a.b" else key})


@given(documents())
def test_every_path_has_a_line_and_no_line_has_another_path(text: str) -> None:
    assert set(toml_lines(text)) == set(paths(tomllib.loads(text)))


@given(documents())
def test_the_key_stands_on_its_line(text: str) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    for path, line in toml_lines(text).items():
        key = path[-1]
        if isinstance(key, str):
            assert stands_on(key, lines[line - 1]), (path, line)


@given(documents())
def test_what_is_inside_never_stands_before_what_it_is_in(text: str) -> None:
    lines = toml_lines(text)
    assert all(lines[path[:-1]] <= line for path, line in lines.items() if len(path) > 1)


EXAMPLE = '''\
name = "x"                      # 1
text = """
[no] = 1
"""
[clock]
move_ms = 5                     # 6
[[bots]]
path = "a"
[[bots]]
command = [                     # 10
    "python3", # ] not the end
    "x.py",
]
[bots.env]
"A.B".c = {d = 1, e = [2, {f = 3}]}
[[bots]]
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 1),
        (("text",), 2),
        (("clock",), 5),
        (("clock", "move_ms"), 6),
        (("bots",), 7),
        (("bots", 0), 7),
        (("bots", 0, "path"), 8),
        (("bots", 1), 9),
        (("bots", 1, "command"), 10),
        (("bots", 1, "command", 0), 11),
        (("bots", 1, "command", 1), 12),
        (("bots", 1, "env"), 14),
        (("bots", 1, "env", "A.B", "c", "e", 1, "f"), 15),
        (("bots", 2), 16),
    ],
)
def test_lines_of_a_tournament_file(path: Path, line: int) -> None:
    assert toml_lines(EXAMPLE)[path] == line


def test_an_empty_text_has_no_lines() -> None:
    assert toml_lines("") == {}
    assert toml_lines("# nothing\n") == {}
