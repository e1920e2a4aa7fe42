"""Worker processes as seen from the runner: started, given orders, listened to, replaced when they die."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
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
            [sys.executable, "-m", "referee.tournament.worker", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        reaper.enlist(self._process.pid)
        self._orders = trio.lowlevel.FdStream(_own(self._process.stdin))
        self._lines = _lines(trio.lowlevel.FdStream(_own(self._process.stdout)))

    async def carry_out(self, order: Order) -> AsyncIterator[Report]:
        """Send an order and yield what is reported until it is done; raises WorkerLost."""
        try:
            await self._orders.send_all(encoder.encode(order) + b"\n")
        except trio.BrokenResourceError:
            raise WorkerLost from None
        async for line in self._lines:
            report = reports.decode(line)
            if isinstance(report, Idle):
                return
            yield report
        raise WorkerLost

    async def close(self, grace_s: float) -> None:
        """Closing its stdin tells a worker to put its bots down and go; after the grace it is killed."""
        await self._orders.aclose()
        with trio.move_on_after(grace_s):
            with suppress(WorkerLost):
                async for _ in self._lines:
                    pass
        self.kill()

    def kill(self) -> None:
        """End it now, with whatever its bots left behind."""
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


async def _lines(stream: trio.lowlevel.FdStream) -> AsyncIterator[bytes]:
    buffer = b""
    async for chunk in stream:
        *whole, buffer = (buffer + chunk).split(b"\n")
        for line in whole:
            yield line
