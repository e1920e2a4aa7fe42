"""report, end to end, with real bots."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from cli.command import referee, tournament


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    done = referee("run", tournament(folder, "first random greedy", 2), "--out", "out", cwd=folder)
    assert done.code == 0, done.err
    return folder / "out"


def test_a_page_with_the_interesting_replays(run: Path, tmp_path: Path) -> None:
    done = referee("report", run, "--html", "page.html", cwd=tmp_path)
    assert (done.code, done.out, done.err) == (0, "", "wrote page.html\n")
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert '<b class="state done">complete</b>' in page and "12 matches" in page
    assert 1 <= page.count('class="replay"') <= 20
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_all_replays_in_a_folder_beside_it(run: Path, tmp_path: Path) -> None:
    done = referee("report", run, "--html", "my page.html", "--replays", "all", cwd=tmp_path)
    assert done.code == 0 and "my page_replays/" in done.err
    made = {path.stem for path in (tmp_path / "my page_replays").iterdir()}
    assert made == {path.stem for path in (run / "matches").iterdir()}
    page = (tmp_path / "my page.html").read_text()
    links = re.findall(r'href="my%20page_replays/([^"#]*)\.html"', page)
    assert links and set(links) <= made
    assert 'class="replay"' not in page


def test_none(run: Path, tmp_path: Path) -> None:
    assert referee("report", run, "--html", "page.html", "--replays", "none", cwd=tmp_path).code == 0
    page = (tmp_path / "page.html").read_text()
    assert 'class="replay"' not in page
    assert 'href="#replay=' not in page


def test_a_run_in_progress_and_a_damaged_log(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "copy"))
    info = (copy / "run.json").read_text()
    (copy / "run.json").write_text(info.replace('"master_seed": "test"', '"master_seed": null'))
    (copy / "matches" / "1-first-random-a.jsonl").unlink()
    for path in (copy / "matches").glob("2-*.jsonl"):
        path.write_text(path.read_text()[:-30])
    done = referee("report", copy, "--html", "page.html", cwd=tmp_path)
    assert done.code == 0 and "Traceback" not in done.err
    assert "in progress: 11 of 12 matches" in (tmp_path / "page.html").read_text()


def test_what_cannot_be(run: Path, tmp_path: Path) -> None:
    done = referee("report", tmp_path, "--html", "page.html", cwd=tmp_path)
    assert done.code == 2 and "no run.json here" in done.err
    done = referee("report", run, "--html", "nowhere/page.html", cwd=tmp_path)
    assert done.code == 2 and "cannot be written" in done.err
    assert referee("report", run, cwd=tmp_path).code == 2
