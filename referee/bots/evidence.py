"""Turns what went wrong into a fault record: the evidence, and in plain words the likely cause."""

from typing import NamedTuple

from referee.bots.player import Answered, Remains, StartFailure
from referee.match.events import FaultEvent
from referee.match.machine import Ask, Match
from referee.match.view import phase_of
from referee.protocol.messages import FaultKind
from referee.rules.cards import ACTIONS

MAX_SHOWN = 1024  # bytes of an answer that are kept
MAX_REQUEST = 4096
MAX_QUOTED = 80  # bytes of it that stand in a sentence

_FLUSH = "if the bot did answer: is the line ended by a newline and flushed at once?"
_BUFFERED = (
    "a line came when stdin was closed: it was left in the bot's buffer (flush stdout after each line), or too late"
)
_BUSY = "it was still computing: an endless loop, or more work than the limit allows"
_TEN = "a card is two characters, rank and suit, and the ten is T: TS"
_NEWLINE = "the answer has no newline at its end"
_STDOUT = "stdout is for the protocol alone: print debug text to stderr"
_OLD_ID = "it answered an older turn: copy the id of the newest turn into the answer"
_WRONG_ID = "copy the id of the turn into the answer; ids rise, and only the newest is open"


class Words(NamedTuple):
    """What happened, and what the author should look at."""

    kind: FaultKind
    detail: str
    hint: str = ""


def shown(raw: bytes, limit: int = MAX_SHOWN) -> str:
    """Bytes of a bot as text that can stand in a log: cut, and whatever is not UTF-8 escaped."""
    return raw[:limit].decode("utf-8", "backslashreplace")


def quoted(raw: bytes) -> str:
    """The beginning of a line, for a sentence: without control characters and such."""
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in shown(raw, MAX_QUOTED))
    return f"{text}..." if len(raw) > MAX_QUOTED else text


def fault_event(
    words: Words, ask: Ask, answered: Answered, match: Match, remains: Remains | None, stderr: str, again: str
) -> FaultEvent:
    """A fault at a turn, with its evidence; `again` is the command that plays this match again."""
    reply = answered.reply
    raw = reply.line
    if raw is None:
        raw = b"" if remains is None else remains.partial or remains.buffered
    assert match.deal is not None
    return FaultEvent(
        deal=match.number,
        seat=ask.seat,
        kind=words.kind,
        phase=phase_of(match.deal),
        us=reply.us,
        limit_us=ask.limit_us,
        lag_us=reply.lag_us,
        detail=words.detail,
        hint=words.hint,
        id=answered.id,
        request=shown(answered.request, MAX_REQUEST),
        answer=shown(raw),
        answer_bytes=len(raw),
        exit="" if remains is None else remains.exit,
        stderr=stderr,
        legal=[str(ACTIONS[action]) for action in ask.legal],
        again=again,
    )


def start_fault(failure: StartFailure, seat: int, deal: int, again: str) -> FaultEvent:
    """A bot that never got as far as `ready`."""
    reply, remains = failure.reply, failure.remains
    raw = b"" if reply is None or reply.line is None else reply.line
    if remains is not None:
        raw = raw or remains.partial or remains.buffered
    return FaultEvent(
        deal=deal,
        seat=seat,
        kind="start",
        us=0 if reply is None else reply.us,
        detail=start_detail(failure),
        hint=start_hint(failure),
        request=shown(failure.request, MAX_REQUEST),
        answer=shown(raw),
        answer_bytes=len(raw),
        exit="" if remains is None else remains.exit,
        stderr="" if remains is None else remains.stderr,
        again=again,
    )


def start_detail(failure: StartFailure) -> str:
    """Why it did not start, in one line."""
    exit_text = "" if failure.remains is None else failure.remains.exit
    line = None if failure.reply is None else failure.reply.line
    return failure.detail + (f": {exit_text}" if exit_text else f": {quoted(line)}" if line is not None else "")


def start_hint(failure: StartFailure) -> str:
    """What the author of a bot that does not start should look at."""
    reply, remains = failure.reply, failure.remains
    if reply is None or remains is None:
        return ""
    match reply.failure:
        case "timeout":
            return _timeout_hint(remains, 0)
        case "crash":
            return _last_words(remains) or "it must read hello from stdin and answer ready"
        case "flood" | "too_long":
            return _STDOUT
        case _:
            return malformed_hint(reply.line or b"")


def no_answer(answered: Answered, remains: Remains, limit_us: int | None) -> Words:
    """The bot gave no line: timeout, crash, flood, or a line too long."""
    reply = answered.reply
    limit = "" if limit_us is None else f" within {limit_us / 1000:g} ms"
    match reply.failure:
        case "timeout" if limit_us == 0:
            return Words("timeout", "nothing is left of its time for the match")
        case "timeout":
            what = "no complete line" if remains.partial else "no answer"
            return Words("timeout", what + limit, _timeout_hint(remains, answered.old_bytes))
        case "crash":
            hint = _last_words(remains) or "did it return from its main loop?"
            return Words("crash", f"ended while an answer was owed: {remains.exit}", hint)
        case "flood":
            hint = _OLD_ID if answered.old_bytes else _STDOUT
            return Words("flood", "more than 65,536 bytes of output that nobody asked for", hint)
        case _:
            return Words("malformed", "a line of more than 65,536 bytes; its process is started again", _STDOUT)


def malformed(line: bytes, why: str) -> Words:
    """A line that is no answer."""
    return Words("malformed", f"{why}: {quoted(line)}" if line.strip() else why, malformed_hint(line))


def wrong_id(found: int, open_id: int) -> Words:
    """An answer with an id that this process was never sent."""
    return Words("malformed", f"id {found} is not the id of this turn, {open_id}", _WRONG_ID)


def illegal(why: str) -> Words:
    """An answer that is not legal now."""
    return Words("illegal", why)


def malformed_hint(raw: bytes) -> str:
    """Why a line that is no answer most likely came."""
    text = raw.strip()
    if not text:
        return "an empty line is no answer: print nothing but answers to stdout"
    if text.startswith(b"\xef\xbb\xbf"):
        return "the line begins with a byte order mark: write plain UTF-8"
    if text[:1] != b"{":
        return _STDOUT
    return _TEN if b'"10' in text else ""


def _timeout_hint(remains: Remains, old_bytes: int) -> str:
    if remains.partial:
        return _NEWLINE
    if old_bytes:
        return _OLD_ID
    if remains.buffered:
        return _BUFFERED
    return _BUSY if remains.busy else _FLUSH


def _last_words(remains: Remains) -> str:
    """The last line of its stderr that has words: of a traceback, the one that says what went wrong."""
    lines = [line for line in remains.stderr.splitlines() if any(c.isalpha() for c in line)]
    return f"its last words: {quoted(lines[-1].strip().encode())}" if lines else ""
