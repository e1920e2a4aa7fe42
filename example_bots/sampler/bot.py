"""sampler: guesses the hidden cards a few times, plays each guess to its end by a simple rule, does what was best."""

from referee.bot import YOU, Bot, View, sample
from referee.rules import CARD_POINTS, CLOSE, DECLARE, DRAW, DRAWING, EXCHANGE, LEAD, MARRIAGE, SUIT_OF, Deal

SAMPLES = 24  # guesses for each decision: more is stronger and slower
CLOSE_MARGIN = 0.5  # game points by which closing must look better than going on


class Sampler(Bot):
    version = "1.0"
    close_before_draw = True

    def choose(self, view: View) -> int:
        if view.points.you >= view.rules.declare_at:
            return DECLARE
        guesses = [sample(view, self.rng) for _ in range(SAMPLES)]
        actions = [action for action in guesses[0].legal() if action != DECLARE]
        return max(actions, key=lambda action: worth(guesses, action)) if len(actions) > 1 else actions[0]


def worth(guesses: list[Deal], action: int) -> float:
    """Game points that this action wins on average."""
    return sum(play_out(guess.copy(), action) for guess in guesses) / len(guesses) - CLOSE_MARGIN * (action == CLOSE)


def play_out(deal: Deal, action: int) -> int:
    """Game points for me if I begin with this action, and both go on by the rule."""
    deal.apply(action)
    while deal.outcome is None:
        deal.apply(rule(deal))
    return deal.outcome.game_points if deal.outcome.winner == YOU else -deal.outcome.game_points


def rule(deal: Deal) -> int:
    """Declares in time, announces, leads low while the stock is open, and takes what is cheap or worth it."""
    if deal.points(deal.seat) >= deal.rules.declare_at:
        return DECLARE
    if deal.phase == DRAWING:
        return DRAW
    actions, led, trump = deal.legal(), deal.led, deal.trump
    cards = [action for action in actions if action < MARRIAGE]
    cost = {card: CARD_POINTS[card] + 10 * (SUIT_OF[card] == trump) for card in cards}
    if deal.phase == LEAD:
        offers = [action for action in actions if MARRIAGE <= action <= EXCHANGE]
        return offers[-1] if offers else (max if deal.strict else min)(cards, key=cost.__getitem__)
    takers = [card for card in cards if (card > led if SUIT_OF[card] == SUIT_OF[led] else SUIT_OF[card] == trump)]
    free = [card for card in takers if SUIT_OF[card] != trump]
    if free:
        return max(free)
    return min(takers if takers and CARD_POINTS[led] >= 10 else cards, key=cost.__getitem__)


if __name__ == "__main__":
    Sampler().run()
