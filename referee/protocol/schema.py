"""JSON Schema of the protocol, made from the messages themselves, so that it cannot fall behind them."""

from typing import Any

import msgspec

from referee.protocol.messages import PROTOCOL, Answer, Ready, ToBot

_REFERENCE = "#/$defs/{name}"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_OPENAPI = "discriminator"  # msgspec adds it to unions; it is no keyword of JSON Schema
_CLOSED = "additionalProperties"  # later referees may add fields anywhere


def schema() -> dict[str, Any]:
    """A JSON Schema (2020-12) that every line of the protocol meets, in either direction.

    `#/$defs/to_bot` and `#/$defs/from_bot` are the two directions by themselves. Unknown fields are allowed everywhere,
    as protocol.md promises. That an id is the open one and an action legal is beyond a schema.
    """
    (to_bot, ready, answer), parts = msgspec.json.schema_components((ToBot, Ready, Answer), ref_template=_REFERENCE)
    definitions = {
        "to_bot": {"description": "What the referee sends.", **to_bot},
        "from_bot": {"description": "What a bot answers.", "anyOf": [ready, *answer["anyOf"]]},
        **parts,
    }
    whole = {
        "$schema": _DIALECT,
        "title": f"Sixty-Six bot protocol, version {PROTOCOL}",
        "description": "One line of the protocol: one JSON object, UTF-8.",
        "anyOf": [{"$ref": "#/$defs/to_bot"}, {"$ref": "#/$defs/from_bot"}],
        "$defs": definitions,
    }
    cleaned: dict[str, Any] = _clean(whole)
    return cleaned


def _clean(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _clean(value) for key, value in part.items() if key not in (_OPENAPI, _CLOSED)}
    return [_clean(each) for each in part] if isinstance(part, list) else part
