"""A run while it goes on: what the view shows in terminals of all sizes, what is written where there is none."""

import io
import time
from collections.abc import Iterator

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console
from standings.matches import aborted, match, round_robin

from referee.match.summary import Summary
from referee.render.live import LiveView, PlainListener
from referee.render.progress import Progress, closing_words, duration, in_words, speed
from referee.standings.table import build, table_of
from referee.tournament.orders import Aborted, Began, FaultSeen, Greeted, Idle, LeftOut, Played, Report

NAMES = ["counter", "greedy", "scout", "first", "random"]
FAULT = FaultSeen("3-greedy-first-a", "first", "timeout", 4, "no answer in 1000 ms", "read stdin", "referee match a b")


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def screen(width: int = 100, height: int = 30, terminal: bool = True) -> Console:
    """A terminal, or a pipe, that keeps what is written."""
    return Console(
        file=io.StringIO(), width=width, height=height, force_terminal=terminal, color_system=None, markup=False,
        highlight=False, legacy_windows=False,
    )  # fmt: skip


def text(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def picture(view: LiveView) -> list[str]:
    """The lines of the view as it is now."""
    console = view.console
    lines = console.render_lines(view.draw(), console.options.update(height=None), pad=False)
    return ["".join(segment.text for segment in line).rstrip() for line in lines]


def reports(matches: list[Summary]) -> Iterator[Report]:
    for summary in matches:
        yield Began(summary.match)
        for fault in summary.faults:
            yield FaultSeen(summary.match, summary.seats[fault.seat], fault.kind, fault.deal, "what happened")
        yield Played(summary)


# Progress


def test_matches_are_counted_and_timed() -> None:
    clock = Clock()
    progress = Progress(40, round_robin(["a", "b"], 5), clock=clock)
    assert in_words(progress) == "10 of 40 matches, 25 %"
    for number in range(10):
        clock.now += 2
        progress.add(Played(match("ab", (7, 0), 6 + number)))
    assert in_words(progress) == "20 of 40 matches, 50 %, 30.0/min, 0:40 left"
    assert closing_words(progress) == "20 of 40 matches done, 10 of them in 0:20 (30.0/min); no faults"


def test_the_rate_is_that_of_the_last_minute() -> None:
    clock = Clock()
    progress = Progress(10_000, clock=clock)
    for number in range(100):
        clock.now += 10
        progress.add(Played(match("ab", (7, 0), number)))
    assert progress.rate() == pytest.approx(0.1, rel=0.2)
    for number in range(700):
        clock.now += 0.1
        progress.add(Played(match("ab", (7, 0), 100 + number)))
    assert progress.rate() == pytest.approx(10, rel=0.05)


def test_a_total_that_grows() -> None:
    progress = Progress(clock=Clock())
    assert in_words(progress) == "0 matches"
    progress.add(LeftOut([], 2))
    progress.add(Played(match("ab", (7, 0))))
    assert in_words(progress).startswith("1 of 2 matches, 50 %")


def test_running_matches_come_and_go() -> None:
    progress = Progress()
    first, second = match("ab", (7, 0)), aborted("ab", 2)
    for report in (Began(first.match), Began(second.match), Idle()):
        assert progress.add(report) == ""
    assert list(progress.running) == [first.match, second.match]
    progress.add(Played(first))
    warning = progress.add(Aborted(second.match, "worker lost"))
    assert warning == "match 2-a-b-a was broken off by the referee and is played again: worker lost"
    assert not progress.running


def test_nothing_is_recounted() -> None:
    """Ten thousand matches more do not make a report slower: only totals are kept."""
    progress = Progress()
    matches = round_robin(["a", "b"], 5000)
    for report in reports(matches):
        progress.add(report)
    assert table_of(progress.tally) == build(matches)
    assert len(progress.last_faults) <= 20
    assert len(progress._samples) <= 61


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00"), (7.4, "0:07"), (754, "12:34"), (3723, "1:02:03"), (172_799, "47:59:59"), (273_600, "3 d 4 h")],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_speeds() -> None:
    assert [speed(rate) for rate in (1234, 45.25, 1, 0.5, 0.01)] == ["1,234/s", "45.2/s", "1.0/s", "30.0/min", "36.0/h"]


# The view


@pytest.mark.parametrize(("width", "height"), [(60, 20), (100, 30), (200, 50), (60, 8), (30, 3), (80, 24)])
@pytest.mark.parametrize("bots", [0, 2, 30])
def test_the_view_fits_the_terminal(width: int, height: int, bots: int) -> None:
    names = [f"bot-{number}" for number in range(bots)]
    matches = round_robin(names, 2)
    view = LiveView(screen(width, height), 10_000, known=matches[:5], names=names, title="a tournament", clock=Clock())
    for report in reports(matches[5:]):
        view(report)
    for _ in range(8):
        view(FAULT)
    for number in range(50):
        view(Began(f"{number}-bot-1-bot-2-a"))
    view.status("LLR 1.23 (-2.94, 2.94)")
    lines = picture(view)
    assert len(lines) <= max(height, 6)
    assert max(map(cell_len, lines)) <= width


def test_what_the_view_shows() -> None:
    clock = Clock()
    view = LiveView(screen(100, 20), 80, names=NAMES, title="quickstart", clock=clock)
    view(Greeted("counter"))
    view(Greeted("greedy"))
    assert picture(view)[-1] == "ready: counter, greedy"
    for report in reports(round_robin(NAMES, 2)[:20]):
        view(report)
        clock.now += 0.5
    view(Began("2-scout-first-a"))
    view(FAULT)
    view.status("on its way")
    clock.now += 3
    lines = picture(view)
    assert lines[0].startswith("quickstart  ━━━━")
    assert lines[0].endswith("20 of 80 matches, 25 %, 49.0/min, 1:14 left")
    assert lines[1:4] == [
        "on its way",
        "",
        "#  bot      matches  won  lost   score  rating  ± 95 %  > next    points  per deal  deals  faults",
    ]
    assert [line.split()[1] for line in lines[5:10]] == ["counter", "greedy", "scout", "random", "first"]
    assert lines[10:] == [
        "",
        "playing 1: 2-scout-first-a 0:03",
        "4 faults: timeout 2, crash 1, illegal 1",
        "first: timeout in deal 2 of 1-counter-first-a: what happened",
        "random: illegal in deal 2 of 1-random-counter-b: what happened",
        "scout: crash in deal 2 of 2-scout-greedy-b: what happened",
        "first: timeout in deal 4 of 3-greedy-first-a: no answer in 1000 ms",
    ]


def test_the_standings_are_made_at_most_twice_a_second() -> None:
    clock = Clock()
    view = LiveView(screen(), names=["a", "b"], clock=clock)
    clock.now += 1
    view(Played(match("ab", (7, 0))))
    first = picture(view)
    view(Played(match("ba", (0, 7), 1, "b")))
    clock.now += 0.4
    assert picture(view)[2:] == first[2:]
    clock.now += 0.2
    assert picture(view)[2:] != first[2:]


def test_slow_standings_are_made_more_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, made = Clock(), []

    def slow(tally: object) -> object:
        made.append(clock.now)
        clock.now += 2
        return build([match("ab", (7, 0))])

    view = LiveView(screen(), clock=clock)
    monkeypatch.setattr("referee.render.live.table_of", slow)
    for number in range(100):
        view(Played(match("ab", (7, 0), number)))
        view.draw()
        clock.now += 1
    assert 2 <= len(made) <= 4


def test_a_session_leaves_its_faults_and_one_line() -> None:
    console = screen(200)
    with LiveView(console, 2, names=["a", "b"]) as view:
        view(FAULT)
        view(FAULT)
        view(Aborted("1-a-b-a", "worker lost"))
        view(Greeted("c", "no ready in 10 s"))
        view(LeftOut(["c"], 1))
        view(Played(match("ab", (7, 0))))
    told = text(console)
    assert "warning: match 1-a-b-a was broken off by the referee and is played again: worker lost" in told
    assert "warning: bot c did not start: no ready in 10 s" in told
    end = told[told.rindex("first: timeout") :].splitlines()
    where = "first: timeout in deal 4 of 3-greedy-first-a: no answer in 1000 ms"
    assert end[0] == f"{where} (2 times, this was the first)"
    assert end[1:3] == ["    read stdin", "    again: referee match a b"]
    assert end[3].startswith("1 of 1 matches done, 1 of them in 0:00 (")
    assert end[3].endswith("; 2 faults: timeout 2")


def test_the_view_is_redrawn_at_most_ten_times_a_second() -> None:
    console = screen()
    draws = []

    class Counted(LiveView):
        def draw(self) -> object:  # type: ignore[override]
            draws.append(time.monotonic())
            return super().draw()

    matches = round_robin(["a", "b"], 2000)
    begun = time.monotonic()
    with Counted(console, len(matches), names=["a", "b"]) as view:
        for report in reports(matches):
            view(report)
    assert len(draws) <= 3 + 10 * (time.monotonic() - begun)


def test_foreign_text_does_nothing() -> None:
    console = screen(200)
    evil = "\x1b[2J\r\n[red]\u202e" + "x" * 1_000_000
    with LiveView(console, 2, names=[evil], title=evil) as view:
        for report in (Greeted(evil), Greeted(evil, evil), Began(evil), FaultSeen(evil, evil, "crash", 1, evil, evil)):
            view(report)
        view(Aborted(evil, evil))
        view.status(evil)
        lines = picture(view)
    assert all(line.isprintable() for line in lines)
    assert "\x1b[2J" not in text(console)
    assert "\u202e" not in text(console)
    assert len(text(console)) < 100_000


# Lines


def plain(total: int = 0, **options: object) -> tuple[PlainListener, Console, Clock]:
    console, clock = screen(terminal=False), Clock()
    return PlainListener(console, total, clock=clock, **options), console, clock  # type: ignore[arg-type]


def test_a_line_now_and_then() -> None:
    listener, console, clock = plain(100)
    with listener:
        for number in range(100):
            clock.now += 3
            listener(Played(match("ab", (7, 0), number)))
    lines = text(console).splitlines()
    assert lines[0] == "5 of 100 matches, 5 %, 20.0/min, 4:45 left; no faults"
    assert lines[-2] == "100 of 100 matches, 100 %, 20.0/min; no faults"
    assert lines[-1] == "100 of 100 matches done, 100 of them in 5:00 (20.0/min); no faults"
    assert len(lines) == 21


def test_not_more_than_a_line_in_ten_seconds_and_one_in_a_minute_at_least() -> None:
    fast, console, clock = plain(1000)
    for number in range(1000):
        clock.now += 0.025
        fast(Played(match("ab", (7, 0), number)))
    assert len(text(console).splitlines()) == 2
    slow, console, clock = plain(100_000)
    for number in range(60):
        clock.now += 10
        slow(Played(match("ab", (7, 0), number)))
    assert len(text(console).splitlines()) == 10


def test_only_the_first_fault_of_a_kind_is_told() -> None:
    listener, console, _ = plain(10)
    with listener:
        for _ in range(3):
            listener(FAULT)
        listener(FaultSeen("m", "first", "crash", 1, ""))
    assert text(console).splitlines() == [
        "first: timeout in deal 4 of 3-greedy-first-a: no answer in 1000 ms",
        "    read stdin",
        "    again: referee match a b",
        "first: crash in deal 1 of m",
        "first: crash 1, timeout 3",
    ]


def test_quiet_is_quiet_but_for_the_referee_itself() -> None:
    listener, console, clock = plain(2, quiet=True)
    with listener:
        clock.now += 1000
        listener(Played(match("ab", (7, 0))))
        listener(FAULT)
        listener(Aborted("m", "worker lost"))
    assert text(console) == "warning: match m was broken off by the referee and is played again: worker lost\n"


def test_lines_are_not_broken_in_a_pipe() -> None:
    console = screen(40, terminal=False)
    listener = PlainListener(console)
    listener.warn("word " * 30)
    assert len(text(console).splitlines()) == 1


def test_faults_of_a_match_that_was_broken_off_do_not_count() -> None:
    progress = Progress()
    for report in (FAULT, FAULT, msgspec.structs.replace(FAULT, match="4-greedy-first-a")):
        progress.add(report)
    assert progress.faults == 3
    progress.add(Aborted(FAULT.match, "no space"))
    assert (progress.faults, progress.seen) == (1, {("first", "timeout"): 1})
    progress.add(Aborted("4-greedy-first-a", "no space"))
    assert (progress.faults, progress.seen) == (0, {})
