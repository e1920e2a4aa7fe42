"""What a match comes to: the few numbers that standings are made of, folded from the events of its log alone."""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from referee.match.events import (
    ActEvent,
    DealEndEvent,
    Event,
    FaultEvent,
    Leg,
    MatchEndEvent,
    MatchEvent,
    MatchReason,
    Micros,
    Seat,
)
from referee.protocol.messages import FaultKind

Count = Annotated[int, msgspec.Meta(ge=0)]
Bucket = Annotated[int, msgspec.Meta(ge=0, le=1023)]  # no 64 bits of microseconds have a higher one
Pair = tuple[Count, Count]


class FaultNote(msgspec.Struct, frozen=True):
    """A fault in a table: who, what, where."""

    seat: Seat
    kind: FaultKind
    deal: Count


class SeatFigures(msgspec.Struct):
    """What one seat did in a match. `times` counts decisions by `bucket` of their microseconds.

    `slowest_us` is the longest that it was waited for, in vain or not.
    """

    closes_won: Count = 0
    closes_lost: Count = 0
    false_declarations: Count = 0
    trickless_wins: Count = 0  # deals won with the opponent without a trick
    deals_won: Count = 0
    slowest_us: Micros = 0
    times: dict[Bucket, Count] = {}


_NO_FIGURES = (SeatFigures(), SeatFigures())


class Summary(msgspec.Struct, kw_only=True):
    """One match as the standings see it; `score` is game points by seat."""

    match: str
    pair: Count
    leg: Leg
    seats: tuple[str, str]
    winner: Seat | None = None
    reason: MatchReason = "aborted"
    score: Pair = (0, 0)
    deals: Count = 0
    digest: str = ""
    faults: list[FaultNote] = []
    figures: tuple[SeatFigures, SeatFigures]


def slim(summary: Summary) -> Summary:
    """The summary without what only tables need: what the next round of a tournament is made of."""
    return msgspec.structs.replace(summary, figures=_NO_FIGURES, digest="")


def bucket(us: int) -> int:
    """The number of the time bucket of `us`: sixteen to an octave, so a bucket is at most 6 % wide; exact below 16."""
    octave = us.bit_length() - 5
    return us if octave < 0 else (octave << 4) + (us >> octave)


def bucket_us(number: int) -> int:
    """The lowest number of microseconds of a bucket."""
    octave = (number >> 4) - 1
    return number if octave < 0 else (16 + (number & 15)) << octave


def summarize(events: Iterable[Event]) -> Summary:
    """Fold a whole match; raises ValueError when it does not begin with its header."""
    summary: Summary | None = None
    closer: int | None = None
    for event in events:
        if isinstance(event, MatchEvent):
            summary = _begin(event)
        elif summary is None:
            raise ValueError("a match begins with its header")
        elif isinstance(event, ActEvent):
            closer = event.seat if event.action == "close" else closer
            _count_time(summary.figures[event.seat], event.us)
        elif isinstance(event, FaultEvent):
            summary.faults.append(FaultNote(event.seat, event.kind, event.deal))
            if event.kind == "timeout":
                figures = summary.figures[event.seat]
                figures.slowest_us = max(figures.slowest_us, event.us)
        elif isinstance(event, DealEndEvent):
            _count_deal(summary, event, closer)
            closer = None
        elif isinstance(event, MatchEndEvent):
            summary.winner, summary.reason, summary.score = event.winner, event.reason, event.score
            summary.deals, summary.digest = event.deals, event.digest
    if summary is None:
        raise ValueError("no events")
    return summary


def _begin(header: MatchEvent) -> Summary:
    return Summary(
        match=header.match,
        pair=header.pair,
        leg=header.leg,
        seats=(header.seats[0].name, header.seats[1].name),
        figures=(SeatFigures(), SeatFigures()),
    )


def _count_time(figures: SeatFigures, us: int) -> None:
    at = bucket(us)
    figures.times[at] = figures.times.get(at, 0) + 1
    figures.slowest_us = max(figures.slowest_us, us)


def _count_deal(summary: Summary, end: DealEndEvent, closer: int | None) -> None:
    if end.reason == "false_declaration" and end.winner is not None:
        summary.figures[1 - end.winner].false_declarations += 1
    if end.winner is not None and end.reason != "fault":
        figures = summary.figures[end.winner]
        figures.deals_won += 1
        figures.trickless_wins += end.tricks[1 - end.winner] == 0
    if closer is not None and end.reason != "fault":
        figures = summary.figures[closer]
        figures.closes_won += end.winner == closer
        figures.closes_lost += end.winner != closer
