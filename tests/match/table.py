"""A match without bots: the machine driven by a chooser, for tests that need logs or messages."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from referee.match.clock import Clock
from referee.match.events import Event, FaultEvent, MatchEvent, SeatInfo
from referee.match.machine import Ask, DealOver, Match, Record, Tell
from referee.match.view import with_id
from referee.protocol import codec
from referee.rules.ruleset import Rules
from referee.rules.shuffle import deck

SEED = "5eed" * 16
Chooser = Callable[[Ask], int | FaultEvent]


class Played(NamedTuple):
    """What came of a match: its events, the log's lines, and the bytes that each seat was sent."""

    events: list[Event]
    log: bytes
    sent: tuple[bytes, bytes]
    match: Match


def header(rules: Rules = Rules(), clock: Clock = Clock(), seed: str = SEED, name: str = "1-a-b-a") -> MatchEvent:
    return MatchEvent(
        match=name,
        rules=rules,
        clock=clock,
        seed=seed,
        pair=1,
        leg="a",
        seats=(SeatInfo("a", "1.0"), SeatInfo("b", "2.0", "bee")),
        first_dealer=1,
        referee="0.1.0",
        started="2026-12-01T10:00:00Z",
    )


def random_chooser(seed: int, asks_draw: bool = True) -> Chooser:
    """Any legal action, declaring and closing seldom."""
    rng = Random(seed)

    def choose(ask: Ask) -> int:
        weights = [0.03 if code in (29, 30) else 1.0 for code in ask.legal]
        return rng.choices(ask.legal, weights)[0]

    return choose


def play(
    head: MatchEvent, choose: Chooser, asks_draw: Callable[[int], bool] = lambda seat: seat == 0, us: int = 250
) -> Played:
    """Drive a match to its end; a chooser that returns a fault commits it."""
    match = Match(head, lambda number: deck(head.seed, number), asks_draw)
    events: list[Event] = []
    lines: list[bytes] = []
    sent = [b"", b""]
    effects = match.start()
    while True:
        for effect in effects:
            if isinstance(effect, Record):
                events.append(effect.event)
                lines.append(effect.line)
            elif isinstance(effect, Tell):
                sent[effect.seat] += codec.encode(effect.message)
        last = effects[-1]
        if isinstance(last, Ask):
            sent[last.seat] += with_id(0, last.request)
            chosen = choose(last)
            effects = match.fault(chosen) if isinstance(chosen, FaultEvent) else match.act(chosen, us, "a note")
        elif isinstance(last, DealOver):
            effects = match.next_deal()
        else:
            return Played(events, b"".join(lines), (sent[0], sent[1]), match)
