"""Tables that fit: columns with priorities, of which a narrow terminal gets the important ones, and uncut numbers."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Generic, TypeVar

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from referee.render.console import safe, squeeze

GAP = 2
NAME_CELLS = 24
"""A name longer than that is cut, unless there is room to spare."""

NAME_LEAST = 12
"""Names are not cut shorter than that to make room for one more column."""

T = TypeVar("T")


class Column(Generic[T]):
    """How one figure is shown. Columns of one priority appear together or not at all; 0 appears always.

    `show` makes the cell, plain text without foreign parts, or foreign text if `is_name`; `style` looks at the same
    value. `optional` leaves the column out when it says the same in each row, as "0" or nothing.
    """

    def __init__(
        self,
        head: str,
        show: Callable[[T], str],
        priority: int = 0,
        *,
        style: Callable[[T], str] | str = "",
        left: bool = False,
        is_name: bool = False,
        optional: bool = False,
    ) -> None:
        self.head, self.show, self.priority = head, show, priority
        self.style, self.left, self.is_name, self.optional = style, left or is_name, is_name, optional

    def cells(self, values: Sequence[T]) -> list[str]:
        """The texts of the column, names made safe."""
        texts = map(self.show, values)
        return [safe(text) for text in texts] if self.is_name else list(texts)

    def styled(self, text: str, value: T) -> Text:
        return Text(text, style=self.style(value) if callable(self.style) else self.style)


class _Laid(Generic[T]):
    """A column with its cells and its width."""

    def __init__(self, column: Column[T], values: Sequence[T]) -> None:
        self.column, self.texts = column, column.cells(values)
        self.natural = max(map(cell_len, [column.head, *self.texts]))
        self.least = min(self.natural, NAME_LEAST) if column.is_name else self.natural

    @property
    def empty(self) -> bool:
        return self.column.optional and not any(text.strip("0") for text in self.texts)


def grid(columns: Sequence[Column[T]], values: Sequence[T], width: int) -> Table:
    """A table of these values, one a row, in at most `width` cells."""
    laid = [column for column in (_Laid(column, values) for column in columns) if not column.empty]
    kept = _choose(laid, width)
    widths = _widths(kept, width)
    table = bare_table(GAP)
    for each, cells in zip(kept, widths, strict=True):
        add_column(table, each.column.head, cells, left=each.column.left)
    for number, value in enumerate(values):
        table.add_row(
            *(
                each.column.styled(squeeze(each.texts[number], cells), value)
                for each, cells in zip(kept, widths, strict=True)
            )
        )
    return table


def bare_table(gap: int) -> Table:
    """Nothing but a line under the heads; `gap` cells (1 or more) between columns."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, gap - 1, 0, 0), header_style="bold")
    table.border_style = "dim"
    return table


def add_column(table: Table, head: str, cells: int, *, left: bool = False) -> None:
    """A column of exactly so many cells, whose contents never wrap."""
    table.add_column(
        Text(head), width=max(cells, 1), no_wrap=True, justify="left" if left else "right", overflow="ellipsis"
    )


def _choose(laid: list[_Laid[T]], width: int) -> list[_Laid[T]]:
    """As many as fit, in the order in which they were; the first priority that does not fit ends it."""
    kept: set[int] = set()
    for priority, together in groupby(sorted(laid, key=_priority), key=_priority):
        wanted = kept | {id(column) for column in together}
        if priority and _total([column for column in laid if id(column) in wanted]) > width:
            break
        kept = wanted
    return [column for column in laid if id(column) in kept]


def _priority(laid: _Laid[Any]) -> int:
    return laid.column.priority


def _total(columns: Sequence[_Laid[Any]]) -> int:
    """The width of these columns with their names as short as they may be."""
    return sum(min(column.least, NAME_CELLS) for column in columns) + GAP * (len(columns) - 1)


def _widths(kept: Sequence[_Laid[T]], width: int) -> list[int]:
    """Names share the room that is left, each up to its natural width."""
    spare = width - _total(kept)
    names = sum(column.column.is_name for column in kept)
    return list(_grown(kept, spare, names))


def _grown(kept: Sequence[_Laid[T]], spare: int, names: int) -> Iterator[int]:
    for column in kept:
        if not column.column.is_name:
            yield column.least
            continue
        more = max(min(column.natural - column.least, spare // names), -(column.least - 1))
        spare, names = spare - more, names - 1
        yield column.least + more
