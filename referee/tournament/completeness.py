"""Whether a run has the matches that its configuration asks for: none dropped, none added, none in another's place."""

from collections.abc import Iterator, Sequence, Set

from referee.match.events import MatchEvent
from referee.store.audit import Finding, Questions
from referee.store.index import summaries
from referee.store.layout import RunFolder, RunInfo
from referee.tournament.config import Tournament, from_json
from referee.tournament.schedule import count, plan
from referee.tournament.stages import Results, remembered, stage


def misplaced(header: MatchEvent, info: RunInfo) -> str:
    """Why a log is not that of the match that its name says; empty if it is."""
    a, b = (seat.name for seat in header.seats)
    strangers = [name for name in (a, b) if name not in info.bots]
    if strangers:
        return f"there is no bot {strangers[0]} in this run"
    expected = plan((a, b) if header.leg == "a" else (b, a), header.pair, header.leg, "")
    if expected.match != header.match:
        return f"pair, leg and seats are those of match {expected.match}"
    if expected.first_dealer != header.first_dealer:
        return f"the first dealer is seat {header.first_dealer}, expected seat {expected.first_dealer}"
    return ""


def incomplete(run: RunFolder) -> Iterator[Finding]:
    """What is missing of a run that says that it is complete, or is in it and was never planned."""
    info = run.info()
    if info.master_seed is None or not info.complete or info.decided:
        return
    config = from_json(info.config)
    names = [bot.name for bot in config.bots if bot.name not in info.left_out]
    results = {summary.match: remembered(config, summary) for summary in summaries(run)}
    missing = list(stage(config, names, info.master_seed, results))
    if missing:
        first = missing[0].plans[0].match
        why = f"the run is complete, and {count(missing)} of its matches are not there, {first} for one"
        yield Finding(path=str(run.path), exit_code=1, why=why)
    for match in sorted(results.keys() - _planned(config, names, info.master_seed, results)):
        yield Finding(path=str(run.matches / match), exit_code=1, why="no match of this run, by its configuration")


def _planned(config: Tournament, names: Sequence[str], master: str, results: Results) -> Set[str]:
    """What these results lead to, stage after stage: everything, as soon as a stage is not all there."""
    found: Results = {}
    while planned := {plan.match for job in stage(config, names, master, found) for plan in job.plans}:
        if not planned <= results.keys():
            return results.keys() if config.format in ("swiss", "knockout") else planned
        found = {**found, **{match: results[match] for match in planned}}
    return found.keys()


QUESTIONS = Questions(incomplete, misplaced)
"""For `store.audit.audit`."""
