"""The HTTP API for transfers: a person continues on another device, or at another address of this hub.

Codes and claims travel in bodies, never in a URL (hub/store/transfers.py). A wrong code is answered and
counted like a wrong code of a private table.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hub.net.guard import Guard
from hub.net.http.errors import ApiError, json_response, later_error
from hub.net.http.limits import RequestLimits
from hub.net.http.person_auth import PersonAuth
from hub.net.http.requests import BODY_SECONDS, client_address, read_body, route_by_method
from hub.runtime.placement import is_code
from hub.runtime.store_calls import require_answer
from hub.store.policy import Departure, PolicyFull, PolicyStore
from hub.store.subscriptions import Subscriptions
from hub.store.transfers import CODE_SECONDS, Transfers
from hub.wire.tickets import SKEW, Person, Signer

MAX_TABLES = 30
"""The number of tables whose names a transfer takes along."""


class NewTransfer(Struct, frozen=True, forbid_unknown_fields=True):
    """`tables` are the names (ids or codes) of the person's tables; `keeps`: this device stays signed in."""

    tables: Annotated[list[Annotated[str, Meta(max_length=22)]], Meta(max_length=MAX_TABLES)] = []
    keeps: bool = False


class ClaimedCode(Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(max_length=64)]


class Confirmation(Struct, frozen=True, forbid_unknown_fields=True):
    check: Annotated[str, Meta(max_length=8)]


class Claimed(Struct, frozen=True, forbid_unknown_fields=True):
    claim: Annotated[str, Meta(max_length=64)]


class TransfersApi:
    """The request handlers. `departures` holds the people whose older tokens are void, `subscriptions` the
    browsers that call them back, and `refresh` makes
    this hub read them; `wall` returns seconds since 1970."""

    def __init__(
        self,
        transfers: Transfers,
        departures: PolicyStore,
        subscriptions: Subscriptions,
        refresh: Callable[[], Awaitable[None]],
        auth: PersonAuth,
        guard: Guard,
        signer: Signer,
        limits: RequestLimits,
        *,
        token_seconds: int,
        wall: Callable[[], float] = time.time,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._transfers = transfers
        self._departures = departures
        self._subscriptions = subscriptions
        self._refresh = refresh
        self._auth = auth
        self._guard = guard
        self._signer = signer
        self._limits = limits
        self._token_seconds = token_seconds
        self._wall = wall
        self._body_seconds = body_seconds

    def routes(self) -> list[BaseRoute]:
        return [
            route_by_method("/api/transfers", GET=self.look, POST=self.offer),
            Route("/api/transfers/claim", self.claim, methods=["POST"]),
            Route("/api/transfers/confirm", self.confirm, methods=["POST"]),
            Route("/api/transfers/cancel", self.cancel, methods=["POST"]),
            Route("/api/transfers/fetch", self.fetch, methods=["POST"]),
        ]

    # --- the old device ---

    async def offer(self, request: Request) -> Response:
        person = self._auth.person(request)
        body = await read_body(request, NewTransfer, self._body_seconds)
        self._limits.transfer(person.id, client_address(request))
        code = await require_answer(self._transfers.offer(person, tuple(body.tables), keeps=body.keeps))
        return json_response({"code": code, "seconds": CODE_SECONDS}, status=201)

    async def look(self, request: Request) -> Response:
        person = self._auth.person(request)
        transfer = await require_answer(self._transfers.find(person.id))
        if transfer is None:
            return json_response({"stage": "none", "check": None})
        return json_response({"stage": transfer.stage, "check": transfer.check or None})

    async def confirm(self, request: Request) -> Response:
        person = self._auth.person(request)
        body = await read_body(request, Confirmation, self._body_seconds)
        if not await require_answer(self._transfers.confirm(person.id, body.check)):
            raise ApiError(409, "NOT_CLAIMED", "No device with this number is waiting: begin again.")
        return json_response({"confirmed": True})

    async def cancel(self, request: Request) -> Response:
        person = self._auth.person(request)
        await require_answer(self._transfers.cancel(person.id))
        return json_response({"cancelled": True})

    # --- the other device ---

    async def claim(self, request: Request) -> Response:
        body = await read_body(request, ClaimedCode, self._body_seconds)
        address = client_address(request)
        self._limits.code(address, private=True)
        self._limits.stranger_code()
        code = body.code.strip().upper()
        claim = await require_answer(self._transfers.claim(code)) if is_code(code) else None
        if claim is None:
            self._limits.wrong_code(address, private=True)
            raise ApiError(
                404, "NO_SUCH_TRANSFER", "This code is wrong, has been used or has run out: ask for another."
            )
        transfer = claim.transfer
        return json_response(
            {
                "claim": claim.secret,
                "check": transfer.check,
                "name": transfer.person.name,
                "colour": transfer.person.colour,
                "tables": len(transfer.tables),
                "keeps": transfer.keeps,
            }
        )

    async def fetch(self, request: Request) -> Response:
        body = await read_body(request, Claimed, self._body_seconds)
        at = int(self._wall())
        await require_answer(self._refresh())  # another hub may just have handed over the same person
        transfer = await require_answer(self._transfers.fetch(body.claim, at, self._guard.has_departed))
        if transfer is None or self._guard.is_revoked(transfer.person.id, transfer.person.since):
            raise ApiError(
                404, "NO_SUCH_TRANSFER", "This transfer was cancelled, or took too long: begin again."
            )
        person = transfer.fetched
        if person is None:
            return json_response({"confirmed": False})
        if not transfer.keeps:
            await self._depart(person, at)
        return json_response({"confirmed": True, **self._describe(person), "tables": transfer.tables})

    async def _depart(self, person: Person, at: int) -> None:
        """Voids the person's older tokens and tickets at every hub, before the new one leaves this one.

        The browsers that the person has left are no longer called.
        """
        departure = Departure(person.id, person.since, at + self._token_seconds + SKEW)
        try:
            await require_answer(self._departures.put(departure, at))
        except PolicyFull:
            advice = "Too many people have changed devices: try again later."
            raise later_error(503, "UNAVAILABLE", advice, 3600) from None
        await require_answer(self._subscriptions.forget(person.id))
        await require_answer(self._refresh())

    def _describe(self, person: Person) -> dict[str, Any]:
        token = self._signer.person_token(person)
        return {"person": person.id, "name": person.name, "colour": person.colour, "token": token}
