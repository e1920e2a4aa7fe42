"""The command that plays a logged match again with the bots themselves: repeat."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from referee.cli.logs import match_of
from referee.cli.output import readable, say
from referee.cli.waiting import wait_for


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: referee repeat runs/quickstart/matches/3-greedy-counter-a.jsonl")(repeat)


def repeat(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A match log in the folder of its run.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the new log goes.")] = Path("runs/repeat"),
    match: Annotated[str | None, typer.Option(help="Which match, in a file with several.", metavar="ID")] = None,
    sandbox: Annotated[Literal["auto", "bwrap", "none"], typer.Option(help="What keeps bots apart.")] = "auto",
) -> None:
    """Play a match again: the same bots, seats, decks, rules and clock.

    Exit code 0 when the same was played, 1 when anything differed.
    """
    from referee.bots.sandbox import choose
    from referee.match.events import FaultEvent, MatchEvent
    from referee.render.replay_text import evidence
    from referee.store.matchlog import read_lines
    from referee.tournament import repeat as work

    lines = match_of(readable(log), match)
    header = lines[0].event
    assert isinstance(header, MatchEvent)
    bots, layer = work.bots_of(log, header), choose(sandbox)
    done = wait_for(lambda: work.repeat(lines, bots, layer, out))
    for line in read_lines(done.log):
        if isinstance(line.event, FaultEvent):
            for text in evidence(line.event):
                print(text.plain)
    names = [seat.name for seat in header.seats]
    score = " : ".join(f"{name} {points}" for name, points in zip(names, done.end.score, strict=True))
    print(f"{score}   {'the same match as before' if done.same else 'another match than before'}")
    say(f"the new log: {done.log}   (referee replay {done.log})")
    if not done.same:
        raise typer.Exit(1)
