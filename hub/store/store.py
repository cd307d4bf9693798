"""The rooms in the store, off the hot path: creating, taking, releasing and reading them.

`Store` is what the rest of the hub calls: hubs (hub/store/hubs.py), lobby and records (hub/store/lobby.py)
are parts of it. Any call may raise `StoreUnavailable`. The caller then cannot know whether it took effect,
and may repeat it. For `StoreDamaged` that is of no use. Commits go through hub/store/pipe.py.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from hub.store.client import DAY_MS, PAGE, StoreDamaged
from hub.store.fitness import text
from hub.store.hubs import HubIdentity, HubStore
from hub.store.lobby import LobbyStore
from hub.store.scripts import load_script
from hub.table.table_time import GRACE

CODE_RESERVED_SECONDS: Final = 60
"""How long a code is reserved for a room that is being created."""
RENEWED_MS: Final = DAY_MS // 2
"""How often a room's owner renews its expiry, which is at least a day away."""
TAKEN_KEPT_MS: Final = 60_000
"""How long a hub's heartbeats tell it that a room was taken: longer than it takes to claim one."""
NO_KEY: Final = -2
NO_EXPIRY: Final = -1
"""What Redis answers instead of the milliseconds that a key has left."""


@dataclass(slots=True, frozen=True)
class Ownership:
    """This hub owns the room.

    Table time was `at` when the live clock read the value passed to `claim`, and continues from there.
    """

    token: str
    epoch: int
    seq: int
    at: int
    status: str
    code: str
    snapshot: bytes
    entries: Sequence[bytes]
    """The log since the snapshot, oldest first."""
    talk: Mapping[bytes, bytes]
    """The talk history, by slot."""
    notes: Mapping[int, bytes]


@dataclass(slots=True, frozen=True)
class OwnedByOther:
    """This other live hub owns the room."""

    hub: HubIdentity


@dataclass(slots=True, frozen=True)
class LeftTo:
    """No live hub owns the room, and this other live hub is to take it."""

    hub: HubIdentity


@dataclass(slots=True, frozen=True)
class Missing:
    """There is no such room."""


Claim: TypeAlias = Ownership | OwnedByOther | LeftTo | Missing


def first_token(incarnation: str) -> str:
    """The token of a room's creator. Like every token, it is never used twice."""
    return f"1:{incarnation}:{secrets.token_hex(8)}"


def incarnation_of(token: str | bytes) -> str:
    """The incarnation that a token belongs to; empty if the room was released. Raises StoreDamaged."""
    try:
        return text(token).split(":")[1]
    except (UnicodeDecodeError, IndexError):
        raise StoreDamaged("a room's token is damaged") from None


class Store(HubStore, LobbyStore):
    """Everything a hub does with the store, except commits. Created by `open`."""

    async def create(
        self,
        room: str,
        code: str,
        snapshot: bytes,
        status: str,
        summary: bytes,
        token: str,
        at: int,
        live: int,
    ) -> bool:
        """Creates a room, owned by `token` (from `first_token`), at sequence 0.

        Returns False if the id or the code is taken. An empty summary keeps the room out of the lobby.
        """
        async with self._errors():
            await self._list(incarnation_of(token), room)
            if not await self._client.set(self.keys.code(code), room, nx=True, ex=CODE_RESERVED_SECONDS):
                holder = await self._client.get(self.keys.code(code))
                if holder is None or text(holder) != room:
                    await self.unlist(incarnation_of(token), room)
                    return False
            lifetime = self._waiting_lifetime if status == "waiting" else self._lifetime
            created = await self._run(
                CREATE, self.keys.room(room), [token, at, live, status, code, snapshot, lifetime]
            )
            if created != 1:
                await self.unlist(incarnation_of(token), room)
                return False
            await self._keep_code(code, room)
        if summary:
            await self.put_summary(room, 1, 0, summary)
        return True

    async def claim(
        self,
        room: str,
        hub: HubIdentity,
        live: int,
        *,
        rank: Callable[[], Awaitable[Sequence[str]]] | None = None,
        evict: bool = False,
    ) -> Claim:
        """Takes ownership of this room unless a live hub has it. `live` is our live clock's reading.

        `rank` lists the hubs in the order in which they are to take a free room: it is left to those before
        us that are alive and are not leaving.

        A hub lives until its heartbeat has run out, whatever its URL. The room is listed under this hub
        before it is taken. If its owner did not release it, table time continues from the latest time that
        owner can have shown, so that it never goes back (G5.4). With `evict` it is taken from a live hub, too
        (hub/store/people.py).

        That owner learns of it with its next heartbeat, even if it came back to life meanwhile. Its token is
        noted before the room is taken, so that the owner verifies its ownership even if we are killed in
        between. It verifies with a commit; if one comes before ours, the owner may have shown later times, so
        the claim starts over, except with `evict`.
        """
        owner = f"{hub.incarnation}:{secrets.token_hex(8)}"
        async with self._errors():
            while True:
                token, seq = await self._read_owner(room)
                old = "" if token is None else incarnation_of(token)
                other = await self._find_other(token, hub, rank, evict=evict)
                if isinstance(other, Missing | OwnedByOther):
                    await self.unlist(hub.incarnation, room)
                if token is None or other is not None:
                    return other or Missing()
                await self._list(hub.incarnation, room)
                if old and old != hub.incarnation:
                    await self.note_taken(text(token))
                beat = await self._client.hget(self.keys.hub(old), "live") if old else None
                latest = "" if beat is None else int(beat) + GRACE  # its live clock never read more
                if latest and old == hub.incarnation:
                    latest = min(latest, live)
                seen = b"" if evict else seq  # an operator takes it from an owner that goes on writing
                arguments = [token, seen, owner, latest, live, *self._lifetimes]
                answer = await self._run(TAKE, self.keys.room(room), arguments)
                if text(answer[0]) == "taken":
                    break
            if old and old != hub.incarnation:
                await self.unlist(old, room)
            try:
                ownership = _ownership(answer)
            except ValueError as error:
                raise StoreDamaged(f"room {room} is damaged") from error
            await self._keep_code(ownership.code, room)
        return ownership

    async def locate(
        self, room: str, hub: HubIdentity, rank: Callable[[], Awaitable[Sequence[str]]]
    ) -> Missing | OwnedByOther | LeftTo | None:
        """Which other hub is to be asked for this room, as in `claim`; None if there is none."""
        async with self._errors():
            token, _ = await self._read_owner(room)
            return await self._find_other(token, hub, rank)

    async def _read_owner(self, room: str) -> tuple[bytes | None, bytes]:
        """The token of a room's owner, None if there is no such room, and the room's sequence number."""
        key = self.keys.room(room)[0]
        head: Any = await self._client.hmget(key, "token", "seq")
        token, seq = head
        if token is None:
            await self._confirm_primary(key)
        return token, seq or b""

    async def _find_other(
        self,
        token: bytes | str | None,
        hub: HubIdentity,
        rank: Callable[[], Awaitable[Sequence[str]]] | None,
        *,
        evict: bool = False,
    ) -> Missing | OwnedByOther | LeftTo | None:
        """Why this hub is not to take the room with this token; None if it is."""
        if token is None:
            return Missing()
        owner = incarnation_of(token)
        if owner and owner != hub.incarnation and not evict:
            alive = await self._client.get(self.keys.alive(owner))
            if alive is not None:
                return OwnedByOther(HubIdentity(owner, text(alive)))
        if rank is not None and owner != hub.incarnation:
            heir = await self._find_heir(hub.incarnation, await rank())
            if heir is not None:
                return LeftTo(heir)
        return None

    async def note_taken(self, token: str) -> None:
        """Has a room's owner verify with its next heartbeat that it still owns the room."""
        await self.run(REMEMBER, [self.keys.claims(incarnation_of(token))], [token, TAKEN_KEPT_MS])

    async def _find_heir(self, incarnation: str, rank: Sequence[str]) -> HubIdentity | None:
        """The first hub of these before ours that is alive and still registered."""
        for name in rank:
            if name == incarnation:
                return None
            heir = await self.find_hub(name)
            if heir is not None and await self.is_registered(name):
                return heir
        return None

    async def note_handover(self, room: str, heir: str) -> None:
        """Lists a room under the hub that is to take it with its next heartbeat."""
        async with self._errors():
            await self._list(heir, room)
        await self.run(REMEMBER, [self.keys.handovers(heir)], [room, TAKEN_KEPT_MS])

    async def end_handover(self, room: str, incarnation: str) -> None:
        """Forgets that this hub was to take a room."""
        async with self._errors():
            await self._client.srem(self.keys.handovers(incarnation), room)

    async def renew(self, token: str, room: str, code: str) -> bool:
        """Renews the expiry of a room and its code; returns False if another hub owns it."""
        async with self._errors():
            renewed = await self._run(RENEW, self.keys.room(room), [token, *self._lifetimes])
            if renewed == 1:
                await self._keep_code(code, room)
        return bool(renewed == 1)

    async def release(
        self, token: str, room: str, *, at: int | None = None, stays_listed: bool = False
    ) -> bool:
        """Releases a room at table time `at`; returns False if another hub already owned it.

        With `stays_listed`, other hubs find it under this one once it has left.
        """
        arguments = [token, "" if at is None else at, *self._lifetimes]
        async with self._errors():
            released = await self._run(RELEASE, self.keys.room(room), arguments)
            if released == 1 and not stays_listed:  # if 0, the new owner, perhaps this hub, did so
                await self.unlist(incarnation_of(token), room)
        return bool(released == 1)

    async def remember_place(self, person: str, room: str, name: str) -> None:
        """Lists a room under a person who sits there, so that they can be forgotten (hub/store/people.py)."""
        await self.run(REMEMBER, [self.keys.places(person)], [f"{room} {name}", self._lifetime])

    async def resolve(self, code: str) -> str | None:
        """The id of the room with this code."""
        key = self.keys.code(code)
        async with self._errors():
            room = await self._client.get(key)
            if room is None:
                await self._confirm_primary(key)
        return None if room is None else text(room)

    async def find_orphans(
        self,
        incarnation: str,
        *,
        alive: bool,
        skip: Callable[[str], bool] = lambda room: False,
        on_damaged: Callable[[str], None] = lambda room: None,
    ) -> list[str]:
        """The running rooms, among those listed under a hub, that it has released or, unless it is `alive`,
        owns; without those to `skip`, and those that are damaged, for which it calls `on_damaged`."""
        orphans: list[str] = []
        owners = {""} if alive else {"", incarnation}
        rooms = [room for room in await self.rooms_of(incarnation) if not skip(room)]
        for start in range(0, len(rooms), PAGE):
            page = rooms[start : start + PAGE]
            heads = await asyncio.gather(*(self._running_owner(room) for room in page))
            for room, owner in zip(page, heads, strict=True):
                if isinstance(owner, StoreDamaged):
                    on_damaged(room)
                elif owner in owners:
                    orphans.append(room)
        return orphans

    async def _running_owner(self, room: str) -> str | StoreDamaged | None:
        """The incarnation that owns a room; None unless its game is running."""
        try:
            async with self._errors():
                head: Any = await self._client.hmget(self.keys.room(room)[0], "token", "status")
            token, status = head
            return incarnation_of(token) if token is not None and status == b"running" else None
        except StoreDamaged as damage:
            return damage

    async def read_head(self, room: str) -> tuple[bytes, int] | None:
        """A room's stored snapshot, and the table time at which its last owner's live clock read 0."""
        async with self._errors():
            head: Any = await self._client.hmget(self.keys.room(room)[0], "snapshot", "at", "live")
        snapshot, at, live = head
        try:
            return None if snapshot is None else (snapshot, int(at) - int(live))
        except (ValueError, TypeError) as error:
            raise StoreDamaged(f"room {room} is damaged") from error

    async def snapshot(self, room: str) -> bytes | None:
        """A room's stored snapshot, no matter who owns the room."""
        async with self._errors():
            return cast(bytes | None, await self._client.hget(self.keys.room(room)[0], "snapshot"))

    async def log(self, room: str) -> list[bytes]:
        """All entries of a room's log, oldest first."""
        return [entry for _, entry in await self.log_with_ids(room)]

    async def log_with_ids(self, room: str) -> list[tuple[str, bytes]]:
        """All entries with their ids `<epoch>-<n>`."""
        entries: list[tuple[str, bytes]] = []
        start = "-"
        async with self._errors():
            while True:
                page: Any = await self._client.xrange(self.keys.room(room)[1], start, "+", PAGE)
                entries += [(text(at), fields[b"e"]) for at, fields in page]
                if len(page) < PAGE:
                    return entries
                start = "(" + entries[-1][0]

    async def talk(self, room: str) -> dict[bytes, bytes]:
        """The talk history, by slot."""
        async with self._errors():
            return cast(dict[bytes, bytes], await self._client.hgetall(self.keys.room(room)[2]))

    async def notes(self, room: str) -> dict[int, bytes]:
        """Each seat's note."""
        async with self._errors():
            notes: Any = await self._client.hgetall(self.keys.room(room)[3])
        return {int(seat): note for seat, note in notes.items()}

    async def _keep_code(self, code: str, room: str) -> None:
        """Keeps a code for as long as its room can live without being released, renewed or taken."""
        left = await self._client.pttl(self.keys.room(room)[0])
        if left != NO_KEY:
            lifetime = None if left == NO_EXPIRY else left + RENEWED_MS
            await self._client.set(self.keys.code(code), room, px=lifetime)

    @property
    def _lifetimes(self) -> tuple[int, int]:
        """A room's expiry in milliseconds, and that of a room whose game has not begun; 0: never."""
        return self._lifetime, self._waiting_lifetime


CREATE: Final = load_script("create")
TAKE: Final = load_script("set_expiry", "take")
RELEASE: Final = load_script("set_expiry", "release")
RENEW: Final = load_script("set_expiry", "renew")
REMEMBER: Final = load_script("set_expiry", "remember")


def _ownership(answer: list[Any]) -> Ownership:
    _, token, epoch, seq, at, status, code, snapshot, entries, talk, notes = answer
    return Ownership(
        token=text(token),
        epoch=epoch,
        seq=seq,
        at=at,
        status=text(status),
        code=text(code),
        snapshot=snapshot,
        entries=entries,
        talk=_pairs(talk),
        notes={int(seat): note for seat, note in _pairs(notes).items()},
    )


def _pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))
