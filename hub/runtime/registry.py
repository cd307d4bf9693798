"""The rooms of this hub: every room of the store, checked out when somebody asks for it and it is free.

Implements the port between the HTTP API and the rooms (hub/runtime/placement.py), and finds the actor of a
room for each new connection. A room that another live hub owns is `Elsewhere`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import asdict

from games.api import Millis, Refusal, Registration
from hub.runtime.actor import Actor
from hub.runtime.checkout import RoomCheckout
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
from hub.runtime.ports import ListedRoom, Services
from hub.store import store as stored
from hub.store.lease import Lease
from hub.store.store import HubIdentity, Store, StoreUnavailable
from hub.table import actions, records
from hub.table.commands import AddBot, InternalCommand, Sit, StartGame
from hub.table.replay import ReplayConfig, ReplayError
from hub.table.room import Rules, Snapshots, Table, play_on, unpack, unpack_logged
from hub.table.talk import TalkHistory
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
        self._rules = {key: registration.game for key, registration in games.items()}
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
        """The room's actor; checks the room out if it is free. Raises NoSuchRoom, Elsewhere, Unavailable."""
        actor = self._actors.get(room_id)
        if actor is not None:
            return actor
        if self._draining:
            raise Unavailable("this hub is going away: try again, another one takes over")
        loading = self._loading.get(room_id)
        if loading is None:
            loading = self._tasks.start("check out", self._load(room_id))
            self._loading[room_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(room_id, None))
        result = await asyncio.shield(loading)
        if isinstance(result, RoomsError):
            raise result
        return result

    async def _load(self, room_id: str) -> Actor | RoomsError:
        """Errors are returned: a task that nobody awaits any more must not raise."""
        try:
            return await self._check_out(room_id)
        except RoomsError as error:
            return error

    async def _check_out(self, room_id: str) -> Actor:
        live = self._lease.now_live()
        owned = await self._ask(self._store.take(room_id, self._identity, live))
        match owned:
            case stored.Missing():
                raise NoSuchRoom(room_id)
            case stored.OwnedByOther(url):
                raise Elsewhere(url)
            case stored.Ownership():
                pass
        logged = await self._ask(self._store.log(room_id))
        try:
            room = unpack(owned.snapshot, self._rules)
            room = play_on(self._rules[room.table.game], room, map(unpack_logged, owned.entries))
            talk_history, talk = TalkHistory.restore(owned.talk)
        except (KeyError, ValueError) as error:
            await self._ask(self._store.release(owned.token, room_id))
            _log.exception("a stored room cannot be read", room=room_id)
            raise Unavailable("this table was made by another version of Parley") from error
        notes = tuple(owned.notes.get(i, b"").decode() for i in range(len(room.table.seats)))
        entries = tuple(map(unpack_logged, logged))
        self._services.metrics.takeovers += 1
        return self._begin(
            RoomCheckout(room, owned.token, owned.seq, Millis(owned.at), notes, talk_history, talk, entries)
        )

    def _begin(self, checkout: RoomCheckout) -> Actor:
        registration = self._games[checkout.room.table.game]
        actor = Actor(checkout, registration.game, registration.bot, self._services)
        self._actors[checkout.room.table.room] = actor
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
            await self._store.release(actor.token, room_id, at=actor.table_time(), forget_days=FORGET_DAYS)
        except StoreUnavailable:
            _log.warning("a sleeping room was not released", room=room_id)

    async def _ask(self, answer: Awaitable[T]) -> T:
        """What the store answers. Raises Unavailable if it does not."""
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
        registration = self._games.get(game)
        if registration is None:
            raise BadOptions(Refusal("NO_SUCH_GAME", ""), f"games here are {', '.join(sorted(self._games))}")
        rules = registration.game
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
        levels = registration.bot.levels
        level = bots or levels[len(levels) // 2]
        if level not in levels:
            raise BadOptions(Refusal("NO_SUCH_LEVEL", ""), f"bots play {', '.join(levels)}")
        actor = await self._create(rules, seats, wanted, open=open)
        placed = await self._place(actor, person, 0)
        assert isinstance(placed, Placed)
        if bots is not None or play_now:
            for seat in range(1, seats):
                await self._perform(actor, AddBot(seat, level))
        if play_now:
            await self._perform(actor, StartGame(level))
        self.summary(actor)
        return placed

    async def _create(self, rules: Rules, seats: int, options: Any, *, open: bool) -> Actor:
        for _ in range(CODE_TRIES):
            seed = secrets.token_bytes(32)
            room = actions.create(
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
            if await self._ask(
                self._store.create(
                    room.table.room,
                    room.table.code,
                    Snapshots().pack(room),
                    room.table.status,
                    b"",
                    token,
                    at,
                    live,
                )
            ):
                return self._begin(RoomCheckout(room, token, 0, Millis(at), ("",) * seats, TalkHistory()))
        raise Unavailable("no free table code was found: try again")

    async def sit(self, room_id: str, person: Person, seat: int) -> Placed | RefusedPlace:
        return await self._place(await self.find(await self._id(room_id)), person, seat)

    async def enter(self, room_id: str, person: Person) -> Placed | RefusedPlace:
        actor = await self.find(await self._id(room_id))
        table = actor.room.table
        seat = actions.seat_of(table, person.id)
        if seat is None and not table.watching:
            return RefusedPlace("WATCHING_CLOSED", "this table may not be watched")
        seat_generation = 0 if seat is None else table.seats[seat].seat_generation
        return Placed(table.room, table.code, seat, seat_generation)

    async def describe(self, room_or_code: str) -> Mapping[str, Any] | None:
        try:
            room_id = await self._id(room_or_code)
        except NoSuchRoom:
            return None
        actor = self._actors.get(room_id)
        if actor is not None:
            return asdict(summarize(actor))
        snapshot = await self._ask(self._store.snapshot(room_id))
        if snapshot is None:
            return None
        return asdict(_summarize(unpack(snapshot, self._rules).table, 0))

    async def lobby(self) -> Sequence[Mapping[str, Any]]:
        summaries = await self._ask(self._store.lobby())
        return [asdict(_unpack_summary(packed)) for packed in summaries.values()]

    async def record(self, room_id: str) -> bytes | Literal["running"] | None:
        room_id = await self._id(room_id)
        record = await self._ask(self._store.record(room_id))
        if record is not None:
            return record
        snapshot = await self._ask(self._store.snapshot(room_id))
        if snapshot is None:
            return None
        table = unpack(snapshot, self._rules).table
        if table.status != "finished":
            return "running"
        try:
            return await self._build_record(table)
        except ReplayError as error:
            raise Unavailable(
                f"this game cannot be played again by this version of Parley: {error}"
            ) from error

    async def _build_record(self, table: Table) -> bytes:
        """Builds and stores the record of a finished game, by playing its log again."""
        logged = await self._ask(self._store.log(table.room))
        entries = [entry for data in logged if (entry := unpack_logged(data).entry) is not None]
        config = ReplayConfig(
            game=table.game,
            version=table.version,
            seats=len(table.seats),
            names=tuple(actions.name_of(table, seat) for seat in range(len(table.seats))),
            options=table.options,
            seed=table.seed,
            salts=table.salts,
        )
        key = self._signer.record_key()
        record = await asyncio.to_thread(records.build, config, entries, self._games, key)
        await self._ask(self._store.keep_record(table.room, record, self._record_days))
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
        room_id = await self._ask(self._store.resolve(room_or_code.upper()))
        if room_id is None:
            raise NoSuchRoom(room_or_code)
        return room_id

    async def _place(self, actor: Actor, person: Person, seat: int) -> Placed | RefusedPlace:
        refusal = await self._perform(actor, Sit(person.id, person.name, person.colour, seat))
        if refusal is not None:
            return RefusedPlace(refusal.code, ADVICE.get(refusal.code, "this seat cannot be taken"))
        table = actor.room.table
        current = actions.seat_of(table, person.id)
        if current is None:
            return RefusedPlace("SEAT_TAKEN", ADVICE["SEAT_TAKEN"])
        return Placed(table.room, table.code, current, table.seats[current].seat_generation)

    async def _perform(self, actor: Actor, command: InternalCommand) -> Refusal | None:
        """Waits until the command is committed or refused. Raises Unavailable if the room is lost."""
        verdict = _Verdict()
        if not actor.perform(command, verdict):
            raise Unavailable("too many commands wait at this table: try again")
        return await verdict.refusal

    # --- lobby ---

    def summary(self, actor: ListedRoom) -> None:
        """Updates what the lobby shows of this room: soon, and once for all changes until then."""
        table = actor.room.table
        if table.room in self._summaries:
            return
        self._summaries.add(table.room)
        self._tasks.start("summary", self._put_summary(actor))
        if table.status == "finished":
            self._tasks.start("record", self._record(table))

    async def _put_summary(self, actor: ListedRoom) -> None:
        await asyncio.sleep(SUMMARY_SECONDS)
        table = actor.room.table
        self._summaries.discard(table.room)
        if self._draining:
            return  # its next owner will update it
        listed = table.open and table.status != "finished"
        packed = _pack_summary(summarize(actor)) if listed else b""
        epoch = int(actor.token.partition(":")[0])
        try:
            await self._store.put_summary(table.room, epoch, actor.sequence, packed)
        except StoreUnavailable:
            _log.warning("the lobby was not updated", room=table.room)

    async def _record(self, table: Table) -> None:
        try:
            if await self._store.record(table.room) is None:
                await self._build_record(table)
        except (StoreUnavailable, Unavailable):
            _log.warning("the record will be made when asked for", room=table.room)
        except ReplayError:
            _log.exception("a finished game cannot be played again", room=table.room)

    def verify_ownership(self) -> None:
        """Every room asks the store whether this hub still owns it: for a while it did not count as alive."""
        _log.warning("the lease had run out", rooms=len(self._actors))
        for actor in list(self._actors.values()):
            actor.verify_ownership()

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
        """Releases a room, then closes its sockets: otherwise they would be sent back to this hub."""
        try:
            await self._store.release(actor.token, actor.room.table.room, at=actor.table_time())
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


class _Verdict:
    """Awaits the verdict on an internal command."""

    def __init__(self) -> None:
        self.refusal: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

    def answer(self, n: int, refusal: Refusal | None) -> None:
        if not self.refusal.done():
            self.refusal.set_result(refusal)

    def abandoned(self) -> None:
        if not self.refusal.done():
            self.refusal.set_exception(Unavailable("this table has just moved to another hub: try again"))


def summarize(actor: ListedRoom) -> Summary:
    return _summarize(actor.room.table, actor.watchers)


def _summarize(table: Table, watchers: int) -> Summary:
    host = actions.host_seat(table)
    return Summary(
        room=table.room,
        code=table.code,
        game=table.game,
        status=table.status,
        seats=len(table.seats),
        taken=sum(seat.person is not None or seat.bot is not None for seat in table.seats),
        watchers=watchers,
        host=None if host is None else table.seats[host].name,
        options=table.options,
        open=table.open,
        locked=table.locked,
        watching=table.watching,
    )
