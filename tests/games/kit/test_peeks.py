"""Peeks: who peeks at what, for how long, and that nothing stays visible afterwards (G4.4, GEN-6, GEN-11)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Held, Millis, Refusal, Running, Seat, Struct, TalkPolicy, WindowId
from games.dice import Dice
from games.kit import peeks
from games.kit import time_control as time_control
from games.kit.peeks import Peek
from games.shares.rules.game import SHARES
from games.shares.rules.values import SharesState
from hub.table import room as rooms
from hub.table import speech
from hub.table.room import Change, Counts, Room, SeatState
from hub.table.room import Table as RoomTable
from hub.table.views import Views
from hub.wire import messages as m
from tests.games.hand_table import START
from tests.games.shares.table import Table, position

SPY, OTHER, THIRD = Seat(0), Seat(1), Seat(2)
OPEN = TalkPolicy("open", ("hello",))


class Secret(Struct, frozen=True):
    of: Seat


def begun() -> tuple[Peek, Any]:
    peek, clock, _ = peeks.begin(
        WindowId("peek:4"), "peek", SPY, OTHER, "hand", Millis(30_000), Millis(7_000)
    )
    return peek, clock


def test_a_look_is_public_and_its_time_is_fixed() -> None:
    peek, clock, line = peeks.begin(
        WindowId("peek:4"), "peek", SPY, OTHER, "hand", Millis(30_000), Millis(7_000)
    )
    assert (line.to, line.key, line.args) == (None, "peek.began", {"seat": 0, "other": 1, "what": "hand"})
    assert peeks.report_end(peek).to is None
    assert clock.clock == Running(Millis(37_000))
    for timers in ("normal", "relaxed", "fast", "off"):
        now = time_control.start(3, timers)
        gone = time_control.add_misses(time_control.add_misses(now, [SPY]), [SPY])
        (window,) = time_control.windows(gone, clock, (False,) * 3)  # no additional short window either
        assert (window.clock, window.span, window.extend) == (Running(Millis(37_000)), 30_000, None)
        assert window.to is None
        assert time_control.prompt(now, clock) is None
    prompt = peeks.prompt(peek, peeks.KIND)
    assert (prompt.id, prompt.window, prompt.seats, prompt.to) == ("peek:4", "peek:4", frozenset({SPY}), None)


def test_only_the_peeking_seat_gets_the_section_bound_to_the_window() -> None:
    peek, _ = begun()
    made: list[Peek] = []

    def make(one: Peek) -> Secret:
        made.append(one)
        return Secret(one.other)

    section = peeks.peek_section(peek, SPY, make)
    assert section is not None
    assert (section.data, section.peek) == (Secret(OTHER), "peek:4")
    assert peeks.peek_section(peek, OTHER, make) is None
    assert peeks.peek_section(peek, THIRD, make) is None
    assert peeks.peek_section(None, SPY, make) is None
    assert made == [peek]  # no section is made for others


def test_only_the_peeking_seat_may_neither_write_nor_talk() -> None:
    peek, _ = begun()
    assert peeks.talk_policy(peek, SPY, OPEN) == TalkPolicy("closed", notes_locked=True)
    for seat in (OTHER, THIRD, None):
        assert peeks.talk_policy(peek, seat, OPEN) is OPEN
    assert peeks.talk_policy(None, SPY, OPEN) is OPEN


def test_a_peek_reveals_one_section_to_one_seat() -> None:
    peek, _ = begun()
    assert peeks.sees(peek, SPY, OTHER, "hand")
    assert not peeks.sees(peek, SPY, OTHER, "tracker")
    assert not peeks.sees(peek, SPY, THIRD, "hand")
    assert not peeks.sees(peek, OTHER, OTHER, "hand")
    assert not peeks.sees(peek, None, OTHER, "hand")
    assert not peeks.sees(None, SPY, OTHER, "hand")


# --- in a hub's room: its views, as they would be sent ---


def room(state: SharesState) -> Room:
    seats = len(state.hands)
    where = RoomTable(
        "r", "CODE", "shares", 1, {}, False, (SeatState(),) * seats, None, b"seed", status="running"
    )
    counts = Counts(0, 0, 0, (0,) * seats, (0,) * seats, ((),) * seats)
    return Room(where, counts, rooms.position_of(SHARES, state))


class Watched:
    """A room and its views, updated after each step."""

    def __init__(self, state: SharesState) -> None:
        self.room = room(state)
        self.views = Views(len(state.hands))
        self.presence = m.PresenceSection((True,) * len(state.hands), 0)
        self.told: list[Any] = []
        self.show()

    def show(self) -> None:
        live = self.room.table.status == "running"
        update = self.views.render(
            SHARES, self.room, self.presence, live=live, notes=[""] * len(self.room.table.seats)
        )
        self.views.show(update)

    def do(self, seat: int, prompt: str, at: int, /, **raw: Any) -> None:
        change = rooms.move(SHARES, self.room, Seat(seat), prompt, raw, Millis(at))
        assert isinstance(change, Change), change
        self.room = change.room
        self.told.extend(line for one in change.logged for line in one.lines)
        self.show()

    def status(self, status: Any) -> None:
        self.room = replace(self.room, table=replace(self.room.table, status=status))
        self.show()

    def prompt(self, kind: str) -> str:
        here = self.room.position
        assert here is not None
        assert isinstance(here.prompts, tuple)
        return next(prompt.id for prompt in here.prompts if prompt.kind == kind)

    def shown(self, seat: int | None) -> bool:
        """Returns whether this seat's full view has a section for a peek."""
        parts = self.views.list_sections(None if seat is None else Seat(seat))
        return any(part.startswith(msgspec.msgpack.encode(peeks.SECTION)) for part in parts)

    def sees(self, seat: int | None, secret: str) -> bool:
        """Returns whether the full view, as sent to a reconnecting client, contains this secret."""
        packed = b"".join(self.views.list_sections(None if seat is None else Seat(seat)))
        return secret.encode() in packed


def spying(what: str) -> Watched:
    """A room in which seat 0 peeks at seat 1; nobody else has the cards and marks of seat 1."""
    watched = Watched(position("2C 3D", "KH QH", "4S", "5S", marks={1: "DE"}))
    watched.do(0, watched.prompt("turn"), 2_000, move="play", card="2C")
    watched.do(0, watched.prompt("clubs"), 3_000, move="spy", seat=1, what=what)
    return watched


@pytest.mark.parametrize("what", ["hand", "tracker"])
def test_nothing_of_a_peek_remains(what: str) -> None:
    """A peek is withheld while paused, back while its window runs, and gone once it is stopped or ends."""
    watched = spying(what)
    assert watched.shown(0)
    for seat in (1, 2, 3, None):
        assert not watched.shown(seat)
    assert watched.sees(0, "KH") == (what == "hand")
    watched.status("paused")
    assert not watched.shown(0)
    assert not watched.sees(0, "KH")
    assert speech.note(SHARES, watched.room, SPY, "KH") == Refusal("NOTES_LOCKED", "GEN-9")
    watched.status("running")
    assert watched.shown(0)
    assert isinstance(speech.note(SHARES, watched.room, OTHER, "I am looked at"), Change)
    watched.do(0, watched.prompt("peek"), 9_000, move="stopPeeking")
    assert not watched.shown(0)
    assert not watched.sees(0, "KH")
    assert isinstance(speech.note(SHARES, watched.room, SPY, "KH"), Change)


def test_nothing_of_a_peek_remains_after_its_end() -> None:
    watched = spying("hand")
    due = rooms.due(watched.room, Millis(33_000))
    assert due is not None
    assert due.kind == "peek"
    assert rooms.due(watched.room, Millis(32_999)) is None
    change = rooms.close_window(
        SHARES, watched.room, due, frozenset(map(Seat, range(4)))
    )  # nobody extends it
    watched.room = change.room
    watched.told.extend(line for one in change.logged for line in one.lines)
    watched.show()
    assert not watched.sees(0, "KH")
    lines = msgspec.json.encode([line.args for line in watched.told]).decode()
    assert "KH" not in lines
    assert [line.key for line in watched.told if line.key.startswith("peek.")] == ["peek.began", "peek.ended"]


def test_a_hand_that_a_card_is_taken_from_is_not_in_the_choices_either() -> None:
    """Choices stay visible while the table is paused."""
    table = Table(state=position("2D 3D", "KH QH", "4S", "5S"))
    table.dice.roll(1)
    table.play(0, "2D")
    table.do(0, "chance1", "target", seat=1)
    watched = Watched(table.state)
    assert watched.sees(0, "KH")
    watched.status("paused")
    assert not watched.sees(0, "KH")


def test_the_turn_stands_still_meanwhile() -> None:
    watched = spying("hand")
    here = watched.room.position
    assert here is not None
    clocks = {window.kind: window.clock for window in here.windows}
    assert clocks == {"peek": Running(Millis(33_000)), "turn": Held(Millis(START + 60_000 - 2_000))}


def test_resample_keeps_the_peeked_section() -> None:
    table = Table(state=position("2C 3D", "KH QH", "4S", "5S", marks={1: "DE"}))
    table.play(0, "2C")
    table.do(0, "clubs", "spy", seat=1, what="hand")
    others = [SHARES.resample(table.state, SPY, Dice(b"%d" % seed)) for seed in range(8)]
    assert {other.hands[1] for other in others} == {("QH", "KH")}
    assert len({other.marks[1] for other in others}) > 1
    third = [SHARES.resample(table.state, THIRD, Dice(b"%d" % seed)) for seed in range(8)]
    assert len({other.hands[1] for other in third}) > 1
