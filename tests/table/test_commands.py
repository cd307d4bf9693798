"""A room's decisions, as a pure function without a store, sockets or a clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.api import Millis, Refusal, Remark, Seat, TalkPolicy
from hub.table import actions
from hub.table.absence import GRACE_MS
from hub.table.commands import (
    AddBot,
    Attach,
    BotMove,
    BotRemark,
    ClientCommand,
    Command,
    ResumeTable,
    Sit,
    StartGame,
    decide,
    expire,
)
from hub.table.exactly_once import VERDICTS
from hub.table.room import Change, Room, Snapshots
from hub.wire import messages as m
from tests.toy import Toy


class TalkingToy(Toy):
    """A toy in which everybody may talk and say one phrase."""

    def talk_policy(self, state: Any, seat: Seat | None) -> TalkPolicy:
        return TalkPolicy("open", phrases=("toy.hello",))


RULES: Any = TalkingToy()
LEVELS = ("easy", "hard")
ANN, BEA = Seat(0), Seat(1)
END = 1000
"""The end of the toy's only window if the game begins at 0."""
MINUTE = GRACE_MS["1min"]


def run(room: Room, command: Command, seat: Seat | None = None, at: int = 0) -> Change | Refusal:
    return decide(room, command, Millis(at), seat, RULES, LEVELS)


def done(result: Change | Refusal) -> Room:
    assert isinstance(result, Change), result
    return result.room


def code(result: Change | Refusal) -> str:
    assert isinstance(result, Refusal), result
    return result.code


def seated() -> Room:
    """A room with Ann, the host, and Bea, each with a client instance attached; the third seat is free."""
    room = actions.create(
        RULES, "r" * 22, "BCDFGH", 3, Toy.Options(), b"s" * 32, name_keys=[bytes(16)] * 3, open=True
    )
    for seat, name in ((ANN, "Ann"), (BEA, "Bea")):
        room = done(run(room, Sit(name.lower(), name, seat, seat)))
        room = done(run(room, Attach(seat, name.lower(), 1, None)))
    return room


def running() -> Room:
    """The same room with the game running and a bot in the third seat; the window ends at `END`."""
    return done(run(seated(), StartGame("easy")))


def guess(n: int = 0, number: int = 3, session: int = 1) -> m.Do:
    return m.Do(session, n, "guess", {"move": "guess", "number": number})


def manage(act: m.Act, n: int = 0) -> m.Manage:
    return m.Manage(1, n, act)


def say(n: int = 0, text: str = "hello") -> m.Say:
    return m.Say(1, n, "table", text)


def note(n: int = 0) -> m.Note:
    return m.Note(1, n, "mine")


# --- exactly once ---


@pytest.mark.parametrize(
    "command", [guess(), manage(m.Pause()), say(), note()], ids=lambda command: type(command).__name__
)
def test_a_command_sent_twice_is_applied_once(command: ClientCommand) -> None:
    """G2.1: repeating it changes nothing, and the answer is that it was applied."""
    first = run(running(), command, ANN)
    room = done(first)
    assert isinstance(first, Change)
    assert not first.repeated
    assert run(room, command, ANN) == Change(room, repeated=True)
    assert done(run(room, command, ANN)) is room


def test_a_refused_command_may_be_sent_again() -> None:
    """G2.1: only applied commands are remembered."""
    room = running()
    assert code(run(room, guess(number=99), ANN)) == "NOT_ON_THE_DIE"
    assert done(run(room, guess(), ANN)).position != room.position


def test_a_number_too_old_to_know() -> None:
    """G2.3"""
    room = done(run(running(), note(VERDICTS), ANN))
    assert run(room, note(0), ANN) == Refusal("TOO_OLD", "G2")
    assert run(room, guess(1, session=7), ANN) == Refusal("TOO_OLD", "G2")


def test_the_command_that_frees_a_seat_ends_its_sessions() -> None:
    """G2.2: the next person in the seat cannot repeat it."""
    room = done(run(seated(), manage(m.FreeSeat(seat=BEA)), BEA))
    assert room.counts.sessions[BEA] == ()
    assert code(run(room, manage(m.FreeSeat(seat=BEA)), BEA)) == "TOO_OLD"


# --- commands from seats ---


def test_a_move() -> None:
    """GEN-3, G2.1: the log entry says whose command it was."""
    change = run(running(), guess(4), ANN, at=7)
    assert isinstance(change, Change)
    (logged,) = change.logged
    assert (logged.at, logged.command) == (7, (1, 4))
    assert logged.entry is not None
    assert logged.entry.seat == ANN
    assert change.played


def test_moves_at_a_table_that_does_not_run() -> None:
    """GEN-6"""
    assert run(seated(), guess(), ANN) == Refusal("NOT_NOW", "GEN-6")
    paused = done(run(running(), manage(m.Pause()), ANN))
    assert run(paused, guess(1), ANN) == Refusal("PAUSED", "GEN-6")


def test_a_seat_whose_bot_plays() -> None:
    """GEN-7: its person has to take it back before moving."""
    room = done(run(running(), manage(m.StandIn()), BEA))
    assert run(room, guess(1), BEA) == Refusal("BOT_PLAYS", "GEN-7")
    room = done(run(room, manage(m.TakeBack(), 2), BEA))
    assert isinstance(run(room, guess(3), BEA), Change)


def test_only_the_host_manages_the_table() -> None:
    """GEN-13"""
    assert run(running(), manage(m.Pause()), BEA) == Refusal("NOT_HOST", "GEN-13")
    assert done(run(running(), manage(m.Pause()), ANN)).table.paused_for == "host"


def test_talk_and_notes() -> None:
    """GEN-9, GEN-12: they change nothing except the remembered commands."""
    room = running()
    spoken, noted = run(room, say(0, "well"), BEA, at=5), run(room, note(), BEA)
    assert isinstance(spoken, Change)
    assert isinstance(noted, Change)
    assert [(line.seat, line.text, line.at) for line in spoken.talk] == [(BEA, "well", 5)]
    assert noted.note == (BEA, "mine")
    for change in (spoken, noted):
        assert change.room.table is room.table
        assert change.room.position is room.position


def test_a_bug_in_the_rules_is_raised() -> None:
    """G8.7: the caller decides what to do about it."""

    class Broken(TalkingToy):
        def apply(self, *args: Any) -> Any:
            raise KeyError("7")

    rules: Any = Broken()
    with pytest.raises(KeyError):
        decide(running(), guess(), Millis(0), ANN, rules, LEVELS)


# --- commands from the hub itself ---


def test_a_client_instance_is_attached() -> None:
    """G2.2: a new one gets the next number; a known one keeps its number, which needs no commit."""
    room = seated()
    known = run(room, Attach(ANN, "ann", 1, 1))
    assert known == Change(room, session=1)
    assert done(known) is room
    another = run(room, Attach(ANN, "ann", 1, None))
    assert isinstance(another, Change)
    assert another.session == 2
    assert [session.number for session in another.room.counts.sessions[ANN]] == [1, 2]


@pytest.mark.parametrize(("asked", "number"), [(None, 2), (0, 2), (2, 3), (3, 2)])
def test_an_unknown_session_never_gets_the_number_it_asks_for(asked: int | None, number: int) -> None:
    """G2.2: it may be another seat's; its commands would count as new ones, and be applied twice."""
    attached = run(seated(), Attach(ANN, "ann", 1, asked))
    assert isinstance(attached, Change)
    assert attached.session == number


@pytest.mark.parametrize(
    "attach", [Attach(ANN, "bea", 1, None), Attach(ANN, "ann", 0, None), Attach(Seat(9), "ann", 1, None)]
)
def test_the_ticket_of_a_person_that_has_left(attach: Attach) -> None:
    """GEN-13"""
    assert run(seated(), attach) == Refusal("BAD_TICKET", "GEN-13")


def test_bots_are_seated_and_the_game_begins() -> None:
    room = done(run(seated(), AddBot(2, "hard")))
    assert room.table.seats[2].bot == "hard"
    room = done(run(room, StartGame("easy")))
    assert (room.table.status, room.table.seats[2].bot) == ("running", "hard")
    assert run(room, StartGame("easy")) == Refusal("NOT_NOW", "GEN-1")


def test_a_paused_table_resumes() -> None:
    """GEN-6"""
    paused = actions.pause(running(), "empty", Millis(0))
    assert isinstance(paused, Change)
    assert done(run(paused.room, ResumeTable())).table.status == "running"
    assert run(running(), ResumeTable()) == Refusal("NOT_NOW", "GEN-6")


MOVE = {"move": "guess", "number": 3}


def test_bots_move_for_their_seats() -> None:
    """GEN-7: they move for their own seats and those they stand in for, never for a person who plays."""
    room = running()
    assert isinstance(run(room, BotMove(Seat(2), "guess", MOVE)), Change)
    assert run(room, BotMove(BEA, "guess", MOVE)) == Refusal("NOT_NOW", "GEN-7")
    room = done(run(room, manage(m.StandIn()), BEA))
    moved = run(room, BotMove(BEA, "guess", MOVE))
    assert isinstance(moved, Change)
    assert moved.logged[0].command is None
    assert code(run(moved.room, BotMove(BEA, "guess", MOVE))) == "STALE_PROMPT"


def test_no_bot_moves_at_a_paused_table() -> None:
    """GEN-6"""
    paused = done(run(running(), manage(m.Pause()), ANN))
    assert run(paused, BotMove(Seat(2), "guess", MOVE)) == Refusal("NOT_NOW", "GEN-7")


def test_bots_say_phrases_of_the_game() -> None:
    """GEN-12"""
    change = run(running(), BotRemark(Seat(2), Remark("toy.hello")))
    assert isinstance(change, Change)
    assert [(line.seat, line.phrase) for line in change.talk] == [(2, "toy.hello")]
    assert code(run(running(), BotRemark(Seat(2), Remark("toy.other")))) == "NO_SUCH_PHRASE"


@pytest.mark.parametrize("act", [m.StandIn(), m.FreeSeat(seat=BEA)])
def test_a_bot_in_a_persons_seat_speaks_as_the_bot(act: m.Act) -> None:
    """GEN-12: nobody is told that Bea said it, whether she is away or has left."""
    change = run(done(run(running(), manage(act), BEA)), BotRemark(BEA, Remark("toy.hello")))
    assert isinstance(change, Change)
    assert [(line.name, line.bot) for line in change.talk] == [("Bot B", True)]
    said = run(running(), m.Say(session=1, n=1, channel="table", phrase="toy.hello"), BEA)
    assert isinstance(said, Change)
    assert [(line.name, line.bot) for line in said.talk] == [("Bea", False)]


# --- effects of time ---


def expire_all(room: Room, at: int, absences: dict[Seat, Millis]) -> list[Change]:
    changes: list[Change] = []
    while (change := expire(room, Millis(at), absences, RULES)) is not None:
        changes.append(change)
        room = change.room
    return changes


def test_a_window_ends_at_its_end() -> None:
    """G5.2: it ends at exactly that millisecond, and only once."""
    room = running()
    assert expire(room, Millis(END - 1), {}, RULES) is None
    (change,) = expire_all(room, END + 500, {})
    assert [(logged.entry.kind, logged.at) for logged in change.logged if logged.entry] == [("expire", END)]
    assert change.room.table.status == "finished"


def test_nothing_ends_while_the_table_is_paused() -> None:
    """GEN-6"""
    paused = done(run(running(), manage(m.Pause()), ANN))
    assert expire(paused, Millis(10 * MINUTE), {BEA: Millis(0)}, RULES) is None


def test_a_window_is_extended_for_somebody_away() -> None:
    """GEN-6, G5.2: it is extended once; then it ends, even if they are still away."""
    extended, ended = expire_all(running(), 3 * END, {BEA: Millis(0)})
    for change, kind, at in ((extended, "extend", END), (ended, "expire", 2 * END)):
        (logged,) = change.logged
        assert logged.entry is not None
        assert (logged.entry.kind, logged.at) == (kind, at)


def test_no_window_is_extended_for_a_seat_whose_bot_plays() -> None:
    """GEN-7: this holds even while its person is away."""
    room = done(run(running(), manage(m.StandIn()), BEA))
    (ended,) = expire_all(room, 3 * END, {BEA: Millis(0)})
    assert ended.logged[0].entry is not None
    assert ended.logged[0].entry.kind == "expire"


def long_game() -> Room:
    """A room whose window ends long after the limit on absences."""
    room = running()
    assert room.position is not None
    late = Millis(10 * MINUTE)
    (window,) = room.position.windows
    window = replace(window, clock=replace(window.clock, end=late))
    return replace(room, position=replace(room.position, windows=(window,), end=late))


def test_bots_stand_in_for_those_away_for_too_long() -> None:
    """GEN-7: a bot stands in for each of them when that person's time is up."""
    room, absences = long_game(), {BEA: Millis(0), ANN: Millis(10)}
    assert expire(room, Millis(MINUTE - 1), absences, RULES) is None
    (change,) = expire_all(room, MINUTE, absences)
    assert [seat.substitute for seat in change.room.table.seats] == [False, True, False]
    first, second = expire_all(room, MINUTE + 10, absences)
    assert [line.key for ended in (first, second) for line in ended.logged[0].lines] == [
        "table.stands_in"
    ] * 2
    assert [seat.substitute for seat in second.room.table.seats] == [True, True, False]


def test_windows_end_before_bots_stand_in() -> None:
    """G5.2, GEN-7: if both are due at the same moment, an absent person's window is still extended."""
    room = long_game()
    assert room.position is not None
    (window,) = room.position.windows
    end = Millis(MINUTE)
    window = replace(window, clock=replace(window.clock, end=end))
    room = replace(room, position=replace(room.position, windows=(window,), end=end))
    first = expire(room, end, {BEA: Millis(0)}, RULES)
    assert first is not None
    assert first.logged[0].entry is not None
    assert first.logged[0].entry.kind == "extend"


# --- pure ---

commands: st.SearchStrategy[tuple[Seat | None, Command]] = st.one_of(
    st.tuples(
        st.sampled_from([ANN, BEA]),
        st.one_of(
            st.builds(guess, st.integers(0, 4), st.integers(0, 6)),
            st.builds(say, st.integers(0, 4)),
            st.builds(note, st.integers(0, 4)),
            st.builds(
                manage,
                st.sampled_from([m.Pause(), m.Resume(), m.StandIn(), m.TakeBack(), m.FreeSeat(seat=1)]),
                st.integers(0, 4),
            ),
        ),
    ),
    st.tuples(
        st.none(),
        st.one_of(
            st.just(ResumeTable()),
            st.just(StartGame("easy")),
            st.builds(BotMove, st.sampled_from([BEA, Seat(2)]), st.just("guess"), st.just(MOVE)),
            st.builds(Attach, st.sampled_from([ANN, BEA]), st.just("ann"), st.integers(0, 2), st.just(1)),
            st.builds(Sit, st.just("cy"), st.just("Cy"), st.just(4), st.integers(0, 3)),
        ),
    ),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(commands, max_size=12))
def test_the_same_command_at_the_same_room_decides_the_same(
    sequence: Sequence[tuple[Seat | None, Command]],
) -> None:
    """A command also leaves the given room unchanged."""
    room = running()
    for at, (seat, command) in enumerate(sequence):
        packed = Snapshots().pack(room)
        result = run(room, command, seat, at)
        assert run(room, command, seat, at) == result
        assert Snapshots().pack(room) == packed
        if isinstance(result, Change):
            room = result.room
