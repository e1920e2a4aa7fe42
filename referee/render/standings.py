"""The standings for people: renderables of rich, none of which prints. Columns leave by priority as the width shrinks.

`report` is everything that there is to say of a tournament; the other functions are its parts.
"""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from referee.render.crosstable import crosstable
from referee.render.grid import Column, grid
from referee.render.words import count, spent
from referee.standings.table import Cell, Row, Table, mirroring_note

__all__ = [
    "crosstable",
    "faults_table",
    "header",
    "notes",
    "pairings_table",
    "play_table",
    "report",
    "standings_table",
    "times_table",
]

FAULT_KINDS = ("start", "malformed", "illegal", "timeout", "crash", "flood")
MAX_PAIRINGS = 15
"""Up to so many pairings the report has a line for each; with more of them the crosstable is the better picture."""


# Cells


def percent(share: float | None) -> str:
    """`67.5 %`; nothing where nothing is known."""
    return "" if share is None else f"{100 * share:.1f} %"


def probability(share: float | None) -> str:
    """A probability that never claims to be certain."""
    if share is None:
        return ""
    if 0.005 <= share <= 0.995:
        return f"{100 * share:.0f} %"
    return "<1 %" if share < 0.5 else ">99 %"


def half_width(row: Row) -> str:
    """Half of the interval of a rating, in points."""
    if row.rating_low is None or row.rating_high is None:
        return ""
    return f"{(row.rating_high - row.rating_low) / 2:.0f}"


def signed(value: float | None) -> str:
    return "" if value is None else f"{value:+z.2f}"


def time(us: int | None) -> str:
    return "" if us is None else spent(us)


def _fault_style(row: Row) -> str:
    return "red" if row.fault_count else "dim"


def _better_style(cell: Cell) -> str:
    """A colour where the interval leaves no doubt who is better."""
    return "green" if cell.low > 0.5 else "red" if cell.high < 0.5 else ""


# Columns

_RANK: Column[Row] = Column("#", lambda row: str(row.rank))
_NAME: Column[Row] = Column("bot", lambda row: row.name, is_name=True, style="bold")

STANDINGS: tuple[Column[Row], ...] = (
    _RANK,
    _NAME,
    Column("matches", lambda row: f"{row.matches:,}", 6),
    Column("won", lambda row: f"{row.won:,}", 1),
    Column("lost", lambda row: f"{row.lost:,}", 1),
    Column("void", lambda row: f"{row.void:,}", 4, optional=True),
    Column("score", lambda row: percent(row.score)),
    Column("rating", lambda row: "" if row.rating is None else f"{row.rating:.0f}", 2),
    Column("± 95 %", half_width, 2, style="dim"),
    Column("> next", lambda row: probability(row.better_than_next), 7),
    Column("points", lambda row: f"{row.points_for:,} : {row.points_against:,}", 8),
    Column("per deal", lambda row: signed(row.points_per_deal), 5),
    Column("deals", lambda row: f"{row.deals:,}", 9),
    Column("pairs", lambda row: f"{row.pairs:,}", 10),
    Column("faults", lambda row: f"{row.fault_count:,}", 3, style=_fault_style),
)


def _kind(kind: str) -> Column[Row]:
    """How often it was this kind of fault; no column for a kind that did not occur."""
    return Column(kind, lambda row: f"{row.faults.get(kind, 0):,}", 1, optional=True)


FAULTS: tuple[Column[Row], ...] = (
    _NAME,
    Column("faults", lambda row: f"{row.fault_count:,}", style=_fault_style),
    *(_kind(kind) for kind in FAULT_KINDS),
    Column("per 1,000 deals", lambda row: f"{1000 * row.fault_count / row.deals:.1f}" if row.deals else "", 2),
)

TIMES: tuple[Column[Row], ...] = (
    _NAME,
    Column("decisions", lambda row: f"{row.decisions:,}", 1),
    Column("median", lambda row: time(row.median_us)),
    Column("95 % within", lambda row: time(row.p95_us)),
    Column("slowest", lambda row: time(row.max_us)),
)

PLAY: tuple[Column[Row], ...] = (
    _NAME,
    Column("deals", lambda row: f"{row.deals:,}", 2),
    Column("won", lambda row: f"{row.deals_won:,}", 2),
    Column("trickless", lambda row: f"{row.trickless_wins:,}", 3),
    Column("closed", lambda row: f"{row.closes_won + row.closes_lost:,}"),
    Column("made", lambda row: f"{row.closes_won:,}"),
    Column("failed", lambda row: f"{row.closes_lost:,}"),
    Column("false 66", lambda row: f"{row.false_declarations:,}", 1),
)

PAIRINGS: tuple[Column[Cell], ...] = (
    Column("bot", lambda cell: cell.name, is_name=True),
    Column("against", lambda cell: cell.opponent, is_name=True),
    Column("won", lambda cell: f"{cell.won:,}"),
    Column("lost", lambda cell: f"{cell.lost:,}"),
    Column("void", lambda cell: f"{cell.void:,}", 2, optional=True),
    Column("pairs 2-0", lambda cell: f"{cell.five_way[4]:,}", 3),
    Column("1-1", lambda cell: f"{cell.five_way[2]:,}", 3),
    Column("0-2", lambda cell: f"{cell.five_way[0]:,}", 3),
    Column("share", lambda cell: percent(cell.share) if cell.pairs else "", 1, style=_better_style),
    Column("95 %", lambda cell: f"{100 * cell.low:.0f}..{100 * cell.high:.0f}" if cell.pairs else "", 1),
    Column("points", lambda cell: f"{cell.points_for:,} : {cell.points_against:,}", 4),
    Column("pairs to go", lambda cell: _to_go(cell), 5),
)


def _to_go(cell: Cell) -> str:
    """How many more pairs until it is settled who is better."""
    if not cell.pairs or cell.pairs_to_go is None:
        return "level" if cell.pairs else ""
    return f"{cell.pairs_to_go:,}" if cell.pairs_to_go else "settled"


# Parts


def standings_table(table: Table, width: int) -> Grid:
    """A row for each bot, best first."""
    return grid(STANDINGS, table.rows, width)


def faults_table(table: Table, width: int) -> RenderableType:
    """Faults by kind of the bots that committed any."""
    guilty = [row for row in table.rows if row.fault_count]
    return grid(FAULTS, guilty, width) if guilty else Text("No faults.")


def times_table(table: Table, width: int) -> Grid:
    """Decision times of each bot."""
    return grid(TIMES, table.rows, width)


def play_table(table: Table, width: int) -> Grid:
    """How the bots played: deals won, closings, false declarations."""
    return grid(PLAY, table.rows, width)


def pairings_table(table: Table, width: int) -> Grid:
    """A row for each pairing, from the side of the bot that stands higher."""
    return grid(PAIRINGS, list(_once(table)), width)


def header(table: Table) -> Text:
    """What the tables stand on, in one line."""
    parts = [_many(table.matches, "match", "matches"), count_of(table.deals, "deal"), count_of(table.pairs, "pair")]
    if table.open_pairs:
        parts.append(f"{count_of(table.open_pairs, 'pair')} half played")
    if table.void:
        parts.append(f"{table.void:,} void")
    if table.aborted:
        parts.append(f"{table.aborted:,} aborted")
    return Text(", ".join(parts))


def notes(table: Table) -> Text:
    """How to read it: the order, the intervals, what mirroring saved."""
    lines = (
        mirroring_note(table),
        f"Order: {table.order}.",
        "Rating: Elo scale, mean 1500; ± is a 95 % interval from mirrored pairs; > next is the probability of being "
        "stronger than the next in the table.",
    )
    return Text("\n".join(lines), style="dim")


def report(table: Table, width: int) -> Group:
    """Everything, one part under the other."""
    if not table.rows:
        return Group(Text("No matches yet."))
    return Group(*_parts(table, width))


def _parts(table: Table, width: int) -> Iterator[RenderableType]:
    yield from (header(table), Text(), standings_table(table, width), Text())
    if len(table.rows) > 2:
        yield from (_title("Row against column"), crosstable(table, width), Text())
    if len(table.cells) <= 2 * MAX_PAIRINGS:
        yield from (_title("Pairings"), pairings_table(table, width), Text())
    yield from (_title("Play"), play_table(table, width), Text())
    yield from (_title("Decision times"), times_table(table, width), Text())
    yield from (_title("Faults"), faults_table(table, width), Text())
    yield notes(table)


def _title(words: str) -> Text:
    return Text(words, style="bold underline")


def _once(table: Table) -> Iterator[Cell]:
    """Of the two cells of a pairing, the one of the bot that stands higher."""
    ranks = {row.name: row.rank for row in table.rows}
    return (cell for cell in table.cells if ranks[cell.name] < ranks[cell.opponent])


def count_of(number: int, thing: str) -> str:
    """`1 deal`, `2,000 deals`."""
    return count(number, thing) if number < 1000 else f"{number:,} {thing}s"


def _many(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"
