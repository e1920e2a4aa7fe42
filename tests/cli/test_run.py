"""run, match, standings, verify and replay, end to end, with real bots."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from cli.command import EXAMPLES, Done, environment, finish, processes, referee, start, tournament

from referee.bots.reaper import children
from referee.match.events import MatchEndEvent, SeatInfo, digest_of, encode
from referee.store.matchlog import read_matches


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three bots; tests that change it take a copy."""
    folder = tmp_path_factory.mktemp("run")
    file = tournament(folder, "first random greedy", 3)
    done = referee("run", file, "--out", folder / "out", cwd=folder)
    assert done.code == 0, done.err
    return folder / "out"


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(run, tmp_path / "copy"))


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: json.loads(path.read_text().splitlines()[-1])["digest"]
        for path in (folder / "matches").glob("*.jsonl")
    }


def test_every_pairing_plays_its_mirrored_pairs(run: Path) -> None:
    names = {
        f"{n}-{a}-{leg}.jsonl"
        for n in (1, 2, 3)
        for a in ("first-random", "first-greedy", "random-greedy")
        for leg in "ab"
    }
    assert {path.name for path in (run / "matches").iterdir()} == names


def test_the_legs_of_a_pair_have_the_same_decks_and_dealer(run: Path) -> None:
    for pair in (1, 2, 3):
        legs = [
            [
                json.loads(line)
                for line in (run / "matches" / f"{pair}-first-greedy-{leg}.jsonl").read_text().splitlines()
            ]
            for leg in "ab"
        ]
        heads = [leg[0] for leg in legs]
        assert heads[0]["seed"] == heads[1]["seed"] and heads[0]["first_dealer"] == heads[1]["first_dealer"]
        assert [seat["name"] for seat in heads[0]["seats"]] == [seat["name"] for seat in heads[1]["seats"]][::-1]
        decks = [[record["deck"] for record in leg if record["type"] == "deal"] for leg in legs]
        assert all(a == b for a, b in zip(*decks, strict=False))


@pytest.mark.parametrize("jobs", ["1", "4"])
def test_the_same_digests_at_any_number_of_jobs(run: Path, tmp_path: Path, jobs: str) -> None:
    file = tournament(tmp_path, "first random greedy", 3)
    assert referee("run", file, "--out", tmp_path / "out", "--jobs", jobs, cwd=tmp_path).code == 0
    assert digests(tmp_path / "out") == digests(run)


def test_standings_as_text_json_csv_and_markdown(run: Path) -> None:
    text = referee("standings", run, cwd=run)
    assert text.code == 0
    lines = [line.split("\t") for line in text.out.splitlines()]
    table = json.loads(referee("standings", run, "--json", cwd=run).out)
    assert [line[1] for line in lines[1:]] == [row["name"] for row in table["rows"]]
    assert table["matches"] == 18
    assert sum(row["won"] for row in table["rows"]) == sum(row["lost"] for row in table["rows"]) == 18
    assert "| greedy " in referee("standings", run, "--markdown", cwd=run).out
    assert referee("standings", run, "--csv", cwd=run).out.count("\n") == 4


def test_standings_need_no_index(copy: Path) -> None:
    before = referee("standings", copy, "--json", cwd=copy).out
    (copy / "index.jsonl").unlink()
    assert referee("standings", copy, "--json", cwd=copy).out == before


def test_verify_confirms_a_run_and_a_log(run: Path) -> None:
    done = referee("verify", run, cwd=run)
    assert (done.code, done.err) == (0, "")
    assert "18 matches verified; commitment, pair seeds, decks and digests agree" in done.out
    assert referee("verify", next((run / "matches").iterdir()), cwd=run).code == 0


def change(folder: Path, name: str, old: str, new: str) -> Path:
    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return path


LOG = "matches/1-first-greedy-a.jsonl"


@pytest.mark.parametrize(
    ("name", "old", "new", "code", "words"),
    [
        (LOG, '"type":"act"', '"type":"akt"', 5, ":3: damaged"),
        (LOG, '"format":1', '"format":2', 5, ":1: damaged: log format 2 cannot be read here"),
        (LOG, '"dealer":1', '"dealer":0', 1, "disagrees: dealer is 0, the rules give 1"),
        ("run.json", '"master_seed": "test"', '"master_seed": "other"', 1, "does not come from the master seed"),
        ("index.jsonl", '"score":[7', '"score":[6', 1, "the index differs"),
    ],
)
def test_verify_says_which_line_and_why(copy: Path, name: str, old: str, new: str, code: int, words: str) -> None:
    if name == "index.jsonl" and old not in (copy / name).read_text():
        old, new = '"score":[8', '"score":[6'
    change(copy, name, old, new)
    done = referee("verify", copy, cwd=copy)
    assert done.code == code, done.out
    assert words in done.out
    assert "Traceback" not in done.err


def test_a_log_that_is_cut_is_damaged(copy: Path) -> None:
    path = copy / LOG
    path.write_bytes(path.read_bytes()[:-200])
    done = referee("verify", path, cwd=copy)
    assert done.code == 5 and "cut short" in done.out


@pytest.mark.parametrize("pairs", ["2", "4"])
def test_other_matches_than_those_of_the_configuration_are_found(copy: Path, pairs: str) -> None:
    change(copy, "run.json", '"pairs": 3', f'"pairs": {pairs}')
    done = referee("verify", copy, cwd=copy)
    assert done.code == 1
    assert ("6 of its matches are not there" if pairs == "4" else "no match of this run") in done.out
    assert "digests agree" not in done.out


@pytest.mark.parametrize(
    ("more", "old", "new", "words"),
    [
        ('format = "swiss"\nrounds = 2', '"rounds": 2', '"rounds": 1', "no match of this run"),
        ('format = "swiss"\nrounds = 2', '"rounds": 2', '"rounds": 3', "of its matches are not there"),
        ('format = "knockout"', '"format": "knockout"', '"format": "round-robin"', "of its matches are not there"),
    ],
)
def test_other_rounds_than_were_played_are_found(tmp_path: Path, more: str, old: str, new: str, words: str) -> None:
    file = tournament(tmp_path, "first random greedy", 1, more)
    assert referee("run", file, "--out", tmp_path / "out", cwd=tmp_path).code == 0
    assert referee("verify", tmp_path / "out", cwd=tmp_path).code == 0
    change(tmp_path / "out", "run.json", old, new)
    done = referee("verify", tmp_path / "out", cwd=tmp_path)
    assert done.code == 1 and words in done.out


def test_a_match_that_is_dropped_with_its_result_is_missed(copy: Path) -> None:
    (copy / LOG).unlink()
    index = copy / "index.jsonl"
    index.write_text("".join(line for line in index.read_text().splitlines(True) if '"1-first-greedy-a"' not in line))
    done = referee("verify", copy, cwd=copy)
    assert done.code == 1
    assert "1 of its matches are not there, 1-first-greedy-a for one" in done.out


def rewritten(folder: Path, name: str, **fields: object) -> None:
    """A log with another header, and a digest that agrees with it, as anybody can make one."""
    path = folder / "matches" / name
    (lines,) = read_matches(path)
    events = [line.event for line in lines]
    events[0] = msgspec.structs.replace(events[0], **fields)
    end = events[-1]
    assert isinstance(end, MatchEndEvent)
    events[-1] = msgspec.structs.replace(end, digest=digest_of(events))
    path.write_bytes(b"".join(encode(event) for event in events))


def test_logs_in_anothers_place_are_found_although_their_digests_agree(copy: Path) -> None:
    (copy / "index.jsonl").unlink()
    names = ("1-first-greedy-a", "2-first-greedy-a", "3-first-greedy-a", "1-first-random-a")
    swapped = (SeatInfo("greedy"), SeatInfo("first"))
    rewritten(copy, f"{names[0]}.jsonl", seats=swapped)
    shutil.copy(copy / "matches" / f"{names[2]}.jsonl", copy / "matches" / f"{names[1]}.jsonl")
    rewritten(copy, f"{names[1]}.jsonl", match=names[1])
    rewritten(copy, f"{names[3]}.jsonl", seats=(SeatInfo("nobody"), SeatInfo("random")))
    done = referee("verify", copy, cwd=copy)
    assert done.code == 1
    assert f"{names[0]}.jsonl:1: disagrees: pair, leg and seats are those of match 1-greedy-first-a" in done.out
    assert f"{names[1]}.jsonl:1: disagrees: pair, leg and seats are those of match {names[2]}" in done.out
    assert f"{names[3]}.jsonl:1: disagrees: there is no bot nobody in this run" in done.out


def test_a_forged_line_before_the_true_one_is_found(copy: Path) -> None:
    index = copy / "index.jsonl"
    lines = index.read_text().splitlines(keepends=True)
    forged = json.loads(lines[0])
    forged["winner"] = 1 - forged["winner"]
    index.write_text(json.dumps(forged) + "\n" + "".join(lines))
    done = referee("verify", copy, cwd=copy)
    assert done.code == 1
    assert f"two lines contradict each other on {forged['match']}" in done.out
    index.write_text("".join(lines) + json.dumps(forged) + "\n")
    done = referee("verify", copy, cwd=copy)
    assert done.code == 1
    assert "two lines contradict each other" in done.out and "the index differs from the log" in done.out


def test_replay_prints_every_deal(run: Path) -> None:
    done = referee("replay", run / LOG, cwd=run)
    assert done.code == 0
    deals = [json.loads(line) for line in (run / LOG).read_text().splitlines()]
    assert done.out.count("\nDeal ") == sum(record["type"] == "deal" for record in deals)
    one = referee("replay", run / LOG, "--deal", "2", cwd=run)
    assert one.out.count("\nDeal ") == 1 and "\nDeal 2" in one.out


def test_a_page_is_written(run: Path, tmp_path: Path) -> None:
    assert referee("replay", run / LOG, "--html", tmp_path / "match.html", cwd=run).code == 0
    assert "<html" in (tmp_path / "match.html").read_text()


def test_the_same_command_again_plays_nothing_and_shows_the_same(run: Path, tmp_path: Path) -> None:
    file = tournament(tmp_path, "first random")
    first = referee("run", file, cwd=tmp_path)
    again = referee("run", file, cwd=tmp_path)
    assert (first.code, again.code) == (0, 0)
    assert first.out == again.out
    assert (tmp_path / "runs" / "t" / "run.json").exists()


def test_another_configuration_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    assert referee("run", tournament(tmp_path), "--out", "out", cwd=tmp_path).code == 0
    done = referee("run", tournament(tmp_path, pairs=3), "--out", "out", cwd=tmp_path)
    assert done.code == 3 and "pairs: was 2, now 3" in done.err and "--extend" in done.err
    done = referee("run", tournament(tmp_path, more="[rules]\ndeclare_at = 60"), "--out", "out", cwd=tmp_path)
    assert done.code == 3 and "rules.declare_at: was 66, now 60" in done.err


def test_a_run_is_extended_by_what_is_missing(tmp_path: Path) -> None:
    assert referee("run", tournament(tmp_path), "--out", "out", cwd=tmp_path).code == 0
    before = digests(tmp_path / "out")
    done = referee("run", tournament(tmp_path, "first random tiny", 3), "--out", "out", "--extend", cwd=tmp_path)
    assert done.code == 0, done.err
    after = digests(tmp_path / "out")
    assert len(after) == 18 and before.items() <= after.items()
    assert "warning: extended after its master seed was revealed" in done.err
    verified = referee("verify", "out", cwd=tmp_path)
    assert verified.code == 0 and "extended after its master seed was revealed" in verified.out


def test_logs_can_be_compressed_or_kept_only_with_faults(tmp_path: Path) -> None:
    (tmp_path / "silly.py").write_text(
        'import json\nfor line in open(0):\n    kind = json.loads(line)["type"]\n'
        '    if kind in ("hello", "turn"):\n'
        '        print(\'{"type":"ready"}\' if kind == "hello" else "what?", flush=True)\n'
    )
    tables = {}
    for logs in ("all", "compressed", "faults"):
        file = tournament(tmp_path, "first random", 1, f'logs = "{logs}"', name=logs)
        file.write_text(file.read_text() + '\n[[bots]]\nname = "silly"\ncommand = ["python3", "silly.py"]\n')
        done = referee("run", file, "--out", logs, "--json", cwd=tmp_path)
        assert done.code == 0, done.err
        tables[logs] = [(row["name"], row["won"], row["points_for"]) for row in json.loads(done.out)["rows"]]
        assert referee("verify", logs, cwd=tmp_path).code == 0
    assert tables["all"] == tables["compressed"] == tables["faults"]
    assert all(path.suffix == ".gz" for path in (tmp_path / "compressed" / "matches").iterdir())
    assert len(list((tmp_path / "faults" / "matches").iterdir())) == 4
    again = referee("run", tmp_path / "faults.toml", "--out", "faults", cwd=tmp_path)
    assert "going on: 6 matches are there already" in again.err


def test_a_fault_names_the_command_that_plays_that_very_match_again(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "import json\nfor line in open(0):\n    message = json.loads(line)\n"
        '    if message["type"] == "hello":\n        print(\'{"type":"ready"}\', flush=True)\n'
        '    if message["type"] == "turn":\n        raise SystemExit(7)\n'
    )
    file = tournament(tmp_path, "first", 1)
    file.write_text(file.read_text() + '\n[[bots]]\nname = "broken"\ncommand = ["python3", "broken.py"]\n')
    done = referee("run", file, "--out", "my out", cwd=tmp_path)
    assert done.code == 0, done.err
    command = next(line for line in done.err.splitlines() if "referee repeat" in line)
    words = shlex.split(command[command.index("referee repeat") :])
    log = tmp_path / "my out" / "matches" / "1-first-broken-a.jsonl"
    assert words[:2] == ["referee", "repeat"] and Path(words[2]).parent == log.parent
    again = referee("repeat", log, "--sandbox", "none", cwd=tmp_path)
    assert again.code == 0, again.err
    assert "the same match as before" in again.out and "exit code 7" in again.out
    (tmp_path / "broken.py").write_text((EXAMPLES / "first" / "first.py").read_text())
    mended = referee("repeat", log, "--sandbox", "none", cwd=tmp_path)
    assert mended.code == 1 and "another match than before" in mended.out


def wait_for_matches(folder: Path, process: subprocess.Popen[str], number: int) -> None:
    """Until so many logs are there."""
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        if len(list((folder / "matches").glob("*.jsonl"))) >= number:
            return
        time.sleep(0.02)
    raise AssertionError(f"it ended too early: {process.communicate()}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_keeps_what_is_finished_and_the_rest_is_played_later(tmp_path: Path, number: signal.Signals) -> None:
    file = tournament(tmp_path, "first random greedy", 30)
    process = start("run", file, "--out", "out", cwd=tmp_path)
    wait_for_matches(tmp_path / "out", process, 5)
    os.kill(process.pid, number)
    done = finish(process)
    assert done.code == 130, done.err
    assert f"To go on: referee run {file} --out out" in done.err
    assert not list((tmp_path / "out" / "matches").glob(".*")), "an unfinished match has left something"
    assert not processes(str(tmp_path))
    kept = digests(tmp_path / "out")
    assert 5 <= len(kept) < 180
    assert referee("run", file, "--out", "out", cwd=tmp_path).code == 0
    complete = digests(tmp_path / "out")
    assert len(complete) == 180 and kept.items() <= complete.items()
    assert referee("verify", "out", cwd=tmp_path).code == 0


def test_a_quick_match_goes_on_in_its_own_folder(tmp_path: Path) -> None:
    words = ["match", EXAMPLES / "first", EXAMPLES / "random", "--pairs", "500", "--sandbox", "none"]
    process = start(*words, cwd=tmp_path)
    end = time.monotonic() + 60
    while not list(tmp_path.glob("runs/*/matches/*.jsonl")) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    done = finish(process)
    assert done.code == 130
    (folder,) = (tmp_path / "runs").iterdir()
    assert f"--out runs/{folder.name}" in done.err


def test_a_repaired_bot_may_begin_again_where_nothing_was_played(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("oops")
    file = tournament(tmp_path, "first", 1)
    file.write_text(file.read_text() + '\n[[bots]]\nname = "mine"\ncommand = ["python3", "mine.py"]\n')
    assert referee("run", file, "--out", "out", cwd=tmp_path).code == 4
    (tmp_path / "mine.py").write_text((EXAMPLES / "first" / "first.py").read_text())
    assert referee("run", file, "--out", "out", cwd=tmp_path).code == 0


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    file = tournament(tmp_path)
    done = referee("run", file, "--out", tmp_path, cwd=tmp_path)
    assert done.code == 2 and "holds other files and no run" in done.err


def test_a_second_referee_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    file = tournament(tmp_path, "first random", 200)
    process = start("run", file, "--out", "out", cwd=tmp_path)
    wait_for_matches(tmp_path / "out", process, 1)
    second = referee("run", file, "--out", "out", cwd=tmp_path)
    os.kill(process.pid, signal.SIGINT)
    assert finish(process).code == 130
    assert second.code == 1 and "another referee is working here" in second.err


def test_match_plays_two_bots_of_any_kind(tmp_path: Path) -> None:
    command = f"python3 '{EXAMPLES / 'first' / 'first.py'}'"
    done = referee("match", command, EXAMPLES / "greedy", "--pairs", "2", "--json", "--sandbox", "none", cwd=tmp_path)
    assert done.code == 0, done.err
    assert {row["name"] for row in json.loads(done.out)["rows"]} == {"first", "greedy"}


def test_a_match_against_itself_has_two_names(tmp_path: Path) -> None:
    bot = EXAMPLES / "first"
    done = referee("match", bot, bot, "--pairs", "1", "--json", "--sandbox", "none", cwd=tmp_path)
    assert {row["name"] for row in json.loads(done.out)["rows"]} == {"first", "first-2"}


def test_a_contest_commits_to_a_seed_that_nobody_has_chosen(tmp_path: Path) -> None:
    seeds = set()
    for out in ("one", "two"):
        assert (
            referee("match", EXAMPLES / "first", EXAMPLES / "random", "--pairs", "1", "--out", out, cwd=tmp_path).code
            == 0
        )
        seeds.add(json.loads((tmp_path / out / "run.json").read_text())["master_seed"])
        assert not (tmp_path / out / "seed").exists()
    assert len(seeds) == 2 and all(len(seed) == 64 for seed in seeds)


def no_traceback(done: Done, code: int, words: str) -> None:
    assert done.code == code, done
    assert words in done.err and "Traceback" not in done.err
    assert done.err.startswith(("error: ", "Usage"))


def test_bad_paths_are_one_line(tmp_path: Path, run: Path) -> None:
    no_traceback(referee("run", "nowhere.toml", cwd=tmp_path), 2, "nowhere.toml: there is no such file")
    no_traceback(referee("standings", tmp_path, cwd=tmp_path), 2, "no run.json here")
    no_traceback(referee("standings", "nowhere", cwd=tmp_path), 2, "there is no such file or folder")
    no_traceback(referee("replay", run, cwd=tmp_path), 2, "a folder, expected a file")
    no_traceback(referee("verify", "nowhere", cwd=tmp_path), 2, "there is no such file or folder")
    no_traceback(referee("match", "nobody", EXAMPLES / "first", cwd=tmp_path), 2, "no such file or folder")


def test_a_bad_file_names_line_and_key_and_starts_nothing(tmp_path: Path) -> None:
    file = tournament(tmp_path, more="pears = 3")
    done = referee("run", file, cwd=tmp_path)
    no_traceback(done, 3, f"{file}:5: pears: unknown key")
    assert "did you mean 'pairs'?" in done.err
    assert not (tmp_path / "runs").exists()


def test_a_bot_that_does_not_start_is_said_before_the_long_part(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import nothing_of_that_name\n")
    file = tournament(tmp_path)
    file.write_text(file.read_text() + '\n[[bots]]\nname = "broken"\ncommand = ["python3", "broken.py"]\n')
    done = referee("run", file, "--out", "out", cwd=tmp_path)
    assert done.code == 4 and "bot broken did not start" in done.err and "nothing_of_that_name" in done.err
    assert not list((tmp_path / "out" / "matches").iterdir())
    file.write_text('on_start_fault = "leave-out"\n' + file.read_text())
    done = referee("run", file, "--out", "out", cwd=tmp_path)
    assert done.code == 0, done.err
    assert len(digests(tmp_path / "out")) == 4
    assert "4 of 4 matches done" in done.err and "left out, as they did not start: broken" in done.err
    alone = referee("run", tournament(tmp_path, name="alone"), "--out", "alone", cwd=tmp_path)
    assert untimed(done.out) == untimed(alone.out) and "broken" not in done.out


def untimed(table: str) -> list[list[str]]:
    """Without what two runs may differ in."""
    rows = [line.split("\t") for line in table.splitlines()]
    return [[cell for head, cell in zip(rows[0], row, strict=True) if not head.endswith("_us")] for row in rows]


def test_a_match_in_a_bots_own_folder_is_kept_beside_it(tmp_path: Path) -> None:
    mine = Path(shutil.copytree(EXAMPLES / "first", tmp_path / "mine"))
    done = referee("match", ".", EXAMPLES / "random", "--pairs", "1", "--sandbox", "none", cwd=mine)
    assert done.code == 0, done.err
    assert len(list((tmp_path / "runs").iterdir())) == 1 and not (mine / "runs").exists()


def test_more_jobs_than_cores_are_warned_of(tmp_path: Path) -> None:
    cores = len(os.sched_getaffinity(0))
    for jobs in (cores, cores + 1):
        done = referee("run", tournament(tmp_path, pairs=1), "--out", str(jobs), "--jobs", str(jobs), cwd=tmp_path)
        assert done.code == 0, done.err
        assert (f"warning: --jobs {jobs}, and {cores} cores" in done.err) is (jobs > cores)


def test_a_gauntlet_needs_its_hero(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise SystemExit('not today')\n")
    for command in (["python3", "broken.py"], ["no-such-program"]):
        file = tournament(tmp_path, more='on_start_fault = "leave-out"\nformat = "gauntlet"\nhero = "broken"')
        file.write_text(file.read_text() + f'\n[[bots]]\nname = "broken"\ncommand = {json.dumps(command)}\n')
        for _ in range(2):
            done = referee("run", file, "--out", command[0], cwd=tmp_path)
            assert done.code == 4 and "Traceback" not in done.err
            assert "not today" in done.err or "no-such-program" in done.err


def test_a_worker_that_dies_while_it_greets_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(1)\n" + (EXAMPLES / "first" / "first.py").read_text())
    file = tournament(tmp_path, "first", 1)
    file.write_text(file.read_text() + '\n[[bots]]\nname = "slow"\ncommand = ["python3", "slow.py"]\n')
    process = start("run", file, "--out", "out", cwd=tmp_path)
    deadline = time.monotonic() + 30
    while not (bots := processes("slow.py")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert bots
    worker = next(pid for pid in children(process.pid) if children(pid))
    os.kill(worker, signal.SIGKILL)
    done = finish(process)
    assert done.code == 0, done.err
    assert len(digests(tmp_path / "out")) == 2


def test_a_run_without_its_logs_is_damaged(copy: Path) -> None:
    shutil.rmtree(copy / "matches")
    for command in ("verify", "standings"):
        done = referee(command, copy, cwd=copy)
        assert done.code == 5 and "the folder of the logs is gone" in done.out + done.err
        assert "Traceback" not in done.err


def test_an_optional_bot_is_left_out_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "alien"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "alien"\ncommand = ["no-such-interpreter", "x"]\n')
    file = tournament(tmp_path)
    file.write_text(file.read_text() + f'\n[[bots]]\npath = "{folder}"\noptional = true\n')
    done = referee("run", file, "--out", "out", cwd=tmp_path)
    assert done.code == 0
    assert "left out: alien (no-such-interpreter is not installed)" in done.err


def later_bot(folder: Path) -> Path:
    """A tournament that leaves out `late`, whose program starts only when `mended` is there."""
    (folder / "late.py").write_text(
        "import pathlib\n"
        f'if not pathlib.Path("{folder}/mended").exists():\n    raise SystemExit("not yet")\n'
        + (EXAMPLES / "first" / "first.py").read_text()
    )
    file = tournament(folder, pairs=1, more='on_start_fault = "leave-out"')
    file.write_text(file.read_text() + '\n[[bots]]\nname = "late"\ncommand = ["python3", "late.py"]\n')
    return file


def test_a_complete_run_keeps_its_participants(tmp_path: Path) -> None:
    file = later_bot(tmp_path)
    first = referee("run", file, "--out", "out", cwd=tmp_path)
    before = (tmp_path / "out" / "run.json").read_text()
    assert json.loads(before)["left_out"] == ["late"]
    (tmp_path / "mended").touch()
    again = referee("run", file, "--out", "out", cwd=tmp_path)
    assert (first.code, again.code, again.out) == (0, 0, first.out)
    assert (tmp_path / "out" / "run.json").read_text() == before and len(digests(tmp_path / "out")) == 2
    once = referee("watch", "out", "--once", cwd=tmp_path)
    assert "2 of 2 matches, 100 %" in once.err
    assert referee("verify", "out", cwd=tmp_path).code == 0


def test_who_has_played_cannot_be_left_out(tmp_path: Path) -> None:
    file = later_bot(tmp_path)
    (tmp_path / "mended").touch()
    assert referee("run", file, "--out", "out", cwd=tmp_path).code == 0
    (tmp_path / "mended").unlink()
    file.write_text(file.read_text().replace("pairs = 1", "pairs = 2"))
    done = referee("run", file, "--out", "out", "--extend", cwd=tmp_path)
    assert done.code == 4 and "late has played in this run already" in done.err


def test_a_bot_that_is_replaced_meanwhile_is_noted(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        'import pathlib\npath = pathlib.Path(__file__)\npath.write_text(path.read_text() + "#")\n'
        + (EXAMPLES / "first" / "first.py").read_text()
    )
    file = tournament(tmp_path, "first", 1)
    file.write_text(file.read_text() + '\n[[bots]]\nname = "mine"\ncommand = ["python3", "mine.py"]\n')
    done = referee("run", file, "--out", "out", cwd=tmp_path)
    words = 'the files of bot "mine" changed while the run went on'
    assert done.code == 0 and f"warning: {words}" in done.err
    assert words in referee("verify", "out", cwd=tmp_path).out


def test_a_run_ends_well_without_its_seed_file(tmp_path: Path) -> None:
    words = ["match", EXAMPLES / "first", EXAMPLES / "random", "--pairs", "20", "--sandbox", "none", "--out", "out"]
    process = start(*words, cwd=tmp_path)
    wait_for_matches(tmp_path / "out", process, 1)
    (tmp_path / "out" / "seed").unlink()
    done = finish(process)
    assert done.code == 0, done.err
    assert referee("verify", "out", cwd=tmp_path).code == 0


def test_a_seed_that_is_no_text_is_refused(tmp_path: Path) -> None:
    no_traceback(referee("run", tournament(tmp_path), "--seed", "a\udcff", cwd=tmp_path), 2, "--seed 'a\\udcff': not")


def in_shell(line: str, cwd: Path) -> Done:
    """With `referee` for the command."""
    line = f'referee() {{ "{sys.executable}" -m referee "$@"; }}\n{line}'
    done = subprocess.run(
        ["bash", "-c", line], cwd=cwd, env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("command", ["standings . --json", f"replay {LOG}", "verify .", "--help"])
def test_output_that_cannot_be_written_is_one_line(run: Path, command: str) -> None:
    full = in_shell(f"referee {command} >/dev/full", run)
    assert full == Done(1, "", "error: cannot write: No space left on device\n")
    closed = in_shell(f"referee {command} >&-", run)
    assert closed == Done(1, "", "error: cannot write: stdout is closed\n")


@pytest.mark.parametrize("command", ["standings . --json", f"replay {LOG}", "verify ."])
def test_a_reader_that_has_gone_is_no_success(run: Path, command: str) -> None:
    assert in_shell(f"referee {command} | true; exit ${{PIPESTATUS[0]}}", run) == Done(141, "", "")


def test_words_for_nobody_do_no_harm(run: Path) -> None:
    done = in_shell("referee verify . 2>&-", run)
    assert done.code == 0 and "18 matches verified" in done.out


def test_help_shows_examples(tmp_path: Path) -> None:
    for command in ("run", "match", "standings", "replay", "verify"):
        done = referee(command, "--help", cwd=tmp_path)
        assert done.code == 0 and "Example: referee" in done.out
