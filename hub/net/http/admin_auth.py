"""Who may use the operator's pages: whoever has PARLEY_ADMIN_TOKEN, in a header or behind a cookie.

The token is compared in constant time, and wrong ones are limited. A browser posts it once, for a cookie
that lasts twelve hours, is signed with the token (so that another token voids it), and goes with no request
that another site causes.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from hashlib import sha256
from typing import Final

import itsdangerous
from starlette.requests import Request
from starlette.responses import Response

from hub.net.endpoint import is_same_host
from hub.net.http.errors import ApiError, authentication_error, later_error
from hub.net.http.requests import base_url, bearer_token, client_address
from hub.wire.limits import network

SESSION_SECONDS: Final = 12 * 3600
COOKIE: Final = "parley-admin"
PATH: Final = "/admin"
TRY_SECONDS: Final = 600.0
TRIES_PER_NETWORK: Final = 5
TRIES_IN_ALL: Final = 50
MOST_NETWORKS: Final = 10_000


class Tries:
    """Wrong tokens of the last ten minutes, by network and in all. `clock` returns monotonic seconds.

    This machine is limited like a network, but not by what all others do: an operator who is on it can always
    get in.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._by_network: OrderedDict[str, deque[float]] = OrderedDict()
        self._all: deque[float] = deque(maxlen=TRIES_IN_ALL)

    def wait(self, key: str | None) -> float:
        """Seconds until this network may try a token; 0: at once."""
        tries = self._by_network.get(key or "", deque(maxlen=TRIES_PER_NETWORK))
        waits = [self._wait(tries), 0.0 if key is None else self._wait(self._all)]
        return max(waits)

    def fail(self, key: str | None) -> None:
        """Counts a wrong token."""
        tries = self._by_network.pop(key or "", None) or deque(maxlen=TRIES_PER_NETWORK)
        tries.append(self._clock())
        self._by_network[key or ""] = tries
        if len(self._by_network) > MOST_NETWORKS:
            self._by_network.popitem(last=False)
        if key is not None:
            self._all.append(self._clock())

    def _wait(self, tries: deque[float]) -> float:
        if len(tries) < (tries.maxlen or 0):
            return 0.0
        return max(0.0, tries[0] + TRY_SECONDS - self._clock())


class AdminAuth:
    """Lets operators in. `wall` returns seconds since 1970, `clock` monotonic seconds."""

    def __init__(
        self,
        token: str,
        *,
        public_url: str | None,
        count_refusal: Callable[[], None],
        wall: Callable[[], float],
        clock: Callable[[], float],
    ) -> None:
        self._token = token.encode()
        self._public_url = public_url
        self._count_refusal = count_refusal
        self._wall = wall
        self._tries = Tries(clock)
        self._signer = itsdangerous.Signer(
            token, salt=b"parley admin 1", key_derivation="hmac", digest_method=sha256
        )

    def check(self, request: Request) -> None:
        """Raises ApiError unless an operator sent this request, from the hub's own page or with the token."""
        token = bearer_token(request)
        if token is not None:
            self.check_token(request, token)
        elif not self._has_session(request):
            raise authentication_error(
                "NO_TOKEN", "Sign in with PARLEY_ADMIN_TOKEN, or send it as a bearer token."
            )
        elif request.method != "GET":
            self.check_origin(request)

    def check_token(self, request: Request, token: str) -> None:
        """Raises ApiError unless this is the token, or if there were too many wrong ones."""
        key = network(client_address(request))
        wait = self._tries.wait(key)
        if wait:
            self._count_refusal()
            raise later_error(429, "SLOW_DOWN", "Too many wrong tokens: wait, then try again.", wait)
        if not secrets.compare_digest(token.encode(), self._token):
            self._tries.fail(key)
            raise authentication_error("BAD_TOKEN", "This is not PARLEY_ADMIN_TOKEN.")

    def check_origin(self, request: Request) -> None:
        """Raises ApiError unless one of the hub's own pages sent this request (against CSRF)."""
        origin = request.headers.get("origin")
        if origin is None or not (origin.lower() == self._public_url or is_same_host(origin, request)):
            raise ApiError(403, "BAD_ORIGIN", "Only this hub's own page may do this.")

    def begin_session(self, request: Request, response: Response) -> None:
        """Gives the browser a cookie."""
        value = self._signer.sign(str(int(self._wall()) + SESSION_SECONDS)).decode("ascii")
        self._set_cookie(request, response, value, SESSION_SECONDS)

    def end_session(self, request: Request, response: Response) -> None:
        self._set_cookie(request, response, "", 0)

    def _set_cookie(self, request: Request, response: Response, value: str, seconds: int) -> None:
        secure = base_url(request, self._public_url).startswith("https:")
        response.set_cookie(
            COOKIE, value, max_age=seconds, path=PATH, secure=secure, httponly=True, samesite="strict"
        )

    def _has_session(self, request: Request) -> bool:
        try:
            end = int(self._signer.unsign(request.cookies.get(COOKIE, "")))
        except (itsdangerous.BadSignature, ValueError):
            return False
        return self._wall() < end
