"""Absence: how long a seat waits for a person who is not connected, before a substitute plays it (GEN-7).

A table's grace is used up by absences, and comes back slowly while the person is connected, so that a line
that keeps breaking does not start a whole grace each time. How much is used is committed when the person
comes back; an absence that is still under way starts over with a room's next owner.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from games.api import Millis, Refusal, Seat
from games.kit.tuples import replace_at
from hub.table import actions
from hub.table.room import NEVER, Change, Room, Table, UsedGrace
from hub.wire.messages import Grace

GRACE_MS: Final[Mapping[Grace, Millis]] = {"1min": Millis(60_000), "3min": Millis(180_000), "game": NEVER}
"""Milliseconds of table time after which the substitute of a disconnected seat plays for its person."""
MIN_GRACE_MS: Final = 5_000
"""What is left of any grace: time for a page to reload."""
REFILL: Final = 4
"""A millisecond of grace is restored after this many milliseconds of connection."""
MIN_ABSENCE_MS: Final = 1_000
"""A shorter absence is not committed."""


def choose_grace(*, open: bool) -> Grace:
    """The grace of a table for which nobody chose one."""
    return "1min" if open else "3min"


def count_used_grace(table: Table, seat: Seat, at: Millis) -> int:
    """Milliseconds of its grace that a seat has used at this table time, if it is connected until then."""
    used = table.seats[seat].used_grace
    return 0 if used is None else max(0, used.used - max(0, at - used.at) // REFILL)


def stand_in_time(table: Table, seat: Seat, since: Millis) -> Millis:
    """The table time at which a substitute plays for a person who has been away since then; `NEVER` if the
    seat waits for the whole game."""
    grace = GRACE_MS[table.grace]
    if grace == NEVER:
        return NEVER
    return Millis(since + max(MIN_GRACE_MS, grace - count_used_grace(table, seat, since)))


def end_absence(room: Room, seat: Seat, since: Millis, at: Millis) -> Change:
    """Counts an absence that has ended against the seat's grace, without a line in the log."""
    table = room.table
    waits = table.status in ("running", "paused") and table.grace != "game"
    if not waits or table.seats[seat].person is None or at - since < MIN_ABSENCE_MS:
        return Change(room)
    return _use_grace(room, seat, since, at)


def stand_in(room: Room, seat: Seat, since: Millis, at: Millis) -> Change | Refusal:
    """Lets a substitute play for a person who has been away since then, and counts the absence."""
    change = actions.stand_in(room, seat, at)
    if isinstance(change, Refusal):
        return change
    return replace(change, room=_use_grace(change.room, seat, since, at).room)


def _use_grace(room: Room, seat: Seat, since: Millis, at: Millis) -> Change:
    table = room.table
    used = min(count_used_grace(table, seat, since) + max(0, at - since), GRACE_MS[table.grace])
    state = replace(table.seats[seat], used_grace=UsedGrace(used, at))
    return Change(replace(room, table=replace(table, seats=replace_at(table.seats, seat, state))))
