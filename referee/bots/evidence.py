"""Turns what went wrong into a fault record: the evidence, and in plain words the likely cause."""

from referee.bots.player import Answered, StartFailure
from referee.bots.process import BotProcess, Reply
from referee.match.events import FaultEvent
from referee.match.machine import Ask, Match
from referee.match.view import phase_of
from referee.protocol.messages import FaultKind
from referee.rules.cards import ACTIONS

MAX_SHOWN = 1024  # bytes of an answer that are kept
MAX_REQUEST = 4096

_FLUSH = "if the bot did answer: is the line ended by a newline and flushed at once?"
_STDOUT = "stdout is for the protocol alone: print debug text to stderr"
_KINDS: dict[str, FaultKind] = {"timeout": "timeout", "crash": "crash", "flood": "flood", "too_long": "malformed"}


def shown(raw: bytes, limit: int = MAX_SHOWN) -> str:
    """Bytes of a bot as text that can stand in a log: cut, and whatever is not UTF-8 escaped."""
    return raw[:limit].decode("utf-8", "backslashreplace")


def failed(ask: Ask, answered: Answered, process: BotProcess, match: Match) -> FaultEvent:
    """The bot gave no line: timeout, crash, flood, or a line too long."""
    reply = answered.reply
    assert reply.failure is not None
    kind = _KINDS[reply.failure]
    detail, hint = _failure_words(reply, process, ask.limit_us)
    return fault_event(kind, detail, ask, answered, process, match, hint)


def fault_event(
    kind: FaultKind, detail: str, ask: Ask, answered: Answered, process: BotProcess, match: Match, hint: str = ""
) -> FaultEvent:
    """A fault at a turn, with its evidence."""
    reply = answered.reply
    raw = process.partial if reply.line is None else reply.line
    assert match.deal is not None
    return FaultEvent(
        deal=match.number,
        seat=ask.seat,
        kind=kind,
        phase=phase_of(match.deal),
        us=reply.us,
        limit_us=ask.limit_us,
        lag_us=reply.lag_us,
        detail=detail,
        hint=hint,
        id=answered.id,
        request=shown(answered.request, MAX_REQUEST),
        answer=shown(raw),
        answer_bytes=len(raw),
        exit=process.exit_text() if kind == "crash" else "",
        stderr=process.stderr_tail(),
        legal=[str(ACTIONS[action]) for action in ask.legal],
    )


def start_fault(failure: StartFailure, seat: int, deal: int, process: BotProcess | None) -> FaultEvent:
    """A bot that never got as far as `ready`."""
    reply = failure.reply
    raw = b"" if process is None else process.partial
    if reply is not None and reply.line is not None:
        raw = reply.line
    ended = reply is not None and reply.failure == "crash"
    return FaultEvent(
        deal=deal,
        seat=seat,
        kind="start",
        us=0 if reply is None else reply.us,
        detail=failure.detail,
        hint=failure.hint or (_STDOUT if raw and not ended else ""),
        request=shown(failure.request, MAX_REQUEST),
        answer=shown(raw),
        answer_bytes=len(raw),
        exit=process.exit_text() if process is not None and ended else "",
        stderr="" if process is None else process.stderr_tail(),
    )


def malformed_hint(raw: bytes) -> str:
    """Why a line that is no JSON object most likely came."""
    text = raw.strip()
    if not text:
        return "an empty line is no answer: print nothing but answers to stdout"
    return "" if text[:1] == b"{" else _STDOUT


def _failure_words(reply: Reply, process: BotProcess, limit_us: int | None) -> tuple[str, str]:
    partial = process.partial
    match reply.failure:
        case "timeout":
            limit = "" if limit_us is None else f" within {limit_us / 1000:g} ms"
            if partial:
                return f"no complete line{limit}", "the answer has no newline at its end"
            return f"no answer{limit}", _FLUSH
        case "crash":
            return f"ended while an answer was owed: {process.exit_text()}", _crash_hint(process)
        case "flood":
            return f"{reply.dropped} bytes of output that nobody asked for", _STDOUT
        case _:
            return "a line of more than 65,536 bytes", _STDOUT


def _crash_hint(process: BotProcess) -> str:
    if process.stderr_tail().strip():
        return "its last words on stderr are below"
    return "it may have closed its stdout, or returned from its main loop"
