"""The values of Share and Share Alike: sections and state. See pieces.py for the notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

from games.api import OwnerOnly, Public, Seat, Secret, Struct
from games.kit.offers import Offer, Offers
from games.kit.peeks import SECTION, Peek
from games.kit.sealed import Sealed
from games.kit.time_control import TimeControl, Timer
from games.kit.trading import TradingState
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import Card, Cards, Company, Hands, Kind, Phase, Shares, Size, Tower

# --- public sections ---


class Stage(Struct, frozen=True):
    """Section `stage`: the progress of the game.

    `start` is the seat with the first turn of this round, `active` the seat whose turn it is; both are None
    outside the action phase. `official` means four seats and fifteen rounds (SSA-37).
    """

    phase: Public[Phase]
    round: Public[int]
    rounds: Public[int]
    start: Public[Seat | None]
    active: Public[Seat | None]
    official: Public[bool]


class Standing(Struct, frozen=True):
    """A company's standing: its floors, lowest first, and its prize if the game ended now.

    `size`, in floors or pips, decides its rank. `place` is 1 to 5; tied companies all have the best of the
    places they share. `tied` is the number of companies in the tie, including this one.
    """

    floors: Tower
    size: int
    place: int
    tied: int
    prize: int


class Towers(Struct, frozen=True):
    """Section `towers`: companies A to E, the supply by size (L, M, S), and the size to be added next.

    `next` is None if no floors are left. A preview of `add` or `remove` contains this too.
    """

    companies: tuple[Standing, ...]
    supply: tuple[int, ...]
    next: Size | None


class Turns(Struct, frozen=True):
    """By seat: actions left in this round, and whether it is out. `spent`: actions spent this turn."""

    actions: Public[tuple[int, ...]]
    out: Public[tuple[bool, ...]]
    spent: Public[int]


class Players(Struct, frozen=True):
    """Section `players`: the contents of `Turns`, each seat's number of cards, and the shares claimed so far.

    `shares` is the total over all companies, to help players guess how they are distributed.
    """

    actions: tuple[int, ...]
    out: tuple[bool, ...]
    spent: int
    cards: tuple[int, ...]
    shares: int


class Piles(Struct, frozen=True):
    """Section `piles`: the number of cards in the Draw Deck, and the Discard Pile, latest card last (1c)."""

    deck: int
    discard: Cards


class Played(Struct, frozen=True):
    """A card face up in the middle until its effect is resolved; `free` if Chance 4 made it free."""

    card: Card
    seat: Seat
    free: bool


class Roll(Struct, frozen=True):
    """A roll on the Chance chart.

    The effect applies to `seat`. `rolled` is the number on the die, `result` the one that counts, or None
    while `seat` may still adjust it by up to `adjust`.
    """

    seat: Seat
    rolled: int
    adjust: int
    result: int | None


class Scene(Struct, frozen=True):
    """Section `scene`: the current decision.

    `kind` is also the kind of the prompt. `seat` decides; if it is None, all seats do or, at the end, none.
    `uses` is how many more times the seat may add, remove or peek, or how many cards it may still draw.
    `played` holds the cards in the middle, at most two: a free card lies on the diamond that allowed it.
    """

    kind: Public[Kind]
    seat: Public[Seat | None]
    uses: Public[int]
    played: Public[tuple[Played, ...]]
    roll: Public[Roll | None]


class Recent(Struct, frozen=True):
    """Section `recent`: the latest card played, roll that took effect, hands swapped and tracker shown.

    `showed` lists the seat that showed it, then the seats that saw it; if none are listed, everyone saw it.
    """

    played: Public[Played | None]
    roll: Public[Roll | None]
    swapped: Public[tuple[Seat, ...]]
    showed: Public[tuple[Seat, ...]]


class Readiness(Struct, frozen=True):
    """Section `readiness`, while everyone is choosing: who has locked.

    In Lowball, seats without cards count as locked.
    """

    locked: tuple[bool, ...]


class Bids(Struct, frozen=True):
    """Section `bids`: the cards of this round's Lowball, by seat, once they are revealed."""

    cards: Public[tuple[Card | None, ...]]
    """None for a seat that offered no card."""


class Trade(Struct, frozen=True):
    """A completed trade: the shares `seat` gave and those `other` gave back, if they are public."""

    round: int
    seat: Seat
    other: Seat
    given: tuple[Company, ...] | None
    back: tuple[Company, ...] | None


class Trades(Struct, frozen=True):
    """Section `trades`, with Open Market: the latest trades, oldest first."""

    trades: Public[tuple[Trade, ...]]


class Tracker(Struct, frozen=True):
    """A seat's tracker: the company marked in each round, the net change from trades, and the totals.

    Private section `tracker` is the seat's own. A mark is added once its round's selection is over.
    """

    marks: tuple[Company, ...]
    traded: Shares
    holdings: Shares


class Shown(Struct, frozen=True):
    """A tracker as its owner showed it (The Whole Truth): genuine, and never updated."""

    round: int
    tracker: Tracker


class Shows(Struct, frozen=True):
    """Section `shows`, with The Whole Truth: by seat, the tracker it last showed to everyone."""

    shown: Public[tuple[Shown | None, ...]]


class CompanyResult(Struct, frozen=True):
    """A company at the end. One share is worth `value[0] / value[1]`; `value` is None if nobody has one."""

    size: int
    place: int
    tied: int
    prize: int
    claimed: int
    value: tuple[int, int] | None


class SeatResult(Struct, frozen=True):
    """A seat at the end: its tracker, its cards, and its points from each company as `points[i] / over`."""

    tracker: Tracker
    hand: Cards
    points: tuple[int, ...]
    score: int


class Reckoning(Struct, frozen=True):
    """Section `reckoning`: every tracker, and the exact scores as `score / over` (1d, GEN-9)."""

    companies: Public[tuple[CompanyResult, ...]]
    seats: Public[tuple[SeatResult, ...]]
    over: Public[int]


class DecisiveFloor(Struct, frozen=True):
    """Section `decisive_floor`, at the end: the one floor, more or less, with which the winners would have
    been different.

    `company` is None if no floor on a single tower would have changed who won.
    """

    company: Public[Company | None]
    change: Public[int]
    winners: Public[tuple[Seat, ...]]


# --- private sections ---


class Held(Struct, frozen=True):
    """A card in the seat's own hand.

    `uses`: how many times it adds, removes or peeks. `adjust`: how far a diamond's roll may be adjusted.
    `royal`: whether it can open a market, with Open Market.
    """

    card: Card
    uses: int
    adjust: int
    royal: bool


class Hand(Struct, frozen=True):
    """Private section `hand`: the seat's own cards, ordered by suit and rank."""

    cards: tuple[Held, ...]


class Mark(Struct, frozen=True):
    """Private section `mark`, while shares are selected: the seat's choice, and whether it is locked."""

    company: Company | None
    locked: bool


class Bid(Struct, frozen=True):
    """Private section `bid`, in Lowball: the card the seat has chosen to offer, and whether it is locked."""

    card: Card | None
    locked: bool


class Deal(Struct, frozen=True):
    """An open offer: the shares `by` gives `to`, and those it wishes for. `id` is its prompt's id."""

    id: str
    by: Seat
    to: Seat
    give: tuple[Company, ...]
    wish: tuple[Company, ...]


class Deals(Struct, frozen=True):
    """Private section `deals`: the offers this seat has made or received, open until the market closes."""

    deals: tuple[Deal, ...]


class PeekContent(Struct, frozen=True):
    """Private section `peek_content`, bound to its window: a hand or a tracker; the other field is None.

    While the seat is taking a card (Chance 1), `take` names it by its position in `cards`.
    """

    cards: Cards | None
    tracker: Tracker | None


class Seen(Struct, frozen=True):
    """Private section `seen`: by seat, the tracker last shown to this seat but not yet to everyone."""

    shown: tuple[Shown | None, ...]


class Preview(Struct, frozen=True):
    """The effect a move would have.

    For `add` and `remove`: the resulting `towers`. For `play`: the card's `uses`, which are `wasted` if they
    lapse because no floor can be moved (SSA-13). For `adjust`: the resulting number on the Chance chart,
    `chance`, which is `wasted` if it has no effect now. Other moves have no preview.
    """

    towers: Towers | None = None
    uses: int | None = None
    chance: int | None = None
    wasted: bool = False


SECTIONS: Final[Mapping[str, type[msgspec.Struct]]] = {
    # for everybody
    "stage": Stage,
    "scene": Scene,
    "recent": Recent,
    "towers": Towers,
    "players": Players,
    "piles": Piles,
    "readiness": Readiness,  # while shares are selected, and in Lowball
    "bids": Bids,  # after Lowball
    "peek": Peek,  # while somebody is peeking: who, at whom, and at what
    "trades": Trades,  # with Open Market
    "shows": Shows,  # with The Whole Truth
    "reckoning": Reckoning,  # at the end
    "decisive_floor": DecisiveFloor,  # at the end
    "time_control": TimeControl,
    # for one seat, until the end
    "hand": Hand,
    "tracker": Tracker,
    "mark": Mark,  # while shares are selected
    "bid": Bid,  # in Lowball
    SECTION: PeekContent,  # while this seat is peeking and the window is open
    "deals": Deals,  # while there is a market
    "seen": Seen,  # with The Whole Truth
}


PRIVATE_SECTIONS: Final = frozenset({"hand", "tracker", "mark", "bid", SECTION, "deals", "seen"})


# --- the state ---

Bargain: TypeAlias = Offer[Company, tuple[Company, ...]]
Bargains: TypeAlias = Offers[Company, tuple[Company, ...]]
Snapshots: TypeAlias = "tuple[Shown | None, ...]"


class SharesState(TradingState[Company, tuple[Company, ...]], frozen=True):
    options: Public[SharesOptions]
    stage: Public[Stage]
    scene: Public[Scene]
    recent: Public[Recent]
    serial: Public[int]
    """Increases with every public event of the action phase; prompt and window ids contain it (GEN-4)."""
    turns: Public[Turns]
    towers: Public[tuple[Tower, ...]]
    deck: Secret[Cards]
    """Top card first."""
    discard: Public[Cards]
    hands: OwnerOnly[Hands]
    marks: OwnerOnly[tuple[tuple[Company, ...], ...]]
    """By seat, its marks since it last showed its tracker to everyone; see `turn_flow.tracker_of`."""
    traded: OwnerOnly[tuple[Shares, ...]]
    """By seat, the net change in its shares from trades since it last did so."""
    selected: Sealed[Company]
    offered: Sealed[Cards]
    """In Lowball: one card, or none."""
    bids: Public[Bids | None]
    peek: Public[Peek | None]
    trades: Public[Trades]
    seen: OwnerOnly[tuple[Snapshots, ...]]
    shows: Public[Shows]
    held: Public[Timer | None]
    """The turn's timer, while it is paused for a decision within the turn (SSA-39)."""
    reckoning: Public[Reckoning | None] = None
