"""Plays a match log again through the machine that played it, and compares every line.

`frames` is what `verify`, the replay views and the exports are built on: nothing they show was worked out anywhere
else.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.match.events import (
    ActEvent,
    DealEndEvent,
    DealEvent,
    Event,
    FaultEvent,
    MatchEndEvent,
    MatchEvent,
)
from referee.match.machine import Effect, IllegalAction, Match, MatchOver, Record, Tell
from referee.match.view import phase_of
from referee.protocol.messages import Phase
from referee.rules.cards import CARDS, action_code
from referee.rules.deal import Deal
from referee.rules.shuffle import deck as shuffled
from referee.store.matchlog import Line


class Disagreement(Exception):  # noqa: N818  a verdict on a log
    """The log says something that the rules do not; `line` is 1-based."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(f"line {line}: {why}")


class Frame(NamedTuple):
    """One line of the log, and the position after it. `deal` is live: copy it to keep it."""

    line: int
    event: Event
    match: Match
    deal: Deal | None
    told: Sequence[Tell]


def frames(lines: Sequence[Line]) -> Iterator[Frame]:
    """The whole match, line by line; raises Disagreement at the first line that the rules do not confirm."""
    return _Replay(lines).run()


def verify(lines: Sequence[Line]) -> MatchEvent:
    """Play a match again to its end; returns its header. Raises Disagreement."""
    for _ in frames(lines):
        pass
    header = lines[0].event
    assert isinstance(header, MatchEvent)
    return header


class _Replay:
    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.at = 0
        header = lines[0].event
        if not isinstance(header, MatchEvent):
            raise Disagreement(lines[0].number, "a log must begin with a match line")
        self.header = header
        self.match = Match(header, self._deck, self._asks_draw)

    def run(self) -> Iterator[Frame]:
        opening = self._event(1)
        starts = isinstance(opening, FaultEvent) and opening.kind == "start"
        yield from self._confirm(self.match.open_log() if starts else self.match.start())
        while self.at < len(self.lines):
            yield from self._confirm(self._feed(self.lines[self.at]))

    def _feed(self, line: Line) -> Sequence[Effect]:
        """Give the machine what the log says came next."""
        event, match, deal = line.event, self.match, self.match.deal
        if match.over is not None:
            raise Disagreement(line.number, "the match was over before this line")
        if type(event) is FaultEvent and event.kind == "start":
            return match.cannot_start(self._start_faults(line.number))
        if deal is None or deal.outcome is not None:
            return match.next_deal()
        if type(event) is ActEvent or type(event) is FaultEvent:
            return self._turn(line.number, event, deal)
        raise Disagreement(line.number, f"a turn was open, and no act or fault follows, but {_name(event)}")

    def _turn(self, number: int, event: ActEvent | FaultEvent, deal: Deal) -> Sequence[Effect]:
        if event.seat != deal.seat:
            raise Disagreement(number, f"it was the turn of seat {deal.seat}, not of seat {event.seat}")
        limit = self.match.banks[deal.seat].limit_us()
        if isinstance(event, FaultEvent):
            self._check_fault(number, event, phase_of(deal))
            if event.limit_us not in (None, limit):
                raise Disagreement(number, f"limit_us is {event.limit_us}, the clock gives {limit}")
            return self.match.fault(event)
        if limit is not None and event.us > limit:
            raise Disagreement(number, f"us is {event.us}, and an answer after {limit} is a timeout")
        try:
            action = action_code(event.action, event.card, event.suit)
            return self.match.act(action, event.us, event.note, event.lag_us)
        except IllegalAction as illegal:
            raise Disagreement(number, str(illegal)) from None
        except KeyError:
            words = " ".join(word for word in (event.action, event.card, event.suit) if word)
            raise Disagreement(number, f"{words!r} is no action") from None

    def _confirm(self, effects: Sequence[Effect]) -> Iterator[Frame]:
        """What the machine would have written must be what is written."""
        told = [effect for effect in effects if type(effect) is Tell]
        for event in [effect.event for effect in effects if type(effect) is Record]:
            if self.at >= len(self.lines):
                raise Disagreement(self.lines[-1].number, f"{_name(event)} is missing after this line")
            line = self.lines[self.at]
            if line.event != event:
                raise Disagreement(line.number, _difference(line.event, event))
            self.at += 1
            yield Frame(line.number, event, self.match, self.match.deal, told)
            told = []
        if effects and type(effects[-1]) is MatchOver and self.at < len(self.lines):
            raise Disagreement(self.lines[self.at].number, "the match was over before this line")

    def _start_faults(self, number: int) -> list[FaultEvent]:
        """One a seat at most, and where processes are started: before the match or between two deals."""
        if self.match.deal is not None and self.match.deal.outcome is None:
            raise Disagreement(number, "a turn was open, and nobody is started then")
        found: list[FaultEvent] = []
        for line in self.lines[self.at :]:
            if not isinstance(line.event, FaultEvent) or line.event.kind != "start":
                break
            self._check_fault(line.number, line.event, None)
            if any(line.event.seat == other.seat for other in found):
                raise Disagreement(line.number, f"seat {line.event.seat} has failed to start already")
            found.append(line.event)
        return found

    def _check_fault(self, number: int, fault: FaultEvent, phase: Phase | None) -> None:
        """What the machine takes on trust: where it happened."""
        for field, found, right in (("deal", fault.deal, self.match.number), ("phase", fault.phase, phase)):
            if found != right:
                raise Disagreement(number, f"{field} is {_shown(found)}, the rules give {_shown(right)}")

    def _deck(self, number: int) -> Sequence[int]:
        """The deck as logged, after checking that it is the one that the pair seed gives."""
        line = next((line for line in self.lines[self.at :] if isinstance(line.event, DealEvent)), None)
        if line is None:
            raise Disagreement(self.lines[-1].number, f"deal {number} is missing after this line")
        assert isinstance(line.event, DealEvent)
        expected = shuffled(self.header.seed, number)
        for place, (found, right) in enumerate(zip(line.event.deck, expected, strict=False), 1):
            if found != CARDS[right]:
                why = f"card {place} of the deck is {found}, the pair seed gives {CARDS[right]}"
                raise Disagreement(line.number, why)
        if len(line.event.deck) != len(expected):
            raise Disagreement(line.number, f"the deck has {len(line.event.deck)} cards")
        return expected

    def _asks_draw(self, seat: int) -> bool:
        """A bot was asked about the draw if its next line says so."""
        following = self._event(self.at + 1)
        return isinstance(following, ActEvent | FaultEvent) and following.phase == "draw"

    def _event(self, at: int) -> Event | None:
        return self.lines[at].event if at < len(self.lines) else None


def _name(event: Event) -> str:
    return {MatchEvent: "match", DealEvent: "deal", DealEndEvent: "deal_end", MatchEndEvent: "match_end"}.get(
        type(event), "an act or a fault"
    )


def _difference(found: Event, expected: Event) -> str:
    """Where a line differs from what the rules give, in its own field names."""
    if type(found) is not type(expected):
        return f"{_name(found)} stands here, the rules give {_name(expected)}"
    for field in expected.__struct_fields__:
        ours, theirs = getattr(expected, field), getattr(found, field)
        if ours != theirs:
            return f"{field} is {_shown(theirs)}, the rules give {_shown(ours)}"
    return "differs"


def _shown(value: object) -> str:
    text = repr(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= 90 else text[:87] + "..."
