"""What So Long Sucker is made of: options, sections, state, moves.

A colour is the number of the seat whose chips have it: colour 2 is seat 2's. A chip is a prisoner while it
is in the hand of another seat. Piles are written bottom first, and have numbers that are not used again in
a round.

Asks, and the moves that answer them: `turn:N` of the mover, place and playCard; `choose:N`, giveMove;
`kill:N`, kill; `rescue:N` of all who must answer, rescue, refuse and relent, and playCard of the needy one;
`prisoners:R` of all who hold some, at any time, transfer and killPrisoners; `continue:R` between rounds.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from games.api import Millis, MoveBase, OwnerOnly, Public, Seat, Secret, Struct
from games.kit.options import about
from games.kit.time_control import TimeControlMove, Timers
from games.kit.timed_game import TimedState

Colour: TypeAlias = int
"""The number of a seat."""
Kind: TypeAlias = Literal["capture", "return", "tribute"]
"""What a blackmail card does (2b): the seed's i, ii and iii."""
Phase: TypeAlias = Literal["turn", "choose", "kill", "rescue", "review", "end"]
What: TypeAlias = Literal["place", "capture", "dies", "fall"]
Counts: TypeAlias = tuple[int, ...]
"""A number for every colour."""

KINDS: Final[tuple[Kind, ...]] = ("capture", "capture", "return", "return", "tribute", "tribute")
"""The six blackmail cards of a round."""
BASE: Final = {4: 7, 5: 6, 6: 5}
"""How many chips a seat starts with, by the number of seats (2a)."""
TURN_TIME: Final = Millis(75_000)
CHOOSE_TIME: Final = Millis(45_000)
KILL_TIME: Final = Millis(25_000)
RESCUE_TIME: Final = Millis(45_000)
REVIEW_TIME: Final = Millis(30_000)
TRAIL_SHOWN: Final = 12
DEEDS_KEPT: Final = 400
"""As much history as a view has room for; a round of seven chips has about 70 placements (SLS-34)."""


class SuckerOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Section 2a. The original game of 1964 is the one without blind allies and without blackmail."""

    blind_ally: Annotated[
        bool,
        about(
            "Blind allies",
            "Everybody has a secret ally to come second to, and a secret enemy.",
            "game",
            "seed",
        ),
    ] = True
    blackmail: Annotated[
        bool,
        about(
            "Blackmail", "Who forces the next player by a full pile gets a blackmail card.", "game", "seed"
        ),
    ] = True
    rounds: Annotated[
        int,
        msgspec.Meta(
            ge=1,
            le=10,
            title="Rounds",
            description="How many rounds are played; a point for each one won.",
            extra_json_schema={"group": "match", "source": "seed"},
        ),
    ] = 1
    chip_adjust: Annotated[
        Literal["fromBase", "cumulative", "off"],
        about(
            "Chips of the next round",
            "One more for each enemy you were, one less for each ally: from the usual, the last, or not.",
            "match",
            "SLS-30",
        ),
    ] = "fromBase"
    first_player: Annotated[
        Literal["random", "lastOut", "rotate"],
        about(
            "Who begins the next round",
            "By chance, or who was the last one out, or the next player to the left.",
            "match",
            "SLS-3",
        ),
    ] = "random"
    blackmail_faces: Annotated[
        Literal["private", "public"],
        about(
            "Who sees a blackmail card",
            "Private: its owner and the player it names. Public: everybody.",
            "blackmail",
            "SLS-18",
        ),
    ] = "private"
    self_blackmail: Annotated[
        bool,
        about(
            "Blackmailing yourself",
            "You get a card also when the player you force is yourself.",
            "blackmail",
            "SLS-20",
        ),
    ] = False
    dead_cards: Annotated[
        Literal["void", "keepCapture"],
        about(
            "Cards that name a defeated player",
            "Void: they leave the game. Kept: a capture card still captures with the dead colour.",
            "blackmail",
            "SLS-25",
        ),
    ] = "void"
    timers: Timers = "normal"


# --- sections: what everybody sees ---


class Stage(Struct, frozen=True, cache_hash=True):
    """Section `stage`: where the game stands.

    `number` rises with every phase. `mover` holds the move: it is to place, to choose who is next, or to
    kill, or it is the one in need of rescue; None between rounds and at the end. `pile` is the pile to
    choose or kill by, `next` are those the mover may choose among. `alive` by seat; `out` the defeated ones
    in their order. `bound`: the mover was rescued, and must keep a chip to place.
    """

    round: Public[int]
    phase: Public[Phase]
    number: Public[int]
    mover: Public[Seat | None]
    first: Public[Seat]
    alive: Public[tuple[bool, ...]]
    out: Public[tuple[Seat, ...]]
    pile: Public[int | None] = None
    next: Public[tuple[Seat, ...]] = ()
    bound: Public[bool] = False


class Hands(Struct, frozen=True, cache_hash=True):
    """Section `hands`: all chips that are not in piles (SLS-1).

    `chips` by holder and by colour: what a seat has of colours not its own are its prisoners. `dead` by
    colour: the chips out of the game.
    """

    chips: Public[tuple[Counts, ...]]
    dead: Public[Counts]


class Result(Struct, frozen=True):
    """How a round ended, with all that was secret in it.

    `chips` at its start. `survivor`, and before it `out` in their order; the last of them may have won,
    too. `rows` by seat: its row of colours, enemy first, ally last; empty without blind allies. `deck`: the
    kinds of the blackmail cards by their ids, then those nobody took. `change`: chips more or fewer for the
    next round, before it is held to at least one (SLS-30).
    """

    first: Public[Seat]
    chips: Public[Counts]
    survivor: Public[Seat]
    out: Public[tuple[Seat, ...]]
    winners: Public[tuple[Seat, ...]]
    rows: Public[tuple[tuple[Colour, ...], ...]]
    deck: Public[tuple[Kind, ...]]
    change: Public[tuple[int, ...]]


class Match(Struct, frozen=True):
    """Section `match`: rounds won by seat, what each began this round with, and the rounds that are over."""

    rounds: Public[int]
    points: Public[tuple[int, ...]]
    chips: Public[Counts]
    results: Public[tuple[Result, ...]]


class Readiness(Struct, frozen=True):
    """Section `readiness`: who is ready for the next round."""

    done: Public[tuple[bool, ...]]


class Deed(Struct, frozen=True, array_like=True):
    """A step of a round, for the chart of it, with the chips in each hand after it.

    "place": `seat` put a chip of `colour` on `pile`. "capture": it took the pile, killing one of `colour`.
    "dies": the pile died. "fall": the seat was defeated.
    """

    what: What
    seat: Seat
    colour: Colour | None
    pile: int | None
    held: tuple[int, ...]


# --- the state ---


class Pile(Struct, frozen=True, array_like=True):
    id: int
    chips: tuple[Colour, ...]


class Taken(Struct, frozen=True, array_like=True):
    """A card from the stack; its id is its place among those taken, its kind in `deck` at that place."""

    owner: Seat
    token: Seat
    status: Literal["held", "played", "void"] = "held"


class Need(Struct, frozen=True):
    """A rescue that is open: who has refused, and who takes a blackmail card if the mover is saved."""

    refused: Public[tuple[bool, ...]]
    award: Public[Seat | None]


class SuckerState(TimedState, frozen=True):
    options: Public[SuckerOptions]
    stage: Public[Stage]
    hands: Public[Hands]
    piles: Public[tuple[Pile, ...]]
    laid: Public[int]
    """How many piles were begun in this round."""
    trail: Public[tuple[Seat, ...]]
    """Seats in the order they got the move, the mover last."""
    taken: Public[tuple[Taken, ...]]
    need: Public[Need | None]
    deeds: Public[tuple[Deed, ...]]
    match: Public[Match]
    ready: Public[Readiness]
    rows: OwnerOnly[tuple[tuple[Colour, ...], ...]]
    """The row of ally cards of each seat, enemy first, ally last; none between rounds."""
    deck: Secret[tuple[Kind, ...]]
    """All blackmail cards of the round: the first `len(taken)` are taken; none between rounds."""


# --- moves ---

SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=5)]
PileNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=9_999)]
CardNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=5)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=999)]


class Place(MoveBase, frozen=True, tag="place", forbid_unknown_fields=True):
    """Put a chip on a pile, or (no `pile`) begin a new one; `card`: capture by blackmail (SLS-26)."""

    colour: SeatNumber
    pile: PileNumber | None = None
    card: CardNumber | None = None


class PlayCard(MoveBase, frozen=True, tag="playCard", forbid_unknown_fields=True):
    """Play a return card, or one of tribute, naming the colour of the prisoners to be handed over."""

    card: CardNumber
    colour: SeatNumber | None = None


class GiveMove(MoveBase, frozen=True, tag="giveMove", forbid_unknown_fields=True):
    """Choose who has the move next."""

    to: SeatNumber


class Kill(MoveBase, frozen=True, tag="kill", forbid_unknown_fields=True):
    """Kill a chip of the captured pile, and take the others."""

    colour: SeatNumber


class RescueWith(MoveBase, frozen=True, tag="rescue", forbid_unknown_fields=True):
    """Answer a rescue: give the needy seat prisoners."""

    colour: SeatNumber
    count: Count


class Refuse(MoveBase, frozen=True, tag="refuse", forbid_unknown_fields=True):
    """Answer a rescue: no."""


class Relent(MoveBase, frozen=True, tag="relent", forbid_unknown_fields=True):
    """Take a refusal back, to think again (SLS-15)."""


class Transfer(MoveBase, frozen=True, tag="transfer", forbid_unknown_fields=True):
    """Give prisoners to another seat, for good."""

    colour: SeatNumber
    count: Count
    to: SeatNumber


class KillPrisoners(MoveBase, frozen=True, tag="killPrisoners", forbid_unknown_fields=True):
    """Kill prisoners of one's own."""

    colour: SeatNumber
    count: Count


class Continue(MoveBase, frozen=True, tag="continue", forbid_unknown_fields=True):
    """Ready for the next round."""


SuckerPlay: TypeAlias = (
    Place | PlayCard | GiveMove | Kill | RescueWith | Refuse | Relent | Transfer | KillPrisoners | Continue
)
SuckerMove: TypeAlias = SuckerPlay | TimeControlMove
