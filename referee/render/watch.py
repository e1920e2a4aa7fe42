"""A run that somebody else plays, shown as its own player shows it, until it ends or the reader has seen enough."""

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rich.console import Console

from referee.match.summary import Summary
from referee.render.live import LiveView, PlainListener
from referee.render.progress import duration
from referee.render.replay_keys import keys
from referee.tournament.orders import FaultSeen, Played, Report

LOOK_S = 0.5
"""How often to look for new matches."""

SILENCE_S = 60.0
"""So long without a match, the reader is told: the run may have been stopped."""

View = LiveView | PlainListener
News = Callable[[], Iterable[Summary]]


def follow(view: View, news: News, complete: Callable[[], bool], look_s: float = LOOK_S) -> bool:
    """Show what comes until the run is complete: True; or until `q` or Ctrl-C: False."""
    quit_keys = _quit_keys(view.console)
    with quit_keys as wait, view:
        last = time.monotonic()
        try:
            while True:
                ended = complete()  # asked first: what is finished before that is in the news
                if _tell(view, news()):
                    last = time.monotonic()
                if ended:
                    return True
                silent = time.monotonic() - last
                view.status(f"nothing new for {duration(silent)}: is it running?" if silent >= SILENCE_S else "")
                if wait(look_s):
                    return False
        except KeyboardInterrupt:
            return False


def _tell(view: View, news: Iterable[Summary]) -> int:
    """Hand the new matches on as the reports that their own runner would have made."""
    number = 0
    for summary in news:
        number += 1
        for report in reports(summary):
            view(report)
    return number


def reports(summary: Summary) -> Iterator[Report]:
    """What a worker says of a match, as far as its summary knows: the evidence of a fault is in the log."""
    for fault in summary.faults:
        yield FaultSeen(summary.match, summary.seats[fault.seat], fault.kind, fault.deal, "")
    yield Played(summary)


Wait = Callable[[float], bool]


def _quit_keys(console: Console) -> AbstractContextManager[Wait]:
    """How to wait so long or for `q`; without a keyboard only so long."""
    return _keyboard() if console.is_terminal and sys.stdin.isatty() else nullcontext(_sleep)


def _sleep(seconds: float) -> bool:
    time.sleep(seconds)
    return False


@contextmanager
def _keyboard() -> Iterator[Wait]:
    """Keys one by one, without echo; the terminal is as it was afterwards, whatever happens."""
    source = sys.stdin.fileno()
    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source)
        yield lambda seconds: _pressed_q(source, seconds)
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)


def _pressed_q(source: int, seconds: float) -> bool:
    ready, _, _ = select.select([source], [], [], seconds)
    if not ready:
        return False
    pressed = os.read(source, 256)
    return not pressed or "q" in keys(pressed)
