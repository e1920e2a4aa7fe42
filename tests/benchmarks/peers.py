"""Our random deals beside those of other engines; `pip install open_spiel schnapsen` first.

Not collected with the tests: the peers are for this alone. One round is as many deals in all four.
"""

from random import Random
from typing import Any

import pytest
from benchmarks.test_rules import DEALS, decks, random_deals


def test_ours(benchmark: Any) -> None:
    assert benchmark(random_deals, decks(), True)


def test_ours_played_out(benchmark: Any) -> None:
    assert benchmark(random_deals, decks(), False)


def test_open_spiel_euchre(benchmark: Any) -> None:
    """24 cards too; its core is C++, driven from Python as here."""
    spiel = pytest.importorskip("pyspiel")
    game, number = spiel.load_game("euchre"), Random(2).random

    def play() -> int:
        for _ in range(DEALS):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(number() * len(legal))])
        return DEALS

    assert benchmark(play) == DEALS


def test_schnapsen_of_vu_amsterdam(benchmark: Any) -> None:
    """The nearest relative: Schnapsen, 20 cards, pure Python."""
    pytest.importorskip("schnapsen")
    from schnapsen.bots import RandBot
    from schnapsen.game import SchnapsenGamePlayEngine

    engine, rng = SchnapsenGamePlayEngine(), Random(2)
    a, b = RandBot(rng), RandBot(rng)

    def play() -> int:
        for _ in range(DEALS):
            engine.play_game(a, b, rng)
        return DEALS

    assert benchmark(play) == DEALS
