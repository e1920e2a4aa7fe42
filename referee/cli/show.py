"""Commands that look at a run: standings."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import data, existing, say

if TYPE_CHECKING:
    from referee.standings.table import Table
    from referee.store.layout import RunFolder

DIR = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: referee standings runs/quickstart --markdown")(standings)


def standings(
    folder: DIR,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Comma-separated.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="For a web page or a report.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
) -> None:
    """Standings, crosstable, ratings with intervals, faults and decision times."""
    from referee.store.layout import RunFolder

    run = RunFolder(existing(folder))
    table = build_table(run)
    note_left_out(run)
    form = "json" if as_json else "csv" if as_csv else "markdown" if as_markdown else ""
    show_table(table, form, no_color)


def note_left_out(run: "RunFolder") -> None:
    """Who is not in the table, and why."""
    if left_out := run.info().left_out:
        say(f"left out, as they did not start: {', '.join(left_out)}")


def build_table(run: "RunFolder") -> "Table":
    """The standings of a run, from its logs."""
    from referee.standings.table import build
    from referee.store.index import summaries

    names = run.info().participants()
    return build(summaries(run), names)


def show_table(table: "Table", form: str = "", no_color: bool = False) -> None:
    """Print a table in one of its forms: on a terminal drawn, in a pipe tab-separated."""
    from referee.render import plain

    if form == "json":
        data(plain.as_json(table))
    elif form == "csv":
        data(plain.as_csv(table).encode())
    elif form == "markdown":
        data(plain.as_markdown(table).encode())
    elif sys.stdout.isatty():
        from referee.render.console import console
        from referee.render.standings import report

        stdout = console("stdout", color=not no_color)
        stdout.print(report(table, stdout.width))
    else:
        data(plain.as_tsv(table).encode())
