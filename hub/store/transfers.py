"""Transfers: people's identities on their way to another device, or to another address of this hub.

A transfer is one value in the store, which expires. The old device shows its code; another device claims it,
once; the old one confirms; the other one then fetches the identity. Each step replaces the value that it was
decided on, so of two devices, at any hubs, only one succeeds. Every method may raise StoreUnavailable.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.store.fitness import text
from hub.store.scripts import load_script
from hub.store.store import Store
from hub.wire.tickets import Person

CODE_SECONDS: Final = 60
"""How long a code can be claimed."""
CONFIRM_SECONDS: Final = 120
"""How long the old device may take to confirm, after the code was claimed."""
FETCH_SECONDS: Final = 600
"""How long the identity can be fetched, again and again, after it was confirmed."""
TRIES: Final = 10

Stage = Literal["offered", "claimed", "confirmed", "fetched"]
HasDeparted: TypeAlias = Callable[[str, int], bool]
"""Whether a person (an id) who came to a device at this time (seconds since 1970) continues on another."""


class Transfer(Struct, frozen=True):
    """One transfer. `tables` are the names of the person's tables, as the old device knows them.

    `keeps`: the old device keeps the identity as well. `check` is what both devices show once the code is
    claimed. `claim_hash` is the SHA-256 of the claim that the other device holds. `fetched` is the person
    as the other device has fetched them.
    """

    person: Person
    tables: tuple[str, ...]
    keeps: bool
    stage: Stage = "offered"
    claim_hash: bytes = b""
    check: str = ""
    fetched: Person | None = None


class Claim(Struct, frozen=True):
    """A transfer as the device that claimed it knows it; `secret` is what it fetches the identity with."""

    secret: str
    transfer: Transfer


# --- the steps: each returns the next transfer, or None if it is not possible ---


def claim(transfer: Transfer, claim_hash: bytes, check: str) -> Transfer | None:
    if transfer.stage != "offered":
        return None
    return replace(transfer, stage="claimed", claim_hash=claim_hash, check=check)


def confirm(transfer: Transfer, check: str) -> Transfer | None:
    """`check` is what the person compared: another device's claim is not confirmed by mistake."""
    if transfer.check != check or transfer.stage == "offered":
        return None
    return replace(transfer, stage="confirmed") if transfer.stage == "claimed" else transfer


def fetch(transfer: Transfer, claim_hash: bytes, at: int, has_departed: HasDeparted) -> Transfer | None:
    """The transfer as it is now to the device with this claim; `fetched` stays what it was the first time."""
    if transfer.stage == "offered" or not hmac.compare_digest(transfer.claim_hash, claim_hash):
        return None
    person = transfer.fetched or transfer.person
    if has_departed(person.id, person.since):
        return None  # this device, or the one that confirmed, has been left
    if transfer.stage != "confirmed":
        return transfer
    since = person.since if transfer.keeps else max(at, person.since) + 1
    return replace(transfer, stage="fetched", fetched=replace(person, issued=at, since=since))


LIVES: Final = {"claimed": CONFIRM_SECONDS, "confirmed": FETCH_SECONDS, "fetched": FETCH_SECONDS}
"""The seconds until a transfer expires, from when it reaches a stage."""


class Transfers:
    """The transfers in the store. `new_code` returns a random code."""

    def __init__(self, store: Store, new_code: Callable[[], str]) -> None:
        self._store = store
        self._new_code = new_code

    async def offer(self, person: Person, tables: tuple[str, ...], *, keeps: bool) -> str:
        """Begins a transfer, in place of the person's last one, and returns its code."""
        await self.cancel(person.id)
        packed = _encode(Transfer(person, tables, keeps))
        while True:
            code = self._new_code()
            if await self._store.call("SET", self._key(code), packed, "NX", "EX", CODE_SECONDS):
                break
        life = CODE_SECONDS + CONFIRM_SECONDS + FETCH_SECONDS
        await self._store.call("SET", self._person_key(person.id), code, "EX", life)
        return code

    async def find(self, person: str) -> Transfer | None:
        """The transfer that this person has under way."""
        code = await self._code_of(person)
        return None if code is None else await self._read(code)

    async def claim(self, code: str) -> Claim | None:
        """Claims the transfer with this code; None if there is none, or no longer."""
        secret = secrets.token_urlsafe(16)
        check = f"{secrets.randbelow(1000):03}"
        claim_hash = sha256(secret.encode()).digest()
        transfer = await self._advance(code, lambda transfer: claim(transfer, claim_hash, check))
        return None if transfer is None else Claim(f"{code}.{secret}", transfer)

    async def confirm(self, person: str, check: str) -> bool:
        """Confirms the person's transfer; returns False if no device has claimed it with this check."""
        code = await self._code_of(person)
        if code is None:
            return False
        return await self._advance(code, lambda transfer: confirm(transfer, check)) is not None

    async def cancel(self, person: str) -> None:
        """Ends the person's transfer; a device that has fetched the identity keeps it."""
        code = await self._code_of(person)
        if code is not None:
            await self._store.call("UNLINK", self._key(code))
            await self._store.call("UNLINK", self._person_key(person))

    async def fetch(self, secret: str, at: int, has_departed: HasDeparted) -> Transfer | None:
        """The transfer that was claimed with this secret, fetched if it is confirmed; None if it has ended.

        `at`: seconds since 1970.
        """
        code, _, part = secret.partition(".")
        claim_hash = sha256(part.encode()).digest()
        return await self._advance(code, lambda transfer: fetch(transfer, claim_hash, at, has_departed))

    async def _advance(self, code: str, step: Callable[[Transfer], Transfer | None]) -> Transfer | None:
        """The transfer after a step; None if there is none, or if the step is not possible."""
        key = self._key(code)
        for _ in range(TRIES):
            packed: Any = await self._store.call("GET", key)
            before = None if packed is None else _decode(packed)
            after = None if before is None else step(before)
            if after is None or after == before:
                return after
            arguments = [packed, _encode(after), LIVES[after.stage] * 1000]
            if await self._store.run(REPLACE, [key], arguments):
                return after
        return None

    async def _code_of(self, person: str) -> str | None:
        code = await self._store.call("GET", self._person_key(person))
        return None if code is None else text(code)

    async def _read(self, code: str) -> Transfer | None:
        packed: Any = await self._store.call("GET", self._key(code))
        return None if packed is None else _decode(packed)

    def _key(self, code: str) -> str:
        return self._store.key(f"transfer:{code}")

    def _person_key(self, person: str) -> str:
        return self._store.key(f"transfer of:{person}")


REPLACE: Final = load_script("replace")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Transfer).decode
