"""Plays all scenes with one bot, and stops at the first thing that goes wrong."""

from collections.abc import Callable
from typing import NamedTuple

import trio

from referee import __version__
from referee.bots import evidence
from referee.bots.check import steps
from referee.bots.check.candidate import Candidate
from referee.bots.check.report import Failure, Report, Result, StepReport
from referee.bots.check.rival import Rival
from referee.bots.check.situations import BOT
from referee.bots.check.steps import Part, Scene, Step
from referee.bots.check.tally import CLOCK, Tally
from referee.bots.driver import play_match
from referee.bots.local import LocalPlayer
from referee.bots.player import BYE_GRACE_S
from referee.bots.process import RefereeTrouble
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.match.events import ActEvent, DealEvent, Event, FaultEvent, MatchEvent, SeatInfo
from referee.protocol import codec
from referee.protocol.messages import Bye
from referee.rules.shuffle import pair_seed

_SETTLE_S = 0.1
_UNLAUNCHED = "is the program there and executable? `command` in bot.toml is a list of words, the program first"


class Patience(NamedTuple):
    """Seconds that a bot has, whatever it is told: this is not about its speed."""

    turn: float = 10.0
    leaving: float = 3.0


_PATIENCE = Patience()

OnStep = Callable[[StepReport], None]


class _Fault(Exception):  # noqa: N818  a verdict on the bot
    """It has done something wrong, and the check ends here."""

    def __init__(self, event: FaultEvent, launched: bool = True) -> None:
        self.event, self.launched = event, launched
        super().__init__(event.detail)


async def check(
    spec: BotSpec, layer: Layer, on_step: OnStep = lambda report: None, patience: Patience = _PATIENCE
) -> Report:
    """Try everything with one bot; nothing that it has started is left. `on_step` gets each step as it is done.

    Raises RefereeTrouble if this machine cannot start a process.
    """
    return await _Checker(spec, layer, on_step, patience).run()


class _Checker:
    def __init__(self, spec: BotSpec, layer: Layer, on_step: OnStep, patience: Patience) -> None:
        self.spec, self.layer, self.on_step, self.patience = spec, layer, on_step, patience
        self.report = Report(bot=spec.name, sandbox=layer.name, result="passed", steps=[])
        self.numbers = {step.name: number for number, step in enumerate(steps.numbered(), 1)}
        self.candidate: Candidate  # the one of the present part
        self.step: Step | None = None
        self.tally = Tally()
        self.restarted = False

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
        """One process, from `hello` until it has gone. What the bot does wrong comes out as _Fault, in no group."""
        failed: _Fault | RefereeTrouble | None = None
        async with trio.open_nursery() as nursery:
            self.candidate = Candidate(self.spec.name, self.spec, self.layer, part.rules, CLOCK, nursery)
            self.candidate.see = self._asked
            self.candidate.limit_s, self.candidate.patience_s = self.patience
            try:
                await self._play(part)
            except (_Fault, RefereeTrouble) as fault:
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
            self.tally.notes.append("close_before_draw is not asked for: no turns before the draw")

    async def _scene(self, scene: Scene, part: Part) -> None:
        self.scene = scene
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
        if await self.candidate.stays(_SETTLE_S):
            return
        how = self._exit_text()
        detail = f"its process ended after the match, when nothing was asked: {how}"
        if how != "exit code 0":
            stderr = self.candidate.stderr_tail()
            raise _Fault(FaultEvent(deal=0, seat=BOT, kind="crash", us=0, detail=detail, exit=how, stderr=stderr))
        self.tally.warnings.append(f"{detail}; it is no fault, but it has to be started again for each match")

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
            self.tally.warnings.append(f"it did not leave by itself: killed after {took:.0f} s. {ending.hint}")
        elif took > BYE_GRACE_S:
            self.tally.warnings.append(f"it left after {took:.1f} s; a tournament kills it after {BYE_GRACE_S} s")
        elif how != "exit code 0":
            self.tally.warnings.append(f"it left with {how}")

    # ----------------------------------------------------------------------------------------------------------- steps

    def _write(self, event: Event, line: bytes) -> None:
        """The log of the match as it is written."""
        if isinstance(event, FaultEvent):
            raise _Fault(event)
        if isinstance(event, DealEvent):
            self._enter(self.scene.steps[min(event.deal, len(self.scene.steps)) - 1])
        self.tally.event(event)
        if isinstance(event, ActEvent) and event.seat == BOT and self.step is steps.FIRST:
            self._enter(steps.SEVERAL)

    def _asked(self, request: bytes) -> None:
        """A turn, right before it is sent."""
        self.tally.asked(request)
        if self.candidate.starts == 1:
            self.tally.seen[steps.SAME_PROCESS] += 1
        if self.restarted and self.tally.deal > 1:
            self.tally.seen[steps.MIDWAY] += 1

    def _enter(self, step: Step) -> None:
        if step is not self.step:
            self._finish()
            self.step = step
        self.candidate.wire = step.wire

    def _finish(self) -> None:
        """The present step is done."""
        if self.step is not None and self.step.name not in (done.name for done in self.report.steps):
            self.tally.unasked(self.candidate.dropped)
            self.candidate.dropped = 0
            self._report(self.tally.result(self.step))
        self.tally.clear()

    def _report(self, result: Result) -> None:
        step = self.step
        assert step is not None
        report = StepReport(
            number=self.numbers[step.name],
            name=step.name,
            where=step.where,
            result=result,
            notes=[*self.tally.warnings, *self.tally.notes],
            slowest_ms=None if self.tally.slowest_us is None else self.tally.slowest_us / 1000,
        )
        self.report.steps.append(report)
        self.on_step(report)

    # --------------------------------------------------------------------------------------------------------- failing

    async def _failed(self, fault: _Fault) -> bool:
        """Note it; whether the check goes on."""
        step, event = self.step, fault.event
        assert step is not None
        if step.only_warns:
            self.tally.notes += [f"{event.kind}: {self._in_words(event)}", *_hints(event, step)]
            self._report("warning")
            self.tally.clear()
            return True
        self._report("failed")
        self.report.result = "failed" if fault.launched else "not started"
        self.report.failure = self._failure(step, event, fault.launched)
        return False

    def _failure(self, step: Step, event: FaultEvent, launched: bool) -> Failure:
        return Failure(
            number=self.numbers[step.name],
            name=step.name,
            where=step.where,
            kind=event.kind,
            detail=self._in_words(event),
            hints=_hints(event, step) if launched else [_UNLAUNCHED],
            sent=[line.decode().rstrip("\n") for line in self.candidate.sent if launched],
            came=repr(self.candidate.came),
            after_ms=event.us / 1000,
            legal=event.legal,
            exit=event.exit,
            stderr=event.stderr,
        )

    def _in_words(self, event: FaultEvent) -> str:
        """The limit in the evidence is what the bot is told, not the one that was held here."""
        if event.kind == "timeout":
            return f"{event.detail.partition(' within ')[0]} within {self.patience.turn:g} s"
        return event.detail

    def _exit_text(self) -> str:
        return "" if self.candidate.process is None else self.candidate.process.exit_text()


def _hints(event: FaultEvent, step: Step) -> list[str]:
    return [hint for hint in (event.hint, step.hint) if hint]
