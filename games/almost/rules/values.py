"""The types of Almost: options, state (mostly sections of the view) and moves."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import force_setattr

from games.api import MoveBase, Public, Seat, Struct
from games.kit.options import number_metadata, option_metadata
from games.kit.sealed import Sealed
from games.kit.time_control import TimeControlMove, Timers
from games.kit.timed_game import TimedState

HIGHEST: Final = 1_000_000_000
"""The highest number allowed in Banbury, whose rules say "any positive integer" (4b)."""

Mode: TypeAlias = Literal["almost", "banbury"]
Discussion: TypeAlias = Literal["timed", "none", "untilReady"]
Phase: TypeAlias = Literal["discuss", "bid", "reveal", "end"]


class AlmostOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options (section 4a). An option for one mode is ignored in the other."""

    mode: Annotated[Mode, option_metadata("game")] = "almost"
    scoring: Annotated[
        Literal["roundsWon", "sumOfEntries"],
        option_metadata("game", only="banbury"),
    ] = "roundsWon"
    banbury_rounds: Annotated[int, number_metadata(1, 50, "game", only="banbury")] = 10
    discussion: Annotated[Discussion | None, option_metadata("talk")] = None
    discussion_seconds: Annotated[int, number_metadata(30, 300, "talk")] = 90
    talk_while_bidding: Annotated[bool, option_metadata("talk")] = False
    whispers: Annotated[bool, option_metadata("talk")] = False
    timers: Timers = "normal"
    target: Annotated[int, number_metadata(1, 100, "variants", only="almost", official="10")] = 10
    max_bid: Annotated[int, number_metadata(2, 100, "variants", only="almost", official="10")] = 10

    def __post_init__(self) -> None:
        if self.discussion is None:  # 4b: off by default in Banbury, because the postal game has none
            force_setattr(self, "discussion", "timed" if self.mode == "almost" else "none")


# --- sections ---


class Stage(Struct, frozen=True, cache_hash=True):
    """Section `stage`: the phase of the game. `most` is the highest legal bid."""

    mode: Public[Mode]
    scoring: Public[Literal["roundsWon", "sumOfEntries"]]
    phase: Public[Phase]
    round: Public[int]
    rounds: Public[int]
    target: Public[int | None]
    most: Public[int]


class Row(Struct, frozen=True):
    """A past round. `missed` are the seats the rules bid for; `promised` is each seat's bid in its plan.

    A plan counts if at least two seats have backed it: whoever leaves another lets nobody down.
    """

    bids: Public[tuple[int, ...]]
    missed: Public[tuple[Seat, ...]]
    promised: Public[tuple[int | None, ...]]
    winner: Public[Seat | None]


class Score(Struct, frozen=True):
    """Section `score`: the past bids and the points they scored.

    `needs` is how far each seat is behind the target in Almost, or behind the leader in Banbury. `can` says
    which seats can still win, and `together` how many of them can still win in the same game.
    """

    rows: Public[tuple[Row, ...]]
    points: Public[tuple[int, ...]]
    wins: Public[tuple[int, ...]]
    needs: Public[tuple[int, ...]]
    can: Public[tuple[bool, ...]]
    together: Public[int]


class Plan(Struct, frozen=True):
    """A proposed bid for every seat, and the seats that support it; it binds nobody (GEN-12)."""

    number: Public[int]
    by: Public[Seat]
    bids: Public[tuple[int, ...]]
    behind: Public[tuple[Seat, ...]]


class Plans(Struct, frozen=True, cache_hash=True):
    """Section `plans`: the proposals in this round. `next` is the number of the next proposal.

    `backings`: by seat, the place of its last backing among all in this round, from 1; 0 for none.
    """

    plans: Public[tuple[Plan, ...]]
    next: Public[int]
    backings: Public[tuple[int, ...]]


class Readiness(Struct, frozen=True):
    """Section `readiness`: which seats are ready (discuss), have locked (bid) or have continued (reveal)."""

    done: tuple[bool, ...]


class Mine(Struct, frozen=True):
    """Private section `mine`: the seat's own number while bidding, and its extensions."""

    bid: int | None
    locked: bool
    extensions: int


class AlmostState(TimedState, frozen=True):
    """The state of a game. Only the drafted bids are hidden."""

    options: Public[AlmostOptions]
    stage: Public[Stage]
    done: Public[tuple[bool, ...]]
    """By seat, whether it is ready or has continued; unused while bidding."""
    bids: Sealed[int]
    plans: Public[Plans]
    score: Public[Score]


# --- moves ---

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=HIGHEST)]
AnyNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=10 * HIGHEST)]
"""More than may be bid, so that the rules say what is wrong with it."""


class Ready(MoveBase, frozen=True, tag="ready", forbid_unknown_fields=True):
    """Ready to bid."""


class Unready(MoveBase, frozen=True, tag="unready", forbid_unknown_fields=True):
    """No longer ready."""


class Propose(MoveBase, frozen=True, tag="propose", forbid_unknown_fields=True):
    """Propose a bid for every seat, and support it."""

    bids: Annotated[tuple[Number, ...], msgspec.Meta(min_length=3, max_length=10)]


class Agree(MoveBase, frozen=True, tag="agree", forbid_unknown_fields=True):
    """Support this plan only."""

    plan: Annotated[int, msgspec.Meta(ge=1)]


class Withdraw(MoveBase, frozen=True, tag="withdraw", forbid_unknown_fields=True):
    """Stop supporting a plan. A plan that nobody supports is removed."""


class Bid(MoveBase, frozen=True, tag="bid", forbid_unknown_fields=True):
    """Draft a number; it becomes the bid if time runs out."""

    number: AnyNumber


class Lock(MoveBase, frozen=True, tag="lock", forbid_unknown_fields=True):
    """Lock this number, or the drafted one."""

    number: Number | None = None


class Unlock(MoveBase, frozen=True, tag="unlock", forbid_unknown_fields=True):
    """Unlock the number; possible until the last seat locks (ALM-14)."""


class Continue(MoveBase, frozen=True, tag="continue", forbid_unknown_fields=True):
    """Continue after the reveal."""


AlmostPlay: TypeAlias = Ready | Unready | Propose | Agree | Withdraw | Bid | Lock | Unlock | Continue
AlmostMove: TypeAlias = AlmostPlay | TimeControlMove
