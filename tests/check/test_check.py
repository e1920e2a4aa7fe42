"""`referee check`: what it forces, whom it lets pass, and that each flaw is found at the step that names it."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from faults.arena import nothing_left

from referee.bots.check import steps
from referee.bots.check.checker import Patience, check
from referee.bots.check.report import Report, StepReport
from referee.bots.check.steps import Step
from referee.bots.sandbox import choose
from referee.bots.spec import load_command

HERE = Path(__file__).parent
DEADLINE_S = 60


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is left of any check."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    with nothing_left():
        yield


async def checked(flaw: str, turn_s: float = 10.0) -> Report:
    """The report on the bot with this flaw; "" is a good one."""
    spec = load_command([sys.executable, "-S", "broken.py", flaw], HERE)
    with trio.fail_after(DEADLINE_S):
        return await check(spec, choose("none"), patience=Patience(turn_s, 0.7))


def step_of(report: Report, step: Step) -> StepReport:
    return next(each for each in report.steps if each.name == step.name)


# ---------------------------------------------------------------------------------------------------------- who passes


@pytest.mark.parametrize("flaw", ["", "crlf"])
async def test_a_simple_bot_passes(flaw: str) -> None:
    report = await checked(flaw)
    assert (report.result, report.failure) == ("passed", None)
    assert {step.result for step in report.steps} <= {"passed", "not exercised"}
    marry = step_of(report, steps.MARRY)
    assert (marry.result, marry.notes) == ("not exercised", ["marriage: offered 4 times, taken 0"])


async def test_what_the_bot_has_chosen_is_counted() -> None:
    report = await checked("marries")
    marry = step_of(report, steps.MARRY)
    assert (marry.result, marry.notes) == ("passed", ["marriage: offered 4 times, taken 4, king or queen owed 4 times"])


# -------------------------------------------------------------------------------------------------------- who does not

BROKEN = [
    ("no-ready", steps.HELLO, "start", "exit code 3", "print a line with ready"),
    ("debug", steps.FIRST, "malformed", "thinking about", "print debug text to stderr"),
    ("wrong-id", steps.FIRST, "malformed", "id 2 is not the id of this turn, 1", "copy the id of the turn"),
    ("needs-card", steps.DECLARED_WRONGLY, "crash", "exit code 1", "KeyError: 'card'"),
    ("leaves-badly", steps.MATCH_END, "crash", "exit code 1", "another match may follow"),
    ("one-match", steps.SECOND, "crash", "exit code 1", "`match` means: forget"),
    ("needs-a-turn", steps.NO_TURNS, "crash", "exit code 1", "`deal_end` at once"),
    ("any-card", steps.BEAT, "illegal", "play JD is not legal now", "exactly what R7 allows"),
    ("any-card-of-the-suit", steps.BEAT, "illegal", "play JD is not legal now", "exactly what R7 allows"),
    ("marries-badly", steps.MARRY, "illegal", "is not legal now", "lead the king or the queen"),
    ("knows-all-fields", steps.FIELDS, "crash", "exit code 1", "do not mind the rest"),
    ("knows-all-types", steps.TYPES, "crash", "exit code 1", "do nothing: no error, no answer"),
    ("chunks", steps.PIECES, "crash", "exit code 1", "a read may end in the middle of a line"),
    ("twenty-deals", steps.THIRTY, "crash", "exit code 1", "no highest number of deals"),
    ("counts-score", steps.RESTARTED, "crash", "exit code 1", "take both as told"),
]


@pytest.mark.parametrize(("flaw", "step", "kind", "detail", "hint"), BROKEN, ids=[row[0] for row in BROKEN])
async def test_a_flaw_is_found_at_the_step_that_names_it(
    flaw: str, step: Step, kind: str, detail: str, hint: str
) -> None:
    report = await checked(flaw)
    failure = report.failure
    assert failure is not None
    assert (report.result, report.exit_code) == ("failed", 1)
    assert (failure.name, failure.kind) == (step.name, kind)
    assert detail in failure.detail
    assert any(hint in each for each in failure.hints)
    assert failure.where == step.where
    assert report.steps[-1].name == step.name and report.steps[-1].result == "failed"
    if kind == "crash":
        assert failure.exit == "exit code 1" and failure.stderr


@pytest.mark.parametrize(
    ("flaw", "step", "hint"),
    [("no-flush", steps.FIRST, "flush stdout after each line"), ("first-line-only", steps.SEVERAL, "line by line")],
)
async def test_a_bot_that_does_not_answer_is_timed_out(flaw: str, step: Step, hint: str) -> None:
    failure = (await checked(flaw, turn_s=1.5)).failure
    assert failure is not None
    assert (failure.name, failure.kind) == (step.name, "timeout")
    assert failure.detail == "no answer within 1.5 s"
    assert any(hint in each for each in failure.hints)


async def test_a_failure_shows_the_exact_lines() -> None:
    failure = (await checked("any-card")).failure
    assert failure is not None
    sent = [json.loads(line) for line in failure.sent]
    assert [message["type"] for message in sent] == ["match", "deal", "action", "action", "turn"]
    assert failure.came == repr(b'{"id": %d, "action": "play", "card": "JD"}' % sent[-1]["id"])
    assert failure.legal == ["play AD", "declare"] or "play JD" not in failure.legal


async def test_what_is_no_fault_is_a_warning() -> None:
    stays = await checked("stays")
    assert stays.result == "passed"
    for step in (steps.BYE, steps.EOF):
        assert step_of(stays, step).result == "warning"
        assert "it did not leave by itself" in step_of(stays, step).notes[0]


async def test_a_bot_that_scans_strings_is_warned() -> None:
    report = await checked("scans")
    assert report.result == "passed"
    assert [step.name for step in report.steps if step.result == "warning"] == [steps.LOOKS.name]
    assert any("parse the lines as JSON" in note for note in step_of(report, steps.LOOKS).notes)


async def test_a_bot_that_leaves_after_each_match_is_warned() -> None:
    report = await checked("leaves-after-match")
    assert report.result == "passed"
    assert step_of(report, steps.MATCH_END).result == "warning"
    assert step_of(report, steps.SECOND).result == "not exercised"


async def test_a_slow_answer_and_a_line_too_many_are_warnings() -> None:
    report = await checked("slow-once-and-chatters-once")
    assert report.result == "passed"
    notes = [note for step in report.steps if step.result == "warning" for note in step.notes]
    assert any(note.startswith("an answer took ") for note in notes)
    assert any(note.startswith("a line on stdout that nobody had asked for") for note in notes)
