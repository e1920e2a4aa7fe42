"""Commands for authors and for the curious: schema and bench."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import data, say


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: referee schema > protocol.schema.json")(schema)
    app.command(epilog="Example: referee bench --json")(bench)


def schema() -> None:
    """JSON Schema (2020-12) of the protocol, both ways."""
    import msgspec

    from referee.protocol.schema import schema as protocol_schema

    data(msgspec.json.format(msgspec.json.encode(protocol_schema())))


def bench(
    bot: Annotated[
        str | None, typer.Argument(metavar="[BOT]", help="Default: one in C that answers at once; needs a compiler.")
    ] = None,
    matches: Annotated[int, typer.Option(min=1, help="Matches in a round.")] = 30,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; the medians are shown.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """What the referee itself costs on this machine, beside a loop that only sends, reads, encodes and decodes."""
    import msgspec

    from referee.bots.build import build
    from referee.bots.sandbox import choose
    from referee.bots.spec import load_bot
    from referee.tournament.bench import first_bot, measure

    layer = choose("none")
    if bot is None:
        with first_bot() as spec:
            costs = measure(spec, layer, matches, rounds)
    else:
        build(spec := load_bot(bot, Path.cwd()))
        costs = measure(spec, layer, matches, rounds)
    if as_json:
        data(msgspec.json.encode(costs))
        return
    say(f"{costs.turns} turns a round, {costs.rounds} rounds, one core; microseconds a turn, medians")
    for name in costs.__struct_fields__[3:]:
        print(f"{name}\t{getattr(costs, name)}")
