"""From a configuration to a run that can start: bots found, built and hashed, the folder made or found again."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee import __version__
from referee.bots.build import build, content_hash
from referee.bots.sandbox import Layer, choose
from referee.bots.spec import BotSpec, load_command, load_folder, missing
from referee.errors import ConfigError, RunError
from referee.rules.shuffle import commitment
from referee.store.layout import RunFolder, RunInfo
from referee.tournament.config import BotEntry, Tournament, from_json, to_json
from referee.tournament.difference import changes

Say = Callable[[str], None]


class Prepared(NamedTuple):
    """Everything that the runner needs. `tournament` has only the bots that take part."""

    tournament: Tournament
    bots: dict[str, BotSpec]
    layer: Layer
    folder: RunFolder
    master_seed: str
    info: RunInfo


def prepare(tournament: Tournament, out: Path, say: Say, extend: bool = False) -> Prepared:
    """Check and build everything before the first process starts; `say` takes a line for people.

    A folder that holds a run already is gone on with, if it is the same run, or, with `extend`, one that this only adds
    to. Raises ConfigError with all that differs, and whatever is wrong with a bot.
    """
    tournament, bots = _present(tournament, say)
    for spec in bots.values():
        build(spec)
    hidden = [str(out.resolve()), *(spec.dir for spec in bots.values() if spec.own_folder)]
    layer = msgspec.structs.replace(choose(tournament.sandbox), hidden=tuple(hidden))
    hashes = {name: content_hash(spec) for name, spec in bots.items()}
    folder = RunFolder(out)
    if folder.exists():
        info, seed = _resume(folder, tournament, hashes, extend)
    else:
        info, seed = _begin(folder, tournament, hashes, layer)
    return Prepared(tournament, bots, layer, folder, seed, info)


def _present(tournament: Tournament, say: Say) -> tuple[Tournament, dict[str, BotSpec]]:
    """Leave out optional bots whose interpreter or compiler is not there; for any other that is an error."""
    bots: dict[str, BotSpec] = {}
    for entry in tournament.bots:
        spec = spec_of(entry)
        lacking = missing(spec)
        if lacking is None:
            bots[entry.name] = spec
        elif entry.optional:
            say(f"left out: {entry.name} ({lacking})")
        else:
            raise ConfigError(f"bot {entry.name!r}: {lacking}")
    if len(bots) < 2:
        raise ConfigError("fewer than two bots can play here")
    entries = tuple(entry for entry in tournament.bots if entry.name in bots)
    return msgspec.structs.replace(tournament, bots=entries), bots


def spec_of(entry: BotEntry) -> BotSpec:
    """The program behind an entry, under the tournament's name for it."""
    if entry.path is not None:
        spec = load_folder(Path(entry.path))
    else:
        spec = load_command(entry.command, Path(entry.dir or "."))
    return msgspec.structs.replace(spec, name=entry.name)


def _begin(folder: RunFolder, tournament: Tournament, hashes: dict[str, str], layer: Layer) -> tuple[RunInfo, str]:
    seed = tournament.seed if tournament.seed is not None else secrets.token_hex(32)
    info = RunInfo(
        referee=__version__,
        name=tournament.name,
        commitment=commitment(seed),
        layer=layer.name,
        bots=hashes,
        config=to_json(tournament),
        started=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
    try:
        folder.create(info, seed)
    except OSError as error:
        raise RunError(f"{folder.path}: cannot be written: {error.strerror}") from None
    return info, seed


def _resume(folder: RunFolder, tournament: Tournament, hashes: dict[str, str], extend: bool) -> tuple[RunInfo, str]:
    """The same run goes on; anything else under its name is refused."""
    info = folder.info()
    found = changes(from_json(info.config), tournament)
    differs = [change.text for change in found if not (extend and change.extends)]
    differs += [
        f'bot "{name}": its files have changed' for name in hashes if info.bots.get(name, hashes[name]) != hashes[name]
    ]
    if differs:
        hint = "; --extend would allow it" if found and all(change.extends for change in found) and not extend else ""
        raise ConfigError(f"{folder.path} holds another run: {'; '.join(differs)} (choose another --out{hint})")
    if found:
        info.config, info.bots = to_json(tournament), info.bots | hashes
        folder.save(info)
    return info, folder.master_seed()
