"""Piles: what a placement leads to, and whose the next move is (2b, resolve)."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Seat
from games.kit.memo import memoize
from games.sucker.rules.values import Colour, Pile
from games.sucker.rules.views import Forecast, Piles, PileView

Alive = tuple[bool, ...]
"""By seat."""


def tops(chips: Sequence[Colour], alive: Alive) -> tuple[int | None, ...]:
    """By seat, where its highest chip lies; None without one, and for the defeated (SLS-6)."""
    places = {colour: place for place, colour in enumerate(chips)}
    return tuple(places.get(seat) if living else None for seat, living in enumerate(alive))


def missing(chips: Sequence[Colour], alive: Alive) -> tuple[Seat, ...]:
    """The living seats whose colour is not in the pile (SLS-4)."""
    return tuple(Seat(seat) for seat, living in enumerate(alive) if living and seat not in chips)


def forced(chips: Sequence[Colour], alive: Alive) -> Seat:
    """Of all living seats, the one whose highest chip lies lowest (SLS-5). None may be missing."""
    return min((place, Seat(seat)) for seat, place in enumerate(tops(chips, alive)) if place is not None)[1]


@memoize
def forecast(below: tuple[Colour, ...], colour: Colour, alive: Alive) -> Forecast:
    """What a chip of this colour on these leads to; what is below is empty where it begins a pile."""
    if below and below[-1] == colour:
        return Forecast("capture", (Seat(colour),)) if alive[colour] else Forecast("dies", ())
    chips = (*below, colour)
    free = missing(chips, alive)
    return Forecast("free", free) if free else Forecast("forced", (forced(chips, alive),))


@memoize
def _view(pile: Pile, alive: Alive) -> PileView:
    places = tops(pile.chips, alive)
    return PileView(
        pile.id,
        pile.chips,
        places,
        missing(pile.chips, alive),
        min((place for place in places if place is not None), default=None),
        tuple(forecast(pile.chips, colour, alive) for colour in range(len(alive))),
    )


@memoize
def section(piles: tuple[Pile, ...], alive: Alive) -> Piles:
    fresh = tuple(forecast((), colour, alive) for colour in range(len(alive)))
    return Piles(tuple(_view(pile, alive) for pile in piles), fresh)


def find(piles: tuple[Pile, ...], number: int | None) -> Pile | None:
    return next((pile for pile in piles if pile.id == number), None)


def with_pile(piles: tuple[Pile, ...], number: int, chips: tuple[Colour, ...]) -> tuple[Pile, ...]:
    """The piles with this one as it is now: new, changed, or gone where it has no chips (SLS-29)."""
    if find(piles, number) is None:
        return (*piles, Pile(number, chips))
    changed = (Pile(number, chips) if pile.id == number else pile for pile in piles)
    return tuple(pile for pile in changed if pile.chips)
