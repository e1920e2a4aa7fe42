"""`referee check`: what it forces, whom it lets pass, and that each flaw is found at the step that names it."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio
from faults.arena import nothing_left

from referee.bots.check import steps
from referee.bots.check.checker import Patience, check
from referee.bots.check.report import Report, StepReport
from referee.bots.check.rival import Rival
from referee.bots.check.situations import CLOSE, EXCHANGE, MARRIAGE, offered
from referee.bots.check.steps import PARTS, Scene, Step, numbered
from referee.bots.check.tally import CLOCK, Tally
from referee.bots.driver import play_match
from referee.bots.local import LocalPlayer
from referee.bots.player import Answered
from referee.bots.sandbox import choose
from referee.bots.spec import load_command, load_folder, missing
from referee.match.events import Event, MatchEvent, SeatInfo
from referee.match.view import with_id
from referee.protocol.messages import Close, Declare, LegalAction, Turn
from referee.rules.ruleset import Rules
from referee.rules.shuffle import pair_seed

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "example_bots"
DEADLINE_S = 60
SCENES = [(scene, part.rules) for part in PARTS for scene in part.scenes]
NEED_A_PROCESS = {steps.SAME_PROCESS, steps.MIDWAY}


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


# ------------------------------------------------------------------------------------------------------ what is forced


class Anyhow(LocalPlayer):
    """Plays anything, but does not end a deal by itself; tells the tally what it is asked."""

    def __init__(self, seed: int, tally: Tally) -> None:
        super().__init__("anyhow", self.any_action, lambda heard: None, close_before_draw=bool(seed % 2))
        self.random, self.tally = random.Random(seed), tally

    async def any_action(self, heard: Any, turn: Turn) -> LegalAction:
        return self.random.choice([each for each in turn.legal if not isinstance(each, Declare | Close)])

    async def ask(self, request: bytes, limit_us: int | None) -> Answered:
        self.tally.asked(with_id(1, request))
        return await super().ask(request, limit_us)


async def seen_in(scene: Scene, rules: Rules, seed: int) -> set[str]:
    """What a bot that plays anything meets in a scene."""
    tally = Tally()

    async def restart() -> None:
        pass

    def write(event: Event, line: bytes) -> None:
        tally.event(event)

    rival = LocalPlayer("referee", Rival(scene.scripts, restart).choose, lambda heard: None)
    header = MatchEvent(
        match="m", rules=rules, clock=CLOCK, seed=pair_seed(steps.MASTER, scene.pair), pair=1, leg="a",
        seats=(SeatInfo("a"), SeatInfo("b")), first_dealer=scene.dealer, referee="0", started="",
    )  # fmt: skip
    with trio.fail_after(DEADLINE_S):
        await play_match(header, (rival, Anyhow(seed, tally)), write)
    return {situation for situation, times in tally.seen.items() if times}


@pytest.mark.parametrize(("scene", "rules"), SCENES, ids=[f"pair {scene.pair}" for scene, _ in SCENES])
async def test_a_scene_forces_what_it_says(scene: Scene, rules: Rules) -> None:
    for seed in range(3 if rules.match_target > 7 else 30):
        seen = await seen_in(scene, rules, seed)
        for step in scene.steps:
            wanted = {*step.needs, *(offered(what) for what in step.offers if what in (MARRIAGE, EXCHANGE, CLOSE))}
            # The bot may have played the nine of trumps, or what it had married, before it comes to lead.
            assert wanted - NEED_A_PROCESS <= seen, f"seed {seed}: {step.name}"


def test_the_bot_leads_to_no_marriage_before_the_step_that_is_about_it() -> None:
    names = [step.name for step in numbered()]
    assert len(names) == len(set(names)) == 30
    marry = names.index(steps.MARRY.name)
    assert {steps.BEAT.name, steps.SECOND.name, steps.SEVERAL.name} <= set(names[:marry])


def test_what_is_not_on_the_page_is_not_referred_to() -> None:
    """Each step names sections of protocol.md that are there, and words that stand there."""
    page = (HERE.parent.parent / "protocol.md").read_text("utf-8")
    titles = {line.lstrip("# ").strip().lower().replace(" ", "-") for line in page.splitlines() if line[:1] == "#"}
    for step in numbered():
        anchors = [word.partition("#")[2].strip(",;:") for word in step.where.split() if "#" in word]
        assert anchors
        for anchor in anchors:
            assert anchor.partition(":")[0] in titles, f"{step.name}: {anchor}"


# ---------------------------------------------------------------------------------------------------------- who passes


@pytest.mark.parametrize("name", sorted(path.parent.name for path in EXAMPLES.glob("*/bot.toml")))
async def test_an_example_bot_passes(name: str) -> None:
    """Those that are built; tests/kits builds them all and checks them in the sandbox."""
    spec = load_folder(EXAMPLES / name)
    if missing(spec) or not Path(spec.argv[0]).exists():
        pytest.skip(missing(spec) or "not built")
    done: list[StepReport] = []
    with trio.fail_after(DEADLINE_S):
        report = await check(spec, choose("none"), done.append)
    assert report.result == "passed", report.failure
    assert report.steps == done
    assert [step.number for step in done] == list(range(1, 31))
    assert report.exit_code == 0


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


# ------------------------------------------------------------------------------------------------- on the command line


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
