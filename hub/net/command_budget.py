"""How many commands one turn of the event loop decides (G8.22): the rest are refused, to be sent again."""

from __future__ import annotations

from typing import Final

from hub.clock import Clock

COMMANDS_PER_TURN: Final = 1000
"""A thousand commands take about a tenth of a second with their commits."""


class CommandBudget:
    """Counts the commands of all sockets in the current turn."""

    __slots__ = ("_clock", "_spent")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._spent = 0

    def spend(self) -> bool:
        """Counts one more command; returns False if the turn has decided enough."""
        if self._spent == 0:
            self._clock.call_soon(self._renew)
        elif self._spent >= COMMANDS_PER_TURN:
            return False
        self._spent += 1
        return True

    def _renew(self) -> None:
        self._spent = 0
