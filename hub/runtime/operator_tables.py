"""All tables in the store, for operators: this hub's as they are now, other hubs' as of their last
snapshots."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Mapping, Sequence

from hub.runtime.actor import Actor
from hub.runtime.checkout import read
from hub.runtime.placement import NoSuchRoom, OtherVersion
from hub.runtime.store_calls import require_answer, resolve
from hub.store.store import Store
from hub.table.room import Rules, Table


class OperatorTables:
    """The tables an operator may see, as watchers see them (O4).

    `actors` are this hub's; `closures` returns the rooms operators have closed, and `find_shown` what
    watchers see of a stored table.
    """

    def __init__(
        self,
        store: Store,
        incarnation: str,
        actors: Mapping[str, Actor],
        rules: Mapping[str, Rules],
        closures: Callable[[], Container[str]],
        find_shown: Callable[[Table], Table],
    ) -> None:
        self._store = store
        self._incarnation = incarnation
        self._actors = actors
        self._rules = rules
        self._closures = closures
        self._find_shown = find_shown

    def list_awake(self) -> Sequence[tuple[Table, int]]:
        """The tables of this hub, each with the number of its watchers."""
        closures = self._closures()
        actors = [actor for name, actor in self._actors.items() if name not in closures]
        return [(actor.shown_table, actor.watchers) for actor in actors]

    async def list_elsewhere(self, most: int) -> Sequence[tuple[Table, str]]:
        """Up to `most` tables of other hubs, as of their last snapshots, each with its hub's URL.

        Omits tables of hubs of another version that this one cannot read.
        """
        tables: list[tuple[Table, str]] = []
        for hub in await require_answer(self._store.hubs()):
            if hub.incarnation == self._incarnation:
                continue
            for name in await require_answer(self._store.rooms_of(hub.incarnation)):
                if len(tables) >= most:
                    return tables
                if name in self._closures():
                    continue
                snapshot = await require_answer(self._store.snapshot(name))
                with contextlib.suppress(OtherVersion):
                    if snapshot is not None:
                        tables.append((self._find_shown(read(snapshot, self._rules).table), hub.url))
        return tables

    async def locate(self, room_or_code: str) -> str:
        """The id of the room with this id or code. Raises NoSuchRoom, Unavailable."""
        room_id = await resolve(self._store, room_or_code)
        if room_id not in self._actors and await require_answer(self._store.snapshot(room_id)) is None:
            raise NoSuchRoom(room_id)
        return room_id

    async def has_sat(self, person: str) -> bool:
        """Whether the store lists tables where this person has sat. Raises Unavailable."""
        return bool(await require_answer(self._store.call("EXISTS", self._store.keys.places(person))))
