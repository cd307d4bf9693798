"""A clock that goes when the test says so, for what waits through `hub.store.pipe.Clock`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class HandTimer:
    due: float
    call: Callable[[], object]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class HandClock:
    """Timers fire and sleeps end by `advance` alone."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []
        """The length of every sleep that was begun."""
        self._timers: list[HandTimer] = []
        self._sleeping = 0
        self._changed = asyncio.Event()

    def time(self) -> float:
        return self.now

    def later(self, seconds: float, call: Callable[[], object]) -> HandTimer:
        timer = HandTimer(self.now + seconds, call)
        self._timers.append(timer)
        self._changed.set()
        return timer

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def wake() -> None:
            self._sleeping -= 1
            over.set_result(None)

        timer = self.later(seconds, wake)
        self._sleeping += 1
        self._changed.set()
        try:
            await over
        finally:
            if over.cancelled():
                self._sleeping -= 1
            timer.cancel()

    async def asleep(self) -> None:
        """Wait until somebody sleeps."""
        await self.until(lambda: self._sleeping > 0)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something about the timers and sleeps of this clock has become true."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    async def wake(self) -> None:
        """Wait until somebody sleeps, and go on to the end of that sleep."""
        await self.asleep()
        self.advance(self.slept[-1])

    def advance(self, seconds: float) -> None:
        """Go on, firing what falls due in order, also what that sets."""
        end = self.now + seconds
        while True:
            due = [timer for timer in self._timers if not timer.cancelled and timer.due <= end + 1e-9]
            if not due:
                break
            timer = min(due, key=lambda timer: timer.due)
            self._timers.remove(timer)
            self.now = max(self.now, timer.due)
            timer.call()
        self.now = end

    @property
    def armed(self) -> int:
        """Timers that have not fired."""
        return sum(not timer.cancelled for timer in self._timers)
