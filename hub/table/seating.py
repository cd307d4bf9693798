"""Seating: the people and bots in a table's seats, and the actions that change them.

Functions that change seats return a `Change`, or a `Refusal`, which leaves the room as it was.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from games.api import LogLine, Millis, Refusal, Seat
from games.kit.characters import choose_character, find_character
from games.kit.tuples import replace_at
from hub.table import admission
from hub.table.room import Change, Counts, Room, SeatState, Table
from hub.table.table_change import abandon, change_table, table_line
from hub.table.watch_delay import is_delayed
from hub.wire.names import choose_distinct_name
from hub.wire.tickets import COLOURS


def host_seat(table: Table) -> int | None:
    return None if table.host is None else seat_of(table, table.host)


def find_unseated_place(table: Table) -> Seat:
    """The number after the last seat's. It stands for a host without a seat, as a seat's does for its person:
    for what they send, for their sessions, and in the seats that are `absent`."""
    return Seat(len(table.seats))


def host_place(table: Table) -> Seat | None:
    """The host's seat, or the place of a host without one; None if there is no host."""
    if table.host_name is not None:
        return find_unseated_place(table)
    seat = host_seat(table)
    return None if seat is None else Seat(seat)


def make_host(room: Room, host: str) -> Room:
    """The room with this person as its host, from now on by a seat.

    Whoever hosted it without one is admitted, to watch or to sit down.
    """
    table, former = room.table, room.table.host
    if table.host_name is None or former is None:
        return replace(room, table=replace(table, host=host))
    if is_delayed(table):  # what they have seen is not yet for everybody
        table = replace(table, former_hosts=(*table.former_hosts, former))
    table = admission.admit(table, former)
    counts = _detach(room.counts, find_unseated_place(table))
    return replace(room, table=replace(table, host=host, host_name=None), counts=counts)


def seat_of(table: Table, person: str) -> int | None:
    for i, seat in enumerate(table.seats):
        if seat.person == person:
            return i
    return None


def holds(table: Table, seat: int, person: str, seat_generation: int) -> bool:
    """Whether this seat was given to this person, and has not changed hands since."""
    if seat >= len(table.seats):
        return False
    state = table.seats[seat]
    return state.person == person and state.seat_generation == seat_generation


def name_of(table: Table, seat: int) -> str:
    """The name of a seat: its person's, its character's, or the bot's."""
    return table.seats[seat].name or bot_name(seat)


def can_seats_change(table: Table) -> bool:
    """Whether its seats may change: before the start, and while no salts are being revealed for it."""
    return table.status == "waiting" and table.exchange is None


def arrive(room: Room, seat: Seat) -> Room:
    """The room once the person for whom this seat was held has come: that is how they say they are ready."""
    state = replace(room.table.seats[seat], held=False, ready=True)
    return replace(room, table=replace(room.table, seats=replace_at(room.table.seats, seat, state)))


def has_everybody_come(table: Table) -> bool:
    """Whether this table plays again, and every person in a seat is there and ready."""
    return table.previous is not None and all(seat.ready for seat in table.seats if seat.person is not None)


def sit(room: Room, person: str, name: str, colour: int, seat: int, at: Millis) -> Change | Refusal:
    """Seats a person in a free seat, or moves them there. The first person becomes host (GEN-13)."""
    table = room.table
    if not 0 <= seat < len(table.seats):
        return Refusal("NO_SUCH_SEAT", "GEN-1")
    state = table.seats[seat]
    previous = seat_of(table, person)
    if previous == seat:
        return Change(room)
    refusal = admission.refuse_entry(table, person, invited=True)
    if refusal is not None:
        return refusal
    if state.person is not None or state.bot is not None:
        return Refusal("SEAT_TAKEN", "GEN-13")
    if not can_seats_change(table):
        return Refusal("NOT_NOW", "GEN-13")
    if table.locked and table.host != person:
        return Refusal("TABLE_LOCKED", "GEN-13")
    if admission.is_unseated_host(table, person):
        room = make_host(room, person)
        table = room.table
    note_moves: tuple[tuple[int, int | None], ...] = ()
    arrival = 1 + max(other.arrival for other in table.seats)
    if previous is not None:
        arrival = table.seats[previous].arrival
        free = SeatState(seat_generation=table.seats[previous].seat_generation + 1)
        table = replace(table, seats=replace_at(table.seats, previous, free))
        room = replace(room, counts=_detach(room.counts, previous))
        note_moves = ((seat, previous), (previous, None))
    name = choose_name(table, name)
    sitting = SeatState(
        person=person,
        name=name,
        colour=free_colour(table, colour),
        seat_generation=state.seat_generation + 1,
        arrival=arrival,
    )
    change = change_table(
        room,
        at,
        table_line("sat_down", name=name, seat=seat),
        seats=replace_at(table.seats, seat, sitting),
        host=table.host or person,
    )
    return replace(change, note_moves=note_moves)


def free_colour(table: Table, preference: int) -> int:
    used = {seat.colour for seat in table.seats if seat.person or seat.bot}
    return next((c for c in (preference, *range(COLOURS)) if c not in used), preference)


def bot_name(seat: int) -> str:
    """The name of a seat's bot, which no person at the table has (`choose_name`)."""
    return f"Bot {chr(65 + seat)}"


def choose_name(table: Table, name: str, others: Iterable[str] = ()) -> str:
    """The name, numbered if it looks like another name at the table, a bot's, or one of the others (R10)."""
    used = [name for name in (table.host_name, *(seat.name for seat in table.seats)) if name]
    return choose_distinct_name(name, (*used, *map(bot_name, range(len(table.seats))), *others))


def add_bot(room: Room, seat: int, level: str, levels: Sequence[str], at: Millis) -> Change | Refusal:
    """Puts a bot in a free seat, or changes its level."""
    table = room.table
    if not can_seats_change(table):
        return Refusal("NOT_NOW", "GEN-7")
    if seat >= len(table.seats):
        return Refusal("NO_SUCH_SEAT", "GEN-1")
    if level not in levels:
        return Refusal("NO_SUCH_LEVEL", "GEN-7")
    state = table.seats[seat]
    if state.person is not None:
        return Refusal("SEAT_TAKEN", "GEN-13")
    bot = seat_bot(table, seat, level)
    lines = () if state.bot else (table_line("bot_added", seat=seat),)
    return change_table(room, at, *lines, seats=replace_at(table.seats, seat, bot))


def seat_bot(table: Table, seat: int, level: str) -> SeatState:
    """The seat with a bot of this level in it, as a character who is not at the table yet.

    Who it is follows from the table's seed, so that nobody can know it in advance and a replay agrees. Its
    name is unlike everybody else's, as a person's is (R10).
    """
    state = table.seats[seat]
    others = replace(table, seats=replace_at(table.seats, seat, SeatState()))
    generation = state.seat_generation + 1
    key = None
    if table.lesson is None:  # whose texts call its bots by their seats
        secret = hmac.digest(table.seed, b"character %d %d" % (seat, generation), "sha256")
        key = choose_character(level, {other.character for other in others.seats}, secret)
    return SeatState(
        name=None if key is None else choose_name(others, find_character(key, level).name),
        colour=state.colour if state.bot else free_colour(table, seat),
        bot=level,
        ready=True,
        seat_generation=generation,
        character=key,
    )


def free_seat(
    room: Room, seat: int, at: Millis, absent: Collection[Seat] = (), *, by_host: bool, by_vote: bool = False
) -> Change | Refusal:
    """Frees the seat of a person who leaves, or is removed by the host or (in play) by a vote; in play, a bot
    takes it over for good (GEN-7). Once nobody holds a seat, the game ends without a result (R22).

    `absent`: the seats whose person is not connected. If the host leaves, somebody else is host (GEN-13).
    A seat held for somebody who has not come (hub/table/rematch.py) is freed without removing them.
    """
    table = room.table
    if seat >= len(table.seats):
        return Refusal("NO_SUCH_SEAT", "GEN-1")
    if table.exchange is not None:
        return Refusal("NOT_NOW", "G7.3")
    state = table.seats[seat]
    if table.status == "finished" or (
        state.person is None and (state.bot is None or table.status != "waiting")
    ):
        return Refusal("NO_SUCH_SEAT", "GEN-7")
    removed = by_vote or (by_host and not state.held)
    if table.status == "waiting":
        key = _departure(state, removed=removed)
        next_state = SeatState(seat_generation=state.seat_generation + 1)
    else:
        last = all(other.person is None for other in table.seats if other is not state)
        key = "deserted" if last else "voted_out" if by_vote else "removed" if removed else "left"
        next_state = replace(
            state,
            person=None,
            substitute=True,
            asked=False,
            used_grace=None,
            seat_generation=state.seat_generation + 1,
            offered=False,
        )
    seats = replace_at(table.seats, seat, next_state)
    host = table.host
    if state.person is not None and host == state.person:
        host = choose_host(seats, absent)
    lines = [table_line(key, name=name_of(table, seat), seat=seat)]
    if host is not None and host != table.host:
        lines.append(announce_host(table, host))
    after = table
    if state.person is not None:
        after = (admission.bar if removed else admission.admit)(table, state.person)
        if removed:
            lines += log_admission(table)
            after = replace(after, admission=True)
        if host is None:  # nobody is left to admit anyone
            after = replace(after, admission=False)
    room = replace(room, table=replace(after, seats=seats, host=host), counts=_detach(room.counts, seat))
    change = (abandon if key == "deserted" else change_table)(room, at, *lines)
    return replace(change, note_moves=((seat, None),))


def is_host_gone(table: Table, absent: Collection[Seat]) -> bool:
    """Whether no host is connected. `absent`: the seats whose person is not."""
    place = host_place(table)
    return place is None or place in absent


def is_everybody_ready(table: Table, absent: Collection[Seat]) -> bool:
    """Whether no seat is free and every person is ready; a host who is not connected counts as ready.

    False at a table that plays again, where people are ready as soon as they come.
    """
    return table.previous is None and all(
        seat.bot is not None
        or (seat.person is not None and (seat.ready or (seat.person == table.host and i in absent)))
        for i, seat in enumerate(table.seats)
    )


def choose_host(seats: Sequence[SeatState], absent: Collection[Seat] = ()) -> str | None:
    """The person who has been seated longest among those who are connected; among all, if nobody is.

    `absent`: the seats whose person is not connected. None if nobody is seated.
    """
    people = [
        (Seat(i) in absent, state.arrival, state.person) for i, state in enumerate(seats) if state.person
    ]
    return min(people)[2] if people else None


def announce_host(table: Table, host: str) -> LogLine:
    """The line that names a new host, who is seated."""
    seat = seat_of(table, host)
    assert seat is not None
    return table_line("new_host", name=name_of(table, seat), seat=seat)


def replace_host(room: Room, at: Millis, absent: Collection[Seat]) -> Change | Refusal:
    """Makes somebody else host instead of a person who has not been connected for a while (GEN-13).

    Refused while the host, or nobody at all, is connected: nobody who is away becomes host.
    """
    table = room.table
    host = choose_host(table.seats, absent)
    if host_place(table) is None or not is_host_gone(table, absent):
        return Refusal("NOT_NOW", "GEN-13")
    if host is None or seat_of(table, host) in absent:
        return Refusal("NOT_NOW", "GEN-13")
    return change_table(make_host(room, host), at, announce_host(table, host))


def _departure(state: SeatState, *, removed: bool) -> str:
    """The line that says why a seat is free before the start."""
    if state.bot:
        return "bot_removed"
    if state.held:
        return "seat_freed"
    return "removed" if removed else "stood_up"


def needs_vote(table: Table, seat: int) -> bool:
    """Whether only a vote can remove the person in this seat: in a game that is open to strangers."""
    return (
        table.open
        and table.status in ("running", "paused")
        and seat < len(table.seats)
        and table.seats[seat].person is not None
    )


def log_admission(table: Table) -> tuple[LogLine, ...]:
    """The line that announces admission after a removal; none if it is already on."""
    return () if table.admission else (table_line("admission_on"),)


def _detach(counts: Counts, seat: int) -> Counts:
    """Ends the seat's sessions: none of its client instances can repeat a command any more."""
    return replace(counts, sessions=replace_at(counts.sessions, seat, ()))


def swap(room: Room, a: int, b: int, at: Millis) -> Change | Refusal:
    table = room.table
    if not can_seats_change(table):
        return Refusal("NOT_NOW", "GEN-1")
    if a == b or a >= len(table.seats) or b >= len(table.seats):
        return Refusal("NO_SUCH_SEAT", "GEN-1")
    top = max(table.seats[a].seat_generation, table.seats[b].seat_generation) + 1
    new_a, new_b = replace(table.seats[b], seat_generation=top), replace(table.seats[a], seat_generation=top)
    seats = replace_at(replace_at(table.seats, a, new_a), b, new_b)
    room = replace(room, counts=_detach(_detach(room.counts, a), b))
    change = change_table(room, at, table_line("swapped", a=a, b=b), seats=seats)
    return replace(change, note_moves=((a, b), (b, a)))
