"""Latecomers: who may take over a bot's seat during the game, and what the table then knows (R16, GEN-13)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from msgspec.structs import replace

from games.api import LogLine, Refusal, Seat
from hub.table import latecomers, log, traces
from hub.table.commands import Sit, decide
from hub.table.exactly_once import look_up
from hub.table.records import hash_name
from hub.table.room import Change, Logged, Room, Snapshots, attach, count_lines, pack_logged, unpack
from hub.table.table_change import table_line
from hub.table.views import table_section
from hub.wire import messages as m
from tests.table.almost_rooms import LEVELS, NOW, RULES, act, done, lines, refused, running

KEY: Final = b"k" * 16


def table(*people: str, on: bool = True) -> Room:
    """A running private game of Ann, Bea and Cy, with a bot in seat 3, that takes latecomers."""
    room = running(*people)
    room = replace(room, table=replace(room.table, open=False))  # its host may remove people
    return done(act(room, 0, m.TakeLatecomers(on=on))) if on else room


def come(room: Room, person: str, seat: int, *, away: bool = True, name: str = "") -> Change | Refusal:
    command = Sit(person, name or person.title(), 5, seat, KEY)
    return decide(room, command, NOW, None, RULES, LEVELS, {Seat(seat)} if away else ())


def test_a_latecomer_takes_over_a_bots_seat() -> None:
    """R16: with the seat's colour, in a new generation; a line says so, and the table remembers it."""
    room = table()
    change = come(room, "dan", 3)
    after = done(change)
    seat, before = after.table.seats[3], room.table.seats[3]
    assert (seat.person, seat.name, seat.bot, seat.substitute) == ("dan", "Dan", None, False)
    assert (seat.colour, seat.seat_generation) == (before.colour, before.seat_generation + 1)
    assert lines(change) == [("table.took_over", {"name": "Dan", "seat": 3, "previous": "Bruno"})]
    (latecomer,) = after.table.latecomers
    assert (latecomer.seat, latecomer.at, latecomer.entries) == (3, NOW, room.counts.entries)
    assert latecomer.player.name_hash == hash_name(KEY, "Dan")
    assert isinstance(change, Change)
    assert (dict(change.note_moves), change.played) == ({3: None}, False)
    assert unpack(Snapshots().pack(after), {"almost": RULES}) == after
    assert table_section(after.table).seats[3].vacant is False
    assert refused(come(after, "eve", 3)) == "SEAT_TAKEN"


@pytest.mark.parametrize("by", [0, 1])
def test_a_seat_that_somebody_left_or_was_removed_from(by: int) -> None:
    room = done(act(table(), by, m.FreeSeat(seat=1)))
    room = done(act(room, 0, m.Admission(on=False)))
    assert table_section(room.table).seats[1].vacant
    change = come(room, "dan", 1)
    assert lines(change) == [("table.took_over", {"name": "Dan", "seat": 1, "previous": "Bea"})]
    assert done(change).table.seats[1].person == "dan"


def test_a_seat_whose_person_agreed_before_they_went_away() -> None:
    """R16: only while a bot plays there and nobody is connected; they may come back and watch."""
    room = table()
    assert refused(come(room, "dan", 1)) == "SEAT_TAKEN"
    offered = done(act(room, 1, m.OfferSeat(on=True)))
    assert table_section(offered.table).seats[1].offered
    assert done(act(offered, 1, m.OfferSeat(on=True))) is offered
    assert refused(come(offered, "dan", 1)) == "SEAT_TAKEN"
    away = done(act(offered, 1, m.StandIn()))
    assert refused(come(away, "dan", 1, away=False)) == "SEAT_TAKEN"
    after = done(come(away, "dan", 1))
    assert (after.table.seats[1].person, after.table.seats[1].offered) == ("dan", False)
    assert "bea" in after.table.admitted
    assert refused(come(after, "bea", 3)) == "HELD_ANOTHER_SEAT"
    not_offered = done(act(done(act(offered, 1, m.OfferSeat(on=False))), 1, m.StandIn()))
    assert refused(come(not_offered, "dan", 1)) == "SEAT_TAKEN"


def test_refused() -> None:
    """R16: each reason has its code."""
    room = table()
    assert refused(come(running(), "dan", 3)) == "NO_LATECOMERS"
    assert refused(come(room, "dan", 0)) == "SEAT_TAKEN"
    assert refused(come(room, "ann", 3)) == "ALREADY_SEATED"
    assert refused(come(room, "dan", 4)) == refused(come(room, "dan", -1)) == "NO_SUCH_SEAT"
    assert refused(come(done(act(room, 0, m.Lock(locked=True))), "dan", 3)) == "TABLE_LOCKED"
    assert refused(come(done(act(room, 0, m.Admission(on=True))), "dan", 3)) == "ASK_TO_COME_IN"
    removed = done(act(room, 0, m.FreeSeat(seat=2)))
    assert refused(come(removed, "cy", 2)) == refused(come(removed, "cy", 3)) == "REMOVED"
    left = done(act(room, 1, m.FreeSeat(seat=1)))
    assert refused(come(left, "bea", 3)) == "HELD_ANOTHER_SEAT"
    finished = replace(room, table=replace(room.table, status="finished"))
    assert refused(come(finished, "dan", 3)) == "SEAT_TAKEN"
    assert refused(act(finished, 1, m.OfferSeat(on=True))) == "NOT_NOW"


def test_the_seats_may_be_taken_over_a_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latecomers, "MAX_LATECOMERS", 1)
    room = done(act(done(come(table(), "dan", 3)), 3, m.FreeSeat(seat=3)))
    assert refused(come(room, "eve", 3)) == "NOT_NOW"


def test_coming_back_to_ones_own_seat_under_ones_own_name() -> None:
    """R10, R16: whoever left may take the same seat again; a stranger does not get the name."""
    room = done(act(table(), 1, m.FreeSeat(seat=1)))
    assert done(come(room, "bea", 1)).table.seats[1].name == "Bea"
    assert done(come(room, "other", 1, name="Bea")).table.seats[1].name == "Bea 2"


def test_the_host() -> None:
    """R3: a table without a host gets one; whoever loses the host's seat does not stay host."""
    room = table("ann")
    vacant = replace(room.table.seats[0], person=None, substitute=True)  # as an older version stored it (R22)
    room = replace(room, table=replace(room.table, seats=(vacant, *room.table.seats[1:]), host=None))
    assert room.table.host is None
    assert done(come(room, "dan", 3)).table.host == "dan"
    away = done(act(done(act(table(), 0, m.OfferSeat(on=True))), 0, m.StandIn()))
    change = come(away, "dan", 0)
    assert done(change).table.host == "bea"
    assert [key for key, _ in lines(change)] == ["table.took_over", "table.new_host"]
    assert refused(act(table(), 1, m.TakeLatecomers(on=False))) == "NOT_HOST"


def test_the_switches_log_what_they_change() -> None:
    room = table(on=False)
    change = act(room, 0, m.TakeLatecomers(on=True))
    assert lines(change) == [("table.latecomers_on", {})]
    assert done(act(done(change), 0, m.TakeLatecomers(on=True))) is done(change)
    assert lines(act(done(change), 0, m.TakeLatecomers(on=False))) == [("table.latecomers_off", {})]


def test_older_sessions_of_the_seat_end() -> None:
    """G2, R1: nothing that was sent before can be applied again."""
    room, session = attach(done(act(table(), 1, m.OfferSeat(on=True))), Seat(1), None)
    after = done(come(done(act(room, 1, m.StandIn())), "dan", 1))
    assert look_up(after.counts.sessions[1], session, 0) == "too old"


def test_a_latecomer_is_forgotten_like_anybody() -> None:
    """V8: the id, the name, the key and the lines of the log go; the hash stays."""
    change = come(table(), "dan", 3)
    room = done(change)
    assert traces.list_people(room.table) >= {"ann", "dan"}
    left = done(act(room, 3, m.FreeSeat(seat=3)))
    for seated in (room, left):
        assert traces.list_seats(seated.table, "dan") == [3]
        assert traces.list_names(seated.table, "dan") == {"Dan"}
        forgotten = unpack(traces.leave(Snapshots().pack(seated), "dan"), {"almost": RULES}).table
        assert traces.list_people(forgotten) == {"ann", "bea", "cy"}
        assert forgotten.latecomers[0].player.name_hash == hash_name(KEY, "Dan")
        assert "Dan" not in repr(forgotten)
    again = done(come(left, "eve", 3))
    assert traces.list_names(again.table, "dan") == {"Dan"}
    assert traces.list_seats(again.table, "dan") == []
    entry = pack_logged(Logged(None, (took_over("Eve", 3, "Dan"),), 0))
    assert b"Dan" in entry
    assert b"Dan" not in (nameless := traces.without_name(entry, {"Dan"}))
    assert b"Eve" in nameless


# --- the log ---


def took_over(name: str, seat: int, previous: str) -> LogLine:
    return table_line("took_over", name=name, seat=seat, previous=previous)


def private(text: str, *seats: int) -> LogLine:
    return LogLine("almost.x", {"text": text}, frozenset(map(Seat, seats)))


PUBLIC: Final = LogLine("almost.x", {}, None)


def append(room: Room, *new: LogLine) -> tuple[Room, Logged]:
    counts = room.counts
    counts = count_lines(counts, new, counts.draws, counts.entries, counts.sessions)
    return replace(room, counts=counts), Logged(None, new, 0)


def read(lines: Any, seat: int) -> list[tuple[int, str]]:
    """Each line's number for the seat, and what it says."""
    return [
        (line.lines + line.own_lines[seat], str(line.line.args.get("text") or line.line.key))
        for line in lines
    ]


@pytest.mark.parametrize("secrets", [0, 1, 5, 90])
def test_private_lines_of_before_are_hidden_and_do_not_count(secrets: int) -> None:
    """G4.12: live and after a restart, however many there were; other seats lose nothing."""
    before = table()
    room, first = append(before, PUBLIC, *[private("secret", 1, 3)] * secrets, PUBLIC)
    change = come(room, "dan", 3)
    assert isinstance(change, Change)
    after, last = append(change.room, private("mine", 3), PUBLIC, private("ours", 0, 3))
    start = before.counts.lines
    expected = [
        *((start + 1 + i, key) for i, key in enumerate(["almost.x", "almost.x", "table.took_over"])),
        (start + 4, "mine"),
        (start + 5, "almost.x"),
        (start + 6, "ours"),
    ]
    logged = [first, *change.logged, last]

    restored = log.renumber_lines(after, logged, 80)
    assert read(restored[3], 3) == expected
    assert sum(text == "secret" for _, text in read(restored[1], 1)) == min(secrets, 80 - 3)

    numbered = log.number_lines(before, logged)
    recent = log.for_audience(numbered, 3)[-80:]
    assert read(log.hide_past(log.for_audience(numbered, None), recent, 3), 3) == expected
    assert after.counts.own_lines[3] == 2


def test_two_latecomers_one_after_the_other() -> None:
    """G4.12: the second does not read what was meant for the first."""
    room, first = append(done(come(table(), "dan", 3)), private("dan's", 3))
    room = done(act(room, 3, m.FreeSeat(seat=3)))
    change = come(room, "eve", 3)
    assert isinstance(change, Change)
    after, last = append(change.room, private("eve's", 3))
    restored = log.renumber_lines(after, [first, *change.logged, last], 80)
    assert [text for _, text in read(restored[3], 3)] == ["table.took_over", "eve's"]
