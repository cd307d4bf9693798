"""A command that arrives twice is applied once (G2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.api import Millis, Seat
from hub.table import actions, seating
from hub.table.exactly_once import SESSIONS_KEPT, VERDICTS, look_up
from hub.table.room import Change, Room, attach, remember
from tests.toy import Toy

RULES: Any = Toy()


def empty() -> Room:
    return actions.create(
        RULES, "r" * 22, "BCDFGH", 3, Toy.Options(), b"s" * 32, name_keys=[bytes(16)] * 3, open=True
    )


class Naive:
    """A model of a room's memory that keeps every session and every applied command."""

    def __init__(self) -> None:
        self.sessions: list[int] = []
        self.applied: set[tuple[int, int]] = set()
        self.sessions_made = 0

    def session(self, number: int | None) -> int:
        if number in self.sessions[-SESSIONS_KEPT:] and number is not None:
            return number
        self.sessions_made += 1
        if self.sessions_made == number:
            self.sessions_made += 1  # never the number that was asked for
        self.sessions.append(self.sessions_made)
        return self.sessions_made

    def high(self, session: int) -> int:
        return max((n for one, n in self.applied if one == session), default=-1)

    def seen(self, session: int, n: int) -> str:
        if session not in self.sessions[-SESSIONS_KEPT:] or n <= self.high(session) - VERDICTS:
            return "too old"
        return "applied" if (session, n) in self.applied else "new"


steps = st.lists(
    st.one_of(
        st.tuples(st.just("session"), st.one_of(st.none(), st.integers(0, 9)), st.just(0)),
        st.tuples(st.just("do"), st.integers(0, 9), st.integers(0, 80)),
    ),
    max_size=60,
)


def apply(room: Room, seat: Seat, number: int, n: int) -> Room:
    return replace(
        room, counts=replace(room.counts, sessions=remember(room.counts.sessions, seat, number, n))
    )


@settings(max_examples=120, deadline=None)
@given(steps)
def test_exactly_once(sequence: Sequence[tuple[str, int | None, int]]) -> None:
    """G2.1, G2.2, G2.3: the room agrees with a model that forgets nothing; other seats are not affected."""
    room, naive, seat = empty(), Naive(), Seat(1)
    for what, number, n in sequence:
        if what == "session":
            room, given_number = attach(room, seat, number)
            assert given_number == naive.session(number)
        else:
            assert number is not None
            seen = look_up(room.counts.sessions[seat], number, n)
            assert seen == naive.seen(number, n)
            if seen == "new":
                room = apply(room, seat, number, n)
                naive.applied.add((number, n))
                assert look_up(room.counts.sessions[seat], number, n) == "applied"
    for session in naive.sessions:
        for n in range(90):
            assert look_up(room.counts.sessions[seat], session, n) == naive.seen(session, n)
    for other in (0, 2):
        assert room.counts.sessions[other] == ()
        assert room.counts.attached[other] == 0
    assert len(room.counts.sessions[seat]) <= SESSIONS_KEPT


def test_a_number_far_ahead_costs_nothing() -> None:
    """G8.1: clients choose their numbers, up to 2^53 - 1."""
    room, number = attach(empty(), Seat(0), None)
    for n in (0, 2**53 - 1):
        room = apply(room, Seat(0), number, n)
        assert look_up(room.counts.sessions[0], number, n) == "applied"
    (known,) = room.counts.sessions[0]
    assert known.applied < 2**VERDICTS
    assert look_up(room.counts.sessions[0], number, 0) == "too old"


def test_an_attach_is_never_given_twice() -> None:
    """G2.2: its number is not given again, even if the seat has changed hands in between."""
    room, first = attach(empty(), Seat(0), None)
    change = seating.sit(room, "p", "P", 0, 0, Millis(0))
    assert isinstance(change, Change)
    change = seating.free_seat(change.room, 0, Millis(0), by_host=False)
    assert isinstance(change, Change)
    room, second = attach(change.room, Seat(0), first)
    assert (first, second) == (1, 2)
    assert look_up(room.counts.sessions[0], first, 0) == "too old"


def test_a_known_attach_changes_nothing() -> None:
    """Coming back therefore needs no commit."""
    room, number = attach(empty(), Seat(0), None)
    assert attach(room, Seat(0), number) == (room, number)
    assert attach(room, Seat(0), number)[0] is room
