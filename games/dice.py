"""The dice of a room: every draw can be recomputed by whoever knows the seed.

Draw number `counter` with label `label` is

    HMAC-SHA256(key = seed, message = "<counter>:<label>" in UTF-8), read as a big-endian integer,

reduced to `sides` by rejection: values at or above the largest multiple of `sides` are thrown away and the
next counter is tried, so every result is exactly equally likely. The counter rises by one with every HMAC.

The seed of a room is drawn by the server before the table opens. `commitment(seed)` is public before the
first draw and the seed itself after the game, so the server cannot choose it afterwards; the salts of the
seats go into the key (`game_seed`), so the server cannot choose it beforehand either (GEN-2, G7).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from hmac import digest
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_SPAN: Final = 1 << 256


class Draw(NamedTuple):
    """One draw as a record shows it."""

    label: str
    sides: int
    result: int


class Dice:
    """A stream of draws from a seed. `counter` resumes it; `draws` tells what was drawn since."""

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
        """The items in uniformly random order: Fisher and Yates, from the last place to the second."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(label, last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


def commitment(seed: bytes) -> str:
    """What is public of a seed before the first draw: its SHA-256, in hexadecimal."""
    return sha256(seed).hexdigest()


def game_seed(seed: bytes, salts: Sequence[str]) -> bytes:
    """The key of a game's dice: HMAC-SHA256(seed, "salts:" and each seat's salt as "<bytes>:<salt>,").

    Seats without a salt count with an empty one, in the order of their numbers.
    """
    parts = [salt.encode() for salt in salts]
    return digest(seed, b"salts:" + b"".join(b"%d:%s," % (len(part), part) for part in parts), "sha256")


def bot_dice(seed: bytes, seat: int, moment: int) -> Dice:
    """The stream a bot thinks with: apart from the rules' dice, and anew for each moment (say, a sequence).

    Nothing of it needs storing, and what a bot draws never moves the counter of the game.
    """
    return Dice(digest(seed, b"bot:%d:%d" % (seat, moment), "sha256"))
