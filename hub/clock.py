"""Monotonic time and timers: one port for the whole hub, implemented on the event loop.

Tests replace it with tests/harness/manual_clock.py, and advance time manually.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    def cancel(self) -> None: ...


class Clock(Protocol):
    """The parts of the event loop's clock that the hub needs."""

    def time(self) -> float:
        """Monotonic time in seconds."""
        ...

    def now_ms(self) -> int:
        """Monotonic time in whole milliseconds."""
        ...

    def call_soon(self, call: Callable[[], None]) -> None:
        """Calls the function at the end of this tick."""
        ...

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer: ...

    async def sleep(self, seconds: float) -> None: ...


class LoopClock:
    """The clock of the running event loop."""

    def __init__(self) -> None:
        self._due: list[Callable[[], None]] = []
        self.time = time.monotonic  # the loop's own time does not advance during a callback (uvloop)

    def now_ms(self) -> int:
        return int(time.monotonic() * 1000)

    def call_soon(self, call: Callable[[], None]) -> None:
        """All calls in a tick share one loop callback, in which every room takes its turn."""
        if not self._due:
            asyncio.get_running_loop().call_soon(self._run)
        self._due.append(call)

    def _run(self) -> None:
        due, self._due = self._due, []
        for call in due:
            try:
                call()
            except Exception as error:  # noqa: BLE001 - one room's defect must not cost the others their turn
                context = {"message": "a turn failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, call)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
