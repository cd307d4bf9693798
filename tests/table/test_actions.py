"""Table actions: bots, readiness, start, host, pause, and who may do what when."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.api import Refusal
from games.dice import commitment, game_seed
from hub.table import actions, seating
from hub.table.records import hash_name
from hub.table.room import Change
from hub.table.salt_exchange import hash_salt
from hub.table.views import table_section
from hub.wire import messages as m
from tests.table.almost_rooms import LEVELS, NOW, SEED, act, done, empty, lines, refused, running, seated, sit

SALTS = ("ab" * 32, "cd" * 32)

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
    assert refused(act(room, 0, m.AddBot(seat=2, level="divine"))) == "NO_SUCH_LEVEL"
    assert refused(act(room, 0, m.AddBot(seat=4, level="good"))) == "NO_SUCH_SEAT"
    gone = act(room, 0, m.FreeSeat(seat=1))
    assert done(gone).table.seats[1].bot is None
    assert lines(gone)[0][0] == "table.bot_removed"
    assert refused(act(running(), 0, m.FreeSeat(seat=3))) == "NO_SUCH_SEAT"


def test_ready() -> None:
    """R4: a seat may change its mind until the start."""
    room = done(act(seated("ann", "bea"), 1, m.Ready(ready=True)))
    assert room.table.seats[1].ready
    change = act(room, 1, m.Ready(ready=False))
    assert not done(change).table.seats[1].ready
    assert lines(change) == []
    assert refused(act(running(), 1, m.Ready(ready=True))) == "NOT_NOW"


def test_starting_the_game() -> None:
    """R4, G7.3: free seats get bots of the middle level; without salts, the log begins at once."""
    room = seated("ann", "bea")
    before = table_section(room.table).seed_hash
    change = act(room, 0, m.Start())
    after = done(change)
    assert after.table.status == "running"
    assert [seat.bot for seat in after.table.seats] == [None, None, "good", "good"]
    assert len({seat.colour for seat in after.table.seats}) == 4
    assert after.table.salts == ("", "", "", "")
    assert after.table.game_seed == game_seed(SEED, after.table.salts)
    assert table_section(after.table).seed_hash == before == commitment(SEED)
    assert [key for key, _ in lines(change)][:1] == ["table.started"]
    assert isinstance(change, Change)
    kinds = [logged.entry.kind for logged in change.logged if logged.entry is not None]
    assert kinds == ["setup"]
    assert refused(act(after, 0, m.Start())) == "NOT_NOW"


def test_who_played_is_kept_with_the_keys_of_their_names() -> None:
    """V8: for the record, even of those who leave; each name has its own key."""
    room = seated("ann", "bea")
    keys = tuple(bytes([seat]) * 16 for seat in range(4))
    room = replace(room, table=replace(room.table, name_keys=keys))
    table = done(act(done(act(room, 0, m.Start())), 1, m.FreeSeat(seat=1))).table
    assert table.name_keys == ()
    assert [(player.person, player.name) for player in table.players] == [
        ("ann", "Ann"),
        ("bea", "Bea"),
        (None, "Yuki"),
        (None, "Tavi"),
    ]
    for player, key in zip(table.players, keys, strict=True):
        assert player.name_key == key
        assert player.name_hash == hash_name(key, player.name or "")


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
    m.HearWatchers(on=False),
)
WAITING_ONLY = (m.Start, m.AddBot, m.SwapSeats, m.Ready, m.HearWatchers)


@pytest.mark.parametrize("what", HOST_ACTS, ids=lambda what: type(what).__name__)
@pytest.mark.parametrize("status", ["waiting", "running", "paused", "finished"])
def test_host_actions_are_refused_to_others(what: m.Act, status: Any) -> None:
    """GEN-13: no other seat may do it, not even an empty one or a former host's."""
    room = running() if status != "waiting" else seated("ann", "bea", "cy")
    room = replace(room, table=replace(room.table, status=status))
    assert refused(act(room, 1, what)) == "NOT_HOST"
    assert refused(act(room, 3, what)) == "NOT_HOST"
    handed = done(act(room, 0, m.HandOver(seat=2)))
    if what != m.FreeSeat(seat=0):
        assert refused(act(handed, 0, what)) == "NOT_HOST"


@pytest.mark.parametrize("what", [*HOST_ACTS, m.Ready(ready=True)], ids=lambda what: type(what).__name__)
def test_actions_by_table_status(what: m.Act) -> None:
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


def test_anybody_resumes_a_pause_whose_host_is_gone() -> None:
    """R18: whoever sits at the table, but nobody while the host is connected."""
    paused = done(actions.pause(running(), "host", NOW))
    for absent, expected in (((0,), "running"), ((0, 2), "running"), ((2,), "NOT_HOST"), ((), "NOT_HOST")):
        result = act(paused, 1, m.Resume(), absent)
        assert (result.code if isinstance(result, Refusal) else result.room.table.status) == expected
    assert refused(act(paused, 3, m.Resume(), (0,))) == "NOT_HOST", "it is a bot's seat"


@pytest.mark.parametrize(
    ("people", "ready", "absent", "starts"),
    [
        (4, (0, 1, 2, 3), (), True),
        (4, (1, 2, 3), (0,), True),  # the host is gone
        (4, (1, 2, 3), (), False),
        (4, (0, 1, 2), (3,), False),  # somebody else is gone
        (3, (0, 1, 2), (), False),  # a seat is free
    ],
)
def test_the_game_starts_when_everybody_is_ready(
    people: int, ready: tuple[int, ...], absent: tuple[int, ...], starts: bool
) -> None:
    """R19: nobody has to wait for a host who is gone, and no free seat is given to a bot."""
    room = seated(*("ann", "bea", "cy", "dan")[:people])
    for seat in ready:
        assert room.table.status == "waiting"
        room = done(act(room, seat, m.Ready(ready=True), absent))
    assert (room.table.status == "running") == starts
    assert all(room.table.seats[seat].ready for seat in ready)


def test_bots_are_always_ready() -> None:
    """R19"""
    room = done(act(seated("ann", "bea", "cy"), 0, m.AddBot(seat=3, level="good")))
    for seat in range(3):
        room = done(act(room, seat, m.Ready(ready=True)))
    assert room.table.status == "running"


def test_handing_over_the_host() -> None:
    """R3: only a person can be made host."""
    room = seated("ann", "bea")
    change = act(room, 0, m.HandOver(seat=1))
    assert done(change).table.host == "bea"
    assert lines(change) == [("table.new_host", {"name": "Bea", "seat": 1})]
    for seat in (2, 4, 99):
        assert refused(act(room, 0, m.HandOver(seat=seat))) == "NO_SUCH_SEAT"
    again = act(room, 0, m.HandOver(seat=0))
    assert (done(again), lines(again)) == (room, [])


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
    assert (kept.table.seats[1].substitute, kept.table.seats[1].asked) == (True, True)
    assert kept.table.seats[1].seat_generation == room.table.seats[1].seat_generation
    assert lines(change) == [("table.handed_to_bot", {"name": "Bea", "seat": 1})]
    assert refused(act(kept, 1, m.StandIn())) == "NOT_NOW"
    back = act(kept, 1, m.TakeBack())
    assert done(back).table.seats[1] == room.table.seats[1]
    assert lines(back) == [("table.took_back", {"name": "Bea", "seat": 1})]
    assert refused(act(room, 1, m.TakeBack())) == "NOT_NOW"
    assert refused(act(room, 3, m.StandIn())) == "NOT_NOW"  # a bot's own seat
    for status in ("waiting", "finished"):
        assert (
            refused(act(replace(room, table=replace(room.table, status=status)), 1, m.StandIn())) == "NOT_NOW"
        )


def test_locking_and_closing_to_watchers() -> None:
    room = seated("ann")
    for locked in (True, False):
        change = act(room, 0, m.Lock(locked=locked))
        room = done(change)
        assert room.table.locked == locked
        assert lines(change)[0][0] == ("table.locked" if locked else "table.unlocked")
    for closed in (True, False):
        change = act(room, 0, m.CloseWatching(closed=closed))
        room = done(change)
        assert room.table.watching != closed
        assert lines(change)[0][0] == ("table.watching_closed" if closed else "table.watching_open")


@pytest.mark.parametrize(
    "what",
    [
        m.Lock(locked=True),
        m.CloseWatching(closed=True),
        m.DelayWatching(delay="2min"),
        m.Admission(on=True),
        m.RemoveWatcher(id="p-eve"),
    ],
)
def test_what_is_so_already_logs_nothing(what: m.Act) -> None:
    """G8.15: nobody reads again that the table is locked, and nothing is stored."""
    room = done(act(seated("ann"), 0, what))
    again = act(room, 0, what)
    assert (done(again), lines(again)) == (room, [])


# --- any sequence ---


acts = st.one_of(
    st.builds(m.Ready, ready=st.booleans()),
    st.sampled_from(SALTS).map(lambda salt: m.CommitSalt(hash_salt(salt))),
    st.builds(m.RevealSalt, st.sampled_from(SALTS), st.just(hash_salt(SALTS[0]))),
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
def test_any_sequence_of_actions(sequence: list[tuple[Any, Any]]) -> None:
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
        names = [seating.name_of(table, seat) for seat in range(4)]
        assert all(one != other for one, other in combinations(names, 2))
        for old, new in zip(before.table.seats, table.seats, strict=True):
            assert new.seat_generation >= old.seat_generation
            if old.person != new.person:
                assert new.seat_generation > old.seat_generation
            assert not (new.bot and new.person)
        assert (room.position is None) == (table.status == "waiting")
        if table.status != "waiting":
            assert all(seat.person or seat.bot or seat.substitute for seat in table.seats)
