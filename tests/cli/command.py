"""The command line as its user has it: a process, with a deadline, and nothing of it left afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

EXAMPLES = Path(__file__).parents[2] / "example_bots"
DEADLINE_S = 120


class Done(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


def environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key not in ("PYTHONUNBUFFERED", "NO_COLOR")}


def start(*arguments: str | Path, cwd: Path) -> subprocess.Popen[str]:
    """A command under way, in a session of its own, so that a signal reaches nothing else."""
    return subprocess.Popen(
        [sys.executable, "-m", "referee", *map(str, arguments)],
        cwd=cwd,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str]) -> Done:
    """Wait for it; a command that hangs is killed, and the test fails."""
    try:
        out, err = process.communicate(timeout=DEADLINE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return Done(process.returncode, out, err)


def referee(*arguments: str | Path, cwd: Path) -> Done:
    """Run a command to its end."""
    return finish(start(*arguments, cwd=cwd))


def tournament(folder: Path, bots: str = "first random", pairs: int = 2, more: str = "", name: str = "t") -> Path:
    """A small tournament file."""
    lines = [f'name = "{name}"', f"pairs = {pairs}", 'seed = "test"', 'sandbox = "none"', more]
    for bot in bots.split():
        lines += ["[[bots]]", f'path = "{EXAMPLES / bot}"']
    path = folder / f"{name}.toml"
    path.write_text("\n".join(lines))
    return path


def processes(token: str) -> list[str]:
    """Command lines of living processes that mention `token`: what a run has left behind."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (
                (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if entry.name.isdigit()
                else ""
            )
            working = str((entry / "cwd").readlink()) if words else ""
        except OSError:
            continue
        if token in words or token in working:
            found.append(words)
    return found
