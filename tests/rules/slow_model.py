"""A second model of the rules: slow, plain, and written from the rule text alone.

The engine is compared with it, so the two must not share ideas. Here a deal is its start and the log of its actions,
and nothing else is remembered: hands, tricks, totals, and who was first to 66 are all worked out from the log again.
Cards are strings such as "AS", hands are sets of them. Numbers in brackets (R7) are those of the rules page.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

RANKS = "9JQKTA"  # rising: the ten lies above the king
SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
VALUE = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
PERFT = Path(__file__).parent / "perft.json"
LETTERS = "AB"  # seat 0 and seat 1 in the worked positions

Entry = tuple[int, str]  # seat, action
Trick = tuple[int, str, str]  # winner, card led, card answered
Outcome = tuple[int | None, int, str, tuple[int, int]]  # winner, game points, reason, card points


# ---------------------------------------------------------------- cards


def value(*cards: str) -> int:
    """Card points of these cards."""
    return sum(VALUE[card[0]] for card in cards)


def beats(answer: str, led: str, trump: str) -> bool:
    """R3: the higher card of the suit led wins, unless there is a trump."""
    if answer[1] == led[1]:
        return RANKS.index(answer[0]) > RANKS.index(led[0])
    return answer[1] == trump


def strict_answers(hand: set[str], led: str, trump: str) -> set[str]:
    """R7: follow and beat; else follow; else trump; else anything."""
    follow = {card for card in hand if card[1] == led[1]}
    higher = {card for card in follow if beats(card, led, trump)}
    trumps = {card for card in hand if card[1] == trump}
    return higher or follow or trumps or set(hand)


def price(loser_tricks: int, loser_points: int) -> int:
    """R18: what a win is worth; tricks are counted as tricks, so two nines are one."""
    if loser_tricks == 0:
        return 3
    return 2 if loser_points <= 32 else 1


# ---------------------------------------------------------------- where a deal begins


@dataclass(frozen=True)
class Start:
    """What lies on the table before the first action of the log."""

    hands: tuple[frozenset[str], frozenset[str]]
    pile: tuple[str, ...]  # cards left to draw, top first; the last one is the face-up trump card
    trump: str
    leader: int
    won: tuple[Trick, ...] = ()
    announced: tuple[tuple[int, str], ...] = ()  # seat, suit
    pending: bool = False  # the leader has just won a trick, and nobody has drawn


def start_from_deck(deck: Sequence[str], dealer: int) -> Start:
    """R1: three, three, three, three; card 13 is the trump card and lies under cards 14-24."""
    if sorted(deck) != sorted(PACK):
        raise ValueError("a deck is each of the 24 cards once")
    forehand = 1 - dealer
    hands = {
        forehand: frozenset([*deck[0:3], *deck[6:9]]),
        dealer: frozenset([*deck[3:6], *deck[9:12]]),
    }
    return Start(
        hands=(hands[0], hands[1]),
        pile=(*deck[13:24], deck[12]),
        trump=deck[12][1],
        leader=forehand,
    )


def start_from_position(position: Mapping[str, Any]) -> Start:
    """A worked position: strings of cards, seats A and B, A leads unless it says otherwise."""
    trump_card = [position["up"]] if position["up"] else []
    return Start(
        hands=(frozenset(position["A"].split()), frozenset(position["B"].split())),
        pile=(*position["stock"].split(), *trump_card),
        trump=position["trump"],
        leader=LETTERS.index(position.get("lead", "A")),
        won=_tricks_of(position.get("won", {})),
        announced=tuple(
            (LETTERS.index(who), suit) for who, suits in position.get("marr", {}).items() for suit in suits
        ),
        pending=position.get("pending", False),
    )


def _tricks_of(won: Mapping[str, str]) -> tuple[Trick, ...]:
    """The tricks of a worked position; their order of play is not known."""
    return tuple(
        (LETTERS.index(who), first, second)
        for who, pairs in won.items()
        for first, second in (pair.split("+") for pair in pairs.split())
    )


def check_start(start: Start) -> None:
    """Refuse a position that no deal can reach, or whose outcome its description cannot tell."""
    in_tricks = [card for _, first, second in start.won for card in (first, second)]
    if sorted([*start.hands[0], *start.hands[1], *start.pile, *in_tricks]) != sorted(PACK):
        raise ValueError("a position has each of the 24 cards once")
    if len(start.hands[0]) != len(start.hands[1]) or len(start.pile) % 2:
        raise ValueError("between tricks both hands are of one size and the stock is even")
    if start.pile and len(start.hands[0]) != (5 if start.pending else 6):
        raise ValueError("with an open stock a hand has six cards, or five before the draw")
    deal = SlowDeal(start)
    if start.pile and min(deal.points(0), deal.points(1)) >= 66:
        raise ValueError("both have 66 and R23 may ask who was first: the position does not tell")


# ---------------------------------------------------------------- the deal


@dataclass(frozen=True)
class SlowDeal:
    """A deal at one moment: where it began and what was done since. An action makes a new one."""

    start: Start
    log: tuple[Entry, ...] = ()

    @classmethod
    def new(cls, deck: Sequence[str], dealer: int) -> SlowDeal:
        """R1, R3: a fresh deal, forehand to lead."""
        return cls(start_from_deck(deck, dealer))

    @classmethod
    def from_position(cls, position: Mapping[str, Any]) -> SlowDeal:
        """One of the positions of scenarios.json; A is seat 0, B is seat 1."""
        start = start_from_position(position)
        check_start(start)
        return cls(start)

    def apply(self, action: str) -> SlowDeal:
        """The deal after the seat to act has done this."""
        if self.seat is None or action not in self.legal():
            raise ValueError(f"{action!r} is not legal in phase {self.phase}")
        return SlowDeal(self.start, (*self.log, (self.seat, action)))

    # ------------------------------------------------ what the log tells

    @property
    def actions(self) -> list[str]:
        """All actions since the start, without the seats."""
        return [action for _, action in self.log]

    @cached_property
    def plays(self) -> list[Entry]:
        """Seat and card of every card played since the start."""
        return [(seat, action.split()[1]) for seat, action in self.log if action.startswith("play ")]

    @cached_property
    def all_tricks(self) -> list[Trick]:
        """R3: every two cards are a trick; the answer wins it if it beats the lead."""
        tricks = list(self.start.won)
        for (leader, led), (follower, answer) in zip(self.plays[0::2], self.plays[1::2], strict=False):
            winner = follower if beats(answer, led, self.trump) else leader
            tricks.append((winner, led, answer))
        return tricks

    @cached_property
    def marriages(self) -> list[tuple[int, str]]:
        """Seat and suit of every marriage announced, whether it counts yet or not."""
        since = [(seat, action.split()[1]) for seat, action in self.log if action.startswith("marriage ")]
        return [*self.start.announced, *since]

    @cached_property
    def _holdings(self) -> tuple[set[str], set[str], list[str]]:
        """Both hands and the cards left to draw, from walking through the log."""
        hands, pile = [set(hand) for hand in self.start.hands], list(self.start.pile)
        for seat, action in self.log:
            if action.startswith("play "):
                hands[seat].remove(action.split()[1])
            elif action == "draw":  # R5: the winner first, and in the end the loser gets what lies face up
                hands[seat].add(pile.pop(0))
                hands[1 - seat].add(pile.pop(0))
            elif action == "exchange":  # R9: the nine takes the place of the trump card
                hands[seat].remove("9" + self.trump)
                hands[seat].add(pile[-1])
                pile[-1] = "9" + self.trump
        return hands[0], hands[1], pile

    @property
    def trump(self) -> str:
        """The trump suit; it outlives the trump card."""
        return self.start.trump

    def hand(self, seat: int) -> set[str]:
        """The cards this seat holds."""
        return set(self._holdings[seat])

    @property
    def stock_cards(self) -> list[str]:
        """The cards left to draw, top first, the trump card last; closing leaves them where they are."""
        return list(self._holdings[2])

    @property
    def stock(self) -> int:
        """How many cards are left to draw, the trump card included; after closing it stays what it was."""
        return len(self._holdings[2])

    @property
    def trump_card(self) -> str | None:
        """The card under the stock as it lies now; None once it was drawn."""
        return self._holdings[2][-1] if self._holdings[2] else None

    @cached_property
    def closed_by(self) -> int | None:
        """The seat that closed, if one did."""
        return next((seat for seat, action in self.log if action == "close"), None)

    @property
    def stock_is_open(self) -> bool:
        """Neither closed nor exhausted."""
        return self.closed_by is None and self.stock > 0

    @property
    def led(self) -> str | None:
        """The card on the table that waits for an answer."""
        return self.plays[-1][1] if len(self.plays) % 2 else None

    @property
    def promised(self) -> str | None:
        """R10: the suit just announced, whose king or queen must be led, also when closing comes in between."""
        for action in reversed(self.actions):
            if action.startswith("marriage "):
                return action.split()[1]
            if action.startswith("play "):
                return None
        return None

    def tricks(self, seat: int) -> int:
        """R18: how many tricks this seat has won, whatever they are worth."""
        return len([winner for winner, _, _ in self.all_tricks if winner == seat])

    def points(self, seat: int) -> int:
        """R17: tricks won, and marriages once a trick has been won; not the table, not the ten for the last trick."""
        if self.tricks(seat) == 0:
            return 0  # R11: an opening marriage waits, whatever else happens
        in_tricks = sum(value(led, answer) for winner, led, answer in self.all_tricks if winner == seat)
        in_marriages = sum(40 if suit == self.trump else 20 for who, suit in self.marriages if who == seat)
        return in_tricks + in_marriages

    # ------------------------------------------------ whose turn, and for what

    @cached_property
    def phase(self) -> str:
        """What is to be decided: "lead", "follow" or "draw", or "over"."""
        if not self.log:
            return "draw" if self.start.pending else "lead"
        last = self.actions[-1]
        if last == "declare":
            return "over"
        if not last.startswith("play "):
            return "lead"  # R9, R10, R14: after exchange, marriage, close and draw the same player leads
        if self.led is not None:
            return "follow"
        if not self.hand(0) and not self.hand(1):
            return "over"
        return "draw" if self.stock_is_open else "lead"

    @cached_property
    def seat(self) -> int | None:
        """The seat to act, None when the deal is over."""
        if self.phase == "over":
            return None
        if not self.log:
            return self.start.leader
        if self.led is not None:
            return 1 - self.plays[-1][0]
        if self.actions[-1].startswith("play "):
            return self.all_tricks[-1][0]  # R6: the winner of a trick leads to the next
        return self.log[-1][0]

    def legal(self) -> set[str]:
        """Every legal action; R16: declaring is one of them at any decision."""
        if self.seat is None:
            return set()
        if self.phase == "draw":
            return {"draw", "declare"} | self._closing()
        if self.phase == "follow":
            return self._answers() | {"declare"}
        return self._leads() | self._exchange() | self._announcements() | self._closing() | {"declare"}

    def _answers(self) -> set[str]:
        """R4, R7: any card while the stock is open, else strict play."""
        assert self.seat is not None and self.led is not None
        hand = self.hand(self.seat)
        cards = hand if self.stock_is_open else strict_answers(hand, self.led, self.trump)
        return {"play " + card for card in cards}

    def _leads(self) -> set[str]:
        """R3, R10: any card, but after announcing only the king or the queen of that suit."""
        assert self.seat is not None
        if self.promised is not None:
            return {"play K" + self.promised, "play Q" + self.promised}
        return {"play " + card for card in self.hand(self.seat)}

    def _exchange(self) -> set[str]:
        """R9: a leader with a trick and the trump nine, before announcing and closing, while the trump card lies."""
        assert self.seat is not None
        may = self.stock_is_open and self.promised is None and self.tricks(self.seat) > 0
        return {"exchange"} if may and "9" + self.trump in self.hand(self.seat) else set()

    def _announcements(self) -> set[str]:
        """R10, R12: king and queen in hand, stock open (also on the lead to trick six), one per lead."""
        assert self.seat is not None
        if not self.stock_is_open or self.promised is not None:
            return set()
        return {"marriage " + suit for suit in SUITS if {"K" + suit, "Q" + suit} <= self.hand(self.seat)}

    def _closing(self) -> set[str]:
        """R13, R14: once, while a face-down card is left above the trump card; before the draw or on lead."""
        face_down = self.stock_cards[:-1]
        return {"close"} if self.closed_by is None and face_down else set()

    # ------------------------------------------------ how it ended

    @cached_property
    def outcome(self) -> Outcome | None:
        """Winner (None for a tie), game points, reason, and the card points the deal ended with."""
        if self.phase != "over":
            return None
        if self.actions[-1] == "declare":
            return self._after_declaration(self.log[-1][0])
        if self.closed_by is not None:
            return self._after_closed_play(self.closed_by)
        return self._after_open_play()

    def _after_declaration(self, me: int) -> Outcome:
        """R18-R22, in an open, an exhausted or a closed deal."""
        other = 1 - me
        points = (self.points(0), self.points(1))
        if points[me] >= 66 and self.closed_by == other:  # R21: the closer's points do not matter
            return me, self._price_of_failed_close(), "declared", points
        if points[me] >= 66:  # R18, and R20 for the closer: on the opponent's whole deal, as it is now
            return me, price(self.tricks(other), points[other]), "declared", points
        if self.closed_by == me:  # R21, not R19: what counts is when the stock was closed
            return other, self._price_of_failed_close(), "closer_failed", points
        # R19 in an open deal, R22 against the closer: both look at the winner's tricks now.
        return other, 3 if self.tricks(other) == 0 else 2, "false_declaration", points

    def _after_closed_play(self, closer: int) -> Outcome:
        """R23, R15: no ten; the closer has made it if he had 66 before the opponent had."""
        other = 1 - closer
        points = (self.points(0), self.points(1))
        if self._first_to_66() == closer:
            return closer, price(self.tricks(other), points[other]), "closer_made_it", points
        return other, self._price_of_failed_close(), "closer_failed", points

    def _after_open_play(self) -> Outcome:
        """R24, R25: ten for the last trick, counted before anything is compared or priced."""
        last_winner = self.all_tricks[-1][0]
        total = [self.points(seat) + (10 if seat == last_winner else 0) for seat in (0, 1)]
        points = (total[0], total[1])
        if points[0] == points[1]:
            return None, 0, "tie", points
        winner = 0 if points[0] > points[1] else 1
        loser = 1 - winner
        return winner, price(self.tricks(loser), points[loser]), "played_out", points

    def _price_of_failed_close(self) -> int:
        """R21: 3 if the closer's opponent had no trick when the stock was closed, whatever he won later."""
        assert self.closed_by is not None
        when_closed = SlowDeal(self.start, self.log[: self.actions.index("close")])
        return 3 if when_closed.tricks(1 - self.closed_by) == 0 else 2

    def _first_to_66(self) -> int | None:
        """R23: looks at the totals after every action, from long before the closing on.

        No action can lift both totals, so the two seats never arrive together.
        """
        for length in range(len(self.log) + 1):
            moment = SlowDeal(self.start, self.log[:length])
            for seat in (0, 1):
                if moment.points(seat) >= 66:
                    return seat
        return None


# ---------------------------------------------------------------- worked positions


def load_scenarios() -> dict[str, Any]:
    """The worked positions and scenarios beside this file."""
    data: dict[str, Any] = json.loads((Path(__file__).parent / "scenarios.json").read_text(encoding="utf-8"))
    return data


def read_step(step: str) -> tuple[int, str, bool]:
    """Seat, action, and whether it must be accepted, of a step such as "A:!marry C" or "B:follow 9H"."""
    who, act = step.split(":")
    accepted = not act.startswith("!")
    word, *rest = act.lstrip("!").split()
    words = {"lead": "play", "follow": "play", "marry": "marriage"}
    return LETTERS.index(who), " ".join([words.get(word, word), *rest]), accepted


# ---------------------------------------------------------------- counting


@dataclass(frozen=True)
class Perft:
    """Counts over all legal action sequences up to some depth."""

    counts: list[int]  # counts[d - 1]: sequences of exactly d actions
    ends: dict[str, int]  # "winner game_points reason" ("-" for nobody): deals that ended within the depth
    card_points: list[int]  # per seat, summed over these ended deals


def perft(deal: SlowDeal, depth: int) -> Perft:
    """Count what can happen from here; a deal that has ended has no longer sequences."""
    counts: list[int] = []
    ends: Counter[str] = Counter()
    card_points = [0, 0]
    level = [deal]
    while level and len(counts) < depth:
        level = [before.apply(action) for before in level for action in sorted(before.legal())]
        for outcome in (after.outcome for after in level):
            if outcome is not None:
                winner, game_points, reason, points = outcome
                ends[f"{'-' if winner is None else winner} {game_points} {reason}"] += 1
                card_points = [card_points[0] + points[0], card_points[1] + points[1]]
        counts.append(len(level))
    while counts and counts[-1] == 0:
        counts.pop()
    return Perft(counts, dict(sorted(ends.items())), card_points)


def perft_start(case: Mapping[str, Any]) -> SlowDeal:
    """Where a case of perft.json begins: a deck or a worked position, and actions that came after it."""
    if "deck" in case:
        deal = SlowDeal.new(case["deck"].split(), case["dealer"])
    else:
        deal = SlowDeal.from_position(load_scenarios()["positions"][case["position"]])
    for action in case.get("after", []):
        deal = deal.apply(action)
    return deal


def load_perft() -> dict[str, Any]:
    """The cases of perft.json and what this model counted."""
    data: dict[str, Any] = json.loads(PERFT.read_text(encoding="utf-8"))
    return data


def recount() -> None:
    """Write perft.json again, from the cases in it; this takes a minute or two."""
    data = load_perft()
    for case in data["cases"]:
        result = perft(perft_start(case), case["depth"] + 1 if case["complete"] else case["depth"])
        case.update(counts=result.counts, ends=result.ends, card_points=result.card_points)
        assert len(result.counts) == case["depth"], case["id"]
    lines = ",\n".join("  " + json.dumps(case) for case in data["cases"])
    text = f'{{\n "note": {json.dumps(data["note"])},\n "cases": [\n{lines}\n ]\n}}\n'
    PERFT.write_text(text, encoding="utf-8")


# ---------------------------------------------------------------- random play


def random_action(deal: SlowDeal, rng: Random) -> str:
    """A legal action; the ones that end or shorten a deal are rare, the ones that seldom are legal are likely."""
    assert deal.seat is not None
    right = deal.points(deal.seat) >= 66
    weight = {"declare": 0.4 if right else 0.04, "close": 0.15, "exchange": 4.0, "marriage": 4.0, "draw": 3.0}
    actions = sorted(deal.legal())  # sorted: a set has no order that a seed could repeat
    return rng.choices(actions, [weight.get(action.split()[0], 1.0) for action in actions])[0]


def random_deal(rng: Random) -> SlowDeal:
    """A random deal played to its end."""
    deck = list(PACK)
    rng.shuffle(deck)
    deal = SlowDeal.new(deck, dealer=rng.randrange(2))
    while deal.seat is not None:
        deal = deal.apply(random_action(deal, rng))
    return deal


if __name__ == "__main__":
    recount()
