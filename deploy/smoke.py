#!/usr/bin/env python3
"""Plays a short game through a public URL, as the browsers of two people would, and says how each step went.

Usage: python smoke.py https://play.example.org [--hubs 2]

It needs Python 3.11 and two packages that `parley` installs, too: msgpack and websockets. So it runs with the
Python of any machine that has the wheel: /opt/parley/bin/python deploy/smoke.py URL. It needs no secret.
SSL_CERT_FILE may name a certificate authority that this machine does not trust. The exit code is 0, or 1 if a
step failed.

The people come back when a connection breaks, as browsers do, so the game goes on while hubs are restarted.
Their table is private: no lobby lists it. Once the game is over or a step has failed, nobody is left there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import msgpack  # type: ignore[import-untyped]
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

SUBPROTOCOL: Final = "parley.v1.msgpack"
PATIENCE_SECONDS: Final = 30.0
"""How long to wait for any answer, or for a connection to come back."""
RETRY_SECONDS: Final = 0.5
READY_SECONDS: Final = 10.0
"""How long /readyz may refuse: while a hub drains, a proxy sends requests there until it notices."""
COME_BACK: Final = frozenset({1001, 1005, 1006, 1012, 1013, 4001, 4009})
"""The close codes after which a client reconnects (docs/PROTOCOL.md, Close codes)."""
GAME: Final = {
    "game": "almost",
    "seats": 3,
    "options": {"mode": "banbury", "banburyRounds": 1, "discussion": "none", "timers": "off"},
}
"""The shortest game: everybody secretly picks a number, once, and the lowest that is unique wins."""
UNREADY: Final = (502, 503, 504)
TABLES_PER_HUB: Final = 4
"""How many tables are tried for each hub that has to show up."""


class Problem(Exception):
    """A step failed; the message says how, and what to do."""


class NotReady(Problem):
    """A hub or the proxy answered that it cannot serve for now."""


class Person:
    """Somebody at the table, with everything that their socket has shown."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name
        self.token: str | None = None
        self.token = str(self.post("/api/people", {"name": name, "colour": 0})["token"])
        self.place: dict[str, Any] = {}
        self.sections: dict[str, Any] = {}
        self.remarks: list[str] = []
        """What was said at the table."""
        self.reconnections = 0
        self._verdicts: dict[int, dict[str, Any]] = {}
        self._pending: dict[int, dict[str, Any]] = {}
        self._session: int | None = None
        self._n = 0
        self._socket: ClientConnection | None = None

    # --- HTTP ---

    def post(self, path: str, body: object = None) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(request(self.url + path, self.token, body or {}))
        return answer

    def sit(self, path: str, body: object = None) -> None:
        """Takes a place, and opens its socket."""
        self.place = self.post(path, body)
        expected, offered = urlsplit(self.url), urlsplit(self.place["socket"])
        if (offered.scheme, offered.netloc) != (expected.scheme.replace("http", "ws"), expected.netloc):
            raise Problem(
                f"The hub sends sockets to {offered.scheme}://{offered.netloc}, which is not {self.url}: set "
                f"PARLEY_PUBLIC_URL={self.url} on every hub, and have the proxy send X-Forwarded-Proto."
            )
        self._come_back()

    # --- the socket ---

    def break_connection(self) -> None:
        """Cuts the connection without a word, as a lost network does."""
        assert self._socket is not None
        self._socket.close_socket()

    def act(self, kind: str, **fields: Any) -> None:
        """Sends a command and waits until the hub has stored it."""
        self._n += 1
        n = self._n
        message = self._pending[n] = {"t": kind, "session": self._session, "n": n, **fields}
        self._send(message)
        self.wait_until(lambda: n in self._verdicts, "an answer to a command")
        if code := self._verdicts[n].get("code"):
            raise Problem(f"The hub refused what {self.name} did ({code}): report it as a bug.")

    def wait_until(self, holds: Callable[[], object], what: str) -> None:
        """Reads messages until this holds, and reconnects if need be."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            assert self._socket is not None
            try:
                data = self._socket.recv(timeout=max(deadline - time.monotonic(), 0.0))
            except TimeoutError:
                raise Problem(
                    f"{self.name} did not get {what} within {PATIENCE_SECONDS:.0f} seconds: see the hubs' "
                    "logs, and run `parley doctor` on each hub's machine."
                ) from None
            except ConnectionClosed as closed:
                self._refuse_end(closed)
                self.reconnections += 1
                self._come_back()
                continue
            self._receive(msgpack.unpackb(data))

    def move(self, prompt: str, move: str, **fields: Any) -> None:
        """Makes a move as soon as this prompt is open."""
        self.wait_until(lambda: self._choices.get(prompt), f"the prompt {prompt}")
        self.act("do", prompt=prompt, move={"move": move, **fields})

    def wait_for_result(self) -> None:
        self.wait_until(lambda: "result" in self.sections, "the result")

    @property
    def _choices(self) -> dict[str, Any]:
        """The legal moves, by prompt; none before the game."""
        choices: dict[str, Any] = self.sections.get("choices", {}).get("choices", {})
        return choices

    def leave(self) -> None:
        """Leaves the seat unless the game is over, and ends the connection."""
        if self._socket is None:
            return
        with suppress(Problem, OSError, ConnectionClosed):
            if "result" not in self.sections:
                self.act("manage", act={"do": "free_seat", "seat": self.place["seat"]})
        self._socket.close()

    def _come_back(self) -> None:
        """Connects, says hello, and sends again what has not been answered."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                self._connect()
                return
            except InvalidStatus as error:
                status = error.response.status_code
                if status < 500 or time.monotonic() > deadline:
                    raise Problem(
                        f"{self.place['socket']} answered {status} instead of opening a socket: make the "
                        "proxy pass WebSocket upgrades on /ws/."
                    ) from None
            except ConnectionClosed as closed:
                self._refuse_end(closed)
                if time.monotonic() > deadline:
                    raise Problem(f"The hub keeps closing {self.name}'s socket: see its log.") from None
            except (OSError, InvalidHandshake) as error:
                if time.monotonic() > deadline:
                    raise Problem(
                        f"{self.place['socket']} cannot be reached ({error}): make the proxy pass WebSocket "
                        "upgrades on /ws/, and see whether a hub is ready."
                    ) from None
            time.sleep(RETRY_SECONDS)

    def _connect(self) -> None:
        self._socket = connect(
            self.place["socket"],
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            max_queue=None,  # each person's socket is read while the other's waits
            open_timeout=PATIENCE_SECONDS,
            legacy=True,  # without a `with`, since the connection lasts from one step to the next
        )
        self.sections = {}
        self._send({"t": "hello", "ticket": self.place["ticket"], "session": self._session})
        while not self.sections:
            self._receive(msgpack.unpackb(self._socket.recv(timeout=PATIENCE_SECONDS)))
        for message in list(self._pending.values()):
            self._send(message)

    def _refuse_end(self, closed: ConnectionClosed) -> None:
        code = 1006 if closed.rcvd is None else closed.rcvd.code
        if code not in COME_BACK:
            reason = "" if closed.rcvd is None else closed.rcvd.reason
            raise Problem(
                f"The hub closed {self.name}'s socket with {code}: {reason or 'it gave no reason'} "
                "(docs/PROTOCOL.md, Close codes)."
            ) from None

    def _send(self, message: dict[str, Any]) -> None:
        assert self._socket is not None
        with suppress(ConnectionClosed):  # noticed when reading, and sent again
            self._socket.send(msgpack.packb(message))

    def _receive(self, message: dict[str, Any]) -> None:
        match message["t"]:
            case "welcome":
                self._session = message["session"]
            case "view":
                self.sections = message["sections"]
                self.remarks = [said.get("text", "") for said in message["talk"]]
            case "frame":
                changed = self.sections | message.get("sections", {})
                self.sections = {name: section for name, section in changed.items() if section is not None}
            case "talk":
                self.remarks.append(message["message"].get("text", ""))
            case "verdict":
                self._verdicts[message["n"]] = message
                self._pending.pop(message["n"], None)
            case _:
                pass


def request(url: str, token: str | None = None, body: object = None) -> bytes:
    """The body of a successful response. Raises Problem.

    Asks again as long as the hub says when to, as it does while it drains and when a limit is reached.
    """
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            sent = urllib.request.Request(url, data, headers)
            with urllib.request.urlopen(sent, timeout=PATIENCE_SECONDS) as answer:
                content: bytes = answer.read()
            return content
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            if not after.isdigit() or time.monotonic() + int(after) > deadline:
                kind = NotReady if error.code in UNREADY else Problem
                raise kind(f"{url} answered {error.code}: {read_advice(error)}") from None
            time.sleep(int(after))
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise Problem(
                f"{url} cannot be reached ({reason}): is its name in the DNS, and does the proxy run?"
            ) from None


def await_ready(url: str) -> None:
    """Returns once a hub is ready. Raises Problem."""
    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            request(f"{url}/readyz")
            return
        except NotReady:
            if time.monotonic() > deadline:
                raise
        time.sleep(RETRY_SECONDS)


def read_advice(error: urllib.error.HTTPError) -> str:
    """What the hub advises, or what an answer means that is not a hub's."""
    with suppress(ValueError, KeyError, TypeError):
        return str(json.loads(error.read(10_000))["advice"])
    if error.code in UNREADY:
        return "no hub is ready behind the proxy: run `parley doctor` on each hub's machine."
    return "this is no hub's answer: does the proxy lead to the hubs?"


# --- the steps ---


def play_table(url: str, say: Callable[[str], None]) -> str | None:
    """Plays one game at a new table and returns the label of the table's hub, if the address has one."""
    people: list[Person] = []
    try:
        people = [Person(url, name) for name in ("Smoke Ann", "Smoke Ben")]
        ann, ben = people
        ann.sit("/api/rooms", GAME)
        room = ann.place["room"]
        ben.sit(f"/api/rooms/{room}/seats/1")
        label = read_label(ann.place["socket"])
        hub = "" if label is None else f" of hub {label}"
        say(f"Two people sit at table {ann.place['code']}{hub}, and their sockets are open.")
        say(f"What one of them says reaches the other, after {talk(ann, ben) * 1000:.0f} ms.")
        ben.break_connection()
        talk(ben, ann)
        say("The connection of one of them broke; they came back to their seat, and are heard.")
        ann.act("manage", act={"do": "start"})
        for seat, person in enumerate(people):
            person.move("bid:1", "lock", number=seat + 1)
        for person in people:
            person.move("continue:1", "continue")
        for person in people:
            person.wait_for_result()
        breaks = sum(person.reconnections for person in people)
        say(f"They played a whole game with a bot; broken connections came back: {breaks}.")
        request(f"{url}/api/rooms/{room}/record", ann.token)
        say(f"Its record can be read. Nobody is left at the table; `parley forget --room {room}` removes it.")
        return label
    finally:
        for person in people:
            person.leave()


def talk(speaker: Person, listener: Person) -> float:
    """How many seconds what one person says takes to the other."""
    start = time.monotonic()
    text = f"This is {speaker.name}."
    speaker.act("say", channel="table", text=text)
    listener.wait_until(lambda: text in listener.remarks, "what the other person said")
    return time.monotonic() - start


def read_label(socket: str) -> str | None:
    """The label in the address of a table's sockets (/ws/{label}/{room}), where hubs share a store."""
    parts = urlsplit(socket).path.strip("/").split("/")
    return parts[1] if len(parts) == 3 else None


def play_tables(url: str, hubs: int, say: Callable[[str], None]) -> None:
    """Plays games until that many hubs have had a table. Raises Problem."""
    seen: set[str | None] = set()
    for _ in range(TABLES_PER_HUB * hubs):
        label = play_table(url, say)
        if label in seen:
            await_ready(url)  # a proxy that takes turns might give each table to the same hub
        seen.add(label)
        if len(seen) == hubs:
            return
    raise Problem(
        f"All tables were on {len(seen)} of {hubs} hubs: does the proxy send requests to every hub, and is "
        "each of them ready (`curl http://HUB/readyz`)?"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("url", help="where browsers reach the hubs, such as https://play.example.org")
    parser.add_argument(
        "--hubs", type=int, default=1, help="keep playing until this many hubs have had a table (default: 1)"
    )
    options = parser.parse_args(arguments)
    url = options.url.rstrip("/")

    def say(text: str) -> None:
        print(f"ok       {text}", flush=True)

    try:
        await_ready(url)
        say(f"{url} leads to a hub that is ready.")
        play_tables(url, options.hubs, say)
    except Problem as problem:
        print(f"PROBLEM  {problem}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
