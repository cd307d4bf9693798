"""Where rooms live: every room of the store, taken by this hub when it is needed and free.

Implements the port between the HTTP API and the rooms (hub/runtime/placement.py), and finds the actor of a
room for each new socket. A room that another live hub owns is `Elsewhere`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

import msgspec
import structlog
from msgspec import Struct

from games.api import Millis, Refusal, Registration
from hub.runtime.actor import Actor, Services, Taken
from hub.runtime.batch import Deed
from hub.runtime.placement import (
    BadOptions,
    Elsewhere,
    NoSuchRoom,
    Placed,
    RefusedPlace,
    RoomsError,
    Unavailable,
    room_code,
    room_id,
)
from hub.store import store as stored
from hub.store.lease import Lease
from hub.store.store import HubIdentity, Store, StoreUnavailable
from hub.table import actions, records, room
from hub.table.replay import Setting, Unplayable
from hub.table.room import Change, Room
from hub.table.talk import Kept
from hub.telemetry.tasks import Tasks
from hub.wire.tickets import Person, Signer

T = TypeVar("T")

CODE_TRIES: Final = 8
DRAIN_SECONDS: Final = 8.0
FORGET_DAYS: Final = 90
"""Days after which a table nobody has opened is forgotten."""
STORE_TROUBLE: Final = "the store cannot be reached; nothing was done: try again soon"

_log = structlog.get_logger("rooms")


class Summary(Struct, frozen=True):
    """What the lobby shows of a room."""

    room: str
    code: str
    game: str
    status: str
    seats: int
    taken: int
    watchers: int
    host: str | None
    options: Mapping[str, Any]
    open: bool
    locked: bool
    watching: bool


_pack_summary = msgspec.msgpack.Encoder().encode
_unpack_summary = msgspec.msgpack.Decoder(Summary).decode


class HubRooms:
    """The rooms as one hub sees them."""

    def __init__(
        self,
        games: Mapping[str, Registration],
        store: Store,
        lease: Lease,
        identity: HubIdentity,
        signer: Signer,
        tasks: Tasks,
        services: Callable[[HubRooms], Services],
        store_healthy: Callable[[], bool],
        record_days: int,
    ) -> None:
        self._games = games
        self._rules = {key: entry.game for key, entry in games.items()}
        self._store = store
        self._lease = lease
        self._identity = identity
        self._signer = signer
        self._tasks = tasks
        self._store_healthy = store_healthy
        self._record_days = record_days
        self._actors: dict[str, Actor] = {}
        self._loading: dict[str, asyncio.Task[Actor | RoomsError]] = {}
        self._summaries: set[str] = set()
        self._draining = False
        self._services = services(self)

    # --- finding ---

    async def find(self, room_id: str) -> Actor:
        """The room's actor, taking the room if it is free. Raises NoSuchRoom, Elsewhere, Unavailable."""
        actor = self._actors.get(room_id)
        if actor is not None:
            return actor
        if self._draining:
            raise Unavailable("this hub is going away: try again, another one takes over")
        loading = self._loading.get(room_id)
        if loading is None:
            loading = self._tasks.start("take", self._take(room_id))
            self._loading[room_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(room_id, None))
        found = await asyncio.shield(loading)
        if isinstance(found, RoomsError):
            raise found
        return found

    async def _take(self, room_id: str) -> Actor | RoomsError:
        try:
            return await self._taken(room_id)
        except RoomsError as error:
            return error

    async def _taken(self, room_id: str) -> Actor:
        live = self._lease.now_live()
        found = await self._asked(self._store.take(room_id, self._identity, live))
        match found:
            case stored.Missing():
                raise NoSuchRoom(room_id)
            case stored.OwnedByOther(url):
                raise Elsewhere(url)
            case stored.Ownership():
                pass
        logged = await self._asked(self._store.log(room_id))
        try:
            now = room.unpack(found.snapshot, self._rules)
            beyond = map(room.unpack_logged, found.entries)
            now = room.play_on(self._rules[now.table.game], now, beyond)
            kept, said = Kept.restored(found.talk)
        except (KeyError, ValueError) as error:
            await self._asked(self._store.release(found.token, room_id))
            _log.exception("a stored room cannot be read", room=room_id)
            raise Unavailable("this table was made by another version of Parley") from error
        notes = tuple(found.notes.get(i, b"").decode() for i in range(len(now.table.seats)))
        entries = tuple(room.unpack_logged(entry) for entry in logged)
        self._services.metrics.takeovers += 1
        return self._began(Taken(now, found.token, found.seq, Millis(found.at), notes, kept, said, entries))

    def _began(self, taken: Taken) -> Actor:
        entry = self._games[taken.room.table.game]
        actor = Actor(taken, entry.game, entry.bot, self._services)
        self._actors[taken.room.table.room] = actor
        return actor

    def stopped(self, room_id: str, reason: str) -> None:
        """An actor gave its room up."""
        actor = self._actors.pop(room_id, None)
        _log.info("room left", room=room_id, reason=reason)
        if actor is not None and reason == "asleep":
            self._services.metrics.passivated += 1
            self._tasks.start("release", self._release(actor))

    async def _release(self, actor: Actor) -> None:
        room_id = actor.room.table.room
        try:
            await self._store.release(actor.token, room_id, at=actor.now(), forget_days=FORGET_DAYS)
        except StoreUnavailable:
            _log.warning("a sleeping room was not released", room=room_id)

    async def _asked(self, answer: Awaitable[T]) -> T:
        try:
            return await answer
        except StoreUnavailable as error:
            _log.warning("store cannot be asked", reason=str(error))
            raise Unavailable(STORE_TROUBLE) from error

    # --- what the HTTP API asks ---

    async def create(
        self,
        person: Person,
        game: str,
        seats: int,
        options: Mapping[str, Any],
        *,
        open: bool,
        play_now: bool,
        bots: str | None,
    ) -> Placed:
        """A new room with its host on seat 0; `play_now` fills it with bots and starts."""
        if self._draining:
            raise Unavailable("this hub is going away: try again, another one takes over")
        entry = self._games.get(game)
        if entry is None:
            raise BadOptions(Refusal("NO_SUCH_GAME", ""), f"games here are {', '.join(sorted(self._games))}")
        rules = entry.game
        if seats not in rules.seats:
            least, most = rules.seats[0], rules.seats[-1]
            raise BadOptions(Refusal("BAD_SEATS", ""), f"{rules.title} is for {least} to {most} seats")
        if not open and "timers" in rules.Options.__struct_fields__:
            options = {"timers": "relaxed", **options}  # GEN-6: private tables are played relaxed
        wanted = actions.options_of(rules, options)
        if isinstance(wanted, str):
            raise BadOptions(Refusal("BAD_OPTIONS", ""), wanted)
        refusal = rules.refuse_options(seats, wanted)
        if refusal is not None:
            raise BadOptions(refusal, f"these options do not go together ({refusal.code})")
        levels = tuple(entry.bot.levels)
        level = bots or levels[len(levels) // 2]
        if level not in levels:
            raise BadOptions(Refusal("NO_SUCH_LEVEL", ""), f"bots play {', '.join(levels)}")
        actor = await self._created(rules, seats, wanted, open=open)
        placed = await self._place(actor, person, 0)
        assert isinstance(placed, Placed)
        if bots is not None or play_now:
            for seat in range(1, seats):
                await self._do(actor, _adding_bot(seat, level, levels))
        if play_now:
            await self._do(actor, lambda now, at: actions.start(rules, now, level, at))
        self.summary(actor)
        return placed

    async def _created(self, rules: room.Rules, seats: int, options: Any, *, open: bool) -> Actor:
        for _ in range(CODE_TRIES):
            seed = secrets.token_bytes(32)
            made = actions.create(
                rules,
                room_id(secrets.token_bytes(16)),
                room_code(secrets.token_bytes(8)),
                seats,
                options,
                seed,
                open=open,
            )
            token = stored.first_token(self._identity.incarnation)
            live = self._lease.now_live()
            at = 0
            if await self._asked(
                self._store.create(
                    made.table.room,
                    made.table.code,
                    room.Snapshots().pack(made),
                    made.table.status,
                    b"",
                    token,
                    at,
                    live,
                )
            ):
                return self._began(Taken(made, token, 0, Millis(at), ("",) * seats, Kept()))
        raise Unavailable("no free table code was found: try again")

    async def sit(self, room_id: str, person: Person, seat: int) -> Placed | RefusedPlace:
        return await self._place(await self.find(await self._id(room_id)), person, seat)

    async def enter(self, room_id: str, person: Person) -> Placed | RefusedPlace:
        actor = await self.find(await self._id(room_id))
        now = actor.room.table
        seat = actions.seat_of(now, person.id)
        if seat is None and not now.watching:
            return RefusedPlace("WATCHING_CLOSED", "this table may not be watched")
        seat_generation = 0 if seat is None else now.seats[seat].seat_generation
        return Placed(now.room, now.code, seat, seat_generation)

    async def describe(self, room_or_code: str) -> Mapping[str, Any] | None:
        try:
            room_id = await self._id(room_or_code)
        except NoSuchRoom:
            return None
        actor = self._actors.get(room_id)
        if actor is not None:
            return _shown(summary(actor))
        snapshot = await self._asked(self._store.snapshot(room_id))
        if snapshot is None:
            return None
        return _shown(_summary(room.unpack(snapshot, self._rules).table, 0))

    async def lobby(self) -> Sequence[Mapping[str, Any]]:
        found = await self._asked(self._store.lobby())
        return [_shown(_unpack_summary(packed)) for packed in found.values()]

    async def record(self, room_id: str) -> bytes | Literal["running"] | None:
        room_id = await self._id(room_id)
        kept = await self._asked(self._store.record(room_id))
        if kept is not None:
            return kept
        snapshot = await self._asked(self._store.snapshot(room_id))
        if snapshot is None:
            return None
        now = room.unpack(snapshot, self._rules)
        if now.table.status != "finished":
            return "running"
        try:
            return await self._recorded(now)
        except Unplayable as error:
            raise Unavailable(
                f"this game cannot be played again by this version of Parley: {error}"
            ) from error

    async def _recorded(self, now: Room) -> bytes:
        """The record of a finished game, made by playing its log again."""
        logged = await self._asked(self._store.log(now.table.room))
        entries = [entry for data in logged if (entry := room.unpack_logged(data).entry) is not None]
        where = now.table
        setting = Setting(
            game=where.game,
            version=where.version,
            seats=len(where.seats),
            names=tuple(actions.name_of(where, seat) for seat in range(len(where.seats))),
            options=where.options,
            seed=where.seed,
            salts=where.salts,
        )
        key = self._signer.record_key()
        record = await asyncio.to_thread(records.build, setting, entries, self._games, key)
        await self._asked(self._store.keep_record(where.room, record, self._record_days))
        return record

    def draining(self) -> bool:
        return self._draining

    def healthy(self) -> str | None:
        if not self._store_healthy():
            return "the store does not answer"
        if self._lease.lost():
            return "the store has not confirmed this hub's heartbeat for 3 seconds"
        return None

    # --- within ---

    async def _id(self, room_or_code: str) -> str:
        """The room's id. Raises NoSuchRoom for a code nobody has."""
        if len(room_or_code) != 6:
            return room_or_code
        found = await self._asked(self._store.resolve(room_or_code.upper()))
        if found is None:
            raise NoSuchRoom(room_or_code)
        return found

    async def _place(self, actor: Actor, person: Person, seat: int) -> Placed | RefusedPlace:
        refusal = await self._do(
            actor, lambda now, at: actions.sit(now, person.id, person.name, person.colour, seat, at)
        )
        if refusal is not None:
            return RefusedPlace(refusal.code, ADVICE.get(refusal.code, "this seat cannot be taken"))
        now = actor.room.table
        mine = actions.seat_of(now, person.id)
        if mine is None:
            return RefusedPlace("SEAT_TAKEN", ADVICE["SEAT_TAKEN"])
        return Placed(now.room, now.code, mine, now.seats[mine].seat_generation)

    async def _do(self, actor: Actor, deed: Deed) -> Refusal | None:
        """A command of the hub's own, until it is committed. Raises Unavailable if the room is lost."""
        waiting = _Waiting()
        if not actor.perform(deed, waiting):
            raise Unavailable("too many commands wait at this table: try again")
        return await waiting.refusal

    # --- lobby ---

    def summary(self, actor: Actor) -> None:
        """What the lobby shows of this room is brought up to date, soon and once."""
        where = actor.room.table
        if where.room in self._summaries:
            return
        self._summaries.add(where.room)
        self._tasks.start("summary", self._put_summary(actor))
        if where.status == "finished":
            self._tasks.start("record", self._record(actor.room))

    async def _put_summary(self, actor: Actor) -> None:
        await asyncio.sleep(SUMMARY_SECONDS)
        where = actor.room.table
        self._summaries.discard(where.room)
        if self._draining:
            return  # its next owner will tell
        listed = where.open and where.status != "finished"
        packed = _pack_summary(summary(actor)) if listed else b""
        epoch = int(actor.token.partition(":")[0])
        try:
            await self._store.put_summary(where.room, epoch, actor.sequence, packed)
        except StoreUnavailable:
            _log.warning("the lobby was not updated", room=where.room)

    async def _record(self, now: Room) -> None:
        try:
            if await self._store.record(now.table.room) is None:
                await self._recorded(now)
        except (StoreUnavailable, Unavailable):
            _log.warning("the record will be made when asked for", room=now.table.room)
        except Unplayable:
            _log.exception("a finished game cannot be played again", room=now.table.room)

    def prove(self) -> None:
        """Every room asks the store whether it is still ours: this hub did not count as alive for a while."""
        _log.warning("the lease had run out", rooms=len(self._actors))
        for actor in list(self._actors.values()):
            actor.prove()

    # --- leaving ---

    async def drain(self) -> None:
        """No new rooms; each room finishes its batch and is given up; its sockets are told to come back."""
        self._draining = True
        self._services.metrics.draining = True
        waiting = set(self._actors.values())
        for actor in waiting:
            actor.halt()
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                while waiting:
                    idle = [actor for actor in waiting if actor.idle]
                    await asyncio.gather(*map(self._hand_over, idle))
                    waiting.difference_update(idle)
                    if waiting:
                        await asyncio.sleep(0.01)
        except TimeoutError:
            _log.warning("the store takes too long: rooms are left as they are", rooms=len(waiting))
        for actor in waiting:
            actor.stop("cut off")

    async def _hand_over(self, actor: Actor) -> None:
        """Gives a room up, then tells its sockets: the other way round they would be sent back here."""
        try:
            await self._store.release(actor.token, actor.room.table.room, at=actor.now())
        except StoreUnavailable:
            _log.warning("a room could not be released", room=actor.room.table.room)
        actor.stop("handed over")


SUMMARY_SECONDS: Final = 0.2

ADVICE: Final = {
    "SEAT_TAKEN": "somebody else sits there: choose another seat",
    "NO_SUCH_SEAT": "this table has no such seat",
    "NOT_NOW": "the game has begun: this table may only be watched",
    "TABLE_LOCKED": "the host has locked this table",
}


class _Waiting:
    """Awaits the verdict of a command of the hub's own."""

    def __init__(self) -> None:
        self.refusal: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

    def answer(self, n: int, refusal: Refusal | None) -> None:
        if not self.refusal.done():
            self.refusal.set_result(refusal)

    def lost(self) -> None:
        if not self.refusal.done():
            self.refusal.set_exception(Unavailable("this table has just moved to another hub: try again"))


def _adding_bot(seat: int, level: str, levels: tuple[str, ...]) -> Deed:
    def add(now: Room, at: Millis) -> Change | Refusal:
        return actions.add_bot(now, seat, level, levels, at)

    return add


def summary(actor: Actor) -> Summary:
    return _summary(actor.room.table, actor.watchers)


def _summary(where: room.Table, watchers: int) -> Summary:
    host = actions.host_seat(where)
    return Summary(
        room=where.room,
        code=where.code,
        game=where.game,
        status=where.status,
        seats=len(where.seats),
        taken=sum(seat.person is not None or seat.bot is not None for seat in where.seats),
        watchers=watchers,
        host=None if host is None else where.seats[host].name,
        options=where.options,
        open=where.open,
        locked=where.locked,
        watching=where.watching,
    )


def _shown(summary: Summary) -> Mapping[str, Any]:
    return msgspec.structs.asdict(summary)
