"""Table time runs only while live, never runs backwards, and survives a takeover (G5)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.api import Millis
from hub.table.table_time import GRACE, TableTime
from tests.store.resumption import resumed_at

readings = st.integers(0, 10**9)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5_000)), max_size=30), readings)
def test_it_runs_while_live(spans: list[tuple[bool, int]], live: int) -> None:
    """G5.4, G5.6: table time is the sum of the periods during which it ran, however often it was halted, and
    never runs backwards."""
    time, ran = TableTime(Millis(0), None), 0
    for runs, span in spans:
        time = time.run(live) if runs else time.halt(time.read(live))
        assert time.read(live) == ran
        live += span
        ran += span if runs else 0
        assert time.read(live) == ran
        assert time.read(live - span - 1) <= ran


@given(readings, readings, readings)
def test_reading(at: int, since: int, live: int) -> None:
    """G5.4"""
    running, standing = TableTime(Millis(at), since), TableTime(Millis(at), None)
    assert running.read(live) == at + max(0, live - since)
    assert standing.read(live) == at
    assert running.halt(running.read(live)) == TableTime(running.read(live), None)
    assert running.halt(Millis(at - 1)) == standing
    assert standing.run(live) == TableTime(Millis(at), live)
    assert running.run(live) is running


@given(readings, readings, st.one_of(st.none(), readings))
def test_taking_over(at: int, committed: int, beat: int | None) -> None:
    """G5.5, G5.6: table time advances by the longest time its owner can have lived after its last commit."""
    assert resumed_at(Millis(at), committed, beat, running=False) == at
    resumed = resumed_at(Millis(at), committed, beat, running=True)
    assert resumed == at + (max(0, beat + GRACE - committed) if beat is not None else 0)


@given(readings, st.integers(0, 10_000), st.integers(0, 10_000), st.integers(0, 10_000))
def test_a_takeover_never_sets_time_back_and_costs_at_most_the_grace_period(
    at: int, committed: int, beat: int, late: int
) -> None:
    """G5.4, G5.5: however late the next heartbeat was when the owner died, and whenever it last committed."""
    lived = max(committed, beat, min(beat + late, beat + GRACE))
    if lived > beat + GRACE:
        return  # its live clock stops there, so it cannot have committed later
    shown = TableTime(Millis(at), committed).read(lived)
    resumed = resumed_at(Millis(at), committed, beat, running=True)
    assert shown <= resumed <= shown + GRACE
