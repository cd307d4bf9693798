"""Limits on requests from one network and from one person."""

from __future__ import annotations

import time
from collections.abc import Callable

from hub.net.http.errors import ApiError
from hub.wire.limits import Limiter, network


class RequestLimits:
    """Raises ApiError 429 for a request over its limit. `clock` returns monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._requests = Limiter(rate=20, burst=200)
        self._people = Limiter(rate=0.5, burst=40)
        self._places = Limiter(rate=2, burst=60)
        self._tables = Limiter(rate=0.2, burst=20)

    def request(self, address: str | None) -> None:
        self._check_network(self._requests, address)

    def new_person(self, address: str | None) -> None:
        self._check_network(self._people, address)

    def place(self, person: str) -> None:
        self._check(self._places, person)

    def new_table(self, person: str) -> None:
        self._check(self._tables, person)

    def _check_network(self, limiter: Limiter, address: str | None) -> None:
        # Behind a local proxy that does not forward client addresses, everyone seems to be on this machine,
        # so the proxy has to do the rate limiting.
        key = network(address)
        if key is not None:
            self._check(limiter, key)

    def _check(self, limiter: Limiter, key: str) -> None:
        wait = limiter.wait_for(key, self._clock())
        if wait:
            error = ApiError(429, "SLOW_DOWN", "Too many requests: wait a moment and try again.")
            error.headers["retry-after"] = str(int(wait) + 1)
            raise error
