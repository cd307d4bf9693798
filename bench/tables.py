"""Tables of Almost, made the way people make them: by HTTP, as docs/PROTOCOL.md has it."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from bench.machine import CannotMeasure

SEATS: Final = 4

PLAY: Final = {"mode": "almost", "discussion": "none", "timers": "relaxed"}
"""A bid of a minute, which eight extensions make nine: a clock runs, and the round lasts long enough."""
CLOCK: Final = {"mode": "almost", "discussion": "none", "timers": "fast"}
"""Windows that end every few seconds, with nobody doing anything."""


@dataclass(frozen=True)
class Socket:
    path: str
    ticket: str


@dataclass(frozen=True)
class Table:
    """`kind` is the load's word for it: play, clock or bare."""

    kind: str
    seats: tuple[Socket, ...]
    watchers: tuple[Socket, ...] = ()


class Hub:
    """The HTTP side of a hub."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def close(self) -> None:
        self._connection.close()

    def table(self, kind: str = "play", watchers: int = 0) -> Table:
        """A table whose seats are taken by four persons. One more watches, with many sockets."""
        host, *others = [self._person(f"Bench {seat}", seat) for seat in range(SEATS)]
        wanted = {"game": "almost", "seats": SEATS, "options": PLAY if kind == "play" else CLOCK}
        made = self._prompt("POST", "/api/rooms", wanted, host)
        room = made["room"]
        seats = [made]
        for seat, person in enumerate(others, 1):
            seats.append(self._prompt("POST", f"/api/rooms/{room}/seats/{seat}", None, person))
        watching: tuple[Socket, ...] = ()
        if watchers:
            place = self._prompt("POST", f"/api/rooms/{room}/enter", None, self._person("Bench watcher", 9))
            watching = (_socket(place),) * watchers
        return Table(kind, tuple(map(_socket, seats)), watching)

    def metrics(self) -> str:
        self._connection.request("GET", "/metrics")
        return self._connection.getresponse().read().decode()

    def _person(self, name: str, colour: int) -> str:
        return str(self._prompt("POST", "/api/people", {"name": name, "colour": colour})["token"])

    def _prompt(
        self, method: str, path: str, body: object = None, token: str | None = None
    ) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        answer: dict[str, Any] = json.loads(response.read())
        if response.status >= 300:
            raise CannotMeasure(f"{method} {path} was answered {response.status}: {answer}")
        return answer


def bare(rooms: int, seats: int, watchers: int = 0) -> list[Table]:
    """Rooms of a server that knows no rooms: a path each."""
    return [
        Table("bare", (Socket(f"/ws/{room}", "-"),) * seats, (Socket(f"/ws/{room}", "-"),) * watchers)
        for room in range(rooms)
    ]


def _socket(place: dict[str, Any]) -> Socket:
    return Socket(urlsplit(str(place["socket"])).path, str(place["ticket"]))
