"""A worker process: its own event loop, one match at a time, so that no match delays another's clock.

`python -m referee.tournament.worker` reads orders from stdin and writes reports to stdout, a line each. It ends when
its stdin does, and takes its bots with it.
"""

import errno
import os
import shlex
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import trio

from referee import __version__
from referee.bots import evidence
from referee.bots.driver import play_match
from referee.bots.launch import RefereeTrouble
from referee.bots.player import Player
from referee.bots.reaper import protect
from referee.match.events import Event, FaultEvent, MatchEvent, SeatInfo
from referee.match.summary import Summary, summarize
from referee.store.layout import timestamp
from referee.store.matchlog import LogWriter
from referee.tournament.orders import (
    Aborted,
    Began,
    FaultSeen,
    Greet,
    Greeted,
    Idle,
    Order,
    Play,
    Played,
    Report,
    encoder,
    orders,
)
from referee.tournament.schedule import MatchPlan

HOPELESS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT, errno.EIO}
"""What a disk says that will say the same at the next match."""


_cores = {"all": os.sched_getaffinity(0), "own": os.sched_getaffinity(0)}


def main() -> None:
    """Work until stdin ends. Ctrl-C is for the runner, which tells us by closing our stdin."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    protect()
    if len(sys.argv) > 1:
        _cores["own"] = {int(sys.argv[1])}
    with suppress(BrokenPipeError):
        trio.run(_work)


def report(message: Report) -> None:
    """One line to the runner, at once."""
    data = encoder.encode(message) + b"\n"
    while data:
        data = data[os.write(1, data) :]


async def _work() -> None:
    async with trio.open_nursery() as nursery:
        lines = trio.lowlevel.FdStream(os.dup(0))
        send, receive = trio.open_memory_channel[Order](16)
        nursery.start_soon(_read_orders, lines, send, nursery.cancel_scope)
        async for order in receive:
            await carry_out(order)
            report(Idle())
        nursery.cancel_scope.cancel()


async def _read_orders(
    lines: trio.lowlevel.FdStream, send: trio.MemorySendChannel[Order], work: trio.CancelScope
) -> None:
    """When the runner closes our stdin, whatever is being played is void."""
    buffer = b""
    async for chunk in lines:
        *whole, buffer = (buffer + chunk).split(b"\n")
        for line in whole:
            await send.send(orders.decode(line))
    work.cancel()


async def carry_out(order: Order) -> None:
    """Play or greet; every bot is gone when this returns, however it returns."""
    async with trio.open_nursery() as nursery:
        if isinstance(order, Greet):
            await _greet(order, nursery)
        else:
            await _play_all(order, nursery)
        nursery.cancel_scope.cancel()


async def _greet(order: Greet, nursery: trio.Nursery) -> None:
    player = _player(order, order.name, nursery)
    try:
        failure = await player.start()
        if failure is None:
            report(Greeted(order.name))
        else:
            words = filter(None, (evidence.start_detail(failure), evidence.start_hint(failure)))
            report(Greeted(order.name, "; ".join(words), failure.remains.stderr if failure.remains else ""))
        await player.dismiss()
    finally:
        await _put_down([player])


def _choose_core(order: Play) -> None:
    """One core for a worker and its bots, unless a bot uses several threads.

    Bots inherit it: a bot and its referee never run at the same time, and waking an idle core costs a turn 60 us.
    """
    threads = any(bot.threads for bot in order.bots.values())
    os.sched_setaffinity(0, _cores["all"] if threads else _cores["own"])


async def _play_all(order: Play, nursery: trio.Nursery) -> None:
    _choose_core(order)
    players = {name: _player(order, name, nursery) for name in order.bots}
    try:
        for plan in order.matches:
            await _play_one(order, plan, players)
            if order.terms.fresh:
                for player in players.values():
                    await player.dismiss()
        for player in players.values():
            await player.dismiss()
    finally:
        await _put_down(players.values())


async def _put_down(players: Iterable[Player]) -> None:
    with trio.CancelScope(shield=True):
        for player in players:
            await player.kill()


def _player(order: Order, name: str, nursery: trio.Nursery) -> Player:
    terms = order.terms
    spec = order.bot if isinstance(order, Greet) else order.bots[name]
    return Player(name, spec, terms.layer, terms.rules, terms.clock, nursery, terms.freeze)


async def _play_one(order: Play, plan: MatchPlan, players: dict[str, Player]) -> None:
    """One match, from its description to its log; a failure of ours makes it void, and says so."""
    report(Began(plan.match))
    try:
        summary = await _record_match(order, plan, (players[plan.seats[0]], players[plan.seats[1]]))
        report(Played(summary))
    except (RefereeTrouble, OSError) as error:
        await _put_down(players.values())
        hopeless = isinstance(error, OSError) and error.errno in HOPELESS
        report(Aborted(plan.match, str(error), hopeless))


async def _record_match(order: Play, plan: MatchPlan, players: tuple[Player, Player]) -> Summary:
    """The summary is folded from the very events that the log holds."""
    log = LogWriter(Path(order.terms.folder), plan.match, order.terms.logs == "compressed")
    events: list[Event] = []

    def write(event: Event, line: bytes) -> None:
        events.append(event)
        log.write(line)
        if isinstance(event, FaultEvent):
            name = plan.seats[event.seat]
            report(FaultSeen(plan.match, name, event.kind, event.deal, event.detail, event.hint, event.again))

    again = f"referee repeat {shlex.quote(str(log.path))}"
    await play_match(_header(order, plan), players, write, again)
    summary = summarize(events)
    if order.terms.logs != "faults" or summary.faults:
        log.commit()
    return summary


def _header(order: Play, plan: MatchPlan) -> MatchEvent:
    return MatchEvent(
        match=plan.match,
        rules=order.terms.rules,
        clock=order.terms.clock,
        seed=plan.pair_seed,
        pair=plan.pair,
        leg=plan.leg,
        seats=(SeatInfo(plan.seats[0]), SeatInfo(plan.seats[1])),
        first_dealer=plan.first_dealer,
        referee=__version__,
        started=timestamp(),
    )


if __name__ == "__main__":
    main()
