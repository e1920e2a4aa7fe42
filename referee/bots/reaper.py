"""Kill everything that a bot has started, reap it, and touch nothing else.

`killpg` is not enough: a bot that forks twice and calls `setsid` leaves its group. So the referee makes itself a
*subreaper* (`protect`): whatever a bot's descendants leave behind becomes a child of the referee, never of init, and
can be found in one short file. What to kill is never chosen by user, name or start time:

- a bot is started in a session of its own, and a process can leave a session but never join one. So a child of ours
  that is in another session than ours, and that we did not start ourselves, descends from a bot;
- which bot: the one whose session it is in, else the one whose mark (`MARK` in its environment) it carries. With
  neither, its maker hid it, and it goes with whichever bot is killed next.

Whoever starts a child with `start_new_session` in a process that runs bots has to `enlist` it, or it is taken for one.
"""

import ctypes
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

MARK = "REFEREE_BOT"
"""Environment variable with a random token, one per launch: whose descendant is this?"""

_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")

_enlisted: dict[int, str] = {}
"""Children that this process started itself and has not reaped: pid to mark."""


@cache
def protect() -> None:
    """Make this process the one that inherits orphans, and close its memory and descriptors to other processes.

    PR_SET_DUMPABLE=0 keeps a bot of the same user from reading the referee's memory (with the decks in it), its
    environment, and from opening its pipes through /proc. Costs nothing. `BotProcess.spawn` calls it, before the first
    bot; only the first call does anything.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for option, value in ((_PR_SET_CHILD_SUBREAPER, 1), (_PR_SET_DUMPABLE, 0)):
        if libc.prctl(option, value, 0, 0, 0):
            raise OSError(ctypes.get_errno(), f"prctl({option})")


def enlist(pid: int, mark: str = "") -> None:
    """`pid` was started by this process in a session of its own: the sweep leaves it to its owner."""
    _enlisted[pid] = mark


def discharge(pid: int) -> None:
    """`pid` has been reaped."""
    _enlisted.pop(pid, None)


def children(pid: int) -> list[int]:
    """Living and zombie children of `pid`; none if it is gone."""
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(ProcessLookupError):
                found += map(int, (task / "children").read_text().split())
    except FileNotFoundError:
        if not Path(f"/proc/{pid}").exists():
            return []
        # A kernel without CONFIG_PROC_CHILDREN: look at everybody's parent.
        return [each for each in _everybody() if (stat := _stat(each)) and stat.parent == pid]
    return found


def descendants(pid: int) -> list[int]:
    """All below `pid`, parents first. A snapshot: it may be out of date when it is read."""
    found = children(pid)
    for each in found:
        found += children(each)
    return found


def family(pid: int) -> list[int]:
    """All that the bot `pid` has started and that can be told to be its: what is below it, and its orphans.

    The orphans are children of ours by now, see above; without the sandbox a helper that forks twice is one at once.
    It is a snapshot, and what is born just then is not on it. And an orphan that has left the bot's session and hides
    its mark is nobody's: it is neither charged nor stopped, and only a kill finds it. In bwrap there are no orphans:
    all that a bot starts stays below it.
    """
    mark = _enlisted.get(pid, "")
    orphans = [each for each, _, owner in _orphans() if owner == mark] if mark else []
    found = descendants(pid)
    for each in orphans:
        found += [each, *descendants(each)]
    return found


def _orphans() -> Iterator[tuple[int, str, str]]:
    """Children of this process that bots have left behind, dead ones too: pid, state, the mark of the bot or ""."""
    here = os.getsid(0)
    for pid in children(os.getpid()):
        if pid not in _enlisted and (stat := _stat(pid)) is not None and stat.session != here:
            yield pid, stat.state, _owner(pid, stat.session)


def signal_tree(pid: int, number: signal.Signals) -> None:
    """Send a signal to the group of `pid` and to all of its `family` outside of it."""
    others = family(pid)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)
    for each in others:
        with suppress(ProcessLookupError, PermissionError):
            if os.getpgid(each) != pid:
                os.kill(each, number)


def sweep(mark: str) -> int:
    """Kill and reap the orphans of the bot with this mark, and those that nobody can be named for.

    Returns how many it found: call again until it is 0. Those that are reaped count too, because what a killed orphan
    has started becomes an orphan in turn, just then.
    """
    found = 0
    for pid, state, owner in _orphans():
        if state == "Z" or owner in ("", mark):
            _end(pid)
            found += 1
    return found


def settle(mark: str, within_s: float = 5.0) -> None:
    """Sweep until nothing is left, where there is no event loop to wait in; one empty look proves little."""
    _wait_until(lambda: sweep(mark) == 0 and sweep(mark) == 0, within_s)


def kill_all(within_s: float = 5.0) -> None:
    """Kill all bots of this process at once, without an event loop: for a second signal, or a crash of the referee."""
    for pid in _enlisted:
        signal_tree(pid, signal.SIGKILL)
    # Only when they are dead do they leave orphans that can be seen.
    _wait_until(lambda: all((stat := _stat(pid)) is None or stat.state == "Z" for pid in _enlisted), within_s)
    for mark in set(_enlisted.values()):
        settle(mark, within_s)


def _wait_until(condition: Callable[[], bool], within_s: float) -> None:
    deadline = time.monotonic() + within_s
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.001)


def _end(pid: int) -> None:
    """SIGKILL to an orphan and all below it at once, which a storm of forks cannot outrun; reap it if it is dead."""
    for each in (pid, *descendants(pid)):
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def _owner(pid: int, session: int) -> str:
    """The mark of the living bot that `pid` descends from; "" when it cannot be told."""
    if session in _enlisted:
        return _enlisted[session]
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return ""
    marks = [each.decode() for each in environment.split(b"\0") if each.startswith(MARK.encode() + b"=")]
    mark = marks[0].partition("=")[2] if marks else ""
    return mark if mark in _enlisted.values() else ""


def cpu_us(pid: int) -> int:
    """CPU time in microseconds of `pid` and its `family`, exact to the microsecond for those not yet waited for.

    The dead ones that were waited for count in ticks of the kernel's clock (10 ms); those that nobody waits for
    (SIGCHLD ignored) do not count once they are dead. 0 if `pid` is gone.
    """
    return sum(_clock_us(each) + _waited_for_us(each) for each in (pid, *family(pid)))


def _waited_for_us(pid: int) -> int:
    stat = _stat(pid)
    return stat.children_ticks * _TICK_US if stat else 0


def _clock_us(pid: int) -> int:
    """The kernel's CPU clock of one process: its id is made of the pid (clock_getcpuclockid, CPUCLOCK_SCHED)."""
    try:
        return time.clock_gettime_ns(~pid << 3 | 2) // 1000
    except OSError:
        return 0


class _Stat(NamedTuple):
    """From /proc/PID/stat."""

    state: str
    parent: int
    session: int
    children_ticks: int


def _stat(pid: int) -> _Stat | None:
    """None if the process is gone. The name may hold blanks and brackets: count fields from its end."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return _Stat(fields[0], int(fields[1]), int(fields[3]), int(fields[13]) + int(fields[14]))


def _everybody() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
