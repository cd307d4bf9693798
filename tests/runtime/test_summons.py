"""People who are away from a game that waits for them are called back, once per absence."""

from __future__ import annotations

from typing import Any, Final, cast

from msgspec.structs import replace

from games.api import Outcome, Prompt, PromptId, Seat
from games.subdivision.rules.game import SUBDIVISION
from hub.runtime.summons import AWAY_MS, Summons, is_awaited
from hub.table.room import Position, Room
from tests.harness.manual_clock import ManualClock
from tests.secrecy.pair import new_table

RULES: Final = cast(Any, SUBDIVISION)
WAITING: Final = new_table(RULES, 3, {})
ALL: Final = (Seat(0), Seat(1), Seat(2))


class Rules:
    """Rules whose position says in public who is done."""

    def public(self, state: Any) -> dict[str, Any]:
        return dict(state)


NO_ONE_DONE: Final[Any] = Rules()


def prompt(*seats: int, to: frozenset[Seat] | None = None) -> Prompt:
    return Prompt(PromptId("turn:1"), "turn", frozenset(map(Seat, seats)), None, to)


def room(*prompts: Prompt, status: str = "running", state: Any = ()) -> Room:
    people = tuple(replace(seat, person=f"p-{i}") for i, seat in enumerate(WAITING.table.seats))
    table = replace(WAITING.table, status=cast(Any, status), seats=people, open=False)
    return Room(table, WAITING.counts, Position(state, prompts, (), cast(Any, 0)))


class World:
    def __init__(self, start: Room) -> None:
        self.clock = ManualClock()
        self.room = start
        self.absent: list[Seat] = []
        self.called: list[tuple[str, str, str]] = []
        self.summons = Summons(self.clock, lambda *call: self.called.append(call), self.consider)

    def consider(self) -> None:
        self.summons.consider(NO_ONE_DONE, self.room, self.absent)

    def leave(self, *seats: int) -> None:
        self.absent = list(map(Seat, seats))
        self.consider()

    def wait(self, milliseconds: int) -> None:
        self.clock.advance(milliseconds / 1000)


def test_whom_the_game_waits_for_is_called_after_a_while() -> None:
    world = World(room(prompt(1)))
    world.leave(0, 1)
    world.wait(AWAY_MS - 1)
    assert world.called == []
    world.wait(2)
    table = world.room.table
    assert world.called == [("p-1", table.code, table.room)], (
        "by the id, which is a private table's invitation"
    )


def test_a_reload_calls_nobody() -> None:
    world = World(room(prompt(1)))
    world.leave(1)
    world.wait(AWAY_MS // 2)
    world.leave()
    world.wait(AWAY_MS)
    assert world.called == []


def test_an_absence_is_answered_once() -> None:
    world = World(room(prompt(1)))
    world.leave(1)
    for _ in range(3):
        world.wait(AWAY_MS + 1)
        world.consider()
    assert len(world.called) == 1
    world.leave()
    world.leave(1)
    world.wait(AWAY_MS + 1)
    assert len(world.called) == 2


def test_who_is_awaited_only_later_is_called_then() -> None:
    world = World(room(prompt(0)))
    world.leave(1)
    world.wait(AWAY_MS + 1)
    assert world.called == []
    world.room = room(prompt(1))
    world.consider()
    assert [person for person, _, _ in world.called] == ["p-1"]


def test_an_open_table_is_named_by_its_code() -> None:
    start = room(prompt(1))
    world = World(replace(start, table=replace(start.table, open=True)))
    world.leave(1)
    world.wait(AWAY_MS + 1)
    assert world.called == [("p-1", start.table.code, start.table.code)]


def test_nobody_is_called_to_a_room_that_this_hub_has_left() -> None:
    world = World(room(prompt(1)))
    world.leave(1)
    world.summons.close()
    world.wait(AWAY_MS + 1)
    assert world.called == []


def test_whom_a_game_waits_for() -> None:
    """G4: only what the seat itself sees counts."""

    def awaited(it: Room) -> list[int]:
        return [int(seat) for seat in ALL if is_awaited(NO_ONE_DONE, it, seat)]

    assert awaited(room(prompt(0, 2), prompt(1))) == [0, 2], "the first prompt is the one shown to all"
    assert awaited(room(prompt(0, to=frozenset([Seat(0)])), prompt(1, 2))) == [0, 1, 2]
    for status in ("waiting", "paused", "finished"):
        assert awaited(room(prompt(0), status=status)) == []
    assert awaited(Room(room().table, WAITING.counts, None)) == []
    assert awaited(room()) == []
    done = type("Section", (), {"data": type("Data", (), {"done": (True, False, False)})})
    assert awaited(room(prompt(0, 1), state={"readiness": done}.items())) == [1]
    over = room()
    assert over.position is not None
    ended = replace(over.position, prompts=Outcome((Seat(0),), (1, 0, 0)))
    assert awaited(replace(over, position=ended)) == []
