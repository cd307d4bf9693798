"""How long a seat waits for an absent person, and what a line that keeps breaking uses up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.api import Millis, Seat
from hub.table import absence
from hub.table.absence import GRACE_MS, MIN_ABSENCE_MS, MIN_GRACE_MS, REFILL, count_used_grace, stand_in_time
from hub.table.room import NEVER, Change, Room, Snapshots, unpack_table
from hub.wire import messages as m
from tests.table.almost_rooms import act, done, lines, running

BEA = Seat(1)
MINUTE = GRACE_MS["1min"]


def waits(room: Room, since: int) -> int:
    """How long Bea's seat waits if she has been away since then."""
    return stand_in_time(room.table, BEA, Millis(since)) - since


def away(room: Room, since: int, until: int) -> Room:
    return absence.end_absence(room, BEA, Millis(since), Millis(until)).room


@pytest.mark.parametrize(("open", "grace"), [(True, "1min"), (False, "3min")])
def test_a_private_table_waits_longer(open: bool, grace: str) -> None:
    assert absence.choose_grace(open=open) == grace


@pytest.mark.parametrize("grace", ["1min", "3min"])
def test_a_seat_waits_for_its_grace(grace: m.Grace) -> None:
    """R5"""
    room = running()
    room = replace(room, table=replace(room.table, grace=grace))
    assert waits(room, 5_000) == GRACE_MS[grace]
    change = absence.stand_in(room, BEA, Millis(5_000), Millis(5_000 + GRACE_MS[grace]))
    assert (done(change).table.seats[BEA].substitute, done(change).table.seats[BEA].asked) == (True, False)
    assert lines(change) == [("table.stands_in", {"name": "Bea", "seat": 1})]


def test_a_seat_may_wait_for_the_whole_game() -> None:
    room = running()
    room = replace(room, table=replace(room.table, grace="game"))
    assert stand_in_time(room.table, BEA, Millis(5_000)) == NEVER
    assert away(room, 0, 10 * MINUTE) is room, "there is nothing to count"


def test_absences_add_up() -> None:
    """R5: a line that keeps breaking does not start a whole grace each time."""
    room = away(running(), 0, 20_000)
    assert waits(room, 20_000) == MINUTE - 20_000
    room = away(room, 20_000, 50_000)
    assert waits(room, 50_000) == MINUTE - 50_000
    assert waits(away(room, 50_000, 59_000), 59_000) == MIN_GRACE_MS, "a page may still reload"


def test_grace_comes_back_while_connected() -> None:
    room = away(running(), 0, 20_000)
    assert count_used_grace(room.table, BEA, Millis(20_000 + 4_000 * REFILL)) == 16_000
    assert waits(room, 20_000 + 20_000 * REFILL) == MINUTE
    assert waits(room, NEVER - MINUTE) == MINUTE


def test_a_substitute_uses_all_of_the_grace() -> None:
    """R5: whoever takes the seat back and leaves at once does not keep the table waiting again."""
    room = done(absence.stand_in(running(), BEA, Millis(0), Millis(MINUTE)))
    back = done(act(room, BEA, m.TakeBack()))
    assert not back.table.seats[BEA].substitute
    assert waits(back, MINUTE) == MIN_GRACE_MS
    assert waits(back, 2 * MINUTE) == MINUTE // REFILL


def test_used_grace_is_committed() -> None:
    """G6.1: a room's next owner counts on from it."""
    room = away(running(), 0, 20_000)
    change = absence.end_absence(running(), BEA, Millis(0), Millis(20_000))
    assert isinstance(change, Change)
    assert (change.logged, change.played) == ((), False), "it is a table's change, so it is stored with it"
    assert count_used_grace(unpack_table(Snapshots().pack(room)), BEA, Millis(20_000)) == 20_000


def test_short_absences_change_nothing() -> None:
    room = running()
    assert away(room, 0, MIN_ABSENCE_MS - 1) is room
    for status in ("waiting", "finished"):
        other = replace(room, table=replace(room.table, status=status))
        assert away(other, 0, 30_000) is other


def test_leaving_for_good() -> None:
    """R5: the seat shows that its person left, whether they asked for a bot before or not."""
    room = done(act(running(), BEA, m.StandIn()))
    seat = done(act(room, BEA, m.FreeSeat(seat=BEA))).table.seats[BEA]
    assert (seat.person, seat.substitute, seat.asked, seat.used_grace) == (None, True, False, None)
