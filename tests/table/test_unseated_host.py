"""A host without a seat: what they may do, who replaces them, and what that leaves behind (R3, R26)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import pytest
from msgspec.structs import replace

from games.api import Refusal, Seat
from hub.table import actions, rematch, seating, traces, voting
from hub.table.admission import refuse_entry
from hub.table.commands import Attach, ReplaceHost, Sit, decide
from hub.table.latecomers import has_seen_early
from hub.table.room import Change, Rematch, Room, Snapshots, unpack
from hub.table.views import table_section
from hub.wire import messages as m
from tests.table.almost_rooms import LEVELS, NOW, RULES, SEED, done, lines, options, refused, sit

PLACE: Final = Seat(4)
KEYS: Final = [bytes(16)] * 4


def table(*people: str, open: bool = False, delay: m.WatchDelay = "none") -> Room:
    """A waiting table that Tess hosts without a seat, with these people in the first seats."""
    room = actions.create(
        RULES,
        "r" * 22,
        "BCDFGH",
        4,
        options(),
        SEED,
        name_keys=KEYS,
        open=open,
        watch_delay=delay,
        host="tess",
        host_name="Tess",
    )
    for seat, person in enumerate(people):
        room = done(sit(room, person, seat))
    return room


def act(room: Room, what: m.Act, place: Seat = PLACE, absent: Collection[int] = ()) -> Change | Refusal:
    return actions.manage(RULES, LEVELS, room, place, what, NOW, frozenset(map(Seat, absent)))


def playing(*people: str, **chosen: Any) -> Room:
    return done(act(table(*(people or ("ann", "bea")), **chosen), m.Start()))


def replace_host(room: Room, absent: Collection[int] = (PLACE,)) -> Change | Refusal:
    return decide(room, ReplaceHost(), NOW, None, RULES, LEVELS, frozenset(map(Seat, absent)))


def late(room: Room, person: str, seat: int) -> Change | Refusal:
    return decide(room, Sit(person, person.title(), 1, seat, bytes(16)), NOW, None, RULES, LEVELS)


def test_the_table_names_a_host_without_a_seat() -> None:
    """R26: whoever sits first is not host; the snapshot keeps all of it."""
    room = table("ann")
    section = table_section(room.table)
    assert (section.host, section.host_name) == (None, "Tess")
    assert room.table.host == "tess"
    assert unpack(Snapshots().pack(room), {"almost": RULES}) == room


def test_a_host_without_a_seat_has_the_hosts_tools() -> None:
    """R26: bots, seats, lock, admission, start, pause, resume."""
    room = table("ann", "bea")
    for what in (
        m.AddBot(2, "good"),
        m.SwapSeats(0, 1),
        m.Lock(locked=True),
        m.Admission(on=True),
        m.CloseWatching(closed=True),
        m.Start(),
        m.Pause(),
        m.Resume(),
    ):
        room = done(act(room, what))
    assert room.table.status == "running"
    assert [seat.person for seat in room.table.seats[:2]] == ["bea", "ann"]
    removed = done(act(room, m.FreeSeat(0)))
    assert removed.table.barred == ("bea",)
    assert removed.table.host == "tess"


@pytest.mark.parametrize(
    "what",
    [
        m.Ready(ready=True),
        m.CommitSalt("0" * 64),
        m.RevealSalt("0" * 64, "0" * 64),
        m.TakeBack(),
        m.StandIn(),
        m.OfferSeat(on=True),
        m.SkipToEnd(),
        m.CallVote("end"),
        m.Vote(1, yes=True),
    ],
)
def test_what_takes_a_seat_is_not_for_them(what: m.Act) -> None:
    """R26: they have no vote, are not ready, and take no part in the dice."""
    assert refused(act(playing(), what)) == "NOT_SEATED"


def test_moves_talk_and_notes_take_a_seat() -> None:
    """R26: also through the host's own place."""
    room, session = _attached(playing())
    for command in (
        m.Do(session, 1, "bid:1", {"move": "bid", "number": 1}),
        m.Say(session, 1, "table", "hello"),
        m.Note(session, 1, "note"),
        m.Manage(session, 1, m.Vote(1, yes=True)),
    ):
        assert refused(decide(room, command, NOW, PLACE, RULES, LEVELS)) == "NOT_SEATED"


def _attached(room: Room, person: str = "tess") -> tuple[Room, int]:
    change = decide(room, Attach(PLACE, person, 0, None), NOW, None, RULES, LEVELS)
    assert isinstance(change, Change)
    return change.room, change.session


def test_only_the_host_attaches_to_the_hosts_place() -> None:
    """R26: not somebody else, nor the host once they have a seat."""
    stranger = Attach(PLACE, "eve", 0, None)
    assert refused(decide(table(), stranger, NOW, None, RULES, LEVELS)) == "BAD_TICKET"
    seated = done(sit(table(), "tess", 1))
    assert refused(decide(seated, replace(stranger, person="tess"), NOW, None, RULES, LEVELS)) == "BAD_TICKET"


def test_a_command_is_applied_once() -> None:
    """G2: swapping twice would undo it."""
    room, session = _attached(table("ann", "bea"))
    swap = m.Manage(session, 1, m.SwapSeats(0, 1))
    for _ in range(2):
        room = done(decide(room, swap, NOW, PLACE, RULES, LEVELS))
    assert [seat.person for seat in room.table.seats[:2]] == ["bea", "ann"]


def test_no_game_starts_for_nobody() -> None:
    assert refused(act(table(), m.Start())) == "NOT_NOW"


def test_readiness_and_votes_leave_them_out() -> None:
    """R19, R20: the last person ready starts the game, and a majority is one of the seats."""
    room = table("ann", "bea", "cy", "dan")
    for seat in range(4):
        room = done(actions.manage(RULES, LEVELS, room, Seat(seat), m.Ready(ready=True), NOW, ()))
    assert room.table.status == "running"
    room = done(voting.call(room, Seat(0), m.CallVote("end"), NOW, ()))
    assert room.table.vote is not None
    assert voting.tally(room.table, room.table.vote, ()).needed == 3
    assert refused(act(table("ann", "bea"), m.Vote(1, yes=True))) == "NOT_SEATED"


def test_they_may_take_a_seat_before_the_start() -> None:
    """R26: then they are a host like any other, under their own name, also at a locked table."""
    room = done(act(table("ann"), m.Lock(locked=True)))
    room, session = _attached(room)
    change = sit(room, "tess", 2, "Tess")
    room = done(change)
    assert lines(change) == [("table.sat_down", {"name": "Tess", "seat": 2})]
    section = table_section(room.table)
    assert (section.host, section.host_name) == (2, None)
    late_command = m.Manage(session, 1, m.Lock(locked=False))
    assert refused(decide(room, late_command, NOW, PLACE, RULES, LEVELS)) == "TOO_OLD"
    assert refused(act(room, m.Lock(locked=False))) == "NOT_HOST"


def test_nobody_else_gets_their_name() -> None:
    """R10"""
    assert done(sit(table(), "eve", 0, "Tess")).table.seats[0].name == "Tess 2"


def test_they_are_replaced_while_away() -> None:
    """R3: by whoever has been seated longest and is connected; they come in again to watch."""
    room = done(act(table("ann", "bea"), m.Admission(on=True)))
    assert refused(replace_host(room, absent=())) == "NOT_NOW"
    assert refused(replace_host(room, absent=(PLACE, 0, 1))) == "NOT_NOW"
    change = replace_host(room, absent=(PLACE, 0))
    assert lines(change) == [("table.new_host", {"name": "Bea", "seat": 1})]
    after = done(change)
    section = table_section(after.table)
    assert (section.host, section.host_name) == (1, None)
    assert refuse_entry(after.table, "tess", invited=False) is None
    assert refused(act(after, m.Pause())) == "NOT_HOST"


def test_anybody_seated_resumes_while_they_are_away() -> None:
    """R18"""
    room = done(act(playing(), m.Pause()))
    assert refused(act(room, m.Resume(), Seat(1))) == "NOT_HOST"
    assert done(act(room, m.Resume(), Seat(1), absent=(PLACE,))).table.status == "running"


def test_they_hand_over() -> None:
    room = done(act(table("ann", "bea"), m.HandOver(1)))
    assert (room.table.host, room.table.host_name) == ("bea", None)


def test_they_cannot_be_removed_or_kept_out() -> None:
    """R13: neither by themselves, nor as a watcher."""
    room = done(act(table("ann"), m.Admission(on=True)))
    assert refuse_entry(room.table, "tess", invited=False) is None
    assert refused(act(room, m.RemoveWatcher("tess"))) == "NO_SUCH_PERSON"


def test_without_a_delay_they_may_be_a_latecomer() -> None:
    """R16: they have seen what watchers see."""
    room = playing()
    after = done(late(room, "tess", 3))
    assert (after.table.host, after.table.host_name) == ("tess", None)
    assert seating.host_place(after.table) == 3


@pytest.mark.parametrize("is_replaced", [False, True])
def test_with_a_delay_they_are_no_latecomer(is_replaced: bool) -> None:
    """R26, GEN-8: they have seen the game before its watchers do, and tell them nothing, either."""
    room = playing("ann", "bea", delay="2min")
    if is_replaced:
        room = done(replace_host(room))
    assert has_seen_early(room.table, "tess")
    assert refused(late(room, "tess", 3)) == "HOSTED_LIVE"
    assert done(late(room, "eve", 3)).table.seats[3].person == "eve"


def test_replaced_before_the_start_they_have_seen_nothing() -> None:
    room = done(replace_host(table("ann", "bea", delay="2min")))
    assert not has_seen_early(room.table, "tess")


def test_they_play_again_without_a_seat() -> None:
    """R17: they may press first, and host the next table as they hosted this one."""
    room = playing()
    room = replace(room, table=replace(room.table, status="finished"))
    plan = Rematch("n" * 22, "CDFGHJ", "almost", room.table.options, "tess", rotated=False, host_name="Tess")
    assert refused(rematch.press(room, "eve", plan, (), NOW)) == "NOT_SEATED"
    room = done(rematch.press(room, "tess", plan, (), NOW))
    assert room.table.rematch is not None
    assert room.table.rematch.pressed == ()
    assert rematch.press(room, "tess", plan, (), NOW) == Change(room)
    room = done(rematch.press(room, "ann", None, (), NOW))
    after = rematch.begin(RULES, LEVELS, room.table, seed=SEED, name_keys=KEYS).table
    assert (after.host, after.host_name) == ("tess", "Tess")
    assert [seat.person for seat in after.seats[:2]] == ["ann", "bea"]


def test_a_table_forgets_them() -> None:
    """P2: somebody at the table becomes host, and neither id nor name is left."""
    room = playing("ann", "bea", delay="2min")
    assert "tess" in traces.list_people(room.table)
    assert traces.list_names(room.table, "tess") == {"Tess"}
    stored = traces.leave(Snapshots().pack(room), "tess")
    assert b"tess" not in stored
    assert b"Tess" not in stored
    assert unpack(stored, {"almost": RULES}).table.host == "ann"
    stored = traces.leave(Snapshots().pack(done(replace_host(room))), "tess")
    assert b"tess" not in stored
