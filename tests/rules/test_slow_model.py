"""The slow model plays every worked scenario, and the corners of the rules that no scenario reaches."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from rules.slow_model import (
    PACK,
    SlowDeal,
    load_perft,
    load_scenarios,
    perft,
    perft_start,
    random_deal,
    read_step,
    value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SCENARIOS = load_scenarios()
POSITIONS: dict[str, dict[str, Any]] = SCENARIOS["positions"]
A, B = 0, 1

# What the scenarios leave unsaid: the reason, and the card points with the last-trick ten where R24 gives it.
ENDINGS = {
    "T08": ("declared", (0, 67)),
    "T10": ("declared", (0, 69)),
    "T12": ("declared", (66, 4)),
    "T23": ("closer_failed", (50, 28)),
    "T24": ("closer_failed", (53, 30)),
    "T26": ("declared", (71, 34)),
    "T27": ("declared", (66, 6)),
    "T29": ("declared", (28, 66)),
    "T30": ("false_declaration", (28, 53)),
    "T31": ("false_declaration", (0, 6)),
    "T33": ("false_declaration", (12, 0)),
    "T34": ("tie", (65, 65)),
    "T35": ("played_out", (66, 64)),
    "T37": ("played_out", (33, 97)),
    "T38": ("tie", (75, 75)),
    "T40": ("false_declaration", (59, 54)),
    "T41": ("declared", (70, 66)),
    "T48": ("declared", (75, 66)),
}

# The traps that the common assertions would not catch; each is asked at the end of its scenario.
TRAPS: dict[str, Callable[[SlowDeal], bool]] = {
    "T01": lambda deal: "JS" in deal.hand(B) and "9S" in deal.hand(A) and deal.seat == B and deal.stock == 10,
    "T02": lambda deal: "QC" in deal.hand(B) and "JH" in deal.hand(A) and deal.seat == B,
    "T05": lambda deal: "JH" in deal.hand(A) and "9H" not in deal.hand(A) and deal.trump_card == "9H",
    "T06": lambda deal: deal.hand(A) >= {"9H"} and deal.hand(B) >= {"JH"} and deal.trump_card is None,
    "T07": lambda deal: deal.trump_card == "9H" and "KH" in deal.hand(A),
    "T11": lambda deal: deal.seat == A and deal.phase == "draw",
    "T14": lambda deal: deal.seat == B and "marriage C" not in deal.apply("draw").legal(),
    "T17": lambda deal: deal.closed_by == A and deal.stock == 10,
    "T20": lambda deal: deal.apply("play 9C").phase == "draw",
    "T21": lambda deal: deal.apply("play 9S").phase == "lead" and deal.stock == 2 and deal.trump_card == "JH",
    "T46": lambda deal: "9H" not in deal.hand(A) and deal.phase == "lead",
}


def deal_at(position: str, *actions: str) -> SlowDeal:
    """A worked position, and then these actions, cards being plays."""
    deal = SlowDeal.from_position(POSITIONS[position])
    return after(deal, *actions)


def after(deal: SlowDeal, *actions: str) -> SlowDeal:
    """The deal after these actions; a bare card is a play."""
    for action in actions:
        deal = deal.apply("play " + action if action in PACK else action)
    return deal


def run_step(deal: SlowDeal, step: str) -> SlowDeal:
    """One step of a scenario: accepted, or refused with nothing changed."""
    seat, action, accepted = read_step(step)
    assert deal.seat == seat, step
    if accepted:
        return deal.apply(action)
    with pytest.raises(ValueError, match="not legal"):
        deal.apply(action)
    return deal


# ---------------------------------------------------------------- the worked scenarios


@pytest.mark.parametrize("scenario", SCENARIOS["scenarios"], ids=lambda scenario: scenario["id"])
def test_scenario(scenario: dict[str, Any]) -> None:
    deal = SlowDeal.from_position(POSITIONS[scenario["position"]])
    for step in scenario["steps"]:
        deal = run_step(deal, step)
    assert {"A": deal.points(A), "B": deal.points(B)} == scenario["points_after"]
    check_result(deal, scenario["id"], scenario["result"])
    if scenario["legal_next"] is not None:
        assert deal.legal() == {"play " + card for card in scenario["legal_next"]} | {"declare"}
    if scenario["id"] in TRAPS:
        assert TRAPS[scenario["id"]](deal), scenario["trap"]


def check_result(deal: SlowDeal, name: str, result: dict[str, Any] | None) -> None:
    """The deal goes on, or has ended as the scenario says and for the reason listed above."""
    if result is None:
        assert deal.outcome is None and name not in ENDINGS
        return
    winner = None if result["winner"] is None else "AB".index(result["winner"])
    reason, card_points = ENDINGS[name]
    assert deal.outcome == (winner, result["game_points"], reason, card_points)
    assert deal.seat is None and deal.legal() == set()


def test_scenario_t02_strict_play_begins_with_six_cards_each() -> None:
    deal = deal_at("S6", "9D", "KD", "draw")
    assert len(deal.hand(A)) == len(deal.hand(B)) == 6 and deal.stock == 0
    assert after(deal, "AD").legal() == {"play TD", "declare"}


def test_scenario_t07_forty_counts_before_the_card_is_led() -> None:
    deal = deal_at("S9", "exchange", "marriage H")
    assert deal.points(A) == 51
    assert deal.legal() == {"play KH", "play QH", "close", "declare"}


def test_scenario_t11_opening_marriage_is_nothing_until_a_trick() -> None:
    assert deal_at("F13", "marriage H", "KH").points(A) == 0


def test_scenario_t40_played_on_instead_of_declared() -> None:
    assert deal_at("L41", "KD", "QD").outcome == (A, 1, "played_out", (76, 54))


# ---------------------------------------------------------------- dealing and drawing


def test_r1_dealing_three_by_three() -> None:
    deal = SlowDeal.new(PACK, dealer=A)
    assert deal.hand(B) == {*PACK[0:3], *PACK[6:9]} and deal.hand(A) == {*PACK[3:6], *PACK[9:12]}
    assert deal.trump_card == PACK[12] and deal.stock_cards == [*PACK[13:], PACK[12]] and deal.stock == 12
    assert (deal.seat, deal.phase, deal.trump) == (B, "lead", PACK[12][1])


def test_r5_the_exchanger_may_draw_his_nine_back() -> None:
    position = POSITIONS["S6"] | {"A": "AS KS QS TD 9D 9H", "won": {"A": "AC+JS QD+JD", "B": "TH+JC KH+QH TC+KC"}}
    deal = after(SlowDeal.from_position(position), "exchange", "9D", "KD", "draw")
    assert {"9H", "JH"} <= deal.hand(A) and "QC" in deal.hand(B)
    assert deal.trump_card is None and deal.trump == "H"


def test_r5_draw_phase_is_the_winners_and_ends_with_the_stock() -> None:
    deal = deal_at("S14", "KC", "JC")
    assert (deal.seat, deal.phase) == (A, "draw") and deal.legal() == {"draw", "close", "declare"}
    assert deal_at("S19", "KD", "AD").phase == "lead"


def test_impossible_positions_are_refused() -> None:
    with pytest.raises(ValueError, match="each of the 24 cards once"):
        SlowDeal.from_position(POSITIONS["F1"] | {"A": "AS AS KS QD JD 9C"})
    with pytest.raises(ValueError, match="stock is even"):
        SlowDeal.from_position(POSITIONS["S6"] | {"up": None, "A": "AS KS QS TD 9D JC JH"})
    with pytest.raises(ValueError, match="before the draw"):
        SlowDeal.from_position(POSITIONS["S30"] | {"pending": False})


def test_an_open_position_with_both_past_66_is_refused() -> None:
    """R23 could ask who was first, and a position does not say in which order the tricks fell."""
    won = {"A": "AC+TC AD+TD QC+JC", "B": "AH+TH KH+QH"}
    position = {"trump": "S", "up": "9S", "stock": "JS", "A": "AS TS KS QS KD QD", "B": "9C 9D 9H KC JD JH"}
    marriages = {"A": "C", "B": "HD"}
    with pytest.raises(ValueError, match="who was first"):
        SlowDeal.from_position(position | {"won": won, "marr": marriages})


# ---------------------------------------------------------------- exchange, marriage, close


def test_r9_exchange_comes_before_announcing() -> None:
    position = POSITIONS["S14"] | {"A": "KC QC 9C JD QD 9H", "B": "AH AC TC KD JC TH"}
    deal = SlowDeal.from_position(position)
    assert "exchange" in deal.legal() and "exchange" not in deal.apply("marriage C").legal()


def test_r9_exchange_on_the_lead_to_trick_six_and_never_in_the_draw_phase() -> None:
    assert "exchange" in after(SlowDeal.from_position(nine_in_hand()), "AS", "9S", "draw", "exchange").actions
    assert "exchange" not in after(SlowDeal.from_position(nine_in_hand()), "AS", "9S").legal()


def nine_in_hand() -> dict[str, Any]:
    """The lead to trick five, the leader A holding the trump nine and a trick."""
    return POSITIONS["S6"] | {
        "stock": "QC JD QD",
        "A": "AS KS QS TD 9D 9H",
        "won": {"A": "AC+JS", "B": "TH+JC KH+QH TC+KC"},
    }


def test_r10_one_marriage_a_lead_and_closing_keeps_the_promise() -> None:
    position = POSITIONS["F13"] | {"A": "KH QH KS QS 9D JC", "stock": "AH KD QD JD AD 9S JS TS TC KC 9C"}
    position |= {"B": "9H JH TD AS AC QC"}
    deal = SlowDeal.from_position(position)
    assert {"marriage H", "marriage S"} <= deal.legal()
    promised = deal.apply("marriage S")
    assert promised.legal() == {"play KS", "play QS", "close", "declare"}
    assert promised.apply("close").legal() == {"play KS", "play QS", "declare"}
    free = after(deal, "marriage S", "KS", "9H", "draw")
    assert free.promised is None and {"play " + card for card in free.hand(B)} <= free.legal()


def test_r11_a_waiting_marriage_counts_with_the_first_trick_even_after_closing() -> None:
    deal = deal_at("S32", "close", "AS", "QS", "JD")
    assert deal.points(B) == 0 and deal.apply("play AD").points(B) == 13 + 40


def test_r13_closing_before_the_draw_at_the_last_face_down_card() -> None:
    deal = deal_at("S6", "9D", "KD", "close")
    assert (deal.seat, deal.phase, deal.closed_by) == (B, "lead", B)
    assert len(deal.hand(A)) == len(deal.hand(B)) == 5
    assert deal.stock == 2 and deal.trump_card == "JH"
    assert deal.legal() == {"play " + card for card in deal.hand(B)} | {"declare"}
    assert after(deal, "9S").legal() == {"play AS", "play KS", "play QS", "declare"}


def test_r13_no_closing_once_the_stock_is_exhausted() -> None:
    assert "close" not in deal_at("S6", "9D", "KD", "draw").legal()


def test_r14_no_marriage_and_no_exchange_when_closed_before_the_draw() -> None:
    deal = after(SlowDeal.from_position(nine_in_hand()), "AS", "9S", "close")
    assert deal.legal() == {"play " + card for card in deal.hand(A)} | {"declare"}


# ---------------------------------------------------------------- declaring


def test_r16_declaring_is_legal_everywhere() -> None:
    stops = [deal_at("F1"), deal_at("F1", "AS"), deal_at("F1", "AS", "JC"), deal_at("F13", "marriage H")]
    stops += [deal_at("F1", "close"), deal_at("S19"), deal_at("S19", "KD"), deal_at("S9", "exchange")]
    assert all("declare" in deal.legal() for deal in stops)


def test_r16_the_card_on_the_table_counts_for_nobody() -> None:
    assert deal_at("S42", "TD", "declare").outcome == (A, 1, "declared", (70, 66))


def test_r17_forty_without_a_trick_is_a_wrong_declaration() -> None:
    assert deal_at("F13", "marriage H", "declare").outcome == (B, 3, "false_declaration", (0, 0))


def test_r19_looks_at_the_winners_tricks_now() -> None:
    assert deal_at("F1", "AS", "declare").outcome == (A, 3, "false_declaration", (0, 0))
    assert deal_at("F1", "AS", "JC", "declare").outcome == (B, 3, "false_declaration", (13, 0))
    assert deal_at("F1", "AS", "9H", "draw", "KH", "declare").outcome == (B, 2, "false_declaration", (0, 11))


def test_r21_a_trick_won_after_the_closing_does_not_make_the_failure_cheaper() -> None:
    """R19 and R22 would say 2 here: B has a trick by now, but had none when A closed."""
    assert deal_at("F27", "close", "JC", "KC", "TH", "declare").outcome == (B, 3, "closer_failed", (0, 6))


def test_r21_the_closer_fails_before_any_trick() -> None:
    assert deal_at("F27", "close", "declare").outcome == (B, 3, "closer_failed", (0, 0))
    assert deal_at("S28", "close", "declare").outcome == (B, 2, "closer_failed", (3, 2))


def test_r22_a_trick_the_closer_won_after_closing_makes_his_win_cheaper() -> None:
    """R21 would look back to the closing, when A had none."""
    assert deal_at("F27", "close", "AH", "KH", "AS", "declare").outcome == (A, 2, "false_declaration", (15, 0))


def test_r22_the_opponents_declaration_before_any_trick() -> None:
    assert deal_at("F27", "close", "AH", "declare").outcome == (A, 3, "false_declaration", (0, 0))


# ---------------------------------------------------------------- played to the end


def test_r23_the_closer_with_more_points_fails_if_he_was_second_to_66() -> None:
    deal = deal_at("S44", "close", "JD", "TD", "QS", "KS", "AC", "JC", "TH", "KH", "KD", "KC", "9D", "TC")
    assert deal.outcome == (B, 2, "closer_failed", (107, 66))


def test_r23_the_closer_who_was_first_has_made_it_although_the_opponent_came_to_66_too() -> None:
    """The same cards as above in another order: TH comes before JD."""
    deal = deal_at("S44", "close", "TH", "KH", "JD", "TD", "QS", "KS", "AC", "JC", "KD", "KC", "9D", "TC")
    assert deal.outcome == (A, 1, "closer_made_it", (107, 66))


def test_r23_66_reached_before_closing_counts() -> None:
    """B had 67 when he closed; A takes one trick, which wakes his forty, and prices the deal at 1."""
    deal = deal_at("S10", "close", "TC", "JC", "QC", "KH", "9S", "KS", "TH", "9D", "JH", "QS", "JD", "KD")
    assert deal.outcome is not None and deal.outcome[:3] == (B, 1, "closer_made_it")


def test_r23_a_marriage_announced_on_the_closing_lead_can_be_what_reaches_66() -> None:
    deal = deal_at("S14", "marriage C", "close")
    assert deal.points(A) == 66
    while deal.seat is not None:
        deal = deal.apply(min(deal.legal() - {"declare"}))
    assert deal.outcome is not None and deal.outcome[0] == A and deal.outcome[2] == "closer_made_it"


def test_r23_the_waiting_forty_of_the_opponent_can_be_first() -> None:
    """B is at 53 with his first trick and at 66 with the next; the closer comes later and fails, at 3."""
    deal = deal_at("S32", "close", "AS", "QS", "JD", "AD", "AC", "JC")
    assert (deal.points(A), deal.points(B)) == (28, 66)
    while deal.seat is not None:
        deal = deal.apply(min(deal.legal() - {"declare"}))
    assert deal.outcome is not None and deal.outcome[:3] == (B, 3, "closer_failed")


def test_r23_nobody_at_66_is_a_failure_and_r15_gives_no_ten() -> None:
    deal = deal_at("F27", "close", "AH", "KH", "AS", "QS", "AD", "TD", "JC", "KC", "TH", "JD", "TC", "9S")
    assert deal.outcome == (B, 3, "closer_failed", (50, 28))


def test_r24_a_loser_without_a_trick_loses_three_whatever_he_announced() -> None:
    deal = after(SlowDeal.from_position(eleven_tricks_for_b("QD", "9D")), "QD", "9D")
    assert deal.outcome == (B, 3, "played_out", (0, 130))


def test_r24_the_last_trick_wakes_a_waiting_marriage() -> None:
    deal = after(SlowDeal.from_position(eleven_tricks_for_b("QD", "KD")), "QD", "KD")
    assert deal.outcome == (B, 1, "played_out", (7 + 40 + 10, 113))


def eleven_tricks_for_b(lead: str, answer: str) -> dict[str, Any]:
    """The last trick, led by B who has won everything; A announced hearts on the opening lead."""
    rest = [card for card in PACK if card not in (lead, answer)]
    pairs = " ".join(f"{first}+{second}" for first, second in zip(rest[0::2], rest[1::2], strict=True))
    return {"trump": "H", "up": None, "stock": "", "A": answer, "B": lead, "lead": "B"} | {
        "won": {"B": pairs},
        "marr": {"A": "H"},
    }


# ---------------------------------------------------------------- random play and counts


def check_sizes(deal: SlowDeal) -> None:
    """Between any two actions no card is lost, and hands differ by the card on the table."""
    in_tricks = [card for _, led, answer in deal.all_tricks for card in (led, answer)]
    on_table = [deal.led] if deal.led else []
    assert sorted([*deal.hand(A), *deal.hand(B), *deal.stock_cards, *in_tricks, *on_table]) == sorted(PACK)
    assert abs(len(deal.hand(A)) - len(deal.hand(B))) == len(on_table)


@pytest.mark.parametrize("seed", range(40))
def test_random_deals_lose_no_card(seed: int) -> None:
    deal = random_deal(Random(seed))
    for length in range(len(deal.log) + 1):
        moment = SlowDeal(deal.start, deal.log[:length])
        check_sizes(moment)
        assert length == len(deal.log) or deal.actions[length] in moment.legal()
    assert deal.outcome is not None


def test_random_deals_do_everything() -> None:
    rng = Random(66)
    deals = [random_deal(rng) for _ in range(600)]
    words = Counter(action.split()[0] for deal in deals for action in deal.actions)
    reasons = Counter(deal.outcome[2] for deal in deals if deal.outcome)
    assert set(words) == {"play", "marriage", "exchange", "close", "draw", "declare"}
    assert set(reasons) == {"declared", "false_declaration", "closer_failed", "closer_made_it", "played_out", "tie"}
    assert words["declare"] < 0.6 * len(deals)


def test_random_deals_repeat_with_their_seed() -> None:
    assert random_deal(Random(5)) == random_deal(Random(5))


def test_points_in_an_open_deal_played_out_add_up() -> None:
    """All 24 cards are 120, and marriages of a player with a trick come on top."""
    rng = Random(7)
    for deal in (random_deal(rng) for _ in range(200)):
        if deal.outcome and deal.outcome[2] in ("played_out", "tie"):
            extra = sum(40 if suit == deal.trump else 20 for seat, suit in deal.marriages if deal.tricks(seat))
            assert sum(deal.outcome[3]) == value(*PACK) + 10 + extra


@pytest.mark.parametrize("case", load_perft()["cases"], ids=lambda case: case["id"].replace(" ", "_"))
def test_perft_numbers_are_this_models(case: dict[str, Any]) -> None:
    """Shallow, to be quick: the file is the model's own work, and only the engine needs all of it."""
    result = perft(perft_start(case), min(4, case["depth"]))
    assert result.counts == case["counts"][:4]
    if sum(case["counts"]) < 1000:
        assert (result.ends, result.card_points) == (case["ends"], case["card_points"])
