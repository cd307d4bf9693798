"""The lobby over HTTP: each page is built and compressed at most once a second for all readers, less often
under overload."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from hub.net.http.errors import ApiError, encode_json
from hub.net.http.request_delay import RequestDelay
from hub.net.http.static import Page, make_page
from hub.runtime.overload import Overload
from hub.runtime.placement import Rooms

SHARED_SECONDS: Final = 1.0
"""How long a page is given to further readers."""
SLOW_SHARED_SECONDS: Final = 5.0
"""The same while the lobby is slowed: most who ask again are told that nothing has changed."""
MAX_PAGES: Final = 200
"""Bounds the pages that the hub reads from the store in a second."""


class _Build(NamedTuple):
    at: float
    page: asyncio.Future[Page]


class Lobby:
    """The pages of one hub's lobby. `clock` returns monotonic seconds."""

    def __init__(
        self,
        rooms: Rooms,
        overload: Overload,
        delay: RequestDelay,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rooms = rooms
        self._overload = overload
        self._delay = delay
        self._clock = clock
        self._builds: dict[int, _Build] = {}

    async def response(self, request: Request) -> Response:
        """Raises ApiError for a page number that is not one, and what `Rooms.lobby` raises."""
        number = request.query_params.get("page", "1")
        if not (
            number.isascii() and number.isdecimal() and len(number) <= 3 and 1 <= int(number) <= MAX_PAGES
        ):
            raise ApiError(422, "BAD_FIELD", f"The parameter page must be a number from 1 to {MAX_PAGES}.")
        await self._delay.wait()
        return (await self._find(int(number))).response(request)

    async def _find(self, number: int) -> Page:
        at = self._clock()
        shared = SLOW_SHARED_SECONDS if self._overload.slows_lobby else SHARED_SECONDS
        build = self._builds.get(number)
        if build is not None and at - build.at < shared:
            return await asyncio.shield(build.page)
        self._builds = {n: other for n, other in self._builds.items() if at - other.at < shared}
        future = asyncio.get_running_loop().create_future()
        self._builds[number] = _Build(at, future)
        try:
            listing = await self._rooms.lobby(number)
            page = make_page(encode_json(listing), "application/json")
        except BaseException as error:
            self._builds.pop(number, None)
            if isinstance(error, Exception):
                future.set_exception(error)
                future.exception()  # marks it as retrieved: perhaps nobody shares this build
            else:
                future.cancel()
            raise
        future.set_result(page)
        return page
