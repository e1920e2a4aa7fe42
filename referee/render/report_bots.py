"""What the report says of each bot: its section, as plain values and drawings for the template."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.match.events import FaultEvent
from referee.render import standings, words
from referee.render.console import safe, shorten
from referee.render.report_charts import Lines, share_cell, times_chart
from referee.render.report_data import Evidence, Story
from referee.render.report_matches import Linked
from referee.render.report_pick import Notable, evidence_wanted, extremes
from referee.render.report_svg import Markup
from referee.standings.table import Cell, Row

EVIDENCE_LINES = 12
EVIDENCE_CELLS = 300


class Fact(NamedTuple):
    """A figure with its name, and a remark."""

    name: str
    value: str
    remark: str = ""


class Against(NamedTuple):
    """A line of the record: one opponent."""

    place: int
    name: str
    record: str
    points: str
    pairs: str
    share: str
    drawn: Markup


class Shown(NamedTuple):
    """A fault, with its evidence if the log was asked for it."""

    what: str
    href: str | None
    facts: Sequence[tuple[str, str]]


class Told(NamedTuple):
    """A match in a list of best or worst."""

    what: str
    match: str
    href: str | None


class Bot(NamedTuple):
    """One section."""

    place: int
    name: str
    headline: str
    facts: Sequence[Fact]
    play: Sequence[Fact]
    history: Markup
    record: Sequence[Against]
    times: Markup
    time_facts: Sequence[Fact]
    faults: Sequence[Fact]
    evidence: Sequence[Shown]
    more_faults: int
    best: Sequence[Told]
    worst: Sequence[Told]


Faults = Mapping[str, Sequence[FaultEvent]]


def bots(story: Story, faults: Faults, linked: Linked) -> Iterator[Bot]:
    """The sections, in the order of the standings; `faults` are the faults of those matches whose logs were read."""
    lines = Lines(story.history, [row.name for row in story.table.rows])
    places = {row.name: place for place, row in enumerate(story.table.rows)}
    notable, wanted = extremes(story), evidence_wanted(story)
    for place, row in enumerate(story.table.rows):
        best, worst = notable[row.name]
        shown = [_shown(one, faults, linked) for one in wanted if one.bot == row.name]
        yield Bot(
            place=place,
            name=safe(row.name),
            headline=_headline(row),
            facts=_facts(row),
            play=_play(row),
            history=lines.one(row.name, f"rating-{place}") if story.history else Markup(""),
            record=[_against(cell, places) for cell in story.table.cells if cell.name == row.name],
            times=times_chart(f"times-{place}", row.name, row, story.times.get(row.name, {})),
            time_facts=_times(row),
            faults=[Fact(kind, f"{row.faults[kind]:,}") for kind in standings.FAULT_KINDS if row.faults.get(kind)],
            evidence=shown,
            more_faults=row.fault_count - len(shown),
            best=[_told(one, linked) for one in best],
            worst=[_told(one, linked) for one in worst],
        )


def _headline(row: Row) -> str:
    """What the closed section says."""
    parts = [f"{row.won:,} won, {row.lost:,} lost"]
    if row.rating is not None:
        parts.insert(0, f"{row.rating:.0f}")
    if row.fault_count:
        parts.append(standings.count_of(row.fault_count, "fault"))
    return " · ".join(parts)


def _facts(row: Row) -> list[Fact]:
    rating = "" if row.rating is None else f"{row.rating:.0f}"
    low_high = "" if row.rating_low is None else f"95 %: {row.rating_low:.0f} to {row.rating_high:.0f}"
    facts = [
        Fact("rating", rating, low_high),
        Fact("score", standings.percent(row.score), f"{row.won:,} of {row.won + row.lost:,} matches"),
        Fact("stronger than the next", standings.probability(row.better_than_next)),
        Fact("game points", f"{row.points_for:,} : {row.points_against:,}"),
        Fact("points a deal", standings.signed(row.points_per_deal)),
        Fact("void", f"{row.void:,}" if row.void else ""),
    ]
    return [fact for fact in facts if fact.value]


def _play(row: Row) -> list[Fact]:
    closes = row.closes_won + row.closes_lost
    return [
        Fact("deals won by play", f"{row.deals_won:,}", _of(row.deals_won, row.deals)),
        Fact("opponent trickless", f"{row.trickless_wins:,}", _of(row.trickless_wins, row.deals_won)),
        Fact("closed", f"{closes:,}", _of(closes, row.deals)),
        Fact("closes made", f"{row.closes_won:,}", _of(row.closes_won, closes)),
        Fact("closes failed", f"{row.closes_lost:,}", _of(row.closes_lost, closes)),
        Fact("false declarations", f"{row.false_declarations:,}"),
    ]


def _of(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} % of {whole:,}" if whole else ""


def _times(row: Row) -> list[Fact]:
    figures = (("median", row.median_us), ("95 % within", row.p95_us), ("slowest", row.max_us))
    known = [Fact(name, words.spent(us)) for name, us in figures if us is not None]
    return [Fact("decisions", f"{row.decisions:,}"), *known] if known else []


def _against(cell: Cell, places: Mapping[str, int]) -> Against:
    a, b, c, d, e = cell.five_way
    return Against(
        place=places[cell.opponent],
        name=safe(cell.opponent),
        record=f"{cell.won:,}-{cell.lost:,}" + (f", {cell.void:,} void" if cell.void else ""),
        points=f"{cell.points_for:,} : {cell.points_against:,}",
        pairs=f"{d + e:,} / {c:,} / {a + b:,}" if cell.pairs else "",
        share=standings.percent(cell.share) if cell.pairs else "",
        drawn=share_cell(cell),
    )


def _told(one: Notable, linked: Linked) -> Told:
    seat = one.match.seats.index(one.opponent)
    score = f"{one.match.score[1 - seat]} : {one.match.score[seat]}"
    what = f"{score} against {safe(one.opponent)}, {words.count(one.match.deals, 'deal')}"
    return Told(what, safe(one.match.match), linked.href(one.match.match))


# Faults


def _shown(one: Evidence, faults: Faults, linked: Linked) -> Shown:
    event = next((event for event in faults.get(one.match, ()) if _is(event, one)), None)
    where = f"deal {one.deal} of " if one.deal else ""
    what = f"{one.kind} in {where}{safe(one.match)}"
    return Shown(what, linked.href(one.match, one.deal), [] if event is None else list(_cut(event)))


def _is(event: FaultEvent, one: Evidence) -> bool:
    return (event.seat, event.kind, event.deal) == (one.seat, one.kind, one.deal)


def _cut(event: FaultEvent) -> Iterator[tuple[str, str]]:
    """The evidence made safe; of long output the beginning and the end."""
    for name, lines in words.evidence(event):
        shown = [shorten(safe(line, EVIDENCE_CELLS), EVIDENCE_CELLS) for line in _ends(lines)]
        yield name, "\n".join(shown)


def _ends(lines: Sequence[str]) -> list[str]:
    if len(lines) <= EVIDENCE_LINES:
        return list(lines)
    half = EVIDENCE_LINES // 2
    left_out = len(lines) - 2 * half
    return [*lines[:half], f"({left_out:,} more lines)", *lines[-half:]]
