"""Offers between two seats: proposed, countered, accepted, declined, withdrawn, expired.

An offer gives certain goods in return for a wish. The game's rules define goods and wishes; this module has
what all trading games share. The recipient sees the proposer's goods as they are; whether the recipient has
what the offer asks for is checked only on acceptance (TKO-24, TKO-25). The same goods may be part of several
offers: whenever goods have changed hands or been flipped, `sweep` drops every offer that is no longer valid
(TKO-22).

Only its two seats know about an offer. Its id is drawn from the dice, since a sequential number would tell
other seats how many offers there had been; its prompt and its window have the same id. The log uses the same
words whether the proposer withdrew an offer or could no longer keep it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeAlias, TypeVar

from games.api import (
    Choice,
    Dice,
    LogLine,
    Millis,
    MoveBase,
    Prompt,
    PromptId,
    Refusal,
    Running,
    Seat,
    Secret,
    Struct,
    Window,
    WindowId,
)
from games.kit import time_control as time_control
from games.kit.time_control import Timers

G = TypeVar("G")
"""One item or lot of goods: hashable, and containing everything that the recipient sees."""
W = TypeVar("W")
"""A wish: what is asked for in return."""

KIND: Final = "offer"
"""The kind of the prompt and the window of an offer."""
_IDS: Final = 1 << 64

NO_OFFER: Final = Refusal("NO_OFFER", "GEN-4")


class Decline(MoveBase, frozen=True, tag="decline", forbid_unknown_fields=True):
    """Decline an offer."""


class Cancel(MoveBase, frozen=True, tag="cancel", forbid_unknown_fields=True):
    """Withdraw your own offer."""


OfferMove: TypeAlias = Decline | Cancel
DECLINE: Final = Choice("decline")
CANCEL: Final = Choice("cancel")


class Offer(Struct, Generic[G, W], frozen=True):
    """`by` offers `to` these goods in return for a wish. `end` is None if the offer does not expire."""

    id: str
    by: Seat
    to: Seat
    give: tuple[G, ...]
    wish: W
    span: Millis
    end: Millis | None


class Offers(Struct, Generic[G, W], frozen=True):
    """All open offers of a game, the oldest first."""

    open: Secret[tuple[Offer[G, W], ...]] = ()


def parties(offer: Offer[G, W]) -> frozenset[Seat]:
    """The two seats that know about the offer."""
    return frozenset((offer.by, offer.to))


def find(offers: Offers[G, W], prompt: str) -> Offer[G, W] | None:
    """The open offer with this id, or None."""
    return next((offer for offer in offers.open if offer.id == prompt), None)


def get(offers: Offers[G, W], prompt: str) -> Offer[G, W]:
    """The open offer with this id. Raises ValueError if there is none."""
    offer = find(offers, prompt)
    if offer is None:
        raise ValueError(f"no such offer: {prompt}")
    return offer


def list_known_offers(offers: Offers[G, W], seat: Seat) -> tuple[Offer[G, W], ...]:
    """The offers this seat knows about: those it made and those made to it."""
    return tuple(offer for offer in offers.open if seat in (offer.by, offer.to))


def count_offers(known: Iterable[Offer[G, W]], by: int, to: int) -> int:
    """How many of these offers `by` made to `to`."""
    return sum(offer.by == by and offer.to == to for offer in known)


# --- prompts and windows ---


def prompts(offers: Offers[G, W]) -> tuple[Prompt, ...]:
    """One prompt per offer: the recipient may accept, decline or counter it; the proposer may withdraw it."""
    return tuple(
        Prompt(
            PromptId(offer.id),
            KIND,
            parties(offer),
            None if offer.end is None else WindowId(offer.id),
            parties(offer),
        )
        for offer in offers.open
    )


def windows(offers: Offers[G, W]) -> tuple[Window, ...]:
    """One window for each offer that expires."""
    return tuple(
        Window(
            WindowId(offer.id),
            KIND,
            parties(offer),
            frozenset({offer.to}),
            Running(offer.end),
            offer.span,
        )
        for offer in offers.open
        if offer.end is not None
    )


# --- refusals: each depends only on what its seat may see (GEN-3) and cites the game's ruling on offers ---


def refuse_propose(
    offers: Offers[G, W], by: Seat, to: Seat, seats: int, most: int, ruling: str
) -> Refusal | None:
    """Why `by` may not make another offer to `to`, for example because `most` offers are already open."""
    if to == by or not 0 <= to < seats:
        return Refusal("WITH_YOURSELF", ruling)
    return Refusal("TOO_MANY", ruling, {"most": most}) if count_offers(offers.open, by, to) >= most else None


def refuse_answer(offers: Offers[G, W], prompt: str, seat: Seat, ruling: str) -> Refusal | None:
    """Why the seat may not accept, decline or counter this offer, for example because it is its own."""
    offer = find(offers, prompt)
    if offer is None:
        return NO_OFFER
    return None if offer.to == seat else Refusal("NOT_YOURS", ruling)


def refuse_cancel(offers: Offers[G, W], prompt: str, seat: Seat, ruling: str) -> Refusal | None:
    offer = find(offers, prompt)
    if offer is None:
        return NO_OFFER
    return None if offer.by == seat else Refusal("NOT_YOURS", ruling)


# --- changes ---


def propose(
    offers: Offers[G, W],
    by: Seat,
    to: Seat,
    give: tuple[G, ...],
    wish: W,
    span: Millis,
    timers: Timers,
    at: Millis,
    dice: Dice,
) -> Offers[G, W]:
    """Add an offer that stays open for the rules' `span`, scaled like all timers (GEN-6)."""
    length = time_control.scale(span, timers)
    end = None if length is None else Millis(at + length)
    name = f"{KIND}:{dice.below('offer', _IDS):016x}"
    offer = Offer(name, by, to, give, wish, Millis(0) if length is None else length, end)
    return Offers((*offers.open, offer))


def close(offers: Offers[G, W], prompt: str) -> Offers[G, W]:
    """Remove this offer; return the same offers if it is not open."""
    left = tuple(offer for offer in offers.open if offer.id != prompt)
    return offers if len(left) == len(offers.open) else Offers(left)


def decline(offers: Offers[G, W], prompt: str) -> tuple[Offers[G, W], tuple[LogLine, ...]]:
    return close(offers, prompt), _report(offers, prompt, "offer.declined")


def cancel(offers: Offers[G, W], prompt: str) -> tuple[Offers[G, W], tuple[LogLine, ...]]:
    return close(offers, prompt), _report(offers, prompt, "offer.gone")


def expire(offers: Offers[G, W], window: str) -> tuple[Offers[G, W], tuple[LogLine, ...]]:
    """Remove an offer whose time has run out. If it is no longer open, nothing happens."""
    return close(offers, window), _report(offers, window, "offer.lapsed")


def sweep(
    offers: Offers[G, W], holds: Callable[[Offer[G, W]], bool]
) -> tuple[Offers[G, W], tuple[LogLine, ...]]:
    """Remove the offers that are no longer valid, for example because the proposer no longer has the goods.

    The two seats learn that their offer is gone, but not why.
    """
    left = tuple(offer for offer in offers.open if holds(offer))
    if len(left) == len(offers.open):
        return offers, ()
    gone = tuple(line for offer in offers.open if offer not in left for line in _lines(offer, "offer.gone"))
    return Offers(left), gone


def _report(offers: Offers[G, W], prompt: str, key: str) -> tuple[LogLine, ...]:
    offer = find(offers, prompt)
    return () if offer is None else _lines(offer, key)


def _lines(offer: Offer[G, W], key: str) -> tuple[LogLine, ...]:
    return (LogLine(key, {"seat": offer.by, "other": offer.to}, parties(offer)),)


# --- offers that a viewer cannot know about ---


def unknown(
    offers: Offers[G, W],
    viewer: Seat | None,
    seats: int,
    make: Callable[[Seat, Dice], tuple[tuple[G, ...], W]],
    dice: Dice,
    may: Callable[[Seat, Seat], bool] = lambda by, to: True,
) -> Offers[G, W]:
    """Keep the offers the viewer knows about and redraw all others (for `Game.resample`).

    `make` returns the goods and the wish of an offer that a seat might have made; `may` says whether two
    seats may trade.
    """
    drawn = [offer for offer in offers.open if viewer in (offer.by, offer.to)]
    others = [Seat(seat) for seat in range(seats) if seat != viewer]
    ends = [offer.end for offer in offers.open]
    pairs = [(by, to) for by in others for to in others if by != to and may(by, to)]
    for _ in range(dice.below("resample", 4) if pairs else 0):
        by, to = pairs[dice.below("resample", len(pairs))]
        give, wish = make(by, dice)
        end = ends[dice.below("resample", len(ends))] if ends else None
        span = Millis(0) if end is None else time_control.MIN_TIMER
        offer = Offer(f"{KIND}:{dice.below('resample', _IDS):016x}", by, to, give, wish, span, end)
        drawn.insert(dice.below("resample", len(drawn) + 1), offer)
    return Offers(tuple(drawn))
