"""Match logs: JSONL files, format 1, complete or not there.

A log is written under a temporary name, and gets its final one only with its `match_end`, so that a file called
`MATCH.jsonl` is a finished match whatever killed the referee. Readers accept several matches in one file,
and gzip.
"""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee.errors import LogError
from referee.match.events import FORMAT, Event, MatchEndEvent, MatchEvent

SUFFIX = ".jsonl"
PART = ".part"
_decoder = msgspec.json.Decoder(Event)
_peek = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Line(NamedTuple):
    """An event and where it stands: 1-based line number."""

    number: int
    event: Event


class LogWriter:
    """Collects the lines of one match; `commit` puts them into a file. Raises OSError when the disk refuses.

    Nothing is on the disk before the end: a log begins with the seed of the decks to come, and an unfinished match is
    played again anyway.
    """

    def __init__(self, folder: Path, match: str, compress: bool = False) -> None:
        self.path = folder / (match + SUFFIX + (".gz" if compress else ""))
        self._part = folder / f".{match}{PART}"
        self._compress = compress
        self._lines: list[bytes] = []

    def write(self, line: bytes) -> None:
        """Keep one encoded line."""
        self._lines.append(line)

    def commit(self) -> Path:
        """The match is complete: it gets its name at once and whole.

        No fsync, which would cost as much as a match of quick bots (5 ms). A kill of the referee loses nothing; after a
        power cut a log may be there without its content, and `index.finished` passes over it.
        """
        data = b"".join(self._lines)
        try:
            self._part.write_bytes(gzip.compress(data, 6, mtime=0) if self._compress else data)
            self._part.replace(self.path)
        except OSError:
            self._part.unlink(missing_ok=True)
            raise
        return self.path


def discard_parts(folder: Path) -> None:
    """Remove what a killed referee left of unfinished matches; the caller holds the folder's lock."""
    for part in folder.glob(f".*{PART}"):
        part.unlink(missing_ok=True)


def read_lines(path: Path) -> Iterator[Line]:
    """Every event of a file. Raises LogError, with the line, for what is cut, no JSON, or of another format."""
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise LogError(str(path), 0, f"cannot be read: {error}") from None
    if data and not data.endswith(b"\n"):
        raise LogError(str(path), data.count(b"\n") + 1, "the last line is cut short: the log is not complete")
    for number, raw in enumerate(data.splitlines(), 1):
        yield Line(number, _decode(path, number, raw))


def read_matches(path: Path) -> Iterator[list[Line]]:
    """The matches of a file, one after the other, each from its `match` line to its `match_end`."""
    match: list[Line] = []
    for line in read_lines(path):
        if isinstance(line.event, MatchEvent) == bool(match):
            what = "a match begins before the one above it has ended" if match else "a log must begin with a match line"
            raise LogError(str(path), line.number, what)
        match.append(line)
        if isinstance(line.event, MatchEndEvent):
            yield match
            match = []
    if match:
        raise LogError(str(path), match[-1].number, "the log ends here, without a match_end: it is not complete")


def _decode(path: Path, number: int, raw: bytes) -> Event:
    try:
        event = _decoder.decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        _refuse_newer(path, number, raw)
        raise LogError(str(path), number, f"damaged: {error}") from None
    if isinstance(event, MatchEvent) and event.format != FORMAT:
        _refuse_newer(path, number, raw)
    return event


def _refuse_newer(path: Path, number: int, raw: bytes) -> None:
    """Another format number is named as such, whatever else that format has changed."""
    try:
        found = msgspec.json.decode(_peek.decode(raw).get("format", msgspec.Raw(b"1")))
    except (msgspec.DecodeError, RecursionError):
        return
    if found != FORMAT:
        hint = "a newer referee wrote it" if isinstance(found, int) and found > FORMAT else "no referee writes that"
        raise LogError(str(path), number, f"log format {found} cannot be read here, only {FORMAT}: {hint}")
