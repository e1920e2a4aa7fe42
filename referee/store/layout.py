"""A run's folder: what lies where.

run.json            frozen configuration, hashes of the bots' folders, commitment, sandbox layer; the master seed once
                    the run is complete
seed                the master seed until then, readable by its owner only
matches/MATCH.jsonl one finished match each
index.jsonl         a line for each of them, for speed; made again from the logs where it is missing
lock                held while a referee works here
"""

import fcntl
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from referee.errors import LogError, RunError, UsageError
from referee.rules.shuffle import commitment

RUN_FORMAT = 1


class RunInfo(msgspec.Struct, kw_only=True):
    """`run.json`. `config` is the frozen tournament, as the tournament package wrote it."""

    format: int = RUN_FORMAT
    referee: str
    name: str
    commitment: str
    layer: str
    bots: dict[str, str]  # name -> content hash
    config: dict[str, Any]
    started: str
    master_seed: str | None = None  # revealed at the end
    complete: bool = False
    left_out: list[str] = []  # bots of `config` that did not start
    decided: str = ""  # a sequential test has ended it before all was played, in words
    notes: list[str] = []  # what whoever reads the results should know

    def participants(self) -> list[str]:
        """The bots that are in the tables: a bot that was left out has played nothing, and has no part in ratings."""
        return [name for name in self.bots if name not in self.left_out]


class _Format(msgspec.Struct):
    """Of a `run.json` whatever else that format has changed."""

    format: int = RUN_FORMAT


def timestamp(now: datetime | None = None) -> str:
    """A moment as runs and logs write it: UTC, whole seconds; default: this one."""
    return (now or datetime.now(UTC)).isoformat(timespec="seconds").replace("+00:00", "Z")


class RunFolder:
    """Paths and small files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.matches = path / "matches"
        self.index = path / "index.jsonl"
        self._info, self._seed, self._lock = path / "run.json", path / "seed", path / "lock"

    def exists(self) -> bool:
        """Whether a run was begun here."""
        return self._info.is_file()

    def create(self, info: RunInfo, master_seed: str) -> None:
        """Begin a run; raises OSError when the folder cannot be written."""
        # Until the end the logs tell what is still to be played: leg b has the decks of leg a.
        self.matches.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._write_private(self._seed, master_seed.encode())
        self.save(info)

    def save(self, info: RunInfo) -> None:
        """Replace `run.json`, atomically."""
        part = self._info.with_suffix(".json.part")
        part.write_bytes(msgspec.json.format(msgspec.json.encode(info), indent=1) + b"\n")
        part.replace(self._info)

    def info(self) -> RunInfo:
        """Read `run.json`; UsageError when this is no run's folder."""
        try:
            data = self._info.read_bytes()
            found = msgspec.json.decode(data, type=_Format).format
            if found != RUN_FORMAT:
                hint = "a newer referee wrote it" if found > RUN_FORMAT else "no referee writes that"
                why = f"format {found} of a run cannot be read here, only {RUN_FORMAT}: {hint}"
                raise LogError(str(self._info), 0, why)
            return msgspec.json.decode(data, type=RunInfo)
        except FileNotFoundError:
            raise UsageError(f"{self.path}: no run.json here, so this is no tournament's folder") from None
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            raise LogError(str(self._info), 0, f"cannot be read: {error}") from None

    def keeps_faults_only(self) -> bool:
        """Whether matches without a fault leave no log (`logs = "faults"`)."""
        return self.exists() and self.info().config.get("logs") == "faults"

    def master_seed(self) -> str:
        """The seed that the decks come from, revealed or not; RunError if it is lost, or not that of the commitment."""
        info = self.info()
        if info.master_seed is not None:
            return info.master_seed
        try:
            found = self._seed.read_bytes().decode()
        except FileNotFoundError as error:
            given = info.config.get("seed")
            if isinstance(given, str) and commitment(given) == info.commitment:
                return given
            raise RunError(f"{self._seed}: the master seed is gone, the run cannot go on: {error}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise RunError(f"{self._seed}: the master seed cannot be read, the run cannot go on: {error}") from None
        if commitment(found) != info.commitment:
            why = "the master seed in it is not the one that run.json commits to, the run cannot go on"
            raise RunError(f"{self._seed}: {why}")
        return found

    def leave_out(self, names: list[str]) -> None:
        """These bots did not start, and stay out of the run."""
        info = self.info()
        info.left_out = sorted({*info.left_out, *names})
        self.save(info)

    def reveal(self, decided: str = "", *, seed: str | None = None) -> None:
        """The run is complete, or `decided` before that: the master seed may be known.

        Whoever knows it gives it as `seed`: then nothing depends on the file any more.
        """
        info = self.info()
        info.complete, info.decided = True, decided
        info.master_seed = self.master_seed() if seed is None else seed
        self.save(info)
        self._seed.unlink(missing_ok=True)
        self.matches.chmod(0o755)

    def lock(self) -> int:
        """Hold the folder until this process ends; RunError when another referee works here. Returns the descriptor."""
        descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise RunError(f"{self.path}: another referee is working here") from None
        return descriptor

    def _write_private(self, path: Path, data: bytes) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as file:  # noqa: PTH123  a descriptor, not a path
            file.write(data)
