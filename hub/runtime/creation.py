"""Creating rooms: checks that the game can be played as requested, and stores a room under a free code."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from games.api import Lesson, Refusal, Registration
from games.kit.lessons import lesson_seed
from games.kit.texts import refusal_text
from hub.runtime.checkout import RoomCheckout, begin
from hub.runtime.homes import Homes
from hub.runtime.placement import BadOptions, Unavailable, room_code, room_id
from hub.runtime.store_calls import require_answer
from hub.store.lease import Lease
from hub.store.store import Store, first_token
from hub.table import actions, lessons
from hub.table.options import read_options
from hub.table.records import NAME_KEY
from hub.table.room import Room, Rules, Snapshots
from hub.table.watch_delay import has_rounds
from hub.wire.limits import Opener
from hub.wire.messages import Grace, WatchDelay
from hub.wire.tickets import Person

CODE_TRIES: Final = 8
"""The number of codes to try: one may be in use."""
NO_FREE_CODE: Final = "no free table code was found: try again"


class GamePlan(Struct, frozen=True):
    """A game with valid seats, options and bot level."""

    rules: Rules
    seats: int
    options: Any
    level: str
    lesson: Lesson | None = None


def plan_lesson(games: Mapping[str, Registration], game: str) -> GamePlan:
    """The plan for a game's lesson. Raises BadOptions."""
    lesson = games[game].game.lesson if game in games else None
    if lesson is None:
        having = [key for key, registration in games.items() if registration.game.lesson is not None]
        raise BadOptions(Refusal("NO_LESSON", "R29"), f"These games have a lesson: {', '.join(having)}.")
    plan = plan_game(games, game, lesson.seats, lesson.options, open=False, bots=None)
    return replace(plan, lesson=lesson)


def plan_game(
    games: Mapping[str, Registration],
    game: str,
    seats: int,
    options: Mapping[str, Any],
    *,
    open: bool,
    bots: str | None,
    watch_delay: WatchDelay = "none",
) -> GamePlan:
    """The plan for a requested game; `bots` None means the middle level. Raises BadOptions."""
    registration = games.get(game)
    if registration is None:
        raise BadOptions(Refusal("NO_SUCH_GAME", ""), f"This hub has these games: {', '.join(games)}.")
    rules = registration.game
    if seats not in rules.seats:
        least, most = rules.seats[0], rules.seats[-1]
        raise BadOptions(Refusal("BAD_SEATS", "GEN-1"), f"{rules.title} is for {least} to {most} players.")
    game_options = read_options(rules, options, open=open)
    if isinstance(game_options, str):
        raise BadOptions(Refusal("BAD_OPTIONS", ""), game_options)
    refusal = rules.refuse_options(seats, game_options)
    if refusal is not None:
        sentence = refusal_text(rules.texts, refusal)
        raise BadOptions(refusal, sentence or f"{rules.title} cannot be played with these options.")
    if watch_delay == "round" and not has_rounds(rules):
        raise BadOptions(
            Refusal("NO_ROUNDS", "GEN-8"), f"{rules.title} has no rounds: choose another watch_delay."
        )
    levels = registration.bot.levels
    level = actions.choose_level(levels) if bots is None else bots
    if level not in levels:
        raise BadOptions(Refusal("NO_SUCH_LEVEL", "GEN-7"), f"Its bot has these levels: {', '.join(levels)}.")
    return GamePlan(rules, seats, game_options, level)


class RoomCreation:
    """Creates rooms that this hub owns, and that belong to it."""

    def __init__(self, store: Store, lease: Lease, incarnation: str, homes: Homes) -> None:
        self._store = store
        self._lease = lease
        self._incarnation = incarnation
        self._homes = homes

    async def create(
        self,
        plan: GamePlan,
        opener: Opener,
        *,
        open: bool,
        grace: Grace,
        watch_delay: WatchDelay,
        host: Person | None = None,
    ) -> RoomCheckout:
        """A new room with free seats; `host` hosts it without one. Raises Unavailable.

        A lesson has no code: its only name is its id.
        """
        for _ in range(CODE_TRIES):
            id = self.draw_room_id(plan.rules)
            code = id if plan.lesson else room_code(secrets.token_bytes(8), open=open)
            seed = secrets.token_bytes(32) if plan.lesson is None else lesson_seed(plan.lesson)
            room = actions.create(
                plan.rules,
                id,
                code,
                plan.seats,
                plan.options,
                seed,
                name_keys=draw_name_keys(plan.seats),
                open=open,
                grace=grace,
                watch_delay=watch_delay,
                host=None if host is None else host.id,
                host_name=None if host is None else host.name,
            )
            if plan.lesson is not None:
                room = replace(room, table=lessons.begin(room.table))
            checkout = await self.store(room, opener)
            if checkout is not None:
                return checkout
        raise Unavailable(NO_FREE_CODE)

    def draw_room_id(self, rules: Rules) -> str:
        """An id for a new room of this game."""
        return self._homes.draw_room_id(lambda: room_id(secrets.token_bytes(16)), rules.key, rules.version)

    async def store(self, room: Room, opener: Opener) -> RoomCheckout | None:
        """A new room as stored; None if its id or its code is in use. Raises Unavailable."""
        checkout = begin(room, first_token(self._incarnation), self._lease.now_live(), opener)
        created = self._store.create(
            room.table.room,
            room.table.code,
            Snapshots().pack(room),
            room.table.status,
            b"",
            checkout.token,
            checkout.at,
            checkout.live,
        )
        return checkout if await require_answer(created) else None


def draw_name_keys(seats: int) -> tuple[bytes, ...]:
    """A random key for each seat's name (hub/table/records.py)."""
    return tuple(secrets.token_bytes(NAME_KEY) for _ in range(seats))
