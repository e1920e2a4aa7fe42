"""The conversation with the referee, so that an author writes one method."""

import sys
from contextlib import redirect_stdout
from random import Random
from typing import Any, BinaryIO

import msgspec

from referee.bot.memory import Memory
from referee.bot.view import View
from referee.rules.cards import ACTIONS, Action
from referee.rules.ruleset import Rules


class Bot:
    """Subclass it, write `choose`, and call `run()` at the end of the file."""

    name = ""
    """For display only; default: the class's name."""
    version = ""
    close_before_draw = False
    """True: be asked after a won trick, before anybody draws, in the phase "draw" [R14]."""

    rules: Rules = Rules()
    rng: Random = Random(0)
    """Seeded anew for each match with the seed that the referee gives, so that a match can be played again."""
    note = ""
    """Set it in `choose`, and it is kept in the log beside the action: up to 1,000 characters, never shown to anybody
    during the match."""
    _memory: Memory

    def choose(self, view: View) -> Action | int:
        """One of `view.legal`, or its number in `referee.rules`."""
        raise NotImplementedError

    def heard(self, message: dict[str, Any]) -> None:
        """Called with every message as it came, before it is worked on; for bots that want more than the view."""

    def run(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Talk with the referee until it says `bye` or hangs up.

        Standard output is the protocol's alone: what `choose` prints goes to standard error. An exception in `choose`
        ends the program, with the traceback on standard error, where the log's evidence shows it.
        """
        lines, out = stdin or sys.stdin.buffer, stdout or sys.stdout.buffer
        with redirect_stdout(sys.stderr):
            for line in lines:
                message = msgspec.json.decode(line)
                answer = self.answer(message)
                if answer is not None:
                    out.write(msgspec.json.encode(answer) + b"\n")
                    out.flush()  # an answer left in a buffer is a time-out
                if message["type"] == "bye":
                    break

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """What to answer to one message, or None; types that are not known are passed over."""
        self.heard(message)
        match message["type"]:
            case "hello":
                return self._ready(message)
            case "match":
                self.rng = Random(message["seed"])
            case "deal":
                self._memory = Memory(self.rules, message)
            case "turn":
                return self._turn(message)
            case "action" | "trick" | "draw":
                self._memory.hear(message)
        return None

    def _ready(self, hello: dict[str, Any]) -> dict[str, Any]:
        """A later referee may know more rules than this helper: those are left out."""
        known = {key: value for key, value in hello["rules"].items() if key in Rules.__struct_fields__}
        self.rules = Rules(**known)
        name = self.name or type(self).__name__
        return {"type": "ready", "name": name, "version": self.version, "close_before_draw": self.close_before_draw}

    def _turn(self, turn: dict[str, Any]) -> dict[str, Any]:
        self.note = ""
        chosen = self.choose(self._memory.view(turn))
        if not isinstance(chosen, Action | int):
            raise TypeError(f"choose returned {chosen!r}; expected one of view.legal, or its number in referee.rules")
        action = ACTIONS[chosen] if isinstance(chosen, int) else chosen
        answer = {"id": turn["id"], "action": action.kind, "card": action.card, "suit": action.suit, "note": self.note}
        return {key: value for key, value in answer.items() if value not in (None, "")}
