"""Keepalive: pings every open WebSocket once per `PING_SECONDS`, spread evenly over that time."""

from __future__ import annotations

from typing import ClassVar, Final

from hub.clock import Clock, Timer
from hub.net.websocket import WebSocketTransport

PING_SECONDS: Final = 20.0
"""A peer that leaves a ping unanswered is dropped when the next one is due."""


class KeepaliveWheel:
    """A timing wheel. Each transport has a slot, and each step pings one slot, so pings never come in bursts.

    One timer drives it, and runs only while there are transports.
    """

    SLOTS: ClassVar = 80

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._slots: tuple[set[WebSocketTransport], ...] = tuple(set() for _ in range(self.SLOTS))
        self._position = 0
        self._count = 0
        self._timer: Timer | None = None

    def __len__(self) -> int:
        return self._count

    def add(self, transport: WebSocketTransport) -> None:
        """Adds a transport; its first ping comes after a full revolution."""
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
        """Moves on by one slot and pings the transports in it."""
        self._position = (self._position + 1) % self.SLOTS
        for transport in tuple(self._slots[self._position]):
            transport.ping()

    def _start_timer(self) -> None:
        self._timer = self._clock.call_later(PING_SECONDS / self.SLOTS, self._tick)

    def _tick(self) -> None:
        self._start_timer()
        self.advance()
