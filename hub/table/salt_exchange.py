"""The exchange of salts before a game: each client commits to one by its hash, and then reveals it (G7.3).

The hub shows the hash of the seed first, so it cannot choose the dice once it knows the salts, and a player
whose salt comes last can no longer change it. A player who dislikes the result can only stay silent. Then the
exchange is repeated without that seat, with a fresh seed and fresh salts, and the record counts it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from msgspec import Struct

from games.api import Refusal, Seat
from games.kit.tuples import replace_at

REVEAL_TIMEOUT_MS: Final = 3_000
"""Milliseconds of the hub's own clock after which a seat that has not revealed its salt is left out."""
NO_SALT: Final = ""


class Exchange(Struct, frozen=True, array_like=True):
    """Salts being revealed. All fields have one item for each seat, in hexadecimal, empty if there is none.

    `salt_hashes`: the hashes of the salts; a seat without one takes no part. `salts`: those revealed.
    `next_hashes`: the hashes for the next exchange, should this one have to begin again.
    """

    salt_hashes: tuple[str, ...]
    salts: tuple[str, ...]
    next_hashes: tuple[str, ...]

    @property
    def silent_seats(self) -> tuple[int, ...]:
        """The seats that have not revealed their salts."""
        pairs = zip(self.salt_hashes, self.salts, strict=True)
        return tuple(seat for seat, (expected, salt) in enumerate(pairs) if expected and not salt)


def hash_salt(salt: str) -> str:
    """The SHA-256 of a salt's 32 bytes; both are in hexadecimal."""
    return sha256(bytes.fromhex(salt)).hexdigest()


def begin(salt_hashes: tuple[str, ...]) -> Exchange | None:
    """The exchange of these salts; None if there are none."""
    nothing = (NO_SALT,) * len(salt_hashes)
    return Exchange(salt_hashes, nothing, nothing) if any(salt_hashes) else None


def begin_again(exchange: Exchange) -> Exchange | None:
    """The next exchange, without the seats that were silent in this one; None if nobody is left."""
    return begin(exchange.next_hashes)


def reveal(exchange: Exchange, seat: Seat, salt: str, next_hash: str) -> Exchange | Refusal:
    """Adds a seat's salt, and the hash of its next one."""
    if not exchange.salt_hashes[seat]:
        return Refusal("NOT_NOW", "G7.3")
    if hash_salt(salt) != exchange.salt_hashes[seat]:
        return Refusal("BAD_SALT", "G7.3")
    return Exchange(
        exchange.salt_hashes,
        replace_at(exchange.salts, seat, salt),
        replace_at(exchange.next_hashes, seat, next_hash),
    )
