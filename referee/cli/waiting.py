"""Running something that waits for bots, so that what ends it comes out plainly and not in a group."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from referee.errors import RunError

T = TypeVar("T")


def wait_for(work: Callable[[], Awaitable[T]]) -> T:
    """The result of `work`; an exception is raised as itself. RunError where this machine refuses a process."""
    import trio

    from referee.bots.process import RefereeTrouble

    try:
        return trio.run(work)
    except RefereeTrouble as trouble:
        raise RunError(f"not the bot's fault, try again: {trouble}") from None
    except BaseExceptionGroup as group:
        only: BaseException = group
        while isinstance(only, BaseExceptionGroup) and len(only.exceptions) == 1:
            only = only.exceptions[0]
        raise only from None
