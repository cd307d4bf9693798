"""The certificate of a hub that serves https: made once, for its owner alone, and renewed when it must be."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import msgpack  # type: ignore[import-untyped]
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from hub.certificate import (
    AUTHORITY_URL,
    LIFE,
    RENEWAL,
    HubCertificate,
    _make_certificate,
    _write,
    authority_path,
    keep_certificate,
    renew_certificate,
)
from hub.config import CannotStart
from hub.wire.messages import SUBPROTOCOL
from tests.harness.manual_clock import ManualClock
from tests.harness.processes import HubProcess

AT = datetime.now(UTC)
PHONE = "192.168.7.7"


def keep(folder: Path, *addresses: str, at: datetime = AT) -> HubCertificate:
    return keep_certificate(folder, addresses or [PHONE], at)


def trusting(folder: Path) -> ssl.SSLContext:
    """What a device does that has installed the authority alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(keep(folder).authority))
    return context


def handshake(server: ssl.SSLContext, client: ssl.SSLContext, name: str) -> None:
    """A TLS handshake in memory. Raises SSLError."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    near = client.wrap_bio(to_client, to_server, server_hostname=name)
    far = server.wrap_bio(to_server, to_client, server_side=True)
    sides = [near, far]
    while sides:
        side = sides.pop(0)
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            sides.append(side)


def serving(file: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def test_a_device_that_trusts_the_authority_trusts_the_hub(tmp_path: Path) -> None:
    file = keep(tmp_path).file
    machine = socket.gethostname().partition(".")[0].lower()
    for name in (PHONE, "127.0.0.1", "localhost", f"{machine}.local"):
        handshake(serving(file), trusting(tmp_path), name)
    with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
        handshake(serving(file), trusting(tmp_path), "192.168.7.8")


def test_it_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    first = keep(tmp_path)
    content = first.file.read_bytes()
    assert first.is_new
    again = keep(tmp_path, at=AT + timedelta(days=100))
    assert (again.is_new, again.file.read_bytes(), again.authority) == (False, content, first.authority)
    kept = sorted((tmp_path / "https").iterdir())
    assert [path.name for path in kept] == ["authority.pem", "hub.pem"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_other_addresses_or_a_near_end_renew_it_under_the_same_authority(tmp_path: Path) -> None:
    first = keep(tmp_path)
    trust = trusting(tmp_path)
    moved = keep(tmp_path, "10.0.0.9")
    assert moved.is_new
    handshake(serving(moved.file), trust, "10.0.0.9")
    late = keep(tmp_path, "10.0.0.9", at=AT + LIFE - RENEWAL)
    assert late.is_new
    assert late.authority == moved.authority == first.authority


def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    first = keep(tmp_path)
    first.file.write_bytes(first.file.read_bytes()[:300])
    assert keep(tmp_path).is_new
    authority_path(tmp_path).write_bytes(b"-----BEGIN nothing")
    replaced = keep(tmp_path)
    assert replaced.is_new
    assert replaced.authority != first.authority
    handshake(serving(replaced.file), trusting(tmp_path), PHONE)


def test_the_authority_cannot_sign_for_the_rest_of_the_internet(tmp_path: Path) -> None:
    keep(tmp_path)
    stored = authority_path(tmp_path).read_bytes()
    authority = (load_pem_private_key(stored, None), x509.load_pem_x509_certificate(stored))
    names: dict[str, x509.GeneralName] = {
        "bank.example": x509.DNSName("bank.example"),
        "8.8.8.8": x509.IPAddress(ipaddress.ip_address("8.8.8.8")),
    }
    for name, general in names.items():
        pair = _make_certificate(authority, [general], AT)  # type: ignore[arg-type]
        _write(tmp_path / "forged.pem", pair)
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
            handshake(serving(tmp_path / "forged.pem"), trusting(tmp_path), name)


def test_a_public_address_is_left_out(tmp_path: Path) -> None:
    """One name outside what the authority may sign would make the whole certificate void."""
    file = keep(tmp_path, PHONE, "8.8.8.8").file
    handshake(serving(file), trusting(tmp_path), PHONE)


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "https").write_text("a file")
    with pytest.raises(CannotStart, match="data folder"):
        keep(tmp_path)


@pytest.mark.asyncio
async def test_a_running_hub_takes_the_new_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import hub.certificate

    context = serving(keep(tmp_path).file)
    monkeypatch.setattr(hub.certificate, "network_addresses", lambda: ["10.0.0.9"])
    clock = ManualClock()
    sleeps = 0

    async def sleep(_seconds: float) -> None:
        nonlocal sleeps
        sleeps += 1
        if sleeps == 2:
            raise InterruptedError

    monkeypatch.setattr(clock, "sleep", sleep)
    with pytest.raises(InterruptedError):
        await renew_certificate(tmp_path, context, clock)
    handshake(context, trusting_as_is(tmp_path), "10.0.0.9")


def trusting_as_is(folder: Path) -> ssl.SSLContext:
    """Like `trusting`, but creates nothing."""
    return ssl.create_default_context(cafile=authority_path(folder))


def test_a_hub_serves_pages_and_sockets_over_https(tmp_path: Path) -> None:
    with HubProcess(tmp_path, https="true") as hub:
        assert hub.url.startswith("https://127.0.0.1:")
        context = trusting_as_is(tmp_path)
        with httpx.Client(base_url=hub.url, verify=context) as http:
            assert http.get(AUTHORITY_URL).headers["content-type"] == "application/x-x509-ca-cert"
            token = http.post("/api/people", json={"name": "Ann", "colour": 0}).json()["token"]
            bearer = {"authorization": f"Bearer {token}"}
            body = {"game": "almost", "seats": 3, "play_now": True}
            place = http.post("/api/rooms", headers=bearer, json=body).json()
        assert place["socket"].startswith("wss://127.0.0.1:")
        with connect(
            place["socket"],
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            ssl=context,
            origin=Origin(hub.url),
        ) as socket_:
            socket_.send(msgpack.packb({"t": "hello", "ticket": place["ticket"]}))
            assert msgpack.unpackb(socket_.recv(timeout=20))["t"] == "welcome"
            assert msgpack.unpackb(socket_.recv(timeout=20))["t"] == "view"
