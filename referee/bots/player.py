"""A bot at the table: its process, the greeting, the ids of its requests, the messages that wait for its next turn."""

import time
from typing import NamedTuple

import msgspec
import trio

from referee.bots import cputime
from referee.bots.launch import BotUnstartable, RefereeTrouble
from referee.bots.process import BotProcess, Reply
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.match.clock import Clock
from referee.match.view import with_id
from referee.protocol import codec
from referee.protocol.messages import GAME, PROTOCOL, Bye, ClockLimits, Hello, Ready
from referee.rules.ruleset import Rules

BYE_GRACE_S = 0.5
LAST_WORDS_US = 50_000
MAX_OLD = 65_536
"""Bytes of answers to older turns that may come in one turn."""
RETRY_S = (0.05, 0.2, 0.8)
"""Pauses between attempts to start a process that this machine refuses."""
_BYE = codec.encode(Bye())


class Remains(NamedTuple):
    """What a process has left behind; complete, because it was made after the kill."""

    process: BotProcess
    exit: str = ""
    """How it ended by itself; empty if it was running, and only the kill ended it."""
    partial: bytes = b""
    """What had come without an end of line."""
    buffered: bytes = b""
    """What came only when its stdin was closed: a little late, or written in time and not flushed."""
    busy: bool = False
    """It was computing when it was put down."""

    @property
    def stderr(self) -> str:
        return self.process.stderr_tail()


class StartFailure(NamedTuple):
    """Why a bot did not get as far as `ready`: words for people, what it was sent, what came back."""

    detail: str
    request: bytes = b""
    reply: Reply | None = None
    remains: Remains | None = None


class Answered(msgspec.Struct, frozen=True, gc=False):
    """A reply to a turn, with the request as it was sent."""

    reply: Reply
    request: bytes
    id: int
    start_ns: int = 0
    """When the clock of the turn began, if an older turn was answered first."""
    old_bytes: int = 0
    """How much of such answers was dropped."""
    budget: cputime.Budget | None = None
    """Of CPU time, if that is the measure and there is a limit."""


class Player:
    """One bot in one pair of processes; `name` is the tournament's own name for it.

    With `freeze` its processes are stopped while it is not its turn, so that nobody thinks on the opponent's time.
    """

    def __init__(
        self,
        name: str,
        spec: BotSpec,
        layer: Layer,
        rules: Rules,
        clock: Clock,
        nursery: trio.Nursery,
        freeze: bool = False,
    ) -> None:
        self.name, self.spec = name, spec
        self.ready = Ready()
        self.process: BotProcess | None = None
        self._layer, self._clock, self._nursery, self._freeze = layer, clock, nursery, freeze
        self._charges_cpu = clock.measure == "cpu"
        limits = ClockLimits(clock.start_ms, clock.move_ms, clock.match_ms)
        self._hello = codec.encode(Hello(PROTOCOL, GAME, rules, limits))
        self.dropped = 0
        """Lines that nobody had asked for, over all processes."""
        self._waiting: list[bytes] = []
        self._last_id = 0
        self._between = False

    async def start(self) -> StartFailure | None:
        """Launch and greet a new process under the start limit; None if it is ready to play.

        Raises RefereeTrouble if this machine has refused four times what a process needs.
        """
        for pause in RETRY_S:
            try:
                return await self._start()
            except RefereeTrouble:
                await self.kill()
                await trio.sleep(pause)
        return await self._start()

    async def _start(self) -> StartFailure | None:
        await self.kill()
        self._waiting.clear()
        self._last_id, self._between = 0, False
        try:
            self.process = BotProcess.spawn(self.spec, self._layer, self._nursery)
        except BotUnstartable as error:
            return StartFailure(str(error))
        reply = await self.process.ask(self._hello, self._clock.start_ms * 1000)
        if reply.line is None:
            return await self._not_ready(reply)
        try:
            self.ready = codec.decode_ready(reply.line)
        except codec.Malformed as malformed:
            return await self._not_ready(reply, str(malformed))
        if self._freeze:
            self.process.freeze()
        return None

    async def _not_ready(self, reply: Reply, why: str = "") -> StartFailure:
        words = {
            "timeout": f"no answer to hello within {self._clock.start_ms} ms",
            "crash": "ended before it was ready",
            "too_long": "the answer to hello is longer than a line may be",
            "flood": "floods its stdout",
        }
        return StartFailure(why or words[reply.failure or "crash"], self._hello, reply, await self.put_down(reply))

    def hear(self, line: bytes) -> None:
        """Keep a message for the next turn."""
        self._waiting.append(line)

    async def ask(self, request: bytes, limit_us: int | None) -> Answered:
        """Send what waits and the request (`Ask.request`) in one write; the clock runs from there to the answer."""
        return await (self._ask_again if self._between else self._ask)(request, limit_us)

    async def _ask_again(self, request: bytes, limit_us: int | None) -> Answered:
        """The first turn after another match."""
        heard, process = self._waiting.copy(), self.process
        assert process is not None
        self._between = False
        answered = await self._ask(request, limit_us)
        if answered.reply.failure == "crash" and process.exit_text() == "exit code 0":
            # It has left after its last match, as soon as it could, but not before we came to look. Or it has read the
            # turn and thought about it: what time that took is not given a second time.
            used_us = answered.reply.us
            if await self.start() is None:
                self._waiting = heard
                answered = await self._ask(request, None if limit_us is None else max(0, limit_us - used_us))
                answered.reply.us += used_us
            else:
                self.process = process
        return answered

    async def _ask(self, request: bytes, limit_us: int | None) -> Answered:
        process, waiting = self.process, self._waiting
        assert process is not None
        self._last_id += 1
        line = with_id(self._last_id, request)
        waiting.append(line)
        payload = b"".join(waiting)
        waiting.clear()
        if self._freeze:
            process.thaw()
        budget = None
        if limit_us is not None and self._charges_cpu:
            budget = cputime.begin(process, limit_us)
        reply = await process.ask(payload, limit_us)
        if budget is not None:
            reply = await cputime.charge(process, budget, reply)
        if self._freeze:
            process.freeze()
        self.dropped += reply.dropped
        return Answered(reply, line, self._last_id, budget=budget)

    async def wait_on(self, answered: Answered, limit_us: int | None) -> Answered:
        """An older turn was answered: drop that, and wait on for this one, within the same limit since it was sent."""
        process, before, budget = self.process, answered.reply, answered.budget
        assert process is not None and before.line is not None
        self.dropped += 1
        start_ns = answered.start_ns or time.monotonic_ns() - before.us * 1000
        old_bytes = answered.old_bytes + len(before.line) + 1
        if self._freeze:
            process.thaw()
        if old_bytes > MAX_OLD:
            reply = Reply(None, before.us, "flood")
        elif budget is not None:
            reply = await process.listen(max(0, budget.left_us(process)))
            reply = await cputime.charge(process, budget, reply)
        else:
            passed_us = (time.monotonic_ns() - start_ns) // 1000
            reply = await process.listen(None if limit_us is None else max(0, limit_us - passed_us))
            reply.us += passed_us
            if reply.line is not None and limit_us is not None and reply.us > limit_us:
                # It was there before the deadline was noticed: the delay is the referee's own.
                reply.us, reply.lag_us = limit_us, max(reply.lag_us, reply.us - limit_us)
        if self._freeze:
            process.freeze()
        reply.dropped += before.dropped + 1
        return Answered(reply, answered.request, answered.id, start_ns, old_bytes, budget)

    async def put_down(self, reply: Reply) -> Remains:
        """Kill a process that has failed to answer, and say what it leaves: evidence is complete only then."""
        process = self.process
        assert process is not None
        if self._freeze:
            process.thaw()
        exit_text = process.exit_text() if reply.failure == "crash" else ""
        partial, buffered, busy = process.pipes.partial, b"", False
        if reply.failure == "timeout":
            used_us = process.cpu_us()
            process.close_stdin()
            last = await process.listen(LAST_WORDS_US)
            buffered = process.pipes.partial if last.line is None else last.line
            busy = process.cpu_us() - used_us > LAST_WORDS_US // 5
        await self.kill()
        return Remains(process, exit_text, partial, buffered, busy)

    async def flush(self) -> None:
        """Send what waits, at the end of a match, without a turn; a bot that does not read gains nothing."""
        if self.process is not None and self._waiting:
            await self.process.tell(b"".join(self._waiting), BYE_GRACE_S)
        self._waiting.clear()
        self._between = True

    @property
    def gone(self) -> bool:
        """Whether there is no process, and one has to be started before the next deal."""
        return self.process is None

    def stderr_tail(self) -> str:
        """What is kept of the stderr of the present process."""
        return "" if self.process is None else self.process.stderr_tail()

    @property
    def alive(self) -> bool:
        """Whether there is a process that can be asked."""
        return self.process is not None and not self.process.exited

    async def kill(self) -> None:
        """End the process and all that it started, at once, and forget it."""
        if self.process is not None:
            await self.process.kill()
            self.process = None

    async def dismiss(self) -> None:
        """`bye`, a moment's grace, and the end."""
        if self.process is not None:
            if self._freeze:
                self.process.thaw()
            await self.process.finish(b"".join(self._waiting) + _BYE, BYE_GRACE_S)
        self.process = None
        self._waiting.clear()
