"""Limits on requests from one network and from one person."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from hub.net.guard import Guard
from hub.net.http.errors import ApiError, ban_error, later_error, refuse
from hub.net.http.requests import client_address
from hub.wire.limits import SITE_SHARE, Limiter, network, site

HEALTH_PATHS: Final = ("/healthz", "/readyz")
"""Always answered, however many requests there are: a supervisor restarts a hub that does not answer them."""
ADMIN: Final = "/admin"
"""The start of operators' paths. Bans do not apply there: a token lets operators in from any address."""
HOUR: Final = 3600
HUB: Final = "hub"
"""The key of the one bucket that everybody shares."""
HUB_REPORTS: Final = 100
HUB_TRANSFERS: Final = 1000


class RequestLimits:
    """Raises ApiError 429 for a request over its limit, and counts it in `limited` by the limit's name.

    `clock` returns monotonic seconds. `wrong_codes` and `network_wrong_codes` are numbers per hour.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        limited: Counter[str],
        wrong_codes: int,
        network_wrong_codes: int,
    ) -> None:
        self._clock = clock
        self.limited = limited
        self._requests = Limiter(rate=20, burst=200)
        self._people = Limiter(rate=0.5, burst=40)
        self._places = Limiter(rate=2, burst=60)
        self._seats = Limiter(rate=0.2, burst=20)
        self._tables = Limiter(rate=0.2, burst=20)
        self._network_tables = Limiter(rate=0.2, burst=60)
        self._subscriptions = Limiter(rate=0.1, burst=20)
        self._reports = Limiter(rate=5 / HOUR, burst=5)
        self._site_reports = Limiter(rate=HUB_REPORTS / SITE_SHARE / HOUR, burst=HUB_REPORTS / SITE_SHARE)
        self._hub_reports = Limiter(rate=HUB_REPORTS / HOUR, burst=HUB_REPORTS, keys=1)
        self._transfers = Limiter(rate=1 / 60, burst=10)
        self._site_transfers = Limiter(
            rate=HUB_TRANSFERS / SITE_SHARE / HOUR, burst=HUB_TRANSFERS / SITE_SHARE
        )
        self._hub_transfers = Limiter(rate=HUB_TRANSFERS / HOUR, burst=HUB_TRANSFERS, keys=1)
        self._network_wrong_codes = Limiter(rate=network_wrong_codes / HOUR, burst=network_wrong_codes)
        of_site = max(1, wrong_codes / SITE_SHARE)
        self._site_wrong_codes = Limiter(rate=of_site / HOUR, burst=of_site)
        self._wrong_codes = Limiter(rate=wrong_codes / HOUR, burst=wrong_codes, keys=1)

    def request(self, address: str | None) -> None:
        self._check_network("requests", self._requests, address)

    def new_person(self, address: str | None) -> None:
        self._check_network("people", self._people, address)

    def place(self, person: str) -> None:
        self._check("places", self._places, person)

    def seat(self, person: str) -> None:
        """Everybody at the table reads who sits down and who moves."""
        self._check("seats", self._seats, person)

    def new_table(self, person: str, address: str | None) -> None:
        self._check("tables", self._tables, person)
        self._check_network("network tables", self._network_tables, address)

    def subscription(self, person: str) -> None:
        self._check("subscriptions", self._subscriptions, person)

    def report(self, person: str, address: str | None) -> None:
        """The store keeps a number of reports: without these limits, a flood would push out the others."""
        self._check("reports", self._reports, person)
        key = network(address)
        if key is not None:
            self._check("network reports", self._site_reports, site(key))
        self._check("hub reports", self._hub_reports, HUB)

    def transfer(self, person: str, address: str | None) -> None:
        """The store remembers who has left a device, for as long as its token would have been valid."""
        self._check("transfers", self._transfers, person)
        key = network(address)
        if key is not None:
            self._check("network transfers", self._site_transfers, site(key))
        self._check("hub transfers", self._hub_transfers, HUB)

    def code(self, address: str | None, *, private: bool) -> None:
        """Refuses codes, right or wrong, from a network or site that has sent too many wrong ones.

        `private`: the code has the length of a private table's. A site's limit is for these alone.
        """
        key = network(address)
        if key is None:
            return
        self._refuse("wrong codes", self._network_wrong_codes.look(key, self._clock()))
        if private:
            self._refuse("wrong codes", self._site_wrong_codes.look(site(key), self._clock()))

    def wrong_code(self, address: str | None, *, private: bool) -> None:
        """Counts a wrong code (see `code`)."""
        key = network(address)
        if key is not None:
            self._network_wrong_codes.wait_for(key, self._clock())
            if private:
                self._site_wrong_codes.wait_for(site(key), self._clock())
        if private:
            self._wrong_codes.wait_for(HUB, self._clock())

    def has_many_wrong_codes(self) -> bool:
        """Whether the hub has had so many wrong codes that it refuses strangers' codes."""
        return self._wrong_codes.look(HUB, self._clock()) > 0

    def stranger_code(self) -> None:
        """Refuses the code of somebody who is not at the table, right or wrong."""
        self._refuse("hub wrong codes", self._wrong_codes.look(HUB, self._clock()))

    def _check_network(self, name: str, limiter: Limiter, address: str | None) -> None:
        # Behind a local proxy that does not forward client addresses, everyone seems to be on this machine,
        # so the proxy has to do the rate limiting.
        key = network(address)
        if key is not None:
            self._check(name, limiter, key)

    def _check(self, name: str, limiter: Limiter, key: str) -> None:
        self._refuse(name, limiter.wait_for(key, self._clock()))

    def _refuse(self, name: str, wait: float) -> None:
        if wait:
            self.limited[name] += 1
            raise later_error(429, "SLOW_DOWN", "Too many requests: wait a moment and try again.", wait)


class RequestLimitMiddleware:
    """Limits each network's requests and refuses banned ones; not health checks and the paths in `free`.

    Sockets are limited in number instead (hub/net/open_sockets.py): after a restart of the hub, all of a
    network's clients reconnect at once.
    """

    def __init__(
        self,
        app: ASGIApp,
        limits: RequestLimits,
        guard: Guard,
        wall: Callable[[], float],
        free: Collection[str],
    ) -> None:
        self._app = app
        self._guard = guard
        self._wall = wall
        self._limits = limits
        self._free = frozenset((*HEALTH_PATHS, *free))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in self._free:
            address = client_address(Request(scope))
            ban = self._guard.find_ban(None, address) if not scope["path"].startswith(ADMIN) else None
            try:
                self._limits.request(address)
                if ban is not None:
                    raise ban_error(ban, self._wall())
            except ApiError as error:
                await refuse(error)(scope, receive, send)
                return
        await self._app(scope, receive, send)
