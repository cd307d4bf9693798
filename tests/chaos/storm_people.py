"""People in a storm: they come and go, talk, note and move, and mark each secret that they write.

Every remark and note contains a mark of its own. Each client searches all bytes that it receives for marks,
and reports those that were meant for others. Clients of one audience must receive the same frames, byte for
byte.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple, TypeAlias

import msgpack  # type: ignore[import-untyped]
import msgspec

from games.api import (
    Bound,
    Choice,
    Choices,
    Domain,
    Multiset,
    OneOf,
    PerSeat,
    PromptId,
    Range,
    Subset,
)
from games.dice import Dice
from games.kit.choices import sample_raw_move
from tests.chaos.thinking_time import Reading, TableClock
from tests.harness.follower import Follower, pack
from tests.harness.players import Player, at_hub
from tests.harness.transcripts import Transcript

Audience: TypeAlias = tuple[str, int | None]
"""A room, and a seat or (None) its watchers."""

MARK: Final = re.compile(rb"mark-[0-9a-f]{16}-")
FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0
"""Seconds between attempts to connect, as docs/PROTOCOL.md recommends."""
PATIENCE: Final = 120.0
"""Seconds after which whoever cannot come back has lost the table."""
COMEBACKS: Final = (1001, 1006, 1012, 1013, 4001)
LOST: Final = (4003, 4004)
"""Codes of a seat or a table that the store does not know any more."""
PAUSE_SECONDS: Final = (0.1, 0.7)
"""How long people think at a pace of 1."""
PING_SECONDS: Final = 1.0
SILENCE_SECONDS: Final = 8.0
"""After this long without an answer, a client drops its socket, as ours does (ADR 32)."""
MAX_PENDING: Final = 8
DEFECTS: Final = frozenset({"BROKEN", "TOO_OLD", "NOT_SEATED", "BAD_MOVE", "NOT_HOST", "NO_SUCH_SEAT"})
"""Refusals that nobody in a storm deserves."""
LOSSES: Final = DEFECTS - {"BROKEN"}
"""Those of them that follow from what the store has lost."""
MAX_OVERLAP: Final = 10.0
"""Seconds for which a room's former owner may still be heard, through a route that is slow."""

DOMAINS: Final = {kind.__struct_config__.tag: kind for kind in (Range, OneOf, Subset, PerSeat, Multiset)}


def read_choices(offered: dict[str, Any]) -> Choices:
    """The section `choices`."""
    return {
        PromptId(prompt): tuple(
            Choice(choice["move"], {name: read_domain(raw) for name, raw in choice.get("fields", {}).items()})
            for choice in choices
        )
        for prompt, choices in offered.items()
    }


def read_domain(raw: dict[str, Any]) -> Domain:
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()}
    if "bounds" in fields:
        fields["bounds"] = tuple(msgspec.convert(bound, Bound) for bound in fields["bounds"])
    kind: Any = DOMAINS[str(fields.pop("type"))]
    domain: Domain = kind(**fields)
    return domain


class Wait(NamedTuple):
    """A command, from when it was first sent until its verdict, in seconds."""

    sent: float
    answered: float


class Book:
    """What everybody wrote and for whom, what each audience was sent, and everything that was wrong."""

    def __init__(self, seed: int, pace: float = 1.0, *, may_lose: bool = False) -> None:
        self.pace = pace
        """How many times as long as usual people think."""
        self.may_lose = may_lose
        """Whether the store may lose what it has confirmed, because verdicts wait for less than it needs."""
        self.is_over = False
        """Whether the storm is over, so that everybody stops."""
        self._chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self._readers: dict[bytes, frozenset[Audience]] = {}
        self._frames: dict[tuple[str, str, int | None], dict[int, bytes]] = {}
        self.clocks: defaultdict[str, TableClock] = defaultdict(TableClock)
        """The time that was shown at each table."""
        self.waits: list[Wait] = []
        self.absences: list[float] = []
        """The seconds for which each person who had lost a connection saw no table."""
        self.losses: list[float] = []
        """The milliseconds of thinking time that tables lost each time that their owner changed."""
        self.lateness: list[float] = []
        """By how many milliseconds each window that ran out was closed late, as its clients saw it."""
        self.overlaps: list[float] = []
        """The seconds for which a former owner was heard after the next one, if it was."""
        self._heard: defaultdict[str, dict[str, list[float]]] = defaultdict(dict)
        """When the owner of each epoch of each room was heard first and last."""

    def note_epoch(self, room: str, epoch: str) -> None:
        """Somebody has heard the room's owner of this epoch."""
        now = time.monotonic()
        self._heard[room].setdefault(epoch, [now, now])[1] = now

    def check_owners(self, room: str) -> None:
        """Reports two owners of a room that were heard at the same time for long: a fork (G6)."""
        times = sorted(self._heard.pop(room, {}).values())
        for before, after in itertools.pairwise(times):
            overlap = before[1] - after[0]
            if overlap > 0:
                self.overlaps.append(overlap)
            if overlap > MAX_OVERLAP:
                self.fail(f"{room} had two owners for {overlap:.1f} s (G6)")

    def write_mark(self, room: str, readers: Collection[int | None]) -> str:
        """A new mark that only these seats (None: watchers) of a room may receive."""
        mark = f"mark-{self._chance.randbytes(8).hex()}-"
        self._readers[mark.encode()] = frozenset((room, reader) for reader in readers)
        self.counts["marks planted"] += 1
        return mark

    def search(self, data: bytes, reader: Audience | None, source: str) -> None:
        """Reports marks that this reader (None: the public) must not have received."""
        for mark in MARK.findall(data):
            self.counts["marks read"] += 1
            if reader not in self._readers[mark]:
                self.fail(
                    f"leaked to {source}: {mark.decode()} was for {sorted(map(str, self._readers[mark]))}"
                )

    def compare_frame(self, room: str, epoch: str, seat: int | None, n: int, data: bytes) -> None:
        """Reports a frame that differs from what another client of the same audience received."""
        digest = blake2b(data, digest_size=8).digest()
        first = self._frames.setdefault((room, epoch, seat), {}).setdefault(n, digest)
        self.counts["frames"] += 1
        if first != digest:
            self.fail(f"frame {n} of {room} in epoch {epoch} differs within the audience {seat}")

    def forget_frames(self, room: str) -> None:
        self._frames = {key: frames for key, frames in self._frames.items() if key[0] != room}

    def fail(self, fault: str) -> None:
        print(f"FAULT {fault}", flush=True)
        self.faults.append(fault)


class TableLost(Exception):
    """The store has lost a table, or that somebody sits there."""


class Reader(Follower):
    """A client instance that also looks for marks, and for frames that others received differently.

    If the store may lose what it has confirmed, it begins again in each epoch with what the first view shows,
    and holds the hub to that: whatever went back did so in a new epoch, and for everybody (G6).
    """

    def __init__(self, ticket: str, book: Book, audience: Audience) -> None:
        super().__init__(ticket)
        self.book = book
        self.audience = audience
        self.heard_at = time.monotonic()
        self._asked: dict[int, float] = {}
        """When each ping was sent that has not been answered; 0 stands for the hello."""
        self._pings = 0
        self._sent: dict[int, float] = {}
        """When each command without a verdict was sent first."""
        self._reading = Reading(0.0, 0.0, 0)
        self._ends: dict[str, int] = {}
        """When each window that runs will end, in table time."""
        self._viewed_epoch: str | None = None
        """The epoch of the last view."""
        self._ended_epochs: set[str] = set()
        """Every epoch but the present one, if the store may lose some."""

    def _welcome(self, message: dict[str, Any]) -> None:
        epoch = message["epoch"]
        if self.book.may_lose and epoch != self.run:
            assert epoch not in self._ended_epochs, "an epoch that has ended does not come back"
            self._ended_epochs.add(str(self.run))
            self.runs = []  # the number of a take that is lost is given again, with another token
        super()._welcome(message)

    def _view(self, message: dict[str, Any]) -> None:
        if self.book.may_lose and message["epoch"] != self._viewed_epoch:
            shown = {line[0]: line for line in message["lines"]}
            top = max(shown, default=0)
            lost = [
                number
                for number, line in self.lines.items()
                if number > top or shown.get(number, line) != line
            ]
            self.book.counts["views that had gone back"] += bool(lost)
            self.forget()
        self._viewed_epoch = message["epoch"]
        super()._view(message)

    def forget(self) -> None:
        """Forgets what it was shown, which may be lost. Whatever was applied may not be any more."""
        self.lines, self.remarks, self.talk = {}, [], {}
        self.transcript, self.table_time = Transcript(), 0
        for key, verdict in self.verdicts.items():
            if "code" not in verdict:
                self.verdicts[key] = {**verdict, "code": "TOO_OLD"}

    def opened(self) -> bytes:
        self.heard_at = time.monotonic()
        self._asked = {0: self.heard_at}
        return super().opened()

    def ping(self) -> bytes:
        """A question for the table's time."""
        self._pings += 1
        self._asked[self._pings] = time.monotonic()
        return pack({"t": "ping", "n": self._pings})

    def command(self, kind: str, /, **fields: Any) -> int:
        self.book.counts["commands"] += 1
        n = super().command(kind, **fields)
        self._sent[n] = time.monotonic()
        return n

    def feed(self, data: bytes) -> dict[str, Any]:
        self.book.search(data, self.audience, f"{self.audience}")
        message: dict[str, Any] = msgpack.unpackb(data)
        if message["t"] == "verdict" and self.seat is None:
            return message  # a watcher's commands are not stored, so `Follower` does not follow them
        message = super().feed(data)
        self.heard_at = time.monotonic()
        if message["t"] in ("view", "frame"):
            self.book.note_epoch(self.audience[0], str(self.run))
        match message["t"]:
            case "view":
                self._read_clock(0, message["now"])
                self._ends = {}
                self._follow_windows()
            case "pong":
                self._read_clock(message["n"], message["now"])
            case "frame":
                self._follow_windows()
                self.book.compare_frame(self.audience[0], str(self.run), self.seat, message["n"], data)
            case "verdict":
                sent = self._sent.pop(message["n"], None)
                if sent is not None:
                    self.book.waits.append(Wait(sent, self.heard_at))
                code = message.get("code")
                self.book.counts["applied" if code is None else f"refused {code}"] += 1
                if code in DEFECTS and not (self.book.may_lose and code in LOSSES):
                    command = self.commands[self.session or 0, message["n"]]
                    self.book.fail(f"{self.audience} was refused {code}: {command}")
            case "error" if message["code"] not in ("UNAVAILABLE", "BUSY"):
                self.book.fail(f"{self.audience} got the error {message}")
            case _:
                pass
        return message

    def _read_clock(self, question: int, table_time: int) -> None:
        asked = self._asked.pop(question, None)
        if asked is not None:
            self._reading = Reading(asked, self.heard_at, table_time)
            self.book.clocks[self.audience[0]].note(str(self.run), self._reading)

    def _follow_windows(self) -> None:
        """Notes how late windows were closed that have run out: they are gone, and their time is up."""
        shown = self.sections.get("windows", {"live": False, "windows": []})
        running = {one["id"]: one["end"] for one in shown["windows"] if shown["live"] and "end" in one}
        age = self.heard_at - self._reading.answered
        if age < 2 * PING_SECONDS:
            table_time = self._reading.table_time + 1000 * age
            gone = self._ends.keys() - running.keys()
            late = [
                table_time - self._ends[window] for window in gone if self.table_time >= self._ends[window]
            ]
            self.book.lateness += [max(0.0, one) for one in late]
        self._ends = running


class Visitor(Player):
    """Somebody at a table, in a seat or watching, until the game is over."""

    def __init__(
        self,
        person: dict[str, Any],
        place: dict[str, Any],
        book: Book,
        room: str,
        chance: random.Random,
        urls: Sequence[str],
    ) -> None:
        """`urls`: those of the hubs; the visitor connects to any of them."""
        super().__init__(person["name"], person["token"], place)
        self.book = book
        self.urls = urls
        self.room = room
        self.chance = chance
        self.audience: Audience = (room, place["seat"])
        self.knows: Reader = Reader(self.knows.ticket, book, self.audience)
        self.earlier: list[Reader] = []
        """What its earlier instances knew: each had a session of its own."""
        self._dice = Dice(chance.randbytes(16))

    @property
    def seat(self) -> int:
        assert self.audience[1] is not None
        return self.audience[1]

    # --- coming and going ---

    async def come(self) -> None:
        """Connect, with increasing waits, as the protocol says."""
        wait = FIRST_WAIT
        async with asyncio.timeout(PATIENCE):
            while not await self._try_one():
                if self.book.may_lose and self.closed in LOST:
                    raise TableLost(self.room)
                assert self.closed in COMEBACKS, f"{self.audience}: closed with {self.closed}"
                await asyncio.sleep(wait * self.chance.uniform(0.5, 1))
                wait = min(2 * wait, LONGEST_WAIT)
        self.book.counts["arrivals"] += 1

    async def _try_one(self) -> bool:
        """Connect to one of the hubs, which may be frozen or cut off."""
        self.address = at_hub(self.address, self.chance.choice(self.urls))
        try:
            async with asyncio.timeout(SILENCE_SECONDS):
                return await self.open()
        except TimeoutError:
            await self.drop()
            self.closed = 1006
            return False

    async def stay(self) -> None:
        """Come back if the connection was lost."""
        if self.closed is not None:
            lost_at = time.monotonic()
            await self.come()
            self.book.absences.append(time.monotonic() - lost_at)

    async def settle(self) -> None:
        """Wait, over as many connections as it takes, until every command has its verdict."""
        async with asyncio.timeout(PATIENCE):
            while self.knows.pending or self.closed is not None:
                await self.stay()
                await self.until(lambda: not self.knows.pending or self.closed is not None, or_closed=True)

    async def visit(self) -> None:
        """Do this and that until the game or the storm is over."""
        await self.come()
        async with asyncio.TaskGroup() as group:
            pinging = group.create_task(self.keep_asking())
            while self.knows.status != "finished" and not self.book.is_over:
                await self.stay()
                await (self.watch() if self.audience[1] is None else self.act())
                await asyncio.sleep(self.book.pace * self.chance.uniform(*PAUSE_SECONDS))
            await self.settle()
            pinging.cancel()

    async def keep_asking(self) -> None:
        """Ask for the time every second, and drop a socket on which nothing is answered."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            if self.closed is not None or self._socket is None:
                continue
            if time.monotonic() > self.knows.heard_at + SILENCE_SECONDS:
                self.book.counts["silent sockets dropped"] += 1
                self._socket.transport.abort()
            else:
                await self._send(self.knows.ping())

    async def go_away(self) -> None:
        """Lose the connection for a while, and sometimes forget who this client was."""
        await self.drop()
        self.book.counts["departures"] += 1
        await asyncio.sleep(self.chance.choice((0.0, 0.2, 2.0, self.chance.uniform(2, 20))))
        if not self.knows.pending and self.chance.random() < 0.2:
            self.earlier.append(self.knows)
            self.knows = Reader(self.knows.ticket, self.book, self.audience)
        await self.come()

    # --- what they do ---

    async def watch(self) -> None:
        fate = self.chance.random()
        if fate < 0.1:
            await self.go_away()
        elif fate < 0.3:
            text = self.book.write_mark(self.room, [None])
            await self._send(pack({"t": "say", "session": 0, "n": 0, "channel": "watchers", "text": text}))

    async def act(self) -> None:
        if len(self.knows.pending) >= MAX_PENDING:
            return
        acts = {
            self.make_move: 50,
            self.say: 10,
            self.whisper: 10,
            self.write_note: 8,
            self.send_again: 8,
            self.lock: 2 * (self.seat == 0),
            self.stand_in: 1,
            self.go_away: 5,
        }
        (chosen,) = self.chance.choices([*acts], [*acts.values()])
        await chosen()

    async def make_move(self) -> None:
        """A random legal move from `choices`, or a note while others are to move; first of all, whoever is
        substituted takes the seat back."""
        if self.knows.sections["table"]["seats"][self.seat]["substitute"]:
            await self.send("manage", act={"do": "take_back"})
            return
        offered = self.knows.sections.get("choices", {}).get("choices", {})
        seats = len(self.knows.sections["table"]["seats"])
        sample = sample_raw_move(read_choices(offered), seats, self._dice)
        if sample is not None:
            await self.send("do", prompt=sample[0], move=dict(sample[1]))
        else:
            await self.write_note()

    async def say(self) -> None:
        if self.knows.sections["talk_policy"]["mode"] == "open":
            seats = range(len(self.knows.sections["table"]["seats"]))
            await self.send("say", channel="table", text=self.book.write_mark(self.room, [*seats, None]))

    async def whisper(self) -> None:
        policy = self.knows.sections["talk_policy"]
        if policy["mode"] == "open" and policy["whispers"]:
            others = [i for i in range(len(self.knows.sections["table"]["seats"])) if i != self.seat]
            to = self.chance.choice(others)
            text = self.book.write_mark(self.room, [self.seat, to])
            await self.send("say", channel="table", text=text, to=to)

    async def write_note(self) -> None:
        await self.send("note", text=self.book.write_mark(self.room, [self.seat]))

    async def send_again(self) -> None:
        """Send an old command again: it is not applied again."""
        knows = self.knows
        applied = [n for session, n in knows.verdicts if session == knows.session and knows.applied(n)]
        recent = [n for n in applied if n > max(applied) - 20]
        if recent:
            self.book.counts["sent again"] += 1
            await self.again(self.chance.choice(recent))

    async def lock(self) -> None:
        await self.send("manage", act={"do": "lock", "locked": self.chance.random() < 0.5})

    async def stand_in(self) -> None:
        await self.send("manage", act={"do": "stand_in"})
