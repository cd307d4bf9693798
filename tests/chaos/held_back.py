"""Tables whose commits are held back for a tick, because the store is slow or the table changes hands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

from hub.store.pipe import Commit, Done, Result
from tests.chaos.soak_table import Command, Said, SoakTable
from tests.harness.small_hub import SmallHub

Hold: TypeAlias = Literal["commit", "answer"]
"""What is held back: a commit on its way to the store, or the store's answer."""


class Gate:
    """A gate between a hub's actors and the store: holds back some rooms' commits and counts those in
    flight."""

    def __init__(self, hub: SmallHub) -> None:
        self._submit = hub.pipe.submit
        self._held: dict[str, Hold] = {}
        self._kept: dict[str, Callable[[], None]] = {}
        self._out = 0
        """The number of unanswered commits."""
        self._answers = 0
        """The number of answers so far."""
        self._none_out = asyncio.Event()
        hub.pipe.submit = self._take  # type: ignore[method-assign]

    def hold(self, room: str, what: Hold) -> None:
        self._held[room] = what

    def keeps(self, room: str) -> bool:
        """Whether this room's commits are held."""
        return room in self._kept

    def open(self, room: str) -> None:
        """Let the held commit and all later ones through."""
        self._held.pop(room, None)
        self._kept.pop(room, lambda: None)()

    async def quiet(self) -> None:
        """Wait until the hub is waiting only for commits held at this gate."""
        while True:
            before = self._answers
            for _ in range(5):  # for a timer, its turn and its commit
                await asyncio.sleep(0)
            if self._out:
                self._none_out.clear()
                await self._none_out.wait()
            elif self._answers == before:
                return

    def _take(self, commit: Commit, done: Done) -> None:
        if self._held.get(commit.room) == "commit":
            self._kept[commit.room] = partial(self._send, commit, done)
        else:
            self._send(commit, done)

    def _send(self, commit: Commit, done: Done) -> None:
        self._out += 1
        self._submit(commit, partial(self._answered, commit.room, done))

    def _answered(self, room: str, done: Done, result: Result) -> None:
        self._out -= 1
        self._answers += 1
        if self._held.get(room) == "answer":
            self._kept[room] = partial(done, result)
        else:
            done(result)
        if not self._out:
            self._none_out.set()


class HeldBack:
    """A table whose commits or answers are held back for a tick, and which may change hubs in the
    meantime."""

    def __init__(self, table: SoakTable, gate: Gate, other: SmallHub) -> None:
        self.table = table
        self.hub = table.hub
        self.gate = gate
        self._next = other
        self._what: Hold = table.fate.choice(("commit", "answer"))
        self._dropped = table.way == "stalls and is left"
        self._stalls = table.way.startswith("stalls")
        self._early: list[Said] = []
        self._late: list[Said] = []
        self._lost = False
        """Whether commands sent to this hub from now on will never get a verdict."""
        self._after: list[Command] = []
        """Commands sent after the hub stopped accepting them."""

    def early(self) -> None:
        self.gate.hold(self.table.room, self._what)
        self._early = self.table.say(self.table.plan.early)

    def flown(self) -> None:
        """Settle the early commands, which are stored, on their way to the store, or refused."""
        self._decided(self._early)

    def late(self) -> None:
        late = self.table.plan.late
        if self.table.way == "leaves":
            cut = self.table.fate.randint(0, len(late))
            late, self._after = late[:cut], late[cut:]
        self._late = self.table.say(late)

    def landed(self) -> None:
        """Settle the late commands, which may have had to wait for the early ones."""
        self._decided(self._late)

    def _decided(self, said: list[Said]) -> None:
        """A stalled hub's decisions count if the store had them before another hub took the table."""
        caught = self.gate.keeps(self.table.room)
        if not self._stalls:
            self.table.decide(said)
        elif not self._lost and not (caught and self._what == "commit"):
            self.table.decide(said, heard=not (caught and self._dropped))
        if self._stalls and caught and not self._lost:
            self.table.met[f"{self._what} on its way"] += 1
        self._lost = self._lost or caught

    async def leave(self) -> None:
        """Hand the table over: every accepted command is kept, and no later one is accepted."""
        table, actor = self.table, self.table.actor
        actor.halt()
        table.say(self._after)
        self.gate.open(table.room)
        await self.gate.quiet()
        assert actor.idle
        await self.hub.rooms._hand_over(actor)
        assert all(line.code == 4001 for line in table.lines)
        await table.come(self._next)
        table.prompt_again()
        table.met["handed over"] += 1
        await self.gate.quiet()

    async def take_over(self) -> None:
        """Let another hub take the table while this one still believes it owns it."""
        table = self.table
        if self._dropped:
            for line in table.lines:
                line.drop()
        await self._next.rooms.find(table.room)
        self.gate.open(table.room)

    async def follow(self) -> None:
        """Connect everybody to the table's new hub."""
        assert self.table.room not in self.hub.rooms._actors
        assert all(line.closed for line in self.table.lines)
        await self.table.come(self._next)
        self.table.prompt_again()
        self.table.met["taken over"] += 1
