"""Finds a person's data in a stored table, and removes it.

A snapshot is read and written without the game's rules, so this works for a game of any version. Only the
table in it changes: the log since the snapshot has only moves (hub/runtime/journal.py), which can be replayed
as before.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from games.api import LogLine
from games.kit.tuples import replace_at
from hub.table.admission import is_unseated_host
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
from hub.table.seating import choose_host, name_of
from hub.table.talk import read_message

PLAYING: Final = ("running", "paused")
REMOVED: Final = "(removed)"
"""Replaces a removed name in the log."""
NAMES: Final = ("name", "previous")
"""The arguments of the hub's own lines that are names."""


def list_people(table: Table) -> set[str]:
    """The ids of all people that a table knows: at its seats, earlier in its game, admitted or barred."""
    ids = {seat.person for seat in table.seats} | {player.person for player in _list_players(table)}
    if table.host is not None:
        ids.add(table.host)
    known = {person for person in ids if person is not None}.union(
        table.admitted, table.barred, table.former_hosts
    )
    return known.union(*(list_people(past.table) for past in table.past))


def list_seats(table: Table, person: str) -> list[int]:
    """The seats that a person has, or had in the game, if only a bot has played there since they left."""
    return [
        seat
        for seat, state in enumerate(table.seats)
        if person == state.person or (state.person is None and _last_holder(table, seat) == person)
    ]


def list_names(table: Table, person: str) -> set[str]:
    """The names under which a person sits or sat in these seats."""
    seats = list_seats(table, person)
    names = {table.seats[seat].name for seat in seats}
    names |= {player.name for player in _list_players(table) if player.person == person}
    if is_unseated_host(table, person):
        names.add(table.host_name)
    return {name for name in names if name is not None}


def is_said_by(stored: bytes, names: Collection[str]) -> bool:
    """Whether a stored message was said under one of these names."""
    return read_message(stored).name in names


def leave(snapshot: bytes, person: str) -> bytes:
    """The snapshot as if the person had left the table, without their id and names.

    If the game has begun, a bot plays on in their seat, as for anybody who leaves; otherwise the seat is
    free.
    """
    return replace_stored_table(snapshot, _leave_table(unpack_table(snapshot), person))


def _leave_table(table: Table, person: str) -> Table:
    """The table without a person, and without them in what it keeps of its past."""
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
    host, host_name = table.host, table.host_name
    if host == person:
        host, host_name = choose_host(seats), None
    players = tuple(_without(player, person) for player in table.players)
    latecomers = tuple(
        replace(latecomer, player=_without(latecomer.player, person)) for latecomer in table.latecomers
    )
    rematch = table.rematch
    if rematch is not None:
        rematch = replace(
            rematch,
            host=None if rematch.host == person else rematch.host,
            host_name=None if rematch.host == person else rematch.host_name,
            pressed=tuple(other for other in rematch.pressed if other != person),
        )
    return replace(
        table,
        seats=seats,
        host=host,
        host_name=host_name,
        former_hosts=tuple(other for other in table.former_hosts if other != person),
        rematch=rematch,
        players=players,
        latecomers=latecomers,
        admitted=tuple(other for other in table.admitted if other != person),
        barred=tuple(other for other in table.barred if other != person),
        vote=None,
        past=tuple(replace(past, table=_leave_table(past.table, person)) for past in table.past),
    )


def list_latecomers(table: Table, person: str) -> list[int]:
    """The places of a person among the latecomers, from 0."""
    return [i for i, latecomer in enumerate(table.latecomers) if latecomer.player.person == person]


def _list_players(table: Table) -> tuple[Player, ...]:
    """Everybody who has held a seat in the game, some more than once."""
    return (*table.players, *(latecomer.player for latecomer in table.latecomers))


def _last_holder(table: Table, seat: int) -> str | None:
    """The id of the person who last held a seat in the game; None for a bot."""
    last = next((late.player for late in reversed(table.latecomers) if late.seat == seat), None)
    if last is None:
        last = table.players[seat] if table.players else None
    return None if last is None else last.person


def _without(player: Player, person: str) -> Player:
    return Player(None, None, None, player.name_hash) if player.person == person else player


def without_name(entry: bytes, names: Collection[str]) -> bytes:
    """An entry of the log with these names removed; the same bytes if it has none of them."""
    logged: Logged = unpack_logged(entry)
    lines = tuple(
        _without_names(line, names) if line.key.startswith("table.") else line for line in logged.lines
    )
    return entry if lines == logged.lines else pack_logged(replace(logged, lines=lines))


def _without_names(line: LogLine, names: Collection[str]) -> LogLine:
    removed = {key: REMOVED for key in NAMES if line.args.get(key) in names}
    return replace(line, args={**line.args, **removed}) if removed else line
