"""The index is a shortcut to the logs, and never more than that."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from match.table import header, play, random_chooser

from referee.errors import LogError, RunError
from referee.match.events import MatchEvent
from referee.match.summary import Summary, summarize
from referee.rules.shuffle import commitment, pair_seed
from referee.store.audit import audit
from referee.store.index import IndexWriter, summaries
from referee.store.layout import RunFolder, RunInfo
from referee.store.tail import Tail

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


def lines_of(run: RunFolder) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.index.read_bytes().splitlines()]


def rewrite(run: RunFolder, lines: list[dict[str, Any]]) -> None:
    run.index.write_bytes(b"".join(json.dumps(line).encode() + b"\n" for line in lines))


@pytest.mark.parametrize("chunk", [5, 1000, 1 << 20])
def test_the_last_line_of_a_match_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr("referee.store.index.CHUNK", chunk)
    run = run_of(tmp_path)
    before = by_match(run)
    rewrite(run, [{**line, "score": [9, 9]} for line in lines_of(run)] + lines_of(run))
    assert by_match(run) == before
    found = [why for _, why in findings(run)]
    assert found == [f"two lines contradict each other on {pair}-a-b-a" for pair in (3, 2, 1)]


def test_a_match_that_was_played_again_after_its_log_was_lost_is_no_contradiction(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    again = play(named(2), random_chooser(2), us=900)
    (run.matches / "2-a-b-a.jsonl").write_bytes(again.log)
    writer = IndexWriter(run)
    writer.add(summarize(again.events))
    writer.close()
    assert by_match(run)["2-a-b-a"].figures[0].slowest_us == 900
    assert [code for code, _ in findings(run)] == [0]


ODD: list[dict[str, Any]] = [
    {"winner": 5},
    {"score": [-7, 0]},
    {"deals": -1},
    {"faults": [{"seat": 7, "kind": "crash", "deal": 1}]},
    {"faults": [{"seat": 0, "kind": "x", "deal": 1}]},
    {"figures": [{"times": {"99999999": 1}}, {}]},
    {"figures": [{"times": {"5": -1}}, {}]},
    {"figures": [{"slowest_us": -5}, {}]},
]


@pytest.mark.parametrize("fields", ODD)
def test_a_line_that_no_referee_writes_is_passed_over(tmp_path: Path, fields: dict[str, Any]) -> None:
    run = run_of(tmp_path)
    before = by_match(run)
    first, *others = lines_of(run)
    rewrite(run, [first | fields, *others])
    assert by_match(run) == before
    assert {summary.match: summary for summary in Tail(run).news()} == before


def test_a_line_that_is_nested_without_end_is_passed_over(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    before = by_match(run)
    run.index.write_bytes(b'{"x":' + b"[" * 100_000 + b"\n" + run.index.read_bytes())
    assert by_match(run) == before


def test_a_link_to_nowhere_and_a_folder_are_no_finished_matches(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    for pair in (1, 2):
        (run.matches / f"{pair}-a-b-a.jsonl").unlink()
    (run.matches / "1-a-b-a.jsonl").symlink_to("/nonexistent")
    (run.matches / "2-a-b-a.jsonl").mkdir()
    assert set(by_match(run)) == {"3-a-b-a"}
    assert [why for _, why in findings(run)] == ["its log is gone or empty, the index has its result"] * 2


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


def test_two_logs_of_one_match_are_found(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (run.matches / "2-a-b-a.jsonl.gz").write_bytes(gzip.compress((run.matches / "3-a-b-a.jsonl").read_bytes()))
    assert any("2-a-b-a.jsonl lies beside it" in finding.why for finding in audit(run.path) if finding.exit_code == 1)


def test_a_commitment_to_another_seed_is_found(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    info = run.info()
    info.commitment = commitment("another")
    run.save(info)
    assert findings(run) == [(1, "the master seed is not the one that was committed to before the first card")]


def test_a_complete_run_without_its_master_seed_is_not_confirmed(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    info = run.info()
    info.master_seed = None
    run.save(info)
    assert findings(run) == [(1, "the run is complete, and its master seed is not there")]


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


def test_a_seed_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    seed = "ein\r\nZeilenende\rund ß"
    info = RunInfo(referee="0", name="t", commitment=commitment(seed), layer="", bots={}, config={}, started="")
    run.create(info, seed)
    assert run.master_seed() == seed


@pytest.mark.parametrize(("content", "why"), [(b"another", "is not the one that"), (b"\xff", "cannot be read")])
def test_another_seed_than_was_committed_to_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    run = run_of(tmp_path, 1, reveal=False)
    (run.path / "seed").write_bytes(content)
    with pytest.raises(RunError, match=why):
        run.master_seed()
    with pytest.raises(RunError, match=why):
        run.reveal()


def test_a_seed_that_is_gone_is_taken_from_the_configuration(tmp_path: Path) -> None:
    run = run_of(tmp_path, 1, reveal=False)
    (run.path / "seed").unlink()
    info = run.info()
    for given in (None, "another"):
        info.config["seed"] = given
        run.save(info)
        with pytest.raises(RunError, match="the master seed is gone"):
            run.master_seed()
    info.config["seed"] = MASTER
    run.save(info)
    assert run.master_seed() == MASTER


def test_who_knows_the_seed_needs_no_file_to_reveal_it(tmp_path: Path) -> None:
    run = run_of(tmp_path, 1, reveal=False)
    (run.path / "seed").unlink()
    run.reveal(seed=MASTER)
    assert run.info().complete and run.info().master_seed == MASTER
    assert [code for code, _ in findings(run)] == [0]


@pytest.mark.parametrize(("number", "hint"), [(2, "a newer referee wrote it"), (0, "no referee writes that")])
def test_another_format_of_a_run_is_named_as_such(tmp_path: Path, number: int, hint: str) -> None:
    run = run_of(tmp_path, 1)
    (run.path / "run.json").write_text(json.dumps({"format": number, "layer": 5}))
    with pytest.raises(LogError, match=f"format {number} of a run cannot be read here, only 1: {hint}"):
        run.info()


def test_a_run_that_keeps_only_logs_with_faults_counts_the_others_too(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (run.matches / "2-a-b-a.jsonl").unlink()
    info = run.info()
    info.config["logs"] = "faults"
    run.save(info)
    assert set(by_match(run)) == {"1-a-b-a", "2-a-b-a", "3-a-b-a"}
    ((code, why),) = findings(run)
    assert code == 0 and why.startswith("2 matches verified") and "1 results have no log and could not be" in why


def test_a_log_that_a_power_cut_has_emptied_is_not_there(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    (run.matches / "2-a-b-a.jsonl").write_bytes(b"")
    assert set(by_match(run)) == {"1-a-b-a", "3-a-b-a"}
