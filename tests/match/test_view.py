"""What a seat is told never depends on what it cannot know."""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from match.table import header, play, random_chooser

from referee.match.clock import Clock
from referee.match.machine import Ask, Match, Tell
from referee.match.view import with_id
from referee.protocol import codec
from referee.protocol.messages import ToBot, Turn
from referee.rules.cards import ACTIONS, CARDS, DRAW, cards_in
from referee.rules.ruleset import Rules

decode = msgspec.json.Decoder(ToBot).decode


def told(deck: list[int], seat: int, actions: list[int], asks: bool) -> tuple[bytes, Match] | None:
    """The bytes that `seat` was sent while these actions were played on this deck; None if one was not legal."""
    match = Match(header(), lambda _: deck, lambda _: asks)
    sent = b""
    effects = match.start()
    for code in [*actions, None]:
        for effect in effects:
            if isinstance(effect, Tell) and effect.seat == seat:
                sent += codec.encode(effect.message)
        last = effects[-1]
        if isinstance(last, Ask) and last.seat == seat:
            sent += codec.encode(last.turn)
        if code is None or not isinstance(last, Ask):
            break
        if code not in last.legal:
            return None
        effects = match.act(code, 100)
    return sent, match


def hidden_places(deck: list[int], seat: int, match: Match, seen: set[int]) -> list[int]:
    """Places of the deck whose card `seat` has not seen: not its own, not played, not the trump card."""
    return [place for place, card in enumerate(deck) if card not in seen]


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), seat=st.integers(0, 1), length=st.integers(0, 30), asks=st.booleans())
def test_unseen_cards_can_change_places_and_the_bytes_stay_the_same(
    seed: int, seat: int, length: int, asks: bool
) -> None:
    rng = Random(seed)
    deck = list(range(24))
    rng.shuffle(deck)
    actions: list[int] = []
    for _ in range(length):
        result = told(deck, seat, actions, asks)
        assert result is not None
        deal = result[1].deal
        assert deal is not None
        if deal.outcome is not None or result[1].number > 1:
            actions.pop()
            break
        legal = [code for code in deal.legal() if code not in (29, 30) or rng.random() < 0.1]
        actions.append(rng.choice(legal or list(deal.legal())))
    result = told(deck, seat, actions, asks)
    assert result is not None
    sent, match = result
    deal = match.deal
    assert deal is not None
    if match.number > 1 or deal.outcome is not None:
        return
    seen = set(cards_in(deal.hands[seat])) | {code for code in actions if code < 24} | {deck[12]}
    places = hidden_places(deck, seat, match, seen)
    shuffled = [deck[place] for place in places]
    rng.shuffle(shuffled)
    other = deck.copy()
    for place, card in zip(places, shuffled, strict=True):
        other[place] = card
    again = told(other, seat, actions, asks)
    if again is not None:  # the other side could do the same with the other cards
        assert again[0] == sent


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_message_names_a_card_that_its_reader_has_not_seen(seed: int) -> None:
    """A second, cruder look: every card name in a message to a seat is one that lies open to it at that moment."""
    match = Match(header(), lambda _: Random(seed).sample(range(24), 24), lambda _: True)
    choose = random_chooser(seed)
    effects = match.start()
    seen: list[set[str]] = [set(), set()]
    for _ in range(60):
        for effect in effects:
            if isinstance(effect, Tell):
                _learn(effect.message, seen[effect.seat])
        last = effects[-1]
        if not isinstance(last, Ask):
            break
        _check(last.turn, seen[last.seat])
        code = choose(last)
        assert isinstance(code, int)
        if code == DRAW or code >= 24 or match.deal is None:
            seen[last.seat] |= {last.turn.trump_card or "9C"}
        effects = match.act(code, 100)
        if match.deal is not None and code < 24:
            seen[last.seat].add(CARDS[code])


def _learn(message: object, seen: set[str]) -> None:
    for field in ("hand", "trump_card", "card", "cards"):
        value = getattr(message, field, None)
        seen |= set(value if isinstance(value, list) else [value]) - {None}


def _check(turn: Turn, seen: set[str]) -> None:
    named = {*turn.hand, turn.led, *(getattr(act, "card", None) for act in turn.legal)} - {None}
    nine = "9" + turn.trump
    assert named - {nine} <= seen | {turn.trump_card}


def test_totals_are_told_only_when_the_rules_say_so() -> None:
    for wanted in (False, True):
        played = play(header(Rules(running_totals=wanted)), random_chooser(1))
        turns = [m for line in played.sent[0].splitlines() if isinstance(m := decode(line), Turn)]
        assert turns
        assert all((turn.card_points is not msgspec.UNSET) is wanted for turn in turns)


def test_the_pair_seed_reaches_no_bot() -> None:
    played = play(header(), random_chooser(2))
    for sent in played.sent:
        assert header().seed.encode() not in sent
        assert b'"deck"' not in sent


def test_a_bot_is_never_told_of_the_other_sides_draw() -> None:
    played = play(header(), random_chooser(3), asks_draw=lambda _: True)
    for sent in played.sent:
        assert b'"by":"opponent","action":"draw"' not in sent


def test_what_stands_on_the_wire_is_ever_the_same_for_the_same_match() -> None:
    assert play(header(), random_chooser(4)).sent == play(header(), random_chooser(4)).sent


def test_deals_are_numbered_and_overs_are_told() -> None:
    played = play(header(), random_chooser(5))
    for sent in played.sent:
        kinds = [decode(line).__struct_config__.tag for line in sent.splitlines()]
        assert kinds[0] == "match" and kinds[1] == "deal" and kinds[-1] == "match_end"
        assert kinds.count("deal") == kinds.count("deal_end") == played.match.number


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32), move_ms=st.none() | st.integers(1, 10**6), match_ms=st.none() | st.integers(1, 10**9)
)
def test_a_request_is_byte_for_byte_the_encoded_turn(seed: int, move_ms: int | None, match_ms: int | None) -> None:
    """It is joined from pieces for speed: the struct is what it must be equal to."""
    clock, choose = Clock(move_ms=move_ms, match_ms=match_ms), random_chooser(seed)

    def checked(ask: Ask) -> int:
        line = with_id(17, ask.request)
        turn = decode(line)
        assert isinstance(turn, Turn) and turn.id == 17
        assert codec.encode(turn) == line
        assert [str(ACTIONS[code]).split() for code in ask.legal] == [_words(action) for action in turn.legal]
        code = choose(ask)
        assert isinstance(code, int)
        return code

    play(header(Rules(running_totals=seed % 2 == 0), clock, f"{seed:064x}"), checked)


def _words(action: object) -> list[str]:
    fields = msgspec.to_builtins(action)
    return [fields["action"], *(fields[key] for key in ("card", "suit") if key in fields)]
