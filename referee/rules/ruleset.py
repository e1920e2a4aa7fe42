"""The house rules as one value. Every point on which clubs and countries differ is a named field."""

import msgspec


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a match; the defaults are the preset `sixty-six`. Numbers in brackets: the rules in protocol.md."""

    preset: str = "sixty-six"
    match_target: int = 7  # [R26]
    declare_at: int = 66  # [R18]
    last_trick_points: int = 10  # [R24]
    last_trick_points_when_closed: int = 0  # [R15]
    marriage_points: int = 20  # [R10]
    trump_marriage_points: int = 40  # [R10]
    marriage_on_opening_lead: bool = True  # [R11]
    exchange_needs_trick: bool = True  # [R9]
    close_min_stock: int = 2  # [R13] cards left to draw, the trump card included
    close_before_draw: bool = True  # [R14]
    must_beat: bool = True  # [R7]
    declare_when_following: bool = True  # [R16]
    full_price_from: int = 33  # [R18] with this many card points the loser pays 1 instead of 2
    wrong_declaration_points: int = 2  # [R19] [R22]
    wrong_declaration_trickless_points: int = 3  # [R19] [R22]
    failed_close_points: int = 2  # [R21]
    failed_close_trickless_points: int = 3  # [R21]
    fault_points: int = 3  # a fault is never cheaper than losing
    running_totals: bool = False  # [R8] for teaching: a turn then carries both card point totals


PRESETS: dict[str, Rules] = {"sixty-six": Rules()}
