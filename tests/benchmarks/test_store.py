"""What reading costs: verify, replay, the standings of 100,000 matches."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from match.table import header, play, random_chooser
from standings.matches import round_robin

from referee.match.events import MatchEndEvent, MatchEvent
from referee.match.summary import Summary
from referee.render.moments import moments
from referee.rules.ruleset import Rules
from referee.store.index import IndexWriter, finished, summaries
from referee.store.layout import RunFolder, RunInfo
from referee.store.matchlog import Line, read_matches
from referee.store.replay import verify

REFEREE = [sys.executable, "-m", "referee"]
BOTS = [f"bot{number}" for number in range(8)]
MATCHES = 100_000


@pytest.fixture
def long_match(tmp_path: Path) -> Path:
    """A match of more than 200 deals."""
    path = tmp_path / "1-a-b-a.jsonl"
    path.write_bytes(play(header(Rules(match_target=240)), random_chooser(5)).log)
    return path


def lines_of(path: Path) -> list[Line]:
    return next(read_matches(path))


def test_verify(benchmark: Any, long_match: Path) -> None:
    head = benchmark(lambda: verify(lines_of(long_match)))
    end = lines_of(long_match)[-1].event
    assert isinstance(head, MatchEvent) and isinstance(end, MatchEndEvent)
    assert end.deals > 200
    benchmark.extra_info["deals"] = end.deals


def test_replay_opens(benchmark: Any, long_match: Path) -> None:
    shown = benchmark(lambda: list(moments(lines_of(long_match))))
    assert len(shown) > 2_000


@pytest.fixture(scope="module")
def great_run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, int]:
    """A round robin of eight; of all its size only where something is measured."""
    measured = not request.config.getoption("benchmark_disable") or request.config.getoption("benchmark_enable")
    played = round_robin(BOTS, MATCHES // 56 + 1 if measured else 20)
    run = RunFolder(tmp_path_factory.mktemp("runs") / "great")
    run.create(RunInfo(referee="0", name="great", commitment="", layer="none", bots=dict.fromkeys(BOTS, ""),
                       config={}, started=""), "seed")  # fmt: skip
    writer = IndexWriter(run)
    for summary in played:
        writer.add(summary)
        (run.matches / f"{summary.match}.jsonl").write_bytes(b"\n")  # the index stands for what is in it
    writer.close()
    return run, len(played)


def test_standings(benchmark: Any, great_run: tuple[RunFolder, int]) -> None:
    """The whole process, as at a prompt."""
    run, matches = great_run
    command = [*REFEREE, "standings", str(run.path), "--json"]
    done = benchmark.pedantic(lambda: subprocess.run(command, check=True, capture_output=True, timeout=120), rounds=3)
    assert json.loads(done.stdout)["matches"] == matches
    benchmark.extra_info["matches"] = matches
    benchmark.extra_info["megabytes"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10


def test_what_is_left_to_play(benchmark: Any, great_run: tuple[RunFolder, int]) -> None:
    """What a resumed run has to find out first."""
    run, matches = great_run
    names = benchmark.pedantic(lambda: {summary.match for summary in summaries(run)}, rounds=3)
    assert names == finished(run).keys() and len(names) == matches


def test_folding_a_line_of_the_index(benchmark: Any) -> None:
    line = msgspec.json.encode(round_robin(BOTS, 1)[0])
    decode = msgspec.json.Decoder(Summary).decode
    assert benchmark(decode, line).match.startswith("1-bot0-")


def test_help_beside_a_bare_program(benchmark: Any) -> None:
    """`referee --help`; compare with the one below."""
    benchmark.group = "help"
    assert b"standings" in benchmark.pedantic(output, ([*REFEREE, "--help"],), rounds=10)


def test_help_of_a_bare_program(benchmark: Any, tmp_path: Path) -> None:
    program = tmp_path / "bare.py"
    program.write_text("import typer\napp = typer.Typer()\n@app.command()\ndef a(x: int = 3) -> None: 'Say it.'\n"
                       "@app.command()\ndef b(x: int = 3) -> None: 'Say it.'\napp()\n")  # fmt: skip
    benchmark.group = "help"
    assert b"Say it." in benchmark.pedantic(output, ([sys.executable, str(program), "--help"],), rounds=10)


def output(command: list[str]) -> bytes:
    return subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
