"""The engine against worked scenarios, an independent slow model, and counts that the slow model made.

Legal moves, points and winners are never taken from the engine under test.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.slow_model import (
    PACK,
    SlowDeal,
    load_perft,
    load_scenarios,
    perft_start,
    random_action,
    read_step,
    start_from_position,
)

from referee.rules.cards import ACTIONS, CARD_POINTS, CARDS, SUITS, action, card, cards_in, mask
from referee.rules.deal import DRAWING, LEAD, OVER, PHASES, Deal

SCENARIOS = load_scenarios()
POSITIONS: dict[str, dict[str, Any]] = SCENARIOS["positions"]
PERFT_CASES = load_perft()["cases"]


def engine_at(position: dict[str, Any]) -> Deal:
    """A worked position in the engine."""
    start = start_from_position(position)
    tricks, points, marriages = [0, 0], [0, 0], [0, 0]
    for seat, first, second in start.won:
        tricks[seat] += 1
        points[seat] += CARD_POINTS[card(first)] + CARD_POINTS[card(second)]
    for seat, suit in start.announced:
        marriages[seat] += 40 if suit == start.trump else 20
    return Deal.at(
        hands=(mask([card(c) for c in start.hands[0]]), mask([card(c) for c in start.hands[1]])),
        talon=[card(c) for c in start.pile],
        trump=SUITS.index(start.trump),
        seat=start.leader,
        phase=DRAWING if start.pending else LEAD,
        tricks=(tricks[0], tricks[1]),
        trick_points=(points[0], points[1]),
        marriages=(marriages[0], marriages[1]),
    )


def legal(deal: Deal) -> set[str]:
    codes = deal.legal()
    assert len(set(codes)) == len(codes), "an action is offered twice"
    return {str(ACTIONS[code]) for code in codes}


def hand(deal: Deal, seat: int) -> set[str]:
    return {CARDS[c] for c in cards_in(deal.hands[seat])}


def same(deal: Deal, slow: SlowDeal) -> None:
    """Everything that both models know is the same."""
    assert PHASES[deal.phase] == slow.phase
    assert legal(deal) == slow.legal()
    for seat in (0, 1):
        assert deal.tricks[seat] == slow.tricks(seat)
        assert deal.points(seat) == slow.points(seat)
        assert hand(deal, seat) == slow.hand(seat)
    assert deal.stock == slow.stock
    assert (None if deal.trump_card < 0 else CARDS[deal.trump_card]) == slow.trump_card
    assert (None if deal.closed_by < 0 else deal.closed_by) == slow.closed_by
    if slow.outcome is None:
        assert deal.outcome is None and deal.seat == slow.seat
    else:
        assert deal.outcome is not None
        winner, game_points, reason, card_points = slow.outcome
        assert deal.outcome[:4] == (winner, game_points, reason, card_points)
        assert deal.outcome.tricks == (slow.tricks(0), slow.tricks(1))


@pytest.mark.parametrize("scenario", SCENARIOS["scenarios"], ids=lambda scenario: scenario["id"])
def test_a_worked_scenario(scenario: dict[str, Any]) -> None:
    deal = engine_at(POSITIONS[scenario["position"]])
    for step in scenario["steps"]:
        seat, act, accepted = read_step(step)
        allowed = seat == deal.seat and action(act) in deal.legal()
        assert allowed == accepted, step
        if accepted:
            deal.apply(action(act))
    assert {"A": deal.points(0), "B": deal.points(1)} == scenario["points_after"]
    if scenario["legal_next"] is not None:
        assert {act.split()[1] for act in legal(deal) if act.startswith("play ")} == set(scenario["legal_next"])
    if scenario["result"] is None:
        assert deal.outcome is None
    else:
        assert deal.outcome is not None
        winner = None if deal.outcome.winner is None else "AB"[deal.outcome.winner]
        assert {"winner": winner, "game_points": deal.outcome.game_points} == scenario["result"]


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), dealer=st.integers(0, 1))
def test_random_deals_go_the_same_way_in_the_slow_model(seed: int, dealer: int) -> None:
    rng = Random(seed)
    deck = list(PACK)
    rng.shuffle(deck)
    slow = SlowDeal.new(deck, dealer)
    deal = Deal([card(c) for c in deck], dealer)
    same(deal, slow)
    while slow.seat is not None:
        chosen = random_action(slow, rng)
        slow = slow.apply(chosen)
        deal.apply(action(chosen))
        same(deal, slow)
    assert deal.legal() == ()


def count(deal: Deal, depth: int, counts: list[int], ends: dict[str, int], points: list[int]) -> None:
    """Walk all action sequences, depth first, on copies."""
    for code in deal.legal():
        after = deal.copy()
        after.apply(code)
        counts[0] += 1
        if after.outcome is not None:
            winner, game_points, reason, card_points, _ = after.outcome
            key = f"{'-' if winner is None else winner} {game_points} {reason}"
            ends[key] = ends.get(key, 0) + 1
            points[0] += card_points[0]
            points[1] += card_points[1]
        elif depth > 1:
            if len(counts) == 1:
                counts.append(0)
            rest = counts[1:]
            count(after, depth - 1, rest, ends, points)
            counts[1:] = rest


@pytest.mark.parametrize("case", PERFT_CASES, ids=lambda case: case["id"])
def test_as_many_action_sequences_as_the_slow_model_counted(case: dict[str, Any]) -> None:
    if "deck" in case:
        deal = Deal([card(c) for c in case["deck"].split()], case["dealer"])
    else:
        deal = engine_at(POSITIONS[case["position"]])
    for act in case.get("after", []):
        deal.apply(action(act))
    assert legal(deal) == perft_start(case).legal()
    counts, ends, points = [0], dict[str, int](), [0, 0]
    count(deal, case["depth"], counts, ends, points)
    assert counts == case["counts"]
    assert ends == case["ends"]
    assert points == case["card_points"]


@settings(max_examples=200, deadline=None)
@given(order=st.permutations(range(24)), picks=st.lists(st.integers(0, 1000), min_size=60, max_size=60))
def test_there_are_always_24_cards_and_at_most_120_points_in_tricks(order: list[int], picks: list[int]) -> None:
    deal = Deal(order, 0)
    played: list[int] = []
    for pick in picks:
        choices = deal.legal()
        if not choices:
            break
        code = choices[pick % len(choices)]
        if code < 24:
            played.append(code)
        deal.apply(code)
        everywhere = [*cards_in(deal.hands[0]), *cards_in(deal.hands[1]), *deal.talon[deal.drawn :], *played]
        assert sorted(everywhere) == list(range(24))
        in_tricks = sum(CARD_POINTS[c] for c in played) - (CARD_POINTS[deal.led] if deal.led >= 0 else 0)
        if deal.phase != OVER:
            assert sum(deal.trick_points) == in_tricks
        assert len(cards_in(deal.hands[0])) - len(cards_in(deal.hands[1])) in (-1, 0, 1)


def test_a_copy_is_independent() -> None:
    deal = Deal(range(24), 0)
    before = (deal.hands.copy(), deal.legal(), deal.seat)
    twin = deal.copy()
    twin.apply(twin.legal()[0])
    twin.apply(twin.legal()[0])
    assert (deal.hands, deal.legal(), deal.seat) == before
