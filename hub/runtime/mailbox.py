"""The commands waiting for a room's next commit. Limits confine a flood to the seat it comes from (G8)."""

from __future__ import annotations

from collections import deque
from typing import Final

from games.api import Millis, Seat
from hub.runtime.ports import Responder
from hub.table.commands import Command

MAX_PENDING_PER_SEAT: Final = 32
"""Commands from one seat that the next commit may include; any more are answered BUSY."""
MAX_PENDING_INTERNAL: Final = 64
"""The limit for internal commands that belong to no seat."""


class Pending:
    """A waiting command. `at` and `live` are table time and the live clock on receipt; `seat` is None for
    internal commands."""

    __slots__ = ("at", "command", "live", "responder", "seat")

    def __init__(self, at: Millis, live: int, seat: Seat | None, command: Command, responder: Responder):
        self.at = at
        self.live = live
        self.seat = seat
        self.command = command
        self.responder = responder


class Mailbox:
    """The commands waiting while a commit is in flight, and counts of those admitted since the last turn."""

    __slots__ = ("_admitted", "waiting")

    def __init__(self) -> None:
        self.waiting: deque[Pending] = deque()
        self._admitted: dict[Seat | None, int] = {}

    def admit(self, seat: Seat | None) -> bool:
        """Counts one more command from a seat (None: internal); returns False if too many are waiting."""
        count = self._admitted.get(seat, 0)
        if count >= (MAX_PENDING_INTERNAL if seat is None else MAX_PENDING_PER_SEAT):
            return False
        self._admitted[seat] = count + 1
        return True

    def abandon(self) -> None:
        """Drops the waiting commands, because the room is lost."""
        for pending in self.waiting:
            pending.responder.abandoned()
        self.waiting.clear()

    def start_over(self) -> None:
        """Resets the counts, once everything admitted has been decided."""
        self._admitted.clear()
