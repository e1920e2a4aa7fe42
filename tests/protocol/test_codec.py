"""Lines in, messages out: the table of odd lines in protocol.md, and round trips."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import msgspec
import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol.page import odd_lines

from referee.bots.process import BotProcess
from referee.bots.sandbox import choose
from referee.bots.spec import load_command
from referee.protocol import codec
from referee.protocol.codec import Malformed, action_of, decode_answer, decode_ready
from referee.protocol.framing import MAX_LINE
from referee.protocol.messages import (
    WIRE_ACTIONS,
    Answer,
    Both,
    CloseAnswer,
    DeclareAnswer,
    DrawAnswer,
    ExchangeAnswer,
    MarriageAnswer,
    PlayAnswer,
    Ready,
    Turn,
)
from referee.rules.cards import ACTIONS, CARDS

relaxed = settings(deadline=None)  # the machine may be busy
ODD = odd_lines()
OPEN_ID = 7
PARROT = """\
import sys
lines = [bytes.fromhex(word) for word in open(sys.argv[1]).read().split("\\n")]
for ask in sys.stdin.buffer:
    sys.stdout.buffer.write(lines[int(ask)] + b"\\n")
    sys.stdout.buffer.flush()
"""


def verdict(line: bytes) -> str:
    try:
        return "accepted" if decode_answer(line).id == OPEN_ID else "malformed"
    except Malformed as malformed:
        assert str(malformed)
        return "malformed"


# The table of odd lines


async def test_odd_lines_are_judged_as_the_text_says(tmp_path: Path) -> None:
    """Each of them comes from a real process, through the pipe, as the answer to a turn."""
    (tmp_path / "parrot.py").write_text(PARROT)
    (tmp_path / "lines").write_text("\n".join(line.hex() for line, _, _ in ODD))
    tmp_path.chmod(0o755)
    spec = load_command([sys.executable, "parrot.py", "lines"], tmp_path)
    found, layer = [], choose("none")
    async with trio.open_nursery() as nursery:
        bot = BotProcess.spawn(spec, layer, nursery)
        for number in range(len(ODD)):
            reply = await bot.ask(b"%d\n" % number, 10_000_000)
            if reply.line is not None:
                found.append(verdict(reply.line))
                continue
            assert reply.failure == "too_long", bot.stderr_tail()
            found.append("malformed")
            await bot.kill()
            bot = BotProcess.spawn(spec, layer, nursery)
        await bot.kill()
        nursery.cancel_scope.cancel()
    for (line, why, expected), judged in zip(ODD, found, strict=True):
        assert judged == expected or expected == "either", (why, line[:80])


def test_the_table_has_what_the_text_speaks_of() -> None:
    lengths = [len(line) for line, _, _ in ODD]
    assert MAX_LINE in lengths and MAX_LINE + 1 in lengths
    assert {expected for _, _, expected in ODD} == {"accepted", "malformed", "either"}
    assert len({line for line, _, _ in ODD}) == len(ODD) > 60


@pytest.mark.parametrize("line", [line for line, _, expected in ODD if expected == "accepted"])
def test_what_is_accepted_is_json_for_others_too(line: bytes) -> None:
    """Or nearly: Python's own decoder, which is not asked about UTF-8 in what is skipped, or about huge numbers."""
    record = json.loads(line.decode("utf-8", "replace"), parse_int=lambda digits: int(digits[:9]))
    assert record["id"] == OPEN_ID


# Answers

notes = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=50)
ids = st.integers(-(2**63), 2**64 - 1)
answers = st.one_of(
    st.builds(PlayAnswer, id=ids, card=st.sampled_from(CARDS), note=notes),
    st.builds(MarriageAnswer, id=ids, suit=st.sampled_from("CDHS"), note=notes),
    *(st.builds(kind, id=ids, note=notes) for kind in (ExchangeAnswer, CloseAnswer, DeclareAnswer, DrawAnswer)),
)


@relaxed
@given(answers)
def test_an_answer_comes_back_as_it_was(answer: Answer) -> None:
    assert decode_answer(msgspec.json.encode(answer)) == answer


@relaxed
@given(answers)
def test_an_answer_that_python_wrote_comes_back_as_it_was(answer: Answer) -> None:
    assert decode_answer(json.dumps(msgspec.to_builtins(answer)).encode()) == answer


@relaxed
@given(st.binary(max_size=80) | st.text(max_size=80).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_an_answer_or_malformed(line: bytes) -> None:
    for decode in (decode_answer, decode_ready):
        try:
            decode(line)
        except Malformed as malformed:
            assert str(malformed).isprintable()


@relaxed
@given(answers, st.data())
def test_an_answer_that_is_damaged_is_an_answer_or_malformed(answer: Answer, data: st.DataObject) -> None:
    line = bytearray(msgspec.json.encode(answer))
    line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    verdict(bytes(line))


@pytest.mark.parametrize("code", range(len(ACTIONS)))
def test_each_legal_action_is_sent_back_with_its_id(code: int) -> None:
    fields = json.loads(msgspec.json.encode(WIRE_ACTIONS[code]))
    answer = decode_answer(json.dumps({"id": 1, **fields}).encode())
    assert action_of(answer) == code
    assert {key: value for key, value in fields.items() if key != "action"} == {
        key: value for key in ("card", "suit") if (value := getattr(ACTIONS[code], key)) is not None
    }


# Ready


@relaxed
@given(st.text(max_size=50), st.text(max_size=50), st.booleans())
def test_ready_comes_back_as_it_was(name: str, version: str, close_before_draw: bool) -> None:
    line = json.dumps({"type": "ready", "name": name, "version": version, "close_before_draw": close_before_draw})
    try:
        name.encode(), version.encode()
    except UnicodeEncodeError:
        with pytest.raises(Malformed):
            decode_ready(line.encode())
    else:
        assert decode_ready(line.encode()) == Ready(name, version, close_before_draw)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"type":"ready","protocol":2}', "protocol 2 is not spoken here, only 1"),
        (b'{"type":"steady"}', "steady"),
        (b'{"type":"ready","name":7}', "name"),
        (b'{"type":"ready","close_before_draw":"no"}', "close_before_draw"),
        (b"ready", "not JSON"),
        (b"", "not JSON"),
        (b"[]", "Expected `object`"),
    ],
)
def test_what_is_not_ready(line: bytes, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        decode_ready(line)


# Messages to bots


def test_a_line_ends_with_its_only_newline() -> None:
    line = codec.encode(Turn(1, "lead", ["AS"], "H", None, 0, None, None, [WIRE_ACTIONS[23]], None, None))
    assert line.endswith(b"}\n") and line.count(b"\n") == 1


def test_running_totals_are_not_sent_unless_given() -> None:
    turn = Turn(1, "lead", ["AS"], "H", None, 0, None, None, [WIRE_ACTIONS[23]], None, None)
    assert b"card_points" not in codec.encode(turn)
    turn.card_points = Both(1, 2)
    assert codec.encode(turn).endswith(b',"card_points":{"you":1,"opponent":2}}\n')
