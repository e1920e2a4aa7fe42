"""Case 35, run by itself beside the other tests: a bot lives for 16 s while nothing else is spawned, and answers.

A process that dies with the *thread* that started it would be gone after ten idle seconds.
"""

import sys

import trio
from faults import arena
from faults.test_clock import DEAL, ready, turn

SECONDS = 16


async def live(layer: str) -> None:
    async with trio.open_nursery() as nursery:
        bot = await ready(nursery, arena.new_token(), layer=layer)
        await bot.tell(DEAL, 1.0)
        for number in (1, 2):
            assert (await bot.ask(turn(number), 5_000_000)).line, "no answer"
            await trio.sleep(SECONDS if number == 1 else 0)
        assert not bot.exited
        await bot.kill()


trio.run(live, sys.argv[1])
