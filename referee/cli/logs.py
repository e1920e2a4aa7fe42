"""Commands that read match logs: verify and replay."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import data, existing, readable, say
from referee.errors import LogError, UsageError

if TYPE_CHECKING:
    from referee.store.matchlog import Line

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
    from referee.tournament.completeness import QUESTIONS

    worst = 0
    for path in paths:
        for finding in audit(existing(path), QUESTIONS):
            worst = max(worst, finding.exit_code)
            if as_json:
                data(finding.as_json())
            elif finding.exit_code or finding.whole:
                print(finding)
    if worst:
        raise typer.Exit(worst)


def replay(
    log: Annotated[Path, typer.Argument(help="A match log.", metavar="LOG")],
    deal: Annotated[int | None, typer.Option(min=1, help="Begin with this deal; with --text, only this deal.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Step with the keys (the default on a terminal).")] = False,
    text: Annotated[bool, typer.Option("--text", help="Print it all, for reading and searching.")] = False,
    seat: Annotated[str | None, typer.Option(metavar="0|1|NAME", help="Only what this seat saw.")] = None,
    speed: Annotated[float | None, typer.Option(min=0.1, max=100, help="Run by itself, steps a second.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write one self-contained page.", metavar="FILE")] = None,
    match: Annotated[str | None, typer.Option(help="Which match, in a file with several.", metavar="ID")] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
) -> None:
    """Show a match as players know it: hands, tricks, marriages, closing, points and score.

    Everything shown is played again through the rules first; exit code 1 where the log disagrees with them.
    """
    from referee.render.console import console
    from referee.store.replay import Disagreement

    lines = match_of(readable(log), match)
    chair = None if seat is None else _seat(lines, seat)
    stdout = console("stdout", color=not no_color)
    try:
        if html is not None:
            _write_page(lines, chair, html)
        elif text or not (step or sys.stdout.isatty()):
            from referee.render.replay_text import replay_text
            from referee.render.replay_view import has_unicode

            for one in replay_text(lines, deal, chair, has_unicode(stdout)):
                stdout.print(one, soft_wrap=True)
        else:
            from referee.render.replay_view import run_view

            run_view(lines, stdout, seat=chair, deal=deal, speed=speed)
    except Disagreement as wrong:
        say(f"{log}:{wrong.line}: disagrees with the rules: {wrong.why}")
        raise typer.Exit(1) from None


def _seat(lines: "list[Line]", wanted: str) -> int:
    """A seat by its number or its bot's name."""
    from referee.match.events import MatchEvent

    header = lines[0].event
    assert isinstance(header, MatchEvent)
    names = [seat.name for seat in header.seats]
    if wanted in names:
        return names.index(wanted)
    if wanted in ("0", "1"):
        return int(wanted)
    raise UsageError(f"--seat {wanted}: expected 0 or 1, or the name of a bot: {' or '.join(names)}")


def _write_page(lines: "list[Line]", seat: int | None, html: Path) -> None:
    from referee.render.replay_html import replay_page

    try:
        html.write_text(replay_page(lines, seat), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{html}: cannot be written: {error.strerror}") from None
    say(f"wrote {html}")


def match_of(log: Path, wanted: str | None) -> "list[Line]":
    """The lines of one match of a file."""
    from referee.match.events import MatchEvent
    from referee.store.matchlog import read_matches

    found = []
    for lines in read_matches(log):
        header = lines[0].event
        assert isinstance(header, MatchEvent)
        if wanted in (None, header.match):
            return lines
        found.append(header.match)
    if not found:
        raise LogError(str(log), 0, "the file is empty")
    raise UsageError(f"{log}: no match {wanted} in it, only {', '.join(found[:5])}")
