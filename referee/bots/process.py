"""One running bot: ask it, tell it, let it finish, kill it.

How an answer is awaited. Most bots answer within a few hundred microseconds, and then trio's event loop would be most
of the cost of a turn. So the pipes first wait by themselves, with a poll of 10 ms on the one descriptor; only a bot
that needs longer is waited for by trio. Both ways stamp the time when the bytes are seen to be readable, and both end
at one absolute deadline for writing and reading together: a bot that drips bytes or does not read gains nothing.
The loop is held up for 10 ms at the most; a checkpoint every 5 ms keeps signals, exits and stderr going.
"""

import os
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from signal import SIGCONT, SIGKILL, SIGSTOP, Signals
from typing import Any, Self

import trio
from trio.lowlevel import checkpoint, notify_closing, wait_readable, wait_writable

from referee.bots import launch, reaper
from referee.bots.lag import MATTERS_NS, Look, LoopWatch
from referee.bots.launch import BotUnstartable, RefereeTrouble, SpawnError
from referee.bots.pipes import NEVER, Asked, Failure, Pipes, Reply
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.bots.stderr import Stderr

__all__ = ["BotProcess", "BotUnstartable", "Failure", "RefereeTrouble", "Reply", "SpawnError"]

Wait = Callable[[int], Awaitable[Any]]

_BREATH_NS = 5_000_000
_CHUNK = 65_536
_EXIT_S = 0.1  # from hang-up to the exit status, which belongs to the evidence
_KILL_S = 10.0
_MAX_UNSENT = 1 << 20
_now = time.monotonic_ns
_loop = LoopWatch()


class _Breath:
    """When trio has to get the thread next: one for all bots of the process."""

    __slots__ = ("next_ns",)

    def __init__(self) -> None:
        self.next_ns = 0

    def taken(self) -> None:
        """It just had it."""
        self.next_ns = _now() + _BREATH_NS


_breath = _Breath()


class BotProcess:
    """One running bot. Use it from the main thread only, and always `kill` or `finish` it in the end.

    A bot's misbehaviour is never an exception here, only a `Reply` with a failure.
    """

    def __init__(self, running: launch.Running) -> None:
        self.pid = running.pid
        self.stderr = Stderr(after=running.mark if running.announced else "")
        self.pipes = Pipes(running.stdin, running.stdout)
        self._running = running
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
        trio.lowlevel.add_instrument(_loop)
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
        for fd in (self.pipes.stdout, self._running.stderr, self._running.pidfd):
            notify_closing(fd)
            os.close(fd)

    def close_stdin(self) -> None:
        """Say that nothing more will come; whoever reads on then ends, and flushes what he has."""
        pipes = self.pipes
        if pipes.stdin >= 0:
            notify_closing(pipes.stdin)
            os.close(pipes.stdin)
            pipes.stdin, pipes.unsent = -1, b""

    # -------------------------------------------------------------------------------------------------------- talking

    async def ask(self, payload: bytes, limit_us: int | None) -> Reply:
        """Write `payload` (whole lines) and wait for one line, both within `limit_us` microseconds.

        What the bot wrote before is dropped and counted. A checkpoint only every 5 ms.
        """
        if _now() > _breath.next_ns:
            await checkpoint()
            _breath.taken()
        if limit_us == 0:  # a bank is empty; who is asked at all has a moment in which to answer
            return Reply(None, 0, "timeout")
        found = self.pipes.ask(payload, NEVER if limit_us is None else limit_us * 1000)
        return found if isinstance(found, Reply) else await self._ask_slowly(found)

    async def listen(self, limit_us: int | None) -> Reply:
        """Wait for one more line without asking anew: after an answer to an older question, or more patiently."""
        rest, self.pipes.unsent, start = self.pipes.unsent, b"", _now()
        return await self._ask_slowly(Asked(rest, start, start + (NEVER if limit_us is None else limit_us * 1000)))

    async def tell(self, payload: bytes, deadline_s: float) -> None:
        """Write `payload` and await no answer. What the bot does not read in time waits in `pipes.unsent`."""
        pipes = self.pipes
        rest = pipes.write(pipes.unsent + payload)
        with trio.move_on_after(deadline_s):
            while rest and not pipes.hung_up:
                await wait_writable(pipes.stdin)
                rest = pipes.write(rest)
        pipes.unsent = b"" if pipes.hung_up else rest
        pipes.hung_up = pipes.hung_up or len(rest) > _MAX_UNSENT

    async def _ask_slowly(self, asked: Asked) -> Reply:
        """Look, and wait for trio to say that there is something new, until there is a verdict."""
        late, now = 0, asked.start
        found: bytes | Failure | None = asked.failure
        while found is None:
            now, gone = _now(), self._exit is not None
            found = self.pipes.look(asked)
            # The look was later than `now` and `gone`: an answer that it did not see was not there in time.
            if found is None and (gone or now >= asked.deadline):
                found, self.pipes.unsent = "crash" if gone else "timeout", asked.rest
            elif found is None:
                look = Look()
                await self._wait(asked, now)
                late = look.late_ns(_now(), _loop)
        _breath.taken()
        overdue = max(0, now - asked.deadline)
        late = max(late, overdue if overdue >= MATTERS_NS else 0)
        if isinstance(found, str):
            return await self._failed(found, asked, now, late)
        return Reply(found, (now - overdue - asked.start) // 1000, None, late // 1000, asked.dropped)

    async def _failed(self, failure: Failure, asked: Asked, now: int, late: int) -> Reply:
        """The verdict, once the evidence is complete: how it ended, and its last words."""
        if failure == "crash":
            with trio.move_on_after(_EXIT_S):
                await self._exited.wait()
        self._read_stderr()
        if failure == "crash" and self._exit is not None and not self.stderr.begun:
            raise RefereeTrouble(f"the sandbox was not set up: {self.stderr_tail().strip()}")
        return Reply(None, (now - asked.start) // 1000, failure, late // 1000, asked.dropped)

    async def _wait(self, asked: Asked, now: int) -> None:
        """Until stdout is readable, stdin writable if that is wanted, the bot exits, or the deadline."""
        with trio.CancelScope(deadline=trio.current_time() + (asked.deadline - now) / 1e9) as self._scope:
            if not asked.rest:
                await wait_readable(self.pipes.stdout)
                return
            async with trio.open_nursery() as nursery:

                async def first(wait: Wait, fd: int) -> None:
                    await wait(fd)
                    nursery.cancel_scope.cancel()

                nursery.start_soon(first, wait_readable, self.pipes.stdout)
                nursery.start_soon(first, wait_writable, self.pipes.stdin)

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
            chunk = os.read(self._running.stderr, _CHUNK)
        except BlockingIOError:
            return True
        self.stderr.feed(chunk)
        return bool(chunk)

    @property
    def exited(self) -> bool:
        """True once the main process has ended, for whatever reason."""
        if self._exit is None and not self._closed:
            self._note_exit()
        return self._exit is not None

    def exit_text(self) -> str:
        """How it ended: "exit code 3", "SIGSEGV"; the same words in every layer. What it closed, while it runs on."""
        if self._exit is None:
            return self.pipes.closed or "still running"
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


def _signal_name(number: int) -> str:
    with suppress(ValueError):
        return Signals(number).name
    return f"signal {number}"
