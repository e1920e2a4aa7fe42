"""Processes that leave after a match, a machine that refuses processes (case 37), and the environment of a bot."""

import errno
import json
import os
import resource
import subprocess
from pathlib import Path
from typing import Any

import pytest
import trio
from faults import arena

from referee.bots.launch import RefereeTrouble
from referee.tournament import worker
from referee.tournament.orders import Aborted, Play, Report, Terms
from referee.tournament.schedule import plan

QUITTER = """
import json, os, sys, time
over, fresh = False, True
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "match_end":
        over, fresh = True, True
    elif message["type"] == "turn":
        if fresh:
            time.sleep(float(sys.argv[1]))
        if over:
            os._exit(0)
        fresh = False
        print(json.dumps({"id": message["id"], **message["legal"][0]}), flush=True)
"""
"""Thinks about the first turn of a match; if it has played one before, it leaves then."""


@pytest.mark.parametrize("layer", arena.LAYERS)
async def test_a_bot_that_leaves_after_a_match_is_started_again(layer: str, tmp_path: Path) -> None:
    token = arena.new_token()
    leaver = arena.spec("leaver", arena.bot_command("--at", "match-end", "--do", "exit-now", "--code", "0"), token)
    honest = arena.spec("honest", arena.bot_command(), token)
    with arena.nothing_left(), trio.fail_after(30 * arena.slowness()):
        outcomes = await arena.play_several(tmp_path, (leaver, honest), arena.layer(layer), 4)
        await arena.gone(token, 2.0)
    assert [outcome.faults for outcome in outcomes] == [[], [], [], []]
    assert outcomes[-1].stderr[0].count("result") == 4


@pytest.mark.parametrize(("share", "faults"), [(0.1, []), (0.6, [(0, "timeout")])])
async def test_who_leaves_with_a_turn_gets_no_time_twice(
    share: float, faults: list[tuple[int, str]], tmp_path: Path
) -> None:
    token = arena.new_token()
    seconds = str(share * arena.move_s())
    quitter = arena.spec("quitter", ["python3", "-c", QUITTER, seconds, token], token)
    honest = arena.spec("honest", arena.bot_command(), token)
    with arena.nothing_left(), trio.fail_after(30 * arena.slowness()):
        outcomes = await arena.play_several(tmp_path, (quitter, honest), arena.layer("none"), 2)
        await arena.gone(token, 2.0)
    assert outcomes[0].faults == []
    assert [(fault.seat, fault.kind) for fault in outcomes[1].faults] == faults


async def test_37_descriptors_that_are_there_again_in_time(tmp_path: Path) -> None:
    """EMFILE at the first attempts; then the match is played as if nothing had been."""
    token = arena.new_token()
    bots = (arena.spec("a", arena.bot_command(), token), arena.spec("b", arena.bot_command(), token))
    before = resource.getrlimit(resource.RLIMIT_NOFILE)

    async def relieve() -> None:
        await trio.sleep(0.1)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)

    with arena.nothing_left(), trio.fail_after(30 * arena.slowness()):
        try:
            async with trio.open_nursery() as nursery:

                def prepare(*_: Any) -> None:
                    highest = max(int(path.name) for path in Path("/proc/self/fd").iterdir())
                    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 2, before[1]))
                    nursery.start_soon(relieve)

                outcome = await arena.play(tmp_path, bots, arena.layer("none"), prepare=prepare)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert not outcome.faults


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EMFILE, errno.ENOMEM])
async def test_37_a_machine_that_refuses_aborts_the_match(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: list[tuple[str, ...]]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    token = arena.new_token()
    specs = {name: arena.spec(name, arena.bot_command(), token) for name in ("a", "b")}
    arena.slowness()  # it is measured by starting processes, so before they are refused
    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr("referee.bots.player.RETRY_S", (0.001, 0.001))
    with arena.nothing_left(), trio.fail_after(10):
        with pytest.raises(BaseExceptionGroup) as caught:
            await arena.play(tmp_path, (specs["a"], specs["b"]), arena.layer("none"))
        assert caught.group_contains(RefereeTrouble)

        reports: list[Report] = []
        monkeypatch.setattr(worker, "report", reports.append)
        await worker.carry_out(Play(terms(tmp_path), (plan(("a", "b"), 1, "a", "seed"),), specs))
    assert [type(report).__name__ for report in reports] == ["Began", "Aborted"]
    aborted = reports[-1]
    assert isinstance(aborted, Aborted) and os.strerror(number) in aborted.why
    assert not list(tmp_path.iterdir())
    table.append(("37", f"the machine refuses: {errno.errorcode[number]}", "none", "aborted", "-", "nothing"))


def terms(folder: Path) -> Terms:
    return Terms(folder=str(folder), rules=arena.RULES, clock=arena.limits(), layer=arena.layer("none"))


@pytest.mark.parametrize("layer", arena.LAYERS)
async def test_the_environment_of_a_bot_is_short(layer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PYTHONUNBUFFERED above all: with it, a bot that forgets to flush works at home and fails in the tournament."""
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    monkeypatch.setenv("SECRET", "of the referee")
    token = arena.new_token()
    nosy = arena.spec("nosy", arena.bot_command("--do", "environ"), token)
    outcome = await arena.play(tmp_path, (nosy, arena.spec("honest", arena.bot_command(), token)), arena.layer(layer))
    line = next(line for line in outcome.stderr[0].splitlines() if line.startswith("environ "))
    names = set(json.loads(line.removeprefix("environ ")))
    assert names - {"PWD", "LC_CTYPE", "SHLVL", "_", "OLDPWD"} == {"PATH", "HOME", "LANG", "FAULT_TOKEN", "REFEREE_BOT"}
