"""watch, beside a run that is going on."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli.command import environment, finish, referee, start, tournament

from referee.match.summary import SeatFigures, Summary
from referee.render.progress import Progress, in_words
from referee.tournament.orders import Played


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run of two bots under way in `out`, with a match or more."""
    process = start("run", tournament(tmp_path, "first random", 60), "--out", "out", "--jobs", "1", cwd=tmp_path)
    wait_for(lambda: bool(index(tmp_path)))
    yield process
    if process.poll() is None:
        os.kill(process.pid, signal.SIGINT)
    finish(process)


def index(folder: Path) -> list[str]:
    path = folder / "out" / "index.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "never became true"
        time.sleep(0.02)


def test_it_ends_with_the_run_and_prints_the_standings(tmp_path: Path, running: subprocess.Popen[str]) -> None:
    done = referee("watch", "out", cwd=tmp_path)
    assert done.code == 0, done.err
    assert running.wait() == 0
    assert "120 of 120 matches done" in done.err and "complete: out   master seed: test" in done.err
    assert done.out == referee("standings", "out", cwd=tmp_path).out
    assert {line.split("\t")[1] for line in done.out.splitlines()[1:]} == {"first", "random"}


def test_once_says_how_far_it_is_and_leaves_the_folder_alone(tmp_path: Path, running: subprocess.Popen[str]) -> None:
    done = referee("watch", "out", "--once", cwd=tmp_path)
    assert done.code == 0
    assert re.match(r"\d+ of 120 matches, \d+ %; no faults; in progress\n", done.err)
    assert done.out.startswith("rank\tname\t")
    assert running.poll() is None, "the run goes on"


def test_ctrl_c_is_a_good_end(tmp_path: Path, running: subprocess.Popen[str]) -> None:
    process = start("watch", "out", cwd=tmp_path)
    time.sleep(1.5)
    os.kill(process.pid, signal.SIGINT)
    done = finish(process)
    assert (done.code, done.out) == (0, ""), done
    assert running.poll() is None


def test_a_finished_run_is_said_to_be_so_at_once(tmp_path: Path) -> None:
    file = tournament(tmp_path, "first random", 1)
    assert referee("run", file, "--out", "out", cwd=tmp_path).code == 0
    (tmp_path / "out").chmod(0o500)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}
    done = referee("watch", "out", cwd=tmp_path)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")} == before
    (tmp_path / "out").chmod(0o700)
    assert done.code == 0
    assert "2 of 2 matches, 100 %; no faults; complete, master seed: test" in done.err
    assert done.out.count("\n") == 3


def test_what_is_no_run(tmp_path: Path) -> None:
    for place, words in (("nowhere", "no such file or folder"), (".", "no run.json here")):
        done = referee("watch", place, cwd=tmp_path)
        assert done.code == 2 and words in done.err and "Traceback" not in done.err


class Terminal:
    """`referee watch` on a terminal of its own."""

    def __init__(self, folder: Path) -> None:
        self.keyboard, inside = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "watch", "out"],
            cwd=folder,
            env={**environment(), "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "24"},
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
        )
        os.close(inside)
        self.shown = ""

    def read_until(self, words: str, seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while words not in self.shown:
            assert time.monotonic() < end, self.shown
            if select.select([self.keyboard], [], [], 0.1)[0]:
                self.shown += os.read(self.keyboard, 1 << 16).decode()

    def drain(self) -> None:
        """Until the other side is closed."""
        try:
            while select.select([self.keyboard], [], [], 5)[0]:
                self.shown += os.read(self.keyboard, 1 << 16).decode()
        except OSError:
            pass


def test_a_terminal_has_the_view_of_the_run_and_q_leaves_it(tmp_path: Path, running: subprocess.Popen[str]) -> None:
    terminal = Terminal(tmp_path)
    try:
        terminal.read_until("of 120 matches")
        terminal.read_until("rating")
        os.write(terminal.keyboard, b"q")
        terminal.drain()
        assert terminal.process.wait(10) == 0
        assert "random" in terminal.shown and "first" in terminal.shown
        assert terminal.shown.rindex("\x1b[?25h") > terminal.shown.rindex("\x1b[?25l"), "the cursor is back"
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.keyboard)
    assert running.poll() is None


def test_a_knockout_that_needs_more_matches_is_never_beyond_its_end() -> None:
    match = Summary(match="1-a-b-a", pair=1, leg="a", seats=("a", "b"), figures=(SeatFigures(), SeatFigures()))
    progress = Progress(4, [match] * 16)
    assert in_words(progress) == "16 of 16 matches, 100 %"
    progress.add(Played(match))
    assert in_words(progress).startswith("17 of 17 matches, 100 %")
    assert in_words(Progress(0, [match])) == "1 matches"
