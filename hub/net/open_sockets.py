"""A hub's open WebSockets: kept alive, flushed at the end of each tick, and counted by network."""

from __future__ import annotations

from hub.clock import Clock
from hub.net.connection_limits import ConnectionLimits
from hub.net.keepalive import (
    PING_SECONDS,
    PING_SLOTS,
    SEAT_CHECK_SECONDS,
    SEAT_CHECK_SLOTS,
    KeepaliveWheel,
)
from hub.net.websocket import WebSocketTransport
from hub.net.write_queue import WriteQueue
from hub.wire.limits import network


class OpenSockets:
    """The open WebSockets of one hub."""

    def __init__(self, clock: Clock, limits: ConnectionLimits) -> None:
        self.wheel = KeepaliveWheel(clock, PING_SECONDS, PING_SLOTS, WebSocketTransport.ping)
        self.seats = KeepaliveWheel(
            clock, SEAT_CHECK_SECONDS, SEAT_CHECK_SLOTS, WebSocketTransport.check_silence
        )
        """The sockets of seats (`watch_closely`); `wheel` has all others."""
        self.writes = WriteQueue()
        self.limits = limits

    def __len__(self) -> int:
        return len(self.wheel) + len(self.seats)

    def add(self, transport: WebSocketTransport) -> None:
        self.wheel.add(transport)
        self.limits.add(network(transport.remote))

    def watch_closely(self, transport: WebSocketTransport) -> None:
        """From now on, notices within 12 seconds that this peer is gone."""
        self.wheel.remove(transport)
        self.seats.add(transport)

    def remove(self, transport: WebSocketTransport) -> None:
        (self.seats if transport.is_seat else self.wheel).remove(transport)
        self.limits.remove(network(transport.remote))
