"""A game on a real hub, played according to docs/PROTOCOL.md alone; then its record, metrics and log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx
import msgpack  # type: ignore[import-untyped]
import pytest
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from games import GAMES
from hub.table import records
from hub.table.salt_exchange import hash_salt
from hub.wire.messages import SUBPROTOCOL
from tests.harness.plain_http import blocking_http
from tests.harness.processes import HubProcess

PATIENCE: Final = 20.0
"""How many seconds to wait for anything."""
TALK: Final = "nobody may read this"
NOTE: Final = "dear diary"
SALTS: Final = ("a1" * 32, "b2" * 32, "c3" * 32)
NAMES: Final = ("Ann Smith", "Béatrice", "Cy 🐙")


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    with HubProcess(tmp_path, log_level="debug") as process:
        yield process


class Player:
    """A person at a table with a socket: the view they were shown, and their commands."""

    def __init__(self, http: httpx.Client, name: str, colour: int) -> None:
        self.http = http
        self.token: str = http.post("/api/people", json={"name": name, "colour": colour}).json()["token"]
        self.bearer = {"authorization": f"Bearer {self.token}"}
        self.sections: dict[str, Any] = {}
        self.talk: list[Any] = []
        self.frame = 0
        self.n = 0

    def prompt(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.http.post(path, headers=self.bearer, json=body or None)
        assert answer.is_success, answer.text
        place: dict[str, Any] = answer.json()
        self.ticket: str = place["ticket"]
        self.address: str = place["socket"]
        return place

    def open(self, sockets: ExitStack) -> None:
        protocol = [Subprotocol(SUBPROTOCOL)]
        opened = connect(self.address, subprotocols=protocol, compression=None, open_timeout=PATIENCE)
        self.socket = sockets.enter_context(opened)
        self.send(t="hello", ticket=self.ticket)
        welcome = self.read()
        assert welcome["t"] == "welcome"
        self.seat: int | None = welcome["seat"]
        self.session: int | None = welcome["session"]
        self.until(lambda: bool(self.sections))

    def send(self, **message: Any) -> None:
        self.socket.send(msgpack.packb(message))

    def read(self) -> dict[str, Any]:
        """The next message, applied as the protocol says."""
        data = self.socket.recv(timeout=PATIENCE)
        assert isinstance(data, bytes)
        message: dict[str, Any] = msgpack.unpackb(data)
        match message["t"]:
            case "view":
                self.frame = message["n"]
                self.sections = message["sections"]
                self.talk = message["talk"]
            case "frame":
                assert message["n"] == self.frame + 1
                self.frame += 1
                self.sections |= message.get("sections", {})
                self.sections = {name: data for name, data in self.sections.items() if data is not None}
            case "talk":
                self.talk.append(message["message"])
            case _:
                pass
        return message

    def until(self, holds: Any) -> None:
        while not holds():
            self.read()

    def do(self, kind: str, **fields: Any) -> None:
        """Sends a command and reads up to its verdict, which must be applied."""
        self.n += 1
        self.send(t=kind, session=self.session, n=self.n, **fields)
        while (message := self.read())["t"] != "verdict":
            pass
        assert message == {"t": "verdict", "n": self.n}, message

    def prompt_of(self, kind: str) -> str:
        """The id of a prompt of this kind, once it is open to this seat."""

        def found() -> list[str]:
            prompts = self.sections.get("prompts", {"prompts": []})["prompts"]
            return [
                prompt["id"] for prompt in prompts if prompt["kind"] == kind and self.seat in prompt["seats"]
            ]

        self.until(lambda: bool(found()))
        return found()[0]


def finished(player: Player) -> bool:
    return "result" in player.sections


def play(http: httpx.Client, sockets: ExitStack) -> list[Player]:
    """A whole game of Almost by three people, without discussion."""
    players = [Player(http, name, i) for i, name in enumerate(NAMES)]
    options = {"discussion": "none", "timers": "fast"}
    placed = players[0].prompt("/api/rooms", game="almost", seats=3, options=options)
    for i, player in enumerate(players[1:], start=1):
        player.prompt(f"/api/rooms/{placed['room']}/seats/{i}")
    for player in players:
        player.open(sockets)
        player.do("manage", act={"do": "commit_salt", "salt_hash": hash_salt(SALTS[player.seat or 0])})
    for player in players[1:]:  # once the host is ready, too, the game would start by itself
        player.do("manage", act={"do": "ready", "ready": True})
    players[0].do("say", channel="table", text=TALK)
    players[1].do("note", text=NOTE)
    players[0].do("manage", act={"do": "start"})
    for player in players:
        player.until(lambda player=player: player.sections["table"]["salt_hashes"] is not None)
        salt = SALTS[player.seat or 0]
        player.do("manage", act={"do": "reveal_salt", "salt": salt, "next_hash": hash_salt(salt)})
    for round in range(2):
        for player in players:
            number = 1 + (player.seat or 0) + round
            player.do("do", prompt=player.prompt_of("bid"), move={"move": "lock", "number": number})
        for player in players:
            player.do("do", prompt=player.prompt_of("continue"), move={"move": "continue"})
    for player in players:
        player.until(lambda player=player: finished(player))
    return players


def test_a_game_through_the_front_door(hub: HubProcess) -> None:
    """L1, M1, V1: the game, and then its record, metrics and log."""
    with blocking_http(hub.url) as http, ExitStack() as sockets:
        players = play(http, sockets)
        outcome = players[0].sections["result"]["outcome"]
        table = players[0].sections["table"]
        assert outcome["scores"] == [3, 0, 0]
        assert [message["channel"] for message in players[2].talk] == ["table"]
        assert players[1].sections["note"] == {"text": NOTE}

        record = http.get(f"/api/rooms/{table['room']}/record").content
        key = bytes.fromhex(http.get("/api/key").json()["key"])
        report = records.verify(record, GAMES, key)
        assert isinstance(report, records.Verified), report
        assert report.outcome is not None
        assert list(report.outcome.scores) == outcome["scores"]
        assert report.names == NAMES
        assert report.salts == SALTS

        figures = http.get("/metrics").text
        assert figure(figures, 'parley_sockets{kind="seat"}') == 3
        assert figure(figures, 'parley_commands_total{verdict="applied"}') >= 18
        assert figure(figures, "parley_rooms") == 1
        assert figure(figures, "parley_store_healthy") == 1
        assert figure(figures, "parley_tasks_failed_total") == 0

    assert hub.stop() == 0
    log = "\n".join(hub.lines)
    secrets = [TALK, NOTE, *NAMES, table["seed"], table["seed_hash"], key.hex(), *SALTS]
    secrets += [player.token for player in players] + [player.ticket for player in players]
    secrets += [part for player in players for part in re.split(r"\.", player.ticket)]
    assert [secret for secret in secrets if secret in log] == []
    secret = Path(hub.environment["PARLEY_DATA"], "secret").read_text().strip()
    assert secret not in log
    assert "Traceback" not in log


def figure(text: str, name: str) -> float:
    return float(re.findall(rf"^{re.escape(name)} (\S+)$", text, flags=re.M)[0])
