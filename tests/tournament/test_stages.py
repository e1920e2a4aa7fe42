"""Whole tournaments of each format, played with made-up results."""

from collections.abc import Callable
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match.summary import FaultNote, SeatFigures, Summary
from referee.tournament.config import BotEntry, Format, Tournament
from referee.tournament.knockout import BLOCKS
from referee.tournament.meeting import Meeting, fold
from referee.tournament.schedule import Job, MatchPlan
from referee.tournament.stages import matches_in_all, stage

FORMATS: list[Format] = ["round-robin", "gauntlet", "swiss", "knockout"]
Winner = Callable[[MatchPlan], int]


def tournament(format: Format, bots: int, pairs: int = 2, rounds: int = 3) -> Tournament:  # noqa: A002
    entries = tuple(BotEntry(name=f"b{number}", path="/") for number in range(1, bots + 1))
    return Tournament(
        name="t", bots=entries, format=format, pairs=pairs, seed="s",
        hero="b2" if format == "gauntlet" else None, rounds=rounds if format == "swiss" else None,
    )  # fmt: skip


def summary(plan: MatchPlan, winner: int | None) -> Summary:
    score = (0, 0) if winner is None else ((7, 3), (3, 7))[winner]
    return Summary(
        match=plan.match, pair=plan.pair, leg=plan.leg, seats=plan.seats, winner=winner, score=score,
        reason="void" if winner is None else "target", figures=(SeatFigures(), SeatFigures()),
    )  # fmt: skip


def by_chance(plan: MatchPlan) -> int:
    return sha256(plan.match.encode()).digest()[0] & 1


def first_seat(_: MatchPlan) -> int:
    return 0


def play(config: Tournament, results: dict[str, Summary], winner: Winner, most: int = 10**9) -> list[Job]:
    """Play to the end, or `most` matches; returns the jobs in the order in which they were handed out."""
    handed: list[Job] = []
    while planned := list(stage(config, config.names, "s", results)):
        for job in planned:
            handed.append(job)
            for plan in job.plans:
                if len(results) == most:
                    return handed
                assert plan.match not in results
                results[plan.match] = summary(plan, winner(plan))
    return handed


@pytest.mark.parametrize("format", FORMATS)
@given(st.integers(2, 9), st.integers(1, 3), st.integers(0, 200))
def test_a_run_that_was_stopped_plays_the_same_matches_in_all(format: Format, bots: int, pairs: int, stop: int) -> None:  # noqa: A002
    config = tournament(format, bots, pairs)
    at_once: dict[str, Summary] = {}
    stopped: dict[str, Summary] = {}
    play(config, at_once, by_chance)
    play(config, stopped, by_chance, stop)
    play(config, stopped, by_chance)
    assert stopped == at_once


@pytest.mark.parametrize("format", FORMATS)
@given(st.integers(2, 9), st.integers(1, 3))
def test_the_number_of_matches_is_known_beforehand(format: Format, bots: int, pairs: int) -> None:  # noqa: A002
    config = tournament(format, bots, pairs)
    results: dict[str, Summary] = {}
    play(config, results, by_chance)
    expected = matches_in_all(config, bots)
    assert len(results) == expected or (format == "knockout" and len(results) > expected)


def test_in_a_swiss_bots_that_meet_again_have_new_decks() -> None:
    results: dict[str, Summary] = {}
    play(tournament("swiss", 2, pairs=2, rounds=3), results, by_chance)
    assert sorted({match.pair for match in results.values()}) == [1, 2, 3, 4, 5, 6]


def test_in_a_knockout_equal_bots_play_a_bounded_number_of_blocks() -> None:
    results: dict[str, Summary] = {}
    play(tournament("knockout", 2, pairs=3), results, first_seat)
    assert len(results) == BLOCKS * 3 * 2


def test_new_processes_for_every_match_if_told_so() -> None:
    config = msgspec.structs.replace(tournament("round-robin", 3), fresh=True)
    assert {len(job.plans) for job in stage(config, config.names, "s", {})} == {1}


def test_a_bot_that_is_left_out_plays_no_match() -> None:
    config = tournament("round-robin", 4)
    names = {name for job in stage(config, ("b1", "b3", "b4"), "s", {}) for name in job.pairing}
    assert names == {"b1", "b3", "b4"}


def test_a_meeting_adds_up_for_the_bots_wherever_they_sat() -> None:
    config = tournament("round-robin", 2, pairs=1)
    a, b = (plan for job in stage(config, config.names, "s", {}) for plan in job.plans)
    won, lost = summary(a, 0), summary(b, 0)
    lost.faults.append(FaultNote(0, "illegal", 1))
    assert fold(("b1", "b2"), [won, won, lost]) == Meeting(("b1", "b2"), (2, 1), (17, 13), (0, 1))
    assert fold(("b1", "b2"), [summary(a, None)]) == Meeting(("b1", "b2"))
