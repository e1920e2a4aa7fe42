"""One running bot: ask it, tell it, let it finish, kill it.

How an answer is awaited. Most bots answer within a few hundred microseconds, and then trio's event loop would be most
of the cost of a turn. So `ask` first waits by itself, with a poll of 10 ms on the one descriptor; only a bot that
needs longer is waited for by trio. Both ways stamp the time when the bytes are seen to be readable, and both end at
one absolute deadline for writing and reading together: a bot that drips bytes or does not read gains nothing.
The loop is held up for 10 ms at the most; a checkpoint every 5 ms keeps signals, exits and stderr going.
"""

import os
import select
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from signal import SIGCONT, SIGKILL, SIGSTOP, Signals
from typing import Any, Literal, Self

import msgspec
import trio
from trio.lowlevel import checkpoint, notify_closing, wait_readable, wait_writable

from referee.bots import launch, reaper
from referee.bots.launch import MAX_UNASKED, BotUnstartable, RefereeTrouble, SpawnError
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.bots.stderr import Stderr
from referee.protocol.framing import MAX_LINE

__all__ = ["BotProcess", "BotUnstartable", "Failure", "RefereeTrouble", "Reply", "SpawnError"]

Failure = Literal["timeout", "crash", "flood", "too_long"]
Wait = Callable[[int], Awaitable[Any]]

_CHUNK = 65_536
_POLL_MS = 10  # below the kernel's tick of 4 ms a poll costs 10-24 % of a turn
_POLL_NS = _POLL_MS * 1_000_000
_BREATH_NS = 5_000_000
_EXIT_S = 0.1  # from hang-up to the exit status, which belongs to the evidence
_KILL_S = 10.0
_SHOWN = 1_000
_MAX_UNSENT = 1 << 20
_now, _read, _write = time.monotonic_ns, os.read, os.write
_FOREVER = 1 << 62


class Reply(msgspec.Struct, gc=False):
    """What came of a question."""

    line: bytes | None
    """The answer without its line end, or None with a `failure`."""
    us: int
    """From right before the write until the answer was readable, or until the verdict."""
    failure: Failure | None = None
    lag_us: int = 0
    """How late the referee itself looked, when that was after the deadline; an answer's `us` is the limit then."""
    dropped: int = 0
    """Complete lines that the bot had written without being asked."""


class _Loop:
    """When trio has to get the thread next: one for all bots of the process."""

    __slots__ = ("next_ns",)

    def __init__(self) -> None:
        self.next_ns = 0

    def note(self) -> int:
        """It just had it. Returns the time."""
        now = _now()
        self.next_ns = now + _BREATH_NS
        return now


_loop = _Loop()


class _Turn(msgspec.Struct, gc=False):
    """A question that was not answered at once."""

    rest: bytes
    """Not written yet."""
    start: int
    deadline: int
    dropped: int
    unasked: int = 0


class BotProcess:
    """One running bot. Use it from the main thread only, and always `kill` or `finish` it in the end.

    A bot's misbehaviour is never an exception here, only a `Reply` with a failure.
    """

    def __init__(self, running: launch.Running) -> None:
        self.pid = running.pid
        self.stderr = Stderr(after=running.mark if running.announced else "")
        self.unsent = b""
        """What could not be written in its time; it goes out before anything else."""
        self.unasked = b""
        """The beginning of what was dropped last: a debug line, often."""
        self._running = running
        self._stdin, self._stdout = running.stdin, running.stdout
        poll = select.poll()
        poll.register(self._stdout, select.POLLIN)
        self._poll = poll.poll
        self._buffer = bytearray()
        self._eof = False
        self._hung_up = False
        self._scope = trio.CancelScope()
        self._background = trio.CancelScope()
        self._idle = trio.Event()
        self._exited = trio.Event()
        self._exit: os.waitid_result | None = None
        self._closed = False

    # ---------------------------------------------------------------------------------------------- beginning and end

    @classmethod
    def spawn(cls, spec: BotSpec, layer: Layer, nursery: trio.Nursery) -> Self:
        """Launch a bot and watch it from `nursery`, which ends only after `kill` or `finish`.

        From the main thread only: the bot is to die with the referee, and PR_SET_PDEATHSIG follows the *thread* that
        spawned it. A worker thread of trio ends after ten idle seconds, and a healthy bot would end with it.
        Raises BotUnstartable or RefereeTrouble.
        """
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("bots are spawned from the main thread")
        reaper.protect()
        bot = cls(launch.start(spec, layer))
        nursery.start_soon(bot._watch)
        return bot

    async def finish(self, bye: bytes, grace_s: float) -> None:
        """Say goodbye, close stdin, wait for at most `grace_s` seconds in all, then `kill`."""
        try:
            with trio.move_on_after(grace_s):
                await self.tell(bye, grace_s)
                self.close_stdin()
                await self._exited.wait()
        finally:
            await self.kill()

    async def kill(self) -> None:
        """SIGKILL at once to the bot and all that it has started; returns when they are gone and reaped.

        Not SIGTERM first: a bot that ignores it, or has stopped itself, would cost the wait. Cannot be cancelled, and
        takes milliseconds; ten seconds at the most, on a machine that is swamped. What is left then goes with the next
        bot that is killed. Idempotent.
        """
        if self._closed:
            return
        self._closed = True
        reaper.signal_tree(self.pid, SIGKILL)
        self._background.cancel()
        with trio.CancelScope(shield=True):
            await self._idle.wait()
            with trio.move_on_after(_KILL_S):
                await wait_readable(self._running.pidfd)
                await self._sweep()
        self._release()

    async def _sweep(self) -> None:
        """Until nothing is left of what it started.

        The kernel's list of children misses some while they come and go: a process that forks and exits all the time
        is not on it at every look. So one empty look proves little, least of all where there has been somebody.
        """
        quiet, enough = 0, 2
        while True:
            if reaper.sweep(self._running.mark):
                quiet, enough = 0, 10
            else:
                quiet += 1
            if quiet == enough:
                return
            await trio.sleep(0.001)

    def _release(self) -> None:
        """Reap the process and close what is still open."""
        self._note_exit()
        if self._exit is not None:
            self._running.reap()
        self._read_stderr()
        self.close_stdin()
        for fd in (self._stdout, self._running.stderr, self._running.pidfd):
            notify_closing(fd)
            os.close(fd)

    def close_stdin(self) -> None:
        """Say that nothing more will come; whoever reads on then ends, and flushes what he has."""
        if self._stdin >= 0:
            notify_closing(self._stdin)
            os.close(self._stdin)
            self._stdin, self.unsent = -1, b""

    # -------------------------------------------------------------------------------------------------------- talking

    async def ask(self, payload: bytes, limit_us: int | None) -> Reply:
        """Write `payload` (whole lines) and wait for one line, both within `limit_us` microseconds.

        The clock starts right before the write: on a shared core the bot already runs inside it. What the bot wrote
        before is dropped and counted, and never taken for an answer. A checkpoint only every 5 ms.
        """
        limit = _FOREVER if limit_us is None else limit_us * 1000
        dropped = 0
        if self._buffer or self._poll(0):
            turn = _Turn(b"", _now(), _FOREVER, 0)
            if failure := self._drop_unasked(turn):
                return await self._failed(failure, turn, turn.start)
            dropped = turn.dropped
        if self.unsent:
            payload, self.unsent = self.unsent + payload, b""
        start = _now()
        if start > _loop.next_ns:
            await checkpoint()
            start = _loop.note()
        try:
            sent = _write(self._stdin, payload)
        except OSError:
            sent = 0  # whatever it is, the slow way meets it again
        if sent == len(payload) and self._poll(_POLL_MS if limit >= _POLL_NS else -(-limit // 1_000_000)):
            took = _now() - start
            chunk = _read(self._stdout, _CHUNK)
            if chunk.find(b"\n") == len(chunk) - 1 >= 0 and took <= limit and not self._buffer:
                return Reply(_without_end(chunk), took // 1000, None, 0, dropped)
            self._take(chunk)
        return await self._ask_slowly(_Turn(payload[sent:], start, start + limit, dropped))

    async def listen(self, limit_us: int | None) -> Reply:
        """Wait for one more line without asking anew: after an answer to an older question, or more patiently."""
        rest, self.unsent, start = self.unsent, b"", _now()
        deadline = start + (_FOREVER if limit_us is None else limit_us * 1000)
        return await self._ask_slowly(_Turn(rest, start, deadline, 0))

    async def tell(self, payload: bytes, deadline_s: float) -> None:
        """Write `payload` and await no answer. What the bot does not read in time waits in `unsent`."""
        rest = self._write(self.unsent + payload)
        with trio.move_on_after(deadline_s):
            while rest and not self._hung_up:
                await wait_writable(self._stdin)
                rest = self._write(rest)
        self.unsent = b"" if self._hung_up else rest
        self._hung_up = self._hung_up or len(rest) > _MAX_UNSENT

    async def _ask_slowly(self, turn: _Turn) -> Reply:
        """Look, and wait for trio to say that there is something new, until there is a verdict."""
        while True:
            now = _now()
            gone = self._exit is not None
            found = self._look(turn)
            if found is not None:
                break
            # The look was later than `now` and `gone`: an answer that it did not see was not there in time.
            if now >= turn.deadline or gone:
                found, self.unsent = "crash" if gone else "timeout", turn.rest
                break
            await self._wait(turn, now)
        _loop.note()
        if isinstance(found, str):
            return await self._failed(found, turn, now)
        late = max(0, now - turn.deadline)
        return Reply(found, (now - late - turn.start) // 1000, None, late // 1000, turn.dropped)

    async def _failed(self, failure: Failure, turn: _Turn, now: int) -> Reply:
        """The verdict, once the evidence is complete: how it ended, and its last words."""
        if failure == "crash":
            with trio.move_on_after(_EXIT_S):
                await self._exited.wait()
        self._read_stderr()
        if failure == "crash" and self._exit is not None and not self.stderr.begun:
            raise RefereeTrouble(f"the sandbox was not set up: {self.stderr_tail().strip()}")
        late = max(0, now - turn.deadline)
        return Reply(None, (now - turn.start) // 1000, failure, late // 1000, turn.dropped)

    async def _wait(self, turn: _Turn, now: int) -> None:
        """Until stdout is readable, stdin writable if that is wanted, the bot exits, or the deadline."""
        with trio.CancelScope(deadline=trio.current_time() + (turn.deadline - now) / 1e9) as self._scope:
            if not turn.rest:
                await wait_readable(self._stdout)
                return
            async with trio.open_nursery() as nursery:

                async def first(wait: Wait, fd: int) -> None:
                    await wait(fd)
                    nursery.cancel_scope.cancel()

                nursery.start_soon(first, wait_readable, self._stdout)
                nursery.start_soon(first, wait_writable, self._stdin)

    # ------------------------------------------------------------------------------------------- bytes, never waiting

    def _look(self, turn: _Turn) -> bytes | Failure | None:
        """What can be said without waiting: the line, a failure, or None."""
        if turn.rest:
            if failure := self._drop_unasked(turn):
                return failure
            turn.rest = self._write(turn.rest)
            if turn.rest:
                return "crash" if self._hung_up else None
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > MAX_LINE:
                return "too_long"
            if self._eof:
                return "crash"
            if not self._poll(0):
                return None
            self._take(_read(self._stdout, _CHUNK))
        if end > MAX_LINE:
            return "too_long"
        line = _without_end(bytes(self._buffer[: end + 1]))
        del self._buffer[: end + 1]
        return line

    def _drop_unasked(self, turn: _Turn) -> Failure | None:
        """Drop all complete lines that are there; half a line stays, and spoils the answer that it runs into."""
        while True:
            end = self._buffer.rfind(b"\n") + 1
            if end:
                turn.dropped += self._buffer.count(b"\n")
                turn.unasked += end
                self.unasked = bytes(self._buffer[: min(end, _SHOWN)])
                del self._buffer[:end]
            if turn.unasked + len(self._buffer) > MAX_UNASKED:
                return "flood"
            if self._eof:
                return "crash"
            if not self._poll(0):
                return None
            self._take(_read(self._stdout, _CHUNK))

    def _take(self, chunk: bytes) -> None:
        if chunk:
            self._buffer += chunk
        else:
            self._eof = True

    def _write(self, payload: bytes) -> bytes:
        """Write what the pipe takes; returns the rest, all of it if the bot does not listen any more."""
        try:
            return payload[_write(self._stdin, payload) :]
        except BlockingIOError:
            return payload
        except BrokenPipeError:
            self._hung_up = True
            return payload

    # ------------------------------------------------------------------------------------------------------- watching

    async def _watch(self) -> None:
        try:
            with self._background:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._watch_exit)
                    nursery.start_soon(self._drain_stderr)
        finally:
            self._idle.set()

    async def _watch_exit(self) -> None:
        """A bot's exit ends the wait for its answer, even when something that it started holds its stdout open."""
        await wait_readable(self._running.pidfd)
        self._note_exit()
        self._scope.cancel()

    def _note_exit(self) -> None:
        self._exit = self._running.exit_status()
        if self._exit is not None:
            self._exited.set()

    async def _drain_stderr(self) -> None:
        while self._read_stderr():
            await wait_readable(self._running.stderr)

    def _read_stderr(self) -> bool:
        """Read what is there, a pipe's content at the most. False at its end."""
        try:
            chunk = _read(self._running.stderr, _CHUNK)
        except BlockingIOError:
            return True
        self.stderr.feed(chunk)
        return bool(chunk)

    @property
    def partial(self) -> bytes:
        """What has come since the last complete line."""
        return bytes(self._buffer[:MAX_LINE])

    @property
    def exited(self) -> bool:
        """True once the main process has ended, for whatever reason."""
        return self._exit is not None

    def exit_text(self) -> str:
        """How it ended: "exit code 3", "SIGSEGV"; the same words in every layer. What it closed, while it runs on."""
        if self._exit is None:
            return "closed its stdout" if self._eof else "closed its stdin" if self._hung_up else "still running"
        status = self._exit.si_status
        if self._exit.si_code != os.CLD_EXITED:
            return _signal_name(status)
        # bwrap, like a shell, ends with 128 + N when its command died by signal N.
        return _signal_name(status - 128) if 128 < status < 128 + 65 else f"exit code {status}"

    def stderr_tail(self) -> str:
        """The last 4 KiB of its standard error, as text."""
        return self.stderr.tail()

    def cpu_us(self) -> int:
        """CPU time in microseconds that the bot and its descendants have used so far."""
        return reaper.cpu_us(self.pid)

    def freeze(self) -> None:
        """Stop the bot and its descendants, until `thaw`: nobody thinks on the opponent's time."""
        reaper.signal_tree(self.pid, SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        reaper.signal_tree(self.pid, SIGCONT)


def _without_end(line: bytes) -> bytes:
    """Without its newline, and the carriage return that a bot on another system may put before it."""
    return line[:-1] if line[-2:-1] != b"\r" else line[:-2]


def _signal_name(number: int) -> str:
    with suppress(ValueError):
        return Signals(number).name
    return f"signal {number}"
