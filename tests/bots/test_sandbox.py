"""What the layers let through. The scripts report on stderr; every test runs where the sandbox is available."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from bots.conftest import SECOND, Start

from referee.bots import sandbox
from referee.bots.process import BotProcess
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec, Limits
from referee.errors import RunError


async def report(bot: BotProcess) -> str:
    """What the script has written to stderr by the time it answers."""
    reply = await bot.ask(b"go\n", SECOND * 20)
    await bot.kill()
    assert reply.line == b"done", (reply, bot.stderr.text())
    return bot.stderr.text()


def script(*commands: str) -> str:
    return "read go; {\n" + "\n".join(commands) + "\n} >&2 2>&1; echo done"


class TestChoose:
    def test_none(self) -> None:
        layer = sandbox.choose("none")
        assert layer.name == "none"
        assert layer.description.startswith("none: ")

    def test_bwrap_by_name_where_there_is_none(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(RunError, match='sandbox = "bwrap" does not work on this machine: bwrap is not installed'):
            sandbox.choose("bwrap")

    def test_auto_steps_down_and_says_why(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        broken = tmp_path / "bwrap"
        broken.write_text("#!/bin/sh\necho 'bwrap: Creating new namespace failed' >&2\nexit 1\n")
        broken.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        layer = sandbox.choose("auto")
        assert layer.name == "none"
        assert layer.description.endswith("(no sandbox: bwrap: Creating new namespace failed)"), layer

    def test_auto_takes_the_sandbox_where_it_works(self, bwrap: Layer) -> None:
        assert sandbox.choose("auto") == bwrap

    def test_layer_can_be_sent_to_a_worker(self, layer: Layer) -> None:
        assert msgspec.json.decode(msgspec.json.encode(layer), type=Layer) == layer


class TestBothLayers:
    async def test_environment(self, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("PYTHONUNBUFFERED", "SECRET_TOKEN", "LD_PRELOAD_X", "PYTHONPATH"):
            monkeypatch.setenv(name, "1")
        said = await report(start(script("/usr/bin/env"), env={"LEVEL": "2", "LANG": "de_DE.UTF-8"}))
        found = dict(line.split("=", 1) for line in said.splitlines())
        assert set(found) - {"PWD", "OLDPWD", "_", "SHLVL"} == {"PATH", "HOME", "LANG", "LEVEL", "REFEREE_BOT"}
        assert (found["LEVEL"], found["LANG"]) == ("2", "de_DE.UTF-8")

    async def test_descriptors_session_and_folder(self, start: Start, tmp_path: Path) -> None:
        with (tmp_path / "open").open("w") as file:
            os.set_inheritable(file.fileno(), True)
            bot = start("read go; echo done; pwd >&2; cut -d' ' -f6 /proc/$$/stat >&2; exec ls /proc/self/fd >&2")
        assert (await bot.ask(b"go\n", SECOND * 20)).line == b"done"
        await bot._exited.wait()
        await bot.kill()
        folder, session, *descriptors = bot.stderr.text().split()
        assert folder == str(tmp_path)
        assert int(session) != os.getsid(0)
        assert descriptors == ["0", "1", "2", "3"]  # 3 is the folder that ls reads

    async def test_limits(self, start: Start) -> None:
        limits = Limits(memory_mb=300, files=77, file_mb=3, cpu_s=50)
        said = await report(start(script("cat /proc/self/limits"), limits=limits))
        rows = {line[:26].strip(): line[26:].split()[:2] for line in said.splitlines()}
        assert rows["Max core file size"] == ["0", "0"]
        assert rows["Max open files"] == ["77", "77"]
        assert rows["Max file size"] == [str(3 << 20)] * 2
        assert rows["Max data size"] == [str(300 << 20)] * 2
        assert rows["Max cpu time"] == ["50", "51"]

    async def test_memory_hog_fails_by_itself(self, start: Start) -> None:
        code = "x = bytearray(200 << 20)"
        bot = start("", argv=(sys.executable, "-c", f"input(); {code}"), limits=Limits(memory_mb=100))
        assert (await bot.ask(b"\n", SECOND * 20)).failure == "crash"
        assert "MemoryError" in bot.stderr_tail()

    async def test_no_new_privileges(self, start: Start) -> None:
        assert "NoNewPrivs:\t1" in await report(start(script("cat /proc/self/status")))

    @pytest.mark.parametrize("program", [sys.executable, "node", "java"])
    async def test_honest_interpreters(self, start: Start, tmp_path: Path, program: str) -> None:
        path = shutil.which(program)
        if path is None:
            pytest.skip(f"{program} is not installed")
        (tmp_path / "bot.js").write_text("process.stdin.on('data', () => console.log('done'))")
        (tmp_path / "bot.py").write_text("for line in __import__('sys').stdin: print('done', flush=True)")
        (tmp_path / "Bot.java").write_text(
            "class Bot { public static void main(String[] a) throws Exception"
            '{ while (System.in.read() != -1) if (System.in.available() == 0) System.out.println("done"); } }'
        )
        file = {"node": "bot.js", "java": "Bot.java"}.get(program, "bot.py")
        bot = start("", argv=(path, file))
        assert (await bot.ask(b"go\n", SECOND * 25)).line == b"done", bot.stderr.text()

    async def test_program_found_by_env(self, start: Start, tmp_path: Path) -> None:
        bot = tmp_path / "bot"
        bot.write_text("#!/usr/bin/env python3\nprint(input())\n")
        bot.chmod(0o755)
        assert (await start("", argv=(str(bot),)).ask(b"done\n", SECOND * 25)).line == b"done"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
class TestRoot:
    @pytest.fixture
    def open_folder(self) -> Iterator[Path]:
        folder = Path(tempfile.mkdtemp(prefix="referee-test-"))
        folder.chmod(0o755)
        yield folder
        shutil.rmtree(folder)

    async def test_in_a_sandbox_every_bot_looks_like_nobody(self, bwrap: Layer, start: Start) -> None:
        assert (await report(start(script("id -u"), in_layer=bwrap))).strip() == "65534"

    async def test_bot_that_others_can_reach_runs_as_nobody(self, start: Start, open_folder: Path) -> None:
        bot = start("echo; cat", in_folder=open_folder)
        await bot.listen(SECOND * 20)
        assert "\nUid:\t65534\t65534" in Path(f"/proc/{bot.pid}/status").read_text()

    async def test_bot_that_only_root_can_reach(self, start: Start, open_folder: Path) -> None:
        open_folder.chmod(0o700)
        assert (await start("cat", in_folder=open_folder).ask(b"done\n", SECOND * 20)).line == b"done"

    def test_warning_where_it_cannot(self, plain: Layer, bwrap: Layer, open_folder: Path) -> None:
        open_folder.chmod(0o700)
        spec = BotSpec(name="mine", argv=("/bin/sh",), dir=str(open_folder))
        assert (sandbox.warning(spec, plain) or "").startswith("mine runs as root, without a sandbox: its files or ")
        assert sandbox.warning(spec, bwrap) is None


class TestBwrap:
    @pytest.fixture
    def layer(self, bwrap: Layer) -> Layer:
        return bwrap

    async def test_other_files_are_not_there(self, start: Start, tmp_path: Path) -> None:
        (tmp_path / "own").touch()
        (tmp_path.parent / "other-bot").mkdir(exist_ok=True)
        said = await report(start(script("ls -A /home /root /work /etc", f"ls -A {tmp_path.parent}", "ls own")))
        assert said.count("No such file") == 3
        assert "other-bot" not in said
        assert "passwd" not in said
        assert said.split()[-1] == "own"

    async def test_nothing_can_be_written_outside_of_tmp(self, start: Start, tmp_path: Path) -> None:
        places = ["/", "/dev", "/usr", "/etc", str(tmp_path), "/tmp", "/dev/shm"]
        said = await report(start(script(*(f"touch {place}/mark && echo yes {place}" for place in places))))
        assert [line for line in said.splitlines() if line.startswith("yes")] == ["yes /tmp", "yes /dev/shm"]
        assert not Path("/tmp/mark").exists()

    async def test_private_tmp_is_bounded_and_forgotten(self, start: Start) -> None:
        commands = ["head -c 3000000 /dev/zero > /tmp/fill", "head -c 3000000 /dev/zero > /tmp/fill2", "ls /tmp"]
        limits = Limits(file_mb=4)
        assert "No space left" in await report(start(script(*commands), limits=limits))
        assert "fill" not in await report(start(script("ls -A /tmp")))

    async def test_no_network_and_no_other_processes(self, start: Start) -> None:
        said = await report(
            start(script("cat /proc/net/dev | grep -c :", "ls /proc | grep -c '^[0-9]'", "ls /proc/1/fd"))
        )
        interfaces, processes = said.split()[:2]
        assert interfaces == "1"
        assert int(processes) < 8

    async def test_no_capabilities_and_no_new_user_namespace(self, start: Start) -> None:
        said = await report(start(script("grep Cap /proc/self/status", "unshare -U true && echo fresh")))
        assert all(line.split()[1] == "0" * 16 for line in said.splitlines() if line.startswith("Cap"))
        assert "fresh" not in said

    async def test_interpreter_outside_usr_comes_along(self, start: Start, tmp_path: Path) -> None:
        elsewhere = Path(tempfile.mkdtemp(prefix="referee-test-"))
        try:
            (elsewhere / "real/bin").mkdir(parents=True)
            (elsewhere / "real/data").write_text("done\n")
            (elsewhere / "real/bin/run").write_text('#!/bin/sh\nread go; cat "$(dirname "$(realpath "$0")")/../data"\n')
            (elsewhere / "real/bin/run").chmod(0o755)
            (elsewhere / "link/bin").mkdir(parents=True)
            (elsewhere / "link/bin/run").symlink_to("../../real/bin/run")
            bot = start("", argv=(str(elsewhere / "link/bin/run"),))
            assert (await bot.ask(b"go\n", SECOND * 10)).line == b"done", bot.stderr.text()
        finally:
            shutil.rmtree(elsewhere)

    async def test_hidden_folders_inside_the_bots_own(self, start: Start, bwrap: Layer, tmp_path: Path) -> None:
        (tmp_path / "runs").mkdir()
        (tmp_path / "runs/run.json").touch()
        layer = msgspec.structs.replace(bwrap, hidden=(str(tmp_path / "runs"), str(tmp_path), "/no/where"))
        said = await report(start(script("ls -A runs", "touch runs/x", "echo here; ls"), in_layer=layer))
        assert "run.json" not in said
        assert said.split()[-1] == "runs"
        assert "Read-only" in said

    async def test_a_command_shows_only_the_files_that_it_names(self, bwrap: Layer, tmp_path: Path) -> None:
        """The folder that it is run in may hold the tournament file with its seed, and the opponent."""
        for name in ("bot.sh", "rival.py", "contest.toml"):
            (tmp_path / name).touch()
        named = BotSpec(name="bot", argv=("/bin/sh", "bot.sh"), dir=str(tmp_path))
        argv = sandbox.command(named, bwrap).argv
        assert str(tmp_path / "bot.sh") in argv and argv.count(str(tmp_path)) == 2  # --dir and --chdir
        layer = msgspec.structs.replace(bwrap, hidden=(str(tmp_path / "contest.toml"),))
        argv = sandbox.command(msgspec.structs.replace(named, whole=True), layer).argv
        assert argv.count(str(tmp_path)) == 4  # bound, --dir and --chdir
        assert argv[argv.index(str(tmp_path / "contest.toml")) - 1] == "/dev/null"

    async def test_a_program_in_the_folder_does_not_show_the_folder(self, bwrap: Layer, tmp_path: Path) -> None:
        program = tmp_path / "bot"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        argv = sandbox.command(BotSpec(name="bot", argv=(str(program),), dir=str(tmp_path)), bwrap).argv
        assert argv.count(str(tmp_path)) == 2

    async def test_home_itself_is_not_shown(
        self, bwrap: Layer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        (tmp_path / "bot.sh").touch()
        (tmp_path / "secret").touch()
        spec = BotSpec(name="bot", argv=("/bin/sh", "bot.sh"), dir=str(tmp_path))
        argv = sandbox.command(spec, bwrap).argv
        assert str(tmp_path / "bot.sh") in argv
        assert [argv[at - 1] for at, word in enumerate(argv) if word == str(tmp_path)] == ["--dir", "--chdir"]

    async def test_number_of_processes(self, start: Start, bwrap: Layer) -> None:
        if os.geteuid() == 0:
            folder = Path(tempfile.mkdtemp(prefix="referee-test-"))
            folder.chmod(0o755)
        else:
            folder = Path("/")
        code = "i=0; while [ $i -lt 30 ]; do sleep 50 & i=$((i + 1)); done"
        bot = start("", argv=("/bin/sh", "-c", script(code)), limits=Limits(processes=10), in_folder=folder)
        reply = await bot.ask(b"go\n", SECOND * 20)
        assert reply.failure == "crash"
        assert "Cannot fork" in bot.stderr_tail()
        if os.geteuid() == 0:
            folder.rmdir()
