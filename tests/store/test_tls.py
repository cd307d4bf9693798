"""rediss://: the commit pipe and the store client speak TLS, and check the server's certificate."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest

from hub.config import CannotStart, Exit
from hub.store.address import StoreAddress
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
        with pytest.raises(CannotStart, match="if it does not speak TLS, switch it on there") as caught:
            await Store.open(f"rediss://127.0.0.1:{port}", forget_days=DEFAULTS.forget_days)
        assert caught.value.exit is Exit.STORE


async def test_a_server_that_stalls_is_not_said_to_lack_tls() -> None:
    """It accepts connections and says nothing, as one that is frozen or overloaded."""
    connections = asyncio.Semaphore(0)

    class Silence(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            connections.release()

    server = await asyncio.get_running_loop().create_server(Silence, "127.0.0.1", 0)
    async with server, Tasks() as tasks:
        pipe = CommitPipe(f"rediss://127.0.0.1:{server.sockets[0].getsockname()[1]}", tasks)
        with pytest.raises(CannotStart, match="does not answer"):
            await pipe.connect()
        pipe.start()
        for _ in range(3):  # the last one comes after the pipe has judged the one before
            await connections.acquire()
        assert pipe.problem == "the store does not answer"
        await pipe.close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            "ssl_min_version=772",
            "there is no option ssl_min_version; those for TLS are ssl_ca_certs",
        ),
        ("ssl_ciphers=AES128-SHA", "there is no option ssl_ciphers"),
        ("ssl_ca_data=x", "there is no option ssl_ca_data"),
        ("ssl_cert_reqs=optional", "ssl_cert_reqs is none or required"),
        ("ssl_keyfile=key.pem", "ssl_keyfile needs the certificate of the key, ssl_certfile"),
        ("ssl_password=x", "ssl_password needs the certificate of the key, ssl_certfile"),
        ("ssl_check_hostname=off", "ssl_check_hostname is true or false"),
        ("ssl_cert_reqs=none&ssl_check_hostname=true", "with ssl_cert_reqs=none, no host name is checked"),
    ],
)
@pytest.mark.parametrize("scheme", ["rediss", "rediss+cluster"])
async def test_options_that_would_have_no_effect_are_refused(scheme: str, options: str, said: str) -> None:
    with pytest.raises(CannotStart, match=said) as caught:
        StoreAddress.parse(f"{scheme}://127.0.0.1?{options}")
    assert caught.value.exit is Exit.USAGE


@pytest.mark.parametrize("scheme", ["redis", "redis+sentinel", "redis+cluster"])
async def test_options_for_tls_without_it(scheme: str) -> None:
    path = "/tables" if scheme == "redis+sentinel" else ""
    said = "ssl_cert_reqs is only for TLS: begin the URL with rediss, or leave the option out"
    with pytest.raises(CannotStart, match=said) as caught:
        StoreAddress.parse(f"{scheme}://127.0.0.1{path}?ssl_cert_reqs=none")
    assert caught.value.exit is Exit.USAGE


@pytest.mark.parametrize("option", ["ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_keyfile"])
async def test_a_missing_file_is_named(option: str, tmp_path: Path) -> None:
    options = f"ssl_certfile={self_signed(tmp_path)}&" if option == "ssl_keyfile" else ""
    kind = "directory" if option == "ssl_ca_path" else "file"
    with pytest.raises(CannotStart, match=f"there is no {kind} /missing.pem: correct {option}") as caught:
        StoreAddress.parse(f"rediss://127.0.0.1?{options}{option}=/missing.pem")
    assert caught.value.exit is Exit.USAGE


async def test_the_password_of_a_key(tmp_path: Path) -> None:
    """Without it, nobody is asked for one at a terminal."""
    url = f"rediss://127.0.0.1?ssl_certfile={self_signed(tmp_path, password='of the key')}"
    assert StoreAddress.parse(f"{url}&ssl_password=of+the+key").tls is not None
    for wrong in ("", "&ssl_password=another"):
        with pytest.raises(CannotStart, match="ssl_password does not open the key in /") as caught:
            StoreAddress.parse(url + wrong)
        assert "another" not in caught.value.advice


async def test_the_key_of_another_certificate(tmp_path: Path) -> None:
    """The password opens it, so the password is not what to change."""
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    certificate, key = self_signed(one), self_signed(other, password="of the key")
    url = f"rediss://127.0.0.1?ssl_certfile={certificate}&ssl_keyfile={key}&ssl_password=of+the+key"
    with pytest.raises(CannotStart, match=f"the key in {key} is not that of {certificate}"):
        StoreAddress.parse(url)


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
