"""Knockout: one bot is left, favourites meet late, a tie ends."""

from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.knockout import BLOCKS, bracket, decided, knockout
from referee.tournament.meeting import Meeting
from referee.tournament.schedule import Pairing

SIDE = st.integers(0, 1)


def names(count: int) -> list[str]:
    return [f"b{number}" for number in range(1, count + 1)]


@given(st.integers(2, 33), st.data())
def test_every_tie_puts_one_bot_out_until_one_is_left(size: int, data: st.DataObject) -> None:
    bots, winners, rounds = names(size), dict[Pairing, str](), 0
    alive = set(bots)
    while ties := knockout(bots, winners):
        rounds += 1
        assert all(tie not in winners and set(tie) <= alive for tie in ties)
        for tie in ties:
            winners[tie] = tie[data.draw(SIDE)]
            alive -= set(tie) - {winners[tie]}
    assert len(alive) == 1
    assert len(winners) == size - 1
    assert rounds == (size - 1).bit_length()


@given(st.integers(2, 33))
def test_when_all_favourites_win_the_best_meet_last(size: int) -> None:
    bots, winners = names(size), dict[Pairing, str]()
    last: list[Pairing] = []
    while ties := knockout(bots, winners):
        winners |= {tie: tie[0] for tie in ties}
        last = ties
    assert last == [("b1", "b2")]


@given(st.integers(2, 40))
def test_only_the_first_seeds_have_a_bye(size: int) -> None:
    places = bracket(names(size))
    couples = list(zip(places[::2], places[1::2], strict=True))
    free = {a or b for a, b in couples if a is None or b is None}
    assert free == set(names(len(places) - size))
    assert (None, None) not in couples


def test_a_bracket_of_eight() -> None:
    assert knockout(names(8), {}) == [("b1", "b8"), ("b4", "b5"), ("b2", "b7"), ("b3", "b6")]


def test_a_round_stays_the_present_one_until_its_last_tie_is_decided() -> None:
    ties = [("b1", "b4"), ("b2", "b3")]
    assert knockout(names(4), {ties[0]: "b4"}) == ties
    assert knockout(names(4), {ties[0]: "b4", ties[1]: "b2"}) == [("b2", "b4")]


def test_who_has_won_more_matches_goes_on_at_once() -> None:
    assert decided(Meeting(("a", "b"), wins=(1, 3), points=(90, 20)), 1) == "b"


def test_equal_bots_play_on_until_the_blocks_are_used_up() -> None:
    tie = Meeting(("a", "b"), wins=(2, 2), points=(20, 30))
    assert [decided(tie, blocks) for blocks in range(1, BLOCKS)] == [None] * (BLOCKS - 1)
    assert decided(tie, BLOCKS) == "b"


def test_then_fewer_faults_and_at_last_the_seed_decide() -> None:
    assert decided(Meeting(("a", "b"), (2, 2), (9, 9), faults=(3, 1)), BLOCKS) == "b"
    assert decided(Meeting(("a", "b"), (2, 2), (9, 9), faults=(1, 1)), BLOCKS) == "a"
