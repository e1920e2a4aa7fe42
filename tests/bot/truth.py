"""A bot at the machine's table, and what it remembers held against the engine, turn by turn."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from match.table import header

from referee.bot import Action, Bot, View
from referee.match.machine import Ask, DealOver, Effect, Match, Tell
from referee.match.view import phase_of, side
from referee.protocol.messages import Both
from referee.rules import ACTIONS, CARDS, NOBODY, SUITS, Deal, Rules, action, cards_in, names
from referee.rules.shuffle import deck

Check = Callable[[View, Ask, Deal], None]
SIXTY_SIX = Rules()
HELLO = {"type": "hello", "protocol": 1, "game": "sixty-six", "clock": {}}


class Legal(Bot):
    """Any legal action, closing and declaring seldom; keeps the view of its last turn."""

    seen: View

    def choose(self, view: View) -> Action:
        self.seen = view
        weights = [0.03 if action.kind in ("close", "declare") else 1.0 for action in view.legal]
        return self.rng.choices(view.legal, weights)[0]


class Closer(Legal):
    """Is asked before the draw, and closes more often."""

    close_before_draw = True

    def choose(self, view: View) -> Action:
        action = super().choose(view)
        return Action("close") if Action("close") in view.legal and self.rng.random() < 0.06 else action


def play(bots: tuple[Bot, Bot], seed: int, check: Check = lambda *_: None, rules: Rules = SIXTY_SIX) -> Match:
    """A whole match; `check` is called at each turn, before the answer is carried out."""
    head = header(rules, seed=f"{seed:064x}")
    match = Match(head, lambda number: deck(head.seed, number), lambda seat: bots[seat].close_before_draw)
    for bot in bots:
        assert bot.answer({**HELLO, "rules": msgspec.to_builtins(rules)}) is not None
    effects = match.start()
    while True:
        for effect in effects:
            if isinstance(effect, Tell):
                assert bots[effect.seat].answer(json.loads(effect.line)) is None
        last = effects[-1]
        if isinstance(last, Ask):
            effects = _ask(match, last, bots[last.seat], check)
        elif isinstance(last, DealOver):
            effects = match.next_deal()
        else:
            return match


def _ask(match: Match, ask: Ask, bot: Bot, check: Check) -> list[Effect]:
    assert match.deal is not None
    answer = bot.answer(msgspec.to_builtins(ask.turn))
    assert answer is not None
    if isinstance(bot, Legal):
        check(bot.seen, ask, match.deal)
    return match.act(number_of(answer), 100)


def number_of(answer: dict[str, Any]) -> int:
    """The number of an action as it goes over the pipe or stands in the log."""
    return action(" ".join(answer[key] for key in ("action", "card", "suit") if key in answer))


def compare(view: View, deal: Deal, seat: int) -> None:
    """All that a view says is so, and it says all that can be known of the cards."""

    def told(pair: Sequence[int]) -> Both:
        return Both(pair[seat], pair[1 - seat])

    assert (view.phase, view.legal) == (phase_of(deal), tuple(ACTIONS[code] for code in deal.legal()))
    assert (list(view.hand), view.trump) == (names(cards_in(deal.hands[seat])), SUITS[deal.trump])
    assert view.trump_card == (CARDS[deal.trump_card] if deal.trump_card >= 0 else None)
    assert view.led == (CARDS[deal.led] if deal.led >= 0 else None)
    assert (view.stock, view.strict, view.closed_by) == (deal.stock, deal.strict, side(deal.closed_by, seat))
    assert view.points == told([deal.points(0), deal.points(1)])
    assert (view.marriages, view.tricks_won) == (told(deal.marriages), told(deal.tricks))
    assert view.tricks_when_closed == told(deal.tricks_when_closed)
    assert view.first_there == side(deal.first_there, seat)
    assert view.announced == (None if deal.announced == NOBODY else SUITS[deal.announced])
    compare_cards(view, {*names(cards_in(deal.hands[1 - seat]))}, {*names(deal.talon[deal.drawn : -1])})


def compare_cards(view: View, his: set[str], face_down: set[str]) -> None:
    """Every card is in one place, and the known ones are where they are known."""
    assert view.opponent_cards == len(his)
    assert {*view.opponent_has} <= his
    assert {*view.unseen} == (his - {*view.opponent_has}) | face_down
    assert {*view.opponent_lacks} <= face_down
    played = [card for trick in view.tricks for card in (trick.led, trick.answer)]
    on_table = [card for card in (view.led, view.trump_card) if card]
    assert sorted([*view.hand, *played, *on_table, *view.opponent_has, *view.unseen]) == sorted(CARDS)
