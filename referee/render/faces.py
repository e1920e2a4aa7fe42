"""Cards and sentences as styled text for terminals: `A♠` in colour where there is Unicode, `AS` where there is not."""

from collections.abc import Iterable

from rich.text import Text

from referee.render.words import SUIT_NAMES, Card, Part, Seat, Suit

SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "?": "?"}
_STYLES = {"D": "red", "H": "red", "?": "dim"}


class Faces:
    """How one terminal shows cards and names; `names` are the bots' names, made safe, by seat."""

    def __init__(self, names: tuple[str, str], unicode: bool = True) -> None:
        self.names = names
        self.unicode = unicode

    def card(self, card: str) -> Text:
        """One card, two cells wide."""
        rank, suit = card[0], card[1]
        return Text(rank + (SYMBOLS[suit] if self.unicode else suit), style=_STYLES.get(suit, ""))

    def suit(self, suit: str) -> Text:
        return Text(SYMBOLS[suit] if self.unicode else suit, style=_STYLES.get(suit, ""))

    def suit_name(self, suit: str) -> Text:
        """A suit in words, with its symbol."""
        return Text(SUIT_NAMES[suit] + " ").append_text(self.suit(suit))

    def cards(self, cards: Iterable[str], sep: str = " ") -> Text:
        return Text(sep).join(self.card(card) for card in cards)

    def box(self, card: str, style: str = "") -> list[Text]:
        """A card as three lines of four cells; one that lies face down shows its back."""
        top, bottom, side = ("┌──┐", "└──┘", "│") if self.unicode else ("+--+", "+--+", "|")
        face = self.card(card) if card != "??" else Text("░░" if self.unicode else "##", style="dim")
        middle = Text.assemble((side, style), Text(face.plain, style=f"bold {face.style}"), (side, style))
        return [Text(top, style=style), middle, Text(bottom, style=style)]

    def fit(self, text: Text, width: int) -> Text:
        """The text in exactly so many cells."""
        text = text.copy()
        text.truncate(width, overflow="ellipsis" if self.unicode else "crop", pad=True)
        return text

    def sentence(self, parts: Iterable[Part]) -> Text:
        """A sentence of `words`, with names and cards put in."""
        text = Text()
        for part in parts:
            text.append_text(self._part(part))
        return text

    def _part(self, part: Part) -> Text:
        if isinstance(part, Seat):
            return Text(self.names[part.seat], style="bold")
        if isinstance(part, Card):
            return self.card(part.card)
        return self.suit(part.suit) if isinstance(part, Suit) else Text(part)


def by_suit(cards: Iterable[str], trump: str) -> list[str]:
    """A hand as people hold it: by suit, trumps first, high cards first; the input's order decides nothing."""
    suits = trump + "".join(suit for suit in "SHCD" if suit != trump)
    return sorted(cards, key=lambda card: (suits.find(card[1]), -"?9JQKTA".find(card[0])))
