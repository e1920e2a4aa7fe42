"""A match as a list of moments: the table after each step, ready to be drawn by whoever likes to.

Every view of a match (text, terminal, HTML) draws these and nothing else. They are read off the machine that verifies
the log (`store.replay.frames`); here it is only copied, and masked where one seat's view is asked for.

A moment is one line of the log. A step that ends a trick shows both cards still on the table, and hands in which the
cards just drawn are already in place (`drawn` says which they are).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from referee.match.events import ActEvent, DealEndEvent, DealEvent, FaultEvent, MatchEndEvent, MatchEvent
from referee.match.view import hand_of
from referee.protocol.messages import DrawMessage, TrickMessage
from referee.render import words
from referee.render.words import Part
from referee.rules.cards import CARDS, NO_CARD, SUITS
from referee.rules.deal import NOBODY, OVER, Deal
from referee.store.matchlog import Line
from referee.store.replay import Frame, frames

HIDDEN = "??"  # a card that lies face down for the one who looks
Kind = Literal["deal", "act", "fault", "deal_end", "match_end"]
Hand = tuple[str, ...]


class Trick(NamedTuple):
    """A finished trick: the cards in the order played."""

    leader: int
    cards: tuple[str, str]
    winner: int
    points: int


class Marriage(NamedTuple):
    """An announced marriage and what it is worth (it counts only once its player has won a trick)."""

    seat: int
    suit: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The table after one step. Pairs are by seat; suits and cards are written as in the log."""

    deal: int  # 0 before the first deal
    step: int  # within the deal, without a gap: 0 is the cards as dealt
    line: int  # of the log, from 1
    kind: Kind
    seat: int | None = None  # who did it
    said: tuple[Part, ...]  # the step in words; see `words`
    dealer: int = 0
    score: tuple[int, int]  # game points
    hands: tuple[Hand, Hand] = ((), ())
    trump: str = ""
    trump_card: str | None = None  # as it lies; None once it was drawn
    stock: int = 0  # cards left to draw, the trump card included
    stock_cards: Hand = ()  # in the order in which they will be drawn
    closed_by: int | None = None
    table: tuple[tuple[int, str], ...] = ()  # (seat, card) in the order played
    trick: Trick | None = None  # the one that this step finished
    last_trick: Trick | None = None  # the latest finished one
    tricks: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)  # card points that count now
    marriages: tuple[Marriage, ...] = ()
    drawn: tuple[str | None, str | None] = (None, None)
    turn: int | None = None
    us: int | None = None  # how long the decision took
    note: str = ""  # the bot's own words
    fault: FaultEvent | None = None
    deal_end: DealEndEvent | None = None
    match_end: MatchEndEvent | None = None


def moments(lines: Sequence[Line], seat: int | None = None) -> Iterator[Moment]:
    """Every moment of a match; with `seat`, only what that seat was told. Raises Disagreement as `frames` does."""
    projector = _Projector(lines[0].event)
    for frame in frames(lines):
        moment = projector.show(frame)
        if moment is not None:
            yield moment if seat is None else seen_by(moment, seat)


class _Projector:
    """Carries from frame to frame what a `Deal` forgets: tricks as cards, marriages as suits, the score before."""

    def __init__(self, header: object) -> None:
        assert isinstance(header, MatchEvent)
        self.rules = header.rules
        self.score = (0, 0)
        self.step = -1
        self.dealer = 0
        self.table: list[tuple[int, str]] = []
        self.last: Trick | None = None
        self.marriages: list[Marriage] = []
        self.trump_card: str | None = None

    def show(self, frame: Frame) -> Moment | None:
        event = frame.event
        if isinstance(event, MatchEvent):
            return None  # nothing lies on the table yet
        if isinstance(event, DealEvent):
            return self._dealt(frame, event)
        self.step += 1
        if isinstance(event, ActEvent):
            return self._act(frame, event)
        if isinstance(event, FaultEvent):
            return self._picture(frame, "fault", words.fault(event), seat=event.seat, us=event.us or None, fault=event)
        return self._ended(frame, event)

    def _dealt(self, frame: Frame, event: DealEvent) -> Moment:
        self.step, self.dealer, self.last = 0, event.dealer, None
        self.table, self.marriages = [], []
        return self._picture(frame, "deal", words.dealt(event.dealer, event.deck[12]))

    def _act(self, frame: Frame, event: ActEvent) -> Moment:
        deal = frame.deal
        assert deal is not None
        trick = self._played(event, frame) if event.card else None
        worth = 0
        if event.suit:
            worth = self.rules.trump_marriage_points if SUITS[deal.trump] == event.suit else self.rules.marriage_points
            self.marriages.append(Marriage(event.seat, event.suit, worth))
        drawn = _drawn(frame)
        said = words.act(event, deal, self.rules, self.trump_card, worth)
        if trick is not None:
            said += words.taken(trick.winner, trick.points)
        said += words.drawn(drawn, deal.seat)  # the winner of the trick draws first, and is the next to act
        return self._picture(
            frame, "act", said, seat=event.seat, us=event.us, note=event.note, trick=trick, drawn=drawn
        )

    def _played(self, event: ActEvent, frame: Frame) -> Trick | None:
        """Lay a card on the table; the machine's own message says who won the trick, and what it was worth."""
        assert event.card is not None
        if event.phase == "lead":
            self.table = []
        self.table.append((event.seat, event.card))
        for tell in frame.told:
            if isinstance(tell.message, TrickMessage):
                (leader, led), (_, answer) = self.table
                winner = tell.seat if tell.message.winner == "you" else 1 - tell.seat
                self.last = Trick(leader, (led, answer), winner, tell.message.card_points)
                return self.last
        return None

    def _ended(self, frame: Frame, event: DealEndEvent | MatchEndEvent) -> Moment:
        self.score = event.score
        if isinstance(event, MatchEndEvent):
            return self._picture(frame, "match_end", words.match_end(event), match_end=event)
        assert frame.deal is not None
        said = words.deal_end(event, frame.deal, self.rules)
        return self._picture(frame, "deal_end", said, points=event.card_points, deal_end=event)

    def _picture(self, frame: Frame, kind: Kind, said: tuple[Part, ...], **more: object) -> Moment:
        deal = frame.deal
        fields: dict[str, object] = {} if deal is None else self._lies(deal)
        self.trump_card = None if deal is None else _card(deal.trump_card)
        number = 0 if deal is None else frame.match.number
        fields |= {"deal": number, "step": self.step, "line": frame.line, "kind": kind, "said": said}
        return Moment(**(fields | {"score": self.score} | more))  # type: ignore[arg-type]

    def _lies(self, deal: Deal) -> dict[str, object]:
        """What lies on the table, copied from the live deal."""
        return {
            "dealer": self.dealer,
            "hands": (tuple(hand_of(deal, 0)), tuple(hand_of(deal, 1))),
            "trump": SUITS[deal.trump],
            "trump_card": _card(deal.trump_card),
            "stock": deal.stock,
            "stock_cards": tuple(CARDS[card] for card in deal.talon[deal.drawn :]),
            "closed_by": None if deal.closed_by == NOBODY else deal.closed_by,
            "table": tuple(self.table),
            "last_trick": self.last,
            "tricks": (deal.tricks[0], deal.tricks[1]),
            "points": deal.outcome.card_points if deal.outcome else (deal.points(0), deal.points(1)),
            "marriages": tuple(self.marriages),
            "turn": None if deal.phase == OVER else deal.seat,
        }


def _card(card: int) -> str | None:
    return None if card == NO_CARD else CARDS[card]


def _drawn(frame: Frame) -> tuple[str | None, str | None]:
    """What each seat drew: the machine tells each of its own card."""
    new: list[str | None] = [None, None]
    for tell in frame.told:
        if isinstance(tell.message, DrawMessage):
            new[tell.seat] = tell.message.card
    return new[0], new[1]


def seen_by(moment: Moment, seat: int) -> Moment:
    """The moment with everything turned face down that `seat` was not told."""
    other = 1 - seat
    hands, new = list(moment.hands), list(moment.drawn)
    hands[other] = (HIDDEN,) * len(hands[other])
    new[other] = HIDDEN if new[other] else None
    hidden: dict[str, object] = {"hands": tuple(hands), "drawn": tuple(new), "stock_cards": _face_up(moment)}
    if new[other]:
        first = moment.turn or 0
        hidden["said"] = moment.said[: -len(words.drawn(moment.drawn, first))] + words.drawn((new[0], new[1]), first)
    if moment.seat == other:
        hidden |= {"us": None, "note": ""}
        if moment.fault is not None:
            hidden |= {"fault": None, "said": words.hidden_fault(other)}
    return replace(moment, **hidden)  # type: ignore[arg-type]


def _face_up(moment: Moment) -> Hand:
    """The stock as everybody sees it: face down, but for the trump card."""
    return (*(HIDDEN,) * (moment.stock - 1), moment.trump_card) if moment.trump_card else ()
