"""The address of the store: where it is, how to log in, and TLS.

A store with a failover is the name of a primary and the addresses of its Sentinels, in a URL such as
`redis+sentinel://user:password@one:26379,two:26379,three:26379/tables`: the name may be followed by `/` and
the number of a database, `?sentinel_username=` and `?sentinel_password=` log in to the Sentinels, and with
`rediss+sentinel://` they and the store are reached over TLS. Each new connection asks them for the primary.
"""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

import redis.exceptions
from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.connection import parse_url

from hub.config import CannotStart, Exit
from hub.store.resp import RespConnection, pack


class _Named(NamedTuple):
    """The primary that a Sentinel names. Of two in the same epoch, the one that moves it knows better."""

    epoch: int
    is_moving: bool
    host: str
    port: int


SENTINEL_PORT: Final = 26379
SENTINEL_SECONDS: Final = 0.5
"""How long a Sentinel may take to answer."""
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

    async def _ask(self, host: str, port: int) -> _Named | str:
        """What a Sentinel says of the primary, or why it names none.

        Its list of primaries has the epoch, but during a failover still the old address.
        """
        async with Redis(host=host, port=port, **self.options) as sentinel:
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
    """None for a store that is always at `host` and `port`."""

    @classmethod
    def parse(cls, url: str) -> StoreAddress:
        """The address for a URL. Raises CannotStart for any that cannot be used."""
        try:
            plain, sentinels = _split(url)
            parts: dict[str, Any] = dict(parse_url(plain))  # type: ignore[no-untyped-call]
            tls = _tls(parts) if plain.startswith("rediss://") else None
            ConnectionPool.from_url(plain).make_connection()  # type: ignore[no-untyped-call]  # TypeError for an unknown option
            if sentinels is not None:
                sentinels.options.update(_pick_tls(parts) if tls is not None else {})
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
        )

    async def connect(self, protocol: RespConnection) -> None:
        """Connects to the store. Raises OSError."""
        loop = asyncio.get_running_loop()
        if self.sentinels is not None:
            protocol.leads_to = host, port = await self.sentinels.find_primary()
            await loop.create_connection(lambda: protocol, host, port, ssl=self.tls)
            return
        if self.path is not None:
            await loop.create_unix_connection(lambda: protocol, self.path)
        else:
            await loop.create_connection(lambda: protocol, self.host, self.port, ssl=self.tls)

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
        return self.path or f"{self.host}:{self.port}"


def _split(url: str) -> tuple[str, Sentinels | None]:
    """A URL as redis-py reads it, and the Sentinels that it names; the host is then that of the first.

    Raises ValueError.
    """
    parts = urlsplit(url)
    if not parts.scheme.endswith("+sentinel"):
        return url, None
    login, at, addresses = parts.netloc.rpartition("@")
    name, _, db = parts.path.strip("/").partition("/")
    hosts = tuple(_host_and_port(address) for address in addresses.split(",") if address)
    if not hosts or not name:
        raise ValueError("it must name Sentinels and a primary, as in redis+sentinel://one,two,three/tables")
    query = {option: values[-1] for option, values in parse_qs(parts.query).items()}
    options: dict[str, Any] = {
        "username": query.pop("sentinel_username", None),
        "password": query.pop("sentinel_password", None),
        "socket_timeout": SENTINEL_SECONDS,
        "socket_connect_timeout": SENTINEL_SECONDS,
        "decode_responses": True,
        "retry": Retry(NoBackoff(), 0),  # redis-py tries again by default
        "protocol": 2,
    }
    scheme = parts.scheme.removesuffix("+sentinel")
    host, port = hosts[0]
    shown = f"[{host}]" if ":" in host else host
    plain = f"{scheme}://{login}{at}{shown}:{port}/{db}?{urlencode(query)}"
    return plain, Sentinels(name, hosts, options)


def _host_and_port(address: str) -> tuple[str, int]:
    parts = urlsplit(f"//{address}")
    if not parts.hostname:
        raise ValueError(f"{address} is not the address of a Sentinel")
    return parts.hostname, parts.port or SENTINEL_PORT


def _pick_tls(parts: dict[str, Any]) -> dict[str, Any]:
    """The options of redis-py for TLS among those of a URL."""
    return {"ssl": True} | {name: value for name, value in parts.items() if name.startswith("ssl_")}


def _tls(parts: dict[str, Any]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=parts.get("ssl_ca_certs"), capath=parts.get("ssl_ca_path"))
    if parts.get("ssl_certfile"):
        context.load_cert_chain(parts["ssl_certfile"], parts.get("ssl_keyfile"))
    if parts.get("ssl_cert_reqs") == "none":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif str(parts.get("ssl_check_hostname", "true")).lower() in ("false", "0", "no"):
        context.check_hostname = False
    return context
