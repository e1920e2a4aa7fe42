"""Plays a match between a bot that misbehaves and an honest one, and looks at what is left behind.

`move_s` is T of the list of cases, `slack_s` E, which is scaled by how slow this machine is just now, measured once.
"""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import trio

from referee.bots import reaper, sandbox
from referee.bots.driver import play_match
from referee.bots.player import Player, StartFailure
from referee.bots.process import BotProcess
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec, Limits, load_command
from referee.errors import RunError
from referee.match.clock import Clock
from referee.match.events import Event, FaultEvent, MatchEndEvent, MatchEvent, SeatInfo
from referee.rules.ruleset import Rules
from referee.rules.shuffle import pair_seed
from referee.store.matchlog import LogWriter, read_matches
from referee.store.replay import verify

HERE = Path(__file__).parent
LAYERS = ("none", "bwrap")
START_S = 0.04
"""What the honest bot needs to start on an idle machine."""


def bot_command(*flags: str) -> tuple[str, ...]:
    """The command line of the bot that misbehaves, or, without flags, of the honest one."""
    return (sys.executable, "-S", "misbehave.py", *flags)


@cache
def slowness() -> float:
    """How much slower than an idle machine this one is: the third of seven starts of the honest bot, sorted."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run(bot_command(), cwd=HERE, stdin=subprocess.DEVNULL, check=True, timeout=60)
        times.append(time.perf_counter() - start)
    return min(6.0, max(1.0, sorted(times)[4] / START_S))


def move_s() -> float:
    """T, as it is: a hundred times what an honest bot needs on a slow machine."""
    return 0.5


def slack_s() -> float:
    """E"""
    return 0.3 * slowness()


def start_s() -> float:
    """The start limit."""
    return 0.5 + 0.5 * slowness()


def limits() -> Clock:
    return Clock(start_ms=int(start_s() * 1000), move_ms=int(move_s() * 1000))


RULES = Rules(match_target=4)
"""A fault costs 3, so after one the honest play goes on for a deal or more: shorter than to 7, and as telling."""


@cache
def layer(name: str) -> Layer:
    """Skips where this machine has no sandbox; in CI that is a failure."""
    try:
        return sandbox.choose(name)  # type: ignore[arg-type]
    except RunError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


# ---------------------------------------------------------------------------------------------------------- left behind


@dataclass
class Belongings:
    """What this process has: descriptors, threads, and children, the dead ones too."""

    descriptors: set[str]  # number and what it is
    threads: int
    children: set[int]

    @staticmethod
    def now() -> "Belongings":
        descriptors = set()
        for each in Path("/proc/self/fd").iterdir():
            with suppress(OSError):  # the one that lists the folder
                descriptors.add(f"{each.name} {each.readlink()}")
        return Belongings(descriptors, len(list(Path("/proc/self/task").iterdir())), set(reaper.children(os.getpid())))


def alive_with(token: str) -> list[int]:
    """Processes that carry the token on their command line or in their environment."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit() and int(path.name) != os.getpid():
            for name in ("cmdline", "environ"):
                with suppress(OSError):
                    if token.encode() in (path / name).read_bytes():
                        found.append(int(path.name))
                        break
    return found


async def gone(token: str, within_s: float) -> float:
    """Seconds until no process with the token lives; fails after `within_s`."""
    start = time.perf_counter()
    while left := alive_with(token):
        if time.perf_counter() - start > within_s:
            raise AssertionError(f"still alive after {within_s:.1f} s: {[_title(pid) for pid in left]}")
        await trio.sleep(0.01)
    return time.perf_counter() - start


def _title(pid: int) -> str:
    try:
        return f"{pid} " + Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return f"{pid} (gone meanwhile)"


@contextmanager
def nothing_left() -> Iterator[None]:
    """There are no descriptors, threads and children (zombies are children) at the end that were not there before."""
    before = Belongings.now()
    yield
    after = Belongings.now()
    assert after.descriptors == before.descriptors
    assert after.threads == before.threads
    assert not after.children - before.children, [_title(pid) for pid in after.children - before.children]


# ------------------------------------------------------------------------------------------------------------- playing


class Watched(Player):
    """A player whose processes are remembered."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.processes: list[BotProcess] = []

    async def start(self) -> StartFailure | None:
        failure = await super().start()
        self.processes += [self.process] if self.process else []
        return failure

    def stderr(self) -> str:
        """All that its processes have said."""
        return "".join(process.stderr.text() for process in self.processes)


@dataclass
class Outcome:
    """One match and everything about it that the cases speak of."""

    events: list[Event] = field(default_factory=list)
    written_at: list[float] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)
    size: int = 0
    dropped: tuple[int, int] = (0, 0)
    gone_s: float = 0.0
    growth_kb: int = 0

    @property
    def faults(self) -> list[FaultEvent]:
        return [event for event in self.events if isinstance(event, FaultEvent)]

    @property
    def end(self) -> MatchEndEvent:
        end = self.events[-1]
        assert isinstance(end, MatchEndEvent)
        return end

    def took_s(self, fault: FaultEvent) -> float:
        """From the question to the verdict with all its evidence: since the line before it in the log."""
        at = self.events.index(fault)
        return self.written_at[at] - self.written_at[at - 1]


def spec(name: str, command: Sequence[str], token: str, folder: Path = HERE, **limit: int) -> BotSpec:
    return load_command(command, folder, name, {"FAULT_TOKEN": token}, limits=Limits(**limit), whole=True)


def new_token() -> str:
    return "token-" + secrets.token_hex(8)


def header(match: str, names: tuple[str, str], rules: Rules, clock: Clock, seed: str = "faults") -> MatchEvent:
    return MatchEvent(
        match=match,
        rules=rules,
        clock=clock,
        seed=pair_seed(seed, 1),
        pair=1,
        leg="a",
        seats=(SeatInfo(names[0]), SeatInfo(names[1])),
        first_dealer=1,
        referee="0",
        started="2026-01-01T00:00:00Z",
    )


async def play(
    folder: Path,
    bots: tuple[BotSpec, BotSpec],
    where: Layer,
    clock: Clock | None = None,
    rules: Rules = RULES,
    prepare: Callable[[Player, Player], None] | None = None,
) -> Outcome:
    """One match in this process, to its end, with its log written, read again and verified."""
    return (await play_several(folder, bots, where, 1, clock, rules, prepare))[0]


async def play_several(
    folder: Path,
    bots: tuple[BotSpec, BotSpec],
    where: Layer,
    matches: int,
    clock: Clock | None = None,
    rules: Rules = RULES,
    prepare: Callable[[Player, Player], None] | None = None,
) -> list[Outcome]:
    """Matches one after the other, by the same players. The last outcome has all that they said on stderr."""
    clock = clock or limits()
    outcomes = []
    async with trio.open_nursery() as nursery:
        first, second = (Watched(each.name, each, where, rules, clock, nursery) for each in bots)
        if prepare:
            prepare(first, second)
        try:
            for number in range(1, matches + 1):
                outcome = await _play_one(folder, (first, second), rules, clock, number)
                outcomes.append(outcome)
            await first.dismiss()
            await second.dismiss()
            outcome.stderr = [first.stderr(), second.stderr()]
        finally:
            with trio.CancelScope(shield=True):
                await first.kill()
                await second.kill()
    return outcomes


async def _play_one(folder: Path, players: tuple[Watched, Watched], rules: Rules, clock: Clock, number: int) -> Outcome:
    outcome = Outcome()
    first, second = players
    match = f"{number}-{first.name}-{second.name}-a"
    log = LogWriter(folder, match)

    def write(event: Event, line: bytes) -> None:
        outcome.written_at.append(time.perf_counter())
        outcome.events.append(event)
        log.write(line)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_watch_memory, outcome, resident_kb())
        await play_match(header(match, (first.name, second.name), rules, clock), players, write)
        nursery.cancel_scope.cancel()
    path = log.commit()
    outcome.dropped = (first.dropped, second.dropped)
    outcome.size = path.stat().st_size
    for lines in read_matches(path):
        verify(lines)
    return outcome


def resident_kb() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


async def _watch_memory(outcome: Outcome, before: int) -> None:
    while True:
        outcome.growth_kb = max(outcome.growth_kb, resident_kb() - before)
        await trio.sleep(0.02)
