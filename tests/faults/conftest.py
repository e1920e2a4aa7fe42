"""Marks, and the table of what came of each case (`FAULT_TABLE=FILE` writes it)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults import arena

from referee.bots import sandbox

ROWS: list[tuple[str, ...]] = []


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "soak: a long run; SOAK=1 gives it its full length")


@pytest.fixture(scope="session")
def table() -> Iterator[list[tuple[str, ...]]]:
    """Rows: numbers, what the bot does, layer, verdict, time to verdict, time until nothing was left."""
    yield ROWS
    path = os.environ.get("FAULT_TABLE")
    if path and ROWS:
        head = ("case", "what the bot does", "layer", "verdict", "time to verdict", "left behind")
        lines = [" | ".join(row) for row in (head, ("---",) * len(head), *sorted(ROWS, key=_order))]
        Path(path).write_text("".join(f"| {line} |\n" for line in lines))


def _order(row: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(int(number) for number in row[0].split(",") if number.strip().isdigit())


@pytest.fixture(scope="session")
def attacks() -> Iterator[dict[tuple[int, str], dict[str, str]]]:
    """What came of each attack, by layer; appended to the table."""
    found: dict[tuple[int, str], dict[str, str]] = {}
    yield found
    path = os.environ.get("FAULT_TABLE")
    if path and found:
        with Path(path).with_suffix(".attacks.md").open("w") as file:
            file.write("| case | the bot | with bwrap | without |\n| --- | --- | --- | --- |\n")
            for (number, words), came in sorted(found.items()):
                file.write(f"| {number} | {words} | {came.get('bwrap', '-')} | {came.get('none', '-')} |\n")


@pytest.fixture(scope="session", autouse=True)
def long_lives(request: pytest.FixtureRequest) -> Iterator[dict[str, "subprocess.Popen[str]"]]:
    """The processes of case 35, which run beside everything else, if they are wanted at all."""
    begun: dict[str, subprocess.Popen[str]] = {}
    if any("test_z_long_life" in item.nodeid for item in request.session.items):
        layers = ["none", *(["bwrap"] if sandbox.choose("auto").name == "bwrap" else [])]
        path = {**os.environ, "PYTHONPATH": os.pathsep.join([str(arena.HERE.parent), *sys.path])}
        for layer in layers:
            command = [sys.executable, str(arena.HERE / "long_life.py"), layer]
            begun[layer] = subprocess.Popen(
                command, env=path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
    yield begun
    for process in begun.values():
        process.kill()
        process.communicate()
