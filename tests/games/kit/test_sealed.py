"""Sealed choices: drafted, locked, unlocked until the last seat locks, revealed all at once (GEN-5)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from games.api import Seat
from games.kit import sealed
from games.kit.sealed import LOCKED, NO_DRAFT, NOT_LOCKED, Sealed

ONE, TWO = Seat(0), Seat(1)


def nothing_chosen(seats: int) -> Sealed[int]:
    return sealed.make_sealed(seats)


def test_a_draft_may_be_changed_until_it_is_locked() -> None:
    choice = sealed.draft(sealed.draft(nothing_chosen(2), ONE, 4), ONE, 7)
    assert sealed.refuse_draft(choice, ONE) is None
    locked = sealed.lock(choice, ONE)
    assert locked.draft == (7, None)
    assert locked.locked == (True, False)
    assert sealed.refuse_draft(locked, ONE) == LOCKED
    assert sealed.refuse_lock(locked, ONE, True) == LOCKED
    assert sealed.refuse_unlock(locked, ONE) is None
    assert sealed.unlock(locked, ONE) == choice


def test_nothing_cannot_be_locked() -> None:
    choice = nothing_chosen(2)
    assert sealed.refuse_lock(choice, ONE, False) == NO_DRAFT
    assert sealed.refuse_lock(choice, ONE, True) is None
    assert sealed.refuse_unlock(choice, ONE) == NOT_LOCKED


def test_locking_may_name_the_choice() -> None:
    choice = sealed.lock(sealed.draft(nothing_chosen(2), ONE, 4), ONE, 9)
    assert choice.draft == (9, None)
    assert sealed.lock(nothing_chosen(2), TWO, 0).draft == (None, 0)


def test_missing_choices_are_filled_with_drafts_then_defaults() -> None:
    asked: list[int] = []

    def default(seat: Seat) -> int:
        asked.append(seat)
        return 100 + seat

    choice = sealed.draft(sealed.lock(nothing_chosen(4), Seat(3), 1), ONE, 0)
    assert sealed.reveal(sealed.fill(choice, default)) == (0, 101, 102, 1)
    assert asked == [1, 2]


def test_nothing_is_revealed_before_all_have_locked() -> None:
    choice = sealed.draft(sealed.lock(nothing_chosen(2), ONE, 3), TWO, 4)
    with pytest.raises(ValueError, match="not every seat"):
        sealed.reveal(choice)
    assert sealed.reveal(sealed.lock(choice, TWO)) == (3, 4)


@given(st.lists(st.integers(0, 9) | st.none(), min_size=1, max_size=6))
def test_filling_completes(drafts: list[int | None]) -> None:
    choice = nothing_chosen(len(drafts))
    for seat, value in enumerate(drafts):
        if value is not None:
            choice = sealed.draft(choice, Seat(seat), value)
    filled = sealed.fill(choice, lambda _: -1)
    assert sealed.complete(filled)
    assert sealed.reveal(filled) == tuple(-1 if value is None else value for value in drafts)


class Choosing(RuleBasedStateMachine):
    """A comparison of sealed choices with the simplest model: a dict of drafts and a set of locks."""

    seats = 3

    def __init__(self) -> None:
        super().__init__()
        self.choice = nothing_chosen(self.seats)
        self.drafts: dict[int, int] = {}
        self.locks: set[int] = set()

    @rule(seat=st.integers(0, 2), value=st.integers(0, 5))
    def draft(self, seat: int, value: int) -> None:
        refusal = sealed.refuse_draft(self.choice, Seat(seat))
        assert (refusal is None) == (seat not in self.locks)
        if refusal is None:
            self.choice = sealed.draft(self.choice, Seat(seat), value)
            self.drafts[seat] = value

    @rule(seat=st.integers(0, 2), value=st.none() | st.integers(0, 5))
    def lock(self, seat: int, value: int | None) -> None:
        refusal = sealed.refuse_lock(self.choice, Seat(seat), value is not None)
        possible = seat not in self.locks and (value is not None or seat in self.drafts)
        assert (refusal is None) == possible
        if refusal is None:
            self.choice = sealed.lock(self.choice, Seat(seat), value)
            self.drafts[seat] = self.drafts[seat] if value is None else value
            self.locks.add(seat)

    @precondition(lambda self: self.locks)
    @rule(seat=st.integers(0, 2))
    def unlock(self, seat: int) -> None:
        refusal = sealed.refuse_unlock(self.choice, Seat(seat))
        assert (refusal is None) == (seat in self.locks)
        if refusal is None:
            self.choice = sealed.unlock(self.choice, Seat(seat))
            self.locks.discard(seat)

    @invariant()
    def agrees(self) -> None:
        assert self.choice.draft == tuple(self.drafts.get(seat) for seat in range(self.seats))
        assert self.choice.locked == tuple(seat in self.locks for seat in range(self.seats))
        assert sealed.complete(self.choice) == (len(self.locks) == self.seats)


Choosing.TestCase.settings = settings(max_examples=25)
TestChoosing = Choosing.TestCase


class ChoosingAtLength(Choosing):
    """The same with more examples."""


ChoosingAtLength.TestCase.settings = settings(max_examples=200)
TestChoosingAtLength = pytest.mark.at_length(ChoosingAtLength.TestCase)
