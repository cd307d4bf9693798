"""The types of Subdivision: options, state (sections of the view only) and moves.

Squares are numbered from 0: column + size * row, from a1 at the lower left, so b1 is 1 and a2 is `size`.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from games.api import MoveBase, Public, Seat, Struct
from games.kit.options import option_metadata
from games.kit.time_control import TimeControlMove, Timers
from games.kit.timed_game import TimedState

Set: TypeAlias = Literal["fullStash", "threeHouse"]
Parks: TypeAlias = Literal["symmetric", "random", "hostDraws", "parkPlacement"]
Pips: TypeAlias = Literal[1, 2, 3]
"""The sizes of pyramids: a 3 is a high-rise, a 2 is a house, and a 1 is manufactured homes."""
Phase: TypeAlias = Literal["parks", "place", "end"]

SIZES: Final[tuple[Pips, ...]] = (1, 2, 3)


class SubdivisionOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options (section 3a)."""

    set: Annotated[Set, option_metadata("game")] = "fullStash"
    parks: Annotated[Parks, option_metadata("parks")] = "symmetric"
    pattern: Annotated[
        str,
        msgspec.Meta(
            max_length=64,
            pattern=r"^[\s,]*([A-Za-z][0-9]{1,2}([\s,]+|$))*$",  # even an unused one is in the record
            extra_json_schema={"group": "parks"},
        ),
    ] = ""
    private_parks: Annotated[bool, option_metadata("parks")] = False
    park_ring: Annotated[Literal["group", "player"], option_metadata("parks", official="group")] = "group"
    stuck: Annotated[Literal["pass", "anywhere"], option_metadata("variants", official="pass")] = "pass"
    timers: Timers = "normal"


# --- sections ---


class Piece(Struct, frozen=True, array_like=True):
    """A pyramid on the board."""

    seat: Public[Seat]
    pips: Public[int]


class Board(Struct, frozen=True):
    """Section `board`: `size` x `size` squares, the parks in ascending order, the last piece's square."""

    size: Public[int]
    parks: Public[tuple[int, ...]]
    squares: Public[tuple[Piece | None, ...]]
    last: Public[int | None] = None
    private: Public[Literal["group", "player"] | None] = None
    """The unit that must surround a park to make it private (SUB-9); None if private parks are off."""


class Lead(Struct, frozen=True):
    """Since when exactly these seats have had the highest total.

    The pyramid on `square` brought that about, and `left` pyramids were left to place after it.
    """

    seats: Public[tuple[Seat, ...]]
    square: Public[int]
    left: Public[int]


class Stage(Struct, frozen=True):
    """Section `stage`: the phase of the game.

    `turn` is the seat whose turn it is, or None at the end; `number` counts the placements, passes and parks
    so far. `parks_left` is the number of parks the players still have to place; `passed` are the seats that
    passed since the last placement. If `free`, the seat may place anywhere (option `stuck`). `lead` is None
    before the first pyramid.
    """

    phase: Public[Phase]
    turn: Public[Seat | None]
    number: Public[int]
    parks_left: Public[int]
    passed: Public[tuple[Seat, ...]]
    free: Public[bool] = False
    lead: Public[Lead | None] = None


class Stash(Struct, frozen=True):
    """Section `stash`: how many 1s, 2s and 3s each seat has left to place."""

    left: Public[tuple[tuple[int, int, int], ...]]


class Group(Struct, frozen=True):
    """A connected set of one seat's pyramids (SUB-4, SUB-5); each costs a point."""

    seat: Seat
    squares: tuple[int, ...]


class Crowd(Struct, frozen=True, array_like=True):
    """A 3 with `ones` 1s near it: each after the first costs it a point, up to three (SUB-6)."""

    square: int
    ones: int
    lost: int


class Garden(Struct, frozen=True, array_like=True):
    """A park that one seat has made private (SUB-9, SUB-10)."""

    park: int
    seat: Seat


class Total(Struct, frozen=True):
    """A seat's score and its parts: total = pips - groups - crowded + gardens (section 3d)."""

    pips: int
    groups: int
    crowded: int
    gardens: int
    total: int


class Score(Struct, frozen=True):
    """Section `score`: the totals by seat, with the squares of every deduction and bonus."""

    totals: tuple[Total, ...]
    groups: tuple[Group, ...]
    crowds: tuple[Crowd, ...]
    gardens: tuple[Garden, ...]


class Preview(Struct, frozen=True):
    """The totals by seat after a placement."""

    totals: tuple[Total, ...]


class SubdivisionState(TimedState, frozen=True):
    """The state of a game. Nothing in it is hidden (3c)."""

    options: Public[SubdivisionOptions]
    board: Public[Board]
    stage: Public[Stage]
    stash: Public[Stash]


# --- moves ---

Square: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=63)]


class Park(MoveBase, frozen=True, tag="park", forbid_unknown_fields=True):
    """Place a park (variant Park Place-ment)."""

    square: Square


class Place(MoveBase, frozen=True, tag="place", forbid_unknown_fields=True):
    """Place a pyramid."""

    pips: Pips
    square: Square


SubdivisionPlay: TypeAlias = Park | Place
SubdivisionMove: TypeAlias = SubdivisionPlay | TimeControlMove
