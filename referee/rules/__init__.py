"""The rules of Sixty-Six, pure: cards, decks, deals, prices. `Deal` is the engine.

Bots may search on it: `from referee.rules import Deal, Rules, cards_in, names, ...`. Cards and actions are small
integers there, for speed; `card`, `action`, `CARDS` and `ACTIONS` go between them and words.

>>> deal = Deal(range(24), dealer=1)
>>> names(cards_in(deal.hands[0])), CARDS[deal.trump_card], PHASES[deal.phase]
(['9C', 'JC', 'QC', '9D', 'JD', 'QD'], '9H', 'lead')
>>> [str(ACTIONS[number]) for number in deal.legal()[-3:]]
['play QD', 'close', 'declare']
>>> trial = deal.copy()  # `apply` changes a deal in place: search on copies
>>> trial.apply(card("QD"))
>>> trial.apply(card("AD"))
>>> trial.apply(DRAW)
>>> trial.points(1), trial.stock, deal.stock
(14, 10, 12)
>>> trial.apply(action("declare"))  # too early
>>> trial.outcome
Outcome(winner=0, game_points=3, reason='false_declaration', card_points=(0, 14), tricks=(0, 1))

`referee.bot.sample` makes a `Deal` of what a bot knows, the hidden cards dealt at random.
"""

from referee.rules.cards import (
    ACTIONS,
    CARD_POINTS,
    CARDS,
    CLOSE,
    DECLARE,
    DRAW,
    EXCHANGE,
    MARRIAGE,
    NO_CARD,
    RANKS,
    SUIT_MASK,
    SUIT_OF,
    SUITS,
    Action,
    action,
    card,
    cards_in,
    mask,
    names,
)
from referee.rules.deal import DRAWING, FOLLOW, LEAD, NOBODY, OVER, PHASES, Deal
from referee.rules.ruleset import PRESETS, Rules
from referee.rules.scoring import Outcome, Reason, price

__all__ = [
    "ACTIONS",
    "CARDS",
    "CARD_POINTS",
    "CLOSE",
    "DECLARE",
    "DRAW",
    "DRAWING",
    "EXCHANGE",
    "FOLLOW",
    "LEAD",
    "MARRIAGE",
    "NOBODY",
    "NO_CARD",
    "OVER",
    "PHASES",
    "PRESETS",
    "RANKS",
    "SUITS",
    "SUIT_MASK",
    "SUIT_OF",
    "Action",
    "Deal",
    "Outcome",
    "Reason",
    "Rules",
    "action",
    "card",
    "cards_in",
    "mask",
    "names",
    "price",
]
