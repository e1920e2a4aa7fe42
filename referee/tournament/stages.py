"""A tournament of any format as stages of jobs: play all jobs of a stage, ask again, until there are none. Pure.

A stage is a function of the results so far and nothing else, so a run that is stopped anywhere goes on exactly.
"""

from collections.abc import Iterator, Mapping, Sequence

from referee.match.summary import Summary, slim
from referee.tournament import knockout as ko
from referee.tournament.config import Tournament
from referee.tournament.meeting import Meeting, fold
from referee.tournament.schedule import (
    CHUNK,
    LEGS,
    Job,
    Pairing,
    block,
    gauntlet,
    jobs,
    match_id,
    missing,
    round_robin,
)
from referee.tournament.swiss import swiss

Tie = tuple[Pairing, range]
Results = Mapping[str, Summary | None]
"""Finished matches by their id; of a fixed format nobody asks more than whether they are there."""


def stage(config: Tournament, names: Sequence[str], master: str, results: Results, chunk: int = CHUNK) -> Iterator[Job]:
    """What can be played now and is not among `results` (finished matches by id); nothing: the tournament is over.

    `names` are the bots that take part, in the order of the configuration. Round robin and gauntlet have one stage and
    look at the ids only; in the others a stage must be played to its end before the next is asked for.
    """
    if config.format == "swiss":
        ties = _swiss_stage(config, names, results)
    elif config.format == "knockout":
        ties = _knockout_stage(config, names, results)
    else:
        ties = [(pairing, block(1, config.pairs)) for pairing in fixed_pairings(config, names)]
    return missing(_jobs(ties, master, 1 if config.fresh else chunk), results)


def remembered(config: Tournament, summary: Summary) -> Summary | None:
    """What a run must keep in memory of a finished match: next to nothing, where results decide no pairing."""
    return slim(summary) if config.format in ("swiss", "knockout") else None


def fixed_pairings(config: Tournament, names: Sequence[str]) -> list[Pairing]:
    """All pairings of a round robin or gauntlet."""
    return gauntlet(names, config.hero or names[0]) if config.format == "gauntlet" else round_robin(names)


def matches_in_all(config: Tournament, bots: int) -> int:
    """How many matches the whole tournament has, for a progress bar; a knockout may need more than that."""
    meetings = {
        "round-robin": bots * (bots - 1) // 2,
        "gauntlet": bots - 1,
        "swiss": (config.rounds or 1) * (bots // 2),
        "knockout": bots - 1,
    }
    return meetings[config.format] * config.pairs * len(LEGS)


def _swiss_stage(config: Tournament, names: Sequence[str], results: Results) -> list[Tie]:
    rounds: list[list[Meeting]] = []
    for _ in range(config.rounds or 1):
        ties = [(pairing, block(1 + _met(pairing, rounds), config.pairs)) for pairing in swiss(names, rounds)]
        if not all(_complete(tie, results) for tie in ties):
            return ties
        rounds.append([_meeting(tie, results) for tie in ties])
    return []


def _met(pairing: Pairing, rounds: Sequence[Sequence[Meeting]]) -> int:
    return sum(meeting.pairing == pairing for played in rounds for meeting in played)


def _knockout_stage(config: Tournament, names: Sequence[str], results: Results) -> list[Tie]:
    winners: dict[Pairing, str] = {}
    while pairings := ko.knockout(names, winners):
        undecided: list[Tie] = []
        for pairing in pairings:
            winner, blocks = _tie(config, pairing, results)
            if winner is None:
                undecided.append((pairing, block(blocks + 1, config.pairs)))
            else:
                winners[pairing] = winner
        if undecided:
            return undecided
    return []


def _tie(config: Tournament, pairing: Pairing, results: Results) -> tuple[str | None, int]:
    """Who has won the tie, if anyone yet, and after how many complete blocks."""
    blocks = 0
    while _complete((pairing, block(blocks + 1, config.pairs)), results):
        blocks += 1
        meeting = _meeting((pairing, range(1, blocks * config.pairs + 1)), results)
        if (winner := ko.decided(meeting, blocks)) is not None:
            return winner, blocks
    return None, blocks


def _ids(tie: Tie) -> Iterator[str]:
    pairing, pairs = tie
    return (match_id(pairing, pair, leg) for pair in pairs for leg in LEGS)


def _complete(tie: Tie, results: Results) -> bool:
    return all(match in results for match in _ids(tie))


def _meeting(tie: Tie, results: Results) -> Meeting:
    return fold(tie[0], (summary for match in _ids(tie) if (summary := results[match]) is not None))


def _jobs(ties: Sequence[Tie], master: str, chunk: int) -> Iterator[Job]:
    """Ties with the same pairs are scheduled together; these are all ties, unless some bots meet again."""
    for pairs in dict.fromkeys(pairs for _, pairs in ties):
        yield from jobs([pairing for pairing, tied in ties if tied == pairs], pairs, master, chunk=chunk)
