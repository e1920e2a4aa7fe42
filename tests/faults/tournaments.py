"""Tournaments through the command line, in a process of their own that can be killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from faults import arena

from referee.match.summary import Summary
from referee.store.index import summaries
from referee.store.layout import RunFolder

HONEST: tuple[str, ...] = ()


@dataclass
class Contest:
    """A tournament file, the run's folder, and the token of everything that is started for it."""

    file: Path
    out: Path
    token: str

    def command(self, *more: str) -> list[str]:
        return [sys.executable, "-m", "referee", "run", str(self.file), "--out", str(self.out), *more]

    def environment(self, **more: str) -> dict[str, str]:
        return {**os.environ, "FAULT_RUN": self.token, **more}

    @contextmanager
    def running(self, *more: str) -> Iterator[subprocess.Popen[str]]:
        """The process; whatever becomes of the test, it and all that it started are gone afterwards."""
        process = subprocess.Popen(
            self.command(*more),
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.file.parent,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate()
            try:
                self.all_gone(2.0)
            finally:
                for pid in arena.alive_with(self.token):
                    os.kill(pid, signal.SIGKILL)

    def run(
        self, *more: str, env: Mapping[str, str] | None = None, under: tuple[str, ...] = ()
    ) -> "subprocess.CompletedProcess[str]":
        """From start to end."""
        done = subprocess.run(
            [*under, *self.command(*more)],
            env=env or self.environment(),
            capture_output=True,
            text=True,
            timeout=40 * arena.slowness(),
            cwd=self.file.parent,
            check=False,
        )
        self.all_gone(2.0)
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def all_gone(self, within_s: float) -> float:
        """Seconds until no process of the run is alive: runner, workers, bots."""
        start = time.monotonic()
        while left := arena.alive_with(self.token):
            assert time.monotonic() - start < within_s * arena.slowness(), f"still alive: {left}"
            time.sleep(0.01)
        return time.monotonic() - start

    def logs(self) -> set[str]:
        """The matches that are finished."""
        if not (self.out / "matches").is_dir():
            return set()
        return {path.stem for path in (self.out / "matches").glob("*.jsonl") if not path.name.startswith(".")}

    def wait(self, process: subprocess.Popen[str], until: Callable[[], bool]) -> None:
        """Until something is so; fails if the run ends before, or after a long time."""
        deadline = time.monotonic() + 30 * arena.slowness()
        while not until():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, f"{len(self.logs())} matches so far"
            time.sleep(0.01)

    def summaries(self) -> list[Summary]:
        return list(summaries(RunFolder(self.out)))

    def digests(self) -> dict[str, str]:
        return {summary.match: summary.digest for summary in self.summaries()}

    def verified(self) -> None:
        """By the command that a user would give."""
        done = subprocess.run(
            [sys.executable, "-m", "referee", "verify", str(self.out)],
            capture_output=True,
            text=True,
            timeout=60 * arena.slowness(),
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def contest(
    folder: Path,
    bots: Mapping[str, tuple[str, ...]],
    *,
    pairs: int = 2,
    out: Path | None = None,
    move_s: float | None = None,
    start_s: float | None = None,
    **keys: object,
) -> Contest:
    """A round robin of `bots`: flags of misbehave.py by name."""
    token = arena.new_token()
    plain = {"seed": "faults", "sandbox": "none", "pairs": pairs, **keys}
    lines = [f"{key} = {msgspec.json.encode(value).decode()}" for key, value in plain.items()]
    lines += ["[rules]", "match_target = 4", "[clock]"]
    lines += [
        f"start_ms = {int((start_s or 3 * arena.start_s()) * 1000)}",
        f"move_ms = {int((move_s or arena.move_s()) * 1000)}",
    ]
    for name, flags in bots.items():
        command = msgspec.json.encode(arena.bot_command("--token", token, *flags)).decode()
        lines += ["[[bots]]", f'name = "{name}"', f"command = {command}", f'dir = "{arena.HERE}"']
    file = folder / "contest.toml"
    file.write_text("\n".join(lines) + "\n")
    return Contest(file, out or folder / "out", token)
