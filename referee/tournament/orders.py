"""What the runner and its workers say to each other: one JSON line each. A match is a pure function of its order."""

from typing import Literal

import msgspec

from referee.bots.sandbox import Layer
from referee.bots.spec import BotSpec
from referee.match.clock import Clock
from referee.match.summary import Summary
from referee.rules.ruleset import Rules
from referee.tournament.schedule import MatchPlan


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for every match of a tournament."""

    folder: str  # where the logs go
    rules: Rules
    clock: Clock
    layer: Layer
    fresh: bool = False
    freeze: bool = False
    logs: Literal["all", "compressed", "faults"] = "all"


# To a worker


class Play(msgspec.Struct, tag="play", frozen=True):
    """Play these matches, one after the other, with one pair of processes. `bots` are by name."""

    terms: Terms
    matches: tuple[MatchPlan, ...]
    bots: dict[str, BotSpec]


class Greet(msgspec.Struct, tag="greet", frozen=True):
    """Start one bot, say hello, dismiss it."""

    terms: Terms
    name: str
    bot: BotSpec


# From a worker


class Began(msgspec.Struct, tag="began", frozen=True):
    match: str


class FaultSeen(msgspec.Struct, tag="fault", frozen=True):
    """A fault, as it happens; the log has the whole evidence."""

    match: str
    bot: str
    kind: str
    deal: int
    detail: str
    hint: str = ""
    again: str = ""  # the command that plays this very match again


class Played(msgspec.Struct, tag="played", frozen=True):
    """A match is over and its log has its name."""

    summary: Summary


class Aborted(msgspec.Struct, tag="aborted", frozen=True):
    """The referee itself failed; the match does not count and is played again."""

    match: str
    why: str
    hopeless: bool = False
    """Trying again will not help: the disk is full, or cannot be written."""


class Greeted(msgspec.Struct, tag="greeted", frozen=True):
    """`failure` is empty when the bot is ready; `evidence` has the rest for people."""

    name: str
    failure: str = ""
    evidence: str = ""


class LeftOut(msgspec.Struct, tag="left_out", frozen=True):
    """These bots did not start, and the run goes on without them: `total` matches are expected now."""

    names: list[str]
    total: int


class Idle(msgspec.Struct, tag="idle", frozen=True):
    """The order is carried out."""


Order = Play | Greet
Report = Began | FaultSeen | Played | Aborted | Greeted | LeftOut | Idle
encoder = msgspec.json.Encoder()
orders = msgspec.json.Decoder(Order)
reports = msgspec.json.Decoder(Report)
