"""Two tables that differ only in what a viewer may not know, played side by side: `Lockstep` compares bytes.

Everything public is done at both; what is hidden from the viewer is done at one, or otherwise at the other:
drafts and locked numbers of others, their notes, salts and whispers, how often they send a command. After
each step what was sent to the viewer and to watchers must be the same, byte for byte, and now and then all
that is to be had over HTTP.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from types import NoneType
from typing import Any, Final, get_args

import msgspec

from games import GAMES
from games.api import AskId, Entry, Millis, Seat, open_asks
from games.dice import Dice
from games.kit import choosing
from hub.core import messages as m
from hub.core import table
from hub.core.room import Change, Room, next_end
from hub.io.tasks import Tasks
from hub.rooms import summary
from tests.secrecy.rig import Client, Rig, read

SEED: Final = b"seed" * 8
ROOM: Final = "R" * 22
CODE: Final = "BCDFGH"
EXTRA_TEXTS: Final = ("", "x", "I bid 3", "é" * 100)


class Leak(AssertionError):
    """The viewer was sent something else at one table than at the other."""


def registry(game: Any) -> Mapping[str, Entry]:
    return {game.key: Entry(game, GAMES["almost"].bot)}


def new_table(game: Any, seats: int, options: Mapping[str, Any]) -> Room:
    """A waiting table, everybody seated."""
    taken = msgspec.convert(options, game.Options)
    made = table.create(game, ROOM, CODE, seats, taken, SEED, open=True)
    for seat in range(seats):
        change = table.sit(made, f"person {seat}", f"Name {seat}", seat, seat, Millis(0))
        assert isinstance(change, Change)
        made = change.room
    return made


class Pair:
    """Two hubs with the same people at the same table, and the audience that is to see no difference."""

    def __init__(self, game: Any, viewer: Seat | None, tasks: Tasks) -> None:
        self.game = game
        self.viewer = viewer
        self.rigs = (Rig(registry(game), tasks), Rig(registry(game), tasks))
        self.clients: list[tuple[Client, Client]] = []
        self.eyes: list[tuple[Client, Client]] = []
        self.steps: list[str] = []
        self.compared = 0

    async def sit(self, one: Room, other: Room, at: int = 0) -> None:
        """Wakes the two rooms, and connects everybody, the viewer twice and a watcher."""
        for rig, made in zip(self.rigs, (one, other), strict=True):
            await rig.put(made, at=at)
        for seat in range(len(one.table.seats)):
            self.clients.append(await self.connect(Seat(seat)))
        if self.viewer is not None:
            self.eyes += [self.clients[self.viewer], await self.connect(self.viewer)]
        self.eyes.append(await self.connect(None))
        await self.check()

    async def connect(self, seat: Seat | None) -> tuple[Client, Client]:
        one, other = self.rigs
        pair = one.client(seat), other.client(seat)
        for client in pair:
            await client.open()
        return pair

    @property
    def state(self) -> Any:
        """The first table's state: what is public in it is so at both."""
        return self.rigs[0].state

    @property
    def states(self) -> tuple[Any, Any]:
        return self.rigs[0].state, self.rigs[1].state

    @property
    def room(self) -> Room:
        return self.rigs[0].actor.room

    # --- doing ---

    def do(self, seat: int, kind: Callable[..., Any], **fields: Any) -> None:
        """The same command at both tables."""
        for client in self.clients[seat]:
            client.command(kind, **fields)

    def hide(self, seat: int, one: m.ToHub | None, other: m.ToHub | None) -> None:
        """Different commands of another seat (their numbers are put in), or one at one table alone."""
        assert seat != self.viewer
        for client, message in zip(self.clients[seat], (one, other), strict=True):
            if message is not None:
                fields = msgspec.structs.asdict(message)
                client.command(type(message), **{k: v for k, v in fields.items() if k not in ("attach", "n")})

    async def check(self) -> None:
        """Lets both tables come to rest and compares everything the viewer, and watchers, were sent."""
        for rig in self.rigs:
            await rig.settle()
        for one, other in self.eyes:
            self.same("sent", one.heard(), other.heard())
        for rig in self.rigs:
            assert not rig.actor.stopped
        self.same("the lobby", *(msgspec.msgpack.encode(summary(rig.actor)) for rig in self.rigs))

    async def check_http(self) -> None:
        """The same for whoever asks over HTTP."""
        self.same("describe", *[msgspec.json.encode(await rig.rooms.describe(ROOM)) for rig in self.rigs])
        self.same("by code", *[msgspec.json.encode(await rig.rooms.describe(CODE)) for rig in self.rigs])
        self.same("the lobby", *[msgspec.json.encode(await rig.rooms.lobby()) for rig in self.rigs])
        if self.room.table.status != "finished":
            for rig in self.rigs:
                assert await rig.rooms.record(ROOM) == "running"

    def same(self, what: str, one: Any, other: Any) -> None:
        self.compared += 1
        if one != other:
            found = " / ".join(_difference(_readable(one), _readable(other)))
            raise Leak(f"{what}{found[:1000]}, after {self.steps[-4:]}")

    def advance(self, milliseconds: int) -> None:
        for rig in self.rigs:
            rig.advance(milliseconds)

    # --- trying ---

    def probes(self, seat: int, chance: random.Random, count: int) -> Iterator[m.ToHub]:
        """Commands of all kinds, most of them wrong, for one seat."""
        game, state = self.game, self.state
        attach = self.clients[seat][0].attach or 0
        n = max(client.n for client in self.clients[seat])
        moves: list[tuple[AskId, Any]] = []
        if state is not None:
            choices = game.choices(state, Seat(seat))
            dice = Dice(chance.randbytes(8))
            opened = open_asks(game.asks(state), Seat(seat))
            for ask in (*(ask.id for ask in opened), AskId("bid:0"), AskId("ready:1")):
                found = choosing.attempts(_kinds(game), choices.get(ask, ()), len(self.clients), dice)
                moves += [(ask, raw) for raw in found]
        for _ in range(count):
            n += 1
            match chance.randrange(10):
                case 0:
                    yield m.Say(attach, n, "table", chance.choice((*EXTRA_TEXTS[1:], None)))
                case 1:
                    to = chance.choice((None, 0, 1, 2, 50))
                    yield m.Say(attach, n, "table", None, chance.choice((*PHRASES, "nonsense")), to)
                case 2:
                    yield m.Note(attach, n, chance.choice(EXTRA_TEXTS))
                case 3:
                    yield m.Manage(attach, n, chance.choice(ACTS))
                case 4:
                    yield m.Ping(n)
                case 5 if moves:
                    yield m.Preview(n, *chance.choice(moves))
                case 6 if moves:
                    yield m.Do(attach + chance.choice((0, 1)), max(0, n - 40), *chance.choice(moves))
                case _ if moves:
                    yield m.Do(attach, n, *chance.choice(moves))
                case _:
                    pass
        for client in self.clients[seat]:
            client.n = n + 1


PHRASES: Final = tuple(sorted(GAMES["almost"].game.texts.phrases))[:3]
ACTS: Final[tuple[m.Act, ...]] = (
    m.Ready(ready=True, salt="mine"),
    m.Start(),
    m.AddBot(seat=1, level="nonsense"),
    m.SwapSeats(a=0, b=1),
    m.TakeBack(),
    m.Resume(),
    m.Lock(locked=True),
    m.HandOver(seat=77),
    m.FreeSeat(seat=77),
)
"""Acts that leave everybody where they are."""


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
    for name, mine, theirs in zip(names, one, other, strict=True):
        if mine != theirs:
            here, there = _difference(mine, theirs)
            return f".{name}{here}", f".{name}{there}"
    return ": the same, but for its bytes", ""


class Lockstep:
    """A whole game of Almost or Banbury at both tables; every choice comes from `chance`.

    `visited` says in which phases, and how, something hidden was different while bytes were compared.
    """

    def __init__(self, pair: Pair, chance: random.Random, *, salted: bool) -> None:
        self.pair = pair
        self.chance = chance
        self.salted = salted
        self.visited: set[str] = set()

    async def play(self, made: Room, limit: int) -> None:
        pair = self.pair
        await pair.sit(made, made)
        others = [seat for seat in range(len(pair.clients)) if seat != pair.viewer]
        for seat in range(len(pair.clients)):
            salts = ("a salt", "quite another salt") if self.salted and seat in others else ("same", "same")
            self.hide_or_do(seat, *(m.Manage(0, 0, m.Ready(ready=True, salt=salt)) for salt in salts))
        await self.step("ready")
        for _ in range(4):
            await self.wait_and_see()
        pair.do(0, m.Manage, act=m.Start())
        await self.step("start")
        for _ in range(limit):
            if pair.room.table.status == "finished":
                break
            await self.wait_and_see()
            await self.something()
        if not self.salted:
            await pair.check_http()

    def hide_or_do(self, seat: int, one: m.ToHub, other: m.ToHub) -> None:
        if seat == self.pair.viewer:
            self.pair.do(seat, type(one), act=m.Ready(ready=True, salt="same"))
        else:
            self.pair.hide(seat, one, other)

    async def step(self, what: str) -> None:
        pair = self.pair
        pair.steps.append(what)
        await pair.check()
        status = pair.room.table.status
        phase = pair.state.stage.phase if pair.state is not None else "waiting"
        self.visited |= {status, phase}
        if pair.state is not None and self.differing():
            self.visited.add(f"{phase}: other numbers" + (", paused" if status == "paused" else ""))

    def differing(self) -> list[int]:
        """Seats whose numbers differ between the tables."""
        one, other = self.pair.states
        return [
            i for i, pair in enumerate(zip(one.bids.draft, other.bids.draft, strict=True)) if len({*pair}) > 1
        ]

    # --- what is hidden ---

    async def wait_and_see(self) -> None:
        """Things that nobody else may notice, at one table or otherwise at the other."""
        pair, chance = self.pair, self.chance
        seat = chance.choice([seat for seat in range(len(pair.clients)) if seat != pair.viewer])
        match chance.randrange(4):
            case 0:
                texts = chance.sample(("", "secret plan", "x" * 4000, "they lie"), 2)
                pair.hide(seat, *(m.Note(0, 0, text) for text in texts))
                await self.step(f"notes of {seat}")
            case 1:
                pair.hide(seat, m.Note(0, 0, "only here"), None)
                await self.step(f"a note of {seat}, at one table")
            case 2 if pair.room.position is not None:
                await self.whisper(seat)
            case _:
                await self.draft(seat)

    async def whisper(self, seat: int) -> None:
        pair = self.pair
        listeners = [to for to in range(len(pair.clients)) if to not in (seat, pair.viewer)]
        to = self.chance.choice(listeners)
        pair.hide(seat, m.Say(0, 0, "table", "let us both bid 4", None, to), None)
        await self.step(f"{seat} whispers to {to}, at one table")
        if pair.game.manners(pair.state, Seat(seat)).whispers:
            self.visited.add("whispers")

    async def draft(self, seat: int) -> None:
        """A number written down, or another, or none; also a refused one."""
        pair, chance = self.pair, self.chance
        state = pair.state
        if state is None or state.stage.phase != "bid":
            return
        ask, most = f"bid:{state.stage.round}", min(state.stage.most, 120)
        one, other = (
            m.Do(0, 0, ask, {"move": "bid", "number": chance.choice((1, most, chance.randint(1, most)))})
            for _ in range(2)
        )
        pair.hide(seat, one, chance.choice((other, None)))
        await self.step(f"{seat} drafts")

    async def alike(self) -> None:
        """The numbers of all others are made the same, by moves that look the same at both tables."""
        pair = self.pair
        state = pair.state
        if state is None or state.stage.phase != "bid" or pair.room.table.status != "running":
            return
        ask, numbers = f"bid:{state.stage.round}", range(1, min(state.stage.most, 20) + 1)
        missing = [seat for seat, draft in enumerate(state.bids.draft) if draft is None and self.salted]
        for seat in {*self.differing(), *missing}:
            number = self.chance.choice(numbers)
            if state.bids.locked[seat]:
                pair.do(seat, m.Do, ask=ask, move={"move": "unlock"})
                pair.do(seat, m.Do, ask=ask, move={"move": "lock", "number": number})
            else:
                pair.do(seat, m.Do, ask=ask, move={"move": "bid", "number": number})
            await self.step(f"{seat} changes its mind")
        if self.salted:
            return
        assert not self.differing()

    # --- what all may know ---

    async def something(self) -> None:
        pair, chance = self.pair, self.chance
        seats = range(len(pair.clients))
        if pair.room.table.status == "paused":
            await self.probe()
            pair.do(0, m.Manage, act=m.Resume())
            await self.step("resume")
            return
        if self.last_to_lock():
            await self.alike()
        match chance.randrange(22):
            case 0 | 1 | 2:
                await self.probe()
            case 3:
                pair.do(chance.choice(seats), m.Say, channel="table", text=chance.choice(EXTRA_TEXTS[1:]))
                await self.step("talk")
            case 4:
                await self.come_back(chance.choice(seats))
            case 5:
                await self.come_back(None)
            case 6:
                pair.do(0, m.Manage, act=m.Pause())
                await self.step("pause")
                await self.wait_and_see()
            case 7:
                await self.time_passes()
            case 8:
                await self.restart()
            case 9:
                await pair.check_http()
            case 10:
                await self.hurry()
            case _:
                await self.move(chance.choice(seats))

    def last_to_lock(self) -> bool:
        state = self.pair.state
        return bool(state.stage.phase == "bid" and state.bids.locked.count(False) == 1)

    async def probe(self) -> None:
        """The viewer tries things; what works, works at both tables."""
        pair = self.pair
        seat = pair.viewer or 0
        trying = pair.eyes[-1] if pair.viewer is None else pair.clients[seat]
        for message in pair.probes(seat, self.chance, 6):
            if self.last_to_lock():
                await self.alike()
            for client in trying:
                client.send(message)
            await self.step(f"viewer {pair.viewer} tries {message}")
        for rig in pair.rigs:
            assert rig.metrics.refused["BROKEN"] == 0

    async def hurry(self) -> None:
        """Everybody does what ends the phase."""
        pair = self.pair
        phase, number = pair.state.stage.phase, pair.state.stage.round
        for seat in range(len(pair.clients)):
            state = pair.state
            if (state.stage.phase, state.stage.round) != (phase, number):
                return
            if phase == "bid" and not state.bids.locked[seat]:
                if self.last_to_lock():
                    await self.alike()
                await self.lock(seat)
            elif phase != "bid" and not state.done[seat]:
                tag = {"discuss": "ready", "reveal": "continue"}[phase]
                pair.do(seat, m.Do, ask=f"{tag}:{number}", move={"move": tag})
                await self.step(f"{seat}: {tag}")

    async def lock(self, seat: int) -> None:
        """A number, locked; another at the other table, unless all are shown then."""
        pair, chance = self.pair, self.chance
        ask, most = f"bid:{pair.state.stage.round}", min(pair.state.stage.most, 12)
        one, other = ({"move": "lock", "number": chance.randint(1, most)} for _ in range(2))
        if self.last_to_lock() or seat == pair.viewer:
            pair.do(seat, m.Do, ask=ask, move=one)
        else:
            pair.hide(seat, m.Do(0, 0, ask, one), m.Do(0, 0, ask, other))
        await self.step(f"{seat} locks")

    async def move(self, seat: int) -> None:
        pair, chance = self.pair, self.chance
        game, state = pair.game, pair.state
        if state.stage.phase == "bid" and seat != pair.viewer and not state.bids.locked[seat]:
            await self.lock(seat)
            return
        found = game.sample(state, Seat(seat), Dice(chance.randbytes(8)))
        if found is not None:
            move = msgspec.to_builtins(found[1])
            pair.do(seat, m.Do, ask=found[0], move={k: v for k, v in move.items() if v is not None})
            await self.step(f"{seat}: {move}")

    async def come_back(self, seat: int | None) -> None:
        """A socket is lost and comes back, with a whole view."""
        pair = self.pair
        for pairs in (pair.clients, pair.eyes):
            for clients in pairs:
                if clients[0].seat == seat:
                    for client in clients:
                        client.lose()
        await self.step(f"{seat} is gone")
        await self.reopen()
        await self.step(f"{seat} is back")

    async def reopen(self) -> None:
        for clients in {id(clients): clients for clients in (*self.pair.clients, *self.pair.eyes)}.values():
            for client in clients:
                if client.wire.closed:
                    await client.open()

    async def time_passes(self) -> None:
        """Up to the end of a window, or not so far."""
        pair, chance = self.pair, self.chance
        if chance.random() < 0.6:
            await self.alike()
            pair.advance(chance.choice((31_000, 10_001, 8_001)))
        else:
            end = next_end(pair.room)
            left = end - pair.rigs[0].actor.now()
            if left > 1:
                pair.advance(chance.randrange(1, min(left, 900)))
        await self.step("time passes")

    async def restart(self) -> None:
        for rig in self.pair.rigs:
            await rig.restart()
        for clients in (*self.pair.clients, *self.pair.eyes):
            for client in clients:
                client.wire.closed = True
                client.heard()
        await self.reopen()
        await self.step("another life of the hub")
        self.visited.add("restart")
