"""Two tables that differ only in facts a viewer must not know; `Pair` compares the bytes the viewer is sent.

The bytes sent to the viewer and to watchers must be the same after each step, and so must the HTTP responses.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import NoneType
from typing import Any, Final, TypeVar, get_args

import msgspec

from games import GAMES
from games.api import Millis, PromptId, Registration, Seat, open_prompts
from games.kit import choices as kit_choices
from hub.runtime import summons
from hub.runtime.lobby import summarize
from hub.table import actions, seating
from hub.table.room import Change, Room
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.in_process_hub import Client, InProcessHub, read

T = TypeVar("T")
SEED: Final = b"seed" * 8
ROOM: Final = "R" * 22
CODE: Final = "BCDFGH"
EXTRA_TEXTS: Final = ("", "x", "I bid 3", "é" * 100)


class Leak(AssertionError):
    """The viewer was sent different bytes at the two tables."""


def registry(game: Any) -> Mapping[str, Registration]:
    return {game.key: Registration(game, GAMES[game.key].bot)}


def new_table(game: Any, seats: int, options: Mapping[str, Any]) -> Room:
    """A waiting table with everybody seated."""
    chosen = msgspec.convert(options, game.Options)
    room = actions.create(game, ROOM, CODE, seats, chosen, SEED, name_keys=[bytes(16)] * seats, open=True)
    for seat in range(seats):
        change = seating.sit(room, f"person {seat}", f"Name {seat}", seat, seat, Millis(0))
        assert isinstance(change, Change)
        room = change.room
    return room


class Pair:
    """Two hubs with the same people at the same table, and the audience that must see no difference.

    `games`: the rules of each hub, if not `game` itself.
    """

    def __init__(
        self, game: Any, viewer: Seat | None, tasks: Tasks, games: tuple[Any, Any] | None = None
    ) -> None:
        one, other = games or (game, game)
        self.game = game
        self.viewer = viewer
        self.hubs = (InProcessHub(registry(one), tasks), InProcessHub(registry(other), tasks))
        self.clients: list[tuple[Client, Client]] = []
        self.eyes: list[tuple[Client, Client]] = []
        self.steps: list[str] = []
        self.compared = 0

    async def sit(self, one: Room, other: Room, at: int = 0) -> None:
        """Wakes the two rooms and connects everybody, a second client for the viewer, and a watcher."""
        for hub, room in zip(self.hubs, (one, other), strict=True):
            await hub.put(room, at=at)
        for seat in range(len(one.table.seats)):
            self.clients.append(await self.connect(Seat(seat)))
        if self.viewer is not None:
            self.eyes += [self.clients[self.viewer], await self.connect(self.viewer)]
        self.eyes.append(await self.connect(None))
        await self.check()

    async def connect(self, seat: Seat | None) -> tuple[Client, Client]:
        one, other = self.hubs
        pair = one.client(seat), other.client(seat)
        for client in pair:
            await client.open()
        return pair

    @property
    def state(self) -> Any:
        """The first table's state; its public part is the same at both."""
        return self.hubs[0].state

    @property
    def states(self) -> tuple[Any, Any]:
        return self.hubs[0].state, self.hubs[1].state

    @property
    def room(self) -> Room:
        return self.hubs[0].actor.room

    # --- doing ---

    def do(self, seat: int, kind: Callable[..., Any], /, **fields: Any) -> None:
        """Sends the same command at both tables."""
        for client in self.clients[seat]:
            client.command(kind, **fields)

    def hide(self, seat: int, one: m.ToHub | None, other: m.ToHub | None) -> None:
        """Sends a command from another seat to one hub only, or a different one to each, with its number."""
        assert seat != self.viewer
        for client, message in zip(self.clients[seat], (one, other), strict=True):
            if message is not None:
                fields = msgspec.structs.asdict(message)
                client.command(
                    type(message), **{k: v for k, v in fields.items() if k not in ("session", "n")}
                )

    async def check(self) -> None:
        """Lets both tables settle, and compares everything that the viewer and watchers were sent."""
        for hub in self.hubs:
            await hub.settle()
        for one, other in self.eyes:
            self.same("sent", one.heard(), other.heard())
        for hub in self.hubs:
            assert not hub.actor.stopped
        actors = [hub.actor for hub in self.hubs]
        if self.viewer is not None:
            awaited = (summons.is_awaited(actor.rules, actor.room, self.viewer) for actor in actors)
            self.same("whether the viewer would be called back", *awaited)
        summaries = (summarize(actor.room.table, actor.watchers) for actor in actors)
        self.same("the lobby", *map(msgspec.msgpack.encode, summaries))

    async def check_http(self) -> None:
        """Compares the HTTP responses."""
        self.same("describe", *[msgspec.json.encode(await hub.rooms.describe(ROOM)) for hub in self.hubs])
        self.same("by code", *[msgspec.json.encode(await hub.rooms.describe(CODE)) for hub in self.hubs])
        self.same("the lobby", *[msgspec.json.encode(await hub.rooms.lobby(1)) for hub in self.hubs])
        if self.room.table.status != "finished":
            for hub in self.hubs:
                assert await hub.rooms.record(ROOM, None) == "running"

    def same(self, what: str, one: Any, other: Any) -> None:
        self.compared += 1
        if one != other:
            difference = " / ".join(_difference(_readable(one), _readable(other)))
            raise Leak(f"{what}{difference[:1000]}, after {self.steps[-4:]}")

    def advance(self, milliseconds: int) -> None:
        for hub in self.hubs:
            hub.advance(milliseconds)

    # --- trying ---

    def probes(self, seat: int, chance: random.Random, count: int) -> Iterator[m.ToHub]:
        """Commands of all kinds, most of them wrong, for one seat."""
        game, state = self.game, self.state
        session = self.clients[seat][0].session or 0
        n = max(client.n for client in self.clients[seat])
        moves: list[tuple[PromptId, Any]] = []
        if state is not None:
            choices = game.choices(state, Seat(seat))
            opened = open_prompts(game.prompts(state), Seat(seat))
            prompts = [*(prompt.id for prompt in opened), *STALE.get(game.key, ())]
            dice = Chance(chance)
            for prompt in chance.sample(prompts, min(4, len(prompts))):
                attempts = kit_choices.attempts(
                    _kinds(game), choices.get(prompt, ()), len(self.clients), dice
                )
                moves += [(prompt, raw) for raw in attempts]
        for _ in range(count):
            n += 1
            match chance.randrange(10):
                case 0:
                    yield m.Say(session, n, "table", chance.choice((*EXTRA_TEXTS[1:], None)))
                case 1:
                    to = chance.choice((None, 0, 1, 2, 50))
                    phrases = sorted(game.texts.phrases)[:3]
                    yield m.Say(session, n, "table", None, chance.choice((*phrases, "nonsense")), to)
                case 2:
                    yield m.Note(session, n, chance.choice(EXTRA_TEXTS))
                case 3:
                    yield m.Manage(session, n, chance.choice(ACTS))
                case 4:
                    yield m.Ping(n)
                case 5 if moves:
                    prompt, move = chance.choice(moves)
                    yield chance.choice((m.Preview(n, prompt, move), m.Coach(n, prompt)))
                case 6 if moves:
                    yield m.Do(session + chance.choice((0, 1)), max(0, n - 40), *chance.choice(moves))
                case _ if moves:
                    yield m.Do(session, n, *chance.choice(moves))
                case _:
                    pass
        for client in self.clients[seat]:
            client.n = n + 1


STALE: Final[Mapping[str, tuple[PromptId, ...]]] = {
    "almost": (PromptId("bid:0"), PromptId("ready:1")),
    "sucker": (PromptId("turn:1"), PromptId("rescue:2"), PromptId("prisoners:1"), PromptId("continue:1")),
    "takeover": (
        PromptId("draft:0"),
        PromptId("flip"),
        PromptId("turn:0"),
        PromptId("trade"),
        PromptId("offer:0"),
    ),
}
"""Prompts to try, which are closed most of the time."""
ACTS: Final[tuple[m.Act, ...]] = (
    m.Ready(ready=True),
    m.CommitSalt("ab" * 32),
    m.RevealSalt("ab" * 32, "cd" * 32),
    m.Start(),
    m.AddBot(seat=1, level="nonsense"),
    m.SwapSeats(a=0, b=1),
    m.TakeBack(),
    m.Resume(),
    m.Lock(locked=True),
    m.HandOver(seat=77),
    m.FreeSeat(seat=77),
)
"""Table actions that change nobody's seat."""


class Chance:
    """Dice for tests: as fair as those of a game, and much faster."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def below(self, label: str, sides: int) -> int:
        return self._chance.randrange(sides)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(self._chance.sample(items, len(items)))


def _kinds(game: Any) -> dict[str, tuple[str, ...]]:
    return {
        kind.__struct_config__.tag: kind.__struct_fields__
        for kind in get_args(game.Move)
        if kind is not NoneType
    }


def _readable(value: Any) -> Any:
    if isinstance(value, list):
        return [read(part) if isinstance(part, bytes) else part for part in value]
    return value


def _difference(one: Any, other: Any) -> tuple[str, str]:
    """The first place where two values differ."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        one, other, names = list(one.values()), list(other.values()), list(one)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        names = list(range(len(one)))
    else:
        return f": {one}", f": {other}"
    for name, first, second in zip(names, one, other, strict=True):
        if first != second:
            left, right = _difference(first, second)
            return f".{name}{left}", f".{name}{right}"
    return ": the same, but for its bytes", ""
