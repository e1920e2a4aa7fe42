"""From a configuration to a run that can start: bots found, built and hashed, the folder made or found again."""

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from referee import __version__
from referee.bots.build import build, content_hash
from referee.bots.sandbox import Layer, choose
from referee.bots.spec import BotSpec, load_command, load_folder, missing
from referee.errors import BotStartError, ConfigError, RunError, UsageError
from referee.rules.shuffle import commitment
from referee.store.index import finished
from referee.store.layout import RunFolder, RunInfo, timestamp
from referee.tournament.config import BotEntry, Tournament, from_json, to_json
from referee.tournament.difference import changes

Say = Callable[[str], None]
PARTS = {"run.json.part", "seed", "lock", "matches", "index.jsonl"}
OUTSIDE = "begun in bubblewrap and gone on with outside of it: bots could see more than they should"
KNOWN_DECKS = "extended after its master seed was revealed: the decks of what was added could be known beforehand"


class Prepared(NamedTuple):
    """Everything that the runner needs. `tournament` has only the bots that take part."""

    tournament: Tournament
    bots: dict[str, BotSpec]
    layer: Layer
    folder: RunFolder
    master_seed: str
    info: RunInfo


def prepare(tournament: Tournament, out: Path, say: Say, extend: bool = False, file: Path | None = None) -> Prepared:
    """Check and build everything before the first process starts; `say` takes a line for people.

    A folder that holds a run already is gone on with, if it is the same run, or, with `extend`, one that this only adds
    to. `file` is the tournament file, which no bot may see: it may name the seed. Raises ConfigError with all that
    differs, and whatever is wrong with a bot.
    """
    _refuse_strange(out)
    tournament, bots = _present(tournament, say)
    _refuse_inside(out, bots)
    for spec in bots.values():
        build(spec)
    layer = msgspec.structs.replace(choose(tournament.sandbox), hidden=tuple(_hidden(bots, out, file)))
    hashes = {name: content_hash(spec) for name, spec in bots.items()}
    folder = RunFolder(out)
    if folder.exists():
        info, seed = _resume(folder, tournament, bots, hashes, layer, say, extend)
        # Who was left out stays out: his matches would change what the others have played by.
        bots = {name: spec for name, spec in bots.items() if name not in info.left_out}
    else:
        info, seed = _begin(folder, tournament, hashes, layer)
    return Prepared(tournament, bots, layer, folder, seed, info)


def _refuse_strange(out: Path) -> None:
    """A folder with other things in it was hardly meant."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out}: no folder, expected one for the run")
    if out.is_dir() and not RunFolder(out).exists() and any(each.name not in PARTS for each in out.iterdir()):
        raise UsageError(f"{out}: holds other files and no run, expected a new folder or one with a run")


def _refuse_inside(out: Path, bots: dict[str, BotSpec]) -> None:
    """In a bot's folder the run would change the bot, which could then not go on."""
    for name, spec in bots.items():
        if spec.own_folder and out.resolve().is_relative_to(Path(spec.dir).resolve()):
            raise UsageError(f'{out}: lies in the folder of bot "{name}", {spec.dir}; choose another --out')


def replaced(prepared: Prepared) -> list[str]:
    """Bots that are no longer what they were when the run began."""
    return [name for name, spec in prepared.bots.items() if _hash(spec) != prepared.info.bots[name]]


def _hash(spec: BotSpec) -> str:
    try:
        return content_hash(spec)
    except OSError as error:
        return f"unreadable: {error}"


def _hidden(bots: dict[str, BotSpec], out: Path, file: Path | None) -> Iterator[str]:
    """What no sandboxed bot sees, even in a folder that it does see: runs, the tournament file, other bots' folders."""
    out = out.resolve()
    yield from (str(out.parent), str(out))
    if file is not None:
        yield str(file.resolve())
    yield from (spec.dir for spec in bots.values() if spec.own_folder)


def _present(tournament: Tournament, say: Say) -> tuple[Tournament, dict[str, BotSpec]]:
    """Leave out optional bots whose interpreter or compiler is not there; for any other that is an error."""
    bots: dict[str, BotSpec] = {}
    for entry in tournament.bots:
        spec = spec_of(entry)
        lacking = missing(spec)
        if lacking is None:
            bots[entry.name] = spec
        elif entry.optional or (tournament.on_start_fault == "leave-out" and entry.name != tournament.hero):
            say(f"left out: {entry.name} ({lacking})")
        else:
            raise BotStartError(f'bot "{entry.name}" cannot be started: {lacking}')
    if len(bots) < 2:
        raise BotStartError("fewer than two bots can be started here")
    entries = tuple(entry for entry in tournament.bots if entry.name in bots)
    return msgspec.structs.replace(tournament, bots=entries), bots


def spec_of(entry: BotEntry) -> BotSpec:
    """The program behind an entry, under the tournament's name for it."""
    if entry.path is not None:
        spec = load_folder(Path(entry.path))
    else:
        spec = load_command(entry.command, Path(entry.dir or "."), whole=entry.whole)
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
        started=timestamp(),
    )
    try:
        folder.create(info, seed)
    except OSError as error:
        raise RunError(f"{folder.path}: cannot be written: {error.strerror}") from None
    return info, seed


def _resume(
    folder: RunFolder,
    tournament: Tournament,
    bots: dict[str, BotSpec],
    hashes: dict[str, str],
    layer: Layer,
    say: Say,
    extend: bool,
) -> tuple[RunInfo, str]:
    """The same run goes on; anything else under its name is refused."""
    info = folder.info()
    outside = info.layer == "bwrap" and layer.name == "none" and (extend or not info.complete)
    meant = outside and tournament.sandbox == "none"
    found = changes(from_json(info.config), tournament)
    if meant:
        found = [change for change in found if not change.text.startswith("sandbox:")]
    differs = [change.text for change in found if not (extend and change.extends)] + _changed_files(info, bots, hashes)
    if (differs or outside) and not finished(folder):
        return _begin(folder, tournament, hashes, layer)  # nothing was played, so nothing is lost
    if differs:
        hint = "; --extend would allow it" if found and all(change.extends for change in found) and not extend else ""
        raise ConfigError(f"{folder.path} holds another run: {'; '.join(differs)} (choose another --out{hint})")
    if outside:
        _go_outside(folder, info, layer, meant, say)
    _take_over(folder, info, tournament, hashes, bool(found), say)
    if extend:
        info.complete = False  # whatever is missing is played
    return info, folder.master_seed()


def _changed_files(info: RunInfo, bots: dict[str, BotSpec], hashes: dict[str, str]) -> list[str]:
    return [
        f'bot "{name}": its files have changed, in {bots[name].dir}'
        for name in hashes
        if info.bots.get(name, hashes[name]) != hashes[name]
    ]


def _go_outside(folder: RunFolder, info: RunInfo, layer: Layer, meant: bool, say: Say) -> None:
    """A run that was begun in the sandbox goes on without it only if that is asked for, and then says so for ever."""
    if not meant:
        why = f"the run was begun in bubblewrap, and that does not work here now ({layer.description})"
        raise ConfigError(f'{folder.path}: {why}; install bubblewrap, or ask for sandbox = "none" to go on outside')
    say(f"warning: {OUTSIDE}")
    info.notes += [OUTSIDE] if OUTSIDE not in info.notes else []


def _take_over(
    folder: RunFolder, info: RunInfo, tournament: Tournament, hashes: dict[str, str], extended: bool, say: Say
) -> None:
    """Save the present configuration: of a run that is extended, or where nothing differs that matters."""
    if extended:
        info.config, info.bots, info.complete = to_json(tournament), info.bots | hashes, False
        info.left_out = []
        if info.master_seed is not None:
            say(f"warning: {KNOWN_DECKS}")
            info.notes.append(KNOWN_DECKS)
        folder.save(info)
    elif tournament != from_json(info.config):
        info.config, info.name = to_json(tournament), tournament.name
        folder.save(info)
