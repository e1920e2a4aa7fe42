"""A seat whose decisions are made here and not by a process: a person at the terminal, a script, a recording.

It is sent the very bytes that a bot would be sent, and answers with a line as a bot would, so that nothing about the
match depends on who plays it.
"""

import time
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from referee.bots.player import Answered, Player, Remains, StartFailure
from referee.bots.process import Reply
from referee.match.view import with_id
from referee.protocol.messages import LegalAction, Ready, ToBot, Turn

Choose = Callable[[Sequence[ToBot], Turn], Awaitable[LegalAction]]
"""From what was heard since the last turn, and the turn, to one of `turn.legal`."""

_decode = msgspec.json.Decoder(ToBot).decode


class LocalPlayer(Player):
    """`tell` gets what comes after the last turn of a match; `choose` is asked at each turn."""

    def __init__(
        self, name: str, choose: Choose, tell: Callable[[Sequence[ToBot]], None], close_before_draw: bool = True
    ) -> None:
        self.name, self._choose, self._tell = name, choose, tell
        self.ready = Ready(name=name, close_before_draw=close_before_draw)
        self.process = None
        self._waiting: list[bytes] = []
        self._last_id = 0

    async def start(self) -> StartFailure | None:
        """It is always ready."""
        return None

    async def ask(self, request: bytes, limit_us: int | None) -> Answered:
        """Decode what a bot would read, choose, and answer as a bot would."""
        start = time.monotonic_ns()
        self._last_id += 1
        line = with_id(self._last_id, request)
        turn = _decode(line)
        assert isinstance(turn, Turn)
        action = await self._choose(self._heard(), turn)
        answer = msgspec.json.encode({"id": self._last_id, **msgspec.to_builtins(action)})
        return Answered(Reply(answer, (time.monotonic_ns() - start) // 1000), line, self._last_id)

    def _heard(self) -> list[ToBot]:
        heard = [_decode(line) for line in self._waiting]
        self._waiting.clear()
        return heard

    async def flush(self) -> None:
        """The end of a match."""
        self._tell(self._heard())

    async def put_down(self, reply: Reply) -> Remains:
        """Never asked for: it always answers."""
        raise AssertionError("a local player has no process")

    @property
    def gone(self) -> bool:
        """It never is."""
        return False

    @property
    def alive(self) -> bool:
        """It cannot die."""
        return True

    async def kill(self) -> None:
        """There is nothing to kill."""

    async def dismiss(self) -> None:
        """There is nothing to dismiss."""
