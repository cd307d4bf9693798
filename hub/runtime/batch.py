"""An actor's decisions in one turn, on their way to the store and then to everybody concerned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from games.api import Refusal, Seat
from hub.runtime.ports import Responder
from hub.table.log import NumberedLine
from hub.table.room import Change, Logged, Room
from hub.table.views import Update
from hub.telemetry.metrics import Metrics
from hub.wire import messages as m

NOTHING: Final = Update([], {}, [])
NO_NOTES: Final[Mapping[int, str]] = {}
HUB_CODES: Final = m.HUB_REFUSALS.keys() | {
    "BAD_TICKET",
    "TABLE_LOCKED",
    "ASK_TO_COME_IN",
    "REMOVED",
    "NO_LATECOMERS",
    "ALREADY_SEATED",
    "HELD_ANOTHER_SEAT",
    "HOSTED_LIVE",
}
"""The hub's own codes. The others refuse a person (over HTTP, or by closing a socket), not a command."""


class Batch:
    """The decisions of one turn, on their way to the store."""

    __slots__ = (
        "_notes_before",
        "affected_seats",
        "answers",
        "lines",
        "logged",
        "moved_notes",
        "notes",
        "played",
        "room",
        "talk",
        "update",
        "waiting",
    )

    def __init__(self, room: Room, notes: list[str]) -> None:
        self.room = room
        self.played = True
        """Whether replaying the log alone leads to this room (hub/table/room.py, `Change`)."""
        self._notes_before = notes
        self.logged: tuple[Logged, ...] = ()
        self.talk: tuple[m.TalkMessage, ...] = ()
        self.notes: Mapping[int, str] = NO_NOTES
        self.moved_notes: frozenset[int] = frozenset()
        """Seats whose notes arrived or left with a person."""
        self.answers: list[tuple[Responder, int, Refusal | None]] = []
        self.waiting: list[Responder] = []
        """Those who wait for the store to confirm that this hub owns the room."""
        self.affected_seats: frozenset[Seat] | None = frozenset()
        self.update = NOTHING
        """The update that followers will see."""
        self.lines: Sequence[NumberedLine] = ()
        """The log lines they will read."""

    def add(self, change: Change) -> None:
        if not change.played:
            self.played = False
        self.room = change.room
        self.logged += change.logged
        self.talk += change.talk
        if change.affected_seats is None or self.affected_seats is None:
            self.affected_seats = None
        else:
            self.affected_seats |= change.affected_seats
        if change.note is not None:
            self.notes = {**self.notes, change.note[0]: change.note[1]}
        if change.note_moves:
            notes = {
                seat: "" if source is None else self.notes.get(source, self._notes_before[source])
                for seat, source in change.note_moves
            }
            self.notes = {**self.notes, **notes}
            self.moved_notes |= notes.keys()

    def keep(self, room: Room) -> None:
        """Replaces the room by one whose table remembers more or less of its past."""
        if room.table is not self.room.table:
            self.room, self.played = room, False

    def answer(self, metrics: Metrics) -> None:
        """Answers the commands, and counts the verdicts; then answers those who wait for the store."""
        for responder, n, refusal in self.answers:
            if refusal is None:
                metrics.applied += 1
            else:
                metrics.refused[refusal.code if refusal.code in HUB_CODES else "GAME"] += 1
            responder.answer(n, refusal)
        for responder in self.waiting:
            responder.answer(0, None)

    def abandon(self) -> None:
        """Tells the responders that the room was lost before there was a verdict."""
        for responder, _, _ in self.answers:
            responder.abandoned()
        for responder in self.waiting:
            responder.abandoned()

    def current_notes(self) -> list[str]:
        """Every seat's note, with the changes in this batch; notes that move with a person are left out."""
        written = {seat: text for seat, text in self.notes.items() if seat not in self.moved_notes}
        return [written.get(seat, text) for seat, text in enumerate(self._notes_before)]


class _NoResponder:
    """A responder for commands whose verdict nobody is waiting for."""

    def answer(self, n: int, refusal: Refusal | None) -> None:
        pass

    def abandoned(self) -> None:
        pass


NO_RESPONDER: Final = _NoResponder()
