"""One bot that does whatever a bot should not do, once, and is honest otherwise: it plays the first legal action.

    misbehave.py --do silent --at-turn 3 --at-deal 1

What it does happens at the given turn (`--at-turn 0`: at every turn) of the given deal (`--at-deal 0`: of every deal),
or `--at start` before it has read anything, `--at ready` right after its greeting, or `--at match-end`. Standard
library only. It says on stderr how a match ended.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("--token", default="", help="is seen on its command line, and on that of all its forks")
arguments.add_argument("--do", default="", help="a function below, its underscores as hyphens")
arguments.add_argument("--at", choices=("turn", "start", "ready", "match-end"), default="turn")
arguments.add_argument("--at-turn", type=int, default=3)
arguments.add_argument("--at-deal", type=int, default=1)
arguments.add_argument("--code", type=int, default=3)
arguments.add_argument("--signal", default="SEGV")
arguments.add_argument("--seconds", type=float, default=0.0)
arguments.add_argument("--bytes", type=int, default=1 << 20)
arguments.add_argument("--fill", default="x")
arguments.add_argument("--raw", default="$answer\n")
arguments.add_argument("--ready", default='{"type":"ready","name":"misbehave","version":"1"}\n')
arguments.add_argument("--count", type=int, default=40)
arguments.add_argument("--target", default="", help="what an attack is aimed at")
options = arguments.parse_args()


def write(data):
    """All of it to stdout, at once."""
    if isinstance(data, str):
        data = data.encode()
    while data:
        data = data[os.write(1, data) :]


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def answer(turn, action=None):
    return json.dumps({"id": turn["id"], **(action or turn["legal"][0])})


def forever():
    while True:
        time.sleep(3600)


# ---------------------------------------------------------------------------------------------------------- time, exit


def silent(turn):
    forever()


def spin(turn):
    while True:
        pass


def stuck_in_term(turn):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    forever()


def stop(turn):
    os.kill(os.getpid(), signal.SIGSTOP)
    forever()


def late(turn):
    """Says when the answer was out; the clock is the same in all processes."""
    time.sleep(options.seconds)
    write(answer(turn) + "\n")
    say("late", time.monotonic())


def exit_now(turn):
    os._exit(options.code)


def exit_with_words(turn):
    say("my last words")
    sys.exit(options.code)


def die(turn):
    number = getattr(signal, "SIG" + options.signal)
    signal.signal(number, signal.SIG_DFL) if number not in (signal.SIGKILL, signal.SIGSTOP) else None
    os.kill(os.getpid(), number)


def raise_error(turn):
    raise LookupError("no such card")


def import_missing(turn):
    import sixty_six_wisdom  # noqa: F401


def answer_and_exit(turn):
    write(answer(turn) + "\n")
    os._exit(options.code)


# ------------------------------------------------------------------------------------------------------------- streams


def flood(turn):
    chunk = options.fill.encode().decode("unicode_escape").encode() * 65536
    left = options.bytes
    while left > 0:
        left -= os.write(1, chunk[:left])
    forever()


def answer_and_flood(turn):
    write(answer(turn) + "\n")
    flood(turn)


def shout(turn):
    chunk, left = b"e" * 65535 + b"\n", options.bytes
    while left > 0:
        left -= os.write(2, chunk[:left])
    if turn:
        write(answer(turn) + "\n")


def close_stdout(turn):
    os.close(1)
    forever()


def close_stdin(turn):
    os.close(0)
    write(answer(turn) + "\n")
    forever()


def half(turn):
    write(answer(turn)[:12])
    forever()


def no_newline(turn):
    write(answer(turn))
    sys.stdin.buffer.read()


def drip(turn):
    for byte in answer(turn).encode() * 20:
        write(bytes([byte]))
        time.sleep(0.1)


def drip_old(turn):
    while True:
        write(answer({**turn, "id": 1}) + "\n")
        time.sleep(0.05)


def repeat_old(turn):
    while True:
        write((answer({**turn, "id": 1}) + "\n") * 50)


def twice(turn):
    write((answer(turn) + "\n") * 2)


def old_then_good(turn):
    write(answer({**turn, "id": turn["id"] - 1}) + "\n")
    write(answer(turn) + "\n")


def old_only(turn):
    write(answer({**turn, "id": turn["id"] - 1}) + "\n")


def early(turn):
    """Today's answer and tomorrow's, in one write: the second is a play of the last card, with the id to come."""
    last = {"action": "play", "card": turn["hand"][-1]}
    write(answer(turn) + "\n" + answer({**turn, "id": turn["id"] + 1}, last) + "\n")


def no_flush(turn):
    """As a beginner does: print, and nothing else. stdout is a pipe, so it stays in the buffer."""
    print(answer(turn))


def debug_then_answer(turn):
    write("thinking about " + turn["legal"][0].get("card", "it") + "...\n")
    write(answer(turn) + "\n")


def raw(turn):
    """`--raw`, with something in place of `$id`, `$answer`, `$card`, `$pad:N` (blanks), `$deep:N`, `$digits:N`."""
    text = options.raw.encode().decode("unicode_escape")
    card = turn["legal"][0]["card"]
    text = text.replace("$id", str(turn["id"])).replace("$card", card).replace("$answer", answer(turn))
    text = re.sub(r"\$deep:(\d+)", lambda found: "[" * int(found[1]) + "]" * int(found[1]), text)
    text = re.sub(r"\$digits:(\d+)", lambda found: "7" * int(found[1]), text)
    data = text.encode("latin-1")
    pad = re.search(rb"\$pad:(\d+)", data)
    if pad:
        line = data.replace(pad[0], b"").rstrip(b"\n")
        data = data.replace(pad[0], b" " * (int(pad[1]) - len(line)))
    write(data)


# ----------------------------------------------------------------------------------------------------------- processes


def linger(seconds=3600.0):
    """In a child: hold every descriptor, and wait."""
    time.sleep(seconds)
    os._exit(0)


def double_fork(turn):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            linger()
        os._exit(0)
    os.wait()
    write(answer(turn) + "\n")


def orphan_holds_stdout(turn):
    double_fork_silently()
    os._exit(options.code)


def double_fork_silently():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            linger()
        os._exit(0)
    os.wait()


def fork_many(turn):
    for _ in range(options.count):
        try:
            if os.fork() == 0:
                os.setsid()
                linger()
        except OSError:
            break
    forever()


def hare(turn):
    """A process that is always a new one: it forks, and the parent goes. Ends by itself after some seconds."""
    end = time.monotonic() + 20
    if os.fork() == 0:
        os.setsid()
        while time.monotonic() < end:
            try:
                if os.fork():
                    os._exit(0)
            except OSError:
                break
            time.sleep(0.001)
        os._exit(0)
    forever()


def helper(turn):
    """An honest bot that thinks in a second process."""
    child = subprocess.run(
        [sys.executable, "-S", "-c", "import sys; sys.stdout.write(sys.stdin.read())"],
        input=answer(turn),
        capture_output=True,
        text=True,
        check=True,
    )
    write(child.stdout + "\n")


def environ(turn):
    say("environ", json.dumps(dict(os.environ)))
    write(answer(turn) + "\n")


def attack(turn):
    """One of the attacks beside this file, against `--target`; what came of it is said on stderr."""
    import attacks

    say("attack", json.dumps(attacks.run(options.target)))
    write(answer(turn) + "\n")


def nothing_special(turn):
    write(answer(turn) + "\n")


# ---------------------------------------------------------------------------------------------------------------- play


def chosen():
    if not options.do:
        return nothing_special
    return globals()[options.do.replace("-", "_")]


def main():
    act = chosen()
    if options.at == "start":
        act({})
    deal = turns = 0
    for line in iter(sys.stdin.buffer.readline, b""):
        message = json.loads(line)
        match message["type"]:
            case "hello":
                write(options.ready)
                if options.at == "ready":
                    act({})
            case "deal":
                deal, turns = message["deal"], 0
            case "turn":
                turns += 1
                due = options.at == "turn" and options.at_turn in (0, turns) and options.at_deal in (0, deal)
                (act if due else nothing_special)(message)
            case "fault":
                say("fault", message["kind"], message["detail"])
            case "match_end":
                say("result", message["winner"], "{you}-{opponent}".format(**message["score"]))
                if options.at == "match-end":
                    act({})
            case "bye":
                return


main()
