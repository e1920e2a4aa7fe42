"""The real program behind the first word of a bot's command."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

PYTHON = "{python}"
"""In a command: the interpreter that runs the referee."""

_SHIM_S = 10.0


def resolve(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The command with an absolute program; a program that is not on this machine stays as it is written.

    A path is relative to the bot's folder, a bare name is looked up on PATH. A version manager's shim gives way to
    what it stands for: it takes 160 ms to start where the interpreter takes 30-60, and a sandbox cannot show it.
    """
    first = command[0].replace(PYTHON, sys.executable)
    found = os.path.normpath(folder / first) if "/" in first else shutil.which(first)
    program = _behind_shim(found, str(folder)) if found and "shims" in Path(found).parts else found
    return (program or first, *(word.replace(PYTHON, sys.executable) for word in command[1:]))


@cache
def _behind_shim(shim: str, folder: str) -> str:
    """Ask the shim once, in the bot's folder (which may choose a version); an unknown kind of program stays a shim."""
    name = Path(shim).name
    question = {"python": ("-c", "import sys; print(sys.executable)"), "node": ("-p", "process.execPath")}
    for kind, arguments in question.items():
        if name.startswith(kind):
            return _ask([shim, *arguments], folder) or shim
    return shim


def _ask(command: list[str], folder: str) -> str | None:
    try:
        answer = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SHIM_S, check=True, text=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    path = answer.stdout.strip()
    return path if os.access(path, os.X_OK) else None
