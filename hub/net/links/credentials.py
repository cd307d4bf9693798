"""How hubs know each other: TLS 1.3 in which both ends have a certificate from the secret's own authority.

The authority's key is derived from PARLEY_SECRET, so every hub that knows the secret derives the same one,
and signs itself a certificate in its incarnation's name. Nobody without the secret can. TLS binds both
certificates and both ends' random values to the connection (RFC 8446 section 4.4), so that none can be
replayed.
"""

from __future__ import annotations

import ssl
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256 (FIPS 186-4 section D.1.2.3)."""
BEGIN: Final = datetime(2020, 1, 1, tzinfo=UTC)
END: Final = datetime(2120, 1, 1, tzinfo=UTC)
"""Certificates of links do not expire: each ends with its hub, and hubs' clocks may differ."""
AUTHORITY_NAME: Final = "Parley hubs"


class Credentials:
    """The TLS contexts of one hub's links, for both directions."""

    def __init__(self, secret: bytes, incarnation: str) -> None:
        authority_key = _derive_key(secret)
        authority = _sign(AUTHORITY_NAME, authority_key, authority_key, is_authority=True)
        key = generate_private_key(SECP256R1())
        certificate = _sign(incarnation, key, authority_key)
        pem = certificate.public_bytes(Encoding.PEM) + key.private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        )
        trusted = authority.public_bytes(Encoding.PEM).decode("ascii")
        self.for_listening = _make_context(ssl.PROTOCOL_TLS_SERVER, pem, trusted)
        self.for_dialing = _make_context(ssl.PROTOCOL_TLS_CLIENT, pem, trusted)


def read_incarnation(peer: Any) -> str:
    """The incarnation in a verified peer's certificate, given the `ssl_object` of its connection."""
    subject = dict(pair for part in peer.getpeercert()["subject"] for pair in part)
    return str(subject["commonName"])


def _derive_key(secret: bytes) -> EllipticCurvePrivateKey:
    derived = HKDF(algorithm=SHA256(), length=48, salt=None, info=b"parley link 1").derive(secret)
    return derive_private_key(int.from_bytes(derived, "big") % (ORDER - 1) + 1, SECP256R1())


def _sign(
    name: str,
    key: EllipticCurvePrivateKey,
    authority_key: EllipticCurvePrivateKey,
    *,
    is_authority: bool = False,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, AUTHORITY_NAME)])
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(1 if is_authority else x509.random_serial_number())
        .not_valid_before(BEGIN)
        .not_valid_after(END)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(authority_key, SHA256())
    )


def _make_context(protocol: Any, pem: bytes, trusted: str) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # a hub is its incarnation, wherever it is
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=trusted)
    with tempfile.TemporaryDirectory() as folder:  # ssl reads keys only from files; mkdtemp makes it private
        file = Path(folder) / "link.pem"
        file.write_bytes(pem)
        context.load_cert_chain(file)
    return context
