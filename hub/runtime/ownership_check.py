"""What an actor knows about whether its hub still owns the room (G3), and who waits to find out.

Only the store knows. An actor asks it with a commit, which may be empty, and is answered *fenced* if another
hub has taken the room. While a hub may have lost its rooms, their actors tell nobody anything that is not
committed.
"""

from __future__ import annotations

from typing import Final

from hub.runtime.batch import Batch
from hub.runtime.ports import LiveClock, Responder

MAX_WAITING: Final = 1000
"""The most responders that wait for the store in one room."""


class OwnershipCheck:
    """One room's doubt about its owner. The actor reports each commit, with `begin` and `confirm`."""

    __slots__ = ("_is_doubted", "_live_clock", "_waiting", "is_due")

    def __init__(self, live_clock: LiveClock) -> None:
        self.is_due = False
        """Whether a commit is due, even an empty one, to ask the store."""
        self._live_clock = live_clock
        self._is_doubted = False
        """Whether no commit begun since the last doubt has been confirmed."""
        self._waiting: list[Responder] = []

    @property
    def in_doubt(self) -> bool:
        """Whether another hub may own the room: the lease is lost, or was and nothing is confirmed since."""
        return self._is_doubted or self._live_clock.is_lost()

    def doubt(self) -> None:
        """Begins to doubt, until a commit from after this call is confirmed."""
        self.is_due = self._is_doubted = True

    def ask(self, responder: Responder) -> bool:
        """Answers once a commit from after this call is confirmed; returns False if too many wait."""
        if len(self._waiting) >= MAX_WAITING:
            return False
        self._waiting.append(responder)
        self.is_due = True
        return True

    def begin(self, batch: Batch) -> None:
        """Called when the commit of a batch begins: it answers everything asked so far."""
        self.is_due = False
        batch.waiting, self._waiting = self._waiting, []

    def confirm(self) -> bool:
        """Called when the store has confirmed the last commit that was begun; returns whether no doubt is
        left."""
        if not self.is_due:
            self._is_doubted = False
        return not self._is_doubted

    def abandon(self) -> None:
        """Called when the room is lost."""
        waiting, self._waiting = self._waiting, []
        for responder in waiting:
            responder.abandoned()
