"""The list of all matches as short JSON arrays for the page's script, and the replays that it can open.

A row is [seat 0, seat 1, pair, leg, winner, points 0, points 1, deals, faults, reason, id]: bots by their place in the
standings, the reason by its place in REASONS. The id of a match is PAIR-A-B-LEG; 0 stands for that with seat 0 first, 1
with seat 1 first, and anything else is there in full. So twenty thousand matches are half a megabyte.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from referee.match.summary import Summary
from referee.render.console import safe
from referee.render.replay_html import Json, embedded, page, replay_data
from referee.render.report_svg import Markup
from referee.store.matchlog import Line

REASONS = ("target", "start_fault", "void", "aborted")
_HOLE = "<>hole<>"


class Replay(NamedTuple):
    """A match inside the page: its title, and its data as JSON that cannot end its element."""

    title: str
    data: Markup


class Linked(NamedTuple):
    """Where the reader finds replays: inside the page by match, or, if `folder` is given, one file each beside it."""

    replays: Mapping[str, Replay]
    folder: str | None = None

    def href(self, match: str, deal: int | None = None) -> str | None:
        """The address of a match, or of a deal in it; None if there is only its log."""
        if self.folder is not None:
            where = f"#deal={deal}&step=0" if deal else ""
            return f"{quote(self.folder)}/{file_name(match)}{where}"
        where = f"&deal={deal}" if deal else ""
        return f"#replay={quote(match, safe='')}{where}" if match in self.replays else None


def file_name(match: str) -> str:
    """The page of a match in the folder, as an address."""
    return quote(f"{match}.html", safe="")


def replay_of(lines: Sequence[Line]) -> Replay:
    """A match as it is put into the page. Raises Disagreement."""
    title, data = replay_data(lines)
    return Replay(title, Markup(embedded(data)))


def shell() -> tuple[str, str, str]:
    """The page of a match around its title and its data."""
    whole = page("replay", _HOLE, {"hole": 1})
    head, rest = whole.split("&lt;&gt;hole&lt;&gt;")
    middle, tail = rest.split('{"hole":1}')
    return head, middle, tail


def match_list(names: Sequence[str], matches: Iterable[Summary], linked: Linked) -> Markup:
    """All of it, as JSON that is safe inside a script element."""
    places = {name: place for place, name in enumerate(names)}
    data: Json = {
        "names": [safe(name) for name in names],
        "reasons": REASONS,
        "folder": None if linked.folder is None else quote(linked.folder),
        "replays": list(linked.replays),
        "shell": shell() if linked.replays else None,
        "rows": [_row(match, places) for match in matches],
    }
    return Markup(embedded(data))


def _row(match: Summary, places: Mapping[str, int]) -> list[int | str | None]:
    a, b = match.seats
    return [
        places[a],
        places[b],
        match.pair,
        match.leg,
        match.winner,
        *match.score,
        match.deals,
        len(match.faults),
        REASONS.index(match.reason),
        _id(match, safe(a), safe(b)),
    ]


def _id(match: Summary, a: str, b: str) -> int | str:
    if match.match == f"{match.pair}-{a}-{b}-{match.leg}":
        return 0
    return 1 if match.match == f"{match.pair}-{b}-{a}-{match.leg}" else match.match
