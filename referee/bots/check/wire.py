"""Ways to bring lines to a bot. All of them are allowed by the protocol, and a bot must not see a difference."""

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

Lines = Sequence[bytes]

_UNKNOWN_FIELD = b',"x_check":{"type":"unknown","list":[1,null,"]}"]}}\n'
_UNKNOWN_TYPE = b'{"type":"x_check","id":0,"legal":[],"text":"a message of a later version"}\n'


def _as_it_is(lines: Lines) -> Lines:
    return lines


def _in_one(lines: Lines) -> Lines:
    return [b"".join(lines)]


def _in_pieces(lines: Lines) -> Lines:
    """Cut in the middle of each line, so that no write ends where a line does but the last."""
    cuts = [(line[: len(line) // 2], line[len(line) // 2 :]) for line in lines]
    ends = [b"", *(second for _, second in cuts)]
    starts = [*(first for first, _ in cuts), b""]
    return [end + start for end, start in zip(ends, starts, strict=True)]


def _with_unknown_fields(lines: Lines) -> Lines:
    return [line.removesuffix(b"}\n") + _UNKNOWN_FIELD for line in lines]


def _with_unknown_types(lines: Lines) -> Lines:
    """One before each line, but before `hello`, which is always the first."""
    return [each for line in lines for each in ((line,) if b'"hello"' in line[:20] else (_UNKNOWN_TYPE, line))]


def _with_other_looks(lines: Lines) -> Lines:
    """The same JSON with space between tokens and the fields in the opposite order."""
    return [_other_look(line) for line in lines]


def _other_look(line: bytes) -> bytes:
    fields = dict(reversed(json.loads(line).items()))
    return f" {json.dumps(fields, separators=(' , ', ' : '))}\t\n".encode()


class Wire(NamedTuple):
    """What is sent instead of `lines`, and in which writes, with a short pause between them."""

    lines: Callable[[Lines], Lines] = _as_it_is
    writes: Callable[[Lines], Lines] = _in_one


PLAIN = Wire()
SINGLY = Wire(writes=_as_it_is)
IN_PIECES = Wire(writes=_in_pieces)
UNKNOWN_FIELDS = Wire(lines=_with_unknown_fields)
UNKNOWN_TYPES = Wire(lines=_with_unknown_types)
OTHER_LOOKS = Wire(lines=_with_other_looks)
