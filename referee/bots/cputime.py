"""A turn charged in CPU time (`measure = "cpu"`): on a busy machine a bot pays for what it computes, not for waiting.

Ten times the limit of wall time stands behind it, for a bot that sleeps. While a bot computes on several cores its CPU
time passes faster than the wall's; what is over the limit is found when the next look is due, or with the answer.
"""

from time import monotonic_ns
from typing import NamedTuple

from referee.bots.process import BotProcess, Reply

BACKSTOP = 10
"""Wall time, as a multiple of the limit."""

LEAST_LOOK_US = 1_000


class Budget(NamedTuple):
    """What one turn may cost, and where both clocks stood when it began."""

    limit_us: int
    start_ns: int
    used_us: int

    def left_us(self, process: BotProcess) -> int:
        """For how long to wait before the next look; 0 or less when nothing is left."""
        spent_us = process.cpu_us() - self.used_us
        return min(self.limit_us - spent_us, BACKSTOP * self.limit_us - (monotonic_ns() - self.start_ns) // 1000)


def begin(process: BotProcess, limit_us: int) -> Budget:
    """Right before the turn is sent."""
    return Budget(limit_us, monotonic_ns(), process.cpu_us())


async def charge(process: BotProcess, budget: Budget, reply: Reply) -> Reply:
    """What came of waiting for `limit_us` of wall time or less: wait on while there is CPU time left.

    The reply's `us` are microseconds of CPU time of the bot and its descendants since the turn began; an answer that
    has cost more than the limit is none.
    """
    dropped = reply.dropped
    while reply.failure == "timeout" and (left_us := budget.left_us(process)) > 0:
        reply = await process.listen(max(left_us, LEAST_LOOK_US))
        dropped += reply.dropped
    reply.dropped = dropped
    reply.us = max(0, process.cpu_us() - budget.used_us)
    if reply.line is not None and reply.us > budget.limit_us:
        reply.line, reply.failure = None, "timeout"
    return reply
