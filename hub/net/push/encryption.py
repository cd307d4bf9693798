"""A message as its push service and its browser take it: signed by the hub (RFC 8292), and encrypted for the
browser alone (RFC 8291).
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from hub.store.subscriptions import Subscription

if TYPE_CHECKING:
    from webpush import WebPush  # type: ignore[import-untyped]

LIFE_SECONDS: Final = 600
"""How long a push service keeps a message for a device that is off."""


class PushWriter:
    """Writes the hub's messages.

    `contact` is the email address at which a push service's operator reaches the hub's.
    """

    def __init__(self, key: EllipticCurvePrivateKey, contact: str) -> None:
        self._key = key
        self._contact = contact
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = _encode(point)
        """As browsers take it when they subscribe: 65 bytes in base64url."""

    def write(self, subscription: Subscription, message: bytes) -> tuple[Mapping[str, str], bytes]:
        """The headers and the body of a request. Raises ValueError if the keys cannot be used."""
        from webpush import WebPushSubscription

        keys = {"p256dh": _encode(subscription.p256dh), "auth": _encode(subscription.auth)}
        browser = WebPushSubscription.model_validate({"endpoint": subscription.endpoint, "keys": keys})
        written = self._web_push.get(message, browser)
        return {name: str(value) for name, value in written.headers.items()}, written.encrypted

    @cached_property
    def _web_push(self) -> WebPush:
        """Imported when the first message is sent: it takes longer to load than the rest of the hub."""
        from webpush import WebPush

        private = self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        public = self._key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return WebPush(private, public, subscriber=self._contact, ttl=LIFE_SECONDS)


def _encode(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).rstrip(b"=").decode()
