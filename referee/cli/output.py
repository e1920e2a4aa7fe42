"""Where things go: data to stdout, progress and warnings to stderr; tables only where somebody looks at a terminal."""

import os
import sys
from pathlib import Path

from referee.errors import UsageError


def say(text: str) -> None:
    """A line for people, beside the data."""
    print(text, file=sys.stderr, flush=True)


def data(raw: bytes) -> None:
    """Data for programs."""
    sys.stdout.flush()
    sys.stdout.buffer.write(raw if raw.endswith(b"\n") else raw + b"\n")
    sys.stdout.buffer.flush()


def existing(path: Path) -> Path:
    """The path, if it is there."""
    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder")
    return path


def readable(path: Path) -> Path:
    """The path, if it is a file that can be read."""
    if existing(path).is_dir():
        raise UsageError(f"{path}: a folder, expected a file")
    if not os.access(path, os.R_OK):
        raise UsageError(f"{path}: cannot be read")
    return path
