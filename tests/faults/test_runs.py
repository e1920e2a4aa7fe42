"""Cases 33, 34 and 46 to 49: whole tournaments, killed, interrupted, without space, and with faulty bots among them."""

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import msgspec
import pytest
from faults import arena
from faults.tournaments import HONEST, Contest, contest

SOAK = bool(os.environ.get("SOAK"))
CRASH = ("--do", "exit-now")
PEOPLE = {"ada": HONEST, "bob": HONEST, "eve": CRASH}
MATCHES = 12  # of three bots and two pairs


def worker_pids(contest: Contest) -> list[int]:
    found = []
    for pid in arena.alive_with(contest.token):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        found += [pid] if b"referee.tournament.worker" in words else []
    return found


def playing(contest: Contest, bots: int) -> bool:
    """Whether so many bots are running."""
    return sum(1 for pid in arena.alive_with(contest.token) if b"misbehave.py" in cmdline(pid)) >= bots


def cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("sandbox", arena.LAYERS)
def test_33_referee_killed_in_mid_match(sandbox: str, tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    """With bots that never read again. The bots die with their worker, the workers with their runner."""
    arena.layer(sandbox)
    silent = ("--do", "silent", "--at-turn", "1")
    runs = contest(tmp_path, {"a": silent, "b": silent}, move_s=600, sandbox=sandbox)
    with runs.running("--jobs", "2") as process:
        runs.wait(process, lambda: playing(runs, 4))
        process.kill()
        process.wait()
        took = runs.all_gone(1.0)
    table.append(("33", "the referee is killed in mid-match", sandbox, "-", "-", f"nothing after {took:.2f} s"))


@pytest.mark.parametrize("sandbox", arena.LAYERS)
def test_33_worker_killed(sandbox: str, tmp_path: Path) -> None:
    """Its match is played again by another; every match is there once."""
    arena.layer(sandbox)
    runs = contest(tmp_path, PEOPLE, pairs=4, sandbox=sandbox)
    with runs.running("--jobs", "2") as process:
        runs.wait(process, lambda: len(runs.logs()) >= 3)
        os.kill(worker_pids(runs)[0], signal.SIGKILL)
        _, stderr = process.communicate(timeout=60 * arena.slowness())
        assert process.returncode == 0, stderr
    assert len(runs.logs()) == 2 * MATCHES
    runs.verified()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_34_interrupted(number: signal.Signals, tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    runs = contest(tmp_path, PEOPLE, pairs=20)
    with runs.running("--jobs", "2") as process:
        runs.wait(process, lambda: len(runs.logs()) >= 2)
        process.send_signal(number)
        start = time.monotonic()
        _, stderr = process.communicate(timeout=3 * arena.slowness())
        took = time.monotonic() - start
        runs.all_gone(1.0)
    assert process.returncode == 130
    assert "referee run" in stderr and str(runs.file) in stderr and "Traceback" not in stderr
    finished = runs.digests()
    assert len(finished) >= 2 and not list((runs.out / "matches").glob(".*"))
    assert set(finished) == runs.logs()
    table.append(("34", f"{number.name} to the referee", "none", "exit 130", f"{took:.2f} s", "nothing"))


def test_34_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    stubborn = ("--do", "stuck-in-term", "--at-turn", "1")
    runs = contest(tmp_path, {"a": stubborn, "b": stubborn}, move_s=600)
    with runs.running("--jobs", "2") as process:
        runs.wait(process, lambda: playing(runs, 4))
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=1 * arena.slowness())
        assert process.returncode == 130
        runs.all_gone(1.0)


def test_46_a_sandbox_that_does_not_work(tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    """Asked for by name: an error before the first match. `auto`: steps down, says so, and records it."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("setpriv", "prlimit", "sh"):
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    for sandbox, code in (("bwrap", 1), ("auto", 0)):
        folder = tmp_path / sandbox
        folder.mkdir()
        runs = contest(folder, PEOPLE, pairs=1, sandbox=sandbox)
        done = runs.run(env=runs.environment(PATH=str(programs)))
        assert done.returncode == code, done.stderr
        assert "bwrap is not installed" in done.stderr
        if sandbox == "bwrap":
            assert 'sandbox = "bwrap" does not work' in done.stderr
            assert not runs.out.exists()
        else:
            assert msgspec.json.decode((runs.out / "run.json").read_bytes())["layer"] == "none"
    table.append(("46", "bwrap asked for, not there", "bwrap", "error, exit 1", "-", "no match played"))


def test_47_killed_and_resumed(tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    """At random moments, again and again; in the end every match is there once, and is the same as without."""
    times = 50 if SOAK else 4
    pairs = 60 if SOAK else 4
    bots = {"ada": HONEST, "bob": HONEST, "eve": CRASH, "zoe": ("--do", "die")}
    runs = contest(tmp_path, bots, pairs=pairs, name="killed")
    for _ in range(times):
        before = runs.logs()
        with runs.running("--jobs", "2") as process:
            while process.poll() is None and len(runs.logs()) <= len(before):
                time.sleep(0.01)
            time.sleep(random.random() * 0.2)
            process.kill()
        assert before <= runs.logs()
    done = runs.run("--jobs", "2")
    assert done.returncode == 0, done.stderr
    (tmp_path / "whole").mkdir()
    whole = contest(tmp_path / "whole", bots, pairs=pairs, name="killed")
    assert whole.run("--jobs", "3").returncode == 0
    assert runs.digests() == whole.digests()
    assert len(runs.logs()) == 6 * 2 * pairs == len(runs.summaries())
    runs.verified()
    table.append(("47", f"the referee is killed {times} times and resumed", "none", "-", "-", "each match once"))


def confined(contest: Contest, *options: str) -> "subprocess.CompletedProcess[str]":
    """The run in a mount namespace, where `options` of bwrap make its folder what they will; a copy is kept."""
    bwrap = shutil.which("bwrap")
    if not bwrap:
        assert not os.environ.get("CI"), "bwrap is not installed"
        pytest.skip("bwrap, which makes the small file system, is not installed")
    kept = contest.file.parent / "kept"
    sandbox = (bwrap, "--dev-bind", "/", "/", *options, "--")
    sandbox = (bwrap, "--dev-bind", "/", "/", *options, "--")
    script = 'kept=$1; out=$2; shift 2; "$@"; code=$?; cp -r "$out" "$kept"; exit $code'
    done = subprocess.run(
        [*sandbox, "sh", "-c", script, "sh", str(kept), str(contest.out), *contest.command("--jobs", "2")],
        env=contest.environment(),
        capture_output=True,
        text=True,
        timeout=60 * arena.slowness(),
        check=False,
    )
    contest.all_gone(2.0)
    contest.out = kept
    return done


def test_48_disk_full(tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    runs = contest(tmp_path, PEOPLE, pairs=3)
    runs.out.mkdir()
    done = confined(runs, "--size", "65536", "--tmpfs", str(runs.out))
    assert done.returncode == 1, done.stderr
    assert "No space left on device" in done.stderr and "Traceback" not in done.stderr, done.stderr[-3000:]
    played = runs.summaries()
    assert played and {summary.match for summary in played} == runs.logs()
    table.append(("48", "disk full", "none", "error, exit 1", "-", f"{len(played)} earlier results intact"))


def test_48_read_only(tmp_path: Path) -> None:
    runs = contest(tmp_path, PEOPLE)
    runs.out.mkdir()
    done = confined(runs, "--ro-bind", str(runs.out), str(runs.out))
    assert done.returncode == 1, done.stderr
    assert "Read-only file system" in done.stderr and "Traceback" not in done.stderr, done.stderr[-3000:]


@pytest.mark.parametrize("sandbox", arena.LAYERS)
def test_49_faults_from_the_first_match_to_the_last(sandbox: str, tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    """Several matches at a time, faulty bots in all of them: the tournament ends, and the sums are right."""
    arena.layer(sandbox)
    bots = {
        "ada": HONEST,
        "crash": CRASH,
        "flood": ("--do", "flood", "--bytes", "300000"),
        "wrong": ("--do", "debug-then-answer"),
        "fork": ("--do", "double-fork"),
    }
    runs = contest(tmp_path, bots, pairs=1, sandbox=sandbox)
    done = runs.run("--jobs", "3")
    assert done.returncode == 0, done.stderr
    played = runs.summaries()
    assert len(played) == 10 * 2
    kinds = {"crash": "crash", "flood": "malformed", "wrong": "malformed"}
    for summary in played:
        assert summary.winner in (0, 1) and summary.reason == "target"
        assert summary.score[summary.winner] >= 4 > summary.score[1 - summary.winner]
        # A deal ends with the first fault in it: of two faulty bots, only one need come to its own.
        assert {fault.kind for fault in summary.faults} <= {kinds.get(name) for name in summary.seats} | {"flood"}
        assert bool(summary.faults) == any(name in kinds for name in summary.seats)
        for fault in summary.faults:
            assert summary.seats[fault.seat] in kinds
    runs.verified()
    table.append(("49", "faults from the first match to the last", sandbox, "-", "-", "the sums are right"))


def test_03_a_bot_that_does_not_start_is_left_out(tmp_path: Path) -> None:
    """It is said before the long part begins; by option the others go on without it."""
    bots = {"ada": HONEST, "late": ("--at", "start", "--do", "silent"), "bob": HONEST}
    for choice, code in (("stop", 4), ("leave-out", 0)):
        (tmp_path / choice).mkdir()
        runs = contest(tmp_path / choice, bots, start_s=arena.start_s(), on_start_fault=choice)
        done = runs.run()
        assert done.returncode == code, done.stderr
        assert "late" in done.stderr and "no answer to hello" in done.stderr
        assert len(runs.logs()) == (4 if choice == "leave-out" else 0)


def test_48_no_space_for_the_index(tmp_path: Path) -> None:
    """The index is only there for speed, but where it cannot grow the run stops as clearly, and loses nothing."""
    prlimit = shutil.which("prlimit")
    if not prlimit:
        pytest.skip("prlimit, which makes a limit that stands for a full disk, is not installed")
    runs = contest(tmp_path, PEOPLE)
    runs.out.mkdir()
    (runs.out / "index.jsonl").write_bytes(b"cut short\n" * 30_000)
    done = runs.run(under=(prlimit, "--fsize=300100:unlimited"))
    assert done.returncode == 1, done.stderr
    assert "File too large" in done.stderr
    assert runs.logs() and {summary.match for summary in runs.summaries()} == runs.logs()
    assert runs.run().returncode == 0
    assert len(runs.logs()) == MATCHES == len(runs.summaries())
