"""The index is a shortcut to the logs, and never more than that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from match.table import header, play, random_chooser

from referee.match.events import MatchEvent
from referee.match.summary import Summary, summarize
from referee.rules.shuffle import commitment, pair_seed
from referee.store.audit import audit
from referee.store.index import IndexWriter, summaries
from referee.store.layout import RunFolder, RunInfo

if TYPE_CHECKING:
    from pathlib import Path

MASTER = "nobody knows"


def run_of(tmp_path: Path, matches: int = 3, reveal: bool = True) -> RunFolder:
    """A run of some matches, as a referee leaves it."""
    run = RunFolder(tmp_path / "run")
    head = header()
    config = {"rules": msgspec.to_builtins(head.rules), "clock": msgspec.to_builtins(head.clock)}
    info = RunInfo(
        referee="0", name="t", commitment=commitment(MASTER), layer="none", bots={}, config=config, started=""
    )
    run.create(info, MASTER)
    writer = IndexWriter(run)
    for pair in range(1, matches + 1):
        played = play(named(pair), random_chooser(pair))
        (run.matches / f"{pair}-a-b-a.jsonl").write_bytes(played.log)
        writer.add(summarize(played.events))
    writer.close()
    if reveal:
        run.reveal()
    return run


def named(pair: int) -> MatchEvent:
    head = header(seed=pair_seed(MASTER, pair), name=f"{pair}-a-b-a")
    head.pair = pair
    return head


def by_match(run: RunFolder) -> dict[str, Summary]:
    found = list(summaries(run))
    assert len({summary.match for summary in found}) == len(found), "a match is counted twice"
    return {summary.match: summary for summary in found}


def test_without_the_index_the_logs_say_the_same(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    before = by_match(run)
    run.index.unlink()
    assert by_match(run) == before and len(before) == 3


def test_a_line_without_its_log_does_not_count(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (run.matches / "2-a-b-a.jsonl").unlink()
    assert set(by_match(run)) == {"1-a-b-a", "3-a-b-a"}


@pytest.mark.parametrize("cut", [1, 40, 10_000])
def test_an_index_that_was_cut_is_mended_from_the_logs(tmp_path: Path, cut: int) -> None:
    run = run_of(tmp_path)
    before = by_match(run)
    run.index.write_bytes(run.index.read_bytes()[:-cut])
    assert by_match(run) == before
    writer = IndexWriter(run)
    writer.add(before["3-a-b-a"])
    writer.close()
    assert by_match(run) == before


def test_a_line_that_stands_twice_counts_once(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    before = by_match(run)
    run.index.write_bytes(run.index.read_bytes() * 2)
    assert by_match(run) == before


def test_an_unfinished_match_is_not_there(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (run.matches / ".4-a-b-a.part").write_bytes(b"{")
    assert len(by_match(run)) == 3


def findings(run: RunFolder) -> list[tuple[int, str]]:
    return [(finding.exit_code, finding.why) for finding in audit(run.path)]


def test_a_good_run_is_confirmed(tmp_path: Path) -> None:
    assert findings(run_of(tmp_path)) == [(0, "3 matches verified; commitment, pair seeds, decks and digests agree")]


def test_an_unfinished_run_is_confirmed_as_far_as_it_goes(tmp_path: Path) -> None:
    ((code, why),) = findings(run_of(tmp_path, reveal=False))
    assert code == 0 and "not complete" in why


def test_a_log_that_is_gone_is_missed(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (run.matches / "2-a-b-a.jsonl").unlink()
    assert findings(run) == [(1, "its log is gone or empty, the index has its result")]


def test_a_log_under_another_name_is_found(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (run.matches / "2-a-b-a.jsonl").rename(run.matches / "9-a-b-a.jsonl")
    assert [why for _, why in findings(run)] == [
        "the file is called 9-a-b-a, the log is of another match",
        "its log is gone or empty, the index has its result",
    ]


def test_a_commitment_to_another_seed_is_found(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    info = run.info()
    info.commitment = commitment("another")
    run.save(info)
    assert findings(run) == [(1, "the master seed is not the one that was committed to before the first card")]


def test_other_rules_than_the_runs_are_found(tmp_path: Path) -> None:
    run = run_of(tmp_path, 1)
    info = run.info()
    info.config["rules"]["declare_at"] = 60
    run.save(info)
    assert findings(run) == [(1, "the rules are not those of the run")]


def test_the_master_seed_is_private_until_the_end(tmp_path: Path) -> None:
    run = run_of(tmp_path, reveal=False)
    assert (run.path / "seed").stat().st_mode & 0o077 == 0
    assert MASTER not in (run.path / "run.json").read_text()
    run.reveal()
    assert not (run.path / "seed").exists() and run.info().master_seed == MASTER


def test_a_run_that_keeps_only_logs_with_faults_counts_the_others_too(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (run.matches / "2-a-b-a.jsonl").unlink()
    info = run.info()
    info.config["logs"] = "faults"
    run.save(info)
    assert set(by_match(run)) == {"1-a-b-a", "2-a-b-a", "3-a-b-a"}
    assert [code for code, _ in findings(run)] == [0]


def test_a_log_that_a_power_cut_has_emptied_is_not_there(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (run.matches / "2-a-b-a.jsonl").write_bytes(b"")
    assert set(by_match(run)) == {"1-a-b-a", "3-a-b-a"}
