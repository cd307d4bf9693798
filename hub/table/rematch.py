"""A rematch: the next table of the people at a finished one.

Whoever presses first decides what is played. That is committed at the finished table, with the id and code of
the next room, before that room is created. So it is created once, no matter how often that is tried and where
(hub/runtime/rematches.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from games.api import Millis, Refusal
from hub.table import actions, admission
from hub.table.room import Change, Rematch, Room, Rules, SeatState, Table
from hub.table.table_change import change_table
from hub.table.watch_delay import has_rounds
from hub.wire.messages import WatchDelay


def is_first_press(table: Table, person: str) -> bool:
    """Whether this person may decide on the next table, because nobody has."""
    return table.status == "finished" and table.rematch is None and admission.is_at_table(table, person)


def press(
    room: Room, person: str, plan: Rematch | None, watchers: Collection[str], at: Millis
) -> Change | Refusal:
    """A person at a finished table wants to play again; the first one's `plan` holds.

    A host without a seat may press first. Anybody else without one can only follow: that changes nothing, and
    is refused before the first press.
    `watchers`: ids of the people without a seat to let in at the next table, too.
    """
    table = room.table
    if table.status != "finished":
        return Refusal("NOT_NOW", "R17")
    rematch = table.rematch or plan
    if not admission.is_at_table(table, person):
        return Refusal("NOT_SEATED", "R17") if table.rematch is None else Change(room)
    if rematch is None:
        return Refusal("NOT_NOW", "R17")
    if person in rematch.pressed:
        return Change(room)
    if table.rematch is None:
        for watcher in watchers:
            table = admission.admit(table, watcher)
    if admission.is_seated(table, person):
        rematch = replace(rematch, pressed=(*rematch.pressed, person))
    elif table.rematch is not None:
        return Change(room)
    return change_table(replace(room, table=table), at, rematch=rematch)


def choose_other_code(room: Room, code: str, other: str, at: Millis) -> Change:
    """Replaces the next table's code, if it still is this one: a table somewhere else has it."""
    rematch = room.table.rematch
    if rematch is None or rematch.code != code:
        return Change(room)
    return change_table(room, at, rematch=replace(rematch, code=other))


def begin(
    rules: Rules, levels: Sequence[str], table: Table, *, seed: bytes, name_keys: Sequence[bytes]
) -> Room:
    """The next table: people's seats are held for them, bots stay, and other seats are free.

    `rules` and `levels` are those of the next game and its bot. Raises ValueError if nobody has pressed.
    """
    rematch = table.rematch
    if rematch is None:
        raise ValueError("there is no rematch")
    room = actions.create(
        rules,
        rematch.room,
        rematch.code,
        len(table.seats),
        rematch.options,
        seed,
        name_keys=name_keys,
        open=table.open,
    )
    seats = (*table.seats[1:], table.seats[0]) if rematch.rotated else table.seats
    next_table = replace(
        room.table,
        seats=tuple(_keep(seat, levels) for seat in seats),
        host=rematch.host,
        host_name=rematch.host_name,
        locked=table.locked,
        watching=table.watching,
        hears_watchers=table.hears_watchers,
        admission=table.admission,
        admitted=table.admitted,
        barred=table.barred,
        takes_latecomers=table.takes_latecomers,
        grace=table.grace,
        watch_delay=keep_delay(rules, table.watch_delay),
        previous=table.room,
    )
    return replace(room, table=next_table)


def keep_delay(rules: Rules, delay: WatchDelay) -> WatchDelay:
    """The watching delay for the next game, which may have no rounds: then the longest one by time."""
    return "10min" if delay == "round" and not has_rounds(rules) else delay


def _keep(seat: SeatState, levels: Sequence[str]) -> SeatState:
    """The seat at the next table for whoever sits in this one."""
    if seat.person is not None:
        return SeatState(
            person=seat.person,
            name=seat.name,
            colour=seat.colour,
            held=True,
            seat_generation=1,
            arrival=seat.arrival,
        )
    if seat.bot is not None:
        level = seat.bot if seat.bot in levels else actions.choose_level(levels)
        return SeatState(
            name=seat.name,
            colour=seat.colour,
            bot=level,
            ready=True,
            seat_generation=1,
            character=seat.character,
        )
    return SeatState()
