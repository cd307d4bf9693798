"""The startup check that a store can keep the hub's promises."""

from __future__ import annotations

from typing import Any, Final

import redis.exceptions
import structlog
from redis.asyncio import Redis

from hub.config import Ack, CannotStart, Exit
from hub.store.address import StoreAddress

OLDEST: Final = (7, 0)

_log = structlog.get_logger("parley.store")


async def check(client: Redis, address: StoreAddress, ack: Ack) -> None:
    """Raises CannotStart, with one sentence, if this store cannot keep the hub's promises."""
    store = f"The store at {address}"
    try:
        info = await _info(client)
        await client.eval("return redis.call('PING')", 0)
    except redis.exceptions.NoPermissionError as error:
        raise _unfit(f"{store} does not let this user do what the hub needs ({error}).") from error
    except redis.exceptions.ResponseError as error:
        raise _unfit(f"{store} cannot run scripts, which the hub needs ({error}).") from error
    except (redis.exceptions.RedisError, OSError) as error:
        causes = (error, error.__context__)
        if any(isinstance(cause, redis.exceptions.AuthenticationError) for cause in causes):
            raise _unfit(
                f"{store} refuses the login ({reason(error)}): correct the password in PARLEY_REDIS_URL."
            ) from error
        raise _unfit(
            f"{store} cannot be reached ({reason(error)}): start it, or correct PARLEY_REDIS_URL."
        ) from error

    version = str(info.get("redis_version", ""))
    if _numbers(version) < OLDEST:
        raise _unfit(f"{store} is version {version or 'unknown'}; Redis 7.0 or Valkey is needed.")
    if info.get("cluster_enabled"):
        raise _unfit(f"{store} is a Cluster node, which is not supported yet: use a single store.")
    policy = await _setting(client, "maxmemory-policy") or info.get("maxmemory_policy")
    if policy is None:
        _log.warning("the store hides its maxmemory-policy; it must be noeviction")
    elif policy != "noeviction":
        raise _unfit(
            f"{store} may drop tables when its memory is full (maxmemory-policy is {policy}): set "
            "maxmemory-policy to noeviction."
        )
    if ack == "fsync":
        if not info.get("aof_enabled"):
            raise _unfit(
                f"PARLEY_ACK is fsync, but {_lower(store)} writes no append-only file: set appendonly to "
                "yes and appendfsync to always."
            )
        sync = await _setting(client, "appendfsync")
        if sync != "always":
            raise _unfit(
                f"PARLEY_ACK is fsync, but appendfsync of {_lower(store)} is {sync or 'unknown'}: set it "
                "to always."
            )
    elif not info.get("aof_enabled"):
        _log.warning("the store writes no append-only file: a restart may lose tables")
    if ack == "replica" and not info.get("connected_slaves"):
        raise _unfit(f"PARLEY_ACK is replica, but {_lower(store)} has no replica connected.")


async def _info(client: Redis) -> dict[str, Any]:
    info: dict[str, Any] = {}
    for section in ("server", "memory", "persistence", "replication", "cluster"):
        info |= await client.info(section)
    return info


async def _setting(client: Redis, name: str) -> str | None:
    """A setting of the store; None if reading it is not allowed."""
    try:
        settings: Any = await client.config_get(name)
    except redis.exceptions.ResponseError as error:
        _log.warning("the store hides its settings", setting=name, reason=str(error))
        return None
    for key, value in settings.items():
        if text(key) == name:
            return text(value)
    return None


def _unfit(advice: str) -> CannotStart:
    return CannotStart(advice, Exit.STORE)


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")[:2]
    return tuple(int(part) for part in parts) if all(part.isdigit() for part in parts) else (0,)


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def reason(error: BaseException) -> str:
    """An error's message, as the end of a sentence."""
    return str(error).rstrip(".") or type(error).__name__


def text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode()
