"""Every example bot builds, and plays 20 matches without a fault, in the sandbox too."""

import shutil
from pathlib import Path

import pytest
from kits.rounds import EXAMPLES, LAYERS, check, need_layer, need_programs, play, present

from referee.bots.build import build
from referee.bots.spec import load_folder

BOTS = sorted(path.parent.name for path in EXAMPLES.glob("*/bot.toml"))


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Copies of all example bots, so that what others build in their folders is not touched."""
    folder = tmp_path_factory.mktemp("examples")
    for name in BOTS:
        shutil.copytree(EXAMPLES / name, folder / name, ignore=shutil.ignore_patterns(".built", "__pycache__"))
    return [folder / name for name in BOTS]


@pytest.mark.parametrize("name", BOTS)
def test_an_example_bot_builds(bots: list[Path], name: str) -> None:
    folder = bots[BOTS.index(name)]
    need_programs(folder)
    spec = load_folder(folder)
    assert build(spec) == (spec.build is not None)
    assert (spec.name, bool(spec.version), bool(spec.language)) == (name, True, True)


@pytest.mark.parametrize("name", BOTS)
def test_an_example_bot_passes_check(bots: list[Path], name: str) -> None:
    need_programs(bots[BOTS.index(name)])
    check(bots[BOTS.index(name)])


@pytest.mark.parametrize("layer", LAYERS)
def test_example_bots_play_20_matches_each_without_a_fault(bots: list[Path], layer: str, tmp_path: Path) -> None:
    need_layer(layer)
    here = present(bots)
    # All against the weakest, since those matches are short.
    played, faults = play(tmp_path / "examples", here, layer, 10, 'format = "gauntlet"\nhero = "first"')
    assert not faults
    assert sorted(played) == sorted(folder.name for folder in here) and min(played.values()) >= 20
