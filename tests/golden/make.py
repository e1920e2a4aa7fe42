"""Makes the golden files: what must never change of the protocol's version 1 and of the log's format 1.

    PYTHONPATH=. python tests/golden/make.py        writes them beside this file; a test compares them byte for byte

Match 1 is played by a script, without bots, and has one of everything: marriages, an exchange, stocks closed before and
after the draw, right and wrong declarations, an illegal action. What goes over the pipe is kept for both seats. Matches
2 and 3 are logs of faults that end processes. Nothing here uses a random generator: a later Python must make the same
files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from referee.match.clock import Clock
from referee.match.events import FaultEvent, MatchEvent, SeatInfo
from referee.match.machine import Ask, DealOver, Effect, IllegalAction, Match, Record, Tell
from referee.match.view import phase_of, with_id
from referee.protocol import codec
from referee.protocol.messages import WIRE_ACTIONS, Bye, ClockLimits, FaultMessage, Hello, Ready
from referee.rules.cards import ACTIONS, CARD_POINTS, CLOSE, DECLARE, DRAW, EXCHANGE, MARRIAGE, SUIT_OF, cards_in
from referee.rules.deal import FOLLOW, LEAD, Deal
from referee.rules.ruleset import Rules
from referee.rules.shuffle import deck, pair_seed

HERE = Path(__file__).parent
MASTER = "golden"
PAIR = 13
NAMES = ("amber", "birch")
READY = (
    {"type": "ready", "name": "amber", "version": "1.0", "close_before_draw": True},
    {"type": "ready", "name": "Birch the Bold", "version": "2.1"},
)
CLOCK = Clock(start_ms=10_000, move_ms=1_000, match_ms=60_000)


class Transcript:
    """What goes over the pipes of one bot: the lines it is sent, and those it answers."""

    def __init__(self, ready: dict[str, object]) -> None:
        limits = ClockLimits(CLOCK.start_ms, CLOCK.move_ms, CLOCK.match_ms)
        self.to = [codec.encode(Hello(1, "sixty-six", Rules(), limits))]
        self.sent = [line(ready)]
        self.id = 0
        self.ready: Ready = codec.decode_ready(self.sent[0])


class Golden(NamedTuple):
    """A whole match: its log, and the two transcripts."""

    log: bytes
    transcripts: tuple[Transcript, Transcript]
    match: Match


Chooser = Callable[[Match, Ask], tuple[int, str]]


def line(fields: dict[str, object]) -> bytes:
    """One line as a bot would write it."""
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def header(number: int, ready: tuple[Ready, Ready] | None = None) -> MatchEvent:
    says = [SeatInfo(name) for name in NAMES]
    if ready:
        told = zip(NAMES, ready, strict=True)
        says = [SeatInfo(name, bot.version, "" if bot.name == name else bot.name) for name, bot in told]
    return MatchEvent(
        match=f"{number}-amber-birch-a",
        rules=Rules(),
        clock=CLOCK,
        seed=pair_seed(MASTER, number),
        pair=number,
        leg="a",
        seats=(says[0], says[1]),
        first_dealer=number & 1,
        referee="0.1.0",
        started="2026-12-01T10:00:00Z",
    )


def play(choose: Chooser, number: int = PAIR) -> Golden:
    """Drive the machine as the live referee does; what is not legal becomes a fault, with its evidence."""
    seats = (Transcript(READY[0]), Transcript(READY[1]))
    head = header(number, (seats[0].ready, seats[1].ready))
    match = Match(head, lambda k: deck(head.seed, k), lambda seat: seats[seat].ready.close_before_draw)
    log: list[bytes] = []
    effects: list[Effect] = match.start()
    while True:
        for effect in effects:
            if isinstance(effect, Record):
                log.append(effect.line)
            elif isinstance(effect, Tell):
                seats[effect.seat].to.append(effect.line)
        last = effects[-1]
        if isinstance(last, Ask):
            effects = _turn(match, last, seats[last.seat], *choose(match, last))
        elif isinstance(last, DealOver):
            effects = match.next_deal()
        else:
            break
    for seat in seats:
        seat.to.append(codec.encode(Bye()))
    return Golden(b"".join(log), seats, match)


def _turn(match: Match, ask: Ask, seat: Transcript, action: int, note: str) -> list[Effect]:
    seat.id += 1
    request = with_id(seat.id, ask.request)
    seat.to.append(request)
    fields: dict[str, object] = {"id": seat.id, **json.loads(codec.encode(WIRE_ACTIONS[action]))}  # type: ignore[arg-type]
    answer = line({**fields, "note": note} if note else fields)
    seat.sent.append(answer)
    us = 200 + sha256(request).digest()[0]
    try:
        return match.act(codec.action_of(codec.decode_answer(answer)), us, note)
    except IllegalAction as illegal:
        assert match.deal is not None
        fault = FaultEvent(
            deal=match.number,
            seat=ask.seat,
            kind="illegal",
            phase=phase_of(match.deal),
            us=us,
            limit_us=ask.limit_us,
            detail=str(illegal),
            id=seat.id,
            request=request.decode(),
            answer=answer.decode().rstrip(),
            answer_bytes=len(answer) - 1,
            legal=[str(ACTIONS[code]) for code in ask.legal],
        )
        legal = [WIRE_ACTIONS[code] for code in ask.legal]
        return match.fault(fault, FaultMessage("illegal", seat.id, str(illegal), legal))


# The script of match 1


def scripted(match: Match, ask: Ask) -> tuple[int, str]:
    """Plays like a beginner; each deal has its own adventure, see ADVENTURES."""
    deal = match.deal
    assert deal is not None
    adventure = ADVENTURES.get(match.number, _nothing)
    found = adventure(deal, ask)
    return found if found is not None else (_beginner(deal, ask), "")


def _beginner(deal: Deal, ask: Ask) -> int:
    legal, seat = ask.legal, ask.seat
    if DECLARE in legal and deal.points(seat) >= 66:
        return DECLARE
    if DRAW in legal:
        return DRAW
    if EXCHANGE in legal:
        return EXCHANGE
    marriages = [code for code in legal if MARRIAGE <= code < EXCHANGE]
    if marriages:
        return max(marriages, key=lambda code: (code - MARRIAGE == deal.trump, code))
    cards = [code for code in legal if code < MARRIAGE]
    if deal.phase == LEAD:
        return _lead(deal, cards)
    winning = [card for card in cards if _wins(deal, card)]
    cheap = min(cards, key=lambda card: (SUIT_OF[card] == deal.trump, CARD_POINTS[card]))
    return max(winning, key=lambda card: (SUIT_OF[card] != deal.trump, CARD_POINTS[card])) if winning else cheap


def _lead(deal: Deal, cards: list[int]) -> int:
    if deal.strict:
        return max(cards, key=lambda card: (card % 6, card))
    return min(cards, key=lambda card: (SUIT_OF[card] == deal.trump, CARD_POINTS[card]))


def _wins(deal: Deal, card: int) -> bool:
    same = SUIT_OF[card] == SUIT_OF[deal.led]
    return card > deal.led if same else SUIT_OF[card] == deal.trump


def _nothing(deal: Deal, ask: Ask) -> None:
    return None


def _closes(seat: int, points: int) -> Callable[[Deal, Ask], tuple[int, str] | None]:
    """This seat closes as soon as it has so many card points."""

    def adventure(deal: Deal, ask: Ask) -> tuple[int, str] | None:
        rich = ask.seat == seat and deal.points(seat) >= points
        return (CLOSE, f"{deal.points(seat)} points, that will do") if rich and CLOSE in ask.legal else None

    return adventure


def _declares_wrongly(seat: int, tricks: int) -> Callable[[Deal, Ask], tuple[int, str] | None]:
    """This seat declares instead of an answer, below 66, once it has so many tricks."""

    def adventure(deal: Deal, ask: Ask) -> tuple[int, str] | None:
        now = ask.seat == seat and deal.phase == FOLLOW and deal.tricks[seat] >= tricks and deal.points(seat) < 66
        return (DECLARE, "66! Größer wird es nicht.") if now else None

    return adventure


def _plays_a_card_that_it_has_not(seat: int) -> Callable[[Deal, Ask], tuple[int, str] | None]:
    def adventure(deal: Deal, ask: Ask) -> tuple[int, str] | None:
        if ask.seat != seat or deal.phase != FOLLOW or deal.tricks[seat] < 2:
            return None
        return next(card for card in range(24) if card not in cards_in(deal.hands[seat])), ""

    return adventure


ADVENTURES: dict[int, Callable[[Deal, Ask], tuple[int, str] | None]] = {
    2: _closes(0, 20),  # before the draw, and makes it
    3: _declares_wrongly(1, 2),
    4: _plays_a_card_that_it_has_not(0),
    5: _closes(1, 15),  # on lead, and fails
}


# Matches 2 and 3: faults that end processes


def faulty() -> Iterator[bytes]:
    """A time-out, a crash, and a process that does not start again."""
    match = Match(header(PAIR + 1), lambda k: deck(pair_seed(MASTER, PAIR + 1), k), lambda seat: False)
    yield from _lines(match.start())
    yield from _lines(match.fault(_failure(match, "timeout")))
    yield from _lines(match.next_deal())
    yield from _lines(match.act(match.deal.legal()[0], 321))  # type: ignore[union-attr]
    yield from _lines(match.fault(_failure(match, "crash")))
    yield from _lines(match.cannot_start([_start_failure(match, 1)]))


def void() -> Iterator[bytes]:
    """Neither bot starts."""
    match = Match(header(PAIR + 2), lambda k: deck(pair_seed(MASTER, PAIR + 2), k), lambda seat: False)
    yield from _lines(match.open_log())
    yield from _lines(match.cannot_start([_start_failure(match, 0), _start_failure(match, 1)]))


def _lines(effects: list[Effect]) -> Iterator[bytes]:
    return (effect.line for effect in effects if isinstance(effect, Record))


def _failure(match: Match, kind: str) -> FaultEvent:
    assert match.deal is not None
    return FaultEvent(
        deal=match.number,
        seat=match.deal.seat,
        kind=kind,  # type: ignore[arg-type]
        phase=phase_of(match.deal),
        us=1_000_123 if kind == "timeout" else 777,
        limit_us=1_000_000,
        lag_us=123 if kind == "timeout" else 0,
        detail=f"an example of {kind}",
        hint="for the golden file",
        id=1,
        answer='{"id":1,"act\n\u0000\\xff<script>"us":1',
        answer_bytes=30,
        exit="exit code 3" if kind == "crash" else "",
        stderr="Traceback …\n",
        legal=[str(ACTIONS[code]) for code in match.deal.legal()],
    )


def _start_failure(match: Match, seat: int) -> FaultEvent:
    return FaultEvent(deal=match.number, seat=seat, kind="start", us=0, detail="bot.py: No such file or directory")


# The files


def files() -> dict[str, bytes]:
    """Every golden file, by name."""
    golden = play(scripted)
    made = {
        "match-1.log.jsonl": golden.log,
        "match-2.log.jsonl": b"".join(faulty()),
        "match-3.log.jsonl": b"".join(void()),
    }
    for number, transcript in enumerate(golden.transcripts):
        made[f"match-1.seat{number}.to.jsonl"] = b"".join(transcript.to)
        made[f"match-1.seat{number}.from.jsonl"] = b"".join(transcript.sent)
    return made


if __name__ == "__main__":
    for name, data in files().items():
        (HERE / name).write_bytes(data)
