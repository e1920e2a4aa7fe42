"""Pumps the match machine: carries its effects to two bots, and brings back answers and faults.

Everything that is the next answer goes straight through `Player.ask`. What a bot is merely told waits for its next turn
and goes out in the same write, so that nobody is woken to think on the opponent's time.
"""

from collections.abc import Callable, Sequence

from referee.bots import evidence
from referee.bots.evidence import Words
from referee.bots.player import Answered, Player
from referee.match import view
from referee.match.events import Event, FaultEvent, MatchEndEvent, MatchEvent, SeatInfo
from referee.match.machine import Ask, DealOver, Effect, IllegalAction, Match, MatchOver, Record, Tell
from referee.protocol import codec
from referee.protocol.messages import WIRE_ACTIONS, Answer, FaultMessage, LegalAction
from referee.rules.shuffle import bot_seed, deck

Players = tuple[Player, Player]
Write = Callable[[Event, bytes], None]


async def play_match(header: MatchEvent, players: Players, write: Write, again: str = "") -> MatchEndEvent:
    """Play one match to its end; every line of its log goes through `write`.

    Bots that are not running are started first. What a bot does wrong ends up in the log; whatever is raised here is
    the referee's own failure, and the match does not count. `again`, the command that plays this very match again, is
    noted with each fault.
    """
    return await _Game(header, players, write, again).play()


class _Game:
    def __init__(self, header: MatchEvent, players: Players, write: Write, again: str) -> None:
        self.players, self.write, self.again = players, write, again
        self.header = header
        self.match = Match(header, self._deck, self._asks_draw)

    def _deck(self, number: int) -> Sequence[int]:
        return deck(self.header.seed, number)

    def _asks_draw(self, seat: int) -> bool:
        return self.players[seat].ready.close_before_draw

    async def play(self) -> MatchEndEvent:
        faults = await self._start([seat for seat in (0, 1) if not self.players[seat].alive])
        self.header.seats = (self._seat_info(0), self._seat_info(1))
        effects = self.match.open_log() + self.match.cannot_start(faults) if faults else self.match.start()
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
                self.players[effect.seat].hear(effect.line)
            elif type(effect) is Record:
                self.write(effect.event, effect.line)
        return effects[-1]

    async def _turn(self, ask: Ask) -> list[Effect]:
        player = self.players[ask.seat]
        answered = await player.ask(ask.request, ask.limit_us)
        while (line := answered.reply.line) is not None:
            try:
                answer = codec.decode_answer(line)
            except codec.Malformed as malformed:
                return self._wrong(ask, answered, evidence.malformed(line, str(malformed)))
            if answer.id == answered.id:
                return self._act(ask, answered, answer)
            if not 0 < answer.id < answered.id:
                return self._wrong(ask, answered, evidence.wrong_id(answer.id, answered.id))
            # Ids rise by one from 1 in each process: this is a late answer to a turn that it was really sent.
            answered = await player.wait_on(answered, ask.limit_us)
        return await self._no_answer(ask, answered)

    def _act(self, ask: Ask, answered: Answered, answer: Answer) -> list[Effect]:
        reply = answered.reply
        try:
            return self.match.act(codec.action_of(answer), reply.us, answer.note or "", reply.lag_us)
        except IllegalAction as illegal:
            return self._wrong(ask, answered, evidence.illegal(str(illegal)))

    async def _no_answer(self, ask: Ask, answered: Answered) -> list[Effect]:
        """It is killed first: only then the evidence is complete. After a line too long, too: where does it end?"""
        remains = await self.players[ask.seat].put_down(answered.reply)
        words = evidence.no_answer(answered, remains, ask.limit_us)
        fault = evidence.fault_event(words, ask, answered, self.match, remains, remains.stderr, self.again)
        return self.match.fault(fault)

    def _wrong(self, ask: Ask, answered: Answered, words: Words) -> list[Effect]:
        """It has said something, and something wrong: it is told so, and goes on."""
        stderr = self.players[ask.seat].stderr_tail()
        fault = evidence.fault_event(words, ask, answered, self.match, None, stderr, self.again)
        legal: list[LegalAction] = [WIRE_ACTIONS[action] for action in ask.legal]
        return self.match.fault(fault, FaultMessage(fault.kind, answered.id, fault.detail, legal))

    async def _next_deal(self, over: DealOver) -> list[Effect]:
        renew = [seat for seat in (0, 1) if self.players[seat].gone]
        assert set(over.renew) <= set(renew)
        faults = await self._start(renew)
        if faults:
            return self.match.cannot_start(faults)
        for seat in renew:
            self._introduce(seat)
        return self.match.next_deal()

    def _introduce(self, seat: int) -> None:
        """A new process in the midst of a match learns which one, and how it stands."""
        header = self.header
        seed = bot_seed(header.seed, header.leg, seat)
        told = view.match_begins(header.match, header.rules.match_target, seed, self.match.score, seat)
        self.players[seat].hear(told.line)

    async def _start(self, seats: Sequence[int]) -> list[FaultEvent]:
        faults = []
        for seat in seats:
            failure = await self.players[seat].start()
            if failure is not None:
                faults.append(evidence.start_fault(failure, seat, self.match.number, self.again))
        return faults

    async def _finish(self, over: MatchOver) -> MatchEndEvent:
        for player in self.players:
            await player.flush()
        return over.end
