"""The pieces of Share and Share Alike (cards, floors and companies) and the time limits.

A card is written as its rank and suit: "10S", "KH". A company and its tower share a letter, A to E; the
client gives it a name (SSA-40). A floor is a size: L, M or S. Cards in a hand are in the order of `CARDS`.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from games.api import Millis

Company: TypeAlias = Literal["A", "B", "C", "D", "E"]
Size: TypeAlias = Literal["L", "M", "S"]
Suit: TypeAlias = Literal["H", "S", "C", "D"]
Card: TypeAlias = Literal[
    "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "10H", "JH", "QH", "KH", "AH",
    "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS", "AS",
    "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC", "KC", "AC",
    "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "10D", "JD", "QD", "KD", "AD",
]  # fmt: skip
What: TypeAlias = Literal["hand", "tracker"]
Phase: TypeAlias = Literal["select", "lowball", "action", "end"]
Kind: TypeAlias = Literal[
    "select", "lowball", "turn", "hearts", "spades", "peek", "clubs", "adjust",
    "chance1", "take", "chance2", "chance3", "chance4", "chance6", "draw", "market", "over",
]  # fmt: skip
"""The current decision and the kind of its prompt. Chance 1 has two: whom to take from, and which card."""
Tower: TypeAlias = tuple[Size, ...]
"""Floors, lowest first."""
Cards: TypeAlias = tuple[Card, ...]
Hands: TypeAlias = tuple[Cards, ...]
Shares: TypeAlias = tuple[int, ...]
"""The number of shares of each company, A to E."""

COMPANIES: Final[tuple[Company, ...]] = get_args(Company)
SIZES: Final[tuple[Size, ...]] = get_args(Size)
"""Largest first."""
CARDS: Final[Cards] = get_args(Card)
RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PIPS: Final[dict[Size, int]] = {"L": 3, "M": 2, "S": 1}
FLOORS: Final = 20
"""The number of floors of each size."""
HAND: Final = 5
"""The number of cards dealt to a seat, and the hand size it may draw up to."""
ACTIONS: Final = 3
SEATS: Final = 4
"""The number of seats in the printed game."""
PRIZES: Final = (1000, 800, 600, 400, 200)

FIRST_SELECT_TIME: Final = Millis(90_000)
SELECT_TIME: Final = Millis(45_000)
LOWBALL_TIME: Final = Millis(25_000)
TURN_TIME: Final = Millis(60_000)
CHOICE_TIME: Final = Millis(20_000)
DRAW_TIME: Final = Millis(40_000)
SPY_TIME: Final = Millis(30_000)
"""Fixed by the rules."""
TAKE_TIME: Final = Millis(20_000)
"""The length of a Chance 1 peek, also fixed by the rules (1c)."""
MARKET_TIME: Final = Millis(30_000)
"""Fixed by the rules."""

LOT: Final = 30
"""The maximum number of shares on one side of an offer, which bounds the size of a view."""
OFFERS: Final = 2
"""The number of offers a seat may have open to any one other seat."""
TRADES_SHOWN: Final = 6


def rank_of(card: Card) -> str:
    return card[:-1]


def suit_of(card: Card) -> str:
    return card[-1]


def uses(card: Card) -> int:
    """How many times a heart, spade or club takes effect; a diamond always rolls once."""
    if suit_of(card) == "D":
        return 1
    return {"10": 2, "J": 2, "Q": 2, "K": 3, "A": 3}.get(rank_of(card), 1)


def adjustment(card: Card) -> int:
    """How much a diamond's roll may be adjusted up or down (SSA-18)."""
    if suit_of(card) != "D":
        return 0
    return {"10": 1, "J": 1, "Q": 1, "K": 2, "A": 2}.get(rank_of(card), 0)


def royal(card: Card) -> bool:
    """Whether the card can open a market: J, Q, K, A (SSA-35)."""
    return rank_of(card) in ("J", "Q", "K", "A")
