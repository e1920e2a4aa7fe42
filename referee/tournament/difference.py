"""What differs between the configuration a run was begun with and the present one. Pure."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from referee.tournament.config import BotEntry, Tournament

_PLAIN = ("format", "hero", "seed", "sandbox", "fresh", "freeze")
_FREE = ("name", "on_start_fault")  # change nothing that is played


class Change(NamedTuple):
    """One thing that differs, in words; `extends`: what was played stays valid, there is only more to play."""

    text: str
    extends: bool = False


def difference(old: "Tournament", new: "Tournament") -> list[str]:
    """One line for each change that matters to what is played; [] if the run can simply go on."""
    return [change.text + (" (the run can be extended so)" if change.extends else "") for change in changes(old, new)]


def changes(old: "Tournament", new: "Tournament") -> list[Change]:
    """The same as values.

    A run can be extended by pairs or bots if the format fixes its pairings beforehand, and a Swiss by rounds. The name,
    `on_start_fault` and `optional` may change as they like, and `logs` but from or to "faults". Where a bot's folder
    lies does not count: its content does, and that is compared by its hash, elsewhere.
    """
    return [*_plain(old, new), *_logs(old, new), *_more(old, new), *_bots(old, new)]


def _plain(old: "Tournament", new: "Tournament") -> Iterator[Change]:
    for field in _PLAIN:
        yield from _compared(field, getattr(old, field), getattr(new, field))
    for group in ("rules", "clock"):
        before, now = getattr(old, group), getattr(new, group)
        for field in before.__struct_fields__:
            yield from _compared(f"{group}.{field}", getattr(before, field), getattr(now, field))


def _logs(old: "Tournament", new: "Tournament") -> Iterator[Change]:
    """Whether results without a log count is decided once for a run; whether logs are compressed is not."""
    if "faults" in (old.logs, new.logs):
        yield from _compared("logs", old.logs, new.logs)


def _compared(key: str, before: object, now: object, extends: bool = False) -> Iterator[Change]:
    if before != now:
        yield Change(f"{key}: was {_shown(before)}, now {_shown(now)}", extends)


def _more(old: "Tournament", new: "Tournament") -> Iterator[Change]:
    """More pairs keep all matches, except where results decide who meets next; more rounds keep the first ones."""
    yield from _compared("pairs", old.pairs, new.pairs, _is_fixed(old, new) and new.pairs > old.pairs)
    yield from _compared("rounds", old.rounds, new.rounds, (new.rounds or 0) > (old.rounds or 0) > 0)


def _is_fixed(old: "Tournament", new: "Tournament") -> bool:
    return old.format == new.format and new.format in ("round-robin", "gauntlet")


def _bots(old: "Tournament", new: "Tournament") -> Iterator[Change]:
    before, now = ({bot.name: bot for bot in config.bots} for config in (old, new))
    stayed = [name for name in new.names if name in before]
    yield from (Change(f'bots: "{name}" is gone') for name in before if name not in now)
    yield from (Change(f'bots: "{name}" is new', _is_fixed(old, new)) for name in now if name not in before)
    if stayed != [name for name in old.names if name in now]:
        yield Change("bots: their order has changed")
    for name in stayed:
        yield from _compared(f'bots: command of "{name}"', _command(before[name]), _command(now[name]))


def _command(bot: "BotEntry") -> str | None:
    return " ".join(bot.command) or None


def _shown(value: object) -> str:
    return "not given" if value is None else msgspec.json.encode(value).decode()
