"""One seat of a logged match again, with one bot: where does it answer otherwise than the log says?

There is no opponent and no clock: the bot gets the bytes that were sent in the match, whatever it answers.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
import trio

from referee.bots import evidence
from referee.bots.launch import RefereeTrouble
from referee.bots.patient import PatientPlayer
from referee.bots.player import Answered
from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.errors import BotStartError
from referee.match.events import ActEvent, FaultEvent, MatchEvent
from referee.protocol import codec
from referee.protocol.messages import Turn
from referee.rules.cards import ACTIONS
from referee.store.conversation import Asked, Dealt, Item, Lost, Told, conversation, first_id
from referee.store.matchlog import Line

Verdict = Literal["legal", "illegal", "malformed", "crash", "flood"]

_turn = msgspec.json.Decoder(Turn).decode


class Difference(msgspec.Struct, kw_only=True):
    """A turn at which the bot does not do what the log says."""

    deal: int
    turn: int
    """Within the deal, from 1."""
    position: str
    recorded: str
    now: str
    verdict: Verdict
    """What the answer would have been."""
    hint: str = ""


class Outcome(msgspec.Struct, kw_only=True):
    """Of a whole rerun."""

    seat: int
    asked: int = 0
    differences: list[Difference] = []


class Watch(msgspec.Struct):
    """Whom to tell: `started` gets pids, `differs` what was found as it is found."""

    started: Callable[[int], None]
    differs: Callable[[Difference], None]


def seat_of(lines: Sequence[Line], bot: str) -> int:
    """The seat to take if nobody says which: the bot's by its name, else the one whose fault is in the log, else 0."""
    header = lines[0].event
    assert isinstance(header, MatchEvent)
    named = [seat for seat, info in enumerate(header.seats) if bot in (info.name, info.says)]
    at_fault = [line.event.seat for line in lines if isinstance(line.event, FaultEvent)]
    return [*named, *at_fault, 0][0]


async def rerun(
    lines: Sequence[Line],
    seat: int,
    spec: BotSpec,
    layer: Layer,
    watch: Watch,
    only: int | None = None,
    through: bool = False,
) -> Outcome:
    """All deals, or `only` one, which then begins as for a process that was started in the midst of the match.

    Nothing of the bot is left. Raises Disagreement, BotStartError, RefereeTrouble.
    """
    header = lines[0].event
    assert isinstance(header, MatchEvent)
    items = list(conversation(lines, seat))
    failed: Exception | None = None
    async with trio.open_nursery() as nursery:
        player = PatientPlayer(spec, layer, header.rules, header.clock, nursery, watch.started, through)
        run = _Rerun(player, Outcome(seat=seat), watch)
        try:
            await run.all(_chosen(items, only), 1 if only else first_id(items))
            await player.flush()
            await player.dismiss()
        except (BotStartError, RefereeTrouble) as error:
            failed = error
        finally:
            with trio.CancelScope(shield=True):
                await player.kill()
    if failed is not None:
        raise failed
    return run.outcome


def _chosen(items: list[Item], only: int | None) -> list[Item]:
    """The items of one deal, or all."""
    if only is None:
        return items
    chosen, deal = [], 0
    for item in items:
        deal = item.deal if isinstance(item, Dealt) else deal
        if deal == only:
            chosen.append(item)
    return chosen


class _Rerun:
    def __init__(self, player: PatientPlayer, outcome: Outcome, watch: Watch) -> None:
        self.player, self.outcome, self.watch = player, outcome, watch

    async def all(self, items: Sequence[Item], first: int) -> None:
        for item in items:
            if isinstance(item, Dealt):
                first = await self._deal(item, first)
            elif self.player.gone:
                continue
            elif isinstance(item, Told):
                self.player.hear(item.line)
            elif isinstance(item, Asked):
                await self._ask(item)
            else:
                assert isinstance(item, Lost)
                await self.player.kill()

    async def _deal(self, item: Dealt, first: int) -> int:
        """A new process if there is none; the id that the one after it begins with."""
        if not self.player.gone:
            return first
        failure = await self.player.start()
        if failure is not None:
            tail = failure.remains.stderr if failure.remains else ""
            why = f"bot {self.player.name} did not start: {evidence.start_detail(failure)}"
            raise BotStartError(f"{why}\n{tail}".rstrip())
        self.player.count_from(first)
        self.player.hear(item.introduction)
        return 1

    async def _ask(self, item: Asked) -> None:
        answered = await self.player.ask(item.request, None)
        now, verdict, hint = await self._judged(item, answered)
        self.outcome.asked += 1
        recorded = item.recorded
        if isinstance(recorded, ActEvent):
            words = " ".join(word for word in (recorded.action, recorded.card, recorded.suit) if word)
            same = words == now and verdict == "legal"
        else:
            words = f"{recorded.kind}: {recorded.detail}"
            same = recorded.kind == verdict
        if not same:
            self._differs(item, words, now, verdict, hint)

    def _differs(self, item: Asked, recorded: str, now: str, verdict: Verdict, hint: str) -> None:
        difference = Difference(
            deal=item.deal,
            turn=item.turn,
            position=position(item.request),
            recorded=recorded,
            now=now,
            verdict=verdict,
            hint=hint,
        )
        self.outcome.differences.append(difference)
        self.watch.differs(difference)

    async def _judged(self, item: Asked, answered: Answered) -> tuple[str, Verdict, str]:
        """What the bot says now, what that is, and a hint; as the driver judges, but nothing comes of it."""
        while (line := answered.reply.line) is not None:
            try:
                answer = codec.decode_answer(line)
            except codec.Malformed as malformed:
                words = evidence.malformed(line, str(malformed))
                return words.detail, "malformed", words.hint
            if answer.id == answered.id:
                code = codec.action_of(answer)
                return str(ACTIONS[code]), "legal" if code in item.legal else "illegal", ""
            if not 0 < answer.id < answered.id:
                words = evidence.wrong_id(answer.id, answered.id)
                return words.detail, "malformed", words.hint
            answered = await self.player.wait_on(answered, None)
        words = evidence.no_answer(answered, await self.player.put_down(answered.reply), None)
        assert words.kind in ("crash", "flood", "malformed")
        return words.detail, words.kind, words.hint


def position(request: bytes) -> str:
    """A turn in words, from the request behind its id."""
    turn = _turn(b'{"type":"turn","id":0' + request)
    what = {"lead": "to lead", "draw": "before the draw"}.get(turn.phase, f"to answer {turn.led}")
    up = f" ({turn.trump_card} face up)" if turn.trump_card else ""
    closed = {"you": ", closed by itself", "opponent": ", closed by the opponent", None: ""}[turn.closed_by]
    return f"{what}, holding {' '.join(turn.hand)}; trump {turn.trump}{up}, stock {turn.stock}{closed}"
