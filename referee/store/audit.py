"""`verify`: one log, or a whole run with its commitment, pair seeds, decks and index."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from referee.errors import LogError
from referee.match.events import MatchEvent
from referee.match.summary import Summary
from referee.rules.shuffle import commitment, pair_seed
from referee.store.index import finished, summaries, summary_of
from referee.store.layout import RunFolder, RunInfo
from referee.store.matchlog import read_matches
from referee.store.replay import Disagreement, verify


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of one log, or (`whole`) of a run. Exit codes: 0 agrees, 1 disagrees, 5 damaged."""

    path: str
    exit_code: int = 0
    line: int = 0
    why: str = ""
    matches: int = 0
    whole: bool = False

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        if self.exit_code:
            return f"{place}: {'damaged' if self.exit_code == 5 else 'disagrees'}: {self.why}"
        return f"{place}: {self.why or f'{self.matches} matches verified'}"

    def as_json(self) -> bytes:
        """One object."""
        return msgspec.json.encode(self)


def audit(path: Path) -> Iterator[Finding]:
    """Check a log, or every log of a run and then the run as a whole."""
    if path.is_dir():
        yield from _audit_run(RunFolder(path))
    else:
        finding, count, _ = _audit_log(path)
        yield finding or Finding(path=str(path), matches=count, whole=True)


def _audit_log(path: Path) -> tuple[Finding | None, int, list[MatchEvent]]:
    """What is wrong with a log, if anything; how many matches agree, and their headers."""
    headers: list[MatchEvent] = []
    try:
        for lines in read_matches(path):
            headers.append(verify(lines))
    except LogError as error:
        return Finding(path=str(path), exit_code=5, line=error.line, why=error.why), len(headers), headers
    except Disagreement as wrong:
        return Finding(path=str(path), exit_code=1, line=wrong.line, why=wrong.why), len(headers), headers
    if not headers:
        return Finding(path=str(path), exit_code=5, why="the file is empty"), 0, headers
    return None, len(headers), headers


def _audit_run(run: RunFolder) -> Iterator[Finding]:
    info = run.info()
    master = info.master_seed
    logs = finished(run)
    bad = 0
    for match in sorted(logs):
        path = logs[match]
        finding, _, headers = _audit_log(path)
        finding = finding or _audit_header(path, match, headers, master)
        if finding is not None:
            bad += 1
            yield finding
    if (finding := _audit_commitment(run, info)) is not None:
        bad += 1
        yield finding
    for finding in _audit_index(run, logs):
        bad += 1
        yield finding
    if not bad:
        yield Finding(path=str(run.path), matches=len(logs), whole=True, why=_verdict(len(logs), master))


def _audit_header(path: Path, match: str, headers: list[MatchEvent], master: str | None) -> Finding | None:
    """The log is the one that its name says, and its pair seed comes from the master seed."""
    if len(headers) != 1 or headers[0].match != match:
        return Finding(
            path=str(path), exit_code=1, line=1, why=f"the file is called {match}, the log is of another match"
        )
    if master is not None and headers[0].seed != pair_seed(master, headers[0].pair):
        return Finding(path=str(path), exit_code=1, line=1, why="the pair seed does not come from the master seed")
    return None


def _audit_commitment(run: RunFolder, info: RunInfo) -> Finding | None:
    if info.master_seed is None or commitment(info.master_seed) == info.commitment:
        return None
    why = "the master seed is not the one that was committed to before the first card"
    return Finding(path=str(run.path / "run.json"), exit_code=1, why=why)


def _audit_index(run: RunFolder, logs: dict[str, Path]) -> Iterator[Finding]:
    """Standings read the index: it must say what the logs say."""
    for summary in summaries(run):
        if _of(logs[summary.match]) not in (None, summary):
            why = f"the index differs from the log of {summary.match}; delete the index to have it made again"
            yield Finding(path=str(run.index), exit_code=1, why=why)


def _of(path: Path) -> Summary | None:
    try:
        return summary_of(path)
    except LogError:
        return None


def _verdict(matches: int, master: str | None) -> str:
    if master is None:
        return f"{matches} matches verified; the run is not complete, so its master seed is not revealed yet"
    return f"{matches} matches verified; commitment, pair seeds, decks and digests agree"
