"""The types of So Long Sucker: options, sections, state and moves.

A colour is the number of the seat that starts with the chips of that colour. A chip in another seat's
hand is a prisoner. Piles are listed bottom first; their numbers are not reused within a round.

Prompts, the seats that may answer, and their moves (N: phase number, R: round number):

    turn:N       the mover              place, playCard
    choose:N     the mover              giveMove
    kill:N       the mover              kill
    rescue:N     seats with prisoners   rescue, refuse, relent
                 the seat in need       playCard, refuse, relent
    prisoners:R  seats with prisoners   transfer, killPrisoners; at any time
    continue:R   all seats              continue; between rounds
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from games.api import Millis, MoveBase, OwnerOnly, Public, Seat, Secret, Struct
from games.kit.options import number_metadata, option_metadata
from games.kit.time_control import TimeControlMove, Timers
from games.kit.timed_game import TimedState

Colour: TypeAlias = int
"""The number of the seat that starts with the chips of this colour."""
Kind: TypeAlias = Literal["capture", "return", "tribute"]
"""The effect of a blackmail card (2b, i to iii)."""
Phase: TypeAlias = Literal["turn", "choose", "kill", "rescue", "review", "end"]
What: TypeAlias = Literal["place", "capture", "dies", "fall"]
Counts: TypeAlias = tuple[int, ...]
"""The number of chips of each colour."""

KINDS: Final[tuple[Kind, ...]] = ("capture", "capture", "return", "return", "tribute", "tribute")
"""The six blackmail cards of a round."""
BASE: Final = {4: 7, 5: 6, 6: 5}
"""The number of chips each seat starts with, by number of seats (2a)."""
TURN_TIME: Final = Millis(75_000)
CHOOSE_TIME: Final = Millis(45_000)
KILL_TIME: Final = Millis(25_000)
RESCUE_TIME: Final = Millis(45_000)
REVIEW_TIME: Final = Millis(30_000)
TRAIL_SHOWN: Final = 12
DEEDS_KEPT: Final = 400
"""The maximum number of steps in a view; a round with seven chips each has about 70 placements (SLS-34)."""


class SuckerOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options (section 2a). Without blind allies and blackmail, this is the original 1964 game."""

    blind_ally: Annotated[bool, option_metadata("game")] = True
    blackmail: Annotated[bool, option_metadata("game")] = True
    rounds: Annotated[int, number_metadata(1, 10, "match")] = 1
    chip_adjust: Annotated[Literal["fromBase", "cumulative", "off"], option_metadata("match")] = "fromBase"
    first_player: Annotated[Literal["random", "lastOut", "rotate"], option_metadata("match")] = "random"
    blackmail_faces: Annotated[Literal["private", "public"], option_metadata("blackmail")] = "private"
    self_blackmail: Annotated[bool, option_metadata("blackmail")] = False
    dead_cards: Annotated[Literal["void", "keepCapture"], option_metadata("blackmail")] = "void"
    timers: Timers = "normal"


# --- public sections ---


class Stage(Struct, frozen=True, cache_hash=True):
    """Section `stage`: the phase of the game.

    `number` increases with every phase. `mover` is the seat that has the move: it places, chooses who is
    next, kills, or needs a rescue; None between rounds and at the end. `first` began the round. `alive` is
    indexed by seat; `out` lists the defeated seats in order. `pile` is the pile that a choice or kill
    concerns; `next` are the seats the mover may choose from. `bound` means that the mover was rescued and
    must keep a chip to place.
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

    `chips` is indexed by holder, then by colour; a seat's chips of other colours are its prisoners. `dead`
    counts, by colour, the chips that are out of the game.
    """

    chips: Public[tuple[Counts, ...]]
    dead: Public[Counts]


class Result(Struct, frozen=True):
    """The result of a round, including everything that was secret in it.

    `first` began it; `chips` are the starting chips. `out` lists the defeated seats in order; the last of
    them may have won, too. `rows` has each seat's row of colours, enemy first and ally last; empty without
    blind allies. `deck` has the kinds of the blackmail cards: the taken ones by id, then the rest of
    the stack. `change` is how many more or fewer chips each seat gets in the next round, before the minimum
    of one is applied (SLS-30).
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
    """Section `match`: the points and the starting chips of each seat, and the results of past rounds."""

    rounds: Public[int]
    points: Public[tuple[int, ...]]
    chips: Public[Counts]
    results: Public[tuple[Result, ...]]


class Readiness(Struct, frozen=True):
    """Section `readiness`: which seats are ready for the next round."""

    done: Public[tuple[bool, ...]]


class Deed(Struct, frozen=True, array_like=True):
    """A step of a round, for its chart; `held` counts the chips in each hand after it.

    "place": `seat` put a chip of `colour` on `pile`. "capture": it took the pile and killed a chip of
    `colour`. "dies": the pile died. "fall": the seat was defeated.
    """

    what: What
    seat: Seat
    colour: Colour | None
    pile: int | None
    held: tuple[int, ...]


# --- the state ---


class Pile(Struct, frozen=True, array_like=True):
    """A pile; its chips are listed bottom first."""

    id: int
    chips: tuple[Colour, ...]


class Taken(Struct, frozen=True, array_like=True):
    """A blackmail card that was taken; its index in `taken` is its id, and its kind is `deck[id]`."""

    owner: Seat
    token: Seat
    status: Literal["held", "played", "void"] = "held"


class Need(Struct, frozen=True):
    """An open rescue: who has refused, and who takes a blackmail card if the mover is saved."""

    refused: Public[tuple[bool, ...]]
    award: Public[Seat | None]


class SuckerState(TimedState, frozen=True):
    """The state of a match."""

    options: Public[SuckerOptions]
    stage: Public[Stage]
    hands: Public[Hands]
    piles: Public[tuple[Pile, ...]]
    laid: Public[int]
    """The number of piles begun in this round."""
    trail: Public[tuple[Seat, ...]]
    """The seats in the order in which they got the move, the mover last."""
    taken: Public[tuple[Taken, ...]]
    need: Public[Need | None]
    deeds: Public[tuple[Deed, ...]]
    match: Public[Match]
    ready: Public[Readiness]
    rows: OwnerOnly[tuple[tuple[Colour, ...], ...]]
    """Each seat's row of ally cards, enemy first and ally last; empty between rounds."""
    deck: Secret[tuple[Kind, ...]]
    """The round's blackmail cards, starting with the `len(taken)` that were taken; empty between rounds."""


# --- moves ---

SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=5)]
PileNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=9_999)]
CardNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=5)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=999)]


class Place(MoveBase, frozen=True, tag="place", forbid_unknown_fields=True):
    """Place a chip on a pile or, without `pile`, begin one; `card` makes the chip capture (SLS-26)."""

    colour: SeatNumber
    pile: PileNumber | None = None
    card: CardNumber | None = None


class PlayCard(MoveBase, frozen=True, tag="playCard", forbid_unknown_fields=True):
    """Play a return card, or a tribute card with the colour of the prisoners to hand over."""

    card: CardNumber
    colour: SeatNumber | None = None


class GiveMove(MoveBase, frozen=True, tag="giveMove", forbid_unknown_fields=True):
    """Choose who gets the move next."""

    to: SeatNumber


class Kill(MoveBase, frozen=True, tag="kill", forbid_unknown_fields=True):
    """Kill one chip of the captured pile and take the others."""

    colour: SeatNumber


class RescueWith(MoveBase, frozen=True, tag="rescue", forbid_unknown_fields=True):
    """Answer a rescue: give prisoners to the seat in need."""

    colour: SeatNumber
    count: Count


class Refuse(MoveBase, frozen=True, tag="refuse", forbid_unknown_fields=True):
    """Answer a rescue with a refusal."""


class Relent(MoveBase, frozen=True, tag="relent", forbid_unknown_fields=True):
    """Withdraw a refusal (SLS-15)."""


class Transfer(MoveBase, frozen=True, tag="transfer", forbid_unknown_fields=True):
    """Give prisoners to another seat permanently."""

    colour: SeatNumber
    count: Count
    to: SeatNumber


class KillPrisoners(MoveBase, frozen=True, tag="killPrisoners", forbid_unknown_fields=True):
    """Kill prisoners in your hand."""

    colour: SeatNumber
    count: Count


class Continue(MoveBase, frozen=True, tag="continue", forbid_unknown_fields=True):
    """Declare that you are ready for the next round."""


SuckerPlay: TypeAlias = (
    Place | PlayCard | GiveMove | Kill | RescueWith | Refuse | Relent | Transfer | KillPrisoners | Continue
)
SuckerMove: TypeAlias = SuckerPlay | TimeControlMove
