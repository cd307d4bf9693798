"""What OpenSSL says of a handshake that fails, and what operators are told about it."""

from __future__ import annotations

import ssl
from datetime import timedelta
from pathlib import Path

import pytest

from hub.store.refusals import MapRefused, explain_first, is_stall, meaning
from tests.harness.certificates import self_signed


def shake_hands(client: ssl.SSLContext, server: ssl.SSLContext) -> ssl.SSLError:
    """The client's error. With TLS 1.3, it comes with the first answer, after the handshake."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    one = client.wrap_bio(to_client, to_server, server_hostname="127.0.0.1")
    other = server.wrap_bio(to_server, to_client, server_side=True)
    for act in (one.do_handshake, other.do_handshake) * 2:
        try:
            act()
        except ssl.SSLWantReadError:
            continue
        except ssl.SSLError as error:
            if act == one.do_handshake:
                return error
    with pytest.raises(ssl.SSLError) as caught:
        one.read(1)
    return caught.value


def serve(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def trust(certificate: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate))


def test_a_certificate_that_has_expired(tmp_path: Path) -> None:
    certificate = self_signed(tmp_path, ends=timedelta(hours=-1))
    error = shake_hands(trust(certificate), serve(certificate))
    assert meaning(error) == "has a certificate that has expired: renew it"


def test_a_certificate_of_an_unknown_authority(tmp_path: Path) -> None:
    certificate, other = self_signed(tmp_path), self_signed(tmp_path, name="other")
    said = meaning(shake_hands(trust(other), serve(certificate)))
    assert said is not None
    assert said.startswith("has a certificate that the hub does not trust (self-signed certificate): name")


def test_a_certificate_for_another_address(tmp_path: Path) -> None:
    certificate = self_signed(tmp_path, "192.0.2.1")
    said = meaning(shake_hands(trust(certificate), serve(certificate)))
    assert said is not None
    assert said.startswith("has a certificate that is not valid for '127.0.0.1': have one issued")


def test_a_server_that_wants_a_certificate_says_so(tmp_path: Path) -> None:
    certificate = self_signed(tmp_path)
    server = serve(certificate)
    server.load_verify_locations(certificate)
    server.verify_mode = ssl.CERT_REQUIRED
    said = meaning(shake_hands(trust(certificate), server))
    assert said is not None
    assert said.startswith("wants a certificate of the hub: name its files with ?ssl_certfile=")


@pytest.mark.parametrize("answer", [b"-ERR unknown command\r\n", b"HTTP/1.1 400 Bad Request\r\n"])
def test_a_server_that_answers_without_tls(answer: bytes) -> None:
    to_client = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(to_client, ssl.MemoryBIO(), server_hostname="127.0.0.1")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    to_client.write(answer)
    with pytest.raises(ssl.SSLError) as caught:
        client.do_handshake()
    said = meaning(caught.value)
    assert said is not None
    assert said.startswith("does not speak TLS: switch it on there")


def test_a_server_that_does_not_answer_a_handshake() -> None:
    """It may be frozen: only at the first start is it said that it may not speak TLS."""
    error = ConnectionAbortedError("SSL handshake is taking longer than 0.9 seconds: aborting the connection")
    assert is_stall(error)
    assert meaning(error) is None
    said = explain_first(error, is_tls=True)
    assert said is not None
    assert said.startswith("does not answer the TLS handshake: if it does not speak TLS, switch it on there")


def test_a_cluster_that_gives_no_map() -> None:
    error = MapRefused("127.0.0.1:7000 refuses the login (WRONGPASS): correct the password")
    assert meaning(error) == f"does not say where its tables are: {error}"
