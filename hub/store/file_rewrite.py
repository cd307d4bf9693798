"""Rewriting the store's append-only file: until then it still holds the text that was removed.

The server writes what is left into new files and deletes the old ones. BGREWRITEAOF and the fields of INFO:
https://valkey.io/commands/bgrewriteaof/, https://valkey.io/commands/info/.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from hub.clock import Clock
from hub.store.client import StoreClient, StoreUnavailable

POLL_SECONDS: Final = 0.05
MAX_SECONDS: Final = 600.0
"""How long to wait for one rewrite."""
LOOK_SECONDS: Final = 3600.0
DAY_SECONDS: Final = 24 * 3600.0
BY_HAND: Final = (
    "what was removed stays in its append-only file until that is rewritten: run BGREWRITEAOF there "
    "(`valkey-cli BGREWRITEAOF`) as a user who may."
)

_log = structlog.get_logger("parley.store")


async def rewrite_file(store: StoreClient, clock: Clock) -> str | None:
    """Has the store rewrite its file and waits until it is done.

    Returns None, or one sentence about what the operator still has to do.
    """
    end = clock.time() + MAX_SECONDS
    requested = False
    try:
        while True:
            servers = await store.call_each("INFO", "persistence")
            writing = [info for info in servers if info.get("aof_enabled")]
            if not writing:
                return None
            busy = any(
                info.get("aof_rewrite_in_progress") or info.get("aof_rewrite_scheduled") for info in writing
            )
            if not busy and requested:
                if all(info.get("aof_last_bgrewrite_status") == "ok" for info in writing):
                    return None
                return f"The store could not rewrite its file, so {BY_HAND}"
            if not busy:  # a rewrite that began earlier may still contain what was removed since
                requested = await _start(store)
            elif clock.time() >= end:
                return f"The store has not rewritten its file within {MAX_SECONDS:.0f} seconds, so {BY_HAND}"
            await clock.sleep(POLL_SECONDS)
    except StoreUnavailable as error:
        return f"The store did not rewrite its file ({error.__cause__ or error}), so {BY_HAND}"


async def _start(store: StoreClient) -> bool:
    """Starts a rewrite; returns False if another one has just begun. Raises StoreUnavailable."""
    try:
        await store.call_each("BGREWRITEAOF")
    except StoreUnavailable as error:
        if "already in progress" in str(error):
            return False
        raise
    return True


class FileUpkeep:
    """Rewrites the bundled store's file once a day, so that what expired leaves the disk, too."""

    def __init__(
        self, store: StoreClient, folder: Path, clock: Clock, wall: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._folder = folder
        """The folder of the append-only file."""
        self._clock = clock
        self._wall = wall

    async def keep(self) -> None:
        """Looks every hour, forever."""
        while True:
            await self.look()
            await self._clock.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Starts a rewrite if the last one was a day ago; does not wait for it."""
        bases = [path.stat().st_mtime for path in self._folder.glob("*.base.*")]
        if bases and self._wall() - max(bases) < DAY_SECONDS:
            return
        try:
            await _start(self._store)
        except StoreUnavailable as error:
            _log.warning("the store did not rewrite its file", reason=str(error))
