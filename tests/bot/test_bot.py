"""The helper for bots: it answers as the protocol says, and remembers what a player can know."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from bot.truth import HELLO, Closer, Legal, compare, number_of, play

import referee.bot
import referee.rules
from referee.bot import Action, Bot, View
from referee.bot.memory import not_held
from referee.match.machine import Ask
from referee.rules import DRAW, DRAWING, Deal, Rules, card

GOLDEN = Path(__file__).parent.parent / "golden"
SCORE = {"you": 0, "opponent": 0}
HAND = ["QC", "KC", "KD", "AD", "JH", "9S"]
DEAL = {"type": "deal", "deal": 1, "dealer": "opponent", "hand": HAND, "trump_card": "AS", "score": SCORE}
TURN = {
    "type": "turn", "id": 5, "phase": "lead", "hand": HAND, "trump": "S", "trump_card": "AS", "stock": 12,
    "closed_by": None, "led": None, "legal": [{"action": "play", "card": "QC"}, {"action": "marriage", "suit": "C"}],
    "move_ms": 1000, "match_ms": None,
}  # fmt: skip
VARIANTS = (Rules(), Rules(must_beat=False, declare_at=50), Rules(trump_marriage_points=60, close_before_draw=False))


@pytest.mark.parametrize("module", [referee.bot, referee.rules], ids=lambda module: module.__name__)
def test_the_examples_in_the_documentation_run(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted >= 8 and not result.failed


# What it remembers


@pytest.mark.parametrize("rules", VARIANTS)
def test_what_it_remembers_is_the_truth_at_every_turn(rules: Rules) -> None:
    met: Counter[str] = Counter()

    def check(view: View, ask: Ask, deal: Deal) -> None:
        compare(view, deal, ask.seat)
        met["has"] += bool(view.opponent_has)
        met["lacks"] += bool(view.opponent_lacks)
        met["draw phase"] += view.phase == "draw"
        met["announced"] += view.announced is not None
        met["first there"] += view.first_there is not None
        met["closed by both"] |= 1 << (view.closed_by == "you") if view.closed_by else 0

    for seed in range(40):
        play((Closer(), Legal()) if seed % 2 else (Legal(), Closer()), seed, check, rules)
    assert met["closed by both"] == 3
    assert all(met[what] for what in ("has", "lacks", "announced", "first there"))
    assert bool(met["draw phase"]) is rules.close_before_draw


class Recorded(Legal):
    """Answers what was recorded, legal or not; keeps what it saw."""

    def __init__(self, answers: list[dict[str, Any]]) -> None:
        ready, *self._answers = answers
        self.name, self.version = ready["name"], ready["version"]
        self.close_before_draw = ready.get("close_before_draw", False)
        self.views: list[View] = []

    def choose(self, view: View) -> Action:
        answer = self._answers[len(self.views)]
        self.views.append(view)
        self.note = answer.get("note", "")
        return Action(answer["action"], answer.get("card"), answer.get("suit"))


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_bytes().splitlines()]


def asked(seat: int) -> Iterator[Deal]:
    """The engine at each turn of this seat in the golden match, from its log; it is used before the next is made."""
    deal, dealer = Deal(range(24), 0), 0
    for record in records("match-1.log.jsonl"):
        if record["type"] == "deal":
            dealer = record["dealer"]
            deal = Deal([card(name) for name in record["deck"]], dealer)
        elif record["type"] in ("act", "fault"):
            if deal.phase == DRAWING and record["phase"] != "draw":
                deal.apply(DRAW)
            if record["seat"] == seat:
                yield deal
            if record["type"] == "act":
                deal.apply(number_of(record))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_recorded_match_is_answered_and_remembered_as_it_was(seat: int) -> None:
    answers = records(f"match-1.seat{seat}.from.jsonl")
    bot, out = Recorded(answers), BytesIO()
    bot.run(BytesIO((GOLDEN / f"match-1.seat{seat}.to.jsonl").read_bytes()), out)
    written = [json.loads(line) for line in out.getvalue().splitlines()]
    assert written == [{"close_before_draw": False, **answers[0]}, *answers[1:]]
    truth = asked(seat)
    for view in bot.views:
        compare(view, next(truth), seat)
    assert next(truth, None) is None


@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_that_answers_otherwise_can_be_tried_with_the_same_recording(seat: int) -> None:
    bot, out = Legal(), BytesIO()
    recording = (GOLDEN / f"match-1.seat{seat}.to.jsonl").read_bytes()
    bot.run(BytesIO(recording), out)
    turns = [turn for turn in map(json.loads, recording.splitlines()) if turn["type"] == "turn"]
    _, *answers = map(json.loads, out.getvalue().splitlines())
    for turn, answer in zip(turns, answers, strict=True):
        assert answer.pop("id") == turn["id"] and answer in turn["legal"]


def test_a_deal_of_the_match_tells_the_score_and_the_dealer() -> None:
    seen: list[tuple[int, str, int, int]] = []

    def check(view: View, ask: Ask, deal: Deal) -> None:
        if ask.seat == 0:
            seen.append((view.deal, view.dealer, view.score.you, view.score.opponent))

    match = play((Legal(), Legal()), 3, check)
    assert seen == sorted(seen, key=lambda each: each[0])
    assert {number: dealer for number, dealer, *_ in seen} == {
        number: "opponent" if number % 2 else "you" for number, *_ in seen
    }
    assert max(seen[-1][2:]) < 7 <= max(match.score)


def hearing(*messages: dict[str, Any], **turn: Any) -> View:
    """The next turn, after these messages."""
    bot = Legal()
    for message in ({**HELLO, "rules": {}}, DEAL, *messages, {**TURN, **turn}):
        bot.answer(message)
    return bot.seen


def did(action: str, **what: str) -> dict[str, Any]:
    return {"type": "action", "by": "opponent", "action": action, **what}


def took(led: str, answer: str, winner: str) -> dict[str, Any]:
    return {"type": "trick", "winner": winner, "cards": [led, answer], "card_points": 4}


def test_the_card_that_the_opponent_exchanged_for_is_his() -> None:
    assert hearing(did("exchange"), trump_card="9S").opponent_has == ("AS",)
    assert hearing(did("exchange"), did("play", card="AS"), trump_card="9S", led="AS").opponent_has == ()


def test_the_rest_of_his_marriage_is_his_until_he_plays_it() -> None:
    married = [did("marriage", suit="H"), did("play", card="KH")]
    view = hearing(*married, led="KH")
    assert (view.opponent_has, view.marriages.opponent, view.points.opponent) == (("QH",), 20, 0)
    view = hearing(*married, took("KH", "JH", "opponent"), did("play", card="QH"), led="QH")
    assert (view.opponent_has, view.points.opponent) == ((), 24)


@pytest.mark.parametrize(("drawn", "his"), [("AS", ()), ("9H", ("AS",))])
def test_who_has_not_drawn_the_last_face_down_card_has_the_trump_card(drawn: str, his: tuple[str, ...]) -> None:
    draws = [{"type": "draw", "card": card} for card in ("9C", "JC", "TC", "AC", "9D", drawn)]
    before = hearing(*draws[:5], stock=2)
    assert (before.opponent_has, before.trump_card) == ((), "AS")
    assert hearing(*draws, stock=0, trump_card=None).opponent_has == his


@pytest.mark.parametrize(
    ("led", "answer", "must_beat", "gone"),
    [
        ("JH", "9H", True, "QH KH TH AH"),  # did not beat
        ("JH", "9H", False, ""),
        ("JH", "QH", True, ""),  # beat, and may have more
        ("JH", "9S", True, "9H JH QH KH TH AH"),  # trumped
        ("JH", "9C", True, "9H JH QH KH TH AH 9S JS QS KS TS AS"),  # neither followed nor trumped
        ("JS", "9C", True, "9S JS QS KS TS AS"),  # a trump was led
        ("JS", "9S", True, "QS KS TS AS"),
    ],
)
def test_an_answer_in_strict_play_tells_what_is_not_held(led: str, answer: str, must_beat: bool, gone: str) -> None:
    assert not_held(led, answer, "S", must_beat) == set(gone.split())


# What it says


def test_ready_has_what_the_class_says() -> None:
    class Named(Legal):
        name, version, close_before_draw = "Ann Other", "3", True

    assert Named().answer({**HELLO, "rules": {}}) == {
        "type": "ready", "name": "Ann Other", "version": "3", "close_before_draw": True
    }  # fmt: skip
    assert Legal().answer({**HELLO, "rules": {}}) == {
        "type": "ready", "name": "Legal", "version": "", "close_before_draw": False
    }  # fmt: skip


class Says(Bot):
    """Returns what it was made with."""

    def __init__(self, what: Any, note: str = "") -> None:
        self._what, self._note = what, note

    def choose(self, view: View) -> Action:
        self.note = self._note
        return self._what  # type: ignore[no-any-return]


@pytest.mark.parametrize("what", [Action("play", card="QC"), card("QC")])
def test_an_action_may_be_its_number(what: object) -> None:
    bot = Says(what, "low")
    bot.answer(DEAL)
    assert bot.answer(TURN) == {"id": 5, "action": "play", "card": "QC", "note": "low"}


@pytest.mark.parametrize("what", [None, "play QC", {"action": "play", "card": "QC"}])
def test_anything_else_is_said_at_once(what: object) -> None:
    bot = Says(what)
    bot.answer(DEAL)
    with pytest.raises(TypeError, match=r"choose returned .*; expected one of view\.legal"):
        bot.answer(TURN)


def test_a_note_is_not_sent_again_with_the_next_action() -> None:
    bot = Says(card("QC"), "low")
    bot.answer(DEAL)
    assert bot.answer(TURN)
    bot._note = ""
    assert bot.answer(TURN) == {"id": 5, "action": "play", "card": "QC"}


def test_rules_fields_and_types_of_a_later_referee_are_passed_over() -> None:
    bot = Says(card("QC"))
    assert bot.answer({**HELLO, "rules": {"declare_at": 50, "no_such_rule": 1}, "more": []})
    assert bot.rules == Rules(declare_at=50)
    assert bot.answer({"type": "weather", "sunny": True}) is None
    bot.answer({**DEAL, "more": 1})
    assert bot.answer({"type": "weather"}) is None
    assert bot.answer({**TURN, "more": 1})


def test_the_same_seed_makes_the_same_choices() -> None:
    bots = [Legal(), Legal(), Legal()]
    for bot, seed in zip(bots, (7, 7, 8), strict=True):
        bot.answer({"type": "match", "match": "m", "target": 7, "seed": seed, "score": SCORE})
    assert bots[0].rng.random() == bots[1].rng.random() != bots[2].rng.random()


# As a process

PROGRAM = """
import sys
from referee.bot import Bot
class Program(Bot):
    def choose(self, view):
        print("debug")
        {body}
Program().run()
"""


def run(body: str, *messages: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    command = [sys.executable, "-c", PROGRAM.format(body=body)]
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("end", [[{"type": "bye"}, TURN], []])
def test_a_process_leaves_at_bye_and_at_the_end_of_its_input(end: list[dict[str, Any]]) -> None:
    done = run("return view.legal[0]", {**HELLO, "rules": {}}, DEAL, TURN, *end)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2)
    assert json.loads(done.stdout.splitlines()[1]) == {"id": 5, "action": "play", "card": "QC"}


def test_what_choose_prints_goes_to_stderr() -> None:
    done = run("return view.legal[0]", {**HELLO, "rules": {}}, DEAL, TURN)
    assert done.stderr == "debug\n"


def test_an_exception_ends_the_process_with_a_traceback() -> None:
    done = run("raise LookupError('no idea')", {**HELLO, "rules": {}}, DEAL, TURN)
    assert done.returncode == 1
    assert "Traceback" in done.stderr and done.stderr.endswith("LookupError: no idea\n")
    assert len(done.stdout.splitlines()) == 1


class Pipe(BytesIO):
    """Notes what had been written whenever it was flushed."""

    def __init__(self) -> None:
        super().__init__()
        self.flushed: list[int] = []

    def flush(self) -> None:
        self.flushed.append(len(self.getvalue().splitlines()))


def test_each_answer_is_flushed_at_once_and_crlf_is_read() -> None:
    bot, out = Says(card("QC")), Pipe()
    messages = [{**HELLO, "rules": {}}, DEAL, TURN, TURN, {"type": "bye"}]
    bot.run(BytesIO(b"".join(json.dumps(message).encode() + b"\r\n" for message in messages)), out)
    assert out.flushed == [1, 2, 3]


def test_it_starts_without_what_only_the_referee_needs() -> None:
    code = "import sys, referee.bot; print({'trio', 'rich', 'typer', 'asyncio', 'referee.match'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "set()\n"
