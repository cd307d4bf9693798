"""A table in the middle of a game, written to the store as a dead owner would have left it."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from games.api import Millis
from hub.store.store import Store, first_token
from hub.table import actions as tables
from hub.table import game_start, seating
from hub.table import room as rooms
from hub.table.room import Change, Room, Snapshots
from hub.wire.tickets import Signer, Ticket

SEED: Final = b"seed" * 8


async def plant(
    store: Store,
    game: Any,
    state: Any,
    seats: int,
    room: str,
    code: str,
    at: int,
    seed: bytes = SEED,
) -> None:
    """Writes a room in `state` at table time `at`, with a person in each seat (see `ticket`) and no log."""
    planted = blank = tables.create(
        game, room, code, seats, state.options, SEED, name_keys=[bytes(16)] * seats, open=True
    )
    for seat in range(seats):
        change = seating.sit(planted, f"person-{seat}", f"Person {'ABCDEF'[seat]}", seat, seat, Millis(0))
        assert isinstance(change, Change)
        planted = change.room
    table = replace(planted.table, status="running", game_seed=seed, salts=("",) * seats)
    table = replace(table, players=game_start.list_players(table), name_keys=())
    planted = Room(table, blank.counts, rooms.position_of(game, state))
    packed = Snapshots().pack(planted)
    assert await store.create(room, code, packed, "running", b"", first_token("planted"), at, 0)


def ticket(signer: Signer, room: str, seat: int | None, wall: float) -> str:
    """The ticket for a seat at such a table, or for a watcher (None), issued at `wall`."""
    number = 9 if seat is None else seat
    name = f"Person {'ABCDEFGHIJ'[number]}"
    seat_generation = 0 if seat is None else 1
    return signer.ticket(Ticket(room, seat, f"person-{number}", name, number, seat_generation, int(wall)))
