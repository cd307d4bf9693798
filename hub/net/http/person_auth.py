"""Authentication of people: the person whose token a request carries."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request

from hub.net.guard import Guard
from hub.net.http.errors import authentication_error, ban_error
from hub.net.http.headers import set_fresh_token
from hub.net.http.requests import bearer_token
from hub.telemetry.metrics import Metrics
from hub.wire.tickets import Person, Signer, TicketProblem


class PersonAuth:
    """Reads people's tokens. `wall` returns seconds since 1970."""

    def __init__(self, signer: Signer, guard: Guard, metrics: Metrics, wall: Callable[[], float]) -> None:
        self._signer = signer
        self._guard = guard
        self._metrics = metrics
        self._wall = wall

    def person(self, request: Request) -> Person:
        """The sender of a request. Raises ApiError if there is no valid token, or if they are banned."""
        token = bearer_token(request)
        if token is None:
            advice = (
                "Identify yourself: POST /api/people gives a token to send as Authorization: Bearer <token>."
            )
            raise authentication_error("NO_TOKEN", advice)
        at = self._wall()
        person = self._signer.read_person(token, at)
        if isinstance(person, TicketProblem):
            self._metrics.tickets_refused[person.value] += 1
            if person is TicketProblem.EXPIRED:
                advice = "This token has not been used for too long: get a new one with POST /api/people."
                raise authentication_error("TOKEN_EXPIRED", advice)
            raise authentication_error(
                "BAD_TOKEN", "This hub did not issue this token: get a new one with POST /api/people."
            )
        if self._guard.is_revoked(person.id, person.since):
            self._metrics.tickets_refused["revoked"] += 1
            advice = "This token is no longer valid: get a new one with POST /api/people."
            raise authentication_error("BAD_TOKEN", advice)
        if self._guard.has_departed(person.id, person.since):
            self._metrics.tickets_refused["departed"] += 1
            advice = "This person continues on another device: get a new token with POST /api/people."
            raise authentication_error("CONTINUED_ELSEWHERE", advice)
        ban = self._guard.find_ban(person.id, None)
        if ban is not None:
            raise ban_error(ban, at)
        fresh = self._signer.fresh_token(person, at)
        if fresh is not None:
            set_fresh_token(request, fresh)
        return person

    def find_person(self, request: Request) -> Person | None:
        """The sender of a request that needs no token; None without a valid one, or if they are banned."""
        token = bearer_token(request)
        person = None if token is None else self._signer.read_person(token, self._wall())
        if not isinstance(person, Person) or self._guard.excludes(person):
            return None
        return person
