"""The HTTP API for Web Push: the hub's public key, and people's subscriptions."""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Callable
from typing import Annotated, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hub.net.http.errors import ApiError, json_response
from hub.net.http.limits import RequestLimits
from hub.net.http.person_auth import PersonAuth
from hub.net.http.requests import BODY_SECONDS, read_body, route_by_method
from hub.net.push.transport import MAX_ENDPOINT, RefusedEndpoint, split_endpoint
from hub.runtime.store_calls import require_answer
from hub.store.subscriptions import Subscription, Subscriptions

POINT_BYTES: Final = 65
AUTH_BYTES: Final = 16

Key = Annotated[str, Meta(max_length=100)]
Endpoint = Annotated[str, Meta(max_length=MAX_ENDPOINT)]


class SubscriptionKeys(Struct, frozen=True, forbid_unknown_fields=True):
    p256dh: Key
    auth: Key


class NewSubscription(Struct, frozen=True, forbid_unknown_fields=True):
    """What `PushSubscription.toJSON()` gives in a browser."""

    endpoint: Endpoint
    keys: SubscriptionKeys
    expirationTime: float | None = None  # noqa: N815 - the browsers' name


class OldSubscription(Struct, frozen=True, forbid_unknown_fields=True):
    endpoint: Endpoint


class PushParts(NamedTuple):
    """What a hub needs that calls people back; `key` is its public key as browsers take it."""

    subscriptions: Subscriptions
    key: str


class PushApi:
    """The request handlers; without `parts` push is off. `wall` returns seconds since 1970."""

    def __init__(
        self,
        parts: PushParts | None,
        auth: PersonAuth,
        limits: RequestLimits,
        *,
        wall: Callable[[], float] = time.time,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._parts = parts
        self._auth = auth
        self._limits = limits
        self._wall = wall
        self._body_seconds = body_seconds

    def routes(self) -> list[BaseRoute]:
        return [
            route_by_method("/api/push", GET=self.key, POST=self.subscribe),
            Route("/api/push/end", self.unsubscribe, methods=["POST"]),
        ]

    async def key(self, request: Request) -> Response:
        return json_response({"key": self._open().key})

    def _open(self) -> PushParts:
        """Raises ApiError if push is off."""
        if self._parts is None:
            raise ApiError(404, "PUSH_OFF", "This hub calls nobody back.")
        return self._parts

    async def subscribe(self, request: Request) -> Response:
        person = self._auth.person(request)
        subscriptions = self._open().subscriptions
        body = await read_body(request, NewSubscription, self._body_seconds)
        self._auth.person(request)  # again: they may have left this device while the body arrived
        self._limits.subscription(person.id)
        subscription = Subscription(
            body.endpoint,
            _decode(body.keys.p256dh, POINT_BYTES, "p256dh"),
            _decode(body.keys.auth, AUTH_BYTES, "auth"),
            int(self._wall()),
        )
        try:
            split_endpoint(body.endpoint)
            EllipticCurvePublicKey.from_encoded_point(SECP256R1(), subscription.p256dh)
        except (RefusedEndpoint, ValueError):
            raise ApiError(
                422,
                "BAD_SUBSCRIPTION",
                "Send what the browser's PushManager returned: an https endpoint on the Internet and its "
                "keys.",
            ) from None
        await require_answer(subscriptions.add(person.id, subscription))
        return json_response({"subscribed": True}, status=201)

    async def unsubscribe(self, request: Request) -> Response:
        person = self._auth.person(request)
        subscriptions = self._open().subscriptions
        body = await read_body(request, OldSubscription, self._body_seconds)
        self._limits.subscription(person.id)
        old = Subscription(body.endpoint, b"", b"", 0)
        await require_answer(subscriptions.remove(person.id, old.id))
        return json_response({"subscribed": False})


def _decode(text: str, size: int, name: str) -> bytes:
    """The bytes of a key in unpadded base64url. Raises ApiError."""
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != size:
        raise ApiError(422, "BAD_SUBSCRIPTION", f"The key {name} must be {size} bytes in base64url.")
    return key
