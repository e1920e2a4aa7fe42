"""Time limits and the arithmetic of a bot's bank. Nobody here reads a clock."""

from typing import Literal

import msgspec


class Clock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of a tournament, all in milliseconds. `None` is "no limit"."""

    start_ms: int = 10_000
    move_ms: int | None = 1_000
    match_ms: int | None = None
    measure: Literal["wall", "cpu"] = "wall"


class Bank:
    """What one seat has left of `match_ms`, in microseconds."""

    __slots__ = ("_move_us", "left_us")

    def __init__(self, clock: Clock) -> None:
        self._move_us = None if clock.move_ms is None else clock.move_ms * 1000
        self.left_us: int | None = None if clock.match_ms is None else clock.match_ms * 1000

    def limit_us(self) -> int | None:
        """The limit of the next turn: the move limit or the rest of the bank, whichever is less."""
        if self._move_us is None or self.left_us is None:
            return self.left_us if self._move_us is None else self._move_us
        return min(self._move_us, self.left_us)

    def spend(self, us: int) -> None:
        """Take `us` off the bank; it never goes below zero."""
        if self.left_us is not None:
            self.left_us = max(0, self.left_us - us)
