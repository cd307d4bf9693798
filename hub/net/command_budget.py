"""How many commands and questions one turn of the event loop answers (G8.22): the rest are refused, to be
sent again."""

from __future__ import annotations

from typing import Final

from hub.clock import Clock

COMMANDS_PER_TURN: Final = 1000
"""A thousand commands take about a tenth of a second with their commits."""
QUESTION_COST: Final = 20
"""A question counts as this many commands: it may take up to two milliseconds."""


class CommandBudget:
    """Counts the commands and questions of all sockets in the current turn."""

    __slots__ = ("_clock", "_spent")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._spent = 0

    def spend(self, cost: int = 1) -> bool:
        """Counts a command, or a question with its `cost`; returns False if the turn has answered enough."""
        if self._spent == 0:
            self._clock.call_soon(self._renew)
        elif self._spent >= COMMANDS_PER_TURN:
            return False
        self._spent += cost
        return True

    def _renew(self) -> None:
        self._spent = 0
