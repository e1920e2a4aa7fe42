"""Cases 11 to 14: nobody is forfeited for a time that was not his, whatever else the machine does."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio
from faults import arena

from referee.bots.process import BotProcess, Reply

HELLO = b'{"type":"hello"}\n'
DEAL = b'{"type":"deal","deal":1}\n'


def turn(number: int) -> bytes:
    return b'{"type":"turn","id":%d,"hand":["9C"],"legal":[{"action":"play","card":"9C"}]}\n' % number


async def ready(nursery: trio.Nursery, token: str, *flags: str, layer: str = "none") -> BotProcess:
    bot = BotProcess.spawn(
        arena.spec("bot", arena.bot_command("--token", token, *flags), token), arena.layer(layer), nursery
    )
    assert (await bot.ask(HELLO, int(arena.start_s() * 1e6))).line
    return bot


async def timed(bot: BotProcess, number: int, limit_s: float) -> tuple[float, Reply]:
    """Ask; returns when the clock began, and the reply."""
    start = time.monotonic()
    return start, await bot.ask(turn(number), int(limit_s * 1e6))


@pytest.mark.parametrize("layer", arena.LAYERS)
async def test_11_an_answer_in_time_is_never_a_timeout(layer: str) -> None:
    """A hundred answers at 0.96 T, of twenty bots at once; those that were out in time are judged in time."""
    limit_s, token = arena.move_s(), arena.new_token()
    asked: list[tuple[BotProcess, float, Reply]] = []

    async def one() -> None:
        bot = await ready(
            nursery, token, "--do", "late", "--seconds", str(0.96 * limit_s), "--at-turn", "0", layer=layer
        )
        await bot.tell(DEAL, 1.0)
        for number in range(1, 6):
            start, reply = await timed(bot, number, limit_s)
            asked.append((bot, start, reply))
        await bot.finish(b"", 1.0)

    with arena.nothing_left(), trio.fail_after(60 * arena.slowness()):
        async with trio.open_nursery() as nursery:
            for _ in range(20):
                nursery.start_soon(one)
    in_time = 0
    for bot in {id(bot): bot for bot, _, _ in asked}.values():
        said = [float(line.split()[1]) for line in bot.stderr.text().splitlines() if line.startswith("late")]
        mine = [(start, reply) for each, start, reply in asked if each is bot]
        for (start, reply), out in zip(mine, said, strict=False):
            if out <= start + limit_s:
                in_time += 1
                assert reply.line is not None, f"out after {out - start:.3f} s of {limit_s:.3f} s: {reply}"
    assert in_time >= 50


async def test_11_an_answer_after_the_limit_is_a_timeout() -> None:
    """50 ms late; counted only where the referee itself was later still, and then it says so."""
    limit_s, token = 0.2, arena.new_token()
    flags = ("--do", "late", "--seconds", str(limit_s + 0.05), "--at-turn", "0")
    with arena.nothing_left(), trio.fail_after(30 * arena.slowness()):
        async with trio.open_nursery() as nursery:
            for _ in range(5):
                bot = await ready(nursery, token, *flags)
                await bot.tell(DEAL, 1.0)
                _, reply = await timed(bot, 1, limit_s)
                assert reply.failure == "timeout" or reply.lag_us >= 40_000, reply
                await bot.kill()


async def test_12_a_stalled_loop_forfeits_nobody(tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    """The loop is held up for 300 ms, again and again, over the deadlines of a bot that answers at 0.7 T."""
    clock = arena.limits()
    bot = arena.bot_command("--do", "late", "--seconds", str(0.7 * arena.move_s()), "--at-turn", "0")
    token = arena.new_token()

    async def stall() -> None:
        while True:
            time.sleep(0.3)
            await trio.sleep(0.02)

    with arena.nothing_left(), trio.fail_after(60 * arena.slowness()):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stall)
            bots = (arena.spec("late", bot, token), arena.spec("honest", arena.bot_command(), token))
            outcome = await arena.play(tmp_path, bots, arena.layer("none"), clock, arena.Rules(match_target=1))
            nursery.cancel_scope.cancel()
    assert not outcome.faults
    lag = max(getattr(event, "lag_us", 0) for event in outcome.events)
    table.append(("12", "the loop stalls for 300 ms at a time", "none", "none", "-", f"lag noted: {lag / 1e6:.2f} s"))


async def test_13_eight_spinning_processes(tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    token = arena.new_token()
    bots = (arena.spec("a", arena.bot_command(), token), arena.spec("b", arena.bot_command(), token))
    with arena.nothing_left(), trio.fail_after(60 * arena.slowness()), spinning(8):
        outcome = await arena.play(tmp_path, bots, arena.layer("none"))
    assert not outcome.faults
    slowest = max(getattr(event, "us", 0) for event in outcome.events)
    table.append(("13", "eight spinning processes", "none", "none", "-", f"slowest answer {slowest / 1000:.0f} ms"))


@contextmanager
def spinning(count: int) -> Iterator[None]:
    """Processes that do nothing but use the processor; they are no bots."""
    processes = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.parametrize("layer", arena.LAYERS)
async def test_14_a_bot_that_does_not_read_a_megabyte(layer: str, tmp_path: Path) -> None:
    """`timeout`, and a match beside it in the same loop keeps its pace."""
    limit_s, token = arena.move_s(), arena.new_token()
    bots = (arena.spec("a", arena.bot_command(), token), arena.spec("b", arena.bot_command(), token))
    with arena.nothing_left(), trio.fail_after(60 * arena.slowness()):
        async with trio.open_nursery() as nursery:
            bot = await ready(nursery, token, "--at", "ready", "--do", "silent", layer=layer)

            async def flood() -> None:
                start = time.monotonic()
                reply = await bot.ask(b'{"type":"x"}' + b" " * (1 << 20) + b"\n" + turn(1), int(limit_s * 1e6))
                assert reply.failure == "timeout"
                assert time.monotonic() - start <= limit_s + arena.slack_s()
                await bot.kill()

            nursery.start_soon(flood)
            outcome = await arena.play(tmp_path, bots, arena.layer(layer))
        await arena.gone(token, 2.0)
    assert not outcome.faults
