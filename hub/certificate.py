"""The certificate of `parley serve --lan --https`, signed by an authority that the hub makes for itself.

Who installs the authority's certificate on a phone trusts this hub from then on, even after its addresses
have changed. The authority may sign for private addresses and local names alone (RFC 5280 section 4.2.1.10),
so that a stolen key opens nobody's connections to the rest of the Internet.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import ssl
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import structlog
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hub.clock import Clock
from hub.net.local_network import network_addresses
from hub.store.data_folder import unusable_folder

_log = structlog.get_logger("parley.certificate")

AUTHORITY_LIFE: Final = timedelta(days=3650)
LIFE: Final = timedelta(days=365)
"""Apple's devices accept at most 825 days."""
RENEWAL: Final = timedelta(days=30)
"""A certificate that ends within this time is renewed."""
SKEW: Final = timedelta(days=1)
"""Devices' clocks may be this slow."""

PRIVATE_NETWORKS: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "169.254.0.0/16",
            "127.0.0.0/8",
            "fc00::/7",
            "fe80::/10",
            "::1/128",
        ),
    )
)
LOCAL_NAMES: Final = ("localhost", "local")
LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.I)

KeyPair: TypeAlias = tuple[EllipticCurvePrivateKey, x509.Certificate]


AUTHORITY_URL: Final = "/certificate.crt"
"""Where devices get the authority's certificate; the ending makes phones offer to install it."""
CHECK_SECONDS: Final = 60.0


class HubCertificate(NamedTuple):
    """`file` holds the key and the certificate (PEM), `authority` is the certificate to trust (DER)."""

    file: Path
    authority: bytes
    is_new: bool


async def renew_certificate(folder: Path, context: ssl.SSLContext, clock: Clock) -> None:
    """Renews the certificate while the hub runs, when addresses change or its end is near."""
    while True:
        await clock.sleep(CHECK_SECONDS)
        certificate = keep_certificate(folder, network_addresses(), datetime.now(UTC))
        if certificate.is_new:
            context.load_cert_chain(certificate.file)


def authority_route(authority: bytes) -> Route:
    """The route at which devices get the authority's certificate."""

    async def certificate(request: Request) -> Response:
        return Response(
            authority, headers={"cache-control": "no-store"}, media_type="application/x-x509-ca-cert"
        )

    return Route(AUTHORITY_URL, certificate)


def keep_certificate(folder: Path, addresses: Iterable[str], at: datetime) -> HubCertificate:
    """The hub's certificate in its data folder, valid at `at` for this machine, its name and these addresses.

    It is made once, and again when other addresses are given or its end is near. The folder also keeps the
    authority that signed it. Raises CannotStart if the folder cannot be used.
    """
    names = _list_names(addresses)
    path = authority_path(folder)
    file = path.with_name("hub.pem")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        authority = _load(path)
        if authority is None or not _lasts(authority, at):
            authority = _make_authority(at)
            _write(path, authority)
        pair = _load(file)
        is_new = pair is None or not _lasts(pair, at) or not _is_for(pair[1], names, authority[1])
        if is_new:
            _write(file, _make_certificate(authority, names, at))
            _log.info("made a certificate", names=len(names))
    except OSError as error:
        raise unusable_folder(folder, error) from error
    return HubCertificate(file, authority[1].public_bytes(Encoding.DER), is_new)


def authority_path(folder: Path) -> Path:
    """The file of the authority's key and certificate."""
    return folder / "https" / "authority.pem"


def _list_names(addresses: Iterable[str]) -> list[x509.GeneralName]:
    machine = socket.gethostname().partition(".")[0].lower()
    names = ["localhost", *([f"{machine}.local"] if LABEL.fullmatch(machine) else [])]
    numbers = sorted({"127.0.0.1", "::1", *addresses})
    return [
        *map(x509.DNSName, names),
        *(x509.IPAddress(number) for number in map(ipaddress.ip_address, numbers) if _is_private(number)),
    ]


def _is_private(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return any(address in network for network in PRIVATE_NETWORKS if network.version == address.version)


def _lasts(pair: KeyPair, at: datetime) -> bool:
    return pair[1].not_valid_before_utc <= at < pair[1].not_valid_after_utc - RENEWAL


def _is_for(certificate: x509.Certificate, names: list[x509.GeneralName], issuer: x509.Certificate) -> bool:
    listed = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    try:
        certificate.verify_directly_issued_by(issuer)
    except Exception:  # noqa: BLE001 - by another authority, whatever the library raises for it
        return False
    return list(listed) == names


def _make_authority(at: datetime) -> KeyPair:
    key = generate_private_key(SECP256R1())
    name = _name(f"Parley on {socket.gethostname()[:40]}")
    permitted = [
        *map(x509.DNSName, LOCAL_NAMES),
        *map(x509.IPAddress, PRIVATE_NETWORKS),
    ]
    certificate = (
        _builder(name, name, key, at, AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return key, certificate


def _make_certificate(authority: KeyPair, names: list[x509.GeneralName], at: datetime) -> KeyPair:
    key = generate_private_key(SECP256R1())
    signing_key, issuer = authority
    certificate = (
        _builder(_name("Parley"), issuer.subject, key, at, LIFE)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key()), critical=False
        )
        .sign(signing_key, hashes.SHA256())
    )
    return key, certificate


def _builder(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey, at: datetime, life: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - SKEW)
        .not_valid_after(at - SKEW + life)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _load(path: Path) -> KeyPair | None:
    """A key with its certificate; None if there is none, or if the file is damaged."""
    try:
        stored = path.read_bytes()
        key = load_pem_private_key(stored, None)
        certificate = x509.load_pem_x509_certificate(stored)
    except FileNotFoundError:
        return None
    except ValueError:
        _log.warning("a certificate was damaged, and is replaced", file=path.name)
        return None
    return (key, certificate) if isinstance(key, EllipticCurvePrivateKey) else None


def _write(path: Path, pair: KeyPair) -> None:
    """Replaces the file in one step; only its owner can read it."""
    key, certificate = pair
    content = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")  # 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content + certificate.public_bytes(Encoding.PEM))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
