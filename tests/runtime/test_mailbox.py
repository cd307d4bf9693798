"""The number of commands that may wait. A flood hurts only the seat that sends it."""

from __future__ import annotations

import pytest

from games.api import Seat
from hub.runtime.mailbox import MAX_PENDING_INTERNAL, MAX_PENDING_PER_SEAT, Mailbox

BOUNDS = [(Seat(0), MAX_PENDING_PER_SEAT), (Seat(2), MAX_PENDING_PER_SEAT), (None, MAX_PENDING_INTERNAL)]


@pytest.mark.parametrize(("seat", "bound"), BOUNDS)
def test_each_seat_has_its_own_bound(seat: Seat | None, bound: int) -> None:
    """G8: a full share does not use up anybody else's."""
    mailbox = Mailbox()
    assert [mailbox.admit(seat) for _ in range(bound + 2)] == [True] * bound + [False] * 2
    assert all(mailbox.admit(other) for other, _ in BOUNDS if other != seat)


@pytest.mark.parametrize(("seat", "bound"), BOUNDS)
def test_a_new_turn_frees_the_mailbox(seat: Seat | None, bound: int) -> None:
    mailbox = Mailbox()
    while mailbox.admit(seat):
        pass
    mailbox.start_over()
    assert [mailbox.admit(seat) for _ in range(bound + 1)] == [True] * bound + [False]
