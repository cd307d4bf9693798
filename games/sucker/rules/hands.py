"""Chips in hands, and the box of the dead: every change of them, and who holds prisoners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from games.api import Seat
from games.kit.memo import memoize
from games.kit.tuples import replace_at
from games.sucker.rules.values import Colour, Counts, Hands


def _plus(counts: Counts, colour: Colour, count: int) -> Counts:
    return replace_at(counts, colour, counts[colour] + count)


def gained(hands: Hands, seat: Seat, colour: Colour, count: int) -> Hands:
    """So many chips of a colour more, or fewer, in a hand."""
    chips = hands.chips
    return Hands(replace_at(chips, seat, _plus(chips[seat], colour, count)), hands.dead)


def died(hands: Hands, colour: Colour, count: int) -> Hands:
    """So many chips more in the box; where from is not seen to here."""
    return Hands(hands.chips, _plus(hands.dead, colour, count))


def given(hands: Hands, seat: Seat, to: Seat, colour: Colour, count: int) -> Hands:
    return gained(gained(hands, seat, colour, -count), to, colour, count)


def took(hands: Hands, seat: Seat, chips: Iterable[Colour]) -> Hands:
    """All these chips in the hand of a seat."""
    for colour, count in sorted(Counter(chips).items()):
        hands = gained(hands, seat, colour, count)
    return hands


def buried(hands: Hands, chips: Iterable[Colour]) -> Hands:
    """All these chips dead."""
    for colour, count in sorted(Counter(chips).items()):
        hands = died(hands, colour, count)
    return hands


@memoize
def held(hands: Hands) -> tuple[int, ...]:
    """How many chips each seat has."""
    return tuple(map(sum, hands.chips))


@memoize
def prisoners(hands: Hands) -> tuple[int, ...]:
    """How many chips each seat has that are not of its own colour."""
    return tuple(sum(own) - own[seat] for seat, own in enumerate(hands.chips))


def loose(hands: Hands, seat: Seat, bound: bool) -> dict[Colour, int]:
    """By colour, how many prisoners a seat may part with at once; where `bound`, it keeps a chip."""
    most = held(hands)[seat] - bound
    return {
        colour: min(count, most)
        for colour, count in enumerate(hands.chips[seat])
        if count and colour != seat and most
    }
