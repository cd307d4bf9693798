"""Authentication of operators: PARLEY_ADMIN_TOKEN in a header, or the cookie it was exchanged for.

The token is compared in constant time, and wrong ones are limited. A browser posts it once, for a cookie
that lasts twelve hours, is signed with the token (so that another token voids it), and is not sent with
requests from other sites. Signing out voids the cookie at every hub, even a copy of it.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import itsdangerous
from starlette.requests import Request
from starlette.responses import Response

from hub.net.endpoint import DEFAULT_PORTS, is_same_host
from hub.net.http.errors import ApiError, authentication_error, later_error
from hub.net.http.limits import HUB
from hub.net.http.requests import bearer_token, client_address, is_local
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


class Session(NamedTuple):
    """An operator's session. `end` is in seconds since 1970."""

    id: str
    end: int


class AdminAuth:
    """Lets operators in. `wall` returns seconds since 1970, `clock` monotonic seconds.

    `is_ended` tells whether the session with an id was ended by signing out.
    """

    def __init__(
        self,
        token: str,
        *,
        public_url: str | None,
        limited: Counter[str],
        wall: Callable[[], float],
        clock: Callable[[], float],
        is_ended: Callable[[str], bool],
    ) -> None:
        self._token = token.encode()
        self._public_url = public_url
        self._limited = limited
        self._wall = wall
        self._clock = clock
        self._is_ended = is_ended
        self._wrong = Limiter(rate=TRIES_PER_NETWORK / TRY_SECONDS, burst=TRIES_PER_NETWORK)
        self._wrong_in_all = Limiter(rate=TRIES_IN_ALL / TRY_SECONDS, burst=TRIES_IN_ALL, keys=1)
        self._signer = itsdangerous.Signer(
            token, salt=b"parley admin 2", key_derivation="hmac", digest_method=sha256
        )

    def check(self, request: Request) -> None:
        """Raises ApiError unless an operator sent this request, from the hub's own page or with the token."""
        token = bearer_token(request)
        if token is not None:
            self.check_token(request, token)
        elif self.session(request) is None:
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
        """Raises ApiError unless one of the hub's own pages sent this request (against CSRF).

        With a public URL, that is the page there, or the one that a browser on this machine opens directly.
        """
        origin = request.headers.get("origin")
        if origin is None or not self._is_own_page(origin, request):
            raise ApiError(
                403, "BAD_ORIGIN", "Only this hub's own page may do this: open /admin on this hub."
            )

    def _is_own_page(self, origin: str, request: Request) -> bool:
        if self._public_url is not None and _read_origin(origin) == _read_origin(self._public_url):
            return True
        return (self._public_url is None or is_local(request)) and is_same_host(origin, request)

    def begin_session(self, request: Request, response: Response) -> None:
        """Gives the browser a cookie."""
        end = int(self._wall()) + SESSION_SECONDS
        value = self._signer.sign(f"{secrets.token_hex(12)}-{end}").decode("ascii")
        self._set_cookie(request, response, value, SESSION_SECONDS)

    def remove_cookie(self, request: Request, response: Response) -> None:
        self._set_cookie(request, response, "", 0)

    def _set_cookie(self, request: Request, response: Response, value: str, seconds: int) -> None:
        secure = request.headers["origin"].lower().startswith("https:")  # a page of the hub's, as checked
        response.set_cookie(
            COOKIE, value, max_age=seconds, path=PATH, secure=secure, httponly=True, samesite="strict"
        )

    def session(self, request: Request) -> Session | None:
        """The session of this request's cookie; None if it is not genuine, or over."""
        try:
            value = self._signer.unsign(request.cookies.get(COOKIE, "")).decode("ascii")
            id, _, end = value.partition("-")
            session = Session(id, int(end))
        except (itsdangerous.BadSignature, ValueError):
            return None
        return session if self._wall() < session.end and not self._is_ended(id) else None


def _read_origin(url: str) -> tuple[str, str, int] | None:
    """An origin's scheme, host and port; None if it is none (RFC 6454)."""
    try:
        parts = urlsplit(url.lower())
        return (parts.scheme, parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme])
    except (KeyError, ValueError):
        return None
