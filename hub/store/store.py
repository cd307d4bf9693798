"""The store, off the hot path: taking, releasing and reading rooms; lobby, records and heartbeats.

Any call may raise `StoreUnavailable`. The caller then cannot know whether it took effect, and may repeat it.
Commits go through hub/store/pipe.py.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, cast

import redis.exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from hub.config import Ack, CannotStart, Exit
from hub.store.address import StoreAddress
from hub.store.calls import SharedRedis
from hub.store.fitness import Settings, check, examine, reason, text
from hub.store.lease import LEASE_MS
from hub.table.table_time import GRACE

CALL_SECONDS: Final = 5.0
BEAT_TIMEOUT_SECONDS: Final = 1.0
"""A heartbeat fails after this long without an answer; the next one is due by then."""
REPLICA_MS: Final = 1000
CODE_RESERVED_SECONDS: Final = 60
"""How long a code is reserved for a room that is being created."""
DAY_MS: Final = 24 * 3600 * 1000
CLOCK_KEPT_MS: Final = 7 * DAY_MS
RENEWED_MS: Final = DAY_MS // 2
"""How often a room's owner renews its expiry, which is at least a day away."""
LISTED_MS: Final = 3600 * 1000
"""How long a room stays in the lobby after its summary was last written."""
PAGE: Final = 500


class StoreUnavailable(ConnectionError):
    """The store is unreachable, does not answer, or refuses for a transient reason."""


class HubIdentity(NamedTuple):
    """One run of a hub: a random name, and the URL that browsers use (no two live hubs share one)."""

    incarnation: str
    url: str


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
    """Another live hub owns the room; browsers can reach it at `url`."""

    url: str


@dataclass(slots=True, frozen=True)
class Missing:
    """There is no such room."""


class Listing(NamedTuple):
    """A page of the lobby: the number of rooms in it, and the summary of each room on this page."""

    total: int
    summaries: dict[str, bytes]


def first_token(incarnation: str) -> str:
    """The token of a room's creator. Like every token, it is never used twice."""
    return f"1:{incarnation}:{secrets.token_hex(8)}"


def incarnation_of(token: str) -> str:
    """The incarnation that a token belongs to; empty if the room was released."""
    return token.split(":")[1]


class Store:
    """Everything a hub does with the store, except commits. Created by `open`."""

    def __init__(
        self, client: Redis, beats: Redis, address: StoreAddress, prefix: str, ack: Ack, forget_days: int
    ) -> None:
        self._client = client
        self._beats = beats
        self._address = address
        self._prefix = prefix
        self._ack = ack
        self._replica = ack == "replica"
        self._lifetime = forget_days * DAY_MS
        """Milliseconds after which a room that nobody renews is deleted; 0: never."""
        self._settings: Settings | None = None
        """What the check at the start read."""

    @classmethod
    async def open(
        cls, url: str, *, prefix: str = "parley:", ack: Ack = "everysec", forget_days: int = 90
    ) -> Self:
        """Connects to a store and checks that it is fit for use. Raises CannotStart.

        Everything about a room is deleted `forget_days` after it was last owned (0: never).
        """
        address = StoreAddress.parse(url)
        try:
            beats = _client(url, BEAT_TIMEOUT_SECONDS)
        except (ValueError, TypeError) as error:  # redis-py passes the URL's options on as arguments
            raise CannotStart(f"PARLEY_REDIS_URL cannot be used: {reason(error)}.", Exit.USAGE) from error
        calls = SharedRedis(url, address, CALL_SECONDS)
        store = cls(calls, beats, address, prefix, ack, forget_days)
        try:
            store._settings = await check(calls, address, ack, prefix)
        except BaseException:
            await store.close()
            raise
        return store

    async def unfitness(self) -> str | None:
        """What has become unsuitable about the store since it was opened, as one sentence."""
        assert self._settings is not None
        async with self._errors():
            return await examine(self._client, self._address, self._ack, self._settings)

    async def close(self) -> None:
        await self._client.aclose(close_connection_pool=True)
        await self._beats.aclose(close_connection_pool=True)

    # --- rooms ---

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
            if not await self._client.set(self._code(code), room, nx=True, ex=CODE_RESERVED_SECONDS):
                holder = await self._client.get(self._code(code))
                if holder is None or text(holder) != room:
                    await self.unlist(incarnation_of(token), room)
                    return False
            created = await self._run(
                CREATE, self._keys(room), [token, at, live, status, code, snapshot, self._lifetime]
            )
            if created != 1:
                await self.unlist(incarnation_of(token), room)
                return False
            await self._keep_code(code, room)
        if summary:
            await self.put_summary(room, 1, 0, summary)
        return True

    async def claim(
        self, room: str, hub: HubIdentity, live: int, *, evict: bool = False
    ) -> Ownership | OwnedByOther | Missing:
        """Takes ownership of this room unless a live hub has it. `live` is our live clock's reading.

        Another incarnation with our URL is an earlier run of this hub, so it is dead. The room is listed
        under this hub before it is taken. Table time continues from the latest that an owner which did not
        release the room can have shown, so that it never goes back (G5.4). With `evict` it is taken from a
        live hub, too (hub/store/people.py).

        A hub lives until its heartbeat has run out, whatever its URL. The room is listed under this hub
        before it is taken. Table time continues from the latest that an owner which did not
        release the room can have shown, so that it never goes back (G5.4).
        """
        head = self._keys(room)[0]
        owner = f"{hub.incarnation}:{secrets.token_hex(8)}"
        async with self._errors():
            while True:
                token = await self._client.hget(head, "token")
                if token is None:
                    await self.unlist(hub.incarnation, room)
                    return Missing()
                old = incarnation_of(text(token))
                if old and old != hub.incarnation and not evict:
                    alive = await self._client.get(self._alive(old))
                    if alive is not None:
                        await self.unlist(hub.incarnation, room)
                        return OwnedByOther(text(alive))
                await self._list(hub.incarnation, room)
                beat = await self._client.hget(self._hub(old), "live") if old else None
                latest = "" if beat is None else int(beat) + GRACE  # its live clock never read more
                if latest and old == hub.incarnation:
                    latest = min(latest, live)
                arguments = [token, owner, latest, live, self._lifetime]
                answer = await self._run(TAKE, self._keys(room), arguments)
                if text(answer[0]) == "taken":
                    break
            if old and old != hub.incarnation:
                await self.unlist(old, room)
            ownership = _ownership(answer)
            await self._keep_code(ownership.code, room)
        return ownership

    async def renew(self, token: str, room: str, code: str) -> bool:
        """Renews the expiry of a room and its code; returns False if another hub owns it."""
        async with self._errors():
            renewed = await self._run(RENEW, self._keys(room), [token, self._lifetime])
            if renewed == 1:
                await self._keep_code(code, room)
        return bool(renewed == 1)

    async def release(self, token: str, room: str, *, at: int | None = None) -> bool:
        """Releases a room at table time `at`; returns False if another hub already owned it."""
        arguments = [token, "" if at is None else at, self._lifetime]
        async with self._errors():
            released = await self._run(RELEASE, self._keys(room), arguments)
            if released == 1:  # otherwise the new owner, perhaps this hub, did so
                await self.unlist(incarnation_of(token), room)
        return bool(released == 1)

    async def remember_place(self, person: str, room: str, name: str) -> None:
        """Lists a room under a person who sits there, so that they can be forgotten (hub/store/people.py)."""
        await self.run(REMEMBER, [self.key(f"person:{person}")], [f"{room} {name}", self._lifetime])

    async def take_evictions(self, incarnation: str) -> list[str]:
        """The rooms that an operator has taken from this hub since the last call."""
        return [text(room) for room in await self.call("SPOP", self._evictions_key(incarnation), PAGE)]

    async def resolve(self, code: str) -> str | None:
        """The id of the room with this code."""
        async with self._errors():
            room = await self._client.get(self._code(code))
        return None if room is None else text(room)

    async def snapshot(self, room: str) -> bytes | None:
        """A room's stored snapshot, no matter who owns the room."""
        async with self._errors():
            return cast(bytes | None, await self._client.hget(self._keys(room)[0], "snapshot"))

    async def log(self, room: str) -> list[bytes]:
        """All entries of a room's log, oldest first."""
        return [entry for _, entry in await self.log_with_ids(room)]

    async def log_with_ids(self, room: str) -> list[tuple[str, bytes]]:
        """All entries with their ids `<epoch>-<n>`."""
        entries: list[tuple[str, bytes]] = []
        start = "-"
        async with self._errors():
            while True:
                page: Any = await self._client.xrange(self._keys(room)[1], start, "+", PAGE)
                entries += [(text(at), fields[b"e"]) for at, fields in page]
                if len(page) < PAGE:
                    return entries
                start = "(" + entries[-1][0]

    async def talk(self, room: str) -> dict[bytes, bytes]:
        """The talk history, by slot."""
        async with self._errors():
            return cast(dict[bytes, bytes], await self._client.hgetall(self._keys(room)[2]))

    async def notes(self, room: str) -> dict[int, bytes]:
        """Each seat's note."""
        async with self._errors():
            notes: Any = await self._client.hgetall(self._keys(room)[3])
        return {int(seat): note for seat, note in notes.items()}

    # --- hubs ---

    async def beat(self, hub: HubIdentity, live: int) -> bool:
        """Stores a heartbeat with the hub's live clock, kept for a week. The hub is then alive for 3 seconds.

        Returns False if the hub was not alive when the heartbeat arrived: it came too late, or is the first.
        """
        name = hub.incarnation
        keys = [self._hub(name), self._alive(name), self._rooms_key(name)]
        async with self._errors():
            alive = await self._run(BEAT, keys, [live, hub.url, CLOCK_KEPT_MS, LEASE_MS], self._beats)
        return bool(alive == 1)

    async def hold_url(self, hub: HubIdentity) -> str:
        """Holds the hub's URL for 3 seconds unless another hub does; returns the incarnation that has it."""
        async with self._errors():
            holder = await self._run(URL, [self._url(hub.url)], [hub.incarnation, LEASE_MS], self._beats)
        return text(holder)

    async def depart(self, hub: HubIdentity) -> None:
        """Marks this hub as gone: others may take its rooms and its URL at once."""
        async with self._errors():
            await self._client.unlink(self._alive(hub.incarnation))
            await self._run(URL, [self._url(hub.url)], [hub.incarnation, 0], self._beats)

    async def hubs(self) -> list[HubIdentity]:
        """The hubs that are alive."""
        start, end = self._alive("").split("}")
        hubs: list[HubIdentity] = []
        async with self._errors():
            async for key in self._client.scan_iter(f"{start}*}}{end}", count=PAGE):
                url = await self._client.get(key)
                if url is not None:
                    hubs.append(HubIdentity(text(key)[len(start) : -len(end) - 1], text(url)))
        return hubs

    async def rooms_of(self, incarnation: str) -> list[str]:
        """The rooms listed under a hub: all that it owns, and perhaps some that it does not."""
        async with self._errors():
            rooms: Any = await self._client.smembers(self._rooms_key(incarnation))
        return sorted(map(text, rooms))

    async def unlist(self, incarnation: str, room: str) -> None:
        """Removes a room from a hub's list."""
        async with self._errors():
            await self._client.srem(self._rooms_key(incarnation), room)

    async def _list(self, incarnation: str, room: str) -> None:
        rooms = self._rooms_key(incarnation)
        await asyncio.gather(  # the second for a new list, unless the hub beats again
            self._client.sadd(rooms, room), self._client.pexpire(rooms, CLOCK_KEPT_MS)
        )

    async def _keep_code(self, code: str, room: str) -> None:
        """Keeps a code for as long as its room could live without being released, renewed or taken again."""
        lifetime = self._lifetime + RENEWED_MS if self._lifetime else None
        await self._client.set(self._code(code), room, px=lifetime)

    # --- lobby and records, stored apart from the rooms ---

    async def put_summary(self, room: str, epoch: int, seq: int, summary: bytes) -> bool:
        """Shows a room in the lobby as of (epoch, seq); an empty summary removes it.

        Returns False if the lobby has a newer summary.
        """
        async with self._errors():
            written = await self._run(
                LOBBY,
                self._lobby_keys(),
                [room, epoch, seq, summary, LISTED_MS],
            )
        return bool(written == 1)

    async def lobby(self, skip: int = 0, count: int = PAGE) -> Listing:
        """A page of the lobby: `count` rooms after the first `skip`, the last written ones first."""
        async with self._errors():
            keys = self._lobby_keys()[:2]
            total, *page = await self._client.eval(BROWSE, len(keys), *keys, skip, count, LISTED_MS)
        lines = zip(page[::2], page[1::2], strict=True)
        return Listing(total, {text(room): line.partition(b" ")[2] for room, line in lines})

    async def keep_record(self, room: str, record: bytes, days: int) -> None:
        """Stores the record of a finished game for this many days (0: not at all)."""
        async with self._errors():
            if days > 0:
                await self._client.set(self._record(room), record, ex=days * 24 * 3600)

    async def record(self, room: str) -> bytes | None:
        async with self._errors():
            return cast(bytes | None, await self._client.get(self._record(room)))

    # --- for the other modules of this package, which keep their own keys ---

    def key(self, name: str) -> str:
        """The key of this name in this hub's part of the store."""
        return self._prefix + name

    async def call(self, *words: str | int | bytes) -> Any:
        """The reply to one command."""
        async with self._errors():
            return await self._client.execute_command(*words)  # type: ignore[no-untyped-call]

    async def run(self, script: str, keys: Sequence[str], arguments: Sequence[str | int | bytes]) -> Any:
        """The reply of a Lua script."""
        async with self._errors():
            return await self._run(script, keys, arguments)

    # --- keys, scripts, errors ---

    def _keys(self, room: str) -> list[str]:
        base = f"{self._prefix}{{room:{room}}}:"
        return [base + "head", base + "log", base + "talk", base + "notes"]

    def _code(self, code: str) -> str:
        return f"{self._prefix}code:{code}"

    def _lobby_keys(self) -> list[str]:
        base = self._prefix + "{lobby}"
        return [base, base + ":listed", base + ":gone"]

    def _record(self, room: str) -> str:
        return f"{self._prefix}record:{room}"

    def _hub(self, incarnation: str) -> str:
        return f"{self._prefix}{{hub:{incarnation}}}"

    def _alive(self, incarnation: str) -> str:
        return f"{self._prefix}{{hub:{incarnation}}}:alive"

    def _evictions_key(self, incarnation: str) -> str:
        return f"{self._prefix}{{hub:{incarnation}}}:evicted"

    def _url(self, url: str) -> str:
        return f"{self._prefix}url:{url}"

    def _rooms_key(self, incarnation: str) -> str:
        return f"{self._prefix}{{hub:{incarnation}}}:rooms"

    async def _run(
        self,
        script: str,
        keys: Sequence[str],
        arguments: Sequence[str | int | bytes],
        client: Redis | None = None,
    ) -> Any:
        """Runs a script; with PARLEY_ACK=replica, waits until a replica has its writes."""
        client = client or self._client  # heartbeats do not wait: the next one is due in half a second
        if client is self._beats or not self._replica:
            return await client.eval(script, len(keys), *keys, *arguments)
        answer, replicas = await asyncio.gather(
            client.eval(script, len(keys), *keys, *arguments), client.wait(1, REPLICA_MS)
        )
        if replicas < 1:
            raise StoreUnavailable("no replica confirmed in time")
        return answer

    @asynccontextmanager
    async def _errors(self) -> AsyncIterator[None]:
        try:
            yield
        except StoreUnavailable:
            raise
        except (redis.exceptions.RedisError, OSError) as error:
            raise StoreUnavailable(f"the store at {self._address}: {reason(error)}") from error


def load_script(name: str) -> str:
    """The Lua script of this name."""
    return (Path(__file__).parent / "lua" / f"{name}.lua").read_text("utf-8")


CREATE: Final = load_script("create")
TAKE: Final = load_script("take")
RELEASE: Final = load_script("release")
RENEW: Final = load_script("renew")
BEAT: Final = load_script("beat")
URL: Final = load_script("url")
LOBBY: Final = load_script("lobby")
BROWSE: Final = load_script("browse")
REMEMBER: Final = load_script("remember")


def _client(url: str, seconds: float) -> Redis:
    """A client with one connection that never retries; retrying is left to the caller."""
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=1,
        timeout=seconds,
        socket_timeout=seconds,
        socket_connect_timeout=seconds,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
    )
    pool.make_connection()  # type: ignore[no-untyped-call]  # TypeError for an unknown option
    return Redis(connection_pool=pool)


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
