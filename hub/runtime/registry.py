"""The rooms of this hub: any room in the store, checked out when somebody asks for it and it is free.

Implements the port between the HTTP API and the rooms (hub/runtime/placement.py), and finds a room's actor
for each new connection. A room that another live hub owns is `Elsewhere`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, Literal

import structlog
from msgspec.structs import asdict, replace

from games.api import LEARNER, Refusal, Registration
from hub.runtime.actor import Actor
from hub.runtime.archive import Archive
from hub.runtime.checkout import RoomCheckout, read, read_table, restore
from hub.runtime.clock_notice import ClockNotice
from hub.runtime.creation import GamePlan, RoomCreation, plan_game, plan_lesson
from hub.runtime.homes import Homes
from hub.runtime.lobby import LobbyWriter, read_summaries, summarize
from hub.runtime.operator_tables import OperatorTables
from hub.runtime.outdated_games import OutdatedGames
from hub.runtime.placement import (
    LOBBY_PAGE,
    PRIVATE_CODE_LENGTH,
    BadOptions,
    Complaint,
    DoorCrowded,
    Elsewhere,
    GameEnded,
    Knocked,
    LobbyPage,
    NextTable,
    NoSuchRoom,
    OtherVersion,
    Placed,
    RefusedPlace,
    RematchWish,
    RoomsError,
    TableClosed,
    Unavailable,
    is_code,
)
from hub.runtime.ports import Services, SummarySource
from hub.runtime.rematches import Rematches
from hub.runtime.reporting import ReportDesk
from hub.runtime.room_limits import RoomLimits
from hub.runtime.store_calls import REPORT_IN_DOUBT, repeat, require_answer, resolve
from hub.runtime.upkeep import Upkeep
from hub.runtime.verdicts import confirm_ownership, perform, refuse_place
from hub.store import store as stored
from hub.store.client import StoreUnavailable
from hub.store.hubs import HubIdentity
from hub.store.lease import Lease
from hub.store.reports import Report, Reports
from hub.store.store import Store
from hub.table import lessons, seating
from hub.table.absence import choose_grace
from hub.table.admission import is_at_table, is_unseated_host, refuse_entry
from hub.table.commands import AddBot, Sit, StartGame
from hub.table.outdated import is_outdated
from hub.table.records import NAME_KEY
from hub.table.room import Table
from hub.table.watch_delay import find_shown, is_delayed, rebuild
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Opener
from hub.wire.messages import Grace, WatchDelay
from hub.wire.tickets import Person, Signer

DRAIN_SECONDS: Final = 8.0
SPREAD_SECONDS: Final = 4.0
"""The time over which a draining hub's tables leave it, so that their people do not all come back at once."""
LEAVE_SECONDS: Final = 0.1
"""The most time from one of these tables to the next."""
DRAIN_POLL_SECONDS: Final = 0.01
GIVE_SECONDS: Final = 5.0
"""How long a room that is handed over may take to finish what it has started."""
UNREGISTER_SECONDS: Final = 1.0
MAX_LATE_MS: Final = 100
"""By how much table time may begin later than the store knows: as much would be lost at the next takeover."""
DRAINING: Final = "this hub is shutting down: try again, and another will take over"

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
        limits: RoomLimits,
        store_caution: Callable[[], str | None] = lambda: None,
        reports: Reports | None = None,
        closures: Callable[[], Container[str]] = tuple,
        homes: Homes | None = None,
    ) -> None:
        """`closures` returns the rooms that operators have closed; `homes` knows the other hubs, if any."""
        self._games = games
        self._rules = {key: registration.game for key, registration in games.items()}
        self._store = store
        self._lease = lease
        self._identity = identity
        self._tasks = tasks
        self._store_problem = store_problem
        self.find_caution = store_caution
        self._closures = closures
        self._limits = limits
        self._homes = homes or Homes(identity.incarnation)
        self._actors: dict[str, Actor] = {}
        self._loading: dict[str, asyncio.Task[Actor | RoomsError]] = {}
        self._draining = False
        self._drained = asyncio.Event()
        self._services = services(self)
        self._archive = Archive(games, store, signer, record_days)
        self._outdated = OutdatedGames(store, self._homes, identity.incarnation, self._rules, self._services)
        self._desk = ReportDesk(self._services.clock, self._services.metrics)
        self._reports = reports
        self._lobby = LobbyWriter(store, self._services.clock, tasks, self._services.overload)
        self.upkeep = Upkeep(store, self._lobby, self._services.clock, self._actors)
        self.for_operators = OperatorTables(
            store, identity.incarnation, self._actors, self._rules, closures, self._find_shown
        )
        self._creation = RoomCreation(store, lease, identity.incarnation, self._homes)
        self._rematches = Rematches(
            games, store, self._creation, limits, self._services.clock, self._begin_next
        )
        self._clock_notice = ClockNotice(self._actors, self._services.clock)

    # --- finding ---

    async def find(
        self,
        room_id: str,
        opener: Opener | None = None,
        *,
        take_free: bool = False,
        is_asked: bool = True,
    ) -> Actor:
        """The room's actor; checks the room out for `opener` if it is free and belongs to this hub.

        With `take_free`, it is checked out even if it belongs to another hub (hub/runtime/homes.py). Unless
        somebody has asked for it, its game is not ended (hub/runtime/outdated_games.py).

        Raises NoSuchRoom, Elsewhere, TableClosed, OtherVersion, Unavailable.
        """
        if room_id in self._closures():
            raise TableClosed
        actor = self._actors.get(room_id)
        if actor is not None:
            return actor
        if self._draining:
            raise await self._look_elsewhere(room_id)
        loading = self._loading.get(room_id)
        if loading is None:
            opener = opener or Opener(None, room_id)
            self._limits.take(opener, waking=True)
            loading = self._tasks.start(
                "check out", self._load(room_id, opener, take_free=take_free, is_asked=is_asked)
            )
            self._loading[room_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(room_id, None))
        result = await asyncio.shield(loading)
        if take_free and isinstance(result, Elsewhere) and result.free_room is not None:
            await asyncio.sleep(0)  # it was being loaded for somebody else, who has to leave it alone
            return await self.find(room_id, opener, take_free=True, is_asked=is_asked)
        if isinstance(result, RoomsError):
            raise result
        return result

    async def _look_elsewhere(self, room_id: str) -> RoomsError:
        """Where people who still come to this hub while it drains find the room. Raises Unavailable."""

        async def rank_others() -> Sequence[str]:
            ranked = await self._homes.rank(room_id, partial(self._store.snapshot, room_id))
            return [name for name in ranked if name != self._identity.incarnation]

        match await require_answer(self._store.locate(room_id, self._identity, rank_others)):
            case stored.Missing():
                return NoSuchRoom(room_id)
            case stored.OwnedByOther(hub):
                return Elsewhere(hub)
            case stored.LeftTo(hub):
                return Elsewhere(hub, free_room=room_id)
            case None:
                return Unavailable(DRAINING)

    def is_awake(self, room_id: str) -> bool:
        """Whether the room is here, or about to be."""
        return room_id in self._actors or room_id in self._loading

    async def _load(
        self, room_id: str, opener: Opener, *, take_free: bool, is_asked: bool
    ) -> Actor | RoomsError:
        """Loads the room. Returns errors, because a task must not raise once nobody is awaiting it."""
        try:
            checkout = await self._check_out(room_id, opener, take_free=take_free, is_asked=is_asked)
            actor = self._begin(checkout)
        except BaseException as error:
            self._limits.give_back(opener)
            if isinstance(error, RoomsError):
                return error
            raise
        if self._draining:
            await self._leave(actor)
            return Unavailable(DRAINING)
        return actor

    async def _check_out(
        self, room_id: str, opener: Opener, *, take_free: bool, is_asked: bool
    ) -> RoomCheckout:
        rank = partial(self._homes.rank, room_id, partial(self._store.snapshot, room_id))
        live = self._lease.now_live()
        owned = await require_answer(
            self._store.claim(room_id, self._identity, live, rank=None if take_free else rank)
        )
        match owned:
            case stored.Missing():
                raise NoSuchRoom(room_id)
            case stored.OwnedByOther(hub):
                raise Elsewhere(hub)
            case stored.LeftTo(hub):
                raise Elsewhere(hub, free_room=room_id)
            case stored.Ownership():
                pass
        logged = await require_answer(self._store.log(room_id))
        try:
            checkout = restore(owned, live, logged, self._rules, opener)
        except OtherVersion as error:
            _log.warning("a stored room cannot be read", room=room_id, reason=type(error.__cause__).__name__)
            has_ended = isinstance(error, GameEnded)
            refusal = error if has_ended else await self._outdated.end(room_id, owned, is_asked=is_asked)
            if not isinstance(refusal, Unavailable):  # or another hub may go on with it in a moment
                await require_answer(self._store.put_summary(room_id, owned.epoch, owned.seq, b""))
            await require_answer(self._store.release(owned.token, room_id))
            raise refusal from error
        self._services.metrics.takeovers += 1
        room = checkout.room
        if not is_delayed(room.table):
            return checkout
        wall = int(self._services.wall() * 1000)
        # replays the whole game: in a thread, so that no other room waits
        backlog = await asyncio.to_thread(
            rebuild, self._rules[room.table.game], room, checkout.logged, checkout.talk, checkout.at, wall
        )
        return replace(checkout, backlog=backlog)

    def _begin(self, checkout: RoomCheckout) -> Actor:
        registration = self._games[checkout.room.table.game]
        actor = Actor(checkout, registration.game, registration.bot, self._services)
        self._actors[checkout.room.table.room] = actor
        actor.show_clock(self._clock_notice.stopped_by)
        if actor.live and self._lease.now_live() - checkout.live > MAX_LATE_MS:
            actor.store_time()
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
        grace: Grace | None = None,
        watch_delay: WatchDelay = "none",
        without_seat: bool = False,
        network: str | None = None,
    ) -> Placed:
        """A new room with its host in seat 0, or (`without_seat`) in none; `play_now` fills it with bots
        and starts the game.

        `network` is the host's, None for this machine.
        """
        game_plan = plan_game(
            self._games, game, seats, options, open=open, bots=bots, watch_delay=watch_delay
        )
        if without_seat and play_now:
            advice = "A game cannot be started before somebody sits: leave out play_now or without_seat."
            raise BadOptions(Refusal("BAD_OPTIONS", ""), advice)
        opener = Opener(network, person.id)
        actor = await self._create(
            game_plan,
            opener,
            open=open,
            grace=grace or choose_grace(open=open),
            watch_delay=watch_delay,
            host=person if without_seat else None,
        )
        placed = await (self._place_host(actor, person) if without_seat else self._place(actor, person, 0))
        assert isinstance(placed, Placed)
        if bots is not None or play_now:
            await self._add_bots(actor, game_plan)
        if play_now:
            await perform(actor, StartGame(game_plan.level), self._services.clock)
        self.summary(actor)
        return placed

    async def create_lesson(self, person: Person, game: str, network: str | None = None) -> Placed:
        """A new room for the game's lesson, with this person in it, and begun. `network`: see `create`."""
        plan = plan_lesson(self._games, game)
        opener = Opener(network, person.id)
        actor = await self._create(plan, opener, open=False, grace="game", watch_delay="none")
        placed = await self._place(actor, person, LEARNER)
        assert isinstance(placed, Placed)
        await self._add_bots(actor, plan)
        await perform(actor, StartGame(plan.level), self._services.clock)
        return placed

    async def _create(
        self,
        plan: GamePlan,
        opener: Opener,
        *,
        open: bool,
        grace: Grace,
        watch_delay: WatchDelay,
        host: Person | None = None,
    ) -> Actor:
        """Runs a new room, which counts against its opener."""
        if self._draining:
            raise Unavailable(DRAINING)
        self._limits.take(opener)
        try:
            checkout = await self._creation.create(
                plan, opener, open=open, grace=grace, watch_delay=watch_delay, host=host
            )
            actor = self._begin(checkout)
        except BaseException:
            self._limits.give_back(opener)
            raise
        if self.is_draining():
            await self._leave(actor)
            raise Unavailable(DRAINING)
        return actor

    async def _add_bots(self, actor: Actor, plan: GamePlan) -> None:
        for seat in range(1, plan.seats):
            await perform(actor, AddBot(seat, plan.level), self._services.clock)

    async def sit(
        self, room: str, person: Person, seat: int, network: str | None = None
    ) -> Placed | RefusedPlace:
        actor = await self.find(await resolve(self._store, room), Opener(network, person.id))
        refusal = refuse_entry(actor.room.table, person.id, invited=not is_code(room))
        if refusal is not None:
            await self._resolve_doubt(actor)
        placed = await self._place(actor, person, seat) if refusal is None else refuse_place(refusal)
        if isinstance(placed, RefusedPlace):
            explained = actor.watching.explain_refusal(
                actor.room.table, person.id, seat, invited=not is_code(room)
            )
            return placed if explained is None else refuse_place(explained)
        return placed

    async def enter(self, room: str, person: Person, network: str | None = None) -> Placed | RefusedPlace:
        actor = await self.find(await resolve(self._store, room), Opener(network, person.id))
        await self._resolve_doubt(actor)
        table = actor.room.table
        refusal = actor.refuse_watcher(person.id, invited=not is_code(room))
        if refusal is not None:
            return refuse_place(refusal)
        seat = seating.seat_of(table, person.id)
        if table.rematch is not None:  # an old link leads on to the next table
            with suppress(RoomsError):
                await self._rematches.open(actor, Opener(network, person.id))
        if is_unseated_host(table, person.id):
            return await self._place_host(actor, person)
        if seat is None and not (table.watching or actor.shown_table.watching):
            return RefusedPlace("WATCHING_CLOSED", "this table cannot be watched")
        if seat is not None:
            await self._remember(person, table, seat)
        seat_generation = 0 if seat is None else table.seats[seat].seat_generation
        return Placed(table.room, table.code, seat, seat_generation)

    async def ask(self, room: str, person: Person, network: str | None) -> Knocked | RefusedPlace:
        actor = await self.find(await resolve(self._store, room), Opener(network, person.id))
        await self._resolve_doubt(actor)
        refusal = actor.refuse_watcher(person.id, invited=not is_code(room))
        if refusal is not None and refusal.code != "ASK_TO_COME_IN":
            return refuse_place(refusal)
        if refusal is not None and not actor.knock(person.id, person.name, network):
            self._services.metrics.limited["knocks"] += 1
            raise DoorCrowded(room)
        return Knocked(refusal is None, actor.watching.is_host_connected(actor.room.table))

    async def play_again(
        self, room: str, person: Person, wish: RematchWish, network: str | None, charge: Callable[[], None]
    ) -> NextTable | RefusedPlace:
        opener = Opener(network, person.id)
        actor = await self.find(await resolve(self._store, room), opener)
        await self._resolve_doubt(actor)
        refusal = actor.refuse_watcher(person.id, invited=not is_code(room))
        if refusal is None and actor.room.table.lesson is not None:
            refusal = lessons.NOT_IN_LESSON
        if refusal is not None:
            return refuse_place(refusal)
        if self._draining:
            raise Unavailable(DRAINING)
        return await self._rematches.press(actor, person, wish, opener, charge)

    async def _begin_next(self, checkout: RoomCheckout) -> None:
        """Runs a rematch's room that was just created, or leaves it to the hub that its people reach next."""
        actor = self._begin(checkout)
        self.summary(actor)
        if self._draining:
            await self._leave(actor)

    async def report(self, room: str, sender: Person, complaint: Complaint, at: int) -> Report | RefusedPlace:
        """Stores a report. `at`: seconds since 1970. Raises TooManyReports."""
        actor = await self.find(await resolve(self._store, room), Opener(None, sender.id))
        report = self._desk.report(actor, sender, complaint, at)
        if isinstance(report, Report) and self._reports is not None:
            await require_answer(self._reports.add(report), REPORT_IN_DOUBT)
        return report

    async def describe(self, room: str, person: str | None = None) -> Mapping[str, Any]:
        room_id = await resolve(self._store, room)
        if room_id in self._closures():
            raise TableClosed
        actor = self._actors.get(room_id)
        if actor is not None:
            table, watchers = actor.find_table(person), actor.watchers
        else:
            snapshot = await require_answer(self._store.snapshot(room_id))
            if snapshot is None:
                raise NoSuchRoom(room)
            table, watchers = self._read_stored(snapshot), 0
            if person is None or not is_at_table(table, person):
                table = self._find_shown(table)
        refusal = refuse_entry(table, person or "", invited=not is_code(room))
        if not table.open and refusal is not None:
            return {"closed": True, "code": table.code, **_lead_on(table, refusal)}
        return {**asdict(summarize(table, watchers)), **_lead_on(table, refusal)}

    def _read_stored(self, snapshot: bytes) -> Table:
        """The table in a snapshot, also of a game with older rules: it ends only when somebody comes in.

        Raises OtherVersion, GameEnded.
        """
        try:
            return read(snapshot, self._rules).table
        except GameEnded:
            raise
        except OtherVersion:
            table = read_table(snapshot)
            if not is_outdated(table, self._rules):
                raise
            return table

    def _find_shown(self, table: Table) -> Table:
        """What people without a seat may see of a stored table."""
        if not is_delayed(table):
            return table
        actor = self._actors.get(table.room)
        return find_shown(table, int(self._services.wall() * 1000)) if actor is None else actor.shown_table

    async def lobby(self, page: int) -> LobbyPage:
        total, summaries = await require_answer(self._store.lobby((page - 1) * LOBBY_PAGE, LOBBY_PAGE))
        closures = self._closures()
        lines = (packed for room, packed in summaries.items() if room not in closures)
        return LobbyPage([asdict(summary) for summary in read_summaries(lines)], total)

    async def record(self, room_id: str, person: str | None) -> bytes | Literal["running", "closed"] | None:
        if is_code(room_id) and len(room_id) == PRIVATE_CODE_LENGTH:
            raise NoSuchRoom(room_id)  # such a code reveals nothing about a table, right or wrong
        return await require_answer(
            self._archive.find(await resolve(self._store, room_id), person, self._find_shown)
        )

    def list_by_presence(self) -> list[str]:
        """The rooms that are awake here; first those where nobody is connected."""
        return sorted(self._actors, key=lambda room_id: self._actors[room_id].is_occupied)

    def find_heir(self, room_id: str) -> str | None:
        """The hub to which a room here is to be handed over; None if it stays, or will sleep soon."""
        actor = self._actors.get(room_id)
        if actor is None or actor.is_leaving or self._draining or self.find_problem() is not None:
            return None
        table = actor.room.table
        if table.status != "running" and not actor.is_occupied:
            return None
        return self._homes.find_heir(room_id, table.game, table.version)

    async def give(self, room_id: str, heir: str) -> bool:
        """Hands a room over to another hub between two commands, and tells its people to come back.

        Returns False if that failed; the room may then have to be taken again (`list_asleep`).
        """
        actor = self._actors[room_id]
        actor.halt()
        try:
            async with asyncio.timeout(GIVE_SECONDS):
                while not (actor.idle or actor.stopped):
                    await self._services.clock.sleep(DRAIN_POLL_SECONDS)
                released = not actor.stopped and await self._store.release(
                    actor.token, room_id, at=actor.end_table_time(), stays_listed=True
                )
        except (StoreUnavailable, TimeoutError):
            released = False
        actor.stop("handed over" if released else "cut off")
        if not released or await self._store.find_hub(heir) is None:
            return False
        await self._store.note_handover(room_id, heir)
        if not self.is_awake(room_id):
            await self._store.unlist(self._identity.incarnation, room_id)
        self._services.metrics.rooms_given += 1
        return True

    async def list_asleep(self) -> list[str]:
        """The running rooms that are listed under this hub and that nobody runs. Raises StoreUnavailable."""
        rooms = await self._store.find_orphans(self._identity.incarnation, alive=False, skip=self.is_awake)
        return [room_id for room_id in rooms if not self.is_awake(room_id)]

    def is_draining(self) -> bool:
        return self._draining

    def can_take_orphans(self) -> bool:
        """Whether this hub may take rooms that nobody has asked for."""
        return not self._draining and not self._limits.is_full and self.find_problem() is None

    def find_problem(self) -> str | None:
        problem = self._store_problem()
        if problem is not None:
            return problem
        if self._lease.is_lost():
            return "the store has not confirmed this hub's heartbeat for 3 seconds"
        return None

    async def _resolve_doubt(self, actor: Actor) -> None:
        """Waits while another hub may own the room, before anything is answered from its state.

        Raises Unavailable if another hub does, or if the store does not answer in time.
        """
        if actor.in_doubt:
            await confirm_ownership(actor, self._services.clock)

    async def _place(self, actor: Actor, person: Person, seat: int) -> Placed | RefusedPlace:
        command = Sit(person.id, person.name, person.colour, seat, secrets.token_bytes(NAME_KEY))
        refusal = await perform(actor, command, self._services.clock)
        if refusal is not None:
            return refuse_place(refusal)
        table = actor.room.table
        current = seating.seat_of(table, person.id)
        if current is None:
            return refuse_place(Refusal("SEAT_TAKEN", "GEN-13"))
        await self._remember(person, table, current)
        return Placed(table.room, table.code, current, table.seats[current].seat_generation)

    async def _place_host(self, actor: Actor, person: Person) -> Placed:
        """The place of a host without a seat, whose table is listed under them."""
        table = actor.room.table
        await require_answer(
            self._store.remember_place(person.id, table.room, table.host_name or person.name)
        )
        return Placed(table.room, table.code, None, 0, hosting=True)

    async def _remember(self, person: Person, table: Table, seat: int) -> None:
        """Lists the table under the person, so that all their data can be found."""
        await require_answer(self._store.remember_place(person.id, table.room, seating.name_of(table, seat)))

    # --- called by the actors and the lease ---

    def summary(self, source: SummarySource) -> None:
        """Updates what the lobby shows about this room, and builds its record once its game has ended."""
        if self._lobby.update(source) and source.room.table.status == "finished":
            self._tasks.start("record", self._archive.add(source.room.table))

    def on_started(self, source: SummarySource) -> None:
        """Keeps a room for longer, since its game has begun."""
        self._tasks.start("renew", self.upkeep.renew(source))

    def verify_ownership(self) -> None:
        """Makes every room ask the store whether this hub still owns it, because the lease had run out."""
        _log.warning("the lease had run out", rooms=len(self._actors))
        for actor in list(self._actors.values()):
            actor.verify_ownership()

    def verify_taken(self, tokens: Collection[str]) -> None:
        """Makes the rooms with these tokens ask the store whether this hub still owns them: somebody else has
        taken them, or was about to (`Store.claim`)."""
        for actor in list(self._actors.values()):
            if actor.token in tokens:
                actor.verify_ownership()

    def on_freeze(self, frozen: bool) -> None:
        """Shows at every table that the store has stopped table time, or that it goes on (G5.4)."""
        self._clock_notice.show("store" if frozen else None)

    def close_tables(self) -> None:
        """Puts tables to sleep that operators have closed; called when the policy has changed."""
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

    # --- shutting down ---

    async def drain(self) -> None:
        """Opens no more rooms, and hands over those that are here; if it already does so, waits until then.

        Those that are played go to their heirs one after another, each between two commands, and their
        sockets must reconnect.
        """
        if self._draining:
            await self._drained.wait()
            return
        self._draining = True
        hub, tables = self._identity.incarnation, len(self._actors)
        _log.info("draining", hub=hub, tables=tables)
        self._lobby.close()
        self._services.metrics.draining = True
        try:
            with suppress(StoreUnavailable, TimeoutError):  # the other hubs then notice a little later
                async with asyncio.timeout(UNREGISTER_SECONDS):
                    await self._store.unregister(self._identity.incarnation)
            async with asyncio.timeout(DRAIN_SECONDS):
                while self._actors or self._loading:
                    await self._leave_all()
                    if self._loading:
                        await self._services.clock.sleep(DRAIN_POLL_SECONDS)
        except TimeoutError:
            left = len(self._actors)
            _log.warning("the store takes too long: the remaining rooms are not released", rooms=left)
        finally:
            _log.info("drained", hub=hub, tables=tables, left_behind=len(self._actors))
            self.cut_off()
            self._drained.set()

    def cut_off(self) -> None:
        """Gives up the rooms that are still here, at once. What was acknowledged is stored."""
        for actor in list(self._actors.values()):
            actor.stop("cut off")

    async def _leave_all(self) -> None:
        """Hands over the rooms that are here; first those where nobody is connected, which need no pauses."""
        actors = [self._actors[room_id] for room_id in self.list_by_presence()]
        occupied = sum(actor.is_occupied for actor in actors)
        pause = min(LEAVE_SECONDS, SPREAD_SECONDS / max(occupied, 1))
        async with asyncio.TaskGroup() as leaving:
            for actor in actors:
                if actor.is_occupied:
                    occupied -= 1
                    leaving.create_task(self._leave(actor))
                    if occupied:
                        await self._services.clock.sleep(pause)
                else:
                    leaving.create_task(self._leave(actor))

    async def _leave(self, actor: Actor) -> None:
        """Hands a room over to its heir, or releases it if there is none, or nobody plays in it."""
        table = actor.room.table
        heir = None
        if table.status == "running" or actor.is_occupied:
            heir = self._homes.find_heir(table.room, table.game, table.version, leaving=True)
        if heir is not None and not actor.stopped:
            with suppress(StoreUnavailable):  # it stays listed here, and is an orphan once this hub has left
                await self.give(table.room, heir)
            return
        actor.halt()
        while not (actor.idle or actor.stopped):
            await self._services.clock.sleep(DRAIN_POLL_SECONDS)
        if not actor.stopped:
            await self._hand_over(actor, stays_listed=True)

    async def _hand_over(self, actor: Actor, *, stays_listed: bool = False) -> None:
        """Releases a room, then closes its sockets: otherwise they would be sent back to this hub."""
        table = actor.room.table
        stays_listed = stays_listed and table.status == "running"
        try:
            await self._store.release(
                actor.token, table.room, at=actor.end_table_time(), stays_listed=stays_listed
            )
        except StoreUnavailable:
            _log.warning("a room could not be released", room=actor.room.table.room)
        actor.stop("handed over")


def _lead_on(table: Table, refusal: Refusal | None) -> Mapping[str, str]:
    """The next table's name in links, for whoever may come in here: its id, or the code of an open table.

    Those who have to ask get the code, so that they can ask there.
    """
    if table.rematch is None or (refusal is not None and refusal.code == "REMOVED"):
        return {}
    by_code = table.open or refusal is not None
    return {"next": table.rematch.code if by_code else table.rematch.room}
