"""Tables of Almost, created over HTTP as docs/PROTOCOL.md describes."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from bench.machine import CannotMeasure

SEATS: Final = 4

PLAY: Final = {"mode": "almost", "discussion": "none", "timers": "relaxed"}
"""One minute to bid, up to nine with eight extensions: a clock runs, and the round lasts long enough."""
CLOCK: Final = {"mode": "almost", "discussion": "none", "timers": "fast"}
"""Windows that end every few seconds without any move."""


@dataclass(frozen=True)
class Socket:
    """The path and ticket to open a socket with."""

    path: str
    ticket: str


@dataclass(frozen=True)
class Table:
    """A table with its sockets; `kind` is the load's term for it: play, clock or bare."""

    kind: str
    seats: tuple[Socket, ...]
    watchers: tuple[Socket, ...] = ()

    @property
    def room(self) -> str:
        return self.seats[0].path.rpartition("/")[2]


class Hub:
    """The HTTP side of a hub."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def close(self) -> None:
        self._connection.close()

    def table(self, kind: str = "play", watchers: int = 0) -> Table:
        """Creates a table with four people; one more person watches it through `watchers` sockets."""
        host, *guests = [self.person(f"Bench {seat}", seat) for seat in range(SEATS)]
        options = PLAY if kind == "play" else CLOCK
        first = self._request(
            "POST", "/api/rooms", {"game": "almost", "seats": SEATS, "options": options}, host
        )
        room, seats = first["room"], [first]
        for seat, person in enumerate(guests, 1):
            seats.append(self._request("POST", f"/api/rooms/{room}/seats/{seat}", None, person))
        watching: tuple[Socket, ...] = ()
        if watchers:
            watching = (self.watch(room, "Bench watcher"),) * watchers
        return Table(kind, tuple(map(_socket, seats)), watching)

    def watch(self, room: str, name: str) -> Socket:
        """A place for a new person among a table's watchers."""
        return _socket(self._request("POST", f"/api/rooms/{room}/enter", None, self.person(name, 9)))

    def metrics(self) -> str:
        """The hub's metrics, in Prometheus' text format."""
        self._connection.request("GET", "/metrics")
        return self._connection.getresponse().read().decode()

    def person(self, name: str, colour: int) -> str:
        """A new person's token."""
        return str(self._request("POST", "/api/people", {"name": name, "colour": colour})["token"])

    def _request(
        self, method: str, path: str, body: object = None, token: str | None = None
    ) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        answer: dict[str, Any] = json.loads(response.read())
        if response.status >= 300:
            raise CannotMeasure(f"{method} {path} was answered with {response.status}: {answer}")
        return answer


def bare_tables(rooms: int, seats: int, watchers: int = 0) -> list[Table]:
    """Rooms on a server without tables, each with its own path."""
    return [
        Table("bare", (Socket(f"/ws/{room}", "-"),) * seats, (Socket(f"/ws/{room}", "-"),) * watchers)
        for room in range(rooms)
    ]


def _socket(place: dict[str, Any]) -> Socket:
    return Socket(urlsplit(str(place["socket"])).path, str(place["ticket"]))
