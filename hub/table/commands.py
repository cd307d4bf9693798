"""A room's decisions: `decide` for a command, `expire` for the effects of time alone.

Both are pure: a room and a table time in, a `Change` or a `Refusal` out. The actor (hub/runtime/actor.py)
applies the changes, commits them, and only then publishes them. An exception always comes from the rules and
is a bug.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from games.api import Millis, NewPromise, Refusal, Remark, Seat
from hub.table import (
    absence,
    actions,
    exactly_once,
    game_start,
    latecomers,
    lessons,
    promises,
    rematch,
    seating,
    speech,
    voting,
)
from hub.table.admission import is_unseated_host
from hub.table.room import Change, Rematch, Room, Rules, attach, close_window, due, move, remember
from hub.wire import messages as m

ClientCommand: TypeAlias = m.Do | m.Manage | m.Say | m.Note | m.MakePromise
CLIENT_COMMANDS: Final = (m.Do, m.Manage, m.Say, m.Note, m.MakePromise)
"""`ClientCommand` for isinstance, which is quicker with a tuple than with a union."""


class Sit(Struct, frozen=True):
    """A person takes a free seat, or moves to it; during the game, they take over a bot's.

    `name_key` is for a latecomer's name (hub/table/latecomers.py).
    """

    person: str
    name: str
    colour: int
    seat: int
    name_key: bytes = b""


class AddBot(Struct, frozen=True):
    """A bot takes a free seat at a new table."""

    seat: int
    level: str


class StartGame(Struct, frozen=True):
    """The game begins; bots of this level take the free seats."""

    level: str


class RepeatStart(Struct, frozen=True):
    """Repeats the exchange of salts with this fresh seed (32 bytes), because some were not revealed in
    time."""

    seed: bytes


class Attach(Struct, frozen=True):
    """A client instance follows its seat, or hosts without one; `session` is the number it got earlier, if it
    has one."""

    seat: Seat
    person: str
    seat_generation: int
    session: int | None


class ReplaceHost(Struct, frozen=True):
    """Somebody who is connected becomes host, because the host has not been for a while."""


class PressRematch(Struct, frozen=True):
    """A person at a finished table wants to play again (hub/table/rematch.py).

    `plan` is what they would play if nobody has pressed yet, `watchers` are the ids of people to admit there.
    """

    person: str
    plan: Rematch | None
    watchers: tuple[str, ...] = ()


class ChooseOtherCode(Struct, frozen=True):
    """The next table gets another code, because a table somewhere else already has this one."""

    code: str
    other: str


class EndAbsence(Struct, frozen=True):
    """A person who was disconnected since this table time is back."""

    seat: Seat
    since: Millis


class ResumeTable(Struct, frozen=True):
    """A table that was paused because nobody was connected continues."""


class SettleVote(Struct, frozen=True):
    """The running vote may be decided. `over`: the number of a vote whose time is up."""

    over: int | None = None


class WatcherSays(Struct, frozen=True):
    """A watcher talks to the table, under this name."""

    name: str
    say: m.Say


class BotMove(Struct, frozen=True):
    """A bot moves, in its own seat or as a substitute."""

    seat: Seat
    prompt: str
    move: Mapping[str, Any]


class BotPromise(Struct, frozen=True):
    """A bot in its own seat promises something."""

    seat: Seat
    promise: NewPromise


class BotRemark(Struct, frozen=True):
    """A bot says something: one of the game's remarks or phrases, perhaps about a promise.

    It is said only if the promise has been made: the hub may have refused that, as the table has moved on.
    """

    seat: Seat
    remark: Remark
    promise: NewPromise | None = None


InternalCommand: TypeAlias = (
    Sit
    | AddBot
    | StartGame
    | RepeatStart
    | Attach
    | EndAbsence
    | ReplaceHost
    | ResumeTable
    | SettleVote
    | BotMove
    | BotPromise
    | BotRemark
    | WatcherSays
    | PressRematch
    | ChooseOtherCode
)
"""Commands from the hub itself. Each arrives only once, so it needs no number."""
Command: TypeAlias = ClientCommand | InternalCommand


def decide(
    room: Room,
    command: Command,
    at: Millis,
    seat: Seat | None,
    rules: Rules,
    levels: Sequence[str],
    absent: Collection[Seat] = (),
) -> Change | Refusal:
    """The effect of a command received at table time `at`.

    `seat` is its sender: a seat, the place of a host without one (`seating.find_unseated_place`), or None
    for an internal command. `levels` are the levels of the game's bot, and `absent` the seats whose person
    is not connected.
    """
    match command:
        case m.Do() | m.Manage() | m.Say() | m.Note() | m.MakePromise():
            assert seat is not None
            return _decide_once(room, command, at, seat, rules, levels, absent)
        case BotMove():
            return _bot_move(room, command, at, rules)
        case Attach():
            return _attach(room, command)
        case BotRemark():
            if command.promise is not None and not promises.has_made(room, command.seat, command.promise):
                return Refusal("NOT_NOW", "R30")
            return speech.say_as_bot(rules, room, command.seat, command.remark, at)
        case BotPromise():
            if room.table.seats[command.seat].bot is None:  # a substitute promises nothing for its person
                return Refusal("NOT_NOW", "GEN-7")
            new_promise = replace(command.promise, bot=True)
            return promises.make(rules, room, command.seat, new_promise, at)
        case WatcherSays():
            return speech.say_as_watcher(rules, room, command.name, command.say, at)
        case Sit():
            return _sit(room, command, at, absent)
        case AddBot():
            return seating.add_bot(room, command.seat, command.level, levels, at)
        case StartGame():
            return game_start.start(rules, room, command.level, at, absent)
        case RepeatStart():
            return game_start.repeat_start(rules, room, command.seed, at)
        case ReplaceHost():
            return seating.replace_host(room, at, absent)
        case EndAbsence():
            return absence.end_absence(room, command.seat, command.since, at)
        case ResumeTable():
            return actions.resume(room, at)
        case PressRematch():
            return rematch.press(room, command.person, command.plan, command.watchers, at)
        case ChooseOtherCode():
            return rematch.choose_other_code(room, command.code, command.other, at)
        case SettleVote():
            return voting.settle(room, at, absent, command.over) or Change(room)
        case _:
            assert_never(command)


def _sit(room: Room, command: Sit, at: Millis, absent: Collection[Seat]) -> Change | Refusal:
    if room.table.status not in ("running", "paused"):
        return seating.sit(room, command.person, command.name, command.colour, command.seat, at)
    return latecomers.take_over(
        room,
        command.person,
        command.name,
        command.seat,
        at,
        name_key=command.name_key,
        absent=absent,
    )


def _decide_once(
    room: Room,
    command: ClientCommand,
    at: Millis,
    seat: Seat,
    rules: Rules,
    levels: Sequence[str],
    absent: Collection[Seat],
) -> Change | Refusal:
    """Decides what a client's command does; a repeated one changes nothing and gets the same answer (G2)."""
    seen = exactly_once.look_up(room.counts.sessions[seat], command.session, command.n)
    if seen != "new":
        return Change(room, repeated=True) if seen == "applied" else Refusal("TOO_OLD", "G2")
    is_seated = seat < len(room.table.seats)
    if not (is_seated or isinstance(command, m.Manage)):
        return Refusal("NOT_SEATED", "GEN-8")
    match command:
        case m.Do():
            if room.table.seats[seat].substitute:
                return Refusal("BOT_PLAYS", "GEN-7")
            if room.table.status != "running":
                return Refusal("PAUSED" if room.table.status == "paused" else "NOT_NOW", "GEN-6")
            if room.table.lesson is not None:
                return lessons.follow(rules, room, seat, command, at)
            return move(rules, room, seat, command.prompt, command.move, at, (command.session, command.n))
        case m.Manage():
            match command.act:
                case act if room.table.lesson is not None:
                    result = lessons.manage(rules, tuple(levels), room, seat, act, at)
                case m.CallVote() as act if is_seated:
                    result = voting.call(room, seat, act, at, absent)
                case m.Vote() as act if is_seated:
                    result = voting.take_vote(room, seat, act, at)
                case act:
                    result = actions.manage(rules, levels, room, seat, act, at, absent)
        case m.Say():
            result = speech.say(rules, room, seat, command, at)
        case m.Note():
            result = speech.note(rules, room, seat, command.text)
        case m.MakePromise():
            if room.table.seats[seat].substitute:
                return Refusal("BOT_PLAYS", "GEN-7")
            new_promise = NewPromise(
                command.kind,
                command.terms,
                tuple(map(Seat, command.to)),
                private=command.private,
                told=command.told,
            )
            return promises.make(rules, room, seat, new_promise, at, (command.session, command.n))
        case _:
            assert_never(command)
    return result if isinstance(result, Refusal) else _remember(result, command, seat)


def _remember(change: Change, command: ClientCommand, seat: Seat) -> Change:
    """The change with its command marked as applied, unless it ended the seat's sessions."""
    counts = change.room.counts
    if not exactly_once.is_known(counts.sessions[seat], command.session):
        return change
    sessions = remember(counts.sessions, seat, command.session, command.n)
    return replace(change, room=replace(change.room, counts=replace(counts, sessions=sessions)))


def _attach(room: Room, command: Attach) -> Change | Refusal:
    if command.seat == seating.find_unseated_place(room.table):
        if not is_unseated_host(room.table, command.person):
            return Refusal("BAD_TICKET", "GEN-13")
        attached, session = attach(room, command.seat, command.session)
        return Change(attached, session=session)
    if not seating.holds(room.table, command.seat, command.person, command.seat_generation):
        return Refusal("BAD_TICKET", "GEN-13")
    if room.table.seats[command.seat].held:
        room = seating.arrive(room, command.seat)
    attached, session = attach(room, command.seat, command.session)
    return Change(attached, session=session)


def _bot_move(room: Room, command: BotMove, at: Millis, rules: Rules) -> Change | Refusal:
    if room.table.status != "running" or not room.table.seats[command.seat].is_played_by_bot:
        return Refusal("NOT_NOW", "GEN-7")
    return move(rules, room, command.seat, command.prompt, command.move, at)


def expire(room: Room, at: Millis, absences: Mapping[Seat, Millis], rules: Rules) -> Change | None:
    """The first change that is due by `at` through time alone; None once there are no more.

    Windows end first, in order (G5); then substitutes play for the seats that have been away too long.
    `absences`: the seats of disconnected people, with the table time at which each absence began.
    """
    window = due(room, at)
    if window is not None:
        seats = room.table.seats
        absent = frozenset(seat for seat in absences if not seats[seat].substitute)
        return close_window(rules, room, window, absent)
    if absences and room.table.status == "running":
        for seat, since in absences.items():
            if at >= absence.stand_in_time(room.table, seat, since):
                result = absence.stand_in(room, seat, since, at)
                if isinstance(result, Change):
                    return result
    return None
