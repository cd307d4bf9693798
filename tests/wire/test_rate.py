"""What one socket may send: a bucket that fills by the clock (G8.2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire.rate import Allowance


@pytest.mark.parametrize(("rate", "burst"), [(1, 1), (25, 50), (1000, 3)])
def test_a_burst_and_then_the_rate(rate: float, burst: int) -> None:
    """G8.2"""
    allowance = Allowance(rate, burst, 0)
    assert [allowance.take(0) for _ in range(burst + 2)] == [True] * burst + [False] * 2
    step = int(1000 / rate)
    for turn in range(1, 20):
        assert allowance.take(turn * step)
        assert not allowance.take(turn * step)
    later = 10**9
    assert [allowance.take(later) for _ in range(burst + 1)] == [True] * burst + [False]


@given(st.lists(st.integers(0, 400), max_size=200))
def test_never_more_than_the_bucket_holds(waits: list[int]) -> None:
    """G8.2: in any span, at most a burst and what the rate gives; who keeps to the rate is never refused."""
    allowance, patient = Allowance(20, 10, 0), Allowance(20, 10, 0)
    now, taken = 0, [0]
    for wait in waits:
        now += wait
        if allowance.take(now):
            taken.append(now)
        for i, since in enumerate(taken):
            assert len(taken) - i - 1 <= 10 + (now - since) * 20 / 1000 + 1
    for turn in range(100):
        assert patient.take(turn * 50)


def test_refusals_cost_nothing() -> None:
    """Whoever was refused is served again as soon as anybody would be."""
    flooded, quiet = Allowance(10, 1, 0), Allowance(10, 1, 0)
    assert flooded.take(0)
    assert quiet.take(0)
    assert not any(flooded.take(now) for now in range(0, 99, 3))
    assert flooded.take(100)
    assert quiet.take(100)
