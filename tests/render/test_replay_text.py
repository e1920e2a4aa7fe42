"""The match as text: all of it, in words, and harmless."""

import re

import pytest
from render.played import HOSTILE, any_legal, fault, header, play, unable_to_start

from referee.errors import UsageError
from referee.match.events import ActEvent, DealEndEvent, DealEvent
from referee.render.replay_text import replay_text


def text_of(lines, **options):
    return "\n".join(line.plain for line in replay_text(lines, **options))


@pytest.fixture(scope="module")
def lines():
    return play(header(), seed=4, note=lambda seat, turn: HOSTILE if turn == 3 else "")


def test_every_card_played_is_in_it_in_its_order(lines):
    text = text_of(lines, unicode=False)
    at = 0
    for line in lines:
        if isinstance(line.event, ActEvent) and line.event.card:
            at = text.index(line.event.card, at) + 2


def test_every_deal_has_both_hands_trump_and_score(lines):
    text = text_of(lines, unicode=False)
    for line in lines:
        if isinstance(line.event, DealEvent):
            assert f"Deal {line.event.deal}: " in text
            assert f"{line.event.deck[12]} (turned up)" in text
        if isinstance(line.event, DealEndEvent):
            assert "score greedy {}, counter {}".format(*line.event.score) in text


def test_the_last_line_says_who_won(lines):
    assert re.fullmatch(r"(greedy|counter) wins the match \d+ : \d+", text_of(lines).splitlines()[-1])


def test_plain_letters_where_there_is_no_unicode(lines):
    assert text_of(lines, unicode=False).isascii()
    assert "♥" in text_of(lines)


def test_one_deal_only(lines):
    text = text_of(lines, deal=2)
    assert "Deal 2: " in text
    assert "Deal 1: " not in text
    with pytest.raises(UsageError, match="there is no deal 99 in this match, only 1 to"):
        text_of(lines, deal=99)


def test_what_one_seat_saw_hides_the_other_hand_and_the_stock(lines):
    text = text_of(lines, seat=0, unicode=False)
    deal = next(line.event for line in lines if isinstance(line.event, DealEvent))
    dealt = text[text.index("Deal 1: ") : text.index("Deal 2: ")]
    assert "counter  ?? ?? ?? ?? ?? ??" in dealt
    assert f"{'?? ' * 11}{deal.deck[12]} (turned up)" in dealt
    assert "draws a card" in text


def test_hostile_notes_and_names_are_shown_as_they_are_written():
    text = text_of(play(header((HOSTILE, "\x1b]0;x\x07b")), note=lambda seat, turn: HOSTILE + "\n\tsecond line"))
    assert "</script><img src=x onerror=alert(1)>[red]" in text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e\u2028]", text)


def test_markup_in_notes_is_no_style():
    spans = [
        span
        for line in replay_text(play(header(("[red]a", "b")), note=lambda seat, turn: "[bold red]x[/]"))
        for span in line.spans
        if "[bold red]" in line.plain[span.start : span.end] and "red" in str(span.style)
    ]
    assert spans == []


def test_a_fault_is_shown_with_its_evidence():
    def choose(ask, rng):
        if rng.random() < 0.1:
            return fault("malformed", detail="not JSON", answer="{oops", stderr="line one\nline two", legal=["play AS"])
        return any_legal(ask, rng)

    text = text_of(play(header(), choose))
    for part in (
        "an answer that cannot be read",
        "malformed: not JSON",
        "{oops",
        "line one",
        "line two",
        "by a fault of",
    ):
        assert part in text
    assert "1.00 s of 1.00 s" in text


@pytest.mark.parametrize("kind", ["malformed", "illegal", "timeout", "crash", "flood"])
def test_every_kind_of_fault_has_words(kind):
    def choose(ask, rng):
        return fault(kind)

    assert f"{kind}" in text_of(play(header(), choose))


def test_a_match_that_could_not_start_says_so():
    assert "greedy could not be started" in text_of(unable_to_start(header()))
    assert "counter wins the match 7 : 0, as the other side could not be started" in text_of(unable_to_start(header()))
    assert "the match is void" in text_of(unable_to_start(header(), (0, 1)))


def test_a_card_led_before_a_declaration_is_not_lost():
    def declares(ask, rng):
        return 30 if ask.turn.phase == "follow" else any_legal(ask, rng)

    text = text_of(play(header(), declares), unicode=False)
    assert re.search(r"(greedy|counter) leads [9JQKTA][CDHS]", text)
    assert "declares 66, but has 0" in text


def test_every_reason_is_given_in_words():
    reasons = set()
    for seed in range(40):
        lines = play(header(seed=f"{seed:064x}"), seed=seed, asks_draw=seed % 2 == 0)
        for end in (line.event for line in lines if isinstance(line.event, DealEndEvent)):
            reasons.add(end.reason)
        assert "wins" in text_of(lines)
    assert {"declared", "false_declaration", "closer_failed", "played_out"} <= reasons
