"""Statistics of one pairing, with the mirrored pair as the sample, and of decision times.

A mirrored pair is two matches on the same decks with the seats swapped. Its two results are not independent, so one
pair is one observation: the first bot's points, 0, 0.5, 1, 1.5 or 2 of 2. Five counts (the five-way count, which chess
testers call pentanomial) hold everything that is known of a pairing. Means and intervals are on the scale 0 to 1, the
share of the points.

Nothing here returns nan or inf; what cannot be known is None.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.match.summary import bucket_us

POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
Z95 = 1.959963984540054

PRIOR_PAIRS = 2.0
"""Weight, in pairs between equal bots, of the belief that the two legs of a pair are independent."""

EQUAL_PAIR_VARIANCE = 0.125
"""Variance of the share of a pair between equal bots, if its legs were independent: a half of 0.5 * 0.5."""

FiveWay = tuple[int, int, int, int, int]


class Summary(NamedTuple):
    """A pairing from the first bot's side: shares of the points in 0..1, `low` and `high` a 95 % interval."""

    pairs: int
    mean: float
    low: float
    high: float


def category(points: float) -> int:
    """Index 0..4 in the five-way count of a pair that brought `points` of 2; ValueError for any other number."""
    index = points * 2
    if index not in (0, 1, 2, 3, 4):
        raise ValueError(f"a pair brings 0, 0.5, 1, 1.5 or 2 points, not {points!r}")
    return int(index)


def five_way(points: Iterable[float]) -> FiveWay:
    """Count pairs by their points."""
    counts = [0] * 5
    for value in points:
        counts[category(value)] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


def flipped(counts: FiveWay) -> FiveWay:
    """The same pairs from the other bot's side."""
    return (counts[4], counts[3], counts[2], counts[1], counts[0])


def mean_share(counts: Sequence[float]) -> float:
    """Share of the points, 0..1; one half when nothing has been played."""
    pairs = sum(counts)
    return sum(n * x for n, x in zip(counts, SHARES, strict=True)) / pairs if pairs else 0.5


def squared_deviations(counts: Sequence[float], centre: float) -> float:
    """Sum over the pairs of (share - centre) ** 2."""
    return sum(n * (x - centre) ** 2 for n, x in zip(counts, SHARES, strict=True))


def dispersion(counts: Sequence[float]) -> float:
    """Variance of a pair as a multiple of what independent legs would have, smoothed by PRIOR_PAIRS pairs at 1.

    1 is no correlation, below 1 mirroring took luck out, 2 is the most there can be. The weight of the data is their
    information, not their number: ten pairs won 2-0 say nothing of the correlation and leave it at 1.
    """
    mean = mean_share(counts)
    prior = PRIOR_PAIRS * EQUAL_PAIR_VARIANCE
    independent = max(sum(counts) - 1, 0) * mean * (1 - mean) / 2
    return min((squared_deviations(counts, mean) + prior) / (independent + prior), 2.0)


def summarise(counts: FiveWay) -> Summary:
    """Mean and 95 % interval of a pairing.

    Wilson's interval (1927) for the number of independent matches that would be worth as much as these pairs
    (2 * pairs / dispersion), with Student's quantile because the dispersion is an estimate. It stays within 0..1 and
    has a width for a single pair, for nothing but wins and for nothing but draws.
    """
    pairs, mean = sum(counts), mean_share(counts)
    if not pairs:
        return Summary(0, 0.5, 0.0, 1.0)
    matches = 2 * pairs / dispersion(counts)
    square = student_quantile(pairs - 1 + PRIOR_PAIRS) ** 2
    centre = (mean + square / (2 * matches)) / (1 + square / matches)
    half = math.sqrt(square * (mean * (1 - mean) / matches + square / (4 * matches * matches))) / (1 + square / matches)
    return Summary(pairs, mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)))


def pairs_to_significance(counts: FiveWay) -> int | None:
    """How many more pairs until the 95 % interval excludes one half, if mean and dispersion stay as they are.

    0 when it does so already; None when the bots are exactly level, as no number of pairs would do.
    """
    pairs, gap, spread = sum(counts), abs(mean_share(counts) - 0.5), dispersion(counts)
    if not gap:
        return None
    # Wilson's interval excludes 1/2 if and only if the score test does: 2 * gap * sqrt(matches) > quantile.
    needed = max(pairs, math.floor(spread * Z95**2 / (8 * gap * gap)))
    while 8 * needed * gap * gap <= spread * student_quantile(needed - 1 + PRIOR_PAIRS) ** 2:
        needed += 1  # a few steps: Student's quantile costs about two pairs more than the normal one
    return needed - pairs


def mirroring_ratio(tables: Iterable[FiveWay]) -> float | None:
    """Variance of a mirrored pair as a share of that of two independent matches with the same results.

    "Mirroring saved x %" is x = 100 * (1 - ratio): so many fewer matches for the same interval. Pooled over pairings,
    and unbiased: the variance about a pairing's own mean has n - 1 in its denominator, and mean * (1 - mean) is too
    small by the variance of the mean. A match has a winner, so a pair of 1 point is a win and a loss; 0.5 and 1.5
    points have one drawn leg. None when no pairing has two pairs, or all results are equal wins.
    """
    pair, independent = 0.0, 0.0
    for counts in tables:
        pairs = sum(counts)
        if pairs > 1:
            mean = mean_share(counts)
            variance = squared_deviations(counts, mean) / (pairs - 1)
            drawn_legs = (counts[1] + counts[3]) / (2 * pairs)
            pair += pairs * variance
            independent += pairs * (mean * (1 - mean) - drawn_legs / 4 + variance / pairs) / 2
    return pair / independent if independent > 0 else None


def student_quantile(freedom: float) -> float:
    """The 97.5 % quantile of Student's t; `freedom` in degrees, may be fractional or inf.

    Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5): within 0.3 % from 4 degrees up, 3 % too small at 2; fewer
    than 2 are taken as 2, where the table would ask for absurd widths.
    """
    z, n = Z95, max(freedom, 2.0)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


def percentile(histogram: Mapping[int, int], fraction: float) -> float | None:
    """Decision time in microseconds below or at which `fraction` (0..1) of the counted decisions lie, by nearest rank.

    `histogram` maps `match.summary.bucket` to count. The answer is the middle of a bucket, within 3.2 % of the exact
    nearest-rank value; None when nothing was counted.
    """
    total = sum(histogram.values())
    rank, seen = max(1, math.ceil(fraction * total)), 0
    for index in sorted(histogram):
        seen += histogram[index]
        if seen >= rank:
            return (bucket_us(index) + bucket_us(index + 1) - 1) / 2
    return None
