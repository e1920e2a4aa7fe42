"""The example bot that is built on the helper."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from bot.truth import Closer, Legal, play

from referee.bot import Bot

FILE = Path(__file__).parents[2] / "example_bots" / "sampler" / "bot.py"


@pytest.fixture(scope="module")
def module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sampler_bot", FILE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_plays_20_matches_without_a_fault_and_wins_nearly_all(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An illegal action would raise. The opponents hardly play, so a few guesses are enough."""
    monkeypatch.setattr(module, "SAMPLES", 4)
    won = 0
    for seed in range(20):
        sampler: Bot = module.Sampler()
        other = Closer() if seed % 2 else Legal()
        mine = seed // 2 % 2
        match = play((other, sampler) if mine else (sampler, other), seed)
        assert match.over is not None
        won += match.over.winner == mine
    assert won >= 17


def test_it_is_as_short_as_is_said() -> None:
    assert len(FILE.read_text("utf-8").splitlines()) < 60
