"""Finished matches as standings see them, made by hand."""

from collections.abc import Sequence
from typing import Any

from referee.match.events import Leg
from referee.match.summary import FaultNote, SeatFigures, Summary


def match(seats: str | Sequence[str], score: tuple[int, int], pair: int = 1, leg: Leg = "a", **other: Any) -> Summary:
    """A match won by the seat with more game points, of as many deals as there are points in it; "AB" seats A and B."""
    a, b = seats
    fields: dict[str, Any] = {
        "winner": int(score[1] > score[0]),
        "reason": "target",
        "deals": sum(score),
        "figures": (SeatFigures(), SeatFigures()),
        **other,
    }
    return Summary(match=f"{pair}-{a}-{b}-{leg}", pair=pair, leg=leg, seats=(a, b), score=score, **fields)


def void(seats: str | Sequence[str], pair: int = 1, leg: Leg = "a") -> Summary:
    """Neither bot started."""
    faults = [FaultNote(0, "start", 1), FaultNote(1, "start", 1)]
    return match(seats, (0, 0), pair, leg, winner=None, reason="void", faults=faults)


def aborted(seats: str | Sequence[str], pair: int = 1, leg: Leg = "a") -> Summary:
    """The referee failed; a fault that was noted before that counts for nothing."""
    return match(seats, (2, 1), pair, leg, winner=None, reason="aborted", faults=[FaultNote(0, "crash", 1)])


def round_robin(names: Sequence[str], pairs: int) -> list[Summary]:
    """Everybody against everybody; the earlier name is better, and what happens follows from the numbers alone."""
    return [
        _invented(names, i, j, pair, leg)
        for i in range(len(names))
        for j in range(i + 1, len(names))
        for pair in range(1, pairs + 1)
        for leg in ("a", "b")
    ]


def _invented(names: Sequence[str], i: int, j: int, pair: int, leg: Leg) -> Summary:
    number = 7 * i + 5 * j + 3 * pair + (leg == "b")
    better_wins = number % (2 + j - i) != 0
    loser = number % 7
    points = (7 + number % 2, loser) if better_wins else (loser, 7 + number % 2)
    figures = tuple(_figures(number + bot, won) for bot, won in ((i, better_wins), (j, not better_wins)))
    kind = ("timeout", "illegal", "crash")[j % 3]
    faults = [FaultNote(int(leg == "a"), kind, 2)] if number % 6 == 0 and j > 1 else []
    a, b = names[i], names[j]
    if leg == "b":
        a, b, points, figures = b, a, points[::-1], figures[::-1]
    return match((a, b), (points[0], points[1]), pair, leg, deals=6 + number % 4, figures=figures, faults=faults)


def _figures(number: int, won: bool) -> SeatFigures:
    return SeatFigures(
        closes_won=int(won),
        closes_lost=number % 3 // 2,
        false_declarations=number % 5 // 4,
        trickless_wins=number % 4 // 3,
        deals_won=2 + 2 * won,
        slowest_us=1000 * number + 400,
        times={16 * (3 + number % 4): 30, 16 * (5 + number % 3) + 8: 4},
    )
