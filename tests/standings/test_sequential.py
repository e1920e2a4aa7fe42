"""A sequential match decides in the order of pairs, whatever order they come in."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from referee.match.summary import SeatFigures, Summary
from referee.standings.sequential import SequentialTest
from referee.standings.sprt import new_sprt


def match(pair: int, leg: str, winner: str | None) -> Summary:
    seats = ("a", "b") if leg == "a" else ("b", "a")
    return Summary(
        match=f"{pair}-a-b-{leg}",
        pair=pair,
        leg=leg,  # type: ignore[arg-type]
        seats=seats,
        winner=None if winner is None else seats.index(winner),
        reason="target",
        figures=(SeatFigures(), SeatFigures()),
    )


def pairs(wins: list[int]) -> list[Summary]:
    """Mirrored pairs of which the first bot has won 0, 1 or 2."""
    found = []
    for number, won in enumerate(wins, 1):
        found += [match(number, "a", "a" if won else "b"), match(number, "b", "a" if won == 2 else "b")]
    return found


def test_nothing_is_decided_until_both_legs_are_there() -> None:
    test = SequentialTest(new_sprt(0, 30), "a")
    for number in range(1, 200):
        assert not test(match(number, "a", "a"))
    assert test.counts == (0, 0, 0, 0, 0)


def test_a_gap_holds_back_what_comes_after_it() -> None:
    test = SequentialTest(new_sprt(0, 30), "a")
    later = [summary for summary in pairs([2] * 100) if summary.pair > 1]
    assert not any(test(summary) for summary in later)
    assert [test(summary) for summary in pairs([2])] == [False, True]
    assert test.decision == "H1"


@given(wins=st.lists(st.sampled_from([0, 1, 1, 2]), max_size=60), seed=st.integers(0, 1000))
def test_the_order_of_arrival_does_not_matter(wins: list[int], seed: int) -> None:
    in_order, shuffled = pairs(wins), pairs(wins)
    Random(seed).shuffle(shuffled)
    one, other = SequentialTest(new_sprt(0, 100), "a"), SequentialTest(new_sprt(0, 100), "a")
    for summary in in_order:
        one(summary)
    for summary in shuffled:
        other(summary)
    assert (one.decision, one.counts) == (other.decision, other.counts)


def test_a_void_leg_is_half_a_point() -> None:
    test = SequentialTest(new_sprt(0, 30), "a")
    test(match(1, "a", None))
    test(match(1, "b", "a"))
    assert test.counts == (0, 0, 0, 1, 0)
    assert "undecided" in test.words()
