"""From what a bot knows to a whole deal on the engine, with the hidden cards dealt at random."""

from random import Random

from referee.bot.view import View
from referee.protocol.messages import Both, Who
from referee.rules.cards import NO_CARD, SUITS, card, mask
from referee.rules.deal import DRAWING, FOLLOW, LEAD, NOBODY, Deal

YOU, OPPONENT = 0, 1
"""Your seat and his in a sampled deal, whatever they are at the table."""

_PHASES = {"lead": LEAD, "follow": FOLLOW, "draw": DRAWING}
_SEATS: dict[Who | None, int] = {"you": YOU, "opponent": OPPONENT, None: NOBODY}


def sample(view: View, rng: Random) -> Deal:
    """A deal in which everything you have seen is as it was: a guess at the rest, each as likely as the next.

    The opponent gets the cards that he must hold, none that he cannot hold, and random ones among the unseen; what is
    left is the stock, in random order. Once the stock is exhausted no guess is left to make. It is your turn in it,
    and its `legal()` is `view.legal` in the same order.

    On the engine a won trick, while the stock is open, is followed by the phase DRAWING, in which `DRAW` is legal, and
    closing before it. Play it for both sides, also if your bot does not ask for that phase at the table.
    """
    hidden = [card(name) for name in view.unseen]
    lacks = {card(name) for name in view.opponent_lacks}
    held = [card(name) for name in view.opponent_has]
    held += rng.sample([each for each in hidden if each not in lacks], view.opponent_cards - len(held))
    hand = mask(held)
    talon = [each for each in hidden if not hand >> each & 1]
    rng.shuffle(talon)
    if view.trump_card is not None:
        talon.append(card(view.trump_card))
    return _deal(view, hand, talon)


def _deal(view: View, opponent: int, talon: list[int]) -> Deal:
    points = [sum(trick.card_points for trick in view.tricks if trick.winner == who) for who in ("you", "opponent")]
    deal = Deal.at(
        hands=(mask([card(name) for name in view.hand]), opponent),
        talon=talon,
        trump=SUITS.index(view.trump),
        seat=YOU,
        phase=_PHASES[view.phase],
        tricks=_pair(view.tricks_won),
        trick_points=(points[YOU], points[OPPONENT]),
        marriages=_pair(view.marriages),
        led=NO_CARD if view.led is None else card(view.led),
        closed_by=_SEATS[view.closed_by],
        tricks_when_closed=_pair(view.tricks_when_closed),
        rules=view.rules,
    )
    # What `Deal.at` cannot know.
    deal.first_there = _SEATS[view.first_there]
    deal.announced = NOBODY if view.announced is None else SUITS.index(view.announced)
    return deal


def _pair(both: Both) -> tuple[int, int]:
    return both.you, both.opponent
