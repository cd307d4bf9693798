"""Where rooms belong: rendezvous hashing over the hubs that this hub has seen registered (R33).

Hubs learn of one another once a second, so two may disagree for that long. That costs a hop or one more
move, not a room: who owns a room is decided by its token alone (G3).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from hub.runtime.rendezvous import choose_hub, rank_hubs
from hub.store.hubs import HubDescription
from hub.store.lease import LEASE_MS
from hub.table.room import SCHEMA, unpack_table

REGISTER_SECONDS: Final = 1.0
STEADY: Final = 1 + round(LEASE_MS / 1000 / REGISTER_SECONDS)
"""The number of registrations in a row after which a hub takes rooms, or is given any. When a store comes
back, whoever registers first would otherwise take the rooms of all others."""
DRAWS: Final = 64
"""How often a new room's id is drawn again if the room would belong to another hub."""


class _SeenHub(Struct, frozen=True):
    description: HubDescription
    weight: int
    """The cores it had when it last took rooms; 0 if it has taken none since this hub has seen it."""
    in_a_row: int
    """The registrations in a row in which it took rooms."""

    @property
    def is_steady(self) -> bool:
        """Whether it has taken rooms for as long as a lease, so that it may be given some."""
        return self.in_a_row >= STEADY

    def carries(self, game: str, version: int) -> bool:
        """Whether it can go on with a room of this game, in this hub's format."""
        return self.description.schema == SCHEMA and self.description.games.get(game) == version

    def has_newer(self, game: str, version: int) -> bool:
        """Whether it has newer rules of this game, which may be able to go on with a room."""
        return self.description.schema >= SCHEMA and self.description.games.get(game, version) > version


class Homes:
    """The living hubs as this hub sees them. Without `update`, as with the bundled store, there are none."""

    def __init__(self, incarnation: str, cores: int = 1, *, alone: bool = True) -> None:
        """`alone`: there are no other hubs on the store."""
        self._incarnation = incarnation
        self.cores = cores
        self._alone = alone
        self._hubs: Mapping[str, _SeenHub] = {}
        self._are_alike = True
        """Whether all hubs carry the same rules and format: also those that take no rooms now, who may be the
        only ones for a room."""

    def update(self, living: Mapping[str, HubDescription]) -> None:
        """Notes who has registered in time."""
        self._hubs = {name: _note(self._hubs.get(name), said) for name, said in living.items()}
        builds = {(said.schema, *sorted(said.games.items())) for said in living.values()}
        self._are_alike = len(builds) <= 1

    @property
    def steady(self) -> Mapping[str, int]:
        """The hubs that have taken rooms for a while, with their cores."""
        return {name: hub.weight for name, hub in self._hubs.items() if hub.is_steady}

    def count_others(self) -> int:
        """The other hubs that take rooms."""
        return len(self.steady.keys() - {self._incarnation})

    @property
    def is_settled(self) -> bool:
        """Whether this hub has been there for long enough to have seen all that live."""
        return self._alone or self._incarnation in self.steady

    def forget(self) -> None:
        """Forgets all hubs, because the store does not say which of them live."""
        self._hubs = {}

    async def rank(self, room: str, snapshot: Callable[[], Awaitable[bytes | None]]) -> Sequence[str]:
        """The hubs in the order in which they are to take a free room.

        `snapshot` reads the stored room, which counts only if the hubs differ in their rules or formats.
        Raises what `snapshot` raises.
        """
        hubs: Mapping[str, _SeenHub]
        hubs = {name: hub for name, hub in self._hubs.items() if hub.description.cores > 0}
        if not self._are_alike:
            hubs = _list_able_for(await snapshot(), hubs)
        return rank_hubs(room, {name: hub.description.cores for name, hub in hubs.items()})

    def find_heir(self, room: str, game: str, version: int, *, leaving: bool = False) -> str | None:
        """The hub to which this one is to hand a room over that it runs; None if the room stays here.

        A hub that takes no rooms for a moment keeps its own, and gets none until it takes them steadily
        again. With `leaving`, this hub keeps none.
        """
        if leaving:
            others = {name: hub for name, hub in self._hubs.items() if name != self._incarnation}
            able = _list_able(game, version, others)
            return choose_hub(room, {name: hub.weight for name, hub in able.items() if hub.is_steady})
        home = choose_hub(room, self._list_weights(game, version)) if self.cores else None
        if home is None or home == self._incarnation or not self._hubs[home].is_steady:
            return None
        return home

    def draw_room_id(self, draw: Callable[[], str], game: str, version: int) -> str:
        """An id for a new room, drawn so that the room belongs to this hub if possible."""
        weights = self._list_weights(game, version)
        id = draw()
        for _ in range(DRAWS):
            if choose_hub(id, weights) == self._incarnation:
                break
            id = draw()
        return id

    def _list_weights(self, game: str, version: int) -> dict[str, int]:
        weights = {name: hub.weight for name, hub in self._hubs.items() if hub.carries(game, version)}
        return {**weights, self._incarnation: self.cores}


def _note(seen: _SeenHub | None, description: HubDescription) -> _SeenHub:
    weight, in_a_row = (0, 0) if seen is None else (seen.weight, seen.in_a_row)
    if description.cores > 0:
        return _SeenHub(description, description.cores, in_a_row + 1)
    return _SeenHub(description, weight, 0)


def _list_able_for(snapshot: bytes | None, hubs: Mapping[str, _SeenHub]) -> Mapping[str, _SeenHub]:
    """The hubs that can go on with a stored room."""
    try:
        table = None if snapshot is None else unpack_table(snapshot)
    except ValueError:
        table = None
    return {} if table is None else _list_able(table.game, table.version, hubs)


def _list_able(game: str, version: int, hubs: Mapping[str, _SeenHub]) -> Mapping[str, _SeenHub]:
    """The hubs that carry these rules or, if there are none, those with newer ones."""
    carriers = {name: hub for name, hub in hubs.items() if hub.carries(game, version)}
    return carriers or {name: hub for name, hub in hubs.items() if hub.has_newer(game, version)}
