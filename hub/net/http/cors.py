"""What pages from the origins that the operator has allowed may do (CORS)."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from hub.net.http.errors import error_response

METHODS: Final = ("GET", "POST")
REQUEST_HEADERS: Final = ("authorization", "content-type")
PREFLIGHT_SECONDS: Final = 3600
"""How long a browser may remember the answer to a preflight request."""


class AllowedPages(CORSMiddleware):
    """Starlette's middleware, which by itself answers a refused preflight request in plain text (H8)."""

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code == 200:
            return response
        if not self.is_allowed_origin(request_headers["origin"]):
            advice = "This page may not send requests: its origin is neither this hub's nor an allowed one."
            return error_response(403, "BAD_ORIGIN", advice, {"vary": response.headers["vary"]})
        advice = f"A page may send {' and '.join(METHODS)}, with the headers {' and '.join(REQUEST_HEADERS)}."
        return error_response(400, "BAD_PREFLIGHT", advice, {"vary": response.headers["vary"]})
