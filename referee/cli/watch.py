"""The command that follows a run which another terminal plays: watch."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import existing, say
from referee.cli.show import DIR, build_table, show_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.match.summary import Summary
    from referee.render.watch import View
    from referee.store.layout import RunFolder


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: referee watch runs/quickstart")(watch)


def watch(
    folder: DIR,
    once: Annotated[bool, typer.Option("--once", help="Say how far it is, and end.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
) -> None:
    """Follow a running tournament from another terminal; it only reads. Ends with the run, or with q or Ctrl-C.

    Progress goes to stderr, and the standings at the end, or with --once those of now, to stdout.
    """
    from referee.store.layout import RunFolder

    run = RunFolder(existing(folder))
    if _once(run) if once else _follow(run, not no_color):
        show_table(build_table(run), no_color=no_color)


def _follow(run: "RunFolder", color: bool) -> bool:
    from referee.render.watch import follow
    from referee.store.tail import Tail

    def complete() -> bool:
        return run.info().master_seed is not None

    if complete():
        return _once(run)
    tail = Tail(run)
    ended = follow(_view(run, tail.news(), color), lambda: tail.news(whole=complete()), complete)
    if ended:
        say(f"complete: {run.path}   master seed: {run.info().master_seed}")
    return ended


def _view(run: "RunFolder", known: "Iterable[Summary]", color: bool) -> "View":
    """The view that the run's own terminal has."""
    from referee.render.console import console
    from referee.render.live import LiveView, PlainListener

    info = run.info()
    stderr = console("stderr", color=color)
    if sys.stdout.isatty() and stderr.is_terminal:
        return LiveView(stderr, _total(run), known=known, names=info.participants(), title=info.name)
    return PlainListener(stderr, _total(run), known=known, names=info.participants())


def _total(run: "RunFolder") -> int:
    from referee.tournament.config import from_json
    from referee.tournament.stages import matches_in_all

    info = run.info()
    return matches_in_all(from_json(info.config), len(info.participants()))


def _once(run: "RunFolder") -> bool:
    """How far it is, in a line."""
    from referee.render.progress import Progress, faults_in_words, in_words
    from referee.store.index import summaries

    progress = Progress(_total(run), summaries(run))
    seed = run.info().master_seed
    state = "in progress" if seed is None else f"complete, master seed: {seed}"
    say(f"{in_words(progress)}; {faults_in_words(progress)}; {state}")
    return True
