"""Matches for the tests to look at, played by the machine itself with a chooser in the place of the bots."""

import random
from collections.abc import Callable, Sequence

from referee.match.clock import Clock
from referee.match.events import FaultEvent, MatchEvent, SeatInfo
from referee.match.machine import Ask, DealOver, Effect, Match, MatchOver, Record
from referee.rules.cards import ACTIONS, CLOSE, DECLARE
from referee.rules.ruleset import Rules
from referee.rules.shuffle import deck
from referee.store.matchlog import Line

HOSTILE = "</script><img src=x onerror=alert(1)>[red]\x1b[31mred\x1b[0m\u202egnp.exe\u2028<!--"
Chooser = Callable[[Ask, random.Random], int | FaultEvent]


def header(names: tuple[str, str] = ("greedy", "counter"), seed: str = "ab" * 32, **rules: int) -> MatchEvent:
    return MatchEvent(
        match="3-greedy-counter-a",
        rules=Rules(**rules),
        clock=Clock(),
        seed=seed,
        pair=3,
        leg="a",
        seats=(SeatInfo(names[0], "1.0"), SeatInfo(names[1], "2.0")),
        first_dealer=1,
        referee="0.1.0",
        started="2026-12-01T10:00:00Z",
    )


def any_legal(ask: Ask, rng: random.Random) -> int:
    """Mostly cards, marriages and exchanges whenever they are there; declares and closes now and then."""
    special = [action for action in ask.legal if 24 <= action <= 28]
    if special and rng.random() < 0.7:
        return rng.choice(special)
    if rng.random() < 0.06:
        return rng.choice(ask.legal)
    return rng.choice([action for action in ask.legal if action not in (CLOSE, DECLARE)])


def play(
    opening: MatchEvent,
    choose: Chooser = any_legal,
    seed: int = 1,
    note: Callable[[int, int], str] = lambda seat, turn: "",
    asks_draw: bool = False,
) -> list[Line]:
    """A whole match as the lines of its log."""
    rng = random.Random(seed)
    match = Match(opening, lambda k: deck(opening.seed, k), lambda seat: asks_draw)
    effects, lines, turn = match.start(), [], 0
    while True:
        lines += _lines(effects, len(lines))
        last = effects[-1]
        if isinstance(last, MatchOver):
            return lines
        if isinstance(last, DealOver):
            effects = match.next_deal()
            continue
        assert isinstance(last, Ask)
        turn += 1
        choice = choose(last, rng)
        if isinstance(choice, FaultEvent):
            choice.deal, choice.seat, choice.phase = match.number, last.seat, last.turn.phase
            effects = match.fault(choice)
        else:
            effects = match.act(choice, 100 + turn * 37 % 5000, note(last.seat, turn))


def _lines(effects: Sequence[Effect], before: int) -> list[Line]:
    events = [effect.event for effect in effects if isinstance(effect, Record)]
    return [Line(before + number, event) for number, event in enumerate(events, 1)]


def fault(kind: str = "timeout", **evidence: object) -> FaultEvent:
    """A fault with evidence; `play` fills in deal and seat."""
    fields: dict[str, object] = {"deal": 0, "seat": 0, "kind": kind, "us": 1_000_500, "limit_us": 1_000_000}
    return FaultEvent(**(fields | evidence))  # type: ignore[arg-type]


def unable_to_start(opening: MatchEvent, seats: Sequence[int] = (0,)) -> list[Line]:
    match = Match(opening, lambda k: deck(opening.seed, k), lambda seat: False)
    faults = [FaultEvent(deal=0, seat=seat, kind="start", us=0, detail="no such program") for seat in seats]
    effects = [*match.open_log(), *match.cannot_start(faults)]
    return _lines(effects, 0)


def script(*texts: str) -> Chooser:
    """Play these actions in this order, then any legal one."""
    left = list(texts)

    def choose(ask: Ask, rng: random.Random) -> int:
        if not left:
            return any_legal(ask, rng)
        return next(action for action in ask.legal if str(ACTIONS[action]) == left[0] and left.pop(0))

    return choose
