"""The summaries of a run's matches: read fast from `index.jsonl`, and from the logs wherever that has no line.

The logs are the only truth. A line of the index counts only while its log is there; deleting the index loses nothing.
Of several lines of one match the last counts: a match whose log was lost is played again, and gets another line.
Only a run that keeps no more logs than those with faults has to take the index's word for the others.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from referee.errors import LogError, RunError
from referee.match.summary import Summary, summarize
from referee.store.layout import RunFolder
from referee.store.matchlog import SUFFIX, read_matches

CHUNK = 1 << 20
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Summary)


class IndexWriter:
    """Appends a line for each finished match, one write each, so that a kill never leaves two halves of one.

    Raises RunError when the disk refuses: there is no room for the next match's log either.
    """

    def __init__(self, run: RunFolder) -> None:
        self._path = run.index
        try:
            self._file = run.index.open("a+b", buffering=0)
        except OSError as error:
            raise self._refused(error) from None
        if self._cut():
            self._write(b"\n")

    def add(self, summary: Summary) -> None:
        self._write(_encoder.encode(summary) + b"\n")

    def _write(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            raise self._refused(error) from None

    def _refused(self, error: OSError) -> RunError:
        return RunError(f"{self._path}: cannot be written: {error.strerror}; finished matches are kept")

    def _cut(self) -> bool:
        """Whether a kill, or a full disk, has left half a line at the end."""
        if self._file.seek(0, os.SEEK_END) == 0:
            return False
        self._file.seek(-1, os.SEEK_END)
        return self._file.read(1) != b"\n"

    def close(self) -> None:
        self._file.close()


def finished(run: RunFolder) -> dict[str, str]:
    """The logs that are there: file names by match."""
    found = {}
    if not run.matches.is_dir():
        raise LogError(str(run.matches), 0, "the folder of the logs is gone")
    with os.scandir(run.matches) as entries:
        for entry in entries:
            match, suffix, rest = entry.name.rpartition(SUFFIX)
            whole = suffix and rest in ("", ".gz") and not match.startswith(".")
            if whole and _has_content(entry):
                found[match] = entry.name
    return found


def _has_content(entry: os.DirEntry[str]) -> bool:
    """A power cut can leave the name without it; so does a link to nowhere."""
    try:
        return entry.is_file() and entry.stat().st_size > 0
    except OSError:
        return False


def summaries(run: RunFolder) -> Iterator[Summary]:
    """One summary for each finished match, in no order, one at a time; LogError for a damaged log."""
    missing = finished(run)
    seen: set[str] | None = set() if run.keeps_faults_only() else None
    for summary in indexed(run):
        if missing.pop(summary.match, None) is not None or (seen is not None and summary.match not in seen):
            yield summary
        if seen is not None:
            seen.add(summary.match)
    for name in missing.values():
        yield summary_of(run.matches / name)


def summary_of(path: Path) -> Summary:
    """Fold the log of one match."""
    lines = next(read_matches(path), None)
    if lines is None:
        raise LogError(str(path), 0, "the file is empty")
    return summarize(line.event for line in lines)


def indexed(run: RunFolder) -> Iterator[Summary]:
    """The index's lines, the last one first: that is the one that counts for its match."""
    try:
        file = run.index.open("rb")
    except FileNotFoundError:
        return
    with file:
        yield from decoded(_backwards(file))


def decoded(lines: Iterable[bytes]) -> Iterator[Summary]:
    """A line that a kill has cut, or that no referee writes, is passed over: its log says what it should."""
    for line in lines:
        try:
            yield _decoder.decode(line)
        except (msgspec.DecodeError, RecursionError):
            continue


def _backwards(file: BinaryIO) -> Iterator[bytes]:
    at, rest = file.seek(0, os.SEEK_END), b""
    while at > 0:
        size = min(CHUNK, at)
        at -= size
        file.seek(at)
        rest, *lines = (file.read(size) + rest).split(b"\n")
        yield from reversed(lines)
    yield rest
