"""Commands in which one seat is not a bot: play."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import say
from referee.cli.waiting import wait_for
from referee.errors import BotStartError

if TYPE_CHECKING:
    from referee.match.clock import Clock
    from referee.match.events import MatchEvent
    from referee.protocol.messages import LegalAction, ToBot, Turn

YOU = "you"


class GivenUp(Exception):  # noqa: N818  not an error
    """The person has had enough."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: referee play example_bots/greedy")(play)


def play(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A folder with bot.toml, a script, or a quoted command.")],
    seed: Annotated[str | None, typer.Option(help="Master seed, for the same cards again.")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the log goes.")] = Path("runs/play"),
) -> None:
    """Play against a bot: the same rules, no clock; you see what a bot would be sent, and no more."""
    try:
        log = wait_for(partial(_play, bot, seed, out))
    except (GivenUp, EOFError):
        say("\ngiven up; nothing is kept")
        raise typer.Exit(130) from None
    say(f"the log: {log}   (referee replay {log})")


async def _play(text: str, seed: str | None, out: Path) -> Path:
    import trio

    from referee.bots.build import build
    from referee.bots.driver import play_match
    from referee.bots.local import LocalPlayer
    from referee.bots.player import Player
    from referee.bots.reaper import protect
    from referee.bots.sandbox import choose
    from referee.bots.spec import load_bot
    from referee.match.clock import Clock
    from referee.rules.ruleset import Rules
    from referee.store.matchlog import LogWriter

    spec = load_bot(text, Path.cwd())
    build(spec)
    protect()
    clock = Clock(move_ms=None)
    header = _header(spec.name, seed, clock)
    person = _Person(spec.name)
    out.mkdir(parents=True, exist_ok=True)
    writer = LogWriter(out, header.match)
    async with trio.open_nursery() as nursery:
        rival = Player(spec.name, spec, choose("auto"), Rules(), clock, nursery)
        failure = await rival.start()
        you = LocalPlayer(YOU, person.choose, person.tell)
        try:
            if failure is None:
                await play_match(header, (you, rival), lambda _, line: writer.write(line))
        finally:
            with trio.CancelScope(shield=True):
                await rival.kill()
    if failure is not None:
        raise BotStartError(f"bot {spec.name} did not start: {failure.detail}")
    return writer.commit()


def _header(bot: str, seed: str | None, clock: "Clock") -> "MatchEvent":
    import secrets

    from referee import __version__
    from referee.match.events import MatchEvent, SeatInfo
    from referee.rules.ruleset import Rules
    from referee.rules.shuffle import pair_seed
    from referee.store.layout import timestamp

    now = datetime.now(UTC)
    return MatchEvent(
        match=f"{now:%Y%m%d-%H%M%S}-you-{bot}",
        rules=Rules(),
        clock=clock,
        seed=pair_seed(secrets.token_hex(32) if seed is None else seed, 1),
        pair=1,
        leg="a",
        seats=(SeatInfo(YOU), SeatInfo(bot)),
        first_dealer=1,
        referee=__version__,
        started=timestamp(now),
    )


class _Person:
    """Somebody at the terminal."""

    def __init__(self, opponent: str) -> None:
        from referee.render.console import safe

        self.opponent = safe(opponent)
        self.unicode = (sys.stdout.encoding or "").lower().startswith("utf")

    def tell(self, heard: "Sequence[ToBot]") -> None:
        """Say what has happened."""
        from referee.render.person import told

        for message in heard:
            if text := told(message, self.opponent, self.unicode):
                print(text)

    async def choose(self, heard: "Sequence[ToBot]", turn: "Turn") -> "LegalAction":
        """Show the table and ask until the answer is a legal action. The bot has no clock running meanwhile."""
        from referee.render.person import HELP, Unclear, parse, position

        self.tell(heard)
        print(position(turn, self.opponent, self.unicode))
        while True:
            try:
                text = input("> ")
            except (EOFError, KeyboardInterrupt):
                raise GivenUp from None
            if text.strip() in ("?", "help", "h"):
                print(HELP)
            elif text.strip():
                try:
                    return parse(text, turn.legal)
                except Unclear as unclear:
                    print(f"  {unclear}")
