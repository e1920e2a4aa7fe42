"""Case 36: many matches in a row, with faulty bots, by the worker: memory, descriptors, threads, zombies are flat.

SOAK=1 plays a thousand; the ordinary run sixty.
"""

import os
import time
from itertools import count
from pathlib import Path

import pytest
import trio
from faults import arena

from referee.match.clock import Clock
from referee.store.matchlog import read_matches
from referee.store.replay import verify
from referee.tournament import worker
from referee.tournament.orders import Play, Played, Report, Terms
from referee.tournament.schedule import plan

MATCHES = 1000 if os.environ.get("SOAK") else 60
JOB = 5  # matches of one pair of processes
FAULTS = (
    ("--do", "exit-now"),
    ("--do", "die"),
    ("--do", "debug-then-answer"),
    ("--do", "flood", "--bytes", "200000"),
    ("--do", "double-fork"),
    ("--do", "orphan-holds-stdout"),
    ("--do", "silent"),
    ("--do", "half"),
    ("--do", "close-stdout"),
    ("--do", "shout", "--bytes", "300000"),
    ("--do", "fork-many", "--count", "10"),
    ("--do", "old-then-good"),
    ("--at", "start", "--do", "exit-now"),
    ("--at", "match-end", "--do", "exit-now", "--code", "0"),
    (),
)


@pytest.mark.soak
async def test_36_soak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: list[tuple[str, ...]]) -> None:
    reports: list[Report] = []
    monkeypatch.setattr(worker, "report", reports.append)
    token, numbers = arena.new_token(), count(1)
    terms = Terms(
        folder=str(tmp_path),
        rules=arena.RULES,
        clock=Clock(start_ms=int(arena.start_s() * 3000), move_ms=100),
        layer=arena.layer("none"),
    )
    honest = arena.spec("honest", arena.bot_command("--token", token), token)
    began = time.perf_counter()
    middle, played, faults = 0, 0, 0
    with trio.fail_after(MATCHES * arena.slowness()):
        while played < MATCHES:
            flags = FAULTS[played // JOB % len(FAULTS)]
            bots = {"bad": arena.spec("bad", arena.bot_command("--token", token, *flags), token), "honest": honest}
            plans = tuple(plan(("bad", "honest"), next(numbers), "a", "soak") for _ in range(JOB))
            with arena.nothing_left():
                await worker.carry_out(Play(terms, plans, bots))
            summaries = [report.summary for report in reports if isinstance(report, Played)]
            assert [each.match for each in summaries] == [each.match for each in plans], reports[-3:]
            faults += sum(len(summary.faults) for summary in summaries)
            reports.clear()
            played += JOB
            if played == MATCHES // 2:
                middle = arena.resident_kb()
    took = time.perf_counter() - began
    await arena.gone(token, 2.0)
    growth = arena.resident_kb() - middle
    assert growth < 3000, f"{growth} KB more after the second half"
    for path in tmp_path.glob("*.jsonl"):
        for lines in read_matches(path):
            verify(lines)
    assert len(list(tmp_path.iterdir())) == MATCHES
    words = f"{growth:+d} KB in the second half; descriptors, threads, zombies as before; {faults} faults, {took:.0f} s"
    table.append(("36", f"{MATCHES} matches, every bot above in turn", "none", "-", "-", words))
