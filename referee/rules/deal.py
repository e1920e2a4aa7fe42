"""One deal: whose turn it is, what is legal, what an action does [R1-R25].

A `Deal` changes in place, as a chess board does; `copy` is cheap, for search. It is a state machine with four phases:

    phase      legal                                       leads to
    LEAD       play, marriage, exchange, close, declare    FOLLOW (play), LEAD (marriage, exchange, close), OVER
    FOLLOW     play, declare                               DRAWING (open stock), LEAD, OVER
    DRAWING    draw, close, declare                        LEAD, OVER
    OVER       nothing; `outcome` says how it ended

`apply` trusts its caller and is fast; ask `legal` first. Legal moves come as tuples of small integers
(`referee.rules.cards`), in a fixed order.
"""

from collections.abc import Sequence

from referee.rules.cards import (
    CARD_POINTS,
    CLOSE,
    DECLARE,
    DRAW,
    EXCHANGE,
    KING,
    MARRIAGE,
    NO_CARD,
    QUEEN,
    QUEENS,
    SUIT_MASK,
    SUIT_OF,
    cards_in,
    mask,
)
from referee.rules.ruleset import Rules
from referee.rules.scoring import Outcome, Reason, price

LEAD, FOLLOW, DRAWING, OVER = range(4)
PHASES = ("lead", "follow", "draw", "over")
NOBODY = -1
_DEFAULT = Rules()


class Deal:
    """A deal in play. Cards are numbers, hands are bit masks, seats are 0 and 1; `NOBODY` and `NO_CARD` are -1."""

    __slots__ = (
        "announced",
        "closed_by",
        "drawn",
        "first_there",
        "hands",
        "led",
        "marriages",
        "outcome",
        "phase",
        "rules",
        "seat",
        "talon",
        "trick_points",
        "tricks",
        "tricks_when_closed",
        "trump",
    )

    def __init__(self, deck: Sequence[int], dealer: int, rules: Rules = _DEFAULT) -> None:
        """Deal `deck` (24 cards, top first) [R1]: three to forehand, three to the dealer, and again."""
        forehand = 1 - dealer
        self.rules = rules
        self.hands = [0, 0]
        self.hands[forehand] = mask((*deck[0:3], *deck[6:9]))
        self.hands[dealer] = mask((*deck[3:6], *deck[9:12]))
        self.trump = SUIT_OF[deck[12]]
        self.talon = (*deck[13:24], deck[12])  # what is drawn, in order: the trump card comes last [R5]
        self.drawn = 0
        self.seat = forehand  # who must act [R3]
        self.phase = LEAD
        self.led = NO_CARD
        self.announced = NOBODY  # the suit of a marriage whose king or queen must now be led
        self.closed_by = NOBODY
        self.tricks_when_closed = [0, 0]
        self.tricks = [0, 0]
        self.trick_points = [0, 0]
        self.marriages = [0, 0]
        self.first_there = NOBODY  # who had 66 first [R23]
        self.outcome: Outcome | None = None

    @classmethod
    def at(
        cls,
        *,
        hands: tuple[int, int],
        talon: Sequence[int],
        trump: int,
        seat: int,
        phase: int = LEAD,
        tricks: tuple[int, int] = (0, 0),
        trick_points: tuple[int, int] = (0, 0),
        marriages: tuple[int, int] = (0, 0),
        led: int = NO_CARD,
        closed_by: int = NOBODY,
        tricks_when_closed: tuple[int, int] = (0, 0),
        rules: Rules = _DEFAULT,
    ) -> "Deal":
        """A deal in the middle, for search and for worked positions.

        `hands` are masks, `talon` what is left to draw (the trump card last), `seat` who must act. If both have 66 it
        cannot be known who was first; then it counts as nobody.
        """
        deal = object.__new__(cls)
        deal.rules, deal.trump, deal.talon, deal.drawn = rules, trump, tuple(talon), 0
        deal.hands, deal.tricks = list(hands), list(tricks)
        deal.trick_points, deal.marriages = list(trick_points), list(marriages)
        deal.seat, deal.phase, deal.led, deal.announced = seat, phase, led, NOBODY
        deal.closed_by, deal.tricks_when_closed = closed_by, list(tricks_when_closed)
        there = [seat for seat in (0, 1) if deal.points(seat) >= rules.declare_at]
        deal.first_there = there[0] if len(there) == 1 else NOBODY
        deal.outcome = None
        return deal

    def copy(self) -> "Deal":
        """An independent copy; costs about a microsecond."""
        new = object.__new__(Deal)
        new.rules, new.trump, new.talon, new.drawn = self.rules, self.trump, self.talon, self.drawn
        new.hands, new.tricks = self.hands.copy(), self.tricks.copy()
        new.trick_points, new.marriages = self.trick_points.copy(), self.marriages.copy()
        new.seat, new.phase, new.led, new.announced = self.seat, self.phase, self.led, self.announced
        new.closed_by, new.tricks_when_closed = self.closed_by, self.tricks_when_closed
        new.first_there, new.outcome = self.first_there, self.outcome
        return new

    # What can be asked of it

    @property
    def stock(self) -> int:
        """How many cards are left to draw, the trump card included; after closing it stays what it was."""
        return len(self.talon) - self.drawn

    @property
    def trump_card(self) -> int:
        """The face-up card as it lies now, or NO_CARD once it was drawn."""
        return self.talon[-1] if self.drawn < len(self.talon) else NO_CARD

    @property
    def strict(self) -> bool:
        """Whether the follower is bound by R7."""
        return self.closed_by >= 0 or self.drawn == len(self.talon)

    def points(self, seat: int) -> int:
        """Card points that count now: marriages only once a trick has been won; not the last-trick ten [R11, R17]."""
        return self.trick_points[seat] + self.marriages[seat] if self.tricks[seat] else 0

    def legal(self) -> tuple[int, ...]:
        """Every legal action of `seat`; declaring is offered whatever the totals are [R16]."""
        if self.phase == FOLLOW:
            cards = self._answers() if self.strict else cards_in(self.hands[self.seat])
            return (*cards, DECLARE) if self.rules.declare_when_following else cards
        if self.phase == LEAD:
            return self._leads()
        if self.phase == DRAWING:
            can_close = self.rules.close_before_draw and self.stock >= self.rules.close_min_stock
            return (DRAW, CLOSE, DECLARE) if can_close else (DRAW, DECLARE)
        return ()

    def apply(self, action: int) -> None:
        """Carry out a legal action of `seat`."""
        if action < MARRIAGE:
            if self.led < 0:
                self._lead(action)
            else:
                self._follow(action)
        elif action == DRAW:
            self._draw()
        elif action == DECLARE:
            self._declare()
        elif action == CLOSE:
            self._close()
        elif action == EXCHANGE:
            self._exchange()
        else:
            self._announce(action - MARRIAGE)

    def forfeit(self, loser: int) -> None:
        """End the deal by a fault of `loser`, at its top price."""
        self._end(1 - loser, self.rules.fault_points, "fault")

    # Legal moves

    def _leads(self) -> tuple[int, ...]:
        rules, hand, left = self.rules, self.hands[self.seat], len(self.talon) - self.drawn
        is_open = self.closed_by < 0
        end = (CLOSE, DECLARE) if is_open and left >= rules.close_min_stock else (DECLARE,)
        if self.announced >= 0:
            return (6 * self.announced + QUEEN, 6 * self.announced + KING, *end)
        if is_open and left:
            has_trick = self.tricks[self.seat] > 0
            if hand >> 6 * self.trump & 1 and (has_trick or not rules.exchange_needs_trick):
                end = (EXCHANGE, *end)
            pairs = hand & hand >> 1 & QUEENS
            if pairs and (rules.marriage_on_opening_lead or self.tricks != [0, 0]):
                end = (*(MARRIAGE + SUIT_OF[queen] for queen in cards_in(pairs)), *end)
        return cards_in(hand) + end

    def _answers(self) -> tuple[int, ...]:
        """Strict play [R7]: beat in the suit led, else follow it, else trump, else anything."""
        hand, led = self.hands[self.seat], self.led
        suit = SUIT_OF[led]
        following = hand & SUIT_MASK[suit]
        if following:
            beating = following >> led + 1 << led + 1
            return cards_in(beating if beating and self.rules.must_beat else following)
        return cards_in(hand & SUIT_MASK[self.trump] or hand)

    # What actions do

    def _lead(self, card: int) -> None:
        self.hands[self.seat] ^= 1 << card
        self.led = card
        self.announced = NOBODY
        self.seat = 1 - self.seat
        self.phase = FOLLOW

    def _follow(self, card: int) -> None:
        seat, led = self.seat, self.led
        self.hands[seat] ^= 1 << card
        if not self._beats(card, led):
            seat = 1 - seat
        self.led = NO_CARD
        self.seat = seat
        self.tricks[seat] += 1
        self.trick_points[seat] += CARD_POINTS[led] + CARD_POINTS[card]
        self._note_target(seat)
        if not self.hands[seat]:
            self._play_out(seat)
        elif self.closed_by < 0 and self.drawn < len(self.talon):
            self.phase = DRAWING
        else:
            self.phase = LEAD

    def _beats(self, card: int, led: int) -> bool:
        """Whether the answer `card` wins the trick [R3]."""
        suit, led_suit = SUIT_OF[card], SUIT_OF[led]
        return card > led if suit == led_suit else suit == self.trump

    def _draw(self) -> None:
        """The winner draws first [R5]; after trick six the loser gets the trump card as it then lies."""
        winner = self.seat
        self.hands[winner] |= 1 << self.talon[self.drawn]
        self.hands[1 - winner] |= 1 << self.talon[self.drawn + 1]
        self.drawn += 2
        self.phase = LEAD

    def _announce(self, suit: int) -> None:
        points = self.rules.trump_marriage_points if suit == self.trump else self.rules.marriage_points
        self.marriages[self.seat] += points
        self.announced = suit
        self._note_target(self.seat)

    def _exchange(self) -> None:
        """The nine goes under the stock, the trump card into the hand [R9]."""
        nine = 6 * self.trump
        self.hands[self.seat] ^= 1 << nine | 1 << self.talon[-1]
        self.talon = (*self.talon[:-1], nine)

    def _close(self) -> None:
        self.closed_by = self.seat
        self.tricks_when_closed = self.tricks.copy()
        self.phase = LEAD

    # How it ends

    def _note_target(self, seat: int) -> None:
        """Only the total of `seat` has just changed, so nobody can be tied for being first [R23]."""
        if self.first_there < 0 and self.points(seat) >= self.rules.declare_at:
            self.first_there = seat

    def _declare(self) -> None:
        declarer, other = self.seat, 1 - self.seat
        right = self.points(declarer) >= self.rules.declare_at
        if self.closed_by == other and right:
            self._end(declarer, self._failed_close(other), "declared")  # [R21]
        elif right:
            self._end(declarer, price(self.rules, self.tricks[other], self.points(other)), "declared")  # [R18, R20]
        elif self.closed_by == declarer:
            self._end(other, self._failed_close(declarer), "closer_failed")  # [R21]
        else:
            self._end(other, self._wrong_declaration(other), "false_declaration")  # [R19, R22]

    def _wrong_declaration(self, winner: int) -> int:
        rules = self.rules
        return rules.wrong_declaration_points if self.tricks[winner] else rules.wrong_declaration_trickless_points

    def _failed_close(self, closer: int) -> int:
        """What a failed closer pays: it counts whether the other had won a trick when the stock was closed."""
        rules = self.rules
        return rules.failed_close_points if self.tricks_when_closed[1 - closer] else rules.failed_close_trickless_points

    def _play_out(self, last: int) -> None:
        """All cards are played and nobody declared; `last` won the last trick [R15, R23-R25]."""
        closed, rules = self.closed_by >= 0, self.rules
        totals = [self.points(0), self.points(1)]
        totals[last] += rules.last_trick_points_when_closed if closed else rules.last_trick_points
        if closed:
            closer, other = self.closed_by, 1 - self.closed_by
            if self.first_there == closer:
                won = price(rules, self.tricks[other], totals[other])
                self._end(closer, won, "closer_made_it", totals)
            else:
                self._end(other, self._failed_close(closer), "closer_failed", totals)
        elif totals[0] == totals[1]:
            self._end(None, 0, "tie", totals)
        else:
            winner = 0 if totals[0] > totals[1] else 1
            loser = 1 - winner
            self._end(winner, price(rules, self.tricks[loser], totals[loser]), "played_out", totals)

    def _end(self, winner: int | None, game_points: int, reason: Reason, totals: Sequence[int] = ()) -> None:
        a, b = totals or (self.points(0), self.points(1))
        self.phase = OVER
        self.outcome = Outcome(winner, game_points, reason, (a, b), (self.tricks[0], self.tricks[1]))
