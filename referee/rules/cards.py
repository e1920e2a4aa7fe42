"""Cards and actions as small integers, and the words that people and the protocol use for them.

A card is `suit * 6 + rank`, so that within a suit the higher number is the higher card, and a hand is a bit mask of 24
bits. Masks are several times faster than sets of objects, and a whole hand is one dictionary key.
"""

from typing import NamedTuple

RANKS = "9JQKTA"
SUITS = "CDHS"
CARDS: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_POINTS: tuple[int, ...] = (0, 2, 3, 4, 10, 11) * 4
NO_CARD = -1

SUIT_OF: tuple[int, ...] = tuple(card // 6 for card in range(24))
SUIT_MASK: tuple[int, ...] = tuple(0b111111 << 6 * suit for suit in range(4))
QUEEN, KING = 2, 3
QUEENS = sum(1 << 6 * suit + QUEEN for suit in range(4))

_INDEX = {name: card for card, name in enumerate(CARDS)}

# Actions: 0-23 play that card, 24-27 announce the marriage of that suit, then the four that need no object.
MARRIAGE = 24
EXCHANGE, CLOSE, DECLARE, DRAW = 28, 29, 30, 31


class Action(NamedTuple):
    """An action in words: `kind` is play, marriage, exchange, close, declare or draw."""

    kind: str
    card: str | None = None
    suit: str | None = None

    def __str__(self) -> str:
        return " ".join(word for word in self if word)


ACTIONS: tuple[Action, ...] = (
    *(Action("play", card=name) for name in CARDS),
    *(Action("marriage", suit=suit) for suit in SUITS),
    Action("exchange"),
    Action("close"),
    Action("declare"),
    Action("draw"),
)
_ACTION_INDEX = {str(action): code for code, action in enumerate(ACTIONS)}
_CODES = {tuple(action): code for code, action in enumerate(ACTIONS)}


def card(name: str) -> int:
    """The number of a card such as `"AS"`; KeyError if there is none."""
    return _INDEX[name]


def action(text: str) -> int:
    """The number of an action such as `"play AS"`, `"marriage D"` or `"close"`; KeyError if there is none."""
    return _ACTION_INDEX[text]


def action_code(kind: str, card: str | None, suit: str | None) -> int:
    """The number of an action in words, as a log has them; KeyError if there is none."""
    return _CODES[kind, card, suit]


def mask(cards: list[int] | tuple[int, ...]) -> int:
    """The bit mask of some cards."""
    bits = 0
    for one in cards:
        bits |= 1 << one
    return bits


class _Cards(dict[int, tuple[int, ...]]):
    """From half a mask (12 bits, two suits) to its cards, filled in as halves are met."""

    def __init__(self, offset: int) -> None:
        super().__init__()
        self._offset = offset

    def __missing__(self, half: int) -> tuple[int, ...]:
        found = self[half] = tuple(self._offset + bit for bit in range(12) if half >> bit & 1)
        return found


# Two tables of at most 4,096 entries: one of whole masks would grow to 190,000 in a long run.
_LOW, _HIGH = _Cards(0), _Cards(12)


def cards_in(bits: int) -> tuple[int, ...]:
    """The cards of a mask, lowest number first."""
    return _LOW[bits & 0xFFF] + _HIGH[bits >> 12]


def names(cards: tuple[int, ...] | list[int]) -> list[str]:
    """Cards as people write them."""
    return [CARDS[one] for one in cards]
