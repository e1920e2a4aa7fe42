"""A whole match as text, for reading, searching and printing: what `referee replay LOG --text` shows.

One line a trick, everything else between the tricks where it happened, each bot's notes and each fault's evidence
beneath it. It is written for people who know the card game and have never seen the program.
"""

from collections.abc import Iterator, Sequence

from rich.text import Text

from referee.errors import UsageError
from referee.match.events import FaultEvent, MatchEvent
from referee.render import words
from referee.render.console import safe
from referee.render.faces import Faces, by_suit
from referee.render.moments import Moment, moments
from referee.store.matchlog import Line

_IN = " " * 6
NAME = 60  # cells of a bot's name that are shown
WHOLE = 20_000  # more than a note or the evidence of a fault can be: both are cut when they are logged


def replay_text(
    lines: Sequence[Line], deal: int | None = None, seat: int | None = None, unicode: bool = True
) -> Iterator[Text]:
    """The match, line by line; `deal` picks one deal, `seat` shows only what that bot saw. Raises Disagreement."""
    header = lines[0].event
    assert isinstance(header, MatchEvent)
    names = names_of(header)
    writer = _Writer(Faces(names, unicode), seat)
    yield from writer.heading(header)
    last = 0
    for moment in moments(lines, seat):
        last = moment.deal
        if deal is None or (deal == last and moment.kind != "match_end"):
            yield from writer.write(moment)
    if deal is not None and not 1 <= deal <= last:
        raise UsageError(f"there is no deal {deal} in this match, only 1 to {last}")


def names_of(header: MatchEvent) -> tuple[str, str]:
    """The bots' names, harmless to print."""
    a, b = header.seats
    return safe(a.name, NAME), safe(b.name, NAME)


class _Writer:
    """Holds back a card that was led until its answer is there, so that a trick is one line."""

    def __init__(self, faces: Faces, seat: int | None) -> None:
        self.faces = faces
        self.seat = seat
        self.led: Moment | None = None
        self.trick = 0

    def heading(self, header: MatchEvent) -> Iterator[Text]:
        a, b = self.faces.names
        yield Text(f"{a} against {b}, to {words.count(header.rules.match_target, 'game point')}", style="bold")
        started = safe(header.started)
        yield Text(f"match {safe(header.match)}, pair {header.pair}, leg {header.leg}, {started}")
        yield Text(f"After each trick: [card points of {a} : {b}] (time of each decision)")
        if self.seat is not None:
            yield Text(f"Only what {self.faces.names[self.seat]} saw is shown.")

    def write(self, moment: Moment) -> Iterator[Text]:
        if moment.kind == "deal":
            yield from self._dealt(moment)
        elif moment.kind == "act" and moment.table and moment.said[1] == " leads ":
            self.led = moment
        elif moment.trick is not None and self.led is not None:
            yield from self._trick(self.led, moment)
        else:
            yield from self._flush()
            yield from self._step(moment)

    def _dealt(self, moment: Moment) -> Iterator[Text]:
        self.led, self.trick = None, 0
        faces, (a, b) = self.faces, self.faces.names
        width = max(len(a), len(b), 5)
        yield Text()
        title = f"Deal {moment.deal}: {faces.names[moment.dealer]} deals, {faces.names[1 - moment.dealer]} leads"
        yield Text(f"{title}; {self._score(moment)}", style="bold underline")
        for seat in (0, 1):
            hand = faces.cards(by_suit(moment.hands[seat], moment.trump))
            yield Text.assemble(_IN, faces.names[seat].ljust(width), "  ", hand)
        yield Text.assemble(_IN, "trump".ljust(width), "  ", faces.suit_name(moment.trump))
        stock = faces.cards(moment.stock_cards)
        yield Text.assemble(_IN, "stock".ljust(width), "  ", stock, " (turned up)")

    def _trick(self, led: Moment, answer: Moment) -> Iterator[Text]:
        """Both cards, who takes them, and what both have now."""
        assert answer.trick is not None and led.seat is not None and answer.seat is not None
        self.trick, self.led = self.trick + 1, None
        faces, trick = self.faces, answer.trick
        leader, follower, winner = (self._name(seat) for seat in (led.seat, answer.seat, trick.winner))
        line = Text.assemble(f"  {self.trick:>2}. ", leader, " ", faces.card(trick.cards[0]), ", ")
        line.append_text(Text.assemble(follower, " ", faces.card(trick.cards[1]), "; "))
        line.append_text(Text.assemble(winner, f" takes {trick.points}"))
        line.append_text(faces.sentence(words.drawn(answer.drawn, trick.winner)))
        yield Text.assemble(line, f"  [{answer.points[0]} : {answer.points[1]}]", self._times(led, answer))
        yield from self._notes(led, answer)

    def _flush(self) -> Iterator[Text]:
        """A card was led, and something else than an answer came."""
        led, self.led = self.led, None
        if led is not None:
            yield from self._step(led)

    def _step(self, moment: Moment) -> Iterator[Text]:
        if moment.kind == "match_end":
            yield Text()
        before = "" if moment.kind == "match_end" else _IN
        style = "bold" if moment.kind in ("deal_end", "match_end") else ""
        yield Text.assemble(before, self.faces.sentence(moment.said), self._times(moment), style=style)
        if moment.deal_end is not None:
            (a, b), (c, d) = moment.deal_end.card_points, moment.deal_end.tricks
            yield Text(f"{_IN}card points {a} : {b}, tricks {c} : {d}; {self._score(moment)}")
        yield from self._notes(moment)
        if moment.fault is not None:
            yield from evidence(moment.fault)

    def _times(self, *steps: Moment) -> Text:
        """How long each thought, as far as it may be seen."""
        times = [words.spent(step.us) for step in steps if step.us is not None and step.kind == "act"]
        return Text(f"  ({', '.join(times)})" if times else "", style="dim")

    def _notes(self, *steps: Moment) -> Iterator[Text]:
        for step in steps:
            if step.note and step.seat is not None:
                yield Text.assemble(f"{_IN}{self.faces.names[step.seat]} notes: ", safe(step.note, WHOLE), style="dim")

    def _name(self, seat: int) -> Text:
        return Text(self.faces.names[seat], style="bold")

    def _score(self, moment: Moment) -> str:
        (a, b), (c, d) = self.faces.names, moment.score
        return f"score {a} {c}, {b} {d}"


def evidence(fault: FaultEvent) -> Iterator[Text]:
    """What the log keeps of a fault, one thing a line; all of it may be a bot's own text."""
    for name, rows in words.evidence(fault):
        for number, row in enumerate(rows):
            yield Text.assemble(f"{_IN}  {'' if number else name:<9} ", safe(row, WHOLE))
