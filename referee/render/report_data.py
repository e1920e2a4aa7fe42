"""What a report of a tournament is made of, from the summaries of its matches alone.

Matches come in the order in which they were finished, and are gone through twice: for the totals, and for the ratings
on the way. Nothing is kept of one but its slim summary.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.match.summary import Summary, slim
from referee.standings.ratings import rate
from referee.standings.table import Row, Table, table_of
from referee.standings.tally import Tally

STATIONS = 30
"""Points of a rating's line: each of them costs a whole fit."""


class Rated(NamedTuple):
    """A rating with its interval."""

    elo: float
    low: float
    high: float


class Station(NamedTuple):
    """The ratings after so many matches, of the bots that had any."""

    matches: int
    ratings: Mapping[str, Rated]


class Story(NamedTuple):
    """A tournament as far as it has come; `times` are decisions by bucket, by bot."""

    table: Table
    matches: Sequence[Summary]
    times: Mapping[str, Mapping[int, int]]
    history: Sequence[Station]

    @property
    def rows(self) -> Mapping[str, Row]:
        return {row.name: row for row in self.table.rows}

    @property
    def ratings(self) -> Mapping[str, float]:
        """Of the bots that have one."""
        return {row.name: row.rating for row in self.table.rows if row.rating is not None}


class Evidence(NamedTuple):
    """A fault whose evidence is to be shown: where it is, and whose."""

    bot: str
    match: str
    seat: int
    kind: str
    deal: int


def gather(summaries: Iterable[Summary], names: Iterable[str] = ()) -> Story:
    """Everything; `names` are bots to be in it even without a match."""
    totals, matches = Tally(names), []
    for summary in summaries:
        totals.add(summary)
        matches.append(slim(summary))
    times = {name: bot.times for name, bot in totals.bots.items()}
    return Story(table_of(totals), matches, times, history(matches, list(totals.bots)))


def history(matches: Sequence[Summary], names: Iterable[str]) -> list[Station]:
    """The ratings after equal numbers of matches, up to the last one."""
    totals = Tally(names)
    ids = {name: number for number, name in enumerate(sorted(totals.bots))}
    stops = {len(matches) * number // STATIONS for number in range(1, STATIONS + 1)}
    stations = []
    for number, summary in enumerate(matches, 1):
        totals.add(summary)
        if number in stops and (ratings := _ratings(totals, ids)):
            stations.append(Station(number, ratings))
    return stations


def _ratings(totals: Tally, ids: dict[str, int]) -> dict[str, Rated]:
    results = list(totals.pair_results(ids))
    rated = {number for result in results for number in (result.first, result.second)}
    ratings = rate(len(ids), results)
    columns = list(zip(ratings.elo, ratings.low, ratings.high, strict=True))
    return {name: Rated(*columns[number]) for name, number in ids.items() if number in rated}
