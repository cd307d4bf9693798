"""Seats at a table: sitting down, names, and what changes when a seat changes hands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.api import Refusal, Seat
from hub.table import seating, table_change
from hub.table.exactly_once import look_up
from hub.table.room import NO_RESULT, Change, Room, attach
from hub.table.views import table_section
from hub.wire import messages as m
from hub.wire.names import clean_name
from tests.table.almost_rooms import NOW, act, done, empty, lines, refused, running, seated, sit

# --- sitting down ---


def test_sitting_down() -> None:
    """R1, R3: the first person becomes host, and the log says who took the seat."""
    change = sit(empty(), "ann", 2)
    room = done(change)
    assert room.table.host == "ann"
    assert seating.host_seat(room.table) == seating.seat_of(room.table, "ann") == 2
    assert lines(change) == [("table.sat_down", {"name": "Ann", "seat": 2})]
    assert done(sit(room, "bea", 0)).table.host == "ann"


def test_sitting_down_in_ones_own_seat_changes_nothing() -> None:
    room = seated("ann")
    assert done(sit(room, "ann", 0)) is room


def test_seats_that_cannot_be_taken() -> None:
    """R2, R3"""
    room = done(act(seated("ann", "bea"), 0, m.AddBot(seat=3, level="good")))
    assert refused(sit(room, "cy", 1)) == "SEAT_TAKEN"
    assert refused(sit(room, "cy", 3)) == "SEAT_TAKEN"
    for seat in (-1, 4, 99):
        assert refused(sit(room, "cy", seat)) == "NO_SUCH_SEAT"
    locked = done(act(room, 0, m.Lock(locked=True)))
    assert refused(sit(locked, "cy", 2)) == "TABLE_LOCKED"
    assert done(sit(locked, "ann", 2)).table.seats[2].person == "ann"
    assert refused(sit(running(), "dan", 3)) == "SEAT_TAKEN"
    for status in ("running", "paused", "finished"):
        begun = replace(room, table=replace(room.table, status=status))
        assert refused(sit(begun, "cy", 2)) == "NOT_NOW"


def test_moving_to_another_seat() -> None:
    """R1, R3: a person has one seat; the old one is freed, and its tickets are void."""
    room, session = attach(seated("ann", "bea"), Seat(0), None)
    change = sit(room, "ann", 3)
    after = done(change)
    assert [seat.person for seat in after.table.seats] == [None, "bea", None, "ann"]
    assert after.table.host == "ann"
    assert after.table.seats[0].seat_generation > room.table.seats[0].seat_generation
    assert after.table.seats[3].seat_generation > room.table.seats[3].seat_generation
    assert look_up(after.counts.sessions[0], session, 0) == "too old"
    assert isinstance(change, Change)
    assert dict(change.note_moves) == {3: 0, 0: None}


def test_colours_differ_while_enough_are_left() -> None:
    room = empty(10)
    for seat in range(10):
        room = done(seating.sit(room, f"p{seat}", f"P{seat}x", 4, seat, NOW))
    assert len({seat.colour for seat in room.table.seats}) == 10
    assert room.table.seats[0].colour == 4


LOOKALIKES = [
    ("Bill", "BiII"),
    ("Bill", "Bi11"),
    ("Otto", "0tt0"),
    ("Ann", "ann"),
    ("Ann Lee", "AnnLee"),
    ("Susi", "5u5i"),
    ("Ann", "А" + "nn"),  # Cyrillic
    ("Ann", "Αnn"),  # Greek
    ("Ann", "Ａｎｎ"),  # full-width
    ("José", "Jose"),
    ("Ann", "A\u200dnn"),  # an invisible joiner
    ("paypal", "раураl"),  # almost all Cyrillic
    ("Straße", "STRASSE"),
]


@pytest.mark.parametrize(("one", "other"), LOOKALIKES)
def test_lookalike_names_get_a_number(one: str, other: str) -> None:
    """R10: the second person's name gets a number."""
    room = done(sit(done(sit(empty(), "p1", 0, one)), "p2", 1, other))
    first, second = room.table.seats[0].name, room.table.seats[1].name
    assert (first, second) == (one, f"{other} 2")


def test_distinct_names_are_kept() -> None:
    """R10"""
    room = empty(10)
    for seat, name in enumerate(["Name 0", "Name 1", "Name 2", "Ann", "Anna", "Bo", "🐙", "🦊", "Ян", "李"]):
        room = done(sit(room, name, seat, name))
        assert room.table.seats[seat].name == name


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=24).map(clean_name), min_size=10, max_size=10))
def test_names_at_a_table_differ(names: list[str | None]) -> None:
    """R10, T6: no two names are equal, none is a bot's, and all are still valid."""
    room = empty(10)
    for seat, name in enumerate(names):
        room = done(sit(room, f"p{seat}", seat, name or "Bot B"))
    shown_names = [seating.name_of(room.table, seat) for seat in range(10)]
    assert len(set(shown_names)) == 10
    assert all(len(name) <= 24 for name in shown_names)


def test_no_person_shares_a_bots_name() -> None:
    """R10"""
    room = done(act(done(sit(empty(), "eve", 0, "bot C")), 0, m.AddBot(seat=2, level="good")))
    names = {seating.name_of(room.table, seat) for seat in range(4)}
    assert room.table.seats[0].name == "bot C 2"
    assert len(names) == 4


# --- seats that change hands ---


def seat_generations(room: Room) -> list[int]:
    return [seat.seat_generation for seat in room.table.seats]


def changes(room: Room) -> dict[str, tuple[Change | Refusal, set[int]]]:
    """Every way a seat can change hands, with the seats affected."""
    return {
        "sitting down": (sit(room, "dan", 3), {3}),
        "moving over": (sit(room, "bea", 3), {1, 3}),
        "standing up": (act(room, 1, m.FreeSeat(seat=1)), {1}),
        "being removed": (act(room, 0, m.FreeSeat(seat=2)), {2}),
        "changing places": (act(room, 0, m.SwapSeats(a=0, b=2)), {0, 2}),
        "a bot": (act(room, 0, m.AddBot(seat=3, level="best")), {3}),
        "the start": (act(room, 0, m.Start()), {3}),
    }


@pytest.mark.parametrize("name", changes(seated("ann", "bea", "cy")))
def test_seat_generations_rise(name: str) -> None:
    """R1, G2.3: tickets of these seats are void and their commands forgotten; other seats keep both."""
    room = seated("ann", "bea", "cy")
    for seat in range(4):
        room, _ = attach(room, Seat(seat), None)
    change, seats = changes(room)[name]
    after = done(change)
    for seat in range(4):
        risen = after.table.seats[seat].seat_generation > room.table.seats[seat].seat_generation
        assert risen == (seat in seats)
        if room.table.seats[seat].person is not None:
            known = look_up(after.counts.sessions[seat], 1, 0)
            assert known == ("too old" if seat in seats else "new")


def test_removed_before_the_start() -> None:
    """GEN-13"""
    change = act(seated("ann", "bea"), 0, m.FreeSeat(seat=1))
    assert done(change).table.seats[1].person is None
    assert lines(change) == [("table.removed", {"name": "Bea", "seat": 1}), ("table.admission_on", {})]
    left = act(seated("ann", "bea"), 1, m.FreeSeat(seat=1))
    assert lines(left) == [("table.stood_up", {"name": "Bea", "seat": 1})]
    assert isinstance(change, Change)
    assert change.note_moves == ((1, None),)


def test_removed_in_play() -> None:
    """GEN-7, R5: the seat keeps its name, and its bot plays it from then on."""
    room = replace(running(), table=replace(running().table, open=False))
    change = act(room, 0, m.FreeSeat(seat=1))
    seat = done(change).table.seats[1]
    assert (seat.person, seat.name, seat.substitute) == (None, "Bea", True)
    assert lines(change) == [("table.removed", {"name": "Bea", "seat": 1}), ("table.admission_on", {})]
    assert lines(act(running(), 1, m.FreeSeat(seat=1)))[0][0] == "table.left"
    assert refused(act(done(change), 0, m.FreeSeat(seat=1))) == "NO_SUCH_SEAT"
    assert refused(sit(running(), "dan", 1)) == "SEAT_TAKEN"
    assert refused(sit(done(change), "dan", 1)) == "ASK_TO_COME_IN"


def test_the_host_leaves() -> None:
    """R3: somebody else becomes host, or nobody if the table is empty."""
    room = seated("ann", "bea", "cy")
    change = act(room, 0, m.FreeSeat(seat=0))
    assert lines(change) == [
        ("table.stood_up", {"name": "Ann", "seat": 0}),
        ("table.new_host", {"name": "Bea", "seat": 1}),
    ]
    room = done(change)
    assert room.table.host == "bea"
    room = done(act(room, 2, m.FreeSeat(seat=2)))
    room = done(act(room, 1, m.FreeSeat(seat=1)))
    assert room.table.host is None
    assert table_section(room.table).host is None
    assert done(sit(room, "dan", 2)).table.host == "dan"


def test_a_game_ends_when_the_last_person_leaves() -> None:
    """R22: paused or not; whoever is away still holds their seat, so that the game goes on for them."""
    room = running("ann", "bea")
    room = done(act(room, 1, m.StandIn()))
    change = act(room, 0, m.FreeSeat(seat=0), absent={1})
    assert [key for key, _ in lines(change)] == ["table.left", "table.new_host"]
    assert done(change).table.status == "running"
    for before in (done(change), done(act(done(change), 1, m.Pause()))):
        last = act(before, 1, m.FreeSeat(seat=1))
        assert isinstance(last, Change)
        assert lines(last) == [("table.deserted", {"name": "Bea", "seat": 1})]
        assert (last.affected_seats, last.note_moves) == (None, ((1, None),))
        table = last.room.table
        assert (table.status, table.abandoned, table.paused_for, table.host) == ("finished", True, None, None)
        assert table.seats[1].person is None
        assert last.room.position is not None
        assert last.room.position.prompts is NO_RESULT


def test_who_follows_a_host_who_leaves() -> None:
    """R3: whoever has been seated longest and is connected, in whatever seat; the log says so."""
    room = empty()
    for person, seat in (("ann", 2), ("bea", 3), ("cy", 0), ("dan", 1)):
        room = done(sit(room, person, seat))
    room = done(act(room, 2, m.SwapSeats(a=0, b=3)))
    assert [seat.person for seat in room.table.seats] == ["bea", "dan", "ann", "cy"]
    assert [seat.arrival for seat in room.table.seats] == [2, 4, 1, 3]
    for away, host, seat in (((), "bea", 0), ((0,), "cy", 3), ((0, 3), "dan", 1), ((0, 1, 3), "bea", 0)):
        change = act(room, 2, m.FreeSeat(seat=2), away)
        assert done(change).table.host == host
        assert lines(change)[1:] == [("table.new_host", {"name": host.title(), "seat": seat})]


def test_a_person_who_moves_has_arrived_as_early_as_before() -> None:
    """R3"""
    room = done(sit(seated("ann", "bea"), "ann", 3))
    assert [seat.arrival for seat in room.table.seats] == [0, 2, 0, 1]
    assert [seat.arrival for seat in done(sit(room, "cy", 0)).table.seats] == [3, 2, 0, 1]


def test_a_host_who_is_gone_is_followed_by_somebody_connected() -> None:
    """R3: by nobody who is away, and not while the host is connected."""
    room = seated("ann", "bea", "cy")
    change = seating.replace_host(room, NOW, {Seat(0), Seat(1)})
    assert done(change).table.host == "cy"
    assert lines(change) == [("table.new_host", {"name": "Cy", "seat": 2})]
    assert refused(seating.replace_host(room, NOW, {Seat(1)})) == "NOT_NOW"
    assert refused(seating.replace_host(room, NOW, {Seat(0), Seat(1), Seat(2)})) == "NOT_NOW"
    assert refused(seating.replace_host(empty(), NOW, set())) == "NOT_NOW"


def test_swapping_seats() -> None:
    """R1: people keep everything they own; both seats get generations higher than any previous one."""
    room = done(act(seated("ann", "bea"), 1, m.Ready(ready=True)))
    room = done(act(room, 1, m.CommitSalt("aa" * 32)))
    change = act(room, 0, m.SwapSeats(a=1, b=3))
    after = done(change)
    assert (after.table.seats[3].person, after.table.seats[3].salt_hash, after.table.seats[3].ready) == (
        "bea",
        "aa" * 32,
        True,
    )
    assert after.table.seats[1].person is None
    assert (
        after.table.seats[1].seat_generation
        == after.table.seats[3].seat_generation
        > max(seat_generations(room))
    )
    assert isinstance(change, Change)
    assert dict(change.note_moves) == {1: 3, 3: 1}
    for a, b in ((0, 0), (0, 4), (99, 1)):
        assert refused(act(room, 0, m.SwapSeats(a=a, b=b))) == "NO_SUCH_SEAT"


def test_every_line_is_in_the_catalogue() -> None:
    room = seated("ann", "bea", "cy")
    keys = {
        key for change, _ in changes(room).values() for key, _ in lines(change) if key.startswith("table.")
    }
    assert keys <= table_change.TEXTS
