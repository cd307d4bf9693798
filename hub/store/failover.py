"""Follows the primary that the Sentinels name.

A former primary that was cut off takes itself for the primary until it meets a Sentinel again. Whatever a
connection to it reads is old, and whatever it accepts is lost. So every second each connection that leads to
another store than the Sentinels name is given up, also one on which nothing is under way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import structlog

from hub.clock import Clock
from hub.store.address import Sentinels
from hub.store.cluster import Follow, Primary

WATCH_SECONDS: Final = 1.0

_log = structlog.get_logger("parley.store")


class FailoverWatch:
    """Asks the Sentinels every second, and tells those who have connections."""

    def __init__(self, sentinels: Sentinels, followers: Sequence[Follow], clock: Clock) -> None:
        self._sentinels = sentinels
        self._followers = followers
        self._clock = clock
        self._primary: Primary | None = None

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
        if self._primary not in (None, primary):
            _log.warning("the store has a new primary", host=primary[0], port=primary[1])
        self._primary = primary
        for follow in self._followers:
            follow((primary,))
