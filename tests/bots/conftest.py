"""Real processes, each test under a deadline, and nothing left behind by any of them."""

import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

from referee.bots import reaper, sandbox
from referee.bots.process import BotProcess
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.errors import RunError

DEADLINE_S = 30
SECOND = 1_000_000
"""In microseconds, as `ask` counts."""


def left_behind() -> dict[str, Any]:
    """What must be the same before and after."""
    return {
        "children": reaper.children(os.getpid()),
        "descriptors": sorted(int(path.name) for path in Path("/proc/self/fd").iterdir() if path.exists()),
        "threads": threading.active_count(),
        "enlisted": dict(reaper._enlisted),
    }


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process, descriptor, thread or zombie more than before."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    before = left_behind()
    yield
    assert left_behind() == before


@pytest.fixture(scope="session")
def bwrap() -> Layer:
    """The sandbox, where this machine has one."""
    try:
        return sandbox.choose("bwrap")
    except RunError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def plain() -> Layer:
    """No sandbox."""
    return sandbox.choose("none")


@pytest.fixture(params=["plain", "bwrap"])
def layer(request: pytest.FixtureRequest) -> Layer:
    """Both layers: a fault has the same name in both."""
    found: Layer = request.getfixturevalue(request.param)
    return found


Start = Callable[..., BotProcess]


@pytest.fixture
async def start(layer: Layer, tmp_path: Path) -> AsyncIterator[Start]:
    """Start a bot from the text of a shell script (or from an argv); all are killed after the test."""
    bots: list[BotProcess] = []
    with trio.fail_after(DEADLINE_S):
        async with trio.open_nursery() as nursery:

            def start(script: str, *, in_layer: Layer = layer, **fields: Any) -> BotProcess:
                argv = fields.pop("argv", ("/bin/sh", "-c", script))
                folder = fields.pop("in_folder", tmp_path)
                spec = BotSpec(name="bot", argv=argv, dir=str(folder), own_folder=True, **fields)
                bots.append(BotProcess.spawn(spec, in_layer, nursery))
                return bots[-1]

            yield start
            for bot in bots:
                await bot.kill()


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that the kernel does not announce."""
    while not condition():
        await trio.sleep(0.001)
