"""A match as a pure state machine: inputs (an answer, a fault) in, effects out.

The live referee, `verify`, `replay`, the fuzzers and a person at the terminal all drive this one machine; none of them
decides anything about the game. Inputs and what they lead to:

    state      input                effects end with
    new        start()              Ask
    asking     act(seat, ...)       Ask, DealOver or MatchOver     (raises IllegalAction, and nothing has changed)
    asking     fault(seat, ...)     DealOver or MatchOver
    deal over  next_deal()          Ask
    any        cannot_start(...)    MatchOver

Every list of effects is a number of `Tell` and `Record`, then exactly one of `Ask`, `DealOver`, `MatchOver`.
"""

from collections.abc import Callable, Sequence

import msgspec

from referee.match import view
from referee.match.clock import Bank
from referee.match.events import (
    ActEvent,
    DealEndEvent,
    DealEvent,
    Digest,
    Event,
    FaultEvent,
    MatchEndEvent,
    MatchEvent,
    MatchReason,
    encode,
)
from referee.match.view import Tell as Tell  # an effect, like those below
from referee.protocol.messages import ToBot, Turn
from referee.rules.cards import ACTIONS, CARDS, DRAW, MARRIAGE, NO_CARD
from referee.rules.deal import DRAWING, OVER, Deal
from referee.rules.shuffle import bot_seed


class IllegalAction(Exception):  # noqa: N818  a verdict on an action, not an error of ours
    """A well-formed action that is not legal now; the state has not changed."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """Write this line into the log; `line` is its encoded form."""

    event: Event
    line: bytes


class Ask(msgspec.Struct, frozen=True, gc=False):
    """Ask `seat` for an action; `legal` are action numbers, `limit_us` is None where no clock runs.

    It stands for the position as it is: what it says is to be read before the next input.
    """

    seat: int
    limit_us: int | None
    legal: tuple[int, ...]
    deal: Deal
    move_ms: int | None
    match_ms: int | None

    @property
    def request(self) -> bytes:
        """The `turn` line from behind its id, which the asker adds (`view.with_id`)."""
        return view.request(self.deal, self.legal, self.move_ms, self.match_ms)

    @property
    def turn(self) -> Turn:
        """The request as a message, with id 0."""
        return msgspec.json.decode(view.with_id(0, self.request), type=Turn)


class DealOver(msgspec.Struct, frozen=True):
    """Start new processes for the seats in `renew`, then call `next_deal`."""

    renew: tuple[int, ...]


class MatchOver(msgspec.Struct, frozen=True):
    """The match is decided, and this was its last line."""

    end: MatchEndEvent


Effect = Tell | Record | Ask | DealOver | MatchOver

KILLING = frozenset({"timeout", "crash", "flood"})


class Match:
    """One match. `decks(k)` gives deck k (from 1); `asks_draw(seat)`: does that bot want the draw phase [R14]?"""

    def __init__(
        self, header: MatchEvent, decks: Callable[[int], Sequence[int]], asks_draw: Callable[[int], bool]
    ) -> None:
        self.header = header
        self.rules = header.rules
        self.score = [0, 0]
        self.number = 0
        self.dealer: int = header.first_dealer
        self.deal: Deal | None = None
        self.banks = (Bank(header.clock), Bank(header.clock))
        self.over: MatchEndEvent | None = None
        self._decks, self._asks_draw = decks, asks_draw
        self._digest = Digest()
        self._effects: list[Effect] = []
        self._legal: tuple[int, ...] = ()

    # Inputs

    def start(self) -> list[Effect]:
        """Open the log, tell both seats of the match, deal the first cards."""
        self._record(self.header)
        for seat in (0, 1):
            seed = bot_seed(self.header.seed, self.header.leg, seat)
            told = view.match_begins(self.header.match, self.rules.match_target, seed, self.score, seat)
            self._effects.append(told)
        return self.next_deal()

    def next_deal(self) -> list[Effect]:
        """Shuffle and deal; the deal alternates after every deal, drawn ones included [R2]."""
        self.number += 1
        deck = self._decks(self.number)
        self.deal = deal = Deal(deck, self.dealer, self.rules)
        self._record(DealEvent(self.number, self.dealer, [CARDS[card] for card in deck]))
        for seat in (0, 1):
            self._effects.append(view.deal_dealt(deal, self.number, self.dealer, self.score, seat))
        self.dealer = 1 - self.dealer
        return self._ask(deal)

    def act(self, action: int, us: int, note: str = "", lag_us: int = 0) -> list[Effect]:
        """The seat that was asked has answered after `us` microseconds; raises IllegalAction."""
        if action not in self._legal:
            raise IllegalAction(f"{ACTIONS[action]} is not legal now")
        deal = self._current()
        seat = deal.seat
        self.banks[seat].spend(us)
        kind, card, suit = ACTIONS[action]
        event = ActEvent(
            deal=self.number,
            seat=seat,
            phase=view.phase_of(deal),
            action=kind,  # type: ignore[arg-type]
            card=card,
            suit=suit,
            us=us,
            lag_us=lag_us,
            note=note,
        )
        self._record(event)
        if action == DRAW:
            self._draw(deal)
        else:
            self._effects.append(view.ACTION_SEEN[1 - seat][action])
            self._apply(deal, action)
        return self._ask(deal) if deal.phase != OVER else self._end_deal(deal)

    def fault(self, fault: FaultEvent, told: ToBot | None = None) -> list[Effect]:
        """`fault.seat` loses the deal at its top price; `told` is what it is told of it, if it still listens."""
        deal = self._current()
        self.banks[fault.seat].spend(fault.us)
        self._record(fault)
        if told is not None:
            self._effects.append(view.tell(fault.seat, told))
        deal.forfeit(fault.seat)
        return self._end_deal(deal, (fault.seat,) if fault.kind in KILLING else ())

    def cannot_start(self, faults: Sequence[FaultEvent]) -> list[Effect]:
        """One seat's process did not start: the match is lost to nothing; both: it is void."""
        for fault in faults:
            self._record(fault)
        if len(faults) > 1:
            return self._end_match(None, "void")
        winner = 1 - faults[0].seat
        self.score[winner], self.score[1 - winner] = self.rules.match_target, 0
        return self._end_match(winner, "start_fault")

    def open_log(self) -> list[Effect]:
        """For a match that ends before its first deal: only the header, so that `cannot_start` can follow."""
        self._record(self.header)
        return self._flush()

    # Inside

    def _current(self) -> Deal:
        if self.deal is None or self.deal.phase == OVER:
            raise RuntimeError("no turn is open")
        return self.deal

    def _record(self, event: Event) -> None:
        line = encode(event)
        self._digest.add(event, line)
        self._effects.append(Record(event, line))

    def _flush(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects

    def _ask(self, deal: Deal) -> list[Effect]:
        if deal.phase == DRAWING and not (self.rules.close_before_draw and self._asks_draw(deal.seat)):
            self._draw(deal)
        seat = deal.seat
        legal = self._legal = deal.legal()
        bank = self.banks[seat]
        bank_ms = None if bank.left_us is None else bank.left_us // 1000
        self._effects.append(Ask(seat, bank.limit_us(), legal, deal, self.header.clock.move_ms, bank_ms))
        return self._flush()

    def _draw(self, deal: Deal) -> None:
        winner, first = deal.seat, deal.drawn
        deal.apply(DRAW)
        drawn = view.CARD_DRAWN
        self._effects.append(drawn[winner][deal.talon[first]])
        self._effects.append(drawn[1 - winner][deal.talon[first + 1]])

    def _apply(self, deal: Deal, action: int) -> None:
        led = deal.led if action < MARRIAGE else NO_CARD
        deal.apply(action)
        if led != NO_CARD:
            self._effects += view.trick(led, action, deal.seat)

    def _end_deal(self, deal: Deal, renew: tuple[int, ...] = ()) -> list[Effect]:
        outcome = deal.outcome
        assert outcome is not None
        self._legal = ()
        if outcome.winner is not None:
            self.score[outcome.winner] += outcome.game_points
        score = (self.score[0], self.score[1])
        self._record(
            DealEndEvent(
                self.number,
                outcome.winner,
                outcome.game_points,
                outcome.reason,
                outcome.card_points,
                outcome.tricks,
                score,
            )
        )
        for seat in (0, 1):
            self._effects.append(view.deal_ended(self.number, outcome, self.score, seat))
        if outcome.winner is not None and self.score[outcome.winner] >= self.rules.match_target:
            return self._end_match(outcome.winner, "target")
        self._effects.append(DealOver(renew))
        return self._flush()

    def _end_match(self, winner: int | None, reason: MatchReason) -> list[Effect]:
        score = (self.score[0], self.score[1])
        self.over = MatchEndEvent(winner, reason, score, self.number, self._digest.hex())
        self._effects.append(Record(self.over, encode(self.over)))
        for seat in (0, 1):
            self._effects.append(view.match_ended(winner, reason, self.score, seat))
        self._effects.append(MatchOver(self.over))
        return self._flush()
