"""What the matches of two bots come to, for the formats in which it decides who plays whom next."""

from collections.abc import Iterable

import msgspec

from referee.match.summary import Summary
from referee.tournament.schedule import Pairing

Pair = tuple[int, int]


class Meeting(msgspec.Struct, frozen=True):
    """One meeting of two bots: every pair of numbers is in the order of `pairing`."""

    pairing: Pairing
    wins: Pair = (0, 0)  # matches won; a void match counts for nobody
    points: Pair = (0, 0)  # game points
    faults: Pair = (0, 0)

    @property
    def winner(self) -> str | None:
        """Who won more matches, None if neither."""
        if self.wins[0] == self.wins[1]:
            return None
        return self.pairing[self.wins[0] < self.wins[1]]


def fold(pairing: Pairing, matches: Iterable[Summary]) -> Meeting:
    """Add up finished matches of this pairing, wherever its bots sat."""
    wins, points, faults = [0, 0], [0, 0], [0, 0]
    for match in matches:
        seats = [pairing.index(name) for name in match.seats]
        for seat, bot in enumerate(seats):
            points[bot] += match.score[seat]
            wins[bot] += match.winner == seat
        for fault in match.faults:
            faults[seats[fault.seat]] += 1
    return Meeting(pairing, _pair(wins), _pair(points), _pair(faults))


def _pair(numbers: list[int]) -> Pair:
    return numbers[0], numbers[1]
