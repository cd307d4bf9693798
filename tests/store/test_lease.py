"""The live clock (G5): it counts only time that the store has confirmed, and never jumps."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from hub.store.lease import BEAT_INTERVAL_SECONDS, Confirmation, Lease, new_incarnation
from tests.harness.manual_clock import ManualClock


class Outside:
    """A clock, and a store that takes `delay` seconds to confirm a heartbeat, or fails while `away`."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.delay = 0.0
        self.away = False
        self.stored: list[int] = []
        self.confirmation = Confirmation(was_alive=True)
        self.lease = Lease("one", self.send, self.clock)

    async def send(self, live: int) -> Confirmation:
        self.clock.advance(self.delay)
        if self.away:
            raise ConnectionError("away")
        self.stored.append(live)
        return self.confirmation

    def beat(self) -> None:
        with asyncio.Runner() as runner:
            runner.run(self.lease.beat())

    def miss(self) -> None:
        with pytest.raises(ConnectionError):
            self.beat()


def test_it_runs_with_the_heartbeats() -> None:
    outside = Outside()
    for _ in range(20):
        outside.beat()
        outside.clock.advance(0.5)
    assert outside.lease.now_live() == 10_000
    assert outside.stored == list(range(0, 10_000, 500))
    assert not outside.lease.is_lost()


def test_an_outage_is_logged_now_and_then() -> None:
    """Twice a second for a minute would hide everything else."""
    outside = Outside()

    async def stay_away() -> None:
        keep = asyncio.ensure_future(outside.lease.keep())
        for step in range(121):
            outside.away = step < 120
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            outside.clock.advance(BEAT_INTERVAL_SECONDS)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        keep.cancel()

    with capture_logs() as logs:
        asyncio.run(stay_away())
    lines = [entry for entry in logs if "heartbeat" in entry["event"]]
    assert [entry["times"] for entry in lines] == [1, 20, 20, 20, 20, 20, 20, 121]
    assert lines[-1]["event"] == "heartbeats are confirmed again"


def test_it_stops_a_second_past_the_last_confirmation() -> None:
    outside = Outside()
    outside.beat()
    outside.clock.advance(0.999)
    assert outside.lease.now_live() == 999
    outside.clock.advance(20)
    assert outside.lease.now_live() == 1_000
    assert outside.lease.confirmed == 0


def test_an_outage_costs_one_second_and_causes_no_jump() -> None:
    outside = Outside()
    outside.beat()
    outside.away = True
    for _ in range(40):
        outside.clock.advance(0.5)
        outside.miss()
    assert outside.lease.missed == 40
    assert outside.lease.now_live() == 1_000
    outside.away = False
    outside.beat()
    assert outside.lease.now_live() == 1_000
    assert outside.lease.missed == 0
    outside.clock.advance(0.3)
    assert outside.lease.now_live() == 1_300


def test_a_stall_in_the_middle_of_a_heartbeat() -> None:
    """SIGSTOP between sending and the answer: the time in the heartbeat is confirmed, and the stall does not
    count."""
    outside = Outside()
    outside.beat()
    outside.clock.advance(0.4)
    outside.delay = 10
    outside.beat()
    assert outside.stored[-1] == 400
    assert outside.lease.now_live() == 1_000
    outside.delay = 0
    outside.clock.advance(0.1)
    assert outside.lease.now_live() == 1_100


def test_when_it_is_lost() -> None:
    outside = Outside()
    assert outside.lease.is_lost()
    outside.delay = 1.0
    outside.beat()
    outside.clock.advance(1.9)
    assert not outside.lease.is_lost()
    outside.clock.advance(0.2)  # counted from when the heartbeat was sent, not from the answer
    assert outside.lease.is_lost()
    outside.delay = 0
    outside.beat()
    assert not outside.lease.is_lost()


@pytest.mark.parametrize(("delay", "lapsed"), [(2.4, False), (2.5, True), (3.0, True)])
def test_a_confirmation_after_the_lease_is_reported(delay: float, lapsed: bool) -> None:
    """G3.4: SIGSTOP between sending and the answer, while another hub takes the rooms.

    The lease is counted from when the last confirmed heartbeat was sent, half a second earlier.
    """
    outside = Outside()
    lapses: list[int] = []
    outside.lease.lapsed = lambda: lapses.append(outside.lease.confirmed)
    outside.beat()
    outside.clock.advance(0.5)
    outside.delay = delay
    outside.beat()
    assert bool(lapses) == lapsed


def test_a_late_heartbeat_is_reported() -> None:
    """Except for the first heartbeat, since the hub owned nothing before it."""
    outside = Outside()
    lapses: list[int] = []
    outside.lease.lapsed = lambda: lapses.append(outside.lease.confirmed)
    outside.confirmation = Confirmation(was_alive=False)
    outside.beat()
    outside.confirmation = Confirmation(was_alive=True)
    outside.clock.advance(0.5)
    outside.beat()
    assert lapses == []
    outside.confirmation = Confirmation(was_alive=False)
    outside.clock.advance(0.5)
    outside.beat()
    assert lapses == [1_000]


def test_a_reading_is_sent_until_it_is_confirmed() -> None:
    """G5.5: the store may have it. If it had a later one, a new owner would begin later, too."""
    outside = Outside()
    outside.beat()
    sent: list[int] = []

    async def lose_answer(live: int) -> Confirmation:
        sent.append(live)
        raise ConnectionError("no answer")

    outside.lease._send, send = lose_answer, outside.lease._send
    for _ in range(3):
        outside.clock.advance(0.4)
        outside.miss()
    outside.lease._send = send
    outside.beat()
    outside.beat()
    assert sent + outside.stored[1:] == [400] * 4 + [1_000]


def test_every_time_without_a_lease_ends_with_a_report() -> None:
    """G3.7: even if the store still counted the hub as alive, as when an answer was lost."""
    outside = Outside()
    lapses: list[int] = []
    outside.lease.lapsed = lambda: lapses.append(outside.lease.confirmed)
    outside.beat()
    outside.away = True
    for _ in range(6):
        outside.clock.advance(0.5)
        outside.miss()
    assert outside.lease.is_lost()
    assert lapses == []
    outside.away = False
    outside.beat()
    assert not outside.lease.is_lost()
    assert lapses == [500]


def test_rooms_that_others_have_taken_are_reported() -> None:
    """G3.7: those alone, and every time; after a late heartbeat, all rooms are in doubt anyway."""
    outside = Outside()
    reports: list[object] = []
    outside.lease.lapsed = lambda: reports.append("all")
    outside.lease.taken = reports.append
    outside.beat()
    assert reports == []
    outside.confirmation = Confirmation(was_alive=True, taken={"1:one:x"})
    outside.beat()
    outside.beat()
    assert reports == [{"1:one:x"}] * 2
    outside.confirmation = Confirmation(was_alive=False, taken={"1:one:x"})
    outside.beat()
    assert reports[2:] == ["all"]


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("pass"), st.floats(0, 15)),
            st.tuples(st.sampled_from(["beat", "miss"]), st.floats(0, 15)),
        )
    )
)
def test_never_back_never_a_jump_never_far_past_a_confirmation(steps: list[tuple[str, float]]) -> None:
    outside = Outside()
    last, last_time = outside.lease.now_live(), outside.clock.time()
    for what, seconds in steps:
        if what == "pass":
            outside.clock.advance(seconds)
        else:
            outside.delay = seconds
            outside.away = what == "miss"
            (outside.miss if outside.away else outside.beat)()
        live = outside.lease.now_live()
        assert last <= live <= last + (outside.clock.time() - last_time) * 1000 + 1
        assert live <= outside.lease.confirmed + 1_000
        assert outside.stored == sorted(outside.stored)
        last, last_time = live, outside.clock.time()


@pytest.mark.asyncio
async def test_keep_survives_store_failures() -> None:
    outside = Outside()
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        outside.clock.advance(seconds)
        outside.away = len(slept) in (2, 3)
        if len(slept) == 6:
            raise asyncio.CancelledError

    outside.clock.sleep = sleep  # type: ignore[method-assign]
    with pytest.raises(asyncio.CancelledError):
        await outside.lease.keep()
    assert slept == [BEAT_INTERVAL_SECONDS] * 6
    assert outside.stored == [0, 500, 1_000, 1_500, 2_000]


def test_incarnations_are_new() -> None:
    names = {new_incarnation() for _ in range(100)}
    assert len(names) == 100
    assert all(":" not in name for name in names)


def test_it_reports_once_that_it_freezes_and_runs_again() -> None:
    """G5.4: as soon as it freezes, whether a heartbeat fails, hangs or was never sent."""
    outside = Outside()
    reported: list[tuple[bool, int]] = []
    outside.lease.on_freeze = lambda frozen: reported.append((frozen, outside.lease.now_live()))
    for _ in range(4):
        outside.beat()
        outside.clock.advance(0.9)
    assert reported == []
    outside.clock.advance(0.1)
    assert reported == []
    outside.clock.advance(0.002)
    assert reported == [(True, 3_700)]
    outside.away = True
    outside.clock.advance(5)
    outside.miss()
    assert len(reported) == 1
    outside.away = False
    outside.beat()
    assert reported[1:] == [(False, 3_700)]
    outside.delay = 1.5
    outside.beat()
    assert reported[2:] == [(True, 4_700), (False, 4_700)]
