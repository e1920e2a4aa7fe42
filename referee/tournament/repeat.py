"""A logged match played anew: the same bots in the same seats, on the same decks, by the same rules and clock."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import trio

from referee import __version__
from referee.bots.build import build
from referee.bots.driver import play_match
from referee.bots.player import Player
from referee.bots.reaper import protect
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.errors import UsageError
from referee.match.events import MatchEndEvent, MatchEvent
from referee.store.layout import RunFolder
from referee.store.matchlog import Line, LogWriter
from referee.tournament.config import from_json
from referee.tournament.prepare import spec_of


class Repeated(NamedTuple):
    """Where the new log is, and whether the same was played as before: the digests are equal."""

    log: Path
    end: MatchEndEvent
    same: bool


def bots_of(log: Path, header: MatchEvent) -> tuple[BotSpec, BotSpec]:
    """The built bots of the run whose folder the log lies in, by the log's seats; UsageError if it lies elsewhere."""
    config = from_json(RunFolder(log.resolve().parent.parent).info().config)
    entries = {entry.name: entry for entry in config.bots}
    try:
        a, b = (spec_of(entries[seat.name]) for seat in header.seats)
    except KeyError as missing:
        raise UsageError(f"{log}: there is no bot {missing} in the run that this log lies in") from None
    build(a)
    build(b)
    return a, b


async def repeat(lines: Sequence[Line], bots: tuple[BotSpec, BotSpec], layer: Layer, out: Path) -> Repeated:
    """Play it, and write its log into `out`. Raises RefereeTrouble and OSError, which are never a bot's fault."""
    header, before = lines[0].event, lines[-1].event
    assert isinstance(header, MatchEvent) and isinstance(before, MatchEndEvent)
    protect()
    out.mkdir(parents=True, exist_ok=True)
    writer = LogWriter(out, header.match)
    async with trio.open_nursery() as nursery:
        a, b = (
            Player(seat.name, spec, layer, header.rules, header.clock, nursery)
            for seat, spec in zip(header.seats, bots, strict=True)
        )
        fresh = msgspec.structs.replace(header, referee=__version__)
        try:
            end = await play_match(fresh, (a, b), lambda _, line: writer.write(line))
            await a.dismiss()
            await b.dismiss()
        finally:
            with trio.CancelScope(shield=True):
                await a.kill()
                await b.kill()
    return Repeated(writer.commit(), end, end.digest == before.digest)
