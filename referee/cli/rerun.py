"""The command that puts a bot into a match that was played: rerun."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import data, readable, say
from referee.cli.waiting import wait_for
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.tournament.rerun import Difference, Outcome


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: referee rerun runs/quickstart/matches/1-greedy-random-a.jsonl --bot my/bot")(rerun)


def rerun(
    log: Annotated[Path, typer.Argument(help="A match log.", metavar="LOG")],
    bot: Annotated[str, typer.Option(metavar="BOT", help="A folder with bot.toml, a script, or a quoted command.")],
    seat: Annotated[
        int | None, typer.Option(min=0, max=1, help="Default: the bot's by its name, else whose fault is in the log.")
    ] = None,
    deal: Annotated[int | None, typer.Option(min=1, help="Only this deal, as for a process started for it.")] = None,
    match: Annotated[str | None, typer.Option(help="Which match, in a file with several.", metavar="ID")] = None,
    stderr: Annotated[bool, typer.Option("--stderr", help="Let the bot's stderr through.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for Enter when its process has started.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Ask a bot again what one seat was asked in a match, without opponent, clock or sandbox.

    For a debugger: it gets the same bytes, and as much time as it likes. Where its answer differs from the log's, that
    is said, and the match goes on as it went. Exit code 0: all answers are the same; 1: some differ.
    """
    import msgspec

    from referee.bots.build import build
    from referee.bots.sandbox import choose
    from referee.bots.spec import load_bot
    from referee.cli.logs import match_of
    from referee.store.replay import Disagreement
    from referee.tournament.rerun import Watch, seat_of
    from referee.tournament.rerun import rerun as run

    lines = match_of(readable(log), match)
    spec = load_bot(bot, Path.cwd())
    build(spec)
    taken = seat_of(lines, spec.name) if seat is None else seat
    watch = Watch(partial(_started, wait), (lambda difference: None) if as_json else _print)
    try:
        outcome = wait_for(partial(run, lines, taken, spec, choose("none"), watch, deal, stderr))
    except Disagreement as wrong:
        say(f"{log}:{wrong.line}: disagrees with the rules: {wrong.why}")
        raise typer.Exit(1) from None
    if not outcome.asked:
        raise UsageError(f"{log}: seat {taken} was asked nothing{f' in deal {deal}' if deal else ''}")
    data(msgspec.json.encode(outcome)) if as_json else print(_summary(outcome))
    if outcome.differences:
        raise typer.Exit(1)


def _started(wait: bool, pid: int) -> None:
    say(f"pid {pid}")
    if wait:
        say("Enter to go on")
        sys.stdin.readline()


def _print(difference: "Difference") -> None:
    from referee.render.console import safe

    now = safe(difference.now) + ("" if difference.verdict == "legal" else f" ({difference.verdict})")
    hint = f"hint: {safe(difference.hint)}" if difference.hint else ""
    head = f"deal {difference.deal}, turn {difference.turn}"
    if sys.stdout.isatty():
        print(f"{head}: {difference.position}\n    recorded: {safe(difference.recorded)}\n    now: {now}")
        if hint:
            print(f"    {hint}")
    else:
        fields = (head, difference.position, f"recorded: {safe(difference.recorded)}", f"now: {now}", hint)
        print("\t".join(filter(None, fields)), flush=True)


def _summary(outcome: "Outcome") -> str:
    differ = len(outcome.differences)
    count = "all as recorded" if not differ else f"{outcome.asked - differ} as recorded, {differ} not"
    return f"seat {outcome.seat}: {outcome.asked} answers, {count}"
