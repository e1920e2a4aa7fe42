"""A round robin by the command, as a user starts it, and what its logs say of it."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from referee.bots import sandbox
from referee.bots.spec import load_folder, missing
from referee.errors import RunError

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "example_bots"
LAYERS = ("none", "bwrap")


def need_layer(name: str) -> None:
    """Skips where this machine has no sandbox; in CI that is a failure."""
    try:
        sandbox.choose(name)  # type: ignore[arg-type]
    except RunError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))


def need_programs(folder: Path) -> None:
    """Skips where this machine has no compiler or interpreter for the bot; in CI that is a failure."""
    lacking = missing(load_folder(folder))
    if lacking and os.environ.get("CI") == "true":
        pytest.fail(f"{folder.name}: {lacking}")
    if lacking:
        pytest.skip(lacking)


def present(folders: list[Path]) -> list[Path]:
    """Those bots that can be built and run here; the others are reported by the tests of each bot."""
    return [folder for folder in folders if missing(load_folder(folder)) is None]


def play(out: Path, folders: list[Path], layer: str, pairs: int, more: str = "") -> tuple[Counter[str], list[str]]:
    """Matches that each bot has played to their end, by name, and every fault in the logs."""
    config = [f'name = "{out.name}"', f"pairs = {pairs}", 'seed = "kits"', f'sandbox = "{layer}"', more]
    # A machine that is busy with something else must not look like a slow bot.
    config += ["[clock]", "start_ms = 60000", "move_ms = 20000"]
    config += [line for folder in folders for line in ("[[bots]]", f"path = {json.dumps(str(folder))}")]
    file = out.with_suffix(".toml")
    file.write_text("\n".join(config), "utf-8")
    command = [sys.executable, "-m", "referee", "run", str(file), "--out", str(out), "--quiet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    played: Counter[str] = Counter()
    faults = []
    for path in out.glob("matches/*.jsonl"):
        first, *lines = path.read_text("utf-8").splitlines()
        assert json.loads(lines[-1])["reason"] == "target", lines[-1]
        played.update(seat["name"] for seat in json.loads(first)["seats"])
        faults += [f"{path.name}: {line}" for line in lines if line.startswith('{"type":"fault"')]
    return played, faults


def check(folder: Path) -> None:
    """`referee check` has nothing to say against the bot."""
    command = [sys.executable, "-m", "referee", "check", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
