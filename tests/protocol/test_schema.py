"""The schema takes every line of the golden transcripts, and refuses what the decoder refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from protocol.page import GOLDEN

from referee.protocol.messages import Answer, ToBot
from referee.protocol.schema import schema

SCHEMA = schema()
TO, FROM = SCHEMA["$defs"]["to_bot"], SCHEMA["$defs"]["from_bot"]
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
ANNOTATIONS = {"$schema", "$defs", "title", "description", "default"}


def valid(value: Any, rule: dict[str, Any]) -> bool:
    """The few keywords that the schema uses; a KeyError for any other."""
    return all(CHECKS[key](value, rule[key], rule) for key in rule if key not in ANNOTATIONS)


def _is(value: Any, name: str, _: object) -> bool:
    return isinstance(value, TYPES[name]) and not (name == "integer" and isinstance(value, bool))


CHECKS: dict[str, Any] = {
    "type": _is,
    "enum": lambda value, names, _: value in names,
    "maxLength": lambda value, most, _: len(value) <= most,
    "anyOf": lambda value, rules, _: any(valid(value, rule) for rule in rules),
    "$ref": lambda value, ref, _: valid(value, SCHEMA["$defs"][ref.removeprefix("#/$defs/")]),
    "items": lambda value, rule, _: not isinstance(value, list) or all(valid(each, rule) for each in value),
    "properties": lambda value, rules, _: (
        not isinstance(value, dict) or all(valid(value[key], rules[key]) for key in rules if key in value)
    ),
    "required": lambda value, keys, _: not isinstance(value, dict) or set(keys) <= set(value),
}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("way", ["to", "from"])
def test_every_line_of_the_golden_transcripts_is_valid(seat: int, way: str) -> None:
    here, other = (TO, FROM) if way == "to" else (FROM, TO)
    for line in (GOLDEN / f"match-1.seat{seat}.{way}.jsonl").read_bytes().splitlines():
        message = json.loads(line)
        assert valid(message, SCHEMA) and valid(message, here) and not valid(message, other), message
        assert valid({**message, "new": {"in": ["version", 1]}}, here)


@pytest.mark.parametrize(
    "message",
    [
        {},
        [],
        {"id": 1},
        {"id": "1", "action": "close"},
        {"id": True, "action": "close"},
        {"id": 1, "action": "play"},
        {"id": 1, "action": "play", "card": "10S"},
        {"id": 1, "action": "marriage", "suit": "hearts"},
        {"id": 1, "action": "pass"},
        {"id": 1, "action": "close", "note": "x" * 1001},
        {"type": "ready", "close_before_draw": 1},
        {"type": "unknown"},
    ],
)
def test_what_is_malformed_is_not_valid(message: object) -> None:
    assert not valid(message, SCHEMA)


def test_all_messages_are_in_it() -> None:
    names = {kind.__name__ for kind in (*ToBot.__args__, *Answer.__args__)}
    assert names <= set(SCHEMA["$defs"])


def test_it_is_plain_json_of_the_2020_dialect() -> None:
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    text = json.dumps(SCHEMA)
    assert "discriminator" not in text and "additionalProperties" not in text


def test_every_reference_leads_somewhere() -> None:
    def references(part: Any) -> set[str]:
        if isinstance(part, dict):
            own = {part["$ref"]} if "$ref" in part else set()
            return own.union(*(references(value) for value in part.values()))
        return set().union(*map(references, part)) if isinstance(part, list) else set()

    assert references(SCHEMA) <= {f"#/$defs/{name}" for name in SCHEMA["$defs"]}
