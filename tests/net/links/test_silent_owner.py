"""R8: an owner that does not answer a relayed request costs its sender a few seconds, not the connection."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from starlette.requests import Request

from hub.net.http import relay as relay_module
from hub.net.http.relay import RequestRelay
from hub.net.links import messages as l
from hub.net.links.front import OwnerLinks
from hub.runtime.placement import Elsewhere
from hub.store.hubs import HubIdentity
from tests.harness.manual_clock import ManualClock

pytestmark = pytest.mark.asyncio


class SilentOwner:
    """Links to an owner behind a partition."""

    async def request(self, hub: HubIdentity, request: l.Request) -> l.Response:
        return await asyncio.Future[l.Response]()


async def test_whoever_waits_for_a_silent_owner_is_told_to_come_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise a hub that stops would cut the request off with an internal error."""
    monkeypatch.setattr(relay_module, "RELAY_SECONDS", 0.01)

    async def take(room: str) -> None:
        raise AssertionError("the room is not free")

    relay = RequestRelay(ManualClock(), take)
    relay.front = cast(OwnerLinks, SilentOwner())
    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": "/api/rooms/r/seats/1",
        "query_string": b"",
        "headers": [],
        "server": ("hub", 80),
    }
    response = await relay.relay(Request(scope), Elsewhere(HubIdentity("two", "wss://two")))
    assert response.status_code == 503
    assert json.loads(bytes(response.body))["code"] == "UNAVAILABLE"
