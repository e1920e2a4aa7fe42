"""How late the referee itself was [design 5: it measures its own lag]."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.bots import lag

MS = 1_000_000


class FakeTime:
    """A clock and a run queue that stand still until they are moved."""

    def __init__(self) -> None:
        self.now = self.queued = 1_000 * MS


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(lag, "_now", lambda: fake.now)
    monkeypatch.setattr(lag, "queued_ns", lambda: fake.queued)
    return fake


def test_a_long_answer_seen_at_once_has_no_lag(fake: FakeTime) -> None:
    look = lag.Look()
    fake.now += 700 * MS
    assert look.late_ns(fake.now) == 0


def test_waiting_for_the_processor_counts(fake: FakeTime) -> None:
    look = lag.Look()
    fake.now += 700 * MS
    fake.queued += 12 * MS
    assert look.late_ns(fake.now) == 12 * MS


@pytest.mark.parametrize(("passed", "queued", "late"), [(700, 0.9, 0), (0.9, 0.9, 0), (5, 8, 5), (1, 1, 1)])
def test_less_than_a_millisecond_is_nothing_and_no_lag_is_longer_than_the_wait(
    fake: FakeTime, passed: float, queued: float, late: int
) -> None:
    look = lag.Look()
    fake.now += round(passed * MS)
    fake.queued += round(queued * MS)
    assert look.late_ns(fake.now) == late * MS


def test_a_kernel_that_does_not_count(fake: FakeTime) -> None:
    fake.queued = 0
    look = lag.Look()
    fake.now += 700 * MS
    fake.queued = 300 * MS  # it could not be read before
    assert look.late_ns(fake.now) == 0


def test_a_loop_that_slept_is_late_from_when_it_woke(fake: FakeTime) -> None:
    watch, look = lag.LoopWatch(), lag.Look()
    watch.before_io_wait(1.0)
    fake.now += 50 * MS
    watch.after_io_wait(1.0)
    fake.now += 7 * MS
    assert look.late_ns(fake.now, watch) == 7 * MS


def test_a_loop_that_did_not_sleep_was_busy_all_the_time(fake: FakeTime) -> None:
    watch, look = lag.LoopWatch(), lag.Look()
    fake.now += 300 * MS
    watch.before_io_wait(0.0)
    watch.after_io_wait(0.0)
    fake.now += 2 * MS
    assert look.late_ns(fake.now, watch) == 302 * MS


def test_what_was_looked_at_meanwhile_was_not_there(fake: FakeTime) -> None:
    watch = lag.LoopWatch()
    fake.now += 300 * MS
    look = lag.Look()
    fake.now += 2 * MS
    watch.before_io_wait(0.0)
    watch.after_io_wait(0.0)
    assert look.late_ns(fake.now, watch) == 2 * MS


def test_the_kernel_counts_what_this_thread_waits_for_a_processor() -> None:
    before, here = lag.queued_ns(), os.sched_getaffinity(0)
    if not Path(lag.RUN_QUEUE).exists():
        pytest.skip("this kernel does not count it")
    os.sched_setaffinity(0, {min(here)})
    spin = "import time\nend = time.monotonic() + 60\nwhile time.monotonic() < end: pass"
    rivals = [subprocess.Popen([sys.executable, "-S", "-c", spin]) for _ in range(2)]
    try:
        end = time.thread_time() + 0.1
        while time.thread_time() < end:
            pass
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
        os.sched_setaffinity(0, here)
    assert lag.queued_ns() - before > 5 * MS
