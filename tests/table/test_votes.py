"""Votes: who has one, how many it takes, when they are decided, and what they do (R20, R21)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.api import Outcome, Refusal, Seat
from hub.table import voting
from hub.table.room import NO_RESULT, Change, Room, Snapshots, due, next_end, unpack
from hub.table.speech import talk_policy
from hub.table.traces import leave
from hub.table.views import Views, table_section
from hub.table.votes import Electorate, Tally, Vote, cast, count, decide
from hub.wire import messages as m
from tests.table.almost_rooms import NOW, RULES, act, done, lines, refused, running, seated

FOUR: Final = ("ann", "bea", "cy", "dan")
KINDS: Final[tuple[m.VoteKind, ...]] = ("pause", "resume", "bot", "remove", "end")
KEPT: Final = m.PresenceSection((True,) * 4, 0)


def table(*people: str) -> Room:
    """A running game with these people, and bots in the other seats; Ann is host."""
    return running(*(people or FOUR))


def settle(change: Change | Refusal, absent: Collection[int], over: int | None = None) -> Change | Refusal:
    """The change with what the hub does after it: it ends a vote that is decided."""
    if isinstance(change, Refusal):
        return change
    settled = voting.settle(change.room, NOW, frozenset(map(Seat, absent)), over)
    return change if settled is None else replace(settled, logged=(*change.logged, *settled.logged))


def call(
    room: Room, seat: int, kind: m.VoteKind, about: int | None = None, absent: Collection[int] = ()
) -> Change | Refusal:
    change = voting.call(room, Seat(seat), m.CallVote(kind, about), NOW, frozenset(map(Seat, absent)))
    return settle(change, absent)


def vote(room: Room, seat: int, *, yes: bool, absent: Collection[int] = ()) -> Change | Refusal:
    number = room.table.vote.number if room.table.vote else room.table.votes
    return settle(voting.take_vote(room, Seat(seat), m.Vote(number, yes), NOW), absent)


def run_out(room: Room, absent: Collection[int] = ()) -> Change | Refusal:
    assert room.table.vote is not None
    return settle(Change(room), absent, room.table.vote.number)


def keys(change: Change | Refusal) -> list[str]:
    return [key.removeprefix("table.") for key, _ in lines(change)]


# --- counting ---


def electorate(connected: str = "", away: str = "", players: int = 0) -> Electorate:
    return Electorate(frozenset(connected), frozenset(away), players or len(connected + away))


def test_a_vote_counts_once_and_may_be_changed() -> None:
    """R20: a second tap on the same button changes nothing."""
    first = Vote(1, "pause", Seat(0), ("a",))
    assert cast(first, "a", yes=True) is first
    changed = cast(cast(first, "b", yes=True), "a", yes=False)
    assert (changed.yes, changed.no) == (("b",), ("a",))


@pytest.mark.parametrize(
    ("kind", "people", "expected"),
    [
        ("pause", electorate("abc"), Tally(1, 0, 2, 2)),
        ("pause", electorate("abcd"), Tally(1, 0, 3, 3)),
        ("pause", electorate("ab", "cd"), Tally(1, 0, 2, 1)),  # only who is connected
        ("resume", electorate("b", "a"), Tally(1, 0, 2, 1)),  # and who has voted
        ("bot", electorate("a"), Tally(1, 0, 1, 0)),
        ("end", electorate("ab", "cd"), Tally(1, 0, 3, 3)),  # all people who play
        ("end", electorate("a"), Tally(1, 0, 2, 0)),  # and never fewer than two
        ("remove", electorate("ab", players=3), Tally(1, 0, 2, 1)),
        ("remove", electorate("abc", players=4), Tally(1, 0, 3, 2)),
    ],
)
def test_how_many_it_takes(kind: m.VoteKind, people: Electorate, expected: Tally) -> None:
    """R20"""
    assert count(Vote(1, kind, Seat(0), ("a",)), people) == expected


@given(
    st.sampled_from(KINDS), st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")), st.data()
)
@settings(max_examples=200, deadline=None)
def test_a_verdict_needs_enough_votes(
    kind: m.VoteKind, connected: set[str], away: set[str], data: st.DataObject
) -> None:
    """R20: no vote passes without a majority, a final one without two, and every one ends in time."""
    people = electorate("".join(connected), "".join(away - connected), 6)
    current = Vote(1, kind, Seat(0), ())
    for person in data.draw(st.lists(st.sampled_from("abcdefgh"))):
        current = cast(current, person, yes=data.draw(st.booleans()))
    tally = count(current, people)
    assert tally.yes + tally.no + tally.open <= len(connected | away)
    early, final = decide(current, tally, is_over=False), decide(current, tally, is_over=True)
    assert final == (early or ("passed" if tally.yes >= tally.needed else "failed"))
    if final == "passed":
        assert tally.yes > tally.no
        assert tally.yes >= (4 if kind in ("remove", "end") else 1)


# --- who may call what ---


def test_a_vote_is_called_for_by_whoever_calls_it() -> None:
    change = call(table(), 1, "pause")
    running = done(change).table.vote
    assert running == Vote(1, "pause", Seat(1), ("bea",))
    assert lines(change) == [("table.vote_called", {"kind": "pause", "by": 1})]
    about = call(table(), 1, "remove", 2)
    assert lines(about) == [("table.vote_called", {"kind": "remove", "name": "Cy", "seat": 2, "by": 1})]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", ["waiting", "running", "paused", "finished"])
def test_when_a_vote_can_be_called(kind: m.VoteKind, status: Any) -> None:
    """R20: only during a game."""
    room = table() if status != "waiting" else seated(*FOUR)
    room = replace(room, table=replace(room.table, status=status))
    about = 2 if kind in ("bot", "remove") else None
    result = call(room, 1, kind, about, (2,) if kind == "bot" else ())
    allowed = {"pause": ("running",), "resume": ("paused",)}.get(kind, ("running", "paused"))
    assert isinstance(result, Change) == (status in allowed)


@pytest.mark.parametrize(
    ("seat", "kind", "about", "absent", "code"),
    [
        (3, "pause", None, (), "BOT_PLAYS"),  # a bot's own seat
        (1, "pause", 2, (), "NO_SUCH_SEAT"),
        (1, "remove", None, (), "NO_SUCH_SEAT"),
        (1, "remove", 1, (), "NO_SUCH_SEAT"),  # oneself
        (1, "remove", 3, (), "NO_SUCH_SEAT"),  # a bot
        (1, "remove", 9, (), "NO_SUCH_SEAT"),
        (1, "bot", 2, (), "NO_SUCH_SEAT"),  # not absent
        (1, "bot", 3, (3,), "NO_SUCH_SEAT"),
        (1, "resume", None, (), "NOT_NOW"),
    ],
)
def test_what_cannot_be_called(
    seat: int, kind: m.VoteKind, about: int | None, absent: tuple[int, ...], code: str
) -> None:
    """R20"""
    assert refused(call(table("ann", "bea", "cy"), seat, kind, about, absent)) == code


def test_one_vote_at_a_time() -> None:
    """R20"""
    assert refused(call(done(call(table(), 1, "pause")), 2, "end")) == "VOTE_RUNNING"


def test_a_substitute_neither_calls_nor_votes() -> None:
    """R20: not even while its person is connected; whoever takes the seat back has a vote again."""
    room = done(act(table(), 1, m.StandIn()))
    assert refused(call(room, 1, "pause")) == "BOT_PLAYS"
    room = done(call(room, 0, "pause"))
    assert refused(vote(room, 1, yes=True)) == "BOT_PLAYS"
    back = done(act(room, 1, m.TakeBack()))
    assert done(vote(back, 1, yes=True)).table.vote is not None, "two of four are no majority"


def test_two_people_cannot_remove_each_other() -> None:
    """R20: it takes two votes."""
    assert refused(call(table("ann", "bea"), 0, "remove", 1)) == "TOO_FEW_VOTERS"
    assert refused(call(table("ann"), 0, "end")) == "TOO_FEW_VOTERS"
    assert done(call(table("ann", "bea"), 0, "end")).table.vote is not None


def test_the_seat_concerned_has_no_vote() -> None:
    """R20"""
    room = done(call(table(), 1, "remove", 2))
    assert refused(vote(room, 2, yes=False)) == "NO_VOTE"
    room = done(call(table(), 1, "bot", 2, (2,)))
    assert refused(vote(room, 2, yes=False)) == "NO_VOTE"


def test_a_vote_that_is_over_takes_no_votes() -> None:
    """R20: a vote for an earlier one never counts for the next."""
    assert refused(vote(table(), 1, yes=True)) == "NO_SUCH_VOTE"
    room = done(call(done(run_out(done(call(table(), 1, "pause")))), 2, "end"))
    assert room.table.vote is not None
    assert room.table.vote.number == 2
    assert refused(voting.take_vote(room, Seat(0), m.Vote(1, yes=True), NOW)) == "NO_SUCH_VOTE"


# --- what comes of it ---


def test_the_table_pauses_and_resumes_by_vote() -> None:
    """R20: also against the host, as soon as there is a majority."""
    room = done(vote(done(call(table(), 1, "pause")), 2, yes=True))
    assert room.table.status == "running"
    change = vote(room, 3, yes=True)
    assert (done(change).table.status, done(change).table.paused_for) == ("paused", "vote")
    assert keys(change) == ["vote_passed", "paused_vote"]
    assert lines(change)[0][1] == {"kind": "pause", "yes": 3, "no": 0}
    room = done(vote(done(call(done(change), 1, "resume")), 2, yes=True))
    change = vote(room, 3, yes=True)
    assert (done(change).table.status, keys(change)) == ("running", ["vote_passed", "resumed"])


def test_whoever_is_alone_decides_at_once() -> None:
    """R20: nobody waits for people who are gone."""
    change = call(table(), 1, "pause", None, (0, 2, 3))
    assert keys(change) == ["vote_called", "vote_passed", "paused_vote"]


def test_a_vote_fails_as_soon_as_it_cannot_pass() -> None:
    """R20"""
    room = done(vote(done(call(table(), 1, "pause")), 2, yes=False))
    assert room.table.vote is not None
    change = vote(room, 3, yes=False)
    assert (keys(change), done(change).table.vote) == (["vote_failed"], None)
    assert lines(change)[0][1] == {"kind": "pause", "yes": 1, "no": 2}
    assert keys(run_out(room)) == ["vote_failed"]


def test_a_bot_takes_an_absent_seat_when_the_time_is_up() -> None:
    """R20: whoever comes back in the meantime keeps the seat."""
    called = call(table("ann", "bea"), 0, "bot", 1, (1,))
    room = done(called)
    assert keys(called) == ["vote_called"], "a line that breaks for a moment costs no move"
    change = run_out(room, (1,))
    assert (keys(change), done(change).table.seats[1].substitute) == (["vote_passed", "stands_in"], True)
    back = settle(Change(room), ())
    assert (keys(back), done(back).table.seats[1].substitute) == (["vote_lapsed"], False)


@pytest.mark.parametrize("host", ["ann", "cy"])
def test_a_seat_is_removed_by_vote(host: str) -> None:
    """R20, R13, R3: like a removal by the host; if it was the host's seat, somebody connected follows."""
    room = replace(table(), table=replace(table().table, host=host))
    room = done(vote(done(call(room, 1, "remove", 2, (0,))), 0, yes=True, absent=(0,)))
    assert room.table.seats[2].person == "cy", "two of four"
    change = vote(room, 3, yes=True, absent=(0,))
    state = done(change).table
    assert (state.seats[2].person, state.seats[2].substitute, state.barred) == (None, True, ("cy",))
    assert state.host == ("ann" if host == "ann" else "bea")
    expected = ["vote_passed", "voted_out", *(["new_host"] if host == "cy" else []), "admission_on"]
    assert keys(change) == expected
    assert isinstance(change, Change)
    assert change.note_moves == ((2, None),)


@pytest.mark.parametrize(
    ("kind", "about", "what"),
    [
        ("pause", None, (0, m.Pause())),
        ("remove", 2, (2, m.FreeSeat(seat=2))),
        ("bot", 2, (2, m.StandIn())),
    ],
)
def test_a_vote_lapses_when_it_is_pointless(
    kind: m.VoteKind, about: int | None, what: tuple[int, m.Act]
) -> None:
    """R20: every outcome has its line."""
    absent = (2,) if kind == "bot" else ()
    room = done(call(table(), 1, kind, about, absent))
    change = settle(act(room, *what), absent)
    assert keys(change)[-1] == "vote_lapsed"
    assert done(change).table.vote is None


def test_a_vote_goes_on_when_somebody_leaves() -> None:
    """R20: their vote no longer counts."""
    room = done(vote(done(call(table(), 1, "end")), 2, yes=True))
    change = settle(act(room, 2, m.FreeSeat(seat=2)), ())
    assert done(change).table.vote is not None
    change = vote(done(change), 3, yes=True)
    assert done(change).table.abandoned


# --- an abandoned game ---


def abandoned() -> Room:
    room = done(vote(done(call(table(), 1, "end")), 2, yes=True))
    change = vote(room, 3, yes=True)
    assert keys(change) == ["vote_passed", "abandoned"]
    assert isinstance(change, Change)
    assert change.affected_seats is None
    return change.room


def test_a_game_that_was_ended_has_no_result() -> None:
    """R20: its secrets are shown as after any game, and nothing is asked any more."""
    room = abandoned()
    section = table_section(room.table)
    assert (section.status, section.abandoned, section.record) == ("finished", True, True)
    assert section.seed is not None
    assert section.salts is not None
    assert room.position is not None
    assert room.position.prompts is NO_RESULT
    assert (next_end(room), due(room, NOW)) == (2**53, None)
    assert talk_policy(RULES, room, Seat(0)).mode == "open"
    for seat in range(4):
        assert refused(act(room, seat, m.Pause())) in ("NOT_NOW", "NOT_HOST")
        assert refused(call(room, seat, "end")) == "NOT_NOW"


def test_the_views_of_a_game_that_was_ended() -> None:
    """R20: no result, no prompts, no choices and no clock."""
    views = Views(4)
    notes = [""] * 4
    views.show(views.render(RULES, table(), KEPT, live=True, notes=notes))
    assert any(section["choices"].choices for seat in range(4) if (section := views.values(Seat(seat))))
    views.show(views.render(RULES, abandoned(), KEPT, live=False, notes=notes))
    fresh = Views(4)
    fresh.show(fresh.render(RULES, abandoned(), KEPT, live=False, notes=notes))
    for seat in (*map(Seat, range(4)), None):
        assert sorted(views.list_sections(seat)) == sorted(fresh.list_sections(seat))
    for seat in map(Seat, range(4)):
        sections = views.values(seat)
        assert "result" not in sections
        assert sections["prompts"].prompts == sections["windows"].windows == ()
        assert sections["choices"].choices == {}


def test_a_game_that_was_ended_stays_so() -> None:
    """R20, G6: a new owner reads it as it was."""
    room = abandoned()
    read = unpack(Snapshots().pack(room), {"almost": RULES})
    assert read == room
    assert read.position is not None
    assert read.position.prompts is NO_RESULT
    assert isinstance(NO_RESULT, Outcome)


# --- what is shown ---


def shown(views: Views, seat: int | None) -> m.VoteSection | None:
    for packed in views.list_sections(None if seat is None else Seat(seat)):
        name, rest = msgspec.msgpack.decode(packed[: 1 + (packed[0] & 31)], type=str), packed
        if name == "vote":
            return msgspec.msgpack.decode(rest[5:], type=m.VoteSection)
    return None


def test_who_is_shown_what_of_a_vote() -> None:
    """R20, G4: the counts to everybody, how a seat voted to that seat alone, and to no bot."""
    views = Views(4)
    room = done(vote(done(call(table("ann", "bea", "cy"), 0, "pause")), 2, yes=False))
    views.vote_time_left = lambda vote: 12_345 * vote.number
    update = views.render(RULES, room, KEPT, live=True, notes=[""] * 4)
    views.show(update)
    public = m.VoteSection(1, "pause", None, 0, 1, 1, 2, 12_345, may_vote=False, own=None)
    assert shown(views, None) == public
    assert shown(views, 3) == public
    for seat, own in ((0, True), (1, None), (2, False)):
        assert shown(views, seat) == replace(public, may_vote=True, own=own)
    assert all("vote" not in views.values(Seat(seat)) for seat in range(4))
    gone = views.render(RULES, done(run_out(room)), KEPT, live=True, notes=[""] * 4)
    views.show(gone)
    assert all(b"\xa4vote\xc0" in packed for packed in gone.per_audience.values())
    assert shown(views, 0) is None


def test_nobody_learns_how_somebody_else_voted() -> None:
    """G4: what a seat is sent does not depend on who of the others voted for and who against."""
    room = done(call(running("ann", "bea", "cy", "dan"), 0, "end"))
    one = done(vote(done(vote(room, 1, yes=True)), 2, yes=False))
    other = done(vote(done(vote(room, 2, yes=True)), 1, yes=False))
    for seat in (0, 3, None):
        sections = []
        for state in (one, other):
            views = Views(4)
            views.show(views.render(RULES, state, KEPT, live=True, notes=[""] * 4))
            sections.append(views.list_sections(None if seat is None else Seat(seat)))
        assert sections[0] == sections[1]


def test_the_count_follows_who_is_connected() -> None:
    """R20"""
    views = Views(4)
    room = done(call(table(), 0, "pause"))
    views.show(views.render(RULES, room, KEPT, live=True, notes=[""] * 4))
    assert shown(views, None).needed == 3  # type: ignore[union-attr]
    views.show(
        views.render(RULES, room, m.PresenceSection((True, True, False, False), 0), live=True, notes=[""] * 4)
    )
    assert shown(views, None).needed == 2  # type: ignore[union-attr]


def test_forgetting_a_person_ends_the_vote() -> None:
    """O: their id is not kept in it."""
    stored = Snapshots().pack(done(call(table(), 1, "pause")))
    assert b"bea" in stored
    assert unpack(leave(stored, "bea"), {"almost": RULES}).table.vote is None


# --- tables that are open to strangers ---


@pytest.mark.parametrize("status", ["waiting", "running", "paused", "finished"])
@pytest.mark.parametrize("open", [True, False])
def test_at_an_open_table_a_vote_decides_on_removals(status: Any, open: bool) -> None:
    """R21: during a game; before it, and among friends, the host does."""
    room = table("ann", "bea", "cy") if status != "waiting" else seated("ann", "bea", "cy")
    room = replace(room, table=replace(room.table, status=status, open=open))
    result = act(room, 0, m.FreeSeat(seat=1))
    if open and status in ("running", "paused"):
        assert refused(result) == "VOTE_NEEDED"
        assert refused(act(room, 1, m.FreeSeat(seat=0))) == "NOT_HOST"
        assert isinstance(act(room, 1, m.FreeSeat(seat=1)), Change), "anybody can leave"
    else:
        assert isinstance(result, Change) == (status != "finished")
