"""Under overload, requests that can wait are answered later: clients that repeat them at once then send fewer
(G8.20)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from hub.runtime.overload import ANSWER_SECONDS, Level, Overload

DELAY_SECONDS: Final = 1.0


class RequestDelay:
    """Delays requests before their bodies are read."""

    def __init__(self, overload: Overload, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._overload = overload
        self._sleep = sleep

    async def wait(self) -> None:
        """Returns at once, or under overload after `DELAY_SECONDS`."""
        if self._overload.slows_lobby:
            self._overload.spare(Level.SLOW_LOBBY, ANSWER_SECONDS)
            await self._sleep(DELAY_SECONDS)
