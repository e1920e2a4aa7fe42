"""Reads protocol.md: its sections, code blocks, tables and links, for the tests that hold it against the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "protocol.md").read_text("utf-8")
GOLDEN = ROOT / "tests" / "golden"


class Block(NamedTuple):
    """A code block, and the headings (`##`, `###`) that it stands under."""

    section: str
    heading: str
    language: str
    text: str


class Table(NamedTuple):
    """The rows of a table, without its head; backquotes are kept."""

    section: str
    heading: str
    head: list[str]
    rows: list[list[str]]


def _parse() -> tuple[list[Block], list[Table], list[str]]:
    section = heading = ""
    blocks: list[Block] = []
    tables: list[Table] = []
    headings: list[str] = []
    lines = iter(TEXT.splitlines())
    open_table: Table | None = None
    for line in lines:
        if line.startswith("```"):
            body = []
            for inner in lines:
                if inner == "```":
                    break
                body.append(inner)
            blocks.append(Block(section, heading, line[3:], "\n".join(body) + "\n"))
        elif line.startswith("#"):
            level, _, words = line.partition(" ")
            headings.append(words)
            section, heading = (words, words) if len(level) < 3 else (section, words)
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if open_table is None:
                open_table = Table(section, heading, cells, [])
                tables.append(open_table)
            elif set(line) - set("|-"):
                open_table.rows.append(cells)
            continue
        open_table = None
    return blocks, tables, headings


BLOCKS, TABLES, HEADINGS = _parse()


def blocks(language: str, section: str = "") -> list[Block]:
    return [block for block in BLOCKS if block.language == language and section in ("", block.section)]


def table(section: str, heading: str = "", first: str = "") -> list[list[str]]:
    """The rows of the one table in this section, under this heading, whose first column is called so."""
    (found,) = [
        one
        for one in TABLES
        if one.section == section and one.heading == (heading or section) and first in ("", one.head[0])
    ]
    return found.rows


def code(cell: str) -> str:
    """What stands between the backquotes of a cell."""
    assert cell[0] == cell[-1] == "`", cell
    return cell[1:-1]


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading, the first time that it occurs."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def odd_lines() -> list[tuple[bytes, str, str]]:
    """The table of odd lines: the bytes, what is odd, the verdict."""
    return [(_bytes(line), why, verdict) for line, why, verdict in table("Lines")]


def _bytes(cell: str) -> bytes:
    if cell == "(nothing)":
        return b""
    text = re.sub(r"«(.*?)»\u00d7(\d+)", lambda found: found[1] * int(found[2]), code(cell)).replace("␣", " ")
    raw = text.encode()
    return re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes([int(found[1], 16)]), raw)
