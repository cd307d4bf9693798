"""What is shown and not kept: sections made from the state, and previews.

The client decides nothing by itself: who would be next, who is asked, what can still be won stand here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from games.api import Seat, Struct
from games.sucker.rules.values import Colour, Counts, Deed, Kind

Outlook: TypeAlias = Literal["capture", "dies", "free", "forced"]


class Forecast(Struct, frozen=True, array_like=True):
    """What placing a chip of one colour here leads to, whoever places it, without a blackmail card.

    "capture": the one seat captures the pile. "dies": all chips of the pile die, and the mover moves again.
    "free": the mover gives the move to one of the seats, itself perhaps among them; one alone has it at once.
    "forced": the one seat is next.
    """

    what: Outlook
    seats: tuple[Seat, ...]


class PileView(Struct, frozen=True):
    """A pile, bottom first, and how it decides who is next (SLS-5).

    `tops` has, for each seat, the place from 0 of the highest chip of its colour; None where it has none
    here or is defeated, for then its chips decide nothing (SLS-6). `missing` are the living seats without a
    chip here. `decides` is the lowest of the tops: the chip that would have the move if none were missing.
    `outlook` tells, by colour, what placing such a chip on top leads to.
    """

    id: int
    chips: tuple[Colour, ...]
    tops: tuple[int | None, ...]
    missing: tuple[Seat, ...]
    decides: int | None
    outlook: tuple[Forecast, ...]


class Piles(Struct, frozen=True):
    """Section `piles`: those on the table; `fresh` tells by colour what a new pile of it leads to."""

    piles: tuple[PileView, ...]
    fresh: tuple[Forecast, ...]


class Trail(Struct, frozen=True):
    """Section `trail`: who got the move from whom, the latest last; `back` has the move if the mover falls.

    `back` is None where only one other seat is alive: it survives. The older part is left out, and counted by
    `earlier`.
    """

    seats: tuple[Seat, ...]
    earlier: int
    back: Seat | None


class Card(Struct, frozen=True, array_like=True):
    """A blackmail card that was taken: `owner` may play it against `token`. `kind` where all may know it."""

    id: int
    owner: Seat
    token: Seat
    status: Literal["held", "played", "void"]
    kind: Kind | None


class Cards(Struct, frozen=True):
    """Section `cards`: how many are left in the stack, and those taken in this round."""

    left: int
    cards: tuple[Card, ...]


class Answer(Struct, frozen=True, array_like=True):
    """A seat that must answer: it has `prisoners`, or is the needy one, with a card that might help it."""

    seat: Seat
    prisoners: int
    refused: bool


class Rescue(Struct, frozen=True):
    """Section `rescue`: `needy` has the move and no chip.

    `answers` of all who are asked; when all have refused, it falls. If it does, `back` has the move next;
    None: one is left, and the round is over. If it is saved, `award` takes a blackmail card that names it.
    """

    needy: Seat
    answers: tuple[Answer, ...]
    back: Seat | None
    award: Seat | None


class History(Struct, frozen=True):
    """Section `history`: the round that is over, step by step; shown between rounds and at the end."""

    deeds: tuple[Deed, ...]


class Known(Struct, frozen=True, array_like=True):
    """A held card whose kind this seat knows: it owns it, or is named by it (SLS-18)."""

    id: int
    kind: Kind


class Mine(Struct, frozen=True):
    """Private section `mine`: the own row, and what can still be won with it.

    `row` from left to right, `enemy` its first, `ally` its last; without blind allies there are none. The
    round is won if this seat survives and one of `over` is the last one out, or if one of `under` survives
    and this seat is the last one out. Both are empty once it is defeated. `kinds` of held blackmail cards
    it knows.
    """

    row: tuple[Colour, ...]
    enemy: Seat | None
    ally: Seat | None
    over: tuple[Seat, ...]
    under: tuple[Seat, ...]
    kinds: tuple[Known, ...]


class Gain(Struct, frozen=True, array_like=True):
    """So many chips of a colour more, or fewer, in a seat's hand."""

    seat: Seat
    colour: Colour
    count: int


class Preview(Struct, frozen=True):
    """What a move would do, from what all may see and the own cards.

    `gains` in hands and `dies` by colour. `captor` would have a pile to kill a chip of. `next`: who has the
    move then; several: the seat may choose. `forced`: by a full pile; `card`: whom the blackmail card then
    names. `needy`: who has the move but no chip, for `rescuers` to save, or `back` moves. `falls`: who is
    defeated for certain. `ends`: the round is over.
    """

    gains: tuple[Gain, ...]
    dies: Counts
    captor: Seat | None
    next: tuple[Seat, ...]
    forced: bool
    card: Seat | None
    needy: Seat | None
    rescuers: tuple[Seat, ...]
    back: Seat | None
    falls: tuple[Seat, ...]
    ends: bool
