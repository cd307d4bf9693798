"""The operator's API and page, under /admin: only on a hub with PARLEY_ADMIN_TOKEN.

It shows tables as the lobby and watchers see them, never anything hidden from watchers. Every change is an
entry of the policy in the store, which every hub follows, and is noted in the audit log.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hub.net.http.admin_context import AdminContext
from hub.net.http.admin_requests import (
    LiftedBan,
    NewBan,
    NewRevocation,
    SignIn,
    WithReason,
    read_skip,
    read_target,
)
from hub.net.http.errors import ApiError, json_response, later_error
from hub.net.http.requests import Handler, base_url, client_address, read_body, route_by_method
from hub.runtime.lobby import summarize
from hub.runtime.placement import NoSuchRoom, socket_url
from hub.store.client import StoreUnavailable
from hub.store.policy import Ban, Closure, EndedSession, PolicyEntry, PolicyFull, Revocation, entry_name
from hub.table.room import Table
from hub.wire.limits import network
from hub.wire.names import OPERATOR_NAME
from hub.wire.tickets import DAY, OPERATOR, SKEW, Ticket

MAX_TABLES: Final = 500
"""The number of other hubs' tables in a list: each is read from the store."""
PAGE: Final = 100
"""The number of reports, or of entries of the audit log, in one response."""


class Admin:
    """The request handlers."""

    def __init__(self, context: AdminContext) -> None:
        self._context = context

    def routes(self) -> list[BaseRoute]:
        guard = self._for_operators
        handlers: dict[str, dict[str, Handler]] = {
            "session": {"GET": guard(self.session), "POST": _with_advice(self.sign_in)},
            "session/end": {"POST": _with_advice(self.sign_out)},
            "tables": {"GET": guard(self.tables)},
            "tables/{room}/watch": {"POST": guard(self.watch)},
            "tables/{room}/close": {"POST": guard(self.close_table)},
            "tables/{room}/reopen": {"POST": guard(self.reopen_table)},
            "people": {"GET": guard(self.people)},
            "reports": {"GET": guard(self.reports)},
            "reports/{id}": {"GET": guard(self.report)},
            "reports/{id}/handle": {"POST": guard(self.handle_report)},
            "bans": {"GET": guard(self.bans), "POST": guard(self.ban)},
            "bans/lift": {"POST": guard(self.lift_ban)},
            "revocations": {"POST": guard(self.revoke)},
            "audit": {"GET": guard(self.audit)},
            "drain": {"POST": guard(self.drain)},
        }
        routes = (route_by_method(f"/admin/api/{path}", **methods) for path, methods in handlers.items())
        return [Route("/admin", self._context.page, methods=["GET"]), *routes]

    def _for_operators(self, handler: Handler) -> Handler:
        async def handle(request: Request) -> Response:
            self._context.auth.check(request)
            return await handler(request)

        return _with_advice(handle)

    # --- signing in ---

    async def sign_in(self, request: Request) -> Response:
        auth = self._context.auth
        auth.check_origin(request)
        body = await read_body(request, SignIn)
        auth.check_token(request, body.token)
        await self._note(request, "sign in", "")
        response = json_response({"ok": True})
        auth.begin_session(request, response)
        return response

    async def sign_out(self, request: Request) -> Response:
        """Ends the session at every hub, so that a copy of the cookie is void as well."""
        auth = self._context.auth
        auth.check_origin(request)
        session = auth.session(request)
        if session is not None:
            await self._put(EndedSession(session.id, session.end))
        response = json_response({"ok": True})
        auth.remove_cookie(request, response)
        return response

    async def session(self, request: Request) -> Response:
        """200 for an operator, otherwise 401."""
        return json_response({"ok": True})

    # --- tables and people ---

    async def tables(self, request: Request) -> Response:
        """The tables of all hubs, as the lobby would show them, with the people seated at them."""
        context = self._context
        tables = [_describe(table, watchers, None) for table, watchers in context.tables.list_awake()]
        elsewhere = await context.tables.list_elsewhere(MAX_TABLES)
        tables += [_describe(table, None, url) for table, url in elsewhere]
        return json_response({"tables": tables})

    async def watch(self, request: Request) -> Response:
        """A watcher's ticket for any table, even one that is closed to watchers."""
        context = self._context
        room = await context.tables.locate(request.path_params["room"])
        base = base_url(request, context.public_url)
        at = int(context.wall())
        ticket = Ticket(room, None, OPERATOR, OPERATOR_NAME, 0, 0, at, since=at)
        await self._note(request, "watch", room)
        return json_response(
            {
                "room": room,
                "seat": None,
                "ticket": context.signer.ticket(ticket),
                "socket": socket_url(base, room),
            }
        )

    async def close_table(self, request: Request) -> Response:
        """Closes a table, at any hub, until it is forgotten: its sockets close with 4016."""
        context = self._context
        body = await read_body(request, WithReason)
        room = await context.tables.locate(request.path_params["room"])
        at = int(context.wall())
        async with self._note_first(request, "close table", room, body.reason):
            await self._put(Closure(room, at, at + (context.forget_days + 1) * DAY, body.reason))
        return json_response({"room": room})

    async def reopen_table(self, request: Request) -> Response:
        await read_body(request, WithReason)
        room = request.path_params["room"]
        with contextlib.suppress(NoSuchRoom):  # a table that is gone may still be in the list of closed ones
            room = await self._context.tables.locate(room)
        async with self._note_first(request, "reopen table", room):
            if not await self._remove(entry_name(Closure(room, 0, 0))):
                raise ApiError(404, "NOT_CLOSED", "No closed table has this id or code.")
        return json_response({"room": room})

    async def people(self, request: Request) -> Response:
        """The people who are connected to this hub, with their networks."""
        people: dict[str, dict[str, Any]] = {}
        for socket in self._context.sockets():
            ticket = socket.ticket
            if ticket is None:
                continue
            person = people.setdefault(
                ticket.person, {"person": ticket.person, "name": ticket.name, "networks": [], "places": []}
            )
            place = {"room": ticket.room, "seat": ticket.seat}
            for value, values in ((network(socket.address), person["networks"]), (place, person["places"])):
                if value is not None and value not in values:
                    values.append(value)
        return json_response({"people": sorted(people.values(), key=lambda person: person["person"])})

    # --- reports ---

    async def reports(self, request: Request) -> Response:
        reports = await self._context.reports.reports(read_skip(request), PAGE)
        return json_response({"reports": to_builtins(reports)})

    async def report(self, request: Request) -> Response:
        report = await self._context.reports.report(request.path_params["id"])
        if report is None:
            raise _no_such_report()
        return json_response(to_builtins(report))

    async def handle_report(self, request: Request) -> Response:
        body = await read_body(request, WithReason)
        id = request.path_params["id"]
        async with self._note_first(request, "close report", id, body.reason):
            report = await self._context.reports.handle(id, int(self._context.wall()), body.reason)
            if report is None:
                raise _no_such_report()
        return json_response(to_builtins(report))

    # --- bans and revocations ---

    async def bans(self, request: Request) -> Response:
        entries = await self._context.policies.entries(int(self._context.wall()))
        by_end = sorted(entries, key=lambda entry: (entry.until, entry_name(entry)))
        return json_response(
            {
                "bans": [to_builtins(entry) for entry in by_end if isinstance(entry, Ban)],
                "revocations": [to_builtins(entry) for entry in by_end if isinstance(entry, Revocation)],
                "closures": [to_builtins(entry) for entry in by_end if isinstance(entry, Closure)],
            }
        )

    async def ban(self, request: Request) -> Response:
        body = await read_body(request, NewBan)
        at = int(self._context.wall())
        target = read_target(body)
        ban = Ban(body.kind, target, at, at + max(1, int(body.days * DAY)), body.reason, body.name)
        detail = f"{_count_days(body.days)}: {body.reason}".rstrip(": ")
        async with self._note_first(request, f"ban {body.kind}", target, detail):
            await self._put(ban)
        known = body.kind == "network" or await self._is_known(target)
        return json_response({**to_builtins(ban), "known": known}, status=201)

    async def lift_ban(self, request: Request) -> Response:
        body = await read_body(request, LiftedBan)
        target = read_target(body)
        async with self._note_first(request, f"unban {body.kind}", target):
            if not await self._remove(entry_name(Ban(body.kind, target, 0, 0))):
                raise ApiError(404, "NO_SUCH_BAN", "There is no such ban, or it has ended.")
        return json_response({"target": target})

    async def revoke(self, request: Request) -> Response:
        context = self._context
        body = await read_body(request, NewRevocation)
        if (body.person is None) == (body.before is None):
            raise ApiError(
                422, "BAD_FIELD", "Give either a person, or a time before which all tokens are void."
            )
        at = int(context.wall())
        if body.before is not None and body.before > at:
            raise ApiError(
                422, "BAD_FIELD", f"Give a time in the past: {_format_time(body.before)} has not come yet."
            )
        before = at + 1 if body.before is None else body.before
        revocation = Revocation(body.person, before, at + context.token_days * DAY + SKEW)
        async with self._note_first(request, "revoke", body.person or f"all before {_format_time(before)}"):
            await self._put(revocation)
        known = body.person is None or await self._is_known(body.person)
        return json_response({**to_builtins(revocation), "known": known}, status=201)

    # --- the audit log, and draining ---

    async def audit(self, request: Request) -> Response:
        entries = await self._context.audit.entries(read_skip(request), PAGE)
        return json_response({"entries": to_builtins(entries)})

    async def drain(self, request: Request) -> Response:
        """Hands over this hub's tables, as SIGTERM does, and answers once that is done; the hub goes on."""
        await read_body(request, WithReason)
        hub, tables = self._context.hub, self._context.tables
        was_draining, before, others = hub.is_draining(), len(tables.list_awake()), hub.count_others()
        await self._note(request, "drain", hub.name)
        await hub.drain()
        return json_response(
            {"drained": hub.name, "already": was_draining, "tables": before, "others": others}
        )

    # --- internal ---

    async def _is_known(self, person: str) -> bool:
        """Whether somebody with this id is connected to this hub, or is listed with tables they sat at."""
        sockets = self._context.sockets()
        if any(socket.ticket is not None and socket.ticket.person == person for socket in sockets):
            return True
        return await self._context.tables.has_sat(person)

    async def _put(self, entry: PolicyEntry) -> None:
        await self._context.policies.put(entry, int(self._context.wall()))
        await self._context.refresh()

    async def _remove(self, name: str) -> bool:
        removed = await self._context.policies.remove(name, int(self._context.wall()))
        await self._context.refresh()
        return removed

    async def _note(self, request: Request, action: str, target: str, detail: str = "") -> str:
        """Notes an action in the audit log; returns the entry's id."""
        at = int(self._context.wall())
        return await self._context.audit.add(at, network(client_address(request)), action, target, detail)

    @contextlib.asynccontextmanager
    async def _note_first(
        self, request: Request, action: str, target: str, detail: str = ""
    ) -> AsyncIterator[None]:
        """Notes an action before it is done, so that none is ever missing from the audit log.

        The note is removed if the action is refused. It stays if the store does not answer, because the
        action may then have been done.
        """
        id = await self._note(request, action, target, detail)
        try:
            yield
        except (ApiError, PolicyFull):
            await self._context.audit.remove(id)
            raise


def _with_advice(handler: Handler) -> Handler:
    """The handler, with advice for the errors of the store."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except StoreUnavailable:
            advice = "The store does not answer, so this may or may not have been done: refresh and look."
            raise later_error(503, "STORE", advice, 2) from None
        except PolicyFull:
            advice = "There are as many bans, revocations and closed tables as possible: lift a ban first."
            raise ApiError(409, "POLICY_FULL", advice) from None

    return handle


def _describe(table: Table, watchers: int | None, hub: str | None) -> Mapping[str, Any]:
    """What the lobby would show about a table, and the people seated there: nothing from its game.

    `watchers` is None, and `hub` its address, if the table is at another hub.
    """
    seats = [
        {"seat": i, "person": seat.person, "name": seat.name, "bot": seat.bot}
        for i, seat in enumerate(table.seats)
    ]
    summary = to_builtins(summarize(table, watchers or 0))
    return {**summary, "watchers": watchers, "people": seats, "hub": hub}


def _count_days(days: float) -> str:
    return "1 day" if days == 1 else f"{days:g} days"


def _format_time(at: int) -> str:
    """A time in seconds since 1970, for people. Years that datetime does not have stay numbers."""
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return str(at)


def _no_such_report() -> ApiError:
    return ApiError(404, "NO_SUCH_REPORT", "There is no such report, or it is no longer kept.")
