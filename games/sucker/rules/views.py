"""Sections that are computed from the state, and previews.

The client does not apply the rules, so these show who would be next, who must answer and how a seat can
still win.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from games.api import Seat, Struct
from games.sucker.rules.values import Colour, Counts, Deed, Kind

Outlook: TypeAlias = Literal["capture", "dies", "free", "forced"]


class Forecast(Struct, frozen=True, array_like=True):
    """The effect of placing a chip of one colour here, whoever places it, without a blackmail card.

    "capture": the seat captures the pile. "dies": the whole pile dies and the mover moves again. "free": the
    mover gives the move to one of the seats, which may include itself; a single seat gets it at once.
    "forced": the seat is next.
    """

    what: Outlook
    seats: tuple[Seat, ...]


class PileView(Struct, frozen=True):
    """A pile, bottom first, and how it decides who is next (SLS-5).

    `tops` has, for each seat, the position from 0 of the highest chip of its colour; None if it has no chip
    here or is defeated, since its chips then decide nothing (SLS-6). `missing` are the living seats without
    a chip here. `decides` is the lowest of the tops: the seat of that colour is next if no colour is
    missing. `outlook` has, by colour, the result of placing a chip on top.
    """

    id: int
    chips: tuple[Colour, ...]
    tops: tuple[int | None, ...]
    missing: tuple[Seat, ...]
    decides: int | None
    outlook: tuple[Forecast, ...]


class Piles(Struct, frozen=True):
    """Section `piles`: the piles; `fresh` has, by colour, the result of beginning a new one."""

    piles: tuple[PileView, ...]
    fresh: tuple[Forecast, ...]


class Trail(Struct, frozen=True):
    """Section `trail`: the seats that have had the move, latest last; `earlier` is the number of older ones.

    `back` gets the move if the mover is defeated; None if only one other seat is alive, which then survives.
    """

    seats: tuple[Seat, ...]
    earlier: int
    back: Seat | None


class Card(Struct, frozen=True, array_like=True):
    """A taken blackmail card: `owner` may play it against `token`. `kind` is set if everybody may know it."""

    id: int
    owner: Seat
    token: Seat
    status: Literal["held", "played", "void"]
    kind: Kind | None


class Cards(Struct, frozen=True):
    """Section `cards`: the number of blackmail cards left in the stack, and those taken in this round."""

    left: int
    cards: tuple[Card, ...]


class Answer(Struct, frozen=True, array_like=True):
    """A seat that must answer a rescue: it has prisoners, or is in need and has a card that might help."""

    seat: Seat
    prisoners: int
    refused: bool


class Rescue(Struct, frozen=True):
    """Section `rescue`: the `needy` seat has the move but no chips.

    `answers` has the seats that must answer. If they all refuse, the seat is defeated and `back` gets the
    move; None if only one seat is left, which ends the round. If the seat is saved, `award` takes a
    blackmail card.
    """

    needy: Seat
    answers: tuple[Answer, ...]
    back: Seat | None
    award: Seat | None


class History(Struct, frozen=True):
    """Section `history`: the steps of the last round; shown between rounds and at the end."""

    deeds: tuple[Deed, ...]


class Known(Struct, frozen=True, array_like=True):
    """A held card whose kind this seat knows, because it owns the card or is named by it (SLS-18)."""

    id: int
    kind: Kind


class Mine(Struct, frozen=True):
    """Private section `mine`: the seat's row, how it can still win, and the blackmail cards it knows.

    `row` lists colours from left to right: `enemy` first, `ally` last; all empty without blind allies. The
    seat wins the round if it survives and one of `over` is the last one out, or if one of `under` survives
    and this seat is the last one out. Both are empty once it is defeated.
    """

    row: tuple[Colour, ...]
    enemy: Seat | None
    ally: Seat | None
    over: tuple[Seat, ...]
    under: tuple[Seat, ...]
    kinds: tuple[Known, ...]


class Gain(Struct, frozen=True, array_like=True):
    """The number of chips of a colour that a seat's hand gains; negative if it loses them."""

    seat: Seat
    colour: Colour
    count: int


class Preview(Struct, frozen=True):
    """The effect a move would have, limited to what its seat can know.

    `gains` are changes to hands; `dies` counts dead chips by colour. `captor` must then kill a chip from
    the pile. `next` gets the move; if it has several seats, the mover chooses one. `forced` means that a full
    pile decides who is next, and `card` is the seat that the awarded blackmail card names. `needy` gets the
    move but has no chips: `rescuers` may save it, otherwise `back` gets the move. `falls` are the seats
    defeated immediately. `ends` means that the round is over.
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
