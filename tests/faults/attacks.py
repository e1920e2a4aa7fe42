# ruff: noqa: PTH108, PTH109, PTH110, PTH118, PTH123, PTH208
"""What a hostile bot tries (cases 38 to 44, and more). Runs inside the bot; `run` returns what came of each attack.

Each function is one attack. It returns words for what it has got, or raises OSError (or `Nothing`) when it is refused.
The number before its name is that of the case.
"""

import ctypes
import json
import os
import re
import signal
import socket
import subprocess


class Nothing(Exception):  # noqa: N818
    """There is nothing to be had."""


def run(target):
    """All attacks against what `target` (JSON) names: [number, words, succeeded, what came of it]."""
    aims = json.loads(target)
    results = []
    for attack in ATTACKS:
        number, _, name = attack.__name__.partition("_")[2].partition("_")
        words = (attack.__doc__ or name).strip()
        try:
            results.append([int(number), words, True, str(attack(aims))[:80]])
        except Nothing as error:
            results.append([int(number), words, False, str(error)])
        except (OSError, subprocess.SubprocessError) as error:
            results.append([int(number), words, False, f"{type(error).__name__}: {error}"[:80]])
    return results


def processes(mark):
    """Other processes with this on their command line."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    if mark.encode() in file.read():
                        found.append(int(name))
            except OSError:
                continue
    return found


def opponent(aims):
    found = processes("".join(aims["opponent"]))  # in two parts, so as not to find itself, or its own sandbox
    if not found:
        raise Nothing("no opponent to be seen")
    return found[-1]


def referee(aims):
    if not visible(aims):
        raise Nothing("no referee to be seen")
    return aims["referee"]


def visible(aims):
    """Whether the process with the referee's number is the referee."""
    try:
        return b"pytest" in read(f"/proc/{aims['referee']}/cmdline")
    except FileNotFoundError:
        return False


def read(path, size=4096):
    with open(path, "rb") as file:
        return file.read(size)


def memory(pid):
    """One page of a process's memory."""
    with open(f"/proc/{pid}/maps") as maps:
        first = re.match(r"([0-9a-f]+)-", next(line for line in maps if " rw-p " in line))
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        file.seek(int(first[1], 16))
        return f"{len(file.read(4096))} bytes of memory"


def attack_38_source(aims):
    """reads the opponent's source"""
    return f"{len(read(aims['source']))} bytes"


def attack_38_environment(aims):
    """reads the opponent's environment"""
    return f"{len(read(f'/proc/{opponent(aims)}/environ'))} bytes"


def attack_38_memory(aims):
    """reads the opponent's memory"""
    return memory(opponent(aims))


def attack_39_seed_file(aims):
    """reads the file with the master seed"""
    return f"{len(read(aims['seed']))} bytes"


def attack_39_own_log(aims):
    """reads the log of the match that is being played"""
    for name in os.listdir(aims["run"]):
        if name.endswith(".part"):
            data = read(os.path.join(aims["run"], name))
            if not data:
                raise Nothing("it is empty as long as the match goes on")
            return f"{len(data)} bytes"
    raise Nothing("no log to be seen")


def attack_39_finished_logs(aims):
    """reads the logs of finished matches, whose decks leg b plays again"""
    for name in os.listdir(aims["run"]):
        if name.endswith(".jsonl"):
            return f"{len(read(os.path.join(aims['run'], name)))} bytes"
    raise Nothing("no log to be seen")


def attack_39_arguments(aims):
    """finds the seed in the referee's arguments"""
    if aims["secret"].encode() in read(f"/proc/{referee(aims)}/cmdline"):
        return "the seed"
    raise Nothing("not there")


def attack_39_environment(aims):
    """reads the referee's environment"""
    return f"{len(read(f'/proc/{referee(aims)}/environ'))} bytes"


def attack_39_memory(aims):
    """reads the referee's memory"""
    return memory(referee(aims))


def attack_39_own_environment(aims):
    """finds a seed in its own environment or arguments"""
    everything = " ".join(os.environ.values())
    if aims["secret"] in everything:
        return "the seed"
    raise Nothing("not there")


def attack_39_descriptors(aims):
    """has inherited descriptors beyond the three"""
    extra = [int(name) for name in os.listdir("/proc/self/fd") if int(name) > 2]
    inherited = []
    for number in extra:
        try:
            os.fstat(number)
        except OSError:
            continue  # the one that listed the folder
        inherited.append(number)
    if inherited:
        return f"descriptors {inherited}"
    raise Nothing("none")


def attack_40_forge(aims):
    """writes an answer into the opponent's stdout"""
    with open(f"/proc/{opponent(aims)}/fd/1", "wb", buffering=0) as file:
        return f"{file.write(b'forged' + bytes([10]))} bytes written"


def attack_41_signal_opponent(aims):
    """signals the opponent"""
    os.kill(opponent(aims), signal.SIGCONT)
    return "sent"


def attack_41_signal_referee(aims):
    """signals the referee"""
    os.kill(aims["referee"], 0)
    if not visible(aims):
        raise Nothing("another process has that number here")
    return "could be sent"


def attack_42_tcp(aims):
    """connects to the host by TCP"""
    with socket.create_connection(("127.0.0.1", aims["tcp"]), timeout=2):
        return "connected"


def attack_42_udp(aims):
    """has a network device beside loopback"""
    devices = [name for _, name in socket.if_nameindex() if name != "lo"]
    if devices:
        return f"{len(devices)}"
    raise Nothing("none")


def attack_42_unix(aims):
    """connects to a unix socket of the host"""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(2)
        client.connect(aims["unix"])
        return "connected"


def attack_42_abstract(aims):
    """connects to an abstract unix socket of the host"""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(2)
        client.connect("\0" + aims["abstract"])
        return "connected"


def attack_43_leave_in_tmp(aims):
    """leaves a file in /tmp that a later match finds"""
    path = f"/tmp/{aims['abstract']}"
    if os.path.exists(path):
        return "found what an earlier match left"
    with open(path, "w") as file:
        file.write("memory")
    raise Nothing("written; whether it stays is seen from outside")


def attack_43_leave_in_shm(aims):
    """leaves a file in /dev/shm that a later match finds"""
    path = f"/dev/shm/{aims['abstract']}"
    if os.path.exists(path):
        return "found what an earlier match left"
    with open(path, "w") as file:
        file.write("memory")
    raise Nothing("written; whether it stays is seen from outside")


def attack_43_change_itself(aims):
    """changes its own folder"""
    with open(os.path.join(os.getcwd(), "left-behind"), "w") as file:
        file.write("memory")
    return "written"


def attack_44_one_file(aims):
    """writes a file of more than 64 MiB in /tmp"""
    return fill(f"/tmp/{aims['abstract']}-big", 80)


def attack_44_many_files(aims):
    """fills /tmp beyond 64 MiB with several files"""
    names = [f"/tmp/{aims['abstract']}-{number}" for number in range(4)]
    try:
        for name in names:
            fill(name, 20, keep=True)
    finally:
        for name in names:
            if os.path.exists(name):
                os.unlink(name)
    return "80 MiB"


def fill(path, megabytes, keep=False):
    try:
        with open(path, "wb") as file:
            for _ in range(megabytes):
                file.write(b"\0" * (1 << 20))
                file.flush()
    finally:
        if not keep and os.path.exists(path):
            os.unlink(path)
    return f"{megabytes} MiB"


def attack_31_processes(aims):
    """has 100 processes at a time"""
    children = []
    try:
        for _ in range(100):
            child = os.fork()
            if child == 0:
                signal.pause()
                os._exit(0)
            children.append(child)
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return "100 processes"


def attack_44_memory(aims):
    """takes 3 GiB of memory"""
    try:
        block = bytearray(3 << 30)
    except MemoryError:
        raise Nothing("MemoryError") from None
    return f"{len(block) >> 30} GiB"


def attack_41_namespace(aims):
    """makes a user namespace of its own"""
    CLONE_NEWUSER = 0x10000000  # noqa: N806
    child = os.fork()
    if child == 0:
        os._exit(0 if ctypes.CDLL(None).unshare(CLONE_NEWUSER) == 0 else 1)
    if os.waitpid(child, 0)[1]:
        raise Nothing("refused")
    return "made"


def attack_41_priority(aims):
    """raises its priority over everybody's"""
    os.setpriority(os.PRIO_PROCESS, 0, -10)
    return "raised"


ATTACKS = [each for name, each in list(globals().items()) if name.startswith("attack_")]
