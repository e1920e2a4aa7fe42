"""Every file in `cases/`: what one bot does, the verdict, how soon, with which evidence; the same word in every layer.

numbers   of the list of cases
says      what the bot does, in words
flags     of misbehave.py; or `command` (and `files` that it needs, their first line `#!` makes them executable)
verdict   the kinds of the faults in their order, with blanks between; a regular expression; "" for none
within    seconds from the question to the first verdict; T and E as in the list
evidence  regular expressions that the fault's fields must match; `stderr_of_opponent` and such are not part of it
dropped   at least so many lines are dropped and counted
start_s   the start limit
kb        that the log may have at most (64); `growth_mb`: of the referee's memory (no bound)
variants  tables with a `name` that replace some of the above
"""

import re
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
import trio
from faults import arena

CASES = sorted((Path(__file__).parent / "cases").glob("*.toml"))


def cases() -> list[Any]:
    found = []
    for path in CASES:
        table = tomllib.loads(path.read_text("utf-8"))
        for variant in table.pop("variants", [{}]):
            name = variant.pop("name", "")
            case = {"verdict": "", "dropped": 0, "kb": 64, **table, **variant}
            case["says"] += f": {name}" if name else ""
            found.append(pytest.param(case, id="-".join(filter(None, (path.stem, name.replace(" ", "-"))))))
    return found


@pytest.mark.parametrize("layer_name", arena.LAYERS)
@pytest.mark.parametrize("case", cases())
async def test_case(case: dict[str, Any], layer_name: str, tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    layer, token = arena.layer(layer_name), arena.new_token()
    bad = bad_bot(case, token, tmp_path)
    honest = arena.spec("honest", arena.bot_command(), token)
    with arena.nothing_left(), trio.fail_after(30 * arena.slowness()):
        clock = arena.Clock(
            start_ms=int(case.get("start_s", arena.start_s()) * 1000), move_ms=int(arena.move_s() * 1000)
        )
        outcome = await arena.play(tmp_path, (bad, honest), layer, clock)
        outcome.gone_s = await arena.gone(token, 2.0)

    kinds = " ".join(fault.kind for fault in outcome.faults)
    assert re.fullmatch(case["verdict"], kinds), [(fault.kind, fault.detail) for fault in outcome.faults]
    assert all(fault.seat == 0 for fault in outcome.faults)
    for fault in outcome.faults[:1]:
        limit = eval(case["within"], {"T": arena.move_s(), "E": arena.slack_s(), "START": arena.start_s()})
        assert outcome.took_s(fault) <= limit if fault.kind != "start" else fault.us <= limit * 1e6
        for name, pattern in case.get("evidence", {}).items():
            assert re.search(pattern, str(getattr(fault, name))), f"{name}: {getattr(fault, name)!r}"
    assert outcome.dropped[0] >= case["dropped"]
    assert outcome.size <= case["kb"] * 1024
    assert outcome.growth_kb <= case.get("growth_mb", 1 << 20) * 1024
    for pattern in case.get("stderr", []):
        assert re.search(pattern, outcome.stderr[0]), outcome.stderr[0][-2000:]
    if outcome.end.reason == "target":
        score = "{1}-{0}".format(*outcome.end.score)
        assert f"result {('opponent', 'you')[outcome.end.winner or 0]} {score}" in outcome.stderr[1]
    else:
        assert (outcome.end.reason, outcome.end.winner) == ("start_fault", 1)
    numbers = ", ".join(map(str, case["numbers"]))
    times = [
        f"{outcome.took_s(fault) if fault.kind != 'start' else fault.us / 1e6:.2f} s" for fault in outcome.faults[:1]
    ]
    row = (numbers, case["says"], layer_name, kinds or "none", *(times or ["-"]))
    table.append((*row, f"nothing after {outcome.gone_s:.2f} s"))


def bad_bot(case: dict[str, Any], token: str, folder: Path) -> arena.BotSpec:
    if "flags" in case:
        return arena.spec("bad", arena.bot_command("--token", token, *case["flags"]), token)
    folder = folder / "bad"
    folder.mkdir()
    for name, text in case.get("files", {}).items():
        path = folder / name
        path.write_text(text)
        if text.startswith("#!"):
            path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return arena.spec("bad", case["command"], token, folder)
