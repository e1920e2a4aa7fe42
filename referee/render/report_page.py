"""A tournament as one self-contained HTML page: what `referee report DIR --html FILE` writes.

Tables and drawings are in the page and need no script; the script filters the list of matches and opens replays, each
in a frame of its own. Nothing a bot wrote can become markup: autoescape is on for every value, what Python draws is
escaped there, JSON cannot end its element, and the content security policy names the scripts and styles that may take
effect, and no network source at all.
"""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from referee.errors import UsageError
from referee.render import standings
from referee.render.console import safe, squeeze
from referee.render.crosstable import share
from referee.render.replay_html import source_hash, template
from referee.render.report_bots import Bot, Faults, bots
from referee.render.report_charts import Lines, RatingScale
from referee.render.report_data import Story
from referee.render.report_matches import Linked, match_list
from referee.render.report_pick import interesting
from referee.render.report_svg import Markup
from referee.standings.table import Cell, Row, Table, mirroring_note

if TYPE_CHECKING:
    from jinja2 import Environment

WON_AND_LOST_UP_TO = 10
"""Bots up to which a cell of the crosstable has room for more than a number."""


class About(NamedTuple):
    """What `run.json` says of the run."""

    name: str
    format: str
    started: str
    referee: str
    layer: str
    commitment: str
    master_seed: str | None
    total: int  # matches planned


class Line(NamedTuple):
    """A row of the standings."""

    row: Row
    place: int
    name: str
    drawn: Markup


class Heat(NamedTuple):
    """A cell of the crosstable: how warm it is (0..10), and what it says."""

    warmth: int | None
    share: str
    record: str
    certain: bool
    place: int


class Pick(NamedTuple):
    """An interesting match."""

    match: str
    seats: str
    why: str
    href: str | None


def page(story: Story, about: About, faults: Faults, linked: Linked) -> str:
    """The page. UsageError where jinja2 is not installed."""
    environment = _environment()
    names = [row.name for row in story.table.rows]
    style, script = template("report.css"), template("report.js")
    replay_style, replay_script = template("replay.css"), template("replay.js")
    lines = Lines(story.history, names)
    return environment.get_template("report.html").render(
        style=Markup(style),
        script=Markup(script),
        style_hashes=[source_hash(text) for text in (style, replay_style)],
        script_hashes=[source_hash(text) for text in (script, replay_script)],
        about=about,
        state=_state(story.table, about),
        table=story.table,
        header=str(standings.header(story.table)),
        notes=[mirroring_note(story.table), f"Order: {story.table.order}."],
        scale=RatingScale(story.table.rows).head(),
        lines=_standings(story.table.rows),
        heads=[(row.rank, squeeze(safe(row.name), 14)) for row in story.table.rows],
        heat=_crosstable(story.table),
        detailed=len(names) <= WON_AND_LOST_UP_TO,
        history=lines.all() if story.history else "",
        every_line=lines.shared() if story.history else "",
        bots=list[Bot](bots(story, faults, linked)),
        picks=_picks(story, linked),
        linked=linked,
        replays=list(linked.replays.values()),
        matches=match_list(names, story.matches, linked),
    )


def require_jinja() -> None:
    """UsageError where jinja2 is not installed; to be asked before the long part."""
    try:
        import jinja2  # noqa: F401
    except ModuleNotFoundError:
        how = f"pip --python {sys.prefix} install jinja2"
        raise UsageError(f"a report needs jinja2, which is an extra: {how}") from None


def _environment() -> "Environment":
    require_jinja()
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("referee.render", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = {"percent": standings.percent, "probability": standings.probability, "signed": standings.signed}
    environment.filters.update(filters, safe_text=safe, grouped=lambda number: f"{number:,}")
    return environment


def _state(table: Table, about: About) -> str:
    """Whether this is the end."""
    if about.master_seed is not None:
        return "complete"
    return f"in progress: {table.matches:,} of {about.total:,} matches" if about.total else "in progress"


def _standings(rows: Sequence[Row]) -> list[Line]:
    scale = RatingScale(rows)
    return [Line(row, place, safe(row.name), scale.cell(row)) for place, row in enumerate(rows)]


def _crosstable(table: Table) -> list[list[Heat | None]]:
    cells = {(cell.name, cell.opponent): cell for cell in table.cells}
    return [
        [_heat(cells.get((row.name, other.name)), place) for place, other in enumerate(table.rows)]
        for row in table.rows
    ]


def _heat(cell: Cell | None, place: int) -> Heat | None:
    if cell is None:
        return None
    matches = cell.won + cell.lost
    warmth = round(10 * cell.won / matches) if matches else None
    certain = cell.low > 0.5 or cell.high < 0.5
    return Heat(warmth, share(cell), f"{cell.won:,}-{cell.lost:,}", certain, place)


def _picks(story: Story, linked: Linked) -> list[Pick]:
    """The interesting ones, with their replays."""
    found = interesting(story)
    seats = {match.match: match.seats for match in story.matches if match.match in found}
    return [
        Pick(safe(match), " against ".join(map(safe, seats[match])), "; ".join(why), linked.href(match))
        for match, why in found.items()
    ]
