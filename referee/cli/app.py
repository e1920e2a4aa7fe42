"""The list of commands, and the options that all of them have."""

from typing import Annotated

import typer

from referee import __version__
from referee.cli import check, dev, logs, new, play, repeat, report, rerun, show, table, watch

app = typer.Typer(
    name="referee",
    help="Tournament manager for bots that play the card game Sixty-Six.",
    epilog="Exit codes: 0 done; 1 the answer is no; 2 usage; 3 bad configuration; 4 a bot did not start; "
    "5 damaged log; 130 interrupted, everything finished is kept.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


for module in (play, show, logs, table, new, dev, check, rerun, report, watch, repeat):
    module.register(app)
