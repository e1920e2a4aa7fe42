"""From a command line to a running process with three pipes, and whose fault it is when that fails."""

import errno
import fcntl
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Self

from referee.bots import reaper, sandbox
from referee.bots.sandbox import Launch, Layer
from referee.bots.spec import BotSpec

MAX_UNASKED = 65_536
"""Bytes that a bot may write between two turns without being asked."""

_OURS = {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC}


class SpawnError(Exception):
    """A bot was not launched; the text says why."""


class BotUnstartable(SpawnError):  # noqa: N818 - the name says whose trouble it is
    """The bot's own fault: no such program, not executable, a script whose interpreter is missing."""


class RefereeTrouble(SpawnError):  # noqa: N818
    """Not the bot's fault: no processes, descriptors or memory left. Try again later; never charge the bot."""


class Pipes:
    """The three pipes of a bot. Our ends do not block, and no other child inherits them."""

    def __init__(self) -> None:
        self._theirs: list[int] = []
        self._ours: list[int] = []
        try:
            for ours in (1, 0, 0):
                pipe = os.pipe2(os.O_CLOEXEC)
                self._ours.append(pipe[ours])
                self._theirs.append(pipe[1 - ours])
                os.set_blocking(pipe[ours], False)
            # More than a bot may write unasked: else a flood would stop at a full pipe of just the allowed size.
            with suppress(OSError):
                fcntl.fcntl(self._ours[1], fcntl.F_SETPIPE_SZ, 2 * MAX_UNASKED)
        except OSError:
            self.close()
            raise

    @property
    def theirs(self) -> tuple[int, int, int]:
        """The bot's stdin, stdout, stderr."""
        stdin, stdout, stderr = self._theirs
        return stdin, stdout, stderr

    def take(self) -> tuple[int, int, int]:
        """Our ends of stdin, stdout, stderr: the caller closes them from now on."""
        stdin, stdout, stderr = self._ours
        self._ours = []
        return stdin, stdout, stderr

    def close(self) -> None:
        """Close everything that was not taken."""
        for fd in (*self._ours, *self._theirs):
            os.close(fd)
        self._ours, self._theirs = [], []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Running:
    """A process that was just launched, with what is needed to talk to it, watch it and kill it."""

    def __init__(self, launch: Launch) -> None:
        with Pipes() as pipes:
            stdin, stdout, stderr = pipes.theirs
            # vfork and exec in 0.15 ms. Never preexec_fn: it would cost a fork of the whole referee.
            self.popen = subprocess.Popen(
                launch.argv,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=launch.cwd,
                env=launch.env,
                close_fds=True,
                start_new_session=True,
            )
            self.pid = self.popen.pid
            self.mark = launch.mark
            self.announced = launch.announced
            reaper.enlist(self.pid, self.mark)
            try:
                self.pidfd = os.pidfd_open(self.pid)
            except OSError:
                self.popen.kill()
                self.reap()
                raise
            self.stdin, self.stdout, self.stderr = pipes.take()

    def exit_status(self) -> os.waitid_result | None:
        """How it ended, None while it runs. It stays a zombie, so that its group's number stays its own."""
        return os.waitid(os.P_PIDFD, self.pidfd, os.WEXITED | os.WNOHANG | os.WNOWAIT)

    def reap(self) -> None:
        """Wait for the killed process and forget it."""
        self.popen.wait()
        reaper.discharge(self.pid)


def start(spec: BotSpec, layer: Layer) -> Running:
    """Launch a bot. Raises BotUnstartable or RefereeTrouble; leaves nothing behind then."""
    try:
        _check_program(spec)
        return Running(sandbox.command(spec, layer))
    except OSError as error:
        text = f"{error.filename or spec.argv[0]}: {error.strerror}"
        raise (RefereeTrouble if error.errno in _OURS else BotUnstartable)(text) from error


def _check_program(spec: BotSpec) -> None:
    """Find out before the launch what a launcher in between could only say with an exit code."""
    if not Path(spec.dir).is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), spec.dir)
    if "/" not in spec.argv[0]:
        raise BotUnstartable(f"{spec.argv[0]} is not installed")
    program = Path(spec.dir, spec.argv[0])
    with suppress(PermissionError), program.open("rb") as file:  # an executable need not be readable
        first = os.fsdecode(file.readline(256))
        words = first[2:].split() if first.startswith("#!") else []
        if words and not Path(words[0]).exists():
            raise BotUnstartable(f"{program}: its interpreter {' '.join(words)} is not installed")
    if not os.access(program, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(program))
