"""What a deal is worth, and why it ended [R18-R25]."""

from typing import Literal, NamedTuple

from referee.rules.ruleset import Rules

Reason = Literal[
    "declared",  # a right declaration, by whomever
    "false_declaration",  # a wrong one, by someone who is not the closer
    "closer_failed",  # the closer declared wrongly, or the cards ran out before he had 66
    "closer_made_it",  # closed, played out, he got there first
    "played_out",
    "tie",
    "fault",
]


class Outcome(NamedTuple):
    """How a deal ended. `winner` is a seat or None; points and tricks are by seat.

    `card_points` are the totals that count, the last-trick ten included where it was given [R24].
    """

    winner: int | None
    game_points: int
    reason: Reason
    card_points: tuple[int, int]
    tricks: tuple[int, int]


def price(rules: Rules, tricks: int, points: int) -> int:
    """Game points that a winner takes from a loser with so many tricks and card points [R18].

    Tricks are counted as tricks: two nines are a trick worth nothing, and still make it 2 instead of 3.
    """
    if tricks == 0:
        return 3
    return 1 if points >= rules.full_price_from else 2
