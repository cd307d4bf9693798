"""Token buckets: limits on the messages on one socket (G8.2) and the requests from one network (H11)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire.limits import Limiter, TokenBucket


@pytest.mark.parametrize(("rate", "burst"), [(1, 1), (25, 50), (1000, 3)])
def test_a_burst_and_then_the_rate(rate: float, burst: int) -> None:
    """G8.2"""
    bucket = TokenBucket(rate, burst, 0)
    assert [bucket.spend(0) for _ in range(burst + 2)] == [True] * burst + [False] * 2
    step = int(1000 / rate)
    for turn in range(1, 20):
        assert bucket.spend(turn * step)
        assert not bucket.spend(turn * step)
    later = 10**9
    assert [bucket.spend(later) for _ in range(burst + 1)] == [True] * burst + [False]


@given(st.lists(st.integers(0, 400), max_size=200))
def test_no_span_exceeds_the_burst_plus_the_rate(waits: list[int]) -> None:
    """G8.2: no span allows more than a burst plus the rate; a client that keeps to it is never refused."""
    bucket, patient = TokenBucket(20, 10, 0), TokenBucket(20, 10, 0)
    at, spent = 0, [0]
    for wait in waits:
        at += wait
        if bucket.spend(at):
            spent.append(at)
        for i, since in enumerate(spent):
            assert len(spent) - i - 1 <= 10 + (at - since) * 20 / 1000 + 1
    for turn in range(100):
        assert patient.spend(turn * 50)


def test_refusals_spend_no_tokens() -> None:
    """A client that was refused is served again as soon as any other would be."""
    flooded, quiet = TokenBucket(10, 1, 0), TokenBucket(10, 1, 0)
    assert flooded.spend(0)
    assert quiet.spend(0)
    assert not any(flooded.spend(at) for at in range(0, 99, 3))
    assert flooded.spend(100)
    assert quiet.spend(100)


def test_the_number_of_remembered_keys_is_limited() -> None:
    """H11: a flood of addresses does not use up memory."""
    limiter = Limiter(rate=1, burst=2, keys=100)
    for i in range(10_000):
        assert limiter.wait_for(f"k{i}", 0) == 0
    assert len(limiter) == 100


def test_a_limit_refills() -> None:
    limiter = Limiter(rate=2, burst=3)
    assert [limiter.wait_for("a", 0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert limiter.wait_for("a", 0.25) == 0.25
    assert limiter.wait_for("a", 0.5) == 0
    assert [limiter.wait_for("a", 100) for _ in range(4)] == [0, 0, 0, 0.5]
