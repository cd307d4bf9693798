"""Limits on connections, by network, by site and in all (G8).

A connection counts from its first byte to its last, whether it carries HTTP or becomes a WebSocket. Refused
connections wait for their answer in a few slots, where a new one replaces the oldest. So however many there
are, they use only a few descriptors, and none of them can keep the next one from getting its answer.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Container
from typing import Final, cast

import structlog
import uvicorn
from uvicorn._types import ASGI3Application
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from hub.net.http.errors import ApiError, later_error
from hub.telemetry.metrics import Metrics
from hub.wire.limits import SITE_SHARE, network, site, subtract

REFUSAL_SLOTS: Final = 16
"""How many refused connections may wait for their answer: this many of this machine and its proxies, and this
many of all others. Nobody else can take this machine's slots, so its health checks are always answered."""
RETRY_SECONDS: Final = 10
FORWARDING_HEADERS: Final = frozenset(
    {
        *(b"forwarded", b"x-forwarded-for", b"x-real-ip", b"x-cluster-client-ip"),
        *(b"cf-connecting-ip", b"true-client-ip", b"fly-client-ip", b"fastly-client-ip"),
    }
)
"""Headers in which a proxy names the client whose request it forwards."""

_log = structlog.get_logger("parley.http")


class ConnectionLimits:
    """Counts the connections of each network.

    `trusted` are the proxies whose forwarding headers are believed. Their own connections do not count, but
    their clients' sockets do.
    """

    def __init__(
        self,
        metrics: Metrics,
        *,
        total: int,
        per_network: int,
        trusted: Container[str] = frozenset(),
    ) -> None:
        self._metrics = metrics
        self._total = total
        self._per_network = per_network
        self.trusted = trusted
        self._by_network: Counter[str] = Counter()
        self._per_site = max(per_network, total // SITE_SHARE)
        self._by_site: Counter[str] = Counter()
        self._slots: dict[bool, dict[asyncio.Transport, None]] = {True: {}, False: {}}
        """The refused connections, oldest first: of this machine and its proxies (True), and all others."""

    def key(self, peer: str | None) -> str | None:
        """The network a peer's connections count against; None for this machine and for trusted proxies."""
        return None if peer is None or peer in self.trusted else network(peer)

    def refuse(self, key: str | None, connections: int) -> ApiError | None:
        """The error for a new connection over a limit; it is the last of `connections`."""
        if connections - sum(map(len, self._slots.values())) > self._total:
            self._metrics.limited["connections"] += 1
            return _error(503, "HUB_FULL", "This hub has as many connections as it can serve")
        if key is not None and self.is_full(key):
            self._metrics.limited["network connections"] += 1
            return _error(429, "TOO_MANY_CONNECTIONS", "Your network has too many connections to this hub")
        return None

    def is_full(self, key: str) -> bool:
        """Whether this network, or its site, has as many connections as it may have."""
        return self._by_network[key] >= self._per_network or self._by_site[site(key)] >= self._per_site

    def is_crowded(self, address: str | None, counted: str | None) -> bool:
        """Whether this client's network has as many sockets as it may have.

        The socket's own connection counts against `counted`. If that is the same network, it has already been
        admitted.
        """
        key = network(address)
        if key is None or key == counted or not self.is_full(key):
            return False
        self._metrics.limited["network connections"] += 1
        return True

    def add(self, key: str | None) -> None:
        if key is not None:
            self._by_network[key] += 1
            self._by_site[site(key)] += 1

    def remove(self, key: str | None) -> None:
        if key is not None:
            subtract(self._by_network, key)
            subtract(self._by_site, site(key))

    def take_slot(self, key: str | None, transport: asyncio.Transport) -> None:
        """Lets a refused connection wait for its answer; drops the one that has waited longest."""
        slots = self._slots[key is None]
        if len(slots) >= REFUSAL_SLOTS:
            oldest = next(iter(slots))
            del slots[oldest]
            oldest.abort()
        slots[transport] = None

    def free_slot(self, key: str | None, transport: asyncio.Transport) -> None:
        self._slots[key is None].pop(transport, None)

    def count_response(self, status: int) -> None:
        """Counts a response that no application gave."""
        self._metrics.requests[status] += 1

    def note_forwarding(self, header: bytes) -> None:
        """Called for a request with a proxy's header from an address that is not a trusted proxy.

        If it is a proxy, all of its clients share one address, and soon one limit. Any client can send such a
        header, so it is logged only once.
        """
        if not self._metrics.untrusted_forwarding:
            _log.warning(
                "a proxy is not trusted: its clients count as one address",
                header=header.decode("ascii"),
                setting="FORWARDED_ALLOW_IPS",
            )
        self._metrics.untrusted_forwarding += 1


def find_trusted_proxies(config: uvicorn.Config) -> Container[str]:
    """The addresses whose forwarding headers uvicorn uses (FORWARDED_ALLOW_IPS)."""
    middleware = ProxyHeadersMiddleware(cast(ASGI3Application, config.app), config.forwarded_allow_ips)
    return cast(Container[str], middleware.trusted_hosts)


def _error(status: int, code: str, problem: str) -> ApiError:
    advice = f"{problem}: close some, or try again in {RETRY_SECONDS} seconds."
    error = later_error(status, code, advice, RETRY_SECONDS)
    error.headers["connection"] = "close"
    return error
