"""Latecomers: people who take over a seat from the bot that plays it, after the game has begun (GEN-13).

The table has to allow it (`Table.takes_latecomers`). A latecomer sees what the seat's view and log show from
then on, and nothing that was meant for its earlier holder alone: see hub/table/log.py. docs/adr has the
reasons.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from games.api import Millis, Refusal, Seat
from games.kit.tuples import replace_at
from hub.table import admission, seating
from hub.table.records import hash_name
from hub.table.room import Change, Latecomer, Player, Room, SeatState, Table
from hub.table.table_change import change_table, table_line
from hub.table.watch_delay import is_delayed

MAX_LATECOMERS: Final = 50
"""The number of times that the seats of one table may be taken over."""


def take_over(
    room: Room,
    person: str,
    name: str,
    seat: int,
    at: Millis,
    *,
    name_key: bytes,
    absent: Collection[Seat] = (),
) -> Change | Refusal:
    """Gives a person a seat of a game under way that a bot plays.

    `name_key` is 16 random bytes for the record (hub/table/records.py). `absent`: the seats whose person is
    not connected.
    """
    table = room.table
    if not 0 <= seat < len(table.seats):
        return Refusal("NO_SUCH_SEAT", "GEN-1")
    refusal = refuse_latecomer(table, person, seat, absent)
    if refusal is not None:
        return refusal
    if admission.is_unseated_host(table, person):
        room = seating.make_host(room, person)
        table = room.table
    state = table.seats[seat]
    previous = seating.name_of(table, seat)
    others = table
    if seat in list_held_seats(table, person):  # their own name is not another's
        others = replace(table, seats=replace_at(table.seats, seat, replace(state, name=None)))
    name = seating.choose_name(others, name)
    latecomer = Latecomer(
        seat, at, room.counts.entries, Player(person, name, name_key, hash_name(name_key, name))
    )
    taken_seat = SeatState(
        person=person,
        name=name,
        colour=state.colour,
        ready=True,
        seat_generation=state.seat_generation + 1,
        arrival=1 + max(other.arrival for other in table.seats),
    )
    seats = replace_at(table.seats, seat, taken_seat)
    host = table.host
    if host is None or host == state.person:
        host = seating.choose_host(seats, absent)
    lines = [table_line("took_over", name=name, seat=seat, previous=previous)]
    if host is not None and host != table.host:
        lines.append(seating.announce_host(replace(table, seats=seats), host))
    after = table if state.person is None else admission.admit(table, state.person)
    counts = room.counts
    counts = replace(
        counts,
        own_lines=replace_at(counts.own_lines, seat, 0),  # its lines are numbered afresh (G4.2)
        sessions=replace_at(counts.sessions, seat, ()),
    )
    change = change_table(
        replace(room, table=after, counts=counts),
        at,
        *lines,
        seats=seats,
        host=host,
        latecomers=(*table.latecomers, latecomer),
        skipping=False,
    )
    return replace(change, note_moves=((seat, None),))


def refuse_latecomer(table: Table, person: str, seat: int, absent: Collection[Seat]) -> Refusal | None:
    """Why this person may not take over this seat; None if they may."""
    refusal = admission.refuse_entry(table, person, invited=True)
    if refusal is not None:
        return refusal
    if admission.is_seated(table, person):
        return Refusal("ALREADY_SEATED", "GEN-13")
    state = table.seats[seat]
    if state.person is not None and not (state.offered and state.substitute and seat in absent):
        return Refusal("SEAT_TAKEN", "GEN-13")
    if not state.is_played_by_bot or len(table.latecomers) >= MAX_LATECOMERS:
        return Refusal("NOT_NOW", "GEN-13")
    if not table.takes_latecomers:
        return Refusal("NO_LATECOMERS", "GEN-13")
    if table.locked:
        return Refusal("TABLE_LOCKED", "GEN-13")
    if list_held_seats(table, person) - {seat}:
        return Refusal("HELD_ANOTHER_SEAT", "GEN-13")
    if has_seen_early(table, person):
        return Refusal("HOSTED_LIVE", "GEN-13")
    return None


def explain_refusal(table: Table, person: str, seat: int, absent: Collection[Seat]) -> Refusal:
    """Why this person, who knows only this earlier table, is refused a seat: as far as it tells."""
    if not 0 <= seat < len(table.seats):
        return Refusal("NO_SUCH_SEAT", "GEN-1")
    refusal = None
    if table.status in ("running", "paused"):
        refusal = refuse_latecomer(table, person, seat, absent)
    return refusal or Refusal("NOT_NOW", "GEN-13")


def has_seen_early(table: Table, person: str) -> bool:
    """Whether this person, as host without a seat, sees or saw the game before its watchers do."""
    return person in table.former_hosts or (is_delayed(table) and admission.is_unseated_host(table, person))


def list_held_seats(table: Table, person: str) -> set[int]:
    """The seats that this person has held in this game."""
    seats = {seat for seat, player in enumerate(table.players) if player.person == person}
    return seats | {late.seat for late in table.latecomers if late.player.person == person}
