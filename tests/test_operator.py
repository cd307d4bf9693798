"""`parley forget` and `parley export`, with and without a running hub on the store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from typer.testing import CliRunner

from hub import cli
from hub.config import Exit
from hub.net.push.encryption import PushWriter
from tests.harness.plain_http import blocking_http
from tests.harness.processes import HubProcess
from tests.net.http.world import SIGNER

ENDPOINT: Final = "https://push.example/a"
KEYS: Final = {
    "p256dh": PushWriter(SIGNER.push_key(), "").public_key,  # a point of the curve, as a browser's key is
    "auth": "AAECAwQFBgcICQoLDA0ODw",
}


def run(*words: str | Path) -> tuple[int, str, str]:
    """Runs the command and returns its exit code, standard output and standard error."""
    result = CliRunner().invoke(cli.app, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def hub(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubProcess]:
    monkeypatch.setenv("PARLEY_DATA", str(short_path / "data"))
    with HubProcess(short_path / "data") as hub:
        yield hub


def come(http: httpx.Client, name: str) -> dict[str, Any]:
    person: dict[str, Any] = http.post("/api/people", json={"name": name, "colour": 0}).json()
    return person


def ask(http: httpx.Client, person: dict[str, Any], path: str, **body: Any) -> dict[str, Any]:
    answer = http.post(path, headers={"authorization": f"Bearer {person['token']}"}, json=body or None)
    assert answer.is_success, answer.text
    place: dict[str, Any] = answer.json()
    return place


def test_a_person_and_a_table(hub: HubProcess, tmp_path: Path) -> None:
    """Exported and removed while the hub runs, and removed after it has stopped."""
    with blocking_http(hub.url) as http:
        ann, bea = come(http, "Ann"), come(http, "Bea")
        table = ask(http, ann, "/api/rooms", game="almost", seats=3, open=True)
        ask(http, bea, f"/api/rooms/{table['code']}/seats/1")
        code, out, _ = run("export", "--person", ann["person"])
        assert code == 0
        exported = json.loads(out)
        assert exported["person"] == ann["person"]
        (part,) = exported["tables"]
        assert (part["code"], part["names"], part["seats"]) == (table["code"], ["Ann"], [0])
        assert run("forget", "--person", ann["person"]) == (0, "The person is forgotten at 1 table.\n", "")
        assert http.get(f"/api/rooms/{table['code']}").json()["host"] in ("Ann", "Bea")
        ask(http, bea, f"/api/rooms/{table['code']}/enter")
    assert hub.stop() == 0
    output = tmp_path / "bea.json"
    assert run("export", "--person", bea["person"], "--output", output)[0] == 0
    (part,) = json.loads(output.read_text())["tables"]
    assert part["is_host"], "the other person has left"
    assert run("forget", "--room", table["code"].lower()) == (0, "The table is forgotten.\n", "")
    code, out, problem = run("forget", "--room", table["code"])
    assert (code, out, problem) == (Exit.USAGE, "", "parley: There is no such table.\n")
    for words in (("export", "--person", bea["person"]), ("forget", "--person", bea["person"])):
        assert run(*words) == (Exit.USAGE, "", "parley: Nothing is known of this person.\n")
    with hub, blocking_http(hub.url) as http:
        assert http.get(f"/api/rooms/{table['room']}").status_code == 404


def test_browsers_that_notify_a_person_are_exported_and_forgotten(hub: HubProcess) -> None:
    with blocking_http(hub.url) as http:
        ann = come(http, "Ann")
        ask(http, ann, "/api/push", endpoint=ENDPOINT, keys=KEYS)
        code, out, _ = run("export", "--person", ann["person"])
        assert code == 0
        exported = json.loads(out)
        assert exported["tables"] == []
        assert [browser["endpoint"] for browser in exported["browsers"]] == [ENDPOINT]
        run("forget", "--person", ann["person"])
        assert run("export", "--person", ann["person"])[0] == Exit.USAGE


def files(hub: HubProcess) -> bytes:
    """All that the bundled store has on the disk."""
    folder = Path(hub.environment["PARLEY_DATA"]) / "store" / "appendonlydir"
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_what_was_removed_leaves_the_disk(hub: HubProcess) -> None:
    """Whether or not the hub runs, so that no later backup holds it."""
    names = ("Zanzibar-Quill", "Ottoline-Vex")
    with blocking_http(hub.url) as http:
        first, second = (come(http, name) for name in names)
        for person in (first, second):
            ask(http, person, "/api/rooms", game="almost", seats=3, open=True)
    run("export", "--person", first["person"])
    assert b"Zanzibar-Quill" in files(hub)
    assert run("forget", "--person", first["person"])[0] == 0
    assert b"Zanzibar-Quill" not in files(hub)
    assert hub.stop() == 0
    assert b"Ottoline-Vex" in files(hub)
    assert run("forget", "--person", second["person"])[0] == 0
    assert b"Ottoline-Vex" not in files(hub)


def test_where_there_is_no_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is created there."""
    monkeypatch.delenv("PARLEY_REDIS_URL", raising=False)
    for words in (("forget", "--room", "BCDFGH"), ("export", "--person", "ann")):
        code, out, problem = run(*words, "--data", tmp_path / "none")
        assert (code, out) == (Exit.DATA, "")
        assert problem.startswith("parley: There is no store in ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [(), ("--room", "BCDFGH", "--person", "ann")])
def test_either_a_room_or_a_person(words: tuple[str, ...]) -> None:
    assert run("forget", *words) == (Exit.USAGE, "", "parley: Give --room or --person.\n")
