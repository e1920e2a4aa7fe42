"""A log verifies as it was written, and in no other form."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match.table import SEED, Played, header, play, random_chooser

from referee.errors import LogError
from referee.match.clock import Clock
from referee.match.events import FaultEvent, MatchEndEvent, encode
from referee.match.machine import Ask, Match, Record
from referee.rules.shuffle import deck
from referee.store.matchlog import LogWriter, read_matches
from referee.store.replay import Disagreement, frames, verify


def with_fault(seed: int, kind: str = "timeout") -> Played:
    """A match in which the first seat fails once, at its tenth turn."""
    choose = random_chooser(seed)
    turns = 0

    def chooser(ask: Ask) -> int | FaultEvent:
        nonlocal turns
        turns += 1
        if turns == 10:
            deal = played_deal(ask)
            return FaultEvent(deal=deal, seat=ask.seat, kind=kind, phase=ask.turn.phase, us=500)  # type: ignore[arg-type]
        return choose(ask)

    def played_deal(ask: Ask) -> int:
        return match_number[0]

    match_number = [1]
    return play(header(), chooser)


def write(path: Path, log: bytes) -> Path:
    path.write_bytes(log)
    return path


def check(path: Path) -> None:
    for lines in read_matches(path):
        verify(lines)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_replaying_a_log_gives_the_log(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    played = play(header(seed=f"{seed:064x}"), random_chooser(seed))
    path = write(tmp_path_factory.mktemp("log") / "m.jsonl", played.log)
    (lines,) = read_matches(path)
    assert [frame.event for frame in frames(lines)] == played.events


def test_several_matches_in_one_file_and_gzip(tmp_path: Path) -> None:
    one, two = play(header(), random_chooser(1)), play(header(name="2-a-b-a"), random_chooser(2))
    assert len(list(read_matches(write(tmp_path / "two.jsonl", one.log + two.log)))) == 2
    packed = write(tmp_path / "two.jsonl.gz", gzip.compress(one.log + two.log))
    check(packed)


def tampered(log: bytes, number: int, **fields: object) -> bytes:
    """The log with other values in line `number` (1-based)."""
    lines = log.splitlines(keepends=True)
    record = json.loads(lines[number - 1])
    record.update(fields)
    lines[number - 1] = json.dumps(record, separators=(",", ":")).encode() + b"\n"
    return b"".join(lines)


def first(log: bytes, kind: str, action: str | None = None) -> int:
    """The number of the first line of this type."""
    for number, line in enumerate(log.splitlines(), 1):
        record = json.loads(line)
        if record["type"] == kind and (action is None or record.get("action") == action):
            return number
    raise AssertionError(kind)


LOG = play(header(), random_chooser(3)).log
DEAL, ACT, END, OVER = (first(LOG, kind) for kind in ("deal", "act", "deal_end", "match_end"))


@pytest.mark.parametrize(
    ("number", "fields", "why"),
    [
        (1, {"first_dealer": 0}, "dealer"),
        (1, {"seed": "0" * 64}, "card 1 of the deck"),
        (1, {"seats": [{"name": "x"}, {"name": "b"}]}, "digest"),
        (DEAL, {"dealer": 0}, "dealer"),
        (DEAL, {"deck": ["9C"] * 24}, "card"),
        (ACT, {"seat": 1}, "turn of seat 0"),
        (ACT, {"action": "draw", "card": None}, "not legal"),
        (ACT, {"card": "ZZ"}, "no action"),
        (ACT, {"phase": "follow"}, "phase"),
        (END, {"winner": None}, "winner"),
        (END, {"game_points": 1, "score": [1, 0]}, "deal_end|game_points|score"),
        (END, {"card_points": [1, 2]}, "card_points"),
        (END, {"tricks": [9, 9]}, "tricks"),
        (OVER, {"score": [7, 6]}, "score"),
        (OVER, {"digest": "0" * 64}, "digest"),
        (OVER, {"deals": 99}, "deals"),
    ],
)
def test_a_changed_field_is_found_on_its_line_or_where_it_tells(
    tmp_path: Path, number: int, fields: dict[str, object], why: str
) -> None:
    with pytest.raises(Disagreement, match=why) as caught:
        check(write(tmp_path / "m.jsonl", tampered(LOG, number, **fields)))
    assert caught.value.line >= number


def test_every_single_card_that_is_changed_is_found(tmp_path: Path) -> None:
    lines = LOG.splitlines()
    for number, line in enumerate(lines, 1):
        record = json.loads(line)
        if record["type"] == "act" and record["action"] == "play":
            other = "9C" if record["card"] != "9C" else "AS"
            with pytest.raises(Disagreement):
                check(write(tmp_path / "m.jsonl", tampered(LOG, number, card=other)))


def test_every_line_that_is_dropped_or_doubled_is_found(tmp_path: Path) -> None:
    lines = LOG.splitlines(keepends=True)
    for at in range(len(lines)):
        for changed in (lines[:at] + lines[at + 1 :], lines[: at + 1] + lines[at:]):
            with pytest.raises((Disagreement, LogError)):
                check(write(tmp_path / "m.jsonl", b"".join(changed)))


@pytest.mark.parametrize(
    ("log", "line", "why"),
    [
        (LOG[:-1], LOG.count(b"\n"), "cut short"),
        (LOG[: LOG.rindex(b"\n", 0, -1) + 1], LOG.count(b"\n") - 1, "without a match_end"),
        (b"{]\n", 1, "damaged"),
        (b"\xff\xfe\n", 1, "damaged"),
        (b'{"type":"match","format":2,"new":[]}\n', 1, "log format 2 cannot be read here"),
        (tampered(LOG, 1, format=7), 1, "log format 7"),
        (LOG.split(b"\n", 1)[1], 1, "must begin with a match line"),
        (LOG + LOG.split(b"\n", 1)[1], LOG.count(b"\n") + 1, "must begin"),
    ],
)
def test_damage_is_told_from_disagreement(tmp_path: Path, log: bytes, line: int, why: str) -> None:
    with pytest.raises(LogError, match=why) as caught:
        check(write(tmp_path / "m.jsonl", log))
    assert caught.value.line == line


def test_a_log_with_a_fault_verifies(tmp_path: Path) -> None:
    check(write(tmp_path / "m.jsonl", with_fault(5).log))
    check(write(tmp_path / "n.jsonl", with_fault(5, "illegal").log))


def damaged(tmp_path: Path, log: bytes) -> str:
    with pytest.raises(LogError) as caught:
        check(write(tmp_path / "m.jsonl", log))
    return caught.value.why


@pytest.mark.parametrize("fields", [{"us": -1}, {"lag_us": -1}, {"seat": 7}, {"seat": -1}])
def test_numbers_that_cannot_be_are_damage(tmp_path: Path, fields: dict[str, object]) -> None:
    assert "damaged" in damaged(tmp_path, tampered(LOG, ACT, **fields))
    fault = with_fault(5).log
    assert "damaged" in damaged(tmp_path, tampered(fault, first(fault, "fault"), **fields))


def disagrees(tmp_path: Path, log: bytes, why: str) -> None:
    with pytest.raises(Disagreement, match=why):
        check(write(tmp_path / "m.jsonl", log))


def test_an_answer_after_the_limit_of_its_turn_cannot_be(tmp_path: Path) -> None:
    check(write(tmp_path / "m.jsonl", tampered(LOG, ACT, us=1_000_000)))
    disagrees(tmp_path, tampered(LOG, ACT, us=1_000_001), "us is 1000001, and an answer after 1000000 is a timeout")
    overdrawn = play(header(clock=Clock(move_ms=1000, match_ms=1)), random_chooser(3)).log
    disagrees(tmp_path, overdrawn, "us is 250, and an answer after 0 is a timeout")


@pytest.mark.parametrize(("field", "value"), [("deal", 9), ("phase", "draw"), ("limit_us", 5)])
def test_a_fault_stands_where_it_was_committed(tmp_path: Path, field: str, value: object) -> None:
    log = with_fault(5).log
    disagrees(tmp_path, tampered(log, first(log, "fault"), **{field: value}), f"{field} is")


def unstarted(*faults: FaultEvent) -> bytes:
    """A match in which these seats do not start, as the machine itself would write it."""
    match = Match(header(), lambda number: deck(SEED, number), lambda seat: False)
    effects = match.open_log() + match.cannot_start(faults)
    return b"".join(effect.line for effect in effects if isinstance(effect, Record))


def start_fault(seat: int, deal: int = 0) -> FaultEvent:
    return FaultEvent(deal=deal, seat=seat, kind="start", us=0)


def test_each_seat_can_fail_to_start_once(tmp_path: Path) -> None:
    for seats in ((0,), (1,), (0, 1)):
        check(write(tmp_path / "m.jsonl", unstarted(*map(start_fault, seats))))
    disagrees(tmp_path, unstarted(start_fault(1), start_fault(1)), "seat 1 has failed to start already")
    disagrees(tmp_path, unstarted(start_fault(0), start_fault(1), start_fault(0)), "seat 0 has failed to start already")
    disagrees(tmp_path, unstarted(start_fault(0, deal=3)), "deal is 3, the rules give 0")
    assert "damaged" in damaged(tmp_path, tampered(unstarted(start_fault(0)), 2, seat=7))


def test_nobody_is_started_while_a_turn_is_open(tmp_path: Path) -> None:
    log = b"".join(LOG.splitlines(keepends=True)[:ACT]) + encode(start_fault(0, deal=1))
    end = MatchEndEvent(1, "start_fault", (0, 7), 1, "")
    disagrees(tmp_path, log + encode(end), "a turn was open")


def test_a_corrupt_archive_is_damage(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(LOG))
    packed[200:260] = bytes(byte ^ 0x55 for byte in packed[200:260])
    with pytest.raises(LogError, match="cannot be read"):
        check(write(tmp_path / "m.jsonl.gz", bytes(packed)))


def test_unknown_fields_are_ignored(tmp_path: Path) -> None:
    check(write(tmp_path / "m.jsonl", tampered(LOG, ACT, mood="good")))


def test_a_log_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path, "1-a-b-a")
    writer.write(LOG)
    assert list(tmp_path.iterdir()) == []
    assert writer.commit().read_bytes() == LOG
    assert [entry.name for entry in tmp_path.iterdir()] == ["1-a-b-a.jsonl"]


def test_a_disk_that_refuses_leaves_nothing(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path / "nowhere", "1-a-b-a")
    writer.write(LOG)
    with pytest.raises(OSError, match="No such file"):
        writer.commit()
    assert list(tmp_path.iterdir()) == []


def test_a_compressed_log_reads_the_same(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path, "1-a-b-a", compress=True)
    writer.write(LOG)
    path = writer.commit()
    assert path.name == "1-a-b-a.jsonl.gz" and path.stat().st_size < len(LOG) / 4
    check(path)
