"""Commands that read match logs: verify and replay."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import data, existing, readable, say
from referee.errors import LogError, UsageError

_LOGS = typer.Argument(help="Match logs, or the folder of a run.", metavar="LOG...|DIR")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: referee verify runs/quickstart")(verify)
    app.command(epilog="Example: referee replay runs/quickstart/matches/1-greedy-random-a.jsonl --deal 2")(replay)


def verify(
    paths: Annotated[list[Path], _LOGS],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a log.")] = False,
) -> None:
    """Play logs again through the rules, and check every action, trick, point, score, deck and digest.

    Exit code 0: all agree; 1: a log says something that the rules do not; 5: a log is damaged or of another format.
    """
    from referee.store.audit import audit

    worst = 0
    for path in paths:
        for finding in audit(existing(path)):
            worst = max(worst, finding.exit_code)
            if as_json:
                data(finding.as_json())
            elif finding.exit_code or finding.whole:
                print(finding)
    if worst:
        raise typer.Exit(worst)


def replay(
    log: Annotated[Path, typer.Argument(help="A match log.", metavar="LOG")],
    deal: Annotated[int | None, typer.Option(min=1, help="Only this deal.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Step through it with the keys, on a terminal.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Print it all.")] = False,
    seat: Annotated[int | None, typer.Option(min=0, max=1, help="Show only what this seat saw.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write one self-contained page.", metavar="FILE")] = None,
) -> None:
    """Show a match as players know it."""
    raise NotImplementedError
