"""`parley admin` against a running hub (O6)."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from hub import admin_cli, cli
from hub.net.http.admin import PAGE
from hub.net.http.admin_requests import NewBan
from hub.store.reports import Report, Reports
from hub.store.store import Store
from hub.wire.tickets import Person as Identity
from hub.wire.tickets import Signer
from tests.harness.defaults import DEFAULTS
from tests.harness.plain_http import blocking_http
from tests.harness.processes import free_port
from tests.operators.conftest import ADMIN_TOKEN, SECRET, Fleet


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_ADMIN_TOKEN", ADMIN_TOKEN)


def test_the_command_has_the_limits_of_the_api() -> None:
    fields = msgspec.json.schema(NewBan)["$defs"]["NewBan"]["properties"]
    assert fields["days"]["maximum"] == admin_cli.MAX_BAN_DAYS
    assert fields["reason"]["maxLength"] == admin_cli.MAX_REASON
    assert fields["target"]["maxLength"] == admin_cli.MAX_ID
    assert admin_cli.PAGE == PAGE


def test_the_hub_of_this_machine(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --hub, the commands ask the one that the settings name."""
    monkeypatch.setenv("PARLEY_ADMIN_TOKEN", ADMIN_TOKEN)
    monkeypatch.setenv("PARLEY_HOST", "0.0.0.0")
    monkeypatch.setenv("PARLEY_PORT", fleet.one.url.rpartition(":")[2])
    assert CliRunner().invoke(cli.app, ["admin", "tables"]).exit_code == 0
    monkeypatch.setenv("PARLEY_PORT", str(free_port()))
    assert "127.0.0.1" in CliRunner().invoke(cli.app, ["admin", "tables"]).stderr


def run(fleet: Fleet, *words: str, code: int = 0) -> str:
    """What `parley admin` prints."""
    command, *arguments = words
    result = CliRunner().invoke(cli.app, ["admin", command, "--hub", fleet.one.url, *arguments])
    assert result.exit_code == code, result.output
    return result.stdout + result.stderr


def make_table(fleet: Fleet) -> tuple[str, dict[str, Any]]:
    """A person's id, and their new table."""
    with blocking_http(fleet.one.url) as http:
        token = http.post("/api/people", json={"name": "Bea", "colour": 1}).json()["token"]
        headers = {"authorization": f"Bearer {token}"}
        placed = http.post("/api/rooms", headers=headers, json={"game": "almost", "seats": 3}).json()
    person = Signer(SECRET.encode(), DEFAULTS.token_days).read_person(token, time.time())
    assert isinstance(person, Identity)
    return person.id, placed


def test_an_operator_moderates_from_a_terminal(fleet: Fleet) -> None:
    person, placed = make_table(fleet)
    (line,) = [line for line in run(fleet, "tables").splitlines() if placed["room"] in line]
    assert f"{placed['code']}  {placed['room']}  almost, waiting" in line
    assert f"Bea ({person})" in line

    assert f"person {person}" in run(fleet, "ban", "--person", person, "--days", "3", "--reason", "spam")
    assert f"person {person}" in run(fleet, "bans")
    assert person in run(fleet, "unban", "--person", person)
    assert person not in run(fleet, "bans")
    assert "203.0.113.7" in run(fleet, "ban", "--network", "203.0.113.7")
    run(fleet, "unban", "--network", "203.0.113.7")
    assert person in run(fleet, "revoke", "--person", person)
    assert "everybody" in run(fleet, "revoke", "--all-before", "2020-01-31")
    assert placed["room"] in run(fleet, "close", placed["code"], "--reason", "spam")
    assert f"closed table {placed['room']}" in run(fleet, "bans")
    assert placed["room"] in run(fleet, "close", "--reopen", placed["code"])
    assert placed["room"] not in run(fleet, "bans")

    newest = run(fleet, "audit").splitlines()[1:4]
    assert " close table " in newest[0]
    assert newest[1].endswith(" revoke all before 2020-01-31 00:00 UTC")
    assert f" revoke {person}" in newest[2]
    for words in (("people",), ("reports",)):
        run(fleet, *words)


def test_refusals_are_one_sentence(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(fleet, "close", "BCDFGH", code=1).startswith("parley: There is no such table")
    assert "no such report" in run(fleet, "report", "nothing", code=1)
    assert "either --person or --network" in run(fleet, "ban", code=2)
    assert "not this machine's" in run(fleet, "ban", "--network", "127.0.0.1", code=1)
    for words in (
        ("ban", "--network", "203.0.113.7", "--days", "999"),
        ("ban", "--person", "p", "--days", "0"),
    ):
        assert run(fleet, *words, code=2) == "parley: --days must be more than 0 and at most 366.\n"
    assert run(fleet, "ban", "--person", "p", "--days", "nan", code=2).startswith("parley: --days must be")
    assert "at most 500 characters" in run(fleet, "ban", "--person", "p", "--reason", "x" * 501, code=2)
    assert "1 and 64 characters" in run(fleet, "revoke", "--person", "x" * 65, code=2)
    monkeypatch.setenv("PARLEY_ADMIN_TOKEN", "not-the-right-token")
    assert "not PARLEY_ADMIN_TOKEN" in run(fleet, "tables", code=1)
    monkeypatch.delenv("PARLEY_ADMIN_TOKEN")
    assert "PARLEY_ADMIN_TOKEN" in run(fleet, "tables", code=2)


def test_what_does_not_exist_is_said(fleet: Fleet) -> None:
    """A typing error must not look like a success."""
    _, placed = make_table(fleet)
    for table in (placed["code"], placed["room"], "XXXX", "-of-1-id-in-64"):
        assert "No closed table has this id or code." in run(fleet, "close", "--reopen", table, code=1)
    person, _ = make_table(fleet)
    for words in (("ban", "--days", "1"), ("revoke",)):
        assert "Warning: nobody with this id" in run(fleet, *words, "--person", "nosuch")
        assert "Warning" not in run(fleet, *words, "--person", person)
    assert run(fleet, "audit").splitlines()[2].endswith(f"ban person {person}  1 day")
    before = run(fleet, "bans")
    assert "Give a time in the past" in run(fleet, "revoke", "--all-before", "2999-01-01", code=1)
    assert run(fleet, "bans") == before


def test_empty_lists_are_sentences(fleet: Fleet) -> None:
    assert run(fleet, "people") == "Nobody is connected.\n"
    assert run(fleet, "reports") == "There are no reports.\n"
    assert run(fleet, "audit", "--skip", "999") == "The audit log has no more entries.\n"


@pytest.mark.parametrize(
    "hub",
    [
        "http://127.0.0.1:8420/table",
        "https://play.example.org/?x=1",
        "http://a b",
        "http://[",
        "http://127.0.0.1:99999",
    ],
)
def test_a_hub_is_an_address_without_a_path(hub: str) -> None:
    """Otherwise it seems that the hub has no /admin."""
    result = CliRunner().invoke(cli.app, ["admin", "tables", "--hub", hub])
    assert (result.exit_code, result.stderr) == (
        2,
        f"parley: --hub must be an address without a path: {admin_cli.OWN_ADDRESS}\n",
    )


@pytest.mark.parametrize("hub", ["127.0.0.1:29420", "play.example.org/"])
def test_a_hub_without_a_scheme(hub: str) -> None:
    result = CliRunner().invoke(cli.app, ["drain", "--hub", hub])
    assert (result.exit_code, result.stderr) == (
        2,
        f'parley: "http://" is missing in --hub {hub}: {admin_cli.OWN_ADDRESS}\n',
    )


def test_a_server_that_is_no_hub(fleet: Fleet) -> None:
    """It answers, but not in HTTP."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"-ERR unknown command\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        result = CliRunner().invoke(cli.app, ["admin", "tables", "--hub", f"http://127.0.0.1:{port}"])
        thread.join()
    assert (result.exit_code, result.stderr) == (
        2,
        f"parley: http://127.0.0.1:{port} did not answer: is that a Parley hub, and is it running?\n",
    )


def test_reports_are_shown_a_hundred_at_a_time(fleet: Fleet) -> None:
    """O5: the newest first, with the way to the older ones."""

    async def store_reports() -> None:
        store = await Store.open(fleet.store, forget_days=DEFAULTS.forget_days)
        reports, at = Reports(store, DEFAULTS.forget_days), int(time.time())
        for i in range(101):
            await reports.add(Report(f"{i:04x}", at + i, "room", "BCDFGH", "p-ann", "Ann", "spam"))
        await store.close()

    asyncio.run(store_reports())
    lines = run(fleet, "reports").splitlines()
    assert len(lines) == 101
    assert lines[0].startswith("0064 ")
    assert lines[100] == "For older ones, add --skip 100."
    assert run(fleet, "reports", "--skip", "100").startswith("0000 ")
    assert run(fleet, "reports", "--skip", "101") == "There are no more reports.\n"
