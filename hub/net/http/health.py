"""Liveness, readiness and metrics, for supervisors and operators."""

from __future__ import annotations

import secrets

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hub.net.http.errors import ApiError, authentication_error, json_response
from hub.net.http.requests import bearer_token, is_local
from hub.runtime.placement import Rooms
from hub.telemetry.metrics import Metrics


class HealthApi:
    """Answers /healthz, /readyz and /metrics."""

    def __init__(
        self, rooms: Rooms, metrics: Metrics, *, public_url: str | None, metrics_token: str | None
    ) -> None:
        self._rooms = rooms
        self._metrics = metrics
        self._public_url = public_url
        self._metrics_token = metrics_token

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/healthz", self.health, methods=["GET"]),
            Route("/readyz", self.readiness, methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
        ]

    async def health(self, request: Request) -> Response:
        return json_response({"ok": True})

    async def readiness(self, request: Request) -> Response:
        if self._rooms.is_draining():
            advice = "This hub is shutting down: send its traffic to another hub until it is ready again."
            raise ApiError(503, "DRAINING", advice)
        problem = self._rooms.find_problem()
        if problem is not None:
            raise ApiError(503, "STORE", problem)
        caution = self._rooms.find_caution()
        return json_response({"ready": True} if caution is None else {"ready": True, "caution": caution})

    async def metrics(self, request: Request) -> Response:
        """Metrics, for the operator only: on a quiet hub, a changing count could reveal a draft (G4)."""
        if self._metrics_token is None:
            if self._public_url is not None or not is_local(request):
                advice = "Set PARLEY_METRICS_TOKEN on the hub, then send it as Authorization: Bearer <token>."
                raise ApiError(403, "METRICS_CLOSED", advice)
        elif not secrets.compare_digest((bearer_token(request) or "").encode(), self._metrics_token.encode()):
            raise authentication_error(
                "BAD_TOKEN", "Send PARLEY_METRICS_TOKEN as Authorization: Bearer <token>."
            )
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
