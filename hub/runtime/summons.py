"""Whom a room calls back: people who are away from a running game that waits for them.

Each is called once per absence, when the absence has lasted a while. A new owner of the room starts afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from games.api import Outcome, Seat
from hub.clock import Clock, Timer
from hub.table.room import Room, Rules

AWAY_MS: Final = 8_000
"""A shorter absence may be a page that reloads."""

Summon = Callable[[str, str, str], None]
"""Called with the person, the table's code and its name in addresses; never waits."""


class Summons:
    """The absences in one room that have not been answered by a call yet."""

    __slots__ = ("_away_since", "_called", "_clock", "_is_due", "_summon", "_timer")

    def __init__(self, clock: Clock, summon: Summon, is_due: Callable[[], None]) -> None:
        """`is_due` is called when it is time to call `consider` again."""
        self._clock = clock
        self._summon = summon
        self._is_due = is_due
        self._away_since: dict[Seat, int] = {}
        self._called: set[Seat] = set()
        self._timer: Timer | None = None

    def consider(self, rules: Rules, room: Room, absent: Collection[Seat]) -> None:
        """Calls whoever the game waits for; call it when the room or the absent seats have changed."""
        now_ms = self._clock.now_ms()
        for seat in [seat for seat in self._away_since if seat not in absent]:
            del self._away_since[seat]
            self._called.discard(seat)
        left: list[int] = []
        for seat in absent:
            since = self._away_since.setdefault(seat, now_ms)
            if seat in self._called:
                continue
            if now_ms < since + AWAY_MS:
                left.append(since + AWAY_MS - now_ms)
            elif is_awaited(rules, room, seat):
                self._called.add(seat)
                person = room.table.seats[seat].person
                if person is not None:
                    table = room.table
                    self._summon(person, table.code, table.code if table.open else table.room)
        if left and self._timer is None:
            self._timer = self._clock.call_later((min(left) + 1) / 1000, self._fire)

    def _fire(self) -> None:
        self._timer = None
        self._is_due()

    def close(self) -> None:
        """Stops the timer, and lets go of the room."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._is_due = _nothing


def is_awaited(rules: Rules, room: Room, seat: Seat) -> bool:
    """Whether a running game waits for this seat: its first prompt is open to the seat, which is not done.

    Only what the seat itself sees counts (G4).
    """
    position = room.position
    if room.table.status != "running" or position is None or isinstance(position.prompts, Outcome):
        return False
    prompts = [prompt for prompt in position.prompts if prompt.to is None or seat in prompt.to]
    if not prompts or seat not in prompts[0].seats:
        return False
    readiness = rules.public(position.state).get("readiness")
    done = () if readiness is None else getattr(readiness.data, "done", ())
    return not (seat < len(done) and done[seat])


def _nothing() -> None:
    pass
