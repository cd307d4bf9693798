"""Playing again: who may press, what the first press decides, and the table that follows."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games import GAMES
from games.api import Seat
from hub.table import commands, rematch, traces
from hub.table.commands import Attach, ChooseOtherCode, PressRematch
from hub.table.room import Change, Rematch, Room, Snapshots, unpack_table
from hub.table.salt_exchange import hash_salt
from hub.table.views import rematch_section, table_section
from hub.wire import messages as m
from tests.table.almost_rooms import LEVELS, NOW, RULES, SEED, act, done, lines, refused, running, seated, sit

NEXT = "n" * 22
SALT = "ab" * 32


def plan(**chosen: Any) -> Rematch:
    options = msgspec.to_builtins(RULES.Options())
    fields = {"game": "almost", "options": options, "host": "ann", "rotated": False, **chosen}
    return Rematch(room=NEXT, code="GHJKLM", **fields)


def finished(*people: str) -> Room:
    """A finished game of these people; a bot has the last of four seats."""
    room = running(*(people or ("ann", "bea", "cy")))
    return replace(room, table=replace(room.table, status="finished"))


def press(room: Room, person: str, chosen: Rematch | None = None, *watchers: str) -> Any:
    command = PressRematch(person, chosen or plan(), watchers)
    return commands.decide(room, command, NOW, None, RULES, LEVELS)


def follow(room: Room, game: str = "almost") -> Room:
    """The table that follows."""
    levels = LEVELS if game == "almost" else GAMES[game].bot.levels
    return rematch.begin(GAMES[game].game, levels, room.table, seed=SEED, name_keys=[bytes(16)] * 4)


def pressed(*people: str, **chosen: Any) -> Room:
    room = finished()
    for person in people:
        room = done(press(room, person, plan(**chosen)))
    return room


def come(room: Room, seat: int) -> Room:
    state = room.table.seats[seat]
    attach = Attach(Seat(seat), state.person or "", state.seat_generation, None)
    return done(commands.decide(room, attach, NOW, None, RULES, LEVELS))


def salted(room: Room, seat: int) -> Room:
    return done(act(room, seat, m.CommitSalt(salt_hash=hash_salt(SALT))))


# --- pressing ---


def test_the_first_press_decides() -> None:
    """R17: everybody sees who has pressed; a later plan changes nothing, and so does a second press."""
    room = finished()
    assert rematch_section(room.table) == m.RematchSection((0, 1, 2), ())
    assert rematch.is_first_press(room.table, "bea")
    room = done(press(room, "bea", plan(rotated=True)))
    assert not rematch.is_first_press(room.table, "cy")
    other = replace(plan(), room="o" * 22, game="shares")
    room = done(press(room, "ann", other))
    assert done(press(room, "ann", other)) is room
    assert rematch_section(room.table) == m.RematchSection(
        (0, 1, 2), (0, 1), NEXT, "GHJKLM", "almost", rotated=True
    )
    assert msgspec.to_builtins(rematch_section(room.table)).keys() == {
        *("seats", "pressed", "room", "code", "game", "rotated")
    }


@pytest.mark.parametrize("status", ["waiting", "running", "paused"])
def test_nobody_presses_before_the_end(status: Any) -> None:
    """R17"""
    room = finished()
    room = replace(room, table=replace(room.table, status=status))
    assert refused(press(room, "ann")) == "NOT_NOW"


def test_only_people_with_a_seat_decide() -> None:
    """R17: whoever has none, or has left, can only follow, and is not counted."""
    room = finished()
    assert refused(press(room, "eve")) == "NOT_SEATED"
    room = done(press(room, "ann"))
    assert done(press(room, "eve")) is room


def test_another_code_is_chosen_once() -> None:
    """R17: two hubs that find the code in use do not choose twice."""
    room = pressed("ann")
    first = commands.decide(room, ChooseOtherCode("GHJKLM", "BCDFGH"), NOW, None, RULES, LEVELS)
    room = done(first)
    again = commands.decide(room, ChooseOtherCode("GHJKLM", "JKLMNP"), NOW, None, RULES, LEVELS)
    assert done(again) is room
    assert room.table.rematch == replace(plan(), code="BCDFGH", pressed=("ann",))


# --- the table that follows ---


def test_everybody_keeps_their_seat() -> None:
    """R17: it is held for them, bots stay, and whoever has left has none; the host stays host."""
    room = running("ann", "bea", "cy")
    room = done(act(room, 2, m.FreeSeat(seat=2)))
    room = replace(room, table=replace(room.table, status="finished"))
    room = done(press(room, "bea"))
    table = follow(room).table
    assert [seat.person for seat in table.seats] == ["ann", "bea", None, None]
    assert [seat.held for seat in table.seats] == [True, True, False, False]
    assert [seat.bot for seat in table.seats] == [None, None, None, "good"]
    assert [seat.name for seat in table.seats] == ["Ann", "Bea", None, "Bruno"]
    assert [seat.character for seat in table.seats] == [None, None, None, "bruno"]
    assert [seat.colour for seat in table.seats[:2]] == [seat.colour for seat in room.table.seats[:2]]
    assert (table.room, table.code, table.host, table.status) == (NEXT, "GHJKLM", "ann", "waiting")
    assert table.previous == room.table.room == table_section(table).previous


def test_the_hosts_settings_carry_over() -> None:
    """R17, R24: whatever the host can set at a table, and whom they let in or removed."""
    settings: dict[str, Any] = {
        "open": False,
        "locked": True,
        "watching": False,
        "hears_watchers": True,
        "admission": True,
        "admitted": ("dee",),
        "barred": ("eve",),
        "takes_latecomers": True,
        "grace": "game",
        "watch_delay": "10min",
    }
    room = pressed("ann")
    table = follow(replace(room, table=replace(room.table, **settings))).table
    assert {name: getattr(table, name) for name in settings} == settings


def test_everybody_moves_up_one_seat() -> None:
    """R17"""
    table = follow(pressed("ann", rotated=True)).table
    assert [seat.person for seat in table.seats] == ["bea", "cy", None, "ann"]
    assert [seat.bot for seat in table.seats] == [None, None, "good", None]


def test_the_host_has_not_gone_far() -> None:
    """R17: what the host decided about doors holds at the next table: removed people stay removed."""
    room = finished()
    assert room.table.host == "ann"
    room = done(act(room, 0, m.RemoveWatcher(id="eve")))
    room = done(act(room, 0, m.Lock(locked=True)))
    room = replace(room, table=replace(room.table, takes_latecomers=True, grace="game"))
    room = done(press(room, "bea", plan(), "wes"))
    table = follow(room).table
    assert (table.locked, table.admission, table.barred) == (True, True, ("eve",))
    assert (table.takes_latecomers, table.grace) == (room.table.takes_latecomers, room.table.grace)
    assert "wes" in table.admitted
    assert refused(sit(follow(room), "eve", 3)) == "REMOVED"


def test_another_game_has_bots_of_its_own() -> None:
    """R17: of the same level, if it has that, or else of the middle one."""
    options = msgspec.to_builtins(GAMES["shares"].game.Options())
    room = pressed("ann", game="shares", options=options)
    assert follow(room, "shares").table.seats[3].bot in GAMES["shares"].bot.levels
    assert follow(room, "shares").table.game == "shares"
    seats = room.table.seats
    odd = replace(room.table, seats=(*seats[:3], replace(seats[3], bot="ancient")))
    assert follow(replace(room, table=odd)).table.seats[3].bot == "good"


def test_nobody_takes_a_seat_that_is_held() -> None:
    """R17, R2: it is its person's before they have come, whoever asks; they may move."""
    room = follow(pressed("ann"))
    for seat in range(3):
        assert refused(sit(room, "eve", seat)) == "SEAT_TAKEN"
    room = done(act(come(room, 0), 0, m.FreeSeat(seat=1)))
    assert "bea" not in room.table.barred
    assert not room.table.admission
    assert done(sit(room, "eve", 1)).table.seats[1].person == "eve"
    stale = Attach(Seat(1), "bea", 1, None)
    assert refused(commands.decide(room, stale, NOW, None, RULES, LEVELS)) == "BAD_TICKET"


def test_a_seat_freed_for_somebody_else_is_announced() -> None:
    """R17"""
    room = come(follow(pressed("ann")), 0)
    assert lines(act(room, 0, m.FreeSeat(seat=1))) == [("table.seat_freed", {"name": "Bea", "seat": 1})]


def test_it_starts_when_everybody_has_come() -> None:
    """R17, G7.3: with the salts of all of them."""
    room = follow(pressed("ann", "bea", "cy"))
    for seat in (0, 2):
        room = salted(come(room, seat), seat)
        assert room.table.exchange is None
    assert [seat.ready for seat in room.table.seats] == [True, False, True, True]
    room = salted(come(room, 1), 1)
    assert room.table.exchange is not None
    for seat in range(3):
        room = done(act(room, seat, m.RevealSalt(salt=SALT, next_hash=hash_salt("cd" * 32))))
    assert room.table.status == "running"
    assert not any(seat.substitute or seat.held for seat in room.table.seats)


def test_it_waits_for_somebody_who_is_not_ready() -> None:
    """R17"""
    room = follow(pressed("ann", "bea", "cy"))
    room = salted(come(room, 0), 0)
    room = done(act(room, 0, m.Ready(ready=False)))
    for seat in (1, 2):
        room = salted(come(room, seat), seat)
    assert room.table.exchange is None
    assert done(act(room, 0, m.Ready(ready=True))).table.exchange is not None


def test_other_tables_wait_for_their_host() -> None:
    """R17: people who did not play together before have not agreed to begin."""
    room = seated("ann", "bea")
    for seat in (0, 1):
        room = done(act(salted(room, seat), seat, m.Ready(ready=True)))
    assert (room.table.status, room.table.exchange) == ("waiting", None)


def test_a_bot_plays_for_whoever_does_not_come() -> None:
    """R17: from the start, until they do; everybody is told."""
    room = come(follow(pressed("ann")), 0)
    change = act(room, 0, m.Start())
    told = [args for key, args in lines(change) if key == "table.stands_in"]
    assert told == [{"name": "Bea", "seat": 1}, {"name": "Cy", "seat": 2}]
    table = done(change).table
    assert [seat.substitute for seat in table.seats] == [False, True, True, False]
    assert not any(seat.held for seat in table.seats)
    late = come(done(change), 1)
    assert not done(act(late, 1, m.TakeBack())).table.seats[1].substitute


def test_the_rematch_is_stored_with_the_table() -> None:
    """G6.1"""
    table = pressed("bea", "ann").table
    room = replace(finished(), table=table)
    assert unpack_table(Snapshots().pack(room)) == table


def test_a_person_who_is_forgotten_leaves_the_rematch() -> None:
    room = pressed("ann", "bea")
    table = unpack_table(traces.leave(Snapshots().pack(room), "ann"))
    assert table.rematch is not None
    assert (table.rematch.host, table.rematch.pressed) == (None, ("bea",))
    assert "ann" not in str(msgspec.to_builtins(table.rematch))
    assert isinstance(press(room, "cy"), Change)
