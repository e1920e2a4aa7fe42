"""The standings as one value: a row for each bot, best first, a cell for each bot against each other, and the totals.

Built from the summaries of matches and nothing else, in any order; the same matches always give the same table. Shares
are 0..1 and rounded to 4 digits, ratings to 1; nothing is nan or inf, and what cannot be known yet is None. The order
is that of `ranking.TIE_BREAK`; the intervals are those of `ratings` and `statistics`, where the sample is the pair.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from referee.match.summary import Summary
from referee.standings.ranking import TIE_BREAK, ranked
from referee.standings.ratings import Ratings, rate, superiority
from referee.standings.statistics import (
    FiveWay,
    flipped,
    mirroring_ratio,
    pairs_to_significance,
    percentile,
    summarise,
)
from referee.standings.tally import BotTotals, PairingTotals, Tally, tally

__all__ = ["TIE_BREAK", "Cell", "Row", "Table", "build", "mirroring_note", "table_of"]

ENOUGH_PAIRS = 30
"""Below that many complete pairs nothing is said of what mirroring saved: the ratio of two variances is noise."""


COPIED = (
    "won", "lost", "void", "points_for", "points_against", "deals", "deals_won", "trickless_wins",
    "closes_won", "closes_lost", "false_declarations",
)  # fmt: skip
"""The figures of a row that are plain totals."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One bot. `matches` = won + lost + void; the score is won / (won + lost)."""

    rank: int
    name: str
    matches: int
    won: int
    lost: int
    void: int
    pairs: int  # complete mirrored pairs
    score: float | None
    rating: float | None  # None without a complete pair, as are the next three
    rating_low: float | None  # 95 % interval of the rating, relative to the mean of all bots
    rating_high: float | None
    better_than_next: float | None  # probability of being stronger than the bot one rank below
    points_for: int  # game points
    points_against: int
    points_per_deal: float | None  # game points won minus lost, by deals played
    deals: int
    deals_won: int  # by play, not by a fault
    trickless_wins: int  # of those, without a trick of the opponent
    closes_won: int
    closes_lost: int
    false_declarations: int
    faults: dict[str, int]  # by kind
    decisions: int
    median_us: int | None
    p95_us: int | None
    max_us: int | None

    @property
    def fault_count(self) -> int:
        return sum(self.faults.values())


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One bot against another, from the first one's side. There are two for each pairing that has met."""

    name: str
    opponent: str
    won: int
    lost: int
    void: int
    points_for: int
    points_against: int
    pairs: int
    five_way: FiveWay  # complete pairs by their points: 0, 0.5, 1, 1.5, 2
    share: float  # mean of the pairs, with its 95 % interval
    low: float
    high: float
    pairs_to_go: int | None  # until the interval excludes one half, if all goes on like this; None: dead level


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """`matches` includes those that are void or aborted; `deals` are those of the others."""

    matches: int
    void: int
    aborted: int
    deals: int
    pairs: int
    open_pairs: int  # one of two legs is there
    mirroring: float | None  # variance of a pair by that of two independent matches
    order: str = TIE_BREAK
    rows: tuple[Row, ...]
    cells: tuple[Cell, ...]

    @property
    def faults(self) -> int:
        return sum(row.fault_count for row in self.rows)


def build(summaries: Iterable[Summary], names: Iterable[str] = ()) -> Table:
    """The table of these matches; `names` are bots to be in it even without one."""
    return table_of(tally(summaries, names))


def table_of(totals: Tally) -> Table:
    """The table of what has been added up so far."""
    order = ranked(totals)
    return Table(
        matches=totals.matches,
        void=totals.void,
        aborted=totals.aborted,
        deals=totals.deals,
        pairs=totals.pairs(),
        open_pairs=totals.open_pairs(),
        mirroring=_rounded(mirroring_ratio(totals.pairings[key].five_way() for key in sorted(totals.pairings)), 4),
        rows=tuple(_rows(totals, order)),
        cells=tuple(_cells(totals, order)),
    )


def mirroring_note(table: Table) -> str:
    """What playing every deck twice was worth, in one sentence that claims no more than is known."""
    if table.pairs < ENOUGH_PAIRS:
        return f"Mirroring: {_pairs(table.pairs)} {'is' if table.pairs == 1 else 'are'} too few to say what it saved."
    if table.mirroring is None:
        return "Mirroring: every pairing was won by the same side throughout, which does not show what it saved."
    saved = round(100 * (1 - table.mirroring))
    if saved <= 0:
        return f"Mirroring saved nothing that shows in {_pairs(table.pairs)}."
    if saved >= 100:
        return f"Mirroring took out all the luck that shows in {_pairs(table.pairs)}."
    played, alone = 2 * table.pairs, round(2 * table.pairs / table.mirroring)
    return f"Mirroring saved {saved} % of the matches: {played:,} tell as much as {alone:,} on unrelated decks."


def _pairs(number: int) -> str:
    return "1 complete pair" if number == 1 else f"{number:,} complete pairs"


# Rows


class _Rating(NamedTuple):
    elo: float | None
    low: float | None
    high: float | None
    better_than_next: float | None


_UNRATED = _Rating(None, None, None, None)


def _rows(totals: Tally, order: list[str]) -> Iterator[Row]:
    ids = {name: number for number, name in enumerate(sorted(order))}
    ratings = rate(len(ids), totals.pair_results(ids))
    pairs = _pairs_by_bot(totals)
    for rank, name in enumerate(order, 1):
        following = order[rank] if rank < len(order) and pairs[order[rank]] else None
        rating = _rating(ratings, ids, name, following) if pairs[name] else _UNRATED
        yield _row(rank, name, totals.bots[name], pairs[name], rating)


def _pairs_by_bot(totals: Tally) -> dict[str, int]:
    counts = dict.fromkeys(totals.bots, 0)
    for key, pairing in totals.pairings.items():
        for name in key:
            counts[name] += len(pairing.complete)
    return counts


def _rating(ratings: Ratings, ids: dict[str, int], name: str, following: str | None) -> _Rating:
    number = ids[name]
    better = None if following is None else round(superiority(ratings, number, ids[following]), 4)
    return _Rating(round(ratings.elo[number], 1), round(ratings.low[number], 1), round(ratings.high[number], 1), better)


def _row(rank: int, name: str, bot: BotTotals, pairs: int, rating: _Rating) -> Row:
    return Row(
        rank=rank,
        name=name,
        matches=bot.counted + bot.void,
        pairs=pairs,
        score=_ratio(bot.won, bot.counted),
        rating=rating.elo,
        rating_low=rating.low,
        rating_high=rating.high,
        better_than_next=rating.better_than_next,
        points_per_deal=_ratio(bot.net_points, bot.net_deals),
        faults=dict(sorted(bot.faults.items())),
        decisions=sum(bot.times.values()),
        median_us=_time(bot, 0.5),
        p95_us=_time(bot, 0.95),
        max_us=bot.slowest_us if bot.times else None,
        **{field: getattr(bot, field) for field in COPIED},
    )


def _time(bot: BotTotals, fraction: float) -> int | None:
    """A percentile; the middle of the last bucket may lie beyond the slowest decision of all."""
    found = percentile(bot.times, fraction)
    return None if found is None else min(round(found), bot.slowest_us)


# Cells


def _cells(totals: Tally, order: list[str]) -> Iterator[Cell]:
    for name in order:
        for opponent in order:
            if name != opponent and (found := _cell(totals, name, opponent)):
                yield found


def _cell(totals: Tally, name: str, opponent: str) -> Cell | None:
    swapped = name > opponent
    pairing = totals.pairings.get((opponent, name) if swapped else (name, opponent))
    return None if pairing is None else _seen_from(name, opponent, pairing, int(swapped))


def _seen_from(name: str, opponent: str, pairing: PairingTotals, side: int) -> Cell:
    counts = flipped(pairing.five_way()) if side else pairing.five_way()
    pairs, mean, low, high = summarise(counts)
    return Cell(
        name=name,
        opponent=opponent,
        won=pairing.won[side],
        lost=pairing.won[1 - side],
        void=pairing.void,
        points_for=pairing.points[side],
        points_against=pairing.points[1 - side],
        pairs=pairs,
        five_way=counts,
        share=round(mean, 4),
        low=round(low, 4),
        high=round(high, 4),
        pairs_to_go=pairs_to_significance(counts),
    )


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
