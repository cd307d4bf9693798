"""One table of any game on any hub: the commands its people send and the verdicts each must get."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from hub.runtime.actor import Actor
from tests.harness.follower import Follower
from tests.harness.small_hub import ClientLine, SmallHub

Way: TypeAlias = Literal["stays", "slow", "leaves", "stalls", "stalls and is left"]
"""How a tick goes for a table: it stays put, the store is slow, its hub hands it over, or its hub hangs
past its lease while another is taking the table, with its sockets open or closed."""
Said: TypeAlias = tuple[int, int, int]
"""A command on its way: seat, number, table time."""
Refused: TypeAlias = tuple[str, str]
"""The refusal's code and rule."""


PRESENCE: Final = frozenset({"presence", "watchers"})


@dataclass(frozen=True)
class Command:
    """A move that a seat sends for a prompt. `twice`: sent again, as if over an unreliable connection."""

    seat: int
    prompt: str
    move: Mapping[str, Any]
    twice: bool = False


@dataclass
class Plan:
    """Commands sent at once, and commands sent after the span."""

    early: list[Command] = field(default_factory=list)
    late: list[Command] = field(default_factory=list)


class SoakTable(ABC):
    """A table in play, on whichever hub: its people's clients, and a reference version to check them against.

    The first of the `followers` sit in the seats, in seat order; one more may watch.
    """

    def __init__(self, room: str, followers: Sequence[Follower], lines: list[ClientLine], seed: int) -> None:
        self.room = room
        self.followers = followers
        self.lines = lines
        self.fate = random.Random(seed)
        self.met: Counter[str] = Counter()
        """The number of times each event happened."""
        self.plan = Plan()
        self.way: Way = "stays"
        self.moved = False
        """Whether the table moved to another hub in this tick."""
        self._heard: list[list[dict[str, Any]]] = [[] for _ in followers]
        self._due: list[list[tuple[int, str | None, str | None]]] = [[] for _ in followers]
        """Verdicts that each seat must have received in this tick: number, code, rule."""
        self._said: dict[tuple[int, int], Command] = {}
        self._applied: set[tuple[int, int]] = set()
        self._read = [max(follower.lines) for follower in followers]

    # --- the reference version ---

    @property
    def most_offers(self) -> int | None:
        """The number of offers a seat may have open to one other seat, in a game with trading."""
        return None

    @property
    @abstractmethod
    def over(self) -> bool: ...

    @property
    @abstractmethod
    def expired(self) -> int:
        """The number of windows that have ended so far."""

    @abstractmethod
    def pass_time(self, at: int) -> None:
        """End every window that ends by `at`."""

    @abstractmethod
    def next_end(self) -> int | None:
        """The end of the first window."""

    @abstractmethod
    def ends(self) -> list[int]:
        """The ends of the windows that should run out within ticks."""

    @abstractmethod
    def planned(self, tick: int, at: int, span: int) -> Plan:
        """The commands for this tick, which begins at table time `at`."""

    @abstractmethod
    def decided(self, seat: int, command: Command, at: int) -> Refused | None:
        """The result of a command: None if it is applied, otherwise the refusal that only its seat gets."""

    @abstractmethod
    def compare(self, new: Sequence[Sequence[list[Any]]]) -> None:
        """Check everybody's view, and the `new` lines of each viewer, against the reference version."""

    @abstractmethod
    def extend_for_absent(self, at: int) -> None:
        """A new hub has the table, and found nobody connected: windows that end at `at` may be extended."""

    # --- its hub ---

    @property
    def hub(self) -> SmallHub:
        """The hub to which its clients are connected."""
        return self.lines[0].hub

    @property
    def actor(self) -> Actor:
        return self.hub.rooms._actors[self.room]

    @property
    def events(self) -> int:
        """The number of commands and ended windows so far."""
        return self.met["commands"] + self.expired

    # --- commands ---

    def begin(self, tick: int, span: int, way: Way) -> None:
        """Begin a tick: plan its commands, and set what happens to the table."""
        self.way = way
        self.plan = self.planned(tick, self.actor.table_time(), span)
        self.met["commands"] += len(self.plan.early) + len(self.plan.late)

    def say(self, commands: Sequence[Command]) -> list[Said]:
        """Send these commands, one after the other."""
        said: list[Said] = []
        for command in commands:
            line, seat = self.lines[command.seat], command.seat
            n = line.send_command("do", prompt=command.prompt, move=command.move)
            self._said[seat, n] = command
            said.append((seat, n, self.actor.table_time()))
            if command.twice:
                line.say(line.follower.packed(n))
                said.append((seat, n, self.actor.table_time()))
        return said

    def decide(self, said: Sequence[Said], *, heard: bool = True) -> None:
        """Let the reference version rule on them too. `heard`: the seats must have received the verdicts."""
        for seat, n, at in said:
            refused = None
            self.pass_time(at)
            if (seat, n) in self._applied:
                self.met["repeated"] += 1
            else:
                refused = self.decided(seat, self._said[seat, n], at)
                if refused is None:
                    self._applied.add((seat, n))
            if heard:
                self._due[seat].append((n, *(refused or (None, None))))

    # --- from hub to hub ---

    async def come(self, hub: SmallHub) -> None:
        """Connect everybody at the table to this hub."""
        self.moved = True
        for viewer, line in enumerate(self.lines):
            self._heard[viewer] += line.heard
            line.drop()
            line.hub.lines.remove(line)
        self.lines = [hub.line(follower) for follower in self.followers]
        for line in self.lines:
            line.say(line.follower.opened())
        for line in self.lines:
            await line.until(partial(getattr, line, "shown"))
            assert line.shown
        self.extend_for_absent(self.actor.table_time())

    def prompt_again(self) -> None:
        """Resend the commands without a verdict, each seat's in order, and let the reference rule on them."""
        left = [list(follower.pending) for follower in self.followers]
        while any(left):
            seat = self.fate.choice([seat for seat, waiting in enumerate(left) if waiting])
            n = left[seat].pop(0)
            self.met["sent again"] += 1
            self.lines[seat].say(self.followers[seat].packed(n))
            self.decide([(seat, n, self.actor.table_time())])

    # --- checks ---

    def check(self) -> None:
        """Check that every verdict, line and section matches the reference, and nothing else was sent."""
        self.pass_time(self.actor.table_time())
        self._verdicts()
        self.compare([self._new_lines(viewer) for viewer in range(len(self.followers))])
        for heard, line in zip(self._heard, self.lines, strict=True):
            heard.clear()
            line.heard.clear()
        self.moved = False

    def _verdicts(self) -> None:
        """Check that each verdict came once, in order, and only to its sender."""
        for seat, line in enumerate(self.lines):
            heard = [one for one in (*self._heard[seat], *line.heard) if one["t"] == "verdict"]
            verdicts = [(one["n"], one.get("code"), one.get("rule")) for one in heard]
            assert verdicts == self._due[seat], (seat, verdicts, self._due[seat])
            for one in heard:
                named = {"most": self.most_offers} if one.get("code") == "TOO_MANY" else {}
                assert one.get("args", {}) == named, one
            assert not self.followers[seat].pending
            self._due[seat].clear()

    def _new_lines(self, viewer: int) -> list[list[Any]]:
        follower, read = self.followers[viewer], self._read[viewer]
        top = read
        while top + 1 in follower.lines:
            top += 1
        self._read[viewer] = top
        return [follower.lines[number] for number in range(read + 1, top + 1)]

    def frames(self, viewer: int) -> list[dict[str, Any]]:
        """This tick's frames, except those that only report presence, or watchers to the host."""
        return [
            one
            for one in self.lines[viewer].heard
            if one["t"] == "frame" and (one.get("lines") or one.get("sections", {}).keys() - PRESENCE)
        ]
