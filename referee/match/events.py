"""The vocabulary of the match log, format 1: one struct a line, field order as in the file.

The digest of a match covers every line but the last, without the volatile fields: what two runs of the same bots with
the same seed may differ in (times, notes, versions, the evidence of a fault).
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Annotated, Literal

import msgspec

from referee.match.clock import Clock
from referee.protocol.messages import FaultKind, Phase
from referee.rules.ruleset import Rules
from referee.rules.scoring import Reason

FORMAT = 1
Seat = Annotated[int, msgspec.Meta(ge=0, le=1)]
Micros = Annotated[int, msgspec.Meta(ge=0)]
Leg = Literal["a", "b"]
MatchReason = Literal["target", "start_fault", "void", "aborted"]


class SeatInfo(msgspec.Struct, omit_defaults=True):
    """`name` is the tournament's; `version`, and `says` if different from `name`, are the bot's own words."""

    name: str
    version: str = ""
    says: str = ""


class MatchEvent(msgspec.Struct, tag_field="type", tag="match", kw_only=True):
    """The first line. `seed` is the pair seed; `started` is UTC."""

    format: int = FORMAT
    match: str
    rules: Rules
    clock: Clock
    seed: str
    pair: int
    leg: Leg
    seats: tuple[SeatInfo, SeatInfo]
    first_dealer: Seat
    referee: str
    started: str


class DealEvent(msgspec.Struct, tag_field="type", tag="deal"):
    deal: int
    dealer: int
    deck: list[str]


class ActEvent(msgspec.Struct, tag_field="type", tag="act", omit_defaults=True, kw_only=True, gc=False):
    """What a seat chose, after `us` microseconds; `lag_us` is the referee's own delay, where it mattered."""

    deal: int
    seat: Seat
    phase: Phase
    action: Literal["play", "marriage", "exchange", "close", "declare", "draw"]
    card: str | None = None
    suit: str | None = None
    us: Micros
    lag_us: Micros = 0
    note: str = ""


class FaultEvent(msgspec.Struct, tag_field="type", tag="fault", omit_defaults=True, kw_only=True):
    """What a seat did wrong, with the evidence. Bot text in it is cut and escaped by whoever shows it."""

    deal: int
    seat: Seat
    kind: FaultKind
    phase: Phase | None = None
    us: Micros  # elapsed; 0 where there was no turn
    limit_us: Micros | None = None
    lag_us: Micros = 0
    detail: str = ""
    hint: str = ""
    id: int | None = None
    request: str = ""
    answer: str = ""
    answer_bytes: int = 0
    exit: str = ""
    stderr: str = ""
    legal: list[str] = []
    again: str = ""  # the command that plays this very match again


class DealEndEvent(msgspec.Struct, tag_field="type", tag="deal_end"):
    deal: int
    winner: int | None
    game_points: int
    reason: Reason
    card_points: tuple[int, int]
    tricks: tuple[int, int]
    score: tuple[int, int]


class MatchEndEvent(msgspec.Struct, tag_field="type", tag="match_end"):
    """The last line; a log without it is not complete."""

    winner: int | None
    reason: MatchReason
    score: tuple[int, int]
    deals: int
    digest: str


Event = MatchEvent | DealEvent | ActEvent | FaultEvent | DealEndEvent | MatchEndEvent
_encoder = msgspec.json.Encoder()
_UNTIMED = b',"us":'


def encode(event: Event) -> bytes:
    """One line of the log, with its newline."""
    return _encoder.encode(event) + b"\n"


def stable(event: Event, line: bytes) -> bytes:
    """The part of a line that the digest covers; `line` is `encode(event)`."""
    if type(event) is ActEvent or type(event) is FaultEvent:
        # All that is volatile comes after `us`. A bot cannot forge one: its quotes are escaped.
        return line[: line.index(_UNTIMED)] + b"}\n"
    if type(event) is MatchEvent:
        seats = [{"name": seat.name} for seat in event.seats]
        fields = {"type": "match", **msgspec.structs.asdict(event), "seats": seats}
        return _encoder.encode({k: v for k, v in fields.items() if k not in ("referee", "started")}) + b"\n"
    return line


class Digest:
    """SHA-256 over the stable parts of all lines so far."""

    def __init__(self) -> None:
        self._hash = sha256()

    def add(self, event: Event, line: bytes) -> None:
        """The next line; `line` is `encode(event)`."""
        self._hash.update(stable(event, line))

    def hex(self) -> str:
        return self._hash.hexdigest()


def digest_of(events: Iterable[Event]) -> str:
    """The digest of a whole match, its `match_end` left out."""
    digest = Digest()
    for event in events:
        if not isinstance(event, MatchEndEvent):
            digest.add(event, encode(event))
    return digest.hex()
