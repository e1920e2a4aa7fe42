"""What is refused, and what is kept, when a run is begun or gone on with."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from referee.bots.sandbox import Layer
from referee.errors import ConfigError, UsageError
from referee.match.summary import SeatFigures, Summary
from referee.store.index import IndexWriter
from referee.store.layout import RunFolder
from referee.tournament import prepare as module
from referee.tournament.config import BotEntry, Tournament
from referee.tournament.prepare import Prepared, prepare

BWRAP = Layer(name="bwrap", description="bwrap")
NONE = Layer(name="none", description="none (no sandbox: bwrap is not installed)")


@pytest.fixture
def config(tmp_path: Path) -> Tournament:
    for name in ("a.sh", "b.sh", "c.sh"):
        (tmp_path / name).write_text("#!/bin/sh\n")
    bots = tuple(BotEntry(name=name, command=("/bin/sh", f"{name}.sh"), dir=str(tmp_path)) for name in "abc")
    return Tournament(name="t", bots=bots, pairs=1, seed="s")


def begin(config: Tournament, out: Path, layer: Layer, monkeypatch: pytest.MonkeyPatch, **more: bool) -> Prepared:
    monkeypatch.setattr(module, "choose", lambda _: layer)
    return prepare(config, out, print, **more)


def play_one(run: RunFolder) -> None:
    """As if one match were there."""
    (run.matches / "1-a-b-a.jsonl").write_text("x\n")
    summary = Summary(match="1-a-b-a", pair=1, leg="a", seats=("a", "b"), figures=(SeatFigures(), SeatFigures()))
    writer = IndexWriter(run)
    writer.add(summary)
    writer.close()


def test_a_run_begun_in_the_sandbox_is_not_gone_on_with_outside(
    config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begin(config, tmp_path / "out", BWRAP, monkeypatch).folder
    play_one(run)
    with pytest.raises(ConfigError, match="begun in bubblewrap, and that does not work here now"):
        begin(config, tmp_path / "out", NONE, monkeypatch)
    assert begin(config, tmp_path / "out", BWRAP, monkeypatch).info.layer == "bwrap"


def test_who_was_left_out_stays_out(config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin(config, tmp_path / "out", NONE, monkeypatch).folder
    play_one(run)
    run.leave_out(["c"])
    assert list(begin(config, tmp_path / "out", NONE, monkeypatch).bots) == ["a", "b"]
    longer = msgspec.structs.replace(config, pairs=2)
    assert list(begin(longer, tmp_path / "out", NONE, monkeypatch, extend=True).bots) == ["a", "b", "c"]


def test_what_counts_without_a_log_is_decided_once(
    config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_one(begin(config, tmp_path / "out", NONE, monkeypatch).folder)
    begin(msgspec.structs.replace(config, logs="compressed"), tmp_path / "out", NONE, monkeypatch)
    with pytest.raises(ConfigError, match='logs: was "compressed", now "faults"'):
        begin(msgspec.structs.replace(config, logs="faults"), tmp_path / "out", NONE, monkeypatch)


def test_a_seed_comes_back_as_it_was_given(config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = msgspec.structs.replace(config, seed="a\rb\nü")
    begin(odd, tmp_path / "out", NONE, monkeypatch)
    assert RunFolder(tmp_path / "out").master_seed() == "a\rb\nü"


def test_a_folder_with_other_things_is_refused(
    config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="holds other files and no run"):
        begin(config, tmp_path, NONE, monkeypatch)


def test_going_on_outside_of_the_sandbox_must_be_asked_for_and_is_noted(
    config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play_one(begin(config, tmp_path / "out", BWRAP, monkeypatch).folder)
    asked = msgspec.structs.replace(config, sandbox="none")
    for _ in range(2):
        begin(asked, tmp_path / "out", NONE, monkeypatch)
        assert "warning: begun in bubblewrap and gone on with outside" in capsys.readouterr().out
        assert len(RunFolder(tmp_path / "out").info().notes) == 1


def test_nothing_played_in_the_sandbox_may_begin_again_outside(
    config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(config, tmp_path / "out", BWRAP, monkeypatch)
    assert begin(config, tmp_path / "out", NONE, monkeypatch).info.layer == "none"


def test_what_may_change_is_saved(config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_one(begin(config, tmp_path / "out", NONE, monkeypatch).folder)
    begin(msgspec.structs.replace(config, name="u", logs="compressed"), tmp_path / "out", NONE, monkeypatch)
    info = RunFolder(tmp_path / "out").info()
    assert (info.name, info.config["name"], info.config["logs"]) == ("u", "u", "compressed")


def folder_bot(folder: Path) -> BotEntry:
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["sh", "x.sh"]\n')
    (folder / "x.sh").write_text("#!/bin/sh\n")
    return BotEntry(name="d", path=str(folder))


def test_a_run_in_the_folder_of_a_bot_is_refused(
    config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = msgspec.structs.replace(config, bots=(*config.bots, folder_bot(tmp_path / "d")))
    with pytest.raises(UsageError, match='lies in the folder of bot "d"'):
        begin(config, tmp_path / "d" / "runs" / "one", NONE, monkeypatch)
    assert begin(config, tmp_path / "d2", NONE, monkeypatch)


def test_a_bot_that_has_changed_is_named_with_its_folder(
    config: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = msgspec.structs.replace(config, bots=(*config.bots, folder_bot(tmp_path / "d")))
    prepared = begin(config, tmp_path / "out", NONE, monkeypatch)
    play_one(prepared.folder)
    assert module.replaced(prepared) == []
    (tmp_path / "d" / "x.sh").write_text("#!/bin/sh\nexit\n")
    assert module.replaced(prepared) == ["d"]
    with pytest.raises(ConfigError, match=f'bot "d": its files have changed, in {tmp_path / "d"}'):
        begin(config, tmp_path / "out", NONE, monkeypatch)
