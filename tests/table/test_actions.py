"""Actions at a table, and who may perform them: sitting, bots, host, start, pause, talk, notes."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from games.api import Millis, Outcome, Refusal, Seat, TalkPolicy
from games.dice import commitment, game_seed
from hub.table import actions
from hub.table.exactly_once import look_up
from hub.table.options import read_options
from hub.table.room import Change, Room, attach
from hub.table.views import table_section
from hub.wire import messages as m
from hub.wire.tickets import clean_name

RULES: Any = ALMOST
LEVELS = ("easy", "good", "best")
SEED = b"seed" * 8
NOW = Millis(70)


def options(**chosen: Any) -> Any:
    options = read_options(RULES, chosen)
    assert not isinstance(options, str), options
    return options


def empty(seats: int = 4, **chosen: Any) -> Room:
    return actions.create(RULES, "r" * 22, "BCDFGH", seats, options(**chosen), SEED, open=True)


def done(result: Change | Refusal) -> Room:
    assert isinstance(result, Change), result
    return result.room


def refused(result: Change | Refusal) -> str:
    assert isinstance(result, Refusal), result
    assert result.rule
    return result.code


def sit(room: Room, person: str, seat: int, name: str | None = None) -> Change | Refusal:
    return actions.sit(room, person, name or person.title(), seat, seat, NOW)


def seated(*people: str, seats: int = 4, **chosen: Any) -> Room:
    """A room with these people in the first seats; the first is host."""
    room = empty(seats, **chosen)
    for seat, person in enumerate(people):
        room = done(sit(room, person, seat))
    return room


def act(room: Room, seat: int, what: m.Act) -> Change | Refusal:
    return actions.manage(RULES, LEVELS, room, Seat(seat), what, NOW)


def running(*people: str, **chosen: Any) -> Room:
    return done(act(seated(*(people or ("ann", "bea", "cy")), **chosen), 0, m.Start()))


def lines(change: Change | Refusal) -> list[tuple[str, dict[str, Any]]]:
    assert isinstance(change, Change)
    return [(line.key, dict(line.args)) for logged in change.logged for line in logged.lines]


# --- sitting down ---


def test_sitting_down() -> None:
    """R1, R3: the first person becomes host, and the log says who took the seat."""
    change = sit(empty(), "ann", 2)
    room = done(change)
    assert room.table.host == "ann"
    assert actions.host_seat(room.table) == actions.seat_of(room.table, "ann") == 2
    assert lines(change) == [("table.sat_down", {"name": "Ann", "seat": 2})]
    assert done(sit(room, "bea", 0)).table.host == "ann"


def test_sitting_where_one_sits_changes_nothing() -> None:
    room = seated("ann")
    assert done(sit(room, "ann", 0)) is room


def test_seats_that_cannot_be_had() -> None:
    """R2, R3"""
    room = done(act(seated("ann", "bea"), 0, m.AddBot(seat=3, level="good")))
    assert refused(sit(room, "cy", 1)) == "SEAT_TAKEN"
    assert refused(sit(room, "cy", 3)) == "SEAT_TAKEN"
    for seat in (-1, 4, 99):
        assert refused(sit(room, "cy", seat)) == "NO_SUCH_SEAT"
    locked = done(act(room, 0, m.Lock(locked=True)))
    assert refused(sit(locked, "cy", 2)) == "TABLE_LOCKED"
    assert done(sit(locked, "ann", 2)).table.seats[2].person == "ann"
    assert refused(sit(running(), "dan", 3)) == "SEAT_TAKEN"
    for status in ("running", "paused", "finished"):
        begun = replace(room, table=replace(room.table, status=status))
        assert refused(sit(begun, "cy", 2)) == "NOT_NOW"


def test_moving_over() -> None:
    """R1, R3: a person has one seat; the old one is freed, and its tickets are void."""
    room, session = attach(seated("ann", "bea"), Seat(0), None)
    change = sit(room, "ann", 3)
    after = done(change)
    assert [seat.person for seat in after.table.seats] == [None, "bea", None, "ann"]
    assert after.table.host == "ann"
    assert after.table.seats[0].seat_generation > room.table.seats[0].seat_generation
    assert after.table.seats[3].seat_generation > room.table.seats[3].seat_generation
    assert look_up(after.counts.sessions[0], session, 0) == "too old"
    assert isinstance(change, Change)
    assert dict(change.note_moves) == {3: 0, 0: None}


def test_colours_differ_as_long_as_there_are_any() -> None:
    room = empty(10)
    for seat in range(10):
        room = done(actions.sit(room, f"p{seat}", f"P{seat}x", 4, seat, NOW))
    assert len({seat.colour for seat in room.table.seats}) == 10
    assert room.table.seats[0].colour == 4


LOOKALIKES = [
    ("Bill", "BiII"),
    ("Bill", "Bi11"),
    ("Otto", "0tt0"),
    ("Ann", "ann"),
    ("Ann Lee", "AnnLee"),
    ("Susi", "5u5i"),
    ("Ann", "А" + "nn"),  # Cyrillic
    ("Ann", "Αnn"),  # Greek
    ("Ann", "Ａｎｎ"),  # full-width
    ("José", "Jose"),
    ("Ann", "A\u200dnn"),  # an invisible joiner
    ("paypal", "раураl"),  # almost all Cyrillic
    ("Straße", "STRASSE"),
]


@pytest.mark.parametrize(("one", "other"), LOOKALIKES)
def test_names_that_look_alike(one: str, other: str) -> None:
    """R10: the second person's name gets a number."""
    room = done(sit(done(sit(empty(), "p1", 0, one)), "p2", 1, other))
    first, second = room.table.seats[0].name, room.table.seats[1].name
    assert (first, second) == (one, f"{other} 2")


def test_names_that_do_not() -> None:
    """R10"""
    room = empty(10)
    for seat, name in enumerate(["Name 0", "Name 1", "Name 2", "Ann", "Anna", "Bo", "🐙", "🦊", "Ян", "李"]):
        room = done(sit(room, name, seat, name))
        assert room.table.seats[seat].name == name


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=24).map(clean_name), min_size=10, max_size=10))
def test_names_at_a_table_differ(names: list[str | None]) -> None:
    """R10, T6: no two names are equal, none is a bot's, and all are still valid."""
    room = empty(10)
    for seat, name in enumerate(names):
        room = done(sit(room, f"p{seat}", seat, name or "Bot B"))
    shown_names = [actions.name_of(room.table, seat) for seat in range(10)]
    assert len(set(shown_names)) == 10
    assert all(len(name) <= 24 for name in shown_names)


def test_nobody_is_called_like_a_bot() -> None:
    """R10"""
    room = done(act(done(sit(empty(), "eve", 0, "bot C")), 0, m.AddBot(seat=2, level="good")))
    names = {actions.name_of(room.table, seat) for seat in range(4)}
    assert room.table.seats[0].name == "bot C 2"
    assert len(names) == 4


# --- seats that change hands ---


def seat_generations(room: Room) -> list[int]:
    return [seat.seat_generation for seat in room.table.seats]


def changes(room: Room) -> dict[str, tuple[Change | Refusal, set[int]]]:
    """Every way a seat can change hands, with the seats affected."""
    return {
        "sitting down": (sit(room, "dan", 3), {3}),
        "moving over": (sit(room, "bea", 3), {1, 3}),
        "standing up": (act(room, 1, m.FreeSeat(seat=1)), {1}),
        "being removed": (act(room, 0, m.FreeSeat(seat=2)), {2}),
        "changing places": (act(room, 0, m.SwapSeats(a=0, b=2)), {0, 2}),
        "a bot": (act(room, 0, m.AddBot(seat=3, level="best")), {3}),
        "the start": (act(room, 0, m.Start()), {3}),
    }


@pytest.mark.parametrize("name", changes(seated("ann", "bea", "cy")))
def test_grants_rise(name: str) -> None:
    """R1, G2.3: tickets of these seats are void and their commands forgotten; other seats keep both."""
    room = seated("ann", "bea", "cy")
    for seat in range(4):
        room, _ = attach(room, Seat(seat), None)
    change, seats = changes(room)[name]
    after = done(change)
    for seat in range(4):
        risen = after.table.seats[seat].seat_generation > room.table.seats[seat].seat_generation
        assert risen == (seat in seats)
        if room.table.seats[seat].person is not None:
            known = look_up(after.counts.sessions[seat], 1, 0)
            assert known == ("too old" if seat in seats else "new")


def test_removed_before_the_start() -> None:
    """GEN-13"""
    change = act(seated("ann", "bea"), 0, m.FreeSeat(seat=1))
    assert done(change).table.seats[1].person is None
    assert lines(change) == [("table.removed", {"name": "Bea", "seat": 1})]
    left = act(seated("ann", "bea"), 1, m.FreeSeat(seat=1))
    assert lines(left) == [("table.stood_up", {"name": "Bea", "seat": 1})]
    assert isinstance(change, Change)
    assert change.note_moves == ((1, None),)


def test_removed_in_play() -> None:
    """GEN-7, R5: the seat keeps its name, and its bot plays it from then on."""
    change = act(running(), 0, m.FreeSeat(seat=1))
    seat = done(change).table.seats[1]
    assert (seat.person, seat.name, seat.substitute) == (None, "Bea", True)
    assert lines(change) == [("table.removed", {"name": "Bea", "seat": 1})]
    assert lines(act(running(), 1, m.FreeSeat(seat=1)))[0][0] == "table.left"
    assert refused(act(done(change), 0, m.FreeSeat(seat=1))) == "NO_SUCH_SEAT"
    assert refused(sit(done(change), "dan", 1)) == "NOT_NOW"


def test_the_host_leaves() -> None:
    """R3: somebody else becomes host, or nobody if the table is empty."""
    room = seated("ann", "bea", "cy")
    room = done(act(room, 0, m.FreeSeat(seat=0)))
    assert room.table.host == "bea"
    room = done(act(room, 2, m.FreeSeat(seat=2)))
    room = done(act(room, 1, m.FreeSeat(seat=1)))
    assert room.table.host is None
    assert table_section(room.table).host is None
    assert done(sit(room, "dan", 2)).table.host == "dan"


def test_changing_places() -> None:
    """R1: people keep everything they own; both seats get generations higher than any previous one."""
    room = done(act(seated("ann", "bea"), 1, m.Ready(ready=True, salt="pepper")))
    change = act(room, 0, m.SwapSeats(a=1, b=3))
    after = done(change)
    assert (after.table.seats[3].person, after.table.seats[3].salt, after.table.seats[3].ready) == (
        "bea",
        "pepper",
        True,
    )
    assert after.table.seats[1].person is None
    assert (
        after.table.seats[1].seat_generation
        == after.table.seats[3].seat_generation
        > max(seat_generations(room))
    )
    assert isinstance(change, Change)
    assert dict(change.note_moves) == {1: 3, 3: 1}
    for a, b in ((0, 0), (0, 4), (99, 1)):
        assert refused(act(room, 0, m.SwapSeats(a=a, b=b))) == "NO_SUCH_SEAT"


# --- bots, ready, start ---


def test_bots() -> None:
    """R4"""
    change = act(seated("ann"), 0, m.AddBot(seat=1, level="good"))
    room = done(change)
    assert (room.table.seats[1].bot, room.table.seats[1].ready) == ("good", True)
    assert lines(change) == [("table.bot_added", {"seat": 1})]
    harder = act(room, 0, m.AddBot(seat=1, level="best"))
    assert done(harder).table.seats[1].bot == "best"
    assert done(harder).table.seats[1].colour == room.table.seats[1].colour
    assert lines(harder) == []
    assert refused(act(room, 0, m.AddBot(seat=0, level="good"))) == "SEAT_TAKEN"
    assert refused(act(room, 0, m.AddBot(seat=2, level="divine"))) == "NO_SUCH_SEAT"
    assert refused(act(room, 0, m.AddBot(seat=4, level="good"))) == "NO_SUCH_SEAT"
    gone = act(room, 0, m.FreeSeat(seat=1))
    assert done(gone).table.seats[1].bot is None
    assert lines(gone)[0][0] == "table.bot_removed"
    assert refused(act(running(), 0, m.FreeSeat(seat=3))) == "NO_SUCH_SEAT"


def test_ready_and_salt() -> None:
    """G7.3: a salt is kept until a new one is given, and is never shown to anyone."""
    room = done(act(seated("ann", "bea"), 1, m.Ready(ready=True, salt="pepper")))
    change = act(room, 1, m.Ready(ready=False))
    seat = done(change).table.seats[1]
    assert (seat.ready, seat.salt) == (False, "pepper")
    assert lines(change) == []
    assert refused(act(running(), 1, m.Ready(ready=True))) == "NOT_NOW"


def test_the_start() -> None:
    """R4, G7.3: free seats get bots of the middle level; the salts go into the dice; the log begins."""
    room = done(act(seated("ann", "bea"), 1, m.Ready(ready=True, salt="pepper")))
    before = table_section(room.table).seed_hash
    change = act(room, 0, m.Start())
    after = done(change)
    assert after.table.status == "running"
    assert [seat.bot for seat in after.table.seats] == [None, None, "good", "good"]
    assert len({seat.colour for seat in after.table.seats}) == 4
    assert after.table.salts == ("", "pepper", "", "")
    assert after.table.game_seed == game_seed(SEED, after.table.salts)
    assert table_section(after.table).seed_hash == before == commitment(SEED)
    assert [key for key, _ in lines(change)][:1] == ["table.started"]
    assert isinstance(change, Change)
    kinds = [logged.entry.kind for logged in change.logged if logged.entry is not None]
    assert kinds == ["setup"]
    assert refused(act(after, 0, m.Start())) == "NOT_NOW"


# --- permissions ---

HOST_ACTS: tuple[m.Act, ...] = (
    m.Start(),
    m.AddBot(seat=3, level="good"),
    m.FreeSeat(seat=0),
    m.SwapSeats(a=0, b=1),
    m.Pause(),
    m.Resume(),
    m.HandOver(seat=1),
    m.Lock(locked=True),
    m.CloseWatching(closed=True),
)
WAITING_ONLY = (m.Start, m.AddBot, m.SwapSeats, m.Ready)


@pytest.mark.parametrize("what", HOST_ACTS, ids=lambda what: type(what).__name__)
@pytest.mark.parametrize("status", ["waiting", "running", "paused", "finished"])
def test_only_the_host(what: m.Act, status: Any) -> None:
    """GEN-13: no other seat may do it, not even an empty one or a former host's."""
    room = running() if status != "waiting" else seated("ann", "bea", "cy")
    room = replace(room, table=replace(room.table, status=status))
    assert refused(act(room, 1, what)) == "NOT_HOST"
    assert refused(act(room, 3, what)) == "NOT_HOST"
    handed = done(act(room, 0, m.HandOver(seat=2)))
    if what != m.FreeSeat(seat=0):
        assert refused(act(handed, 0, what)) == "NOT_HOST"


@pytest.mark.parametrize("what", [*HOST_ACTS, m.Ready(ready=True)], ids=lambda what: type(what).__name__)
def test_when(what: m.Act) -> None:
    """R3, G5.6: some need a waiting table; pausing needs a running one, and resuming needs a paused one."""
    for status in ("waiting", "running", "paused", "finished"):
        room = running() if status != "waiting" else seated("ann", "bea", "cy")
        room = replace(room, table=replace(room.table, status=status))
        result = act(room, 0, what)
        allowed = {
            m.Pause: status == "running",
            m.Resume: status == "paused",
            m.FreeSeat: status != "finished",
        }.get(type(what), status == "waiting" or not isinstance(what, WAITING_ONLY))
        assert isinstance(result, Change) == allowed, status


def test_handing_over() -> None:
    """R3: only a person can be made host."""
    room = seated("ann", "bea")
    change = act(room, 0, m.HandOver(seat=1))
    assert done(change).table.host == "bea"
    assert lines(change) == [("table.new_host", {"name": "Bea", "seat": 1})]
    for seat in (2, 4, 99):
        assert refused(act(room, 0, m.HandOver(seat=seat))) == "NO_SUCH_SEAT"


def test_pause_and_resume() -> None:
    """G5.6, R6, G8.7: the log says why a table was paused."""
    room = running()
    for why, key in (("host", "paused"), ("empty", "paused_empty"), ("fault", "paused_fault")):
        paused = actions.pause(room, why, NOW)
        assert lines(paused) == [(f"table.{key}", {})]
        table = done(paused).table
        assert (table.status, table.paused_for) == ("paused", why)
        assert refused(actions.pause(done(paused), why, NOW)) == "NOT_NOW"
        again = done(actions.resume(done(paused), NOW))
        assert (again.table.status, again.table.paused_for) == ("running", None)


def test_standing_in_and_taking_back() -> None:
    """GEN-7, R5"""
    room = running()
    change = act(room, 1, m.StandIn())
    kept = done(change)
    assert kept.table.seats[1].substitute
    assert kept.table.seats[1].seat_generation == room.table.seats[1].seat_generation
    assert lines(change) == [("table.stands_in", {"name": "Bea", "seat": 1})]
    assert refused(act(kept, 1, m.StandIn())) == "NOT_NOW"
    back = act(kept, 1, m.TakeBack())
    assert not done(back).table.seats[1].substitute
    assert lines(back) == [("table.took_back", {"name": "Bea", "seat": 1})]
    assert refused(act(room, 1, m.TakeBack())) == "NOT_NOW"
    assert refused(act(room, 3, m.StandIn())) == "NOT_NOW"  # a bot's own seat
    for status in ("waiting", "finished"):
        assert (
            refused(act(replace(room, table=replace(room.table, status=status)), 1, m.StandIn())) == "NOT_NOW"
        )


def test_lock_and_watching() -> None:
    room = seated("ann")
    for locked in (True, False):
        change = act(room, 0, m.Lock(locked=locked))
        assert done(change).table.locked == locked
        assert lines(change)[0][0] == ("table.locked" if locked else "table.unlocked")
    for closed in (True, False):
        change = act(room, 0, m.CloseWatching(closed=closed))
        assert done(change).table.watching != closed
        assert lines(change)[0][0] == ("table.watching_closed" if closed else "table.watching_open")


def test_every_line_is_in_the_catalogue() -> None:
    room = seated("ann", "bea", "cy")
    keys = {
        key for change, _ in changes(room).values() for key, _ in lines(change) if key.startswith("table.")
    }
    assert keys <= actions.TEXTS


# --- talk ---


def say(room: Room, seat: int, **said: Any) -> Change | Refusal:
    return actions.say(RULES, room, Seat(seat), m.Say(0, 0, **{"channel": "table", **said}), NOW)


PHRASE = sorted(ALMOST.texts.phrases)[0]


class Mannered:
    """Rules with a given talk policy."""

    def __init__(self, allowed: TalkPolicy) -> None:
        self.allowed = allowed

    def talk_policy(self, state: Any, seat: Any) -> TalkPolicy:
        return self.allowed


def test_talk_before_the_start() -> None:
    """GEN-12: everybody may talk, under the name of their seat."""
    change = say(seated("ann", "bea"), 1, text="hello")
    assert isinstance(change, Change)
    assert change.talk == (m.TalkMessage(channel="table", name="Bea", at=NOW, seat=1, text="hello"),)
    assert refused(say(seated("ann"), 0, phrase=PHRASE)) == "BAD_MOVE"
    assert refused(say(seated("ann", "bea"), 0, text="psst", to=1)) == "TALK_CLOSED"


@pytest.mark.parametrize(
    ("said", "open_to", "phrases", "closed"),
    [
        ({"text": "x"}, None, "PHRASES_ONLY", "TALK_CLOSED"),
        ({"phrase": PHRASE}, None, None, "TALK_CLOSED"),
        ({"phrase": "made.up"}, "BAD_MOVE", "BAD_MOVE", "TALK_CLOSED"),
        ({"text": "x", "phrase": PHRASE}, "BAD_MOVE", "BAD_MOVE", "BAD_MOVE"),
        ({}, "BAD_MOVE", "BAD_MOVE", "BAD_MOVE"),
        ({"text": "x", "channel": "watchers"}, "BAD_MOVE", "BAD_MOVE", "BAD_MOVE"),
    ],
)
def test_the_rules_policy(said: Any, open_to: str | None, phrases: str | None, closed: str) -> None:
    """GEN-12"""
    for talk, expected in (("open", open_to), ("phrases", phrases), ("closed", closed)):
        rules: Any = Mannered(TalkPolicy(talk, (PHRASE,)))  # type: ignore[arg-type]
        result = actions.say(rules, running(), Seat(1), m.Say(0, 0, **{"channel": "table", **said}), NOW)
        assert (result.code if isinstance(result, Refusal) else None) == expected


def test_whispers() -> None:
    """G4.6, ALM-9: whispers need the rules' permission, and go only to another existing seat."""
    quiet, whispering = running(), running(whispers=True)
    assert refused(say(quiet, 0, text="psst", to=1)) == "TALK_CLOSED"
    change = say(whispering, 0, text="psst", to=1)
    assert isinstance(change, Change)
    assert change.talk[0].to == 1
    for to in (0, 4, 99):
        assert refused(say(whispering, 0, text="psst", to=to)) == "NO_SUCH_SEAT"


def test_manners_of_watchers_and_after_the_end() -> None:
    """GEN-8, GEN-12: watchers always have their own channel; after the end everybody may talk."""
    room = running()
    assert room.position is not None
    rules: Any = Mannered(TalkPolicy("closed", notes_locked=True))
    assert actions.talk_policy(rules, room, None).mode == "open"
    assert actions.talk_policy(rules, room, Seat(0)).mode == "closed"
    assert actions.talk_policy(rules, seated("ann"), Seat(0)).mode == "open"
    over = replace(room, position=replace(room.position, prompts=Outcome((Seat(0),), (1, 0, 0, 0))))
    assert actions.talk_policy(rules, over, Seat(0)).mode == "open"


# --- notes ---


def test_notes() -> None:
    """GEN-9: notes are kept whole, up to 4 KB of UTF-8, unless the rules lock them."""
    room = running()
    change = actions.note(RULES, room, Seat(2), "Bea lies")
    assert isinstance(change, Change)
    assert change.note == (2, "Bea lies")
    assert change.room is room
    assert isinstance(actions.note(RULES, room, Seat(2), "é" * 2048), Change)
    assert refused(actions.note(RULES, room, Seat(2), "é" * 2049)) == "TOO_LONG"
    locked: Any = Mannered(TalkPolicy("open", notes_locked=True))
    assert refused(actions.note(locked, room, Seat(2), "x")) == "NOTES_LOCKED"


# --- any sequence ---

acts = st.one_of(
    st.builds(m.Ready, ready=st.booleans(), salt=st.sampled_from(("", "s"))),
    st.builds(m.Start),
    st.builds(m.AddBot, seat=st.integers(0, 5), level=st.sampled_from((*LEVELS, "none"))),
    st.builds(m.FreeSeat, seat=st.integers(0, 5)),
    st.builds(m.SwapSeats, a=st.integers(0, 5), b=st.integers(0, 5)),
    st.builds(m.TakeBack),
    st.builds(m.StandIn),
    st.builds(m.Pause),
    st.builds(m.Resume),
    st.builds(m.HandOver, seat=st.integers(0, 5)),
    st.builds(m.Lock, locked=st.booleans()),
    st.builds(m.CloseWatching, closed=st.booleans()),
)
people = st.sampled_from(("ann", "bea", "cy", "dan"))
steps = st.lists(
    st.one_of(st.tuples(people, st.integers(0, 4)), st.tuples(st.integers(0, 3), acts)), max_size=40
)


@settings(max_examples=150, deadline=None)
@given(steps)
def test_whatever_is_done(sequence: list[tuple[Any, Any]]) -> None:
    """R1, R3: nobody has two seats, the host is seated, and a change of hands raises a seat's generation."""
    room = empty()
    for who, what in sequence:
        result = sit(room, who, what) if isinstance(who, str) else act(room, who, what)
        if isinstance(result, Refusal):
            assert result.rule
            continue
        before, room = room, result.room
        table = room.table
        persons = [seat.person for seat in table.seats if seat.person is not None]
        assert len(set(persons)) == len(persons)
        assert (table.host in persons) if persons else table.host is None
        names = [actions.name_of(table, seat) for seat in range(4)]
        assert all(one != other for one, other in combinations(names, 2))
        for old, new in zip(before.table.seats, table.seats, strict=True):
            assert new.seat_generation >= old.seat_generation
            if old.person != new.person:
                assert new.seat_generation > old.seat_generation
            assert not (new.bot and new.person)
        assert (room.position is None) == (table.status == "waiting")
        if table.status != "waiting":
            assert all(seat.person or seat.bot or seat.substitute for seat in table.seats)
