"""Piles: the effect of a placement, and who has the next move (2b, resolve)."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Seat
from games.kit.memo import memoize
from games.sucker.rules.values import Colour, Pile
from games.sucker.rules.views import Forecast, Piles, PileView

Alive = tuple[bool, ...]
"""For each seat, whether it is still in the game."""


def tops(chips: Sequence[Colour], alive: Alive) -> tuple[int | None, ...]:
    """The position of each seat's highest chip; None if it has none or is defeated (SLS-6)."""
    highest = {colour: position for position, colour in enumerate(chips)}
    return tuple(highest.get(seat) if living else None for seat, living in enumerate(alive))


def missing(chips: Sequence[Colour], alive: Alive) -> tuple[Seat, ...]:
    """The living seats whose colour is not in the pile (SLS-4)."""
    return tuple(Seat(seat) for seat, living in enumerate(alive) if living and seat not in chips)


def deciding_seat(chips: Sequence[Colour], alive: Alive) -> Seat:
    """The living seat whose highest chip is lowest, which is next if no colour is missing (SLS-5)."""
    return min((top, Seat(seat)) for seat, top in enumerate(tops(chips, alive)) if top is not None)[1]


@memoize
def forecast(below: tuple[Colour, ...], colour: Colour, alive: Alive) -> Forecast:
    """The effect of placing a chip of this colour on these chips; if there are none, it begins a pile."""
    if below and below[-1] == colour:
        return Forecast("capture", (Seat(colour),)) if alive[colour] else Forecast("dies", ())
    chips = (*below, colour)
    free = missing(chips, alive)
    return Forecast("free", free) if free else Forecast("forced", (deciding_seat(chips, alive),))


@memoize
def _view(pile: Pile, alive: Alive) -> PileView:
    top_chips = tops(pile.chips, alive)
    return PileView(
        pile.id,
        pile.chips,
        top_chips,
        missing(pile.chips, alive),
        min((top for top in top_chips if top is not None), default=None),
        tuple(forecast(pile.chips, colour, alive) for colour in range(len(alive))),
    )


@memoize
def section(piles: tuple[Pile, ...], alive: Alive) -> Piles:
    """Section `piles`."""
    fresh = tuple(forecast((), colour, alive) for colour in range(len(alive)))
    return Piles(tuple(_view(pile, alive) for pile in piles), fresh)


def find(piles: tuple[Pile, ...], number: int | None) -> Pile | None:
    """The pile with this number, if there is one."""
    return next((pile for pile in piles if pile.id == number), None)


def with_pile(piles: tuple[Pile, ...], number: int, chips: tuple[Colour, ...]) -> tuple[Pile, ...]:
    """The piles with pile `number` added, changed or, if it has no chips, removed (SLS-29)."""
    if find(piles, number) is None:
        return (*piles, Pile(number, chips))
    updated = (Pile(number, chips) if pile.id == number else pile for pile in piles)
    return tuple(pile for pile in updated if pile.chips)
