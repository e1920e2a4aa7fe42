"""What is tried, in which order, and on which decks.

A scene is a match to 7. In its first deals the opponent plays by script; then it gives up every deal at once, so that
the match is soon over. SEVERAL is the rest of the deal after FIRST; MATCH_END comes after that match.

The deck of deal k is that of pair `pair` of the master seed `check`. The pairs were searched so that the script is
legal and leads to what the step needs whatever the bot does; a test plays them against bots that do anything. Before
MARRY the bot has no marriage on its opening leads, so that a bot that marries wrongly fails there.
"""

from typing import Literal, NamedTuple

from referee.bots.check.rival import ANYTHING, RESTART, Script
from referee.bots.check.situations import (
    CLOSE,
    CLOSE_EARLY,
    EXCHANGE,
    LAST_CARD,
    MARRIAGE,
    MUST_BEAT,
    MUST_BEAT_TRUMP,
    MUST_FOLLOW,
    MUST_TRUMP,
    NO_TURN,
    STRICT,
    opponent,
)
from referee.bots.check.wire import IN_PIECES, OTHER_LOOKS, PLAIN, SINGLY, UNKNOWN_FIELDS, UNKNOWN_TYPES, Wire
from referee.rules.ruleset import Rules

MASTER = "check"
LONG_DEAL = 30
LONG = f"deal {LONG_DEAL}"
TOGETHER = "a trick and a turn in one write"
SAME_PROCESS = "a turn of a second match in the process of the first"
MIDWAY = "a deal that is not the first, to a new process"


class Step(NamedTuple):
    """One thing that is tried.

    `needs` must have come about for the step to have shown anything; `offers` are the bot's own to take. A step that
    `only_warns` is no failure: what follows goes on with a new process.
    """

    name: str
    where: str
    hint: str = ""
    needs: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    wire: Wire = PLAIN
    only_warns: bool = False


class Scene(NamedTuple):
    """A match. `steps` by deal, the last for all that follow; `dealer` deals first: 0 the opponent, 1 the bot."""

    steps: tuple[Step, ...]
    pair: int
    dealer: Literal[0, 1]
    scripts: tuple[Script, ...] = ()


class Part(NamedTuple):
    """What one process goes through, and how it is told to leave."""

    scenes: tuple[Scene, ...]
    ending: Step | None = None
    rules: Rules = Rules()


_STRICT_HINT = "choose from `legal`: it holds exactly what R7 allows"
_LEGAL_HINT = "choose from `legal`, and send the action back as it stands there"

HELLO = Step(
    "hello and ready",
    "protocol.md#hello, #ready",
    "read one line from stdin, print a line with ready, flush; nothing else may be printed to stdout",
)
FIRST = Step(
    "a first turn, each line in a write of its own",
    "protocol.md#turn, #an-action",
    "answer each turn, and only turns, with its id and one of its `legal` on one line",
    ("follow",),
    wire=SINGLY,
)
SEVERAL = Step(
    "several lines in one write",
    "protocol.md#the-conversation: Several lines arrive at once",
    "read line by line, and do not throw away what came behind the first line",
    (TOGETHER,),
)
DECLARED_WRONGLY = Step(
    "a wrong declaration of the opponent, instead of an answer",
    "R16, R19; protocol.md#declaring",
    "your card lies there, and no `trick` comes: the deal is over",
    ("false_declaration, won by the bot",),
)
MATCH_END = Step(
    "the end of a match", "protocol.md#match_end, #the-life-of-a-process", "go on reading: another match may follow"
)
SECOND = Step(
    "a second match in the same process",
    "protocol.md#match, #the-life-of-a-process",
    "`match` means: forget what was before, and play on",
    (SAME_PROCESS,),
)
NO_TURNS = Step(
    "a deal that ends before the bot's turn",
    "R19; protocol.md#deal_end",
    "after `deal` may come `deal_end` at once: have one loop that reads a line and looks at its type",
    (NO_TURN,),
)
BEAT = Step("strict play: the card led must be beaten", "R7, R13; protocol.md#tricks", _STRICT_HINT, (MUST_BEAT,))
BEAT_TRUMP = Step("strict play: a trump led must be beaten", "R7; protocol.md#tricks", _STRICT_HINT, (MUST_BEAT_TRUMP,))
FOLLOW = Step("strict play: suit must be followed", "R7; protocol.md#tricks", _STRICT_HINT, (MUST_FOLLOW,))
TRUMP = Step("strict play: must be trumped", "R7; protocol.md#tricks", _STRICT_HINT, (MUST_TRUMP,))
MARRY = Step(
    "a marriage offered, and if it is taken its king or queen",
    "R10, R11; protocol.md#marriages",
    "after `marriage` there is a new turn with a new id: lead the king or the queen of that suit, as `legal` says",
    offers=(MARRIAGE,),
)
SEES_MARRIAGE = Step(
    "a marriage of the opponent",
    "R10; protocol.md#action",
    "an `action` of the opponent may have `suit` and no `card`",
    (opponent(MARRIAGE),),
)
SEES_EXCHANGE = Step(
    "an exchange by the opponent",
    "R9; protocol.md#action",
    "an `action` of the opponent may have neither `card` nor `suit`; the trump card is the nine now",
    (opponent(EXCHANGE),),
)
MAY_EXCHANGE = Step("the exchange offered", "R9; protocol.md#the-exchange", _LEGAL_HINT, offers=(EXCHANGE,))
SEES_EARLY_CLOSE = Step(
    "the opponent closes before the draw",
    "R14, R7; protocol.md#closing",
    "nobody has drawn: hands have five cards now, and strict play binds",
    (opponent(CLOSE_EARLY), STRICT),
)
SEES_CLOSE = Step(
    "the opponent closes after the draw",
    "R13, R7; protocol.md#closing",
    "strict play binds from the answer to the very next lead",
    (opponent(CLOSE), STRICT),
)
MAY_CLOSE = Step("closing offered", "R13, R14; protocol.md#closing", _LEGAL_HINT, offers=(CLOSE, CLOSE_EARLY))
DECLARED = Step(
    "a right declaration of the opponent",
    "R16, R18; protocol.md#declaring",
    "the deal ends at once: reset at `deal`",
    ("declared, won by the opponent",),
)
MADE_IT = Step(
    "a closed deal to its last card",
    "R20, R23; protocol.md#how-a-closed-deal-ends",
    "nobody draws; the deal ends with the hands",
    ("closer_made_it, won by the opponent",),
)
WHOLE_FOLLOWER = Step("a whole deal, the opponent leading first", "R3-R6, R24; protocol.md#the-rules", "", (LAST_CARD,))
WHOLE_LEADER = Step("a whole deal, the bot leading first", "R3-R6, R24; protocol.md#the-rules", "", (LAST_CARD,))
BYE = Step(
    "bye",
    "protocol.md#bye",
    "leave the loop at `bye`; what is still there after half a second is killed",
)
FIELDS = Step(
    "unknown fields in every message",
    "protocol.md#lines: Both sides ignore fields that they do not know",
    "take from a message what you know, and do not mind the rest",
    ("follow", "lead"),
    wire=UNKNOWN_FIELDS,
)
TYPES = Step(
    "messages of unknown types",
    "protocol.md#lines: A bot ignores messages whose type it does not know",
    "after the types that you know, do nothing: no error, no answer",
    ("follow", "lead"),
    wire=UNKNOWN_TYPES,
)
PIECES = Step(
    "one line in several writes",
    "protocol.md#lines",
    "a read may end in the middle of a line: read up to the newline",
    ("follow", "lead"),
    wire=IN_PIECES,
)
LOOKS = Step(
    "other white space, fields in another order",
    "protocol.md#lines: Space between the tokens of a line and the order of its fields are free",
    'parse the lines as JSON; a search for `"type":"turn"` breaks when a later referee writes it otherwise',
    ("follow", "lead"),
    wire=OTHER_LOOKS,
    only_warns=True,
)
THIRTY = Step(
    "deal 30 of a long match to 100",
    "protocol.md#hello, #deal, #the-rules-as-fields",
    "the target stands in `match`; there is no highest number of deals, and there may be no table that is too short",
    (LONG,),
)
RESTARTED = Step(
    "a restart in the midst of a match",
    "protocol.md#the-life-of-a-process: 5",
    "a new process gets `match` with the score so far and a `deal` whose number is not 1: take both as told",
    (MIDWAY,),
)
EOF = Step(
    "end of input without bye",
    "protocol.md#the-life-of-a-process: 7",
    "end of file on stdin means: leave; do not read on",
)

_TWO_TRICKS = Script(("play QC", "draw", "play AD"))
_ON = Script(tail="play on")

PARTS = (
    Part(
        (
            Scene((FIRST, DECLARED_WRONGLY), 55, 1, (_TWO_TRICKS, Script(), Script((ANYTHING,)))),
            Scene((SECOND, NO_TURNS), 16, 0),
            Scene((BEAT,), 2836, 1, (Script(("close", "play TD")),)),
            Scene((BEAT_TRUMP,), 396, 1, (Script(("close", "play QS")),)),
            Scene((FOLLOW,), 443, 1, (Script(("close", "play KD")),)),
            Scene((TRUMP,), 88, 1, (Script(("close", "play 9H")),)),
            Scene((MARRY,), 12, 0),
            Scene((MARRY,), 59, 0),
            Scene((SEES_MARRIAGE,), 7, 1, (Script(("marriage S", "play QS")),)),
            Scene((SEES_EXCHANGE,), 25, 1, (Script(("play AH", "draw", "exchange", "play JH")),)),
            Scene((MAY_EXCHANGE,), 17341, 1, (Script(("play JH",)),)),
            Scene((MAY_EXCHANGE,), 80771, 1, (Script(("play JS",)),)),
            Scene((SEES_EARLY_CLOSE,), 1, 1, (Script(("play AC", "close", "play 9D")),)),
            Scene((SEES_CLOSE,), 11, 1, (Script(("play AS", "draw", "close", "play 9H")),)),
            Scene((MAY_CLOSE,), 3524, 0, (_ON,)),
            Scene(
                (DECLARED,),
                906,
                1,
                (Script(("marriage S", "play QS", "draw", "play AS", "draw", "play TS", "draw", "play KS")),),
            ),
            Scene(
                (MADE_IT,),
                2348,
                1,
                (Script(("marriage S", "close", "play QS", "play AS", "play TS", "play KS"), "play on"),),
            ),
            Scene((WHOLE_FOLLOWER,), 149, 1, (_ON,)),
            Scene((WHOLE_LEADER,), 145, 0, (_ON,)),
        ),
        BYE,
    ),
    Part(
        (
            Scene((FIELDS,), 26, 1, (Script(("play KC",)),)),
            Scene((TYPES,), 27, 1, (Script(("play JC",)),)),
            Scene((PIECES,), 28, 1, (Script(("play QC",)),)),
        )
    ),
    Part((Scene((LOOKS,), 29, 1, (Script(("play JC",)),)),)),
    Part((Scene((THIRTY,), 30, 1),), rules=Rules(match_target=100)),
    Part((Scene((RESTARTED,), 31, 1, (Script(("play 9C", RESTART)),)),), EOF),
)


def numbered() -> list[Step]:
    """All steps, in the order in which they come."""
    found = [HELLO]
    for part in PARTS:
        for scene in part.scenes:
            first = scene.steps[0] is FIRST
            steps = (FIRST, SEVERAL, *scene.steps[1:], MATCH_END) if first else scene.steps
            found += [step for step in steps if step not in found]
        found += [part.ending] if part.ending else []
    return found
