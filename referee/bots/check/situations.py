"""What a turn, an act or the end of a deal is an example of, in the words that the steps ask for."""

from collections.abc import Iterator

from referee.match.events import ActEvent, DealEndEvent
from referee.protocol.messages import Close, Exchange, Marriage, Play, Turn
from referee.rules.cards import CARDS

RIVAL, BOT = 0, 1
"""Seats of every match here."""

MARRIAGE, EXCHANGE, CLOSE = "marriage", "exchange", "close"
CLOSE_EARLY = "close before the draw"
MUST_BEAT, MUST_BEAT_TRUMP = "the card led must be beaten", "the trump led must be beaten"
MUST_FOLLOW, MUST_TRUMP = "suit must be followed", "must be trumped"
ANYTHING = "neither suit nor trump in hand"
STRICT = "an answer in strict play"
PROMISED = "king or queen must be led"
NO_TURN = "a deal without a turn of the bot"
LAST_CARD = "a deal to its last card"
ALL_TRICKS = 12


def offered(what: str) -> str:
    """The bot may do this now."""
    return f"{what} offered"


def taken(what: str) -> str:
    """The bot has done it."""
    return f"{what} taken"


def opponent(what: str) -> str:
    """The bot's opponent has done it."""
    return f"opponent: {what}"


def in_turn(turn: Turn, announced: bool) -> Iterator[str]:
    """What the bot meets in this turn; `announced`: its last answer was a marriage."""
    yield turn.phase
    if turn.phase == "follow" and (turn.closed_by is not None or turn.stock == 0):
        yield STRICT
        yield from _bound(turn)
    if announced:
        yield PROMISED
    for action in turn.legal:
        if isinstance(action, Marriage):
            yield offered(MARRIAGE)
        elif isinstance(action, Exchange):
            yield offered(EXCHANGE)
        elif isinstance(action, Close):
            yield offered(CLOSE_EARLY if turn.phase == "draw" else CLOSE)


def _bound(turn: Turn) -> Iterator[str]:
    """Which part of R7 leaves only some of the cards."""
    led = turn.led
    assert led is not None
    plays = [action.card for action in turn.legal if isinstance(action, Play)]
    follows = plays[0][1] == led[1]
    if follows and len(plays) < len(turn.hand):
        beats = CARDS.index(plays[0]) > CARDS.index(led)
        yield (MUST_BEAT_TRUMP if led[1] == turn.trump else MUST_BEAT) if beats else MUST_FOLLOW
    elif not follows:
        yield MUST_TRUMP if plays[0][1] == turn.trump else ANYTHING


def in_act(event: ActEvent) -> str:
    """What somebody has done."""
    what = CLOSE_EARLY if event.action == CLOSE and event.phase == "draw" else event.action
    return taken(what) if event.seat == BOT else opponent(what)


def ended(event: DealEndEvent) -> str:
    """How a deal has ended."""
    return f"{event.reason}, won by {'nobody' if event.winner is None else ('the opponent', 'the bot')[event.winner]}"


def in_end(event: DealEndEvent, turns: int) -> Iterator[str]:
    """What a deal was in which the bot had so many turns."""
    yield ended(event)
    if not turns:
        yield NO_TURN
    if sum(event.tricks) == ALL_TRICKS:
        yield LAST_CARD
