"""A hub's open WebSockets: kept alive, flushed at the end of each tick, and counted by network."""

from __future__ import annotations

from hub.clock import Clock
from hub.net.connection_limits import ConnectionLimits
from hub.net.keepalive import KeepaliveWheel
from hub.net.websocket import WebSocketTransport
from hub.net.write_queue import WriteQueue
from hub.wire.limits import network


class OpenSockets:
    """The open WebSockets of one hub."""

    def __init__(self, clock: Clock, limits: ConnectionLimits) -> None:
        self.wheel = KeepaliveWheel(clock)
        self.writes = WriteQueue()
        self.limits = limits

    def __len__(self) -> int:
        return len(self.wheel)

    def add(self, transport: WebSocketTransport) -> None:
        self.wheel.add(transport)
        self.limits.add(network(transport.remote))

    def remove(self, transport: WebSocketTransport) -> None:
        self.wheel.remove(transport)
        self.limits.remove(network(transport.remote))
