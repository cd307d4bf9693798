"""Rematches: the next tables of finished ones, each created once.

The first press commits the next room's id and code at the finished table; only then is that room created. If
the hub dies in between, whoever next asks for that room has it created, at whichever hub owns the finished
table by then. Two hubs that try at the same time do no harm, since the store creates a room only if its id is
free.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from games.api import Registration
from hub.clock import Clock
from hub.runtime.actor import Actor
from hub.runtime.checkout import RoomCheckout
from hub.runtime.creation import CODE_TRIES, NO_FREE_CODE, RoomCreation, draw_name_keys, plan_game
from hub.runtime.placement import (
    NextTable,
    OtherVersion,
    RefusedPlace,
    RematchWish,
    Unavailable,
    room_code,
)
from hub.runtime.room_limits import RoomLimits
from hub.runtime.store_calls import require_answer
from hub.runtime.verdicts import perform
from hub.store.store import Store
from hub.table import rematch
from hub.table.admission import is_at_table
from hub.table.commands import ChooseOtherCode, PressRematch
from hub.table.room import Rematch, Table
from hub.wire.limits import Opener
from hub.wire.tickets import Person


class Rematches:
    """Decides on next tables, and creates them. `begin` runs a created room on this hub."""

    def __init__(
        self,
        games: Mapping[str, Registration],
        store: Store,
        creation: RoomCreation,
        limits: RoomLimits,
        clock: Clock,
        begin: Callable[[RoomCheckout], Awaitable[None]],
    ) -> None:
        self._games = games
        self._store = store
        self._creation = creation
        self._limits = limits
        self._clock = clock
        self._begin = begin

    async def press(
        self, actor: Actor, person: Person, wish: RematchWish, opener: Opener, charge: Callable[[], None]
    ) -> NextTable | RefusedPlace:
        """The next table, which exists from then on; the first press decides what is played there.

        `charge` counts a new table for this person, and may raise. Raises BadOptions, TooManyTables,
        Unavailable.
        """
        shown = actor.find_table(person.id)  # who does not sit may see the table late
        if shown.status != "finished":
            return _refuse("NOT_NOW")
        if shown.rematch is None and not is_at_table(shown, person.id):
            return _refuse("NOT_SEATED")
        table = actor.room.table
        plan = None
        if rematch.is_first_press(table, person.id):
            plan = self._plan(table, wish, table.host if actor.is_host_connected else person.id)
            charge()
            self._limits.check(opener)
        watchers = actor.list_watching_people() if table.admission else ()
        command = PressRematch(person.id, plan, watchers)
        refusal = await perform(actor, command, self._clock)
        if refusal is not None:
            return _refuse(refusal.code)
        return await self.open(actor, opener)

    def _plan(self, table: Table, wish: RematchWish, host: str | None) -> Rematch:
        game = wish.game or table.game
        options = table.options if game == table.game else {}
        plan = plan_game(self._games, game, len(table.seats), options, open=table.open, bots=None)
        return Rematch(
            room=self._creation.draw_room_id(plan.rules),
            code=room_code(secrets.token_bytes(8), open=table.open),
            game=game,
            options=msgspec.to_builtins(plan.options),
            host=host,
            host_name=table.host_name if host == table.host else None,
            rotated=wish.rotated,
        )

    async def open(self, actor: Actor, opener: Opener) -> NextTable:
        """The next table of this finished one, whose people have pressed; creates it if it does not exist.

        Raises OtherVersion, TooManyTables, Unavailable.
        """
        for _ in range(CODE_TRIES):
            table = actor.room.table
            chosen = table.rematch
            assert chosen is not None
            if await self._exists(chosen.room) or await self._create(table, chosen, opener):
                return NextTable(chosen.room, chosen.code)
            if not await self._exists(chosen.room):  # then another table has the code
                other = room_code(secrets.token_bytes(8), open=table.open)
                await perform(actor, ChooseOtherCode(chosen.code, other), self._clock)
        raise Unavailable(NO_FREE_CODE)

    async def _exists(self, room: str) -> bool:
        return await require_answer(self._store.snapshot(room)) is not None

    async def _create(self, table: Table, chosen: Rematch, opener: Opener) -> bool:
        """Creates the next room, and runs it here; returns False if its id or its code is in use."""
        registration = self._games.get(chosen.game)
        if registration is None:
            raise OtherVersion
        for seat in table.seats:
            if seat.person is not None and seat.name is not None:
                await require_answer(self._store.remember_place(seat.person, chosen.room, seat.name))
        if chosen.host is not None and chosen.host_name is not None:
            await require_answer(self._store.remember_place(chosen.host, chosen.room, chosen.host_name))
        self._limits.take(opener)
        try:
            room = rematch.begin(
                registration.game,
                registration.bot.levels,
                table,
                seed=secrets.token_bytes(32),
                name_keys=draw_name_keys(len(table.seats)),
            )
            checkout = await self._creation.store(room, opener)
        except BaseException:
            self._limits.give_back(opener)
            raise
        if checkout is None:
            self._limits.give_back(opener)
            return False
        await self._begin(checkout)
        return True


def _refuse(code: str) -> RefusedPlace:
    if code == "NOT_SEATED":
        advice = "only people with a seat, or the host, can begin another table: once one has, you can follow"
        return RefusedPlace("NOT_SEATED", advice)
    return RefusedPlace(code, "the game at this table is not over yet: press when it is")
