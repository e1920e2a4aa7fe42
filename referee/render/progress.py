"""How far a run is: what its workers report, as running totals. A report costs the same however long the run is."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable

from referee.match.summary import Summary
from referee.render.console import safe
from referee.standings.tally import Tally
from referee.tournament.orders import Aborted, Began, FaultSeen, Greeted, LeftOut, Played, Report

WINDOW_S = 60.0
"""The rate is that of the last minute: a tournament gets faster and slower with the bots that meet."""

SAMPLE_S = 1.0
KEPT_FAULTS = 20

Clock = Callable[[], float]


class Progress:
    """The state of a run as its reports tell it.

    `known` are matches that were played before: they are in the standings and in `done`, but not in the rate.
    """

    def __init__(
        self, total: int = 0, known: Iterable[Summary] = (), names: Iterable[str] = (), clock: Clock = time.monotonic
    ) -> None:
        self.clock = clock
        self.tally = Tally(names)
        self._total = total
        self.played = 0
        self.done = 0
        self.status = ""
        self.ready: list[str] = []
        self.running: dict[str, float] = {}  # since when
        self.kinds: Counter[str] = Counter()
        self.seen: Counter[tuple[str, str]] = Counter()  # of this session, by bot and kind
        self.first: dict[tuple[str, str], FaultSeen] = {}
        self._open: dict[str, list[FaultSeen]] = {}  # of the matches that are being played
        self.last_faults: deque[FaultSeen] = deque(maxlen=KEPT_FAULTS)
        self.started = clock()
        self._samples = deque([(self.started, 0)])
        for summary in known:
            self.know(summary)

    @property
    def total(self) -> int:
        """How many matches are expected, 0 if that is not known; a knockout may need more than were planned."""
        return max(self._total, self.done) if self._total else 0

    def know(self, summary: Summary) -> None:
        """A match that was played before."""
        self.tally.add(summary)
        self.kinds.update(fault.kind for fault in summary.faults)
        self.done += 1

    def add(self, report: Report) -> str:
        """Take a report in; what it returns, if anything, is a warning for the user."""
        if isinstance(report, Played):
            self._add_played(report.summary)
        elif isinstance(report, FaultSeen):
            self.kinds[report.kind] += 1
            self.seen[report.bot, report.kind] += 1
            self._open.setdefault(report.match, []).append(report)
            self.first.setdefault((report.bot, report.kind), report)
            self.last_faults.append(report)
        elif isinstance(report, Began):
            self.running[report.match] = self.clock()
        elif isinstance(report, Aborted):
            self.running.pop(report.match, None)
            self._take_back(self._open.pop(report.match, []))
            return f"match {safe(report.match)} was broken off by the referee and is played again: {safe(report.why)}"
        elif isinstance(report, Greeted):
            if report.failure:
                return f"bot {safe(report.name)} did not start: {safe(report.failure)}"
            self.ready.append(report.name)
        elif isinstance(report, LeftOut):
            self._total = report.total
            for name in report.names:
                self.tally.bots.pop(name, None)
        return ""

    def _take_back(self, faults: Iterable[FaultSeen]) -> None:
        """They happened, but in a match that does not count."""
        for fault in faults:
            self.kinds -= Counter([fault.kind])
            self.seen -= Counter([(fault.bot, fault.kind)])

    def _add_played(self, summary: Summary) -> None:
        self.tally.add(summary)
        self.running.pop(summary.match, None)
        self._open.pop(summary.match, None)
        self.played += 1
        self.done += 1
        now = self.clock()
        if now - self._samples[-1][0] >= SAMPLE_S:
            self._samples.append((now, self.played))
        while len(self._samples) > 1 and now - self._samples[1][0] >= WINDOW_S:
            self._samples.popleft()

    @property
    def faults(self) -> int:
        return self.kinds.total()

    def elapsed(self) -> float:
        """Seconds since this session began."""
        return self.clock() - self.started

    def rate(self) -> float | None:
        """Matches a second in the last minute; None as long as there is nothing to tell it from."""
        since, played = self._samples[0]
        span = self.clock() - since
        return (self.played - played) / span if self.played > played and span > 0 else None

    def left_s(self) -> float | None:
        """Seconds until everything expected so far is played."""
        rate = self.rate()
        return max(self.total - self.done, 0) / rate if rate and self.total else None


def in_words(progress: Progress) -> str:
    """`120 of 2,000 matches, 6 %, 5.4/s, 5:48 left`, without what is not known."""
    parts = [f"{progress.done:,} of {progress.total:,} matches" if progress.total else f"{progress.done:,} matches"]
    if progress.total:
        parts.append(f"{100 * progress.done // progress.total} %")
    if (rate := progress.rate()) is not None:
        parts.append(speed(rate))
    if (left := progress.left_s()) is not None and progress.done < progress.total:
        parts.append(f"{duration(left)} left")
    return ", ".join(parts)


def closing_words(progress: Progress) -> str:
    """What this session has done, in a line."""
    seconds = progress.elapsed()
    mean = f" ({speed(progress.played / seconds)})" if seconds > 0 and progress.played else ""
    done = f"{progress.done:,} of {progress.total:,}" if progress.total else f"{progress.done:,}"
    return f"{done} matches done, {progress.played:,} of them in {duration(seconds)}{mean}; {faults_in_words(progress)}"


def faults_in_words(progress: Progress) -> str:
    """`3 faults: timeout 2, crash 1`, the most frequent first."""
    if not progress.faults:
        return "no faults"
    by_kind = sorted(progress.kinds.items(), key=lambda item: (-item[1], item[0]))
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in by_kind if number)
    return f"{progress.faults:,} {'fault' if progress.faults == 1 else 'faults'}: {kinds}"


def fault_in_words(fault: FaultSeen) -> str:
    """One fault on one line, its foreign parts made safe."""
    detail = f": {safe(fault.detail)}" if fault.detail else ""
    return f"{safe(fault.bot)}: {fault.kind} in deal {fault.deal} of {safe(fault.match)}{detail}"


def fault_in_full(fault: FaultSeen) -> list[str]:
    """The same with what helps the author: the hint, and the command that plays the match again, unbroken."""
    hint = [f"    {safe(fault.hint)}"] if fault.hint else []
    return [fault_in_words(fault), *hint, *([f"    again: {safe(fault.again, 10_000)}"] if fault.again else [])]


def speed(rate: float) -> str:
    """Matches by time, in the unit that gives a number above 1."""
    if rate >= 100:
        return f"{rate:,.0f}/s"
    if rate >= 1:
        return f"{rate:.1f}/s"
    return f"{60 * rate:.1f}/min" if rate >= 1 / 60 else f"{3600 * rate:.1f}/h"


def duration(seconds: float) -> str:
    """`0:07`, `12:34`, `1:02:03`, `3 d 4 h`."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} d {hours % 24} h"
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
