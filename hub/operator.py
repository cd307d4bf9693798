"""The work of `parley forget` and `parley export`, whether or not a hub is running."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from hub.clock import LoopClock
from hub.config import CannotStart, Config, Exit
from hub.store import people
from hub.store.client import StoreUnavailable
from hub.store.embedded import Embedded, find_running
from hub.store.file_rewrite import rewrite_file
from hub.store.store import Store
from hub.store.subscriptions import Subscriptions
from hub.telemetry.tasks import Tasks

T = TypeVar("T")

ROOM_ID: Final = 22
"""The length of a room's id; its code is shorter."""


class Forgotten(NamedTuple):
    """What `forget` did."""

    tables: int
    leftover: str | None
    """What the operator still has to do to get the text off the disk, as one sentence."""


class Browser(msgspec.Struct, frozen=True):
    """A browser that is told when a game waits for its person."""

    endpoint: str
    """Its address at its push service."""
    at: int
    """When it was last renewed, in seconds since 1970."""


def forget_room(config: Config, room_or_code: str) -> Forgotten:
    """Removes a table, if there is one, from the store and its file. Raises CannotStart."""

    async def forget(store: Store) -> Forgotten:
        room: str | None = room_or_code
        if len(room_or_code) < ROOM_ID:
            room = await store.resolve(room_or_code.upper())
        if room is None or not await people.forget_room(store, room):
            return Forgotten(0, None)
        return Forgotten(1, await rewrite_file(store, LoopClock()))

    return _run(config, forget)


def forget_person(config: Config, person: str) -> Forgotten:
    """Removes a person from all tables and records, and from the store's file. Raises CannotStart."""

    async def forget(store: Store) -> Forgotten:
        tables = await people.forget_person(store, person)
        return Forgotten(tables, await rewrite_file(store, LoopClock()))

    return _run(config, forget)


def export_person(config: Config, person: str) -> str | None:
    """What the store holds about a person, as JSON: their part in tables, and the browsers that notify them;
    None if nothing. Raises CannotStart."""

    async def export(store: Store) -> str | None:
        tables = await people.export(store, person)
        browsers = [
            Browser(subscription.endpoint, subscription.at)
            for subscription in await Subscriptions(store).list_valid(person, at=0)
        ]
        if not tables and not browsers:
            return None
        report: dict[str, Any] = {"person": person, "tables": tables, "browsers": browsers}
        return msgspec.json.format(msgspec.json.encode(report)).decode() + "\n"

    return _run(config, export)


def _run(config: Config, work: Callable[[Store], Awaitable[T]]) -> T:
    async def run() -> T:
        async with _open(config) as store:
            try:
                return await work(store)
            except StoreUnavailable as error:
                raise CannotStart(
                    f"The store failed before this was finished ({error}): run the command again.", Exit.STORE
                ) from error
            except people.Busy as error:
                raise CannotStart(
                    "Hubs kept taking a table back: run the command again.", Exit.STORE
                ) from error

    return asyncio.run(run())


@asynccontextmanager
async def _open(config: Config) -> AsyncIterator[Store]:
    """The store of the hubs with these settings; the bundled one is started if no hub runs it."""
    async with AsyncExitStack() as closing:
        url = config.redis_url or await find_running(config.data)
        if url is None:
            if not (config.data / "store").is_dir():
                raise CannotStart(
                    f"There is no store in {config.data}: name the hub's folder with --data or "
                    "PARLEY_DATA, or its server with PARLEY_REDIS_URL.",
                    Exit.DATA,
                )
            tasks = await closing.enter_async_context(Tasks())
            embedded = Embedded(config.data, ack=config.ack)
            url = await embedded.start(tasks)
            closing.push_async_callback(embedded.stop)
        store = await Store.open(url, ack=config.ack, forget_days=config.forget_days)
        closing.push_async_callback(store.close)
        yield store
