"""What was seen during a step, and what the step comes to."""

from collections import Counter

import msgspec

from referee.bots.check import situations, steps
from referee.bots.check.report import Result
from referee.bots.check.situations import BOT, MARRIAGE, PROMISED
from referee.bots.check.steps import Step
from referee.match.clock import Clock
from referee.match.events import ActEvent, DealEndEvent, DealEvent, Event
from referee.protocol.messages import Turn

CLOCK = Clock()
"""What the bot is told: a tournament's defaults. The limits that are held here are wider."""

_SLOW_US = 100 * (CLOCK.move_ms or 1000)  # a tenth
_turn = msgspec.json.Decoder(Turn).decode


class Tally:
    """Of one step at a time; only where the match stands goes on from step to step."""

    def __init__(self) -> None:
        self.deal = self._turns = 0  # the number of the deal, and the bot's turns in it
        self._announced = False
        self.clear()

    def clear(self) -> None:
        """A new step: nothing has been seen of it."""
        self.seen: Counter[str] = Counter()
        self._ends: Counter[str] = Counter()
        self.notes: list[str] = []
        self.warnings: list[str] = []
        self.slowest_us: int | None = None

    def event(self, event: Event) -> None:
        """A line of the log."""
        if isinstance(event, DealEvent):
            self.deal, self._turns = event.deal, 0
        elif isinstance(event, ActEvent):
            self.seen[situations.in_act(event)] += 1
            self._announced = event.seat == BOT and event.action == MARRIAGE
            if event.seat == BOT:
                self.slowest_us = max(self.slowest_us or 0, event.us)
        elif isinstance(event, DealEndEvent):
            self.seen.update(situations.in_end(event, self._turns))
            self._ends[situations.ended(event)] += 1

    def asked(self, request: bytes) -> None:
        """A turn of the bot."""
        self._turns += 1
        self.seen.update(situations.in_turn(_turn(request), self._announced))
        if self.deal == steps.LONG_DEAL:
            self.seen[steps.LONG] += 1
        if self._turns > 1:
            self.seen[steps.TOGETHER] += 1

    def unasked(self, lines: int) -> None:
        """So many lines were dropped."""
        if lines:
            count = "a line" if lines == 1 else f"{lines} lines"
            self.warnings.append(f"{count} on stdout that nobody had asked for: answer turns, and print nothing else")

    def result(self, step: Step) -> Result:
        """What the step comes to; why, is in `warnings` and `notes`."""
        missing = [need for need in step.needs if not self.seen[need]]
        if missing:
            ends = "; ".join(self._ends) or "none did"
            self.notes.append(f"did not come about: {', '.join(missing)} (how deals ended: {ends})")
        if (self.slowest_us or 0) > _SLOW_US:
            ms = (self.slowest_us or 0) / 1000
            limit = _SLOW_US / 100
            late = f"more than the usual limit of {limit:g} ms: in a tournament a timeout" if ms > limit else "slow"
            self.warnings.append(f"an answer took {ms:.0f} ms; {late} (a tenth of the limit is {limit / 10:g} ms)")
        took = [self._offer(what) for what in step.offers]
        if self.warnings:
            return "warning"
        return "passed" if not missing and (not took or any(took)) else "not exercised"

    def _offer(self, what: str) -> bool:
        """Note how often it was the bot's to take; whether it did."""
        offers, takes = self.seen[situations.offered(what)], self.seen[situations.taken(what)]
        if offers:
            led = f", king or queen owed {_times(self.seen[PROMISED])}" if what == MARRIAGE and takes else ""
            self.notes.append(f"{what}: offered {_times(offers)}, taken {takes}{led}")
        return takes > 0


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
