"""One moment of a match drawn for a terminal of a given size: lines of text and nothing else.

The table needs 60 columns and 17 lines; what a terminal has beyond that shows the list of steps, beside the table from
100 columns on, beneath it otherwise. Which key does what is none of this module's business.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from referee.render import words
from referee.render.console import safe
from referee.render.faces import Faces, by_suit
from referee.render.moments import HIDDEN, Moment, Trick
from referee.render.replay_text import WHOLE, evidence

_PLAIN = Console(width=80, color_system=None)  # rich wraps text only with one at hand; nothing is printed on it
BESIDE = 100  # from so many columns on, the list of steps stands beside the table


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the match we are: the steps of this deal, which of them is shown, and how many deals there are."""

    steps: Sequence[Moment]
    at: int
    deals: int
    target: int
    bottom: int = 0  # the seat that sits at the lower edge
    view: str = "all cards"

    @property
    def moment(self) -> Moment:
        return self.steps[self.at]


def screen(place: Place, faces: Faces, width: int, height: int, footer: Text) -> list[Text]:
    """Exactly `height` lines of `width` cells."""
    left = width if width < BESIDE else max(60, min(76, width * 45 // 100))
    lines = _table(place, faces, left)
    lines += _told(place.moment, faces, left, height - 1 - len(lines))
    room = height - 1 - len(lines)
    if width < BESIDE and room > 2:
        lines += [_rule(faces, left), *steps(place, faces, left, room - 1)]
    lines = [faces.fit(line, left) for line in (*lines, *[Text()] * height)[: height - 1]]
    if width >= BESIDE:
        bar = Text(" │ " if faces.unicode else " | ", style="dim")
        listed = steps(place, faces, width - left - 3, height - 1)
        lines = [Text.assemble(a, bar, b) for a, b in zip(lines, listed, strict=True)]
    return [*lines, faces.fit(footer, width)]


def details(place: Place, faces: Faces, width: int, height: int, footer: Text) -> list[Text]:
    """Everything known of one step: its note in full, the evidence of a fault."""
    moment = place.moment
    body = _said(moment, faces, width) + _note(moment, faces, width)
    if moment.fault is not None:
        for line in evidence(moment.fault):
            body += _wrap(line, width)
    lines = [_heading(place, faces, width), _rule(faces, width), *body, *[Text()] * height]
    return [*(faces.fit(line, width) for line in lines[: height - 1]), faces.fit(footer, width)]


def steps(place: Place, faces: Faces, width: int, height: int) -> list[Text]:
    """The steps of the deal, as many as there is room for around the one shown."""
    first = max(0, min(place.at - height // 2, len(place.steps) - height))
    lines = []
    for number, moment in enumerate(place.steps[first : first + height], first):
        time = "" if moment.us is None else words.spent(moment.us)
        here = number == place.at
        mark = ("▶" if faces.unicode else ">") if here else " "
        said = faces.fit(Text.assemble(f"{mark}{number:>3} ", faces.sentence(moment.said)), width - 9)
        line = Text.assemble(said, f"{time:>9}")
        if here:
            line.stylize("reverse")
        lines.append(faces.fit(line, width))
    return [*lines, *[Text(" " * width)] * (height - len(lines))]


# The table


def _table(place: Place, faces: Faces, width: int) -> list[Text]:
    """Heading, the far hand, what lies between, the near hand: 17 lines at the most."""
    moment, far, near = place.moment, 1 - place.bottom, place.bottom
    lines = [_heading(place, faces, width), _rule(faces, width)]
    if not moment.trump:
        return lines  # no card was dealt
    lines += [_player(moment, faces, far), *_hand(moment, faces, far), Text()]
    lines += _middle(moment, faces)
    return [*lines, *_hand(moment, faces, near), _player(moment, faces, near), _rule(faces, width)]


def _heading(place: Place, faces: Faces, width: int) -> Text:
    """The score and where we are; a narrow terminal gets the short form."""
    moment, near, last = place.moment, place.bottom, len(place.steps) - 1
    names, dot = faces.names, " · " if faces.unicode else " - "
    room = max(4, (width - 46) // 2)
    a, b = (faces.fit(Text(names[seat]), min(room, cell_len(names[seat]))) for seat in (near, 1 - near))
    score = Text.assemble(a, f" {moment.score[near]} : {moment.score[1 - near]} ", b, style="bold")
    short = [f"deal {moment.deal}/{place.deals}", f"step {place.at}/{last}", place.view]
    long = [f"to {place.target}", f"deal {moment.deal} of {place.deals}", f"step {place.at} of {last}", place.view]
    return Text(dot).join([score, *(Text(part) for part in (short if width < 80 else long))])


def _rule(faces: Faces, width: int) -> Text:
    return Text(("─" if faces.unicode else "-") * width, style="dim")


def _player(moment: Moment, faces: Faces, seat: int) -> Text:
    """Whose turn it is, the name, and what this side has taken."""
    mark = ("▶ " if faces.unicode else "> ") if moment.turn == seat else "  "
    name = faces.fit(Text(faces.names[seat], style="bold"), min(24, cell_len(faces.names[seat])))
    deals = " (dealer)" if moment.dealer == seat else ""
    taken = f"{words.count(moment.tricks[seat], 'trick')}, {words.count(moment.points[seat], 'point')}"
    text = Text.assemble(mark, name, deals, "  ", taken)
    for marriage in moment.marriages:
        if marriage.seat == seat:
            waits = "" if moment.tricks[seat] else " waiting"
            text.append_text(Text.assemble("  marriage ", faces.suit(marriage.suit), f" {marriage.points}{waits}"))
    return text


def _hand(moment: Moment, faces: Faces, seat: int) -> list[Text]:
    hand = by_suit(moment.hands[seat], moment.trump)
    new = moment.drawn[seat]
    if new == HIDDEN:
        new = None
    return _beside([Text("    ")] * 3, *(faces.box(card, "bold green" if card == new else "") for card in hand))


def _middle(moment: Moment, faces: Faces) -> list[Text]:
    """The stock with the trump card, the cards on the table, the trick before: a caption and three lines."""
    stock, table, last = _stock(moment, faces), _on_table(moment, faces), _last(moment, faces)
    blocks = [[faces.fit(line, width) for line in block] for block, width in ((stock, 20), (table, 20), (last, 20))]
    return _beside(*blocks)


def _stock(moment: Moment, faces: Faces) -> list[Text]:
    trump = faces.suit_name(moment.trump)
    if moment.trump_card is None:
        return [Text.assemble("  stock empty"), Text.assemble("  trump ", trump), Text(), Text()]
    state = "open" if moment.closed_by is None else f"closed: {faces.names[moment.closed_by]}"
    pile = faces.box(HIDDEN) if moment.stock > 1 else [Text("    ")] * 3
    beside = [Text(f" {moment.stock} left"), Text(" trump"), Text(" ") + faces.suit(moment.trump)]
    return [Text(f"  {state}"), *_beside([Text("  ")] * 3, pile, faces.box(moment.trump_card), beside)]


def _on_table(moment: Moment, faces: Faces) -> list[Text]:
    cards = [faces.box(card) for _, card in moment.table]
    if not cards:
        return [Text()] * 4
    trick = moment.last_trick if len(cards) == 2 else None
    caption = f"{faces.names[moment.table[0][0]]} led" if trick is None else f"{_taker(trick, faces)}"
    return [Text(caption, style="bold" if trick else ""), *_beside(*cards)]


def _last(moment: Moment, faces: Faces) -> list[Text]:
    trick = moment.last_trick
    if trick is None or len(moment.table) == 2:
        return [Text()] * 4
    return [Text("last trick", style="dim"), faces.cards(trick.cards), Text(_taker(trick, faces), style="dim"), Text()]


def _taker(trick: Trick, faces: Faces) -> str:
    return f"{faces.names[trick.winner]} +{trick.points}"


def _beside(*blocks: Sequence[Text]) -> list[Text]:
    """Blocks of equally many lines, side by side."""
    return [Text.assemble(*row) for row in zip(*blocks, strict=True)]


# The words beneath the table


def _told(moment: Moment, faces: Faces, width: int, room: int) -> list[Text]:
    """What happened, the bot's note and the evidence, cut to the lines that are left."""
    lines = _said(moment, faces, width) + _note(moment, faces, width)
    if moment.fault is not None:
        lines += list(evidence(moment.fault))
    if len(lines) > room > 0:
        lines = [*lines[: room - 1], Text("(d shows all of it)", style="dim")]
    return lines


def _said(moment: Moment, faces: Faces, width: int) -> list[Text]:
    time = "" if moment.us is None else f"  ({words.spent(moment.us)})"
    return _wrap(Text.assemble(faces.sentence(moment.said), (time, "dim")), width)


def _note(moment: Moment, faces: Faces, width: int) -> list[Text]:
    if not moment.note or moment.seat is None:
        return []
    return _wrap(Text.assemble(f"{faces.names[moment.seat]} notes: ", safe(moment.note, WHOLE), style="italic"), width)


def _wrap(text: Text, width: int) -> list[Text]:
    """Lines of at most `width` cells; long words are cut."""
    return list(text.wrap(_PLAIN, width))
