"""Keepalive: wheels that check all open WebSockets in turn, and drop those whose peer is gone.

Watchers are pinged once per `PING_SECONDS`. A table waits for its seats, so theirs are checked more often:
whatever a client sends proves that it is there, and only silent ones are pinged (hub/net/websocket.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hub.clock import Clock, Timer
from hub.net.websocket import WebSocketTransport

PING_SECONDS: Final = 20.0
"""A watcher that leaves a ping unanswered is dropped when the next one is due."""
PING_SLOTS: Final = 80
SEAT_CHECK_SECONDS: Final = 2.4
"""A seat that has been silent for five checks, at most 12 seconds, is dropped."""
SEAT_CHECK_SLOTS: Final = 12


class KeepaliveWheel:
    """A timing wheel. Each transport has a slot, and each step checks one slot, so pings never come in
    bursts.

    One timer drives it, and runs only while there are transports.
    """

    def __init__(
        self, clock: Clock, seconds: float, slots: int, check: Callable[[WebSocketTransport], None]
    ) -> None:
        """A wheel that turns once in `seconds`, and calls `check` for each transport when it is its turn."""
        self._clock = clock
        self._step_seconds = seconds / slots
        self._check = check
        self._slots: tuple[set[WebSocketTransport], ...] = tuple(set() for _ in range(slots))
        self._position = 0
        self._count = 0
        self._timer: Timer | None = None

    def __len__(self) -> int:
        return self._count

    def add(self, transport: WebSocketTransport) -> None:
        """Adds a transport; its first check comes after a full revolution."""
        transport.slot = self._position
        self._slots[self._position].add(transport)
        self._count += 1
        if self._timer is None:
            self._start_timer()

    def remove(self, transport: WebSocketTransport) -> None:
        self._slots[transport.slot].discard(transport)
        self._count -= 1
        if self._count == 0 and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def advance(self) -> None:
        """Moves on by one slot and checks the transports in it."""
        self._position = (self._position + 1) % len(self._slots)
        for transport in tuple(self._slots[self._position]):
            self._check(transport)

    def _start_timer(self) -> None:
        self._timer = self._clock.call_later(self._step_seconds, self._tick)

    def _tick(self) -> None:
        self._start_timer()
        self.advance()
