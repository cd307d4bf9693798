"""A vote of the people at a table: who has a vote, how many it takes, and when it is decided (R20).

Bots, substitutes and the seat concerned have no vote. To pause, to resume and to put a bot on an absent seat
takes more than half of the voters who are connected; to remove somebody and to end the game, more than half
of all people who play, and at least two. hub/table/voting.py applies this to a room.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from games.api import Seat
from hub.wire.messages import VoteKind

VOTE_MS: Final = 20_000
"""How many milliseconds a vote runs, on the live clock of the table's owner."""
CONCERNING: Final[tuple[VoteKind, ...]] = ("bot", "remove")
"""The kinds of vote that concern a seat."""
FINAL: Final[tuple[VoteKind, ...]] = ("remove", "end")
"""The kinds of vote whose effect cannot be undone."""

Verdict: TypeAlias = Literal["passed", "failed"]


class Vote(Struct, frozen=True, array_like=True):
    """A running vote. `number` counts the table's votes from 1; `caller` is the seat of whoever called it.

    `seat` and `person` are the seat concerned and the id of the person in it, if the vote concerns one. `yes`
    and `no` are the ids of the people who voted so.
    """

    number: int
    kind: VoteKind
    caller: Seat
    yes: tuple[str, ...]
    no: tuple[str, ...] = ()
    seat: Seat | None = None
    person: str | None = None


class Electorate(Struct, frozen=True):
    """The ids of the people who have a vote, connected and away. `players`: how many people play themselves,
    including somebody whom the vote concerns."""

    connected: frozenset[str]
    away: frozenset[str]
    players: int


class Tally(Struct, frozen=True):
    """The votes for and against, how many for it takes, and how many of those that count are still open."""

    yes: int
    no: int
    needed: int
    open: int


def cast(vote: Vote, person: str, *, yes: bool) -> Vote:
    """The vote with this person's, which replaces an earlier one; the same vote if that changes nothing."""
    if person in (vote.yes if yes else vote.no):
        return vote
    others = [tuple(other for other in people if other != person) for people in (vote.yes, vote.no)]
    others[0 if yes else 1] += (person,)
    return replace(vote, yes=others[0], no=others[1])


def count(vote: Vote, electorate: Electorate) -> Tally:
    """The state of a vote. Whoever is away counts for a final one, or if they have voted."""
    everybody = electorate.connected | electorate.away
    yes, no = everybody.intersection(vote.yes), everybody.intersection(vote.no)
    if vote.kind in FINAL:
        voters, needed = everybody, max(2, electorate.players // 2 + 1)
    else:
        voters = electorate.connected | yes | no
        needed = len(voters) // 2 + 1
    return Tally(len(yes), len(no), needed, len(voters) - len(yes) - len(no))


def decide(vote: Vote, tally: Tally, *, is_over: bool) -> Verdict | None:
    """The verdict, as soon as nobody can change it; None while the vote runs on. `is_over`: its time is up.

    A bot takes a seat only when the time is up, so that somebody whose line broke for a moment can come back.
    """
    if tally.yes + tally.open < tally.needed:
        return "failed"
    if tally.yes >= tally.needed and (is_over or vote.kind != "bot"):
        return "passed"
    return "failed" if is_over else None
