"""random: any legal action but declare and close, each as likely as the others.

A marriage or an exchange is one of the actions, so it happens now and then, by luck.
All randomness comes from the seed that `match` brings: the same seed gives the same game.
"""

import json
import random
import sys


def send(message):
    """One JSON object, one line, flushed at once: an answer left in a buffer is a time-out."""
    print(json.dumps(message), flush=True)


rng = random.Random(0)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "ready", "name": "random", "version": "1.0", "close_before_draw": False})
    elif message["type"] == "match":
        rng = random.Random(message["seed"])
    elif message["type"] == "turn":
        # There is always a card to play, so the list is never empty.
        choices = [a for a in message["legal"] if a["action"] not in ("declare", "close")]
        send({"id": message["id"], **rng.choice(choices)})
    elif message["type"] == "bye":
        break
