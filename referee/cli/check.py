"""The command that tells an author whether a bot speaks the protocol: check."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli.output import data, say
from referee.cli.waiting import wait_for

if TYPE_CHECKING:
    from referee.bots.check.report import Failure, Report, StepReport

_MARKS = {"passed": "ok", "warning": "WARNING", "not exercised": "-", "failed": "FAILED"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: referee check example_bots/greedy")(check)


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A folder with bot.toml, a script, or a quoted command.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with all steps.")] = False,
    sandbox: Annotated[Literal["auto", "bwrap", "none"], typer.Option(help="What keeps the bot apart.")] = "auto",
) -> None:
    """Does this bot speak the protocol? Every message and rule is forced on it, up to the first failure.

    Exit code 0: all passed, perhaps with warnings; 1: a step failed; 4: the bot could not be launched.
    """
    import msgspec

    from referee.bots.build import build
    from referee.bots.check.checker import check as run
    from referee.bots.sandbox import choose
    from referee.bots.spec import load_bot

    spec = load_bot(bot, Path.cwd())
    build(spec)
    layer = choose(sandbox)
    say(f"{spec.name}   sandbox: {layer.description}")
    report = wait_for(partial(run, spec, layer, (lambda step: None) if as_json else _print_step))
    if as_json:
        data(msgspec.json.encode(report))
    else:
        _print_end(report)
    if report.exit_code:
        raise typer.Exit(report.exit_code)


def _print_step(step: "StepReport") -> None:
    """One line; columns on a terminal, tabs elsewhere."""
    mark, notes = _MARKS[step.result], "; ".join(step.notes)
    if sys.stdout.isatty():
        from referee.render.console import safe

        print(f"{step.number:3}  {mark:8} {step.name}")
        for note in step.notes:
            print(f"              {safe(note, 400)}")
    else:
        print(f"{step.number}\t{step.result}\t{step.name}\t{notes}", flush=True)


def _print_end(report: "Report") -> None:
    if report.failure is not None:
        for line in _failure(report.failure):
            print(line)
        return
    count = {mark: sum(step.result == mark for step in report.steps) for mark in _MARKS}
    rest = [f"{count[mark]} {words}" for mark, words in _REST.items() if count[mark]]
    print(", ".join([f"{count['passed']} of {len(report.steps)} steps passed", *rest]))
    if count["not exercised"]:
        say("not exercised: it is the bot's own choice whether such a thing comes about; nothing was wrong")


_REST = {"warning": "with a warning", "not exercised": "not exercised"}


def _failure(failure: "Failure") -> list[str]:
    """All that is known, each fact under its name; what the bot itself has said is made safe for a terminal."""
    from referee.render.console import safe

    facts = {
        "where": [failure.where],
        "sent": failure.sent,
        "came back": [f"{failure.came}   after {failure.after_ms:.1f} ms"] if failure.sent else [],
        "legal": [", ".join(failure.legal)] if failure.legal else [],
        "exit": [failure.exit] if failure.exit else [],
        "stderr": [safe(line) for line in failure.stderr.rstrip().splitlines()],
        "hint": failure.hints,
    }
    head = f"step {failure.number} failed, {failure.name}: {failure.kind}: {safe(failure.detail, 400)}"
    lines = ["", head]
    for name, texts in facts.items():
        lines += [f"  {name if not at else '':10} {text}" for at, text in enumerate(texts)]
    return lines
