"""The operators' policy, in the store for every hub: bans, revocations, closures, and ended sessions.

It is one hash, whose entries end by themselves, and a version that changes with every entry. Each hub
reads the version with its heartbeats, and the entries when it has changed (hub/runtime/policy.py). Every
method may raise StoreUnavailable. Times are in seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from hub.store.scripts import load_script
from hub.store.store import Store

MAX_POLICY_ENTRIES: Final = 10_000


class Ban(Struct, frozen=True, tag="ban"):
    """Keeps a person (an id) or a network (`hub.wire.limits.network`) out until a time.

    `name` is the person's, as the operator saw it. The reason is for operators only.
    """

    kind: Literal["person", "network"]
    target: str
    at: int
    until: int
    reason: str = ""
    name: str = ""


class Revocation(Struct, frozen=True, tag="revocation"):
    """Voids the tokens and tickets of a person, or (None) of everybody who came before a time.

    `until` is the time at which the last of them would have expired anyway.
    """

    person: str | None
    before: int
    until: int


class Closure(Struct, frozen=True, tag="closure"):
    """A table that an operator has closed; the hub that owns it puts it to sleep, and no hub opens it."""

    room: str
    at: int
    until: int
    reason: str = ""


class EndedSession(Struct, frozen=True, tag="ended session"):
    """An operator's session that was ended by signing out; `until` is when it would have expired anyway."""

    id: str
    until: int


class Departure(Struct, frozen=True, tag="departure"):
    """Voids a person's tokens and tickets on devices that they came to before a time: they continue on
    another device.

    `until` is the time at which the last of them would have expired anyway. Departures are kept apart from
    the operators' entries, so that people cannot fill the policy.
    """

    person: str
    before: int
    until: int


PolicyEntry: TypeAlias = Ban | Revocation | Closure | EndedSession | Departure


def entry_name(entry: PolicyEntry) -> str:
    """The entry's name: a later entry of the same name replaces it."""
    match entry:
        case Ban(kind, target):
            return f"ban {kind} {target}"
        case Revocation(person):
            return f"revocation {person or ''}"
        case Closure(room):
            return f"closure {room}"
        case EndedSession(id):
            return f"ended session {id}"
        case Departure(person):
            return f"departure {person}"


class PolicyFull(Exception):
    """There are already `MAX_POLICY_ENTRIES` entries: one must be removed, or end, first."""


class PolicyStore:
    """The policy in the store, or the entries of another `name` beside it."""

    def __init__(self, store: Store, name: str = "policy") -> None:
        self._store = store
        self._keys = [store.key(f"{{{name}}}:version"), store.key(f"{{{name}}}:entries")]

    async def version(self) -> int:
        """A number that changes with every entry."""
        return int(await self._store.call("GET", self._keys[0]) or 0)

    async def entries(self, at: int) -> Sequence[PolicyEntry]:
        """The entries that have not ended by `at`."""
        stored = await self._store.read_all("HSCAN", self._keys[1])
        entries = [_decode(value.partition(b" ")[2]) for value in stored]
        return [entry for entry in entries if entry.until > at]

    async def put(self, entry: PolicyEntry, at: int) -> None:
        """Writes an entry. Raises PolicyFull."""
        packed = b"%d %b" % (entry.until, _encode(entry))
        if await self._write(at, entry_name(entry), packed) < 0:
            raise PolicyFull

    async def remove(self, name: str, at: int) -> bool:
        """Removes the entry with this name (see `entry_name`); returns False if there is none."""
        return await self._write(at, name, b"") > 0

    async def _write(self, at: int, name: str, packed: bytes) -> int:
        return int(await self._store.run(WRITE, self._keys, [at, name, packed, MAX_POLICY_ENTRIES]))


WRITE: Final = load_script("policy")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(PolicyEntry).decode
