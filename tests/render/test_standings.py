"""The standings on terminals of all widths and in files: pictures of them, and what no name can do to them."""

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text
from standings.matches import match, round_robin, void

from referee.render.console import console, safe, shorten, squeeze
from referee.render.plain import as_csv, as_json, as_markdown, as_tsv
from referee.render.standings import (
    crosstable,
    faults_table,
    header,
    notes,
    pairings_table,
    play_table,
    report,
    standings_table,
    times_table,
)
from referee.standings.table import Table, build

SNAPSHOTS = Path(__file__).parent / "snapshots"
FIVE = build(
    [
        *round_robin(["counter", "greedy", "scout", "first", "a-bot-with-a-very-long-name-v2"], 6),
        void(["scout", "first"], 7),
    ]
)
THIRTY = build(round_robin([f"bot-{number}" for number in range(1, 31)], 6))
HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "[red]markup[/red]",
    "\u202etfel ot thgir",
    "tab\tnew\nline\rreturn",
    "x" * 1_000_000,
    "o" + "\u0301" * 1000,
    "\u200b\ufeff\u2066",
    "漢字" * 40,
    '| pipe, "quote" `tick` <b>&amp;',
    "",
]


def drawn(shown: RenderableType, width: int) -> str:
    """What a person sees, without colours and without spaces at the ends of lines."""
    screen = console("stdout", width=width)
    screen.file = io.StringIO()
    screen.print(shown)
    return "".join(line.rstrip() + "\n" for line in screen.file.getvalue().splitlines())


def check(name: str, text: str) -> None:
    """Compare with the picture in the file; with SNAPSHOTS=write in the environment, make it."""
    path = SNAPSHOTS / name
    if os.environ.get("SNAPSHOTS") == "write":
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


# Pictures


@pytest.mark.parametrize("width", [60, 100, 200])
def test_report_of_five_bots(width: int) -> None:
    check(f"five-{width}.txt", drawn(report(FIVE, width), width))


@pytest.mark.parametrize("width", [60, 100, 200])
def test_crosstable_of_thirty_bots(width: int) -> None:
    check(f"thirty-{width}.txt", drawn(crosstable(THIRTY, width), width))


def test_standings_at_sixty_columns() -> None:
    table = build([match("AB", (7, 3)), match("BA", (5, 7), 1, "b"), match("AC", (7, 0)), match("CA", (7, 6), 1, "b")])
    assert drawn(standings_table(table, 60), 60) == (
        "#  bot  won  lost   score  rating  ± 95 %  per deal  faults\n"
        "───────────────────────────────────────────────────────────\n"
        "1  A      3     1  75.0 %    1621     574     +0.29       0\n"
        "2  C      1     1  50.0 %    1582     784     -0.30       0\n"
        "3  B      0     2   0.0 %    1297    1033     -0.27       0\n"
    )


def test_markdown() -> None:
    check("five.md", as_markdown(FIVE))


@pytest.mark.parametrize("width", [20, 60, 61, 80, 133, 300])
@pytest.mark.parametrize("table", [FIVE, THIRTY, build([]), build([], ["alone"])], ids=["5", "30", "0", "1"])
def test_no_line_is_wider_than_the_terminal_or_broken(table: Table, width: int) -> None:
    parts: list[Callable[[Table, int], RenderableType]] = [
        standings_table,
        crosstable,
        faults_table,
        times_table,
        play_table,
    ]
    parts += [pairings_table] if table is not THIRTY else []
    for part in parts if width >= 60 else (standings_table,):
        shown = part(table, width)
        assert max((cell_len(line) for line in drawn(shown, width).splitlines()), default=0) <= width
        assert drawn(shown, width) == drawn(shown, 1000) or part is crosstable  # whose legend may wrap


def test_a_narrow_terminal_keeps_the_important_columns() -> None:
    assert drawn(standings_table(THIRTY, 40), 40).split("\n")[0].split() == ["#", "bot", "won", "lost", "score"]
    assert "rating" in drawn(standings_table(FIVE, 60), 60)
    assert "void" not in drawn(standings_table(THIRTY, 200), 200)
    assert "void" in drawn(standings_table(FIVE, 200), 200)


def test_long_names_keep_both_ends() -> None:
    assert squeeze("a-bot-with-a-very-long-name-v2", 14) == "a-bot-wit…e-v2"
    assert "a-bot-wit…e-v2" in drawn(standings_table(FIVE, 60), 60)


def test_header_and_notes() -> None:
    assert str(header(FIVE)) == "121 matches, 892 deals, 60 pairs, 1 void"
    half = build([match("AB", (7, 3))])
    assert str(header(half)) == "1 match, 10 deals, 0 pairs, 1 pair half played"
    assert "Order: share of matches won; " in str(notes(FIVE))
    assert drawn(report(build([]), 80), 80) == "No matches yet.\n"


def test_certainty_is_not_claimed() -> None:
    legs = ((match("AB", (7, 0), pair), match("BA", (0, 7), pair, "b")) for pair in range(1, 300))
    table = build([leg for pair in legs for leg in pair])
    assert table.rows[0].better_than_next == 1.0
    assert ">99 %" in drawn(standings_table(table, 120), 120)


# Colours


def colored(monkeypatch: pytest.MonkeyPatch, *, color: bool = True, **environment: str) -> str:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    screen = console("stdout", color=color, width=100)
    screen._force_terminal = True
    screen._color_system = screen._detect_color_system()
    screen.file = io.StringIO()
    screen.print(report(FIVE, 100))
    return screen.file.getvalue()


def test_colours_only_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[31m" in colored(monkeypatch)
    assert "\x1b[3" not in colored(monkeypatch, NO_COLOR="1")
    assert "\x1b[3" not in colored(monkeypatch, color=False)


def test_nothing_but_text_where_there_is_no_terminal() -> None:
    assert "\x1b" not in drawn(report(FIVE, 100), 100)


# Files


def test_tab_separated_text() -> None:
    lines = [line.split("\t") for line in as_tsv(FIVE).splitlines()]
    assert len(lines) == 6
    assert {len(line) for line in lines} == {len(lines[0])}
    first = dict(zip(lines[0], lines[1], strict=True))
    assert (first["rank"], first["name"], first["won"], first["faults"]) == ("1", "counter", "34", "0")
    assert float(first["score"]) == FIVE.rows[0].score
    assert as_tsv(build([])).splitlines() == ["\t".join(lines[0])]


def test_pairings_as_tab_separated_text() -> None:
    lines = [line.split("\t") for line in as_tsv(FIVE, "pairings").splitlines()]
    assert len(lines) == 1 + 5 * 4
    first = dict(zip(lines[0], lines[1], strict=True))
    pairs = [int(first[f"pairs_{points}"]) for points in ("0", "0.5", "1", "1.5", "2")]
    assert (sum(pairs), first["pairs"]) == (6, "6")


def test_csv_says_the_same() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(FIVE))))
    assert rows == [line.split("\t") for line in as_tsv(FIVE).splitlines()]


def test_json_has_everything() -> None:
    found = json.loads(as_json(FIVE), parse_constant=lambda text: pytest.fail(text))
    assert [row["name"] for row in found["rows"]] == [row.name for row in FIVE.rows]
    assert (found["matches"], found["void"], len(found["cells"])) == (121, 1, 20)


# Foreign text


def hostile_table() -> Table:
    return build([match((a, b), (7, 0)) for a in HOSTILE for b in HOSTILE if a < b])


@pytest.mark.parametrize("width", [60, 100, 200])
def test_hostile_names_do_nothing(width: int) -> None:
    shown = drawn(report(hostile_table(), width), width)
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert max(map(cell_len, shown.splitlines())) <= width
    assert len(shown) < 60_000
    for text in (r"\x1b[3", "[red]", r"\u202e"):
        assert text in shown


def test_hostile_names_in_files() -> None:
    table = hostile_table()
    lines = as_tsv(table).split("\n")
    assert len(lines) == len(HOSTILE) + 2
    assert {line.count("\t") for line in lines[:-1]} == {lines[0].count("\t")}
    rows = list(csv.reader(io.StringIO(as_csv(table))))
    assert [row[1] for row in rows[1:]] == [safe(row.name) for row in table.rows]
    assert {row["name"] for row in json.loads(as_json(table))["rows"]} == set(HOSTILE)
    assert "<b>" not in as_markdown(table).replace("\\<", "")
    assert "| pipe" not in as_markdown(table).replace("\\|", "")


def test_safe_text() -> None:
    assert safe("plain text, ünïcödé, 漢字, [red]") == "plain text, ünïcödé, 漢字, [red]"
    assert safe("\x1b[31m\r\n\x00\x7f\x9b") == r"\x1b[31m\x0d\x0a\x00\x7f\x9b"
    assert safe("\u202e\u2066\u200b\ud800\U000e0001") == r"\u202e\u2066\u200b\ud800\U000e0001"
    assert safe("a\u0301b" + "\u0301" * 4) == "a\u0301b\u0301\u0301" + r"\u0301\u0301"
    assert safe("\u0301a") == r"\u0301a"
    assert safe("x" * 10**6, 10) == "x" * 9 + "…"
    assert safe("漢字漢字", 5) == "漢字…"


@given(st.text(), st.integers(1, 50))
def test_safe_text_is_short_printable_and_stays_so(text: str, limit: int) -> None:
    once = safe(text, limit)
    assert cell_len(once) <= limit
    assert once.isprintable()
    assert Text.from_ansi(once).plain == once


@given(st.text(st.characters(exclude_categories=["C", "M", "Z"])), st.integers(0, 30))
def test_cut_text_fits(text: str, width: int) -> None:
    assert cell_len(shorten(text, width)) <= width
    assert cell_len(squeeze(text, width)) <= width
    assert cell_len(text) > width or squeeze(text, width) == text
