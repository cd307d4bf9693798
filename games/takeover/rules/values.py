"""The values of Takeover: options, sections, state, moves.

A tile and the coin that matches it have one name: suit letter (Suns, Moons, Crowns, Arms) and value, so "S5"
and "M0"; 0 is the null, 1 the ace. A corporation is named by the top tile of its stack. Squares are numbered
from 0: column + 6 * row. A coin lies suit-up, and is a stock, or value-up, and is cash.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from games.api import Millis, MoveBase, OwnerOnly, Public, Seat, Secret, Struct
from games.kit import trading
from games.kit.offers import Cancel, Decline, Offer, Offers
from games.kit.options import about
from games.kit.sealed import Sealed
from games.kit.time_control import TimeControlMove, Timers
from games.kit.trading import TradingState

Suit: TypeAlias = Literal["S", "M", "C", "A"]
Name: TypeAlias = Literal[
    "S0", "S1", "S2", "S3", "S4", "S5",
    "M0", "M1", "M2", "M3", "M4", "M5",
    "C0", "C1", "C2", "C3", "C4", "C5",
    "A0", "A1", "A2", "A3", "A4", "A5",
]  # fmt: skip
Value: TypeAlias = Literal[0, 1, 2, 3, 4, 5]
Phase: TypeAlias = Literal["draft", "flip", "play", "end"]
Grid: TypeAlias = tuple[tuple[Name, ...], ...]
"""The stack on each of the 24 squares, bottom first; an empty square has none."""
Hands: TypeAlias = "tuple[tuple[Coin, ...], ...]"

NAMES: Final[tuple[Name, ...]] = get_args(Name)
SUITS: Final[tuple[Suit, ...]] = get_args(Suit)
COLUMNS: Final = 6
ROWS: Final = 4
SQUARES: Final = COLUMNS * ROWS

DRAFT_TIME: Final = Millis(15_000)
FLIP_TIME: Final = Millis(60_000)
TURN_TIME: Final = Millis(75_000)
OFFER_TIME: Final = Millis(45_000)
OFFERS: Final = 6
"""About how many offers a seat may have open at once, which bounds its view."""
WISHES: Final = 12
"""The most coins an offer may wish for."""
TRADES_SHOWN: Final = 6
LAPSES: Final = 2
"""A seat that has let this many turns lapse since the last merger counts as passed (TKO-21)."""


def offers_each(seats: int) -> int:
    """How many offers a seat may have open to one other: 3 at a table of two, 2 of three, else 1."""
    return max(1, OFFERS // seats)


def value_of(name: Name) -> int:
    return int(name[1])


def suit_of(name: Name) -> str:
    return name[0]


class TakeoverOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Section 5a."""

    draft_suits: Annotated[
        Literal["hidden", "shown"],
        about(
            "Suits in the draft",
            "Hidden: you pick a value and learn the suit. Shown: you pick a coin that all can see.",
            "secrets",
            "TKO-1",
        ),
    ] = "hidden"
    holdings: Annotated[
        Literal["concealed", "faces", "open"],
        about(
            "What others see of your coins",
            "Concealed: how many. Faces: their upper sides. Open: both sides.",
            "secrets",
            "TKO-4",
        ),
    ] = "concealed"
    trading: Annotated[
        Literal["anytime", "ownTurnOnly", "off"],
        about(
            "Trading",
            "At any time, or only with the player whose turn it is, or never.",
            "trade",
            "seed",
        ),
    ] = "anytime"
    trade_log: Annotated[
        Literal["private", "public"],
        about(
            "What others see of a trade",
            "Private: how many coins went each way. Public: which coins.",
            "trade",
            "TKO-23",
        ),
    ] = "private"
    voluntary_cash_out: Annotated[
        bool,
        about(
            "Cashing out by choice",
            "On your turn, before merging, you may turn stocks of yours into cash.",
            "variants",
            "TKO-6",
        ),
    ] = False
    exact_pay: Annotated[
        bool,
        about(
            "No superfluous coins",
            "A payment may hold no coin it could do without.",
            "variants",
            "TKO-12",
        ),
    ] = False
    timers: Timers = "normal"


# --- coins, and what is public ---


class Coin(Struct, frozen=True, array_like=True):
    """A coin and how it lies: suit-up it is a stock, value-up it is cash."""

    name: Name
    stock: bool


class Stage(Struct, frozen=True):
    """Section `stage`: where the game stands.

    `number` counts the picks of the draft, then the turns. `turn` is whose it is; None while all choose, and
    at the end. `first` began the draft and begins play (TKO-3).
    """

    phase: Public[Phase]
    number: Public[int]
    turn: Public[Seat | None]
    first: Public[Seat]


class Picked(Struct, frozen=True, array_like=True):
    """A pick of the draft; `coin` is None where suits are hidden."""

    seat: Seat
    value: Value
    coin: Name | None


class Draft(Struct, frozen=True):
    """Section `draft`: whose every pick is, what was picked, and what lies on the table.

    `left` counts the coins of each value, 0 to 5; `coins` names them where suits are shown.
    """

    order: Public[tuple[Seat, ...]]
    picks: Public[tuple[Picked, ...]]
    left: Public[tuple[int, ...]]
    coins: Public[tuple[Name, ...] | None]


class Stack(Struct, frozen=True):
    """A corporation: its tiles, bottom first, and what its stock is worth (5d)."""

    tiles: tuple[Name, ...]
    worth: int


class Board(Struct, frozen=True):
    """Section `board`: what stands on each square; None: nothing, and nothing ever will (TKO-15)."""

    stacks: tuple[Stack | None, ...]


class Merger(Struct, frozen=True, array_like=True):
    """What a merger would be, whoever makes it.

    `pair` is "A>B" for A onto B: B goes under. `worth` is what A is worth then. One that does not `touch`
    needs a null coin (TKO-16).
    """

    pair: str
    cost: int
    worth: int
    touch: bool


class Mergers(Struct, frozen=True):
    """Section `mergers`: all that the grid allows to somebody with coins enough."""

    mergers: tuple[Merger, ...]


class Passes(Struct, frozen=True):
    """Section `passes`: who has passed by choice since the last merger, and let turns lapse (TKO-21)."""

    passed: Public[tuple[bool, ...]]
    lapses: Public[tuple[int, ...]]


class Holdings(Struct, frozen=True):
    """Section `holdings`: what everybody sees of everybody's coins.

    `counts` by seat. `faces`, by seat and sorted: a suit letter for a stock, a value for a cash coin; with
    holdings shown so. `coins`, by seat: where they are open. `spent`: the values of coins out of play; their
    suits stay unseen (TKO-28).
    """

    counts: tuple[int, ...]
    faces: tuple[tuple[str, ...], ...] | None
    coins: tuple[tuple[Coin, ...], ...] | None
    spent: tuple[int, ...]


class Readiness(Struct, frozen=True):
    """Section `readiness`: who has locked its flips."""

    done: tuple[bool, ...]


class Trade(Struct, frozen=True):
    """A trade that was made: `gave` coins of `seat` for `got` of `other`; which, where that is public."""

    seat: Seat
    other: Seat
    gave: int
    got: int
    given: tuple[Coin, ...] | None
    back: tuple[Coin, ...] | None


class Trades(Struct, frozen=True):
    """Section `trades`: the latest, the oldest first."""

    trades: Public[tuple[Trade, ...]]


class Holding(Struct, frozen=True):
    """A coin, how it lies, and what it counts."""

    name: Name
    stock: bool
    worth: int


class Reckoning(Struct, frozen=True):
    """Section `reckoning`: every hand and the coins out of play, when all is over (GEN-9)."""

    hands: Public[tuple[tuple[Holding, ...], ...]]
    totals: Public[tuple[int, ...]]
    spent: Public[tuple[Name, ...]]


# --- what one seat sees ---


class Hand(Struct, frozen=True):
    """Private section `hand`: the own coins, both sides, what each is worth now, and their total.

    `pay` is the cheapest payment for each cost from 0 to 5, None where the cash does not reach.
    """

    coins: tuple[Holding, ...]
    total: int
    pay: tuple[tuple[Name, ...] | None, ...]


class Flip(Struct, frozen=True):
    """Private section `flip`: what the seat has marked to be stocks, and whether it has locked."""

    stocks: tuple[Name, ...]
    locked: bool


class Deal(Struct, frozen=True):
    """An open offer: what `by` gives `to`, as it is, and what it wishes for. `id` is that of its prompt."""

    id: str
    by: Seat
    to: Seat
    give: tuple[Coin, ...]
    wish: tuple[str, ...]


class Deals(Struct, frozen=True):
    """Private section `deals`: the offers this seat made or was made."""

    deals: tuple[Deal, ...]


class Preview(Struct, frozen=True):
    """What a merger would do.

    `under` is the corporation subsumed, `worth` what the covering one is worth then, `lost` what is paid too
    much. `flips`: the subsumed stock is one's own, and turns cash. `gain` is the change of one's own total.
    """

    cost: int
    under: Name
    worth: int
    height: int
    cheapest: tuple[Name, ...]
    lost: int
    flips: bool
    gain: int


# --- the state ---

Bargain: TypeAlias = Offer[Coin, tuple[str, ...]]
Bargains: TypeAlias = Offers[Coin, tuple[str, ...]]


class Seen(Struct, frozen=True):
    """All coins, where everybody knows which are whose."""

    hands: Public[tuple[tuple[Coin, ...], ...]]
    spent: Public[tuple[Name, ...]]


class TakeoverState(TradingState[Coin, tuple[str, ...]], frozen=True):
    options: Public[TakeoverOptions]
    stage: Public[Stage]
    grid: Public[Grid]
    draft: Public[Draft]
    flips: Sealed[tuple[Name, ...]]
    own: OwnerOnly[tuple[tuple[Coin, ...], ...]]
    """The coins of each seat, in the order of their names, unless all see them; see `hands`."""
    gone: Secret[tuple[Name, ...]]
    """Coins out of play, whose values alone are public; see `spent`."""
    seen: Public[Seen | None]
    """In place of both, where suits are shown in the draft, or coins lie open in play."""
    passes: Public[Passes]
    trades: Public[Trades]
    reckoning: Public[Reckoning | None] = None

    @property
    def hands(self) -> Hands:
        """The coins of each seat, in the order of their names; at the end none: they are in `reckoning`."""
        return self.own if self.seen is None else self.seen.hands

    @property
    def spent(self) -> tuple[Name, ...]:
        """The coins out of play, in the order of their names."""
        return self.gone if self.seen is None else self.seen.spent

    def with_coins(self, phase: Phase, hands: Hands, spent: tuple[Name, ...]) -> TakeoverState:
        """The state with these coins, where they belong in this phase."""
        if _all_see(self.options, phase):
            return replace(self, own=((),) * len(hands), gone=(), seen=Seen(hands, spent))
        return replace(self, own=hands, gone=spent, seen=None)


def _all_see(options: TakeoverOptions, phase: Phase) -> bool:
    """Whether everybody knows whose every coin is, and how it lies (TKO-1, TKO-4)."""
    if phase in ("draft", "flip"):
        return options.draft_suits == "shown"
    return phase == "end" or options.holdings == "open"


# --- moves ---

Coins: TypeAlias = Annotated[tuple[Name, ...], msgspec.Meta(max_length=24)]
Wish: TypeAlias = Annotated[
    tuple[Annotated[str, msgspec.Meta(pattern=r"^([SMCA][0-5]?|[1-5]\+|null|coin)$")], ...],
    msgspec.Meta(max_length=WISHES),
]
"""A coin each: "S5" a stock by name, "S" a stock of Suns, "3+" cash worth at least 3, "null" a null that lies
value-up, "coin" any coin (TKO-24)."""
SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=5)]


class Pick(MoveBase, frozen=True, tag="pick", forbid_unknown_fields=True):
    """Take a coin of this value; which suit it is, the draw decides."""

    value: Value


class PickCoin(MoveBase, frozen=True, tag="pickCoin", forbid_unknown_fields=True):
    """Take this coin (suits shown)."""

    coin: Name


class SetStocks(MoveBase, frozen=True, tag="setStocks", forbid_unknown_fields=True):
    """Mark the coins that shall be stocks; it counts if time runs out."""

    coins: Coins


class Lock(MoveBase, frozen=True, tag="lock", forbid_unknown_fields=True):
    """Lock what is marked, or these coins."""

    coins: Coins | None = None


class Unlock(MoveBase, frozen=True, tag="unlock", forbid_unknown_fields=True):
    """Think again; possible until the last seat locks."""


class Merge(MoveBase, frozen=True, tag="merge", forbid_unknown_fields=True):
    """Put the stack of A onto that of B ("A>B") and pay; with a null coin where they do not touch."""

    pair: Annotated[str, msgspec.Meta(pattern=r"^[SMCA][0-5]>[SMCA][0-5]$")]
    pay: Coins
    null: Name | None = None


class Pass(MoveBase, frozen=True, tag="pass", forbid_unknown_fields=True):
    """No merger this turn."""


class CashOut(MoveBase, frozen=True, tag="cashOut", forbid_unknown_fields=True):
    """Turn stocks of one's own into cash (TKO-6)."""

    coins: Coins


class Propose(trading.Propose, frozen=True, tag="propose", forbid_unknown_fields=True):
    """Offer coins of one's own to a seat, for a wish."""

    to: SeatNumber
    give: Coins
    wish: Wish


class Counter(trading.Counter, frozen=True, tag="counter", forbid_unknown_fields=True):
    """Answer an offer with another in its place."""

    give: Coins
    wish: Wish


class Accept(MoveBase, frozen=True, tag="accept", forbid_unknown_fields=True):
    """Take an offer, giving these coins for what it wishes."""

    coins: Coins


TakeoverPlay: TypeAlias = (
    Pick
    | PickCoin
    | SetStocks
    | Lock
    | Unlock
    | Merge
    | Pass
    | CashOut
    | Propose
    | Counter
    | Accept
    | Decline
    | Cancel
)
TakeoverMove: TypeAlias = TakeoverPlay | TimeControlMove
