"""The command that writes a tournament's page: report."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli.output import existing, say
from referee.cli.show import DIR
from referee.errors import LogError, UsageError

if TYPE_CHECKING:
    from referee.match.events import FaultEvent
    from referee.render.report_data import Story
    from referee.render.report_matches import Linked, Replay
    from referee.render.report_page import About
    from referee.store.layout import RunFolder
    from referee.store.matchlog import Line

Replays = Literal["all", "interesting", "none"]
SAY_EVERY = 100


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: referee report runs/quickstart --html report.html")(report)


def report(
    folder: DIR,
    html: Annotated[Path, typer.Option(help="Write one self-contained page.", metavar="FILE")],
    replays: Annotated[
        Replays,
        typer.Option(help="Which matches can be watched; all: in a folder of their own beside FILE."),
    ] = "interesting",
) -> None:
    """One page for a tournament: standings, crosstable, every bot, ratings on the way, matches and replays.

    Works on a run in progress too. Needs jinja2.
    """
    from referee.render.report_data import gather
    from referee.render.report_page import page, require_jinja
    from referee.store.index import summaries
    from referee.store.layout import RunFolder

    require_jinja()
    run = RunFolder(existing(folder))
    names = run.info().participants()
    story = gather(summaries(run), names)
    logs = _Logs(run)
    linked = _linked(story, logs, replays, html)
    text = page(story, _about(run), _faults(story, logs), linked)
    _write(html, text)
    say(f"wrote {html}" + (f" and {html.parent / linked.folder}/" if linked.folder else ""))


def _linked(story: "Story", logs: "_Logs", replays: Replays, html: Path) -> "Linked":
    """The replays inside the page, or those in a folder, which are written here."""
    from referee.render.report_matches import Linked
    from referee.render.report_pick import interesting

    if replays == "all":
        folder = f"{html.stem}_replays"
        _write_replays([match.match for match in story.matches], logs, html.parent / folder)
        return Linked({}, folder)
    wanted = interesting(story) if replays == "interesting" else ()
    return Linked(dict(_embedded(wanted, logs)))


def _embedded(matches: Iterable[str], logs: "_Logs") -> "Iterator[tuple[str, Replay]]":
    from referee.render.report_matches import replay_of
    from referee.store.replay import Disagreement

    for match in matches:
        if lines := logs.lines(match):
            try:
                yield match, replay_of(lines)
            except Disagreement as wrong:
                say(f"warning: no replay of {match}: {wrong}")


def _write_replays(matches: list[str], logs: "_Logs", folder: Path) -> None:
    """One page for each match; in a long run this takes far longer than the report."""
    from referee.render.replay_html import replay_page
    from referee.store.replay import Disagreement

    folder.mkdir(parents=True, exist_ok=True)
    for number, match in enumerate(matches, 1):
        if lines := logs.lines(match):
            try:
                _write(folder / f"{match}.html", replay_page(lines))
            except Disagreement as wrong:
                say(f"warning: no replay of {match}: {wrong}")
        if number % SAY_EVERY == 0 and sys.stderr.isatty():
            print(f"\r{number:,} of {len(matches):,} replays ", end="", file=sys.stderr, flush=True)


def _faults(story: "Story", logs: "_Logs") -> "dict[str, list[FaultEvent]]":
    """The faults, with their evidence, of the matches whose evidence is shown."""
    from referee.match.events import FaultEvent
    from referee.render.report_pick import evidence_wanted

    wanted = dict.fromkeys(one.match for one in evidence_wanted(story))
    return {match: [line.event for line in logs.lines(match) if isinstance(line.event, FaultEvent)] for match in wanted}


class _Logs:
    """The logs of a run by match; one that is gone or damaged is told of once, and has no lines."""

    def __init__(self, run: "RunFolder") -> None:
        from referee.store.index import finished

        self.folder, self.names = run.matches, finished(run)

    def lines(self, match: str) -> "list[Line]":
        """All lines of a match."""
        from referee.store.matchlog import read_matches

        name = self.names.get(match)
        if name is None:
            return []
        try:
            return next(read_matches(self.folder / name), [])
        except LogError as error:
            say(f"warning: {error}")
            del self.names[match]
            return []


def _about(run: "RunFolder") -> "About":
    from referee.render.report_page import About
    from referee.tournament.config import from_json
    from referee.tournament.stages import matches_in_all

    info = run.info()
    config = from_json(info.config)
    return About(
        name=info.name,
        format=config.format,
        started=info.started,
        referee=info.referee,
        layer=info.layer,
        commitment=info.commitment,
        master_seed=info.master_seed,
        total=matches_in_all(config, len(info.participants())),
    )


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
