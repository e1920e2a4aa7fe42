"""`referee rerun`: the bytes of the match again, and where a bot answers otherwise than it did."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import trio
from faults.arena import nothing_left
from golden import make

from referee.bots.sandbox import choose
from referee.bots.spec import BotSpec, load_command
from referee.errors import BotStartError
from referee.match.events import FaultEvent
from referee.match.view import with_id
from referee.store.conversation import Asked, Dealt, Lost, Told, conversation, first_id
from referee.store.matchlog import Line, read_matches
from referee.tournament.rerun import Difference, Outcome, Watch, rerun, seat_of

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"
LOG = GOLDEN / "match-1.log.jsonl"
DEADLINE_S = 30


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """Nothing is left of any bot."""
    with nothing_left():
        yield


def lines_of(log: Path) -> list[Line]:
    return next(iter(read_matches(log)))


# A bot that reads what to answer, turn by turn, from a file of answers, and writes down what it reads.
RECITES = """
import json, sys
answers, heard = open(sys.argv[1]), open(sys.argv[2], "a")
for line in sys.stdin:
    heard.write(line)
    heard.flush()
    kind = json.loads(line)["type"]
    if kind in ("hello", "turn"):
        text = answers.readline()
        if text == "die\\n":
            sys.exit("as was wished")
        sys.stdout.write(text)
        sys.stdout.flush()
"""


def reciter(folder: Path, answers: list[str]) -> BotSpec:
    (folder / "bot.py").write_text(RECITES)
    (folder / "answers").write_text("".join(answers))
    return load_command([sys.executable, "-S", "bot.py", "answers", str(folder / "heard")], folder)


@cache
def made(name: str) -> bytes:
    """A golden file as the machine makes it today: what is sent comes from the play, not from the log."""
    return make.files()[f"match-1.{name}.jsonl"]


def recorded(seat: int) -> list[str]:
    return (GOLDEN / f"match-1.seat{seat}.from.jsonl").read_text("utf-8").splitlines(keepends=True)


async def again(spec: BotSpec, log: Path = LOG, seat: int = 0, only: int | None = None) -> tuple[Outcome, list[int]]:
    """The outcome, and the pids of the processes."""
    pids: list[int] = []
    found: list[Difference] = []
    with trio.fail_after(DEADLINE_S):
        watch = Watch(pids.append, found.append)
        outcome = await rerun(lines_of(log), seat, spec, choose("none"), watch, only)
    assert found == outcome.differences
    return outcome, pids


@pytest.mark.parametrize("seat", [0, 1])
async def test_the_bot_is_sent_the_bytes_of_the_match(seat: int, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(made("log"))
    outcome, pids = await again(reciter(tmp_path, recorded(seat)), log, seat)
    assert (tmp_path / "heard").read_bytes() == made(f"seat{seat}.to")
    assert outcome.asked == len(recorded(seat)) - 1
    assert len(pids) == 1
    # Seat 0 repeats its illegal action; every other answer is the one in the log.
    assert not outcome.differences


async def test_an_answer_that_differs_is_said_and_the_match_goes_on_as_it_went(tmp_path: Path) -> None:
    answers = recorded(1)
    answers[1] = answers[1].replace('"AC"', '"QC"')
    answers[2] = '{"id": 2, "action": "play", "card": "AS"}\n'  # lies face up
    answers[3] = "playing JH\n"
    answers[4] = '{"id": 77, "action": "declare"}\n'
    outcome, _ = await again(reciter(tmp_path, answers), seat=1)
    shown = [(each.deal, each.turn, each.recorded, each.verdict) for each in outcome.differences]
    assert shown == [
        (1, 1, "play AC", "legal"),
        (1, 2, "exchange", "illegal"),
        (1, 3, "play JH", "malformed"),
        (1, 4, "play TH", "malformed"),
    ]
    first, second, third, _ = outcome.differences
    assert (first.now, second.now) == ("play QC", "play AS")
    assert first.position == "to answer 9C, holding QC AC KD AD JH 9S; trump S (AS face up), stock 12"
    assert "stderr" in third.hint
    assert (tmp_path / "heard").read_bytes() == made("seat1.to")


async def test_one_deal_begins_as_for_a_process_started_in_the_midst(tmp_path: Path) -> None:
    ready, *rest = recorded(1)
    outcome, _ = await again(reciter(tmp_path, [ready, *rest]), seat=1, only=3)
    heard = [json.loads(line) for line in (tmp_path / "heard").read_text("utf-8").splitlines()]
    deals = [item for item in conversation(lines_of(LOG), 1) if isinstance(item, Asked) and item.deal == 3]
    assert [message["type"] for message in heard[:3]] == ["hello", "match", "deal"]
    assert heard[1]["score"] == heard[2]["score"] != {"you": 0, "opponent": 0}
    assert heard[2]["deal"] == 3
    assert [message["id"] for message in heard if message["type"] == "turn"] == list(range(1, len(deals) + 1))
    assert outcome.asked == len(deals)


async def test_a_bot_that_dies_gets_a_new_process_for_the_next_deal(tmp_path: Path) -> None:
    ready, *rest = recorded(1)
    outcome, pids = await again(reciter(tmp_path, [ready, rest[0], "die\n"]), seat=1)
    # The file of answers is read from its beginning by each process, and each dies at its second turn.
    assert len(pids) == 6
    crash = outcome.differences[0]
    assert (crash.deal, crash.turn, crash.verdict) == (1, 2, "crash")
    assert "exit code 1" in crash.now and "as was wished" in crash.hint


async def test_processes_are_renewed_where_they_were(tmp_path: Path) -> None:
    """A time-out, then a crash of seat 1: what is in the log of each deal goes to a process of its own."""
    ready, lead, answer = '{"type":"ready"}\n', '{"id":1,"action":"declare"}\n', '{"id":1,"action":"declare"}\n'
    log = GOLDEN / "match-2.log.jsonl"
    items = list(conversation(lines_of(log), 1))
    assert [type(item) for item in items if not isinstance(item, Told)] == [Dealt, Asked, Lost, Dealt, Asked, Lost]
    outcome, pids = await again(reciter(tmp_path, [ready, lead, answer]), log, 1)
    heard = [json.loads(line) for line in (tmp_path / "heard").read_text("utf-8").splitlines()]
    assert [message["type"] for message in heard] == [
        "hello", "match", "deal", "turn",
        "hello", "match", "deal", "action", "turn",
    ]  # fmt: skip
    assert [message["score"]["opponent"] for message in heard if message["type"] == "match"] == [0, 3]
    assert [message["id"] for message in heard if message["type"] == "turn"] == [1, 1]
    assert len(pids) == 2
    shown = [(each.deal, each.recorded.partition(":")[0], each.now) for each in outcome.differences]
    assert shown == [(1, "timeout", "declare"), (2, "crash", "declare")]


def test_ids_follow_from_a_fault() -> None:
    """A process counts its turns from match to match; only a fault says where it stood."""
    lines = lines_of(LOG)
    assert first_id(conversation(lines, 0)) == first_id(conversation(lines, 1)) == 1
    fault = next(line.event for line in lines if isinstance(line.event, FaultEvent))
    assert fault.id is not None
    fault.id += 100
    assert first_id(conversation(lines, 0)) == 101
    told = [item.line for item in conversation(lines, 0) if isinstance(item, Told) and b'"fault"' in item.line[:20]]
    assert [json.loads(line)["id"] for line in told] == [fault.id]


def test_requests_are_those_of_the_evidence() -> None:
    """The log keeps the request of a fault as it was sent."""
    asked = [item for item in conversation(lines_of(LOG), 0) if isinstance(item, Asked)]
    faults = [(number, item) for number, item in enumerate(asked, 1) if isinstance(item.recorded, FaultEvent)]
    assert faults
    for number, item in faults:
        assert isinstance(item.recorded, FaultEvent)
        assert with_id(number, item.request).decode() == item.recorded.request


def test_the_seat_is_that_of_the_name_or_of_the_fault() -> None:
    lines = lines_of(LOG)
    assert [seat_of(lines, name) for name in ("amber", "birch", "cedar")] == [0, 1, 0]
    faultless = [line for line in lines if not isinstance(line.event, FaultEvent)]
    assert [seat_of(faultless, name) for name in ("amber", "birch", "Birch the Bold", "cedar")] == [0, 1, 1, 0]


async def test_a_bot_that_does_not_start(tmp_path: Path) -> None:
    spec = load_command([sys.executable, "-c", "raise SystemExit('no table found')"], tmp_path)
    with pytest.raises(BotStartError, match="no table found"):
        await again(spec)


# ------------------------------------------------------------------------------------------------- on the command line


def referee(*arguments: str, folder: Path = HERE) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "referee", "rerun", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )


def test_the_command_says_pid_differences_and_how_many(tmp_path: Path) -> None:
    answers = recorded(1)
    answers[1] = answers[1].replace('"AC"', '"QC"')
    reciter(tmp_path, answers)
    bot = f"{sys.executable} -S bot.py answers heard"
    done = referee(str(LOG), "--bot", bot, "--seat", "1", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("pid ")
    first, last = done.stdout.splitlines()
    assert first.split("\t")[0] == "deal 1, turn 1"
    assert first.split("\t")[2:] == ["recorded: play AC", "now: play QC"]
    assert last == f"seat 1: {len(answers) - 1} answers, {len(answers) - 2} as recorded, 1 not"


def test_exit_code_0_when_nothing_differs_and_stderr_goes_through(tmp_path: Path) -> None:
    reciter(tmp_path, recorded(0))
    script = tmp_path / "bot.py"
    script.write_text("import sys; print('good morning', file=sys.stderr, flush=True)\n" + script.read_text())
    bot = f"{sys.executable} -S bot.py answers heard"
    done = referee(str(LOG), "--bot", bot, "--stderr", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "good morning" in done.stderr
    assert json.loads(done.stdout) == {"seat": 0, "asked": len(recorded(0)) - 1, "differences": []}
    assert "good morning" not in referee(str(LOG), "--bot", bot, folder=tmp_path).stderr


def test_what_cannot_be_meant_is_a_usage_error(tmp_path: Path) -> None:
    bot = f"{sys.executable} -S bot.py answers heard"
    reciter(tmp_path, recorded(0))
    assert referee(str(LOG), "--bot", bot, "--deal", "99", folder=tmp_path).returncode == 2
    assert referee(str(LOG), "--bot", bot, "--match", "nobody", folder=tmp_path).returncode == 2
    assert referee(str(LOG), "--bot", "no-such-bot", folder=tmp_path).returncode == 2
    assert referee(str(tmp_path / "none.jsonl"), "--bot", bot, folder=tmp_path).returncode == 2
