"""How a bot is launched: the layers `bwrap` and `none`, and the command line that each makes of a bot.

Both give a bot an own session, a cleaned environment, no way to new privileges, death with the referee, no core dumps,
and limits on memory, open files and file sizes. Only `bwrap` keeps it from reading other files, using the network,
seeing or signalling other processes, leaving files behind, and from having more processes than it may.

When the referee is root, bots run as user 65534 if that user can reach their files. If it cannot (a folder below /root,
say), they run as root: in `bwrap` without any capability, in `none` with all that root may do.
"""

import os
import resource
import secrets
import shutil
import stat
import subprocess
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from referee.bots import bubblewrap, reaper
from referee.bots.spec import BotSpec
from referee.errors import RunError

NOBODY = "65534"
"""User and group that bots run as when the referee is root."""

Mode = Literal["auto", "bwrap", "none"]

_PROBE_S = 10.0
_BWRAP = "bwrap: no network, no other processes, files read-only, private /tmp"
_NONE = "none: bots can read files, use the network, and signal processes of the same user"


class Layer(msgspec.Struct, frozen=True, kw_only=True):
    """What stands between a bot and the machine. Plain data: probed once, then handed to every worker."""

    name: Literal["bwrap", "none"]
    description: str
    """For people and for the results; says why `auto` stepped down, if it did."""
    bwrap: str = ""
    disable_userns: bool = False
    setpriv: str = ""
    prlimit: str = ""
    hidden: tuple[str, ...] = ()
    """Folders that no sandboxed bot sees, even inside a folder that it does see: the run's own, other bots'."""


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """What to execute."""

    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    mark: str
    """Random token in the environment of the bot and all its descendants (see `reaper`)."""
    announced: bool = False
    """The launcher writes the mark to stderr, as a line, when it is done: no mark, no bot, and not the bot's fault."""


def choose(mode: Mode) -> Layer:
    """The layer to use: tries bwrap once, unless it is not wanted. `auto` may step down and says why.

    Raises RunError if bwrap was asked for and does not work here.
    """
    setpriv, prlimit = shutil.which("setpriv") or "", shutil.which("prlimit") or ""
    plain = Layer(name="none", description=_NONE + _lacking(setpriv, prlimit), setpriv=setpriv, prlimit=prlimit)
    if mode == "none":
        return plain
    bwrap = shutil.which("bwrap") or ""
    layer = Layer(
        name="bwrap",
        description=_BWRAP,
        bwrap=bwrap,
        disable_userns="--disable-userns" in _help(bwrap),
        setpriv=setpriv,
        prlimit=prlimit,
    )
    why = _probe(layer)
    if why is None:
        return layer
    if mode == "bwrap":
        raise RunError(f'sandbox = "bwrap" does not work on this machine: {why}')
    return msgspec.structs.replace(plain, description=f"{plain.description} (no sandbox: {why})")


def command(spec: BotSpec, layer: Layer) -> Launch:
    """The command line, environment and folder that start this bot in this layer."""
    mark = secrets.token_hex(8)
    sandboxed, other_user = layer.name == "bwrap", _as_nobody(spec, layer)
    env = {
        "PATH": bubblewrap.search_path(spec) if sandboxed else os.environ.get("PATH", bubblewrap.PATH),
        "HOME": "/tmp" if sandboxed or other_user else os.environ.get("HOME", "/"),
        "LANG": "C.UTF-8",
        **spec.env,
        reaper.MARK: mark,
    }
    argv = _privileges(layer, other_user)
    if sandboxed:
        argv += bubblewrap.command_line(layer.bwrap, spec, layer.hidden, layer.disable_userns)
    elif layer.setpriv:
        argv += ["/bin/sh", "-c", f'[ "$PPID" = {os.getpid()} ] && exec "$@"', "sh"]
    argv += [*_limits(spec, layer), *spec.argv]
    return Launch(argv=tuple(argv), env=env, cwd="/" if sandboxed else spec.dir, mark=mark, announced=sandboxed)


def warning(spec: BotSpec, layer: Layer) -> str | None:
    """What the organiser should know of this bot in this layer, in one sentence; None if there is nothing."""
    if os.geteuid() != 0 or layer.name == "bwrap" or _as_nobody(spec, layer):
        return None
    why = "its files or its interpreter cannot be read by other users" if layer.setpriv else "setpriv is not installed"
    return f"{spec.name} runs as root, without a sandbox: {why}"


def _privileges(layer: Layer, other_user: bool) -> list[str]:
    """setpriv, which executes the rest, so that the pid stays. bwrap needs it only to become another user.

    PDEATHSIG follows the thread that spawned the bot, not the process: spawn from the main thread only. After it, `sh`
    goes on only as our child: a bot launched a millisecond before we are killed would not hear of it, and stay.
    """
    user = ["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"] if other_user else []
    alone = [] if layer.name == "bwrap" else ["--no-new-privs", "--pdeathsig", "KILL"]
    return [layer.setpriv, *user, *alone, "--"] if layer.setpriv and (user or alone) else []


def _allowed(files: int) -> int:
    """Who is no superuser cannot raise the hard limit: a bot has to do with what this machine allows."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return files if hard == resource.RLIM_INFINITY else min(files, hard)


def _limits(spec: BotSpec, layer: Layer) -> list[str]:
    """prlimit, innermost: the number of processes is counted per user, but inside a user namespace only there."""
    if not layer.prlimit:
        return []
    limits = spec.limits
    arguments = ["--core=0", f"--nofile={_allowed(limits.files)}", f"--fsize={limits.file_mb << 20}"]
    if limits.memory_mb is not None:
        # RLIMIT_AS would break node and java, which reserve far more than they use; this counts what is writable.
        arguments.append(f"--data={limits.memory_mb << 20}")
    if limits.cpu_s is not None:
        arguments.append(f"--cpu={limits.cpu_s}:{limits.cpu_s + 1}")
    if layer.name == "bwrap":
        arguments.append(f"--nproc={limits.processes}")
    return [layer.prlimit, *arguments, "--"]


def _lacking(setpriv: str, prlimit: str) -> str:
    return ("" if setpriv else "; without setpriv a bot may outlive a killed referee") + (
        "" if prlimit else "; without prlimit its memory is not limited"
    )


def _help(bwrap: str) -> str:
    return subprocess.run([bwrap, "--help"], capture_output=True, text=True, check=False).stdout if bwrap else ""


def _probe(layer: Layer) -> str | None:
    """Run `true` in the sandbox; None if that works, else why not."""
    if not layer.bwrap or not layer.prlimit:
        return "bwrap is not installed" if not layer.bwrap else "prlimit is not installed"
    launch = command(BotSpec(name="probe", argv=("/usr/bin/true",), dir="/usr"), layer)
    try:
        done = subprocess.run(launch.argv, env=launch.env, capture_output=True, timeout=_PROBE_S, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    reaper.settle(launch.mark)  # bwrap does not wait for the last process inside
    if done.returncode == 0:
        return None
    return done.stderr.decode("utf-8", "replace").partition("\n")[0] or f"exit code {done.returncode}"


def _as_nobody(spec: BotSpec, layer: Layer) -> bool:
    if os.geteuid() != 0 or not layer.setpriv:
        return False
    return _reachable(spec.dir, (*bubblewrap.programs(spec), *([layer.bwrap] if layer.name == "bwrap" else [])))


@cache
def _reachable(folder: str, programs: tuple[str, ...]) -> bool:
    """Whether any user can read the folder and run the programs. Judged by the bits for "others"."""
    return _open_to_others(Path(folder)) and all(_open_to_others(Path(program)) for program in programs)


def _open_to_others(path: Path) -> bool:
    try:
        real = path.resolve(strict=True)
        needed = stat.S_IROTH | (stat.S_IXOTH if real.is_dir() else 0)
        above = all(folder.stat().st_mode & stat.S_IXOTH for folder in real.parents)
        return above and real.stat().st_mode & needed == needed
    except OSError:
        return False
