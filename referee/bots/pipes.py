"""The two pipes of a bot, line by line. Nothing here waits for longer than one short poll.

What the bot wrote without being asked is dropped and counted, and never taken for an answer.
"""

import os
import select
import time
from typing import Literal

import msgspec

from referee.bots.lag import MATTERS_NS, Look
from referee.bots.launch import MAX_UNASKED
from referee.protocol.framing import MAX_LINE

Failure = Literal["timeout", "crash", "flood", "too_long"]

NEVER = 1 << 62
"""A limit in nanoseconds for where there is none."""

_CHUNK = 65_536
_POLL_MS = 10  # below the kernel's tick of 4 ms a poll costs 10-24 % of a turn
_POLL_NS = _POLL_MS * 1_000_000
_SHOWN = 1_000
_now, _read, _write = time.monotonic_ns, os.read, os.write


class Reply(msgspec.Struct, gc=False):
    """What came of a question."""

    line: bytes | None
    """The answer without its line end, or None with a `failure`."""
    us: int
    """From right before the write until the answer was readable, or until the verdict."""
    failure: Failure | None = None
    lag_us: int = 0
    """How late the referee itself looked, at the most; 0 below a millisecond. `us` is never above the limit for it."""
    dropped: int = 0
    """Complete lines that the bot had written without being asked."""


class Asked(msgspec.Struct, gc=False):
    """A question that was not answered at once. Times in nanoseconds of the monotonic clock."""

    rest: bytes
    """Not written yet."""
    start: int
    deadline: int
    dropped: int = 0
    unasked: int = 0
    """Bytes of what was dropped."""
    failure: Failure | None = None
    """The verdict, if there was one before the question was put."""


class Pipes:
    """stdin and stdout of a bot, both non-blocking; whoever made them closes them."""

    def __init__(self, stdin: int, stdout: int) -> None:
        self.stdin, self.stdout = stdin, stdout
        self.unsent = b""
        """What could not be written in its time; it goes out before anything else."""
        self.unasked = b""
        """The beginning of what was dropped last: a debug line, often."""
        self.eof = False
        """It has closed its stdout."""
        self.hung_up = False
        """It does not read any more."""
        self._buffer = bytearray()
        self._quick = True
        poll = select.poll()
        poll.register(stdout, select.POLLIN)
        self._poll = poll.poll

    def ask(self, payload: bytes, limit: int) -> Reply | Asked:
        """Write whole lines and wait for one line within `limit` nanoseconds, for as long as a poll at the most.

        The clock starts right before the write: on a shared core the bot already runs inside it.
        """
        dropped = 0
        if self._buffer or self._poll(0):
            asked = Asked(b"", _now(), NEVER)
            asked.failure = self._drop_unasked(asked)
            if asked.failure is not None:
                return asked
            dropped = asked.dropped
        if self.unsent:
            payload, self.unsent = self.unsent + payload, b""
        start = _now()
        try:
            sent = _write(self.stdin, payload)
        except OSError:
            sent = 0  # whatever it is, `look` meets it again
        look = None if self._quick else Look()
        if sent == len(payload) and self._poll(_POLL_MS if limit >= _POLL_NS else -(-limit // 1_000_000)):
            took = _now() - start
            chunk = self._receive() or b""
            if chunk.find(b"\n") == len(chunk) - 1 >= 0 and took <= limit and not self._buffer:
                self._quick = took < MATTERS_NS
                late = 0 if look is None else look.late_ns(start + took)
                return Reply(_without_end(chunk), took // 1000, None, late // 1000, dropped)
            self._buffer += chunk
        self._quick = False
        return Asked(payload[sent:], start, start + limit, dropped)

    def look(self, asked: Asked) -> bytes | Failure | None:
        """What can be said of a question without waiting: the line, a failure, or None."""
        if asked.rest:
            if failure := self._drop_unasked(asked):
                return failure
            asked.rest = self.write(asked.rest)
            if asked.rest:
                return "crash" if self.hung_up else None
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > MAX_LINE:
                return "too_long"
            if self.eof:
                return "crash"
            if not self._fill():
                return None
        if end > MAX_LINE:
            return "too_long"
        line = _without_end(bytes(self._buffer[: end + 1]))
        del self._buffer[: end + 1]
        return line

    def write(self, payload: bytes) -> bytes:
        """Write what the pipe takes; returns the rest, all of it if the bot does not listen any more."""
        try:
            return payload[_write(self.stdin, payload) :]
        except BlockingIOError:
            return payload
        except BrokenPipeError:
            self.hung_up = True
            return payload

    @property
    def partial(self) -> bytes:
        """What has come since the last complete line."""
        return bytes(self._buffer[:MAX_LINE])

    @property
    def closed(self) -> str:
        """What the bot has closed, in words; empty while both are open."""
        return "closed its stdout" if self.eof else "closed its stdin" if self.hung_up else ""

    def _drop_unasked(self, asked: Asked) -> Failure | None:
        """Drop all complete lines that are there; half a line stays, and spoils the answer that it runs into."""
        while True:
            end = self._buffer.rfind(b"\n") + 1
            if end:
                asked.dropped += self._buffer.count(b"\n")
                asked.unasked += end
                self.unasked = bytes(self._buffer[: min(end, _SHOWN)])
                del self._buffer[:end]
            if asked.unasked + len(self._buffer) > MAX_UNASKED:
                return "flood"
            if self.eof:
                return "crash"
            if not self._fill():
                return None

    def _fill(self) -> bool:
        """Take what is there; False if there is nothing."""
        chunk = self._receive() if self._poll(0) else None
        self._buffer += chunk or b""
        return chunk is not None

    def _receive(self) -> bytes | None:
        """None if there is nothing after all: a bot can open its stdout through /proc and read what it has written."""
        try:
            chunk = _read(self.stdout, _CHUNK)
        except BlockingIOError:
            return None
        self.eof = self.eof or not chunk
        return chunk


def _without_end(line: bytes) -> bytes:
    """Without its newline, and the carriage return that a bot on another system may put before it."""
    return line[:-1] if line[-2:-1] != b"\r" else line[:-2]
