"""A turn charged in CPU time (`measure = "cpu"`): on a busy machine a bot pays for what it computes, not for waiting.

Ten times the limit of wall time stands behind it, for a bot that sleeps. While a bot computes on several cores its CPU
time passes faster than the wall's; what is over the limit is found when the next look is due, or with the answer.
"""

from time import monotonic_ns

from referee.bots.process import BotProcess, Reply

BACKSTOP = 10
"""Wall time, as a multiple of the limit."""

LEAST_LOOK_US = 1_000


async def ask(process: BotProcess, payload: bytes, limit_us: int | None) -> Reply:
    """`BotProcess.ask`, with `us` and the limit in microseconds of CPU time of the bot and its descendants."""
    if limit_us is None:
        return await process.ask(payload, None)
    start, used = monotonic_ns(), process.cpu_us()
    reply = await process.ask(payload, limit_us)
    while reply.failure == "timeout":
        left_us = min(limit_us - (process.cpu_us() - used), BACKSTOP * limit_us - (monotonic_ns() - start) // 1000)
        if left_us <= 0:
            break
        reply = await process.listen(max(left_us, LEAST_LOOK_US))
    reply.us = max(0, process.cpu_us() - used)
    if reply.line is not None and reply.us > limit_us:
        reply.line, reply.failure = None, "timeout"
    return reply
