"""A room's dice: anyone who knows the seed can recompute every draw.

Draw number `counter` with label `label` is

    HMAC-SHA256(key = seed, message = "<counter>:<label>" in UTF-8), read as a big-endian integer,

reduced to `sides` by rejection sampling: values at or above the largest multiple of `sides` are discarded and
the next counter is tried, so all results are equally likely. The counter is incremented with every HMAC.

The hub generates a room's seed before the table opens. `commitment(seed)` is published before the first
draw and the seed itself after the game, so the hub cannot change it in between. The key includes the
seats' salts (`game_seed`), so where there are any, the hub cannot choose it in advance either (GEN-2, G7).
hub/table/salt_exchange.py says how the salts are fixed and revealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from hmac import digest
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

_SPAN: Final = 1 << 256


class Draw(NamedTuple):
    """One draw, as shown in a record."""

    label: str
    sides: int
    result: int


class Dice:
    """A stream of draws from a seed. `counter` resumes a stream; `draws` lists the draws made since then."""

    __slots__ = ("_seed", "counter", "draws")

    def __init__(self, seed: bytes, counter: int = 0) -> None:
        self._seed = seed
        self.counter = counter
        self.draws: list[Draw] = []

    def below(self, label: str, sides: int) -> int:
        """A uniform integer in 0..sides-1. Raises ValueError unless 1 <= sides <= 2**256."""
        if not 1 <= sides <= _SPAN:
            raise ValueError(f"a die has 1 to 2**256 sides, not {sides}")
        limit = _SPAN - _SPAN % sides
        value = limit
        while value >= limit:
            message = f"{self.counter}:{label}".encode()
            value = int.from_bytes(digest(self._seed, message, "sha256"), "big")
            self.counter += 1
        result = value % sides
        self.draws.append(Draw(label, sides, result))
        return result

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """The items in uniformly random order: a Fisher-Yates shuffle from the last position to the
        second."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            index = self.below(label, last + 1)
            order[last], order[index] = order[index], order[last]
        return tuple(order)


def commitment(seed: bytes) -> str:
    """The hash of a seed that is published before the first draw: its SHA-256 in hexadecimal."""
    return sha256(seed).hexdigest()


def game_seed(seed: bytes, salts: Sequence[str]) -> bytes:
    """The key of a game's dice: HMAC-SHA256(seed, "salts:" followed by "<bytes>:<salt>," for each seat).

    The salts are in seat order; a seat without one has an empty salt.
    """
    parts = [salt.encode() for salt in salts]
    return digest(seed, b"salts:" + b"".join(b"%d:%s," % (len(part), part) for part in parts), "sha256")


def bot_dice(seed: bytes, seat: int, moment: int) -> Dice:
    """A bot's own stream, separate from the rules' dice and different at each `moment`.

    `moment` may be a sequence number. The stream need not be stored, and a bot's draws never advance the
    game's counter.
    """
    return Dice(digest(seed, b"bot:%d:%d" % (seat, moment), "sha256"))
