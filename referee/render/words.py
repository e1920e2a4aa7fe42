"""What happened, in the words of people who play cards.

A sentence is a tuple of parts, so that each view can put in names and draw cards in its own way: `Seat` stands for a
bot's name, `Card` and `Suit` for what they say, a plain string for itself. No part ever holds a bot's own text.
"""

from typing import NamedTuple

from referee.match.events import ActEvent, DealEndEvent, FaultEvent, MatchEndEvent
from referee.rules.deal import Deal
from referee.rules.ruleset import Rules


class Seat(NamedTuple):
    """The bot on this seat."""

    seat: int


class Card(NamedTuple):
    card: str


class Suit(NamedTuple):
    suit: str


Part = str | Seat | Card | Suit
Sentence = tuple[Part, ...]

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_FAULTS = {
    "start": " could not be started",
    "malformed": " sent an answer that cannot be read",
    "illegal": " chose something that is not legal",
    "timeout": " did not answer in time",
    "crash": " stopped running",
    "flood": " wrote without end",
}


def dealt(dealer: int, trump_card: str) -> Sentence:
    return (Seat(dealer), " deals, ", Card(trump_card), " is turned up; ", Seat(1 - dealer), " leads")


def act(event: ActEvent, deal: Deal, rules: Rules, trump_card: str | None = None, marriage_points: int = 0) -> Sentence:
    """A decision, `deal` being the position after it; `trump_card` is what lay there before it."""
    who = Seat(event.seat)
    if event.card:
        return (who, " leads " if event.phase == "lead" else " plays ", Card(event.card))
    if event.suit:
        worth = f": {marriage_points}" + ("" if deal.tricks[event.seat] else " once a trick is won")
        return (who, f" announces the marriage of {SUIT_NAMES[event.suit]} ", Suit(event.suit), worth)
    if event.action == "exchange":
        return (who, " exchanges the trump nine for ", Card(trump_card or ""))
    if event.action == "close":
        return (who, " closes the stock before the draw" if event.phase == "draw" else " closes the stock")
    if event.action == "declare":
        goal, has = rules.declare_at, deal.points(event.seat)
        return (who, f" declares {goal}, rightly: has {has}" if has >= goal else f" declares {goal}, but has {has}")
    return (who, " does not close")


def taken(winner: int, points: int) -> Sentence:
    return ("; ", Seat(winner), f" takes the trick: {points}")


def drawn(cards: tuple[str | None, str | None], first: int) -> Sentence:
    """Who drew what, the winner of the trick first; nothing if nobody drew. Cards may be hidden."""
    parts: list[Part] = []
    for seat in (first, 1 - first):
        card = cards[seat]
        if card is not None:
            parts += ("; " if seat == first else ", ", Seat(seat), " draws ", "a card" if "?" in card else Card(card))
    return tuple(parts)


def fault(event: FaultEvent) -> Sentence:
    return (Seat(event.seat), _FAULTS[event.kind])


def evidence(event: FaultEvent) -> list[tuple[str, list[str]]]:
    """What the log keeps of a fault, each fact with its lines; all of it may be a bot's own text."""
    limit = "" if event.limit_us is None else f" of {spent(event.limit_us)}"
    facts = {
        "fault": f"{event.kind}{': ' if event.detail else ''}{event.detail}",
        "hint": event.hint,
        "time": f"{spent(event.us)}{limit}" if event.us else "",
        "asked": event.request,
        "answered": event.answer,
        "legal": ", ".join(event.legal),
        "exit": event.exit,
        "stderr": event.stderr,
    }
    return [(name, text.split("\n")) for name, text in facts.items() if text]


def hidden_fault(seat: int) -> Sentence:
    """What the other side learns of a fault: only that the deal is over by it."""
    return (Seat(seat), " commits a fault")


def deal_end(event: DealEndEvent, deal: Deal, rules: Rules) -> Sentence:
    """Who gets how many game points, and why."""
    if event.winner is None:
        a, b = event.card_points
        return ("nobody wins: ", f"equal card points, {a} : {b}")
    why = _why(event, event.winner, deal, rules)
    return (Seat(event.winner), f" wins {count(event.game_points, 'game point')}: ", *why)


def _why(event: DealEndEvent, winner: int, deal: Deal, rules: Rules) -> Sentence:
    loser = Seat(1 - winner)
    closer_lost = deal.closed_by == 1 - winner
    if event.reason == "fault":
        return ("by a fault of ", loser)
    if event.reason == "false_declaration":
        return (loser, f" declared {rules.declare_at} and had {event.card_points[1 - winner]}", *_untaken(deal, winner))
    if event.reason == "closer_failed" or closer_lost:
        what = (
            f" closed and did not get to {rules.declare_at}" if event.reason != "declared" else " closed and was beaten"
        )
        return (loser, what, *_untaken_when_closed(deal, winner))
    how = {
        "declared": f"declared {rules.declare_at} rightly; ",
        "closer_made_it": f"closed and got to {rules.declare_at}; ",
        "played_out": "more card points at the end; ",
    }[event.reason]
    return (how, loser, _price(event, 1 - winner, rules))


def _price(event: DealEndEvent, loser: int, rules: Rules) -> str:
    """Why a win costs what it costs [R18]."""
    if not event.tricks[loser]:
        return " won no trick"
    points = event.card_points[loser]
    few = points < rules.full_price_from
    return f" has {points}, fewer than {rules.full_price_from}" if few else f" has {points}"


def _untaken(deal: Deal, winner: int) -> Sentence:
    return () if deal.tricks[winner] else (", ", Seat(winner), " having won no trick")


def _untaken_when_closed(deal: Deal, winner: int) -> Sentence:
    return () if deal.tricks_when_closed[winner] else (", when ", Seat(winner), " had won no trick")


def match_end(event: MatchEndEvent) -> Sentence:
    if event.winner is None:
        void = "the match is void: neither side could be started"
        return (void if event.reason == "void" else "the match was broken off",)
    a, b = event.score
    if event.winner:
        a, b = b, a
    why = {"start_fault": ", as the other side could not be started"}.get(event.reason, "")
    return (Seat(event.winner), f" wins the match {a} : {b}{why}")


def count(number: int, thing: str) -> str:
    """`1 deal`, `2 deals`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def spent(us: int) -> str:
    """A time as people read it, in milliseconds or seconds, to two figures or three."""
    if us < 100_000:
        return f"{us / 1000:.2f} ms" if us < 1000 else f"{us / 1000:.1f} ms"
    return f"{us / 1000:.0f} ms" if us < 1_000_000 else f"{us / 1e6:.2f} s"
