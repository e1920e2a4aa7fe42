"""Case 45: bots in several languages play under the default limits; and faults in which the language matters."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
import trio
from faults import arena

BOTS = Path(__file__).parent / "bots"


class Language(NamedTuple):
    needs: str
    build: tuple[str, ...]
    command: tuple[str, ...]


LANGUAGES = {
    "python": Language("python3", (), ("python3", "-S", str(arena.HERE / "misbehave.py"), "--do")),
    "sh": Language("sh", (), ("./honest.sh",)),
    "node": Language("node", (), ("node", "bot.mjs")),
    "java": Language("javac", ("javac", "-d", ".", "Bot.java"), ("java", "-XX:TieredStopAtLevel=1", "-cp", ".", "Bot")),
    "c": Language("cc", ("cc", "-O1", "-o", "c-bot", "bot.c"), ("./c-bot",)),
    "rust": Language("rustc", ("rustc", "-o", "rust-bot", "bot.rs"), ("./rust-bot",)),
}


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("languages")
    for path in BOTS.iterdir():
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def built(workshop: Path) -> dict[str, bool]:
    return {}


def spec(name: str, argument: str, token: str, workshop: Path, built: dict[str, bool]) -> arena.BotSpec:
    language = LANGUAGES[name]
    if not shutil.which(language.needs):
        pytest.skip(f"{language.needs} is not installed")
    if language.build and name not in built:
        built[name] = True
        subprocess.run(language.build, cwd=workshop, check=True, timeout=120)
    return arena.spec(name, (*language.command, argument), token, workshop)


async def play(bad: arena.BotSpec, token: str, layer: str, folder: Path) -> arena.Outcome:
    """With the start limit of a tournament: java needs a second on a busy machine."""
    honest = arena.spec("honest", arena.bot_command(), token)
    clock = arena.Clock(start_ms=10_000, move_ms=arena.limits().move_ms)
    with arena.nothing_left(), trio.fail_after(40 * arena.slowness()):
        outcome = await arena.play(folder, (bad, honest), arena.layer(layer), clock)
        await arena.gone(token, 2.0)
    return outcome


@pytest.mark.parametrize("layer", arena.LAYERS)
@pytest.mark.parametrize("name", [name for name in LANGUAGES if name != "python"])
async def test_45_honest_bots(
    name: str, layer: str, workshop: Path, built: dict[str, bool], tmp_path: Path, table: list[tuple[str, ...]]
) -> None:
    token = arena.new_token()
    outcome = await play(spec(name, "honest", token, workshop, built), token, layer, tmp_path)
    assert not outcome.faults, outcome.faults
    table.append(("45", f"plays honestly in {name}", layer, "none", "-", "nothing"))


@pytest.mark.parametrize("layer", arena.LAYERS)
@pytest.mark.parametrize(
    ("name", "does", "kind", "exit_text", "hint"),
    [
        ("c", "noflush", "timeout", "", "buffer"),
        ("c", "segv", "crash", "SIGSEGV", "main loop"),
        ("node", "throw", "crash", "exit code 1", "Node.js|no such card"),
        ("java", "throw", "crash", "exit code 1", "Bot.main"),
        ("rust", "panic", "crash", "exit code 101", "RUST_BACKTRACE"),
    ],
)
async def test_faults_of_a_language(
    name: str,
    does: str,
    kind: str,
    exit_text: str,
    hint: str,
    layer: str,
    workshop: Path,
    built: dict[str, bool],
    tmp_path: Path,
    table: list[tuple[str, ...]],
) -> None:
    token = arena.new_token()
    outcome = await play(spec(name, does, token, workshop, built), token, layer, tmp_path)
    (fault,) = outcome.faults
    assert (fault.kind, fault.exit) == (kind, exit_text)
    assert any(part in fault.hint for part in hint.split("|")), fault.hint
    number = {"timeout": "27", "crash": "7"}[kind]
    table.append((number, f"{name}: {does}", layer, kind, f"{outcome.took_s(fault):.2f} s", "nothing"))
