"""A room as one frozen value, and the two events in its game: a move, and a window's end.

A `Room` is a `Table` (who sits where, options, status: changes rarely), `Counts` (numbers that grow with
every command) and a `Position` (the game's state with its open prompts and windows). Functions take a room
and return a `Change`, or a `Refusal`, which leaves it unchanged. Actions on the table are in actions.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from games.api import (
    Audience,
    Game,
    LogLine,
    Millis,
    NewPromise,
    Outcome,
    Promise,
    Prompt,
    PromptId,
    Refusal,
    Running,
    Seat,
    Section,
    Step,
    Window,
    WindowId,
)
from games.dice import Dice
from games.kit import offers
from games.kit.moves import convert_move
from games.kit.promises import (
    audience,
    judge,
    list_open,
    name_as_logged,
    name_promise,
    report_making,
    view_public,
)
from games.kit.tuples import replace_at
from hub.table import exactly_once
from hub.table.exactly_once import Sessions
from hub.table.replay import Crossing, LogEntry, Replay, ReplayConfig, ReplayError, convert_state
from hub.table.salt_exchange import Exchange
from hub.table.votes import Vote
from hub.wire.messages import Grace, TalkMessage, WatchDelay

Status: TypeAlias = Literal["waiting", "running", "paused", "finished"]
Rules: TypeAlias = Game[Any, Any, Any]

SCHEMA = 1
NEVER: Final = Millis(2**53)
"""Later than any window's end."""
NO_RESULT: Final = Outcome((), ())
"""Stands for the outcome of a game that its table has ended early. It is never shown."""


class UsedGrace(Struct, frozen=True, array_like=True):
    """How many milliseconds of its grace a seat had used at table time `at` (hub/table/absence.py)."""

    used: int
    at: int


class SeatState(Struct, frozen=True, array_like=True):
    """One seat. `seat_generation` increases whenever the seat changes hands, which voids older tickets."""

    person: str | None = None
    name: str | None = None
    colour: int = 0
    bot: str | None = None
    substitute: bool = False
    ready: bool = False
    salt_hash: str = ""
    seat_generation: int = 0
    arrival: int = 0
    """The person's place in the order in which the people in the seats arrived, from 1."""
    offered: bool = False
    """Whether its person lets somebody take it over while they are away and a bot plays (GEN-13)."""
    held: bool = False
    """Whether it is kept, until the start, for a person of the previous table who has not come yet."""
    asked: bool = False
    """Whether its person asked for the substitute."""
    used_grace: UsedGrace | None = None
    character: str | None = None
    """The key of the character as which its own bot plays (games/kit/characters.py)."""

    @property
    def is_played_by_bot(self) -> bool:
        """Whether a bot plays it, in its own seat or as a substitute."""
        return self.bot is not None or self.substitute


class Player(Struct, frozen=True, array_like=True):
    """The holder of a seat when the game began, for its record, even if they have left since.

    `person` is None for a bot. To forget a person, set `person`, `name` and `name_key` to None: without its
    key, the hash of a name (hub/table/records.py) reveals nothing about it.
    """

    person: str | None
    name: str | None
    name_key: bytes | None
    name_hash: str


class Latecomer(Struct, frozen=True, array_like=True):
    """Somebody who took over a seat during the game, at a table time, after this many entries of the log."""

    seat: int
    at: int
    entries: int
    player: Player


class Rematch(Struct, frozen=True, array_like=True):
    """The next table of the people at a finished one, as whoever pressed first chose it.

    `room` and `code` are the next table's, `host` and `host_name` are as in `Table`, and `pressed` has the
    ids of the people who want to play again, first to last. `rotated`: everybody moves up one seat, and the
    first is last.
    """

    room: str
    code: str
    game: str
    options: Mapping[str, Any]
    host: str | None
    rotated: bool
    pressed: tuple[str, ...] = ()
    host_name: str | None = None


class Table(Struct, frozen=True):
    """Everything about a table except its game. `host` is a person's id; `seed` is secret until the end.

    `exchange` is the one under way before the start, and `restarts` counts how often it had to be repeated.
    `name_keys` are the keys for the hashes of names, one for each seat; once the game has begun, `players`
    have them.
    """

    room: str
    code: str
    game: str
    version: int
    options: Mapping[str, Any]
    open: bool
    seats: tuple[SeatState, ...]
    host: str | None
    seed: bytes
    locked: bool = False
    watching: bool = True
    hears_watchers: bool = False
    """Whether watchers may talk to the table, as the host chose before the start (hub/table/speech.py)."""
    status: Status = "waiting"
    paused_for: Literal["host", "vote", "empty", "fault"] | None = None
    game_seed: bytes = b""
    exchange: Exchange | None = None
    restarts: int = 0
    salts: tuple[str, ...] = ()
    name_keys: tuple[bytes, ...] = ()
    players: tuple[Player, ...] = ()
    admission: bool = False
    """Whether the host admits newcomers one by one (hub/table/admission.py)."""
    admitted: tuple[str, ...] = ()
    """Ids of people whom the host admitted."""
    barred: tuple[str, ...] = ()
    """Ids of people whom the host or a vote removed, and whom the host refused."""
    takes_latecomers: bool = False
    """Whether people may take over seats that bots play (hub/table/latecomers.py)."""
    latecomers: tuple[Latecomer, ...] = ()
    """Who took over which seat, in order."""
    previous: str | None = None
    """The id of the finished room whose people play again here (hub/table/rematch.py)."""
    rematch: Rematch | None = None
    """Once the game is over and somebody wants to play again: the next table."""
    grace: Grace = "1min"
    """How long a seat waits for a person who is not connected (hub/table/absence.py)."""
    vote: Vote | None = None
    """The vote that is running."""
    votes: int = 0
    """How many votes were called."""
    abandoned: bool = False
    """Whether the table has ended the game early (R20, R22), so that it has no result."""
    skipping: bool = False
    """Whether bots play without waiting, as somebody who is out has asked (hub/table/skipping.py)."""
    watch_delay: WatchDelay = "none"
    """How late people without a seat see the game (hub/table/watch_delay.py)."""
    past: tuple[PastTable, ...] = ()
    """Earlier values of this table that they may still have to see, oldest first."""
    host_name: str | None = None
    """The name of a host who has no seat (hub/table/seating.py, `host_place`); otherwise None."""
    lesson: int | None = None
    """How many steps of the game's lesson are done; None if this is no lesson (hub/table/lessons.py)."""
    former_hosts: tuple[str, ...] = ()
    """Ids of people who hosted the game without a seat while its watchers saw it late."""
    crossings: tuple[Crossing, ...] = ()
    """Where the game went on under newer rules; `version` is that of the last ones."""
    outdated: bool = False
    """Whether the game has ended because no hub could go on with it (hub/table/outdated.py)."""
    schema: int = SCHEMA


class PastTable(Struct, frozen=True, array_like=True):
    """A table as it was until a commit replaced it.

    That was at `wall` milliseconds since 1970 and at table time `at`; the room then had counted `entries` log
    entries and `lines` public lines (`Counts`). `table` itself has no past.
    """

    table: Table
    wall: int
    at: int
    entries: int
    lines: int


class Counts(Struct, frozen=True, array_like=True, gc=False):
    """Growing counts: dice draws, log entries, lines (public ones, and those for each seat), sessions.

    `attached` is the number of each seat's latest session. Like `sessions`, it has one more place, for a host
    without a seat.
    """

    draws: int
    entries: int
    lines: int
    own_lines: tuple[int, ...]
    attached: tuple[int, ...]
    sessions: tuple[Sessions, ...]


class Position(Struct, frozen=True, gc=False):
    """A state of the game with everything derived from it. `end` is when the first of its windows ends."""

    state: Any
    prompts: tuple[Prompt, ...] | Outcome
    windows: tuple[Window, ...]
    end: Millis


class Room(Struct, frozen=True, gc=False):
    """`promises` are those made in the game, the oldest first."""

    table: Table
    counts: Counts
    position: Position | None
    promises: tuple[Promise, ...] = ()


class Logged(Struct, frozen=True, array_like=True, gc=False):
    """One entry of the room's log: the game's event (None: only the table changed), and the lines about it.

    `command` is the (session, n) of the client's command that caused it, if one did (G2).
    """

    entry: LogEntry | None
    lines: tuple[LogLine, ...]
    at: int
    command: tuple[int, int] | None = None


class Change(Struct, frozen=True, gc=False):
    """The effect of one command: the next room, and what to store with it."""

    room: Room
    logged: tuple[Logged, ...] = ()
    played: bool = False
    """Whether only the game advanced, so that replaying `logged` leads from the previous room to this one."""
    talk: tuple[TalkMessage, ...] = ()
    note: tuple[int, str] | None = None
    affected_seats: frozenset[Seat] | None = frozenset()
    """Seats whose private sections or choices may have changed; None: any seat's, and talk policies too."""
    note_moves: tuple[tuple[int, int | None], ...] = ()
    """Notes that move with a person: (seat, the seat whose notes it gets, or None for empty ones)."""
    repeated: bool = False
    """Whether the command was applied before (G2), so that nothing changes."""
    session: int = 0
    """The session assigned by `Attach` (hub/table/commands.py); 0 for other commands."""


def attach(room: Room, seat: Seat, session: int | None) -> tuple[Room, int]:
    """The room with a session attached to a seat, and its number; the same room if `session` is known.

    A new number differs from the one that was asked for, which may be another seat's: a client that has
    moved would otherwise take its unanswered commands for known ones, and they would be applied twice (G2).
    """
    counts = room.counts
    if session is not None and exactly_once.is_known(counts.sessions[seat], session):
        return room, session
    asked, session = session, counts.attached[seat] + 1
    if session == asked:
        session += 1
    counts = replace(
        counts,
        attached=replace_at(counts.attached, seat, session),
        sessions=replace_at(counts.sessions, seat, exactly_once.begin(counts.sessions[seat], session)),
    )
    return replace(room, counts=counts), session


def remember(sessions: tuple[Sessions, ...], seat: int, session: int, n: int) -> tuple[Sessions, ...]:
    """The sessions of all seats once this seat's command (session, n) is applied (G2)."""
    return replace_at(sessions, seat, exactly_once.mark_applied(sessions[seat], session, n))


def list_playing_people(table: Table, out_seats: frozenset[Seat]) -> tuple[Seat, ...]:
    """The seats of people whose play is not over, including those for whom a bot plays at present."""
    return tuple(
        Seat(i) for i, seat in enumerate(table.seats) if seat.person is not None and i not in out_seats
    )


# --- the game ---


def position_of(rules: Rules, state: Any) -> Position:
    windows = rules.windows(state)
    end = NEVER
    for window in windows:
        if isinstance(window.clock, Running) and window.clock.end < end:
            end = window.clock.end
    return Position(state, rules.prompts(state), windows, end)


def abandon(position: Position) -> Position:
    """The last position of a game that its table has ended early: nothing is asked, and no clock runs."""
    return Position(position.state, NO_RESULT, (), NEVER)


def move_of(rules: Rules, raw: Mapping[str, Any]) -> Any:
    """A move as a client sends it. Raises msgspec.ValidationError."""
    return convert_move(raw, rules.Move)


def count_lines(
    counts: Counts,
    lines: tuple[LogLine, ...],
    draws: int,
    entries: int,
    sessions: tuple[Sessions, ...],
) -> Counts:
    """The counts after these lines, with the dice at `draws` and the log at `entries`."""
    public = counts.lines
    own_lines = counts.own_lines
    for line in lines:
        if line.to is None:
            public += 1
        else:
            for seat in line.to:
                own_lines = replace_at(own_lines, seat, own_lines[seat] + 1)
    return Counts(draws, entries, public, own_lines, counts.attached, sessions)


def apply_step(
    rules: Rules,
    room: Room,
    step: Step[Any],
    entry: LogEntry,
    draws: int,
    command: tuple[int, int] | None = None,
    logged_lines: Sequence[LogLine] | None = None,
) -> Change:
    """The change that a step of the game makes; `command` is the client's (session, n), if any.

    `logged_lines`: in a replay, what was logged about it (`games.kit.promises.judge`).
    """
    before, table, counts = room.position, room.table, room.counts
    affected_seats = step.affected_seats
    promises, lines = room.promises, step.lines
    if before is None or affected_seats is None:
        position = position_of(rules, step.state)
        if isinstance(position.prompts, Outcome):
            table = replace(table, status="finished", paused_for=None, skipping=False)
        elif table.skipping and list_playing_people(table, rules.out_seats(step.state)):
            table = replace(table, skipping=False)
    else:  # prompts and windows stay the same (games/api.py, `Step`)
        position = Position(step.state, before.prompts, before.windows, before.end)
    sessions = counts.sessions
    if command is not None and entry.seat is not None:
        sessions = remember(sessions, entry.seat, *command)
    if before is not None and promises:
        over = isinstance(position.prompts, Outcome)
        promises, reports = judge(
            rules,
            promises,
            before.state,
            step,
            over=over,
            is_substituted=partial(is_substituted, entry),
            has_left=partial(has_left, room),
            find_audience=partial(find_audience, room),
            logged_lines=logged_lines,
        )
        if position.prompts is not before.prompts:
            promises = _note_substitutes_offers(promises, entry, _list_offers(before), _list_offers(position))
        lines += reports
    counts = count_lines(counts, lines, draws, counts.entries + 1, sessions)
    logged = (Logged(entry, lines, entry.at, command),)
    played = before is not None and table is room.table
    return Change(Room(table, counts, position, promises), logged, played, affected_seats=affected_seats)


def list_substitutes(room: Room, mover: Seat | None = None, prompt: str | None = None) -> tuple[int, ...]:
    """The seats of people with open promises for which a bot acts: each entry of the log names them.

    A bot acts for a seat that it plays; but when another one, the `mover`, answers an offer of the seat's,
    it is whoever made that offer who has acted.
    """
    if not room.promises:  # nearly always: this is part of every move
        return ()
    answered_offer = _find_offer(room, prompt)

    def is_by_bot(seat: Seat) -> bool:
        if answered_offer is not None and seat != mover and seat in answered_offer.seats:
            return any(
                answered_offer.id in promise.offers_by_substitute
                for promise in list_open(room.promises, seat)
            )
        return room.table.seats[seat].is_played_by_bot

    makers = {promise.by for promise in room.promises if promise.judgement is None and not promise.bot}
    return tuple(sorted(filter(is_by_bot, makers)))


def list_excused(room: Room) -> tuple[int, ...]:
    """Those of `list_substitutes` whose substitute has already done something about a promise.

    Where the clock acts, no bot does: whoever hands over just before a window ends still answers for what
    they promised (R30).
    """
    excused = {promise.by for promise in room.promises if promise.judgement is None and promise.excused}
    return tuple(seat for seat in list_substitutes(room) if seat in excused)


def is_substituted(entry: LogEntry, promise: Promise) -> bool:
    """Whether a bot plays in the place of a promise's maker at this entry of the log.

    It depends on the entry alone, so whoever replays the log judges like whoever wrote it.
    """
    return promise.by in entry.substitutes and not promise.bot


def _find_offer(room: Room, prompt_id: str | None) -> Prompt | None:
    """The open offer with this id."""
    position = room.position
    if prompt_id is None or position is None or isinstance(position.prompts, Outcome):
        return None
    return next(
        (prompt for prompt in position.prompts if prompt.kind == offers.KIND and prompt.id == prompt_id), None
    )


def _list_offers(position: Position) -> frozenset[PromptId]:
    """The open offers between seats."""
    prompts = () if isinstance(position.prompts, Outcome) else position.prompts
    return frozenset(prompt.id for prompt in prompts if prompt.kind == offers.KIND)


def _note_substitutes_offers(
    promises: tuple[Promise, ...], entry: LogEntry, before: frozenset[PromptId], after: frozenset[PromptId]
) -> tuple[Promise, ...]:
    """Notes for each open promise which open offers of its seat a substitute has made since."""
    if not before and not after:
        return promises

    def note(promise: Promise) -> Promise:
        if promise.judgement is not None:
            return promise
        offered = after - before if entry.seat == promise.by and is_substituted(entry, promise) else ()
        noted = tuple(sorted({*promise.offers_by_substitute, *offered} & after))
        return (
            promise if noted == promise.offers_by_substitute else replace(promise, offers_by_substitute=noted)
        )

    return tuple(map(note, promises))


def has_left(room: Room, promise: Promise) -> bool:
    """Whether somebody else has taken the seat of a promise's maker since."""
    return has_changed_hands(room, promise, promise.by)


def has_changed_hands(room: Room, promise: Promise, seat: int) -> bool:
    """Whether a latecomer has taken this seat since the promise was made."""
    played = room.counts.entries
    return any(late.seat == seat and promise.entry < late.entries <= played for late in room.table.latecomers)


def list_holders_promises(room: Room, seat: Seat) -> list[Promise]:
    """The promises that the present holder of a seat has made."""
    promises = (promise for promise in room.promises if promise.by == seat)
    return [promise for promise in promises if not has_changed_hands(room, promise, seat)]


def count_latecomers(room: Room, seats: Iterable[int]) -> int:
    """How often these seats have been taken over so far: everybody knows that."""
    played, counted_seats = room.counts.entries, frozenset(seats)
    return sum(late.seat in counted_seats and late.entries <= played for late in room.table.latecomers)


def find_audience(room: Room, promise: Promise) -> Audience:
    """Who may know of a promise by now: of a private one, only people who held its seats when it was made."""
    seats = audience(promise)
    if seats is None:
        return None
    return frozenset(seat for seat in seats if not has_changed_hands(room, promise, seat))


def add_promise(
    rules: Rules,
    room: Room,
    entry: LogEntry,
    command: tuple[int, int] | None = None,
    logged_lines: Sequence[LogLine] | None = None,
) -> Change:
    """The change that a promise makes; `command` and `logged_lines` as in `apply_step`."""
    assert entry.seat is not None
    assert room.position is not None
    assert rules.promises is not None
    counts, seat = room.counts, Seat(entry.seat)
    new_promise = msgspec.convert(entry.move, NewPromise)
    promise = new_promise.promise("", seat, Millis(entry.at), counts.entries)
    concerned = (seat, *promise.to) if promise.private else (seat,)
    earlier = [
        other
        for other in room.promises
        if not any(has_changed_hands(room, other, concerned_seat) for concerned_seat in concerned)
    ]
    completed = rules.promises.complete(promise, view_public(rules, room.position.state))
    holders = count_latecomers(room, concerned)
    if logged_lines is None:
        promise = name_promise(completed, earlier, holders)
    else:
        promise = name_as_logged(promise, completed, earlier, holders, logged_lines)
    lines = (report_making(promise),)
    sessions = counts.sessions if command is None else remember(counts.sessions, seat, *command)
    counts = count_lines(counts, lines, counts.draws, counts.entries + 1, sessions)
    logged = (Logged(entry, lines, entry.at, command),)
    promises = (*room.promises, promise)
    return Change(Room(room.table, counts, room.position, promises), logged, played=True)


def is_prompt_open(room: Room, seat: Seat, prompt: str) -> bool:
    position = room.position
    if position is None or isinstance(position.prompts, Outcome):
        return False
    for candidate in position.prompts:
        if candidate.id == prompt:
            return seat in candidate.seats
    return False


def _legal(
    rules: Rules, room: Room, seat: Seat, prompt: str, raw: Mapping[str, Any], at: Millis
) -> tuple[Position, Any] | Refusal:
    """The position and the move as the rules' own type, or why the move is not allowed."""
    position = room.position
    if position is None or not is_prompt_open(room, seat, prompt):
        return Refusal("STALE_PROMPT", "GEN-4")
    try:
        parsed_move = move_of(rules, raw)
    except msgspec.ValidationError:
        return Refusal("BAD_MOVE", "GEN-3")
    return rules.check(position.state, seat, PromptId(prompt), parsed_move, at) or (position, parsed_move)


def move(
    rules: Rules,
    room: Room,
    seat: Seat,
    prompt: str,
    raw: Mapping[str, Any],
    at: Millis,
    command: tuple[int, int] | None = None,
) -> Change | Refusal:
    """A seat's move in answer to a prompt; `command` as in `apply_step`. Raises only what the rules raise."""
    legal = _legal(rules, room, seat, prompt, raw, at)
    if isinstance(legal, Refusal):
        return legal
    position, legal_move = legal
    dice = Dice(room.table.game_seed, room.counts.draws)
    step = rules.apply(position.state, seat, PromptId(prompt), legal_move, at, dice)
    entry = LogEntry("move", seat, prompt, raw, None, at, list_substitutes(room, seat, prompt))
    return apply_step(rules, room, step, entry, dice.counter, command)


class Forecast(Struct, frozen=True):
    """The effect a move would have: the game's preview, and the ids of the seat's promises it would break."""

    section: Section | None
    breaks: tuple[str, ...] = ()


def preview(
    rules: Rules, room: Room, seat: Seat, prompt: str, raw: Mapping[str, Any], at: Millis
) -> Forecast | Refusal:
    """The effect a move would have, limited to what its seat is allowed to know. Changes nothing."""
    legal = _legal(rules, room, seat, prompt, raw, at)
    if isinstance(legal, Refusal):
        return legal
    position, legal_move = legal
    section = rules.preview(position.state, seat, legal_move)
    promises = list_holders_promises(room, seat)
    breaks = list_broken(rules, promises, position.state, seat, PromptId(prompt), legal_move, at)
    if section is None and not breaks:
        return Refusal("NOTHING_TO_SHOW", "GEN-3")
    return Forecast(section, breaks)


def list_broken(
    rules: Rules,
    promises: Sequence[Promise],
    state: Any,
    seat: Seat,
    prompt: PromptId,
    move: Any,
    at: Millis,
) -> tuple[str, ...]:
    """The ids of the seat's own promises that a legal move would break, at once or once it is shown.

    The move is tried with everything redrawn that is hidden from the seat, and with dice that are not the
    game's. Promises are judged by what everybody sees: what comes of it tells the seat nothing new (G4).
    """
    binding = list_open(promises, seat)
    if not binding or rules.promises is None:
        return ()
    dice = Dice(b"preview")
    tried = rules.resample(state, seat, dice)
    view = view_public(rules, tried)
    step = rules.apply(tried, seat, prompt, move, at, dice)
    judged, _ = judge(rules, binding, tried, step, over=False)
    return tuple(
        promise.id
        for promise in judged
        if promise.judgement == "broken"
        or (promise.judgement is None and rules.promises.breaks(promise, move, view))
    )


def due(room: Room, at: Millis) -> Window | None:
    """The first window that has ended by `at`, ordered by (end, position among the windows) (G5)."""
    position = room.position
    if position is None or position.end > at or next_end(room) == NEVER:
        return None
    for window in position.windows:
        if isinstance(window.clock, Running) and window.clock.end == position.end:
            return window
    raise AssertionError("no window has the end that its position names")


def next_end(room: Room) -> Millis:
    """When the next window ends; `NEVER` if none will, as in a lesson."""
    position, table = room.position, room.table
    ends = position is not None and table.status == "running" and table.lesson is None
    return position.end if position is not None and ends else NEVER


def close_window(rules: Rules, room: Room, window: Window, absent: frozenset[Seat]) -> Change:
    """Ends a running window: extends it for an absent seat that has an extension (GEN-6), or expires it."""
    position = room.position
    assert position is not None
    assert isinstance(window.clock, Running)
    at = window.clock.end
    dice = Dice(room.table.game_seed, room.counts.draws)
    if window.extend is not None:
        for seat in sorted(absent & window.concerns):
            longer = rules.extension(position.state, seat, window.id)
            if longer is not None:
                step = rules.apply(position.state, seat, window.extend, longer, at, dice)
                raw = msgspec.to_builtins(longer)
                entry = LogEntry("extend", seat, window.extend, raw, window.id, at, list_substitutes(room))
                return apply_step(rules, room, step, entry, dice.counter)
    step = rules.expire(position.state, WindowId(window.id), at, dice)
    entry = LogEntry("expire", None, None, None, window.id, at, list_excused(room))
    return apply_step(rules, room, step, entry, dice.counter)


def play_on(rules: Rules, room: Room, logged: Iterable[Logged]) -> Room:
    """Replays the log after a snapshot; returns exactly the room that its last owner had (G7).

    Raises ValueError if these rules play the log differently, as another version's might. If the room has
    just crossed to them, older rules played this log, so it is also checked as strictly as a record. What was
    judged of promises stays.
    """
    tail = tuple(logged)
    checker = _begin_at_crossing(rules, room) if tail else None
    for record in tail:
        if record.entry is None or room.position is None:
            raise ValueError("the log has an entry without a game to apply it to")
        try:
            if checker is not None:
                checker.play(record.entry)
            change = _replay(rules, room, room.position.state, record.entry, record.command, record.lines)
        except Exception as error:
            raise ValueError("these rules cannot continue this game") from error
        if pack_logged(change.logged[0]) != pack_logged(record):
            raise ValueError("these rules describe an entry of the log differently")
        room = change.room
    return room


def _begin_at_crossing(rules: Rules, room: Room) -> Replay | None:
    """Replays what follows the crossing at which a room stands; None if it stands at none.

    A lesson has no record, and its windows do not end.
    """
    table = room.table
    if table.lesson is not None or not table.crossings or table.crossings[-1].entries != room.counts.entries:
        return None
    config = ReplayConfig(
        table.game, table.version, len(table.seats), table.options, table.seed, table.salts, table.restarts
    )
    return Replay(config, rules, table.crossings[-1])


def replay_entry(
    rules: Rules, room: Room, entry: LogEntry, logged_lines: Sequence[LogLine] | None = None
) -> Change:
    """The change that a log entry made, the setup included. Raises what the rules raise for another log.

    `logged_lines` as in `apply_step`; without them, these rules judge the promises.
    """
    if room.position is not None:
        return _replay(rules, room, room.position.state, entry, None, logged_lines)
    options = msgspec.convert(room.table.options, rules.Options)
    dice = Dice(room.table.game_seed, 0)
    step = rules.setup(len(room.table.seats), options, Millis(entry.at), dice)
    return apply_step(rules, room, step, entry, dice.counter)


def _replay(
    rules: Rules,
    room: Room,
    state: Any,
    entry: LogEntry,
    command: tuple[int, int] | None,
    logged_lines: Sequence[LogLine] | None,
) -> Change:
    """The change that a log entry made. Raises whatever the rules raise for an entry they do not know."""
    if entry.kind == "promise":
        return add_promise(rules, room, entry, command, logged_lines)
    at = Millis(entry.at)
    dice = Dice(room.table.game_seed, room.counts.draws)
    if entry.window is not None and entry.move is None:
        step = rules.expire(state, WindowId(entry.window), at, dice)
    else:
        assert entry.seat is not None
        assert entry.prompt is not None
        assert entry.move is not None
        step = rules.apply(
            state, Seat(entry.seat), PromptId(entry.prompt), move_of(rules, entry.move), at, dice
        )
    return apply_step(rules, room, step, entry, dice.counter, command, logged_lines)


# --- the room as bytes ---

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class StoredRoom(Struct, frozen=True, array_like=True):
    """A room as bytes. `state` is the game's, or nil before the start."""

    table: Table
    counts: Counts
    state: msgspec.Raw
    promises: tuple[Promise, ...] = ()


unpack_stored = msgspec.msgpack.Decoder(StoredRoom).decode
_HEAD: Final = b"\x94"
"""Begins an array of the four fields of a `StoredRoom`."""


class Snapshots:
    """Packs a room repeatedly; its table, which changes rarely, is encoded only when it has changed."""

    __slots__ = ("_packed", "_table")

    def __init__(self) -> None:
        self._table: Table | None = None
        self._packed = b""

    def pack(self, room: Room) -> bytes:
        if room.table is not self._table:
            self._table, self._packed = room.table, _encode(room.table)
        state = None if room.position is None else room.position.state
        return _HEAD + self._packed + _encode(room.counts) + _encode(state) + _encode(room.promises)


NO_STATE: Final = b"\xc0"
"""The state of a stored room before its game has begun: nil."""


def unpack_table(data: bytes) -> Table:
    """The table of a stored room, even if these rules cannot read its game."""
    return unpack_stored(data).table


def replace_stored_table(data: bytes, table: Table) -> bytes:
    """A stored room with another table; its counts and its game's state stay as they are."""
    return _encode(replace(unpack_stored(data), table=table))


class Outdated(ValueError):
    """The stored game has ended because no hub had rules that could go on with it."""


def unpack(data: bytes, registry: Mapping[str, Rules]) -> Room:
    """A stored room, converted to these rules if they are newer.

    Raises KeyError for an unknown game, ValueError for a state that cannot be read or converted.
    """
    stored = unpack_stored(data)
    table, counts, raw = stored.table, stored.counts, stored.state
    rules = registry[table.game]
    if table.outdated:
        raise Outdated(table.game)
    if bytes(raw) == NO_STATE:
        msgspec.convert(table.options, rules.Options)  # other rules may have had other options
        return Room(replace(table, version=rules.version), counts, None)
    if table.version > rules.version:
        raise ValueError(f"{table.game}: a table of rules version {table.version} needs those rules")
    if table.version == rules.version:
        state = msgspec.msgpack.decode(raw, type=rules.State)
    else:
        crossing = Crossing(table.version, counts.entries, counts.draws, bytes(raw))
        try:
            state = convert_state(rules, crossing)
        except ReplayError as error:
            raise ValueError(str(error)) from error
        table = replace(table, version=rules.version, crossings=(*table.crossings, crossing))
    position = position_of(rules, state)
    return Room(table, counts, abandon(position) if table.abandoned else position, stored.promises)


pack_logged = msgspec.msgpack.Encoder(order="deterministic").encode
unpack_logged = msgspec.msgpack.Decoder(Logged).decode
