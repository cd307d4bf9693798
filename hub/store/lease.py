"""A hub's lease: its heartbeat in the store, and the live clock from which all table time derives (G5).

The live clock counts the milliseconds during which the store knew this hub to be alive. It runs at most
`GRACE` past the last confirmed heartbeat, then freezes until the next one and continues from there: an
outage, a stall or a SIGSTOP costs a table at most a second of thinking time.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Collection
from typing import Final, NamedTuple

import structlog

from hub.clock import Clock, Timer
from hub.store.refusals import NO_ANSWER, meaning
from hub.table.table_time import GRACE
from hub.telemetry.repeated_warning import RepeatedWarning

_log = structlog.get_logger("parley.lease")

BEAT_INTERVAL_SECONDS: Final = 0.5
ALMOST: Final = 1e-6
"""Added before truncating to whole milliseconds: some floats end in ...9999."""
LEASE_MS: Final = 3000
"""After this long without a confirmed heartbeat, other hubs may take this hub's rooms."""


def new_incarnation() -> str:
    """A name that is unique to this run of this hub."""
    return secrets.token_hex(8)


class Confirmation(NamedTuple):
    """What the store answers to a heartbeat."""

    was_alive: bool
    """Whether the hub still counted as alive; otherwise others may have taken any of its rooms."""
    taken: Collection[str] = ()
    """The tokens of the hub's rooms that others have taken in the last minute, or are about to take."""
    handovers: Collection[str] = ()
    """The rooms that others have released for this hub to take."""


class Lease:
    """The lease of one hub. `send(live)` stores a heartbeat, and raises OSError if it is not confirmed."""

    def __init__(
        self,
        incarnation: str,
        send: Callable[[int], Awaitable[Confirmation]],
        clock: Clock,
    ) -> None:
        self.incarnation = incarnation
        self._send = send
        self._clock = clock
        self._start = clock.time()
        self._frozen_ms = 0
        """The total time the live clock has been frozen."""
        self.confirmed = 0
        """The live clock's value in the last heartbeat the store confirmed."""
        self._confirmed_at = self._start
        self._unconfirmed_live: int | None = None
        """The reading in a heartbeat that the store may have, or not. It is sent until it is confirmed: a new
        owner counts from the last reading that the store has (G5.5)."""
        self._beaten = False
        self.missed = 0
        """The number of heartbeats in a row that were not confirmed."""
        self.problem: str | None = None
        """Why the last heartbeat was not confirmed, as one sentence; None if it was confirmed."""
        self.lapsed: Callable[[], None] = lambda: None
        """Called after a late heartbeat, and whenever the lease is lost no more: others may have taken this
        hub's rooms in the meantime."""
        self.taken: Callable[[Collection[str]], None] = lambda tokens: None
        """Called with the tokens of rooms that others have taken, or are about to take."""
        self.handed_over: Callable[[Collection[str]], None] = lambda rooms: None
        """Called with the rooms that other hubs have released for this one to take."""
        self.on_freeze: Callable[[bool], None] = lambda frozen: None
        """Called with True when the live clock freezes, and with False when it runs again."""
        self._unconfirmed = RepeatedWarning(
            _log, "heartbeat not confirmed", "heartbeats are confirmed again", clock.time
        )
        self._freeze_reported = False
        self._freeze_timer: Timer | None = None
        """Fires when the live clock would freeze."""

    def now_live(self) -> int:
        """The live clock's reading, in milliseconds."""
        running = int((self._clock.time() - self._start) * 1000 + ALMOST) - self._frozen_ms
        most = self.confirmed + GRACE
        return running if running < most else most

    def is_frozen(self) -> bool:
        """Whether the live clock is stopped until the next heartbeat is confirmed."""
        return self._running() > self.confirmed + GRACE

    def is_lost(self) -> bool:
        """Whether others may have taken this hub's rooms: no heartbeat was confirmed within `LEASE_MS`.

        This is advisory: it is the token that keeps a stale owner from writing (G3).
        """
        return not self._beaten or (self._clock.time() - self._confirmed_at) * 1000 >= LEASE_MS

    async def beat(self) -> None:
        """Sends one heartbeat. Raises whatever `send` raises; the live clock may then freeze."""
        live = self.now_live() if self._unconfirmed_live is None else self._unconfirmed_live
        self._unconfirmed_live = live
        began = self._clock.time()
        self.missed += 1
        confirmation = await self._send(live)
        was_lost = self.is_lost()
        self.missed = 0
        self.problem = None
        self._unconfirmed_live = None
        self._frozen_ms += max(0, self._running() - (self.confirmed + GRACE))
        self.confirmed = live
        self._confirmed_at = began
        if self._beaten and (was_lost or not confirmation.was_alive):
            self.lapsed()
        elif confirmation.taken:
            self.taken(confirmation.taken)
        if confirmation.handovers:
            self.handed_over(confirmation.handovers)
        self._beaten = True
        if self._freeze_reported:
            self._freeze_reported = False
            self.on_freeze(False)
        self._watch()

    def _watch(self) -> None:
        if self._freeze_timer is not None:
            self._freeze_timer.cancel()
        left = self.confirmed + GRACE - self._running()
        self._freeze_timer = self._clock.call_later((left + 1) / 1000, self._report_freeze)

    def _report_freeze(self) -> None:
        self._freeze_timer = None
        if not self.is_frozen():
            self._watch()
        elif not self._freeze_reported:
            self._freeze_reported = True
            _log.warning("table time stands still", missed=self.missed)
            self.on_freeze(True)

    async def keep(self) -> None:
        """Sends heartbeats forever; logs that the store does not confirm them."""
        while True:
            is_late = self._unconfirmed_live is not None
            try:
                await self.beat()
                self._unconfirmed.end()
                if is_late:  # its reading was an old one
                    continue
            except OSError as error:
                self.problem = f"the store {meaning(error.__cause__ or error) or NO_ANSWER}"
                self._unconfirmed.warn(missed=self.missed, reason=str(error))
            await self._clock.sleep(BEAT_INTERVAL_SECONDS)

    def _running(self) -> int:
        return int((self._clock.time() - self._start) * 1000 + ALMOST) - self._frozen_ms
