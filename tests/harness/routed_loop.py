"""An event loop whose connections to some ports of this machine lead elsewhere, as through a router.

A hub with this loop is the real hub: it names and is told the real addresses of stores, Sentinels and other
hubs, and a test decides what becomes of each of its connections (`tests.harness.routes`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import uvloop

VARIABLE: Final = "ROUTES"
"""The environment variable with the ports that lead elsewhere: `6379:40001,6380:40002`."""


def write_routes(routes: Mapping[int, int]) -> str:
    """The value of the variable for a process."""
    return ",".join(f"{port}:{route}" for port, route in routes.items())


def read_routes(value: str) -> dict[int, int]:
    pairs = (pair.split(":") for pair in value.split(",") if pair)
    return {int(port): int(route) for port, route in pairs}


def route_connections(routes: Mapping[int, int]) -> None:
    """Have all event loops that are made from now on connect by these routes."""

    class RoutedLoop(uvloop.Loop):
        async def create_connection(
            self, protocol_factory: Any, host: Any = None, port: Any = None, **options: Any
        ) -> Any:
            return await super().create_connection(protocol_factory, host, routes.get(port, port), **options)

    loops: Any = uvloop
    loops.new_event_loop = RoutedLoop
    assert issubclass(RoutedLoop, asyncio.AbstractEventLoop)
