"""Swiss rounds: equals meet, nobody meets the same bot twice, byes go round."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from referee.tournament.meeting import Meeting
from referee.tournament.swiss import ranking, resting, score, swiss

WINS = st.sampled_from([(2, 0), (1, 1), (0, 2)])
Rounds = list[list[Meeting]]


def names(count: int) -> list[str]:
    return [f"b{number}" for number in range(count)]


def play(bots: list[str], rounds: int, data: st.DataObject) -> Rounds:
    played: Rounds = []
    for _ in range(rounds):
        played.append([Meeting(pairing, data.draw(WINS)) for pairing in swiss(bots, played)])
    return played


@given(st.integers(2, 24), st.data())
def test_nobody_meets_the_same_bot_twice_in_the_first_half(size: int, data: st.DataObject) -> None:
    """With fewer rounds than half the bots a round without repeats always exists (Dirac's theorem)."""
    played = play(names(size), max(1, size // 2), data)
    met = [meeting.pairing for meetings in played for meeting in meetings]
    assert len(met) == len(set(met))


@given(st.integers(2, 13), st.integers(1, 14), st.data())
def test_in_each_round_everyone_plays_once_or_one_has_a_bye(size: int, rounds: int, data: st.DataObject) -> None:
    bots = names(size)
    for meetings in play(bots, rounds, data):
        playing = [name for meeting in meetings for name in meeting.pairing]
        assert len(playing) == len(set(playing)) == size - size % 2
        assert all(bots.index(a) < bots.index(b) for a, b in (meeting.pairing for meeting in meetings))


@given(st.sampled_from([3, 5, 7, 11]), st.integers(1, 12), st.data())
def test_byes_go_round(size: int, rounds: int, data: st.DataObject) -> None:
    bots = names(size)
    byes = Counter(dict.fromkeys(bots, 0))
    byes.update(resting(bots, [m.pairing for m in meetings]) or "" for meetings in play(bots, rounds, data))
    assert max(byes.values()) - min(byes.values()) <= 1
    assert sum(byes.values()) == rounds


@given(st.integers(2, 12), st.integers(1, 6), st.data())
def test_the_same_results_give_the_same_round_in_whatever_order_they_came(
    size: int, rounds: int, data: st.DataObject
) -> None:
    bots, played = names(size), play(names(size), rounds, data)
    assert swiss(bots, [list(reversed(meetings)) for meetings in played]) == swiss(bots, played)


def test_the_upper_half_meets_the_lower_half() -> None:
    assert swiss(names(8), []) == [("b0", "b4"), ("b1", "b5"), ("b2", "b6"), ("b3", "b7")]


def test_winners_meet_winners() -> None:
    first = [Meeting((f"b{i}", f"b{i + 4}"), (2, 0)) for i in range(4)]
    assert swiss(names(8), [first]) == [("b0", "b2"), ("b1", "b3"), ("b4", "b6"), ("b5", "b7")]


def test_the_last_of_an_odd_number_has_the_first_bye_and_gets_its_score() -> None:
    bots = names(5)
    pairings = swiss(bots, [])
    assert resting(bots, pairings) == "b4"
    played = [[Meeting(pairing, (2, 0)) for pairing in pairings]]
    assert score(bots, played) == {"b0": 2, "b1": 2, "b2": 0, "b3": 0, "b4": 2}
    assert ranking(bots, played) == ["b0", "b1", "b4", "b2", "b3"]


def test_a_drawn_meeting_is_worth_half() -> None:
    assert score(["a", "b"], [[Meeting(("a", "b"), (3, 3))]]) == {"a": 1, "b": 1}


def test_two_bots_meet_again_when_there_is_nobody_else() -> None:
    assert swiss(["a", "b"], [[Meeting(("a", "b"))]] * 3) == [("a", "b")]
