"""Whether a store can keep the hub's promises: checked at the start, and every minute while the hub runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

import redis.exceptions
import structlog
from redis.asyncio import Redis

from hub.clock import Clock
from hub.config import Ack, CannotStart, Exit, count_replicas
from hub.store.address import StoreAddress
from hub.store.calls import StoreRedis
from hub.store.cluster import find_slot
from hub.store.refusals import explain_first, meaning
from hub.store.scripts import load_script

OLDEST: Final = (7, 0)
WATCH_SECONDS: Final = 60.0
REHEARSE: Final = load_script("rehearse")
FULL_COVERAGE: Final = (
    "cluster-require-full-coverage is yes: until a failover of one primary is over, the tables of all others "
    "stand still, too. Set it to no on every node."
)
REHEARSAL_KEYS: Final = ("string", "hash", "stream", "set", "sorted")

_log = structlog.get_logger("parley.store")


class Settings(NamedTuple):
    """The settings that determine whether a store keeps its data; None for one that it hides."""

    policy: str | None
    """`maxmemory-policy`"""
    appendonly: bool
    appendfsync: str | None
    replicas: int
    """The number of replicas connected."""


class Fitness(NamedTuple):
    """What an examination of the store has shown."""

    problem: str | None
    """What is no longer suitable, as one sentence."""
    caution: str | None
    """What a failover would break, and the remedy."""
    used_bytes: int
    max_bytes: int
    """The memory that the store uses, and may use: its `maxmemory`, or its machine's memory; 0 if unknown."""
    appendonly: bool = True
    """Whether it writes an append-only file."""


async def check(client: StoreRedis, address: StoreAddress, ack: Ack, prefix: str) -> bool:
    """Whether the store writes an append-only file.

    Raises CannotStart, with one sentence, if the store, or a primary of a Cluster, cannot keep the hub's
    promises.
    """
    try:
        primaries = await client.list_primaries()
    except OSError as error:
        raise _unfit(_refusal(f"The store at {address}", address, error)) from error
    settings = [
        await _check_primary(primary, place, ack, _find_rehearsal_keys(place, prefix))
        for place, primary in primaries
    ]
    if any(one.policy is None for one in settings):
        _log.warning("the store hides its maxmemory-policy; it must be noeviction")
    appendonly = all(one.appendonly for one in settings)
    if not appendonly:
        _log.warning("the store writes no append-only file: a restart may lose tables")
    return appendonly


async def _check_primary(client: Redis, address: StoreAddress, ack: Ack, keys: Sequence[str]) -> Settings:
    store = f"The store at {address}"
    try:
        info = await _info(client)
        is_cluster = bool(info.get("cluster_enabled"))
        if is_cluster and address.cluster is None:
            raise _unfit(
                f"{store} is a node of a Cluster: name it with redis+cluster:// in PARLEY_REDIS_URL."
            )
        await client.eval(REHEARSE, len(keys), *keys)
        settings = await _settings(client, info)
    except (redis.exceptions.RedisError, OSError) as error:
        raise _unfit(_refusal(store, address, error)) from error

    version = str(info.get("redis_version", ""))
    if _numbers(version) < OLDEST:
        raise _unfit(f"{store} is version {version or 'unknown'}; Redis 7.0 or Valkey is needed.")
    problem = _fault(settings, store, ack)
    if problem is not None:
        raise _unfit(problem)
    return settings


def _find_rehearsal_keys(address: StoreAddress, prefix: str) -> Sequence[str]:
    """Keys for the rehearsal at this address; a primary of a Cluster takes only those in its own slots."""
    for number in count():
        keys = [f"{prefix}{{rehearsal:{number}}}:{name}" for name in REHEARSAL_KEYS]
        if address.cluster is None or address.cluster.find(find_slot(keys[0])) == address.primary:
            return keys
    raise AssertionError("a primary without slots")


async def examine(client: StoreRedis, ack: Ack, *, was_appendonly: bool) -> Fitness:
    """What has become unsuitable since the start, and the store's memory. Raises the client's errors.

    Of a Cluster, the first problem and caution count, and the memory of the primary that is fullest.
    """
    primaries = await client.list_primaries()
    results = [await _examine_primary(one, place, ack, was_appendonly) for place, one in primaries]
    fullest = max(results, key=lambda one: one.used_bytes / (one.max_bytes or 1))
    return Fitness(
        next((one.problem for one in results if one.problem is not None), None),
        next((one.caution for one in results if one.caution is not None), None),
        fullest.used_bytes,
        fullest.max_bytes,
        all(one.appendonly for one in results),
    )


async def _examine_primary(client: Redis, address: StoreAddress, ack: Ack, was_appendonly: bool) -> Fitness:
    store = f"The store at {address}"
    info = await _info(client)
    settings = await _settings(client, info)
    problem = _fault(settings, store, ack)
    if was_appendonly and not settings.appendonly and ack != "fsync":
        problem = (
            f"{store} writes no append-only file any more, so that a restart loses tables: set appendonly "
            "to yes."
        )
    caution = _caution(settings, ack)
    if caution is None and address.cluster is not None:
        is_needed = await _setting(client, "cluster-require-full-coverage")
        caution = FULL_COVERAGE if is_needed == "yes" else None
    most = int(info.get("maxmemory") or info.get("total_system_memory") or 0)
    used = int(info.get("used_memory") or 0) if most else 0
    return Fitness(problem, caution, used, most, settings.appendonly)


class FitnessWatch:
    """Examines the store every minute; `problem` is one sentence about what is no longer suitable, `caution`
    says what a failover would break.

    `look` raises OSError if the store does not answer. The problem then stays as it was, since the commits
    and the heartbeats report that the store does not answer.
    """

    def __init__(
        self, look: Callable[[], Awaitable[Fitness]], clock: Clock, report: Callable[[Fitness], None]
    ) -> None:
        self._look = look
        self._clock = clock
        self._report = report
        """Called after each look that the store has answered."""
        self.problem: str | None = None
        self.caution: str | None = None

    async def keep(self) -> None:
        """Looks every minute, forever; logs each change once."""
        while True:
            await self._clock.sleep(WATCH_SECONDS)
            await self.look()

    async def look(self) -> None:
        try:
            fitness = await self._look()
        except OSError as error:
            _log.debug("the store's settings could not be read", reason=str(error))
            return
        self._report(fitness)
        if fitness.caution not in (None, self.caution):
            _log.warning("a failover would stop the tables", caution=fitness.caution)
        self.caution = fitness.caution
        problem = fitness.problem
        if problem == self.problem:
            return
        self.problem = problem
        if problem is None:
            _log.info("the store's settings suit again")
        else:
            _log.error("the store's settings no longer suit", problem=problem)


def _fault(settings: Settings, store: str, ack: Ack) -> str | None:
    """Why a store with these settings cannot keep its promises, as one sentence."""
    if settings.policy not in (None, "noeviction"):
        return (
            f"{store} may drop tables when its memory is full (maxmemory-policy is {settings.policy}): set "
            "maxmemory-policy to noeviction."
        )
    if ack == "fsync" and not settings.appendonly:
        return (
            f"PARLEY_ACK is fsync, but {_lower(store)} writes no append-only file: set appendonly to "
            "yes and appendfsync to always."
        )
    if ack == "fsync" and settings.appendfsync != "always":
        return (
            f"PARLEY_ACK is fsync, but appendfsync of {_lower(store)} is "
            f"{settings.appendfsync or 'unknown'}: set it to always."
        )
    needed = count_replicas(ack)
    if settings.replicas < needed:
        return (
            f"PARLEY_ACK is {ack}, but {_lower(store)} has {settings.replicas} of {needed} replicas "
            "connected: connect the others."
        )
    return None


def _caution(settings: Settings, ack: Ack) -> str | None:
    """What a failover would break, and the remedy: the replica that is promoted confirms no more."""
    needed = count_replicas(ack)
    if needed == 0 or settings.replicas > needed:
        return None
    return (
        f"PARLEY_ACK is {ack}, and there is no spare replica: after a failover, no move would be confirmed "
        "until another replica joins. Connect one more."
    )


def _refusal(store: str, address: StoreAddress, error: BaseException) -> str:
    """Why the first calls failed, as one sentence."""
    message = reason(error)
    if "DB index is out of range" in message:
        return (
            f"{store} has no database {address.db} ({message}): correct the number at the end of "
            "PARLEY_REDIS_URL."
        )
    for cause in (error, error.__context__):
        known = cause and meaning(cause)
        if known:
            return f"{store} {known}."
    if isinstance(error, redis.exceptions.ResponseError):
        return f"{store} cannot run scripts, which the hub needs ({message})."
    if address.path is None and (advice := explain_first(error, address.tls is not None)):
        return f"{store} {advice}."
    return f"{store} cannot be reached ({message}): start it, or correct PARLEY_REDIS_URL."


async def _settings(client: Redis, info: dict[str, Any]) -> Settings:
    return Settings(
        policy=await _setting(client, "maxmemory-policy") or info.get("maxmemory_policy"),
        appendonly=bool(info.get("aof_enabled")),
        appendfsync=await _setting(client, "appendfsync"),
        replicas=int(info.get("connected_slaves") or 0),
    )


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
        _log.debug("the store hides its settings", setting=name, reason=str(error))
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
