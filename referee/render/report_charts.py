"""The drawings of a report. Colours are the style sheet's: a drawing has classes, and numbers only for places."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.match.summary import bucket_us
from referee.render.console import safe, squeeze
from referee.render.report_data import Rated, Station
from referee.render.report_svg import Markup, Scale, el, glyph, linear, picture, points, ticks
from referee.render.words import spent
from referee.standings.table import Cell, Row

COLOURED = 8
"""Bots with a line of their own colour: more of them cannot be told apart."""

INTERVAL = (150.0, 20.0)
SHARE = (110.0, 16.0)
HISTORY = (760.0, 340.0)
PLOT = (46.0, 10.0, 610.0, 312.0)  # left, top, right, bottom within HISTORY
TIMES = (420.0, 130.0)
LABEL_GAP = 14.0
LABEL_CELLS = 20
DECADES = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)


# Intervals in the cells of tables


class RatingScale:
    """One scale for the rating of all bots, with its head and its cells."""

    def __init__(self, rows: Sequence[Row]) -> None:
        rated = [row for row in rows if row.rating_low is not None and row.rating_high is not None]
        low = min((row.rating_low or 0.0 for row in rated), default=1400.0)
        high = max((row.rating_high or 0.0 for row in rated), default=1600.0)
        self.marks = ticks(low, high, 3)
        self.at = linear(low, high, 16, INTERVAL[0] - 16)

    def head(self) -> Markup:
        """The numbers above the column."""
        words = (el("text", f"{mark:.0f}", x=self.at(mark), y=14.0, text_anchor="middle") for mark in self.marks)
        return glyph(INTERVAL, "scale of the ratings", *words, class_="scale")

    def cell(self, row: Row) -> Markup:
        """Rating and interval of one bot."""
        if row.rating is None or row.rating_low is None or row.rating_high is None:
            return Markup("")
        label = f"{row.rating:.0f}, 95 % interval {row.rating_low:.0f} to {row.rating_high:.0f}"
        lines = [_upright("grid", self.at(mark), INTERVAL[1]) for mark in self.marks]
        return glyph(INTERVAL, label, *lines, *_whisker(self.at, row.rating_low, row.rating, row.rating_high, 10))


def share_cell(cell: Cell) -> Markup:
    """The share of a pairing with its interval, and the middle."""
    if not cell.pairs:
        return Markup("")
    at = linear(0, 1, 5, SHARE[0] - 5)
    label = f"{100 * cell.share:.0f} %, 95 % interval {100 * cell.low:.0f} to {100 * cell.high:.0f}"
    side = "better" if cell.low > 0.5 else "worse" if cell.high < 0.5 else None
    middle = _upright("grid", at(0.5), SHARE[1])
    return glyph(SHARE, label, middle, *_whisker(at, cell.low, cell.share, cell.high, 8), class_=side)


def _whisker(at: Scale, low: float, value: float, high: float, y: float) -> Iterator[Markup]:
    yield el("line", class_="whisker", x1=at(low), x2=at(high), y1=y, y2=y)
    yield el("circle", class_="dot", cx=at(value), cy=y, r="3.5")


def _upright(name: str, x: float, height: float) -> Markup:
    return el("line", class_=name, x1=x, x2=x, y1="0", y2=height)


# Ratings as matches went by


class _Label(NamedTuple):
    y: float
    name: str
    colour: str


class Lines:
    """The rating of every bot over the matches: one drawing of all, and one for each bot before the others."""

    def __init__(self, history: Sequence[Station], names: Sequence[str]) -> None:
        """`names` in the order of the standings."""
        self.history, self.names = history, names
        values = [rated.elo for station in history for rated in station.ratings.values()] or [1400.0, 1600.0]
        low, high = min(values), max(values)
        margin = max((high - low) * 0.06, 20)
        left, top, right, bottom = PLOT
        self.low, self.high = low - margin, high + margin
        self.last = history[-1].matches if history else 1
        self.x, self.y = linear(0, self.last, left, right), linear(self.low, self.high, bottom, top)

    def all(self) -> Markup:
        """Everybody; the first eight in colours and with their names."""
        lines = [self._line(name, _colour(rank)) for rank, name in reversed(list(enumerate(self.names)))]
        title, desc = "Rating as matches went by", self._words(self.names[:COLOURED])
        return picture("history", HISTORY, title, desc, *self._axes(), *lines, *self._labels())

    def shared(self) -> Markup:
        """Grid and lines without colours, drawn once and used by the drawing of each bot."""
        return el("g", *self._axes(), *(self._line(name, "other", False) for name in self.names), id="every-line")

    def one(self, name: str, key: str) -> Markup:
        """One bot with its interval, before the others."""
        title, desc = f"Rating of {safe(name)} as matches went by", self._words([name])
        return picture(key, HISTORY, title, desc, el("use", href="#every-line"), self._band(name), self._own(name))

    def _own(self, name: str) -> Markup:
        return self._line(name, "own", False)

    def _line(self, name: str, colour: str, titled: bool = True) -> Markup:
        places = [(self.x(matches), self.y(rated.elo)) for matches, rated in self._of(name)]
        if not places:
            return Markup("")
        inside = [el("title", safe(name))] if titled else []
        if len(places) == 1:
            return el("circle", *inside, class_=f"line {colour}", cx=places[0][0], cy=places[0][1], r="3")
        return el("polyline", *inside, class_=f"line {colour}", points=points(places))

    def _band(self, name: str) -> Markup:
        above = [(self.x(matches), self._within(rated.high)) for matches, rated in self._of(name)]
        below = [(self.x(matches), self._within(rated.low)) for matches, rated in self._of(name)]
        return el("polygon", class_="band", points=points([*above, *below[::-1]])) if above else Markup("")

    def _within(self, rating: float) -> float:
        """An early interval may be wider than the drawing."""
        return self.y(max(self.low, min(self.high, rating)))

    def _of(self, name: str) -> Iterator[tuple[int, Rated]]:
        return ((station.matches, station.ratings[name]) for station in self.history if name in station.ratings)

    def _axes(self) -> Iterator[Markup]:
        left, _, right, bottom = PLOT
        for mark in ticks(self.low, self.high):
            y = self.y(mark)
            yield el("line", class_="grid", x1=left, x2=right, y1=y, y2=y)
            yield el("text", f"{mark:.0f}", class_="tick", x=left - 6, y=y + 4, text_anchor="end")
        for mark in ticks(0, self.last, 6):
            if mark == round(mark):
                yield el("text", f"{mark:,.0f}", class_="tick", x=self.x(mark), y=bottom + 18, text_anchor="middle")
        yield el("text", "matches", class_="tick", x=right + 26, y=bottom + 18)

    def _labels(self) -> Iterator[Markup]:
        """Names at the ends of the lines, moved apart where they would lie on each other."""
        wanted = []
        for rank, name in enumerate(self.names[:COLOURED]):
            if last := list(self._of(name))[-1:]:
                wanted.append(_Label(self.y(last[0][1].elo), squeeze(safe(name), LABEL_CELLS), _colour(rank)))
        for label in _apart(sorted(wanted), PLOT[1] + 4, PLOT[3]):
            yield el("text", label.name, class_=f"label {label.colour}", x=PLOT[2] + 8, y=label.y + 4)

    def _words(self, names: Sequence[str]) -> str:
        last = self.history[-1].ratings if self.history else {}
        said = ", ".join(f"{safe(name)} {last[name].elo:.0f}" for name in names if name in last)
        return f"After {self.last:,} matches: {said}." if said else "No complete pair of matches yet."


def _apart(labels: list[_Label], top: float, bottom: float) -> Iterator[_Label]:
    """At least LABEL_GAP between neighbours: pushed down from the top, then up again from the bottom."""
    places: list[float] = []
    for label in labels:
        places.append(max(label.y, places[-1] + LABEL_GAP if places else top))
    limit = bottom
    for at in reversed(range(len(places))):
        places[at] = min(places[at], limit)
        limit = places[at] - LABEL_GAP
    return (label._replace(y=place) for label, place in zip(labels, places, strict=True))


def _colour(rank: int) -> str:
    return f"c{rank}" if rank < COLOURED else "other"


# Decision times


def times_chart(key: str, name: str, row: Row, times: Mapping[int, int]) -> Markup:
    """How long decisions took, on a logarithmic scale: a bar for half of an octave."""
    bars: dict[int, int] = {}
    for number, count in times.items():
        bars[number // 8] = bars.get(number // 8, 0) + count
    if not bars or row.median_us is None or row.p95_us is None or row.max_us is None:
        return Markup("")
    desc = f"Median {spent(row.median_us)}, 95 % within {spent(row.p95_us)}, slowest {spent(row.max_us)}."
    return picture(key, TIMES, f"Decision times of {safe(name)}", desc, *_bars(bars))


def _bars(bars: Mapping[int, int]) -> Iterator[Markup]:
    """The first four bars hold single microseconds; nothing decides that fast, so they are one."""
    first, last = max(min(bars), 2), max(max(bars) + 1, max(min(bars), 2) + 8)
    x, height = linear(first, last, 6, TIMES[0] - 6), linear(0, max(bars.values()), 0, 96)
    width = x(first + 1) - x(first)
    for bar, count in sorted(bars.items()):
        tall = max(height(count), 1.5)
        yield el("rect", class_="bar", x=x(max(bar, first)), y=104 - tall, width=max(width - 1, 0.5), height=tall)
    yield el("line", class_="axis", x1="0", x2=TIMES[0], y1="104", y2="104")
    for decade in DECADES:
        place = _place(decade)
        if first <= place <= last:
            yield _upright("grid", x(place), 108)
            yield _time_word(decade, x(place))


def _time_word(us: int, x: float) -> Markup:
    words = f"{us} µs" if us < 1000 else f"{us // 1000} ms" if us < 1_000_000 else f"{us // 1_000_000} s"
    anchor = "start" if x < 24 else "end" if x > TIMES[0] - 24 else "middle"
    return el("text", words, x=x, y=122.0, text_anchor=anchor)


def _place(us: int) -> float:
    """Where a time lies among the bars: two of them are an octave."""
    bar = next(number for number in range(2, 128) if bucket_us(8 * (number + 1)) > us)
    low, high = bucket_us(8 * bar), bucket_us(8 * (bar + 1))
    return bar + (us - low) / (high - low)
