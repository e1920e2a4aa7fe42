"""The golden files are kept for ever: every later referee reads the logs, and sends the same bytes for a match."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256

import pytest
from golden import make

from referee.match.events import digest_of
from referee.store.matchlog import read_matches
from referee.store.replay import verify

FILES = make.files()
LOGS = sorted(name for name in FILES if name.endswith(".log.jsonl"))


def records(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (make.HERE / name).read_bytes().split(b"\n")[:-1]]


def test_every_golden_file_is_made_and_kept() -> None:
    assert {path.name for path in make.HERE.glob("*.jsonl")} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_golden_file_is_made_again_byte_for_byte(name: str) -> None:
    assert (make.HERE / name).read_bytes() == FILES[name]


@pytest.mark.parametrize("name", LOGS)
def test_a_golden_log_verifies(name: str) -> None:
    ((first, *rest),) = read_matches(make.HERE / name)
    assert verify([first, *rest]).match.endswith("-amber-birch-a")
    assert rest[-1].event.digest == digest_of(line.event for line in [first, *rest])  # type: ignore[union-attr]


@pytest.mark.parametrize("name", LOGS)
def test_the_digest_is_what_the_text_says(name: str) -> None:
    """Worked out from the file alone, as "The digest" in protocol.md has it."""
    digest = sha256()
    *lines, last = (make.HERE / name).read_bytes().split(b"\n")[:-1]
    for line in lines:
        record = json.loads(line)
        if record["type"] in ("act", "fault"):
            line = line[: line.index(b',"us":')] + b"}"
        elif record["type"] == "match":
            record["seats"] = [{"name": seat["name"]} for seat in record["seats"]]
            kept = {key: value for key, value in record.items() if key not in ("referee", "started")}
            line = json.dumps(kept, separators=(",", ":"), ensure_ascii=False).encode()
        digest.update(line + b"\n")
    assert json.loads(last)["digest"] == digest.hexdigest()


def test_match_1_has_one_of_everything() -> None:
    acts = Counter((act["seat"], act["action"]) for act in records("match-1.log.jsonl") if act["type"] == "act")
    assert all(acts[seat, "marriage"] for seat in (0, 1))
    assert acts[1, "exchange"]
    assert {act["phase"] for act in records("match-1.log.jsonl") if act.get("action") == "close"} == {"draw", "lead"}
    reasons = {end["reason"] for end in records("match-1.log.jsonl") if end["type"] == "deal_end"}
    assert reasons == {"declared", "false_declaration", "closer_made_it", "closer_failed", "played_out", "fault"}
    kinds = {fault["kind"] for name in LOGS for fault in records(name) if fault["type"] == "fault"}
    assert kinds == {"illegal", "timeout", "crash", "start"}
    ends = {records(name)[-1]["reason"] for name in LOGS}
    assert ends == {"target", "start_fault", "void"}


@pytest.mark.parametrize("seat", [0, 1])
def test_a_transcript_answers_each_request_once_and_in_order(seat: int) -> None:
    asked = [line for line in records(f"match-1.seat{seat}.to.jsonl") if line["type"] in ("hello", "turn")]
    answers = records(f"match-1.seat{seat}.from.jsonl")
    assert len(asked) == len(answers)
    assert asked[0]["type"] == "hello" and answers[0]["type"] == "ready"
    assert [turn["id"] for turn in asked[1:]] == [answer["id"] for answer in answers[1:]] == [*range(1, len(asked))]
    illegal = 0
    for turn, answer in zip(asked[1:], answers[1:], strict=True):
        action = {key: value for key, value in answer.items() if key not in ("id", "note")}
        illegal += action not in turn["legal"]  # type: ignore[operator]
    assert illegal == (seat == 0)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_log_and_a_transcript_tell_the_same_match(seat: int) -> None:
    logged = [
        json.loads(str(record["answer"])) if record["type"] == "fault" else record
        for record in records("match-1.log.jsonl")
        if record["type"] in ("act", "fault") and record["seat"] == seat
    ]
    answers = records(f"match-1.seat{seat}.from.jsonl")[1:]
    for answer, record in zip(answers, logged, strict=True):
        assert all(answer.get(key) == record.get(key) for key in ("action", "card", "suit", "note"))
