"""greedy: takes what the moment offers, and counts to 66.

It remembers nothing but the score. The referee tells no running totals, so the bot adds up
the tricks from the `trick` messages and the marriages from its own answers.
"""

import json
import sys

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}


def send(message):
    """One JSON object, one line, flushed at once: an answer left in a buffer is a time-out."""
    print(json.dumps(message), flush=True)


def points(card):
    return POINTS[card[0]]


def wins(card, led, trump):
    """Does `card`, played second, beat the card led? 9, J, Q, K, T, A rise in this order."""
    if card[1] != led[1]:
        return card[1] == trump
    return "9JQKTA".index(card[0]) > "9JQKTA".index(led[0])


class Deal:
    """What I have in the current deal."""

    def __init__(self):
        self.trick_points = 0
        self.marriage_points = 0
        self.tricks = 0

    def total(self):
        """Marriages count only once a trick has been won."""
        return self.trick_points + self.marriage_points if self.tricks else 0


def choose(deal, turn):
    """The action to take: one of turn["legal"]."""
    legal = turn["legal"]
    kinds = {action["action"] for action in legal}
    if deal.total() >= 66 and "declare" in kinds:
        return {"action": "declare"}
    if "exchange" in kinds:
        return {"action": "exchange"}
    if "marriage" in kinds:
        suits = [action["suit"] for action in legal if action["action"] == "marriage"]
        suit = turn["trump"] if turn["trump"] in suits else suits[0]
        return {"action": "marriage", "suit": suit}
    if "draw" in kinds:  # never asked unless the bot wants to close before the draw; harmless
        return {"action": "draw"}
    cards = [action["card"] for action in legal if action["action"] == "play"]
    card = lead(cards, turn) if turn["led"] is None else follow(cards, turn)
    return {"action": "play", "card": card}


def lead(cards, turn):
    trump = turn["trump"]
    strict = turn["stock"] == 0 or turn["closed_by"] is not None
    if strict:
        # Aces first, then trumps from above, then whatever is cheapest.
        return max(cards, key=lambda c: (c[0] == "A", c[1] == trump, -points(c) if c[1] != trump else points(c)))
    # Anybody may trump now: lead what hurts least to lose, and keep the trumps.
    return min(cards, key=lambda c: (c[1] == trump, points(c)))


def follow(cards, turn):
    led, trump = turn["led"], turn["trump"]
    in_suit = [c for c in cards if c[1] == led[1] and wins(c, led, trump)]
    trumps = [c for c in cards if c[1] == trump and led[1] != trump]
    if in_suit and led[1] != trump:
        return max(in_suit, key=points)  # the fattest card that wins
    if in_suit and points(led) >= 3:
        return min(in_suit, key=points)  # a trump was led: overtake cheaply, if it is worth it
    if trumps and points(led) >= 10:
        return min(trumps, key=points)
    return min(cards, key=lambda c: (c[1] == trump, points(c)))


def main():
    deal = Deal()
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            send({"type": "ready", "name": "greedy", "version": "1.0", "close_before_draw": False})
        elif kind == "deal":
            deal = Deal()
        elif kind == "trick" and message["winner"] == "you":
            deal.tricks += 1
            deal.trick_points += message["card_points"]
        elif kind == "turn":
            action = choose(deal, message)
            if action["action"] == "marriage":
                deal.marriage_points += 40 if action["suit"] == message["trump"] else 20
            send({"id": message["id"], **action})
        elif kind == "bye":
            break


if __name__ == "__main__":
    main()
