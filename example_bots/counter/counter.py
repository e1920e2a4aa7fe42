"""counter: remembers every card, and searches as soon as there is little left to guess.

Four kinds of decision, one section each:

* open play, while there is much to draw: a rule of thumb gives each card a worth in points;
* trick six: one unseen card lies face down; whichever it is, the rest is a search;
* strict play with the stock exhausted: the opponent's hand is known, and alpha-beta searches
  the rest of the deal exactly, in game points;
* strict play with the stock closed, and the question whether to close it: the same search,
  over a bounded number of hands that the opponent may hold.
"""

import json
import random
import sys
from itertools import combinations
from math import comb

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
RANKS = "9JQKTA"
DECK = [rank + suit for suit in "CDHS" for rank in RANKS]

HIDDEN = 4  # cards looked at, at the most, that may lie face down at trick six
WORLDS = 16  # hands of the opponent looked at, at the most, in a closed deal
CLOSE_SHARE = 0.7  # close if this share of the game points to be won is to be expected
CLOSE_REACH = 60  # do not even think of it if my good cards lead to fewer points than this

# Open play, in points; found by trial, see the README.
WEIGHTS = {
    "trump": 5,  # keeping any trump
    "trump_rank": 1.5,  # and for each rank above the nine
    "nine": 1,  # the nine of trumps, times the points of the card it is exchanged for
    "best": 3,  # an ace, or a ten whose ace is gone
    "marriage": 0.5,  # king or queen with the partner in hand, times 20 or 40
    "half_marriage": 0.15,  # with the partner still to come
    "first_trick": 3,  # winning any trick: marriages count, and the opponent's price falls
    "lead": -3,  # having to lead
    "lead_lost": 6,  # a card led and lost, beside its points
    "trumps_fat": 0.9,  # how willingly the opponent trumps an ace or a ten
    "trumps_lean": 0.2,  # or anything else
}


def wins(card, led, trump):
    """Does `card`, played second, beat the card led?"""
    if card[1] != led[1]:
        return card[1] == trump
    return RANKS.index(card[0]) > RANKS.index(led[0])


# ---- memory --------------------------------------------------------------------------------


class Side:
    """What one player has won in this deal."""

    def __init__(self):
        self.tricks = 0
        self.card_points = 0
        self.marriages = {}  # suit: 20 or 40

    def bonus(self):
        return sum(self.marriages.values())

    def total(self):
        """Marriages count only once a trick has been won."""
        return self.card_points + self.bonus() if self.tricks else 0

    def waiting(self):
        """Marriages that wait for a trick; -1 once there is one (see Search)."""
        return -1 if self.tricks else self.bonus()


class Deal:
    """Everything a careful player remembers of the current deal."""

    def __init__(self, message):
        self.trump_card = message["trump_card"]
        self.trump = self.trump_card[1]
        self.me, self.opponent = Side(), Side()
        self.played = []
        self.shown = []  # cards the opponent is known to hold
        self.fail_price = 2  # what the closer loses if he fails
        self.search = None  # kept for the whole deal: it remembers positions

    def side(self, who):
        return self.me if who == "you" else self.opponent

    def on_action(self, by, action):
        """The referee tells what the opponent does; my own actions are noted when I answer."""
        suit = action.get("suit")
        if action["action"] == "marriage":
            self.side(by).marriages[suit] = 40 if suit == self.trump else 20
            if by == "opponent":
                self.shown += [c for c in ("K" + suit, "Q" + suit) if c not in self.shown]
        elif action["action"] == "exchange":
            if by == "opponent":
                self.shown.append(self.trump_card)
            self.trump_card = "9" + self.trump
        elif action["action"] == "close":
            victim = self.side("opponent" if by == "you" else "you")
            self.fail_price = 3 if victim.tricks == 0 else 2
        elif action["action"] == "play" and action["card"] in self.shown:
            self.shown.remove(action["card"])

    def on_trick(self, message):
        side = self.side(message["winner"])
        side.tricks += 1
        side.card_points += message["card_points"]
        self.played += message["cards"]

    def unseen(self, turn):
        """The cards that I cannot place, and those that the opponent is known to hold."""
        known = self.played + turn["hand"] + [turn["led"]]
        if turn["stock"] > 0:
            known.append(self.trump_card)
        return [c for c in DECK if c not in known]

    def opponent_hands(self, turn, limit, rng):
        """The hands the opponent may hold: all of them, or `limit` drawn at random if they are more."""
        size = len(turn["hand"]) - (turn["led"] is not None)
        sure = self.shown[:size]
        others = [c for c in self.unseen(turn) if c not in sure]
        size = min(size - len(sure), len(others))
        if comb(len(others), size) <= limit:
            return [sure + list(rest) for rest in combinations(others, size)]
        return [sure + rng.sample(others, size) for _ in range(limit)]


# ---- strict play: alpha-beta ---------------------------------------------------------------

# Cards are bits here: bit 6 * suit + rank, so that a hand is one number.
BIT = {card: 1 << i for i, card in enumerate(DECK)}
WORTH = {1 << i: POINTS[card[0]] for i, card in enumerate(DECK)}
SUIT = {1 << i: 0b111111 << (i - i % 6) for i in range(24)}
HIGHER = {1 << i: SUIT[1 << i] & -(2 << i) for i in range(24)}


def mask(cards):
    return sum(BIT[card] for card in cards)


def bits(hand):
    """The cards of a hand, the highest first."""
    cards = []
    while hand:
        low = hand & -hand
        cards.append(low)
        hand ^= low
    return cards[::-1]


class Search:
    """The rest of a strict deal with both hands known, in game points for the leader.

    A position is (leader's hand, follower's hand, their points, their waiting points, closer).
    Waiting points are the marriages of a player without a trick, and -1 once he has one, so
    that "no trick" is `waiting >= 0`. The closer is 1 (the leader), -1 (the follower) or 0.
    Both players are taken to declare as soon as they have 66: more never pays more.
    """

    def __init__(self, trump, fail_price):
        self.trumps = mask(rank + trump for rank in RANKS)
        self.fail_price = fail_price
        self.memo = {}

    def lead(self, mine, theirs, my_points, points, my_wait, wait, closer, alpha, beta):
        """The value of being on lead."""
        if my_points >= 66:
            return self.price(points, wait) if closer >= 0 else self.fail_price
        key = (mine, theirs, my_points, points, my_wait, wait, closer)
        low, high = self.memo.get(key, (-3, 3))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        best, floor = -4, alpha
        for card in self.order(mine, theirs):
            value = self.answer(card, *key, max(best, floor), beta)
            if value > best:
                best = value
                if best >= beta:
                    break
        self.memo[key] = (
            best if best > floor else low,
            best if best < beta else high,
        )
        return best

    def answer(self, card, mine, theirs, my_points, points, my_wait, wait, closer, alpha, beta):
        """The value, for the leader, of leading this card."""
        best = 4
        for reply in bits(self.legal(card, theirs)):
            value = self.trick(
                card, reply, mine, theirs, my_points, points, my_wait, wait, closer, alpha, min(best, beta)
            )
            if value < best:
                best = value
                if best <= alpha:
                    break
        return best

    def trick(
        self, card, reply, mine, theirs, my_points, points, my_wait, wait, closer, alpha, beta, first=0, second=0
    ):
        """The value, for the leader, of a trick and all that follows; the winner draws `first`, the loser `second`."""
        mine, theirs = mine ^ card, theirs ^ reply
        gain = WORTH[card] + WORTH[reply]
        if reply & HIGHER[card] or (reply & self.trumps and not card & self.trumps):
            points += gain + max(wait, 0)
            mine, theirs = mine | second, theirs | first
            if not mine:
                return -self.last(points, my_points, my_wait, -closer)
            return -self.lead(theirs, mine, points, my_points, -1, my_wait, -closer, -beta, -alpha)
        my_points += gain + max(my_wait, 0)
        mine, theirs = mine | first, theirs | second
        if not mine:
            return self.last(my_points, points, wait, closer)
        return self.lead(mine, theirs, my_points, points, -1, wait, closer, alpha, beta)

    def last(self, my_points, points, wait, closer):
        """All cards are played: the value for the winner of the last trick."""
        if closer == 1:
            return self.price(points, wait) if my_points >= 66 else -self.fail_price
        if closer == -1:
            return self.fail_price
        my_points += 10
        if my_points == points:
            return 0
        return self.price(points, wait) if my_points > points else -self.price(my_points, -1)

    @staticmethod
    def price(points, wait):
        """What a loser with these points pays."""
        return 3 if wait >= 0 else 2 if points < 33 else 1

    def legal(self, card, hand):
        """Follow suit and beat, else follow suit, else trump, else anything."""
        suit = hand & SUIT[card]
        return hand & HIGHER[card] or suit or hand & self.trumps or hand

    def order(self, mine, theirs):
        """Cards to lead: first those that cannot lose, the best of them first."""
        safe, rest = [], []
        for card in bits(mine):
            if theirs & HIGHER[card] or (theirs & self.trumps and not theirs & SUIT[card]):
                rest.append(card)
            else:
                safe.append(card)
        return safe + rest[::-1]


# ---- decisions -----------------------------------------------------------------------------


class Player:
    def __init__(self):
        self.rng = random.Random(0)
        self.deal = None

    def choose(self, turn):
        """The action to take: one of turn["legal"]."""
        legal = turn["legal"]
        kinds = [action["action"] for action in legal]
        if self.deal.me.total() >= 66 and "declare" in kinds:
            return {"action": "declare"}
        if "exchange" in kinds:
            return {"action": "exchange"}
        if "marriage" in kinds:
            marriages = [action for action in legal if action["action"] == "marriage"]
            return max(marriages, key=lambda action: action["suit"] == turn["trump"])
        if "close" in kinds and self.should_close(turn):
            return {"action": "close"}
        if turn["phase"] == "draw":
            return {"action": "draw"}
        cards = [action["card"] for action in legal if action["action"] == "play"]
        worths = self.worths(cards, turn) if len(cards) > 1 else [0]
        return {"action": "play", "card": cards[worths.index(max(worths))]}

    def worths(self, cards, turn):
        """What each card is worth: in points while the stock is open, in game points after that."""
        if turn["stock"] == 0 or turn["closed_by"] is not None:
            return self.strict_worths(cards, turn)
        if turn["stock"] == 2:
            return self.trick_six_worths(cards, turn)
        unseen = self.deal.unseen(turn)
        worth = self.lead_worth if turn["led"] is None else self.answer_worth
        return [worth(card, turn, unseen) for card in cards]

    def score(self):
        """(my points, the opponent's), and the same for what waits for a trick: as Search wants them."""
        me, opponent = self.deal.me, self.deal.opponent
        return (me.total(), opponent.total()), (me.waiting(), opponent.waiting())

    # -- open play --

    def keep(self, card, turn, unseen):
        """What the card is worth in hand: what is lost by playing it now."""
        rank, suit = card
        worth = 0
        if suit == turn["trump"]:
            worth += WEIGHTS["trump"] + WEIGHTS["trump_rank"] * RANKS.index(rank)
            if rank == "9":
                worth += WEIGHTS["nine"] * POINTS[self.deal.trump_card[0]]
        elif rank in "AT" and not any(wins(c, card, None) for c in unseen):
            worth += WEIGHTS["best"]
        if rank in "KQ":
            partner = ("Q" if rank == "K" else "K") + suit
            marriage = 40 if suit == turn["trump"] else 20
            if partner in turn["hand"]:
                worth += WEIGHTS["marriage"] * marriage
            elif partner in unseen or partner == self.deal.trump_card:
                worth += WEIGHTS["half_marriage"] * marriage
        return worth

    def answer_worth(self, card, turn, unseen):
        stake = POINTS[card[0]] + POINTS[turn["led"][0]]
        if not wins(card, turn["led"], turn["trump"]):
            return -stake - self.keep(card, turn, unseen)
        first = WEIGHTS["first_trick"] if self.deal.me.tricks == 0 else 0
        return stake + first + WEIGHTS["lead"] - self.keep(card, turn, unseen)

    def lead_worth(self, card, turn, unseen):
        risk = self.risk(card, turn, unseen)
        return POINTS[card[0]] * (1 - 2 * risk) - WEIGHTS["lead_lost"] * risk - self.keep(card, turn, unseen)

    def risk(self, card, turn, unseen):
        """About how likely it is that the opponent takes this card."""
        risk = self.chance([c for c in unseen if wins(c, card, None)], turn, unseen)
        if card[1] != turn["trump"]:
            trumps = [c for c in unseen if c[1] == turn["trump"]]
            eager = WEIGHTS["trumps_fat"] if card[0] in "AT" else WEIGHTS["trumps_lean"]
            risk += (1 - risk) * self.chance(trumps, turn, unseen) * eager
        return risk

    def chance(self, cards, turn, unseen):
        """The chance that the opponent holds at least one of these cards."""
        shown = self.deal.shown
        if any(c in shown for c in cards):
            return 1
        hidden, size = len(unseen) - len(shown), len(turn["hand"]) - len(shown)
        return 1 - comb(hidden - len(cards), size) / comb(hidden, size)

    # -- trick six --

    def trick_six_worths(self, cards, turn):
        """Game points for each card, added up over the cards that may lie face down."""
        search = Search(self.deal.trump, 0)
        unseen = self.deal.unseen(turn)
        hidden = [c for c in unseen if c not in self.deal.shown]
        if len(hidden) > HIDDEN:
            hidden = self.rng.sample(hidden, HIDDEN)
        mine, trump_card = mask(turn["hand"]), BIT[self.deal.trump_card]
        worths = [tidy(card, turn) for card in cards]
        for top in map(BIT.get, hidden):
            theirs = mask(unseen) ^ top
            for i, card in enumerate(cards):
                worths[i] += self.trick_six_value(search, card, mine, theirs, turn, (top, trump_card))
        return worths

    def trick_six_value(self, search, card, mine, theirs, turn, stock):
        """The value for me of playing one card, if the rest of the cards lies like this."""
        points, waits = self.score()
        if turn["led"] is not None:
            led = BIT[turn["led"]]
            return -search.trick(led, BIT[card], theirs | led, mine, *points[::-1], *waits[::-1], 0, -3, 3, *stock)
        value = 3
        for reply in bits(theirs):  # the stock is still open: any card
            value = min(value, search.trick(BIT[card], reply, mine, theirs, *points, *waits, 0, -3, value, *stock))
            if value == -3:
                break
        return value

    # -- strict play --

    def strict_worths(self, cards, turn):
        """Game points for each card, added up over the hands that the opponent may hold."""
        closer = {"you": 1, "opponent": -1, None: 0}[turn["closed_by"]]
        if self.deal.search is None:
            self.deal.search = Search(self.deal.trump, self.deal.fail_price)
        worths = [tidy(card, turn) for card in cards]
        for hand in self.deal.opponent_hands(turn, WORLDS, self.rng):
            for i, card in enumerate(cards):
                worths[i] += self.card_value(self.deal.search, card, hand, turn, closer)
        return worths

    def card_value(self, search, card, hand, turn, closer):
        """The value for me of playing one card against one hand."""
        points, waits = self.score()
        mine, theirs, card = mask(turn["hand"]), mask(hand), BIT[card]
        if turn["led"] is None:
            return search.answer(card, mine, theirs, *points, *waits, closer, -3, 3)
        led = BIT[turn["led"]]
        return -search.trick(led, card, theirs | led, mine, *points[::-1], *waits[::-1], -closer, -3, 3)

    # -- closing --

    def should_close(self, turn):
        """Is there a card to lead that wins enough, over the hands that the opponent may hold?"""
        if self.reach(turn) < CLOSE_REACH:
            return False
        points, waits = self.score()
        search = Search(self.deal.trump, 3 if self.deal.opponent.tricks == 0 else 2)
        prize = search.price(points[1], waits[1])
        hands = self.deal.opponent_hands(turn, WORLDS, self.rng)

        def enough(value_against):
            """Is the sum over all hands large enough? Stops when it no longer can be."""
            spare = (1 - CLOSE_SHARE) * prize * len(hands)
            for hand in hands:
                spare -= prize - value_against(hand)
                if spare < 0:
                    return False
            return True

        # Seeing the opponent's hand could only help: this refuses most closings, and quickly.
        mine = mask(turn["hand"])
        if not enough(lambda hand: search.lead(mine, mask(hand), *points, *waits, 1, -3, 3)):
            return False
        # After a marriage its king or queen must be led; before the draw any card may be.
        cards = [action["card"] for action in turn["legal"] if action["action"] == "play"] or turn["hand"]
        return any(enough(lambda hand, card=card: self.card_value(search, card, hand, turn, 1)) for card in cards)

    def reach(self, turn):
        """The points I might have if every good card of mine takes a trick."""
        unseen = self.deal.unseen(turn)
        reach = self.deal.me.card_points + self.deal.me.bonus()
        for card in turn["hand"]:
            if card[1] == turn["trump"] or not any(wins(c, card, None) for c in unseen):
                reach += POINTS[card[0]] + 4
        return reach


def tidy(card, turn):
    """A tiny preference among equal values: cash points when winning, throw little when losing."""
    won = turn["led"] is None or wins(card, turn["led"], turn["trump"])
    return (POINTS[card[0]] if won else -POINTS[card[0]]) / 1000


# ---- protocol ------------------------------------------------------------------------------


def send(message):
    """One JSON object, one line, flushed at once: an answer left in a buffer is a time-out."""
    print(json.dumps(message), flush=True)


def main():
    player = Player()
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            send({"type": "ready", "name": "counter", "version": "1.0", "close_before_draw": True})
        elif kind == "match":
            player.rng = random.Random(message["seed"])
        elif kind == "deal":
            player.deal = Deal(message)
        elif kind == "action":
            if message["by"] == "opponent":
                player.deal.on_action("opponent", message)
        elif kind == "trick":
            player.deal.on_trick(message)
        elif kind == "turn":
            action = player.choose(message)
            player.deal.on_action("you", action)
            send({"id": message["id"], **action})
        elif kind == "bye":
            break


if __name__ == "__main__":
    main()
