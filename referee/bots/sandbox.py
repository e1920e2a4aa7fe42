"""How a bot is launched: the layers `bwrap` and `none`, and the command line that each makes of a bot.

What `none` does: an own session, a cleaned environment, death with the referee, no core dumps, limits on memory, open
files and file sizes, and another user when the referee is root and that user can reach the bot. It does not keep a
bot from reading files, using the network, or signalling processes of its own user.
"""

import os
import secrets
import shutil
from typing import Literal

import msgspec

from referee.bots.reaper import MARK
from referee.bots.spec import BotSpec

NOBODY = 65534
"""User and group that bots run as when the referee is root."""

PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin"


class Layer(msgspec.Struct, frozen=True, kw_only=True):
    """What stands between a bot and the machine. Plain data: probed once, then handed to every worker."""

    name: Literal["bwrap", "none"]
    description: str
    """For people and for the results; says what is missing, if anything is."""
    bwrap: str = ""
    setpriv: str = ""
    prlimit: str = ""


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """What to execute."""

    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    mark: str
    """Random token in the environment of the bot and all its descendants (see `reaper`)."""


def choose(mode: Literal["auto", "bwrap", "none"]) -> Layer:
    """The layer to use."""
    setpriv, prlimit = (shutil.which(name) or "" for name in ("setpriv", "prlimit"))
    return Layer(name="none", description="no sandbox", setpriv=setpriv, prlimit=prlimit)


def command(spec: BotSpec, layer: Layer) -> Launch:
    """The command line, environment and folder that start this bot in this layer."""
    mark = secrets.token_hex(8)
    env = {**_clean_environment(), **spec.env, MARK: mark}
    return Launch(argv=(*_prefix(spec, layer), *spec.argv), env=env, cwd=spec.dir, mark=mark)


def _clean_environment() -> dict[str, str]:
    """PATH, HOME and LANG, and nothing else: no PYTHONUNBUFFERED, no tokens, no proxies."""
    return {
        "PATH": os.environ.get("PATH", PLAIN_PATH),
        "HOME": os.environ.get("HOME", "/"),
        "LANG": "C.UTF-8",
    }


def _prefix(spec: BotSpec, layer: Layer) -> list[str]:
    """Small launchers that execute one another and then the bot, so that the pid stays."""
    prefix: list[str] = []
    if layer.setpriv:
        # The signal follows the thread that spawned the bot, not the process: spawn from the main thread only.
        prefix += [layer.setpriv, "--pdeathsig", "KILL", "--"]
    if layer.prlimit:
        prefix += [layer.prlimit, *_limits(spec), "--"]
    return prefix


def _limits(spec: BotSpec) -> list[str]:
    """Arguments of prlimit."""
    limits = spec.limits
    # RLIMIT_AS would break node and java, which reserve far more than they use; RLIMIT_DATA counts what is writable.
    arguments = ["--core=0", f"--nofile={limits.files}", f"--fsize={limits.file_mb << 20}"]
    if limits.memory_mb is not None:
        arguments.append(f"--data={limits.memory_mb << 20}")
    if limits.cpu_s is not None:
        arguments.append(f"--cpu={limits.cpu_s}:{limits.cpu_s + 1}")
    return arguments
