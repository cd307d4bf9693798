"""The sockets that follow tables, by person: a new one may take the place of the person's oldest (G8.9).

The oldest closes, not the newest: it may be dead without the hub having noticed, and people want to see the
tab they have just opened. Its client does not reconnect by itself (close code 4011), so two tabs cannot keep
closing each other.
"""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

from games.api import Seat
from hub.telemetry.metrics import Metrics

Place: TypeAlias = tuple[str, Seat | None]
"""A room and one of its seats, or None for watching it."""


class Replaceable(Protocol):
    def give_way(self) -> None:
        """Stops following its table at once, and closes with 4011."""
        ...


class PersonSockets:
    """The sockets of one hub that follow a table: for each person, up to `per_place` at a place and
    `per_person` in all."""

    def __init__(self, metrics: Metrics, per_place: int, per_person: int) -> None:
        self._metrics = metrics
        self._per_place = per_place
        self._per_person = per_person
        self._sockets: dict[str, dict[Replaceable, Place]] = {}
        """By person, oldest first."""

    def __len__(self) -> int:
        return sum(map(len, self._sockets.values()))

    def add(self, person: str, place: Place, socket: Replaceable) -> None:
        """Adds a socket; if there are too many, the person's oldest gives way first."""
        sockets = self._sockets.setdefault(person, {})
        at_place = [other for other, others_place in sockets.items() if others_place == place]
        if len(at_place) >= self._per_place:
            self._replace(person, at_place[0], "place sockets")
        elif len(sockets) >= self._per_person:
            self._replace(person, next(iter(sockets)), "person sockets")
        self._sockets.setdefault(person, {})[socket] = place

    def remove(self, person: str, socket: Replaceable) -> None:
        sockets = self._sockets.get(person)
        if sockets is not None:
            sockets.pop(socket, None)
            if not sockets:
                del self._sockets[person]

    def _replace(
        self, person: str, oldest: Replaceable, limit: Literal["place sockets", "person sockets"]
    ) -> None:
        self._metrics.limited[limit] += 1
        self.remove(person, oldest)
        oldest.give_way()
