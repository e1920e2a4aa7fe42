"""What came of a check: plain data, for people and for programs."""

from typing import Literal

import msgspec

Result = Literal["passed", "warning", "not exercised", "failed"]


class StepReport(msgspec.Struct, kw_only=True):
    """One step. `notes` say what else there is to know; `slowest_ms` is its slowest answer."""

    number: int
    name: str
    where: str
    """Section and rules of protocol.md."""
    result: Result
    notes: list[str] = []
    slowest_ms: float | None = None


class Failure(msgspec.Struct, kw_only=True):
    """The first thing that went wrong, with all that is known of it."""

    number: int
    name: str
    where: str
    kind: str
    detail: str
    hints: list[str]
    sent: list[str]
    """Lines since the last answer, exactly as they were sent, without their newlines."""
    came: str
    """What came back, as a Python bytes literal: without its newline if it was a whole line."""
    after_ms: float
    legal: list[str]
    exit: str
    stderr: str
    """The last 4 KiB of it."""


class Report(msgspec.Struct, kw_only=True):
    """All of it."""

    bot: str
    sandbox: str
    result: Literal["passed", "failed", "not started"]
    steps: list[StepReport]
    failure: Failure | None = None

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        return {"passed": 0, "failed": 1, "not started": 4}[self.result]
