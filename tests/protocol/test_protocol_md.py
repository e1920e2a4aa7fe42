"""protocol.md says what the program does: its examples, numbers, vectors, tables, pseudo-code and bots."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest
import trio
from golden import make
from protocol import page

from referee.bots import evidence, launch, player, stderr
from referee.bots.driver import play_match
from referee.bots.player import Player
from referee.bots.sandbox import choose
from referee.bots.spec import load_bot
from referee.match import events
from referee.match.clock import Clock
from referee.match.events import Event, FaultEvent
from referee.protocol import framing, messages
from referee.protocol.codec import decode_answer, decode_ready
from referee.protocol.messages import Answer, FaultKind, Ready, ToBot
from referee.rules.cards import ACTIONS, CARDS, SUITS, cards_in, names
from referee.rules.deal import OVER, PHASES, Deal
from referee.rules.ruleset import Rules
from referee.rules.scoring import Reason
from referee.rules.shuffle import bot_seed, commitment, deck, pair_seed

TEN, PLAIN = (block.text for block in page.blocks("python"))
TO_BOT = {kind.__struct_config__.tag: kind for kind in get_args(ToBot)}
LOG = {kind.__struct_config__.tag: kind for kind in get_args(Event)}
GOLDEN = {path.name: path.read_text("utf-8").splitlines() for path in page.GOLDEN.glob("*.jsonl")}


# Examples


def examples(*sections: str) -> list[tuple[str, str]]:
    """The lines of the JSON blocks of these sections, each with its heading."""
    return [
        (block.heading, line)
        for section in sections
        for block in page.blocks("json", section)
        for line in block.text.splitlines()
    ]


def decode_from_bot(line: bytes) -> Ready | Answer:
    return decode_ready(line) if b'"ready"' in line else decode_answer(line)


def fields_of(message: object) -> dict[str, Any]:
    return {key: value for key, value in msgspec.to_builtins(message).items() if value is not None}


SENT, ANSWERED, LOGGED = (
    examples("What the referee sends"),
    examples("What the bot answers"),
    examples("The match log", "Faults"),
)


def test_every_json_block_is_one_of_these() -> None:
    assert len(SENT) + len(ANSWERED) + len(LOGGED) == sum(len(b.text.splitlines()) for b in page.blocks("json"))


@pytest.mark.parametrize(("heading", "line"), SENT)
def test_an_example_of_what_is_sent(heading: str, line: str) -> None:
    message: Any = msgspec.json.decode(line, type=ToBot)
    assert type(message) is TO_BOT[heading]
    assert msgspec.json.encode(message).decode() == line
    assert any(line in GOLDEN[f"match-1.seat{seat}.to.jsonl"] for seat in (0, 1))


@pytest.mark.parametrize(("heading", "line"), ANSWERED)
def test_an_example_of_an_answer(heading: str, line: str) -> None:
    message = decode_from_bot(line.encode())
    assert json.loads(line).items() <= msgspec.to_builtins(message).items()
    assert any(line in GOLDEN[f"match-1.seat{seat}.from.jsonl"] for seat in (0, 1))


@pytest.mark.parametrize(("heading", "line"), LOGGED)
def test_an_example_of_the_log(heading: str, line: str) -> None:
    event = msgspec.json.decode(line, type=Event)
    assert type(event) is LOG[heading.lower().removesuffix("s")]
    assert events.encode(event).decode() == line + "\n"
    assert line in GOLDEN["match-1.log.jsonl"]


def test_every_message_and_every_action_has_an_example() -> None:
    assert {heading for heading, _ in SENT} == set(TO_BOT)
    assert {json.loads(line).get("action") for _, line in ANSWERED} == {None, *(act.kind for act in ACTIONS)}
    assert {json.loads(line)["phase"] for heading, line in SENT if heading == "turn"} == set(PHASES[:3])
    assert {json.loads(line)["type"] for _, line in LOGGED} == set(LOG)


def test_the_deal_is_the_first_of_the_golden_transcript() -> None:
    (block,) = page.blocks("", "A deal as it goes over the pipe")
    lines = [line for line in block.text.splitlines() if line]
    sent = [line[2:] for line in lines if line.startswith("> ")]
    answers = [line[2:] for line in lines if line.startswith("< ")]
    assert sent == GOLDEN["match-1.seat1.to.jsonl"][: len(sent)]
    assert answers == GOLDEN["match-1.seat1.from.jsonl"][: len(answers)]
    assert json.loads(sent[-1])["type"] == "deal_end"
    for before, line in pairwise(lines):
        asked = '"type":"hello"' in before or '"type":"turn"' in before
        assert asked is line.startswith("< ")


# Tables


def names_in(section: str, heading: str) -> list[str]:
    return [page.code(row[0]) for row in page.table(section, heading, "field")]


def whole(name: str) -> bool:
    return "." not in name


@pytest.mark.parametrize("tag", [tag for tag in TO_BOT if tag != "bye"])
def test_every_field_that_is_sent_is_explained(tag: str) -> None:
    explained = [name for name in names_in("What the referee sends", tag) if whole(name)]
    assert explained == list(TO_BOT[tag].__struct_fields__)


def test_every_field_of_the_clock_is_explained() -> None:
    inner = [name for name in names_in("What the referee sends", "hello") if not whole(name)]
    assert inner == [f"clock.{name}" for name in messages.ClockLimits.__struct_fields__]


def test_every_field_of_an_answer_is_explained() -> None:
    assert names_in("What the bot answers", "ready") == ["type", *Ready.__struct_fields__]
    fields = {name for kind in get_args(Answer) for name in kind.__struct_fields__}
    assert set(names_in("What the bot answers", "An action")) == {"action", *fields}


@pytest.mark.parametrize("tag", LOG)
def test_every_field_of_the_log_is_explained_in_its_order(tag: str) -> None:
    explained = names_in("The match log", tag)
    assert [name for name in explained if whole(name)] == list(LOG[tag].__struct_fields__)
    if tag == "match":
        inner = [name for name in explained if not whole(name)]
        assert inner == [f"seats[].{name}" for name in events.SeatInfo.__struct_fields__]


def test_the_rules_and_their_defaults() -> None:
    rows = page.table("The rules", "The rules as fields")
    assert {page.code(name): json.loads(value.strip("`")) for name, value, *_ in rows} == msgspec.to_builtins(Rules())
    assert {rule for row in rows for rule in row[2].split(", ")} - {""} <= {f"R{n}" for n in range(1, 27)}


def test_reasons_and_kinds_of_faults() -> None:
    reasons = page.table("What the referee sends", "deal_end", "reason")
    assert {page.code(row[0]) for row in reasons} == set(get_args(Reason))
    kinds = {page.code(kind): fate for kind, _, fate in page.table("Faults")}
    assert list(kinds) == list(get_args(FaultKind))
    ends = next(row for row in page.table("The match log", "match_end") if row[0] == "`reason`")[2]
    assert all(f"`{reason}`" in ends for reason in get_args(events.MatchReason))


def test_the_rules_are_all_there_and_in_order() -> None:
    found = re.findall(r"^- \*\*(R\d+)\*\* ", page.TEXT, re.MULTILINE)
    assert found == [f"R{number}" for number in range(1, 27)]


def test_the_numbers_in_the_text() -> None:
    assert framing.MAX_LINE == launch.MAX_UNASKED == 65_536
    assert page.TEXT.count("65,536 bytes") >= 3
    assert (stderr.HEAD, stderr.TAIL) == (64 << 10, 4 << 10) and "the first\n  64 KiB and the last 4 KiB" in page.TEXT
    assert evidence.MAX_REQUEST == 4 << 10 and "at most 4 KiB of it" in page.TEXT
    assert evidence.MAX_SHOWN == 1 << 10 and "at most 1 KiB of it" in page.TEXT
    assert player.BYE_GRACE_S == 0.5 and "within half a second" in page.TEXT
    assert (messages.PROTOCOL, events.FORMAT) == (1, 1)


def test_links_lead_somewhere() -> None:
    anchors: list[str] = []
    for heading in page.HEADINGS:
        base = page.anchor(heading)
        anchors.append(f"{base}-{count}" if (count := anchors.count(base)) else base)
    for target in re.findall(r"\]\(([^)]+)\)", page.TEXT):
        assert target[1:] in anchors if target.startswith("#") else (page.ROOT / target).exists(), target


# Decks


def vectors() -> dict[str, str]:
    return {what: page.code(value) for what, value in page.table("Decks")}


def test_the_vectors() -> None:
    seed = pair_seed("example", 1)
    seats = [(leg, seat) for leg in "ab" for seat in (0, 1)]
    assert vectors() == {
        "commitment": commitment("example"),
        "seed of pair 1": seed,
        "seed of pair 2": pair_seed("example", 2),
        "first hash of deck 1 of pair 1": sha256(f"sixty-six/deck/{seed}/1/0".encode()).hexdigest(),
        **{f"deck {number} of pair 1": " ".join(names(deck(seed, number))) for number in (1, 2)},
        **{f"seed of the bot on seat {x} in leg {leg} of pair 1": str(bot_seed(seed, leg, x)) for leg, x in seats},
        "commitment of the master seed `Größe`": commitment("Größe"),
    }


def words_of(seed: str, number: int) -> list[int]:
    """More than any deck needs."""
    text = "".join(sha256(f"sixty-six/deck/{seed}/{number}/{i}".encode()).hexdigest() for i in range(8))
    return [int(text[at : at + 8], 16) for at in range(0, len(text), 8)]


def deck_of_the_text(seed: str, number: int) -> list[str]:
    (formulas,) = page.blocks("", "Decks")
    order = next(line for line in formulas.text.splitlines() if line.strip().startswith("cards ="))
    cards, words = order.split("=")[1].split(), words_of(seed, number)
    for i in range(23, 0, -1):
        n = i + 1
        while True:
            w = words.pop(0)
            if w < 2**32 - 2**32 % n:
                break
        j = w % n
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def test_the_pseudo_code_of_decks() -> None:
    for pair in range(1, 41):
        seed = pair_seed("any", pair)
        assert seed == sha256(b"sixty-six/pair/any/" + str(pair).encode()).hexdigest()
        for number in range(1, 11):
            assert deck_of_the_text(seed, number) == names(deck(seed, number))


def test_the_golden_log_has_the_decks_of_its_seed() -> None:
    head, *lines = map(json.loads, GOLDEN["match-1.log.jsonl"])
    decks = [line["deck"] for line in lines if line["type"] == "deal"]
    assert decks == [deck_of_the_text(head["seed"], number) for number in range(1, len(decks) + 1)]
    for seat in (0, 1):
        told = json.loads(GOLDEN[f"match-1.seat{seat}.to.jsonl"][1])["seed"]
        raw = sha256(f"sixty-six/bot/{head['seed']}/{head['leg']}/{seat}".encode()).digest()
        assert told == int.from_bytes(raw[:8], "big") >> 11


# Legal actions


def legal_of_the_text(deal: Deal, announced: str | None) -> set[str]:
    """The pseudo-code under "Legal actions", word for word, on cards as text."""
    hand = names(cards_in(deal.hands[deal.seat]))
    trump, phase = SUITS[deal.trump], PHASES[deal.phase]
    is_open = deal.closed_by < 0 and deal.stock > 0
    if phase == "draw":
        return {"draw", "close", "declare"}
    if phase == "lead":
        if announced:
            found = {f"play Q{announced}", f"play K{announced}"}
        else:
            found = {f"play {card}" for card in hand}
            if is_open:
                found |= {f"marriage {suit}" for suit in SUITS if {f"K{suit}", f"Q{suit}"} <= set(hand)}
                if f"9{trump}" in hand and deal.tricks[deal.seat]:
                    found.add("exchange")
        return found | ({"close"} if is_open else set()) | {"declare"}
    led = CARDS[deal.led]
    suit = [card for card in hand if card[1] == led[1]]
    higher = [card for card in suit if "9JQKTA".index(card[0]) > "9JQKTA".index(led[0])]
    trumps = [card for card in hand if card[1] == trump]
    cards = hand if is_open else higher or suit or trumps or hand
    return {f"play {card}" for card in cards} | {"declare"}


def test_the_pseudo_code_of_legal_actions() -> None:
    rng = Random(66)
    for number in range(1, 401):
        deal, announced = Deal(deck("legal", number), number & 1), None
        while deal.phase != OVER:
            legal = {str(ACTIONS[code]): code for code in deal.legal()}
            assert set(legal) == legal_of_the_text(deal, announced)
            words = rng.choice(
                [word for word in legal if word != "declare" and (word != "close" or rng.random() < 0.2)]
            )
            kind, _, suit = words.partition(" ")
            announced = suit if kind == "marriage" else None if kind == "play" else announced
            deal.apply(legal[words])


# Bots


def test_the_bots_are_as_short_as_promised() -> None:
    assert TEN.count("\n") <= 10
    assert PLAIN.count("\n") <= 40


def test_a_tournament_file_takes_three_lines() -> None:
    (block,) = page.blocks("toml")
    assert block.text.count("\n") == 3
    assert tomllib.loads(block.text) == {"bots": [{"name": "plain", "command": ["python3", "plain.py"]}]}


async def test_the_bots_play_matches_without_a_fault(tmp_path: Path) -> None:
    for name, text in (("ten", TEN), ("plain", PLAIN)):
        (tmp_path / f"{name}.py").write_text(text)
    clock, layer, rules = Clock(start_ms=60_000, move_ms=60_000), choose("none"), Rules()
    log: list[Event] = []

    def write(event: Event, _: bytes) -> None:
        log.append(event)

    async with trio.open_nursery() as nursery:
        bots = [
            Player(name, load_bot(f"{name}.py", tmp_path), layer, rules, clock, nursery) for name in ("ten", "plain")
        ]
        ends = [await play_match(make.header(number), (bots[0], bots[1]), write) for number in (1, 2, 3)]
        for bot in bots:
            await bot.dismiss()
        nursery.cancel_scope.cancel()
    assert not [event for event in log if isinstance(event, FaultEvent)]
    assert [(end.reason, end.winner) for end in ends] == [("target", 1)] * 3


@pytest.mark.parametrize("text", [TEN, PLAIN])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_can_be_tried_on_a_golden_transcript(text: str, seat: int) -> None:
    path = page.GOLDEN / f"match-1.seat{seat}.to.jsonl"
    with path.open("rb") as stdin:
        done = subprocess.run([sys.executable, "-c", text], stdin=stdin, capture_output=True, check=True, timeout=60)
    ready, *answers = map(json.loads, done.stdout.splitlines())
    turns = [turn for line in GOLDEN[path.name] if (turn := json.loads(line))["type"] == "turn"]
    assert ready["type"] == "ready"
    for turn, answer in zip(turns, answers, strict=True):
        assert answer.pop("id") == turn["id"]
        assert answer in turn["legal"]
