"""A clock that only the test advances, in place of `hub.clock.LoopClock`."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context


class ManualTimer:
    def __init__(self, call: Callable[[], object], context: Context) -> None:
        self.call = call
        self.context = context
        self.cancelled = False

    def cancel(self) -> None:
        """Like an event loop's timer, lets go of what it would have called."""
        self.cancelled = True
        self.call = _do_nothing


class ManualClock:
    """A clock that fires timers, ends sleeps and runs `soon` calls only when the test tells it to.

    With `on_loop` they run from the event loop's callbacks, in the context of whoever asked for them;
    otherwise they are called directly, `soon` calls by `run_soon`.
    """

    def __init__(self, start_ms: int = 1_000_000, *, on_loop: bool = False) -> None:
        self.slept: list[float] = []
        """The length of every sleep begun so far, in seconds."""
        self._microseconds = start_ms * 1000
        self._on_loop = on_loop
        self._soon: deque[Callable[[], object]] = deque()
        self._timers: list[tuple[int, int, ManualTimer]] = []
        self._order = itertools.count()
        self._sleeping = 0
        self._changed = asyncio.Event()

    # --- the hub's side ---

    def now_ms(self) -> int:
        return self._microseconds // 1000

    def time(self) -> float:
        return self._microseconds / 1_000_000

    def call_soon(self, call: Callable[[], object]) -> None:
        if self._on_loop:
            asyncio.get_running_loop().call_soon(call)
        else:
            self._soon.append(call)

    def call_later(self, seconds: float, call: Callable[[], object]) -> ManualTimer:
        timer = ManualTimer(call, copy_context())
        due = self._now() + round(seconds * 1_000_000)
        heapq.heappush(self._timers, (due, next(self._order), timer))
        self._changed.set()
        return timer

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def wake() -> None:
            self._sleeping -= 1
            over.set_result(None)

        timer = self.call_later(seconds, wake)
        self._sleeping += 1
        self._changed.set()
        try:
            await over
        finally:
            if over.cancelled():
                self._sleeping -= 1
            timer.cancel()

    # --- the test's side ---

    def move(self, milliseconds: int) -> None:
        """Let time pass without firing anything."""
        self._microseconds += milliseconds * 1000

    def run_soon(self) -> bool:
        """Run the `soon` calls; return whether there were any."""
        ran = bool(self._soon)
        while self._soon:
            self._soon.popleft()()
        return ran

    def fire(self) -> None:
        """Fire the timers that are due, in order."""
        while (timer := self._pop(self._now())) is not None:
            self._run(timer)

    def fire_next(self, until_ms: int) -> bool:
        """Fire the next timer due by `until_ms`, or else just move to that time; return whether one fired."""
        timer = self._pop(until_ms * 1000)
        if timer is None:
            self._microseconds = max(self._microseconds, until_ms * 1000)
            return False
        self._run(timer)
        return True

    def advance(self, seconds: float) -> None:
        """Advance, firing timers in order as they fall due, including any set along the way."""
        end = self._microseconds + round(seconds * 1_000_000)
        while (timer := self._pop(end)) is not None:
            self._run(timer)
        self._microseconds = end

    def forget(self) -> None:
        """Drop all timers and calls, since their owner is gone."""
        self._timers.clear()
        self._soon.clear()

    async def asleep(self) -> None:
        """Wait until some task is sleeping."""
        await self.until(lambda: self._sleeping > 0)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition on the timers and sleeps of this clock holds."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    async def wake(self) -> None:
        """Wait until some task is sleeping, and advance to the end of its sleep."""
        await self.asleep()
        self.advance(self.slept[-1])

    @property
    def armed(self) -> list[int]:
        """The times at which the pending timers fire, in milliseconds."""
        return sorted(due // 1000 for due, _, timer in self._timers if not timer.cancelled)

    # --- internals ---

    def _now(self) -> int:
        return self._microseconds

    def _pop(self, end: int) -> ManualTimer | None:
        """Remove and return the next timer due by `end`, moving the clock to when it was due."""
        while self._timers and self._timers[0][0] <= end:
            due, _, timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                self._microseconds = max(self._microseconds, due)
                return timer
        return None

    def _run(self, timer: ManualTimer) -> None:
        if self._on_loop:
            asyncio.get_running_loop().call_soon(_call, timer, context=timer.context)
        else:
            timer.call()


def _do_nothing() -> None:
    pass


def _call(timer: ManualTimer) -> None:
    if not timer.cancelled:
        timer.call()
