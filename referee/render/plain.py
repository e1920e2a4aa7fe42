"""The standings for programs and documents: tab-separated text, CSV, Markdown and JSON.

JSON has everything and every name as it is. The others have one table at a time, of bots or of pairings, every figure
raw (shares 0..1, microseconds) and names made safe, so that a line is a line and a tab ends a field.
"""

import csv
import io
from collections.abc import Iterator
from typing import Literal

import msgspec

from referee.render.console import safe
from referee.render.crosstable import share
from referee.render.standings import FAULT_KINDS, STANDINGS, header
from referee.standings.table import Cell, Row, Table, mirroring_note

Part = Literal["standings", "pairings"]


def as_json(table: Table) -> bytes:
    """One JSON object; its fields are those of `standings.table.Table`."""
    return msgspec.json.format(msgspec.json.encode(table), indent=2) + b"\n"


def as_tsv(table: Table, part: Part = "standings") -> str:
    """A head and a line for each bot, or for each bot against each other."""
    return "".join("\t".join(line) + "\n" for line in _lines(table, part))


def as_csv(table: Table, part: Part = "standings") -> str:
    """The same as comma-separated values."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(_lines(table, part))
    return file.getvalue()


def as_markdown(table: Table) -> str:
    """Standings and crosstable for a web page."""
    columns = [column for column in STANDINGS if not column.optional or table.void]
    cells = zip(*(column.cells(table.rows) for column in columns), strict=True)
    standings = _markdown([column.head for column in columns], [column.left for column in columns], map(list, cells))
    parts = [str(header(table)) + ".", standings]
    if len(table.rows) > 1:
        parts += ["Percent of the matches won, row against column:", _crosstable(table)]
    return "\n\n".join([*parts, mirroring_note(table), f"Order: {table.order}."]) + "\n"


# Lines of fields


def _lines(table: Table, part: Part) -> Iterator[list[str]]:
    return _standings(table) if part == "standings" else _pairings(table)


def _standings(table: Table) -> Iterator[list[str]]:
    plain = [field for field in Row.__struct_fields__ if field != "faults"]
    yield [*plain, "faults", *(f"faults_{kind}" for kind in FAULT_KINDS)]
    for row in table.rows:
        faults = [row.fault_count, *(row.faults.get(kind, 0) for kind in FAULT_KINDS)]
        yield [_field(value) for value in (*(getattr(row, field) for field in plain), *faults)]


def _pairings(table: Table) -> Iterator[list[str]]:
    plain = [field for field in Cell.__struct_fields__ if field != "five_way"]
    yield [*plain, *(f"pairs_{points}" for points in ("0", "0.5", "1", "1.5", "2"))]
    for cell in table.cells:
        yield [_field(value) for value in (*(getattr(cell, field) for field in plain), *cell.five_way)]


def _field(value: object) -> str:
    if value is None:
        return ""
    return safe(value) if isinstance(value, str) else str(value)


# Markdown


def _crosstable(table: Table) -> str:
    cells = {(cell.name, cell.opponent): share(cell) for cell in table.cells}
    heads = ["#", "bot", *(str(row.rank) for row in table.rows)]
    lines = (
        [str(row.rank), safe(row.name), *(cells.get((row.name, other.name), "") for other in table.rows)]
        for row in table.rows
    )
    return _markdown(heads, [head == "bot" for head in heads], lines)


def _markdown(heads: list[str], left: list[bool], lines: Iterator[list[str]]) -> str:
    rules = [":--" if each else "--:" for each in left]
    escaped = ([_escaped(text) for text in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in [[_escaped(head) for head in heads], rules, *escaped])


def _escaped(text: str) -> str:
    """Text that means nothing in Markdown or HTML."""
    return "".join(f"\\{char}" if char in r"\`*_[]<>|#&~" else char for char in text)
