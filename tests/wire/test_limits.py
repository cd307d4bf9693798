"""Token buckets: limits on the messages on one socket (G8.2) and the requests from one network (H11)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire.limits import SPEAKERS_KEPT, Budget, Limiter, TalkBudget, TokenBucket, site


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


def test_each_speaker_has_a_budget_and_all_share_one() -> None:
    """G8.11: a refusal says how long to wait, and spends from neither."""
    budget = TalkBudget(Budget(1, 2), Budget(2, 3))
    assert [budget.spend("ann", 0) for _ in range(3)] == [0, 0, 1000]
    assert [budget.spend("bea", 0), budget.spend("bea", 0), budget.spend("cy", 0)] == [0, 500, 500]
    assert [budget.spend("bea", 500), budget.spend("cy", 500)] == [0, 500]
    assert [budget.spend("ann", 999), budget.spend("ann", 1000), budget.spend("cy", 1500)] == [1, 0, 0]
    alone = TalkBudget(Budget(1, 2), None)
    assert [alone.spend(name, 0) for name in ("ann", "bea") * 3] == [0, 0, 0, 0, 1000, 1000]


@given(st.lists(st.tuples(st.integers(0, 900), st.sampled_from("abc"), st.booleans())))
def test_refused_messages_change_nothing(messages: list[tuple[int, str, bool]]) -> None:
    """G4, G8.11: with each refused message tried many times, the same messages are accepted."""
    once, often = TalkBudget(Budget(1, 2), Budget(2, 4)), TalkBudget(Budget(1, 2), Budget(2, 4))
    at = 0
    for wait, speaker, insists in messages:
        at += wait
        accepted = once.spend(speaker, at) == 0
        assert (often.spend(speaker, at) == 0) == accepted
        for _ in range(3 if insists and not accepted else 0):
            assert often.spend(speaker, at) > 0


def test_the_number_of_remembered_speakers_is_limited() -> None:
    """G8.3: a flood of people does not use up memory; they share one bucket all the same."""
    budget = TalkBudget(Budget(1, 1), Budget(1, 5000))
    assert sum(budget.spend(f"p{i}", 0) == 0 for i in range(10_000)) == 5000
    assert len(budget._speakers) == SPEAKERS_KEPT


def test_a_refused_message_does_not_replace_another_speaker() -> None:
    """G4, G8.11: a crowd whose messages are refused leaves the limits of those who spoke as they are."""
    budget = TalkBudget(Budget(1, 1), Budget(1, 1))
    assert budget.spend("ann", 0) == 0
    assert all(budget.spend(f"p{i}", 0) == 1000 for i in range(SPEAKERS_KEPT))
    assert budget._speakers.wait_at("ann", 0) == 1000


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


def test_the_site_of_a_network() -> None:
    """G8: what is no address is a site of its own."""
    assert site("203.0.113.7") == "203.0.113.0/24"
    assert site("2001:db8:5:77::/64") == "2001:db8:5::/48"
    assert site("unix:") == "unix:"
