"""The watching delay, as pure functions: what a table keeps of its past, what a new owner shows (G4.13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from games.api import Millis, NewPromise, Refusal, Seat
from hub.table import actions, game_start, log, promises, seating, voting, watch_delay
from hub.table.room import Change, Logged, Room, Snapshots, move, unpack, unpack_table
from hub.table.table_time import GRACE
from hub.table.traces import leave, list_people
from hub.table.watch_delay import (
    CLOCK_TOLERANCE_MS,
    MAX_PAST,
    Backlog,
    find_shown,
    is_delayed,
    keep_past,
    rebuild,
)
from hub.wire import messages as m

RULES: Any = ALMOST
WALL: Final = 1_800_000_000_000
DELAY: Final = 30_000
LATE: Final = CLOCK_TOLERANCE_MS


class Moment(NamedTuple):
    """What was committed at a moment, in milliseconds since the start."""

    since_start: int
    at: int
    room: Room


class Evening:
    """A table whose commits are kept, with the time of each."""

    def __init__(self, delay: m.WatchDelay = "30s") -> None:
        options = msgspec.convert({"discussion": "untilReady", "timers": "off"}, RULES.Options)
        self.room = actions.create(
            RULES,
            "r" * 22,
            "BCDFGH",
            3,
            options,
            b"s" * 32,
            name_keys=[bytes(16)] * 3,
            open=True,
            watch_delay=delay,
        )
        self.since_start = 0
        self.at = 0
        self.logged: list[Logged] = []
        self.talk: list[m.TalkMessage] = []
        self.moments: list[Moment] = []
        for seat in range(3):
            self.commit(seating.sit(self.room, f"p{seat}", f"Person {'ABC'[seat]}", seat, seat, Millis(0)))
        self.commit(game_start.start(RULES, self.room, "normal", Millis(0)))

    @property
    def wall(self) -> int:
        return WALL + self.since_start

    def wait(self, milliseconds: int) -> None:
        self.since_start += milliseconds
        if self.room.table.status == "running":
            self.at += milliseconds

    def commit(self, change: Change | Refusal) -> None:
        assert isinstance(change, Change), change
        self.room = keep_past(RULES, self.room, change.room, Millis(self.at), self.wall)
        self.logged += change.logged
        self.talk += change.talk
        self.moments.append(Moment(self.since_start, self.at, self.room))

    def propose(self, seat: int) -> None:
        self.move(seat, "plan:1", move="propose", bids=[1, 2, 3])

    def move(self, seat: int, prompt: str, **raw: Any) -> None:
        self.commit(move(RULES, self.room, Seat(seat), prompt, raw, Millis(self.at)))

    def manage(self, seat: int, act: Any) -> None:
        self.commit(actions.manage(RULES, ["normal"], self.room, Seat(seat), act, Millis(self.at)))

    def say(self, text: str) -> None:
        self.talk.append(m.TalkMessage(channel="table", name="Ann", at=self.at, seat=0, text=text))

    def rebuild(self, later: int = 0) -> Backlog:
        """The backlog at a hub that takes the room that much later, as the store has it."""
        stored = unpack(Snapshots().pack(self.room), {"almost": RULES})
        return rebuild(RULES, stored, self.logged, self.talk, Millis(self.at), self.wall + later)

    def seen_before(self, since_start: int) -> Room:
        """What a watcher has seen whose delay goes back to this moment."""
        return [moment.room for moment in self.moments if moment.since_start <= since_start][-1]


def same(shown: Room, room: Room) -> bool:
    """Whether watchers see the same of these rooms."""
    positions = [None if one.position is None else one.position.state for one in (shown, room)]
    tables = [replace(one.table, past=()) for one in (shown, room)]
    return (
        positions[0] == positions[1]
        and tables[0] == tables[1]
        and shown.counts.lines == room.counts.lines
        and shown.counts.entries == room.counts.entries
    )


def play() -> Iterator[Evening]:
    """An evening with moves, pauses and changes of the table, after each of its steps."""
    evening = Evening()
    yield evening
    for step in range(40):
        evening.wait(2_500)
        match step % 8:
            case 1:
                evening.manage(0, m.Pause())
            case 2:
                evening.say(f"in the pause {step}")
            case 3:
                evening.manage(0, m.Resume())
            case 4:
                evening.manage(0, m.Lock(step % 16 == 4))
                evening.propose(1)
            case 6:
                evening.say(f"said {step}")
            case _:
                evening.propose(step % 3)
        yield evening


def test_a_new_owner_shows_nothing_early_and_holds_the_rest() -> None:
    """Whenever it takes the room: what it shows was seen before, and what it holds follows in order."""
    for evening in play():
        backlog = evening.rebuild()
        latest = evening.seen_before(max(0, evening.since_start - DELAY))
        rooms = [moment.room for moment in evening.moments]
        places = [i for i, room in enumerate(rooms) if same(backlog.shown.room, room)]
        assert places, "it is a room that there was"
        assert places[0] <= [i for i, room in enumerate(rooms) if same(latest, room)][-1]
        held = [commit for commit in backlog.held if not commit.talk]
        assert [commit.age for commit in backlog.held] == sorted(
            (commit.age for commit in backlog.held), reverse=True
        )
        assert all(0 <= commit.age < DELAY for commit in backlog.held)
        if held:
            assert same(held[-1].room, evening.room)
        else:
            assert same(backlog.shown.room, evening.room)
        records = [*backlog.shown.logged, *(record for commit in held for record in commit.logged)]
        assert records == evening.logged
        said = [*backlog.shown.talk, *(said for commit in backlog.held for said in commit.talk)]
        assert said == evening.talk


def test_without_pauses_a_new_owner_shows_what_the_last_one_did() -> None:
    """Except for the second by which table time may be ahead."""
    evening = Evening()
    for step in range(30):
        evening.wait(2_500)
        evening.propose(step % 3)
        seen = evening.seen_before(max(0, evening.since_start - DELAY - GRACE))
        if evening.since_start >= DELAY + GRACE:
            assert same(evening.rebuild().shown.room, seen)


def test_nobody_sees_less_than_the_last_owner_showed() -> None:
    """G4.13: once a new owner has caught up, in and after pauses, too; nor does table time go back."""
    waits = set[int]()
    for evening in play():
        for later in (0, 5_000, LATE + 10_000):
            backlog = evening.rebuild(later)
            waits.add(backlog.catch_up_ms)
            caught_up = [
                commit.room
                for commit in (backlog.shown, *backlog.held)
                if commit.age + backlog.catch_up_ms >= DELAY
            ]
            if evening.since_start < DELAY:
                continue
            shown = evening.seen_before(evening.since_start - DELAY)
            rooms = [moment.room for moment in evening.moments]
            last = max(i for i, room in enumerate(rooms) if same(caught_up[-1], room))
            assert last >= min(i for i, room in enumerate(rooms) if same(shown, room))
            if evening.room.table.status == "running":
                assert backlog.catch_up_ms >= GRACE
    assert max(waits) <= CLOCK_TOLERANCE_MS


def test_a_new_owner_catches_up_within_a_second_without_pauses() -> None:
    evening = Evening()
    for step in range(30):
        evening.wait(2_500)
        evening.propose(step % 3)
        assert evening.rebuild().catch_up_ms == GRACE


def test_ages_are_never_overestimated() -> None:
    for evening in play():
        for later in (0, 5_000, LATE, LATE + 10_000, 10 * DELAY):
            for commit in evening.rebuild(later).held:
                if not commit.talk:
                    true = min(
                        moment.since_start
                        for moment in evening.moments
                        if moment.room.counts.entries >= commit.room.counts.entries
                        and moment.room.counts.lines >= commit.room.counts.lines
                    )
                    assert commit.age <= evening.since_start + later - true


def test_the_end_of_a_game_is_shown_once_the_delay_is_over_by_the_time_of_day() -> None:
    """Also if nobody owned the table meanwhile: two hubs' clocks may differ by a minute."""
    evening = Evening()
    evening.wait(10 * DELAY)
    at = Millis(evening.at)
    evening.commit(voting.call(evening.room, Seat(0), m.CallVote("end"), at, ()))
    for seat in (1, 2):
        evening.commit(voting.take_vote(evening.room, Seat(seat), m.Vote(1, True), at))
    ended = voting.settle(evening.room, at, ())
    assert ended is not None
    evening.commit(ended)
    assert evening.room.table.status == "finished"
    for later, status in ((0, "running"), (LATE + DELAY - 1, "running"), (LATE + DELAY, "finished")):
        assert find_shown(evening.room.table, evening.wall + later).status == status
        backlog = evening.rebuild(later)
        assert (backlog.shown.room.table.status == "finished") == (status == "finished")
    assert evening.rebuild(LATE + DELAY).held == ()


def test_a_table_without_a_delay_or_before_its_game_keeps_nothing() -> None:
    evening = Evening("none")
    evening.wait(1000)
    evening.manage(0, m.Pause())
    assert evening.room.table.past == ()
    assert not is_delayed(evening.room.table)
    assert find_shown(evening.room.table, evening.wall) is evening.room.table


def test_what_is_kept_is_bounded_and_dropped_when_it_is_old() -> None:
    evening = Evening()
    for _ in range(MAX_PAST):
        evening.wait(100)
        evening.manage(0, m.Pause())
        evening.manage(0, m.Resume())
    past = evening.room.table.past
    assert len(past) == MAX_PAST
    assert all(kept.table.past == () for kept in past)
    assert past[0].table.status == "waiting"
    shown = find_shown(evening.room.table, evening.wall + LATE + DELAY - 1)
    assert replace(shown, past=()) == past[-1].table, "not the present"
    backlog = evening.rebuild()
    assert same(backlog.held[-1].room, evening.room)
    evening.wait(DELAY + 2 * CLOCK_TOLERANCE_MS)
    evening.manage(0, m.Pause())
    assert len(evening.room.table.past) == 1


def test_watchers_see_what_the_log_says_of_promises() -> None:
    """R34: older rules may have judged them."""
    evening = Evening()
    promise = NewPromise("bid", {"number": 4, "round": 1})
    evening.commit(promises.make(RULES, evening.room, Seat(0), promise, Millis(0)))
    for seat in range(3):
        evening.move(seat, "ready:1", move="ready")
    for seat in range(3):
        evening.move(seat, "bid:1", move="lock", number=4 + seat)
    (made,) = evening.room.promises
    assert made.judgement == "kept"
    *_, kept = (line for record in evening.logged for line in record.lines if line.key == "promise.kept")
    lapsed = replace(kept, key="promise.lapsed")
    evening.logged = [
        replace(record, lines=tuple(lapsed if line is kept else line for line in record.lines))
        for record in evening.logged
    ]
    assert evening.rebuild().held[-1].room.promises == (replace(made, judgement="lapsed"),)


def test_rules_that_cannot_replay_the_log_show_nothing_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening()
    evening.wait(DELAY)
    evening.propose(1)

    def fail(*_: Any) -> Any:
        raise ValueError

    monkeypatch.setattr(watch_delay, "replay_entry", fail)
    backlog = evening.rebuild()
    assert backlog.shown.room.position is None
    assert backlog.shown.room.table.status == "waiting"
    assert [commit.age for commit in backlog.held] == [0]
    assert log.number_lines(backlog.shown.room, backlog.held[0].logged)[0].lines == 1


def test_only_the_host_chooses_the_delay_and_only_before_the_start() -> None:
    evening = Evening()
    for seat, status, code in (
        (1, "waiting", "NOT_HOST"),
        (0, "running", "NOT_NOW"),
        (0, "paused", "NOT_NOW"),
    ):
        room = replace(evening.room, table=replace(evening.room.table, status=status))
        refusal = actions.manage(RULES, ["normal"], room, Seat(seat), m.DelayWatching("2min"), Millis(0))
        assert isinstance(refusal, Refusal)
        assert refusal.code == code
    room = replace(evening.room, table=replace(evening.room.table, status="waiting"))
    change = actions.manage(RULES, ["normal"], room, Seat(0), m.DelayWatching("10min"), Millis(0))
    assert isinstance(change, Change)
    assert change.room.table.watch_delay == "10min"
    (logged,) = change.logged
    assert [(line.key, line.args, line.to) for line in logged.lines] == [
        ("table.watch_delay", {"delay": "10min"}, None)
    ]


def test_what_a_table_keeps_forgets_a_person_too() -> None:
    evening = Evening()
    evening.wait(1000)
    evening.manage(0, m.Pause())
    left = unpack_table(leave(Snapshots().pack(evening.room), "p1"))
    assert "p1" in list_people(evening.room.table)
    assert "p1" not in list_people(left)
    assert [seat.name for kept in left.past for seat in kept.table.seats if seat.name == "Person B"] == []
