"""How late the referee itself was in seeing that something had come.

Two things hold it up, and neither is a bot's doing: the kernel lets it wait for the processor after it has been woken,
which the kernel counts, and its own event loop was busy with something else, which is seen from when the loop last
slept and woke. Both are counted from the last look at the bot's output: what came before that would have been seen.
"""

import os
import time

import trio

MATTERS_NS = 1_000_000
"""Below a millisecond a delay is noise, and is not worth the look."""

_AT_ONCE_NS = 100_000
RUN_QUEUE = "/proc/thread-self/schedstat"  # ns on the processor, ns runnable but waiting for one, slices
_now = time.monotonic_ns


class LoopWatch(trio.abc.Instrument):
    """When trio's event loop last went to sleep, and when it woke."""

    def __init__(self) -> None:
        self._asleep = self._awake = _now()
        self._busy = 0

    def before_io_wait(self, timeout: float) -> None:
        """It has nothing to do any more."""
        self._asleep = _now()
        self._busy = self._asleep - self._awake

    def after_io_wait(self, timeout: float) -> None:
        """Something has come, perhaps while it was busy: then it did not sleep at all."""
        self._awake = _now()

    def late_ns(self, now: int) -> int:
        """For how long, at the most, what the loop has just reported was there unseen."""
        late = now - self._awake
        return late + self._busy if self._awake - self._asleep < _AT_ONCE_NS else late


class Look:
    """The last look at a bot's output, before a wait."""

    __slots__ = ("_queued_ns", "_when")

    def __init__(self) -> None:
        self._queued_ns, self._when = queued_ns(), _now()

    def late_ns(self, now: int, loop: LoopWatch | None = None) -> int:
        """How late this one is, at the most; 0 where it does not matter. `loop`: if trio has done the waiting."""
        passed = now - self._when
        if passed < MATTERS_NS:
            return 0
        late = queued_ns() - self._queued_ns if self._queued_ns else 0
        if loop is not None:
            late += loop.late_ns(now)
        return min(late, passed) if late >= MATTERS_NS else 0


def queued_ns() -> int:
    """For how long this thread has been kept waiting for a processor, in all; 0 where the kernel does not count it."""
    try:
        fd = os.open(RUN_QUEUE, os.O_RDONLY)
    except OSError:
        return 0
    try:
        return int(os.read(fd, 100).split()[1])
    finally:
        os.close(fd)
