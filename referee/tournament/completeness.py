"""Whether a run has the matches that its configuration asks for: none dropped, none added."""

from collections.abc import Iterator

from referee.store.audit import Finding
from referee.store.index import summaries
from referee.store.layout import RunFolder
from referee.tournament.config import from_json
from referee.tournament.schedule import count
from referee.tournament.stages import remembered, stage


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
    planned = {plan.match for job in stage(config, names, info.master_seed, {}) for plan in job.plans}
    for match in sorted(results.keys() - planned) if config.format in ("round-robin", "gauntlet") else ():
        yield Finding(path=str(run.matches / match), exit_code=1, why="no match of this run, by its configuration")
