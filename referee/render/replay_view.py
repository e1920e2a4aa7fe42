"""The terminal view of a match: `referee replay LOG`. Draws with rich, reads keys with the standard library.

Where keys cannot be read or the screen cannot be drawn upon (no terminal, TERM=dumb), the match comes as text.
"""

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from referee.errors import UsageError
from referee.match.events import MatchEvent
from referee.render.faces import Faces
from referee.render.moments import moments
from referee.render.replay_keys import HELP, Viewer, keys
from referee.render.replay_screen import details, screen
from referee.render.replay_text import names_of, replay_text
from referee.store.matchlog import Line

_LOOK = 0.25  # how often, in seconds, to see whether the terminal has changed its size


def run_view(
    lines: Sequence[Line],
    console: Console,
    *,
    seat: int | None = None,
    deal: int | None = None,
    speed: float | None = None,
) -> None:
    """Show a match until `q`; with `speed` (steps a second) it runs by itself. Raises Disagreement."""
    if not _can_draw(console):
        for text in replay_text(lines, deal, seat, unicode=has_unicode(console)):
            console.print(text, soft_wrap=True)
        return
    header = lines[0].event
    assert isinstance(header, MatchEvent)
    viewer = Viewer(list(moments(lines, seat)), header.rules.match_target, seat, speed or 1.0)
    viewer.playing = speed is not None
    if deal is not None and not viewer.go_to(deal):
        raise UsageError(f"there is no deal {deal} in this match, only 1 to {viewer.moments[-1].deal}")
    faces = Faces(names_of(header), has_unicode(console))
    with _raw_keys(), Live(console=console, screen=True, auto_refresh=False, transient=True) as live:
        _loop(viewer, faces, console, live)


def has_unicode(console: Console) -> bool:
    """Whether suits and boxes can be printed on it."""
    return console.encoding.startswith("utf")


def picture(viewer: Viewer, faces: Faces, width: int, height: int) -> Group:
    """What is on the screen now."""
    draw = details if viewer.detailed else screen
    lines = draw(viewer.place(faces.names), faces, width, height, footer(viewer, width))
    return Group(*lines)


def footer(viewer: Viewer, width: int) -> Text:
    """The keys, or what was asked for."""
    if viewer.typed is not None:
        return Text(f"go to deal, or deal.step: {viewer.typed}_", style="bold")
    if viewer.message:
        return Text(viewer.message, style="bold")
    state = f"{'playing' if viewer.playing else 'stopped'} {viewer.speed:g}/s"
    fitting = (text for text in HELP if len(text) + 2 + len(state) <= width)
    return Text(f"{next(fitting, HELP[-1])}  {state}", style="dim")


def _loop(viewer: Viewer, faces: Faces, console: Console, live: Live) -> None:
    due = time.monotonic() + 1 / viewer.speed
    while True:
        size = console.size
        live.update(picture(viewer, faces, size.width, size.height), refresh=True)
        was_playing = viewer.playing
        pressed = _wait(viewer, due, console)
        for key in keys(pressed):
            if not viewer.key(key):
                return
        if pressed and viewer.playing and not was_playing:
            due = time.monotonic() + 1 / viewer.speed
        if viewer.playing and time.monotonic() >= due:
            viewer.tick()
            due = time.monotonic() + 1 / viewer.speed


def _wait(viewer: Viewer, due: float, console: Console) -> bytes:
    """Keys, or nothing once it is time for the next step or the terminal has another size."""
    size, source = console.size, sys.stdin.fileno()
    while console.size == size:
        rest = due - time.monotonic() if viewer.playing else _LOOK
        ready, _, _ = select.select([source], [], [], max(0.0, min(rest, _LOOK)))
        if ready:
            return os.read(source, 256) or b"q"  # the terminal is gone
        if viewer.playing and time.monotonic() >= due:
            break
    return b""


def _can_draw(console: Console) -> bool:
    return console.is_terminal and not console.is_dumb_terminal and sys.stdin.isatty()


@contextmanager
def _raw_keys() -> Iterator[None]:
    """Keys one by one, without echo; the terminal is as it was afterwards, whatever happens."""
    source = sys.stdin.fileno()
    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source)
        yield
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)
