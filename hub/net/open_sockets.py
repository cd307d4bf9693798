"""A hub's open WebSockets: kept alive, flushed at the end of each tick, and counted by network."""

from __future__ import annotations

from collections import Counter
from typing import Final

from hub.clock import Clock
from hub.net.keepalive import KeepaliveWheel
from hub.net.websocket import WebSocketTransport
from hub.net.write_queue import WriteQueue
from hub.wire.limits import network

MAX_SOCKETS_PER_NETWORK: Final = 1000
"""The limit on open sockets from one address (IPv6: one /64); this machine's own do not count."""


class OpenSockets:
    """The open WebSockets of one hub."""

    def __init__(self, clock: Clock) -> None:
        self.wheel = KeepaliveWheel(clock)
        self.writes = WriteQueue()
        self._by_network: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self.wheel)

    def add(self, transport: WebSocketTransport) -> None:
        self.wheel.add(transport)
        if key := network(transport.remote):
            self._by_network[key] += 1

    def remove(self, transport: WebSocketTransport) -> None:
        self.wheel.remove(transport)
        if key := network(transport.remote):
            self._by_network[key] -= 1
            if not self._by_network[key]:
                del self._by_network[key]

    def is_crowded(self, address: str | None) -> bool:
        """Whether this network already has as many open sockets as it is allowed (G8)."""
        key = network(address)
        return key is not None and self._by_network[key] >= MAX_SOCKETS_PER_NETWORK
