"""Each field of `Rules` that is not the default changes what its name says, and nothing beside."""

from __future__ import annotations

from typing import Any

import msgspec
from rules.slow_model import PACK

from referee.rules.cards import ACTIONS, action, card, mask
from referee.rules.deal import DRAWING, LEAD, Deal
from referee.rules.ruleset import PRESETS, Rules


def cards(text: str) -> list[int]:
    return [card(name) for name in text.split()]


def hands(a: str, b: str) -> tuple[int, int]:
    return mask(cards(a)), mask(cards(b))


def legal(deal: Deal) -> set[str]:
    return {str(ACTIONS[code]) for code in deal.legal()}


def play(deal: Deal, *actions: str) -> Deal:
    for each in actions:
        assert action(each) in deal.legal(), each
        deal.apply(action(each))
    return deal


def last_trick(rules: Rules = Rules(), points: tuple[int, int] = (48, 65), closed_by: int = -1, **more: Any) -> Deal:
    """A leads KD to B's QD: 7 points to A, the deal is played out."""
    more = {"tricks": (3, 8), **more}
    deal = Deal.at(
        hands=hands("KD", "QD"),
        talon=(),
        trump=2,
        seat=0,
        trick_points=points,
        closed_by=closed_by,
        rules=rules,
        **more,
    )
    return play(deal, "play KD", "play QD")


def fresh(rules: Rules) -> Deal:
    """Forehand (seat 0) holds KH QH 9H AS TS JC, hearts are trumps, JH lies face up."""
    front = ["KH", "QH", "9H", "AD", "TD", "KD", "AS", "TS", "JC", "QD", "JD", "9D", "JH"]
    rest = [name for name in PACK if name not in front]
    return Deal(cards(" ".join([*front, *rest])), 1, rules)


def test_the_default_preset_is_sixty_six() -> None:
    assert PRESETS["sixty-six"] == Rules()
    assert Rules().preset == "sixty-six"


def test_the_last_trick_points() -> None:
    assert last_trick().outcome[:2] == (None, 0)  # type: ignore[index]
    assert last_trick(Rules(last_trick_points=0)).outcome[:2] == (1, 1)  # type: ignore[index]


def test_the_last_trick_points_in_a_closed_deal() -> None:
    without = last_trick(closed_by=0, points=(40, 30)).outcome
    with_ten = last_trick(Rules(last_trick_points_when_closed=10), closed_by=0, points=(40, 30)).outcome
    assert without is not None and without.card_points == (47, 30)
    assert with_ten is not None and with_ten.card_points == (57, 30)


def test_declare_at() -> None:
    near = Deal.at(hands=hands("KD", "QD"), talon=(), trump=2, seat=0, tricks=(3, 8), trick_points=(50, 40))
    assert play(near.copy(), "declare").outcome[0] == 1  # type: ignore[index]
    near.rules = Rules(declare_at=50)
    assert play(near, "declare").outcome[:3] == (0, 1, "declared")  # type: ignore[index]


def test_marriage_points() -> None:
    deal = fresh(Rules(marriage_points=1, trump_marriage_points=2))
    play(deal, "marriage H")
    assert deal.marriages == [2, 0]


def test_no_marriage_on_the_opening_lead() -> None:
    assert "marriage H" in legal(fresh(Rules()))
    deal = fresh(Rules(marriage_on_opening_lead=False))
    assert "marriage H" not in legal(deal)
    play(deal, "play AS", "play 9D", "draw")
    assert deal.seat == 0 and "marriage H" in legal(deal)


def test_exchange_without_a_trick() -> None:
    assert "exchange" not in legal(fresh(Rules()))
    assert "exchange" in legal(fresh(Rules(exchange_needs_trick=False)))


def test_closing_needs_so_much_stock() -> None:
    deal = Deal.at(
        hands=hands("AS KS QS TD 9D JC", "TS 9S AD KD AH 9C"), talon=cards("QC JH"), trump=2, seat=0, tricks=(2, 3)
    )
    assert "close" in legal(deal)
    deal.rules = Rules(close_min_stock=4)
    assert "close" not in legal(deal)
    deal.phase = DRAWING
    assert legal(deal) == {"draw", "declare"}


def test_closing_before_the_draw_can_be_forbidden() -> None:
    for allowed in (True, False):
        deal = fresh(Rules(close_before_draw=allowed))
        play(deal, "play AS", "play 9D")
        assert ("close" in legal(deal)) is allowed
        play(deal, "draw")
        assert "close" in legal(deal)


def test_strict_play_without_the_duty_to_beat() -> None:
    for must, answers in (
        (True, {"play AD", "play TD", "declare"}),
        (False, {"play AD", "play TD", "play 9D", "declare"}),
    ):
        deal = Deal.at(
            hands=hands("KD AH", "AD TD 9D TH"), talon=(), trump=2, seat=0, tricks=(3, 3), rules=Rules(must_beat=must)
        )
        play(deal, "play KD")
        assert legal(deal) == answers


def test_declaring_instead_of_an_answer_can_be_forbidden() -> None:
    deal = fresh(Rules(declare_when_following=False))
    assert "declare" in legal(deal)
    play(deal, "play AS")
    assert "declare" not in legal(deal)


def test_the_full_price_limit() -> None:
    assert last_trick(points=(70, 33)).outcome[:2] == (0, 1)  # type: ignore[index]
    assert last_trick(points=(70, 32)).outcome[:2] == (0, 2)  # type: ignore[index]
    assert last_trick(Rules(full_price_from=32), points=(70, 32)).outcome[:2] == (0, 1)  # type: ignore[index]


def test_prices_of_wrong_declarations() -> None:
    rules = Rules(wrong_declaration_points=5, wrong_declaration_trickless_points=6)
    for tricks, price in (((1, 1), 5), ((1, 0), 6)):
        deal = Deal.at(hands=hands("KD", "QD"), talon=(), trump=2, seat=0, tricks=tricks, rules=rules)
        assert play(deal, "declare").outcome[:3] == (1, price, "false_declaration")  # type: ignore[index]


def test_prices_of_failed_closes() -> None:
    rules = Rules(failed_close_points=5, failed_close_trickless_points=6)
    for at_closing, price in (((1, 1), 5), ((1, 0), 6)):
        ended = last_trick(rules, points=(20, 30), closed_by=0, tricks_when_closed=at_closing).outcome
        assert ended is not None and ended[:3] == (1, price, "closer_failed")


def test_the_price_of_a_fault() -> None:
    for price in (3, 2):
        deal = fresh(Rules(fault_points=price))
        deal.forfeit(0)
        assert deal.outcome is not None and deal.outcome[:3] == (1, price, "fault")


def test_rules_travel_as_json_with_every_field() -> None:
    data = msgspec.json.decode(msgspec.json.encode(Rules()))
    assert set(data) == set(Rules.__struct_fields__)
    assert msgspec.convert(data, Rules) == Rules()


def test_the_phase_of_a_position_is_lead_unless_told() -> None:
    assert Deal.at(hands=hands("KD", "QD"), talon=(), trump=2, seat=0).phase == LEAD
