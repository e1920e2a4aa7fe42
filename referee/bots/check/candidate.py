"""The bot that is checked, as a player: its lines may reach it in other ways, and nothing of the last turn is lost."""

from collections.abc import Callable
from contextlib import suppress

import trio

from referee.bots.check.wire import PLAIN, Wire
from referee.bots.player import Answered, Player, Remains, StartFailure
from referee.bots.process import Reply
from referee.match.view import with_id

_PAUSE_S = 0.01


class Candidate(Player):
    """`see` gets each request before it is sent."""

    see: Callable[[bytes], None]
    limit_s = 10.0
    """For a turn: generous, whatever the bot is told, as this is not about its speed."""
    patience_s = 3.0
    """For it to leave by itself."""
    wire: Wire = PLAIN
    sent: list[bytes]
    """The lines since its last answer, as they were sent."""
    starts = 0
    _reply: Reply | None = None
    _remains: Remains | None = None

    async def start(self) -> StartFailure | None:
        """As a player starts, with a `hello` in the manner of the present step."""
        self.starts += 1
        plain = self._hello
        self.sent = list(self.wire.lines([plain]))
        self._reply = self._remains = None
        self._hello = self.sent[0]
        try:
            failure = await super().start()
        finally:
            self._hello = plain
        self._reply = failure.reply if failure else None
        return failure

    async def _ask(self, request: bytes, limit_us: int | None) -> Answered:
        assert self.process is not None
        self._last_id += 1
        line = with_id(self._last_id, request)
        self.see(line)
        self.sent = list(self.wire.lines([*self._waiting, line]))
        self._waiting.clear()
        *writes, last = self.wire.writes(self.sent)
        for write in writes:
            await self.process.tell(write, self.limit_s)
            await trio.sleep(_PAUSE_S)
        self._reply = await self.process.ask(last, int(self.limit_s * 1e6))
        self.dropped += self._reply.dropped
        return Answered(self._reply, line, self._last_id)

    async def wait_on(self, answered: Answered, limit_us: int | None) -> Answered:
        """Under the same limit as all turns here."""
        later = await super().wait_on(answered, int(self.limit_s * 1e6))
        self._reply = later.reply
        return later

    async def put_down(self, reply: Reply) -> Remains:
        """Keeps what there is to show."""
        self._remains = await super().put_down(reply)
        return self._remains

    async def flush(self) -> None:
        """The end of a match, in the manner of the present step too."""
        self.sent = self._waiting = list(self.wire.lines(self._waiting))
        await super().flush()

    @property
    def came(self) -> bytes:
        """The last thing that came back: a line without its end, or what there was instead of one."""
        if self._reply is not None and self._reply.line is not None:
            return self._reply.line
        return b"" if self._remains is None else self._remains.partial or self._remains.buffered

    async def stays(self, seconds: float) -> bool:
        """Whether the process is still there after so long."""
        with trio.move_on_after(seconds):
            while self.alive:
                await trio.sleep(0.005)
        return self.alive

    async def leave(self, last: bytes) -> tuple[float, str]:
        """Send `last`, close stdin; how long it then took to end, and how it ended: SIGKILL if not by itself."""
        process = self.process
        assert process is not None
        start = trio.current_time()
        with suppress(OSError):
            await process.finish(last, self.patience_s)
        took = trio.current_time() - start
        await self.kill()
        return took, process.exit_text()
