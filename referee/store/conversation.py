"""What one seat was told and asked in a logged match, byte for byte, and what it answered.

A log holds no messages: they follow from it, by the machine that made them. Only the ids do not, as a process counts
its turns from match to match; see `first_id`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.match import view
from referee.match.events import ActEvent, DealEvent, FaultEvent, MatchEvent
from referee.match.machine import KILLING
from referee.protocol import codec
from referee.protocol.messages import WIRE_ACTIONS, FaultMessage
from referee.rules.cards import action
from referee.rules.shuffle import bot_seed
from referee.store.matchlog import Line
from referee.store.replay import Frame, frames


class Dealt(NamedTuple):
    """A deal begins. A process that has heard nothing of the match is told `introduction` first."""

    deal: int
    introduction: bytes


class Told(NamedTuple):
    line: bytes


class Asked(NamedTuple):
    """A turn: the request from behind its id (`view.with_id`), what was legal, and what came of it."""

    deal: int
    turn: int
    """Within the deal, from 1."""
    request: bytes
    legal: tuple[int, ...]
    recorded: ActEvent | FaultEvent


class Lost(NamedTuple):
    """The process was killed here; a new one is started for the next deal."""


Item = Dealt | Told | Asked | Lost

_RESTARTED = "its process is started again"  # in the detail of the one malformed line that ends a process


def conversation(lines: Sequence[Line], seat: int) -> Iterator[Item]:
    """The whole match as this seat lived it; raises Disagreement where the log is not what the rules give."""
    turn = 0
    for at, frame in enumerate(frames(lines), 1):
        if isinstance(frame.event, DealEvent):
            turn = 0
        yield from _heard(frame, seat)
        following = lines[at].event if at < len(lines) else None
        if isinstance(following, ActEvent | FaultEvent) and following.seat == seat and _is_turn(following):
            turn += 1
            yield _asked(frame, turn, following)


def first_id(items: Iterable[Item]) -> int:
    """The id of the first turn. It is known if the first process committed a fault, which has its id; else it is 1."""
    turns = 0
    for item in items:
        if isinstance(item, Lost):
            break
        if isinstance(item, Asked):
            turns += 1
            if isinstance(item.recorded, FaultEvent) and item.recorded.id is not None:
                return item.recorded.id - turns + 1
    return 1


def _is_turn(event: ActEvent | FaultEvent) -> bool:
    return isinstance(event, ActEvent) or event.kind != "start"


def _heard(frame: Frame, seat: int) -> Iterator[Item]:
    event, told = frame.event, [tell.line for tell in frame.told if tell.seat == seat]
    if isinstance(event, MatchEvent) and frame.deal is not None:
        yield Dealt(1, told.pop(0))
    elif isinstance(event, DealEvent) and event.deal > 1:
        yield Dealt(event.deal, _introduction(frame, seat))
    elif isinstance(event, FaultEvent) and event.seat == seat and _is_turn(event):
        if event.kind in KILLING or _RESTARTED in event.detail:
            yield Lost()
            return
        yield Told(_told_of(event))
    for line in told:
        yield Told(line)


def _introduction(frame: Frame, seat: int) -> bytes:
    header = frame.match.header
    seed = bot_seed(header.seed, header.leg, seat)
    return view.match_begins(header.match, header.rules.match_target, seed, frame.match.score, seat).line


def _told_of(fault: FaultEvent) -> bytes:
    legal = [WIRE_ACTIONS[action(words)] for words in fault.legal]
    return codec.encode(FaultMessage(fault.kind, fault.id, fault.detail, legal))


def _asked(frame: Frame, turn: int, recorded: ActEvent | FaultEvent) -> Asked:
    match, deal = frame.match, frame.deal
    assert deal is not None
    bank_us = match.banks[deal.seat].left_us
    legal = deal.legal()
    request = view.request(deal, legal, match.header.clock.move_ms, None if bank_us is None else bank_us // 1000)
    return Asked(match.number, turn, request, legal, recorded)
