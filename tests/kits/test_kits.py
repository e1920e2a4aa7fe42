"""Every starter kit is written by the command, builds, understands what it is sent, and plays without a fault."""

import json
import os
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kits.rounds import EXAMPLES, LAYERS, ROOT, check, need_layer, need_programs, play, present

from referee.bots.build import build
from referee.bots.kits import KITS, files_of, lacking, language_of
from referee.bots.spec import load_folder
from referee.cli.app import app
from referee.errors import UsageError

LANGUAGES = sorted(path.name for path in KITS.iterdir() if path.is_dir())
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.to.jsonl"))


def new(*words: object) -> None:
    """`referee new ...` in this process."""
    app(["new", *map(str, words)], standalone_mode=False)


@pytest.fixture(scope="module")
def kits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All kits, in folders whose names have a space and a letter beyond ASCII."""
    folder = tmp_path_factory.mktemp("kits") / "my böts"
    for language in LANGUAGES:
        new(language, folder / f"{language} é")
    return {language: folder / f"{language} é" for language in LANGUAGES}


def built(folder: Path) -> Path:
    """The kit, ready to run; skips what this machine cannot build."""
    need_programs(folder)
    build(load_folder(folder))
    return folder


# ----------------------------------------------------------------------------------------------------- what is written


def test_there_are_the_kits_that_are_promised() -> None:
    promised = {"python", "javascript", "typescript", "c", "cpp", "rust", "java", "go", "perl", "sh"}
    assert promised <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kit_is_a_source_file_a_bot_toml_and_a_short_readme(kits: dict[str, Path], language: str) -> None:
    files = {path.name: path.read_text("utf-8") for path in kits[language].iterdir()}
    assert {"bot.toml", "README.md"} < set(files) == {path.name for path in files_of(language)}
    assert len(files["README.md"].splitlines()) < 15
    assert not any("@name@" in text for text in files.values())
    config = tomllib.loads(files["bot.toml"])
    assert config["name"] == f"{language} é" and config["version"] and config["language"]
    assert files["README.md"].startswith(f"# {language} é\n")
    source = next(text for name, text in files.items() if Path(name).stem.lower() == "bot" and name != "bot.toml")
    assert len(source.splitlines()) < 120 and "choose" in source


def test_the_name_is_what_the_command_says(tmp_path: Path) -> None:
    new("c", tmp_path, "--name", 'Żółw "99" \\ #1')
    assert load_folder(tmp_path).name == 'Żółw "99" \\ #1'
    assert (tmp_path / "README.md").read_text("utf-8").startswith('# Żółw "99" \\ #1\n')


def test_without_a_name_the_folder_is_asked_and_made_to_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new("sh", tmp_path / "..hidden")
    assert load_folder(tmp_path / "..hidden").name == "hidden"
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    new("sh", ".")
    assert load_folder(tmp_path / "here").name == "here"


@pytest.mark.parametrize("name", ["", "a/b", ".a", "x" * 41, "a\tb"])
def test_a_name_that_no_tournament_takes_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="--name"):
        new("c", tmp_path / "bot", "--name", name)
    assert not (tmp_path / "bot").exists()


@pytest.mark.parametrize("there", ["bot.c", "bot.toml", "README.md"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    (tmp_path / "other").write_text("mine")
    with pytest.raises(UsageError, match=f"{there}: is there already"):
        new("c", tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {there: "mine", "other": "mine"}


def test_a_link_that_leads_nowhere_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "bot.c").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="is there already"):
        new("c", tmp_path)
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError, match="file"):
            new("c", folder)


def test_other_files_in_the_folder_stay(tmp_path: Path) -> None:
    (tmp_path / "LICENSE").write_text("mine")
    new("go", tmp_path)
    assert (tmp_path / "LICENSE").read_text() == "mine" and (tmp_path / "bot.go").is_file()


# ------------------------------------------------------------------------------------------------------- what is said


def test_without_a_language_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    new()
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines == [[language, lacking(language) or "ready"] for language in LANGUAGES]


def test_an_unknown_language_gets_the_list_and_a_guess(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"pyton.*did you mean 'python'\?.*c, cpp, go") as caught:
        new("pyton", tmp_path)
    assert caught.value.exit_code == 2
    with pytest.raises(UsageError, match=r"^cobol: no kit for this language; there are"):
        new("cobol", tmp_path)


@pytest.mark.parametrize(
    ("word", "language"),
    [("JS", "javascript"), ("c++", "cpp"), ("Golang", "go"), ("bash", "sh"), ("..", None), ("", None)],
)
def test_languages_have_other_names(word: str, language: str | None) -> None:
    assert language_of(word) == language


def test_a_folder_has_to_be_said() -> None:
    with pytest.raises(UsageError, match="referee new rust DIR"):
        new("rust")


def test_the_next_commands_can_be_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new("python", tmp_path / "my bot")
    err = capsys.readouterr().err
    assert f"wrote {tmp_path}/my bot/bot.py\n" in err
    assert f"    referee check '{tmp_path}/my bot'\n" in err and f"    referee match '{tmp_path}/my bot' " in err


def test_a_missing_compiler_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    new("rust", tmp_path / "bot")
    assert "warning: rustc is not installed" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------------ what it understands


def strange(line: str) -> Iterator[str]:
    """The same message, with all that a reader has to bear: order, space, unknown fields and types, CR."""
    message: dict[str, Any] = dict(reversed(json.loads(line).items()))
    if "legal" in message:
        message["legal"] = [dict(reversed(action.items())) for action in message["legal"]]
    decoys = {
        "x": {"type": "bye", "id": [{"id": 0}], "legal": []},
        "quote": '"type":"bye","]}\\',
        "ü": -1.5e3,
        "": None,
    }
    for each in ({"type": "from-the-future", "legal": [[]]}, {"id": 3, "no": "type"}, {**decoys, **message}):
        yield json.dumps(each, separators=(" , \t", " : "), ensure_ascii=False) + " \r"


def converse(folder: Path, lines: list[str]) -> list[dict[str, Any]]:
    """What the bot answers when it gets all lines at once; the end of input must end it."""
    spec = load_folder(folder)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"}
    done = subprocess.run(
        spec.argv,
        cwd=spec.dir,
        env=environment,
        input="".join(line + "\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kit_answers_hello_and_turn_and_nothing_else(kits: dict[str, Path], language: str) -> None:
    """In a recorded match; and it decides as the Python kit does, whatever else stands in the lines."""
    folder = built(kits[language])
    for golden in GOLDEN:
        lines = golden.read_text("utf-8").splitlines()
        expected = [_expected(json.loads(line)) for line in lines]
        expected = [answer for answer in expected if answer]
        assert converse(folder, lines) == expected
        assert converse(folder, [each for line in lines for each in strange(line)]) == expected


def _expected(message: dict[str, Any]) -> dict[str, Any] | None:
    """The first of the cheapest cards; what comes first, where there is no card to play."""
    if message["type"] == "turn":
        plays = [action for action in message["legal"] if action["action"] == "play"]
        plays.sort(key=lambda action: "9JQKTA".index(action["card"][0]))
        return {"id": message["id"], **(plays or message["legal"])[0]}
    return {"type": "ready"} if message["type"] == "hello" else None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kit_leaves_at_bye(kits: dict[str, Path], language: str) -> None:
    hello, *_ = GOLDEN[0].read_text("utf-8").splitlines()
    assert converse(built(kits[language]), [hello, '{"type":"bye"}', hello]) == [{"type": "ready"}]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kit_passes_check(kits: dict[str, Path], language: str) -> None:
    check(built(kits[language]))


# ----------------------------------------------------------------------------------------------------------- it plays


@pytest.mark.parametrize("layer", LAYERS)
def test_kits_play_20_matches_each_without_a_fault(kits: dict[str, Path], layer: str, tmp_path: Path) -> None:
    """Each against each, and against one that closes, marries and declares at random: a mirrored pair each."""
    need_layer(layer)
    here = present(list(kits.values()))
    pairs = -(-10 // len(here))
    played, faults = play(tmp_path / "kits", [*here, EXAMPLES / "random"], layer, pairs)
    assert not faults
    assert sorted(played) == sorted([*(folder.name for folder in here), "random"])
    assert min(played.values()) >= 20
