"""Worker processes as seen from the runner: started, given orders, listened to, replaced when they die."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import IO

import trio

from referee.bots import reaper
from referee.tournament.orders import Idle, Order, Report, encoder, reports


class WorkerLost(Exception):  # noqa: N818  an event, not an error of ours
    """The worker ended before it had carried out its order."""


class Worker:
    """One worker process; `core` is the processor it is bound to, None for any."""

    def __init__(self, core: int | None) -> None:
        arguments = [] if core is None else [str(core)]
        # A session of its own: Ctrl-C is for the runner, which decides what becomes of the matches.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "referee.tournament.worker", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        reaper.enlist(self._process.pid)
        self._orders = trio.lowlevel.FdStream(_own(self._process.stdin))
        self._lines = _Lines(trio.lowlevel.FdStream(_own(self._process.stdout)))

    async def carry_out(self, order: Order) -> AsyncIterator[Report]:
        """Send an order and yield what is reported until it is done; raises WorkerLost."""
        try:
            await self._orders.send_all(encoder.encode(order) + b"\n")
        except trio.BrokenResourceError:
            raise WorkerLost from None
        while (line := await self._lines.next()) is not None:
            report = reports.decode(line)
            if isinstance(report, Idle):
                return
            yield report
        raise WorkerLost

    async def close(self, grace_s: float) -> None:
        """Closing its stdin tells a worker to put its bots down and go; after the grace it is killed."""
        await self._orders.aclose()
        with trio.move_on_after(grace_s):
            while await self._lines.next() is not None:
                pass
        self.kill()

    def kill(self) -> None:
        """End it now, with whatever its bots left behind."""
        self._orders.close()
        self._lines.close()
        self._process.kill()
        self._process.wait()
        reaper.discharge(self._process.pid)
        while reaper.sweep(""):
            pass


def _own(file: IO[bytes] | None) -> int:
    """Take a descriptor over from its file object, which would close it a second time."""
    assert file is not None
    descriptor = os.dup(file.fileno())
    file.close()
    return descriptor


class _Lines:
    """Lines of a stream. No async generator: a cancelled one is over, and could not be read to its end afterwards."""

    def __init__(self, stream: trio.lowlevel.FdStream) -> None:
        self._stream, self._buffer = stream, b""
        self._waiting: list[bytes] = []

    async def next(self) -> bytes | None:
        """The next line without its end; None at the end of the stream."""
        while not self._waiting:
            chunk = await self._stream.receive_some()
            if not chunk:
                return None
            *whole, self._buffer = (self._buffer + chunk).split(b"\n")
            self._waiting = whole[::-1]
        return self._waiting.pop()

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()
