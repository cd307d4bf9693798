"""Background tasks: a failure is logged, counted and reported; cancellation passes through."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from structlog.testing import capture_logs

from hub.telemetry.tasks import Tasks

pytestmark = pytest.mark.asyncio


async def forever() -> None:
    await asyncio.Event().wait()


async def fail() -> None:
    raise ValueError("a defect")


async def test_a_failure_is_told_and_the_others_go_on() -> None:
    reports: list[tuple[str, str, bool]] = []
    async with Tasks(lambda name, error, needed: reports.append((name, str(error), needed))) as tasks:
        other = tasks.start("other", forever())
        with capture_logs() as logs:
            await asyncio.wait([tasks.start("broken", fail())])
            await asyncio.sleep(0)
        assert reports == [("broken", "a defect", False)]
        assert [(entry["event"], entry["task"]) for entry in logs] == [("task failed", "broken")]
        assert isinstance(logs[0]["exc_info"], ValueError)
        assert tasks.failures == 1
        assert not other.done()
        assert len(tasks) == 1
    assert other.cancelled()


async def test_a_failure_of_a_needed_task_is_told_as_one() -> None:
    reports: list[tuple[str, bool]] = []
    async with Tasks(lambda name, _, needed: reports.append((name, needed))) as tasks:
        with capture_logs():
            await asyncio.wait([tasks.start("broken", fail(), needed=True)])
            await asyncio.sleep(0)
    assert reports == [("broken", True)]


async def test_results_come_back() -> None:
    async def answer() -> int:
        return 42

    async with Tasks() as tasks:
        assert await tasks.start("answer", answer()) == 42


async def test_closing_waits_for_the_end_of_each() -> None:
    ended: list[str] = []

    async def tidy(name: str) -> None:
        try:
            await forever()
        finally:
            await asyncio.sleep(0)
            ended.append(name)

    tasks = Tasks()
    for name in "ab":
        tasks.start(name, tidy(name))
    await asyncio.sleep(0)
    await tasks.close()
    assert sorted(ended) == ["a", "b"]
    assert len(tasks) == 0
    assert tasks.failures == 0


async def test_one_that_swallows_a_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.telemetry.tasks.CANCEL_SECONDS", 0)

    async def swallow() -> None:
        with suppress(asyncio.CancelledError):
            await forever()
        await forever()

    async with Tasks() as tasks:
        task = tasks.start("deaf", swallow())
        await asyncio.sleep(0)
    assert task.cancelled()


async def test_a_failure_while_closing_counts_too() -> None:
    async def stumble() -> None:
        try:
            await forever()
        finally:
            raise ValueError("on the way out")

    tasks = Tasks()
    tasks.start("stumbler", stumble())
    await asyncio.sleep(0)
    with capture_logs():
        await tasks.close()
    assert tasks.failures == 1


async def test_nothing_starts_after_closing() -> None:
    tasks = Tasks()
    await tasks.close()
    with pytest.raises(RuntimeError, match="'late'"):
        tasks.start("late", forever())


async def test_cancelling_one_is_no_failure() -> None:
    async with Tasks() as tasks:
        one = tasks.start("one", forever())
        await asyncio.sleep(0)
        one.cancel()
        with pytest.raises(asyncio.CancelledError):
            await one
        await asyncio.sleep(0)
        assert tasks.failures == 0
        assert len(tasks) == 0
