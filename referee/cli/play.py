"""Commands that play: run and match."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import data, readable, say

if TYPE_CHECKING:
    from referee.tournament.config import Tournament

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

    from referee.render.live import listener
    from referee.standings.table import build
    from referee.store.index import summaries
    from referee.tournament.prepare import prepare
    from referee.tournament.runner import run as play

    if seed is not None:
        config = msgspec.structs.replace(config, seed=seed)
    if sandbox is not None:
        config = msgspec.structs.replace(config, sandbox=sandbox)  # type: ignore[arg-type]
    prepared = prepare(config, out or Path("runs") / config.name, say)
    jobs = jobs or len(os.sched_getaffinity(0))
    say(f"commitment {prepared.info.commitment}   sandbox: {prepared.layer.description}")
    known = summaries(prepared.folder)
    with listener(quiet) as listen:
        ending = trio.run(play, prepared, jobs, listen, known)
    _finish(prepared, ending, as_json)
