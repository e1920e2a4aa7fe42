"""Everything that a seat is told, built here and nowhere else, from an allow-list.

Each function takes a deal and the seat that will read the message, and picks what the person on that chair would see:
own cards, the card led, the trump card, how many cards are left, who closed. Never the stock's order, the other hand,
the deal seed, running totals (unless the rules ask for them, for teaching) or whether a declaration would be right
[R8, R16].
"""

from functools import cache, lru_cache

import msgspec

from referee.protocol import codec
from referee.protocol.messages import (
    WIRE_ACTIONS,
    ActionMessage,
    Both,
    DealEndMessage,
    DealMessage,
    DrawMessage,
    MatchEndMessage,
    MatchMessage,
    Phase,
    ToBot,
    TrickMessage,
    Who,
)
from referee.rules.cards import ACTIONS, CARD_POINTS, CARDS, NO_CARD, SUITS, cards_in
from referee.rules.deal import Deal
from referee.rules.scoring import Outcome

_PHASES: tuple[Phase, ...] = ("lead", "follow", "draw")


class Tell(msgspec.Struct, frozen=True, gc=False):
    """Send `message` to `seat`; `line` is its encoded form."""

    seat: int
    message: ToBot
    line: bytes


def tell(seat: int, message: ToBot) -> Tell:
    """A message and its line."""
    return Tell(seat, message, codec.encode(message))


def phase_of(deal: Deal) -> Phase:
    """The phase as the protocol and the log call it."""
    return _PHASES[deal.phase]


def side(who: int | None, reader: int) -> Who | None:
    """A seat as its reader knows it; None for nobody."""
    if who is None or who < 0:
        return None
    return "you" if who == reader else "opponent"


def both(values: tuple[int, int] | list[int], reader: int) -> Both:
    """Two numbers by seat, as the reader sees them."""
    return Both(values[reader], values[1 - reader])


def hand_of(deal: Deal, seat: int) -> list[str]:
    """A hand in a fixed order, so that it says nothing about the order of the deck."""
    return [CARDS[card] for card in cards_in(deal.hands[seat])]


# The request of a turn is joined from pieces that were encoded once: it is most of what is sent, and building a `Turn`
# and encoding that costs three times as much. A test holds it against the encoded struct.

_PHASE = tuple(b',"phase":"%b","hand":[' % phase for phase in (b"lead", b"follow", b"draw"))
_TRUMP = tuple(b'],"trump":"%b","trump_card":' % suit.encode() for suit in SUITS)
_CARD = (*(b'"%b"' % name.encode() for name in CARDS), b"null")  # the last one is NO_CARD
_STOCK = tuple(b',"stock":%d,"closed_by":' % cards for cards in range(13))
_CLOSED_BY = (b'"you","led":', b'"opponent","led":', b'null,"led":')  # the last one is NOBODY
_LEGAL = tuple(msgspec.json.encode(action) for action in WIRE_ACTIONS).__getitem__


class _Hands(dict[int, bytes]):
    """From half a mask of cards, as in `cards_in`, to its JSON, each card with a comma before it."""

    def __init__(self, shift: int) -> None:
        super().__init__()
        self._shift = shift

    def __missing__(self, half: int) -> bytes:
        found = self[half] = b"".join(b"," + _CARD[card] for card in cards_in(half << self._shift))
        return found


_LOW, _HIGH = _Hands(0), _Hands(12)


@lru_cache(1024)
def _limits(move_ms: int | None, match_ms: int | None) -> bytes:
    return b'],"move_ms":%b,"match_ms":%b' % (msgspec.json.encode(move_ms), msgspec.json.encode(match_ms))


def request(deal: Deal, legal: tuple[int, ...], move_ms: int | None, match_ms: int | None) -> bytes:
    """The `turn` line for the seat whose decision it is, from behind its id; see `with_id`."""
    seat, closed_by, talon, drawn = deal.seat, deal.closed_by, deal.talon, deal.drawn
    hand = deal.hands[seat]
    stock = len(talon) - drawn
    end = b"}\n"
    if deal.rules.running_totals:
        totals = both((deal.points(0), deal.points(1)), seat)
        end = b',"card_points":' + msgspec.json.encode(totals) + end
    return b"".join(
        (
            _PHASE[deal.phase],
            (_LOW[hand & 0xFFF] + _HIGH[hand >> 12])[1:],
            _TRUMP[deal.trump],
            _CARD[talon[-1] if stock else NO_CARD],
            _STOCK[stock],
            _CLOSED_BY[closed_by if closed_by < 0 else closed_by ^ seat],
            _CARD[deal.led],
            b',"legal":[',
            b",".join(map(_LEGAL, legal)),
            _limits(move_ms, match_ms),
            end,
        )
    )


def with_id(number: int, behind: bytes) -> bytes:
    """The whole line of a request."""
    return b'{"type":"turn","id":%d%b' % (number, behind)


def match_begins(match: str, target: int, seed: int, score: list[int], seat: int) -> Tell:
    """A new match; `seed` is the reader's own."""
    return tell(seat, MatchMessage(match, target, seed, both(score, seat)))


def deal_dealt(deal: Deal, number: int, dealer: int, score: list[int], seat: int) -> Tell:
    """The start of a deal."""
    who: Who = "you" if dealer == seat else "opponent"
    hand, trump_card = hand_of(deal, seat), CARDS[deal.trump_card]
    return tell(seat, DealMessage(number, who, hand, trump_card, both(score, seat)))


# What is told of single actions, tricks and cards is the same over and over: encoded once, and by reader.

ACTION_SEEN: tuple[tuple[Tell, ...], ...] = tuple(
    tuple(
        tell(seat, ActionMessage("opponent", act.kind, act.card, act.suit))  # type: ignore[arg-type]
        for act in ACTIONS[:-1]
    )
    for seat in (0, 1)
)
"""By reader and action: what the other side has done. Drawing is not announced."""

CARD_DRAWN: tuple[tuple[Tell, ...], ...] = tuple(
    tuple(tell(seat, DrawMessage(name)) for name in CARDS) for seat in (0, 1)
)
"""By reader and card: the reader's own new card."""


@cache
def trick(led: int, answer: int, winner: int) -> tuple[Tell, Tell]:
    """A finished trick, for both seats."""
    cards, points = [CARDS[led], CARDS[answer]], CARD_POINTS[led] + CARD_POINTS[answer]
    mine, theirs = TrickMessage("you", cards, points), TrickMessage("opponent", cards, points)
    return (tell(0, theirs), tell(1, mine)) if winner else (tell(0, mine), tell(1, theirs))


def deal_ended(number: int, outcome: Outcome, score: list[int], seat: int) -> Tell:
    """The price of the deal; both totals are counted out on the table now."""
    winner, totals = side(outcome.winner, seat), both(outcome.card_points, seat)
    message = DealEndMessage(number, winner, outcome.game_points, outcome.reason, totals, both(score, seat))
    return tell(seat, message)


def match_ended(winner: int | None, reason: str, score: list[int], seat: int) -> Tell:
    """The end of the match."""
    return tell(seat, MatchEndMessage(side(winner, seat), reason, both(score, seat)))
