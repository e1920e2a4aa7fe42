"""The one place where messages become bytes and bytes become messages.

What cannot be parsed is `Malformed`; what parses but is not legal now is found out later, by the match.
"""

import msgspec

from referee.protocol.messages import (
    PROTOCOL,
    Answer,
    Bye,
    CloseAnswer,
    DeclareAnswer,
    DrawAnswer,
    ExchangeAnswer,
    MarriageAnswer,
    PlayAnswer,
    Ready,
    ToBot,
)
from referee.rules.cards import ACTIONS, CLOSE, DECLARE, DRAW, EXCHANGE, MARRIAGE

_encoder = msgspec.json.Encoder()
_answers = msgspec.json.Decoder(Answer)
# A union, because of a single struct the tag is optional: `{}` would be `ready`.
_ready = msgspec.json.Decoder(Ready | Bye)

_PLAYS = {action.card: number for number, action in enumerate(ACTIONS[:MARRIAGE])}
_MARRIAGES = {action.suit: number for number, action in enumerate(ACTIONS[MARRIAGE:EXCHANGE], MARRIAGE)}
_SIMPLE = {ExchangeAnswer: EXCHANGE, CloseAnswer: CLOSE, DeclareAnswer: DECLARE, DrawAnswer: DRAW}


class Malformed(Exception):  # noqa: N818  a verdict on a line, not an error of ours
    """The line is no message of the protocol; `str()` says why, for the bot's author."""


def encode(message: ToBot) -> bytes:
    """One line, ended by a newline."""
    return _encoder.encode(message) + b"\n"


def decode_answer(line: bytes) -> Answer:
    """The answer to a turn; raises Malformed."""
    try:
        return _answers.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Malformed(_why(error)) from None


def decode_ready(line: bytes) -> Ready:
    """The answer to `hello`; raises Malformed, also for another protocol version."""
    try:
        ready = _ready.decode(line)
        if not isinstance(ready, Ready):
            raise Malformed("expected ready")
    except (msgspec.DecodeError, RecursionError) as error:
        raise Malformed(_why(error)) from None
    if ready.protocol != PROTOCOL:
        raise Malformed(f"protocol {ready.protocol} is not spoken here, only {PROTOCOL}")
    return ready


def action_of(answer: Answer) -> int:
    """The number, in `referee.rules.cards`, of the action that was chosen."""
    if type(answer) is PlayAnswer:
        return _PLAYS[answer.card]
    if type(answer) is MarriageAnswer:
        return _MARRIAGES[answer.suit]
    return _SIMPLE[type(answer)]


def _why(error: Exception) -> str:
    """msgspec's own words, where they help an author; they never quote the bot's text beyond a tag."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    text = str(error)[:200]
    if isinstance(error, msgspec.ValidationError):
        return text
    return f"not JSON: {text.removeprefix('JSON is malformed: ')}"
