"""The rooms of this hub: any room in the store, checked out when somebody asks for it and it is free.

Implements the port between the HTTP API and the rooms (hub/runtime/placement.py), and finds a room's actor
for each new connection. A room that another live hub owns is `Elsewhere`.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeVar

import structlog
from msgspec.structs import asdict

from games.api import Refusal, Registration
from games.kit.texts import refusal_text
from hub.runtime.actor import Actor
from hub.runtime.archive import Archive
from hub.runtime.checkout import RoomCheckout, begin, read, restore
from hub.runtime.lobby import LobbyWriter, read_summaries, summarize
from hub.runtime.placement import (
    LOBBY_PAGE,
    PRIVATE_CODE_LENGTH,
    BadOptions,
    Complaint,
    DoorCrowded,
    Elsewhere,
    Knocked,
    LobbyPage,
    NoSuchRoom,
    OtherVersion,
    Placed,
    RefusedPlace,
    RoomsError,
    TableClosed,
    Unavailable,
    is_code,
    room_code,
    room_id,
)
from hub.runtime.ports import Services, SummarySource
from hub.runtime.reporting import ReportDesk
from hub.runtime.retries import repeat
from hub.runtime.room_limits import RoomLimits
from hub.runtime.upkeep import Upkeep
from hub.store import store as stored
from hub.store.client import StoreUnavailable
from hub.store.hubs import HubIdentity
from hub.store.lease import Lease
from hub.store.reports import Report, Reports
from hub.store.store import Store
from hub.table import actions
from hub.table.admission import refuse_entry
from hub.table.commands import AddBot, InternalCommand, Sit, StartGame
from hub.table.options import read_options
from hub.table.records import NAME_KEY
from hub.table.room import Rules, Snapshots, Table
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Opener
from hub.wire.messages import StopReason
from hub.wire.tickets import Person, Signer

T = TypeVar("T")

CODE_TRIES: Final = 8
CLOCKS_PER_TURN: Final = 16
"""The number of tables told in one turn of the event loop that table time is stopped or goes on."""
DRAIN_SECONDS: Final = 8.0
DRAIN_POLL_SECONDS: Final = 0.01
STORE_TROUBLE: Final = "the store cannot be reached; nothing was done: try again soon"

_log = structlog.get_logger("rooms")


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
        store_problem: Callable[[], str | None],
        record_days: int,
        limits: RoomLimits | None = None,
        reports: Reports | None = None,
        closures: Callable[[], Container[str]] = tuple,
    ) -> None:
        """`closures` returns the rooms that operators have closed."""
        self._games = games
        self._rules = {key: registration.game for key, registration in games.items()}
        self._store = store
        self._lease = lease
        self._identity = identity
        self._tasks = tasks
        self._store_problem = store_problem
        self._closures = closures
        self._limits = limits or RoomLimits()
        self._actors: dict[str, Actor] = {}
        self._loading: dict[str, asyncio.Task[Actor | RoomsError]] = {}
        self._draining = False
        self._services = services(self)
        self._archive = Archive(games, store, signer, record_days)
        self._desk = ReportDesk(self._services.clock)
        self._reports = reports
        self._lobby = LobbyWriter(store, self._services.clock, tasks)
        self.upkeep = Upkeep(store, identity, self._lobby, self._services.clock, self._actors)
        self._stopped_by: StopReason | None = None
        self._to_show_clock: deque[Actor] = deque()
        """The actors that have yet to show whether table time is stopped."""

    # --- finding ---

    async def find(self, room_id: str, opener: Opener | None = None) -> Actor:
        """The room's actor; checks the room out for `opener` if it is free.

        Raises NoSuchRoom, Elsewhere, TableClosed, OtherVersion, Unavailable.
        """
        if room_id in self._closures():
            raise TableClosed
        actor = self._actors.get(room_id)
        if actor is not None:
            return actor
        if self._draining:
            raise Unavailable("this hub is shutting down: try again, and another will take over")
        loading = self._loading.get(room_id)
        if loading is None:
            opener = opener or Opener(None, room_id)
            self._limits.take(opener, waking=True)
            loading = self._tasks.start("check out", self._load(room_id, opener))
            self._loading[room_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(room_id, None))
        result = await asyncio.shield(loading)
        if isinstance(result, RoomsError):
            raise result
        return result

    async def _load(self, room_id: str, opener: Opener) -> Actor | RoomsError:
        """Loads the room. Returns errors, because a task must not raise once nobody is awaiting it."""
        try:
            return self._begin(await self._check_out(room_id, opener))
        except BaseException as error:
            self._limits.give_back(opener)
            if isinstance(error, RoomsError):
                return error
            raise

    async def _check_out(self, room_id: str, opener: Opener) -> RoomCheckout:
        live = self._lease.now_live()
        owned = await self._ask(self._store.claim(room_id, self._identity, live))
        match owned:
            case stored.Missing():
                raise NoSuchRoom(room_id)
            case stored.OwnedByOther(url):
                raise Elsewhere(url)
            case stored.Ownership():
                pass
        logged = await self._ask(self._store.log(room_id))
        try:
            checkout = restore(owned, logged, self._rules, opener)
        except OtherVersion as error:
            _log.warning("a stored room cannot be read", room=room_id, reason=type(error.__cause__).__name__)
            await self._ask(self._store.put_summary(room_id, owned.epoch, owned.seq, b""))
            await self._ask(self._store.release(owned.token, room_id))
            raise
        self._services.metrics.takeovers += 1
        return checkout

    def _begin(self, checkout: RoomCheckout) -> Actor:
        registration = self._games[checkout.room.table.game]
        actor = Actor(checkout, registration.game, registration.bot, self._services)
        self._actors[checkout.room.table.room] = actor
        actor.show_clock(self._stopped_by)
        return actor

    def on_stopped(self, room_id: str, reason: str) -> None:
        """Called when an actor has given up its room."""
        actor = self._actors.pop(room_id, None)
        _log.info("room left", room=room_id, reason=reason)
        if actor is not None:
            self._limits.give_back(actor.opener)
        if actor is not None and reason == "asleep":
            self._services.metrics.passivated += 1
            self._tasks.start("release", self._release(actor))

    async def _release(self, actor: Actor) -> None:
        release = partial(self._store.release, actor.token, actor.room.table.room, at=actor.table_time())
        await repeat("release", release, self._services.clock)

    async def _ask(self, answer: Awaitable[T]) -> T:
        """The store's answer. Raises Unavailable if there is none."""
        try:
            return await answer
        except StoreUnavailable as error:
            _log.warning("the store is unavailable", reason=str(error))
            raise Unavailable(STORE_TROUBLE) from error

    # --- called by the HTTP API ---

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
        network: str | None = None,
    ) -> Placed:
        """A new room with its host in seat 0; `play_now` fills it with bots and starts the game.

        `network` is the host's, None for this machine.
        """
        if self._draining:
            raise Unavailable("this hub is shutting down: try again, and another will take over")
        registration = self._games.get(game)
        if registration is None:
            raise BadOptions(
                Refusal("NO_SUCH_GAME", ""), f"This hub has these games: {', '.join(self._games)}."
            )
        rules = registration.game
        if seats not in rules.seats:
            least, most = rules.seats[0], rules.seats[-1]
            raise BadOptions(
                Refusal("BAD_SEATS", "GEN-1"), f"{rules.title} is for {least} to {most} players."
            )
        game_options = read_options(rules, options, open=open)
        if isinstance(game_options, str):
            raise BadOptions(Refusal("BAD_OPTIONS", ""), game_options)
        refusal = rules.refuse_options(seats, game_options)
        if refusal is not None:
            sentence = refusal_text(rules.texts, refusal)
            raise BadOptions(refusal, sentence or f"{rules.title} cannot be played with these options.")
        levels = registration.bot.levels
        level = actions.choose_level(levels) if bots is None else bots
        if level not in levels:
            raise BadOptions(
                Refusal("NO_SUCH_LEVEL", "GEN-7"), f"Its bot has these levels: {', '.join(levels)}."
            )
        opener = Opener(network, person.id)
        self._limits.take(opener)
        try:
            actor = await self._create(rules, seats, game_options, opener, open=open)
        except BaseException:
            self._limits.give_back(opener)
            raise
        placed = await self._place(actor, person, 0)
        assert isinstance(placed, Placed)
        if bots is not None or play_now:
            for seat in range(1, seats):
                await self._perform(actor, AddBot(seat, level))
        if play_now:
            await self._perform(actor, StartGame(level))
        self.summary(actor)
        return placed

    async def _create(self, rules: Rules, seats: int, options: Any, opener: Opener, *, open: bool) -> Actor:
        for _ in range(CODE_TRIES):
            seed = secrets.token_bytes(32)
            room = actions.create(
                rules,
                room_id(secrets.token_bytes(16)),
                room_code(secrets.token_bytes(8), open=open),
                seats,
                options,
                seed,
                name_keys=tuple(secrets.token_bytes(NAME_KEY) for _ in range(seats)),
                open=open,
            )
            checkout = begin(room, stored.first_token(self._identity.incarnation), opener)
            if await self._ask(
                self._store.create(
                    room.table.room,
                    room.table.code,
                    Snapshots().pack(room),
                    room.table.status,
                    b"",
                    checkout.token,
                    checkout.at,
                    self._lease.now_live(),
                )
            ):
                return self._begin(checkout)
        raise Unavailable("no free table code was found: try again")

    async def sit(
        self, room: str, person: Person, seat: int, network: str | None = None
    ) -> Placed | RefusedPlace:
        actor = await self.find(await self._id(room), Opener(network, person.id))
        refusal = refuse_entry(actor.room.table, person.id, invited=not is_code(room))
        return await self._place(actor, person, seat) if refusal is None else _refuse_place(refusal)

    async def enter(self, room: str, person: Person, network: str | None = None) -> Placed | RefusedPlace:
        actor = await self.find(await self._id(room), Opener(network, person.id))
        table = actor.room.table
        refusal = actor.refuse_watcher(person.id, invited=not is_code(room))
        if refusal is not None:
            return _refuse_place(refusal)
        seat = actions.seat_of(table, person.id)
        if seat is None and not table.watching:
            return RefusedPlace("WATCHING_CLOSED", "this table cannot be watched")
        if seat is not None:
            await self._remember(person, table, seat)
        seat_generation = 0 if seat is None else table.seats[seat].seat_generation
        return Placed(table.room, table.code, seat, seat_generation)

    async def ask(self, room: str, person: Person, network: str | None) -> Knocked | RefusedPlace:
        actor = await self.find(await self._id(room), Opener(network, person.id))
        refusal = refuse_entry(actor.room.table, person.id, invited=not is_code(room))
        if refusal is not None and refusal.code != "ASK_TO_COME_IN":
            return _refuse_place(refusal)
        if refusal is not None and not actor.knock(person.id, person.name, network):
            self._services.metrics.limited["knocks"] += 1
            raise DoorCrowded(room)
        return Knocked(refusal is None, actor.is_host_connected)

    async def report(self, room: str, sender: Person, complaint: Complaint, at: int) -> Report | RefusedPlace:
        """Stores a report. `at`: seconds since 1970. Raises TooManyReports."""
        actor = await self.find(await self._id(room), Opener(None, sender.id))
        report = self._desk.report(actor, sender, complaint, at)
        if isinstance(report, Report) and self._reports is not None:
            await self._ask(self._reports.add(report))
        return report

    async def describe(self, room: str, person: str | None = None) -> Mapping[str, Any]:
        room_id = await self._id(room)
        if room_id in self._closures():
            raise TableClosed
        actor = self._actors.get(room_id)
        if actor is not None:
            table, watchers = actor.room.table, actor.watchers
        else:
            snapshot = await self._ask(self._store.snapshot(room_id))
            if snapshot is None:
                raise NoSuchRoom(room)
            table, watchers = read(snapshot, self._rules).table, 0
        if not table.open and refuse_entry(table, person or "", invited=not is_code(room)) is not None:
            return {"closed": True, "code": table.code}
        return asdict(summarize(table, watchers))

    async def lobby(self, page: int) -> LobbyPage:
        total, summaries = await self._ask(self._store.lobby((page - 1) * LOBBY_PAGE, LOBBY_PAGE))
        closures = self._closures()
        lines = (packed for room, packed in summaries.items() if room not in closures)
        return LobbyPage([asdict(summary) for summary in read_summaries(lines)], total)

    async def record(self, room_id: str, person: str | None) -> bytes | Literal["running", "closed"] | None:
        if is_code(room_id) and len(room_id) == PRIVATE_CODE_LENGTH:
            raise NoSuchRoom(room_id)  # right or wrong, such a code shows nothing of a table
        return await self._ask(self._archive.find(await self._id(room_id), person))

    def draining(self) -> bool:
        return self._draining

    def healthy(self) -> str | None:
        problem = self._store_problem()
        if problem is not None:
            return problem
        if self._lease.is_lost():
            return "the store has not confirmed this hub's heartbeat for 3 seconds"
        return None

    # --- internal ---

    async def _id(self, room_or_code: str) -> str:
        """The room's id. Raises NoSuchRoom for an unknown code."""
        if not is_code(room_or_code):
            return room_or_code
        room_id = await self._ask(self._store.resolve(room_or_code.upper()))
        if room_id is None:
            raise NoSuchRoom(room_or_code)
        return room_id

    async def _place(self, actor: Actor, person: Person, seat: int) -> Placed | RefusedPlace:
        refusal = await self._perform(actor, Sit(person.id, person.name, person.colour, seat))
        if refusal is not None:
            return _refuse_place(refusal)
        table = actor.room.table
        current = actions.seat_of(table, person.id)
        if current is None:
            return RefusedPlace("SEAT_TAKEN", ADVICE["SEAT_TAKEN"])
        await self._remember(person, table, current)
        return Placed(table.room, table.code, current, table.seats[current].seat_generation)

    async def _remember(self, person: Person, table: Table, seat: int) -> None:
        """Lists the table under the person, so that everything of theirs can be found."""
        await self._ask(self._store.remember_place(person.id, table.room, actions.name_of(table, seat)))

    async def _perform(self, actor: Actor, command: InternalCommand) -> Refusal | None:
        """Waits until the command is committed or refused. Raises Unavailable if the room is lost."""
        verdict = _Verdict()
        if not actor.perform(command, verdict):
            raise Unavailable("too many commands are waiting at this table: try again")
        return await verdict.refusal

    # --- called by the actors and the lease ---

    def summary(self, source: SummarySource) -> None:
        """Updates what the lobby shows about this room, and builds its record once its game has ended."""
        if self._lobby.update(source) and source.room.table.status == "finished":
            self._tasks.start("record", self._archive.add(source.room.table))

    def verify_ownership(self) -> None:
        """Makes every room ask the store whether this hub still owns it, because the lease had run out."""
        _log.warning("the lease had run out", rooms=len(self._actors))
        for actor in list(self._actors.values()):
            actor.verify_ownership()

    def on_freeze(self, frozen: bool) -> None:
        """Shows at every table that the store keeps table time from running, or that it goes on (G5.4)."""
        self._stopped_by = "store" if frozen else None
        has_begun = bool(self._to_show_clock)
        self._to_show_clock = deque(self._actors.values())
        if self._to_show_clock and not has_begun:
            self._services.clock.call_soon(self._show_clock)

    def _show_clock(self) -> None:
        """Shows it at some tables in each turn of the event loop, so that commands do not have to wait."""
        waiting = self._to_show_clock
        for _ in range(min(CLOCKS_PER_TURN, len(waiting))):
            waiting.popleft().show_clock(self._stopped_by)
        if waiting:
            self._services.clock.call_soon(self._show_clock)

    def close_tables(self) -> None:
        """Puts the tables that operators have closed to sleep; called when the policy has changed."""
        closures = self._closures()
        for name, actor in self._actors.items():
            if name in closures:
                actor.halt()
                self._tasks.start("close table", self._put_to_sleep(actor))

    async def _put_to_sleep(self, actor: Actor) -> None:
        while not (actor.idle or actor.stopped):
            await self._services.clock.sleep(DRAIN_POLL_SECONDS)
        if not actor.stopped:
            await self._hand_over(actor)

    # --- for operators ---

    def awake(self) -> Sequence[tuple[Table, int]]:
        """The tables of this hub, each with the number of its watchers."""
        closures = self._closures()
        actors = [actor for name, actor in self._actors.items() if name not in closures]
        return [(actor.room.table, actor.watchers) for actor in actors]

    async def awake_elsewhere(self, most: int) -> Sequence[tuple[Table, str]]:
        """Up to so many tables of other hubs, each with its hub's address; older than what their hubs show.

        Leaves out those that this hub cannot read, because their hub has another version.
        """
        tables: list[tuple[Table, str]] = []
        for hub in await self._ask(self._store.hubs()):
            if hub.incarnation == self._identity.incarnation:
                continue
            for name in await self._ask(self._store.rooms_of(hub.incarnation)):
                if len(tables) >= most:
                    return tables
                if name in self._closures():
                    continue
                snapshot = await self._ask(self._store.snapshot(name))
                with contextlib.suppress(OtherVersion):
                    if snapshot is not None:
                        tables.append((read(snapshot, self._rules).table, hub.url))
        return tables

    async def locate(self, room_or_code: str) -> str:
        """The id of the room with this id or code. Raises NoSuchRoom, Unavailable."""
        room_id = await self._id(room_or_code)
        if room_id not in self._actors and await self._ask(self._store.snapshot(room_id)) is None:
            raise NoSuchRoom(room_id)
        return room_id

    # --- shutting down ---

    async def drain(self) -> None:
        """Stops opening rooms. Each room finishes its batch and is released; its sockets must reconnect."""
        self._draining = True
        self._lobby.close()
        self._services.metrics.draining = True
        waiting = set(self._actors.values())
        for actor in waiting:
            actor.halt()
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                while waiting := {actor for actor in waiting if not actor.stopped}:
                    idle = [actor for actor in waiting if actor.idle]
                    await asyncio.gather(*map(self._hand_over, idle))
                    waiting.difference_update(idle)
                    if waiting:
                        await self._services.clock.sleep(DRAIN_POLL_SECONDS)
        except TimeoutError:
            _log.warning("the store takes too long: the remaining rooms are not released", rooms=len(waiting))
        for actor in waiting:
            actor.stop("cut off")

    async def _hand_over(self, actor: Actor) -> None:
        """Releases a room, then closes its sockets: otherwise they would be sent back to this hub."""
        try:
            await self._store.release(actor.token, actor.room.table.room, at=actor.table_time())
        except StoreUnavailable:
            _log.warning("a room could not be released", room=actor.room.table.room)
        actor.stop("handed over")


ADVICE: Final = {
    "SEAT_TAKEN": "somebody else is sitting there: choose another seat",
    "NO_SUCH_SEAT": "this table has no such seat",
    "NOT_NOW": "the game has begun: this table can only be watched",
    "TABLE_LOCKED": "the host has locked this table",
    "ASK_TO_COME_IN": "the host decides who comes in: ask with POST /api/rooms/{room}/ask",
    "REMOVED": "the host does not let you in at this table",
}


def _refuse_place(refusal: Refusal) -> RefusedPlace:
    return RefusedPlace(refusal.code, ADVICE.get(refusal.code, "this seat cannot be taken"))


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
