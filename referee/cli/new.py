"""The command that writes a starter kit: new."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import say
from referee.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: referee new rust bots/mine --name 'Grand Slam'")(new)


def new(
    language: Annotated[str | None, typer.Argument(metavar="LANGUAGE", help="Leave it out for a list.")] = None,
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="A folder, new or without these files.")] = None,
    name: Annotated[str | None, typer.Option(help="The bot's name; default: the folder's.")] = None,
) -> None:
    """Write a small bot that plays at once, for you to go on from; without LANGUAGE, list the languages."""
    from referee.bots.kits import lacking, languages, write_kit

    if language is None:
        for each in languages():
            print(f"{each}\t{lacking(each) or 'ready'}")
        return
    kit = _known(language)
    if folder is None:
        raise UsageError(f"into which folder? referee new {kit} DIR")
    for path in write_kit(kit, folder, _name(name, folder)):
        say(f"wrote {path}")
    if missing := lacking(kit):
        say(f"warning: {missing}, and this bot needs it")
    _what_next(folder)


def _known(language: str) -> str:
    from referee.bots.kits import language_of, languages
    from referee.tournament.config_file import did_you_mean

    kit = language_of(language)
    if kit is None:
        hint = did_you_mean(language.lower(), languages())
        raise UsageError(
            f"{language}: no kit for this language{hint and ' (' + hint + ')'}; there are kits for "
            f"{', '.join(languages())}, and protocol.md is all that a bot in another language needs"
        )
    return kit


def _name(wanted: str | None, folder: Path) -> str:
    """What a bot may be called in a tournament; a folder's name is made to fit."""
    from referee.tournament.config import clean
    from referee.tournament.config_file import NAME

    if wanted is None:
        return clean(folder.resolve().name)
    if not NAME.fits(wanted):
        raise UsageError(f"--name: got {wanted!a}, expected {NAME.expected}")
    return wanted


def _what_next(folder: Path) -> None:
    """Commands that can be copied."""
    example = Path("example_bots", "greedy")
    opponent = example if example.is_dir() else folder
    say("next:")
    for words in (("check", folder), ("match", folder, opponent)):
        say(f"    {shlex.join(['referee', *map(str, words)])}")
