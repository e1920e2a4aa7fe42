"""Decks and seeds: fixed values for ever, no card lost, no place preferred."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import count, pairwise
from struct import pack, unpack
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules import shuffle
from referee.rules.cards import names
from referee.rules.shuffle import bot_seed, commitment, deck, pair_seed

relaxed = settings(deadline=None)  # the machine may be busy
PAIR_1 = "467195509817f0872ccfca1efe3a9b9f521c7a5a9feb839bdd53b0af4cd8be7e"
seeds = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def test_vectors() -> None:
    assert commitment("example") == "1b211d6cb1529c9b437bed02397deae9aa6818959f4f99b4f66806044185328e"
    assert pair_seed("example", 1) == PAIR_1
    assert " ".join(names(deck(PAIR_1, 1))) == (
        "TS 9D JH 9S TC JD KS AH JS TH QC KH KD QS 9H TD QD AC KC JC 9C AS AD QH"
    )
    assert " ".join(names(deck(PAIR_1, 2))) == (
        "KH JC KD JH JS AS 9D AH KC QS QD QH TH TD AD QC 9S TS KS 9C JD 9H AC TC"
    )
    assert bot_seed(PAIR_1, "a", 0) == 3152000705409690
    assert bot_seed(PAIR_1, "b", 1) == 2756369505048477


def plain_deck(seed: str, number: int, hashed: Callable[[bytes], Any] = sha256) -> list[str]:
    """The same once more, in other words and with big integers instead of words."""
    cards = [rank + suit for suit in "CDHS" for rank in "9JQKTA"]
    words = (
        int.from_bytes(hashed(f"sixty-six/deck/{seed}/{number}/{block}".encode()).digest(), "big") >> shift & 0xFFFFFFFF
        for block in count()
        for shift in range(224, -1, -32)
    )
    for places in range(24, 1, -1):
        word = next(word for word in words if word // places < 2**32 // places)
        j = word % places
        cards[places - 1], cards[j] = cards[j], cards[places - 1]
    return cards


@relaxed
@given(seeds, st.integers(1, 200))
def test_a_deck_by_another_hand_is_the_same(seed: str, number: int) -> None:
    assert names(deck(seed, number)) == plain_deck(seed, number)


@relaxed
@given(seeds, st.integers(1, 10_000))
def test_every_deck_has_every_card_once(seed: str, number: int) -> None:
    assert sorted(deck(seed, number)) == list(range(24))


class HighHash:
    """A hash whose words are all in the last 32 below 2^32, where about every second one is to be thrown away."""

    def __init__(self, data: bytes) -> None:
        self._words = unpack(">8I", sha256(data).digest())

    def digest(self) -> bytes:
        return pack(">8I", *(word | 0xFFFFFFE0 for word in self._words))


def test_words_of_the_uneven_tail_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """With real hashes this happens once in ten million decks."""
    monkeypatch.setattr(shuffle, "sha256", HighHash)
    for number in range(1, 101):
        assert names(deck("x", number)) == plain_deck("x", number, HighHash)
        assert names(deck("x", number)) != plain_deck("x", number)


def test_no_card_prefers_a_place() -> None:
    """Chi-square over 24 x 24 counts: 529 degrees of freedom, standard deviation 32.5; the seed is fixed."""
    decks = 4_800
    counts = [[0] * 24 for _ in range(24)]
    for number in range(1, decks + 1):
        for place, card in enumerate(deck("uniform", number)):
            counts[place][card] += 1
    expected = decks / 24
    chi_square = sum((found - expected) ** 2 / expected for row in counts for found in row)
    assert 529 - 4 * 32.5 < chi_square < 529 + 4 * 32.5


def test_neighbours_do_not_stay_together() -> None:
    """How often each card lies right behind each other card: 552 pairs, each expected 23/552 times a deck."""
    decks = 4_800
    counts: dict[tuple[int, int], int] = {}
    for number in range(1, decks + 1):
        cards = deck("neighbours", number)
        for pair in pairwise(cards):
            counts[pair] = counts.get(pair, 0) + 1
    expected = decks * 23 / 552
    assert len(counts) == 552
    assert all(abs(found - expected) < 5 * expected**0.5 for found in counts.values())


def test_decks_and_pairs_differ() -> None:
    decks = {tuple(deck(pair_seed("s", pair), number)) for pair in range(1, 41) for number in range(1, 26)}
    assert len(decks) == 1000


@relaxed
@given(seeds, seeds, st.integers(1, 99))
def test_pair_seeds_are_of_one_master_seed(one: str, other: str, pair: int) -> None:
    assert (pair_seed(one, pair) == pair_seed(other, pair)) is (one == other)
    assert (commitment(one) == commitment(other)) is (one == other)


@relaxed
@given(seeds)
def test_bots_seeds_fit_into_a_double_and_differ(seed: str) -> None:
    found = {bot_seed(seed, leg, seat) for leg in "ab" for seat in (0, 1)}
    assert len(found) == 4
    assert all(0 <= one < 2**53 and int(float(one)) == one for one in found)


def test_a_bots_seed_is_the_first_53_bits() -> None:
    digest = sha256(b"sixty-six/bot/x/a/1").digest()
    bits = "".join(f"{byte:08b}" for byte in digest)
    assert bot_seed("x", "a", 1) == int(bits[:53], 2)
