"""Everybody against everybody: ranks as the heads of columns, and cells as rich as the width allows.

With few bots a cell is `15-5 52..90`: matches won and lost, and the 95 % interval of the share in percent. With more it
is `15-5`, then `75`, the share alone; and when even these do not fit, the columns are dealt out over several blocks.
"""

from collections.abc import Callable, Iterator, Sequence

from rich.cells import cell_len
from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from referee.render.console import safe, squeeze
from referee.render.grid import add_column, bare_table
from referee.standings.table import Cell, Row, Table

NAME_CELLS = 20
NAME_LEAST = 8
ITSELF = "·"

Form = Callable[[Cell], str]


def crosstable(table: Table, width: int) -> Group:
    """One table, or several blocks of its columns under each other, and a line that explains the cells."""
    layout = _layout(table, width)
    blocks = [_block(table, columns, layout) for columns in _dealt(table.rows, layout.columns)]
    spaced = [part for block in blocks for part in (block, Text())]
    return Group(*spaced[:-1], *([Text(f"{_MEANING[layout.form]}; {_COLOURS}", style="dim")] if blocks else []))


# Forms, the richest first


def won_lost(cell: Cell) -> str:
    return f"{cell.won}-{cell.lost}"


def with_interval(cell: Cell) -> str:
    interval = f"{100 * cell.low:.0f}..{100 * cell.high:.0f}" if cell.pairs else ""
    return f"{won_lost(cell)} {interval:>7}"


def share(cell: Cell) -> str:
    """The share of the matches won, in percent; nothing if all were void."""
    matches = cell.won + cell.lost
    return f"{100 * cell.won / matches:.0f}" if matches else "-"


FORMS: tuple[Form, ...] = (with_interval, won_lost, share)
_MEANING: dict[Form, str] = {
    with_interval: "won-lost, 95 % interval of the share in percent",
    won_lost: "won-lost",
    share: "percent of the matches won",
}
_COLOURS = "bold where the interval excludes 50 %"


# Layout


class _Layout:
    """How cells look and how wide they and the names are, and how many columns a block has."""

    def __init__(self, form: Form, cell: int, name: int, columns: int) -> None:
        self.form, self.cell, self.name, self.columns = form, cell, name, columns
        self.gap = _gap(form)


def _gap(form: Form) -> int:
    return 2 if form is with_interval else 1


def _layout(table: Table, width: int) -> _Layout:
    """The richest form with which all columns fit beside whole names; else the plainest, in blocks."""
    number = len(table.rows)
    rank = len(str(number))
    name = min(max((cell_len(safe(row.name)) for row in table.rows), default=0), NAME_CELLS)
    for form in FORMS:
        cell = max([rank, *(len(form(each)) for each in table.cells)])
        for cells in (name, min(name, NAME_LEAST)) if form is share else (name,):
            if rank + cells + _gap(form) * (number + 1) + number * cell <= width:
                return _Layout(form, cell, cells, number)
    name = min(name, max(NAME_LEAST, width // 5))
    return _Layout(share, cell, name, max((width - rank - 1 - name) // (cell + 1), 1))


def _dealt(rows: Sequence[Row], at_most: int) -> Iterator[Sequence[Row]]:
    """Blocks of columns as equal as can be."""
    blocks = -(-len(rows) // max(at_most, 1))
    for block in range(blocks):
        yield rows[block * len(rows) // blocks : (block + 1) * len(rows) // blocks]


def _block(table: Table, columns: Sequence[Row], layout: _Layout) -> Grid:
    cells = {(cell.name, cell.opponent): cell for cell in table.cells}
    grid = bare_table(layout.gap)
    add_column(grid, "#", len(str(len(table.rows))))
    add_column(grid, "bot", layout.name, left=True)
    for column in columns:
        add_column(grid, str(column.rank), layout.cell)
    for row in table.rows:
        contents = (_content(row, column, cells, layout.form) for column in columns)
        grid.add_row(str(row.rank), Text(squeeze(safe(row.name), layout.name), style="bold"), *contents)
    return grid


def _content(row: Row, column: Row, cells: dict[tuple[str, str], Cell], form: Form) -> Text:
    if row.name == column.name:
        return Text(ITSELF, style="dim")
    cell = cells.get((row.name, column.name))
    return Text(form(cell), style=_heat(cell)) if cell else Text()


def _heat(cell: Cell) -> str:
    """Green and red where the interval leaves no doubt; bold, so that it shows without colours too."""
    return "bold green" if cell.low > 0.5 else "bold red" if cell.high < 0.5 else ""
