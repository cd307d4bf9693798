"""Operations on the store that only tests need."""

from __future__ import annotations

from typing import Any

import redis.asyncio

from hub.store.store import Store
from tests.harness.processes import StoreProcess


def raw_client(store: StoreProcess) -> redis.asyncio.Redis:
    return redis.asyncio.Redis.from_url(store.url)


async def rooms_of(store: Store, incarnation: str) -> list[str]:
    """The rooms listed under a hub: all those it owns, and perhaps others."""
    async with store._errors():
        rooms: Any = await store._client.smembers(store.keys.hub_rooms(incarnation))
    return sorted(room.decode() for room in rooms)


async def delete_room(store: Store, room: str) -> None:
    """Removes everything about a room, as its expiry does."""
    code: Any = await store._client.hget(store.keys.room(room)[0], "code")
    await store._client.unlink(*store.keys.room(room))
    if code is not None:
        await store._client.unlink(store.keys.code(code.decode()))
