"""Background tasks: the only place that starts them, keeps references, and reports failures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import structlog

CANCEL_SECONDS: Final = 3.0
"""How long a task may take to end before it is cancelled again."""

T = TypeVar("T")
_log = structlog.get_logger("parley.tasks")


class Tasks:
    """A supervised group of tasks. A failing task is logged, counted and reported; the others continue.

    `on_failure(name, error, needed)` is called after each failure is logged: to count it, or to stop a hub
    that cannot run without the task, as its starter said. Leaving the `async with` cancels the remaining
    tasks and waits for them. Cancelling a task is not a failure, and no cancellation is swallowed.
    """

    def __init__(self, on_failure: Callable[[str, BaseException, bool], None] | None = None) -> None:
        self._on_failure = on_failure
        self._tasks: set[asyncio.Task[Any]] = set()
        self._needed: set[asyncio.Task[Any]] = set()
        self._closed = False
        self.failures = 0
        """The number of tasks that failed."""

    def start(self, name: str, work: Coroutine[Any, Any, T], *, needed: bool = False) -> asyncio.Task[T]:
        """Starts `work` and keeps it; `needed` if the hub cannot run without it.

        Raises RuntimeError if the group is closed.
        """
        if self._closed:
            work.close()
            raise RuntimeError(f"cannot start {name!r}: the tasks of this hub are being stopped")
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        if needed:
            self._needed.add(task)
        task.add_done_callback(self._on_end)
        return task

    async def close(self) -> None:
        """Cancels every task and waits for all of them; no more can be started afterwards.

        A task is cancelled again if it goes on: redis-py may swallow a cancellation.
        """
        self._closed = True
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks, timeout=CANCEL_SECONDS)
            await asyncio.sleep(0)  # lets the done callbacks run, which remove the tasks

    def __len__(self) -> int:
        return len(self._tasks)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _on_end(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        needed = task in self._needed
        self._needed.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        self.failures += 1
        _log.error("task failed", task=task.get_name(), exc_info=error)
        if self._on_failure is not None:
            self._on_failure(task.get_name(), error, needed)
