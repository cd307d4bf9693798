"""The default settings (hub/config.py), and limits built from them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from hub.config import Config
from hub.net.connection_limits import ConnectionLimits
from hub.net.http.limits import RequestLimits
from hub.runtime.room_limits import RoomLimits
from hub.telemetry.metrics import Metrics

DEFAULTS: Final = Config.model_construct(data=Path())  # reads no environment


def make_room_limits(limited: Counter[str] | None = None, **limits: Any) -> RoomLimits:
    defaults: dict[str, Any] = {"rooms": DEFAULTS.rooms, "per_person": DEFAULTS.person_rooms}
    return RoomLimits(Counter() if limited is None else limited, **defaults | limits)


def make_request_limits(
    clock: Callable[[], float] = time.monotonic, limited: Counter[str] | None = None
) -> RequestLimits:
    return RequestLimits(
        clock,
        limited=Counter() if limited is None else limited,
        wrong_codes=DEFAULTS.wrong_codes,
        network_wrong_codes=DEFAULTS.network_wrong_codes,
    )


def make_connection_limits(metrics: Metrics | None = None, **limits: Any) -> ConnectionLimits:
    """The limits of a hub with descriptors for any number of connections."""
    defaults = {"total": 1_000_000, "per_network": DEFAULTS.network_connections}
    return ConnectionLimits(Metrics() if metrics is None else metrics, **defaults | limits)
