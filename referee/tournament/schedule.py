"""Who plays whom on which deck, in which order. Pure: the same arguments give the same jobs on every machine.

A pairing's two bots stand in the order of the tournament file, whoever sits where. Mirrored pair number n has seed
number n, whatever the pairing: all pairings play the same decks. A match is called `PAIR-A-B-LEG`; in leg `b` the bots
have changed seats, with the same decks and the same first dealer's seat as in leg `a`.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from referee.rules.shuffle import pair_seed

Pairing = tuple[str, str]
Leg = Literal["a", "b"]
LEGS: tuple[Leg, Leg] = ("a", "b")

CHUNK = 20
"""Matches that one pair of processes plays: long enough that starting them costs little, short enough to fill all
cores and to have all pairings take turns, and independent of the number of workers, on which no result may depend."""


class MatchPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One match to play; with the rules, the clock and the bots this is all that decides it."""

    match: str
    pair: int  # from 1
    leg: Leg
    seats: tuple[str, str]  # the bots' names
    first_dealer: Literal[0, 1]  # a seat
    pair_seed: str


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of one leg of one pairing, played one after the other by one pair of processes.

    Only one leg: a process that played both would meet its decks a second time, knowing every card.
    """

    pairing: Pairing
    leg: Leg
    plans: tuple[MatchPlan, ...]


def match_id(pairing: Pairing, pair: int, leg: Leg) -> str:
    """The match's name, and that of its log. `config` refuses bots' names that would give one name to two matches."""
    a, b = pairing
    return f"{pair}-{a}-{b}-{leg}"


def plan(pairing: Pairing, pair: int, leg: Leg, master: str) -> MatchPlan:
    """One match in full. The first dealer alternates from pair to pair, so that a pairing's decks deal both ways."""
    a, b = pairing
    return MatchPlan(
        match=match_id(pairing, pair, leg),
        pair=pair,
        leg=leg,
        seats=(a, b) if leg == "a" else (b, a),
        first_dealer=1 if pair % 2 else 0,
        pair_seed=pair_seed(master, pair),
    )


# Pairings


def round_robin(names: Sequence[str]) -> list[Pairing]:
    """Every two bots once, by the circle method: all along the list, all bots have met about as many others."""
    circle: list[str | None] = [*names, *([None] if len(names) % 2 else [])]
    pairings: list[Pairing] = []
    for _ in range(len(circle) - 1):
        meetings = zip(circle[: len(circle) // 2], reversed(circle), strict=False)
        pairings += [in_order((a, b), names) for a, b in meetings if a is not None and b is not None]
        circle.insert(1, circle.pop())
    return pairings


def gauntlet(names: Sequence[str], hero: str) -> list[Pairing]:
    """The hero against every other bot."""
    return [in_order((hero, name), names) for name in names if name != hero]


def in_order(pairing: Pairing, names: Sequence[str]) -> Pairing:
    """The pairing as it is always written: the earlier bot of the tournament first."""
    a, b = pairing
    return (a, b) if names.index(a) < names.index(b) else (b, a)


# Jobs


def jobs(pairings: Sequence[Pairing], pairs: range, master: str, *, chunk: int = CHUNK) -> Iterator[Job]:
    """Every match of these pairs, once.

    All pairings play their first chunk before any plays its second, so that standings mean something early; the two
    legs of a chunk are neighbours, so that whole mirrored pairs come in. Chunks begin at fixed numbers of pairs: a run
    that is extended divides its pairs as if it had been that long from the start. `chunk=1` is a new pair of processes
    for every match.
    """
    for numbers in _chunks(pairs, chunk):
        for pairing in pairings:
            for leg in LEGS:
                plans = tuple(plan(pairing, pair, leg, master) for pair in numbers)
                yield Job(pairing=pairing, leg=leg, plans=plans)


def block(number: int, pairs: int) -> range:
    """The pairs of the `number`-th time (from 1) that two bots meet: each time new decks and new names of matches."""
    return range((number - 1) * pairs + 1, number * pairs + 1)


def _chunks(pairs: range, chunk: int) -> Iterator[range]:
    start = pairs.start
    while start < pairs.stop:
        end = min(pairs.stop, (start - 1) // chunk * chunk + chunk + 1)
        yield range(start, end)
        start = end


def missing(planned: Iterable[Job], done: Container[str]) -> Iterator[Job]:
    """The jobs without the matches that are done, in the same order; a job with nothing left is dropped."""
    for job in planned:
        plans = tuple(match for match in job.plans if match.match not in done)
        if plans:
            yield msgspec.structs.replace(job, plans=plans)


def count(planned: Iterable[Job]) -> int:
    """How many matches."""
    return sum(len(job.plans) for job in planned)
