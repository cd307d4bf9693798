"""Follows the primary that the Sentinels name.

A former primary that was cut off takes itself for the primary until it meets a Sentinel again. Whatever a
connection to it reads is old, and whatever it accepts is lost. So once the Sentinels name another primary,
all connections are given up, also those on which nothing is under way; each is opened again to the new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import structlog

from hub.clock import Clock
from hub.store.address import Sentinels

WATCH_SECONDS: Final = 1.0

_log = structlog.get_logger("parley.store")


class FailoverWatch:
    """Asks the Sentinels every second. `leave`: gives up a connection, for this reason."""

    def __init__(self, sentinels: Sentinels, leave: Sequence[Callable[[str], None]], clock: Clock) -> None:
        self._sentinels = sentinels
        self._leave = leave
        self._clock = clock
        self._primary: tuple[str, int] | None = None

    async def keep(self) -> None:
        """Asks every second, forever."""
        while True:
            await self.look()
            await self._clock.sleep(WATCH_SECONDS)

    async def look(self) -> None:
        try:
            primary = await self._sentinels.find_primary()
        except ConnectionError as error:
            _log.debug("the Sentinels name no primary", reason=str(error))
            return
        before, self._primary = self._primary, primary
        if before in (None, primary):
            return
        _log.warning("the store has a new primary", host=primary[0], port=primary[1])
        for leave in self._leave:
            leave("the store has a new primary")
