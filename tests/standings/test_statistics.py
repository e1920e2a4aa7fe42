"""One pairing: five-way counts, intervals, what mirroring saved; and percentiles of decision times."""

import random
from collections import Counter
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.match.summary import bucket, bucket_us
from referee.standings.statistics import (
    dispersion,
    five_way,
    flipped,
    mirroring_ratio,
    pairs_to_significance,
    percentile,
    student_quantile,
    summarise,
)

COUNTS = st.tuples(*[st.integers(0, 500)] * 5)


def draw_counts(rng: random.Random, pairs: int, share: float, luck: float) -> tuple[int, ...]:
    """Five-way count of pairs whose matches have the given share, `luck` of the variance being the decks'."""
    threshold, noise = NormalDist().inv_cdf(share), (1 - luck) ** 0.5
    points = []
    for _ in range(pairs):
        deal = rng.gauss(0, luck**0.5)
        points.append((deal + rng.gauss(0, noise) < threshold) + (-deal + rng.gauss(0, noise) < threshold))
    return five_way(points)


def test_five_way_counts() -> None:
    assert five_way([0, 0.5, 1, 1, 1.5, 2, 2, 2]) == (1, 1, 2, 1, 3)
    assert flipped((1, 1, 2, 1, 3)) == (3, 1, 2, 1, 1)


@pytest.mark.parametrize("points", [-1, 0.7, 2.5, float("nan")])
def test_impossible_points_are_refused(points: float) -> None:
    with pytest.raises(ValueError, match="a pair brings"):
        five_way([points])


@pytest.mark.parametrize("pairs", [10, 30, 100])
@pytest.mark.parametrize("luck", [0.0, 0.7])
def test_interval_covers_the_truth(pairs: int, luck: float) -> None:
    rng, runs = random.Random(7), 300
    for share in (0.5, 0.65, 0.85):
        found = [summarise(draw_counts(rng, pairs, share, luck)) for _ in range(runs)]
        covered = sum(s.low <= share <= s.high for s in found) / runs
        # Few pairs have few possible means, so coverage moves in steps there; never below what 95 % allows by chance.
        assert 0.92 <= covered <= (1.0 if pairs == 10 else 0.985)


@given(COUNTS)
def test_interval_is_within_the_scale_and_around_the_mean(counts: tuple[int, ...]) -> None:
    summary = summarise(counts)
    assert 0 <= summary.low <= summary.mean <= summary.high <= 1
    assert summary.high - summary.low > 0


@given(COUNTS)
def test_the_other_side_sees_the_mirror_image(counts: tuple[int, ...]) -> None:
    ours, theirs = summarise(counts), summarise(flipped(counts))
    assert ours.low == pytest.approx(1 - theirs.high, abs=1e-12)
    assert ours.mean == pytest.approx(1 - theirs.mean, abs=1e-12)
    assert pairs_to_significance(counts) == pairs_to_significance(flipped(counts))


@given(COUNTS.filter(sum))
def test_more_of_the_same_narrows_the_interval(counts: tuple[int, ...]) -> None:
    once, twice = summarise(counts), summarise(tuple(2 * n for n in counts))
    assert twice.high - twice.low < once.high - once.low


def test_intervals_of_extreme_results_have_sensible_widths() -> None:
    assert summarise((0, 0, 0, 0, 0)) == (0, 0.5, 0.0, 1.0)
    sweep = summarise((0, 0, 0, 0, 10))
    assert sweep.high == 1
    assert 0.75 < sweep.low < 0.87  # twenty matches won: exact binomial 0.83
    level = summarise((0, 0, 10, 0, 0))
    assert 0.36 < level.low < 0.44  # narrower than ten pairs with luck in them, and not nothing
    assert summarise((0, 0, 0, 0, 1)).low < 0.5  # a single pair proves nothing


def test_significance_is_when_the_interval_excludes_one_half() -> None:
    counts = (20, 0, 30, 0, 30)
    more = pairs_to_significance(counts)
    assert more
    grown = (sum(counts) + more) / sum(counts)
    after = summarise(tuple(round(100 * grown * n) for n in counts))
    assert after.low > 0.5
    assert summarise(counts).low < 0.5


@given(COUNTS)
def test_significance_agrees_with_the_interval(counts: tuple[int, ...]) -> None:
    more, summary = pairs_to_significance(counts), summarise(counts)
    assert (more == 0) == (summary.low > 0.5 or summary.high < 0.5)
    assert (more is None) == (summary.mean == 0.5)


def test_significance_needs_as_many_pairs_as_the_textbook_says() -> None:
    # Independent legs, mean 0.55: (1.96 / 0.05) ** 2 * 0.25 / 2 is 192 pairs in all.
    counts = (20, 0, 50, 0, 30)
    assert pairs_to_significance(counts) == pytest.approx(192 - 100, abs=6)


@pytest.mark.parametrize(("luck", "low", "high"), [(0.0, 0.93, 1.07), (0.7, 0.45, 0.6), (1.0, 0.0, 0.001)])
def test_mirroring_ratio_finds_what_the_decks_took(luck: float, low: float, high: float) -> None:
    rng = random.Random(3)
    ratio = mirroring_ratio([draw_counts(rng, 40, 0.5, luck) for _ in range(100)])
    assert ratio is not None
    assert low <= ratio <= high


def test_mirroring_ratio_is_unbiased_for_unequal_bots_and_few_pairs() -> None:
    rng = random.Random(4)
    ratio = mirroring_ratio([draw_counts(rng, 3, 0.8, 0.0) for _ in range(4000)])
    assert ratio == pytest.approx(1, abs=0.04)


def test_mirroring_ratio_of_nothing_is_unknown() -> None:
    assert mirroring_ratio([]) is None
    assert mirroring_ratio([(0, 0, 1, 0, 0)]) is None
    assert mirroring_ratio([(0, 0, 0, 0, 50)]) is None


def test_dispersion_knows_correlated_legs_and_does_not_guess_from_sweeps() -> None:
    assert dispersion((250, 0, 500, 0, 250)) == pytest.approx(1, abs=0.01)
    assert dispersion((500, 0, 0, 0, 500)) == pytest.approx(2, abs=0.01)
    assert dispersion((0, 0, 1000, 0, 0)) < 0.01
    assert dispersion((0, 0, 0, 0, 1000)) == 1


@pytest.mark.parametrize(("freedom", "exact"), [(4, 2.7764), (9, 2.2622), (30, 2.0423), (float("inf"), 1.95996)])
def test_student_quantile(freedom: float, exact: float) -> None:
    assert student_quantile(freedom) == pytest.approx(exact, rel=0.003)


@given(st.integers(0, 10**12))
def test_a_time_lies_in_its_bucket_and_near_its_middle(us: int) -> None:
    low, high = bucket_us(bucket(us)), bucket_us(bucket(us) + 1) - 1
    assert low <= us <= high
    assert abs((low + high) / 2 - us) <= us / 32


def test_buckets_leave_no_gap() -> None:
    end = -1
    for index in range(600):
        low, high = bucket_us(index), bucket_us(index + 1) - 1
        assert low == end + 1
        assert bucket(low) == bucket(high) == index
        end = high


@given(st.lists(st.integers(0, 10**9), min_size=1), st.sampled_from([0.0, 0.25, 0.5, 0.95, 1.0]))
def test_percentile_is_near_the_exact_one(times: list[int], fraction: float) -> None:
    found = percentile(Counter(map(bucket, times)), fraction)
    exact = next(t for rank, t in enumerate(sorted(times), 1) if rank >= fraction * len(times))
    assert found == pytest.approx(exact, rel=1 / 31)


def test_percentile_of_nothing_is_unknown() -> None:
    assert percentile({}, 0.5) is None
