"""Authentication of operators: PARLEY_ADMIN_TOKEN in a header, or the cookie it was exchanged for.

The token is compared in constant time, and wrong ones are limited. A browser posts it once, for a cookie
that lasts twelve hours, is signed with the token (so that another token voids it), and is not sent with
requests from other sites.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import Final

import itsdangerous
from starlette.requests import Request
from starlette.responses import Response

from hub.net.endpoint import is_same_host
from hub.net.http.errors import ApiError, authentication_error, later_error
from hub.net.http.limits import HUB
from hub.net.http.requests import base_url, bearer_token, client_address
from hub.wire.limits import Limiter, network

SESSION_SECONDS: Final = 12 * 3600
COOKIE: Final = "parley-admin"
PATH: Final = "/admin"
TRY_SECONDS: Final = 600.0
TRIES_PER_NETWORK: Final = 5
TRIES_IN_ALL: Final = 50
THIS_MACHINE: Final = ""
"""The key of this machine, which is limited like a network, but not by what all others do: an operator who is
on it can always get in."""


class AdminAuth:
    """Lets operators in. `wall` returns seconds since 1970, `clock` monotonic seconds."""

    def __init__(
        self,
        token: str,
        *,
        public_url: str | None,
        limited: Counter[str],
        wall: Callable[[], float],
        clock: Callable[[], float],
    ) -> None:
        self._token = token.encode()
        self._public_url = public_url
        self._limited = limited
        self._wall = wall
        self._clock = clock
        self._wrong = Limiter(rate=TRIES_PER_NETWORK / TRY_SECONDS, burst=TRIES_PER_NETWORK)
        self._wrong_in_all = Limiter(rate=TRIES_IN_ALL / TRY_SECONDS, burst=TRIES_IN_ALL, keys=1)
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
        """Raises ApiError if this is not the token, or after too many wrong ones.

        The limit for all networks together holds only for those that have sent a wrong token: otherwise
        somebody with many addresses could lock the operators out.
        """
        key = network(client_address(request)) or THIS_MACHINE
        at = self._clock()
        wait = self._wrong.look(key, at)
        if key != THIS_MACHINE and key in self._wrong:
            wait = max(wait, self._wrong_in_all.look(HUB, at))
        if wait:
            self._limited["admin tries"] += 1
            raise later_error(429, "SLOW_DOWN", "Too many wrong tokens: wait, then try again.", wait)
        if not secrets.compare_digest(token.encode(), self._token):
            self._wrong.wait_for(key, at)
            if key != THIS_MACHINE:
                self._wrong_in_all.wait_for(HUB, at)
            raise authentication_error(
                "BAD_TOKEN", "This is not PARLEY_ADMIN_TOKEN: use the value that is set on the hub."
            )

    def check_origin(self, request: Request) -> None:
        """Raises ApiError unless one of the hub's own pages sent this request (against CSRF)."""
        origin = request.headers.get("origin")
        if origin is None or not (origin.lower() == self._public_url or is_same_host(origin, request)):
            raise ApiError(
                403, "BAD_ORIGIN", "Only this hub's own page may do this: open /admin on this hub."
            )

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
