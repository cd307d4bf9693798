"""Reading the operators' requests: their bodies and parameters."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from starlette.requests import Request

from hub.net.http.errors import ApiError
from hub.wire.limits import read_network

MAX_BAN_DAYS: Final = 366

Reason = Annotated[str, Meta(max_length=500)]


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    token: Annotated[str, Meta(max_length=500)]


class NewBan(Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["person", "network"]
    target: Annotated[str, Meta(min_length=1, max_length=64)]
    days: Annotated[float, Meta(gt=0, le=MAX_BAN_DAYS)]
    reason: Reason = ""
    name: Annotated[str, Meta(max_length=24)] = ""


class LiftedBan(Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["person", "network"]
    target: Annotated[str, Meta(min_length=1, max_length=64)]


class NewRevocation(Struct, frozen=True, forbid_unknown_fields=True):
    """Revokes a person's tokens issued until now, or everybody's issued before `before` (person None)."""

    person: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    before: Annotated[int, Meta(ge=1)] | None = None


class WithReason(Struct, frozen=True, forbid_unknown_fields=True):
    reason: Reason = ""


def read_target(body: NewBan | LiftedBan) -> str:
    """The person's id, or the network in its canonical form. Raises ApiError if it cannot be banned."""
    if body.kind == "person":
        return body.target
    target = read_network(body.target)
    if target is None:
        advice = "Give an IPv4 address, an IPv6 address or an IPv6 /64 that is not this machine's own."
        raise ApiError(422, "BAD_NETWORK", advice)
    return target


def read_skip(request: Request) -> int:
    """The number of entries to leave out. Raises ApiError."""
    value = request.query_params.get("skip", "0")
    if not (value.isdecimal() and value.isascii() and len(value) <= 6):
        raise ApiError(422, "BAD_FIELD", "The parameter skip must be a whole number.")
    return int(value)
