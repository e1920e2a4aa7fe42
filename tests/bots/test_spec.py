"""What a bot is: the ways to name one, what can be wrong with a bot.toml, builds and content hashes."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from referee.bots import program
from referee.bots.build import STAMP, build, content_hash
from referee.bots.spec import BotSpec, Limits, load_bot, load_command, missing
from referee.errors import BotStartError, ConfigError, UsageError


def make(folder: Path, toml: str, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(toml)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


class TestFolder:
    def test_all_keys(self, tmp_path: Path) -> None:
        make(
            tmp_path / "mine",
            """
            name = "my bot"
            version = "2.0"
            language = "Python 3"
            command = ["{python}", "bot.py", "--with={python}"]
            build = ["/bin/sh", "make.sh"]
            threads = true
            env = { LEVEL = "2" }
            limits = { memory_mb = 100, processes = 3, files = 20, file_mb = 1, cpu_s = 60 }
            """,
        )
        assert load_bot("mine", tmp_path) == BotSpec(
            name="my bot",
            version="2.0",
            language="Python 3",
            argv=(sys.executable, "bot.py", f"--with={sys.executable}"),
            dir=str(tmp_path / "mine"),
            build=("/bin/sh", "make.sh"),
            threads=True,
            env={"LEVEL": "2"},
            limits=Limits(memory_mb=100, processes=3, files=20, file_mb=1, cpu_s=60),
            own_folder=True,
        )

    def test_shortest(self, tmp_path: Path) -> None:
        make(tmp_path / "mine", 'command = ["./bot", "x"]')
        spec = load_bot("mine/bot.toml", tmp_path)
        assert (spec.name, spec.argv) == ("mine", (str(tmp_path / "mine/bot"), "x"))
        assert spec.limits == Limits()

    @pytest.mark.parametrize(
        ("toml", "words"),
        [
            ("comand = []", "bot.toml: comand: unknown key (did you mean command?)"),
            ("xyz = 1\ncommand = ['a']", "bot.toml: xyz: unknown key (known: build, command, env, language, limits, "),
            (
                "command = ['a']\nlimits = { memory = 1 }",
                "bot.toml: limits.memory: unknown key (did you mean memory_mb?)",
            ),
            ("command = 'bot'", "bot.toml: command: expected `array`, got `str`"),
            ("command = ['a', 1]", "bot.toml: command[1]: expected `str`, got `int`"),
            ("command = ['a']\nlimits = { files = 'x' }", "bot.toml: limits.files: expected `int`, got `str`"),
            ("command = []", "bot.toml: command: is empty"),
            ("command = ['a']\nbuild = []", "bot.toml: build: is empty"),
            ("name = 'x'", "bot.toml: object missing required field `command`"),
            ("command = [", "bot.toml: "),
        ],
    )
    def test_wrong(self, tmp_path: Path, toml: str, words: str) -> None:
        make(tmp_path / "mine", toml)
        with pytest.raises(ConfigError) as raised:
            load_bot("mine", tmp_path)
        assert str(raised.value).startswith(str(tmp_path / "mine"))
        assert words in str(raised.value)


class TestOtherBots:
    def test_script_by_its_extension(self, tmp_path: Path) -> None:
        (tmp_path / "one.py").touch()
        spec = load_bot("one.py", tmp_path)
        assert (spec.name, spec.argv, spec.dir) == ("one", (sys.executable, "one.py"), str(tmp_path))
        assert (spec.language, spec.own_folder) == ("Python", False)

    def test_node_may_be_missing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "one.mjs").touch()
        monkeypatch.setenv("PATH", str(tmp_path))
        spec = load_bot("one.mjs", tmp_path)
        assert (spec.argv, missing(spec)) == (("node", "one.mjs"), "node is not installed")

    def test_executable(self, tmp_path: Path) -> None:
        (tmp_path / "one").touch(0o755)
        assert load_bot("one", tmp_path).argv == (str(tmp_path / "one"),)

    def test_command_line(self, tmp_path: Path) -> None:
        (tmp_path / "my bot.sh").touch()
        spec = load_bot("sh 'my bot.sh' --level 2", tmp_path)
        assert (spec.name, spec.argv[1:], spec.dir) == ("my bot", ("my bot.sh", "--level", "2"), str(tmp_path))
        assert load_bot("cat", tmp_path).argv[0].endswith("/cat")
        assert load_bot("no-such-program x", tmp_path).argv == ("no-such-program", "x")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("nothing", "nothing: no such file or folder"),
            ("empty", "no bot.toml in this folder"),
            ("plain.txt", "neither executable nor one of .py .js"),
            ("sh 'x", "no closing quotation"),
            ("", "no bot.toml in this folder"),
        ],
    )
    def test_not_a_bot(self, tmp_path: Path, text: str, words: str) -> None:
        (tmp_path / "empty").mkdir()
        (tmp_path / "plain.txt").touch()
        with pytest.raises(UsageError) as raised:
            load_bot(text, tmp_path)
        assert words in str(raised.value)


class TestProgram:
    @pytest.fixture
    def shims(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        folder = tmp_path / "shims"
        folder.mkdir()
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        program._behind_shim.cache_clear()
        return folder

    def test_shim_is_asked_once_for_the_interpreter_behind_it(self, tmp_path: Path, shims: Path) -> None:
        (shims / "python3").write_text(f'#!/bin/sh\necho asked >> "{tmp_path}/log"\nexec {sys.executable} "$@"\n')
        (shims / "python3").chmod(0o755)
        assert [program.resolve(["python3", "x"], tmp_path) for _ in range(2)] == [(sys.executable, "x")] * 2
        assert (tmp_path / "log").read_text() == "asked\n"

    @pytest.mark.parametrize("answer", ["exit 1", "echo /no/such/program", "echo"])
    def test_shim_that_does_not_say_stays(self, tmp_path: Path, shims: Path, answer: str) -> None:
        (shims / "node").write_text(f"#!/bin/sh\n{answer}\n")
        (shims / "node").chmod(0o755)
        assert program.resolve(["node"], tmp_path) == (str(shims / "node"),)

    def test_path_with_dots(self, tmp_path: Path) -> None:
        assert program.resolve(["../a/./b"], tmp_path / "c") == (str(tmp_path / "a/b"),)


class TestMissing:
    def test_nothing(self, tmp_path: Path) -> None:
        assert missing(load_command(["sh"], tmp_path)) is None

    def test_program_that_is_yet_to_be_built(self, tmp_path: Path) -> None:
        make(tmp_path / "mine", 'command = ["./bot"]\nbuild = ["sh", "x"]')
        assert missing(load_bot("mine", tmp_path)) is None

    @pytest.mark.parametrize(
        ("toml", "words"),
        [
            ('command = ["no-such-thing"]', "no-such-thing is not installed"),
            ('command = ["./bot"]\nbuild = ["no-such-compiler"]', "no-such-compiler is not installed"),
            ('command = ["/no/such/thing"]', "/no/such/thing is not there"),
        ],
    )
    def test_words(self, tmp_path: Path, toml: str, words: str) -> None:
        make(tmp_path / "mine", toml)
        assert missing(load_bot("mine", tmp_path)) == words


class TestBuild:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        script = 'echo "built" >> log.txt; mkdir -p out; cat source.txt > out/bot; chmod +x out/bot'
        return make(
            tmp_path / "mine",
            'command = ["./out/bot"]\nbuild = ["sh", "make.sh"]',
            source_txt="#!/bin/sh\n",
            make_sh=script,
        )

    def times_built(self, folder: Path) -> int:
        return (folder / "log.txt").read_text().count("built")

    def test_once_and_the_bot_stays_the_same(self, folder: Path) -> None:
        spec = load_bot(str(folder), folder)
        before = content_hash(spec)
        assert [build(spec), build(spec)] == [True, False]
        assert content_hash(spec) == before
        assert self.times_built(folder) == 1

    def test_again_when_a_source_changes(self, folder: Path) -> None:
        spec = load_bot(str(folder), folder)
        build(spec)
        before = content_hash(spec)
        (folder / "source.txt").write_text("#!/bin/sh\n# changed\n")
        assert content_hash(spec) != before
        assert build(spec)
        assert (folder / "out/bot").read_text().endswith("# changed\n")
        assert not build(spec)

    @pytest.mark.parametrize("damage", ["delete", "edit", "stamp"])
    def test_again_when_a_product_is_not_as_it_was_made(self, folder: Path, damage: str) -> None:
        spec = load_bot(str(folder), folder)
        build(spec)
        if damage == "delete":
            (folder / "out/bot").unlink()
        else:
            (folder / {"edit": "out/bot", "stamp": STAMP}[damage]).write_text("{")
        assert build(spec)
        assert (folder / "out/bot").read_text() == "#!/bin/sh\n"
        assert not build(spec)

    def test_no_build(self, folder: Path) -> None:
        (folder / "bot.toml").write_text('command = ["./bot"]')
        assert not build(load_bot(str(folder), folder))
        assert not (folder / STAMP).exists()

    def test_failure_shows_the_output_and_is_tried_again(self, folder: Path) -> None:
        (folder / "make.sh").write_text("echo 'error: no semicolon'; exit 1")
        spec = load_bot(str(folder), folder)
        for _ in range(2):
            with pytest.raises(BotStartError, match=r"mine: the build failed: .*sh make\.sh\nerror: no semicolon"):
                build(spec)

    def test_no_compiler(self, folder: Path) -> None:
        (folder / "bot.toml").write_text('command = ["./bot"]\nbuild = ["no-such-compiler"]')
        with pytest.raises(BotStartError, match="no-such-compiler is not installed"):
            build(load_bot(str(folder), folder))

    def test_many_at_the_same_time_build_once(self, folder: Path) -> None:
        (folder / "make.sh").write_text("sleep 0.1\n" + (folder / "make.sh").read_text())
        spec, built = load_bot(str(folder), folder), []
        threads = [threading.Thread(target=lambda: built.append(build(spec))) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert sorted(built) == [False] * 4 + [True]
        assert self.times_built(folder) == 1


class TestContentHash:
    def test_folder(self, tmp_path: Path) -> None:
        make(tmp_path / "a", 'command = ["x"]', one_py="1", two_py="2")
        make(tmp_path / "b", 'command = ["x"]', two_py="2", one_py="1")
        first, second = (load_bot(name, tmp_path) for name in "ab")
        assert content_hash(first) == content_hash(second)
        for skipped in ("__pycache__", ".git", "node_modules"):
            (tmp_path / "a" / skipped).mkdir()
            (tmp_path / "a" / skipped / "x").write_text("x")
        assert content_hash(first) == content_hash(second)
        (tmp_path / "a/one.py").rename(tmp_path / "a/other.py")
        assert content_hash(first) != content_hash(second)

    def test_command_line_and_the_files_it_names(self, tmp_path: Path) -> None:
        (tmp_path / "bot.py").write_text("1")
        (tmp_path / "other.py").write_text("1")
        spec = load_bot("python3 bot.py", tmp_path)
        before = content_hash(spec)
        (tmp_path / "other.py").write_text("2")
        assert content_hash(spec) == before
        assert content_hash(load_bot("python3 bot.py --fast", tmp_path)) != before
        (tmp_path / "bot.py").write_text("2")
        assert content_hash(spec) != before

    def test_same_in_another_process(self, tmp_path: Path) -> None:
        make(tmp_path / "a", 'command = ["x"]', one_py="1")
        code = (
            "import sys; from pathlib import Path; from referee.bots.build import content_hash;"
            "from referee.bots.spec import load_bot; print(content_hash(load_bot(sys.argv[1], Path())))"
        )
        said = subprocess.run([sys.executable, "-c", code, tmp_path / "a"], capture_output=True, text=True, check=True)
        assert said.stdout.strip() == content_hash(load_bot("a", tmp_path))
