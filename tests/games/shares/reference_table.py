"""The table of the reference Share and Share Alike (reference.py): its state, and views of it."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.games.shares.reference_scoring import Scored, reference_scores

COMPANIES = 5
ACTIONS = 3
FULL_HAND = 5
SIZES = ["L", "M", "S"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = ["C", "S", "D", "H"]
"""Lowest first, in the order that breaks ties in Lowball (SSA-25)."""
CARDS = [rank + suit for suit in SUITS for rank in RANKS]


@dataclass
class Options:
    """The options in 1a that affect play, with their defaults."""

    talk: str = "strict"  # or looseLips, wholeTruth
    open_market: bool = False
    lowball: bool = False
    company_metric: str = "floors"  # or pips
    company_tie: str = "average"  # or high, low
    rounding: str = "exact"  # or nearest, floor
    lowball_card: str = "return"  # or discard, bottom
    chance3_source: str = "deck"  # or either
    chance4_draw: bool = False
    rounds: int = 15  # or 5, 10


class Played(NamedTuple):
    """A card whose effect is not yet resolved, and the seat that played it."""

    card: str
    seat: int


class Peek(NamedTuple):
    """One seat's peek at another: `what` is "hand" or "tracker"."""

    viewer: int
    target: int
    what: str


class Offer(NamedTuple):
    """An open offer: shares of each company given and taken, from its proposer's side."""

    number: int
    by: int
    to: int
    give: tuple[int, ...]
    take: tuple[int, ...]


class Shown(NamedTuple):
    """A tracker that was shown (SSA-30): marks of closed rounds, and changes from trades."""

    seat: int
    to: tuple[int, ...]
    marks: tuple[int, ...]
    delta: tuple[int, ...]


@dataclass
class Game:
    """Everything, public and secret. Companies are 0 to 4, cards "10S" or "AD", sizes "L", "M", "S"."""

    seats: int
    options: Options
    hands: list[list[str]]
    deck: list[str]
    """Top first."""
    discards: list[str]
    """The last one on top."""
    marks: list[list[int]]
    """For each seat, the company of each round whose selection has closed."""
    delta: list[list[int]]
    """For each seat and company, shares gained or given away in trades."""
    drafts: list[int | None]
    locked: list[bool]
    offered: list[str | None]
    """Each seat's secret card in LOWBALL."""
    actions: list[int]
    out: list[bool]
    round: int = 1
    phase: str = "select"
    towers: list[list[str]] = field(default_factory=lambda: [[] for _ in range(COMPANIES)])
    """Bottom first."""
    supply: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIZES, 20))
    revealed: list[str | None] = field(default_factory=list)
    """This round's Lowball cards, once they are revealed."""
    active: int | None = None
    spent: int = 0
    """Actions the active seat has spent on this turn."""
    decider: int | None = None
    """The seat that has to act or roll; None between rounds, and in phases where all seats act."""
    resolving: list[Played] = field(default_factory=list)
    """A diamond may be under the card played as its free action."""
    uses: int = 0
    """How many more times the heart, spade or club on top may be used."""
    rolled: int | None = None
    """The face of the die, as adjusted."""
    peeking: Peek | None = None
    to_draw: int = 0
    """How many more cards Chance 3 draws."""
    offers: list[Offer] = field(default_factory=list)
    offers_made: int = 0
    shown: list[Shown] = field(default_factory=list)


def start(options: Options, hands: list[list[str]], deck: list[str]) -> Game:
    """Round 1, as dealt. Raises ValueError unless hands and deck are the 52 cards, five for each seat."""
    dealt = [card for hand in hands for card in hand]
    if sorted(dealt + deck) != sorted(CARDS) or any(len(hand) != FULL_HAND for hand in hands):
        raise ValueError("not a valid deal")
    seats = len(hands)
    return Game(
        seats=seats,
        options=options,
        hands=[list(hand) for hand in hands],
        deck=list(deck),
        discards=[],
        marks=[[] for _ in hands],
        delta=[[0] * COMPANIES for _ in hands],
        drafts=[None] * seats,
        locked=[False] * seats,
        offered=[None] * seats,
        actions=[ACTIONS] * seats,
        out=[False] * seats,
    )


def fresh(game: Game) -> Game:
    """A copy with its own lists and dicts."""
    after = copy(game)
    for name, value in vars(game).items():
        if isinstance(value, dict):
            setattr(after, name, dict(value))
        elif isinstance(value, list):
            nested = bool(value) and isinstance(value[0], list)
            setattr(after, name, [list(inner) for inner in value] if nested else list(value))
    return after


def rank(card: str) -> str:
    return card[:-1]


def suit(card: str) -> str:
    return card[-1]


def uses_of(card: str) -> int:
    if rank(card) in ("K", "A"):
        return 3
    return 2 if rank(card) in ("10", "J", "Q") else 1


def largest(game: Game) -> str | None:
    """The largest size left in the supply, or None if it is empty."""
    for size in SIZES:
        if game.supply[size] > 0:
            return size
    return None


def holdings(game: Game, seat: int) -> list[int]:
    """Shares of each company: marks from closed selections, and trades (SSA-32)."""
    return [game.marks[seat].count(company) + game.delta[seat][company] for company in range(COMPANIES)]


def waiting(game: Game) -> list[int]:
    """The seats that must act; no seat when a chance event is due ("start", "roll") or at the end."""
    if game.phase == "select":
        return [seat for seat in range(game.seats) if not game.locked[seat]]
    if game.phase == "lowball":
        return [seat for seat in range(game.seats) if game.hands[seat] and not game.locked[seat]]
    if game.phase in ("start", "roll", "over") or game.decider is None:
        return []
    return [game.decider]


def notes_locked(game: Game) -> list[int]:
    """The seats that may not write notes: the one that is peeking (1c)."""
    return [] if game.peeking is None else [game.peeking.viewer]


def score(game: Game) -> Scored:
    """Prizes and scores for the current towers and trackers (1d)."""
    options = game.options
    every = [holdings(game, seat) for seat in range(game.seats)]
    return reference_scores(game.towers, every, options.company_metric, options.company_tie, options.rounding)
