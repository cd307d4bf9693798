"""Promises at a table (R30): made, refused, judged, excused, kept private, replayed and recorded."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from games import GAMES
from games.api import (
    Millis,
    NewPromise,
    Observation,
    OneOf,
    Outcome,
    Range,
    Refusal,
    Remark,
    Seat,
    Step,
)
from games.kit.promises import MAX_OPEN, judge, max_made
from hub.table import actions, promises, table_change
from hub.table.advice import advise
from hub.table.commands import BotPromise, BotRemark, Sit, decide
from hub.table.promises import is_published, list_choices, list_seen
from hub.table.records import Verified, verify
from hub.table.replay import LogEntry, ReplayError
from hub.table.room import (
    Change,
    Forecast,
    Room,
    Snapshots,
    attach,
    close_window,
    due,
    move,
    next_end,
    pack_logged,
    play_on,
    preview,
    replay_entry,
    unpack,
    unpack_logged,
)
from hub.wire import messages as m
from tests.table.almost_rooms import LEVELS, RULES, act, done, lines, refused, running
from tests.whole_games import play as play_whole
from tests.whole_games import record_of

AT = Millis(100)
LATER = Millis(200)


def new(number: int, *to: int, kind: str = "bid", private: bool = False, told: bool = True) -> NewPromise:
    """A promise about this number in round 1."""
    return NewPromise(kind, {"number": number, "round": 1}, tuple(map(Seat, to)), private=private, told=told)


def make(room: Room, seat: int, promise: NewPromise) -> Change | Refusal:
    return promises.make(RULES, room, Seat(seat), promise, AT)


def play(room: Room, seat: int, prompt: str, **fields: Any) -> Change:
    result = move(RULES, room, Seat(seat), prompt, fields, LATER)
    assert isinstance(result, Change), result
    return result


def reveal(room: Room, *bids: int) -> Change:
    """Everybody is ready, and bids these numbers."""
    for seat in range(4):
        room = play(room, seat, "ready:1", move="ready").room
    change = Change(room)
    for seat, number in enumerate(bids):
        change = play(change.room, seat, "bid:1", move="lock", number=number)
    return change


def test_a_preview_tells_which_own_promises_a_move_would_break() -> None:
    """R30: also of a number that is shown only later; nothing of others' promises or kept ones."""
    room = running()
    for seat, promise in ((0, new(1, 1)), (0, new(9, kind="avoid")), (1, new(9))):
        change = make(room, seat, promise)
        assert isinstance(change, Change)
        room = change.room
    own = [promise.id for promise in room.promises if promise.by == 0]
    for seat in range(4):
        room = play(room, seat, "ready:1", move="ready").room
    for number, broken in ((1, []), (2, own[:1]), (9, own)):
        shown = preview(RULES, room, Seat(0), "bid:1", {"move": "lock", "number": number}, LATER)
        if broken:
            assert shown == Forecast(None, tuple(broken))
        else:
            assert isinstance(shown, Refusal)
            assert shown.code == "NOTHING_TO_SHOW"


@pytest.mark.parametrize("private", [True, False])
def test_a_latecomers_preview_tells_nothing_of_an_earlier_holders_promises(
    table: Room, private: bool
) -> None:
    """G4.12: which moves would break a private promise shows what it said."""
    room = change_hands(done(make(table, 1, new(7, 2, private=private, told=False))), 1)
    for seat in range(4):
        room = play(room, seat, "ready:1", move="ready").room
    shown = [
        preview(RULES, room, Seat(1), "bid:1", {"move": "lock", "number": n}, LATER) for n in range(1, 11)
    ]
    assert {one.code if isinstance(one, Refusal) else one for one in shown} == {"NOTHING_TO_SHOW"}


def judgements(room: Room) -> list[str | None]:
    return [promise.judgement for promise in room.promises]


def seen(room: Room, seat: int | None) -> list[str]:
    return [promise.id for promise in list_seen(room, None if seat is None else Seat(seat))]


@pytest.fixture
def table() -> Room:
    return running("ann", "bea", "cy", whispers=True)


def test_a_promise_is_made_and_judged_when_the_numbers_are_out(table: Room) -> None:
    made = make(table, 0, new(3))
    assert lines(made) == [("promise.made", {"seat": 0, "promise": done(made).promises[0].id})]
    room = done(make(done(made), 1, new(5, 0)))
    room = done(make(room, 1, new(4, kind="avoid")))
    change = reveal(room, 3, 4, 7, 8)
    assert judgements(change.room) == ["kept", "broken", "broken"]
    assert [key for key, _ in lines(change) if key.startswith("promise.")] == [
        "promise.kept",
        "promise.broken",
        "promise.broken",
    ]
    assert change.room.promises[1].cost == (3, 0, 0, 0), "what the move that broke it brought everybody"


def test_what_cannot_be_promised(table: Room) -> None:
    assert refused(make(table, 0, new(11))) == "NO_SUCH_PROMISE"
    assert refused(make(table, 0, NewPromise("bid", {"number": 3}))) == "NO_SUCH_PROMISE"
    assert refused(make(table, 0, NewPromise("bid", {"number": True, "round": 1}))) == "NO_SUCH_PROMISE"
    assert refused(make(table, 0, NewPromise("bid", {"number": "3", "round": 1}))) == "NO_SUCH_PROMISE"
    assert refused(make(table, 0, NewPromise("win", {}))) == "NO_SUCH_PROMISE"
    for to in ((0,), (4,), (2, 1), (1, 1)):
        assert refused(make(table, 0, new(3, *to))) == "NO_SUCH_SEAT"
    assert refused(make(table, 0, new(3, private=True))) == "BAD_MOVE"
    room = done(make(table, 0, new(3)))
    assert refused(make(room, 0, new(3))) == "PROMISED_ALREADY"
    assert refused(make(room, 0, new(3, 1))) == "PROMISED_ALREADY", "seat 1 has it already"
    for number in range(MAX_OPEN - 1):
        room = done(make(room, 0, new(4 + number, kind="avoid")))
    assert refused(make(room, 0, new(9, kind="avoid"))) == "TOO_MANY_OPEN"
    made = tuple(replace(room.promises[0], id=str(number), judgement="kept") for number in range(max_made(4)))
    assert refused(make(replace(room, promises=made), 0, new(9))) == "TOO_MANY_PROMISES"


def test_nobody_is_promised_the_same_thing_twice(table: Room) -> None:
    room = done(make(table, 0, new(3, 1, private=True)))
    for again in (new(3), new(3, 1), new(3, 1, 2), new(3, 1, 2, private=True)):
        assert refused(make(room, 0, again)) == "PROMISED_ALREADY"
    assert isinstance(make(room, 0, new(3, 2)), Change)


@pytest.mark.parametrize("private", [True, False])
def test_nobody_promises_what_they_could_not_keep_beside_an_open_promise(table: Room, private: bool) -> None:
    """R30: whoever it was made to, since a seat knows all its own promises."""
    room = done(make(table, 0, new(3, 1, private=private)))
    for number, kind in ((3, "avoid"), (4, "bid")):
        for to in ((), (1,), (2,)):
            assert refused(make(room, 0, new(number, *to, kind=kind))) == "CONTRADICTION"
            whispered = new(number, *(to or (1, 2)), kind=kind, private=True)
            assert refused(make(room, 0, whispered)) == "CONTRADICTION"
    assert isinstance(make(room, 0, new(3, 2)), Change)
    assert isinstance(make(room, 0, new(4, kind="avoid")), Change)
    assert isinstance(make(room, 1, new(3, kind="avoid")), Change), "another seat's promise"
    assert isinstance(make(room, 0, NewPromise("bid", {"number": 4, "round": 2})), Change)
    assert isinstance(make(judge_all(room), 0, new(4)), Change), "the first is not open any more"


def test_what_always_contradicts_an_open_promise_is_not_offered(table: Room) -> None:
    """What does so only in one of the rounds is offered, and refused."""
    offered = list_choices(RULES, table, Seat(0))
    assert offered[0].fields == {"number": Range(1, 10), "round": Range(1, 2)}
    room = done(make(table, 0, new(3, 1, private=True)))
    assert list_choices(RULES, room, Seat(0)) == offered
    assert list_choices(RULES, room, Seat(1)) == list_choices(RULES, table, Seat(1))
    room = done(make(room, 0, NewPromise("bid", {"number": 5, "round": 2})))
    bid, avoid = list_choices(RULES, room, Seat(0))
    assert bid.fields == {"number": OneOf((3, 5)), "round": Range(1, 2)}
    assert avoid == offered[1]
    assert isinstance(make(room, 0, new(5, kind="avoid")), Change)
    last = done(make(table, 0, NewPromise("avoid", {"number": 10, "round": 2})))
    last = done(make(last, 0, new(10, kind="avoid")))
    bid, avoid = list_choices(RULES, last, Seat(0))
    assert bid.fields["number"] == Range(1, 9)
    assert avoid == offered[1]


def test_an_earlier_holders_promise_contradicts_none_of_a_latecomers(table: Room) -> None:
    """G4.12: a refusal, or a choice that is missing, would tell of a private one."""
    room = change_hands(done(make(table, 1, new(3, 2, private=True))), 1)
    assert list_choices(RULES, room, Seat(1)) == list_choices(RULES, table, Seat(1))
    assert isinstance(make(room, 1, new(4, 2)), Change)


def test_promises_are_under_the_talk_policy() -> None:
    table = running("ann", "bea", "cy")
    assert refused(make(table, 0, new(3, 1, private=True))) == "WHISPERS_OFF"
    for seat in range(4):
        table = play(table, seat, "ready:1", move="ready").room
    assert refused(make(table, 0, new(3))) == "TALK_CLOSED"


def test_nothing_is_promised_before_the_game_or_while_it_is_paused(table: Room) -> None:
    assert refused(make(done(actions.pause(table, "host", AT)), 0, new(3))) == "PAUSED"
    assert refused(make(replace(table, position=None), 0, new(3))) == "NOT_NOW"
    assert list_choices(RULES, replace(table, position=None), Seat(0)) == ()
    assert [choice.move for choice in list_choices(RULES, table, Seat(0))] == ["bid", "avoid"]


def test_a_private_promise_is_for_its_seats_until_the_end(table: Room) -> None:
    room = done(make(table, 0, new(3, 1, private=True)))
    room = done(make(room, 0, new(4, 1, kind="avoid", private=True, told=False)))
    room = done(make(room, 2, new(5)))
    told, untold, aloud = (promise.id for promise in room.promises)
    assert seen(room, 0) == seen(room, 1) == [told, untold, aloud]
    assert seen(room, 2) == seen(room, 3) == seen(room, None) == [aloud]
    change = reveal(room, 3, 6, 5, 8)
    private = [line for logged in change.logged for line in logged.lines if line.to is not None]
    assert {line.to for line in private} == {frozenset({Seat(0), Seat(1)})}
    over = replace(change.room, table=replace(change.room.table, status="finished"))
    assert seen(over, 2) == seen(over, None) == [told, aloud]
    assert seen(over, 1) == [told, untold, aloud]


def test_an_id_does_not_tell_how_many_promises_there_are(table: Room) -> None:
    hidden = done(make(table, 0, new(3, 1, private=True)))
    aloud = [done(make(room, 2, new(5))).promises[-1].id for room in (table, hidden)]
    assert all(len(id) == 16 for id in aloud)
    assert aloud[0] == aloud[1] != hidden.promises[0].id


def substitute(room: Room, seat: int) -> Room:
    return done(actions.stand_in(room, Seat(seat), AT))


def test_what_a_substitute_breaks_is_not_its_persons(table: Room) -> None:
    room = done(make(table, 0, new(3)))
    change = reveal(substitute(room, 0), 4, 5, 6, 7)
    assert (change.room.promises[0].judgement, change.room.promises[0].excused) == ("broken", True)
    assert "promise.broken_by_bot" in [key for key, _ in lines(change)]


def get_ready(room: Room) -> Room:
    for seat in range(4):
        room = play(room, seat, "ready:1", move="ready").room
    return room


def lock(room: Room, *bids: tuple[int, int]) -> Change:
    """The seats lock these numbers, in this order."""
    change = Change(room)
    for seat, number in bids:
        change = play(change.room, seat, "bid:1", move="lock", number=number)
    return change


def test_a_substitute_that_comes_after_the_deed_excuses_nobody(table: Room) -> None:
    room = get_ready(done(make(table, 0, new(3))))
    room = substitute(lock(room, (0, 4)).room, 0)
    change = lock(room, (1, 5), (2, 6), (3, 7))
    assert (change.room.promises[0].judgement, change.room.promises[0].excused) == ("broken", False)
    assert "promise.broken" in [key for key, _ in lines(change)]


def test_a_person_who_is_back_before_the_deed_answers_for_it(table: Room) -> None:
    room = get_ready(substitute(done(make(table, 0, new(3))), 0))
    room = lock(room, (0, 5), (1, 5)).room
    assert room.promises[0].excused
    room = done(act(room, 0, m.TakeBack()))
    room = play(room, 0, "bid:1", move="unlock").room
    change = lock(room, (0, 4), (2, 6), (3, 7))
    assert (change.room.promises[0].judgement, change.room.promises[0].excused) == ("broken", False)


def test_what_a_substitute_has_done_stays_excused_when_its_person_is_back(table: Room) -> None:
    room = get_ready(substitute(done(make(table, 0, new(3))), 0))
    room = done(act(lock(room, (0, 4)).room, 0, m.TakeBack()))
    change = lock(room, (1, 5), (2, 6), (3, 7))
    assert (change.room.promises[0].judgement, change.room.promises[0].excused) == ("broken", True)


def end_bids(room: Room) -> Room:
    """The clock ends the window of the bids; the log's entry gives the same promises when it is replayed."""
    window = due(room, next_end(room))
    assert window is not None
    change = close_window(RULES, room, window, frozenset())
    (logged,) = change.logged
    assert logged.entry is not None
    assert replay_entry(RULES, room, logged.entry, logged.lines).room.promises == change.room.promises
    return change.room


@pytest.mark.parametrize("drafts", [True, False])
def test_what_the_clock_does_is_no_substitutes_deed(table: Room, *, drafts: bool) -> None:
    """Whoever hands over just before the clock ends leaves the substitute no time to choose a number."""
    room = get_ready(done(make(table, 0, new(10))))
    if drafts:
        room = play(room, 0, "bid:1", move="bid", number=4).room
    room = end_bids(lock(substitute(room, 0), (1, 5), (2, 6), (3, 7)).room)
    assert (room.promises[0].judgement, room.promises[0].excused) == ("broken", False)


def test_the_clock_changes_nothing_about_what_a_substitute_has_done(table: Room) -> None:
    room = get_ready(substitute(done(make(table, 0, new(3))), 0))
    room = end_bids(lock(room, (0, 4), (1, 5), (2, 6)).room)
    assert (room.promises[0].judgement, room.promises[0].excused) == ("broken", True)


def test_a_substitute_promises_nothing(table: Room) -> None:
    room = substitute(table, 0)
    bot = BotPromise(Seat(0), new(3))
    assert refused(decide(room, bot, AT, None, RULES, LEVELS)) == "NOT_NOW"
    own = decide(table, BotPromise(Seat(3), new(3)), AT, None, RULES, LEVELS)
    assert done(own).promises[0].bot


def test_a_bot_speaks_of_a_promise_only_if_it_was_made(table: Room) -> None:
    """R30: the table may have moved on since it decided, and the hub then refuses the promise."""
    promise = new(3, 0)
    remark = BotRemark(Seat(3), Remark("almost.bot.grant.1", {"to": 0, "number": 3}), promise)
    assert refused(decide(table, remark, AT, None, RULES, LEVELS)) == "NOT_NOW"
    room = done(decide(table, BotPromise(Seat(3), promise), AT, None, RULES, LEVELS))
    said = decide(room, remark, AT, None, RULES, LEVELS)
    assert isinstance(said, Change)
    assert [message.phrase for message in said.talk] == ["almost.bot.grant.1"]


def test_a_latecomer_gets_no_private_promise_and_answers_for_none(table: Room) -> None:
    room = done(make(table, 0, new(3, 1, private=True)))
    room = done(make(room, 1, new(4, 0, private=True)))
    room = done(make(room, 1, new(9, kind="avoid")))
    private, answer, aloud = (promise.id for promise in room.promises)
    room = done(act(room, 0, m.TakeLatecomers(on=True)))
    room = done(act(room, 1, m.FreeSeat(seat=1)))
    room = done(decide(room, Sit("dan", "Dan", 7, 1, b"k" * 16), AT, None, RULES, LEVELS))
    assert seen(room, 1) == [aloud]
    assert seen(room, 0) == [private, answer, aloud]
    change = reveal(room, 1, 2, 6, 7)
    assert [promise.excused for promise in change.room.promises] == [False, True, True]


def change_hands(room: Room, seat: int) -> Room:
    """A person leaves the seat, and somebody else takes it over."""
    room = done(act(room, 0, m.TakeLatecomers(on=True)))
    room = done(act(room, seat, m.FreeSeat(seat=seat)))
    return done(decide(room, Sit("dan", "Dan", 7, seat, b"k" * 16), AT, None, RULES, LEVELS))


@pytest.mark.parametrize("private", [True, False])
def test_a_latecomer_may_be_promised_what_an_earlier_holder_was_told_in_private(
    table: Room, private: bool
) -> None:
    room = change_hands(done(make(table, 0, new(3, 1, private=True))), 1)
    again = done(make(room, 0, new(3, 1, private=private)))
    assert len(seen(again, 1)) == 1
    assert refused(make(again, 0, new(3, 1))) == "PROMISED_ALREADY"
    aloud = change_hands(done(make(table, 0, new(3, 1))), 1)
    assert refused(make(aloud, 0, new(3, 1))) == "PROMISED_ALREADY", "the latecomer sees it"


@pytest.mark.parametrize("count", range(4))
def test_a_latecomer_is_refused_nothing_because_of_an_earlier_holders_promises(
    table: Room, count: int
) -> None:
    """G4.12, R30: a refusal would tell how many private promises there are, and to whom."""
    for number in range(min(count, MAX_OPEN)):
        table = done(make(table, 1, new(4 + number, 2, kind="avoid", private=True)))
    room = change_hands(table, 1)
    for number in range(MAX_OPEN):
        room = done(make(room, 1, new(4 + number, 2, kind="avoid")))
    assert refused(make(room, 1, new(9, kind="avoid"))) == "TOO_MANY_OPEN"


def test_each_later_holder_of_a_seat_has_a_smaller_share(table: Room) -> None:
    room = change_hands(table, 1)
    one = done(make(room, 1, new(3))).promises[0]
    most = max_made(4) // 2
    made = tuple(replace(one, id=str(number), judgement="kept") for number in range(most))
    refusal = make(replace(room, promises=made), 1, new(9))
    assert refused(refusal) == "TOO_MANY_PROMISES"
    assert isinstance(refusal, Refusal)
    assert refusal.args == {"most": most}


def test_a_latecomer_is_not_told_what_became_of_private_promises(table: Room) -> None:
    """G4.12: neither of those that the seat's earlier holder made, nor of those made to them."""
    room = done(make(table, 0, new(4, 1, kind="avoid", private=True)))
    room = done(make(room, 1, new(4, 2, private=True)))
    room = done(make(room, 0, new(5, 2, private=True)))
    change = reveal(change_hands(room, 1), 3, 6, 7, 8)
    reports = [
        (line.key, line.to)
        for logged in change.logged
        for line in logged.lines
        if line.key.startswith("promise.")
    ]
    assert reports == [
        ("promise.kept", frozenset({0})),
        ("promise.broken_by_bot", frozenset({2})),
        ("promise.broken", frozenset({0, 2})),
    ]


def judge_all(room: Room) -> Room:
    kept = tuple(replace(promise, judgement="kept", cost=None) for promise in room.promises)
    return replace(room, promises=kept)


@pytest.mark.parametrize("private", [False, True])
def test_one_promise_made_twice_at_once_has_two_ids(table: Room, private: bool) -> None:
    room = done(make(table, 0, new(3, 1, private=private)))
    room = done(make(judge_all(room), 0, new(3, 1, private=private)))
    room = change_hands(room, 1)
    room = done(make(judge_all(room), 0, new(3, 1, private=private)))
    room = done(make(judge_all(room), 0, new(3, 1, private=private)))
    assert len(set(seen(room, 0))) == 4


def test_open_promises_lapse_with_the_game(table: Room) -> None:
    later = NewPromise("bid", {"number": 3, "round": 2})
    room = done(make(table, 0, later))
    assert judgements(reveal(room, 1, 2, 3, 4).room) == [None]
    position = room.position
    assert position is not None
    judged, reports = judge(RULES, room.promises, position.state, Step(position.state), over=True)
    assert [promise.judgement for promise in judged] == ["lapsed"]
    assert [line.key for line in reports] == ["promise.lapsed"]


def test_whoever_takes_the_room_plays_on_with_the_same_promises(table: Room) -> None:
    stored = Snapshots().pack(table)
    first = make(table, 0, new(3, 1, private=True))
    assert isinstance(first, Change)
    second = make(first.room, 2, new(5))
    assert isinstance(second, Change)
    last = reveal(second.room, 4, 5, 6, 7)
    logged = [*first.logged, *second.logged]
    room = play_on(RULES, unpack(stored, {RULES.key: RULES}), [unpack_logged(pack_logged(e)) for e in logged])
    assert room.promises == second.room.promises
    assert unpack(Snapshots().pack(last.room), {RULES.key: RULES}).promises == last.room.promises


def test_the_record_has_what_is_told() -> None:
    def entry(**fields: Any) -> LogEntry:
        raw = {"kind": "bid", "terms": {"number": 3, "round": 1}, "to": [1], **fields}
        return LogEntry("promise", 0, None, raw, None, 5)

    assert is_published(LogEntry("setup", None, None, None, None, 5))
    assert is_published(entry(private=False, told=False))
    assert is_published(entry(private=True, told=True))
    assert not is_published(entry(private=True, told=False))


def test_a_client_promises_once(table: Room) -> None:
    """G2: the same command again has no second effect, and one of an unknown session none at all."""
    room, session = attach(table, Seat(0), None)
    command = m.MakePromise(session=session, n=1, kind="bid", terms={"number": 3, "round": 1})
    room = done(decide(room, command, AT, Seat(0), RULES, LEVELS))
    again = decide(room, command, AT, Seat(0), RULES, LEVELS)
    assert isinstance(again, Change)
    assert again.repeated
    assert len(again.room.promises) == 1
    lost = decide(room, replace(command, session=session + 9, n=2), AT, Seat(0), RULES, LEVELS)
    assert refused(lost) == "TOO_OLD"


def test_a_record_with_promises_is_genuine() -> None:
    """V5: it has what is told, and an entry that could not have been made is found."""
    config, log, _ = play_whole(GAMES["almost"], 3, RULES.Options(), b"p" * 32)
    aloud = LogEntry("promise", 1, None, to_entry(new(3)), None, log[0].at)
    told = LogEntry("promise", 1, None, to_entry(new(4, 2, private=True)), None, log[0].at)
    whole = [log[0], aloud, told, *log[1:]]
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    record = record_of(config, whole, GAMES, key)
    report = verify(record, GAMES)
    assert isinstance(report, Verified)
    assert report.entries == len(whole)
    for wrong in (to_entry(new(11)), to_entry(new(3, 1)), {"kind": "bid"}):
        bad = [log[0], LogEntry("promise", 1, None, wrong, None, log[0].at), *log[1:]]
        with pytest.raises(ReplayError):
            record_of(config, bad, GAMES, key)


def to_entry(promise: NewPromise) -> dict[str, Any]:
    entry: dict[str, Any] = msgspec.to_builtins(promise, order="deterministic")
    return entry


def test_an_abandoned_game_lets_its_promises_lapse(table: Room) -> None:
    """R30: without a line, since the table says that the game was abandoned."""
    room = done(make(table, 0, new(3, 1, private=True)))
    change = table_change.abandon(room, AT)
    assert isinstance(change.room.position and change.room.position.prompts, Outcome)
    assert judgements(change.room) == ["lapsed"]
    assert change.logged == ()
    again = unpack(Snapshots().pack(change.room), {RULES.key: RULES})
    assert judgements(again) == ["lapsed"]
    assert seen(change.room, 2) == [room.promises[0].id], "secrets are shown"


def test_a_promise_that_its_game_has_completed_is_the_one_that_was_made(table: Room) -> None:
    promise = new(3)
    room = done(make(table, 0, promise))
    completed = replace(room.promises[0], terms={**promise.terms, "left": 7})
    room = replace(room, promises=(completed,))
    assert promises.has_made(room, Seat(0), promise)
    assert not promises.has_made(room, Seat(0), new(4))


def test_the_coach_knows_what_the_seat_may_know(table: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no advice speaks against the seat's own promise without saying so."""
    room = done(make(table, 0, new(3, 1, private=True)))
    known: list[int] = []

    def count(_: object, observation: Observation, prompt: object) -> None:
        known.append(len(observation.promises))

    monkeypatch.setattr(type(RULES), "coach", count)
    for seat in (0, 1, 2):
        assert advise(RULES, room, Seat(seat), "ready:1", {}) is None
    assert known == [1, 1, 0]
