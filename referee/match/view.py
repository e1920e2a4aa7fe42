"""Everything that a seat is told, built here and nowhere else, from an allow-list.

Each function takes a deal and the seat that will read the message, and picks what the person on that chair would see:
own cards, the card led, the trump card, how many cards are left, who closed. Never the stock's order, the other hand,
the deal seed, running totals (unless the rules ask for them, for teaching) or whether a declaration would be right
[R8, R16].
"""

from referee.protocol.messages import (
    WIRE_ACTIONS,
    ActionMessage,
    Both,
    DealEndMessage,
    DealMessage,
    DrawMessage,
    MatchEndMessage,
    Phase,
    TrickMessage,
    Turn,
    Who,
)
from referee.rules.cards import ACTIONS, CARDS, NO_CARD, SUITS, cards_in
from referee.rules.deal import FOLLOW, LEAD, Deal
from referee.rules.scoring import Outcome

_PHASES: dict[int, Phase] = {LEAD: "lead", FOLLOW: "follow"}


def phase_of(deal: Deal) -> Phase:
    """The phase as the protocol and the log call it."""
    return _PHASES.get(deal.phase, "draw")


def side(who: int | None, reader: int) -> Who | None:
    """A seat as its reader knows it; None for nobody."""
    if who is None or who < 0:
        return None
    return "you" if who == reader else "opponent"


def _side(who: int, reader: int) -> Who:
    return "you" if who == reader else "opponent"


def both(values: tuple[int, int] | list[int], reader: int) -> Both:
    """Two numbers by seat, as the reader sees them."""
    return Both(values[reader], values[1 - reader])


def hand_of(deal: Deal, seat: int) -> list[str]:
    """A hand in a fixed order, so that it says nothing about the order of the deck."""
    return [CARDS[card] for card in cards_in(deal.hands[seat])]


def turn(deal: Deal, legal: tuple[int, ...], move_ms: int | None, match_ms: int | None) -> Turn:
    """The request to the seat whose decision it is; the driver fills in the id."""
    seat = deal.seat
    message = Turn(
        0,
        phase_of(deal),
        hand_of(deal, seat),
        SUITS[deal.trump],  # type: ignore[arg-type]
        None if deal.trump_card == NO_CARD else CARDS[deal.trump_card],
        deal.stock,
        side(deal.closed_by, seat),
        None if deal.led == NO_CARD else CARDS[deal.led],
        [WIRE_ACTIONS[action] for action in legal],
        move_ms,
        match_ms,
    )
    if deal.rules.running_totals:
        message.card_points = both((deal.points(0), deal.points(1)), seat)
    return message


def deal_dealt(deal: Deal, number: int, dealer: int, score: list[int], seat: int) -> DealMessage:
    """The start of a deal."""
    return DealMessage(number, _side(dealer, seat), hand_of(deal, seat), CARDS[deal.trump_card], both(score, seat))


# What the other side sees of an action; drawing is not announced.
ACTION_SEEN: tuple[ActionMessage, ...] = tuple(
    ActionMessage("opponent", act.kind, act.card, act.suit)  # type: ignore[arg-type]
    for act in ACTIONS[:-1]
)


def trick(cards: tuple[int, int], card_points: int, winner: int, seat: int) -> TrickMessage:
    """A finished trick, as both see it."""
    return TrickMessage(_side(winner, seat), [CARDS[cards[0]], CARDS[cards[1]]], card_points)


def drawn(card: int) -> DrawMessage:
    """The reader's own new card."""
    return DrawMessage(CARDS[card])


def deal_ended(number: int, outcome: Outcome, score: list[int], seat: int) -> DealEndMessage:
    """The price of the deal; both totals are counted out on the table now."""
    return DealEndMessage(
        number,
        side(outcome.winner, seat),
        outcome.game_points,
        outcome.reason,
        both(outcome.card_points, seat),
        both(score, seat),
    )


def match_ended(winner: int | None, reason: str, score: list[int], seat: int) -> MatchEndMessage:
    """The end of the match."""
    return MatchEndMessage(side(winner, seat), reason, both(score, seat))
