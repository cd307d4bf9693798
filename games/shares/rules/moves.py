"""The moves of Share and Share Alike."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from games.api import MoveBase
from games.kit import trading
from games.kit.offers import Cancel, Decline
from games.kit.peeks import StopPeeking
from games.kit.time_control import TimeControlMove
from games.shares.rules.pieces import LOT, Card, Company, What

SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=5)]
Lot: TypeAlias = Annotated[tuple[Company, ...], msgspec.Meta(max_length=LOT)]
"""Shares, one letter each: ("A", "A", "D")."""


class Select(MoveBase, frozen=True, tag="select", forbid_unknown_fields=True):
    """Note the company to take a share in; it counts if time runs out."""

    company: Company


class Bidding(MoveBase, frozen=True, tag="bid", forbid_unknown_fields=True):
    """Note the card to offer in Lowball; unless it is locked, it is not offered."""

    card: Card


class Lock(MoveBase, frozen=True, tag="lock", forbid_unknown_fields=True):
    """Lock the noted choice, or else this company or card."""

    company: Company | None = None
    card: Card | None = None


class Unlock(MoveBase, frozen=True, tag="unlock", forbid_unknown_fields=True):
    """Unlock the choice; possible until the last seat locks."""


class Play(MoveBase, frozen=True, tag="play", forbid_unknown_fields=True):
    """Play a card for the effect of its suit."""

    card: Card


class Discard(MoveBase, frozen=True, tag="discard", forbid_unknown_fields=True):
    """Put cards on the Discard Pile, in this order."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=52)]


class DrawUp(MoveBase, frozen=True, tag="drawUp", forbid_unknown_fields=True):
    """Draw up to five cards, at the cost of all three actions."""


class OpenMarket(MoveBase, frozen=True, tag="openMarket", forbid_unknown_fields=True):
    """Open a market with a royal card, whose suit has no effect."""

    card: Card


class EndTurn(MoveBase, frozen=True, tag="endTurn", forbid_unknown_fields=True):
    """End the turn; a seat that has spent nothing in it is out of the round."""


class Add(MoveBase, frozen=True, tag="add", forbid_unknown_fields=True):
    """Put a floor on a tower: one of the largest size left."""

    tower: Company


class Remove(MoveBase, frozen=True, tag="remove", forbid_unknown_fields=True):
    """Take the top floor off a tower."""

    tower: Company


class Spy(MoveBase, frozen=True, tag="spy", forbid_unknown_fields=True):
    """Look at a seat's hand or tracker for thirty seconds."""

    seat: SeatNumber
    what: What


class Done(MoveBase, frozen=True, tag="done", forbid_unknown_fields=True):
    """Give up the remaining uses or draws."""


class Adjust(MoveBase, frozen=True, tag="adjust", forbid_unknown_fields=True):
    """Adjust the roll by this much; 0 leaves it as it is."""

    by: Annotated[int, msgspec.Meta(ge=-2, le=2)]


class Target(MoveBase, frozen=True, tag="target", forbid_unknown_fields=True):
    """Chance 1: the seat to take a card from. Chance 6: the seat that rolls."""

    seat: SeatNumber


class Take(MoveBase, frozen=True, tag="take", forbid_unknown_fields=True):
    """Chance 1: the card to take, by its position in the hand."""

    place: Annotated[int, msgspec.Meta(ge=0, le=51)]


class Swap(MoveBase, frozen=True, tag="swap", forbid_unknown_fields=True):
    """Chance 2: the two seats whose hands change places."""

    seats: Annotated[tuple[SeatNumber, ...], msgspec.Meta(max_length=2)]


class FromDeck(MoveBase, frozen=True, tag="fromDeck", forbid_unknown_fields=True):
    """Draw the top card of the Draw Deck."""


class FromDiscard(MoveBase, frozen=True, tag="fromDiscard", forbid_unknown_fields=True):
    """Draw any card from the Discard Pile."""

    card: Card


class CloseMarket(MoveBase, frozen=True, tag="closeMarket", forbid_unknown_fields=True):
    """Close the market early."""


class Propose(trading.Propose, frozen=True, tag="propose", forbid_unknown_fields=True):
    """Offer shares to a seat in return for others; one of the two must have opened the market."""

    to: SeatNumber
    give: Lot
    wish: Lot


class Counter(trading.Counter, frozen=True, tag="counter", forbid_unknown_fields=True):
    """Replace an offer with a counter-offer."""

    give: Lot
    wish: Lot


class Accept(MoveBase, frozen=True, tag="accept", forbid_unknown_fields=True):
    """Accept an offer, giving exactly what it asks for."""


class Show(MoveBase, frozen=True, tag="show", forbid_unknown_fields=True):
    """Show your tracker to these seats (The Whole Truth)."""

    to: Annotated[tuple[SeatNumber, ...], msgspec.Meta(max_length=6)]


class ShowAll(MoveBase, frozen=True, tag="showAll", forbid_unknown_fields=True):
    """Show your tracker to everybody, including spectators (The Whole Truth)."""


SharesAct: TypeAlias = (
    Lock
    | Unlock
    | Play
    | Discard
    | DrawUp
    | OpenMarket
    | EndTurn
    | Add
    | Remove
    | Spy
    | StopPeeking
    | Done
    | Adjust
    | Target
    | Take
    | Swap
    | FromDeck
    | FromDiscard
    | CloseMarket
    | Accept
    | Decline
    | Show
    | ShowAll
)
"""The moves that advance the game, as opposed to drafts, offers and clock moves."""

SharesPlay: TypeAlias = SharesAct | Select | Bidding | Propose | Counter | Cancel
SharesMove: TypeAlias = SharesPlay | TimeControlMove
