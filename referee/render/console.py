"""Where and how things are shown: one factory for both consoles, and the one way for foreign text onto them."""

import sys
import unicodedata
from typing import Literal

from rich.cells import cell_len, chop_cells
from rich.console import Console

MAX_TEXT = 200
"""Cells of a foreign text that are shown unless the caller says otherwise."""

MAX_MARKS = 2
"""Accents on one letter that are shown as accents; more of them would write over the lines above."""


def console(stream: Literal["stdout", "stderr"], *, color: bool = True, width: int | None = None) -> Console:
    """The console for data (stdout) or for progress and warnings (stderr).

    `color=False` is `--no-color`; rich itself honours NO_COLOR and a TERM without colours. Nothing is read as markup,
    emoji code or something to highlight: text means itself. A character that the terminal's encoding lacks becomes `?`.
    """
    file = sys.stdout if stream == "stdout" else sys.stderr
    if reconfigure := getattr(file, "reconfigure", None):
        reconfigure(errors="replace")
    return Console(
        stderr=stream == "stderr",
        no_color=None if color else True,
        width=width,
        markup=False,
        emoji=False,
        highlight=False,
    )


def safe(text: str, limit: int = MAX_TEXT) -> str:
    r"""Foreign text on one line of at most `limit` cells: what could act on a terminal or deceive stands as `\x1b`.

    That is everything that is not a letter, mark, number, sign or plain space: control characters and with them all
    escape sequences, line ends and tabs, invisible and bidirectional controls, other spaces. A result without style
    that goes into a `rich.text.Text` unchanged.
    """
    shown: list[str] = []
    room, marks = limit, MAX_MARKS  # there is no letter yet that a mark could stand on
    for char in text[: limit * (MAX_MARKS + 1) + 1]:
        harmless = _is_harmless(char)
        is_mark = harmless and cell_len(char) == 0
        marks = marks + 1 if is_mark else 0 if harmless else MAX_MARKS
        piece = char if harmless and marks <= MAX_MARKS else _escape(char)
        shown.append(piece)
        room -= cell_len(piece)
        if room < 0:
            break
    return shorten("".join(shown), limit)


def shorten(text: str, width: int) -> str:
    """The beginning of the text, with an ellipsis at its end if it is longer than so many cells."""
    if cell_len(text) <= width:
        return text
    return _head(text, width - 1).rstrip() + "…" if width > 0 else ""


def squeeze(text: str, width: int) -> str:
    """The text in at most so many cells, cut in its middle: names often differ only at their ends (`v1`, `v2`)."""
    if cell_len(text) <= width or width < 5:
        return shorten(text, width)
    tail = (width - 1) // 3
    end = _head(text[::-1], tail)[::-1]
    return _head(text, width - 1 - cell_len(end)) + "…" + end


def _head(text: str, width: int) -> str:
    return chop_cells(text, width)[0] if width > 0 and text else ""


def _is_harmless(char: str) -> bool:
    return char == " " or unicodedata.category(char)[0] not in "CZ"


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
