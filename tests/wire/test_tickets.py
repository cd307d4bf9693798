"""Tokens and tickets: only what the hub has signed is accepted (T1..T5 of docs/SPEC.md)."""

from __future__ import annotations

import base64
import json
from typing import Any

import itsdangerous
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire.messages import Hello
from hub.wire.names import LONGEST_NAME
from hub.wire.tickets import (
    SEAT_LIFE,
    SKEW,
    WATCH_LIFE,
    Person,
    Signer,
    Ticket,
    TicketProblem,
)
from tests.harness.defaults import DEFAULTS

SECRET = bytes(range(32))
SIGNER = Signer(SECRET, DEFAULTS.token_days)
NOW = 1_800_000_000.0
ANN = Person("p-ann", "Änn 🐙", 3, int(NOW))
SEAT = Ticket("room-1", 2, "p-ann", "Änn 🐙", 3, 1, int(NOW))
WATCH = msgspec.structs.replace(SEAT, seat=None, seat_generation=0)


def test_round_trip() -> None:
    """T1"""
    assert SIGNER.read_person(SIGNER.person_token(ANN), NOW) == ANN
    for ticket in (SEAT, WATCH):
        assert SIGNER.read_ticket(SIGNER.ticket(ticket), NOW) == ticket


def test_a_hub_with_the_same_secret_reads_tickets() -> None:
    assert Signer(SECRET, DEFAULTS.token_days).read_ticket(SIGNER.ticket(SEAT), NOW) == SEAT


def test_the_longest_ticket_fits_a_hello() -> None:
    longest = Ticket("r" * 22, 99, "p" * 16, "🐙" * LONGEST_NAME, 11, 2**53 - 1, 2**53 - 1)
    text = Signer(SECRET, DEFAULTS.token_days).ticket(longest)
    assert msgspec.convert({"t": "hello", "ticket": text, "session": None}, Hello).ticket == text


def test_a_token_ends_unless_it_is_used() -> None:
    """T7: a fresh token for the same person is due after a day, and the old one ends after its days."""
    day = 24 * 3600
    signer = Signer(SECRET, token_days=90)
    token = signer.person_token(ANN)
    assert signer.read_person(token, NOW + 90 * day - 1) == ANN
    assert signer.read_person(token, NOW + 90 * day) is TicketProblem.EXPIRED
    assert signer.read_person(token, NOW - SKEW - 1) is TicketProblem.FROM_THE_FUTURE
    assert Signer(SECRET, token_days=7).read_person(token, NOW + 8 * day) is TicketProblem.EXPIRED

    assert signer.fresh_token(ANN, NOW + day - 1) is None
    fresh = signer.fresh_token(ANN, NOW + 89 * day)
    assert fresh is not None
    renewed = msgspec.structs.replace(ANN, issued=int(NOW) + 89 * day)
    assert signer.read_person(fresh, NOW + 178 * day) == renewed


# --- refused ---


def test_a_ticket_with_a_changed_character_is_refused() -> None:
    """T2: every position is changed to every other letter of the alphabet: a signature has only one
    encoding."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ "
    text = SIGNER.ticket(SEAT)
    for i in range(len(text)):
        for letter in alphabet:
            changed = text[:i] + letter + text[i + 1 :]
            person = SIGNER.read_ticket(changed, NOW)
            assert person == SEAT if changed == text else isinstance(person, TicketProblem)


def test_cut_or_extended_tickets_are_refused() -> None:
    """T2"""
    text = SIGNER.ticket(SEAT)
    for i in range(len(text)):
        assert isinstance(SIGNER.read_ticket(text[:i], NOW), TicketProblem)
        assert isinstance(SIGNER.read_ticket(text[i + 1 :], NOW), TicketProblem)
    for more in ("=", ".", "A", "\n", " ", ".x"):
        assert isinstance(SIGNER.read_ticket(text + more, NOW), TicketProblem)
        assert isinstance(SIGNER.read_ticket(more + text, NOW), TicketProblem)


def test_tokens_and_tickets_are_not_interchangeable() -> None:
    """T3: each kind is signed with its own key."""
    assert SIGNER.read_ticket(SIGNER.person_token(ANN), NOW) is TicketProblem.FORGED
    assert SIGNER.read_person(SIGNER.ticket(SEAT), NOW) is TicketProblem.FORGED


def test_tickets_signed_with_another_secret_are_forged() -> None:
    """T2"""
    other = Signer(b"another secret of 32 bytes or so", DEFAULTS.token_days)
    assert SIGNER.read_ticket(other.ticket(SEAT), NOW) is TicketProblem.FORGED
    assert SIGNER.read_person(other.person_token(ANN), NOW) is TicketProblem.FORGED


def test_unsigned_tickets_are_refused() -> None:
    """T2"""
    payload = base64.urlsafe_b64encode(msgspec.json.encode(SEAT)).decode().rstrip("=")
    for text in (
        payload,
        f"{payload}.",
        f".{payload}",
        f"{payload}.{payload}",
        msgspec.json.encode(SEAT).decode(),
    ):
        assert isinstance(SIGNER.read_ticket(text, NOW), TicketProblem)


@pytest.mark.parametrize(
    "text",
    ["", ".", "..", "ä.ö", "\ud800", "A" * 3000, "None", "0" * 2048 + ".", "\x00.\x00", "a.b.c"],
    ids=repr,
)
def test_malformed_texts_are_refused(text: str) -> None:
    """T2"""
    assert isinstance(SIGNER.read_ticket(text, NOW), TicketProblem)
    assert isinstance(SIGNER.read_person(text, NOW), TicketProblem)


@given(st.text(max_size=300))
def test_random_text_is_refused(text: str) -> None:
    """T2"""
    assert isinstance(SIGNER.read_ticket(text, NOW), TicketProblem)
    assert isinstance(SIGNER.read_person(text, NOW), TicketProblem)


@pytest.mark.parametrize(
    "payload",
    [
        {},
        [],
        {**msgspec.to_builtins(SEAT), "more": 1},
        {**msgspec.to_builtins(SEAT), "seat": "2"},
        {**msgspec.to_builtins(SEAT), "seat": 2.5},
    ],
    ids=repr,
)
def test_a_signed_payload_of_another_form_is_malformed(payload: Any) -> None:
    """T2: a form that an older hub may have signed is refused rather than half understood."""
    signer = itsdangerous.Signer(
        SECRET, salt=b"parley ticket 1", key_derivation="hmac", digest_method=SIGNER._tickets.digest_method
    )
    text = signer.sign(base64.urlsafe_b64encode(json.dumps(payload).encode()).rstrip(b"=")).decode()
    assert SIGNER.read_ticket(text, NOW) is TicketProblem.MALFORMED


@pytest.mark.parametrize(("ticket", "life"), [(SEAT, SEAT_LIFE), (WATCH, WATCH_LIFE)])
def test_tickets_expire(ticket: Ticket, life: int) -> None:
    """T4: the caller passes the time; a difference of a minute between hubs is tolerated."""
    text = SIGNER.ticket(ticket)
    assert SIGNER.read_ticket(text, NOW + life - 1) == ticket
    assert SIGNER.read_ticket(text, NOW + life) is TicketProblem.EXPIRED
    assert SIGNER.read_ticket(text, NOW - SKEW) == ticket
    assert SIGNER.read_ticket(text, NOW - SKEW - 1) is TicketProblem.FROM_THE_FUTURE


def test_a_watchers_ticket_expires_before_a_seats() -> None:
    assert WATCH_LIFE < SEAT_LIFE
    assert SIGNER.read_ticket(SIGNER.ticket(WATCH), NOW + SEAT_LIFE - 1) is TicketProblem.EXPIRED


# --- keys ---


def test_the_record_key_depends_only_on_the_secret() -> None:
    """T5: the known answer ensures that no later version signs with a different key by accident."""
    public = SIGNER.record_key().public_key().public_bytes_raw()
    assert public == Signer(SECRET, DEFAULTS.token_days).record_key().public_key().public_bytes_raw()
    assert public != Signer(bytes(32), DEFAULTS.token_days).record_key().public_key().public_bytes_raw()
    assert public.hex() == "4623d5ecb3172340a78c973eabbda3964c89f8abe34594ad1c29ed2691478134"


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        Signer(b"short", DEFAULTS.token_days)
