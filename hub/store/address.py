"""The address of the store: where it is, how to log in, and TLS.

A store with a failover is the name of a primary and the addresses of its Sentinels, in a URL such as
`redis+sentinel://user:password@one:26379,two:26379,three:26379/tables`: the name may be followed by `/` and
the number of a database, `?sentinel_username=` and `?sentinel_password=` log in to the Sentinels, and with
`rediss+sentinel://` they and the store are reached over TLS. Each new connection asks them for the primary.

A Cluster is the addresses of some of its nodes, as in `redis+cluster://user:password@one,two:7000`; with
`rediss+cluster://`, all nodes are reached over TLS. Each new connection reads the map of its slots first.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, parse_qs, urlencode, urlsplit

import redis.exceptions
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.connection import parse_url

from hub.config import CannotStart, Exit
from hub.store.cluster import CLUSTER_PORT, FRESH_SECONDS, NODE_SECONDS, Cluster, Primary
from hub.store.resp import RespConnection, pack
from hub.store.tls import TLS_SECONDS, TlsConnection, make_context, refuse_options


class _Named(NamedTuple):
    """The primary that a Sentinel names. Of two in the same epoch, the one that moves it knows better."""

    epoch: int
    is_moving: bool
    host: str
    port: int


SENTINEL_PORT: Final = 26379
SENTINEL_SECONDS: Final = 0.5
"""How long a Sentinel may take to answer."""
SENTINEL_LOGIN: Final = ("sentinel_username", "sentinel_password")
"""The options of a URL that log in to its Sentinels."""
PORTS: Final = {"sentinel": SENTINEL_PORT, "cluster": CLUSTER_PORT}
"""The default port of what a URL names, by the second part of its scheme."""
NO_REPLICA: Final = pack(b"WAIT", b"0", b"0")
"""A command that changes nothing, and that a replica refuses."""


@dataclass(slots=True)
class Sentinels:
    """The Sentinels that watch a primary of this name."""

    name: str
    hosts: tuple[tuple[str, int], ...]
    options: dict[str, Any]
    """How redis-py connects to each."""
    epoch: int = 0
    """The highest configuration epoch seen. An answer of a lower one is from before a failover."""

    async def find_primary(self) -> tuple[str, int]:
        """The host and port of the primary, from the Sentinel that knows of the latest failover.

        Raises ConnectionError if none of them names one.
        """
        answers = await asyncio.gather(*(self._ask(host, port) for host, port in self.hosts))
        named = [answer for answer in answers if isinstance(answer, _Named) and answer.epoch >= self.epoch]
        if not named:
            said = "; ".join(dict.fromkeys(answer for answer in answers if isinstance(answer, str)))
            raise ConnectionError(
                f"no Sentinel names a primary called {self.name}: {said or 'all are behind'}"
            )
        latest = max(named)
        self.epoch = latest.epoch
        return latest.host, latest.port

    async def agree_on(self, primary: tuple[str, int]) -> bool:
        """Whether most Sentinels answer, all of these name this primary, and none moves it."""
        answers = await asyncio.gather(*(self._ask(host, port) for host, port in self.hosts))
        named = [answer for answer in answers if isinstance(answer, _Named)]
        return 2 * len(named) > len(self.hosts) and all(
            (answer.host, answer.port) == primary and not answer.is_moving for answer in named
        )

    async def list_replicas(self) -> Mapping[Primary, Collection[Primary]]:
        """By the primary, all that a Sentinel knows as replicas, whether or not they follow.

        Raises ConnectionError if no Sentinel answers.
        """
        primary = await self.find_primary()
        answers = await asyncio.gather(*(self._ask_replicas(host, port) for host, port in self.hosts))
        lists = [answer for answer in answers if not isinstance(answer, str)]
        if not lists:
            raise ConnectionError(f"no Sentinel names the replicas of {self.name}: {answers[0]}")
        return {primary: {replica for known in lists for replica in known}}

    def _client(self, host: str, port: int) -> Redis:
        return Redis.from_pool(ConnectionPool(host=host, port=port, **self.options))

    async def _ask_replicas(self, host: str, port: int) -> Collection[Primary] | str:
        """The replicas that a Sentinel knows, or why it names none."""
        async with self._client(host, port) as sentinel:
            try:
                replicas: Any = await sentinel.sentinel_slaves(self.name)
            except (redis.exceptions.RedisError, OSError, RuntimeError) as error:  # as in `_ask`
                return str(error) or f"{host}:{port} does not answer"
        return {(str(one["ip"]), int(one["port"])) for one in replicas}

    async def _ask(self, host: str, port: int) -> _Named | str:
        """What a Sentinel says of the primary, or why it names none.

        Its list of primaries has the epoch, but during a failover still the old address.
        """
        async with self._client(host, port) as sentinel:
            try:
                masters: Any = await sentinel.sentinel_masters()
                address: Any = await sentinel.sentinel_get_master_addr_by_name(self.name)
            except (redis.exceptions.RedisError, OSError, RuntimeError) as error:
                # RuntimeError: uvloop's for a connection that was reset before the first command
                return str(error) or f"{host}:{port} does not answer"
        state = masters.get(self.name)
        if state is None or address is None:
            return f"{host}:{port} watches no primary called {self.name}"
        is_moving = "failover_in_progress" in state["flags"]
        if not is_moving and (state["is_sdown"] or state["is_odown"]):
            return f"{host}:{port} says that it is down"
        return _Named(int(state["config-epoch"]), is_moving, str(address[0]), int(address[1]))

    def __str__(self) -> str:
        return f"{self.name} (Sentinels {', '.join(f'{host}:{port}' for host, port in self.hosts)})"


@dataclass(slots=True, frozen=True)
class StoreAddress:
    """The address of a store and how to connect to it."""

    host: str
    port: int
    path: str | None
    username: str | None
    password: str | None
    db: int
    tls: ssl.SSLContext | None
    sentinels: Sentinels | None = None
    cluster: Cluster | None = None
    """With neither, the store is always at `host` and `port`."""
    primary: Primary | None = None
    """The node of the Cluster that is meant."""

    @classmethod
    def parse(cls, url: str) -> StoreAddress:
        """The address for a URL. Raises CannotStart for any that cannot be used."""
        try:
            plain, hosts = _split(url)
            parts: dict[str, Any] = dict(parse_url(plain))  # type: ignore[no-untyped-call]
            options = _read_query(urlsplit(plain))
            if plain.startswith("rediss://"):
                tls = make_context(options)
            else:
                refuse_options(options)
                tls = None
            ConnectionPool.from_url(plain).make_connection()  # type: ignore[no-untyped-call]  # TypeError for an unknown option
            sentinels = _find_sentinels(_split_url(url), hosts, tls)
            cluster = _find_cluster(_split_url(url), hosts, parts, tls)
        except (ValueError, TypeError, OSError) as error:
            raise CannotStart(f"PARLEY_REDIS_URL cannot be used: {error}.", Exit.USAGE) from error
        return cls(
            host=parts.get("host", "localhost"),
            port=parts.get("port", 6379),
            path=parts.get("path"),
            username=parts.get("username"),
            password=parts.get("password"),
            db=parts.get("db", 0),
            tls=tls,
            sentinels=sentinels,
            cluster=cluster,
        )

    def at(self, primary: Primary) -> StoreAddress:
        """The address of one node of the Cluster."""
        return replace(self, primary=primary)

    async def connect(self, protocol: RespConnection) -> None:
        """Connects to the store: to the primary that Sentinels name, or to one node of a Cluster.

        Raises OSError.
        """
        loop = asyncio.get_running_loop()
        if self.path is not None:
            await loop.create_unix_connection(lambda: protocol, self.path)
            return
        host, port = self.host, self.port
        if self.cluster is not None:
            assert self.primary is not None
            await self.cluster.refresh(FRESH_SECONDS)
            protocol.leads_to = host, port = self.primary
        elif self.sentinels is not None:
            protocol.leads_to = host, port = await self.sentinels.find_primary()
        seconds = None if self.tls is None else TLS_SECONDS
        await loop.create_connection(
            lambda: protocol, host, port, ssl=self.tls, ssl_handshake_timeout=seconds
        )

    def greeting(self) -> list[bytes]:
        """The packed commands that open a connection: AUTH and SELECT, if needed.

        A replica refuses them if there are Sentinels: one that has not noticed a failover may name it.
        """
        commands = []
        if self.password is not None:
            login = (self.username, self.password) if self.username else (self.password,)
            commands.append(pack(b"AUTH", *login))
        if self.db:
            commands.append(pack(b"SELECT", self.db))
        if self.sentinels is not None:
            commands.append(NO_REPLICA)
        return commands

    def __str__(self) -> str:
        if self.sentinels is not None:
            return str(self.sentinels)
        if self.primary is not None:
            return "{}:{}".format(*self.primary)
        if self.cluster is not None:
            return str(self.cluster)
        return self.path or f"{self.host}:{self.port}"


def _split(url: str) -> tuple[str, tuple[tuple[str, int], ...]]:
    """A URL as redis-py reads it, and the Sentinels or nodes that it names; the host is then the first one's.

    Raises ValueError.
    """
    parts = _split_url(url)
    scheme, _, shape = parts.scheme.partition("+")
    if shape not in PORTS:
        return url, ()
    login, at, addresses = parts.netloc.rpartition("@")
    hosts = tuple(_host_and_port(address, PORTS[shape]) for address in addresses.split(",") if address)
    if not hosts:
        raise ValueError(f"it must name hosts, as in redis+{shape}://one,two,three")
    db = parts.path.strip("/")
    if shape == "sentinel":
        db = db.partition("/")[2]
    elif db not in ("", "0"):
        raise ValueError("a Cluster has no numbered databases")
    query = [(option, value) for option, value in _read_query(parts).items() if option not in SENTINEL_LOGIN]
    host, port = hosts[0]
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{login}{at}{shown}:{port}/{db}?{urlencode(query)}", hosts


def _find_sentinels(
    parts: SplitResult, hosts: tuple[tuple[str, int], ...], tls: ssl.SSLContext | None
) -> Sentinels | None:
    """The Sentinels of a URL that names some. Raises ValueError."""
    if not parts.scheme.endswith("+sentinel"):
        return None
    name = parts.path.strip("/").partition("/")[0]
    if not name:
        raise ValueError("it must name Sentinels and a primary, as in redis+sentinel://one,two,three/tables")
    username, password = (_read_query(parts).get(option) for option in SENTINEL_LOGIN)
    return Sentinels(name, hosts, _options(SENTINEL_SECONDS, username, password, tls))


def _find_cluster(
    parts: SplitResult,
    hosts: tuple[tuple[str, int], ...],
    login: Mapping[str, Any],
    tls: ssl.SSLContext | None,
) -> Cluster | None:
    """The Cluster of a URL that names one; `login` has the user and the password."""
    if not parts.scheme.endswith("+cluster"):
        return None
    return Cluster(hosts, _options(NODE_SECONDS, login.get("username"), login.get("password"), tls))


def _options(
    seconds: float, username: str | None, password: str | None, tls: ssl.SSLContext | None
) -> dict[str, Any]:
    """How redis-py connects to a node or a Sentinel, which answers within this time or not at all."""
    return {
        "username": username,
        "password": password,
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "decode_responses": True,
        "retry": Retry(NoBackoff(), 0),  # redis-py tries again by default
        "protocol": 2,
        **({} if tls is None else {"connection_class": TlsConnection, "tls": tls}),
    }


def _split_url(url: str) -> SplitResult:
    """The parts of a URL that may name several hosts, which urlsplit refuses if one is an IPv6 address."""
    scheme, slashes, rest = url.partition("//")
    netloc = re.split("[/?#]", rest, maxsplit=1)[0]
    return urlsplit(scheme + slashes + rest.removeprefix(netloc))._replace(netloc=netloc)


def _read_query(parts: SplitResult) -> dict[str, str]:
    return {option: values[-1] for option, values in parse_qs(parts.query).items()}


def _host_and_port(address: str, default: int) -> tuple[str, int]:
    parts = urlsplit(f"//{address}")
    if not parts.hostname:
        raise ValueError(f"{address} is not the address of a server")
    return parts.hostname, parts.port or default
