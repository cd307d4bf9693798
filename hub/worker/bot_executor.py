"""Runs bots' decisions: inline on the event loop, or in a worker process, one task at a time, in the order of
hub/worker/fair_queue.py.

The worker (hub/worker/process.py) starts with the first task. It exits with the hub, however the hub dies,
because its input is then closed. If the worker dies or hangs, another one is started and repeats the task: a
decision depends only on the data sent. A decision that the worker cannot make is made inline.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from typing import Any, Final

import structlog
from msgspec.structs import replace

from games.api import Bot, Character, Decision, Dice, Observation
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Opener
from hub.worker.fair_queue import FairQueue

PROGRAM: Final = ("-m", "hub.worker.process")
MAX_ATTEMPTS: Final = 2
"""The number of workers that one task may kill before its decision is made inline."""
TASK_SECONDS: Final = 10.0
"""Many times longer than any task needs; a worker that takes longer is replaced."""

_log = structlog.get_logger("parley.bot_executor")


class BotTask:
    """A decision for a bot to make. `answer` is called with it, unless the task is cancelled first."""

    def __init__(
        self,
        bot: Bot[Any],
        observation: Observation,
        character: Character,
        dice: Dice,
        opener: Opener,
        answer: Callable[[Decision[Any] | None], None],
    ) -> None:
        self.bot = bot
        self.opener = opener
        """The opener of its room; the task uses their share of the worker's time."""
        self.arguments = observation, character, dice
        self._answer: Callable[[Decision[Any] | None], None] | None = answer

    @property
    def cancelled(self) -> bool:
        return self._answer is None

    def cancel(self) -> None:
        self._answer = None

    def finish(self, decision: Decision[Any] | None) -> None:
        if self._answer is not None:
            self._answer(decision)

    def decide(self) -> Decision[Any] | None:
        """The bot's decision. A defect in the bot is logged; a second one counts as no decision.

        After the first, the bot is asked to move in silence, without what it has read and heard, so that a
        defect in its talk costs no turn.
        """
        observation, character, dice = self.arguments
        silent = replace(observation, lines=(), messages=(), promises=(), may_speak=False)
        for known in (observation, silent):
            try:
                decision = self.bot.decide(known, character, dice)
                return _strip_words(decision) if known is silent else decision
            except Exception:  # noqa: BLE001 - a bug in a bot must not stop its table
                _log.exception("a bot cannot decide", bot=type(self.bot).__name__, level=character.level)
        return None


def _strip_words(decision: Decision[Any] | None) -> Decision[Any] | None:
    """The move of a decision, without what the bot would say or promise."""
    return None if decision is None or decision.answer is None else Decision(*decision.answer)


class InlineExecutor:
    """Decides at once, on the event loop."""

    def submit(self, task: BotTask) -> None:
        task.finish(task.decide())


class ProcessExecutor:
    """Decides in a worker process. Its queue holds at most one task for each bot."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._queue = FairQueue[BotTask]()
        self._running: asyncio.Task[None] | None = None
        self._process: Process | None = None

    def submit(self, task: BotTask) -> None:
        self._queue.add(task)
        if self._running is None or self._running.done():
            self._running = self._tasks.start("bot executor", self._run())

    async def stop(self) -> None:
        """Ends the process; tasks that are still waiting get no answer."""
        self._queue.clear()
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait([self._running])
        await self._kill()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while (task := self._queue.pop()) is not None:
            begin = loop.time()
            decision = await self._decide(task)
            self._queue.charge(task.opener, loop.time() - begin)
            loop.call_soon(task.finish, decision)

    async def _decide(self, task: BotTask) -> Decision[Any] | None:
        try:
            return await self._decide_in_process(pickle.dumps((task.bot, *task.arguments)))
        except Exception:  # noqa: BLE001 - whatever went wrong, the table must continue
            _log.exception("a bot decides on the event loop", bot=type(task.bot).__name__)
            return task.decide()

    async def _decide_in_process(self, request: bytes) -> Decision[Any] | None:
        """The worker's decision. Raises OSError if no worker can be started, RuntimeError if it has none."""
        for _ in range(MAX_ATTEMPTS):
            try:
                async with asyncio.timeout(TASK_SECONDS):
                    decided, decision = await self._exchange(request)
            except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
                _log.warning("the bot worker died", code=await self._kill())
                continue
            if decided:
                return decision
            break
        raise RuntimeError("the worker could not decide")

    async def _exchange(self, request: bytes) -> tuple[bool, Decision[Any] | None]:
        process = self._process
        if process is None:
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *PROGRAM,
                stdin=PIPE,
                stdout=PIPE,
                start_new_session=True,  # Ctrl-C in the terminal is only for the hub
            )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(request)
        size = int.from_bytes(await process.stdout.readexactly(4), "big")
        answer: tuple[bool, Decision[Any] | None] = pickle.loads(await process.stdout.readexactly(size))
        return answer

    async def _kill(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        return await process.wait()
