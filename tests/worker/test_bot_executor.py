"""Bots make the same decisions in the worker as on the event loop, whatever happens to the worker."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from games.api import Bot, Character, Decision, Observation
from games.dice import Dice
from games.kit.characters import unnamed
from games.sucker.bot.bot import BOT
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Opener
from hub.worker.bot_executor import BotTask, InlineExecutor, ProcessExecutor
from tests.games.sucker.players import observe, positions
from tests.harness.gate import GATE, Gate, GatedBot

pytestmark = pytest.mark.asyncio

OBSERVATIONS = [observe(step.state, step.state.stage.mover or 0) for step in positions(b"minds", 4)]


ANN, BEA = Opener("203.0.113.7", "ann"), Opener("203.0.113.8", "bea")


class Failing(Bot[Any]):
    """A bot whose decisions always fail."""

    levels = ("hard",)

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        raise ZeroDivisionError


class Confused(Bot[Any]):
    """A bot whose decisions fail while it has read, heard or been promised something, or may speak."""

    levels = ("hard",)

    def decide(self, observation: Observation, character: Character, dice: Any) -> Decision[Any] | None:
        if observation.lines or observation.messages or observation.promises or observation.may_speak:
            raise ZeroDivisionError
        return BOT.decide(observation, character, dice)


@asynccontextmanager
async def process_executor() -> AsyncIterator[ProcessExecutor]:
    async with Tasks() as tasks:
        executor = ProcessExecutor(tasks)
        try:
            yield executor
        finally:
            await executor.stop()
        assert tasks.failures == 0


class Submitter:
    """Submits tasks to an executor, and keeps the answers in order of arrival."""

    def __init__(self, executor: InlineExecutor | ProcessExecutor) -> None:
        self._executor = executor
        self._came = asyncio.Event()
        self.answers: list[tuple[int, Decision[Any] | None]] = []

    def submit(self, number: int, bot: Bot[Any] = BOT, level: str = "hard", opener: Opener = ANN) -> BotTask:
        """Asks for the bot's decision in this position of a game."""

        def answer(decision: Decision[Any] | None) -> None:
            self.answers.append((number, decision))
            self._came.set()

        task = BotTask(bot, OBSERVATIONS[number], unnamed(level), Dice(b"%d" % number), opener, answer)
        self._executor.submit(task)
        return task

    async def until(self, answers: int) -> None:
        while len(self.answers) < answers:
            self._came.clear()
            await self._came.wait()


async def test_the_worker_decides_in_order_and_like_the_event_loop() -> None:
    inline = Submitter(InlineExecutor())
    async with process_executor() as executor:
        remote = Submitter(executor)
        for number in range(4):
            inline.submit(number)
            remote.submit(number)
        await remote.until(1)
        process = executor._process
        await remote.until(4)
        assert executor._process is process is not None
    assert inline.answers == remote.answers
    assert all(decision for _, decision in remote.answers)


async def test_a_cancelled_task_is_not_started(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Gate(short_path) as gate:
        monkeypatch.setenv(GATE, gate.path)
        async with process_executor() as executor:
            submitter = Submitter(executor)
            bot_tasks = [submitter.submit(number, GatedBot()) for number in range(3)]
            first = await gate.thought()
            bot_tasks[0].cancel()
            bot_tasks[1].cancel()
            first.release()
            (await gate.thought()).release()
            await submitter.until(1)
    assert [number for number, _ in submitter.answers] == [2]


async def test_one_network_delays_nobody_else(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G8.14: while a hundred tasks of one network wait, another network's only task is the next to run."""
    async with Gate(short_path) as gate:
        monkeypatch.setenv(GATE, gate.path)
        async with process_executor() as executor:
            many, single = Submitter(executor), Submitter(executor)
            for _ in range(100):
                many.submit(0, GatedBot())
            first = await gate.thought()
            single.submit(1, GatedBot(), opener=BEA)
            first.release()
            (await gate.thought()).release()
            await single.until(1)
            assert len(many.answers) == 1
            single.submit(2, GatedBot(), opener=BEA)  # it has had its turn
            (await gate.thought()).release()
            await many.until(2)
    assert [number for number, _ in single.answers] == [1]


async def test_a_stopped_executor_sends_no_answers(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Gate(short_path) as gate:
        monkeypatch.setenv(GATE, gate.path)
        async with process_executor() as executor:
            submitter = Submitter(executor)
            submitter.submit(0, GatedBot())
            submitter.submit(1, GatedBot())
            await gate.thought()
            process = executor._process
            await executor.stop()
            assert process is not None
            assert process.returncode is not None
    assert submitter.answers == []


async def test_without_a_worker_bots_decide_on_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.worker.bot_executor.sys.executable", "/nowhere/python")
    inline = Submitter(InlineExecutor())
    inline.submit(0)
    async with process_executor() as executor:
        remote = Submitter(executor)
        with capture_logs() as logs:
            remote.submit(0)
            await remote.until(1)
    assert remote.answers == inline.answers
    assert [entry["event"] for entry in logs] == ["a bot decides on the event loop"]


async def test_a_suspended_worker_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """G8: otherwise its current task would never end, and later ones would never begin."""
    inline = Submitter(InlineExecutor())
    inline.submit(0)
    inline.submit(1)
    async with process_executor() as executor:
        remote = Submitter(executor)
        remote.submit(0)
        await remote.until(1)
        stopped = executor._process
        assert stopped is not None
        stopped.send_signal(signal.SIGSTOP)
        spans, timeout = iter((0.05, None)), asyncio.timeout
        monkeypatch.setattr("hub.worker.bot_executor.asyncio.timeout", lambda _: timeout(next(spans)))
        with capture_logs() as logs:
            remote.submit(1)
            await remote.until(2)
        assert executor._process is not stopped
        assert stopped.returncode == -signal.SIGKILL
    assert remote.answers == inline.answers
    assert [entry["event"] for entry in logs] == ["the bot worker died"]


async def test_a_failing_bot_does_not_stop_others() -> None:
    async with process_executor() as executor:
        submitter = Submitter(executor)
        with capture_logs() as logs:
            submitter.submit(0, Failing())
            submitter.submit(1, level="normal")
            await submitter.until(2)
            process = executor._process
            submitter.submit(2, level="normal")
            await submitter.until(3)
            assert executor._process is process
    assert [decision is None for _, decision in submitter.answers] == [True, False, False]
    assert [entry["event"] for entry in logs] == [
        "a bot decides on the event loop",
        "a bot cannot decide",
        "a bot cannot decide",
    ]


async def test_a_bot_that_fails_over_what_it_has_heard_moves_in_silence() -> None:
    """A defect in a bot's talk is logged, and costs its table no turn."""
    submitter = Submitter(InlineExecutor())
    with capture_logs() as logs:
        submitter.submit(0, Confused())
    ((_, decision),) = submitter.answers
    assert decision is not None
    assert decision.answer is not None
    assert [entry["event"] for entry in logs] == ["a bot cannot decide"]
