"""`referee bench`: its floor sends and logs what the referee does, byte for byte."""

import json
import os
import re
import shutil
import subprocess
import sys
from typing import Any

import pytest
import trio

from referee.bots.driver import play_match
from referee.bots.player import Player
from referee.bots.process import Reply
from referee.bots.sandbox import choose
from referee.bots.spec import BotSpec
from referee.match.events import ActEvent, Event, encode
from referee.protocol import codec
from referee.tournament import bench

ID = re.compile(rb'"id":\d+')


class First:
    """Stands in for a process: answers with the first legal action, and keeps what it was sent."""

    exited = False

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    async def ask(self, payload: bytes, limit_us: int | None) -> Reply:
        self.sent.append(payload)
        turn = json.loads(payload.splitlines()[-1])
        return Reply(json.dumps({"id": turn["id"], **turn["legal"][0]}).encode(), 10)

    async def tell(self, payload: bytes, deadline_s: float) -> None:
        pass


async def test_the_floor_does_the_same() -> None:
    lines: list[tuple[Event, bytes]] = []
    firsts: Any = (First(), First())
    async with trio.open_nursery() as nursery:
        spec = BotSpec(name="bench", argv=("none",), dir=".")
        players = [Player("bench", spec, choose("none"), bench.RULES, bench.CLOCK, nursery) for _ in firsts]
        for player, first in zip(players, firsts, strict=True):
            player.process = first
        header = bench._header(1)
        await play_match(header, (players[0], players[1]), lambda event, line: lines.append((event, line)))
    steps = list(bench._recorded(1))
    for seat, first in enumerate(firsts):
        floor = [b"".join(map(codec.encode, step.messages)) for step in steps if step.seat == seat]
        assert [ID.sub(b'"id":0', payload) for payload in first.sent] == floor
    acts = [line for event, line in lines if isinstance(event, ActEvent)]
    assert acts == [encode(event) for step in steps for event in step.records if isinstance(event, ActEvent)]


def test_the_command() -> None:
    if shutil.which("cc") is None:
        assert os.environ.get("CI") != "true", "no C compiler"
        pytest.skip("no C compiler")
    command = [sys.executable, "-m", "referee", "bench", "--matches", "1", "--rounds", "1", "--json"]
    costs = json.loads(subprocess.run(command, check=True, capture_output=True, timeout=120).stdout)
    assert costs["turns"] == len(list(bench._recorded(1)))
    assert costs["cpu_ratio"] == pytest.approx(costs["referee_cpu_us"] / costs["floor_cpu_us"], rel=0.02)
    assert costs["referee_p50_us"] <= costs["referee_p99_us"]
