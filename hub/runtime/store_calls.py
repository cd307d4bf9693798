"""Calls to the store: a call that somebody waits for fails at once; others are repeated until it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

from hub.clock import Clock
from hub.runtime.placement import NoSuchRoom, OtherVersion, Unavailable, is_code
from hub.store.client import StoreDamaged, StoreUnavailable
from hub.store.pipe import Backoff
from hub.store.store import Store

T = TypeVar("T")

FIRST_SECONDS: Final = 0.1
MAX_SECONDS: Final = 30.0
"""The shortest and the longest wait before a call is repeated."""
STORE_TROUBLE: Final = "the store does not answer, so this may or may not have been done: try again soon"
REPORT_IN_DOUBT: Final = (
    "the store does not answer, so the report may or may not have been stored: send it again soon"
)

_log = structlog.get_logger("retries")


async def require_answer(answer: Awaitable[T], advice: str = STORE_TROUBLE) -> T:
    """The store's answer. Raises Unavailable with this advice if there is none, OtherVersion if what is
    stored is damaged."""
    try:
        return await answer
    except StoreDamaged as error:
        _log.warning("a stored room is damaged", reason=str(error))
        raise OtherVersion from error
    except StoreUnavailable as error:
        _log.warning("the store is unavailable", reason=str(error))
        raise Unavailable(advice) from error


async def resolve(store: Store, room_or_code: str) -> str:
    """A room's id. Raises NoSuchRoom for an unknown code, Unavailable."""
    if not is_code(room_or_code):
        return room_or_code
    room_id = await require_answer(store.resolve(room_or_code.upper()))
    if room_id is None:
        raise NoSuchRoom(room_or_code)
    return room_id


async def repeat(name: str, call: Callable[[], Awaitable[object]], clock: Clock) -> None:
    """Makes a call that may be repeated, until the store has answered it; waits longer after each failure.

    Gives up if what is stored is damaged.
    `name` is for the log.
    """
    backoff = Backoff(FIRST_SECONDS, MAX_SECONDS)
    is_first = True
    while True:
        try:
            await call()
            return
        except StoreDamaged as error:
            _log.warning("a call to the store failed", call=name, reason=str(error))
            return
        except StoreUnavailable as error:
            if is_first:
                _log.warning("a call to the store will be repeated", call=name, reason=str(error))
            is_first = False
        await clock.sleep(backoff.next_delay())
