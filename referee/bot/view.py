"""What a bot's `choose` is given: the turn, and what a player with a good memory knows besides."""

from typing import NamedTuple

import msgspec

from referee.protocol.messages import Both, Phase, Suit, Who
from referee.rules.cards import Action
from referee.rules.ruleset import Rules


class Trick(NamedTuple):
    """A finished trick."""

    leader: Who
    led: str
    answer: str
    winner: Who
    card_points: int


class View(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One of your turns. Cards are two characters, rank and suit, as in the protocol; lists of them are sorted.

    `Both` has two numbers, `you` and `opponent`; wherever one side is named, it is "you" or "opponent".
    """

    # The turn as it was sent
    phase: Phase
    hand: tuple[str, ...]
    trump: Suit
    trump_card: str | None
    """As it lies face up now: the nine after an exchange, None once it was drawn."""
    stock: int
    """Cards left to draw, the trump card included; after closing it stays what it was."""
    closed_by: Who | None
    led: str | None
    """The card to be answered; None unless `phase` is "follow"."""
    legal: tuple[Action, ...]
    """Every legal action: return one of them, or its number in `referee.rules`."""
    move_ms: int | None
    match_ms: int | None

    # The match
    rules: Rules
    deal: int
    dealer: Who
    score: Both
    """Game points before this deal."""

    # Remembered from this deal
    tricks: tuple[Trick, ...]
    tricks_won: Both
    points: Both
    """Card points that count now: marriages only once a trick has been won [R11, R17]."""
    marriages: Both
    """Card points of the marriages announced, counting yet or not."""
    announced: Suit | None
    """You have just announced this marriage, and must lead from it."""
    first_there: Who | None
    """Who had 66 first: what a closed deal turns on when it is played out [R23]."""
    tricks_when_closed: Both
    """Tricks won when the stock was closed [R21]; 0 and 0 before."""
    opponent_cards: int
    """How many cards the opponent holds."""
    opponent_has: tuple[str, ...]
    """Cards that he must hold: the rest of a marriage, the trump card that he exchanged for or drew last."""
    opponent_lacks: tuple[str, ...]
    """Cards that he would have had to play, in strict play, if he had them [R7]."""
    unseen: tuple[str, ...]
    """Cards that he may hold or that lie face down, as far as you have seen; `opponent_has` is not among them."""

    @property
    def strict(self) -> bool:
        """Whether the follower must beat, follow or trump [R7]."""
        return self.closed_by is not None or self.stock == 0
