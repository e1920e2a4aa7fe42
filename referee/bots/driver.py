"""Pumps the match machine: carries its effects to two bots, and brings back answers and faults.

Everything that is the next answer goes straight through `Player.ask`. What a bot is merely told waits for its next turn
and goes out in the same write, so that nobody is woken to think on the opponent's time.
"""

from collections.abc import Callable, Sequence

from referee.bots.evidence import failed, fault_event, malformed_hint, start_fault
from referee.bots.player import Answered, Player
from referee.match.events import Event, FaultEvent, MatchEndEvent, MatchEvent, SeatInfo
from referee.match.machine import Ask, DealOver, Effect, IllegalAction, Match, MatchOver, Record, Tell
from referee.protocol import codec
from referee.protocol.messages import WIRE_ACTIONS, Answer, FaultMessage, LegalAction, ToBot
from referee.rules.shuffle import deck

Players = tuple[Player, Player]
Write = Callable[[Event, bytes], None]


async def play_match(header: MatchEvent, players: Players, write: Write) -> MatchEndEvent:
    """Play one match to its end; every line of its log goes through `write`.

    Bots that are not running are started first. What a bot does wrong ends up in the log; whatever is raised here is the
    referee's own failure, and the match does not count.
    """
    return await _Game(header, players, write).play()


class _Game:
    def __init__(self, header: MatchEvent, players: Players, write: Write) -> None:
        self.players, self.write = players, write
        self.header = header
        self.match = Match(header, self._deck, self._asks_draw)

    def _deck(self, number: int) -> Sequence[int]:
        return deck(self.header.seed, number)

    def _asks_draw(self, seat: int) -> bool:
        return self.players[seat].ready.close_before_draw

    async def play(self) -> MatchEndEvent:
        faults = await self._start([seat for seat in (0, 1) if not self.players[seat].alive])
        self.header.seats = (self._seat_info(0), self._seat_info(1))
        if faults:
            effects = self.match.open_log() + self.match.cannot_start(faults)
        else:
            effects = self.match.start()
        while True:
            last = self._carry_out(effects)
            if type(last) is Ask:
                effects = await self._turn(last)
            elif type(last) is DealOver:
                effects = await self._next_deal(last)
            else:
                assert isinstance(last, MatchOver)
                return await self._finish(last)

    def _seat_info(self, seat: int) -> SeatInfo:
        player = self.players[seat]
        says = player.ready.name[:80]
        return SeatInfo(player.name, player.ready.version[:80], "" if says == player.name else says)

    def _carry_out(self, effects: Sequence[Effect]) -> Effect:
        """Tell and record; returns what the machine waits for."""
        for effect in effects:
            if type(effect) is Tell:
                self.players[effect.seat].hear(effect.message)
            elif type(effect) is Record:
                self.write(effect.event, effect.line)
        return effects[-1]

    async def _turn(self, ask: Ask) -> list[Effect]:
        player = self.players[ask.seat]
        answered = await player.ask(ask.turn, ask.limit_us)
        line = answered.reply.line
        if line is None:
            return self._failed(ask, answered)
        try:
            answer = codec.decode_answer(line)
        except codec.Malformed as malformed:
            return self._wrong(ask, answered, "malformed", str(malformed), malformed_hint(line))
        if answer.id != answered.id:
            return self._wrong(ask, answered, "malformed", f"id {answer.id} is not the id of this turn", _ID_HINT)
        return self._act(ask, answered, answer)

    def _act(self, ask: Ask, answered: Answered, answer: Answer) -> list[Effect]:
        reply = answered.reply
        try:
            return self.match.act(codec.action_of(answer), reply.us, answer.note or "", reply.lag_us)
        except IllegalAction as illegal:
            return self._wrong(ask, answered, "illegal", str(illegal))

    def _failed(self, ask: Ask, answered: Answered) -> list[Effect]:
        process = self.players[ask.seat].process
        assert process is not None
        fault = failed(ask, answered, process, self.match)
        told = self._told(ask, answered, fault) if fault.kind == "malformed" else None
        return self.match.fault(fault, told)

    def _wrong(self, ask: Ask, answered: Answered, kind: str, detail: str, hint: str = "") -> list[Effect]:
        process = self.players[ask.seat].process
        assert process is not None
        fault = fault_event(kind, detail, ask, answered, process, self.match, hint)  # type: ignore[arg-type]
        return self.match.fault(fault, self._told(ask, answered, fault))

    def _told(self, ask: Ask, answered: Answered, fault: FaultEvent) -> ToBot:
        legal: list[LegalAction] = [WIRE_ACTIONS[action] for action in ask.legal]
        return FaultMessage(fault.kind, answered.id, fault.detail, legal)

    async def _next_deal(self, over: DealOver) -> list[Effect]:
        for seat in over.renew:
            await self.players[seat].kill()
        faults = await self._start(over.renew)
        return self.match.cannot_start(faults) if faults else self.match.next_deal()

    async def _start(self, seats: Sequence[int]) -> list[FaultEvent]:
        faults = []
        for seat in seats:
            player = self.players[seat]
            failure = await player.start()
            if failure is not None:
                faults.append(start_fault(failure, seat, self.match.number, player.process))
        return faults

    async def _finish(self, over: MatchOver) -> MatchEndEvent:
        for player in self.players:
            await player.flush()
        return over.end


_ID_HINT = "copy the id of the turn into the answer; ids rise, and only the newest is open"
