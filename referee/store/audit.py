"""`verify`: one log, or a whole run with its commitment, pair seeds, decks and index."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee.errors import LogError
from referee.match.events import MatchEvent
from referee.match.summary import Summary, slim, summarize
from referee.rules.shuffle import commitment, pair_seed
from referee.store.index import finished, indexed
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


class _Log(NamedTuple):
    """What is wrong with a log, if anything; else the header and the summary of each of its matches."""

    finding: Finding | None
    matches: list[tuple[MatchEvent, Summary]]


class Questions(NamedTuple):
    """What those who know the schedule ask of a run besides."""

    of_run: Callable[[RunFolder], Iterator[Finding]] = lambda _: iter(())
    of_header: Callable[[MatchEvent, RunInfo], str] = lambda *_: ""
    """Why this match is none of the run's; empty if it is one."""


NO_QUESTIONS = Questions()


def audit(path: Path, questions: Questions = NO_QUESTIONS) -> Iterator[Finding]:
    """Check a log, or every log of a run and then the run as a whole."""
    if path.is_dir():
        yield from _audit_run(RunFolder(path), questions)
    else:
        log = _audit_log(path)
        yield log.finding or Finding(path=str(path), matches=len(log.matches), whole=True)


def _audit_log(path: Path) -> _Log:
    matches: list[tuple[MatchEvent, Summary]] = []
    finding = None
    try:
        matches.extend((verify(lines), summarize(line.event for line in lines)) for lines in read_matches(path))
        if not matches:
            finding = Finding(path=str(path), exit_code=5, why="the file is empty")
    except LogError as error:
        finding = Finding(path=str(path), exit_code=5, line=error.line, why=error.why)
    except Disagreement as wrong:
        finding = Finding(path=str(path), exit_code=1, line=wrong.line, why=wrong.why)
    return _Log(finding, matches)


def _audit_run(run: RunFolder, questions: Questions) -> Iterator[Finding]:
    info, logs = run.info(), finished(run)
    index, contradictions = _read_index(run)
    bad = 0
    parts = (
        _audit_logs(run, info, logs, index, questions),
        contradictions,
        _audit_commitment(run, info),
        _missing(run, logs, index),
        _twice(run),
        questions.of_run(run),
    )
    for finding in chain(*parts):
        bad += 1
        yield finding
    if not bad:
        unseen = len(index.keys() - logs.keys())
        doubt = [f"{unseen} results have no log and could not be checked"] if unseen else []
        why = "; ".join([_verdict(len(logs), info.complete), *doubt, *info.notes])
        yield Finding(path=str(run.path), matches=len(logs), whole=True, why=why)


def _read_index(run: RunFolder) -> tuple[dict[str, Summary], list[Finding]]:
    """The index as standings read it, and the lines that say otherwise of the same match.

    A match whose log was lost was played twice: if all but its times came out alike, that is no contradiction.
    """
    index: dict[str, Summary] = {}
    contradictions = []
    for summary in indexed(run):
        counts = index.setdefault(summary.match, summary)
        if summary.digest != counts.digest or slim(summary) != slim(counts):
            why = f"two lines contradict each other on {summary.match}"
            contradictions.append(Finding(path=str(run.index), exit_code=1, why=why))
    return index, contradictions


def _audit_logs(
    run: RunFolder, info: RunInfo, logs: dict[str, str], index: dict[str, Summary], questions: Questions
) -> Iterator[Finding]:
    for match in sorted(logs):
        path = run.matches / logs[match]
        log = _audit_log(path)
        if log.finding is not None:
            yield log.finding
        elif len(log.matches) != 1 or log.matches[0][0].match != match:
            yield _wrong(path, f"the file is called {match}, the log is of another match")
        else:
            header, summary = log.matches[0]
            yield from _audit_header(path, header, info)
            if why := questions.of_header(header, info):
                yield _wrong(path, why)
            if index.get(match, summary) != summary:
                why = f"the index differs from the log of {match}; delete the index to have it made again"
                yield Finding(path=str(run.index), exit_code=1, why=why)


def _twice(run: RunFolder) -> Iterator[Finding]:
    """Only one of two logs of a match is read: who knows what is in the other."""
    for path in sorted(run.matches.glob("*.jsonl.gz")):
        if path.with_suffix("").exists():
            yield _wrong(path, f"{path.stem} lies beside it: two logs of one match")


def _audit_header(path: Path, header: MatchEvent, info: RunInfo) -> Iterator[Finding]:
    """It was played by the rules and the clock of the run, and its pair seed comes from the master seed."""
    if info.master_seed is not None and header.seed != pair_seed(info.master_seed, header.pair):
        yield _wrong(path, "the pair seed does not come from the master seed")
    for field in ("rules", "clock"):
        if msgspec.to_builtins(getattr(header, field)) != info.config.get(field):
            yield _wrong(path, f"the {field} are not those of the run")


def _wrong(path: Path, why: str) -> Finding:
    return Finding(path=str(path), exit_code=1, line=1, why=why)


def _audit_commitment(run: RunFolder, info: RunInfo) -> Iterator[Finding]:
    if info.master_seed is not None and commitment(info.master_seed) != info.commitment:
        why = "the master seed is not the one that was committed to before the first card"
        yield Finding(path=str(run.path / "run.json"), exit_code=1, why=why)
    if info.master_seed is None and info.complete:
        why = "the run is complete, and its master seed is not there"
        yield Finding(path=str(run.path / "run.json"), exit_code=1, why=why)


def _missing(run: RunFolder, logs: dict[str, str], index: dict[str, Summary]) -> Iterator[Finding]:
    """A result whose log is gone counts no longer; nobody should wonder where it went."""
    if run.keeps_faults_only():
        return
    for match in sorted(index.keys() - logs.keys()):
        yield Finding(
            path=str(run.matches / match), exit_code=1, why="its log is gone or empty, the index has its result"
        )


def _verdict(matches: int, complete: bool) -> str:
    if not complete:
        return f"{matches} matches verified; the run is not complete, nor its master seed checked"
    return f"{matches} matches verified; commitment, pair seeds, decks and digests agree"
