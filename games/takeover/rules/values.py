"""The types of Takeover: options, sections, state and moves.

A tile and its matching coin share a name: the letter of their industry (Suns, Moons, Crowns, Arms), which the
code calls a suit, and their value, such as "S5" or "M0"; a 0 coin held as cash is a `null` here. A company is
named after the top tile of its stack. Squares are numbered from 0: column + 6 * row. A coin that is industry
up is a stock; one that is value up is cash.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from games.api import Millis, MoveBase, OwnerOnly, Public, Seat, Secret, Struct
from games.kit import trading
from games.kit.offers import Cancel, Decline, Offer, Offers
from games.kit.options import option_metadata
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
"""The stack on each of the 24 squares, bottom first; () for an empty square."""
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
"""The approximate number of offers a seat may have open at once, to bound the size of its view."""
WISHES: Final = 12
"""The maximum number of coins an offer may wish for."""
TRADES_SHOWN: Final = 6
LAPSES: Final = 2
"""A seat that has let this many turns lapse since the last merger counts as passed (TKO-21)."""


def offers_each(seats: int) -> int:
    """The number of offers a seat may have open to another: 3 with two seats, 2 with three, else 1."""
    return max(1, OFFERS // seats)


def value_of(name: Name) -> int:
    return int(name[1])


def suit_of(name: Name) -> str:
    return name[0]


class TakeoverOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options of section 5a."""

    draft_suits: Annotated[Literal["hidden", "shown"], option_metadata("secrets")] = "hidden"
    holdings: Annotated[Literal["concealed", "faces", "open"], option_metadata("secrets")] = "concealed"
    trading: Annotated[Literal["anytime", "ownTurnOnly", "off"], option_metadata("trade")] = "anytime"
    trade_log: Annotated[Literal["private", "public"], option_metadata("trade")] = "private"
    voluntary_cash_out: Annotated[bool, option_metadata("variants")] = False
    exact_pay: Annotated[bool, option_metadata("variants")] = False
    timers: Timers = "normal"


# --- coins and public sections ---


class Coin(Struct, frozen=True, array_like=True):
    """A coin and which side is up: it is a stock if industry up, and cash if value up."""

    name: Name
    stock: bool


class Stage(Struct, frozen=True):
    """Section `stage`: the progress of the game.

    `number` counts the picks of the draft, then the turns. `turn` is the seat whose turn it is; None
    during the flips and at the end. `first` began the draft and begins play (TKO-3).
    """

    phase: Public[Phase]
    number: Public[int]
    turn: Public[Seat | None]
    first: Public[Seat]


class Picked(Struct, frozen=True, array_like=True):
    """A pick in the draft; `coin` is None if industries are hidden."""

    seat: Seat
    value: Value
    coin: Name | None


class Draft(Struct, frozen=True):
    """Section `draft`: the seat of each pick, the picks so far, and the coins on the table.

    `left` counts the coins of each value, 0 to 5; `coins` names them if industries are shown.
    """

    order: Public[tuple[Seat, ...]]
    picks: Public[tuple[Picked, ...]]
    left: Public[tuple[int, ...]]
    coins: Public[tuple[Name, ...] | None]


class Stack(Struct, frozen=True):
    """A company: its tiles, bottom first, and the worth of its stock (5d)."""

    tiles: tuple[Name, ...]
    worth: int


class Board(Struct, frozen=True):
    """Section `board`: the stack on each square; None if it is empty, which it then stays (TKO-15)."""

    stacks: tuple[Stack | None, ...]


class Merger(Struct, frozen=True, array_like=True):
    """A possible merger, whoever makes it.

    `pair` is "A>B" for A onto B, which is swallowed. `worth` is the worth of A afterwards. A merger that does
    not `touch` needs a 0 coin held as cash (TKO-16).
    """

    pair: str
    cost: int
    worth: int
    touch: bool


class Mergers(Struct, frozen=True):
    """Section `mergers`: all mergers that the grid allows a seat with enough coins."""

    mergers: tuple[Merger, ...]


class Passes(Struct, frozen=True):
    """Section `passes`: each seat's voluntary pass and lapsed turns since the last merger (TKO-21)."""

    passed: Public[tuple[bool, ...]]
    lapses: Public[tuple[int, ...]]


class Holdings(Struct, frozen=True):
    """Section `holdings`: what everybody can see of the coins.

    `counts`, `faces` and `coins` are indexed by seat. A seat's faces, if shown, are sorted: the letter of
    its industry for a stock, a value for a cash coin. `coins` is None unless holdings are open. `spent` has
    the values of the coins out of play; their industries stay hidden (TKO-28).
    """

    counts: tuple[int, ...]
    faces: tuple[tuple[str, ...], ...] | None
    coins: tuple[tuple[Coin, ...], ...] | None
    spent: tuple[int, ...]


class Readiness(Struct, frozen=True):
    """Section `readiness`: the seats that have locked their flips."""

    done: tuple[bool, ...]


class Trade(Struct, frozen=True):
    """A completed trade: `gave` coins from `seat` for `got` coins from `other`.

    `given` and `back` are these coins, if they are public.
    """

    seat: Seat
    other: Seat
    gave: int
    got: int
    given: tuple[Coin, ...] | None
    back: tuple[Coin, ...] | None


class Trades(Struct, frozen=True):
    """Section `trades`: the latest trades, oldest first. There is none if nobody may trade."""

    trades: Public[tuple[Trade, ...]]


class Holding(Struct, frozen=True):
    """A coin, which side is up, and its worth."""

    name: Name
    stock: bool
    worth: int


class Reckoning(Struct, frozen=True):
    """Section `reckoning`: every hand and the coins out of play, at the end (GEN-9)."""

    hands: Public[tuple[tuple[Holding, ...], ...]]
    totals: Public[tuple[int, ...]]
    spent: Public[tuple[Name, ...]]


# --- private sections ---


class Hand(Struct, frozen=True):
    """Private section `hand`: the seat's own coins, both sides, the current worth of each, and their total.

    `pay` is the cheapest payment for each cost from 0 to 5, None if the cash is not enough.
    """

    coins: tuple[Holding, ...]
    total: int
    pay: tuple[tuple[Name, ...] | None, ...]


class Flip(Struct, frozen=True):
    """Private section `flip`: the coins the seat has marked as stocks, and whether it has locked."""

    stocks: tuple[Name, ...]
    locked: bool


class Deal(Struct, frozen=True):
    """An open offer: the coins `by` gives `to`, with their sides, and its wish. `id` is its prompt's id."""

    id: str
    by: Seat
    to: Seat
    give: tuple[Coin, ...]
    wish: tuple[str, ...]


class Deals(Struct, frozen=True):
    """Private section `deals`: the offers this seat has made or received."""

    deals: tuple[Deal, ...]


class Preview(Struct, frozen=True):
    """The effect a merger would have.

    `under` is the company swallowed, `worth` what the company on top is then worth, `lost` the amount
    overpaid. `flips` means that the swallowed company's stock is the seat's own and becomes cash. `gain` is
    the change in the seat's own total.
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
    """All coins, if everybody knows who has which coin."""

    hands: Public[tuple[tuple[Coin, ...], ...]]
    spent: Public[tuple[Name, ...]]


class TakeoverState(TradingState[Coin, tuple[str, ...]], frozen=True):
    options: Public[TakeoverOptions]
    stage: Public[Stage]
    grid: Public[Grid]
    draft: Public[Draft]
    flips: Sealed[tuple[Name, ...]]
    own: OwnerOnly[tuple[tuple[Coin, ...], ...]]
    """Each seat's coins, ordered by name, unless everybody sees them; see `hands`."""
    gone: Secret[tuple[Name, ...]]
    """Coins out of play, of which only the values are public; see `spent`."""
    seen: Public[Seen | None]
    """Replaces `own` and `gone` if industries are shown in the draft, or holdings are open in play."""
    passes: Public[Passes]
    trades: Public[Trades]
    reckoning: Public[Reckoning | None] = None

    @property
    def hands(self) -> Hands:
        """Each seat's coins, ordered by name; none at the end, when they are in `reckoning`."""
        return self.own if self.seen is None else self.seen.hands

    @property
    def spent(self) -> tuple[Name, ...]:
        """The coins out of play, ordered by name."""
        return self.gone if self.seen is None else self.seen.spent

    def with_coins(self, phase: Phase, hands: Hands, spent: tuple[Name, ...]) -> TakeoverState:
        """The state with these coins stored in the fields for this phase."""
        if _shows_all_coins(self.options, phase):
            return replace(self, own=((),) * len(hands), gone=(), seen=Seen(hands, spent))
        return replace(self, own=hands, gone=spent, seen=None)


def _shows_all_coins(options: TakeoverOptions, phase: Phase) -> bool:
    """Whether everybody knows the owner of every coin and which side is up (TKO-1, TKO-4)."""
    if phase in ("draft", "flip"):
        return options.draft_suits == "shown"
    return phase == "end" or options.holdings == "open"


# --- moves ---

Coins: TypeAlias = Annotated[tuple[Name, ...], msgspec.Meta(max_length=24)]
Wish: TypeAlias = Annotated[
    tuple[Annotated[str, msgspec.Meta(pattern=r"^([SMCA][0-5]?|[1-5]\+|null|coin)$")], ...],
    msgspec.Meta(max_length=WISHES),
]
"""One coin per item: "S5" a stock by name, "S" any stock of Suns, "3+" cash worth at least 3, "null" a
0 coin held as cash, "coin" any coin (TKO-24)."""
SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=5)]


class Pick(MoveBase, frozen=True, tag="pick", forbid_unknown_fields=True):
    """Take a coin of this value; its industry is chosen at random."""

    value: Value


class PickCoin(MoveBase, frozen=True, tag="pickCoin", forbid_unknown_fields=True):
    """Take this coin, if industries are shown."""

    coin: Name


class SetStocks(MoveBase, frozen=True, tag="setStocks", forbid_unknown_fields=True):
    """Mark the coins that are to be stocks; the marks count if time runs out."""

    coins: Coins


class Lock(MoveBase, frozen=True, tag="lock", forbid_unknown_fields=True):
    """Lock these coins or, without `coins`, the marked ones."""

    coins: Coins | None = None


class Unlock(MoveBase, frozen=True, tag="unlock", forbid_unknown_fields=True):
    """Unlock the choice; possible until the last seat locks."""


class Merge(MoveBase, frozen=True, tag="merge", forbid_unknown_fields=True):
    """Put A's stack onto B's ("A>B") and pay; discard a 0 coin held as cash if they do not touch."""

    pair: Annotated[str, msgspec.Meta(pattern=r"^[SMCA][0-5]>[SMCA][0-5]$")]
    pay: Coins
    null: Name | None = None


class Pass(MoveBase, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Make no merger this turn."""


class CashOut(MoveBase, frozen=True, tag="cashOut", forbid_unknown_fields=True):
    """Turn some of your own stocks into cash (TKO-6)."""

    coins: Coins


class Propose(trading.Propose, frozen=True, tag="propose", forbid_unknown_fields=True):
    """Offer some of your own coins to a seat in return for a wish."""

    to: SeatNumber
    give: Coins
    wish: Wish


class Counter(trading.Counter, frozen=True, tag="counter", forbid_unknown_fields=True):
    """Replace an offer with a counter-offer."""

    give: Coins
    wish: Wish


class Accept(MoveBase, frozen=True, tag="accept", forbid_unknown_fields=True):
    """Accept an offer, giving these coins to fulfil its wish."""

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
