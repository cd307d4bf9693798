"""What an actor has in hand: commands that wait, and what one turn decided on its way to the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from games.api import Millis, Refusal, Seat
from hub.runtime.ports import Responder
from hub.table.log import NumberedLine
from hub.table.room import Change, Logged, Room
from hub.table.views import Update
from hub.wire import messages as m

Command: TypeAlias = m.Do | m.Manage | m.Say | m.Note
Deed: TypeAlias = Callable[[Room, Millis], Change | Refusal]
"""A command of the hub's own: sitting down, attaching, a bot's move."""


class Pending:
    """A command in the mailbox. `at` is its table time on receipt."""

    __slots__ = ("at", "message", "responder", "seat")

    def __init__(self, at: Millis, seat: Seat, message: Command | Deed, responder: Responder):
        self.at = at
        self.seat = seat
        self.message = message
        self.responder = responder


NOTHING: Final = Update([], {}, [])
NO_NOTES: Final[Mapping[int, str]] = {}


class Batch:
    """What was decided in one turn, on its way to the store."""

    __slots__ = (
        "_notes",
        "affected_seats",
        "answers",
        "logged",
        "moved",
        "notes",
        "played",
        "room",
        "talk",
        "told",
        "update",
    )

    def __init__(self, room: Room, notes: Sequence[str]) -> None:
        self.room = room
        self.played = True
        """The log alone leads to the room (hub/table/room.py, `Change`)."""
        self._notes = notes
        self.logged: tuple[Logged, ...] = ()
        self.talk: tuple[m.TalkMessage, ...] = ()
        self.notes: Mapping[int, str] = NO_NOTES
        self.moved: frozenset[int] = frozenset()
        """Seats whose notes came or went with a person."""
        self.answers: list[tuple[Responder, int, Refusal | None]] = []
        self.affected_seats: frozenset[Seat] | None = frozenset()
        self.update = NOTHING
        """What followers will see of it."""
        self.told: Sequence[NumberedLine] = ()
        """And what they will read."""

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
        if change.moved:
            now = {
                seat: "" if whose is None else self.notes.get(whose, self._notes[whose])
                for seat, whose in change.moved
            }
            self.notes = {**self.notes, **now}
            self.moved |= now.keys()
