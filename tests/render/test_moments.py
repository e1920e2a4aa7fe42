"""The moments of a match: complete, true to the log, and for one seat nothing that it was not told."""

import itertools

import pytest
from render.played import any_legal, fault, header, play, script, unable_to_start

from referee.match.events import ActEvent, DealEndEvent, DealEvent, FaultEvent, MatchEndEvent
from referee.render.moments import HIDDEN, moments
from referee.render.words import Card
from referee.store.replay import Disagreement


def with_faults(ask, rng):
    return fault("crash", detail="gone", stderr="secret") if rng.random() < 0.02 else any_legal(ask, rng)


@pytest.fixture(scope="module", params=range(6))
def lines(request):
    return play(
        header(seed=f"{request.param:064x}"),
        with_faults,
        seed=request.param,
        note=lambda seat, turn: f"secret of {seat}",
        asks_draw=request.param % 2 == 0,
    )


def test_every_line_but_the_header_is_a_moment(lines):
    shown = list(moments(lines))
    kinds = {
        DealEvent: "deal",
        ActEvent: "act",
        FaultEvent: "fault",
        DealEndEvent: "deal_end",
        MatchEndEvent: "match_end",
    }
    assert [(one.line, one.kind) for one in shown] == [(line.number, kinds[type(line.event)]) for line in lines[1:]]


def test_steps_count_from_the_cards_as_dealt(lines):
    for _, deal in itertools.groupby(moments(lines), key=lambda one: one.deal):
        steps = list(deal)
        assert [one.step for one in steps] == list(range(len(steps)))
        assert steps[0].kind == "deal"
        assert steps[0].table == ()


def test_the_score_changes_at_the_end_of_a_deal_and_not_before(lines):
    score = (0, 0)
    for one in moments(lines):
        if one.deal_end is not None:
            score = one.deal_end.score
        assert one.score == score


def test_no_card_is_lost_or_doubled(lines):
    for one in moments(lines):
        held = [*one.hands[0], *one.hands[1], *one.stock_cards]
        assert len(set(held)) == len(held)
        assert one.stock == len(one.stock_cards)
        if one.last_trick is not None and len(one.table) == 2:
            assert one.last_trick.cards == tuple(card for _, card in one.table)
        assert not {card for _, card in one.table} & set(held)


def test_a_card_drawn_is_in_the_hand_that_drew_it(lines):
    for one in moments(lines):
        for seat in (0, 1):
            assert one.drawn[seat] is None or one.drawn[seat] in one.hands[seat]


@pytest.mark.parametrize("seat", [0, 1])
def test_one_seat_sees_nothing_that_it_was_not_told(lines, seat):
    other = 1 - seat
    for full, seen in zip(moments(lines), moments(lines, seat), strict=True):
        assert seen.hands[seat] == full.hands[seat]
        assert seen.hands[other] == (HIDDEN,) * len(full.hands[other])
        assert set(seen.stock_cards[:-1]) <= {HIDDEN}
        hidden = set(full.hands[other]) - {card for _, card in full.table}
        named = {part.card for part in seen.said if isinstance(part, Card)}
        exchanged = {full.trump_card} | {part.card for part in full.said if isinstance(part, Card)} - set(full.drawn)
        assert not (named & hidden) - exchanged
        if full.seat == other:
            assert (seen.us, seen.note, seen.fault) == (None, "", None)


def test_the_exchange_is_seen_by_both():
    shown = [one for seed in range(9) for one in moments(play(header(seed=f"{seed:064x}"), seed=seed), 0)]
    exchanges = [one for one in shown if one.kind == "act" and " exchanges the trump nine for " in one.said]
    assert exchanges
    assert all(one.trump_card == "9" + one.trump for one in exchanges)


def test_a_marriage_stays_on_the_table_with_its_price():
    shown = [one for seed in range(9) for one in moments(play(header(seed=f"{seed:064x}"), seed=seed))]
    told = [one for one in shown if one.kind == "act" and one.marriages and "marriage" in str(one.said)]
    assert told
    assert all(one.marriages[-1].points == (40 if one.marriages[-1].suit == one.trump else 20) for one in told)


def test_closing_before_the_draw_leaves_the_hands_short():
    def closes(ask, rng):
        return 29 if ask.turn.phase == "draw" else any_legal(ask, rng)

    shown = list(moments(play(header(), closes, asks_draw=True)))
    closed = [one for one in shown if " closes the stock before the draw" in one.said]
    assert closed
    assert all(one.closed_by == one.seat and len(one.hands[0]) == len(one.hands[1]) == 5 for one in closed)


def test_a_match_that_could_not_start_has_moments_without_cards():
    shown = list(moments(unable_to_start(header(), (0, 1))))
    assert [(one.deal, one.step, one.kind) for one in shown] == [(0, 0, "fault"), (0, 1, "fault"), (0, 2, "match_end")]
    assert shown[-1].match_end.reason == "void"


def test_a_log_that_disagrees_is_not_shown_beyond_that_line(lines):
    broken = [line._replace(event=_other_score(line.event)) for line in lines]
    with pytest.raises(Disagreement):
        list(moments(broken))


def _other_score(event):
    if isinstance(event, DealEndEvent):
        return DealEndEvent(event.deal, event.winner, 9, event.reason, event.card_points, event.tricks, event.score)
    return event


def test_a_script_plays_what_it_says():
    deck_of = play(header())[1].event.deck
    shown = list(moments(play(header(), script(f"play {deck_of[0]}", f"play {deck_of[3]}"))))
    assert shown[2].last_trick.cards == (deck_of[0], deck_of[3])
