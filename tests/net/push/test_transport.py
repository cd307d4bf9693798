"""A request to a push service a stranger has named: to public addresses alone, and never for long (R28)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hub.net.push.transport import PushTransport, RefusedEndpoint, Unreachable, is_public, split_endpoint
from tests.net.push.push_service import PushService, run_service

pytestmark = pytest.mark.asyncio


async def test_a_request_is_answered(tmp_path: Path) -> None:
    async with run_service(tmp_path) as service:
        status = await service.transport().post(service.endpoint(), {"ttl": "5"}, b"sealed")
        assert status == 201
        (request,) = service.requests
        assert (request.target, request.body) == ("/a?b=c", b"sealed")
        assert request.headers["host"] == f"push.example:{service.port}"
        assert request.headers["ttl"] == "5"


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.5.5", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "192.0.2.7", "::1", "::", "fc00::1", "fe80::1", "fe80::1%eth0"),
        *("ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1"),
        *("2002:7f00:1::", "2002:a00:1::1", "2001:db8::1", "::127.0.0.1", "fec0::1", "::ffff:0:127.0.0.1"),
        *("64:ff9b:1::7f00:1", "4000::1"),
    ],
)
async def test_no_private_address_is_public(address: str) -> None:
    assert not is_public(address)


async def test_public_addresses() -> None:
    for address in ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"):
        assert is_public(address), address


@pytest.mark.parametrize(
    "endpoint",
    [
        *("http://push.example/", "https://push.example:8443/", "https://localhost/", "https://127.0.0.1/"),
        *("https://[::1]/", "https://127.1/", "https://0x7f.1.", "https://2130706433/", "ftp://push.example"),
        *("https://user@push.example/", "https://user:word@push.example/", "https://push.example/#part"),
        *("https://push.example:99999/", "https://push.example/ x", "https://pu\u0455h.example/", "https://"),
        *("https://push.example/\r\nx: y", f"https://push.example/{'x' * 1000}", "//push.example/", "x"),
    ],
)
async def test_endpoints_that_are_none(endpoint: str) -> None:
    if endpoint == "https://0x7f.1.":  # a name as far as we know: what it resolves to decides
        return
    with pytest.raises(RefusedEndpoint):
        split_endpoint(endpoint)


async def test_a_name_that_leads_to_a_private_address_is_not_called(tmp_path: Path) -> None:
    """As the hub does it: with the system's own resolver."""
    async with run_service(tmp_path) as service:
        transport = PushTransport(tls=service.tls, ports={service.port})
        for name in ("localhost.localdomain", "127.0.0.1.nip.invalid"):
            with pytest.raises((RefusedEndpoint, Unreachable)):
                await transport.post(service.endpoint(name), {}, b"")

        async def resolve(_host: str, _port: int) -> list[str]:
            return ["8.8.8.8", "127.0.0.1"]

        mixed = PushTransport(tls=service.tls, ports={service.port}, resolve=resolve)
        with pytest.raises(RefusedEndpoint, match="not a public address"):
            await mixed.post(service.endpoint(), {}, b"")
        assert service.connections == 0


async def test_the_checked_address_is_the_one_connected_to(tmp_path: Path) -> None:
    """A name may resolve to another address the next time (DNS rebinding)."""
    async with run_service(tmp_path, "127.0.0.2") as service:
        answers = [["127.0.0.2"], ["127.0.0.1"]]

        async def resolve(_host: str, _port: int) -> list[str]:
            return answers.pop(0)

        transport = service.transport(resolve=resolve, is_allowed=lambda address: address == "127.0.0.2")
        assert await transport.post(service.endpoint("localhost.example"), {}, b"") == 201
        assert answers == [["127.0.0.1"]], "resolved once"
        assert service.connections == 1


async def test_the_host_must_prove_its_name(tmp_path: Path) -> None:
    async with run_service(tmp_path, verify_name=True) as service:
        with pytest.raises(Unreachable, match="SSLCertVerificationError"):
            await service.transport().post(service.endpoint("push.example"), {}, b"secret")
        assert service.requests == []


async def test_a_redirect_is_only_an_answer(tmp_path: Path) -> None:
    async with run_service(tmp_path) as service:
        location = service.endpoint(path="/elsewhere")
        service.answer = f"HTTP/1.1 307 Later\r\nlocation: {location}\r\n\r\n".encode()
        assert await service.transport().post(service.endpoint(), {}, b"") == 307
        assert service.connections == 1


async def test_a_huge_answer_is_not_read(tmp_path: Path) -> None:
    async with run_service(tmp_path) as service:
        service.endless = bytes(65536)
        assert await service.transport().post(service.endpoint(), {}, b"") == 201
        await fail(service, b"HTTP/1.1 200 OK\r\nx: ", b"y" * 65536)
        await fail(service, b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


async def fail(service: PushService, answer: bytes, endless: bytes) -> None:
    service.answer, service.endless = answer, endless
    with pytest.raises(Unreachable):
        await service.transport().post(service.endpoint(), {}, b"")


async def test_what_is_not_http(tmp_path: Path) -> None:
    async with run_service(tmp_path) as service:
        for answer in (b"", b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 two hundred\r\n\r\n", bytes(100)):
            service.answer = answer
            with pytest.raises(Unreachable):
                await service.transport().post(service.endpoint(), {}, b"")


async def test_a_silent_service_is_given_up(tmp_path: Path) -> None:
    async with run_service(tmp_path) as service:
        service.is_silent = True
        with pytest.raises(Unreachable, match="TimeoutError"):
            await service.transport(seconds=0.2).post(service.endpoint(), {}, b"")


async def test_nobody_listens() -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return ["127.0.0.1", "127.0.0.3"]

    transport = PushTransport(resolve=resolve, is_allowed=lambda address: True, ports={9})
    with pytest.raises(Unreachable):
        await asyncio.wait_for(transport.post("https://push.example:9/", {}, b""), 30)
