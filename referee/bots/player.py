"""A bot at the table: its process, the greeting, the ids of its requests, and the messages that wait for its next turn."""

from typing import NamedTuple

import trio

from referee.bots.launch import BotUnstartable
from referee.bots.process import BotProcess, Reply
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.match.clock import Clock
from referee.protocol import codec
from referee.protocol.messages import GAME, PROTOCOL, Bye, ClockLimits, Hello, Ready, ToBot, Turn
from referee.rules.ruleset import Rules

BYE_GRACE_S = 0.5
_BYE = codec.encode(Bye())


class StartFailure(NamedTuple):
    """Why a bot did not get as far as `ready`: words for people, what it was sent, what came back."""

    detail: str
    hint: str = ""
    request: bytes = b""
    reply: Reply | None = None


class Answered(NamedTuple):
    """A reply to a turn, with the request as it was sent."""

    reply: Reply
    request: bytes
    id: int


class Player:
    """One bot in one pair of processes; `name` is the tournament's own name for it."""

    def __init__(self, name: str, spec: BotSpec, layer: Layer, rules: Rules, clock: Clock, nursery: trio.Nursery):
        self.name, self.spec = name, spec
        self.ready = Ready()
        self.process: BotProcess | None = None
        self._layer, self._clock, self._nursery = layer, clock, nursery
        limits = ClockLimits(clock.start_ms, clock.move_ms, clock.match_ms)
        self._hello = codec.encode(Hello(PROTOCOL, GAME, rules, limits))
        self._waiting: list[bytes] = []
        self._last_id = 0

    async def start(self) -> StartFailure | None:
        """Launch and greet a new process under the start limit; None if it is ready to play."""
        await self.kill()
        self._waiting.clear()
        self._last_id = 0
        try:
            self.process = BotProcess.spawn(self.spec, self._layer, self._nursery)
        except BotUnstartable as error:
            return StartFailure(str(error))
        reply = await self.process.ask(self._hello, self._clock.start_ms * 1000)
        if reply.failure or reply.line is None:
            return await self._not_ready(reply)
        try:
            self.ready = codec.decode_ready(reply.line)
        except codec.Malformed as malformed:
            return await self._not_ready(reply, str(malformed))
        return None

    async def _not_ready(self, reply: Reply, why: str = "") -> StartFailure:
        """The process is stopped first, so that what it wrote to stderr is complete."""
        words = {
            "timeout": f"no answer to hello within {self._clock.start_ms} ms",
            "crash": "ended before it was ready",
            "too_long": "the answer to hello is longer than a line may be",
            "flood": "floods its stdout",
        }
        await self.kill(forget=False)
        return StartFailure(why or words[reply.failure or "crash"], "", self._hello, reply)

    def hear(self, message: ToBot) -> None:
        """Keep a message for the next turn."""
        self._waiting.append(codec.encode(message))

    async def ask(self, turn: Turn, limit_us: int | None) -> Answered:
        """Send what waits and the request in one write; the clock runs from that write to the answer."""
        assert self.process is not None
        self._last_id = turn.id = self._last_id + 1
        request = codec.encode(turn)
        self._waiting.append(request)
        payload = b"".join(self._waiting)
        self._waiting.clear()
        return Answered(await self.process.ask(payload, limit_us), request, turn.id)

    async def flush(self) -> None:
        """Send what waits, at the end of a match, without a turn; a bot that does not read gains nothing."""
        if self.process is not None and self._waiting:
            await self.process.tell(b"".join(self._waiting), BYE_GRACE_S)
        self._waiting.clear()

    @property
    def alive(self) -> bool:
        """Whether there is a process that can be asked."""
        return self.process is not None and not self.process.exited

    async def kill(self, forget: bool = True) -> None:
        """End the process and all that it started, at once."""
        if self.process is not None:
            await self.process.kill()
            if forget:
                self.process = None

    async def dismiss(self) -> None:
        """`bye`, a moment's grace, and the end."""
        if self.process is not None:
            await self.process.finish(b"".join(self._waiting) + _BYE, BYE_GRACE_S)
        self.process = None
        self._waiting.clear()


