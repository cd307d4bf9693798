"""Signed identities, and signed tickets for places at tables.

Both are `<payload>.<signature>` in URL-safe base64, signed with HMAC-SHA-256 under keys derived from the
hub's secret, one per kind, so that one kind never passes as the other. Anyone who has the text has the
place: it is sent in an `Authorization` header or the first socket message, never in a URL or a log.

Times are passed in, in seconds since 1970: tickets outlive a hub, and table time does not.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from enum import Enum
from hashlib import sha256
from typing import Final, TypeVar

import itsdangerous
import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    derive_private_key,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec.structs import replace

DAY: Final = 24 * 3600
RENEWAL_AGE: Final = DAY
"""The age in seconds at which a used token is replaced by a fresh one."""
SEAT_LIFE: Final = 24 * 3600
"""Seconds a seat's ticket is valid."""
WATCH_LIFE: Final = 3600
"""Seconds a watcher's ticket is valid."""
SKEW: Final = 60
"""Seconds by which the clocks of two hubs may differ."""
OPERATOR: Final = "operator"
"""The person's id in an operator's ticket, which lets them watch any table; nobody else has this id."""
LONGEST: Final = 2048
COLOURS: Final = 12
REFUSED: Final = "this ticket is not valid, or no longer valid: enter the table again to get a new one"
"""The only explanation a client gets, no matter what the problem is."""
P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many private keys the curve P-256 has, and one more (FIPS 186-5)."""


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A signed identity: an opaque id, a name, and a colour (below `COLOURS`, the palette's size).

    `issued` is when its token was signed, and `since` when the person came to this device, both in seconds
    since 1970. Renewing a token changes only the former. `since` is later than on every device that the
    person has left.
    """

    id: str
    name: str
    colour: int
    issued: int
    since: int = 0


class Ticket(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place at a table: a seat, or (seat None) a watcher's.

    `issued` is when it was signed, in seconds since 1970; `since` is the person's.
    """

    room: str
    seat: int | None
    person: str
    name: str
    colour: int
    seat_generation: int
    issued: int
    since: int = 0


class TicketProblem(Enum):
    """Why a string is not a valid ticket, for metrics and tests; a client only gets `REFUSED`."""

    MALFORMED = "malformed"
    FORGED = "forged"
    """Signed with a different key: tampered with, made up, from another hub, or of the other kind."""
    EXPIRED = "expired"
    FROM_THE_FUTURE = "from the future"


Kind = TypeVar("Kind", Person, Ticket)


class Signer:
    """Signs and reads tokens and tickets, with keys derived from one secret of at least 16 bytes.

    A person's token is valid for `token_days` after it was issued; use renews it.
    """

    def __init__(self, secret: bytes, token_days: int) -> None:
        if len(secret) < 16:
            raise ValueError("the secret must have at least 16 bytes")
        self._token_life = token_days * DAY
        self._secret = secret
        self._persons = self._signer(b"parley person 1")
        self._tickets = self._signer(b"parley ticket 1")

    def _signer(self, salt: bytes) -> itsdangerous.Signer:
        return itsdangerous.Signer(self._secret, salt=salt, key_derivation="hmac", digest_method=sha256)

    def person_token(self, person: Person) -> str:
        return _sign(self._persons, person)

    def read_person(self, token: str, at: float) -> Person | TicketProblem:
        """The person a token names, if valid at `at`."""
        person = _verify(self._persons, token, Person)
        return person if isinstance(person, TicketProblem) else _check_age(person, at, self._token_life)

    def fresh_token(self, person: Person, at: float) -> str | None:
        """A token for the same person, valid from `at`; None while theirs is younger than a day."""
        if at - person.issued < RENEWAL_AGE:
            return None
        return self.person_token(replace(person, issued=int(at)))

    def ticket(self, ticket: Ticket) -> str:
        return _sign(self._tickets, ticket)

    def read_ticket(self, text: str, at: float) -> Ticket | TicketProblem:
        """The ticket in a string, if valid at `at`. Only the room knows if its seat generation is current."""
        ticket = _verify(self._tickets, text, Ticket)
        if isinstance(ticket, TicketProblem):
            return ticket
        return _check_age(ticket, at, WATCH_LIFE if ticket.seat is None else SEAT_LIFE)

    def record_key(self) -> Ed25519PrivateKey:
        """The key that signs records: HKDF-SHA-256 of the secret, the same on every hub that shares it."""
        derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"parley record 1").derive(self._secret)
        return Ed25519PrivateKey.from_private_bytes(derived)

    def push_key(self) -> EllipticCurvePrivateKey:
        """The key that signs for the hub at push services (RFC 8292), the same on every hub that shares the
        secret. (FIPS 186-5 A.2.1: with extra bits, the remainder is as good as random.)"""
        derived = HKDF(algorithm=SHA256(), length=48, salt=None, info=b"parley push 1").derive(self._secret)
        return derive_private_key(int.from_bytes(derived, "big") % (P256_ORDER - 1) + 1, SECP256R1())


def _sign(signer: itsdangerous.Signer, value: Person | Ticket) -> str:
    """The value as signed text. Whoever has the text can read the value, but not change it."""
    return signer.sign(base64.urlsafe_b64encode(msgspec.json.encode(value)).rstrip(b"=")).decode("ascii")


def _check_age(value: Kind, at: float, life: int) -> Kind | TicketProblem:
    age = at - value.issued
    if age < -SKEW:
        return TicketProblem.FROM_THE_FUTURE
    return TicketProblem.EXPIRED if age >= life else value


def _verify(signer: itsdangerous.Signer, text: str, kind: type[Kind]) -> Kind | TicketProblem:
    """The value in a signed text, or why the text is not valid; its age is not checked."""
    if len(text) > LONGEST or not text.isascii():
        return TicketProblem.MALFORMED
    payload, dot, _ = text.encode("ascii").rpartition(b".")
    if not dot:
        return TicketProblem.MALFORMED
    # Signs again and compares the whole text: base64 can encode the same signature in several ways.
    if not hmac.compare_digest(signer.sign(payload), text.encode("ascii")):
        return TicketProblem.FORGED
    try:
        data = base64.b64decode(payload + b"=" * (-len(payload) % 4), altchars=b"-_", validate=True)
        return msgspec.json.decode(data, type=kind, strict=True)
    except (binascii.Error, msgspec.DecodeError):
        return TicketProblem.MALFORMED
