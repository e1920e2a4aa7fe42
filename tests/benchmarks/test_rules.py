"""What the engine, the codec and the pure machine cost."""

from collections.abc import Sequence
from random import Random
from typing import Any

from match.table import header, play, random_chooser

from referee.match.events import ActEvent, encode
from referee.protocol import codec
from referee.protocol.messages import Turn
from referee.rules.cards import CARDS, DECLARE
from referee.rules.deal import OVER, Deal
from referee.rules.shuffle import deck, pair_seed

DEALS = 200
FINISHED = {"declared", "false_declaration", "closer_made_it", "closer_failed", "played_out", "tie"}


def decks() -> list[Sequence[int]]:
    rng = Random(1)
    return [rng.sample(range(24), 24) for _ in range(DEALS)]


def random_deals(decks: list[Sequence[int]], declare: bool) -> set[str]:
    """Random play to the end; without declaring a deal takes all of its tricks. Returns how they ended."""
    number, ends = Random(2).random, set()
    for each in decks:
        deal = Deal(each, 0)
        while deal.phase != OVER:
            legal = deal.legal()
            choices = len(legal) - (not declare and legal[-1] == DECLARE)
            deal.apply(legal[int(number() * choices)])
        assert deal.outcome is not None
        ends.add(deal.outcome.reason)
    return ends


def test_random_deals(benchmark: Any) -> None:
    ends = benchmark(random_deals, decks(), True)
    assert "false_declaration" in ends and ends <= FINISHED


def test_random_deals_played_out(benchmark: Any) -> None:
    ends = benchmark(random_deals, decks(), False)
    assert "closer_failed" in ends and ends <= FINISHED - {"declared", "false_declaration"}


def test_shuffling(benchmark: Any) -> None:
    seed = pair_seed("bench", 1)
    assert sorted(benchmark(deck, seed, 7)) == list(range(24))


def test_a_match_without_bots(benchmark: Any) -> None:
    played = benchmark(lambda: play(header(), random_chooser(3)))
    assert played.events[-1].reason == "target"


def test_encoding_a_turn(benchmark: Any) -> None:
    turn = Turn(1, "lead", list(CARDS[:6]), "C", CARDS[12], 12, None, None, [], 1000, None)
    assert codec.encode(turn) == benchmark(codec.encode, turn)


def test_decoding_an_answer(benchmark: Any) -> None:
    answer = benchmark(codec.decode_answer, b'{"id":17,"action":"play","card":"TS"}')
    assert (answer.id, answer.card) == (17, "TS")


def test_encoding_a_line_of_the_log(benchmark: Any) -> None:
    line = benchmark(encode, ActEvent(deal=3, seat=1, phase="lead", action="play", card="TS", us=123))
    assert line == b'{"type":"act","deal":3,"seat":1,"phase":"lead","action":"play","card":"TS","us":123}\n'
