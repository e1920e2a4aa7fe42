"""Commands that play: run and match."""

import os
import shlex
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from referee.cli.output import readable, say
from referee.cli.show import build_table, note_left_out, show_table
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.render.live import LiveView, PlainListener
    from referee.standings.sequential import SequentialTest
    from referee.standings.sprt import Sprt
    from referee.tournament.config import Tournament
    from referee.tournament.prepare import Prepared

SPRT_PAIRS = 10_000  # a test that has not decided by then will not

OUT = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The run's folder; default: runs/NAME here.")]
JOBS = Annotated[int | None, typer.Option("--jobs", min=1, help="Matches at a time; default: as many as cores.")]
SEED = Annotated[str | None, typer.Option("--seed", help="Master seed, for a run that can be repeated.")]
QUIET = Annotated[bool, typer.Option("--quiet", help="No progress, only the result.")]
NO_COLOR = Annotated[bool, typer.Option("--no-color", help="No colours.")]
EXTEND = Annotated[bool, typer.Option("--extend", help="Go on with a run that this only adds to: pairs, rounds, bots.")]
JSON = Annotated[bool, typer.Option("--json", help="The standings as JSON.")]
SANDBOX = Annotated[Literal["auto", "bwrap", "none"] | None, typer.Option("--sandbox", help="What keeps bots apart.")]


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
    no_color: NO_COLOR = False,
    extend: EXTEND = False,
) -> None:
    """Play a tournament; the same command again goes on where it stopped."""
    from referee.tournament.config import load

    config = load(readable(tournament))
    _play(config, out, jobs, Wanted(seed, sandbox, quiet, as_json, not no_color, extend), file=tournament)


def match(
    bot_a: Annotated[str, typer.Argument(metavar="BOT", help="A folder with bot.toml, a script, or a quoted command.")],
    bot_b: Annotated[str, typer.Argument(metavar="BOT")],
    pairs: Annotated[
        int | None, typer.Option(min=1, help="Mirrored pairs: twice as many matches; default: 10.")
    ] = None,
    sprt: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="elo0=E elo1=E", help="Play until it is decided whether the first bot is E stronger."),
    ] = None,
    move_ms: Annotated[int, typer.Option(min=1, help="Limit of a move.")] = 1000,
    out: OUT = None,
    jobs: JOBS = None,
    seed: SEED = None,
    sandbox: SANDBOX = None,
    quiet: QUIET = False,
    as_json: JSON = False,
    no_color: NO_COLOR = False,
    extend: EXTEND = False,
) -> None:
    """A quick match between two bots, on mirrored pairs of decks."""
    from referee.match.clock import Clock
    from referee.tournament.config import from_bots

    test = _sprt(sprt) if sprt else None
    pairs = pairs or (SPRT_PAIRS if test else 10)
    config = from_bots(bot_a, bot_b, pairs, clock=Clock(move_ms=move_ms))
    # Each quick match has a folder of its own: what was played before is never gone on with by accident.
    out = out or _runs(config) / f"{config.name}-{datetime.now():%Y%m%d-%H%M%S}"
    _play(config, out, jobs, Wanted(seed, sandbox, quiet, as_json, not no_color, extend), test)


def _runs(config: "Tournament") -> Path:
    """`runs` where the user stands, or beside the bot in whose folder that is, which a run would change."""
    here = Path.cwd()
    homes = [Path(bot.path).resolve() for bot in config.bots if bot.path is not None]
    inside = [home for home in homes if here.is_relative_to(home)]
    return Path(os.path.relpath(inside[0].parent)) / "runs" if inside else Path("runs")


class Wanted(NamedTuple):
    """The options that run and match share."""

    seed: str | None
    sandbox: str | None
    quiet: bool
    as_json: bool
    color: bool
    extend: bool


def _sprt(words: tuple[str, str]) -> "Sprt":
    """`elo0=0 elo1=30`."""
    from referee.standings.sprt import new_sprt

    try:
        given = {key: float(value) for key, _, value in (word.partition("=") for word in words)}
        return new_sprt(given["elo0"], given["elo1"])
    except (KeyError, ValueError) as error:
        why = (
            str(error) if isinstance(error, ValueError) and "elo" in str(error) else "expected elo0=NUMBER elo1=NUMBER"
        )
        raise UsageError(f"--sprt {' '.join(words)}: {why}") from None


def _play(
    config: "Tournament",
    out: Path | None,
    jobs: int | None,
    wanted: Wanted,
    sprt: "Sprt | None" = None,
    file: Path | None = None,
) -> None:
    import msgspec
    import trio

    from referee.store.index import summaries
    from referee.tournament.prepare import prepare
    from referee.tournament.runner import REPLACED
    from referee.tournament.runner import run as play
    from referee.tournament.stages import remembered

    _check_seed(wanted.seed)
    for field in ("seed", "sandbox"):
        if (value := getattr(wanted, field)) is not None:
            config = msgspec.structs.replace(config, **{field: value})
    prepared = prepare(config, out or Path("runs") / config.name, say, wanted.extend, file)
    listener = _listener(prepared, wanted.quiet, wanted.color)
    test = _sequential(sprt, prepared, listener)
    results = {}
    for summary in summaries(prepared.folder):
        listener.know(summary)
        results[summary.match] = remembered(prepared.tournament, summary)
        if test is not None:
            test(summary)
    _announce(prepared, len(results))
    jobs = _jobs(jobs)
    with listener as listen:
        ending = trio.run(play, prepared, jobs, listen, results, test)
    for name in ending.replaced:
        say(f"warning: {REPLACED.format(name)}")
    if not ending.complete:
        say(f"interrupted: everything finished is kept. To go on: {_same_command(prepared.folder.path)}")
        raise typer.Exit(130)
    if test is not None:
        say(test.words())
    say(f"complete: {prepared.folder.path}   master seed: {prepared.master_seed}")
    note_left_out(prepared.folder)
    show_table(build_table(prepared.folder), "json" if wanted.as_json else "", not wanted.color)


def _jobs(wanted: int | None) -> int:
    """As many as cores, unless it is said; only one bot of a match thinks at a time."""
    cores = len(os.sched_getaffinity(0))
    if wanted is not None and wanted > cores:
        say(f"warning: --jobs {wanted}, and {cores} cores: matches will wait for each other, on the bots' clocks")
    return wanted or cores


def _check_seed(seed: str | None) -> None:
    try:
        (seed or "").encode()
    except UnicodeEncodeError:
        raise UsageError(f"--seed {seed!a}: not UTF-8, expected text that is") from None


def _announce(prepared: "Prepared", played: int) -> None:
    info = prepared.info
    say(f"{info.name}: {len(prepared.bots)} bots   sandbox: {prepared.layer.description}")
    say(f"commitment to the decks: {info.commitment}")
    if played:
        say(f"going on: {played} matches are there already")


def _listener(prepared: "Prepared", quiet: bool, color: bool) -> "LiveView | PlainListener":
    """What shows the progress: drawn on a terminal, lines elsewhere."""
    from referee.render.console import console
    from referee.render.live import LiveView, PlainListener
    from referee.tournament.stages import matches_in_all

    stderr = console("stderr", color=color)
    total = matches_in_all(prepared.tournament, len(prepared.bots))
    names = list(prepared.bots)
    if quiet or not (sys.stdout.isatty() and stderr.is_terminal):
        return PlainListener(stderr, total, names=names, quiet=quiet)
    return LiveView(stderr, total, names=names, title=prepared.info.name)


def _sequential(
    sprt: "Sprt | None", prepared: "Prepared", listen: "LiveView | PlainListener"
) -> "SequentialTest | None":
    """The test, which shows in the live view where it stands."""
    if sprt is None:
        return None
    from referee.standings.sequential import SequentialTest

    test = SequentialTest(sprt, next(iter(prepared.bots)), lambda: listen.status(test.words()))
    return test


def _same_command(out: Path) -> str:
    """The command that goes on, into this very folder."""
    given = any(word == "--out" or word.startswith("--out=") for word in sys.argv)
    return shlex.join(["referee", *sys.argv[1:], *([] if given or sys.argv[1:2] == ["run"] else ["--out", str(out)])])
