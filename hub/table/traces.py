"""Finds a person's data in a stored table, and removes it.

A snapshot is read and written without the game's rules, so this works for a game of any version. Only the
table in it changes: the log since the snapshot has only moves (hub/runtime/journal.py), which can be replayed
as before.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from games.kit.tuples import replace_at
from hub.table.room import (
    Logged,
    Player,
    SeatState,
    Table,
    pack_logged,
    replace_stored_table,
    unpack_logged,
    unpack_table,
)
from hub.table.seating import name_of
from hub.table.talk import read_message

PLAYING: Final = ("running", "paused")
REMOVED: Final = "(removed)"
"""Replaces a removed name in the log."""


def list_people(table: Table) -> set[str]:
    """The ids of all people that a table knows: at its seats, when its game began, admitted or barred."""
    ids = {seat.person for seat in table.seats} | {player.person for player in table.players}
    return {person for person in ids if person is not None}.union(table.admitted, table.barred)


def list_seats(table: Table, person: str) -> list[int]:
    """The seats that a person has, or had when the game began, even if a bot has played there since they
    left."""
    return [
        seat
        for seat, state in enumerate(table.seats)
        if person == state.person
        or (table.players and person == table.players[seat].person and state.person is None)
    ]


def list_names(table: Table, person: str) -> set[str]:
    """The names under which a person sits or sat in these seats."""
    seats = list_seats(table, person)
    names = {table.seats[seat].name for seat in seats}
    names |= {player.name for player in table.players if player.person == person}
    return {name for name in names if name is not None}


def is_said_by(stored: bytes, names: Collection[str]) -> bool:
    """Whether a stored message was said under one of these names."""
    return read_message(stored).name in names


def leave(snapshot: bytes, person: str) -> bytes:
    """The snapshot as if the person had left the table, without their id and names.

    If the game has begun, a bot plays on in their seat, as for anybody who leaves; otherwise the seat is
    free.
    """
    table = unpack_table(snapshot)
    seats, detached = table.seats, list_seats(table, person)
    for seat in detached:
        generation = seats[seat].seat_generation + 1
        if table.status == "waiting":
            state = SeatState(seat_generation=generation)
        else:
            nameless = replace(table, seats=replace_at(seats, seat, replace(seats[seat], name=None)))
            state = replace(
                seats[seat],
                person=None,
                name=name_of(nameless, seat),
                substitute=table.status in PLAYING,
                seat_generation=generation,
            )
        seats = replace_at(seats, seat, state)
    host = table.host
    if host == person:
        host = next((seat.person for seat in seats if seat.person is not None), None)
    players = tuple(
        Player(None, None, None, player.name_hash) if player.person == person else player
        for player in table.players
    )

    table = replace(
        table,
        seats=seats,
        host=host,
        players=players,
        admitted=tuple(other for other in table.admitted if other != person),
        barred=tuple(other for other in table.barred if other != person),
    )
    return replace_stored_table(snapshot, table)


def without_name(entry: bytes, names: Collection[str]) -> bytes:
    """An entry of the log with these names removed; the same bytes if it has none of them."""
    logged: Logged = unpack_logged(entry)
    lines = tuple(
        replace(line, args={**line.args, "name": REMOVED})
        if line.key.startswith("table.") and line.args.get("name") in names
        else line
        for line in logged.lines
    )
    return entry if lines == logged.lines else pack_logged(replace(logged, lines=lines))
