"""What Almost is made of: options, state (much of it sections of the view), moves."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import force_setattr

from games.api import MoveBase, Public, Seat, Struct
from games.kit.options import about, whole
from games.kit.sealed import Sealed
from games.kit.time_control import TimeControlMove, Timers
from games.kit.timed_game import TimedState

HIGHEST: Final = 1_000_000_000
"""The highest number Banbury takes: "any positive integer", within reason (4b)."""

Mode: TypeAlias = Literal["almost", "banbury"]
Discussion: TypeAlias = Literal["timed", "none", "untilReady"]
Phase: TypeAlias = Literal["discuss", "bid", "reveal", "end"]


class AlmostOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Section 4a. An option for one mode alone is ignored in the other."""

    mode: Annotated[
        Mode,
        about(
            "Game",
            "Almost: reach the target, and several can. Banbury Merton Street: the postal game, most wins.",
            "game",
            "seed",
        ),
    ] = "almost"
    scoring: Annotated[
        Literal["roundsWon", "sumOfEntries"],
        about(
            "Scoring", "Count the rounds won, or add up the winning numbers.", "game", "seed", only="banbury"
        ),
    ] = "roundsWon"
    banbury_rounds: Annotated[
        int, whole(1, 50, "Rounds", "How many rounds are played.", "game", "seed", only="banbury")
    ] = 10
    discussion: Annotated[
        Discussion | None,
        about(
            "Discussion",
            "Before each round: a time limit, no discussion, or until all are ready. "
            "Left open: a time limit in Almost, none in Banbury.",
            "talk",
            "seed",
        ),
    ] = None
    discussion_seconds: Annotated[
        int,
        whole(30, 300, "Seconds to discuss", "At the normal pace of the timers.", "talk", "seed"),
    ] = 90
    talk_while_bidding: Annotated[
        bool,
        about("Talk while bidding", "Talk stays open while numbers are chosen.", "talk", "ALM-8"),
    ] = False
    whispers: Annotated[
        bool, about("Whispers", "Two seats may talk without the others.", "talk", "ALM-9")
    ] = False
    timers: Timers = "normal"
    target: Annotated[
        int,
        whole(
            1,
            100,
            "Points to win",
            "All who reach this win. Unofficial unless 10.",
            "variants",
            "seed",
            only="almost",
            official="10",
        ),
    ] = 10
    max_bid: Annotated[
        int,
        whole(
            2,
            100,
            "Highest number",
            "Markers in each hand. Unofficial unless 10.",
            "variants",
            "ALM-1",
            only="almost",
            official="10",
        ),
    ] = 10

    def __post_init__(self) -> None:
        if self.discussion is None:  # 4b: off by default in banbury, the postal game has none
            force_setattr(self, "discussion", "timed" if self.mode == "almost" else "none")


# --- sections: what is seen, and much of the state ---


class Stage(Struct, frozen=True, cache_hash=True):
    """Section `stage`: where the game stands. `most` is the highest number that may be bid."""

    mode: Public[Mode]
    scoring: Public[Literal["roundsWon", "sumOfEntries"]]
    phase: Public[Phase]
    round: Public[int]
    rounds: Public[int]
    target: Public[int | None]
    most: Public[int]


class Row(Struct, frozen=True):
    """One past round. `missed` are the seats bid for by the server; `promised` what each stood behind."""

    bids: Public[tuple[int, ...]]
    missed: Public[tuple[Seat, ...]]
    promised: Public[tuple[int | None, ...]]
    winner: Public[Seat | None]


class Score(Struct, frozen=True):
    """Section `score`: the past bids and what they brought.

    `needs` is what each seat lacks (Almost: points to the target; Banbury: what the leader has more).
    `can` tells who can still win if all goes its way; `together` how many seats still can at most, jointly.
    """

    rows: Public[tuple[Row, ...]]
    points: Public[tuple[int, ...]]
    wins: Public[tuple[int, ...]]
    needs: Public[tuple[int, ...]]
    can: Public[tuple[bool, ...]]
    together: Public[int]


class Plan(Struct, frozen=True):
    """A bid for every seat that somebody proposed, and who stands behind it: talk, no contract (GEN-12)."""

    number: Public[int]
    by: Public[Seat]
    bids: Public[tuple[int, ...]]
    behind: Public[tuple[Seat, ...]]


class Plans(Struct, frozen=True, cache_hash=True):
    """Section `plans`: this round's proposals. `next` numbers the next one."""

    plans: Public[tuple[Plan, ...]]
    next: Public[int]


class Readiness(Struct, frozen=True):
    """Section `readiness`: who is ready (discuss), has locked (bid) or goes on (reveal)."""

    done: tuple[bool, ...]


class Mine(Struct, frozen=True):
    """Private section `mine`: the seat's own number while bidding, and its extensions."""

    bid: int | None
    locked: bool
    extensions: int


class AlmostState(TimedState, frozen=True):
    options: Public[AlmostOptions]
    stage: Public[Stage]
    done: Public[tuple[bool, ...]]
    """Ready, or going on; unused while bidding."""
    bids: Sealed[int]
    plans: Public[Plans]
    score: Public[Score]


# --- moves ---

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=HIGHEST)]


class Ready(MoveBase, frozen=True, tag="ready", forbid_unknown_fields=True):
    """Enough talk: I am ready to bid."""


class Unready(MoveBase, frozen=True, tag="unready", forbid_unknown_fields=True):
    """Not ready after all."""


class Propose(MoveBase, frozen=True, tag="propose", forbid_unknown_fields=True):
    """Propose a bid for every seat, and stand behind it."""

    bids: Annotated[tuple[Number, ...], msgspec.Meta(min_length=3, max_length=10)]


class Agree(MoveBase, frozen=True, tag="agree", forbid_unknown_fields=True):
    """Stand behind a plan, and no longer behind another."""

    plan: Annotated[int, msgspec.Meta(ge=1)]


class Withdraw(MoveBase, frozen=True, tag="withdraw", forbid_unknown_fields=True):
    """Stand behind no plan. A plan nobody stands behind is gone."""


class Bid(MoveBase, frozen=True, tag="bid", forbid_unknown_fields=True):
    """Draft a number; it counts if time runs out."""

    number: Number


class Lock(MoveBase, frozen=True, tag="lock", forbid_unknown_fields=True):
    """Lock the drafted number, or this one."""

    number: Number | None = None


class Unlock(MoveBase, frozen=True, tag="unlock", forbid_unknown_fields=True):
    """Think again; possible until the last seat locks (ALM-14)."""


class Continue(MoveBase, frozen=True, tag="continue", forbid_unknown_fields=True):
    """Seen; go on."""


AlmostPlay: TypeAlias = Ready | Unready | Propose | Agree | Withdraw | Bid | Lock | Unlock | Continue
AlmostMove: TypeAlias = AlmostPlay | TimeControlMove
