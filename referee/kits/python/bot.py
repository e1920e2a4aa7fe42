"""A Sixty-Six bot. Your idea goes into `choose`; the rest is the conversation with the referee (see protocol.md)."""

import json
import sys
from typing import Any

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}


def choose(turn: dict[str, Any]) -> dict[str, Any]:
    """One of the actions in turn["legal"]. This one plays the card that is worth least."""
    plays = [action for action in turn["legal"] if action["action"] == "play"]
    return min(plays, key=lambda action: POINTS[action["card"][0]], default=turn["legal"][0])


def answer(message: dict[str, Any]) -> None:
    """Write one line. Standard output is for this only: use print(..., file=sys.stderr) to see what your bot does."""
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    match message.get("type"):
        case "hello":
            answer({"type": "ready"})
        case "turn":
            answer({"id": message["id"], **choose(message)})
        case "bye":
            break
        case _:  # match, deal, action, trick, draw, deal_end ...: remember here what you need; do not answer
            pass
