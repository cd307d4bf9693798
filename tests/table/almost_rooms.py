"""Rooms of Almost for the tests of table actions, with shorthands for those actions."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from games.almost.rules.game import ALMOST
from games.api import Millis, Refusal, Seat
from hub.table import actions, seating
from hub.table.options import read_options
from hub.table.room import Change, Room
from hub.wire import messages as m

RULES: Any = ALMOST
LEVELS = ("easy", "good", "best")
SEED = b"seed" * 8
NOW = Millis(70)


def options(**chosen: Any) -> Any:
    options = read_options(RULES, chosen)
    assert not isinstance(options, str), options
    return options


def empty(seats: int = 4, **chosen: Any) -> Room:
    return actions.create(
        RULES, "r" * 22, "BCDFGH", seats, options(**chosen), SEED, name_keys=[bytes(16)] * seats, open=True
    )


def done(result: Change | Refusal) -> Room:
    assert isinstance(result, Change), result
    return result.room


def refused(result: Change | Refusal) -> str:
    assert isinstance(result, Refusal), result
    assert result.rule
    return result.code


def sit(room: Room, person: str, seat: int, name: str | None = None) -> Change | Refusal:
    return seating.sit(room, person, name or person.title(), seat, seat, NOW)


def seated(*people: str, seats: int = 4, **chosen: Any) -> Room:
    """A room with these people in the first seats; the first is host."""
    room = empty(seats, **chosen)
    for seat, person in enumerate(people):
        room = done(sit(room, person, seat))
    return room


def act(room: Room, seat: int, what: m.Act, absent: Collection[int] = ()) -> Change | Refusal:
    """`absent`: the seats whose person is not connected."""
    return actions.manage(RULES, LEVELS, room, Seat(seat), what, NOW, frozenset(map(Seat, absent)))


def running(*people: str, **chosen: Any) -> Room:
    return done(act(seated(*(people or ("ann", "bea", "cy")), **chosen), 0, m.Start()))


def lines(change: Change | Refusal) -> list[tuple[str, dict[str, Any]]]:
    assert isinstance(change, Change)
    return [(line.key, dict(line.args)) for logged in change.logged for line in logged.lines]
