"""Where bots decide: here, on the event loop; or, if they think long, in a worker process, one by one.

The worker (hub/worker/process.py) is started by the first thought and ends with the hub, however that ends,
for its input ends then. If it dies or hangs, another one is started and the thought it had is thought again:
a decision is a function of what is sent. What cannot be decided there is decided here.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import structlog

from games.api import Bot, Decision, Dice, Observation
from hub.telemetry.tasks import Tasks

PROGRAM: Final = ("-m", "hub.worker.process")
TRIES: Final = 2
"""Workers that may die of one thought."""
PATIENCE: Final = 10.0
"""Seconds a thought may take there, many times what any needs: a worker that was stopped is replaced."""

_log = structlog.get_logger("minds")


class Thought:
    """What a bot is asked; `answer` is told what it does, unless it is cancelled before."""

    def __init__(
        self,
        bot: Bot[Any],
        observation: Observation,
        level: str,
        dice: Dice,
        answer: Callable[[Decision[Any] | None], None],
    ) -> None:
        self.bot = bot
        self.asked = observation, level, dice
        self.answer: Callable[[Decision[Any] | None], None] | None = answer

    def cancel(self) -> None:
        self.answer = None

    def tell(self, decision: Decision[Any] | None) -> None:
        if self.answer is not None:
            self.answer(decision)

    def decided(self) -> Decision[Any] | None:
        """What the bot does; a defect is logged, and it waits."""
        try:
            return self.bot.decide(*self.asked)
        except Exception:  # noqa: BLE001 - a bug in a bot must not stop its table
            _log.exception("a bot cannot decide", bot=type(self.bot).__name__, level=self.asked[1])
            return None


class OnLoop:
    """Decides at once."""

    def prompt(self, thought: Thought) -> None:
        thought.tell(thought.decided())


class Worker:
    """Decides in a process of its own. What waits is bounded by the bots there are: each has one thought."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._waiting: deque[Thought] = deque()
        self._at_work: asyncio.Task[None] | None = None
        self._process: Process | None = None

    def prompt(self, thought: Thought) -> None:
        self._waiting.append(thought)
        if self._at_work is None or self._at_work.done():
            self._at_work = self._tasks.start("bots' worker", self._work())

    async def stop(self) -> None:
        """Ends the process; nobody is told anything any more."""
        self._waiting.clear()
        if self._at_work is not None:
            self._at_work.cancel()
            await asyncio.wait([self._at_work])
        await self._end()

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            thought = self._waiting.popleft()
            if thought.answer is not None:
                loop.call_soon(thought.tell, await self._decided(thought))

    async def _decided(self, thought: Thought) -> Decision[Any] | None:
        try:
            return await self._elsewhere(pickle.dumps((thought.bot, *thought.asked)))
        except Exception:  # noqa: BLE001 - whatever it was, the table goes on
            _log.exception("a bot thinks on the loop", bot=type(thought.bot).__name__)
            return thought.decided()

    async def _elsewhere(self, asked: bytes) -> Decision[Any] | None:
        """The worker's answer. Raises OSError where none can be started, RuntimeError if it has none."""
        for _ in range(TRIES):
            try:
                async with asyncio.timeout(PATIENCE):
                    decided, decision = await self._exchanged(asked)
            except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
                _log.warning("the bots' worker has died", code=await self._end())
                continue
            if decided:
                return decision
            break
        raise RuntimeError("the worker could not decide")

    async def _exchanged(self, asked: bytes) -> tuple[bool, Decision[Any] | None]:
        process = self._process
        if process is None:
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *PROGRAM,
                stdin=PIPE,
                stdout=PIPE,
                start_new_session=True,  # Ctrl-C on the terminal is for the hub alone
            )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(asked)
        size = int.from_bytes(await process.stdout.readexactly(4), "big")
        answer: tuple[bool, Decision[Any] | None] = pickle.loads(await process.stdout.readexactly(size))
        return answer

    async def _end(self) -> int | None:
        process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        return await process.wait()
