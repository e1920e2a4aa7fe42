"""What to play next, given what has been played: one round for a round robin, one after the other for the rest."""

from collections.abc import Sequence

from referee.match.summary import Summary
from referee.tournament.config import Tournament
from referee.tournament.schedule import CHUNK, Job, gauntlet, jobs, missing, round_robin


def next_jobs(tournament: Tournament, master_seed: str, known: Sequence[Summary]) -> list[Job]:
    """The jobs of the present round that are not done; empty when the tournament is complete."""
    done = {summary.match for summary in known}
    names = tournament.names
    if tournament.format == "gauntlet":
        pairings = gauntlet(names, tournament.hero or names[0])
    else:
        pairings = round_robin(names)
    chunk = 1 if tournament.fresh else CHUNK
    return list(missing(jobs(pairings, range(1, tournament.pairs + 1), master_seed, chunk=chunk), done))
