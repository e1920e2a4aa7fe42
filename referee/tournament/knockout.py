"""Knockout: the loser of a tie is out. Pure.

Bots are seeded by their order in the tournament file; the bracket keeps the best apart for as long as it can (1 meets 4
and 2 meets 3 when all favourites win), and if their number is no power of two the first seeds have a bye in round one.

A tie is a block of mirrored pairs. If both bots have won as many matches, another block on new decks is played, up to
`BLOCKS` in all. Then the one with more game points goes on; if these are equal, the one with fewer faults; if these are
equal, the higher seed. Two copies of one deterministic bot would otherwise play for ever.
"""

from collections.abc import Mapping, Sequence

from referee.tournament.meeting import Meeting
from referee.tournament.schedule import Pairing, in_order

BLOCKS = 4


def knockout(names: Sequence[str], winners: Mapping[Pairing, str]) -> list[Pairing]:
    """The ties of the present round, decided or not, given the ties decided so far; [] when one bot is left."""
    standing = bracket(names)
    while len(standing) > 1:
        ties = [in_order((a, b), names) for a, b in _couples(standing) if a is not None and b is not None]
        if any(tie not in winners for tie in ties):
            return ties
        standing = [_through(couple, names, winners) for couple in _couples(standing)]
    return []


def decided(tie: Meeting, blocks: int) -> str | None:
    """Who goes on after so many complete blocks; None: one more block."""
    if tie.winner is not None or blocks < BLOCKS:
        return tie.winner
    a, b = ((tie.points[i], -tie.faults[i]) for i in (0, 1))
    return tie.pairing[a < b]


def bracket(names: Sequence[str]) -> list[str | None]:
    """The bots in the order of the bracket, neighbours meet; None is nobody, whose neighbour has a bye."""
    places = [0]
    while len(places) < len(names):
        last = 2 * len(places) - 1
        places = [place for seed in places for place in (seed, last - seed)]
    return [names[place] if place < len(names) else None for place in places]


Couple = tuple[str | None, str | None]


def _couples(standing: Sequence[str | None]) -> list[Couple]:
    return list(zip(standing[::2], standing[1::2], strict=True))


def _through(couple: Couple, names: Sequence[str], winners: Mapping[Pairing, str]) -> str | None:
    a, b = couple
    if a is None or b is None:
        return a or b
    return winners[in_order((a, b), names)]
