"""`referee check` as a command, and the example bots, which pass it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from faults.arena import nothing_left

from referee.bots.check import steps
from referee.bots.check.checker import check
from referee.bots.check.report import StepReport
from referee.bots.sandbox import choose
from referee.bots.spec import load_folder

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "example_bots"
DEADLINE_S = 60


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """Nothing is left of any check."""
    with nothing_left():
        yield


@pytest.mark.parametrize("name", ["first", "greedy"])
async def test_an_example_bot_passes(name: str) -> None:
    """Two that need no build; tests/kits builds and checks them all."""
    spec = load_folder(EXAMPLES / name)
    done: list[StepReport] = []
    with trio.fail_after(DEADLINE_S):
        report = await check(spec, choose("none"), done.append)
    assert report.result == "passed", report.failure
    assert report.steps == done
    assert [step.number for step in done] == list(range(1, 31))
    assert report.exit_code == 0


def referee(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "referee", "check", "--sandbox", "none", *arguments]
    return subprocess.run(
        command, cwd=HERE, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )


def test_steps_are_lines_with_tabs_where_stdout_is_no_terminal() -> None:
    done = referee(str(EXAMPLES / "first"))
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert [line.split("\t")[0] for line in lines[:30]] == [str(number) for number in range(1, 31)]
    assert lines[1].split("\t")[1:] == ["passed", steps.FIRST.name, ""]
    assert "of 30 steps passed" in lines[30]


def test_json_is_one_object() -> None:
    done = referee(f"{sys.executable} broken.py any-card", "--json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert (report["result"], len(report["steps"])) == ("failed", report["failure"]["number"])


def test_the_first_failure_is_shown_with_all_that_is_known() -> None:
    done = referee(f"{sys.executable} broken.py one-match")
    assert done.returncode == 1
    for piece in (steps.SECOND.name, '{"type":"match","match":"check-16"', "came back", "only one match", "hint"):
        assert piece in done.stdout


def test_a_bot_that_is_not_there_is_exit_code_4() -> None:
    done = referee("./no-such-program --level 2")
    assert done.returncode == 4
    assert "No such file or directory" in done.stdout


def test_no_bot_at_all_is_a_usage_error() -> None:
    assert referee("no-such-bot").returncode == 2
