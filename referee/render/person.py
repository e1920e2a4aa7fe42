"""The game for a person at a prompt: what a bot would be sent, in words, and what people type, as actions."""

from collections.abc import Iterable, Sequence

from referee.protocol.messages import (
    ActionMessage,
    Close,
    DealEndMessage,
    DealMessage,
    Declare,
    Draw,
    DrawMessage,
    Exchange,
    LegalAction,
    Marriage,
    MatchEndMessage,
    MatchMessage,
    Play,
    ToBot,
    TrickMessage,
    Turn,
)
from referee.render.faces import SYMBOLS
from referee.rules.cards import SUITS

HELP = """KH          play the king of hearts (9 J Q K T A; 10H is TH; C clubs, D diamonds, H hearts, S spades)
marry H     announce the marriage of hearts, then lead its king or queen
exchange    take the trump card for your nine
close       close the stock
draw        draw, where you are asked whether you close before it
66          declare that you have 66
?           this help
Ctrl-D      give up; what was played so far is not kept"""

_WORDS: dict[str, LegalAction] = {
    "exchange": Exchange(),
    "close": Close(),
    "declare": Declare(),
    "66": Declare(),
    "draw": Draw(),
}
_REASONS = {
    "declared": "66 was declared, rightly",
    "false_declaration": "66 was declared, wrongly",
    "closer_failed": "the closer did not get there",
    "closer_made_it": "the closer got there",
    "played_out": "played to the end",
    "tie": "a draw",
    "fault": "a fault",
}


class Unclear(Exception):  # noqa: N818  the person is asked again
    """What was typed is no action, or not a legal one; `str()` says so."""


def parse(text: str, legal: Sequence[LegalAction]) -> LegalAction:
    """The legal action that was meant; raises Unclear."""
    action = _meant(text.strip())
    if action not in legal:
        raise Unclear(f"{text.strip()} is not legal now; legal: {', '.join(typed(each) for each in legal)}")
    return action


def _meant(text: str) -> LegalAction:
    words = text.upper().replace("10", "T").split()
    if len(words) == 1 and (action := _WORDS.get(words[0].lower())):
        return action
    if len(words) == 2 and words[0] in ("MARRY", "MARRIAGE", "M") and words[1][0] in SUITS:
        return Marriage(words[1][0])  # type: ignore[arg-type]
    card = words[-1] if words else ""
    if len(words) in (1, 2) and len(card) == 2 and card[0] in "9JQKTA" and card[1] in SUITS:
        return Play(card)
    raise Unclear(f"{text!r} is no action; ? shows what can be typed")


def typed(action: LegalAction) -> str:
    """An action as a person types it."""
    match action:
        case Play(card):
            return card
        case Marriage(suit):
            return f"marry {suit}"
        case Declare():
            return "66"
        case _:
            return type(action).__name__.lower()


def card(name: str, unicode: bool) -> str:
    """A card, with its suit as a sign where the terminal can show one."""
    return name[0] + (SYMBOLS[name[1]] if unicode else name[1])


def cards(names: Iterable[str], unicode: bool) -> str:
    """Several cards."""
    return " ".join(card(name, unicode) for name in names)


def told(message: ToBot, opponent: str, unicode: bool) -> str:
    """What has happened, in one line; empty for what a person need not be told."""
    match message:
        case MatchMessage(target=target):
            return f"You play {opponent}, to {target} game points."
        case DealMessage(deal=number, dealer=dealer, trump_card=trump_card, score=score):
            who = "You deal" if dealer == "you" else f"{opponent} deals"
            stand = f"score you {score.you}, {opponent} {score.opponent}"
            return f"\nDeal {number}: {who}; trump card {card(trump_card, unicode)}; {stand}"
        case ActionMessage():
            return f"  {opponent} {_did(message, unicode)}"
        case TrickMessage(winner=winner, cards=both, card_points=points):
            who = "You take" if winner == "you" else f"{opponent} takes"
            return f"  {who} {cards(both, unicode)}: {points}"
        case DrawMessage(card=new):
            return f"  You draw {card(new, unicode)}"
        case DealEndMessage():
            return _deal_end(message, opponent)
        case MatchEndMessage(winner=winner, score=score):
            who = {"you": "You win", "opponent": f"{opponent} wins", None: "Nobody wins"}[winner]
            return f"\n{who} the match, {score.you} to {score.opponent}."
        case _:
            return ""


def _did(message: ActionMessage, unicode: bool) -> str:
    if message.action == "play" and message.card:
        return f"plays {card(message.card, unicode)}"
    if message.action == "marriage" and message.suit:
        return f"announces the marriage of {SYMBOLS[message.suit] if unicode else message.suit}"
    return {"exchange": "takes the trump card for the nine", "close": "closes the stock"}.get(
        message.action, "declares 66"
    )


def _deal_end(end: DealEndMessage, opponent: str) -> str:
    points = f"card points you {end.card_points.you}, {opponent} {end.card_points.opponent}"
    who = {"you": "You win", "opponent": f"{opponent} wins", None: "Nobody wins"}[end.winner]
    return f"  {who} {end.game_points} ({_REASONS.get(end.reason, end.reason)}; {points})"


def position(turn: Turn, opponent: str, unicode: bool) -> str:
    """What lies on the table, and what may be done."""
    trump = SYMBOLS[turn.trump] if unicode else turn.trump
    up = f", {card(turn.trump_card, unicode)} face up" if turn.trump_card else ""
    closed = "" if turn.closed_by is None else ", closed by " + ("you" if turn.closed_by == "you" else opponent)
    led = "" if turn.led is None else f"\n  {opponent} has led {card(turn.led, unicode)}"
    what = {"lead": "You lead", "follow": "You answer", "draw": "Before the draw"}[turn.phase]
    legal = ", ".join(typed(action) for action in turn.legal)
    return (
        f"  trump {trump}{up}, stock {turn.stock}{closed}{led}\n"
        f"  your hand: {cards(turn.hand, unicode)}\n  {what}: {legal}"
    )
