"""Ratings: against an independent library, by simulation of whole tournaments, and properties that must hold always."""

import math
import random
import time
from itertools import combinations
from operator import mul
from statistics import NormalDist, fmean

import choix
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.standings import ratings as module
from referee.standings.ratings import ELO_PER_NAT, PairResult, Ratings, rate, superiority


def play_tournament(rng: random.Random, elo: list[float], decks: int, luck: float, handling: float) -> list[PairResult]:
    """A mirrored round robin between bots of known strength; every match is won with the Bradley-Terry probability.

    What decides a match is a normal variable with three parts. `luck` of its variance is the deck's and favours a seat,
    the same one in every pairing that plays the deck; `handling` is how well each bot plays that deck from that seat,
    whomever it meets; the rest belongs to the match alone.
    """
    normal, noise = NormalDist(), math.sqrt(1 - luck - handling)
    pairings = [
        (i, j, normal.inv_cdf(1 / (1 + 10 ** ((elo[j] - elo[i]) / 400)))) for i, j in combinations(range(len(elo)), 2)
    ]
    results = []
    for deck in range(decks):
        deal = rng.gauss(0, math.sqrt(luck))
        plays = [(rng.gauss(0, math.sqrt(handling / 2)), rng.gauss(0, math.sqrt(handling / 2))) for _ in elo]
        for i, j, threshold in pairings:
            a = deal + plays[i][0] - plays[j][1] + rng.gauss(0, noise) < threshold
            b = -deal + plays[i][1] - plays[j][0] + rng.gauss(0, noise) < threshold
            results.append(PairResult(i, j, a + b, deck))
    return results


def coverage(elo: list[float], decks: int, luck: float, handling: float, runs: int, shared: bool = True) -> float:
    """How often, 0..1, the 95 % interval of a bot had its true rating in it, over all bots of `runs` tournaments."""
    rng, covered = random.Random(1966), 0
    truth = [1500 + e - fmean(elo) for e in elo]
    for _ in range(runs):
        results = play_tournament(rng, elo, decks, luck, handling)
        if not shared:
            results = [result._replace(deck=number) for number, result in enumerate(results)]
        ratings = rate(len(elo), results)
        covered += sum(low <= t <= high for low, t, high in zip(ratings.low, truth, ratings.high, strict=True))
    return covered / (runs * len(elo))


@pytest.mark.parametrize(
    ("elo", "decks", "luck", "handling", "runs"),
    [
        pytest.param([200, 100, 0, -100, -200], 10, 0.4, 0.3, 1000, id="small, unequal, all kinds of luck"),
        pytest.param([200, 100, 0, -100, -200], 10, 0.7, 0.0, 300, id="small, unequal, luck of the deck"),
        pytest.param([200, 100, 0, -100, -200], 10, 0.0, 0.0, 300, id="small, unequal, independent legs"),
        pytest.param([0, 0, 0, 0, 0], 10, 0.4, 0.3, 300, id="small, equal"),
        pytest.param([500, 200, 0, -200, -500], 10, 0.7, 0.0, 300, id="small, very unequal"),
        pytest.param([300, 200, 100, 50, -50, -100, -200, -300], 20, 0.5, 0.2, 150, id="eight bots"),
        pytest.param([60, 0], 40, 0.5, 0.2, 500, id="two bots"),
    ],
)
def test_intervals_cover_the_truth(elo: list[float], decks: int, luck: float, handling: float, runs: int) -> None:
    # 93-97 % is what is asked of 1,000 tournaments; fewer have a standard error of about one per cent more.
    slack = 0 if runs >= 1000 else 0.01
    assert 0.93 - slack <= coverage(elo, decks, luck, handling, runs) <= 0.97 + slack


def test_intervals_that_forget_that_decks_are_shared_do_not() -> None:
    assert coverage([300, 200, 100, 50, -50, -100, -200, -300], 10, 0.7, 0.0, 100, shared=False) < 0.9


def test_superiority_is_right_as_often_as_it_says() -> None:
    rng, claims = random.Random(8), []
    for _ in range(400):
        elo = [rng.gauss(0, 60) for _ in range(4)]
        ratings = rate(4, play_tournament(rng, elo, 12, 0.5, 0.2))
        claims += [(superiority(ratings, i, j), elo[i] > elo[j]) for i, j in combinations(range(4), 2)]
    for low, high in ((0.1, 0.3), (0.4, 0.6), (0.7, 0.9)):
        bin_ = [(p, better) for p, better in claims if low <= p < high]
        assert len(bin_) > 100
        assert fmean(better for _, better in bin_) == pytest.approx(fmean(p for p, _ in bin_), abs=0.08)


def choix_elo(bots: int, results: list[PairResult], virtual_draws: int) -> list[float]:
    """Ratings by choix. Its only prior is another one, so ours is played: draws against one more, average, bot."""
    data = []
    for first, second, points, _ in results:
        data += [(first, second)] * round(2 * points) + [(second, first)] * round(4 - 2 * points)
    for bot in range(bots):
        data += [(bot, bots), (bots, bot)] * virtual_draws
    strengths = choix.ilsr_pairwise(bots + bool(virtual_draws), data, max_iter=1000, tol=1e-12)[:bots]
    return [float(1500 + ELO_PER_NAT * (s - strengths.mean())) for s in strengths]


@pytest.mark.parametrize(("bots", "decks", "spread"), [(2, 3, 50), (5, 10, 200), (12, 4, 300), (24, 5, 150)])
def test_same_as_choix(bots: int, decks: int, spread: float) -> None:
    rng = random.Random(bots)
    results = play_tournament(rng, [rng.gauss(0, spread) for _ in range(bots)], decks, 0.5, 0.2)
    results = [r._replace(points=rng.choice([0.5, 1.5])) if rng.random() < 0.1 else r for r in results]
    assert rate(bots, results).elo == pytest.approx(choix_elo(bots, results, 1), abs=1e-6)


def test_same_as_choix_for_the_unbeaten_and_the_unplayed() -> None:
    results = [PairResult(0, 1, 2, k) for k in range(20)] + [PairResult(2, 1, 1, 3)]
    assert rate(5, results).elo == pytest.approx(choix_elo(5, results, 1), abs=1e-6)


def test_the_prior_weighs_next_to_nothing() -> None:
    results = play_tournament(random.Random(2), [100, 50, 0, -150], 100, 0.5, 0.2)
    assert rate(4, results).elo == pytest.approx(choix_elo(4, results, 0), abs=0.3)


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[int, list[PairResult]]:
    """Any results among up to six bots, lopsided and disconnected ones included."""
    bots = draw(st.integers(2, 6))
    points = st.sampled_from(draw(st.sampled_from([(2,), (1,), (0, 2), (0, 0.5, 1, 1.5, 2)])))
    pairing = st.permutations(range(bots)).map(lambda order: order[:2])
    drawn = draw(st.lists(st.tuples(pairing, points, st.integers(0, 8)), max_size=40))
    return bots, [PairResult(i, j, p, deck) for (i, j), p, deck in drawn]


def assert_same(one: Ratings, other: Ratings) -> None:
    for field in ("elo", "low", "high"):
        assert getattr(one, field) == pytest.approx(getattr(other, field), rel=1e-6)


@settings(deadline=None)
@given(tournaments())
def test_always_finite_and_anchored(tournament: tuple[int, list[PairResult]]) -> None:
    bots, results = tournament
    ratings = rate(bots, results)
    assert all(map(math.isfinite, (*ratings.elo, *ratings.low, *ratings.high)))
    assert fmean(ratings.elo) == pytest.approx(1500)
    assert all(low < elo < high for low, elo, high in zip(ratings.low, ratings.elo, ratings.high, strict=True))
    for i in range(bots):
        for j in range(bots):
            assert superiority(ratings, i, j) + superiority(ratings, j, i) == pytest.approx(1)
            assert i == j or (superiority(ratings, i, j) > 0.5) == (ratings.elo[i] > ratings.elo[j])


@settings(deadline=None)
@given(tournaments(), st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(tournament: tuple[int, list[PairResult]], rng: random.Random) -> None:
    bots, results = tournament
    names = rng.sample(range(bots), bots)
    moved = [PairResult(names[i], names[j], p, -deck) for i, j, p, deck in results]
    moved = [
        PairResult(j, i, 2 - p, deck) if rng.random() < 0.5 else PairResult(i, j, p, deck) for i, j, p, deck in moved
    ]
    rng.shuffle(moved)
    plain, other = rate(bots, results), rate(bots, moved)
    back = other._replace(**{f: [getattr(other, f)[names[i]] for i in range(bots)] for f in ("elo", "low", "high")})
    assert_same(plain, back)


@settings(deadline=None)
@given(tournaments())
def test_opposite_results_give_opposite_ratings(tournament: tuple[int, list[PairResult]]) -> None:
    bots, results = tournament
    plain, turned = rate(bots, results), rate(bots, [r._replace(points=2 - r.points) for r in results])
    assert plain.elo == pytest.approx([3000 - e for e in turned.elo])
    assert plain.low == pytest.approx([3000 - h for h in turned.high])


def widths(ratings: Ratings) -> list[float]:
    return [high - low for low, high in zip(ratings.low, ratings.high, strict=True)]


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10**6))
def test_twice_the_data_narrows_the_intervals(seed: int) -> None:
    results = play_tournament(random.Random(seed), [100, 0, 0, -50], 10, 0.5, 0.2)
    once, twice = rate(4, results), rate(4, results + [r._replace(deck=r.deck + 10) for r in results])
    assert all(b < 0.85 * a for a, b in zip(widths(once), widths(twice), strict=True))


def test_the_same_decks_again_narrow_the_intervals_but_little() -> None:
    once, again, new = 0.0, 0.0, 0.0
    for seed in range(30):
        results = play_tournament(random.Random(seed), [100, 0, 0, -50], 10, 0.5, 0.2)
        once += fmean(widths(rate(4, results)))
        again += fmean(widths(rate(4, results + results)))
        new += fmean(widths(rate(4, results + [r._replace(deck=r.deck + 10) for r in results])))
    assert again / once > 0.9
    assert new / once < 0.72


def test_width_is_what_theory_says_for_many_independent_matches() -> None:
    decks, p = 20_000, 1 / (1 + 10 ** (-100 / 400))
    ratings = rate(2, play_tournament(random.Random(4), [100, 0], decks, 0.0, 0.0))
    # The gap of two ratings has variance 1 / (matches * p * (1 - p)); each is half the gap away from the mean.
    expected = 1.96 * ELO_PER_NAT / math.sqrt(2 * decks * p * (1 - p)) / 2
    assert ratings.high[0] - ratings.elo[0] == pytest.approx(expected, rel=0.02)


def test_a_single_deck_has_an_interval_too() -> None:
    ratings = rate(5, play_tournament(random.Random(4), [200, 100, 0, -100, -200], 1, 0.4, 0.3))
    assert all(high - elo > 200 for elo, high in zip(ratings.elo, ratings.high, strict=True))


def test_stronger_results_rate_higher() -> None:
    results = [PairResult(0, 1, 1.5, k) for k in range(10)] + [PairResult(1, 2, 1.5, k) for k in range(10)]
    ratings = rate(3, results)
    assert ratings.elo[0] > ratings.elo[1] > ratings.elo[2]


@pytest.mark.parametrize("pairs", [1, 10, 1000, 50_000])
def test_an_unbeaten_bot_is_finite_and_not_known_exactly(pairs: int) -> None:
    ratings = rate(2, [PairResult(0, 1, 2, k) for k in range(pairs)])
    assert 0 < ratings.elo[0] - 1500 < 1200
    assert ratings.high[0] - ratings.elo[0] > 150
    assert superiority(ratings, 0, 1) > 0.7


def test_a_bot_without_matches_is_anybodys_guess() -> None:
    ratings = rate(3, [PairResult(0, 1, 1 + k % 2, k) for k in range(40)])
    assert abs(ratings.elo[2] - 1500) < 100
    assert ratings.high[2] - ratings.low[2] > 800
    assert 0.3 < superiority(ratings, 2, 1) < 0.7


def test_nobody_and_one_bot_and_no_results() -> None:
    assert rate(0, []).elo == ()
    assert rate(1, [])[:3] == ((1500,), (1500,), (1500,))
    nothing = rate(3, [])
    assert nothing.elo == (1500, 1500, 1500)
    assert superiority(nothing, 0, 1) == 0.5


@pytest.mark.parametrize(
    "result", [PairResult(0, 0, 1, 0), PairResult(0, 3, 1, 0), PairResult(-1, 1, 1, 0), PairResult(0, 1, 0.3, 0)]
)
def test_impossible_results_are_refused(result: PairResult) -> None:
    with pytest.raises(ValueError, match=r"no such pairing|a pair brings"):
        rate(3, [result])


@pytest.mark.parametrize(("bots", "decks"), [(24, 50), (24, 182), (2, 50_000), (120, 2)])
def test_large_tournaments_take_a_moment(bots: int, decks: int) -> None:
    rng = random.Random(5)
    pairings = list(combinations(range(bots), 2))
    results = [PairResult(i, j, rng.choice([0, 1, 1, 2]), k) for i, j in pairings for k in range(decks)]
    start = time.process_time()
    rate(bots, results)
    assert time.process_time() - start < 2


@pytest.mark.parametrize("size", [0, 1, 2, 7, 30])
def test_solving_and_inverting(size: int) -> None:
    rng = random.Random(size)
    root = [[rng.gauss(0, 1) for _ in range(size)] for _ in range(size)]
    matrix = [[sum(map(mul, a, b)) + (i == j) for j, b in enumerate(root)] for i, a in enumerate(root)]
    x = [rng.gauss(0, 1) for _ in range(size)]
    right = [sum(map(mul, row, x)) for row in matrix]
    assert module._solve(module._factor(matrix), right) == pytest.approx(x, abs=1e-9)
    inverse = module._inverse(matrix)
    for i, row in enumerate(matrix):
        product = [sum(map(mul, row, column)) for column in inverse]
        assert product == pytest.approx([float(i == j) for j in range(size)], abs=1e-9)
