"""The sequential test: its formula, its bounds, and by simulation the errors that it promises."""

import random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.standings.sprt import decide, expected_share, log_likelihood_ratio, new_sprt

COUNTS = st.tuples(*[st.integers(0, 10_000)] * 5)


def draw_pair(rng: random.Random, share: float, luck: float) -> int:
    """Points of a pair between bots whose matches the first one wins with probability `share`.

    `luck` is the part of the variance that is the decks'; it favours one seat, so it counts for and against.
    """
    threshold = NormalDist().inv_cdf(share)
    deal, noise = rng.gauss(0, luck**0.5), (1 - luck) ** 0.5
    return (deal + rng.gauss(0, noise) < threshold) + (-deal + rng.gauss(0, noise) < threshold)


def play(rng: random.Random, elo: float, luck: float, elo0: float, elo1: float) -> tuple[str | None, int]:
    """Decision and number of pairs of one run of the test."""
    test, counts = new_sprt(elo0, elo1), [0] * 5
    for pairs in range(1, 5000):
        counts[2 * draw_pair(rng, expected_share(elo), luck)] += 1
        decision = decide(test, tuple(counts))
        if decision:
            return decision, pairs
    return None, 5000


@pytest.mark.parametrize(("elo0", "elo1"), [(0, 50), (-40, 40)])
@pytest.mark.parametrize("luck", [0.0, 0.7, 0.97])
def test_errors_are_as_promised(elo0: float, elo1: float, luck: float) -> None:
    rng, runs = random.Random(66), 200
    wrong0 = sum(play(rng, elo0, luck, elo0, elo1)[0] != "H0" for _ in range(runs))
    wrong1 = sum(play(rng, elo1, luck, elo0, elo1)[0] != "H1" for _ in range(runs))
    # 5 % promised; 200 runs have a standard error of 1.5 %.
    assert wrong0 / runs <= 0.09
    assert wrong1 / runs <= 0.09


def test_a_clear_difference_is_settled_sooner() -> None:
    rng = random.Random(1)
    close = sum(play(rng, 40, 0.5, 0, 40)[1] for _ in range(50))
    clear = sum(play(rng, 120, 0.5, 0, 40)[1] for _ in range(50))
    assert clear < close / 2


def test_formula_by_hand() -> None:
    # 100 pairs, mean 0.6; deviations 20 * 0.36 + 40 * 0.01 + 40 * 0.16 = 14, smoothed (14 + 0.75) / 106.
    test = new_sprt(0, 30)
    s1 = 1 / (1 + 10 ** (-30 / 400))
    expected = 100 * (s1 - 0.5) * (1.2 - 0.5 - s1) / (2 * 14.75 / 106)
    assert log_likelihood_ratio(test, (20, 0, 40, 0, 40)) == pytest.approx(expected, rel=1e-12)


def test_bounds_are_walds() -> None:
    assert new_sprt(0, 30).lower() == pytest.approx(-2.9444, abs=1e-4)
    assert new_sprt(0, 30).upper() == pytest.approx(2.9444, abs=1e-4)
    assert new_sprt(0, 30, alpha=0.01, beta=0.2).upper() == pytest.approx(4.3820, abs=1e-4)


def test_nothing_played_decides_nothing() -> None:
    assert log_likelihood_ratio(new_sprt(0, 30), (0, 0, 0, 0, 0)) == 0
    assert decide(new_sprt(0, 30), (0, 0, 0, 0, 0)) is None


def test_a_few_level_pairs_decide_nothing_and_many_decide_for_h0() -> None:
    assert decide(new_sprt(0, 30), (0, 0, 20, 0, 0)) is None
    assert decide(new_sprt(0, 30), (0, 0, 200, 0, 0)) == "H0"


def test_clean_sweeps_decide() -> None:
    assert decide(new_sprt(0, 30), (0, 0, 0, 0, 60)) == "H1"
    assert decide(new_sprt(0, 30), (60, 0, 0, 0, 0)) == "H0"


@given(COUNTS, st.floats(-200, 200), st.floats(1, 200))
def test_the_other_side_asks_the_opposite_question(counts: tuple[int, ...], elo0: float, width: float) -> None:
    ours = log_likelihood_ratio(new_sprt(elo0, elo0 + width), counts)
    theirs = log_likelihood_ratio(new_sprt(-elo0 - width, -elo0), counts[::-1])
    assert ours == pytest.approx(-theirs, rel=1e-6, abs=1e-6)
    assert abs(ours) < 1e12  # and never nan


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta"),
    [(30, 0, 0.05, 0.05), (5, 5, 0.05, 0.05), (float("nan"), 5, 0.05, 0.05), (0, 30, 0, 0.05), (0, 30, 0.05, 0.6)],
)
def test_senseless_parameters_are_refused(elo0: float, elo1: float, alpha: float, beta: float) -> None:
    with pytest.raises(ValueError, match="must"):
        new_sprt(elo0, elo1, alpha, beta)
