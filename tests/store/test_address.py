"""The store's address: URLs are read as in redis-py."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

import pytest
import uvloop
from redis.asyncio import Connection

from hub.config import CannotStart, Exit
from hub.store.address import StoreAddress
from hub.store.resp import pack
from hub.store.store import Store
from tests.harness.defaults import DEFAULTS
from tests.harness.routes import Route


def test_tcp() -> None:
    address = StoreAddress.parse("redis://ann:secret@store.example:6380/2")
    assert (address.host, address.port, address.path, address.tls) == ("store.example", 6380, None, None)
    assert address.greeting() == [pack(b"AUTH", b"ann", b"secret"), pack(b"SELECT", 2)]
    assert str(address) == "store.example:6380"


def test_defaults() -> None:
    address = StoreAddress.parse("redis://")
    assert (str(address), address.greeting()) == ("localhost:6379", [])


def test_unix() -> None:
    address = StoreAddress.parse("unix://:secret@/run/store.sock")
    assert address.greeting() == [pack(b"AUTH", b"secret")]
    assert str(address) == "/run/store.sock", "the login is never shown"


@pytest.mark.parametrize(
    ("options", "checks_host", "mode"),
    [
        ("", True, ssl.CERT_REQUIRED),
        ("?ssl_cert_reqs=none", False, ssl.CERT_NONE),
        ("?ssl_check_hostname=false", False, ssl.CERT_REQUIRED),
    ],
)
def test_tls(options: str, checks_host: bool, mode: ssl.VerifyMode) -> None:
    tls = StoreAddress.parse(f"rediss://store.example{options}").tls
    assert tls is not None
    assert (tls.check_hostname, tls.verify_mode) == (checks_host, mode)


def test_sentinels() -> None:
    url = (
        "redis+sentinel://ann:secret@one:1,[::2],three/tables/4?sentinel_username=bo&sentinel_password=x%26y"
    )
    address = StoreAddress.parse(url)
    assert address.sentinels is not None
    assert address.sentinels.hosts == (("one", 1), ("::2", 26379), ("three", 26379))
    assert address.sentinels.options["username"] == "bo"
    assert address.sentinels.options["password"] == "x&y"
    assert address.greeting()[:2] == [pack(b"AUTH", b"ann", b"secret"), pack(b"SELECT", 4)]
    assert str(address) == "tables (Sentinels one:1, ::2:26379, three:26379)"


def test_sentinels_with_tls() -> None:
    address = StoreAddress.parse("rediss+sentinel://one,two/tables?ssl_cert_reqs=none")
    assert address.tls is not None
    assert address.tls.verify_mode is ssl.CERT_NONE
    assert address.sentinels is not None
    assert address.sentinels.options["tls"] is address.tls


def test_a_missing_certificate_authority() -> None:
    with pytest.raises(CannotStart, match="PARLEY_REDIS_URL") as caught:
        StoreAddress.parse("rediss://store.example?ssl_ca_certs=/nonexistent.pem")
    assert caught.value.exit is Exit.USAGE


@pytest.mark.parametrize("url", ["redis+ring://a", "http://a", "nonsense"])
def test_other_schemes(url: str) -> None:
    with pytest.raises(CannotStart, match=r"PARLEY_REDIS_URL .*\(redis://, rediss://, unix://\)") as caught:
        StoreAddress.parse(url)
    assert caught.value.exit is Exit.USAGE


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "url",
    [
        "redis://host:port",
        "redis://host:99999",
        "unix:///tmp/s.sock?db=x",
        "redis://host?nonsense=1",
        "redis+sentinel://a,b",
        "redis+sentinel:///tables",
        "redis+sentinel://a:x/tables",
        "redis+sentinel://a/tables?nonsense=1",
        "redis+cluster://a/2",
        "host:6379",
    ],
)
async def test_invalid_store_urls(url: str) -> None:
    with pytest.raises(CannotStart, match="PARLEY_REDIS_URL") as caught:
        await Store.open(url, forget_days=DEFAULTS.forget_days)
    assert caught.value.exit is Exit.USAGE


def test_a_sentinel_that_resets_connections_names_no_primary(monkeypatch: pytest.MonkeyPatch) -> None:
    """G1.4: a reset before the first command is a RuntimeError of uvloop's, which ended a hub's heartbeats
    (a storm with `--store sentinel --seed 3`)."""
    connect: Any = Connection._connect

    async def connect_until_reset(connection: Connection) -> None:
        await connect(connection)
        writer: Any = connection._writer
        while not writer.transport.is_closing():  # noqa: ASYNC110 - a reset sets no event
            await asyncio.sleep(0)

    async def ask() -> None:
        async with Route(1) as route:
            route.refuse()
            url = f"redis+sentinel://127.0.0.1:{route.port}/tables?sentinel_password=any"
            sentinels = StoreAddress.parse(url).sentinels
            assert sentinels is not None
            with pytest.raises(ConnectionError, match="no Sentinel names a primary"):
                await sentinels.find_primary()

    monkeypatch.setattr(Connection, "_connect", connect_until_reset)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(ask())
