"""Where bots decide: in the worker as on the loop, whatever becomes of the worker."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from games.api import Bot, Decision, Observation
from games.dice import Dice
from games.sucker.bot.bot import BOT
from hub.telemetry.tasks import Tasks
from hub.worker.bot_executor import OnLoop, Thought, Worker
from tests.games.sucker.players import observe, positions
from tests.harness.gate import GATE, Gate, GatedBot

pytestmark = pytest.mark.asyncio

OBSERVATIONS = [observe(step.state, step.state.stage.mover or 0) for step in positions(b"minds", 4)]


class Failing(Bot[Any]):
    """It cannot decide anything."""

    levels = ("hard",)

    def decide(self, observation: Observation, level: str, dice: Any) -> Decision[Any] | None:
        raise ZeroDivisionError


@asynccontextmanager
async def working() -> AsyncIterator[Worker]:
    async with Tasks() as tasks:
        worker = Worker(tasks)
        try:
            yield worker
        finally:
            await worker.stop()
        assert tasks.failures == 0


class Prompted:
    """Questions to bots, and the answers in the order they came."""

    def __init__(self, mind: OnLoop | Worker) -> None:
        self._mind = mind
        self._came = asyncio.Event()
        self.answers: list[tuple[int, Decision[Any] | None]] = []

    def prompt(self, number: int, bot: Bot[Any] = BOT, level: str = "hard") -> Thought:
        """What the bot does in this position of a game."""

        def answer(decision: Decision[Any] | None) -> None:
            self.answers.append((number, decision))
            self._came.set()

        thought = Thought(bot, OBSERVATIONS[number], level, Dice(b"%d" % number), answer)
        self._mind.prompt(thought)
        return thought

    async def until(self, answers: int) -> None:
        while len(self.answers) < answers:
            self._came.clear()
            await self._came.wait()


async def test_it_decides_as_on_the_loop_in_one_process_and_in_order() -> None:
    here = Prompted(OnLoop())
    async with working() as worker:
        there = Prompted(worker)
        for number in range(4):
            here.prompt(number)
            there.prompt(number)
        await there.until(1)
        process = worker._process
        await there.until(4)
        assert worker._process is process is not None
    assert here.answers == there.answers
    assert all(decision for _, decision in there.answers)


async def test_what_nobody_waits_for_is_not_thought(
    short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Gate(short_path) as gate:
        monkeypatch.setenv(GATE, gate.path)
        async with working() as worker:
            asked = Prompted(worker)
            thoughts = [asked.prompt(number, GatedBot()) for number in range(3)]
            first = await gate.thought()
            thoughts[0].cancel()
            thoughts[1].cancel()
            first.release()
            (await gate.thought()).release()
            await asked.until(1)
    assert [number for number, _ in asked.answers] == [2]


async def test_once_it_is_stopped_nobody_is_told(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Gate(short_path) as gate:
        monkeypatch.setenv(GATE, gate.path)
        async with working() as worker:
            asked = Prompted(worker)
            asked.prompt(0, GatedBot())
            asked.prompt(1, GatedBot())
            await gate.thought()
            process = worker._process
            await worker.stop()
            assert process is not None
            assert process.returncode is not None
    assert asked.answers == []


async def test_where_no_worker_can_be_started_it_decides_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.worker.bot_executor.sys.executable", "/nowhere/python")
    here = Prompted(OnLoop())
    here.prompt(0)
    async with working() as worker:
        there = Prompted(worker)
        with capture_logs() as logs:
            there.prompt(0)
            await there.until(1)
    assert there.answers == here.answers
    assert [entry["event"] for entry in logs] == ["a bot thinks on the loop"]


async def test_a_worker_that_is_stopped_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """G8: a thought in it would never end, nor any after it begin."""
    here = Prompted(OnLoop())
    here.prompt(0)
    here.prompt(1)
    async with working() as worker:
        there = Prompted(worker)
        there.prompt(0)
        await there.until(1)
        stopped = worker._process
        assert stopped is not None
        stopped.send_signal(signal.SIGSTOP)
        spans, timeout = iter((0.05, None)), asyncio.timeout
        monkeypatch.setattr("hub.worker.bot_executor.asyncio.timeout", lambda _: timeout(next(spans)))
        with capture_logs() as logs:
            there.prompt(1)
            await there.until(2)
        assert worker._process is not stopped
        assert stopped.returncode == -signal.SIGKILL
    assert there.answers == here.answers
    assert [entry["event"] for entry in logs] == ["the bots' worker has died"]


async def test_a_bot_that_fails_waits_and_others_go_on() -> None:
    async with working() as worker:
        asked = Prompted(worker)
        with capture_logs() as logs:
            asked.prompt(0, Failing())
            asked.prompt(1, level="normal")
            await asked.until(2)
            process = worker._process
            asked.prompt(2, level="normal")
            await asked.until(3)
            assert worker._process is process
    assert [decision is None for _, decision in asked.answers] == [True, False, False]
    assert [entry["event"] for entry in logs] == ["a bot thinks on the loop", "a bot cannot decide"]
