"""From matches to the table: small tournaments worked out by hand, and what holds for every tournament."""

import random
import time
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standings.matches import aborted, match, round_robin, void

from referee.match.events import Leg
from referee.match.summary import FaultNote, SeatFigures, Summary, bucket
from referee.standings.ranking import TIE_BREAK
from referee.standings.ratings import PairResult, rate, superiority
from referee.standings.statistics import summarise
from referee.standings.table import Cell, Row, Table, build, mirroring_note, table_of
from referee.standings.tally import Tally

SMALL = [
    match("AB", (7, 3), 1, "a", deals=5),
    match("BA", (5, 7), 1, "b", deals=7),
    match("AC", (7, 0), 1, "a", deals=4),
    match("CA", (7, 6), 1, "b", deals=8),
    match("BC", (7, 2), 1, "a", deals=6),
    void("CB", 1, "b"),
    match("AB", (6, 8), 2, "a", deals=9),
]


def row(table: Table, name: str) -> Row:
    return next(row for row in table.rows if row.name == name)


def cell(table: Table, name: str, opponent: str) -> Cell:
    return next(cell for cell in table.cells if (cell.name, cell.opponent) == (name, opponent))


def order(matches: Sequence[Summary]) -> str:
    return "".join(row.name for row in build(matches).rows)


# By hand


def test_totals_of_a_small_tournament() -> None:
    table = build(SMALL)
    assert (table.matches, table.void, table.aborted, table.deals) == (7, 1, 0, 39)
    assert (table.pairs, table.open_pairs) == (2, 2)  # A-B and A-C; the second A-B and the half void B-C
    assert table.order == TIE_BREAK


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("A", {"rank": 1, "matches": 5, "won": 3, "lost": 2, "void": 0, "pairs": 2, "score": 0.6, "points_for": 33,
               "points_against": 23, "deals": 33, "points_per_deal": 0.303, "faults": {}}),
        ("B", {"rank": 2, "matches": 5, "won": 2, "lost": 2, "void": 1, "pairs": 1, "score": 0.5, "points_for": 23,
               "points_against": 22, "deals": 27, "points_per_deal": 0.037, "faults": {"start": 1}}),
        ("C", {"rank": 3, "matches": 4, "won": 1, "lost": 2, "void": 1, "pairs": 1, "score": 0.3333, "points_for": 9,
               "points_against": 20, "deals": 18, "points_per_deal": -0.6111, "faults": {"start": 1}}),
    ],
)  # fmt: skip
def test_rows_of_a_small_tournament(name: str, expected: dict[str, Any]) -> None:
    found = row(build(SMALL), name)
    assert {field: getattr(found, field) for field in expected} == expected


def test_cells_of_a_small_tournament() -> None:
    table = build(SMALL)
    assert len(table.cells) == 6
    ab, ba, bc = cell(table, "A", "B"), cell(table, "B", "A"), cell(table, "B", "C")
    assert (ab.won, ab.lost, ab.void, ab.points_for, ab.points_against) == (2, 1, 0, 20, 16)
    assert (ab.pairs, ab.five_way, ab.share) == (1, (0, 0, 0, 0, 1), 1.0)
    assert (ba.won, ba.lost, ba.points_for, ba.five_way, ba.share) == (1, 2, 16, (1, 0, 0, 0, 0), 0.0)
    assert (bc.won, bc.lost, bc.void, bc.pairs, bc.share, bc.low, bc.high) == (1, 0, 1, 0, 0.5, 0.0, 1.0)
    assert cell(table, "A", "C").five_way == (0, 0, 1, 0, 0)
    assert (ab.low, ab.high) == tuple(round(value, 4) for value in summarise((0, 0, 0, 0, 1))[2:])


def test_ratings_are_those_of_the_complete_pairs() -> None:
    table = build(SMALL)
    ratings = rate(3, [PairResult(0, 1, 2.0, 1), PairResult(0, 2, 1.0, 1)])
    assert [row(table, name).rating for name in "ABC"] == [round(elo, 1) for elo in ratings.elo]
    assert row(table, "A").rating_low == round(ratings.low[0], 1)
    assert row(table, "A").better_than_next == round(superiority(ratings, 0, 1), 4)
    assert row(table, "C").better_than_next is None


def test_a_bot_without_a_complete_pair_has_no_rating() -> None:
    table = build([*SMALL, match("DA", (7, 1))])
    assert row(table, "D").rank == 1
    assert row(table, "D").rating is None
    assert row(table, "D").better_than_next is None
    assert row(table, "C").rating is not None


def test_figures_are_added_up_over_both_seats() -> None:
    one = SeatFigures(1, 2, 3, 4, 5, 900, {40: 2, 50: 1})
    two = SeatFigures(10, 20, 30, 40, 50, 800, {40: 1, 60: 7})
    nothing = SeatFigures()
    table = build(
        [match("AB", (7, 0), 1, "a", figures=(one, nothing)), match("BA", (0, 7), 1, "b", figures=(nothing, two))]
    )
    a = row(table, "A")
    assert (a.closes_won, a.closes_lost, a.false_declarations, a.trickless_wins, a.deals_won) == (11, 22, 33, 44, 55)
    assert (a.decisions, a.max_us) == (11, 900)
    assert row(table, "B").median_us is None


def test_decision_times() -> None:
    times = {bucket(100): 50, bucket(1000): 45, bucket(50_000): 5}
    a = row(build([match("AB", (7, 0), figures=(SeatFigures(times=times, slowest_us=50_100), SeatFigures()))]), "A")
    assert a.median_us == pytest.approx(100, rel=0.032)
    assert a.p95_us == pytest.approx(1000, rel=0.032)
    assert a.max_us == 50_100


def test_no_percentile_is_beyond_the_slowest_decision() -> None:
    figures = (SeatFigures(times={bucket(1024): 1}, slowest_us=1024), SeatFigures())
    a = row(build([match("AB", (7, 0), figures=figures)]), "A")
    assert (a.median_us, a.p95_us, a.max_us) == (1024, 1024, 1024)


def test_faults_by_kind_belong_to_the_bot_on_the_seat() -> None:
    faults = [FaultNote(0, "timeout", 1), FaultNote(0, "timeout", 2), FaultNote(1, "crash", 3)]
    table = build([match("AB", (7, 0), faults=faults), match("BA", (7, 0), 1, "b", faults=faults[:1])])
    assert row(table, "A").faults == {"timeout": 2}
    assert row(table, "B").faults == {"crash": 1, "timeout": 1}
    assert table.faults == 4


def test_a_start_fault_is_a_lost_match_but_no_measure_of_play() -> None:
    table = build([match("AB", (7, 0), 1, "a", reason="start_fault", deals=0), match("BA", (7, 5), 1, "b", deals=10)])
    a = row(table, "A")
    assert (a.won, a.lost, a.points_for, a.pairs, a.points_per_deal) == (1, 1, 12, 1, -0.2)


def test_an_aborted_match_leaves_no_trace_but_its_number() -> None:
    table = build([aborted("AB"), match("AB", (7, 3)), match("BA", (3, 7), 1, "b")])
    assert (table.matches, table.aborted, table.pairs) == (3, 1, 1)
    assert row(table, "A").matches == 2
    assert row(table, "A").faults == {}


def test_nothing_at_all_and_bots_that_have_not_played() -> None:
    assert build([]).rows == ()
    table = build([], ["B", "A"])
    assert [(row.rank, row.name, row.matches, row.score, row.rating) for row in table.rows] == [
        (1, "A", 0, None, None),
        (2, "B", 0, None, None),
    ]


def test_a_leg_that_comes_twice_is_no_pair() -> None:
    table = build([match("AB", (7, 3)), match("AB", (7, 3)), match("BA", (0, 7), 1, "b"), match("BA", (7, 0), 1, "b")])
    assert table.pairs == 1
    assert cell(table, "A", "B").five_way == (0, 0, 0, 0, 1)


# Order


def test_a_better_score_comes_first_whatever_the_number_of_matches() -> None:
    assert order([match("AB", (0, 7)), match("CD", (7, 0)), match("CD", (0, 7), 2)]) == "BCDA"


def test_equal_scores_are_told_apart_by_the_opponents() -> None:
    """A and D won one match each; D's victim has won another one, A's none."""
    assert order([match("AB", (7, 0)), match("DC", (7, 0)), match("CE", (7, 0))]) == "DACBE"


def test_then_by_the_matches_among_the_tied() -> None:
    """A and B won two of three, C and D one; A beat B and C beat D, though the others have the better points."""
    matches = [match("AB", (7, 6)), match("AC", (7, 6)), match("AD", (0, 7)), match("BC", (7, 0)), match("BD", (7, 0))]
    assert order([*matches, match("CD", (7, 6))]) == "ABCD"


def test_in_a_circle_game_points_decide_and_then_the_name() -> None:
    """A beat B, B beat C, C beat A: A has 10-13, B 13-7, C 7-10."""
    assert order([match("AB", (7, 6)), match("BC", (7, 0)), match("CA", (7, 3))]) == "BAC"


def test_then_by_game_points_faults_and_name() -> None:
    assert order([match("AB", (7, 5)), match("CD", (7, 4))]) == "CABD"
    fault = [FaultNote(0, "illegal", 1)]
    assert order([match("AB", (7, 5), faults=fault), match("CD", (7, 5))]) == "CABD"
    assert order([match("CD", (7, 5)), match("AB", (7, 5))]) == "ACBD"


# Notes


def test_mirroring_is_not_judged_by_a_few_pairs() -> None:
    note = mirroring_note(build(round_robin("AB", 29)))
    assert note == "Mirroring: 29 complete pairs are too few to say what it saved."


LEGS: tuple[Leg, Leg] = ("a", "b")


def pairs(*wins: int) -> list[Summary]:
    """Mirrored pairs of A and B, of which A won so many legs."""
    return [
        match("AB" if leg == "a" else "BA", (7, 0) if (leg == "a") == (number < won) else (0, 7), pair, leg)
        for pair, won in enumerate(wins, 1)
        for number, leg in enumerate(LEGS)
    ]


def test_what_mirroring_saved() -> None:
    """Three of four pairs end 1-1, where independent matches would make it one of two."""
    table = build(pairs(*[2, 1, 0, 1, 1, 1, 1, 1] * 5))
    assert cell(table, "A", "B").five_way == (5, 0, 30, 0, 5)
    assert table.mirroring == 0.5096
    assert mirroring_note(table) == "Mirroring saved 49 % of the matches: 80 tell as much as 157 on unrelated decks."


def test_what_mirroring_did_not_save() -> None:
    assert (
        mirroring_note(build(pairs(*[2, 1, 0, 1] * 10))) == "Mirroring saved nothing that shows in 40 complete pairs."
    )
    one_sided = "Mirroring: every pairing was won by the same side throughout, which does not show what it saved."
    assert mirroring_note(build(pairs(*[2] * 40))) == one_sided


def test_mirroring_claims_no_certainty() -> None:
    table = build(pairs(*[1] * 40))
    assert mirroring_note(table) == "Mirroring took out all the luck that shows in 40 complete pairs."


# Whatever the tournament

SCORES = st.tuples(st.integers(0, 9), st.integers(0, 9))
MATCHES = st.lists(
    st.builds(
        lambda seats, score, pair, leg, kind: (
            void(seats, pair, leg) if kind == 0 else aborted(seats, pair, leg) if kind == 1
            else match(seats, score, pair, leg, faults=[FaultNote(kind % 2, "crash", 1)] if kind > 4 else [])
        ),
        st.sampled_from(["AB", "BA", "AC", "CA", "BC", "CB", "DA"]),
        SCORES,
        st.integers(1, 4),
        st.sampled_from("ab"),
        st.integers(0, 9),
    ),
    unique_by=lambda summary: (tuple(sorted(summary.seats)), summary.pair, summary.leg),
)  # fmt: skip


@given(MATCHES, st.randoms(use_true_random=False))
def test_the_order_in_which_matches_come_is_no_matter(matches: list[Summary], rng: random.Random) -> None:
    shuffled = matches[:]
    rng.shuffle(shuffled)
    assert build(shuffled) == build(matches)


@given(MATCHES)
def test_everything_adds_up(matches: list[Summary]) -> None:
    table = build(matches)
    assert table.matches == len(matches)
    assert all(each.won + each.lost + each.void == each.matches for each in table.rows)
    assert sum(each.matches for each in table.rows) == 2 * (table.matches - table.aborted)
    assert sum(each.void for each in table.rows) == 2 * table.void
    assert sum(each.won for each in table.rows) == sum(each.lost for each in table.rows)
    assert sum(each.pairs for each in table.rows) == 2 * table.pairs
    for each in table.rows:
        cells = [cell for cell in table.cells if cell.name == each.name]
        assert sum(cell.won for cell in cells) == each.won
        assert sum(cell.points_for for cell in cells) == each.points_for
        assert sum(cell.pairs for cell in cells) == each.pairs
    assert [each.rank for each in table.rows] == list(range(1, len(table.rows) + 1))


@given(MATCHES)
def test_json_without_nan_and_back(matches: list[Summary]) -> None:
    """msgspec writes nan and inf as null, which no field but the optional ones takes back."""
    table = build(matches)
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table


@given(MATCHES)
def test_added_one_by_one_it_is_the_same_table(matches: list[Summary]) -> None:
    tally = Tally()
    for summary in matches:
        tally.add(summary)
        table_of(tally)
    assert table_of(tally) == build(matches)


def test_a_hundred_thousand_matches() -> None:
    """About one second of processor time; the limit leaves room for slow machines."""
    matches = round_robin([f"bot-{number}" for number in range(30)], 115)
    assert len(matches) == 100_050
    begun = time.process_time()
    table = build(matches)
    assert time.process_time() - begun < 5
    assert (table.matches, table.pairs) == (100_050, 50_025)
