"""The keys of the terminal view, and what they do to the place in the match; no terminal needed to test it."""

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from referee.render.moments import Moment, seen_by
from referee.render.replay_screen import Place

# What terminals send for keys that are no characters; both cursor key modes.
SEQUENCES = {
    b"\x1b[C": "right",
    b"\x1bOC": "right",
    b"\x1b[D": "left",
    b"\x1bOD": "left",
    b"\x1b[A": "left",
    b"\x1bOA": "left",
    b"\x1b[B": "right",
    b"\x1bOB": "right",
    b"\x1b[H": "home",
    b"\x1bOH": "home",
    b"\x1b[1~": "home",
    b"\x1b[F": "end",
    b"\x1bOF": "end",
    b"\x1b[4~": "end",
    b"\x1b[6~": "n",
    b"\x1b[5~": "p",
    b"\r": "enter",
    b"\n": "enter",
    b"\x7f": "backspace",
    b"\x08": "backspace",
    b"\x03": "q",
    b"\x04": "q",
}
# What the lowest line says of them, the longest first: it takes the first that fits.
HELP = (
    "arrows step  space play  +/- speed  n/p deal  home/end match  g go to  s view  d details  q quit",
    "arrows step  space play  n/p deal  g go to  s view  d details  q quit",
    "arrows space +/- n/p g s d q",
)
SLOWEST, FASTEST = 0.25, 64.0


def keys(data: bytes) -> Iterator[str]:
    """The keys in what a terminal sent; unknown sequences are passed over as a whole."""
    while data:
        known = next((code for code in SEQUENCES if data.startswith(code)), None)
        if known is not None:
            yield SEQUENCES[known]
            data = data[len(known) :]
        elif data.startswith(b"\x1b"):
            data = _after_sequence(data)
            if not data:
                return
        else:
            yield chr(data[0])
            data = data[1:]


def _after_sequence(data: bytes) -> bytes:
    """What follows an escape sequence that means nothing here: it ends with a letter or `~`."""
    if data[1:2] not in (b"[", b"O"):
        return data[2:]
    end = next((at for at, byte in enumerate(data[2:], 2) if 0x40 <= byte <= 0x7E), len(data))
    return data[end + 1 :]


class Viewer:
    """Where the reader is. `key` and `tick` change it, `place` says what to draw."""

    def __init__(self, moments: Sequence[Moment], target: int, seat: int | None = None, speed: float = 1.0) -> None:
        self.moments = moments
        self.target = target
        self.fixed = seat  # a view of one seat only: `s` does not turn the other cards up
        self.seat = seat
        self.speed = speed  # steps a second
        self.playing = False
        self.typed: str | None = None  # what stands after "go to" so far
        self.message = ""
        self.detailed = False
        self.at = 0

    def place(self, names: tuple[str, str]) -> Place:
        """What the drawing needs of it."""
        first, last = self._deal_around(self.at)
        shown: Sequence[Moment] = self.moments[first:last]
        if self.seat is not None and self.fixed is None:
            shown = [seen_by(moment, self.seat) for moment in shown]
        view = "all cards" if self.seat is None else f"seen by {names[self.seat]}"
        return Place(shown, self.at - first, self.moments[-1].deal, self.target, self.seat or 0, view)

    def key(self, key: str) -> bool:
        """Do what a key means; False to leave."""
        self.message = ""
        if self.typed is not None:
            self._type(key)
            return True
        if key == "q":
            return False
        action = self._ACTIONS.get(key)
        if action is not None:
            action(self)
        return True

    def tick(self) -> None:
        """Time for one more step, when it runs by itself; at the end it stops."""
        if self.playing:
            self._move(1)
            self.playing = self.at < len(self.moments) - 1

    def go_to(self, deal: int, step: int = 0) -> bool:
        """Show a moment; False if there is none such."""
        for at, moment in enumerate(self.moments):
            if (moment.deal, moment.step) == (deal, step):
                self.at = at
                return True
        return False

    # What keys do

    def _move(self, by: int) -> None:
        self.at = max(0, min(len(self.moments) - 1, self.at + by))

    def _forward(self) -> None:
        self.playing = False
        self._move(1)

    def _back(self) -> None:
        self.playing = False
        self._move(-1)

    def _next_deal(self) -> None:
        _, after = self._deal_around(self.at)
        self.at = after if after < len(self.moments) else len(self.moments) - 1

    def _previous_deal(self) -> None:
        """To the start of this deal; from there, to the start of the one before."""
        first, _ = self._deal_around(self.at)
        self.at = first if first < self.at or not first else self._deal_around(first - 1)[0]

    def _home(self) -> None:
        self.at = 0

    def _end(self) -> None:
        self.at = len(self.moments) - 1

    def _play(self) -> None:
        if self.at == len(self.moments) - 1:
            self.at = 0
        self.playing = not self.playing

    def _ask(self) -> None:
        self.playing, self.typed = False, ""

    def _turn_view(self) -> None:
        if self.fixed is None:
            self.seat = {None: 0, 0: 1, 1: None}[self.seat]

    def _details(self) -> None:
        self.playing, self.detailed = False, not self.detailed

    def _faster(self) -> None:
        self.speed = min(FASTEST, self.speed * 2)

    def _slower(self) -> None:
        self.speed = max(SLOWEST, self.speed / 2)

    _ACTIONS: ClassVar[dict[str, Callable[["Viewer"], None]]] = {
        "right": _forward,
        "left": _back,
        "enter": _forward,
        "n": _next_deal,
        "p": _previous_deal,
        "home": _home,
        "end": _end,
        " ": _play,
        "g": _ask,
        "s": _turn_view,
        "d": _details,
        "+": _faster,
        "=": _faster,
        "-": _slower,
    }

    def _type(self, key: str) -> None:
        """`g`, then a deal, or deal and step: `3` or `3.7`."""
        assert self.typed is not None
        if key == "enter":
            typed, self.typed = self.typed, None
            self._jump(typed)
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key in "0123456789. ":
            self.typed += key if len(self.typed) < 12 else ""
        else:
            self.typed = None

    def _jump(self, typed: str) -> None:
        numbers = [int(word) for word in typed.replace(".", " ").split()]
        if numbers and not self.go_to(*numbers[:2]):
            self.message = f"there is no {typed.strip()}; there are deals 1 to {self.moments[-1].deal}"

    def _deal_around(self, at: int) -> tuple[int, int]:
        """From the first moment of this deal to the first of the next."""
        deal = self.moments[at].deal
        after = at
        while after < len(self.moments) and self.moments[after].deal == deal:
            after += 1
        return at - self.moments[at].step, after
