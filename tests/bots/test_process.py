"""What a bot does, and what comes of it. The same in both layers, with real processes."""

import fcntl
import os
import resource
import struct
import subprocess
import sys
import termios
import threading
import time
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL

import pytest
import trio
from bots.conftest import SECOND, Start, until

from referee.bots import reaper
from referee.bots.process import BotProcess, BotUnstartable, RefereeTrouble, Reply
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec

ECHO = 'while read -r line; do echo "you said $line"; done'
SLACK_US = 2 * SECOND  # generous: these machines are shared, and no test measures how fast they are


def pending(bot: BotProcess) -> int:
    """Bytes in the pipe of its stdout."""
    return struct.unpack("i", fcntl.ioctl(bot.pipes.stdout, termios.FIONREAD, b"\0" * 4))[0]  # type: ignore[no-any-return]


def gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


class TestAnswers:
    async def test_answer_is_one_line_without_its_end(self, start: Start) -> None:
        bot = start(ECHO)
        assert (await bot.ask(b"hello\n", SECOND * 10)).line == b"you said hello"
        reply = await bot.ask(b"again\n", SECOND)
        assert reply == Reply(b"you said again", reply.us, lag_us=reply.lag_us)
        assert 0 < reply.us < SECOND

    async def test_no_limit(self, start: Start) -> None:
        assert (await start(f"sleep 0.05; {ECHO}").ask(b"hello\n", None)).line == b"you said hello"

    async def test_carriage_return_before_the_newline_is_dropped(self, start: Start) -> None:
        bot = start(r"read x; printf 'one\r\n'; read x; printf '\r\r\n'; read x; printf '\n'")
        assert [(await bot.ask(b"?\n", SECOND * 10)).line for _ in range(3)] == [b"one", b"\r", b""]

    async def test_several_lines_are_one_question(self, start: Start) -> None:
        bot = start('read a; read b; read c; echo "$a $b $c"')
        assert (await bot.ask(b"1\n2\n3\n", SECOND * 10)).line == b"1 2 3"

    async def test_answer_in_pieces(self, start: Start) -> None:
        bot = start("read x; printf ab; sleep 0.03; printf cd; sleep 0.03; echo e")
        reply = await bot.ask(b"?\n", SECOND * 10)
        assert reply.line == b"abcde"
        assert reply.us > 50_000

    async def test_slow_answer_within_the_limit(self, start: Start) -> None:
        reply = await start("read x; sleep 0.1; echo yes").ask(b"?\n", SECOND * 10)
        assert reply.line == b"yes"
        assert 100_000 <= reply.us < SECOND * 10

    @pytest.mark.parametrize("size", [65_535, 65_536])
    async def test_longest_line(self, start: Start, size: int) -> None:
        reply = await start(f"read x; head -c {size} /dev/zero; echo; cat").ask(b"?\n", SECOND * 10)
        assert reply.line == bytes(size)

    async def test_question_larger_than_the_pipe(self, start: Start) -> None:
        bot = start("sleep 0.05; head -c 1000000 | wc -c")
        reply = await bot.ask(b"x" * 999_999 + b"\n", SECOND * 10)
        assert (reply.line or b"").strip() == b"1000000"

    async def test_answer_and_exit_counts_and_the_next_turn_is_a_crash(self, start: Start) -> None:
        bot = start("read x; echo yes")
        assert (await bot.ask(b"?\n", SECOND * 10)).line == b"yes"
        assert (await bot.ask(b"?\n", SECOND * 10)).failure == "crash"
        assert bot.exit_text() == "exit code 0"

    async def test_listen_takes_the_line_after_an_answer(self, start: Start) -> None:
        bot = start("read x; printf 'old\\nnew\\n'; sleep 100")
        assert (await bot.ask(b"?\n", SECOND * 10)).line == b"old"
        assert (await bot.listen(SECOND)).line == b"new"


class TestUnasked:
    async def test_second_answer_is_dropped_and_counted(self, start: Start) -> None:
        bot = start("read x; printf 'one\\ntwo\\nthree\\n'; read x; echo four; read x; echo five")
        assert (await bot.ask(b"?\n", SECOND * 10)).line == b"one"
        await until(lambda: pending(bot) == 0)
        reply = await bot.ask(b"?\n", SECOND * 10)
        assert (reply.line, reply.dropped, bot.pipes.unasked) == (b"four", 2, b"two\nthree\n")
        assert (await bot.ask(b"?\n", SECOND * 10)).dropped == 0

    async def test_what_came_before_the_question_is_no_answer(self, start: Start) -> None:
        bot = start("echo early; read x; echo late")
        await until(lambda: pending(bot) == 6)
        reply = await bot.ask(b"?\n", SECOND * 10)
        assert (reply.line, reply.dropped) == (b"late", 1)

    async def test_half_a_line_before_the_question_spoils_the_answer(self, start: Start) -> None:
        bot = start("printf debug; read x; echo late")
        await until(lambda: pending(bot) == 5)
        assert (await bot.ask(b"?\n", SECOND * 10)).line == b"debuglate"

    async def test_flood_between_turns(self, start: Start) -> None:
        bot = start("read x; echo yes; yes; cat")
        assert (await bot.ask(b"?\n", SECOND * 10)).line == b"yes"
        await until(lambda: pending(bot) > 65_536)
        assert (await bot.ask(b"?\n", SECOND * 10)).failure == "flood"
        assert bot.pipes.unasked.startswith(b"y\ny\n")

    async def test_flood_of_lines_instead_of_reading(self, start: Start) -> None:
        reply = await start("exec yes").ask(b"x" * 1_000_000 + b"\n", SECOND * 20)
        assert reply.failure == "flood"


THIEF = """
import os, sys
sys.stdin.readline()
try:
    mine = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
except OSError:
    mine = None
for _ in range(30_000 if mine else 0):
    os.write(1, b" ")
    try:
        os.read(mine, 1)
    except BlockingIOError:
        pass
print("yes", flush=True)
"""


class TestThief:
    async def test_a_bot_that_reads_its_own_stdout_is_no_trouble_of_ours(self, start: Start) -> None:
        bot = start("", argv=(sys.executable, "-S", "-c", THIEF))
        reply = await bot.ask(b"?\n", SECOND * 20)
        assert (reply.line or b"").strip() == b"yes" or reply.failure == "too_long"

    async def test_nothing_is_sent_where_there_is_no_time(self, start: Start) -> None:
        bot = start(ECHO)
        assert (await bot.ask(b"first\n", 0)).failure == "timeout"
        assert (await bot.ask(b"second\n", SECOND * 10)).line == b"you said second"


class TestFailures:
    @pytest.mark.parametrize("script", ["sleep 100", "while :; do :; done", "exec 0<&-; sleep 100", "kill -STOP $$"])
    async def test_no_answer_is_a_timeout(self, start: Start, script: str) -> None:
        bot = start(f"echo ready; read x; {script}")
        await until(lambda: pending(bot) > 0)
        reply = await bot.ask(b"?\n", 200_000)
        assert (reply.line, reply.failure) == (None, "timeout")
        assert 200_000 <= reply.us < 200_000 + SLACK_US
        assert bot.exit_text() == "still running"

    async def test_limit_below_the_poll(self, start: Start) -> None:
        bot = start("echo ready; cat >/dev/null")
        await until(lambda: pending(bot) > 0)
        for limit in (0, 1, 1_500, 9_999):
            assert (await bot.ask(b"?\n", limit)).failure == "timeout"

    async def test_dripping_bytes_gain_nothing(self, start: Start) -> None:
        bot = start("read x; while :; do printf .; sleep 0.02; done")
        reply = await bot.ask(b"?\n", 300_000)
        assert reply.failure == "timeout"
        assert reply.us < 300_000 + SLACK_US

    async def test_half_a_line_is_kept_for_evidence(self, start: Start) -> None:
        bot = start("read x; printf 'no newline'; sleep 100")
        reply = await bot.ask(b"?\n", 300_000)
        assert (reply.failure, bot.pipes.partial) == ("timeout", b"no newline")

    async def test_not_reading_a_large_question(self, start: Start) -> None:
        assert (await start("sleep 100").ask(b"x" * 1_000_000, 200_000)).failure == "timeout"

    async def test_late_answer_is_a_timeout(self, start: Start) -> None:
        bot = start("echo ready; read x; sleep 0.5; echo late")
        await until(lambda: pending(bot) > 0)
        assert (await bot.ask(b"?\n", 100_000)).failure == "timeout"

    @pytest.mark.parametrize(
        ("last", "words"),
        [
            ("exit 0", "exit code 0"),
            ("exit 3", "exit code 3"),
            ("kill -SEGV $$", "SIGSEGV"),
            ("kill -9 $$", "SIGKILL"),
            ("kill -64 $$", "SIGRTMAX"),
        ],
    )
    async def test_exit_is_a_crash_in_the_same_words(self, start: Start, last: str, words: str) -> None:
        bot = start(f"read x; echo 'my last words' >&2; {last}")
        reply = await bot.ask(b"?\n", SECOND * 10)
        assert (reply.line, reply.failure, bot.exit_text()) == (None, "crash", words)
        assert bot.stderr_tail() == "my last words\n"
        assert reply.us < SLACK_US

    async def test_exit_after_half_a_line(self, start: Start) -> None:
        bot = start("read x; printf half")
        assert (await bot.ask(b"?\n", SECOND * 10)).failure == "crash"
        assert bot.pipes.partial == b"half"

    async def test_exit_before_the_question(self, start: Start) -> None:
        bot = start("exit 3")
        await bot._exited.wait()
        assert (await bot.ask(b"?\n", SECOND * 10)).failure == "crash"
        assert (bot.exited, bot.exit_text()) == (True, "exit code 3")

    async def test_an_exit_is_seen_before_the_event_loop_has_told_of_it(self, start: Start) -> None:
        bot = start("exec sleep 0.05")
        while not bot.exited:  # no checkpoint in between
            time.sleep(0.001)
        await bot.kill()

    async def test_closed_stdout(self, start: Start) -> None:
        bot = start("read x; exec >&-; sleep 100")
        assert (await bot.ask(b"?\n", SECOND * 10)).failure == "crash"
        assert bot.exit_text() == "closed its stdout"

    async def test_closed_stdin(self, start: Start) -> None:
        bot = start("read x; exec <&-; echo yes; sleep 100")
        assert (await bot.ask(b"?\n", SECOND * 10)).line == b"yes"
        assert (await bot.ask(b"?\n", SECOND * 10)).failure == "crash"

    async def test_exit_while_a_grandchild_holds_stdout(self, start: Start) -> None:
        bot = start("read x; (setsid sleep 100 &); exit 4")
        reply = await bot.ask(b"?\n", SECOND * 20)
        assert (reply.failure, bot.exit_text()) == ("crash", "exit code 4")
        assert reply.us < SLACK_US

    async def test_answer_of_a_process_that_left_a_grandchild(self, start: Start) -> None:
        bot = start("read x; (setsid sleep 100 &); sleep 0.05; echo yes; exit 0")
        assert (await bot.ask(b"?\n", SECOND * 20)).line == b"yes"

    @pytest.mark.parametrize("script", ["exec cat /dev/zero", "head -c 65537 /dev/zero; echo; cat"])
    async def test_line_too_long(self, start: Start, script: str) -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        bot = start(f"read x; {script}")
        assert (await bot.ask(b"?\n", SECOND * 10)).failure == "too_long"
        assert len(bot.pipes.partial) == 65_536
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 5_000


class TestLag:
    async def test_stalled_loop_never_costs_a_prompt_bot_its_answer(self, start: Start) -> None:
        bot = start("echo ready; read x; sleep 0.05; echo prompt; read x; sleep 100")
        await until(lambda: pending(bot) > 0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stall, 0.5)
            reply = await bot.ask(b"?\n", 300_000)
        assert reply.line == b"prompt"
        assert reply.us <= 300_000
        assert reply.lag_us >= 100_000
        assert (await bot.ask(b"?\n", 50_000)).failure == "timeout"

    async def test_a_stall_within_the_limit_is_noted_with_the_turn(self, start: Start) -> None:
        bot = start("echo ready; read x; sleep 0.05; echo prompt; read x; echo at once")
        await until(lambda: pending(bot) > 0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stall, 0.3)
            reply = await bot.ask(b"?\n", 10 * SECOND)
        assert reply.line == b"prompt"
        assert 200_000 <= reply.lag_us < reply.us


async def stall(seconds: float) -> None:
    """Let `ask` begin to wait, then keep the loop for itself."""
    await trio.sleep(0.02)
    time.sleep(seconds)


class TestStderr:
    async def test_flood_is_read_and_counted(self, start: Start) -> None:
        script = "read x; printf first >&2; head -c 3000000 /dev/zero >&2; printf last >&2; echo yes"
        bot = start(script)
        assert (await bot.ask(b"?\n", SECOND * 20)).line == b"yes"
        await bot.kill()
        assert bot.stderr.total == 3_000_009
        assert bot.stderr.left_out == 3_000_009 - 65_536 - 4_096
        assert bot.stderr.text().startswith("first\0")
        assert bot.stderr_tail().endswith("\0last")
        assert len(bot.stderr_tail()) == 4_096

    async def test_undecodable_bytes(self, start: Start) -> None:
        bot = start(r"printf 'a\377b' >&2")
        await bot._exited.wait()
        await bot.kill()
        assert bot.stderr.text() == "a\ufffdb"


class TestTell:
    async def test_told_before_asked(self, start: Start) -> None:
        bot = start('read a; read b; echo "$a $b"')
        await bot.tell(b"told\n", 1)
        assert (await bot.ask(b"asked\n", SECOND * 10)).line == b"told asked"

    async def test_bot_that_does_not_read_costs_the_deadline_and_loses_nothing(self, start: Start) -> None:
        bot = start("read x; echo ready; read x <&3; wc -c", argv=("/bin/sh", "-c", "echo ready; sleep 0.3; wc -c"))
        await until(lambda: pending(bot) > 0)
        await bot.tell(b"x" * 99_999 + b"\n", 0.05)
        assert len(bot.pipes.unsent) == 100_000 - 65_536
        async with trio.open_nursery() as nursery:
            nursery.start_soon(close_when_sent, bot)
            reply = await bot.ask(b"x\n", SECOND * 10)
        assert (reply.line or b"").strip() == b"100002"

    async def test_dead_bot(self, start: Start) -> None:
        bot = start("exit 0")
        await bot._exited.wait()
        await bot.tell(b"x\n", 10)
        assert (await bot.ask(b"?\n", SECOND)).failure == "crash"


async def close_when_sent(bot: BotProcess) -> None:
    def pending_input() -> int:
        return struct.unpack("i", fcntl.ioctl(bot.pipes.stdin, termios.FIONREAD, b"\0" * 4))[0]  # type: ignore[no-any-return]

    await until(lambda: not bot.pipes.unsent and pending_input() == 0)
    await trio.sleep(0.1)
    bot.close_stdin()


class TestEnd:
    async def test_finish_lets_an_honest_bot_end_by_itself(self, start: Start) -> None:
        bot = start('while read -r x; do [ "$x" = bye ] && exit 7; done')
        await bot.finish(b"bye\n", 10)
        assert bot.exit_text() == "exit code 7"

    async def test_finish_closes_stdin(self, start: Start) -> None:
        bot = start("cat >/dev/null; exit 8")
        await bot.finish(b"bye\n", 10)
        assert bot.exit_text() == "exit code 8"

    async def test_finish_kills_after_the_grace(self, start: Start) -> None:
        bot = start("trap '' TERM HUP; while :; do sleep 1; done")
        await bot.finish(b"bye\n" * 50_000, 0.1)
        assert bot.exit_text() == "SIGKILL"

    @pytest.mark.parametrize("script", ["trap '' TERM INT HUP; echo; sleep 100", "echo; kill -STOP $$"])
    async def test_kill_does_not_wait_for_the_bot(self, start: Start, script: str) -> None:
        bot = start(script)
        await until(lambda: pending(bot) > 0)
        await bot.kill()
        await bot.kill()
        assert gone(bot.pid)

    async def test_kill_takes_double_forks_and_hidden_ones(self, start: Start) -> None:
        script = """
            (setsid sh -c 'setsid sleep 100 & setsid sleep 100' &)
            (env -i /usr/bin/setsid /bin/sleep 100 &)
            for i in 1 2 3 4 5 6 7 8 9 10; do sleep 100 & done
            read x; echo yes; wait
        """
        bot = start(script)
        assert (await bot.ask(b"?\n", SECOND * 10)).line == b"yes"
        await until(lambda: len(reaper.descendants(os.getpid())) >= 15)
        await bot.kill()
        assert reaper.descendants(os.getpid()) == []

    async def test_kill_in_the_middle_of_a_fork_storm(self, start: Start, tmp_path: Path) -> None:
        # Bounded by itself: each of 200 generations leaves the session, starts the next one, and stays.
        (tmp_path / "storm").write_text("[ $1 -gt 200 ] && exit; setsid sh storm $(($1 + 1)) & exec setsid sleep 100")
        bot = start("(setsid sh storm 0 &); echo; sleep 100")
        await until(lambda: pending(bot) > 0)
        await bot.kill()
        assert reaper.descendants(os.getpid()) == []

    async def test_kill_all_without_an_event_loop(self, start: Start) -> None:
        bots = [start("(setsid sleep 100 &) ; (setsid sleep 100 &); sleep 100") for _ in range(3)]
        await until(lambda: len(reaper.descendants(os.getpid())) >= 9)
        reaper.kill_all()
        assert set(reaper.descendants(os.getpid())) <= {bot.pid for bot in bots}
        assert {bot.exit_text() for bot in bots if not await bot.kill()} == {"SIGKILL"}

    async def test_cancelled_question_then_kill(self, start: Start) -> None:
        bot = start("sleep 100")
        with trio.move_on_after(0.05) as scope:
            await bot.ask(b"?\n", None)
        assert scope.cancelled_caught
        await bot.kill()

    async def test_kill_within_a_cancelled_scope(self, start: Start, layer: Layer, tmp_path: Path) -> None:
        spec = BotSpec(name="bot", argv=("/bin/sleep", "100"), dir=str(tmp_path))
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as nursery:
                bot = BotProcess.spawn(spec, layer, nursery)
                try:
                    scope.cancel()
                    await bot.ask(b"?\n", SECOND)
                finally:
                    await bot.kill()
        assert gone(bot.pid)

    async def test_fifty_in_a_row(self, start: Start) -> None:
        for _ in range(50):
            bot = start(ECHO)
            assert (await bot.ask(b"x\n", SECOND * 10)).line == b"you said x"
            await bot.finish(b"", 10)


class TestOthers:
    """In one process with other bots and other children. Only the plain layer can mix them up."""

    @pytest.fixture
    def layer(self, plain: Layer) -> Layer:
        return plain

    async def test_kill_spares_what_another_bot_has_started(self, start: Start) -> None:
        script = "setsid sleep 100 & echo $!; wait"
        one, two = start(f"sh -c '{script}' & wait"), start(f"sh -c '{script}' & wait")
        pids = [int((await bot.listen(SECOND * 10)).line or b"") for bot in (one, two)]
        await one.kill()
        assert [gone(pid) for pid in pids] == [True, False]
        await two.kill()
        assert [gone(pid) for pid in pids] == [True, True]

    async def test_kill_spares_orphans_of_another_bot(self, start: Start) -> None:
        one, two = (start("(setsid sh -c 'echo $$; exec sleep 100' &); cat") for _ in range(2))
        pids = [int((await bot.listen(SECOND * 10)).line or b"") for bot in (one, two)]
        await one.kill()
        assert [gone(pid) for pid in pids] == [True, False]

    async def test_kill_spares_a_child_that_is_no_bot(self, start: Start) -> None:
        with subprocess.Popen(["/bin/sleep", "100"]) as mine:
            await start("sleep 100").kill()
            assert mine.poll() is None
            mine.kill()

    async def test_kill_reaps_orphans_that_ended_by_themselves(self, start: Start) -> None:
        bot = start("(setsid true &) ; (setsid true &); echo; cat")
        await until(lambda: len(reaper.children(os.getpid())) == 3)
        await bot.kill()
        assert reaper.children(os.getpid()) == []

    @pytest.mark.parametrize("how", ["setsid", "env setsid env"])
    async def test_a_helper_that_forked_twice_is_charged_to_its_bot(self, start: Start, how: str) -> None:
        busy = start(f"({how} sh -c 'echo $$; while :; do :; done' &); cat")
        idle = start("(setsid sh -c 'echo $$; exec sleep 100' &); cat")
        pids = [int((await bot.listen(SECOND * 10)).line or b"") for bot in (busy, idle)]
        await until(lambda: set(pids) <= set(reaper.children(os.getpid())))
        before = idle.cpu_us()
        await until(lambda: busy.cpu_us() > 200_000)
        assert idle.cpu_us() - before < 50_000

    async def test_children_of_children_are_charged_when_they_are_dead(self, start: Start) -> None:
        spin = "import time\nwhile time.process_time() < 0.2: pass"
        bot = start(f"sh -c '{sys.executable} -S -c \"{spin}\"; echo done; read x' <&0; cat")
        assert (await bot.listen(SECOND * 10)).line == b"done"
        assert bot.cpu_us() > 150_000

    @pytest.mark.parametrize("how", ["setsid", ""])
    async def test_a_helper_that_forked_twice_is_frozen_with_its_bot(self, start: Start, how: str) -> None:
        script = f"({how} sh -c 'echo $$; exec sleep 100' &); cat"
        one, two = start(script), start(script)
        pids = [int((await bot.listen(SECOND * 10)).line or b"") for bot in (one, two)]
        await until(lambda: set(pids) <= set(reaper.children(os.getpid())))
        one.freeze()
        await until(lambda: stopped(pids[0]) and stopped(one.pid))
        assert not stopped(pids[1])
        one.thaw()
        await until(lambda: not stopped(pids[0]))


class TestFreeze:
    async def test_frozen_bot_gets_no_time_until_it_is_thawed(self, start: Start) -> None:
        bot = start("setsid sh -c 'while :; do :; done' & while read x; do echo yes; done")
        assert (await bot.ask(b"?\n", SECOND * 10)).line == b"yes"
        bot.freeze()
        await until(lambda: all(stopped(pid) for pid in (bot.pid, *reaper.descendants(bot.pid))))
        used = bot.cpu_us()
        assert (await bot.ask(b"?\n", 100_000)).failure == "timeout"
        assert bot.cpu_us() == used
        bot.thaw()
        assert (await bot.listen(SECOND * 10)).line == b"yes"

    async def test_frozen_bot_can_be_killed(self, start: Start) -> None:
        bot = start("cat")
        bot.freeze()
        await bot.kill()
        assert bot.exit_text() == "SIGKILL"


def stopped(pid: int) -> bool:
    stat = reaper._stat(pid)
    return stat is not None and stat.state == "T"


class TestCpu:
    async def test_counts_the_bot_and_its_living_children_but_not_its_sleep(self, start: Start) -> None:
        bot = start("echo; while :; do :; done & read x; sleep 0.2; echo yes; cat")
        await until(lambda: pending(bot) > 0 and bot.cpu_us() > 100_000)
        await bot.kill()
        idle = start("read x; echo yes; cat")
        assert (await idle.ask(b"?\n", SECOND * 10)).line == b"yes"
        before = idle.cpu_us()
        assert 0 < before < SECOND
        assert (await idle.ask(b"?\n", 100_000)).line == b"?"
        assert idle.cpu_us() - before < 50_000

    async def test_gone_is_zero(self, start: Start) -> None:
        bot = start("cat")
        await bot.kill()
        assert bot.cpu_us() == 0


class TestSpawn:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "data").write_text("no program")
        (tmp_path / "script").write_text("#!/no/such/interpreter -x\n")
        (tmp_path / "script").chmod(0o755)
        return tmp_path

    @pytest.mark.parametrize(
        ("program", "words"),
        [
            ("nothing", "nothing is not installed"),
            ("./nothing", "./nothing: No such file or directory"),
            ("./data", "data: Permission denied"),
            ("./script", "script: its interpreter /no/such/interpreter -x is not installed"),
        ],
    )
    async def test_bots_own_fault(self, start: Start, folder: Path, program: str, words: str) -> None:
        argv = (str(folder / program[2:]) if program.startswith("./") else program,)
        with pytest.raises(BotUnstartable) as raised:
            start("", argv=argv)
        assert str(raised.value).endswith(words.removeprefix("./"))

    async def test_no_such_folder(self, layer: Layer, nursery: trio.Nursery) -> None:
        with pytest.raises(BotUnstartable, match="/no/where: No such file or directory"):
            BotProcess.spawn(BotSpec(name="bot", argv=("/bin/sh",), dir="/no/where"), layer, nursery)

    @pytest.mark.parametrize("left", range(12))
    async def test_no_descriptors_left_is_the_referees_trouble(self, start: Start, left: int) -> None:
        start("cat")  # what is opened once stays open
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        free = next(fd for fd in range(3, soft) if not Path(f"/proc/self/fd/{fd}").exists())
        before = sorted(path.name for path in Path("/proc/self/fd").iterdir())
        resource.setrlimit(resource.RLIMIT_NOFILE, (free + left, hard))
        try:
            with pytest.raises(RefereeTrouble) if left < 8 else trio.CancelScope():
                start("cat")
        except RefereeTrouble:
            assert left < 12
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if left < 8:
            assert sorted(path.name for path in Path("/proc/self/fd").iterdir()) == before

    async def test_only_from_the_main_thread(self, start: Start) -> None:
        seen: list[BaseException] = []

        def spawn() -> None:
            try:
                start("cat")
            except RuntimeError as error:
                seen.append(error)

        thread = threading.Thread(target=spawn)
        thread.start()
        thread.join()
        assert "main thread" in str(seen)

    async def test_sandbox_that_cannot_be_set_up_is_the_referees_trouble(
        self, start: Start, bwrap: Layer, tmp_path: Path
    ) -> None:
        import msgspec

        broken = tmp_path / "bwrap"
        broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create namespaces' >&2\nexit 1\n")
        broken.chmod(0o755)
        bot = start("cat", in_layer=msgspec.structs.replace(bwrap, bwrap=str(broken)))
        with pytest.raises(RefereeTrouble, match="No permissions to create namespaces"):
            await bot.ask(b"?\n", SECOND * 10)


REFEREE = """
import sys, trio
from referee.bots.process import BotProcess
from referee.bots.sandbox import choose
from referee.bots.spec import BotSpec

async def main():
    async with trio.open_nursery() as nursery:
        spec = BotSpec(name="bot", argv=("/bin/sleep", "1000"), dir="/")
        bots = [BotProcess.spawn(spec, choose(sys.argv[1]), nursery) for _ in range(2)]
        print("up", flush=True)

trio.run(main)
"""


@pytest.mark.parametrize("at_once", [True, False])
def test_bots_die_with_a_killed_referee(layer: Layer, at_once: bool) -> None:
    reaper.protect()  # the orphans come to us, to be reaped
    command = [sys.executable, "-c", REFEREE, layer.name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as referee:
        assert referee.stdout is not None
        assert referee.stdout.readline() == b"up\n"
        deadline = time.monotonic() + 20
        while not at_once and programs(referee.pid).count(b"/bin/sleep") < 2:
            assert time.monotonic() < deadline
        referee.send_signal(SIGKILL)
    while children := reaper.children(os.getpid()):
        assert time.monotonic() < deadline, [programs(pid) for pid in children]
        for pid in children:
            os.waitpid(pid, os.WNOHANG)


def programs(pid: int) -> list[bytes]:
    """What runs below `pid`."""
    found = []
    for each in reaper.descendants(pid):
        with suppress(OSError):
            found.append(Path(f"/proc/{each}/cmdline").read_bytes().partition(b"\0")[0])
    return found
