"""A helper for bots written in Python. It is optional: the protocol alone is enough (protocol.md).

A whole bot, that declares in time and otherwise plays the lowest card it may:

>>> from referee.bot import YOU, Action, Bot, View, sample
>>> from referee.rules import CLOSE, DECLARE, RANKS
>>> class Low(Bot):
...     def choose(self, view: View) -> Action:
...         if view.points.you >= view.rules.declare_at:
...             return Action("declare")
...         plays = [action for action in view.legal if action.kind == "play"]
...         return min(plays, key=lambda action: RANKS.index(action.card[0]))

and the last lines of its file:

    if __name__ == "__main__":
        Low().run()

What `choose` is given, a `View`, has the turn as the referee sent it, and all that a player with a good memory knows:
the points of both, old tricks, cards that nobody has seen yet, cards that the opponent must hold or cannot hold.

`sample` deals what is hidden at random, in agreement with all that. What comes out is a `Deal`, the engine by which
the referee plays itself (`referee.rules`): `legal` and `apply` search on from here. In it you are seat 0 (`YOU`).

>>> class Guess(Bot):
...     def choose(self, view: View) -> int:
...         actions = [action for action in sample(view, self.rng).legal() if action not in (CLOSE, DECLARE)]
...         return max(actions, key=lambda action: sum(self.random_game(view, action) for _ in range(5)))
...
...     def random_game(self, view: View, action: int) -> int:
...         deal = sample(view, self.rng)
...         deal.apply(action)
...         while deal.outcome is None:
...             deal.apply(self.rng.choice([action for action in deal.legal() if action != DECLARE]))
...         return deal.outcome.game_points * (1 if deal.outcome.winner == YOU else -1)

`Bot.answer` takes one message and gives the answer, so a bot can be tried without a referee:

>>> hand = ["QC", "AC", "KD", "AD", "JH", "9S"]
>>> score = {"you": 0, "opponent": 0}
>>> deal = {"type": "deal", "deal": 1, "dealer": "opponent", "hand": hand, "trump_card": "AS", "score": score}
>>> legal = [*({"action": "play", "card": card} for card in hand), {"action": "close"}, {"action": "declare"}]
>>> turn = {"type": "turn", "id": 1, "phase": "lead", "hand": hand, "trump": "S", "trump_card": "AS", "stock": 12,
...         "closed_by": None, "led": None, "legal": legal, "move_ms": 1000, "match_ms": None}
>>> bot = Low()
>>> bot.answer({"type": "hello", "protocol": 1, "game": "sixty-six", "rules": {}, "clock": {}})
{'type': 'ready', 'name': 'Low', 'version': '', 'close_before_draw': False}
>>> bot.answer(deal)
>>> bot.answer(turn)
{'id': 1, 'action': 'play', 'card': '9S'}
>>> guess = Guess()
>>> guess.answer(deal), guess.answer(turn)["action"]
(None, 'play')
"""

from referee.bot.bot import Bot
from referee.bot.sample import OPPONENT, YOU, sample
from referee.bot.view import Trick, View
from referee.rules.cards import Action

__all__ = ["OPPONENT", "YOU", "Action", "Bot", "Trick", "View", "sample"]
