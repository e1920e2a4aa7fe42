"""What the referee costs on this machine, as a ratio to a floor measured beside it.

The floor is a blocking loop that does what cannot be left out: it encodes the very messages of the same matches, writes
them, reads the answers, decodes them, and encodes the lines of the log. No rules, no clock, no deadline, no trio.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec
import trio

from referee.bots.driver import play_match
from referee.bots.player import Player
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec, load_command
from referee.errors import UsageError
from referee.match import events
from referee.match.clock import Clock
from referee.match.events import ActEvent, Event, MatchEvent, SeatInfo
from referee.match.machine import Ask, DealOver, Match, Record, Tell
from referee.protocol import codec
from referee.protocol.messages import GAME, PROTOCOL, ClockLimits, Hello, ToBot
from referee.rules.ruleset import Rules
from referee.rules.shuffle import deck, pair_seed

RULES, CLOCK = Rules(), Clock()

# Answers with the first legal action, at once: what is measured is not the bot.
FIRST_IN_C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[1 << 17];
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[{"), *id = strstr(line, "\"id\":");
        if (strstr(line, "\"type\":\"hello\""))
            puts("{\"type\":\"ready\",\"name\":\"bench\"}");
        else if (strstr(line, "\"type\":\"turn\"") && legal && id) {
            char *first = legal + 10, *end = strchr(first, '}');
            printf("{\"id\":%d,%.*s}\n", atoi(id + 5), (int)(end - first), first);
        } else
            continue;
        fflush(stdout);
    }
    return 0;
}
"""


class Costs(msgspec.Struct, frozen=True, kw_only=True):
    """Medians of several rounds. Times in microseconds a turn; ratios to the floor of the same round.

    The percentiles are of what a bot is charged for a turn: with one that answers at once, all of it is lag.
    """

    bot: str
    turns: int
    rounds: int
    floor_cpu_us: float
    floor_wall_us: float
    referee_cpu_us: float
    referee_wall_us: float
    cpu_ratio: float
    wall_ratio: float
    floor_p50_us: float
    floor_p99_us: float
    referee_p50_us: float
    referee_p99_us: float
    p99_ratio: float
    matches_per_second: float


class _Step(NamedTuple):
    """One turn of a recorded match: to whom, what waits for him, the request, and the lines that the log then gets."""

    seat: int
    messages: list[ToBot]
    records: list[Event]


@contextmanager
def first_bot() -> Iterator[BotSpec]:
    """The bot in C that answers at once; raises UsageError where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise UsageError("no C compiler (cc) for the bot that answers at once; name a bot of your own")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "bench.c")
        source.write_text(FIRST_IN_C)
        subprocess.run([compiler, "-O2", "-o", source.with_suffix(""), source], check=True)
        yield load_command([str(source.with_suffix(""))], Path(folder))


def measure(spec: BotSpec, layer: Layer, matches: int, rounds: int) -> Costs:
    """Floor and referee in turn, on one core, as a worker runs."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        steps = [step for number in range(1, matches + 1) for step in _recorded(number)]
        floors = []
        runs = []
        for _ in range(rounds):
            floors.append(_floor(spec, steps))
            runs.append(_referee(spec, layer, matches))
    finally:
        os.sched_setaffinity(0, before)
    return _costs(spec, matches, floors, runs)


class _Measured(NamedTuple):
    turns: int
    cpu_s: float
    wall_s: float
    us: list[float]
    """What each turn took, from right before the write until the answer was there."""

    def per_turn(self, field: str) -> float:
        """Microseconds a turn."""
        return float(getattr(self, field)) / self.turns * 1e6


def _costs(spec: BotSpec, matches: int, floors: list[_Measured], runs: list[_Measured]) -> Costs:
    def middle(measured: list[_Measured], field: str) -> float:
        return round(median(one.per_turn(field) for one in measured), 1)

    def percentile(measured: list[_Measured], hundredths: int) -> float:
        return round(median(sorted(one.us)[len(one.us) * hundredths // 100] for one in measured), 1)

    def ratio(field: str) -> float:
        pairs = zip(runs, floors, strict=True)
        return round(median(run.per_turn(field) / floor.per_turn(field) for run, floor in pairs), 2)

    slow, slow_floor = percentile(runs, 99), percentile(floors, 99)
    return Costs(
        bot=spec.name,
        turns=runs[0].turns,
        rounds=len(runs),
        floor_cpu_us=middle(floors, "cpu_s"),
        floor_wall_us=middle(floors, "wall_s"),
        referee_cpu_us=middle(runs, "cpu_s"),
        referee_wall_us=middle(runs, "wall_s"),
        cpu_ratio=ratio("cpu_s"),
        wall_ratio=ratio("wall_s"),
        floor_p50_us=percentile(floors, 50),
        floor_p99_us=slow_floor,
        referee_p50_us=percentile(runs, 50),
        referee_p99_us=slow,
        p99_ratio=round(slow / slow_floor, 2),
        matches_per_second=round(matches / median(run.wall_s for run in runs), 1),
    )


def _header(number: int) -> MatchEvent:
    return MatchEvent(
        match=f"{number}-bench-bench-a",
        rules=RULES,
        clock=CLOCK,
        seed=pair_seed("bench", number),
        pair=number,
        leg="a",
        seats=(SeatInfo("bench"), SeatInfo("bench")),
        first_dealer=0,
        referee="",
        started="",
    )


def _recorded(number: int) -> Iterator[_Step]:
    """A match in which both take the first legal action: message for message what the referee will send."""
    header = _header(number)
    match = Match(header, lambda k: deck(header.seed, k), lambda _: False)
    waiting: tuple[list[ToBot], list[ToBot]] = ([], [])
    effects = match.start()
    while True:
        for effect in effects:
            if isinstance(effect, Tell):
                waiting[effect.seat].append(effect.message)
        last = effects[-1]
        if isinstance(last, Ask):
            sent = [*waiting[last.seat], last.turn]
            effects = match.act(last.legal[0], 10)
            records = [effect.event for effect in effects if isinstance(effect, Record)]
            yield _Step(last.seat, sent, records)
            waiting[last.seat].clear()
        elif isinstance(last, DealOver):
            effects = match.next_deal()
        else:
            return


def _floor(spec: BotSpec, steps: list[_Step]) -> _Measured:
    """The blocking loop."""
    bots = [
        subprocess.Popen(spec.argv, cwd=spec.dir, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        for _ in (0, 1)
    ]
    pipes = [(bot.stdin.fileno(), bot.stdout.fileno()) for bot in bots if bot.stdin and bot.stdout]
    hello = codec.encode(Hello(PROTOCOL, GAME, RULES, ClockLimits(CLOCK.start_ms, CLOCK.move_ms, CLOCK.match_ms)))
    for stdin, stdout in pipes:
        os.write(stdin, hello)
        os.read(stdout, 65536)
    lines: list[bytes] = []
    us: list[float] = []
    cpu, wall = time.process_time(), time.perf_counter()
    for seat, messages, records in steps:
        stdin, stdout = pipes[seat]
        payload = b"".join([codec.encode(message) for message in messages])
        start = time.monotonic_ns()
        os.write(stdin, payload)
        answer = os.read(stdout, 65536)
        us.append((time.monotonic_ns() - start) / 1000)
        codec.decode_answer(answer)
        lines += [events.encode(event) for event in records]
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    for bot in bots:
        bot.kill()
        bot.communicate()
    return _Measured(len(steps), cpu, wall, us)


def _referee(spec: BotSpec, layer: Layer, matches: int) -> _Measured:
    """The real thing: rules, messages, pipes, clock, log."""
    return trio.run(_play, spec, layer, matches)


async def _play(spec: BotSpec, layer: Layer, matches: int) -> _Measured:
    us: list[float] = []
    lines: list[bytes] = []

    def write(event: Event, line: bytes) -> None:
        lines.append(line)
        if type(event) is ActEvent:
            us.append(event.us)

    async with trio.open_nursery() as nursery:
        a, b = (Player("bench", spec, layer, RULES, CLOCK, nursery) for _ in (0, 1))
        for player in (a, b):
            await player.start()
        cpu, wall = time.process_time(), time.perf_counter()
        for number in range(1, matches + 1):
            await play_match(_header(number), (a, b), write)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        for player in (a, b):
            await player.kill()
    return _Measured(len(us), cpu, wall, us)
