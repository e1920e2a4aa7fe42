"""Reading a run while somebody else writes it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from match.table import header, play, random_chooser
from standings.matches import match

from referee.match.summary import Summary
from referee.store.index import IndexWriter
from referee.store.layout import RunFolder, RunInfo
from referee.store.tail import Tail


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path / "run")
    info = RunInfo(referee="0.1.0", name="t", commitment="c", layer="none", bots={}, config={}, started="")
    folder.create(info, "seed")
    return folder


def log(run: RunFolder, name: str) -> None:
    """A finished match."""
    (run.matches / f"{name}.jsonl").write_bytes(play(header(name=name), random_chooser(len(name))).log)


def add(run: RunFolder, pair: int, leg: str = "a", logged: bool = True) -> Summary:
    """A match in the index, by its runner's own writer."""
    summary = match("ab", (7, 3), pair, leg)  # type: ignore[arg-type]
    if logged:
        log(run, summary.match)
    writer = IndexWriter(run)
    writer.add(summary)
    writer.close()
    return summary


def names(tail: Tail, whole: bool = False) -> list[str]:
    return [summary.match for summary in tail.news(whole)]


def test_nothing_yet(run: RunFolder) -> None:
    tail = Tail(run)
    assert names(tail) == [] == names(tail)


def test_each_match_is_told_of_once_in_its_order(run: RunFolder) -> None:
    tail = Tail(run)
    add(run, 2)
    add(run, 1)
    assert names(tail) == ["2-a-b-a", "1-a-b-a"]
    assert names(tail) == []
    add(run, 3)
    assert names(tail) == ["3-a-b-a"]
    assert names(tail, whole=True) == []


def test_only_what_is_new_is_read(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    tail = Tail(run)
    for pair in range(1, 40):
        add(run, pair, logged=pair < 2)
    names(tail)
    size = run.index.stat().st_size
    add(run, 40)
    assert names(tail) == ["40-a-b-a"]
    assert tail._offset == run.index.stat().st_size > size


def test_half_a_line_waits_for_its_other_half(run: RunFolder) -> None:
    tail = Tail(run)
    add(run, 1)
    names(tail)
    add(run, 2, logged=False)
    whole = run.index.read_bytes()
    run.index.write_bytes(whole[:-40])
    assert names(tail) == []
    with run.index.open("ab") as file:
        file.write(whole[-40:])
    assert names(tail) == ["2-a-b-a"]


def test_a_line_that_a_kill_has_cut_is_passed_over(run: RunFolder) -> None:
    tail = Tail(run)
    with run.index.open("ab") as file:
        file.write(b'{"match":"9-a-b\n')
    add(run, 1)
    assert names(tail) == ["1-a-b-a"]


def test_chunks_end_anywhere(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.store.tail.CHUNK", 7)
    tail = Tail(run)
    for pair in (1, 2, 3):
        add(run, pair)
    assert names(tail) == ["1-a-b-a", "2-a-b-a", "3-a-b-a"]


def test_an_index_that_was_made_again_is_read_from_its_start(run: RunFolder) -> None:
    tail = Tail(run)
    add(run, 1)
    add(run, 2)
    names(tail)
    run.index.unlink()
    add(run, 3)
    add(run, 1)
    assert names(tail) == ["3-a-b-a"]
    run.index.write_bytes(b"")
    assert names(tail) == []
    add(run, 4)
    assert names(tail) == ["4-a-b-a"]


def test_without_an_index_the_logs_are_looked_at(run: RunFolder) -> None:
    tail = Tail(run)
    log(run, "1-a-b-a")
    assert names(tail) == ["1-a-b-a"]
    log(run, "1-a-b-b")
    (run.matches / ".2-a-b-a.part").write_text("unfinished")
    (run.matches / "2-a-b-b.jsonl").write_text('{"type":"match"')
    assert names(tail) == ["1-a-b-b"]
    log(run, "2-a-b-b")
    assert names(tail) == ["2-a-b-b"]


def test_a_whole_look_counts_what_the_standings_count(run: RunFolder) -> None:
    add(run, 1)
    add(run, 2, logged=False)  # its log was taken away: the match is played again
    log(run, "3-a-b-a")  # a kill between the log and its line in the index
    tail = Tail(run)
    assert names(tail) == ["1-a-b-a", "3-a-b-a"]
    log(run, "4-a-b-a")
    assert names(tail) == []
    assert names(tail, whole=True) == ["4-a-b-a"]


def test_a_run_that_keeps_few_logs_is_taken_at_its_word(run: RunFolder) -> None:
    info = run.info()
    info.config = {"logs": "faults"}
    run.save(info)
    add(run, 1, logged=False)
    assert names(Tail(run)) == ["1-a-b-a"]


def test_nothing_is_written_and_no_lock_is_taken(run: RunFolder) -> None:
    add(run, 1)
    before = sorted(path.name for path in run.path.rglob("*"))
    held = run.lock()
    assert names(Tail(run)) == ["1-a-b-a"]
    os.close(held)
    assert sorted(path.name for path in run.path.rglob("*")) == sorted([*before, "lock"])
