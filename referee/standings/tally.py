"""Running totals of a tournament: matches are added one by one, in any order, and nothing is kept of them but numbers.

What a match is worth depends on how it ended:

    target, start_fault     counted: won by one, lost by the other (a match has no draw)
    void                    counted apart: neither bot started; its faults stand
    aborted                 counted apart: the referee failed and the match is played again; nothing in it stands

A mirrored pair is complete when both of its legs are counted. Until then its one leg is in the matches and in no
statistics of pairs. Of a match added twice, the pair takes the first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from referee.match.summary import SeatFigures, Summary
from referee.standings.ratings import PairResult
from referee.standings.statistics import FiveWay

Key = tuple[str, str]


class BotTotals:
    """The totals of one bot; `times` counts decisions by `match.summary.bucket` of their microseconds."""

    def __init__(self) -> None:
        self.won = self.lost = self.void = 0
        self.points_for = self.points_against = 0
        self.deals = self.deals_won = self.trickless_wins = 0
        self.net_points = self.net_deals = 0  # of matches that were played: a start fault is 7-0 without a deal
        self.closes_won = self.closes_lost = self.false_declarations = 0
        self.faults: Counter[str] = Counter()
        self.times: dict[int, int] = {}
        self.slowest_us = 0

    @property
    def counted(self) -> int:
        """Matches that were won or lost."""
        return self.won + self.lost

    def add_match(self, won: bool, points_for: int, points_against: int, deals: int, played: bool) -> None:
        self.won += won
        self.lost += not won
        self.points_for += points_for
        self.points_against += points_against
        self.deals += deals
        if played:
            self.net_points += points_for - points_against
            self.net_deals += deals

    def add_figures(self, figures: SeatFigures) -> None:
        self.deals_won += figures.deals_won
        self.trickless_wins += figures.trickless_wins
        self.closes_won += figures.closes_won
        self.closes_lost += figures.closes_lost
        self.false_declarations += figures.false_declarations
        self.slowest_us = max(self.slowest_us, figures.slowest_us)
        times = self.times
        for bucket, count in figures.times.items():
            times[bucket] = times.get(bucket, 0) + count


class PairingTotals:
    """The totals of two bots against each other; lists are [first, second] in the order of their names.

    `complete` is the number of matches (0, 1, 2) that the first bot won of each complete pair, by pair number;
    `waiting` is the leg that is there of the others, and whether the first bot won it.
    """

    def __init__(self) -> None:
        self.won = [0, 0]
        self.points = [0, 0]
        self.void = 0
        self.counts = [0] * 5
        self.complete: dict[int, int] = {}
        self.waiting: dict[int, tuple[str, bool]] = {}

    def add_leg(self, pair: int, leg: str, first_won: bool) -> None:
        if pair in self.complete:
            return
        other = self.waiting.setdefault(pair, (leg, first_won))
        if other[0] != leg:
            wins = int(first_won) + int(other[1])
            self.complete[pair] = wins
            self.counts[2 * wins] += 1
            del self.waiting[pair]

    def five_way(self) -> FiveWay:
        """The complete pairs by the first bot's points."""
        a, b, c, d, e = self.counts
        return (a, b, c, d, e)


class Tally:
    """All totals; adding a match costs the same after a hundred thousand as at the first."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """`names`: bots that are to be in the table even before their first match."""
        self.bots: dict[str, BotTotals] = {name: BotTotals() for name in names}
        self.pairings: dict[Key, PairingTotals] = {}
        self.matches = self.void = self.aborted = self.deals = 0

    def add(self, summary: Summary) -> None:
        """Count one match."""
        self.matches += 1
        if summary.reason == "aborted":
            self.aborted += 1
            self.bots.setdefault(summary.seats[0], BotTotals())
            self.bots.setdefault(summary.seats[1], BotTotals())
            return
        if summary.winner is None:
            self._add_void(summary)
        else:
            self._add_counted(summary, summary.winner)
        for fault in summary.faults:
            self.bots[summary.seats[fault.seat]].faults[fault.kind] += 1

    def _add_void(self, summary: Summary) -> None:
        self.void += 1
        for name in summary.seats:
            self._bot(name).void += 1
        self._pairing(summary.seats)[0].void += 1

    def _add_counted(self, summary: Summary, winner: int) -> None:
        self.deals += summary.deals
        played = summary.reason == "target"
        for seat, name in enumerate(summary.seats):
            bot, score = self._bot(name), summary.score
            bot.add_match(winner == seat, score[seat], score[1 - seat], summary.deals, played)
            bot.add_figures(summary.figures[seat])
        pairing, swapped = self._pairing(summary.seats)
        first_seat = int(swapped)
        pairing.won[winner ^ swapped] += 1
        pairing.points[0] += summary.score[first_seat]
        pairing.points[1] += summary.score[1 - first_seat]
        pairing.add_leg(summary.pair, summary.leg, winner == first_seat)

    def _bot(self, name: str) -> BotTotals:
        found = self.bots.get(name)
        if found is None:
            found = self.bots[name] = BotTotals()
        return found

    def _pairing(self, seats: Key) -> tuple[PairingTotals, bool]:
        """The totals of the two, and whether seat 0 is the second by name."""
        swapped = seats[0] > seats[1]
        key = (seats[1], seats[0]) if swapped else seats
        found = self.pairings.get(key)
        if found is None:
            found = self.pairings[key] = PairingTotals()
        return found, swapped

    def pairs(self) -> int:
        """Complete mirrored pairs."""
        return sum(len(pairing.complete) for pairing in self.pairings.values())

    def open_pairs(self) -> int:
        """Pairs of which one leg is there."""
        return sum(len(pairing.waiting) for pairing in self.pairings.values())

    def pair_results(self, index: dict[str, int]) -> Iterator[PairResult]:
        """Every complete pair, in an order that does not depend on the order in which the matches came."""
        return chain.from_iterable(
            _results(index[first], index[second], self.pairings[first, second])
            for first, second in sorted(self.pairings)
            if first != second
        )


def tally(summaries: Iterable[Summary], names: Iterable[str] = ()) -> Tally:
    """Add up all matches."""
    totals = Tally(names)
    for summary in summaries:
        totals.add(summary)
    return totals


def _results(first: int, second: int, pairing: PairingTotals) -> Iterator[PairResult]:
    for pair, wins in sorted(pairing.complete.items()):
        yield PairResult(first, second, float(wins), pair)
