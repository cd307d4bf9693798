"""Nothing shown by a peek remains once the peek is over: tested with canaries on real hubs, sockets and a
store.

Two tables of Share and Share Alike go through the same events, and differ only in the hand or the tracker
that seat 0 peeks at. Everybody must be sent the same bytes at both, except the peeking seat while the window
runs, and the owner of the secret; no other message may contain the cards, or the marks, of either table.
"""

from __future__ import annotations

import asyncio
import re
import signal
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, Self, TypeAlias

import msgpack  # type: ignore[import-untyped]
import pytest

from games.dice import Dice
from games.shares.rules.game import SHARES
from hub.runtime.placement import socket_url
from hub.runtime.presence import PRESENCE_SECONDS
from hub.store.store import Store
from hub.wire.tickets import Signer
from tests.chaos.conftest import Hubs
from tests.games.shares.windows import ENDED_BY, PEEKS, Fixed, Opening, opening
from tests.harness.defaults import DEFAULTS
from tests.harness.faults import SECRET, Clock, FaultyHub
from tests.harness.follower import Follower, pack
from tests.harness.plain_http import plain_http
from tests.harness.planted import plant, ticket
from tests.harness.players import Player
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio

Ending: TypeAlias = Literal["its time", "stopped", "handed over", "killed"]
ENDINGS: Final[tuple[Ending, ...]] = ("its time", "stopped", "handed over", "killed")
"""The ways a peek can end: on time, early, or on time after another hub took it over."""
ALWAYS: Final = {("hand", "handed over"), ("tracker", "stopped"), ("taken", "its time")}
"""Cases in every run; `pytest -m "" tests/chaos/test_shares_peeks.py` plays them all, in a minute."""
ROOMS: Final = (("R" * 22, "BCDFGH"), ("S" * 22, "JKMNPQ"))
SECRETS: Final[Mapping[Fixed, tuple[Mapping[str, str], Mapping[str, str]]]] = {
    "hand": ({"hand": "2H QH KH"}, {"hand": "2H 8S 9S"}),
    "tracker": ({"marks": "DEDDB"}, {"marks": "BBCEC"}),
    "taken": ({"hand": "2H QH KH"}, {"hand": "2H 8S 9S"}),
}
"""Seat 1's secret at each of the two tables. The first random draw takes the 2H; its new owner may see it."""
TAKES_THE_FIRST: Final = next(
    seed for seed in (b"%032d" % number for number in range(99)) if Dice(seed).below("take", 3) == 0
)
"""A seed with which the first card is also the one taken at random when time is up."""
SPY: Final = ("spy", "spy's tab")
OWNER: Final = "owner"
SEATS: Final = ("spy", OWNER, "third", "fourth")


class RecordingFollower(Follower):
    """A follower that keeps every byte it was sent."""

    def __init__(self, ticket: str) -> None:
        super().__init__(ticket)
        self.raw: list[bytes] = []

    def feed(self, data: bytes) -> dict[str, Any]:
        self.raw.append(data)
        return super().feed(data)

    def asked(self, n: int) -> None:
        """Expect a verdict for a message that names no session."""
        self._due[n] += 1


def canaries(what: Fixed, secret: Mapping[str, str]) -> tuple[list[bytes], re.Pattern[str]]:
    """Byte strings and a pattern that give a secret away, in packed data and in text."""
    if what == "tracker":
        marks = [*secret["marks"]]
        return [msgpack.packb(marks), secret["marks"].encode()], re.compile(r"\W{0,6}".join(marks))
    cards = secret["hand"].split()[1:]
    return [msgpack.packb(card) for card in cards], re.compile("|".join(rf"\b{card}\b" for card in cards))


class Side:
    """One of the two tables, with everybody's sockets."""

    def __init__(self, number: int, what: Fixed, url: str) -> None:
        self.room, self.code = ROOMS[number]
        self.secret = SECRETS[what][number]
        self.opening: Opening = opening(what, **self.secret)
        self.packed, self.text = canaries(what, self.secret)
        signer = Signer(SECRET.encode(), DEFAULTS.token_days)
        seats = {"spy": 0, "spy's tab": 0, OWNER: 1, "third": 2, "fourth": 3, "watcher": None}
        self.people: dict[str, Player] = {}
        for name, seat in seats.items():
            place = {"socket": socket_url(url, self.room)}
            player = Player(f"{name} of {self.code}", "", place)
            player.knows = RecordingFollower(ticket(signer, self.room, seat, time.time()))
            self.people[name] = player

    def recorder(self, who: str) -> RecordingFollower:
        follower = self.people[who].knows
        assert isinstance(follower, RecordingFollower)
        return follower

    def same(self, data: bytes, who: str) -> bytes:
        """These bytes with the names of this table replaced."""
        for run in self.recorder(who).runs:
            data = data.replace(run.encode(), b"the run")
        return data.replace(self.room.encode(), b"the room").replace(self.code.encode(), b"the code")


class Watch:
    """Both tables: every event happens at both in turn, and the results are compared."""

    def __init__(self, what: Fixed, hub: FaultyHub, clock: Clock) -> None:
        self.what = what
        self.hub = hub
        self.clock = clock
        self.sides = tuple(Side(number, what, hub.url) for number in (0, 1))
        self.connected: list[str] = []
        self.hubs = [hub]
        self.http = plain_http("")
        self._watcher_came = False
        """Whether the frame that shows the watcher to the others is still due."""
        self.times_shown = 0
        """The number of times the spy was shown the secret."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for side in self.sides:
            for player in side.people.values():
                await player.drop()
        await self.http.aclose()

    async def plant(self, store: StoreProcess) -> None:
        opened = await Store.open(store.url, forget_days=DEFAULTS.forget_days)
        for side in self.sides:
            state, at = side.opening.state, side.opening.at
            await plant(opened, SHARES, state, 4, side.room, side.code, at, TAKES_THE_FIRST)
        await opened.close()

    # --- events ---

    async def come(self, *names: str) -> None:
        """Connect these people, or reconnect them."""
        for who in names:
            for side in self.sides:
                await side.people[who].resume()
            if who not in self.connected:
                self.connected.append(who)
        self._watcher_came = self._watcher_came or "watcher" in names

    async def do(self, who: str, kind: str = "do", **fields: Any) -> None:
        for side in self.sides:
            await side.people[who].do(kind, **fields)

    async def advance(self, milliseconds: int) -> None:
        await asyncio.to_thread(self.clock.advance, milliseconds, self.hub)
        if self._watcher_came and milliseconds > PRESENCE_SECONDS * 1000:
            self._watcher_came = False
            for player in self.players():
                await player.until(lambda player=player: player.knows.sections["presence"]["watchers"] == 1)  # type: ignore[misc]

    def players(self) -> list[Player]:
        """Everybody who is connected, at both tables."""
        return [side.people[who] for side in self.sides for who in self.connected]

    def window(self) -> str:
        window = self.sides[0].recorder("spy").window("take" if self.what == "taken" else "peek")
        assert window is not None
        return str(window["id"])

    async def over_by_time(self) -> None:
        """Let the last millisecond of the peek pass."""
        name = self.window()
        await self.advance(self.sides[0].recorder("spy").left(name) + 1)
        for player in self.players():
            await player.until(lambda player=player: player.knows.window(name) is None)  # type: ignore[misc]

    async def moved(self, ending: Ending, other: FaultyHub) -> None:
        """Move the table to another owner: the next hub, or this one restarted."""
        players = self.players()
        if ending == "killed":
            await asyncio.to_thread(self.hub.kill)
        else:
            self.hub.signal(signal.SIGTERM)
        for player in players:
            await player.gone()
        self.clean(self.hub.lines)  # a restarted hub begins with no lines
        if ending == "killed":
            await asyncio.to_thread(self.hub.start)
        else:
            await asyncio.to_thread(self.hub.ended)
            self.hub = other
            self.hubs.append(other)
            # its clock was advanced without it: a late heartbeat would put its rooms in doubt for a moment
            await asyncio.to_thread(other.beat)
        for side in self.sides:
            for player in side.people.values():
                player.address = socket_url(self.hub.url, side.room)
        await self.come(*self.connected)

    # --- checks ---

    async def check(self, *, peeking: bool = False) -> None:
        """`peeking`: seat 0 may see the secret, and must have been sent it since the last check."""
        for who in self.connected:
            for side in self.sides:
                await side.people[who].ping()
        for who in self.connected:
            heard = []
            for side in self.sides:
                recorder = side.recorder(who)
                heard.append([side.same(data, who) for data in recorder.raw])
                recorder.raw.clear()
            if who == OWNER:
                continue
            if who in SPY and peeking:
                for side, sent in zip(self.sides, heard, strict=True):
                    shown = sum(side.packed[0] in data for data in sent)
                    assert shown
                    self.times_shown += shown
                continue
            assert heard[0] == heard[1], who
            for side in self.sides:
                assert not any(canary in data for data in heard[0] for canary in side.packed), who

    async def check_outside(self) -> None:
        """Check the HTTP responses and the hubs' output."""
        http, url = self.http, self.hub.url
        bodies = [(await http.get(f"{url}/{path}")).text for path in ("metrics", "api/rooms")]
        answers: list[list[bytes]] = []
        for side in self.sides:
            asked = (side.room, side.code, f"{side.room}/record")
            got = [await http.get(f"{url}/api/rooms/{path}") for path in asked]
            assert [answer.status_code for answer in got] == [200, 200, 409]
            answers.append([side.same(answer.content, "watcher") for answer in got])
        assert answers[0] == answers[1]
        self.clean([*bodies, *map(bytes.decode, answers[0])])

    def clean(self, texts: Iterable[str]) -> None:
        for text in texts:
            for side in self.sides:
                assert not side.text.search(text), text


async def try_stale_requests(watch: Watch) -> None:
    """Try a client with its old session, one with an unknown session, old commands and old previews."""
    await watch.come("spy", "spy's tab")
    await watch.check()
    for side in watch.sides:
        tab = side.people["spy's tab"]
        tab.knows.session = 77
        await tab.resume()
        spy = side.people["spy"]
        old = min(n for _, n in spy.knows.commands)
        before = len(spy.heard)
        await spy.again(old)
        await spy.until(lambda: any(one["t"] == "verdict" for one in spy.heard[before:]))  # noqa: B023
        assert spy.knows.applied(old)
        for n, prompt in ((500, side.opening.prompt), (501, f"peek:{side.opening.state.serial + 1}")):
            side.recorder("spy").asked(n)
            await spy._send(pack({"t": "preview", "n": n, "prompt": prompt, "move": side.opening.move}))
    await watch.check()
    await watch.check_outside()


async def play_round_out(watch: Watch) -> None:
    """Play the round to its end, and choose the next share."""
    while (sections := watch.sides[0].recorder("spy").sections)["stage"]["phase"] == "action":
        decided = next(
            prompt for prompt in sections["prompts"]["prompts"] if prompt["kind"] in ("clubs", "turn")
        )
        (seat,) = decided["seats"]
        how = "done" if decided["kind"] == "clubs" else "endTurn"
        await watch.do(SEATS[seat], prompt=decided["id"], move={"move": how})
        await watch.check()
    for who in SEATS:
        await watch.do(who, prompt="select:6", move={"move": "lock", "company": "A"})
        await watch.check()


@pytest.mark.parametrize(
    ("what", "ending"),
    [
        pytest.param(what, ending, marks=() if (what, ending) in ALWAYS else pytest.mark.at_length)
        for what in PEEKS
        for ending in ENDINGS
    ],
)
async def test_a_peek_reaches_only_its_seat(
    what: Fixed, ending: Ending, passive_hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G4.1, G4.3, G4.4, G4.7, G4.8, L1, M1, SSA-28, GEN-9, GEN-11"""
    one, two = (passive_hubs(clock=clock, log_level="debug") for _ in range(2))
    async with Watch(what, one, clock) as watch:
        await watch.plant(store)
        await watch.come("spy", OWNER, "third", "fourth", "watcher")
        await watch.advance(400)
        await watch.check()
        for side in watch.sides:
            await side.people["spy"].do("do", prompt=side.opening.prompt, move=side.opening.move)
        await watch.check(peeking=True)
        await watch.check_outside()
        await watch.advance(5000)
        await watch.come("spy", "spy's tab")
        await watch.check(peeking=True)

        await watch.do("spy", "manage", act={"do": "pause"})
        await watch.check()
        await watch.come("spy", "spy's tab")
        await watch.advance(20_000)
        await watch.check()
        await watch.check_outside()
        await watch.do("spy", "manage", act={"do": "resume"})
        await watch.check(peeking=True)

        name = watch.window()
        if ending == "stopped":
            await watch.do("spy", prompt=name, move=ENDED_BY[what])
        elif ending == "its time":
            await watch.over_by_time()
        else:
            await watch.advance(3000)
            await watch.moved(ending, two)
            await watch.check(peeking=True)
            await watch.check_outside()
            await watch.over_by_time()
        assert watch.times_shown >= 2 * (1 + 2 + 2)

        await watch.check()
        await try_stale_requests(watch)
        await watch.moved("killed" if ending == "handed over" else "handed over", two)
        await try_stale_requests(watch)
        await play_round_out(watch)
        await watch.check_outside()
        for hub in watch.hubs:
            assert any("room left" in line for line in hub.lines) or hub is watch.hub
            watch.clean(hub.lines)
