"""Table actions: what people do to a table besides playing (`Manage`), the host's among them.

Functions take a room and return a `Change`, or a `Refusal`, which leaves it as it was. What is so already
changes nothing and logs nothing. Seats are in hub/table/seating.py, the start of the game in game_start.py,
talk in speech.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, assert_never

import msgspec
from msgspec.structs import replace

from games.api import Millis, Refusal, Seat
from games.kit.tuples import replace_at
from hub.table import admission, game_start, seating, skipping
from hub.table.room import Change, Counts, Room, Rules, SeatState, Table
from hub.table.seating import can_seats_change, log_admission, name_of
from hub.table.table_change import change_table, table_line
from hub.table.watch_delay import has_rounds
from hub.wire import messages as m

SEAT_ACTS: Final = (
    m.Ready,
    m.CommitSalt,
    m.RevealSalt,
    m.TakeBack,
    m.StandIn,
    m.OfferSeat,
    m.SkipToEnd,
    m.GoOn,
    m.CallVote,
    m.Vote,
)
"""What only somebody with a seat can do."""


def create(
    rules: Rules,
    room: str,
    code: str,
    seats: int,
    options: Any,
    seed: bytes,
    *,
    name_keys: Sequence[bytes],
    open: bool,
    grace: m.Grace = "1min",
    watch_delay: m.WatchDelay = "none",
    host: str | None = None,
    host_name: str | None = None,
) -> Room:
    """A waiting table with free seats. `seed` is 32 secret random bytes, and each seat's name key is 16.

    `host` and `host_name`: somebody who hosts it without a seat.
    """
    table = Table(
        room=room,
        code=code,
        game=rules.key,
        version=rules.version,
        options=msgspec.to_builtins(options),
        open=open,
        takes_latecomers=not open,  # among friends, whoever comes late may play
        seats=(SeatState(),) * seats,
        host=host,
        host_name=host_name,
        seed=seed,
        name_keys=tuple(name_keys),
        grace=grace,
        watch_delay=watch_delay,
    )
    places = seats + 1
    return Room(table, Counts(0, 0, 0, (0,) * seats, (0,) * places, ((),) * places), None)


def manage(
    rules: Rules,
    levels: Sequence[str],
    room: Room,
    seat: Seat,
    act: m.Act,
    at: Millis,
    absent: Collection[Seat] = (),
) -> Change | Refusal:
    """Applies the table action of a seated person, or of a host without a seat. `levels` are the levels of
    the game's bot.

    `absent`: the seats whose person is not connected.
    """
    table = room.table
    if seat == seating.find_unseated_place(table):
        if isinstance(act, SEAT_ACTS):
            return Refusal("NOT_SEATED", "GEN-8")
        if seating.host_place(table) != seat:  # somebody else has become host since it was sent
            return Refusal("NOT_HOST", "GEN-13")
        return _host_act(rules, levels, room, act, at, absent)
    state = table.seats[seat]
    match act:
        case m.Ready():
            if not can_seats_change(table):
                return Refusal("NOT_NOW", "GEN-1")
            ready = replace(state, ready=act.ready)
            change = change_table(room, at, seats=replace_at(table.seats, seat, ready))
            if seating.is_everybody_ready(change.room.table, absent):
                return game_start.start(rules, change.room, choose_level(levels), at, absent)
            return _start_when_complete(rules, levels, change, at, absent)
        case m.CommitSalt():
            if not can_seats_change(table):
                return Refusal("NOT_NOW", "G7.3")
            salted = replace(state, salt_hash=act.salt_hash)
            change = change_table(room, at, seats=replace_at(table.seats, seat, salted))
            if _has_every_salt(change.room.table, absent):
                return _start_when_complete(rules, levels, change, at, absent)
            return change
        case m.RevealSalt():
            return game_start.reveal_salt(rules, room, seat, act, at)
        case m.TakeBack():
            if not state.substitute:
                return Refusal("NOT_NOW", "GEN-7")
            next_state = replace(state, substitute=False, asked=False)
            line = table_line("took_back", name=name_of(table, seat), seat=seat)
            return change_table(room, at, line, seats=replace_at(table.seats, seat, next_state))
        case m.StandIn():
            return stand_in(room, seat, at, asked=True)
        case m.OfferSeat():
            if table.status == "finished":
                return Refusal("NOT_NOW", "GEN-13")
            if act.on == state.offered:
                return Change(room)
            next_state = replace(state, offered=act.on)
            return change_table(room, at, seats=replace_at(table.seats, seat, next_state))
        case m.SkipToEnd():
            return skipping.skip(rules, room, seat, at)
        case m.GoOn():
            return Refusal("NOT_NOW", "R29")
        case m.Resume() if state.person is not None and seating.is_host_gone(table, absent):
            return resume(room, at)
        case m.FreeSeat() if act.seat == seat:
            return seating.free_seat(room, seat, at, absent, by_host=False)
        case _:
            pass
    if state.person is None or state.person != table.host:
        return Refusal("NOT_HOST", "GEN-13")
    return _host_act(rules, levels, room, act, at, absent)


def _start_when_complete(
    rules: Rules, levels: Sequence[str], change: Change, at: Millis, absent: Collection[Seat]
) -> Change | Refusal:
    """The change, with the start if these people play again and everybody has come; others have a host."""
    if not seating.has_everybody_come(change.room.table):
        return change
    return game_start.start(rules, change.room, choose_level(levels), at, absent)


def _has_every_salt(table: Table, absent: Collection[Seat]) -> bool:
    """Whether the clients of all people connected have fixed their salts, which they do when they come."""
    return all(
        state.salt_hash
        for seat, state in enumerate(table.seats)
        if state.person is not None and seat not in absent
    )


def _host_act(
    rules: Rules, levels: Sequence[str], room: Room, act: m.Act, at: Millis, absent: Collection[Seat]
) -> Change | Refusal:
    table = room.table
    match act:
        case m.Start():
            if all(state.person is None for state in table.seats):
                return Refusal("NOT_NOW", "GEN-1")
            return game_start.start(rules, room, choose_level(levels), at, absent)
        case m.AddBot():
            return seating.add_bot(room, act.seat, act.level, levels, at)
        case m.FreeSeat():
            if seating.needs_vote(table, act.seat):
                return Refusal("VOTE_NEEDED", "R21")
            return seating.free_seat(room, act.seat, at, absent, by_host=True)
        case m.SwapSeats():
            return seating.swap(room, act.a, act.b, at)
        case m.Pause():
            return pause(room, "host", at)
        case m.Resume():
            return resume(room, at)
        case m.HandOver():
            host = table.seats[act.seat].person if act.seat < len(table.seats) else None
            if host is None:
                return Refusal("NO_SUCH_SEAT", "GEN-1")
            if host == table.host:
                return Change(room)
            return change_table(seating.make_host(room, host), at, seating.announce_host(table, host))
        case m.Lock():
            if act.locked == table.locked:
                return Change(room)
            return change_table(
                room, at, table_line("locked" if act.locked else "unlocked"), locked=act.locked
            )
        case m.CloseWatching():
            if act.closed != table.watching:
                return Change(room)
            line = table_line("watching_closed" if act.closed else "watching_open")
            return change_table(room, at, line, watching=not act.closed)
        case m.DelayWatching():
            if not can_seats_change(table):
                return Refusal("NOT_NOW", "GEN-8")
            if act.delay == "round" and not has_rounds(rules):
                return Refusal("NO_ROUNDS", "GEN-8")
            if act.delay == table.watch_delay:
                return Change(room)
            return change_table(room, at, table_line("watch_delay", delay=act.delay), watch_delay=act.delay)
        case m.HearWatchers():
            return _hear_watchers(room, act.on, at)
        case m.Admission():
            if act.on == table.admission:
                return Change(room)
            line = table_line("admission_on" if act.on else "admission_off")
            return change_table(room, at, line, admission=act.on)
        case m.TakeLatecomers():
            if act.on == table.takes_latecomers:
                return Change(room)
            line = table_line("latecomers_on" if act.on else "latecomers_off")
            return change_table(room, at, line, takes_latecomers=act.on)
        case m.Admit() | m.Refuse() | m.RemoveWatcher():
            return _treat_visitor(room, act, at)
        case (
            m.Ready()
            | m.CommitSalt()
            | m.RevealSalt()
            | m.TakeBack()
            | m.StandIn()
            | m.OfferSeat()
            | m.SkipToEnd()
            | m.GoOn()
            | m.CallVote()
            | m.Vote()
        ):
            raise AssertionError(act)  # SEAT_ACTS: refused or handled before
        case _:
            assert_never(act)


def _hear_watchers(room: Room, on: bool, at: Millis) -> Change | Refusal:
    """Lets watchers talk to the table, or no longer: everybody knows it before they play (GEN-8)."""
    table = room.table
    if not can_seats_change(table):
        return Refusal("NOT_NOW", "GEN-8")
    if on and table.open:
        return Refusal("OPEN_TABLE", "GEN-8")
    if on == table.hears_watchers:
        return Change(room)
    line = table_line("watchers_heard" if on else "watchers_unheard")
    return change_table(room, at, line, hears_watchers=on)


def _treat_visitor(room: Room, act: m.Admit | m.Refuse | m.RemoveWatcher, at: Millis) -> Change | Refusal:
    """Admits, refuses or removes a person without a seat. `act.id` already is the person's own id."""
    table = room.table
    if not act.id or admission.is_at_table(table, act.id):
        return Refusal("NO_SUCH_PERSON", "GEN-13")
    match act:
        case m.Admit():
            return change_table(replace(room, table=admission.admit(table, act.id)), at)
        case m.Refuse():
            return change_table(replace(room, table=admission.bar(table, act.id)), at)
        case m.RemoveWatcher():
            if act.id in table.barred and table.admission:
                return Change(room)
            lines = (table_line("watcher_removed"), *log_admission(table))
            return change_table(replace(room, table=admission.bar(table, act.id)), at, *lines, admission=True)
        case _:
            assert_never(act)


def choose_level(levels: Sequence[str]) -> str:
    """The level of a bot for which nobody chose one: the middle one."""
    return levels[len(levels) // 2]


def pause(room: Room, why: str, at: Millis) -> Change | Refusal:
    """Stops table time: for the host, by a vote, because nobody is connected, or because the rules failed."""
    if room.table.status != "running":
        return Refusal("NOT_NOW", "GEN-6")
    key = "paused" if why == "host" else f"paused_{why}"
    return change_table(room, at, table_line(key), status="paused", paused_for=why)


def resume(room: Room, at: Millis) -> Change | Refusal:
    if room.table.status != "paused":
        return Refusal("NOT_NOW", "GEN-6")
    return change_table(room, at, table_line("resumed"), status="running", paused_for=None)


def stand_in(room: Room, seat: Seat, at: Millis, *, asked: bool = False) -> Change | Refusal:
    """Lets a substitute play for the person in a seat until they take the seat back (GEN-7).

    `asked`: the person wants it themselves.
    """
    table = room.table
    state = table.seats[seat]
    if table.status not in ("running", "paused") or state.bot is not None or state.substitute:
        return Refusal("NOT_NOW", "GEN-7")
    line = table_line("handed_to_bot" if asked else "stands_in", name=name_of(table, seat), seat=seat)
    substituted = replace(state, substitute=True, asked=asked)
    return change_table(room, at, line, seats=replace_at(table.seats, seat, substituted))
