"""The order of a table, to the last: criteria in turn, each of them only among bots that all earlier ones left level.

Every criterion is exact (fractions, not floats), so that a tie is a tie and two machines agree. In a complete round
robin equal scores mean equal opponents, and the second criterion decides nothing; it is there for Swiss, knockout
and unfinished tournaments, where it does what chess players know as Buchholz.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from referee.standings.tally import Tally

Group = Sequence[str]
Measure = Callable[[Tally, Group], Mapping[str, Any]]

NOTHING = Fraction(-1)
"""The score of a bot without a match: behind one that has lost them all."""


def ranked(totals: Tally) -> list[str]:
    """All bots, best first."""
    groups: list[Group] = [sorted(totals.bots)]
    for _, measure in CRITERIA:
        groups = [part for group in groups for part in _split(totals, group, measure)]
    return [name for group in groups for name in group]


def _split(totals: Tally, group: Group, measure: Measure) -> Iterable[Group]:
    """The group by falling measure, equal ones together and in the order in which they were."""
    if len(group) < 2:
        return [group]
    measures = measure(totals, group)
    parts: dict[Any, list[str]] = {}
    for name in group:
        parts.setdefault(measures[name], []).append(name)
    return [parts[key] for key in sorted(parts, reverse=True)]


def _scores(totals: Tally, group: Group) -> dict[str, Fraction]:
    bots = ((name, totals.bots[name]) for name in group)
    return {name: Fraction(bot.won, bot.counted) if bot.counted else NOTHING for name, bot in bots}


def _opposition(totals: Tally, group: Group) -> dict[str, Fraction]:
    """The mean score of the opponents, each as often as it was met."""
    scores = _scores(totals, list(totals.bots))
    sums = dict.fromkeys(group, Fraction(0))
    for (first, second), pairing in totals.pairings.items():
        for name, opponent in ((first, second), (second, first)):
            if name in sums:
                sums[name] += scores[opponent] * sum(pairing.won)
    return {name: sums[name] / max(totals.bots[name].counted, 1) for name in group}


def _among_themselves(totals: Tally, group: Group) -> dict[str, Fraction]:
    """The share of the matches within the group that were won; one half for a bot that met none of the others."""
    won, played, members = dict.fromkeys(group, 0), dict.fromkeys(group, 0), set(group)
    for (first, second), pairing in totals.pairings.items():
        if first in members and second in members:
            for name, wins in zip((first, second), pairing.won, strict=True):
                won[name] += wins
                played[name] += sum(pairing.won)
    return {name: Fraction(won[name], played[name]) if played[name] else Fraction(1, 2) for name in group}


def _point_difference(totals: Tally, group: Group) -> dict[str, Fraction]:
    bots = ((name, totals.bots[name]) for name in group)
    return {name: Fraction(bot.points_for - bot.points_against, max(bot.counted, 1)) for name, bot in bots}


def _fewest_faults(totals: Tally, group: Group) -> dict[str, int]:
    return {name: -totals.bots[name].faults.total() for name in group}


CRITERIA: tuple[tuple[str, Measure], ...] = (
    ("share of matches won", _scores),
    ("mean score of the opponents", _opposition),
    ("share of matches won among the tied bots", _among_themselves),
    ("game points won minus lost, per match", _point_difference),
    ("fewer faults", _fewest_faults),
)

TIE_BREAK = "; ".join([*(words for words, _ in CRITERIA), "name"])
"""The order in words, for help texts and for the foot of a table."""
