"""A match as one self-contained HTML page: what `referee replay LOG --html FILE` writes.

The page holds the moments of the match as JSON, each step as what has changed since the one before; beside all cards,
what each seat saw, as far as it differs. Its script only shows them; it knows no rule of the game.

Nothing a bot wrote can become markup: the JSON is escaped so that it cannot end its own element, text is only ever set
as text, and a content security policy names the one script and the one style sheet that may take effect, and no
network source at all.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files

from referee.match.events import MatchEvent
from referee.render import words
from referee.render.console import safe
from referee.render.faces import by_suit
from referee.render.moments import Moment, moments, seen_by
from referee.render.replay_text import WHOLE, names_of
from referee.render.words import Card, Part, Seat, Suit
from referee.store.matchlog import Line

Json = dict[str, object]
# In JSON these stand only inside strings, where an escape means the same: `<` could end the script element or open a
# comment, the two separators are line ends to old JavaScript.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def replay_page(lines: Sequence[Line], seat: int | None = None) -> str:
    """The page; with `seat`, it holds only what that seat saw. Raises Disagreement."""
    title, data = replay_data(lines, seat)
    return page("replay", title, data)


def replay_data(lines: Sequence[Line], seat: int | None = None) -> tuple[str, Json]:
    """The title of that page and its data, for pages that hold several matches. Raises Disagreement."""
    header = lines[0].event
    assert isinstance(header, MatchEvent)
    names = names_of(header)
    deals = _deals(moments(lines, seat))
    about = f"match {safe(header.match)}, to {words.count(header.rules.match_target, 'game point')}, "
    data: Json = {
        "names": names,
        "about": about + f"pair {header.pair}, leg {header.leg}, {safe(header.started)}",
        "seat": seat,
        "deals": [_entry(deal, names) for deal in deals],
        "film": [_film(deal) for deal in deals],
        "seen": [] if seat is not None else [[_seen(deal, viewer) for deal in deals] for viewer in (0, 1)],
    }
    return f"{names[0]} against {names[1]}", data


def page(name: str, title: str, data: Json) -> str:
    """Fill `templates/NAME.html` with its style sheet, its script and its data, in one pass."""
    style, script = template(name + ".css"), template(name + ".js")
    parts = {
        "title": html.escape(title),
        "style": style,
        "style_hash": source_hash(style),
        "script": script,
        "script_hash": source_hash(script),
        "data": embedded(data),
    }
    return re.sub(r"%%(\w+)%%", lambda found: parts[found[1]], template(name + ".html"))


def embedded(data: Json) -> str:
    """JSON that is safe inside a script element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def template(name: str) -> str:
    """The text of a file in `templates/`."""
    return files("referee.render").joinpath("templates", name).read_text(encoding="utf-8")


def source_hash(source: str) -> str:
    """How a content security policy names an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


def _deals(story: Iterable[Moment]) -> list[list[Moment]]:
    deals: list[list[Moment]] = []
    for moment in story:
        if moment.step == 0:
            deals.append([])
        deals[-1].append(moment)
    return deals


def _entry(deal: Sequence[Moment], names: tuple[str, str]) -> Json:
    """What the list of deals says of one."""
    number = deal[0].deal
    ends = [moment.deal_end for moment in deal if moment.deal_end is not None]
    won = ""
    if ends:
        winner = ends[0].winner
        won = ": tie" if winner is None else f": {names[winner]} +{ends[0].game_points}"
    title = f"Deal {number}" if number else "Before the first deal"
    return {"n": number, "title": title, "label": f"{number}{won}"}


def _film(deal: Iterable[Moment]) -> list[Json]:
    """A deal as its steps, each with what has changed on the table."""
    before: Json = {}
    steps = []
    for moment in deal:
        table = _table(moment)
        steps.append({**_step(moment), "s": _changed(before, table)})
        before = table
    return steps


def _seen(deal: Iterable[Moment], seat: int) -> list[Json]:
    """What is otherwise for one seat: laid over the film, it hides what that seat was not told."""
    before: Json = {}
    steps = []
    for moment in deal:
        masked = seen_by(moment, seat)
        table = _table(masked)
        over = {key: table[key] for key in (f"h{1 - seat}", "n")}
        said, full = _step(masked), _step(moment)
        other: Json = {key: said.get(key) for key in full if said.get(key) != full[key]}
        changed = _changed(before, over)
        steps.append({**other, "s": changed} if changed else other)
        before = over
    return steps


def _changed(before: Json, now: Json) -> Json:
    return {key: value for key, value in now.items() if before.get(key, ...) != value}


def _step(moment: Moment) -> Json:
    """One step; keys that say nothing are left out."""
    step: Json = {"t": _sentence(moment.said)}
    if moment.us is not None:
        step["u"] = words.spent(moment.us)
    if moment.note:
        step["n"] = safe(moment.note, WHOLE)
    if moment.kind == "fault":
        step["k"] = "f"
    elif moment.kind in ("deal_end", "match_end"):
        step["k"] = "e"
    if moment.fault is not None:
        step["e"] = [(name, "\n".join(safe(row, WHOLE) for row in rows)) for name, rows in words.evidence(moment.fault)]
    return step


def _table(moment: Moment) -> Json:
    """What lies on the table, in the short names that the script reads."""
    last = moment.last_trick
    return {
        "s": moment.score,
        "d": moment.dealer,
        "h0": "".join(by_suit(moment.hands[0], moment.trump)),
        "h1": "".join(by_suit(moment.hands[1], moment.trump)),
        "t": moment.trump,
        "c": moment.trump_card,
        "k": moment.stock,
        "x": moment.closed_by,
        "b": moment.table,
        "l": None if last is None else ("".join(last.cards), last.winner, last.points),
        "r": moment.tricks,
        "p": moment.points,
        "m": [(*marriage, int(not moment.tricks[marriage.seat])) for marriage in moment.marriages],
        "n": moment.drawn,
        "w": moment.turn,
    }


def _sentence(parts: Iterable[Part]) -> str:
    """`@0` for a bot's name, `#QH` for a card, `^H` for a suit; no sentence holds these signs otherwise."""
    return "".join(_part(part) for part in parts)


def _part(part: Part) -> str:
    if isinstance(part, Seat):
        return f"@{part.seat}"
    if isinstance(part, Card):
        return f"#{part.card}"
    return f"^{part.suit}" if isinstance(part, Suit) else part
