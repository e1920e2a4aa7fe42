"""The match machine: who is asked, how deals follow one another, what faults cost, when it is over."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match.table import SEED, header, play, random_chooser

from referee.match.clock import Clock
from referee.match.events import ActEvent, DealEndEvent, DealEvent, FaultEvent, MatchEndEvent, digest_of
from referee.match.machine import Ask, DealOver, IllegalAction, Match, MatchOver
from referee.protocol.messages import FaultKind
from referee.rules.cards import DECLARE, DRAW
from referee.rules.ruleset import Rules
from referee.rules.shuffle import deck


def new(rules: Rules = Rules(), clock: Clock = Clock(), asks: bool = False) -> Match:
    return Match(header(rules, clock), lambda number: deck(SEED, number), lambda _: asks)


def ask(effects: list[object]) -> Ask:
    last = effects[-1]
    assert isinstance(last, Ask)
    return last


def fault(seat: int, kind: FaultKind = "illegal", deal: int = 1) -> FaultEvent:
    return FaultEvent(deal=deal, seat=seat, kind=kind, us=5)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_match_ends_at_seven_and_the_deal_alternates(seed: int) -> None:
    played = play(header(seed=f"{seed:064x}"), random_chooser(seed))
    deals = [event for event in played.events if isinstance(event, DealEvent)]
    ends = [event for event in played.events if isinstance(event, DealEndEvent)]
    end = played.events[-1]
    assert isinstance(end, MatchEndEvent)
    assert [event.dealer for event in deals] == [(1 + n) % 2 for n in range(len(deals))]
    assert [event.deal for event in ends] == list(range(1, len(deals) + 1))
    assert max(end.score) >= 7 and end.winner == end.score.index(max(end.score))
    assert all(max(event.score) < 7 for event in ends[:-1]), "no deal is played after the seventh point"
    total = [sum(event.game_points for event in ends if event.winner == seat) for seat in (0, 1)]
    assert tuple(total) == end.score and end.deals == len(deals)


def test_the_target_is_a_rule() -> None:
    end = play(header(Rules(match_target=1)), random_chooser(1)).events[-1]
    assert isinstance(end, MatchEndEvent)
    assert end.score in {(points, 0) for points in (1, 2, 3)} | {(0, points) for points in (1, 2, 3)}


def test_an_illegal_action_changes_nothing() -> None:
    match = new()
    first = ask(match.start())
    with pytest.raises(IllegalAction):
        match.act(DRAW, 10)
    held_by_the_other = next(code for code in range(24) if code not in first.legal)
    with pytest.raises(IllegalAction):
        match.act(held_by_the_other, 10)
    again = match.act(first.legal[0], 10)
    assert ask(again).seat == 1 - first.seat


def test_an_action_after_the_end_of_a_deal_is_refused() -> None:
    match = new()
    ask(match.start())
    assert isinstance(match.act(DECLARE, 10)[-1], DealOver)
    with pytest.raises(IllegalAction):
        match.act(DECLARE, 10)


@pytest.mark.parametrize(
    ("kind", "renewed"),
    [("illegal", ()), ("malformed", ()), ("timeout", (0,)), ("crash", (0,)), ("flood", (0,))],
)
def test_a_fault_costs_three_and_some_faults_a_new_process(kind: FaultKind, renewed: tuple[int, ...]) -> None:
    match = new()
    ask(match.start())
    effects = match.fault(fault(0, kind))
    assert match.score == [0, 3]
    assert effects[-1] == DealOver(renewed)


def test_three_faults_lose_the_match() -> None:
    match = new()
    effects = match.start()
    for number in (1, 2, 3):
        seat = ask(effects).seat
        while seat != 0:
            effects = match.act(ask(effects).legal[0], 10)
            seat = ask(effects).seat
        effects = match.fault(fault(0, "timeout", number))
        if number < 3:
            effects = match.next_deal()
    assert isinstance(effects[-1], MatchOver)
    assert (effects[-1].end.winner, effects[-1].end.score, effects[-1].end.reason) == (1, (0, 9), "target")


def test_a_bot_that_does_not_start_loses_to_nothing() -> None:
    match = new()
    match.open_log()
    over = match.cannot_start([fault(1, "start", 0)])[-1]
    assert isinstance(over, MatchOver)
    assert (over.end.winner, over.end.score, over.end.reason, over.end.deals) == (0, (7, 0), "start_fault", 0)


def test_two_bots_that_do_not_start_make_it_void() -> None:
    match = new()
    match.open_log()
    over = match.cannot_start([fault(0, "start", 0), fault(1, "start", 0)])[-1]
    assert isinstance(over, MatchOver)
    assert (over.end.winner, over.end.score, over.end.reason) == (None, (0, 0), "void")


def test_only_a_bot_that_wants_it_is_asked_about_the_draw() -> None:
    for asks in (False, True):
        played = play(header(), random_chooser(7), asks_draw=lambda _, asks=asks: asks)
        phases = {event.phase for event in played.events if isinstance(event, ActEvent)}
        assert ("draw" in phases) is asks


def test_the_bank_runs_down_and_limits_the_turn() -> None:
    match = new(clock=Clock(move_ms=1000, match_ms=1500))
    first = ask(match.start())
    assert (first.limit_us, first.turn.move_ms, first.turn.match_ms) == (1_000_000, 1000, 1500)
    second = ask(match.act(first.legal[0], 900_000))
    assert second.limit_us == 1_000_000
    third = ask(match.act(second.legal[0], 100_000))
    mine = third if third.seat == first.seat else ask(match.act(third.legal[0], 1))
    assert (mine.limit_us, mine.turn.match_ms) == (600_000, 600)


def test_without_limits_no_clock_runs() -> None:
    assert ask(new(clock=Clock(move_ms=None)).start()).limit_us is None


def test_the_digest_ignores_times_and_notes_and_nothing_else() -> None:
    events = play(header(), random_chooser(8)).events
    digest = digest_of(events)
    assert isinstance(events[-1], MatchEndEvent) and events[-1].digest == digest
    slower = [
        msgspec.structs.replace(event, us=9, lag_us=3, note='","us":') if isinstance(event, ActEvent) else event
        for event in events
    ]
    assert digest_of(slower) == digest
    for place, event in enumerate(events[:-1]):
        if isinstance(event, ActEvent):
            changed = [*events]
            changed[place] = msgspec.structs.replace(event, seat=1 - event.seat)
            assert digest_of(changed) != digest


def test_versions_and_evidence_are_not_in_the_digest_and_names_are() -> None:
    head = header()
    same = msgspec.structs.replace(head, seats=(msgspec.structs.replace(head.seats[0], version="9"), head.seats[1]))
    other = msgspec.structs.replace(head, seats=(msgspec.structs.replace(head.seats[0], name="x"), head.seats[1]))
    assert digest_of([head]) == digest_of([same]) != digest_of([other])
    plain, evident = fault(0), msgspec.structs.replace(fault(0), us=77, stderr="Traceback", answer="???")
    assert digest_of([plain]) == digest_of([evident]) != digest_of([fault(0, "crash")])
