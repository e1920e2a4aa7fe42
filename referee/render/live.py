"""A run while it goes on: a view that is redrawn in place on a terminal, and lines where there is none.

Both are listeners of the runner, context managers, and have the same methods: `status(text)` for a line of the
caller's, `warn(text)` for something that has to stay on the screen.

The view is drawn by a thread of rich's, so that time goes on where no reports come. The reports only change totals,
under a lock. The standings are made anew at most twice a second, and never so often that they take more than a
twentieth of the time.
"""

import time
from collections.abc import Iterable
from itertools import chain, groupby
from threading import Lock
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.segment import Segments
from rich.table import Table as Grid
from rich.text import Text

from referee.match.summary import Summary
from referee.render.console import safe, shorten
from referee.render.grid import grid
from referee.render.progress import (
    Clock,
    Progress,
    closing_words,
    duration,
    fault_in_full,
    fault_in_words,
    faults_in_words,
    in_words,
)
from referee.render.standings import STANDINGS
from referee.standings.table import Table, build, table_of
from referee.tournament.orders import FaultSeen, Report

REDRAWS_A_SECOND = 5
STANDINGS_EVERY_S = 0.5
STANDINGS_SHARE = 0.05
"""At most that share of the time goes into computing standings."""

SHOWN_FAULTS = 4
TOLD_FAULTS = 10
LEAST_ROWS = 3


class _Listener:
    """What the two have in common."""

    def __init__(
        self,
        console: Console,
        total: int = 0,
        *,
        known: Iterable[Summary] = (),
        names: Iterable[str] = (),
        clock: Clock = time.monotonic,
    ) -> None:
        self.console = console
        self.progress = Progress(total, known, names, clock)
        self.lock = Lock()

    def __call__(self, report: Report) -> None:
        """Take a report of the runner in."""
        with self.lock:
            warning = self.progress.add(report)
        if warning:
            self.warn(warning)

    def know(self, summary: Summary) -> None:
        """A match of an earlier session; call before the view is entered."""
        self.progress.know(summary)

    def status(self, text: str) -> None:
        """A line of the caller's own, in the place of the last one; empty for none."""
        with self.lock:
            self.progress.status = safe(text)

    def warn(self, text: str) -> None:
        """A line that stays."""
        self._print(f"warning: {text}", "yellow")

    def _tell_fault(self, fault: FaultSeen, more: str = "") -> None:
        first, *rest = fault_in_full(fault)
        self._print(first + more)
        for line in rest:
            self.console.print(Text(line), soft_wrap=True)  # a command that is wrapped cannot be copied

    def _print(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style), soft_wrap=not self.console.is_terminal)


class LiveView(_Listener):
    """The view for a terminal. `known` are matches of earlier sessions, `names` the bots, `title` the tournament.

    When it ends it leaves behind each bot's first fault of a kind and one line on the run as a whole; the final
    standings are the caller's to print.
    """

    def __init__(
        self,
        console: Console,
        total: int = 0,
        *,
        known: Iterable[Summary] = (),
        names: Iterable[str] = (),
        title: str = "",
        clock: Clock = time.monotonic,
    ) -> None:
        super().__init__(console, total, known=known, names=names, clock=clock)
        self.title = safe(title)
        self._table = build((), names)
        self._next_table = -1.0
        self._grid = _Drawn()
        self._live = Live(
            console=console,
            get_renderable=self.draw,
            refresh_per_second=REDRAWS_A_SECOND,
            transient=True,
            redirect_stdout=False,  # stdout is for data, wherever it goes
            vertical_overflow="crop",
        )

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()
        for key in sorted(self.progress.first)[:TOLD_FAULTS]:
            number = self.progress.seen[key]
            self._tell_fault(self.progress.first[key], f" ({number:,} times, this was the first)" if number > 1 else "")
        if self.progress.played:
            self._print(closing_words(self.progress))

    def draw(self) -> RenderableType:
        """The view as it is now, in the size of the console."""
        with self.lock:
            self._refresh_table()
            return Group(*self._parts(self.console.width, self.console.height - 1))

    def _refresh_table(self) -> None:
        begun = self.progress.clock()
        if begun >= self._next_table and self._table.matches < self.progress.tally.matches:
            self._table = table_of(self.progress.tally)
            cost = self.progress.clock() - begun
            self._next_table = begun + max(STANDINGS_EVERY_S, cost / STANDINGS_SHARE)

    def _parts(self, width: int, height: int) -> Iterable[RenderableType]:
        """Top and bottom first; the standings get the lines that are left."""
        above = [self._bar(width), *self._lines([self.progress.status], width)]
        below = self._lines([_running(self.progress)], width)
        spare = (
            height - len(above) - len(below) - 5
        )  # two empty lines, the head of the standings, the count of the rest
        below += self._faults(width, min(SHOWN_FAULTS, spare - min(len(self._table.rows), LEAST_ROWS)))
        rows = height - len(above) - len(below) - 5
        return [*above, Text(), *self._standings(width, rows), Text(), *below]

    def _standings(self, width: int, rows: int) -> list[RenderableType]:
        """The top of the table in at most `rows` rows, and how many bots there are besides."""
        if rows < 1:
            return []
        left = len(self._table.rows) - rows
        more = [Text(f"and {left} more", style="dim")] if left > 0 else []
        return [self._grid.of(self.console, self._table, width, rows), *more]

    def _bar(self, width: int) -> RenderableType:
        """One line: the title if there is room, a bar, and how far it is."""
        words = in_words(self.progress)
        title = self.title if len(self.title) + len(words) + 24 <= width else ""
        room = width - len(words) - 2 - (len(title) + 2 if title else 0)
        if not self.progress.total or room < 5:
            return Text(shorten("  ".join(filter(None, (title, words))), width))
        line = Grid.grid(padding=(0, 2, 0, 0), pad_edge=False)
        bar = ProgressBar(total=self.progress.total, completed=min(self.progress.done, self.progress.total), width=room)
        line.add_row(*([Text(title, style="bold")] if title else []), bar, Text(words))
        return line

    def _faults(self, width: int, number: int) -> list[Text]:
        """The count by kind and the last ones, newest at the end."""
        if not self.progress.faults:
            return []
        last = list(self.progress.last_faults)[-number:] if number > 0 else []
        heading = Text(shorten(faults_in_words(self.progress), width), style="red")
        return [heading, *self._lines(map(fault_in_words, last), width, "dim")]

    def _lines(self, texts: Iterable[str], width: int, style: str = "") -> list[Text]:
        return [Text(shorten(text, width), style=style) for text in texts if text]


class _Drawn:
    """The standings as they were last drawn: laying thirty bots out takes longer than all the rest of a redraw."""

    def __init__(self) -> None:
        self._key: tuple[Table | None, int, int] = (None, 0, 0)
        self._segments = Segments(())

    def of(self, console: Console, table: Table, width: int, rows: int) -> Segments:
        """The first `rows` rows of the table, drawn anew if anything has changed."""
        shown, shown_width, shown_rows = self._key
        if shown is not table or (shown_width, shown_rows) != (width, rows):
            lines = console.render_lines(grid(STANDINGS, table.rows[:rows], width), pad=False, new_lines=True)
            self._segments, self._key = Segments(chain.from_iterable(lines)), (table, width, rows)
        return self._segments


def _running(progress: Progress) -> str:
    """The running matches, the longest first; before the first one, the bots that are ready."""
    if not progress.running:
        return f"ready: {', '.join(map(safe, progress.ready))}" if progress.ready and not progress.played else ""
    now = progress.clock()
    matches = (f"{safe(match)} {duration(now - since)}" for match, since in progress.running.items())
    return f"playing {len(progress.running)}: {', '.join(matches)}"


class PlainListener(_Listener):
    """Lines for a file or a pipe: each bot's first fault of a kind, warnings, and now and then how far it is.

    A progress line comes when another twentieth is done or a minute has passed, but not within `every_s` of the last
    one. `quiet` leaves only the warnings, which are about the referee itself.
    """

    def __init__(
        self,
        console: Console,
        total: int = 0,
        *,
        known: Iterable[Summary] = (),
        names: Iterable[str] = (),
        quiet: bool = False,
        every_s: float = 10.0,
        clock: Clock = time.monotonic,
    ) -> None:
        super().__init__(console, total, known=known, names=names, clock=clock)
        self.quiet, self.every_s = quiet, every_s
        self._last, self._twentieths = self.progress.started, self._reached()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.quiet:
            return
        for bot, faults in groupby(sorted(self.progress.seen.items()), key=lambda seen: seen[0][0]):
            self._print(f"{safe(bot)}: {', '.join(f'{kind} {number:,}' for (_, kind), number in faults)}")
        if self.progress.played:
            self._print(closing_words(self.progress))

    def __call__(self, report: Report) -> None:
        """Take a report in, and say what is worth a line."""
        super().__call__(report)
        if self.quiet:
            return
        if isinstance(report, FaultSeen) and self.progress.seen[report.bot, report.kind] == 1:
            self._tell_fault(report)
        self._maybe_tell()

    def _reached(self) -> int:
        return 20 * self.progress.done // self.progress.total if self.progress.total else 0

    def _maybe_tell(self) -> None:
        now = self.progress.clock()
        waited = now - self._last
        if waited < self.every_s or (self._reached() == self._twentieths and waited < max(60.0, self.every_s)):
            return
        self._last, self._twentieths = now, self._reached()
        parts = (in_words(self.progress), faults_in_words(self.progress), self.progress.status)
        self._print("; ".join(filter(None, parts)))
