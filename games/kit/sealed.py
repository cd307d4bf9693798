"""Simultaneous secret choices: drafted, locked, unlocked, and revealed at once (GEN-5).

A seat may change its choice until it locks it, and unlock it until the last seat has locked. Others see only
who has locked; whether a seat has drafted anything is as secret as the draft itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from games.api import OwnerOnly, Public, Refusal, Seat, Struct
from games.kit.tuples import replace_at

C = TypeVar("C")

LOCKED = Refusal("LOCKED", "GEN-5")
NOT_LOCKED = Refusal("NOT_LOCKED", "GEN-5")
NO_DRAFT = Refusal("NO_DRAFT", "GEN-5")


class Sealed(Struct, Generic[C], frozen=True):
    """One secret choice per seat. A locked seat always has a draft."""

    draft: OwnerOnly[tuple[C | None, ...]]
    locked: Public[tuple[bool, ...]]


def make_sealed(seats: int) -> Sealed[C]:
    """A sealed choice that no seat has made yet."""
    return Sealed((None,) * seats, (False,) * seats)


def refuse_draft(choice: Sealed[C], seat: Seat) -> Refusal | None:
    return LOCKED if choice.locked[seat] else None


def refuse_lock(choice: Sealed[C], seat: Seat, drafting: bool) -> Refusal | None:
    """Why the seat may not lock; `drafting` says whether it names its choice in the same move."""
    if choice.locked[seat]:
        return LOCKED
    return NO_DRAFT if not drafting and choice.draft[seat] is None else None


def refuse_unlock(choice: Sealed[C], seat: Seat) -> Refusal | None:
    return None if choice.locked[seat] else NOT_LOCKED


def draft(choice: Sealed[C], seat: Seat, value: C) -> Sealed[C]:
    before = choice.draft
    return Sealed(replace_at(before, seat, value), choice.locked)


def lock(choice: Sealed[C], seat: Seat, value: C | None = None) -> Sealed[C]:
    """Lock the seat's draft, or this value instead."""
    drafts, locked = choice.draft, choice.locked
    if value is not None:
        drafts = replace_at(drafts, seat, value)
    return Sealed(drafts, replace_at(locked, seat, True))


def unlock(choice: Sealed[C], seat: Seat) -> Sealed[C]:
    locked = choice.locked
    return Sealed(choice.draft, replace_at(locked, seat, False))


def complete(choice: Sealed[C]) -> bool:
    return False not in choice.locked


def fill(choice: Sealed[C], default: Callable[[Seat], C]) -> Sealed[C]:
    """Lock every seat that has not locked, with its draft or else with a default, in seat order."""
    drafts = tuple(default(Seat(seat)) if value is None else value for seat, value in enumerate(choice.draft))
    return Sealed(drafts, (True,) * len(drafts))


def reveal(choice: Sealed[C]) -> tuple[C, ...]:
    """Every seat's choice. Raises ValueError until all seats have locked."""
    values = tuple(value for value in choice.draft if value is not None)
    if not complete(choice) or len(values) != len(choice.draft):
        raise ValueError("not every seat has locked")
    return values
