"""A hub's lease of its URL: no two live hubs have the same one.

Browsers and other hubs identify a hub by its URL. Two live hubs with one URL would send people back and
forth, so a new hub waits until an earlier run of itself no longer counts as alive, and is refused if that
still sends heartbeats then. The lease lasts as long as a heartbeat and is renewed after each one, so a hub
that has lost its URL is no longer alive either.
"""

from __future__ import annotations

from typing import Final

import structlog

from hub.clock import Clock
from hub.config import CannotStart, Exit
from hub.store.client import StoreUnavailable
from hub.store.hubs import HubIdentity
from hub.store.lease import LEASE_MS
from hub.store.store import Store

POLL_SECONDS: Final = 0.1
TRIES: Final = int(LEASE_MS / 1000 / POLL_SECONDS) + 5
"""Enough tries to outlast the lease of a hub that was killed a moment ago."""

_log = structlog.get_logger("parley.lease")


class UrlLease:
    """The lease of one hub's URL. `problem` is one sentence while another hub holds it, otherwise None."""

    def __init__(self, store: Store, hub: HubIdentity, clock: Clock) -> None:
        self._store = store
        self._hub = hub
        self._clock = clock
        self.problem: str | None = None

    async def take(self, *, alone: bool) -> None:
        """Takes the URL; waits for the lease of an earlier run to expire. Raises CannotStart.

        `alone`: something else, such as the lock on the bundled store's folder, proves that no other hub is
        running. Every earlier run is then dead, whatever its URL was, and its rooms are free at once.
        """
        try:
            if alone:
                for earlier in await self._store.hubs():
                    if earlier.incarnation != self._hub.incarnation:
                        await self._store.depart(earlier)
            for _ in range(TRIES):
                holder = await self._store.hold_url(self._hub)
                if holder == self._hub.incarnation:
                    return
                await self._clock.sleep(POLL_SECONDS)
        except StoreUnavailable as error:
            raise CannotStart(f"This hub's URL was not stored: {error}.", Exit.STORE) from error
        raise CannotStart(self._conflict(), Exit.STORE)

    async def renew(self) -> None:
        """Holds the URL for another lease, after a heartbeat. Logs once that another hub holds it."""
        try:
            holder = await self._store.hold_url(self._hub)
        except StoreUnavailable as error:
            _log.debug("the URL was not renewed", reason=str(error))  # it is tried again half a second later
            return
        problem = None if holder == self._hub.incarnation else self._conflict()
        if problem is not None and self.problem is None:
            _log.error("another hub has this hub's URL", problem=problem)
        self.problem = problem

    def _conflict(self) -> str:
        return (
            f"Another hub is running at {self._hub.url}: give each hub that shares a store its own "
            "PARLEY_PUBLIC_URL, or stop the other one."
        )
