"""The opponent in a check: says what the script says, and then either gives up or plays on."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, NamedTuple

from referee.protocol.messages import WIRE_ACTIONS, DealMessage, Declare, Draw, LegalAction, Play, ToBot, Turn
from referee.rules.cards import ACTIONS, card

_TEXT = {wire: str(text) for wire, text in zip(WIRE_ACTIONS, ACTIONS, strict=True)}
RESTART = "restart the bot"
ANYTHING = "anything"


class Script(NamedTuple):
    """What the opponent does in one deal: `moves` as in `play AS`, as long as they are legal, and then `tail`.

    ANYTHING is the first legal action; RESTART ends the bot's process before the next move.

    To give up is to declare at once: wrongly, as a rule, so that the match is soon over and the bot has won it.
    """

    moves: tuple[str, ...] = ()
    tail: Literal["give up", "play on"] = "give up"


class Rival:
    """Plays the deals of a match by their scripts, and gives up all deals after them."""

    def __init__(self, scripts: Sequence[Script], restart: Callable[[], Awaitable[None]]) -> None:
        self._scripts, self._restart = scripts, restart
        self._moves: list[str] = []
        self._tail = "give up"

    async def choose(self, heard: Sequence[ToBot], turn: Turn) -> LegalAction:
        """One of `turn.legal`."""
        for message in heard:
            if isinstance(message, DealMessage):
                self._begin(message.deal)
        if self._moves[:1] == [RESTART]:
            del self._moves[0]
            await self._restart()
        if self._moves:
            wanted = self._moves.pop(0)
            for action in turn.legal:
                if wanted in (_TEXT[action], ANYTHING):
                    return action
            self._moves.clear()
        return Declare() if self._tail == "give up" else _play_on(turn)

    def _begin(self, deal: int) -> None:
        script = self._scripts[deal - 1] if deal <= len(self._scripts) else Script()
        self._moves, self._tail = list(script.moves), script.tail


def _play_on(turn: Turn) -> LegalAction:
    """Takes what it can, so that the bot gets to 66 late and the deal goes far; closes and declares nothing."""
    if Draw() in turn.legal:
        return Draw()
    plays = sorted((action.card for action in turn.legal if isinstance(action, Play)), key=lambda name: card(name) % 6)
    if turn.led is None:
        return Play(plays[-1])
    return Play(next((name for name in plays if _beats(name, turn.led, turn.trump)), plays[0]))


def _beats(answer: str, led: str, trump: str) -> bool:
    return card(answer) > card(led) if answer[1] == led[1] else answer[1] == trump
