"""Decks and seeds as pure functions of the master seed, so that any language can reproduce and check them.

`protocol.md` (Decks) spells this out with test vectors. `||` joins bytes, numbers are written in decimal ASCII.

    commitment        = hex(SHA-256("sixty-six/commitment/" || master))
    pair seed         = hex(SHA-256("sixty-six/pair/" || master || "/" || pair))
    words of deck k   = the big-endian 32-bit words of SHA-256("sixty-six/deck/" || pair seed || "/" || k || "/" || i),
                        i = 0, 1, 2, ...
    deck k            = the 24 cards in the order 9C JC QC KC TC AC 9D ... AS, shuffled: for i = 23 down to 1 take words
                        until one is below 2^32 - 2^32 mod (i + 1); j = word mod (i + 1); swap cards i and j
    bot's own seed    = the first 53 bits of SHA-256("sixty-six/bot/" || pair seed || "/" || leg || "/" || seat)

A deck that depended on the random generator that bots use could not be repeated (schnapsen#2).
"""

from collections.abc import Iterator
from hashlib import sha256
from struct import unpack


def commitment(master: str) -> str:
    """The hash that is published before the first card; reveals nothing of a master seed drawn at random."""
    return sha256(b"sixty-six/commitment/" + master.encode()).hexdigest()


def pair_seed(master: str, pair: int) -> str:
    """The seed of mirrored pair number `pair` (from 1): 64 hex digits, the same for every pairing."""
    return sha256(b"sixty-six/pair/%b/%d" % (master.encode(), pair)).hexdigest()


def bot_seed(seed: str, leg: str, seat: int) -> int:
    """What a bot is told as `seed`: below 2^53, so that JavaScript can hold it, and no way back to the pair seed."""
    digest = sha256(f"sixty-six/bot/{seed}/{leg}/{seat}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11


def deck(seed: str, number: int) -> list[int]:
    """Deck `number` (from 1) of the pair with this seed: 24 cards, top first [R1]."""
    words = _words(seed, number)
    cards = list(range(24))
    for i, limit in _STEPS:
        word = next(words)
        while word >= limit:
            word = next(words)
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


# The place to fill, and the bound that leaves as many words for each j: those above, the uneven tail, are passed over.
_STEPS = tuple((i, 2**32 - 2**32 % (i + 1)) for i in range(23, 0, -1))


def _words(seed: str, number: int) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(f"sixty-six/deck/{seed}/{number}/{block}".encode()).digest()
        yield from unpack(">8I", digest)
        block += 1
