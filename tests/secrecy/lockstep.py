"""Whole games played side by side at two tables that differ only in facts a viewer must not know.

Public actions are taken at both tables. Actions hidden from the viewer are taken at only one, or differently
at each: others' notes, salts and whispers, how often they send a command, and the secrets of a game. `Pair`
compares what was sent after each step.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import count
from typing import Any, Final, cast
from unittest.mock import patch

from games.api import Choice, NewPromise, OneOf, Seat
from games.dice import game_seed
from games.kit import choices as kit_choices
from hub.runtime.actor import Actor
from hub.table import game_start
from hub.table.promises import list_choices, make
from hub.table.room import Change, Room
from hub.table.salt_exchange import hash_salt
from hub.wire import messages as m
from tests.secrecy.pair import EXTRA_TEXTS, Chance, Pair

OTHER_SALTS: Final = ("bb" * 32, "cc" * 32)


def _may_go_to(choice: Choice, seat: int) -> bool:
    """Whether a promise of this kind may be made to this seat."""
    domain = choice.fields.get("to")
    return domain is None or (isinstance(domain, OneOf) and seat in domain.of)


class Lockstep(ABC):
    """A whole game at both tables; every choice comes from `chance`.

    `visited` records in which phases, and how, hidden facts differed while bytes were compared.
    """

    def __init__(self, pair: Pair, chance: random.Random, *, salted: bool) -> None:
        self.pair = pair
        self.chance = chance
        self.salted = salted
        self.salts = [chance.randbytes(32).hex() for _ in range(pair.game.seats[-1])]
        self.visited: set[str] = set()

    @property
    def others(self) -> list[int]:
        """All seats except the viewer's."""
        return [seat for seat in range(len(self.pair.clients)) if seat != self.pair.viewer]

    @property
    def running(self) -> bool:
        return self.pair.room.table.status == "running"

    async def play(self, start: Room, limit: int) -> None:
        pair = self.pair
        await pair.sit(start, start)
        for seat in self.others:
            pair.hide(seat, *(m.Manage(0, 0, m.CommitSalt(hash_salt(salt))) for salt in OTHER_SALTS))
        await self.step("salts")
        for seat in range(len(pair.clients)):
            pair.do(seat, m.Manage, act=m.CommitSalt(hash_salt(self.salts[seat])))
            pair.do(seat, m.Manage, act=m.Ready(ready=True))
        await self.step("ready")
        for _ in range(4):
            await self.wait_and_see()
        with self.other_dice() if self.salted else nullcontext():
            await self.start()
        for _ in range(limit):
            if pair.room.table.status == "finished":
                break
            await self.wait_and_see()
            await self.something()
        if not self.salted:
            await pair.check_http()

    async def start(self) -> None:
        """Starts the game; that somebody has revealed a salt goes unnoticed until all have."""
        pair = self.pair
        pair.do(0, m.Manage, act=m.Start())
        await self.step("start")
        last = pair.viewer or 0
        for seat in range(len(pair.clients)):
            if seat != last:
                revealed = m.Manage(0, 0, self.reveal(seat))
                pair.hide(seat, revealed, None)
                await self.step(f"{seat} reveals a salt at one table")
                pair.hide(seat, None, revealed)
                await self.step(f"{seat} reveals a salt at the other")
        pair.do(last, m.Manage, act=self.reveal(last))
        await self.step("started")
        assert self.running

    def reveal(self, seat: int) -> m.RevealSalt:
        return m.RevealSalt(self.salts[seat], hash_salt(OTHER_SALTS[0]))

    @contextmanager
    def other_dice(self) -> Iterator[None]:
        """Gives the two tables different dice, although all they show is the same."""
        calls = count()
        with patch.object(
            game_start, "game_seed", lambda seed, salts: game_seed(seed, [*salts, f"{next(calls)}"])
        ):
            yield
        assert next(calls) == 2

    async def step(self, what: str) -> None:
        pair = self.pair
        pair.steps.append(what)
        await pair.check()
        status = pair.room.table.status
        phase = pair.state.stage.phase if pair.state is not None else "waiting"
        self.visited |= {status, phase}
        for secret in self.differences() if pair.state is not None else ():
            self.visited.add(f"{phase}: other {secret}" + (", paused" if status == "paused" else ""))

    # --- what each game defines ---

    @abstractmethod
    def differences(self) -> Iterable[str]:
        """Hidden facts that differ between the tables at this moment."""

    @abstractmethod
    async def secretly(self, seat: int) -> None:
        """Makes a move for another seat that must go unnoticed, at one table only or differently at each."""

    @abstractmethod
    async def prepare(self, message: m.ToHub) -> bool:
        """Prepares for a command from the viewer; returns False if it may show a legitimate difference."""

    @abstractmethod
    async def move(self, seat: int) -> None:
        """Makes a visible move for a seat."""

    @abstractmethod
    async def hurry(self) -> None:
        """Makes all the moves that end the phase."""

    @abstractmethod
    async def time_passes(self) -> None:
        """Advances to the end of a window, or part of the way."""

    # --- hidden actions ---

    async def wait_and_see(self) -> None:
        """Takes an action that must go unnoticed by others, at one table only or differently at each."""
        pair, chance = self.pair, self.chance
        seat = chance.choice(self.others)
        match chance.randrange(5):
            case 4 if pair.room.position is not None:
                await self.promise_in_private(seat)
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
                await self.secretly(seat)

    async def whisper(self, seat: int) -> None:
        pair = self.pair
        listeners = [to for to in self.others if to != seat]
        if not listeners:
            return
        to = self.chance.choice(listeners)
        pair.hide(seat, m.Say(0, 0, "table", "let us both bid 4", None, to), None)
        await self.step(f"{seat} whispers to {to}, at one table")
        if pair.game.talk_policy(pair.state, Seat(seat)).whispers:
            self.visited.add("whispers")

    async def promise_in_private(self, seat: int) -> None:
        """A promise that only its seats ever learn of, at one table."""
        listeners = [to for to in self.others if to != seat]
        if not listeners:
            return
        to = self.chance.choice(listeners)
        message = self._find_promise(seat, to)
        if message is None:
            return
        made = len(self.pair.room.promises)
        self.pair.hide(seat, message, None)
        await self.step(f"{seat} promises {to} something, at one table")
        if len(self.pair.room.promises) > made:
            self.visited.add("private promises")

    async def promise_aloud(self, seat: int) -> None:
        """A promise to everybody, or to one seat; made unless the seat has too many open at one table."""
        message = self._find_promise(seat, None)
        if message is not None and all(self._may_promise(hub.actor, seat, message) for hub in self.pair.hubs):
            self.pair.do(seat, m.MakePromise, kind=message.kind, terms=message.terms, to=message.to)
            await self.step(f"{seat} promises something")

    def _may_promise(self, actor: Actor, seat: int, message: m.MakePromise) -> bool:
        promise = NewPromise(message.kind, message.terms, tuple(map(Seat, message.to)))
        return isinstance(make(actor.rules, actor.room, Seat(seat), promise, actor.table_time()), Change)

    def _find_promise(self, seat: int, to: int | None) -> m.MakePromise | None:
        """A random promise of this seat: in private to one seat, or aloud."""
        pair = self.pair
        choices = list_choices(pair.game, pair.room, Seat(seat))
        if to is not None:  # some promises can only be made to certain seats
            choices = tuple(choice for choice in choices if _may_go_to(choice, to))
        if not choices:
            return None
        choice = self.chance.choice(choices)
        terms = dict(kit_choices.fill(choice, len(pair.clients), Chance(self.chance)))
        del terms["move"]
        single = terms.pop("to", None)
        seats = (to,) if to is not None else () if single is None else (single,)
        return m.MakePromise(
            0, 0, choice.move, cast(Any, terms), cast(Any, seats), to is not None, told=False
        )

    # --- public actions ---

    async def something(self) -> None:
        pair, chance = self.pair, self.chance
        seats = range(len(pair.clients))
        if pair.room.table.status == "paused":
            await self.probe()
            pair.do(0, m.Manage, act=m.Resume())
            await self.step("resume")
            return
        match chance.randrange(23):
            case 22 if pair.room.position is not None:
                await self.promise_aloud(chance.choice(seats))
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
                await self.outage()
                await self.restart()
            case 9:
                await pair.check_http()
            case 10:
                await self.hurry()
            case _:
                await self.move(chance.choice(seats))

    async def probe(self) -> None:
        """The viewer tries commands; each is applied at both tables or at neither."""
        pair = self.pair
        seat = pair.viewer or 0
        trying = pair.eyes[-1] if pair.viewer is None else pair.clients[seat]
        for message in pair.probes(seat, self.chance, 6):
            if pair.viewer is not None and self.chance.randrange(8) == 0:
                for client in trying:
                    client.send(m.AskPromises(0))
                await self.step(f"viewer {pair.viewer} asks what may be promised")
            if isinstance(message, m.Do):  # asked about first: most of these are refused
                for client in trying:
                    client.send(m.Preview(message.n, message.prompt, message.move))
                await self.step(f"viewer {pair.viewer} previews {message}")
            if pair.viewer is not None and not await self.prepare(message):
                continue
            for client in trying:
                client.send(message)
            await self.step(f"viewer {pair.viewer} tries {message}")
        for hub in pair.hubs:
            assert hub.metrics.refused["BROKEN"] == 0

    async def come_back(self, seat: int | None) -> None:
        """A client loses its socket, reconnects and is sent a full view."""
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

    async def outage(self) -> None:
        """Table time stops and goes on, while the store has not answered a commit of one table."""
        pair = self.pair
        actor = pair.hubs[0].actor
        actor._ownership.is_due = True  # an empty commit, as a hidden command would be for the viewer
        actor._turn_soon()
        for frozen in (True, False, True):
            for hub in pair.hubs:
                hub.rooms.on_freeze(frozen)
                hub.clock.run_soon()
        for one, other in pair.eyes:
            pair.same("sent", one.heard(), other.heard())
        await self.step("table time stands still")
        for hub in pair.hubs:
            hub.rooms.on_freeze(False)
        await self.step("table time goes on")

    async def restart(self) -> None:
        for hub in self.pair.hubs:
            await hub.restart()
        for clients in (*self.pair.clients, *self.pair.eyes):
            for client in clients:
                client.wire.closed = True
                client.heard()
        await self.reopen()
        await self.step("another life of the hub")
        self.visited.add("restart")
