"""Calls to the store that must not be forgotten are repeated until it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog

from hub.clock import Clock
from hub.store.client import StoreUnavailable
from hub.store.pipe import Backoff

FIRST_SECONDS = 0.1
MOST_SECONDS = 30.0

_log = structlog.get_logger("retries")


async def repeat(what: str, call: Callable[[], Awaitable[object]], clock: Clock) -> None:
    """Makes a call that may be repeated, until the store has answered it; waits longer after each failure."""
    backoff = Backoff(FIRST_SECONDS, MOST_SECONDS)
    is_first = True
    while True:
        try:
            await call()
            return
        except StoreUnavailable as error:
            if is_first:
                _log.warning("a call to the store will be repeated", call=what, reason=str(error))
            is_first = False
        await clock.sleep(backoff.next_delay())
