"""CPU time as the measure of a turn, and bots that are stopped while it is not their turn."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import trio

from referee.bots.player import Player
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
