"""Actions on a table: sitting down, bots, starting, pausing, talk and notes.

Functions take a room and return a `Change`, or a `Refusal`, which leaves it as it was.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, assert_never

import msgspec
from msgspec.structs import replace

from games.api import Argument, LogLine, Millis, Outcome, Refusal, Seat, TalkPolicy
from games.dice import Dice, game_seed
from games.kit.tuples import replace_at
from hub.table import admission, seeding
from hub.table.records import hash_name
from hub.table.replay import LogEntry
from hub.table.room import (
    Change,
    Counts,
    Logged,
    Player,
    Room,
    Rules,
    SeatState,
    Table,
    apply_step,
    count_lines,
)
from hub.table.seeding import NO_SALT, Exchange
from hub.wire import messages as m
from hub.wire.names import choose_distinct_name, clean_talk
from hub.wire.tickets import COLOURS

TEXTS = frozenset(
    f"table.{key}"
    for key in (
        "sat_down",
        "stood_up",
        "bot_added",
        "bot_removed",
        "swapped",
        "started",
        "silent",
        "paused",
        "paused_empty",
        "paused_fault",
        "resumed",
        "removed",
        "left",
        "stands_in",
        "took_back",
        "new_host",
        "locked",
        "unlocked",
        "watching_closed",
        "watching_open",
        "admission_on",
        "admission_off",
        "watcher_removed",
    )
)
"""Text keys of the lines that the hub itself logs about a table."""

OPEN_TALK = TalkPolicy("open")


def _change(room: Room, at: Millis, *lines: LogLine, **table: Any) -> Change:
    """A change to the table only, with public lines."""
    before = room.counts
    counts = count_lines(before, lines, before.draws, before.entries, before.sessions)
    return Change(
        Room(replace(room.table, **table) if table else room.table, counts, room.position),
        (Logged(None, lines, at),) if lines else (),
    )


def _line(key: str, **args: Argument) -> LogLine:
    return LogLine(f"table.{key}", args, None)


def host_seat(table: Table) -> int | None:
    return None if table.host is None else seat_of(table, table.host)


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
    """The name of a seat: its person's, or the bot's."""
    return table.seats[seat].name or _bot_name(seat)


# --- making a table and sitting down ---


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
) -> Room:
    """A waiting table with free seats. `seed` is 32 secret random bytes, and each seat's name key is 16."""
    table = Table(
        room=room,
        code=code,
        game=rules.key,
        version=rules.version,
        options=msgspec.to_builtins(options),
        open=open,
        seats=(SeatState(),) * seats,
        host=None,
        seed=seed,
        name_keys=tuple(name_keys),
    )
    nothing = (0,) * seats
    return Room(table, Counts(0, 0, 0, nothing, nothing, ((),) * seats), None)


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
    if not _is_open(table):
        return Refusal("NOT_NOW", "GEN-13")
    if table.locked and table.host != person:
        return Refusal("TABLE_LOCKED", "GEN-13")
    note_moves: tuple[tuple[int, int | None], ...] = ()
    if previous is not None:
        free = SeatState(seat_generation=table.seats[previous].seat_generation + 1)
        table = replace(table, seats=replace_at(table.seats, previous, free))
        room = replace(room, counts=_detach(room.counts, previous))
        note_moves = ((seat, previous), (previous, None))
    name = choose_name(table, name)
    sitting = SeatState(
        person=person,
        name=name,
        colour=_free_colour(table, colour),
        seat_generation=state.seat_generation + 1,
    )
    change = _change(
        room,
        at,
        _line("sat_down", name=name, seat=seat),
        seats=replace_at(table.seats, seat, sitting),
        host=table.host or person,
    )
    return replace(change, note_moves=note_moves)


def _free_colour(table: Table, preference: int) -> int:
    used = {seat.colour for seat in table.seats if seat.person or seat.bot}
    return next((c for c in (preference, *range(COLOURS)) if c not in used), preference)


def _bot_name(seat: int) -> str:
    return f"Bot {chr(65 + seat)}"


def choose_name(table: Table, name: str) -> str:
    """The name, numbered if it looks like another name at the table or a bot's (R10)."""
    used = [seat.name for seat in table.seats if seat.name]
    return choose_distinct_name(name, (*used, *map(_bot_name, range(len(table.seats)))))


# --- table actions (`Manage`) ---


def manage(
    rules: Rules,
    levels: Sequence[str],
    room: Room,
    seat: Seat,
    act: m.Act,
    at: Millis,
    absent: Collection[Seat] = (),
) -> Change | Refusal:
    """Applies a seated person's table action. `levels` are the levels of the game's bot.

    `absent`: the seats whose person is not connected.
    """
    table = room.table
    state = table.seats[seat]
    match act:
        case m.Ready():
            if not _is_open(table):
                return Refusal("NOT_NOW", "GEN-1")
            ready = replace(state, ready=act.ready)
            return _change(room, at, seats=replace_at(table.seats, seat, ready))
        case m.CommitSalt():
            if not _is_open(table):
                return Refusal("NOT_NOW", "G7.3")
            salted = replace(state, salt_hash=act.salt_hash)
            return _change(room, at, seats=replace_at(table.seats, seat, salted))
        case m.RevealSalt():
            return reveal_salt(rules, room, seat, act, at)
        case m.TakeBack():
            if not state.substitute:
                return Refusal("NOT_NOW", "GEN-7")
            next_state = replace(state, substitute=False)
            line = _line("took_back", name=name_of(table, seat), seat=seat)
            return _change(room, at, line, seats=replace_at(table.seats, seat, next_state))
        case m.StandIn():
            return stand_in(room, seat, at)
        case m.FreeSeat() if act.seat == seat:
            return free_seat(room, seat, at, by_host=False)
        case _:
            pass
    if state.person is None or state.person != table.host:
        return Refusal("NOT_HOST", "GEN-13")
    return _host_act(rules, levels, room, act, at, absent)


def _host_act(
    rules: Rules, levels: Sequence[str], room: Room, act: m.Act, at: Millis, absent: Collection[Seat]
) -> Change | Refusal:
    table = room.table
    match act:
        case m.Start():
            return start(rules, room, choose_level(levels), at, absent)
        case m.AddBot():
            return add_bot(room, act.seat, act.level, levels, at)
        case m.FreeSeat():
            return free_seat(room, act.seat, at, by_host=True)
        case m.SwapSeats():
            return swap(room, act.a, act.b, at)
        case m.Pause():
            return pause(room, "host", at)
        case m.Resume():
            return resume(room, at)
        case m.HandOver():
            if act.seat >= len(table.seats) or table.seats[act.seat].person is None:
                return Refusal("NO_SUCH_SEAT", "GEN-1")
            line = _line("new_host", name=name_of(table, act.seat), seat=act.seat)
            return _change(room, at, line, host=table.seats[act.seat].person)
        case m.Lock():
            return _change(room, at, _line("locked" if act.locked else "unlocked"), locked=act.locked)
        case m.CloseWatching():
            line = _line("watching_closed" if act.closed else "watching_open")
            return _change(room, at, line, watching=not act.closed)
        case m.Admission():
            line = _line("admission_on" if act.on else "admission_off")
            return _change(room, at, line, admission=act.on)
        case m.Admit() | m.Refuse() | m.RemoveWatcher():
            return _treat_visitor(room, act, at)
        case m.Ready() | m.CommitSalt() | m.RevealSalt() | m.TakeBack() | m.StandIn():
            raise AssertionError(act)
        case _:
            assert_never(act)


def _treat_visitor(room: Room, act: m.Admit | m.Refuse | m.RemoveWatcher, at: Millis) -> Change | Refusal:
    """Admits, refuses or removes somebody without a seat. `act.id` is the person's own id by now."""
    table = room.table
    if not act.id or admission.is_seated(table, act.id):
        return Refusal("NO_SUCH_PERSON", "GEN-13")
    match act:
        case m.Admit():
            return _change(replace(room, table=admission.admit(table, act.id)), at)
        case m.Refuse():
            return _change(replace(room, table=admission.bar(table, act.id)), at)
        case m.RemoveWatcher():
            lines = (_line("watcher_removed"), *_admission_line(table))
            return _change(replace(room, table=admission.bar(table, act.id)), at, *lines, admission=True)
        case _:
            assert_never(act)


def _admission_line(table: Table) -> tuple[LogLine, ...]:
    """The line about a removal's consequence, unless newcomers are admitted one by one already."""
    return () if table.admission else (_line("admission_on"),)


def choose_level(levels: Sequence[str]) -> str:
    """The level of a bot for which nobody chose one: the middle one."""
    return levels[len(levels) // 2]


def add_bot(room: Room, seat: int, level: str, levels: Sequence[str], at: Millis) -> Change | Refusal:
    """Puts a bot in a free seat, or changes its level."""
    table = room.table
    if not _is_open(table):
        return Refusal("NOT_NOW", "GEN-7")
    if seat >= len(table.seats):
        return Refusal("NO_SUCH_SEAT", "GEN-1")
    if level not in levels:
        return Refusal("NO_SUCH_LEVEL", "GEN-7")
    state = table.seats[seat]
    if state.person is not None:
        return Refusal("SEAT_TAKEN", "GEN-13")
    colour = state.colour if state.bot else _free_colour(table, seat)
    bot = SeatState(colour=colour, bot=level, ready=True, seat_generation=state.seat_generation + 1)
    lines = () if state.bot else (_line("bot_added", seat=seat),)
    return _change(room, at, *lines, seats=replace_at(table.seats, seat, bot))


def free_seat(room: Room, seat: int, at: Millis, *, by_host: bool) -> Change | Refusal:
    """Frees the seat of a person who leaves or is removed; in play, a bot takes it over for good (GEN-7)."""
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
    if table.status == "waiting":
        key = "bot_removed" if state.bot else "removed" if by_host else "stood_up"
        next_state = SeatState(seat_generation=state.seat_generation + 1)
    else:
        key = "removed" if by_host else "left"
        next_state = replace(state, person=None, substitute=True, seat_generation=state.seat_generation + 1)
    seats = replace_at(table.seats, seat, next_state)
    host = table.host
    if state.person is not None and host == state.person:
        host = next((other.person for other in seats if other.person is not None), None)
    lines = [_line(key, name=name_of(table, seat), seat=seat)]
    after = table
    if state.person is not None:
        after = (admission.bar if by_host else admission.admit)(table, state.person)
        if by_host:
            lines += _admission_line(table)
            after = replace(after, admission=True)
        if host is None:  # nobody is left who could admit anyone
            after = replace(after, admission=False)
    room = replace(room, table=after, counts=_detach(room.counts, seat))
    change = _change(room, at, *lines, seats=seats, host=host)
    return replace(change, note_moves=((seat, None),))


def _detach(counts: Counts, seat: int) -> Counts:
    """Ends the seat's sessions: none of its client instances can repeat a command any more."""
    return replace(counts, sessions=replace_at(counts.sessions, seat, ()))


def swap(room: Room, a: int, b: int, at: Millis) -> Change | Refusal:
    table = room.table
    if not _is_open(table):
        return Refusal("NOT_NOW", "GEN-1")
    if a == b or a >= len(table.seats) or b >= len(table.seats):
        return Refusal("NO_SUCH_SEAT", "GEN-1")
    top = max(table.seats[a].seat_generation, table.seats[b].seat_generation) + 1
    new_a, new_b = replace(table.seats[b], seat_generation=top), replace(table.seats[a], seat_generation=top)
    seats = replace_at(replace_at(table.seats, a, new_a), b, new_b)
    room = replace(room, counts=_detach(_detach(room.counts, a), b))
    change = _change(room, at, _line("swapped", a=a, b=b), seats=seats)
    return replace(change, note_moves=((a, b), (b, a)))


def _is_open(table: Table) -> bool:
    """Whether its seats may change: before the start, and while no salts are being revealed for it."""
    return table.status == "waiting" and table.exchange is None


def start(
    rules: Rules, room: Room, level: str, at: Millis, absent: Collection[Seat] = ()
) -> Change | Refusal:
    """Starts the game, or first the exchange of salts: bots of this level fill the free seats.

    Seats whose person is `absent`, or has fixed no salt, take no part in the exchange. If nobody does, the
    game starts at once.
    """
    table = room.table
    if not _is_open(table):
        return Refusal("NOT_NOW", "GEN-1")
    seats: tuple[SeatState, ...] = ()
    for seat in table.seats:
        if seat.person is None and seat.bot is None:
            filled = replace(table, seats=(*seats, *table.seats[len(seats) :]))
            bot_colour = _free_colour(filled, len(seats))
            seat = SeatState(
                colour=bot_colour, bot=level, ready=True, seat_generation=seat.seat_generation + 1
            )
        seats = (*seats, seat)
    hashes = tuple(NO_SALT if i in absent else seat.salt_hash for i, seat in enumerate(seats))
    return _seed(rules, room, replace(table, seats=seats), seeding.begin(hashes), at)


def reveal_salt(rules: Rules, room: Room, seat: Seat, act: m.RevealSalt, at: Millis) -> Change | Refusal:
    """Reveals a seat's salt; the last one starts the game."""
    exchange = room.table.exchange
    if exchange is None:
        return Refusal("NOT_NOW", "G7.3")
    revealed = seeding.reveal(exchange, seat, act.salt, act.next_hash)
    return revealed if isinstance(revealed, Refusal) else _seed(rules, room, room.table, revealed, at)


def repeat_start(rules: Rules, room: Room, seed: bytes, at: Millis) -> Change | Refusal:
    """Begins the exchange again, without the seats that did not reveal their salts.

    `seed` is a fresh one. If no other seat takes part, the game starts.
    """
    table, exchange = room.table, room.table.exchange
    if exchange is None:
        return Refusal("NOT_NOW", "G7.3")
    silent = [_line("silent", name=name_of(table, seat), seat=seat) for seat in exchange.silent_seats]
    table = replace(table, seed=seed, restarts=table.restarts + 1)
    return _seed(rules, room, table, seeding.begin_again(exchange), at, *silent)


def _seed(
    rules: Rules, room: Room, table: Table, exchange: Exchange | None, at: Millis, *lines: LogLine
) -> Change:
    """Waits for the salts still to be revealed, or starts the game with those that are there."""
    if exchange is not None and exchange.silent_seats:
        return _change(replace(room, table=replace(table, exchange=exchange)), at, *lines)
    salts = (NO_SALT,) * len(table.seats) if exchange is None else exchange.salts
    secret = game_seed(table.seed, salts)
    dice = Dice(secret, 0)
    options = msgspec.convert(table.options, rules.Options)
    step = rules.setup(len(table.seats), options, at, dice)
    table = replace(table, status="running", exchange=None, salts=salts, game_seed=secret)
    table = replace(table, players=list_players(table), name_keys=())
    start_change = _change(replace(room, table=table), at, *lines, _line("started"))
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


def pause(room: Room, why: str, at: Millis) -> Change | Refusal:
    """Stops table time: for the host, because nobody is connected, or because the rules failed."""
    if room.table.status != "running":
        return Refusal("NOT_NOW", "GEN-6")
    key = "paused" if why == "host" else f"paused_{why}"
    return _change(room, at, _line(key), status="paused", paused_for=why)


def resume(room: Room, at: Millis) -> Change | Refusal:
    if room.table.status != "paused":
        return Refusal("NOT_NOW", "GEN-6")
    return _change(room, at, _line("resumed"), status="running", paused_for=None)


def stand_in(room: Room, seat: Seat, at: Millis) -> Change | Refusal:
    """Lets a substitute play for the person in a seat until they take the seat back (GEN-7)."""
    table = room.table
    state = table.seats[seat]
    if table.status not in ("running", "paused") or state.bot is not None or state.substitute:
        return Refusal("NOT_NOW", "GEN-7")
    line = _line("stands_in", name=name_of(table, seat), seat=seat)
    return _change(room, at, line, seats=replace_at(table.seats, seat, replace(state, substitute=True)))


# --- talk and notes ---


def talk_policy(rules: Rules, room: Room, seat: Seat | None) -> TalkPolicy:
    """The talk policy for a seat: the rules decide while the game runs. Watchers have their own channel."""
    if seat is None or room.position is None or isinstance(room.position.prompts, Outcome):
        return OPEN_TALK
    return rules.talk_policy(room.position.state, seat)


def say(rules: Rules, room: Room, seat: Seat, request: m.Say, at: Millis) -> Change | Refusal:
    """Adds a seat's message to the table's talk: its own words, or one of the game's phrases."""
    if request.channel != "table" or (request.text is None) == (request.phrase is None):
        return Refusal("BAD_MOVE", "GEN-12")
    policy = talk_policy(rules, room, seat)
    if policy.mode == "closed":
        return Refusal("TALK_CLOSED", "GEN-12")
    if request.phrase is not None and request.phrase not in policy.phrases:
        return Refusal("NO_SUCH_PHRASE", "GEN-12")
    if request.text is not None and policy.mode == "phrases":
        return Refusal("PHRASES_ONLY", "GEN-12")
    if request.to is not None:
        if not policy.whispers:
            return Refusal("WHISPERS_OFF", "GEN-9")
        if request.to == seat or request.to >= len(room.table.seats):
            return Refusal("NO_SUCH_SEAT", "GEN-1")
    text = None if request.text is None else clean_talk(request.text)
    if request.text is not None and text is None:
        return Refusal("NOTHING_SAID", "GEN-12")
    message = m.TalkMessage(
        channel="table",
        name=name_of(room.table, seat),
        at=at,
        seat=seat,
        to=request.to,
        text=text,
        phrase=request.phrase,
    )
    return Change(room, talk=(message,))


def note(rules: Rules, room: Room, seat: Seat, text: str) -> Change | Refusal:
    """Replaces a seat's notebook."""
    if talk_policy(rules, room, seat).notes_locked:
        return Refusal("NOTES_LOCKED", "GEN-9")
    if len(text.encode()) > m.MOST_NOTES:
        return Refusal("TOO_LONG", "GEN-9")
    return Change(room, note=(seat, text))
