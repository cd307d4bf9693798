"""rediss://: the commit pipe and the store client speak TLS, and check the server's certificate."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from hub.config import CannotStart, Exit
from hub.store.pipe import CommitPipe, Result
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.conftest import BUNDLED
from tests.harness.certificates import self_signed
from tests.harness.defaults import DEFAULTS
from tests.harness.fault_proxy import FaultProxy
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess, free_port

pytestmark = pytest.mark.asyncio


async def test_tls(store_process: StoreProcess, prefix: str, tmp_path: Path) -> None:
    certificate = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    async with FaultProxy(store_process.socket, tls=context) as proxy, Tasks() as tasks:
        for options in (f"?ssl_ca_certs={certificate}", "?ssl_cert_reqs=none"):
            store = await Store.open(proxy.url + options, prefix=prefix, forget_days=DEFAULTS.forget_days)
            pipe = CommitPipe(proxy.url + options, tasks, prefix=prefix)
            await pipe.connect()
            owner = Owner("one", store, pipe)
            room = f"r{len(options)}"
            assert await owner.create(room)
            assert await owner.commit(b"x" * 100_000) is Result.APPLIED
            assert await store.log(room) == [b"x" * 100_000]
            await pipe.close()
            await store.close()
        with pytest.raises(CannotStart, match="has a certificate that the hub does not trust"):
            await Store.open(proxy.url, forget_days=DEFAULTS.forget_days)
        with pytest.raises(CannotStart, match="has a certificate that the hub does not trust"):
            await CommitPipe(proxy.url, tasks).connect()


async def test_plain_tcp(store_process: StoreProcess, prefix: str) -> None:
    async with FaultProxy(store_process.socket) as proxy, Tasks() as tasks:
        store = await Store.open(proxy.url, prefix=prefix, forget_days=DEFAULTS.forget_days)
        pipe = CommitPipe(proxy.url, tasks, prefix=prefix)
        await pipe.connect()
        owner = Owner("one", store, pipe)
        assert await owner.create("r")
        assert await owner.commit(b"a") is Result.APPLIED
        await pipe.close()
        await store.close()


async def test_a_server_that_wants_a_certificate_of_the_hub(
    store_process: StoreProcess, prefix: str, tmp_path: Path
) -> None:
    certificate = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.load_verify_locations(certificate)
    context.verify_mode = ssl.CERT_REQUIRED
    async with FaultProxy(store_process.socket, tls=context) as proxy:
        url = f"{proxy.url}?ssl_ca_certs={certificate}"
        with pytest.raises(CannotStart, match="if it wants a certificate of the hub, name its files"):
            await Store.open(url, prefix=prefix, forget_days=DEFAULTS.forget_days)
        url += f"&ssl_certfile={certificate}"
        await (await Store.open(url, prefix=prefix, forget_days=DEFAULTS.forget_days)).close()


async def test_a_server_without_tls(short_path: Path) -> None:
    port = free_port()
    with StoreProcess(BUNDLED, short_path, port=port):
        with pytest.raises(CannotStart, match="does not speak TLS: switch it on there") as caught:
            await Store.open(f"rediss://127.0.0.1:{port}", forget_days=DEFAULTS.forget_days)
        assert caught.value.exit is Exit.STORE


async def test_sentinels(store_process: StoreProcess, tmp_path: Path) -> None:
    """What answers here is no Sentinel, and says so over TLS."""
    certificate = self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    async with FaultProxy(store_process.socket, tls=context) as proxy:
        url = f"rediss+sentinel://127.0.0.1:{proxy.port}/tables"
        for options, said in (
            (f"?ssl_ca_certs={certificate}", "no Sentinel names a primary called tables: unknown command"),
            ("", "has a certificate that the hub does not trust"),
        ):
            with pytest.raises(CannotStart, match=said):
                await Store.open(url + options, forget_days=DEFAULTS.forget_days)
