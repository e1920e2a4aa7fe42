"""CPU time as the measure of a turn, and bots that are stopped while it is not their turn."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import trio

from referee.bots import reaper
from referee.bots.player import Answered, Player
from referee.bots.sandbox import choose
from referee.bots.spec import load_command
from referee.match.clock import Clock
from referee.rules.ruleset import Rules

# Answers each turn after computing and sleeping as told; counts aloud what it computes when nobody has asked.
BOT = """
import sys, time, json, threading
busy, idle, ponder = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3:] == ["ponder"]
beats = 0
def think():
    global beats
    while True:
        time.sleep(0.001)
        beats += 1
if ponder:
    threading.Thread(target=think, daemon=True).start()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        end = time.process_time() + busy
        while time.process_time() < end:
            pass
        time.sleep(idle)
        print(json.dumps({"id": message["id"], "action": "declare", "note": str(beats)}), flush=True)
"""
# Answers each turn twice, the second time after a moment; then it computes and sleeps as told before the next turn.
TWICE = """
import sys, time, json
moment, busy, idle = map(float, sys.argv[1:])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        print(json.dumps({"id": message["id"], "action": "declare"}), flush=True)
        time.sleep(moment)
        print(json.dumps({"id": message["id"], "action": "declare"}), flush=True)
        end = time.process_time() + busy
        while time.process_time() < end:
            pass
        time.sleep(idle)
"""
REQUEST = b',"phase":"lead","legal":[]}\n'


async def turns(
    tmp_path: Path, clock: Clock, *arguments: str, freeze: bool = False, pause: float = 0.0, count: int = 1
):  # type: ignore[no-untyped-def]
    """Ask so many times; the replies, and the process's notes."""
    (tmp_path / "bot.py").write_text(BOT)
    spec = load_command([sys.executable, "bot.py", *arguments], tmp_path)
    replies = []
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            player = Player("bot", spec, choose("none"), Rules(), clock, nursery, freeze)
            assert await player.start() is None
            for _ in range(count):
                answered = await player.ask(REQUEST, None if clock.move_ms is None else clock.move_ms * 1000)
                replies.append(answered.reply)
                if pause:
                    await trio.sleep(pause)
            await player.kill()
    return replies


async def test_sleeping_costs_nothing_on_the_cpu_clock(tmp_path: Path) -> None:
    (reply,) = await turns(tmp_path, Clock(move_ms=150, measure="cpu"), "0.03", "0.4")
    assert reply.failure is None
    assert 25_000 < reply.us < 150_000


async def test_the_same_bot_is_late_on_the_wall_clock(tmp_path: Path) -> None:
    (reply,) = await turns(tmp_path, Clock(move_ms=150), "0.03", "0.4")
    assert reply.failure == "timeout"


async def test_computing_too_long_is_a_timeout_on_the_cpu_clock(tmp_path: Path) -> None:
    (reply,) = await turns(tmp_path, Clock(move_ms=100, measure="cpu"), "5", "0")
    assert reply.failure == "timeout"
    assert reply.us >= 100_000


async def test_a_bot_that_only_sleeps_meets_the_backstop(tmp_path: Path) -> None:
    (reply,) = await turns(tmp_path, Clock(move_ms=50, measure="cpu"), "0", "20")
    assert reply.failure == "timeout"


@pytest.mark.parametrize("freeze", [True, False])
async def test_a_frozen_bot_does_not_think_between_its_turns(tmp_path: Path, freeze: bool) -> None:
    first, second = await turns(tmp_path, Clock(move_ms=None), "0", "0", "ponder", freeze=freeze, pause=0.5, count=2)
    beats = [int(reply.line.split(b'"note": "')[1].split(b'"')[0]) for reply in (first, second)]
    assert (beats[1] - beats[0] < 100) is freeze


async def twice(
    tmp_path: Path, clock: Clock, moment: float, busy: float, idle: float, freeze: bool = False
) -> Answered:
    """Two turns of a bot that answers each one twice; the second turn, after what the driver does about old ids."""
    (tmp_path / "bot.py").write_text(TWICE)
    spec = load_command([sys.executable, "bot.py", str(moment), str(busy), str(idle)], tmp_path)
    limit_us = None if clock.move_ms is None else clock.move_ms * 1000
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            player = Player("bot", spec, choose("none"), Rules(), clock, nursery, freeze)
            assert await player.start() is None
            await player.ask(REQUEST, limit_us)
            answered = await player.ask(REQUEST, limit_us)
            while answered.reply.line is not None and json.loads(answered.reply.line)["id"] < answered.id:
                answered = await player.wait_on(answered, limit_us)
            if freeze:
                assert player.process is not None
                await until_stopped(player.process.pid)
            await player.kill()
    return answered


async def until_stopped(pid: int) -> None:
    while (stat := reaper._stat(pid)) is None or stat.state != "T":
        await trio.sleep(0.001)


@pytest.mark.parametrize("clock", [Clock(), Clock(measure="cpu"), Clock(move_ms=None)])
async def test_an_old_answer_out_of_the_cold_does_not_leave_a_bot_frozen(tmp_path: Path, clock: Clock) -> None:
    answered = await twice(tmp_path, clock, 0.02, 0.02, 0.1, freeze=True)
    assert answered.reply.failure is None
    assert answered.old_bytes


async def test_after_an_old_answer_sleeping_still_costs_nothing_on_the_cpu_clock(tmp_path: Path) -> None:
    answered = await twice(tmp_path, Clock(move_ms=200, measure="cpu"), 0.05, 0.03, 0.5)
    assert answered.old_bytes
    assert answered.reply.failure is None
    assert 25_000 < answered.reply.us < 200_000


async def test_after_an_old_answer_the_budget_of_cpu_time_is_the_same(tmp_path: Path) -> None:
    answered = await twice(tmp_path, Clock(move_ms=150, measure="cpu"), 0.05, 5, 0)
    assert answered.old_bytes
    assert answered.reply.failure == "timeout"
    assert answered.reply.us >= 150_000


async def test_after_an_old_answer_the_backstop_is_the_same(tmp_path: Path) -> None:
    start = trio.current_time()
    answered = await twice(tmp_path, Clock(move_ms=50, measure="cpu"), 0.05, 0, 20)
    assert answered.old_bytes
    assert answered.reply.failure == "timeout"
    assert trio.current_time() - start < 10


async def test_what_a_sleeping_bot_has_not_read_yet_reaches_it_on_the_cpu_clock(tmp_path: Path) -> None:
    """More than a pipe takes."""
    (tmp_path / "bot.py").write_text(BOT)
    spec = load_command([sys.executable, "bot.py", "0", "0.3"], tmp_path)
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            player = Player("bot", spec, choose("none"), Rules(), Clock(move_ms=100, measure="cpu"), nursery)
            assert await player.start() is None
            player.hear(b'{"type":"turn","id":0}\n')
            player.hear(b'{"type":"x","text":"' + b"x" * (1 << 18) + b'"}\n')
            answered = await player.ask(REQUEST, 100_000)
            while answered.reply.line is not None and json.loads(answered.reply.line)["id"] < answered.id:
                answered = await player.wait_on(answered, 100_000)
            assert answered.reply.failure is None
            await player.kill()
