"""counter: remembers every card, and searches as soon as there is nothing left to guess.

Three kinds of decision, one section each:

* open play (the stock is open): a rule of thumb gives each card a worth;
* strict play with the stock exhausted: the opponent's hand is known, so alpha-beta searches
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

WORLDS = 16  # hands of the opponent looked at, at the most, in a closed deal
CLOSE_ABOVE = 1.0  # close if the search promises more game points than this


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

    def on_action(self, message):
        """The opponent did something (what I did myself is noted when I answer)."""
        if message["by"] == "you":
            return
        if message["action"] == "play":
            if message["card"] in self.shown:
                self.shown.remove(message["card"])
        elif message["action"] == "marriage":
            suit = message["suit"]
            self.opponent.marriages[suit] = 40 if suit == self.trump else 20
            self.shown += [c for c in ("K" + suit, "Q" + suit) if c not in self.shown]
        elif message["action"] == "exchange":
            self.shown.append(self.trump_card)
            self.trump_card = "9" + self.trump
        elif message["action"] == "close":
            self.fail_price = 3 if self.me.tricks == 0 else 2

    def on_own_action(self, action):
        if action["action"] == "marriage":
            suit = action["suit"]
            self.me.marriages[suit] = 40 if suit == self.trump else 20
        elif action["action"] == "exchange":
            self.trump_card = "9" + self.trump
        elif action["action"] == "close":
            self.fail_price = 3 if self.opponent.tricks == 0 else 2

    def on_trick(self, message):
        side = self.me if message["winner"] == "you" else self.opponent
        side.tricks += 1
        side.card_points += message["card_points"]
        self.played += message["cards"]

    def unseen(self, turn):
        """The cards that the opponent may hold, those he is known to hold included."""
        known = self.played + turn["hand"] + [turn["led"]]
        if turn["stock"] > 0:
            known.append(self.trump_card)
        return [c for c in DECK if c not in known]

    def opponent_hands(self, turn, limit, rng):
        """The hands the opponent may hold: all of them, or `limit` drawn at random."""
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

    def trick(self, card, reply, mine, theirs, my_points, points, my_wait, wait, closer, alpha, beta):
        """The value, for the leader, of a trick and all that follows."""
        mine, theirs = mine ^ card, theirs ^ reply
        gain = WORTH[card] + WORTH[reply]
        if reply & HIGHER[card] or (reply & self.trumps and not card & self.trumps):
            points += gain + max(wait, 0)
            if not mine:
                return -self.last(points, my_points, my_wait, -closer)
            return -self.lead(theirs, mine, points, my_points, -1, my_wait, -closer, -beta, -alpha)
        my_points += gain + max(my_wait, 0)
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
            suits = [action["suit"] for action in legal if action["action"] == "marriage"]
            return {"action": "marriage", "suit": max(suits, key=lambda suit: suit == turn["trump"])}
        if "close" in kinds and self.should_close(turn):
            return {"action": "close"}
        if turn["phase"] == "draw":
            return {"action": "draw"}
        cards = [action["card"] for action in legal if action["action"] == "play"]
        if len(cards) == 1:
            return {"action": "play", "card": cards[0]}
        if turn["stock"] == 0 or turn["closed_by"] is not None:
            worth = self.strict_worths(cards, turn)
        elif turn["led"] is None:
            worth = [self.lead_worth(card, turn) for card in cards]
        else:
            worth = [self.follow_worth(card, turn) for card in cards]
        return {"action": "play", "card": cards[worth.index(max(worth))]}

    # -- strict play --

    def strict_worths(self, cards, turn):
        """The average value of each card over the hands the opponent may hold."""
        closer = {"you": 1, "opponent": -1, None: 0}[turn["closed_by"]]
        if self.deal.search is None:
            self.deal.search = Search(self.deal.trump, self.deal.fail_price)
        worths = [self.tidy(card, turn) for card in cards]
        for hand in self.deal.opponent_hands(turn, WORLDS, self.rng):
            for i, card in enumerate(cards):
                worths[i] += self.search_card(self.deal.search, card, hand, turn, closer)
        return worths

    def search_card(self, search, card, hand, turn, closer):
        """The value for me of one card against one hand."""
        me, opponent = self.deal.me, self.deal.opponent
        my_wait = -1 if me.tricks else me.bonus()
        wait = -1 if opponent.tricks else opponent.bonus()
        mine, theirs, led = mask(turn["hand"]), mask(hand), turn["led"]
        if led is None:
            return search.answer(BIT[card], mine, theirs, me.total(), opponent.total(), my_wait, wait, closer, -3, 3)
        return -search.trick(
            BIT[led], BIT[card], theirs | BIT[led], mine, opponent.total(), me.total(), wait, my_wait, -closer, -3, 3
        )

    def tidy(self, card, turn):
        """A tiny preference among equal values: cash points when winning, throw little when losing."""
        won = turn["led"] is None or wins(card, turn["led"], turn["trump"])
        return (POINTS[card[0]] if won else -POINTS[card[0]]) / 1000

    # -- closing --

    def should_close(self, turn):
        if self.reach(turn) < 60:
            return False
        cards = [a["card"] for a in turn["legal"] if a["action"] == "play"] or turn["hand"]
        search = Search(self.deal.trump, 3 if self.deal.opponent.tricks == 0 else 2)
        sums = [0] * len(cards)
        hands = self.deal.opponent_hands(turn, WORLDS, self.rng)
        for done, hand in enumerate(hands):
            for i, card in enumerate(cards):
                sums[i] += self.search_card(search, card, hand, turn, 1)
            best_possible = max(sums) + 3 * (len(hands) - done - 1)
            if best_possible <= CLOSE_ABOVE * len(hands):
                return False
        return True

    def reach(self, turn):
        """The points I might have if every good card of mine takes a trick."""
        unseen = self.deal.unseen(turn)
        me = self.deal.me
        reach = me.card_points + me.bonus()
        for card in turn["hand"]:
            if card[1] == turn["trump"] or not any(wins(c, card, None) for c in unseen):
                reach += POINTS[card[0]] + 4
        return reach

    # -- open play --

    def keep(self, card, turn):
        """What the card is worth in hand, in points: what is lost by playing it now."""
        trump, unseen = turn["trump"], self.deal.unseen(turn)
        worth = 0
        if card[1] == trump:
            worth += 5 + RANKS.index(card[0])
        elif card[0] == "A":
            worth += 3
        if card[0] == "9" and card[1] == trump:
            worth += POINTS[self.deal.trump_card[0]] / 2
        if card[0] in "KQ" and turn["stock"] > 2:
            partner = ("Q" if card[0] == "K" else "K") + card[1]
            value = 40 if card[1] == trump else 20
            if partner in turn["hand"]:
                worth += value * 0.8
            elif partner in unseen or partner == self.deal.trump_card:
                worth += value * 0.15
        return worth

    def follow_worth(self, card, turn):
        stake = POINTS[card[0]] + POINTS[turn["led"][0]]
        if not wins(card, turn["led"], turn["trump"]):
            return -stake - self.keep(card, turn)
        lead_bonus = 3 if self.deal.me.tricks == 0 else 0
        return stake + lead_bonus - self.keep(card, turn)

    def lead_worth(self, card, turn):
        risk = self.risk(card, turn)
        own = POINTS[card[0]]
        return (1 - risk) * (own + 2) - risk * (own + 5) - self.keep(card, turn)

    def risk(self, card, turn):
        """About how likely it is that the opponent takes this card."""
        unseen = self.deal.unseen(turn)
        size = len(turn["hand"])

        def has_one(of):
            """The chance that the opponent holds at least one of these cards."""
            if any(c in self.deal.shown for c in of):
                return 1.0
            n = len(unseen) - len(self.deal.shown)
            return 1 - comb(n - len(of), size - len(self.deal.shown)) / comb(n, size - len(self.deal.shown))

        higher = [c for c in unseen if wins(c, card, None)]
        risk = has_one(higher)
        if card[1] != turn["trump"]:
            trumps = [c for c in unseen if c[1] == turn["trump"]]
            risk += (1 - risk) * has_one(trumps) * (0.9 if POINTS[card[0]] >= 10 else 0.2)
        return risk


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
            player.deal.on_action(message)
        elif kind == "trick":
            player.deal.on_trick(message)
        elif kind == "turn":
            action = player.choose(message)
            player.deal.on_own_action(action)
            send({"id": message["id"], **action})
        elif kind == "bye":
            break


if __name__ == "__main__":
    main()
