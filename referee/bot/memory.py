"""What a player knows of a deal, gathered from what the referee tells him.

Only from that, and never from what the bot answered: so it is right even if a recorded match is played to a bot that
would have acted otherwise. Its own actions are not told to a bot, but show in its next turn.
"""

from typing import Any

from referee.bot.view import Trick, View
from referee.protocol.messages import Both, Who
from referee.rules.cards import CARDS, RANKS, Action
from referee.rules.ruleset import Rules

_CARDS = frozenset(CARDS)


class Memory:
    """One deal; a new one is made for each `deal` message."""

    def __init__(self, rules: Rules, deal: dict[str, Any]) -> None:
        self._rules = rules
        self._number: int = deal["deal"]
        self._dealer: Who = deal["dealer"]
        self._score = Both(deal["score"]["you"], deal["score"]["opponent"])
        self._leader: Who = "opponent" if self._dealer == "you" else "you"
        self._trump_card: str | None = deal["trump_card"]
        self._trump: str = deal["trump_card"][1]
        self._stock = 12
        self._closed_by: Who | None = None
        self._tricks: list[Trick] = []
        self._marriages: dict[Who, int] = {"you": 0, "opponent": 0}
        self._announced: str | None = None  # by you, and not led from yet
        self._first_there: Who | None = None
        self._tricks_when_closed = Both(0, 0)
        self._played: set[str] = set()
        self._has: set[str] = set()  # what the opponent must hold
        self._lacks: set[str] = set()  # what he cannot hold

    def hear(self, message: dict[str, Any]) -> None:
        """Any message within the deal but `turn`; what says nothing of the cards is passed over."""
        match message["type"]:
            case "action":
                self._opponent_did(message)
            case "trick":
                self._trick(message)
            case "draw":
                self._drew(message["card"])

    def view(self, turn: dict[str, Any]) -> View:
        """Your turn."""
        self._see_own_actions(turn)
        hand, led = turn["hand"], turn["led"]
        unseen = _CARDS - self._played - self._has - {*hand, led, self._trump_card}
        return View(
            phase=turn["phase"],
            hand=tuple(hand),
            trump=turn["trump"],
            trump_card=turn["trump_card"],
            stock=turn["stock"],
            closed_by=turn["closed_by"],
            led=led,
            legal=tuple(Action(each["action"], each.get("card"), each.get("suit")) for each in turn["legal"]),
            move_ms=turn["move_ms"],
            match_ms=turn["match_ms"],
            rules=self._rules,
            deal=self._number,
            dealer=self._dealer,
            score=self._score,
            tricks=tuple(self._tricks),
            tricks_won=self._tricks_won(),
            points=Both(self._points("you"), self._points("opponent")),
            marriages=Both(self._marriages["you"], self._marriages["opponent"]),
            announced=self._announced,  # type: ignore[arg-type]
            first_there=self._first_there,
            tricks_when_closed=self._tricks_when_closed,
            opponent_cards=len(hand) - (led is not None),
            opponent_has=_sorted(self._has),
            opponent_lacks=_sorted(self._lacks & unseen),
            unseen=_sorted(unseen),
        )

    # What is told

    def _opponent_did(self, message: dict[str, Any]) -> None:
        match message["action"]:
            case "play":
                self._has.discard(message["card"])
                self._played.add(message["card"])
            case "marriage":
                self._has |= {rank + message["suit"] for rank in "QK"}
                self._marry("opponent", message["suit"])
            case "exchange":
                assert self._trump_card is not None
                self._has.add(self._trump_card)  # the nine in its place shows in your next turn
            case "close":
                self._close("opponent")

    def _trick(self, message: dict[str, Any]) -> None:
        (led, answer), winner = message["cards"], message["winner"]
        # Closed only: with the stock exhausted strict play tells nothing new, for all that is unseen is in his hand.
        if self._leader == "you" and self._closed_by is not None:
            self._lacks |= not_held(led, answer, self._trump, self._rules.must_beat)
        self._tricks.append(Trick(self._leader, led, answer, winner, message["card_points"]))
        self._played |= {led, answer}
        self._leader, self._announced = winner, None
        self._note_target(winner)

    def _drew(self, card: str) -> None:
        """Both drew. The last two cards are a face-down one and the trump card: who has not the one has the other."""
        self._stock -= 2
        if self._stock == 0:
            if self._trump_card is not None and self._trump_card != card:
                self._has.add(self._trump_card)
            self._trump_card = None

    def _see_own_actions(self, turn: dict[str, Any]) -> None:
        """Exchange and closing are seen on the table, a marriage by this: only two cards may be led."""
        self._trump_card = turn["trump_card"]
        if self._closed_by is None and turn["closed_by"] is not None:
            self._close(turn["closed_by"])
        plays = [action["card"] for action in turn["legal"] if action["action"] == "play"]
        if turn["phase"] == "lead" and len(plays) < len(turn["hand"]) and self._announced is None:
            self._announced = plays[0][1]
            self._marry("you", self._announced)

    # What follows from it

    def _tricks_won(self) -> Both:
        yours = sum(trick.winner == "you" for trick in self._tricks)
        return Both(yours, len(self._tricks) - yours)

    def _points(self, who: Who) -> int:
        won = [trick.card_points for trick in self._tricks if trick.winner == who]
        return sum(won) + self._marriages[who] if won else 0

    def _marry(self, who: Who, suit: str) -> None:
        rules = self._rules
        self._marriages[who] += rules.trump_marriage_points if suit == self._trump else rules.marriage_points
        self._note_target(who)

    def _close(self, who: Who) -> None:
        self._closed_by = who
        self._tricks_when_closed = self._tricks_won()

    def _note_target(self, who: Who) -> None:
        if self._first_there is None and self._points(who) >= self._rules.declare_at:
            self._first_there = who


def not_held(led: str, answer: str, trump: str, must_beat: bool) -> set[str]:
    """Cards that nobody holds who answers so in strict play [R7].

    He must beat in the suit led if he can, else follow it, else trump. So not to beat, not to follow and not to trump
    each tell something.
    """
    suit = led[1]
    if answer[1] == suit:
        higher = RANKS[RANKS.index(led[0]) + 1 :]
        return {rank + suit for rank in higher} if must_beat and answer[0] not in higher else set()
    suits = {suit} if answer[1] == trump else {suit, trump}
    return {rank + each for each in suits for rank in RANKS}


def _sorted(cards: set[str] | frozenset[str]) -> tuple[str, ...]:
    return tuple(card for card in CARDS if card in cards)
