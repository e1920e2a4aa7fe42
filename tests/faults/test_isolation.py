"""Cases 38 to 44: what a hostile bot tries (attacks.py): in the sandbox it must fail; without one it is recorded."""

import json
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import trio
from faults import arena

SECRET = "seed-of-the-referee"


@pytest.fixture
def stage() -> Iterator[Path]:
    """A folder that everybody can read, as in a tournament: so that bots of root's referee are not root."""
    folder = Path(tempfile.mkdtemp(prefix="stage-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def python() -> str:
    """An interpreter that everybody can run, if there is one."""
    if os.geteuid() == 0 and Path("/usr/bin/python3").exists():
        return "/usr/bin/python3"
    return sys.executable


def bot_folder(stage: Path, name: str) -> Path:
    folder = stage / name
    folder.mkdir()
    for file in ("misbehave.py", "attacks.py"):
        shutil.copy(arena.HERE / file, folder)
        (folder / file).chmod(0o644)
    return folder


@pytest.mark.parametrize("layer", arena.LAYERS)
async def test_attacks(layer: str, stage: Path, attacks: dict[tuple[int, str], dict[str, str]]) -> None:
    token, where = arena.new_token(), arena.layer(layer)
    run = stage / "run"
    run.mkdir()
    seed = stage / "seed"
    seed.touch(0o600)
    seed.write_text(SECRET)
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        unix, abstract = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        unix.bind(str(stage / "socket"))
        (stage / "socket").chmod(0o777)
        abstract.bind("\0" + token)
        for each in (unix, abstract):
            each.listen()
        victim = bot_folder(stage, "victim")
        aims = {
            "opponent": [token, "-victim"],
            "referee": os.getpid(),
            "source": str(victim / "misbehave.py"),
            "seed": str(seed),
            "secret": SECRET,
            "run": str(run),
            "tcp": tcp.getsockname()[1],
            "unix": str(stage / "socket"),
            "abstract": token,
        }
        flags = ("--do", "attack", "--at-turn", "2", "--target", json.dumps(aims))
        attacker = spec("attacker", bot_folder(stage, "attacker"), token, "-attacker", *flags)
        honest = spec("victim", victim, token, "-victim")
        clock = arena.Clock(start_ms=10_000, move_ms=20_000)
        with arena.nothing_left(), trio.fail_after(60 * arena.slowness()):
            outcomes = await arena.play_several(run, (attacker, honest), where, 1, clock)
            outcomes += await arena.play_several(run, (attacker, honest), where, 1, clock)
            await arena.gone(token, 2.0)
    reports = [_report(outcome.stderr[0]) for outcome in outcomes]
    # From outside: what stays behind after the second match.
    left = [path for path in (Path("/tmp", token), Path("/dev/shm", token)) if path.exists()]
    for path in left:
        path.unlink()
    for number, words, succeeded, what in reports[-1]:
        attacks.setdefault((number, words), {})[layer] = ("**succeeds**: " if succeeded else "refused: ") + what
    if layer == "bwrap":
        assert [row for report in reports for row in report if row[2]] == []
        assert not left
        assert not any(outcome.faults for outcome in outcomes)


def spec(name: str, folder: Path, token: str, mark: str, *flags: str) -> arena.BotSpec:
    command = (python(), "-S", "misbehave.py", "--token", token + mark, *flags)
    return arena.spec(name, command, token, folder)


def _report(stderr: str) -> list[Any]:
    line = next(line for line in stderr.splitlines() if line.startswith("attack "))
    found = json.loads(line.removeprefix("attack "))
    assert isinstance(found, list)
    return found
