"""Guesses at the hidden cards: in agreement with all that was seen, fair, and playable on the engine."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest
from bot.truth import Closer, Legal, compare_cards, play
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.bot import OPPONENT, YOU, View, sample
from referee.match.machine import Ask
from referee.match.view import request
from referee.protocol.messages import Turn
from referee.rules import CARDS, CLOSE, FOLLOW, NO_CARD, OVER, Deal, Rules, card, cards_in, mask, names

RULES = (Rules(), Rules(must_beat=False), Rules(running_totals=True, declare_at=40, exchange_needs_trick=False))


def where(deal: Deal) -> tuple[set[str], set[str]]:
    """The opponent's hand and what lies face down."""
    return {*names(cards_in(deal.hands[OPPONENT]))}, {*names(deal.talon[deal.drawn : -1])}


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES))
def test_a_sample_shows_its_seat_byte_for_byte_what_the_table_shows(seed: int, rules: Rules) -> None:
    rng = Random(seed)

    def check(view: View, ask: Ask, real: Deal) -> None:
        deal = sample(view, rng)
        turn = ask.turn
        assert request(deal, deal.legal(), turn.move_ms, turn.match_ms) == ask.request
        assert deal.legal() == ask.legal
        compare_cards(view, *where(deal))

    play((Closer(), Legal()), seed, check, rules)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES))
def test_a_sample_has_the_counts_of_the_real_deal(seed: int, rules: Rules) -> None:
    """Also those that no turn shows, but that decide what the deal is worth."""
    rng = Random(seed)

    def check(view: View, ask: Ask, real: Deal) -> None:
        deal = sample(view, rng)
        order = (ask.seat, 1 - ask.seat)
        for field in ("tricks", "trick_points", "marriages", "tricks_when_closed"):
            assert [*getattr(deal, field)] == [getattr(real, field)[seat] for seat in order], field
        assert [deal.points(YOU), deal.points(OPPONENT)] == [real.points(seat) for seat in order]
        for field in ("seat", "closed_by", "first_there"):
            seat = getattr(real, field)
            assert getattr(deal, field) == (seat if seat < 0 else order.index(seat)), field
        assert (deal.announced, deal.phase, deal.stock) == (real.announced, real.phase, real.stock)
        assert [bin(hand).count("1") for hand in deal.hands] == [bin(real.hands[seat]).count("1") for seat in order]

    play((Closer(), Closer()), seed, check, rules)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES))
def test_in_a_sample_the_opponent_has_answered_legally_so_far(seed: int, rules: Rules) -> None:
    """His hand is followed back through the tricks of strict play: what he answered was legal with each of them."""
    rng = Random(seed)

    def check(view: View, ask: Ask, real: Deal) -> None:
        deal = sample(view, rng)
        hand = deal.hands[OPPONENT] | (0 if view.led is None else 1 << card(view.led))
        for trick in reversed(view.tricks[first_strict(view) :]):
            hand |= 1 << card(trick.answer if trick.leader == "you" else trick.led)
            if trick.leader == "you":
                assert card(trick.answer) in answers(hand, card(trick.led), deal)

    play((Closer(), Closer()), seed, check, rules)


def first_strict(view: View) -> int:
    """The number of tricks before strict play began."""
    return 6 if view.closed_by is None else view.tricks_when_closed.you + view.tricks_when_closed.opponent


def answers(hand: int, led: int, deal: Deal) -> tuple[int, ...]:
    strict = Deal.at(hands=(0, hand), talon=(), trump=deal.trump, seat=1, phase=FOLLOW, led=led, rules=deal.rules)
    return strict.legal()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES))
def test_a_sample_can_be_played_to_its_end_and_keeps_its_24_cards(seed: int, rules: Rules) -> None:
    rng = Random(seed)

    def check(view: View, ask: Ask, real: Deal) -> None:
        deal = sample(view, rng)
        gone = {card(name) for trick in view.tricks for name in (trick.led, trick.answer)}
        while deal.phase != OVER:
            on_table = {deal.led} - {NO_CARD}
            left = [*cards_in(deal.hands[0]), *cards_in(deal.hands[1]), *deal.talon[deal.drawn :], *on_table, *gone]
            assert sorted(left) == [*range(24)]
            action = rng.choice(deal.legal())
            gone |= {deal.led, action} if deal.phase == FOLLOW and action < 24 else set()
            deal.apply(action)
        assert deal.outcome is not None

    play((Closer(), Legal()), seed, check, rules)


def test_once_the_stock_is_exhausted_there_is_nothing_to_guess() -> None:
    def check(view: View, ask: Ask, real: Deal) -> None:
        if view.stock == 0:
            assert sample(view, Random(1)).hands == [real.hands[ask.seat], real.hands[1 - ask.seat]]

    for seed in range(10):
        play((Legal(), Legal()), seed, check)


def first_view(seed: int) -> View:
    """The first turn of a match."""
    views: list[View] = []
    play((Legal(), Legal()), seed, lambda view, *_: views.append(view))
    return views[0]


def test_every_hidden_card_is_as_likely_to_be_held_as_any_other() -> None:
    view, rng, trials = first_view(1), Random(2), 3000
    held: Counter[str] = Counter()
    next_drawn: Counter[str] = Counter()
    for _ in range(trials):
        deal = sample(view, rng)
        held.update(names(cards_in(deal.hands[OPPONENT])))
        next_drawn[CARDS[deal.talon[0]]] += 1
    assert {*held} == {*next_drawn} == {*view.unseen} and len(view.unseen) == 17
    for counts, share in ((held, 6 / 17), (next_drawn, 1 / 17)):
        spread = (trials * share * (1 - share)) ** 0.5
        assert all(abs(count - trials * share) < 5 * spread for count in counts.values())


def test_what_cannot_be_held_is_never_dealt_to_the_opponent() -> None:
    view = first_view(3)
    has, lacks = view.unseen[:2], view.unseen[2:9]
    known = msgspec.structs.replace(view, opponent_has=has, opponent_lacks=lacks, unseen=view.unseen[2:])
    for seed in range(50):
        held, face_down = where(sample(known, Random(seed)))
        assert {*has} <= held and {*lacks} <= face_down


def test_the_same_random_numbers_give_the_same_sample() -> None:
    view = first_view(4)
    talons = [sample(view, Random(seed)).talon for seed in (5, 5, 6)]
    assert talons[0] == talons[1] != talons[2]


def test_a_sample_knows_no_more_than_the_view() -> None:
    """Two deals that differ in hidden cards only: the same views, and so the same samples."""
    decks = [[*range(24)], [*range(24)]]
    decks[1][3:6], decks[1][13:16] = decks[1][13:16], decks[1][3:6]  # the dealer's first cards against stock
    turns = []
    for deck in decks:
        deal = Deal(deck, dealer=1)
        turns.append(msgspec.json.decode(b'{"type":"turn","id":1' + request(deal, deal.legal(), None, None), type=Turn))
    views = []
    for turn in turns:
        bot = Legal()
        score = {"you": 0, "opponent": 0}
        told = {"deal": 1, "dealer": "opponent", "hand": turn.hand, "trump_card": turn.trump_card, "score": score}
        bot.answer({"type": "deal", **told})
        bot.answer(msgspec.to_builtins(turn))
        views.append(bot.seen)
    assert views[0] == views[1]
    assert sample(views[0], Random(7)).hands == sample(views[1], Random(7)).hands


@pytest.mark.parametrize("phase", ["lead", "follow", "draw"])
def test_the_sample_is_mine_to_play_in_every_phase(phase: str) -> None:
    met = 0

    def check(view: View, ask: Ask, real: Deal) -> None:
        nonlocal met
        if view.phase == phase:
            deal = sample(view, Random(met))
            met += 1
            assert (deal.seat, deal.hands[YOU]) == (YOU, mask([card(name) for name in view.hand]))
            assert (CLOSE in deal.legal()) == (CLOSE in ask.legal)

    play((Closer(), Closer()), 11, check)
    assert met
