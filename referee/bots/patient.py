"""A bot without time limits, for its author's debugger."""

import os
from collections.abc import Callable
from contextlib import suppress

import msgspec
import trio

from referee.bots.player import Player
from referee.bots.process import BotProcess
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.bots.stderr import Stderr
from referee.match.clock import Clock
from referee.rules.ruleset import Rules

_DAY_MS = 24 * 60 * 60 * 1000


class _Through(Stderr):
    """What the bot says goes on to our own stderr as it comes."""

    __slots__ = ()

    def feed(self, chunk: bytes) -> None:
        super().feed(chunk)
        with suppress(OSError):
            os.write(2, chunk)


class PatientPlayer(Player):
    """Is told the limits of `clock`, and held to none.

    `started` gets the pid of each process before anything is written to it. With `through`, its stderr goes on to ours;
    only without a sandbox, as the launcher's own words come first there.
    """

    def __init__(
        self,
        spec: BotSpec,
        layer: Layer,
        rules: Rules,
        clock: Clock,
        nursery: trio.Nursery,
        started: Callable[[int], None],
        through: bool = False,
    ) -> None:
        self._started, self._through = started, through
        super().__init__(spec.name, spec, layer, rules, clock, nursery)
        self._clock = msgspec.structs.replace(clock, start_ms=_DAY_MS)  # the hello was made from the true one

    @property
    def process(self) -> BotProcess | None:
        """The one that runs."""
        return self._process

    @process.setter
    def process(self, process: BotProcess | None) -> None:
        self._process = process
        if process is not None:
            if self._through:
                process.stderr = _Through()
            self._started(process.pid)

    def count_from(self, number: int) -> None:
        """The id of the next turn."""
        self._last_id = number - 1
