"""Plays all scenes with one bot, and stops at the first thing that goes wrong."""

from collections import Counter
from collections.abc import Callable

import msgspec
import trio

from referee import __version__
from referee.bots import evidence
from referee.bots.check import situations, steps
from referee.bots.check.candidate import LIMIT_S, Candidate
from referee.bots.check.report import Failure, Report, Result, StepReport
from referee.bots.check.rival import Rival
from referee.bots.check.situations import BOT, PROMISED
from referee.bots.check.steps import Part, Scene, Step
from referee.bots.driver import play_match
from referee.bots.local import LocalPlayer
from referee.bots.player import BYE_GRACE_S
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.match.clock import Clock
from referee.match.events import ActEvent, DealEndEvent, DealEvent, Event, FaultEvent, MatchEvent, SeatInfo
from referee.protocol import codec
from referee.protocol.messages import Bye, Turn
from referee.rules.shuffle import pair_seed

CLOCK = Clock()
"""What the bot is told: a tournament's defaults. The limits that are held here are wider."""

_SLOW_US = 100 * (CLOCK.move_ms or 1000)
_SETTLE_S = 0.2
_turn = msgspec.json.Decoder(Turn).decode

OnStep = Callable[[StepReport], None]


class _Fault(Exception):  # noqa: N818  a verdict on the bot
    """It has done something wrong, and the check ends here."""

    def __init__(self, event: FaultEvent, launched: bool = True) -> None:
        self.event, self.launched = event, launched
        super().__init__(event.detail)


async def check(spec: BotSpec, layer: Layer, on_step: OnStep = lambda report: None) -> Report:
    """Try everything with one bot; nothing that it has started is left. `on_step` gets each step as it is done.

    Raises RefereeTrouble if this machine cannot start a process.
    """
    return await _Checker(spec, layer, on_step).run()


class _Checker:
    def __init__(self, spec: BotSpec, layer: Layer, on_step: OnStep) -> None:
        self.spec, self.layer, self.on_step = spec, layer, on_step
        self.report = Report(bot=spec.name, sandbox=layer.name, result="passed", steps=[])
        self.numbers = {step.name: number for number, step in enumerate(steps.numbered(), 1)}
        self.candidate: Candidate  # the one of the present part
        self.step: Step | None = None
        self._clear()
        self.deal = self.turns = 0  # the number of the deal, and the bot's turns in it
        self.announced = self.restarted = False

    def _clear(self) -> None:
        """A new step: nothing has been seen of it."""
        self.seen: Counter[str] = Counter()
        self.notes: list[str] = []
        self.warnings: list[str] = []
        self.slowest_us = -1

    # ------------------------------------------------------------------------------------------------ parts and scenes

    async def run(self) -> Report:
        for part in steps.PARTS:
            try:
                await self._part(part)
            except _Fault as fault:
                if not await self._failed(fault):
                    break
        return self.report

    async def _part(self, part: Part) -> None:
        """One process, from `hello` until it has gone. What goes wrong in it comes out as _Fault, in no group."""
        failed: _Fault | None = None
        async with trio.open_nursery() as nursery:
            self.candidate = Candidate(self.spec.name, self.spec, self.layer, part.rules, CLOCK, nursery)
            self.candidate.see = self._asked
            try:
                await self._play(part)
            except _Fault as fault:
                failed = fault
            finally:
                with trio.CancelScope(shield=True):
                    await self.candidate.kill()
        if failed is not None:
            raise failed

    async def _play(self, part: Part) -> None:
        await self._hello(part.scenes[0].steps[0] if self.step else steps.HELLO)
        for scene in part.scenes:
            await self._scene(scene, part)
            if steps.FIRST in scene.steps:
                await self._after_first()
        await self._leave(part.ending)
        self._finish()

    async def _hello(self, step: Step) -> None:
        self._enter(step)
        failure = await self.candidate.start()
        if failure is not None:
            raise _Fault(evidence.start_fault(failure, BOT, 0, ""), launched=failure.reply is not None)
        ready = self.candidate.ready
        if step is steps.HELLO and not ready.close_before_draw:
            self.notes.append("close_before_draw is not asked for: no turns before the draw")

    async def _scene(self, scene: Scene, part: Part) -> None:
        self.scene = scene
        if not self.candidate.alive:
            self.notes.append(f"its process had ended: {self._exit_text()}; it was started again")
        rival = Rival(scene.scripts, self._restart)
        opponent = LocalPlayer("referee", rival.choose, lambda heard: None)
        await play_match(self._header(scene, part), (opponent, self.candidate), self._write)

    def _header(self, scene: Scene, part: Part) -> MatchEvent:
        return MatchEvent(
            match=f"check-{scene.pair}",
            rules=part.rules,
            clock=CLOCK,
            seed=pair_seed(steps.MASTER, scene.pair),
            pair=scene.pair,
            leg="a",
            seats=(SeatInfo("referee"), SeatInfo(self.spec.name)),
            first_dealer=scene.dealer,
            referee=__version__,
            started="",
        )

    async def _after_first(self) -> None:
        """Nothing is asked after a match: whether the bot has survived it shows only by looking."""
        self._enter(steps.MATCH_END)
        if not await self.candidate.stays(_SETTLE_S):
            self.warnings.append(
                f"its process ended after the match: {self._exit_text()}; "
                "this is no fault, but it has to be started again for each match"
            )
            self.notes += self._last_words()

    async def _restart(self) -> None:
        """In the opponent's turn, when the bot is owed nothing: it is not its fault."""
        await self.candidate.kill()
        self.restarted = True

    async def _leave(self, ending: Step | None) -> None:
        if ending is None or not self.candidate.alive:
            return
        self._enter(ending)
        took, how = await self.candidate.leave(codec.encode(Bye()) if ending is steps.BYE else b"")
        if how == "SIGKILL":
            self.warnings.append(f"it did not leave by itself: killed after {took:.0f} s. {ending.hint}")
        elif took > BYE_GRACE_S:
            self.warnings.append(f"it left after {took:.1f} s; a tournament kills it after {BYE_GRACE_S} s")
        elif how != "exit code 0":
            self.warnings.append(f"it left with {how}")

    # ------------------------------------------------------------------------------------------------- what is watched

    def _write(self, event: Event, line: bytes) -> None:
        """The log of the match as it is written."""
        if isinstance(event, DealEvent):
            self.deal, self.turns = event.deal, 0
            self._enter(self.scene.steps[min(event.deal, len(self.scene.steps)) - 1])
        elif isinstance(event, ActEvent):
            self.seen[situations.in_act(event)] += 1
            self.announced = event.seat == BOT and event.action == "marriage"
            if event.seat == BOT:
                self.slowest_us = max(self.slowest_us, event.us)
        elif isinstance(event, DealEndEvent):
            self.seen.update(situations.in_end(event, self.turns))
        elif isinstance(event, FaultEvent):
            raise _Fault(event)

    def _asked(self, request: bytes) -> None:
        """A turn, right before it is sent."""
        self.turns += 1
        self.seen.update(situations.in_turn(_turn(request), self.announced))
        if self.deal == 30:
            self.seen[steps.LONG] += 1
        if self.restarted and self.deal > 1:
            self.seen[steps.MIDWAY] += 1

    # ----------------------------------------------------------------------------------------------------------- steps

    def _enter(self, step: Step) -> None:
        if step is not self.step:
            self._finish()
            self.step = step
        self.candidate.wire = step.wire

    def _finish(self) -> None:
        """The present step is done."""
        if self.step is not None and self.step.name not in (done.name for done in self.report.steps):
            self._report(self._result(self.step))
        self._clear()

    def _result(self, step: Step) -> Result:
        missing = [need for need in step.needs if not self.seen[need]]
        if self.slowest_us > _SLOW_US:
            self.warnings.append(f"an answer took {self.slowest_us / 1000:.0f} ms, a tenth of the default limit is "
                                 f"{_SLOW_US // 1000}")  # fmt: skip
        if self.candidate.dropped:
            self.warnings.append(f"{self.candidate.dropped} lines that were not asked for were dropped")
            self.candidate.dropped = 0
        offers = [self._offer(what) for what in step.offers]
        self.notes += [f"did not come about: {need}" for need in missing] + [text for text, _ in offers if text]
        if self.warnings:
            return "warning"
        exercised = not missing and (not offers or any(taken for _, taken in offers))
        return "passed" if exercised else "not exercised"

    def _offer(self, what: str) -> tuple[str, bool]:
        """How often it was the bot's to take, and whether it did."""
        offers, takes = self.seen[situations.offered(what)], self.seen[situations.taken(what)]
        if not offers:
            return "", False
        promised = f", king or queen led {_times(self.seen[PROMISED])}" if what == situations.MARRIAGE and takes else ""
        return f"{what}: offered {_times(offers)}, taken {takes}{promised}", takes > 0

    def _report(self, result: Result) -> None:
        step = self.step
        assert step is not None
        report = StepReport(
            number=self.numbers[step.name],
            name=step.name,
            where=step.where,
            result=result,
            notes=[*self.warnings, *self.notes],
            slowest_ms=self.slowest_us / 1000 if self.slowest_us >= 0 else None,
        )
        self.report.steps.append(report)
        self.on_step(report)

    # --------------------------------------------------------------------------------------------------------- failing

    async def _failed(self, fault: _Fault) -> bool:
        """Note it; whether the check goes on."""
        step, event = self.step, fault.event
        assert step is not None
        if step.only_warns:
            self.notes += [f"{event.kind}: {_in_words(event)}", *_hints(event, step)]
            self._report("warning")
            self._clear()
            return True
        self._report("failed")
        self.report.result = "failed" if fault.launched else "not started"
        self.report.failure = self._failure(step, event)
        return False

    def _failure(self, step: Step, event: FaultEvent) -> Failure:
        return Failure(
            number=self.numbers[step.name],
            name=step.name,
            where=step.where,
            kind=event.kind,
            detail=_in_words(event),
            hints=_hints(event, step),
            sent=[line.decode().rstrip("\n") for line in self.candidate.sent],
            came=repr(self.candidate.came),
            after_ms=event.us / 1000,
            legal=event.legal,
            exit=event.exit,
            stderr=event.stderr,
        )

    def _exit_text(self) -> str:
        return "" if self.candidate.process is None else self.candidate.process.exit_text()

    def _last_words(self) -> list[str]:
        lines = self.candidate.stderr_tail().strip().splitlines()
        return [f"its last words: {evidence.quoted(lines[-1].encode())}"] if lines else []


def _in_words(event: FaultEvent) -> str:
    """The limit in the evidence is what the bot is told, not the one that was held here."""
    if event.kind == "timeout":
        return f"no {'complete line' if event.answer and not event.exit else 'answer'} within {LIMIT_S} s"
    return event.detail


def _hints(event: FaultEvent, step: Step) -> list[str]:
    return [hint for hint in (event.hint, step.hint) if hint]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
