"""Case 31: a bomb of processes goes off, and other matches are played meanwhile."""

from pathlib import Path

import pytest
import trio
from faults import arena


@pytest.mark.parametrize("layer", arena.LAYERS)
async def test_31_another_match_beside_a_fork_bomb(layer: str, tmp_path: Path, table: list[tuple[str, ...]]) -> None:
    """Two hundred processes in sessions of their own; in the sandbox there are fewer, and the verdict is the same."""
    token = arena.new_token()
    bomb = arena.spec("bomb", arena.bot_command("--token", token, "--do", "fork-many", "--count", "200"), token)
    honest = [arena.spec(name, arena.bot_command("--token", token), token) for name in ("a", "b", "c")]
    outcomes = {}

    async def play(name: str, bots: tuple[arena.BotSpec, arena.BotSpec]) -> None:
        outcomes[name] = await arena.play(tmp_path, bots, arena.layer(layer))

    with arena.nothing_left(), trio.fail_after(40 * arena.slowness()):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, "bomb", (bomb, honest[0]))
            await trio.sleep(0.3)
            nursery.start_soon(play, "beside", (honest[1], honest[2]))
        left_s = await arena.gone(token, 2.0)
    (fault,) = outcomes["bomb"].faults
    assert fault.kind == "timeout"
    assert not outcomes["beside"].faults
    took = f"{outcomes['bomb'].took_s(fault):.2f} s"
    table.append(
        ("31", "forks 200 processes, beside another match", layer, "timeout", took, f"nothing after {left_s:.2f} s")
    )
