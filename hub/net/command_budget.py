"""How many commands and questions one turn of the event loop answers (G8.22), and how many questions one
person may ask (G8.24): the rest are refused, to be sent again.

A question changes nothing, but takes up to two milliseconds, twenty times as long as a command. So questions
have limits of their own, by which nobody's questions keep others from playing.
"""

from __future__ import annotations

from typing import Final

from hub.clock import Clock
from hub.wire.limits import Budget, Limiter

COMMANDS_PER_TURN: Final = 1000
"""A thousand commands take about a tenth of a second with their commits."""
QUESTIONS_PER_TURN: Final = 25
QUESTION_COST: Final = 10
"""A question counts as this many messages of its site."""
QUESTIONS: Final = Budget(rate=10, burst=12)
"""The questions of one person, per second and at once: well below those of a turn."""


class CommandBudget:
    """Counts the commands and questions of all sockets in the current turn, and each person's questions."""

    __slots__ = ("_asked", "_clock", "_people", "_spent")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._people = Limiter(*QUESTIONS)
        self._spent = self._asked = 0

    def spend(self) -> bool:
        """Counts a command; returns False if the turn has answered enough."""
        if self._spent >= COMMANDS_PER_TURN:
            return False
        if self._spent == self._asked == 0:
            self._clock.call_soon(self._renew)
        self._spent += 1
        return True

    def answers_questions(self) -> bool:
        """Whether the turn answers another question."""
        return self._asked < QUESTIONS_PER_TURN

    def ask(self, person: str) -> bool:
        """Counts a question of this person; returns False if they have asked enough for now."""
        if self._people.spend(person, self._clock.now_ms()):
            return False
        if self._spent == self._asked == 0:
            self._clock.call_soon(self._renew)
        self._asked += 1
        return True

    def _renew(self) -> None:
        self._spent = self._asked = 0
