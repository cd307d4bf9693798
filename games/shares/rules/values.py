"""What Share and Share Alike is made of: sections and state. See pieces.py for what things are called."""

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

# --- what is public ---


class Stage(Struct, frozen=True):
    """Section `stage`: where the game stands.

    `start` is who had the first turn of this round; `active` whose turn it is; None outside the action phase.
    `official`: four seats and fifteen rounds (SSA-37).
    """

    phase: Public[Phase]
    round: Public[int]
    rounds: Public[int]
    start: Public[Seat | None]
    active: Public[Seat | None]
    official: Public[bool]


class Standing(Struct, frozen=True):
    """A company as it stands: its floors, the lowest first, and the prize if it ended now.

    `size` is what ranks it: floors, or their pips. `place` is 1 to 5, the best of those it shares with `tied`
    companies, itself among them.
    """

    floors: Tower
    size: int
    place: int
    tied: int
    prize: int


class Towers(Struct, frozen=True):
    """Section `towers`: companies A to E, the supply by size (L, M, S), and the size that is added next.

    `next` is None where no floor is left. Also what a preview of `add` and `remove` shows.
    """

    companies: tuple[Standing, ...]
    supply: tuple[int, ...]
    next: Size | None


class Turns(Struct, frozen=True):
    """By seat: actions left in this round, who is out of it. `spent`: by the active seat, in this turn."""

    actions: Public[tuple[int, ...]]
    out: Public[tuple[bool, ...]]
    spent: Public[int]


class Players(Struct, frozen=True):
    """Section `players`: what `Turns` says, how many cards each seat has, and the shares there are by now.

    `shares` is what the shares claimed of all companies add up to, for whoever guesses at them.
    """

    actions: tuple[int, ...]
    out: tuple[bool, ...]
    spent: int
    cards: tuple[int, ...]
    shares: int


class Piles(Struct, frozen=True):
    """Section `piles`: cards left in the Draw Deck, and the Discard Pile, its latest card last (1c)."""

    deck: int
    discard: Cards


class Played(Struct, frozen=True):
    """A card face up in the middle until its effect is resolved; `free`: by Chance 4."""

    card: Card
    seat: Seat
    free: bool


class Roll(Struct, frozen=True):
    """A roll on the Chance chart.

    `seat` takes the effect. `rolled` is what the die shows, `result` what counts: None while `seat` may still
    adjust it by up to `adjust`.
    """

    seat: Seat
    rolled: int
    adjust: int
    result: int | None


class Scene(Struct, frozen=True):
    """Section `scene`: what is decided now.

    `kind` is also the kind of the prompt. `seat` decides; None: all of them, or nobody any more. `uses` are
    the times that are left to add, remove or look, or the cards that are left to draw. `played` are the cards
    in the middle, at most two: a free card lies on the diamond it comes from.
    """

    kind: Public[Kind]
    seat: Public[Seat | None]
    uses: Public[int]
    played: Public[tuple[Played, ...]]
    roll: Public[Roll | None]


class Recent(Struct, frozen=True):
    """Section `recent`: the latest card played, roll whose effect was taken, hands swapped, tracker shown.

    `showed` is who showed it, then to whom; to all, where nobody else is named.
    """

    played: Public[Played | None]
    roll: Public[Roll | None]
    swapped: Public[tuple[Seat, ...]]
    showed: Public[tuple[Seat, ...]]


class Readiness(Struct, frozen=True):
    """Section `readiness`, while all choose: who has locked. In Lowball a seat without cards has."""

    locked: tuple[bool, ...]


class Bids(Struct, frozen=True):
    """Section `bids`: the cards of this round's Lowball, by seat, once they are open; None: no card."""

    cards: Public[tuple[Card | None, ...]]


class Trade(Struct, frozen=True):
    """A trade that was made: what `seat` gave for what `other` gave back, in shares, where that is public."""

    round: int
    seat: Seat
    other: Seat
    given: tuple[Company, ...] | None
    back: tuple[Company, ...] | None


class Trades(Struct, frozen=True):
    """Section `trades`: the latest, the oldest first; with Open Market."""

    trades: Public[tuple[Trade, ...]]


class Tracker(Struct, frozen=True):
    """A seat's tracker: the company marked in each round, what trades added to it or took, and both in sum.

    Private section `tracker` has one's own. A company is marked once its round's selection is over.
    """

    marks: tuple[Company, ...]
    traded: Shares
    holdings: Shares


class Shown(Struct, frozen=True):
    """A tracker as its owner showed it (The Whole Truth): true, and never brought up to date."""

    round: int
    tracker: Tracker


class Shows(Struct, frozen=True):
    """Section `shows`: by seat, the tracker it last showed to all; with The Whole Truth."""

    shown: Public[tuple[Shown | None, ...]]


class CompanyResult(Struct, frozen=True):
    """A company in the end. `value` of one share is the exact `value[0] / value[1]`; None: nobody has one."""

    size: int
    place: int
    tied: int
    prize: int
    claimed: int
    value: tuple[int, int] | None


class SeatResult(Struct, frozen=True):
    """A seat in the end: its tracker, its cards, and its points of each company as `points[i] / over`."""

    tracker: Tracker
    hand: Cards
    points: tuple[int, ...]
    score: int


class Reckoning(Struct, frozen=True):
    """Section `reckoning`: every tracker, and the exact scores as `score / over` (1d, GEN-9)."""

    companies: Public[tuple[CompanyResult, ...]]
    seats: Public[tuple[SeatResult, ...]]
    over: Public[int]


# --- what one seat sees ---


class Held(Struct, frozen=True):
    """A card in one's own hand.

    `uses`: times it lets one add, remove or look. `adjust`: how far a diamond's roll may be adjusted.
    `royal`: it opens a market, where there are any.
    """

    card: Card
    uses: int
    adjust: int
    royal: bool


class Hand(Struct, frozen=True):
    """Private section `hand`: the own cards, in the order of suits and ranks."""

    cards: tuple[Held, ...]


class Mark(Struct, frozen=True):
    """Private section `mark`, while shares are selected: what the seat has chosen, and if it is locked."""

    company: Company | None
    locked: bool


class Bid(Struct, frozen=True):
    """Private section `bid`, in Lowball: the card the seat has chosen to offer, and whether it is locked."""

    card: Card | None
    locked: bool


class Deal(Struct, frozen=True):
    """An open offer: the shares `by` gives `to`, and those it wishes for. `id` is that of its prompt."""

    id: str
    by: Seat
    to: Seat
    give: tuple[Company, ...]
    wish: tuple[Company, ...]


class Deals(Struct, frozen=True):
    """Private section `deals`: the offers this seat made or was made. They stand until the market closes."""

    deals: tuple[Deal, ...]


class PeekContent(Struct, frozen=True):
    """Private section `peek`, bound to the peek's window: what who looks is shown; the other one is None.

    While a card is to be taken (Chance 1), `take` names it by its place in `cards`.
    """

    cards: Cards | None
    tracker: Tracker | None


class Seen(Struct, frozen=True):
    """Private section `seen`: by seat, the tracker it last showed to this seat, unless later to all."""

    shown: tuple[Shown | None, ...]


class Preview(Struct, frozen=True):
    """What a move would do.

    `add`, `remove`: the `towers` after it. `play`: how often its effect is had; `wasted`: not once, for no
    floor can be moved (SSA-13). `adjust`: the effect of Chance that it makes; `wasted`: it can do nothing
    now. Other moves have none.
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
    "peek": Peek,  # while somebody peeks: who, at whom, at what
    "trades": Trades,  # with Open Market
    "shows": Shows,  # with The Whole Truth
    "reckoning": Reckoning,  # at the end
    "time_control": TimeControl,
    # for one seat, until the end
    "hand": Hand,
    "tracker": Tracker,
    "mark": Mark,  # while shares are selected
    "bid": Bid,  # in Lowball
    SECTION: PeekContent,  # while this seat peeks, and the window runs
    "deals": Deals,  # while there is a market
    "seen": Seen,  # with The Whole Truth
}


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
    """Rises with every public event of the action phase: prompts and windows are named by it (GEN-4)."""
    turns: Public[Turns]
    towers: Public[tuple[Tower, ...]]
    deck: Secret[Cards]
    """The top card first."""
    discard: Public[Cards]
    hands: OwnerOnly[Hands]
    marks: OwnerOnly[tuple[tuple[Company, ...], ...]]
    """Of each seat, what it has marked since it last showed all its tracker; see `turn_flow.tracker_of`."""
    traded: OwnerOnly[tuple[Shares, ...]]
    """What trades have added to its shares since, or taken."""
    selected: Sealed[Company]
    offered: Sealed[Cards]
    """In Lowball: one card, or none."""
    bids: Public[Bids | None]
    peek: Public[Peek | None]
    trades: Public[Trades]
    seen: OwnerOnly[tuple[Snapshots, ...]]
    shows: Public[Shows]
    held: Public[Timer | None]
    """The turn's, while it stands still for a decision within it (SSA-39)."""
    reckoning: Public[Reckoning | None] = None
