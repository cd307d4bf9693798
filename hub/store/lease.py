"""A hub's lease: its heartbeat in the store, and the live clock that all its tables' time is made of (G5).

The live clock counts the milliseconds in which this hub was alive to the store. It never runs more than
`GRACE` past the last heartbeat the store confirmed, stands there while none is, and goes on from there
afterwards: an outage, a stall or a SIGSTOP costs no table more than a second of thinking time.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from hub.clock import Clock
from hub.table.table_time import GRACE

log = structlog.get_logger("parley.lease")

BEAT_SECONDS: Final = 0.5
ALMOST: Final = 1e-6
"""Added before milliseconds are cut to whole ones: floats end in ...9999 at times."""
LEASE_MS: Final = 3000
"""Without a confirmed heartbeat for this long, others may take this hub's rooms."""


def new_incarnation() -> str:
    """A name no other life of any hub has had."""
    return secrets.token_hex(8)


class Lease:
    """One life of a hub. `send(live)` stores a heartbeat, and raises OSError unless the store confirms it.

    It answers False when the hub did not count as alive any more.
    """

    def __init__(
        self,
        incarnation: str,
        url: str,
        send: Callable[[int], Awaitable[bool | None]],
        clock: Clock,
    ) -> None:
        self.incarnation = incarnation
        self.url = url
        self._send = send
        self._clock = clock
        self._start = clock.time()
        self._stood = 0
        """Milliseconds the live clock has stood still."""
        self.confirmed = 0
        """The live clock's value in the last heartbeat the store confirmed."""
        self._confirmed_at = self._start
        self._beaten = False
        self.missed = 0
        """Heartbeats in a row that were not confirmed."""
        self.lapsed: Callable[[], None] = lambda: None
        """Called when a heartbeat came too late: others may have taken this hub's rooms before it."""

    def now_live(self) -> int:
        """The live clock, ms."""
        running = int((self._clock.time() - self._start) * 1000 + ALMOST) - self._stood
        most = self.confirmed + GRACE
        return running if running < most else most

    def is_frozen(self) -> bool:
        """Whether the live clock stands still until the next heartbeat is confirmed."""
        return self._running() > self.confirmed + GRACE

    def lost(self) -> bool:
        """Whether others may have taken this hub's rooms: no heartbeat confirmed yet, or not for `LEASE_MS`.

        Advice only: what keeps a stale owner from writing is the token (G3).
        """
        return not self._beaten or (self._clock.time() - self._confirmed_at) * 1000 >= LEASE_MS

    async def beat(self) -> None:
        """One heartbeat. Raises what `send` raises; the live clock may stand still then."""
        live = self.now_live()
        began = self._clock.time()
        self.missed += 1
        alive = await self._send(live)
        self.missed = 0
        self._stood += max(0, self._running() - (self.confirmed + GRACE))
        self.confirmed = live
        self._confirmed_at = began
        if alive is False and self._beaten:
            self.lapsed()
        self._beaten = True

    async def keep(self) -> None:
        """Beat for ever; a heartbeat that the store does not confirm is logged, and the next one tried."""
        while True:
            try:
                await self.beat()
            except OSError as error:
                log.warning("heartbeat not confirmed", missed=self.missed, reason=str(error))
            await self._clock.sleep(BEAT_SECONDS)

    def _running(self) -> int:
        return int((self._clock.time() - self._start) * 1000 + ALMOST) - self._stood
