"""Commands that play: run and match."""

import os
import shlex
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import readable, say
from referee.cli.show import build_table, show_table

if TYPE_CHECKING:
    from referee.match.summary import Summary
    from referee.tournament.config import Tournament
    from referee.tournament.prepare import Prepared
    from referee.tournament.runner import Listener

OUT = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The run's folder; default: runs/NAME here.")]
JOBS = Annotated[int | None, typer.Option("--jobs", min=1, help="Matches at a time; default: as many as cores.")]
SEED = Annotated[str | None, typer.Option("--seed", help="Master seed, for a run that can be repeated.")]
QUIET = Annotated[bool, typer.Option("--quiet", help="No progress, only the result.")]
JSON = Annotated[bool, typer.Option("--json", help="The standings as JSON.")]
SANDBOX = Annotated[str | None, typer.Option("--sandbox", metavar="LAYER", help="auto, bwrap or none.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: referee run tournaments/quickstart.toml")(run)
    app.command(epilog="Example: referee match example_bots/greedy 'node my/bot.js' --pairs 50")(match)


def run(
    tournament: Annotated[Path, typer.Argument(metavar="TOURNAMENT.toml", help="The tournament file.")],
    out: OUT = None,
    jobs: JOBS = None,
    seed: SEED = None,
    sandbox: SANDBOX = None,
    quiet: QUIET = False,
    as_json: JSON = False,
) -> None:
    """Play a tournament; the same command again goes on where it stopped."""
    from referee.tournament.config import load

    config = load(readable(tournament))
    _play(config, out, jobs, seed, sandbox, quiet, as_json)


def match(
    bot_a: Annotated[str, typer.Argument(metavar="BOT", help="A folder with bot.toml, a script, or a quoted command.")],
    bot_b: Annotated[str, typer.Argument(metavar="BOT")],
    pairs: Annotated[int, typer.Option(min=1, help="Mirrored pairs: twice as many matches.")] = 10,
    move_ms: Annotated[int, typer.Option(min=1, help="Limit of a move.")] = 1000,
    out: OUT = None,
    jobs: JOBS = None,
    seed: SEED = None,
    sandbox: SANDBOX = None,
    quiet: QUIET = False,
    as_json: JSON = False,
) -> None:
    """A quick match between two bots, on mirrored pairs of decks."""
    from referee.match.clock import Clock
    from referee.tournament.config import from_bots

    config = from_bots(bot_a, bot_b, pairs, clock=Clock(move_ms=move_ms))
    _play(config, out, jobs, seed, sandbox, quiet, as_json)


def _play(
    config: "Tournament",
    out: Path | None,
    jobs: int | None,
    seed: str | None,
    sandbox: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    import msgspec
    import trio

    from referee.store.index import summaries
    from referee.tournament.prepare import prepare
    from referee.tournament.runner import run as play

    if seed is not None:
        config = msgspec.structs.replace(config, seed=seed)
    if sandbox is not None:
        config = msgspec.structs.replace(config, sandbox=sandbox)  # type: ignore[arg-type]
    prepared = prepare(config, out or Path("runs") / config.name, say)
    results = {summary.match: summary for summary in summaries(prepared.folder)}
    _announce(prepared, len(results))
    with _listener(prepared, results, quiet) as listen:
        ending = trio.run(play, prepared, jobs or len(os.sched_getaffinity(0)), listen, results)
    if not ending.complete:
        say(f"interrupted: everything finished is kept. To go on: {_same_command()}")
        raise typer.Exit(130)
    say(f"complete: {prepared.folder.path}   master seed: {prepared.master_seed}")
    show_table(build_table(prepared.folder), "json" if as_json else "")


def _announce(prepared: "Prepared", played: int) -> None:
    info = prepared.info
    say(f"{info.name}: {len(prepared.bots)} bots   sandbox: {prepared.layer.description}")
    say(f"commitment to the decks: {info.commitment}")
    if played:
        say(f"going on: {played} matches are there already")


def _listener(prepared: "Prepared", results: dict[str, "Summary"], quiet: bool) -> AbstractContextManager["Listener"]:
    """What shows the progress: drawn on a terminal, lines elsewhere."""
    from referee.render.live import progress
    from referee.tournament.stages import matches_in_all

    total = matches_in_all(prepared.tournament, len(prepared.bots))
    return progress(prepared.info.name, list(prepared.bots), total, results.values(), quiet)


def _same_command() -> str:
    return shlex.join(["referee", *sys.argv[1:]])
