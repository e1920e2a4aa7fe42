"""A bot that plays the first legal action, and has one flaw, named on its command line."""

import json
import os
import sys
import time

flaw = sys.argv[1] if len(sys.argv) > 1 else ""
KNOWN = {"hello", "match", "deal", "action", "trick", "draw", "turn", "deal_end", "match_end", "fault", "bye"}
FIELDS = {"type", "deal", "dealer", "hand", "trump_card", "score"}
TABLE = [False] * 20
end = "\r\n" if flaw == "crlf" else "\n"
marries = False
score = None
matches = 0


def send(message):
    sys.stdout.write(json.dumps(message) + end)
    if flaw != "no-flush" or message.get("type") == "ready":
        sys.stdout.flush()


def choose(turn):
    global marries
    legal = turn["legal"]
    if flaw.startswith("marries"):
        if marries:
            marries = False
            if flaw == "marries-badly":
                promised = [action["card"] for action in legal if action["action"] == "play"]
                return {"action": "play", "card": next(card for card in turn["hand"] if card not in promised)}
        for action in legal:
            if action["action"] == "marriage":
                marries = True
                return action
    if flaw == "any-card":
        return {"action": "play", "card": turn["hand"][0]}
    if flaw == "any-card-of-the-suit" and turn["led"]:
        same = [card for card in turn["hand"] if card[1] == turn["led"][1]]
        return {"action": "play", "card": same[0]} if same else legal[0]
    return legal[0]


def lines():
    if flaw not in ("first-line-only", "chunks"):
        yield from sys.stdin
        return
    while chunk := os.read(0, 1 << 20):
        whole = chunk.decode().splitlines()
        yield from whole[:1] if flaw == "first-line-only" else whole


def told(message):
    """Messages other than turns, remembered badly."""
    global score, matches
    kind = message["type"]
    if kind == "match":
        matches += 1
        if flaw == "one-match" and matches > 1:
            sys.exit("only one match is provided for")
        if flaw == "counts-score":
            assert message["score"] == {"you": 0, "opponent": 0}, "a match begins at 0"
    if flaw == "needs-a-turn" and kind == "deal_end":
        assert told.last != "deal action", "a deal without a turn"
    if flaw.startswith("leaves") and kind == "match_end":
        sys.exit("the match is over" if flaw == "leaves-badly" else 0)
    if flaw == "twenty-deals" and kind == "deal":
        TABLE[message["deal"]] = True
    if flaw == "needs-card" and kind == "action":
        message["card"]
    told.last = f"{told.last} {kind}" if kind == "action" else kind


told.last = ""
for line in lines():
    message = json.loads(line)
    kind = message["type"]
    if flaw == "scans" and not line.startswith('{"type":"') and kind != "bye":
        sys.exit("not a line that I know")
    if flaw == "knows-all-types" and kind not in KNOWN:
        raise ValueError(f"unknown message {kind}")
    if flaw == "knows-all-fields" and kind == "deal" and set(message) - FIELDS:
        raise TypeError("deal() got an unexpected keyword argument")
    if kind == "hello":
        if flaw == "no-ready":
            sys.exit(3)
        send({"type": "ready", "name": "broken"})
    elif kind == "turn":
        told.last = kind
        if flaw == "debug":
            print("thinking about", message["hand"], flush=True)
        if flaw == "slow-once-and-chatters-once" and message["id"] == 2:
            time.sleep(0.15)
            sys.stdout.write(json.dumps({"id": 2, **choose(message)}) + "\nthat was a good one\n")
            sys.stdout.flush()
            continue
        number = message["id"] + 1 if flaw == "wrong-id" else message["id"]
        send({"id": number, **choose(message)})
    elif kind == "bye" and flaw != "stays":
        break
    elif kind in KNOWN:
        told(message)
while flaw == "stays":
    time.sleep(60)
