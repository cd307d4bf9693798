"""rediss://: the commit pipe and the store speak TLS, and check who answers."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hub.config import CannotStart
from hub.store.pipe import CommitPipe, Result
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.harness.fault_proxy import FaultProxy
from tests.harness.owner import Owner
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert_file, key_file


async def test_tls(store_process: StoreProcess, prefix: str, tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    async with FaultProxy(store_process.socket, tls=context) as proxy, Tasks() as tasks:
        for options in (f"?ssl_ca_certs={cert}", "?ssl_cert_reqs=none"):
            store = await Store.open(proxy.url + options, prefix=prefix)
            pipe = CommitPipe(proxy.url + options, tasks, prefix=prefix)
            await pipe.connect()
            owner = Owner("one", store, pipe)
            room = f"r{len(options)}"
            assert await owner.create(room)
            assert await owner.commit(b"x" * 100_000) is Result.APPLIED
            assert await store.log(room) == [b"x" * 100_000]
            await pipe.close()
            await store.close()
        with pytest.raises(CannotStart, match="cannot be reached"):
            await Store.open(proxy.url)
        with pytest.raises(CannotStart, match="cannot be reached"):
            await CommitPipe(proxy.url, tasks).connect()


async def test_plain_tcp(store_process: StoreProcess, prefix: str) -> None:
    async with FaultProxy(store_process.socket) as proxy, Tasks() as tasks:
        store = await Store.open(proxy.url, prefix=prefix)
        pipe = CommitPipe(proxy.url, tasks, prefix=prefix)
        await pipe.connect()
        owner = Owner("one", store, pipe)
        assert await owner.create("r")
        assert await owner.commit(b"a") is Result.APPLIED
        await pipe.close()
        await store.close()
