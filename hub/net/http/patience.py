"""Under overload, those who can wait are answered later: whoever asks again at once then asks less often."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from hub.runtime.overload import ANSWER_SECONDS, Level, Overload

WAIT_SECONDS: Final = 1.0


class Patience:
    """Lets requests wait (G8.20), before anything is done for them."""

    def __init__(self, overload: Overload, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._overload = overload
        self._sleep = sleep

    async def wait(self) -> None:
        """Returns at once, or under overload after `WAIT_SECONDS`."""
        if self._overload.slows_lobby:
            self._overload.spare(Level.SLOW_LOBBY, ANSWER_SECONDS)
            await self._sleep(WAIT_SECONDS)
