"""Starting a game: filling free seats, exchanging salts (hub/table/salt_exchange.py), the first step."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from games.api import LogLine, Millis, Refusal, Seat
from games.dice import Dice, game_seed
from hub.table import salt_exchange
from hub.table.records import hash_name
from hub.table.replay import LogEntry
from hub.table.room import Change, Player, Room, Rules, SeatState, Table, apply_step
from hub.table.salt_exchange import NO_SALT, Exchange
from hub.table.seating import can_seats_change, name_of, seat_bot
from hub.table.table_change import change_table, table_line
from hub.wire import messages as m


def start(
    rules: Rules, room: Room, level: str, at: Millis, absent: Collection[Seat] = ()
) -> Change | Refusal:
    """Starts the game, or first the exchange of salts: bots of this level fill the free seats.

    Seats whose person is `absent`, or has fixed no salt, take no part in the exchange. If nobody does, the
    game starts at once.
    """
    table = room.table
    if not can_seats_change(table):
        return Refusal("NOT_NOW", "GEN-1")
    seats: tuple[SeatState, ...] = ()
    for seat in table.seats:
        if seat.person is None and seat.bot is None:
            filled = replace(table, seats=(*seats, *table.seats[len(seats) :]))
            seat = seat_bot(filled, len(seats), level)
        seats = (*seats, seat)
    hashes = tuple(NO_SALT if i in absent else seat.salt_hash for i, seat in enumerate(seats))
    return _seed(rules, room, replace(table, seats=seats), salt_exchange.begin(hashes), at)


def reveal_salt(rules: Rules, room: Room, seat: Seat, act: m.RevealSalt, at: Millis) -> Change | Refusal:
    """Reveals a seat's salt; the last one starts the game."""
    exchange = room.table.exchange
    if exchange is None:
        return Refusal("NOT_NOW", "G7.3")
    revealed = salt_exchange.reveal(exchange, seat, act.salt, act.next_hash)
    return revealed if isinstance(revealed, Refusal) else _seed(rules, room, room.table, revealed, at)


def repeat_start(rules: Rules, room: Room, seed: bytes, at: Millis) -> Change | Refusal:
    """Repeats the exchange without the seats that did not reveal their salts.

    `seed` is a fresh one. If no seat is left, the game starts.
    """
    table, exchange = room.table, room.table.exchange
    if exchange is None:
        return Refusal("NOT_NOW", "G7.3")
    silent = [table_line("silent", name=name_of(table, seat), seat=seat) for seat in exchange.silent_seats]
    table = replace(table, seed=seed, restarts=table.restarts + 1)
    return _seed(rules, room, table, salt_exchange.begin_again(exchange), at, *silent)


def _seed(
    rules: Rules, room: Room, table: Table, exchange: Exchange | None, at: Millis, *lines: LogLine
) -> Change:
    """Waits for the salts still to be revealed, or starts the game if all of them have been."""
    if exchange is not None and exchange.silent_seats:
        return change_table(replace(room, table=replace(table, exchange=exchange)), at, *lines)
    salts = (NO_SALT,) * len(table.seats) if exchange is None else exchange.salts
    secret = game_seed(table.seed, salts)
    dice = Dice(secret, 0)
    options = msgspec.convert(table.options, rules.Options)
    step = rules.setup(len(table.seats), options, at, dice)
    lines += tuple(
        table_line("stands_in", name=name_of(table, seat), seat=seat)
        for seat, state in enumerate(table.seats)
        if state.held
    )
    seats = tuple(replace(seat, held=False, substitute=True) if seat.held else seat for seat in table.seats)
    table = replace(table, status="running", exchange=None, salts=salts, game_seed=secret, seats=seats)
    table = replace(table, players=list_players(table), name_keys=())
    start_change = change_table(replace(room, table=table), at, *lines, table_line("started"))
    entry = LogEntry("setup", None, None, None, None, at)
    change = apply_step(rules, start_change.room, step, entry, dice.counter)
    return replace(change, logged=(*start_change.logged, *change.logged))


def list_players(table: Table) -> tuple[Player, ...]:
    """Who holds the seats when the game begins."""
    names = (name_of(table, seat) for seat in range(len(table.seats)))
    return tuple(
        Player(seat.person, name, key, hash_name(key, name))
        for seat, name, key in zip(table.seats, names, table.name_keys, strict=True)
    )
