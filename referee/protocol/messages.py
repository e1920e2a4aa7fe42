"""The messages of protocol version 1, as `protocol.md` defines them. Field order here is field order on the wire."""

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from referee.rules.cards import ACTIONS, CARDS
from referee.rules.ruleset import Rules

PROTOCOL = 1
GAME = "sixty-six"

Who = Literal["you", "opponent"]
Phase = Literal["lead", "follow", "draw"]
FaultKind = Literal["start", "malformed", "illegal", "timeout", "crash", "flood"]
Suit = Literal["C", "D", "H", "S"]
if TYPE_CHECKING:
    Card = str
else:
    Card = Literal[CARDS]
Note = Annotated[str, msgspec.Meta(max_length=1000)]


class Both(msgspec.Struct, frozen=True, gc=False):
    """A number for each side, as the reader sees them."""

    you: int
    opponent: int


# What may be done. In a turn's `legal` they stand without an id; in an answer with it.


class Play(msgspec.Struct, tag_field="action", tag="play", frozen=True, gc=False):
    card: Card


class Marriage(msgspec.Struct, tag_field="action", tag="marriage", frozen=True, gc=False):
    suit: Suit


class Exchange(msgspec.Struct, tag_field="action", tag="exchange", frozen=True, gc=False):
    pass


class Close(msgspec.Struct, tag_field="action", tag="close", frozen=True, gc=False):
    pass


class Declare(msgspec.Struct, tag_field="action", tag="declare", frozen=True, gc=False):
    pass


class Draw(msgspec.Struct, tag_field="action", tag="draw", frozen=True, gc=False):
    pass


LegalAction = Play | Marriage | Exchange | Close | Declare | Draw

# The wire form of every action, by its number in `referee.rules.cards`.
WIRE_ACTIONS: tuple[LegalAction, ...] = (
    *(Play(name) for name in CARDS),
    *(Marriage(suit) for suit in ("C", "D", "H", "S")),
    Exchange(),
    Close(),
    Declare(),
    Draw(),
)
assert len(WIRE_ACTIONS) == len(ACTIONS)


# Referee to bot


class ClockLimits(msgspec.Struct, frozen=True):
    """Milliseconds; null is no limit."""

    start_ms: int
    move_ms: int | None
    match_ms: int | None


class Hello(msgspec.Struct, tag_field="type", tag="hello", frozen=True):
    """The first line a process is sent; it answers `ready`."""

    protocol: int
    game: str
    rules: Rules
    clock: ClockLimits


class MatchMessage(msgspec.Struct, tag_field="type", tag="match", frozen=True):
    """A new match: forget what was before."""

    match: str
    target: int
    seed: int
    score: Both


class DealMessage(msgspec.Struct, tag_field="type", tag="deal", frozen=True):
    deal: int
    dealer: Who
    hand: list[Card]
    trump_card: Card
    score: Both


class ActionMessage(msgspec.Struct, tag_field="type", tag="action", frozen=True, omit_defaults=True, gc=False):
    """What the opponent did."""

    by: Who
    action: Literal["play", "marriage", "exchange", "close", "declare"]
    card: Card | None = None
    suit: Suit | None = None


class TrickMessage(msgspec.Struct, tag_field="type", tag="trick", frozen=True):
    """A finished trick, its cards in the order played."""

    winner: Who
    cards: list[Card]
    card_points: int


class DrawMessage(msgspec.Struct, tag_field="type", tag="draw", frozen=True, gc=False):
    """Your new card; the opponent's is not shown."""

    card: Card


class Turn(msgspec.Struct, tag_field="type", tag="turn"):
    """A request for one action; complete in itself. `card_points` is there only under the rule `running_totals`."""

    id: int
    phase: Phase
    hand: list[Card]
    trump: Suit
    trump_card: Card | None
    stock: int
    closed_by: Who | None
    led: Card | None
    legal: list[LegalAction]
    move_ms: int | None
    match_ms: int | None
    card_points: Both | msgspec.UnsetType = msgspec.UNSET


class DealEndMessage(msgspec.Struct, tag_field="type", tag="deal_end", frozen=True):
    deal: int
    winner: Who | None
    game_points: int
    reason: str
    card_points: Both
    score: Both


class MatchEndMessage(msgspec.Struct, tag_field="type", tag="match_end", frozen=True):
    winner: Who | None
    reason: str
    score: Both


class FaultMessage(msgspec.Struct, tag_field="type", tag="fault", frozen=True):
    """What you did wrong; a `deal_end` follows. `id` is null when no turn was open."""

    kind: FaultKind
    id: int | None
    detail: str
    legal: list[LegalAction]


class Bye(msgspec.Struct, tag_field="type", tag="bye", frozen=True):
    """Finish; stdin is closed after it."""


ToBot = (
    Hello
    | MatchMessage
    | DealMessage
    | ActionMessage
    | TrickMessage
    | DrawMessage
    | Turn
    | DealEndMessage
    | MatchEndMessage
    | FaultMessage
    | Bye
)


# Bot to referee


class Ready(msgspec.Struct, tag_field="type", tag="ready", frozen=True):
    """The answer to `hello`. Name and version are for display only."""

    name: str = ""
    version: str = ""
    close_before_draw: bool = False
    protocol: int = PROTOCOL


class PlayAnswer(msgspec.Struct, tag_field="action", tag="play", frozen=True, gc=False):
    id: int
    card: Card
    note: Note | None = None


class MarriageAnswer(msgspec.Struct, tag_field="action", tag="marriage", frozen=True, gc=False):
    id: int
    suit: Suit
    note: Note | None = None


class ExchangeAnswer(msgspec.Struct, tag_field="action", tag="exchange", frozen=True, gc=False):
    id: int
    note: Note | None = None


class CloseAnswer(msgspec.Struct, tag_field="action", tag="close", frozen=True, gc=False):
    id: int
    note: Note | None = None


class DeclareAnswer(msgspec.Struct, tag_field="action", tag="declare", frozen=True, gc=False):
    id: int
    note: Note | None = None


class DrawAnswer(msgspec.Struct, tag_field="action", tag="draw", frozen=True, gc=False):
    id: int
    note: Note | None = None


Answer = PlayAnswer | MarriageAnswer | ExchangeAnswer | CloseAnswer | DeclareAnswer | DrawAnswer
