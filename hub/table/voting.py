"""Votes at a table (hub/table/votes.py): calling one, voting, and carrying out what was decided (R20).

A vote is part of the committed table, so a new owner of the room continues it; its time starts afresh.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from games.api import LogLine, Millis, Refusal, Seat
from hub.table import actions, seating
from hub.table.room import Change, Room, Table
from hub.table.seating import name_of
from hub.table.table_change import abandon, change_table, table_line
from hub.table.votes import CONCERNING, Electorate, Tally, Vote, cast, count, decide
from hub.wire import messages as m

PLAYING: Final = ("running", "paused")


def list_electorate(table: Table, seat: Seat | None, absent: Collection[Seat]) -> Electorate:
    """Who has a vote; not whoever sits in `seat`, which the vote concerns. `absent`: seats of the people who
    are not connected."""
    connected, away, players = set[str](), set[str](), 0
    for i, state in enumerate(table.seats):
        if state.person is not None and not state.substitute:
            players += 1
            if i != seat:
                (away if i in absent else connected).add(state.person)
    return Electorate(frozenset(connected), frozenset(away), players)


def tally(table: Table, vote: Vote, absent: Collection[Seat]) -> Tally:
    """The state of the table's vote."""
    return count(vote, list_electorate(table, vote.seat, absent))


def count_votes(table: Table, vote: Vote, connected: Sequence[bool]) -> Tally:
    """The state of the table's vote, for its views. `connected`: whether each seat's person is."""
    return tally(table, vote, [Seat(i) for i, is_connected in enumerate(connected) if not is_connected])


def may_vote(table: Table, vote: Vote, seat: Seat) -> bool:
    state = table.seats[seat]
    return state.person is not None and not state.substitute and seat != vote.seat


def call(room: Room, seat: Seat, act: m.CallVote, at: Millis, absent: Collection[Seat]) -> Change | Refusal:
    """Begins a vote for this seat, which votes for it."""
    table = room.table
    state = table.seats[seat]
    if table.status not in PLAYING:
        return Refusal("NOT_NOW", "R20")
    if state.person is None or state.substitute:
        return Refusal("BOT_PLAYS", "R20")
    if table.vote is not None:
        return Refusal("VOTE_RUNNING", "R20")
    concerned = None if act.seat is None else Seat(act.seat)
    if (act.kind in CONCERNING) != (concerned is not None) or concerned == seat:
        return Refusal("NO_SUCH_SEAT", "R20")
    if not _is_possible(table, act.kind, concerned, absent):
        return Refusal("NOT_NOW" if concerned is None else "NO_SUCH_SEAT", "R20")
    person = None if concerned is None else table.seats[concerned].person
    vote = Vote(table.votes + 1, act.kind, seat, (state.person,), (), concerned, person)
    outlook = tally(table, vote, absent)
    if outlook.yes + outlook.open < outlook.needed:
        return Refusal("TOO_FEW_VOTERS", "R20")
    return change_table(room, at, _line("vote_called", table, vote, by=seat), vote=vote, votes=vote.number)


def take_vote(room: Room, seat: Seat, act: m.Vote, at: Millis) -> Change | Refusal:
    """Counts a seat's vote, which it may change while the vote runs."""
    table, vote = room.table, room.table.vote
    if vote is None or vote.number != act.number:
        return Refusal("NO_SUCH_VOTE", "R20")
    person = table.seats[seat].person
    if seat == vote.seat:
        return Refusal("NO_VOTE", "R20")
    if person is None or table.seats[seat].substitute:
        return Refusal("BOT_PLAYS", "R20")
    changed = cast(vote, person, yes=act.yes)
    return Change(room) if changed is vote else change_table(room, at, vote=changed)


def settle(room: Room, at: Millis, absent: Collection[Seat], over: int | None = None) -> Change | None:
    """Ends the running vote if it is decided, or if what it asks for cannot be done any more.

    `over`: the number of a vote whose time is up. None if there is nothing to end.
    """
    table, vote = room.table, room.table.vote
    if vote is None:
        return None
    concerned = None if vote.seat is None else table.seats[vote.seat].person
    if vote.person != concerned or not _is_possible(table, vote.kind, vote.seat, absent):
        return change_table(room, at, _line("vote_lapsed", table, vote), vote=None)
    state = tally(table, vote, absent)
    verdict = decide(vote, state, is_over=over == vote.number)
    if verdict is None:
        return None
    line = _line(f"vote_{verdict}", table, vote, yes=state.yes, no=state.no)
    change = change_table(room, at, line, vote=None)
    if verdict == "failed":
        return change
    effect = _carry_out(change.room, vote, at, absent)
    assert isinstance(effect, Change), effect
    return replace(effect, logged=(*change.logged, *effect.logged))


def _is_possible(table: Table, kind: m.VoteKind, seat: Seat | None, absent: Collection[Seat]) -> bool:
    match kind:
        case "pause":
            return table.status == "running"
        case "resume":
            return table.status == "paused"
        case "end":
            return table.status in PLAYING
        case "bot" | "remove":
            if seat is None or seat >= len(table.seats) or table.status not in PLAYING:
                return False
            state = table.seats[seat]
            return state.person is not None and (
                kind == "remove" or (seat in absent and not state.substitute)
            )
        case _:
            assert_never(kind)


def _carry_out(room: Room, vote: Vote, at: Millis, absent: Collection[Seat]) -> Change | Refusal:
    match vote.kind:
        case "pause":
            return actions.pause(room, "vote", at)
        case "resume":
            return actions.resume(room, at)
        case "end":
            return abandon(room, at, table_line("abandoned"))
        case "bot":
            assert vote.seat is not None
            return actions.stand_in(room, vote.seat, at)
        case "remove":
            assert vote.seat is not None
            return seating.free_seat(room, vote.seat, at, absent, by_host=False, by_vote=True)
        case _:
            assert_never(vote.kind)


def _line(key: str, table: Table, vote: Vote, **args: int) -> LogLine:
    if vote.seat is None:
        return table_line(key, kind=vote.kind, **args)
    return table_line(key, kind=vote.kind, name=name_of(table, vote.seat), seat=vote.seat, **args)
