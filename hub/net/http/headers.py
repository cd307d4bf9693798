"""Headers for every HTTP response: security headers, and a fresh token if the request renewed one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hub.telemetry.metrics import Metrics

TOKEN_HEADER: Final = "parley-token"
"""Carries a fresh token for the sender of the request, which the client stores in place of the old one."""

SECURITY_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""The headers of a response that no page is made of."""

SUBRESOURCES: Final = ("text/javascript", "text/css", "font/woff2")
"""The types of the files under `/assets/` (hub/net/http/static.py), which pages load."""

SUBRESOURCE_HEADERS: Final = {
    name: SECURITY_HEADERS[name] for name in ("x-content-type-options", "cross-origin-resource-policy")
}
"""The headers of such a file. The others tell a browser what a page may do; a script, a style sheet or a
typeface follows the page that loads it, and half a kilobyte for each file costs time on a slow line."""


def set_fresh_token(request: Request, token: str) -> None:
    """Makes the response to this request carry a fresh token for its sender."""
    request.state.fresh_token = token


class SecurityHeadersMiddleware:
    """Adds security headers to every HTTP response, and counts and times responses."""

    def __init__(self, app: ASGIApp, metrics: Metrics, origins: Sequence[str]) -> None:
        self._app = app
        self._metrics = metrics
        sockets = [f"ws{origin.removeprefix('http')}" for origin in origins]
        self._headers = SECURITY_HEADERS | {
            "content-security-policy": "; ".join(
                (
                    "default-src 'none'",
                    "script-src 'self'",
                    # style="" in the client's templates; style sheets only from this hub
                    "style-src 'self'; style-src-attr 'unsafe-inline'",
                    "img-src 'self' data:",
                    "font-src 'self'; manifest-src 'self'; media-src 'self'; worker-src 'self'",
                    " ".join(("connect-src 'self'", *origins, *sockets)),
                    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                )
            ),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        began = time.perf_counter()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.requests[message["status"]] += 1
                self._metrics.request_seconds.add(time.perf_counter() - began)
                headers = MutableHeaders(scope=message)
                for name, value in self._headers_for(scope["path"], headers).items():
                    headers[name] = value
                token = scope.get("state", {}).get("fresh_token")
                if token is not None:
                    headers[TOKEN_HEADER] = token
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _headers_for(self, path: str, headers: MutableHeaders) -> dict[str, str]:
        loaded = path.startswith("/assets/") and headers.get("content-type", "").startswith(SUBRESOURCES)
        return SUBRESOURCE_HEADERS if loaded else self._headers
