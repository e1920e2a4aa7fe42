"""Follows a run that somebody else plays, by reading only: no lock is taken and nothing is written.

The index grows by a line for each finished match, and is read from where the last look ended. The folder of matches is
looked through where there is no index, and in a whole look: at the start and at the end, so that what is told is what
the standings of the run are made of. A match is told of once, however often it turns up.
"""

import os
from collections.abc import Iterator

from referee.errors import LogError
from referee.match.summary import Summary
from referee.store.index import decoded, finished, summary_of
from referee.store.layout import RunFolder
from referee.store.matchlog import SUFFIX

CHUNK = 1 << 20


class Tail:
    """`news` gives the matches that were finished since it was last asked."""

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self._seen: set[str] = set()
        self._file = (0, 0)  # device and inode of the index that `_offset` is in
        self._offset = 0
        self._first = True

    def news(self, whole: bool = False) -> Iterator[Summary]:
        """One at a time; those of the index in the order in which they were finished."""
        whole, self._first = whole or self._first, False
        logs = self._logs() if whole or not self.run.index.is_file() else {}
        check = whole and not self.run.keeps_faults_only()
        for summary in self._from_index():
            if summary.match not in self._seen and not (check and self._is_gone(summary.match, logs)):
                self._seen.add(summary.match)
                yield summary
        yield from self._from_logs(logs)

    def _from_index(self) -> Iterator[Summary]:
        """Whole lines only: the rest of the last one comes with the next look."""
        try:
            file = self.run.index.open("rb")
        except FileNotFoundError:
            return
        with file:
            self._find_place(file.fileno())
            file.seek(self._offset)
            rest = b""
            while chunk := file.read(CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                self._offset += sum(map(len, lines)) + len(lines)
                yield from decoded(lines)

    def _find_place(self, descriptor: int) -> None:
        """A file that has been replaced, or cut, is read from its start."""
        status = os.fstat(descriptor)
        if self._file != (status.st_dev, status.st_ino) or status.st_size < self._offset:
            self._file, self._offset = (status.st_dev, status.st_ino), 0

    def _logs(self) -> dict[str, str]:
        try:
            return finished(self.run)
        except FileNotFoundError:
            return {}

    def _is_gone(self, match: str, logs: dict[str, str]) -> bool:
        """Whether its log is not there; one that came after the look at the folder is."""
        if match in logs:
            return False
        return not any((self.run.matches / (match + SUFFIX + more)).is_file() for more in ("", ".gz"))

    def _from_logs(self, logs: dict[str, str]) -> Iterator[Summary]:
        """Those that nobody has told of. One that cannot be read is looked at again: it may be on its way."""
        for match in sorted(logs.keys() - self._seen):
            try:
                summary = summary_of(self.run.matches / logs[match])
            except LogError:
                continue
            self._seen.add(match)
            yield summary
