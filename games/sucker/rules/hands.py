"""The chips in hands and the dead chips: the changes to them, and the counts of prisoners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from games.api import Seat
from games.kit.memo import memoize
from games.kit.tuples import replace_at
from games.sucker.rules.values import Colour, Counts, Hands


def _add_count(counts: Counts, colour: Colour, count: int) -> Counts:
    return replace_at(counts, colour, counts[colour] + count)


def add(hands: Hands, seat: Seat, colour: Colour, count: int) -> Hands:
    """Adds `count` chips of a colour to a hand; a negative count removes them."""
    chips = hands.chips
    return Hands(replace_at(chips, seat, _add_count(chips[seat], colour, count)), hands.dead)


def bury(hands: Hands, colour: Colour, count: int) -> Hands:
    """Adds `count` chips of a colour to the dead ones; does not remove them from a hand."""
    return Hands(hands.chips, _add_count(hands.dead, colour, count))


def transfer(hands: Hands, seat: Seat, to: Seat, colour: Colour, count: int) -> Hands:
    """Moves `count` chips of a colour from one hand to another."""
    return add(add(hands, seat, colour, -count), to, colour, count)


def add_all(hands: Hands, seat: Seat, chips: Iterable[Colour]) -> Hands:
    """Adds these chips to a hand."""
    for colour, count in sorted(Counter(chips).items()):
        hands = add(hands, seat, colour, count)
    return hands


def bury_all(hands: Hands, chips: Iterable[Colour]) -> Hands:
    """Adds these chips to the dead ones."""
    for colour, count in sorted(Counter(chips).items()):
        hands = bury(hands, colour, count)
    return hands


@memoize
def chip_counts(hands: Hands) -> tuple[int, ...]:
    """The number of chips each seat has."""
    return tuple(map(sum, hands.chips))


@memoize
def prisoner_counts(hands: Hands) -> tuple[int, ...]:
    """The number of chips of other colours each seat has."""
    return tuple(sum(hand) - hand[seat] for seat, hand in enumerate(hands.chips))


def spare_prisoners(hands: Hands, seat: Seat, bound: bool) -> dict[Colour, int]:
    """The number of prisoners of each colour a seat may give away; if `bound`, it must keep a chip."""
    spare = chip_counts(hands)[seat] - bound
    return {
        colour: min(count, spare)
        for colour, count in enumerate(hands.chips[seat])
        if count and colour != seat and spare
    }
