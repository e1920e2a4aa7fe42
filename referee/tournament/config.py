"""What is to be played: one frozen `Tournament`, from a file, from two bots, or from the `run.json` of a run."""

import difflib
import math
import tomllib
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from referee.bots.spec import load_bot
from referee.errors import LogError, UsageError
from referee.match.clock import Clock
from referee.rules.ruleset import PRESETS, Rules
from referee.tournament.config_file import NAME, NAME_CHARACTERS, ConfigFile, did_you_mean, is_name

Format = Literal["round-robin", "gauntlet", "swiss", "knockout"]
Sandbox = Literal["auto", "bwrap", "none"]


class BotEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bot of the tournament: a folder (or script) `path`, or a `command` run in `dir`. Paths are absolute."""

    name: str
    path: str | None = None
    command: tuple[str, ...] = ()
    dir: str | None = None
    whole: bool = False  # `dir` was given: the sandbox shows all of it, else only the files that `command` names
    optional: bool = False  # left out, and said so, where its interpreter or compiler is missing


class Tournament(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides what is played. The order of `bots` counts: it names matches and seeds the formats."""

    name: str
    bots: tuple[BotEntry, ...]
    format: Format = "round-robin"
    pairs: int = 10  # mirrored pairs per meeting of two bots
    seed: str | None = None  # None: drawn when the run starts
    sandbox: Sandbox = "auto"
    clock: Clock = Clock()
    rules: Rules = Rules()
    fresh: bool = False  # new processes for every match
    freeze: bool = False  # stop a bot's processes while it is not its turn
    on_start_fault: Literal["stop", "leave-out"] = "stop"  # a bot that does not start before the first match
    logs: Literal["all", "compressed", "faults"] = "all"
    rounds: int | None = None  # swiss only
    hero: str | None = None  # gauntlet only: the bot that meets all the others

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(bot.name for bot in self.bots)


# From and to run.json


def to_json(config: Tournament) -> dict[str, Any]:
    """Plain dicts and lists for `run.json`."""
    plain = msgspec.to_builtins(config)
    assert isinstance(plain, dict)
    return plain


def from_json(plain: object) -> Tournament:
    """The way back; LogError if it is none of ours, because what was played is then unknown."""
    try:
        return msgspec.convert(plain, Tournament)
    except msgspec.ValidationError as error:
        raise LogError("run.json", 0, f"its configuration cannot be read: {error}") from None


# From two bots


def from_bots(
    a: str,
    b: str,
    pairs: int = 10,
    *,
    base: Path | None = None,
    seed: str | None = None,
    sandbox: Sandbox = "auto",
    clock: Clock | None = None,
    rules: Rules | None = None,
) -> Tournament:
    """A against B, each a folder, a script or a quoted command line relative to `base` (default: where we are).

    A bot's second copy is called NAME-2. Raises what `load_bot` raises: UsageError, or ConfigError for a bot.toml.
    """
    first, second = (_entry(text, _storable(base or Path.cwd())) for text in (a, b))
    if _same_name(first.name, second.name):
        second = msgspec.structs.replace(second, name=clean(second.name, "-2"))
    return Tournament(
        name=f"{first.name}-{second.name}",
        bots=(first, second),
        pairs=pairs,
        seed=seed,
        sandbox=sandbox,
        clock=clock or Clock(),
        rules=rules or Rules(),
    )


def _entry(text: str, base: Path) -> BotEntry:
    spec = load_bot(text, base)
    if spec.own_folder:
        return BotEntry(name=clean(spec.name), path=spec.dir)
    return BotEntry(name=clean(spec.name), command=spec.argv, dir=spec.dir)


def _storable(folder: Path) -> Path:
    """UsageError for a folder whose name is no UTF-8: `run.json` could not hold it."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        raise UsageError(f"{str(folder)!a}: the name of this folder is not UTF-8, expected one that is") from None
    return folder


def clean(name: str, suffix: str = "") -> str:
    """A name with this suffix that `is_name` likes, from one that nobody chose as such (a file's, say)."""
    visible = "".join(c if c.isprintable() and c != "/" else "_" for c in name)[:NAME_CHARACTERS].lstrip(" .").strip()
    while visible and not is_name(visible + suffix):
        visible = visible[:-1].strip()
    return (visible or "bot") + suffix


# From a file


def load(path: Path) -> Tournament:
    """Read and check a tournament file; nothing is started.

    UsageError: there is no such file. ConfigError: the first thing that is wrong in it, as one line
    `FILE:LINE: KEY: what is wrong, what was expected (did you mean 'X'?)`.
    """
    file = ConfigFile(path)
    data = dict(file.data)
    bots = _bots(file, _storable(path.resolve().parent), data.pop("bots", []))
    _check_ids(file, [bot.name for bot in bots])
    _check_format(file, bots)
    if "seed" in data:
        data["seed"] = str(data["seed"])
    if data.get("format") == "gauntlet":
        data.setdefault("hero", bots[0].name)
    if data.get("format") == "swiss":
        data.setdefault("rounds", default_rounds(len(bots)))
    data["rules"] = _rules(data.get("rules", {}))
    data["clock"] = Clock(**data.get("clock", {}))
    return Tournament(**{"name": clean(path.stem), **data, "bots": bots})


def default_rounds(bots: int) -> int:
    """Swiss rounds that leave at most one bot without a loss, if every meeting has a winner."""
    return max(1, math.ceil(math.log2(bots)))


def _rules(fields: dict[str, Any]) -> Rules:
    """The preset first, then the single fields."""
    return msgspec.structs.replace(PRESETS[fields.get("preset", Rules().preset)], **fields)


def _bots(file: ConfigFile, base: Path, tables: Sequence[dict[str, Any]]) -> tuple[BotEntry, ...]:
    if len(tables) < 2:
        raise file.error(("bots",), f"got {len(tables)}, expected two [[bots]] or more")
    bots: list[BotEntry] = []
    for index, table in enumerate(tables):
        bot = _bot(file, base, ("bots", index), table)
        for other, earlier in enumerate(bots, 1):
            if _same_name(bot.name, earlier.name):
                why = f'"{bot.name}" is the name of bots[{other}] too, expected a name of its own'
                raise file.error(("bots", index, "name"), why)
        bots.append(bot)
    return tuple(bots)


def _same_name(name: str, other: str) -> bool:
    return _folded(name) == _folded(other)


def _folded(name: str) -> str:
    """Names that look alike, or are one file name where upper and lower case are the same, are the same name."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _bot(file: ConfigFile, base: Path, here: tuple[str | int, ...], table: dict[str, Any]) -> BotEntry:
    """One [[bots]] table; `path` or `command` decides which of the other keys belong in it."""
    if ("path" in table) == ("command" in table):
        why = (
            "both path and command, expected one of them" if "path" in table else "no path and no command, expected one"
        )
        raise file.error(here, why)
    optional = table.get("optional", False)
    if "path" in table:
        if "dir" in table:
            raise file.error((*here, "dir"), "got it beside path, expected it beside command only")
        folder = _folder(file, base, (*here, "path"), table["path"])
        name = table.get("name") or _name_in_folder(file, (*here, "path"), folder)
        return BotEntry(name=name, path=str(folder), optional=optional)
    if "name" not in table:
        raise file.error((*here, "name"), "missing, expected a name for the command")
    whole = "dir" in table
    folder = _folder(file, base, (*here, "dir"), table["dir"]) if whole else base
    command = tuple(table["command"])
    return BotEntry(name=table["name"], command=command, dir=str(folder), whole=whole, optional=optional)


def _folder(file: ConfigFile, base: Path, key: tuple[str | int, ...], text: str) -> Path:
    """The folder that `text` names from `base`; one with a bot.toml if it is a bot's."""
    folder = base / text
    expected = "a folder with bot.toml" if key[-1] == "path" else "a folder"
    if not folder.is_dir():
        why = f'"{text}" is no folder' if folder.exists() else f'there is no "{text}"'
        raise file.error(key, f"{why}, expected {expected}", _near_folder(folder, text))
    if key[-1] == "path" and not (folder / "bot.toml").is_file():
        raise file.error(key, f'no bot.toml in "{text}", expected {expected}')
    return folder.resolve()


def _near_folder(missing: Path, text: str) -> str:
    """A folder beside the missing one whose name is near to it, written as the file writes it."""
    try:
        beside = [entry.name for entry in missing.parent.iterdir() if entry.is_dir()]
    except OSError:
        return ""
    near = difflib.get_close_matches(missing.name, beside, n=1)
    return f"did you mean {str(Path(text).with_name(near[0]))!r}?" if near else ""


def _name_in_folder(file: ConfigFile, key: tuple[str | int, ...], folder: Path) -> str:
    """The name in bot.toml, by default the folder's, which becomes the bot's name here. The rest is read later."""
    try:
        name = tomllib.loads((folder / "bot.toml").read_text("utf-8")).get("name", folder.name)
    except (ValueError, OSError) as error:
        raise file.error(key, f"its bot.toml cannot be read: {error}") from None
    if not is_name(name):
        raise file.error(key, f"got the name {name!a} from its bot.toml, expected {NAME.expected}")
    return str(name)


def _check_ids(file: ConfigFile, names: Sequence[str]) -> None:
    """A match is called PAIR-A-B-LEG: two pairings whose A-B is the same text would be one match."""
    seen: dict[str, tuple[str, str]] = {}
    for index, other in enumerate(names):
        for name in names[:index]:
            a, b = seen.setdefault(_folded(f"{name}-{other}"), (name, other))
            if (a, b) != (name, other):
                why = f'"{name}" against "{other}" would have the match names of "{a}" against "{b}"'
                raise file.error(("bots", index, "name"), f"{why}, expected another name")


def _check_format(file: ConfigFile, bots: Sequence[BotEntry]) -> None:
    """Keys that only one format reads, and whether they can be meant."""
    chosen = file.data.get("format", "round-robin")
    for key, owner in (("hero", "gauntlet"), ("rounds", "swiss")):
        if key in file.data and chosen != owner:
            raise file.error((key,), f'not read by format "{chosen}", expected only with format "{owner}"')
    most = len(bots) - 1 + len(bots) % 2
    if file.data.get("rounds", 1) > most:
        raise file.error(("rounds",), f"got {file.data['rounds']}, expected at most {most} for {len(bots)} bots")
    if chosen == "gauntlet":
        _check_hero(file, bots)


def _check_hero(file: ConfigFile, bots: Sequence[BotEntry]) -> None:
    hero = file.data.get("hero", bots[0].name)
    entry = next((bot for bot in bots if bot.name == hero), None)
    if entry is None:
        names = [bot.name for bot in bots]
        raise file.error(("hero",), f'there is no bot "{hero}", expected the name of a bot', did_you_mean(hero, names))
    if entry.optional:
        raise file.error(("hero",), f'"{hero}" is optional, expected a bot that is never left out')
