"""`parley admin`: the operators' commands, over HTTP, through the same API as the page /admin.

PARLEY_ADMIN_TOKEN must be set as on the hub. Output is one line per item, for people and for grep.
"""

from __future__ import annotations

import http.client
import json
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import typer

from hub import config
from hub.config import CannotStart, Config, Exit, read_origin
from hub.terminal import printable, stop

ANSWER_SECONDS: Final = 20.0
OWN_ADDRESS: Final = "name the hub's own address, such as http://127.0.0.1:8420, never the proxy's."
MAX_BYTES: Final = 50_000_000
PAGE: Final = 100
"""The number of reports, or of entries of the audit log, in one answer."""
MAX_BAN_DAYS: Final = 366
MAX_REASON: Final = 500
MAX_ID: Final = 64
"""These are limits of the API (hub/net/http/admin.py, admin_requests.py), which takes a second to import."""

app = typer.Typer(
    help="See and moderate the tables of running hubs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # they print variables, which may hold secrets
)

Hub = Annotated[
    str | None, typer.Option(help="The hub's address (default: here, at PARLEY_HOST and PARLEY_PORT).")
]
Skip = Annotated[int, typer.Option(help="Leave out this many of the newest.", min=0, max=999_999)]
Reason = Annotated[str, typer.Option(help="For the audit log; the person does not see it.")]


@app.command()
def tables(hub: Hub = None) -> None:
    """List the running tables of all hubs."""
    for table in _list(hub, "tables", "tables", "No tables are running."):
        people = ", ".join(
            f"{seat['name']} ({seat['person']})" if seat["person"] else f"bot {seat['bot']}"
            for seat in table["people"]
            if seat["person"] or seat["bot"]
        )
        watchers = "" if table["watchers"] is None else f", {table['watchers']} watching"
        at_hub = f", at {table['hub']}" if table["hub"] else ""
        state = f"{table['game']}, {table['status']}{watchers}{at_hub}"
        _print(f"{table['code']}  {table['room']}  {state}: {people}")


@app.command()
def people(hub: Hub = None) -> None:
    """List the people connected to this hub, with their networks."""
    for person in _list(hub, "people", "people", "Nobody is connected."):
        places = ", ".join(
            f"{place['room']} {'watching' if place['seat'] is None else 'seat ' + str(place['seat'])}"
            for place in person["places"]
        )
        networks = " ".join(person["networks"]) or "this machine"
        _print(f"{person['person']}  {person['name']}  {networks}  {places}")


@app.command()
def reports(skip: Skip = 0, hub: Hub = None) -> None:
    """List a hundred reports, newest first."""
    if_empty = "There are no more reports." if skip else "There are no reports."
    for report in _list_page(hub, "reports", "reports", skip, if_empty):
        _print(f"{report['id']}  {_time(report['at'])}  {_about(report)}")


@app.command()
def report(
    id: Annotated[str, typer.Argument(help="The report's id.")],
    handled: Annotated[str | None, typer.Option(help="Close it, with this note on the outcome.")] = None,
    hub: Hub = None,
) -> None:
    """Show a report with the messages that its sender saw, or close it."""
    _check_reason(handled or "")
    path = f"reports/{_quote(id)}"
    report = _ask(hub, path) if handled is None else _ask(hub, f"{path}/handle", {"reason": handled})
    _print(f"{report['id']}  {_time(report['at'])}  table {report['code']} ({report['room']})")
    _print(f"{_about(report)}; from {report['reporter_name']} ({report['reporter']})")
    if report["text"]:
        _print(f"  {report['text']}")
    for line in report["lines"]:
        _print(f"  | {line['name']}: {line.get('text') or line.get('phrase')}")


@app.command(context_settings={"ignore_unknown_options": True})  # an id may begin with a hyphen
def close(
    room: Annotated[str, typer.Argument(help="The table's id or code.")],
    reason: Reason = "",
    reopen: Annotated[bool, typer.Option("--reopen", help="Reopen it.")] = False,
    hub: Hub = None,
) -> None:
    """Close a table, at any hub: everybody is disconnected, and nobody can enter until it is reopened."""
    _check_reason(reason)
    action = "reopen" if reopen else "close"
    _print(f"{action}: {_ask(hub, f'tables/{_quote(room)}/{action}', {'reason': reason})['room']}")


@app.command()
def ban(
    person: Annotated[str | None, typer.Option(help="The person's id, as `people` shows it.")] = None,
    network: Annotated[str | None, typer.Option(help="An IPv4 address, or an IPv6 address or /64.")] = None,
    days: Annotated[float, typer.Option(help="How long, at most 366.")] = 7,
    reason: Reason = "",
    hub: Hub = None,
) -> None:
    """Keep a person or a network out of every hub for some days."""
    _check_reason(reason)
    if not 0 < days <= MAX_BAN_DAYS:
        stop(f"--days must be more than 0 and at most {MAX_BAN_DAYS}.", Exit.USAGE)
    entry = _ask(hub, "bans", {**_target(person, network), "days": days, "reason": reason})
    _print(f"banned until {_time(entry['until'])}: {entry['kind']} {entry['target']}")
    _warn_of_unknown(entry)


@app.command()
def unban(
    person: Annotated[str | None, typer.Option(help="The person's id.")] = None,
    network: Annotated[str | None, typer.Option(help="The network.")] = None,
    hub: Hub = None,
) -> None:
    """Lift a ban."""
    _print(f"lifted: {_ask(hub, 'bans/lift', _target(person, network))['target']}")


@app.command()
def bans(hub: Hub = None) -> None:
    """List bans, revocations and closed tables, the first to end on top."""
    entries = _ask(hub, "bans")
    if not any(entries.values()):
        _note("There are no bans, revocations or closed tables.")
    for entry in entries["bans"]:
        name = f" {entry['name']}" if entry["name"] else ""
        _print(f"until {_time(entry['until'])}  {entry['kind']} {entry['target']}{name}  {entry['reason']}")
    for entry in entries["revocations"]:
        _print(f"revoked before {_time(entry['before'])}  {entry['person'] or 'everybody'}")
    for entry in entries["closures"]:
        _print(f"closed table {entry['room']}  {entry['reason']}")


@app.command()
def revoke(
    person: Annotated[str | None, typer.Option(help="The person's id.")] = None,
    all_before: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"], help="In UTC.")
    ] = None,
    hub: Hub = None,
) -> None:
    """Void the tokens and tickets of one person, or all that were issued before a time."""
    if (person is None) == (all_before is None):
        stop("Give either --person or --all-before.", Exit.USAGE)
    if person is not None:
        _check_id(person)
    before = None if all_before is None else int(all_before.replace(tzinfo=UTC).timestamp())
    entry = _ask(hub, "revocations", {"person": person, "before": before})
    _print(f"void: those of {entry['person'] or 'everybody'} issued before {_time(entry['before'])}")
    _warn_of_unknown(entry)


@app.command()
def audit(skip: Skip = 0, hub: Hub = None) -> None:
    """List a hundred of the operators' actions, newest first."""
    for entry in _list_page(hub, "audit", "entries", skip, "The audit log has no more entries."):
        source = entry["network"] or "this machine"
        detail = f"  {entry['detail']}" if entry["detail"] else ""
        _print(
            f"{_time(entry['at'])}  {entry['who']} from {source}  {entry['action']} {entry['target']}{detail}"
        )


def drain(hub: Hub = None) -> None:
    """Hand over the tables of one hub to the others; exit once that is done, so that it can be stopped.

    PARLEY_ADMIN_TOKEN must be set as on the hub.
    """
    answer = _ask(hub, "drain", {})
    if answer["already"]:
        _print(f"already drained: {answer['drained']}")
    else:
        _print(f"drained: {answer['drained']}, tables that left: {answer['tables']}")
    if not answer["others"]:
        _note("Warning: no other hub is ready: tables stand still until one starts.")
    _note("The hub takes no tables until it is stopped and started again.")


# --- internal ---


def _ask(hub: str | None, path: str, body: Mapping[str, Any] | None = None) -> Any:
    """The hub's answer to a GET, or to a POST of a body. Stops with the hub's advice if it refuses."""
    settings = _settings()
    hub = hub or settings.local_url
    if "://" not in hub and read_origin(f"http://{hub.rstrip('/')}") is not None:
        stop(f'"http://" is missing in --hub {hub}: {OWN_ADDRESS}', Exit.USAGE)
    if read_origin(hub.rstrip("/")) is None:
        stop(f"--hub must be an address without a path: {OWN_ADDRESS}", Exit.USAGE)
    url = f"{hub.rstrip('/')}/admin/api/{path}"
    headers = {"authorization": f"Bearer {_token(settings)}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, data, headers), timeout=ANSWER_SECONDS
        ) as answer:
            return json.loads(answer.read(MAX_BYTES))
    except urllib.error.HTTPError as error:
        try:
            advice = str(json.loads(error.read(10_000))["advice"])
        except (ValueError, KeyError, TypeError):
            advice = f"The hub answered {error.code}."
        if error.code == 404 and "nothing here" in advice:
            advice = "This hub has no /admin: set PARLEY_ADMIN_TOKEN on it, and restart it."
        stop(advice, Exit.REFUSED)
    except (OSError, ValueError, http.client.HTTPException):
        stop(f"{hub} did not answer: is that a Parley hub, and is it running?", Exit.USAGE)


def _list(hub: str | None, path: str, field: str, if_empty: str) -> Any:
    """A list in the hub's answer; says `if_empty` if it is."""
    items = _ask(hub, path)[field]
    if not items:
        _note(if_empty)
    return items


def _list_page(hub: str | None, path: str, field: str, skip: int, if_empty: str) -> Iterator[Any]:
    """The entries of one page; afterwards says how to see the next page, if there may be one."""
    entries = _list(hub, f"{path}?skip={skip}", field, if_empty)
    yield from entries
    if len(entries) == PAGE:
        _note(f"For older ones, add --skip {skip + PAGE}.")


def _settings() -> Config:
    try:
        return config.load()
    except CannotStart as problem:
        stop(problem.advice, problem.exit)


def _token(settings: Config) -> str:
    token = settings.admin_token
    if token is None:
        stop("Set PARLEY_ADMIN_TOKEN to the same value as on the hub.", Exit.USAGE)
    return token.get_secret_value()


def _target(person: str | None, network: str | None) -> dict[str, str]:
    if (person is None) == (network is None):
        stop("Give either --person or --network.", Exit.USAGE)
    _check_id(str(person if network is None else network))
    return (
        {"kind": "person", "target": person}
        if person is not None
        else {"kind": "network", "target": str(network)}
    )


def _check_id(text: str) -> None:
    if not 0 < len(text) <= MAX_ID:
        stop(f"A person's id or a network has between 1 and {MAX_ID} characters.", Exit.USAGE)


def _check_reason(text: str) -> None:
    if len(text) > MAX_REASON:
        stop(f"A reason or note may have at most {MAX_REASON} characters.", Exit.USAGE)


def _warn_of_unknown(entry: Mapping[str, Any]) -> None:
    if entry.get("known") is False:
        _note("Warning: nobody with this id has sat at a table, or is connected to this hub. Is it right?")


def _about(report: Mapping[str, Any]) -> str:
    about = report["about"]
    whom = f" about {about['name']} ({about['person'] or 'unknown'})" if about else ""
    state = f", closed: {report['handled']['note'] or 'no note'}" if report["handled"] else ""
    return f"{report['reason']}{whom}{state}"


def _time(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _quote(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _print(line: str) -> None:
    print(printable(line))


def _note(sentence: str) -> None:
    """For people; standard output has only the items, for programs."""
    print(printable(sentence), file=sys.stderr)
