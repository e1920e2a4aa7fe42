"""Marks, and the table of what came of each case (`FAULT_TABLE=FILE` writes it)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults import arena

from referee.bots import sandbox

Row = tuple[str, ...]
Attacks = dict[tuple[int, str], dict[str, str]]
MARK = "<!-- What follows was written by FAULT_TABLE=tests/faults/README.md pytest tests/faults -->\n"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "soak: a long run; SOAK=1 gives it its full length")


@pytest.fixture(scope="session")
def table(tables: tuple[list[Row], Attacks]) -> list[Row]:
    """Rows: numbers, what the bot does, layer, verdict, time to verdict, what was left behind."""
    return tables[0]


@pytest.fixture(scope="session")
def attacks(tables: tuple[list[Row], Attacks]) -> Attacks:
    """What came of each attack, by layer."""
    return tables[1]


@pytest.fixture(scope="session")
def tables() -> Iterator[tuple[list[Row], Attacks]]:
    """Written in the end, below whatever the file says above the mark."""
    rows: list[Row] = []
    found: Attacks = {}
    yield rows, found
    path = os.environ.get("FAULT_TABLE")
    if path:
        file = Path(path)
        above = file.read_text().partition(MARK)[0] if file.exists() else ""
        lines = [above + MARK.rstrip("\n"), "", "## Cases", "", *_cases(rows), "", "## Attacks", "", *_attacks(found)]
        file.write_text("\n".join(lines) + "\n")


def _cases(rows: list[Row]) -> Iterator[str]:
    """One line for both layers: a hyphen where a case has no layer, or no verdict."""
    times = "to verdict, none | to verdict, bwrap | left behind, none | left behind, bwrap"
    yield f"| case | what the bot does | verdict | {times} |"
    yield "| --- " * 7 + "|"
    merged: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        merged.setdefault(row[:2], {})[row[2]] = row[3:]
    for (numbers, words), by_layer in sorted(merged.items(), key=lambda item: _order(item[0])):
        verdicts = " / ".join(dict.fromkeys(came[0] for came in by_layer.values()))
        none, bwrap = (by_layer.get(name, ("-", "-", "-")) for name in ("none", "bwrap"))
        yield f"| {numbers} | {words} | {verdicts} | {none[1]} | {bwrap[1]} | {none[2]} | {bwrap[2]} |"


def _attacks(found: Attacks) -> Iterator[str]:
    yield "| case | the bot | with bwrap | without |"
    yield "| --- " * 4 + "|"
    for (number, words), came in sorted(found.items()):
        cells = (came.get(name, "-").partition(": '")[0] for name in ("bwrap", "none"))
        yield f"| {number} | {words} | {' | '.join(cells)} |"


def _order(key: tuple[str, str]) -> list[int]:
    return [int(number) for number in key[0].split(",")]


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
