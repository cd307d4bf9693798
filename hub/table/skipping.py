"""Skipping to the end: bots play on without waiting, once all people at the table are out (R25).

`Table.skipping` says so, and is stored with the table. It ends by itself when a person plays again: with the
next round (hub/table/room.py, `apply_step`), or when somebody takes over a bot's seat.
"""

from __future__ import annotations

from games.api import Millis, Refusal, Seat
from hub.table.room import Change, Room, Rules, list_playing_people
from hub.table.seating import name_of
from hub.table.table_change import change_table, table_line


def skip(rules: Rules, room: Room, seat: Seat, at: Millis) -> Change | Refusal:
    """Lets the bots finish without waiting, as the person in this seat asks, who is out."""
    table = room.table
    if table.status != "running" or room.position is None:
        return Refusal("NOT_NOW", "R25")
    if table.skipping:
        return Change(room)
    playing = list_playing_people(table, rules.out_seats(room.position.state))
    if seat in playing:
        return Refusal("NOT_OUT", "R25")
    if playing:
        return Refusal("OTHERS_PLAY", "R25")
    return change_table(room, at, table_line("skipped", name=name_of(table, seat), seat=seat), skipping=True)
