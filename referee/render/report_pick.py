"""Which matches are worth a look: where somebody failed, the closest, the longest, and those that nobody expected."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from referee.match.summary import Summary
from referee.render.report_data import Evidence, Story

AT_MOST = 20
FAULTS, CLOSE, LONG, UPSETS = 8, 4, 3, 5
NOTABLE = 3
EVIDENCE_OF_A_KIND, EVIDENCE_OF_A_BOT = 2, 8
UPSET_FROM = 50.0
"""Rating points that the loser has to be ahead for its defeat to be called an upset."""


class Notable(NamedTuple):
    """A match from the side of one bot."""

    match: Summary
    opponent: str
    margin: int


def interesting(story: Story, at_most: int = AT_MOST) -> dict[str, list[str]]:
    """Matches, each with what makes it interesting."""
    found: dict[str, list[str]] = {}
    for match, why in _reasons(story):
        if match in found or len(found) < at_most:
            found.setdefault(match, []).append(why)
    return found


def _reasons(story: Story) -> Iterator[tuple[str, str]]:
    yield from islice(_with_faults(story), FAULTS)
    played = [match for match in story.matches if match.reason == "target"]
    for match in sorted(played, key=lambda match: (_margin(match), -match.deals))[:CLOSE]:
        if _margin(match) <= 2:
            yield match.match, f"close: {_score(match)} in {match.deals} deals"
    for match in sorted(played, key=lambda match: -match.deals)[:LONG]:
        yield match.match, f"long: {match.deals} deals"
    yield from _upsets(story, played)


def _with_faults(story: Story) -> Iterator[tuple[str, str]]:
    """The first fault of each kind by each bot."""
    seen: set[tuple[str, str]] = set()
    for match in story.matches:
        for fault in match.faults:
            bot = match.seats[fault.seat]
            if (bot, fault.kind) not in seen:
                seen.add((bot, fault.kind))
                yield match.match, f"fault: {fault.kind}"


def _upsets(story: Story, played: Sequence[Summary]) -> Iterator[tuple[str, str]]:
    """The defeats of those that are rated highest above who beat them, each pairing once."""
    ratings = story.ratings
    seen: set[tuple[str, str]] = set()
    gaps = [(gap, match) for match in played if (gap := _gap(match, ratings)) >= UPSET_FROM]
    for gap, match in sorted(gaps, key=lambda one: (-one[0], -_margin(one[1]))):
        pairing = (min(match.seats), max(match.seats))
        if pairing not in seen and len(seen) < UPSETS:
            seen.add(pairing)
            yield match.match, f"upset: the winner is rated {gap:.0f} lower"


def _gap(match: Summary, ratings: Mapping[str, float]) -> float:
    """How far the loser is rated above the winner."""
    winner = match.winner or 0
    won, lost = (ratings.get(match.seats[seat]) for seat in (winner, 1 - winner))
    return 0.0 if won is None or lost is None else float(lost - won)


def _margin(match: Summary) -> int:
    return abs(match.score[0] - match.score[1])


def _score(match: Summary) -> str:
    return f"{max(match.score)} : {min(match.score)}"


def extremes(story: Story, number: int = NOTABLE) -> dict[str, tuple[list[Notable], list[Notable]]]:
    """By bot, its best and its worst matches: by the margin, then by how strong or weak the opponent is."""
    sides: dict[str, list[Notable]] = {row.name: [] for row in story.table.rows}
    for match in story.matches:
        if match.reason == "target":
            for seat, name in enumerate(match.seats):
                sides[name].append(Notable(match, match.seats[1 - seat], match.score[seat] - match.score[1 - seat]))
    ratings = story.ratings
    return {name: _ends(found, ratings, number) for name, found in sides.items()}


def _ends(found: list[Notable], ratings: Mapping[str, float], number: int) -> tuple[list[Notable], list[Notable]]:
    ordered = sorted(found, key=lambda one: (one.margin, ratings.get(one.opponent, 0.0)))
    best = [one for one in ordered[: -number - 1 : -1] if one.margin > 0]
    return best, [one for one in ordered[:number] if one.margin < 0]


def evidence_wanted(story: Story) -> list[Evidence]:
    """The faults of which the logs are asked for more: the first of each kind by each bot."""
    kinds: Counter[tuple[str, str]] = Counter()
    bots: Counter[str] = Counter()
    found = []
    for match in story.matches:
        for fault in match.faults if match.reason != "aborted" else ():
            bot = match.seats[fault.seat]
            if kinds[bot, fault.kind] < EVIDENCE_OF_A_KIND and bots[bot] < EVIDENCE_OF_A_BOT:
                kinds[bot, fault.kind] += 1
                bots[bot] += 1
                found.append(Evidence(bot, match.match, fault.seat, fault.kind, fault.deal))
    return found
