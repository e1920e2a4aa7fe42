"""The steps of a check: each scene leads to what it says, whatever the bot does."""

import random
from pathlib import Path
from typing import Any

import pytest
import trio

from referee.bots.check import steps
from referee.bots.check.rival import Rival
from referee.bots.check.situations import CLOSE, EXCHANGE, MARRIAGE, offered
from referee.bots.check.steps import PARTS, Scene, numbered
from referee.bots.check.tally import CLOCK, Tally
from referee.bots.driver import play_match
from referee.bots.local import LocalPlayer
from referee.bots.player import Answered
from referee.match.events import Event, MatchEvent, SeatInfo
from referee.match.view import with_id
from referee.protocol.messages import Close, Declare, LegalAction, Turn
from referee.rules.ruleset import Rules
from referee.rules.shuffle import pair_seed

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "example_bots"
DEADLINE_S = 60
SCENES = [(scene, part.rules) for part in PARTS for scene in part.scenes]
NEED_A_PROCESS = {steps.SAME_PROCESS, steps.MIDWAY}


class Anyhow(LocalPlayer):
    """Plays anything, but does not end a deal by itself; tells the tally what it is asked."""

    def __init__(self, seed: int, tally: Tally) -> None:
        super().__init__("anyhow", self.any_action, lambda heard: None, close_before_draw=bool(seed % 2))
        self.random, self.tally = random.Random(seed), tally

    async def any_action(self, heard: Any, turn: Turn) -> LegalAction:
        return self.random.choice([each for each in turn.legal if not isinstance(each, Declare | Close)])

    async def ask(self, request: bytes, limit_us: int | None) -> Answered:
        self.tally.asked(with_id(1, request))
        return await super().ask(request, limit_us)


async def seen_in(scene: Scene, rules: Rules, seed: int) -> set[str]:
    """What a bot that plays anything meets in a scene."""
    tally = Tally()

    async def restart() -> None:
        pass

    def write(event: Event, line: bytes) -> None:
        tally.event(event)

    rival = LocalPlayer("referee", Rival(scene.scripts, restart).choose, lambda heard: None)
    header = MatchEvent(
        match="m", rules=rules, clock=CLOCK, seed=pair_seed(steps.MASTER, scene.pair), pair=1, leg="a",
        seats=(SeatInfo("a"), SeatInfo("b")), first_dealer=scene.dealer, referee="0", started="",
    )  # fmt: skip
    with trio.fail_after(DEADLINE_S):
        await play_match(header, (rival, Anyhow(seed, tally)), write)
    return {situation for situation, times in tally.seen.items() if times}


@pytest.mark.parametrize(("scene", "rules"), SCENES, ids=[f"pair {scene.pair}" for scene, _ in SCENES])
async def test_a_scene_forces_what_it_says(scene: Scene, rules: Rules) -> None:
    for seed in range(3 if rules.match_target > 7 else 30):
        seen = await seen_in(scene, rules, seed)
        for step in scene.steps:
            wanted = {*step.needs, *(offered(what) for what in step.offers if what in (MARRIAGE, EXCHANGE, CLOSE))}
            assert wanted - NEED_A_PROCESS <= seen, f"seed {seed}: {step.name}"


def test_the_bot_leads_to_no_marriage_before_the_step_that_is_about_it() -> None:
    names = [step.name for step in numbered()]
    assert len(names) == len(set(names)) == 30
    marry = names.index(steps.MARRY.name)
    assert {steps.BEAT.name, steps.SECOND.name, steps.SEVERAL.name} <= set(names[:marry])


def test_what_is_not_on_the_page_is_not_referred_to() -> None:
    """Each step names sections of protocol.md that are there, and words that stand there."""
    page = (HERE.parent.parent / "protocol.md").read_text("utf-8")
    titles = {line.lstrip("# ").strip().lower().replace(" ", "-") for line in page.splitlines() if line[:1] == "#"}
    for step in numbered():
        anchors = [word.partition("#")[2].strip(",;:") for word in step.where.split() if "#" in word]
        assert anchors
        for anchor in anchors:
            assert anchor.partition(":")[0] in titles, f"{step.name}: {anchor}"
