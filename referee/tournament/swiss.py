"""Swiss pairings: bots with equal scores meet, and nobody meets the same bot twice if that can be had. Pure.

A meeting won is worth 2, a drawn one 1, a bye 2. Bots are ranked by score, then by their order in the tournament file.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from referee.tournament.matching import best_matching
from referee.tournament.meeting import Meeting
from referee.tournament.schedule import Pairing, in_order

Round = Sequence[Meeting]


def swiss(names: Sequence[str], rounds: Sequence[Round]) -> list[Pairing]:
    """The pairings of the round after `rounds`; of an odd number of bots, the one in no pairing has a bye.

    The bye goes to the last in the ranking among those who had the fewest. From the top down, everyone meets the best
    choice that leaves the others a round: in a score group the upper half meets the lower half, best against best; who
    finds nobody there meets the next group.
    """
    scores, order = score(names, rounds), ranking(names, rounds)
    met = Counter(meeting.pairing for played in rounds for meeting in played)
    byes = _byes(names, order, rounds)
    for limit in range(len(rounds) + 1):
        for bye in byes:
            playing = [name for name in order if name != bye]
            if (pairings := _paired(names, playing, scores, met, limit)) is not None:
                return pairings
    raise AssertionError("whoever has met in every round may meet again under the last limit")


def _paired(
    names: Sequence[str], order: Sequence[str], scores: dict[str, int], met: Counter[Pairing], limit: int
) -> list[Pairing] | None:
    """Pair all of `order`, best first, nobody with a bot met more than `limit` times; None if that cannot be."""
    ranks = range(len(order))
    couples = {a: {b: in_order((order[a], order[b]), names) for b in ranks if b != a} for a in ranks}
    allowed = [{b for b, couple in couples[a].items() if met[couple] <= limit} for a in ranks]
    mates = best_matching(allowed, lambda rank: _opponents(order, scores, rank))
    return None if mates is None else [couples[a][b] for a, b in enumerate(mates) if a < b]


def score(names: Sequence[str], rounds: Sequence[Round]) -> dict[str, int]:
    """Each bot's score in half points."""
    scores = dict.fromkeys(names, 0)
    for played in rounds:
        for meeting in played:
            for name in meeting.pairing:
                scores[name] += 1 + (meeting.winner == name) - (meeting.winner not in (name, None))
        if (bye := resting(names, [meeting.pairing for meeting in played])) is not None:
            scores[bye] += 2
    return scores


def ranking(names: Sequence[str], rounds: Sequence[Round]) -> list[str]:
    """All bots, best first."""
    scores = score(names, rounds)
    return sorted(names, key=lambda name: -scores[name])


def resting(names: Sequence[str], pairings: Sequence[Pairing]) -> str | None:
    """Who has a bye in this round."""
    playing = {name for pairing in pairings for name in pairing}
    return next((name for name in names if name not in playing), None)


def _byes(names: Sequence[str], order: Sequence[str], rounds: Sequence[Round]) -> list[str | None]:
    """Who may have the bye, in the order in which it is tried; only None for an even number of bots."""
    if len(names) % 2 == 0:
        return [None]
    had = Counter(resting(names, [meeting.pairing for meeting in played]) for played in rounds)
    fewest = min(had[name] for name in names)
    return [name for name in reversed(order) if had[name] == fewest]


def _opponents(order: Sequence[str], scores: dict[str, int], rank: int) -> Iterator[int]:
    """Whom the bot at `rank` should meet, best choice first, as ranks: the lower half of its score group, the upper
    half, and the others below it.
    """
    below = range(rank + 1, len(order))
    group = [other for other in below if scores[order[other]] == scores[order[rank]]]
    half = max(0, (len(group) - 1) // 2)
    yield from [*group[half:], *reversed(group[:half]), *below[len(group) :]]
