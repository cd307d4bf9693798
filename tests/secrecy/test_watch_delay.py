"""A watcher of a delayed table is sent what one at the same table without a delay is sent, only later.

The same evening is spent at two tables with the same game. One of them has a watching delay.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import pytest
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from games.api import Seat
from games.kit import choices as kit_choices
from games.kit.tuples import replace_at
from hub.runtime import actor, delayed_watchers, lobby
from hub.runtime.bots import BotScheduler
from hub.runtime.delayed_watchers import DelayedWatchers, Publication
from hub.runtime.placement import Knocked, RefusedPlace, RematchWish
from hub.runtime.registry import HubRooms
from hub.runtime.watching import Watching
from hub.table import views, watch_delay
from hub.table.room import SeatState, Table
from hub.table.salt_exchange import hash_salt
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.secrecy.in_process_hub import Client, InProcessHub, read
from tests.secrecy.pair import CODE, Chance, Leak, new_table
from tests.secrecy.pair import registry as registry_of

ASYNC = pytest.mark.asyncio
Patch = pytest.MonkeyPatch
DELAY: Final = 30_000
STEP: Final = 500
START: Final = 2_000
"""When the game begins, and with it the delay."""
EARLY: Final = 35_600
"""When a watcher comes; another one comes `DELAY` later."""
SALT: Final = "5a" * 32
OUTSIDER: Final = "somebody else"
OPTIONS: Final[dict[str, Any]] = {"discussion": "untilReady", "timers": "fast", "target": 3}


@pytest.fixture(autouse=True)
def _same_option(monkeypatch: Patch) -> None:
    """The option itself is shown at once, and the tables differ in it."""
    table_section = views.table_section
    monkeypatch.setattr(
        views, "table_section", lambda table: replace(table_section(table), watch_delay="none")
    )


@pytest.fixture(autouse=True)
def _same_chances(monkeypatch: Patch) -> None:
    """At both tables, bots take the same time to think, and the next table has the same id."""
    monkeypatch.setattr("hub.runtime.rematches.secrets.token_bytes", bytes)
    monkeypatch.setattr(
        actor,
        "BotScheduler",
        lambda room, clock, executor, _: BotScheduler(room, clock, executor, random.Random(7)),
    )


class Answer(NamedTuple):
    """What the API tells an outsider at one moment, and a watcher the table's time."""

    description: dict[str, Any]
    record: Any
    host_connected: bool
    listed: list[dict[str, Any]]
    time: int


class Evening:
    """One table with three people, what they do, and everything that people without a seat learn of it."""

    def __init__(self, hub: InProcessHub) -> None:
        self.hub = hub
        self.is_late = False
        self.chance = random.Random(5)
        self.seats: list[Client] = []
        self.sent: dict[str, list[tuple[int, bytes | int]]] = {}
        """What each watcher was sent, and when."""
        self.returning: list[tuple[Client, list[tuple[int, bytes | int]]]] = []
        """Watchers who try again while the hub cannot show them the table yet."""
        self.answers: dict[int, Answer] = {}
        """What the API answered to an outsider, and when."""

    @property
    def at(self) -> int:
        return self.hub.clock.now_ms()

    async def begin(self, delay: m.WatchDelay, options: Mapping[str, Any] = OPTIONS) -> None:
        self.is_late = delay != "none"
        room = new_table(ALMOST, 3, options)
        await self.hub.put(replace(room, table=replace(room.table, watch_delay=delay)))
        for seat in range(3):
            self.seats.append(self.hub.client(Seat(seat)))
            await self.seats[-1].open()

    async def watch(self, name: str) -> Client:
        """Somebody comes to watch."""
        client = self.hub.client(None)
        sent = self.sent[name] = []
        await self.open_recorded(client, sent)
        return client

    async def open_recorded(self, client: Client, sent: list[tuple[int, bytes | int]]) -> None:
        out = _Recorded(lambda data: sent.append((self.at, data)))
        client.begin()
        client.wire.out = out
        await self.hub.settle()

    def manage(self, seat: int, act: Any) -> None:
        self.seats[seat].command(m.Manage, act=act)

    def say(self, seat: int, text: str) -> None:
        self.seats[seat].command(m.Say, channel="table", text=text)

    async def pass_time(self, milliseconds: int) -> None:
        for _ in range(milliseconds // STEP):
            self.play()
            for client, sent in self.returning:
                if client.wire.out[-1] == 1013:
                    await self.open_recorded(client, sent)
            self.hub.advance(STEP // 2)
            await self.hub.settle()
            await self.ask()
            self.hub.advance(STEP // 2)
            await self.hub.settle()

    def play(self) -> None:
        """Somebody makes a legal move."""
        state = self.hub.state
        if state is None or self.hub.actor.room.table.status != "running":
            return
        seat = self.chance.randrange(3)
        choices: Any = ALMOST.choices(state, Seat(seat))
        moves = [(prompt, choice) for prompt, offered in choices.items() for choice in offered]
        if moves:
            prompt, choice = self.chance.choice(moves)
            raw = kit_choices.fill(choice, 3, Chance(self.chance))
            self.seats[seat].command(m.Do, prompt=prompt, move=dict(raw))

    async def ask(self) -> None:
        rooms = self.hub.rooms
        description = dict(await rooms.describe(CODE, OUTSIDER))
        del description["watchers"]
        record = await rooms.record(CODE, OUTSIDER)
        knocked = await rooms.ask(CODE, self.hub.person(7), None)
        assert isinstance(knocked, Knocked)
        lines = (await rooms.lobby(1)).rooms
        listed = [{**line, "watchers": 0} for line in lines if line["room"] == self.hub.room or self.is_late]
        time = self.hub.actor.read_shown_time()
        self.answers[self.at] = Answer(description, record, knocked.host, listed, time)


class _Recorded(list[bytes | int]):
    """Passes on what is appended."""

    def __init__(self, heard: Callable[[bytes | int], None]) -> None:
        super().__init__()
        self._heard = heard

    def append(self, data: bytes | int) -> None:
        super().append(data)
        self._heard(data)


async def spend(evening: Evening) -> None:
    """The evening: everything that is to be held happens."""
    await evening.watch("before the start")
    evening.manage(2, m.CommitSalt(hash_salt(SALT)))
    await evening.pass_time(2_000)
    evening.manage(0, m.Start())
    await evening.pass_time(1_000)
    evening.manage(2, m.RevealSalt(SALT, hash_salt(SALT)))
    await evening.pass_time(9_000)
    evening.say(1, "hello")
    evening.manage(0, m.Pause())
    await evening.pass_time(5_000)
    evening.say(2, "said in the pause")
    evening.manage(0, m.HandOver(1))
    await evening.pass_time(5_000)
    evening.manage(1, m.Resume())
    evening.manage(1, m.CallVote("pause"))
    await evening.pass_time(4_000)
    evening.manage(2, m.Vote(1, False))
    evening.seats[1].lose()
    await evening.pass_time(9_500)
    evening.hub.advance(100)
    assert evening.at == EARLY
    await evening.watch("early")
    evening.hub.advance(400)
    await evening.pass_time(9_500)
    await evening.seats[1].open()
    evening.manage(1, m.Lock(True))
    evening.manage(2, m.StandIn())
    await evening.pass_time(10_000)
    evening.manage(2, m.TakeBack())
    await evening.pass_time(10_000)
    evening.hub.advance(100)
    assert evening.at == EARLY + DELAY
    await evening.watch("late")
    evening.hub.advance(400)
    evening.manage(0, m.CallVote("end"))
    evening.manage(1, m.Vote(2, True))
    evening.manage(2, m.Vote(2, True))
    await evening.pass_time(5_000)
    evening.say(0, "that was it")
    await evening.hub.finish(
        evening.hub.rooms.play_again(
            evening.hub.room, evening.hub.person(0), RematchWish(), None, lambda: None
        )
    )
    await evening.pass_time(5_000)
    evening.manage(1, m.CloseWatching(True))
    await evening.pass_time(DELAY + 2_000)


async def spend_one(tasks: Tasks, delay: m.WatchDelay) -> Evening:
    evening = Evening(InProcessHub(registry_of(ALMOST), tasks))
    await evening.begin(delay)
    await spend(evening)
    return evening


def compare(present: Evening, late: Evening, delay: int = DELAY) -> None:
    """Raises Leak unless everything at the late table was the same, `delay` milliseconds later."""
    seen = present.sent["before the start"]
    expected = [(at if at < START else at + delay, data) for at, data in seen]
    _same("sent", expected, late.sent["before the start"])
    at_once, first = (evening.sent[name][0] for evening, name in ((present, "early"), (late, "late")))
    _same("first view", at_once, (first[0] - delay, first[1]))
    for name, came in (("early", EARLY), ("late", EARLY + DELAY)):
        expected = [(at + delay, data) for at, data in present.sent[name] if at > came]
        _same(f"sent to {name}", expected, [sent for sent in late.sent[name] if sent[0] > came + delay])
    for at, answer in present.answers.items():
        if at < START:
            _same(f"answers at {at}", answer, late.answers[at])
        elif at + delay in late.answers:
            _same(f"answers at {at}", answer, late.answers[at + delay])


def _same(what: str, one: Any, other: Any) -> None:
    if one != other:
        pairs = zip_longest(one, other) if isinstance(one, list | tuple) else ((one, other),)
        raise Leak(f"{what}: {next(pair for pair in pairs if pair[0] != pair[1])}"[:2000])


@ASYNC
async def test_a_delayed_watcher_is_sent_the_same_bytes_later(tasks: Tasks) -> None:
    """G4.13: frames, talk and closes; what the API and the lobby say; the record."""
    present, late = await spend_one(tasks, "none"), await spend_one(tasks, "30s")
    compare(present, late)
    answers = late.answers.values()
    assert {answer.description["status"] for answer in answers} == {
        "waiting",
        "running",
        "paused",
        "finished",
    }
    assert {answer.description["host"] for answer in answers} == {"Name 0", "Name 1"}
    assert {"next" in answer.description for answer in answers} == {True, False}
    assert {answer.host_connected for answer in answers} == {True, False}
    assert {answer.record == "running" for answer in answers} == {True, False}
    assert late.sent["early"][-1][1] == 4013


# --- planted leaks ---


def frames_at_once(patch: Patch) -> None:
    hold = DelayedWatchers.hold
    patch.setattr(DelayedWatchers, "hold", lambda self, publication, age=0: hold(self, publication, DELAY))


def a_second_early(patch: Patch) -> None:
    hold = DelayedWatchers.hold
    patch.setattr(DelayedWatchers, "hold", lambda self, publication, age=0: hold(self, publication, 1000))


def talk_at_once(patch: Patch) -> None:
    hold = DelayedWatchers.hold

    def say_and_hold(self: Any, publication: Publication) -> None:
        for message in publication.talk:
            self.subscribers.say(message)
        hold(self, replace(publication, talk=()))

    patch.setattr(DelayedWatchers, "hold", say_and_hold)


def presence_at_once(patch: Patch) -> None:
    hold, show = DelayedWatchers.hold, DelayedWatchers._show
    latest: list[m.PresenceSection] = []

    def hold_and_note(self: Any, publication: Publication) -> None:
        latest.append(publication.presence)
        hold(self, publication)

    patch.setattr(DelayedWatchers, "hold", hold_and_note)
    patch.setattr(
        DelayedWatchers, "_show", lambda self, shown: show(self, replace(shown, presence=latest[-1]))
    )


def table_at_once(patch: Patch) -> None:
    """Pauses, the host, votes, the next table."""
    hold, show = DelayedWatchers.hold, DelayedWatchers._show
    latest: list[Table] = []

    def hold_and_note(self: Any, publication: Publication) -> None:
        latest.append(publication.room.table)
        hold(self, publication)

    patch.setattr(DelayedWatchers, "hold", hold_and_note)
    patch.setattr(
        DelayedWatchers,
        "_show",
        lambda self, shown: show(self, replace(shown, room=replace(shown.room, table=latest[-1]))),
    )


def closes_at_once(patch: Patch) -> None:
    hold = DelayedWatchers.hold

    def close_and_hold(self: Any, publication: Publication) -> None:
        self.subscribers.close_departed(self.room.table, publication.room.table)
        hold(self, publication)

    patch.setattr(DelayedWatchers, "hold", close_and_hold)


def time_of_the_present(patch: Patch) -> None:
    patch.setattr(Watching, "table_time", lambda self: self._table_clock.read())


def vote_time_of_the_present(patch: Patch) -> None:
    def read_present(self: Any, room: Any, *args: Any, **more: Any) -> None:
        if self.delayed is not None:
            self.delayed.subscribers.follow_votes(self._deadlines.vote_time_left)
        hold(self, room, *args, **more)

    hold = Watching.hold
    patch.setattr(Watching, "hold", read_present)


def description_of_the_present(patch: Patch) -> None:
    patch.setattr(actor.Actor, "find_table", lambda self, person: self.room.table)


def lobby_of_the_present(patch: Patch) -> None:
    def summarize_present(table: Table, watchers: int) -> lobby.Summary:
        return summarize(present[-1], watchers)

    summarize, begin = lobby.summarize, actor.Actor._commit
    present: list[Table] = []

    def note_and_commit(self: Any, batch: Any, *args: Any) -> None:
        present.append(batch.room.table)
        begin(self, batch, *args)

    patch.setattr(actor.Actor, "_commit", note_and_commit)
    patch.setattr(lobby, "summarize", summarize_present)


def next_table_in_the_lobby(patch: Patch) -> None:
    patch.setattr(lobby, "_is_listed", lambda table: table.open and table.status != "finished")


def record_at_once(patch: Patch) -> None:
    patch.setattr(HubRooms, "_find_shown", lambda self, table: table)


def host_of_the_present(patch: Patch) -> None:
    patch.setattr(Watching, "_is_connected", lambda self, seat: self._seats.is_connected(seat))


PLANTED: Final = (
    frames_at_once,
    a_second_early,
    talk_at_once,
    presence_at_once,
    table_at_once,
    closes_at_once,
    time_of_the_present,
    vote_time_of_the_present,
    description_of_the_present,
    lobby_of_the_present,
    next_table_in_the_lobby,
    record_at_once,
    host_of_the_present,
)


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
@ASYNC
async def test_leaks_of_the_present_are_found(
    plant: Callable[[Patch], None], tasks: Tasks, monkeypatch: Patch
) -> None:
    present = await spend_one(tasks, "none")
    plant(monkeypatch)
    with pytest.raises(Leak):
        compare(present, await spend_one(tasks, "30s"))


# --- a takeover ---


class Facts:
    """What one socket was sent that everybody may know, and when it first was."""

    def __init__(self) -> None:
        self.since: dict[bytes, int] = {}

    def add(self, at: int, data: bytes | int) -> None:
        if isinstance(data, int):
            return
        for message in read(data):
            for name, section in message.get("sections", {}).items():
                if name in SHARED:
                    self._note(at, name, section)
            for line in message.get("lines", ()):
                self._note(at, "line", line[1:])
            for said in (*message.get("talk", ()), message.get("message")):
                if said is not None:
                    self._note(at, "talk", said)

    def _note(self, at: int, *fact: Any) -> None:
        self.since.setdefault(msgspec.msgpack.encode(fact), at)


SHARED: Final = ("table", "stage", "score", "plans", "readiness", "time_control", "result", "rematch")
"""Sections that are the same for everybody, and depend only on what is committed."""


def check_never_back(sent: list[tuple[int, bytes | int]]) -> None:
    """Fails if what a watcher was shown, or table time, was ever earlier than before."""
    now = lines = 0
    for _, data in sent:
        for message in read(data) if isinstance(data, bytes) else ():
            assert message.get("now", now) >= now
            now = message.get("now", now)
            last = message["lines"][-1][0] if message.get("lines") else lines
            assert last >= lines
            lines = last


@ASYNC
async def test_who_takes_the_room_continues_the_delay(tasks: Tasks) -> None:
    """G4.13: nothing is shown early, nothing is lost, and nobody is shown less than before."""
    evening = Evening(InProcessHub(registry_of(ALMOST), tasks))
    await evening.begin("30s")
    present: list[tuple[int, bytes | int]] = []
    shown: list[tuple[int, bytes | int]] = []
    seat = evening.seats[1]

    async def open_all() -> None:
        for client in evening.seats:
            if client is not seat:
                await client.open()
        await evening.open_recorded(seat, present)
        seat.session = next(message["session"] for message in seat.messages() if message["t"] == "welcome")
        watcher = evening.hub.client(None)
        await evening.open_recorded(watcher, shown)
        evening.returning = [(watcher, shown)]

    await open_all()
    await evening.pass_time(2_000)
    evening.manage(0, m.Start())
    await evening.pass_time(12_000)
    await evening.hub.restart()  # within the delay of the start
    await open_all()
    await evening.pass_time(15_000)
    evening.say(1, "before the pause")
    evening.manage(0, m.Pause())
    await evening.pass_time(3_000)
    evening.say(1, "in the pause")
    await evening.hub.restart()
    await open_all()
    await evening.pass_time(8_000)
    evening.manage(0, m.Resume())
    await evening.pass_time(20_000)
    await evening.hub.restart()
    await open_all()
    await evening.pass_time(5_000)
    evening.manage(0, m.CallVote("end"))
    for voter in (1, 2):
        evening.manage(voter, m.Vote(1, True))
    await evening.pass_time(5_000)
    await evening.hub.restart()
    await open_all()
    await evening.pass_time(2 * DELAY)
    check_never_back(shown)
    known, watched = Facts(), Facts()
    for at, data in present:
        known.add(at, data)
    for at, data in shown:
        watched.add(at, data)
    assert len(known.since) > 100
    for fact, at in watched.since.items():
        if at > START and known.since[fact] >= START:
            assert at >= known.since[fact] + DELAY, fact
    missing = [fact for fact in known.since if fact not in watched.since]
    assert len(watched.since) > 50  # not all: after a takeover in a pause, watchers have to wait
    assert {fact for fact in missing if msgspec.msgpack.decode(fact)[0] in ("line", "talk")} == set()


# --- until the round ends ---


ROUNDS: Final[dict[str, Any]] = {
    "mode": "banbury",
    "banburyRounds": 4,
    "discussion": "none",
    "timers": "fast",
}
Sent: TypeAlias = list[tuple[int, bytes | int]]
"""What a socket was sent, and when."""


async def play_rounds(evening: Evening) -> tuple[Sent, Sent]:
    """A game whose watchers see each round once it is over, with a takeover in the second round.

    Returns what a seat and a watcher were sent.
    """
    await evening.begin("round", ROUNDS)
    present: Sent = []
    shown: Sent = []

    async def open_all() -> None:
        for client in evening.seats[::2]:
            await client.open()
        seat = evening.seats[1]
        await evening.open_recorded(seat, present)
        seat.session = next(message["session"] for message in seat.messages() if message["t"] == "welcome")
        await evening.open_recorded(evening.hub.client(None), shown)

    await open_all()
    await evening.pass_time(START)
    evening.manage(0, m.Start())
    restarted = False
    for step in range(600):
        await evening.pass_time(STEP)
        if step % 40 == 7:
            evening.say(1, f"said {step}")
            evening.manage(0, m.Pause())
            await evening.pass_time(STEP)
            evening.manage(0, m.Resume())
        room = evening.hub.actor.room
        if room.table.status == "finished":
            break
        if not restarted and room.position is not None and room.position.state.stage.round == 2:
            await evening.pass_time(2 * STEP)
            await evening.hub.restart()
            await open_all()
            restarted = True
    assert restarted
    assert evening.hub.actor.room.table.status == "finished"
    await evening.pass_time(2 * STEP)
    return present, shown


def find_ends(present: Sent) -> list[int]:
    """When the game began, when each of its rounds ended, and when it was over."""
    ends: dict[Any, int] = {}
    for at, data in present:
        for message in read(data) if isinstance(data, bytes) else ():
            sections = message.get("sections", {})
            if "stage" in sections:
                ends.setdefault(sections["stage"]["round"], at)
            if "result" in sections:
                ends.setdefault("result", at)
    return [*ends.values()]


def check_rounds(present: Sent, shown: Sent, answers: dict[int, Answer]) -> None:
    """Raises Leak unless watchers learned everything at the ends of rounds, and nothing in between."""
    ends = find_ends(present)
    assert len(ends) == 5, ends
    known, watched = Facts(), Facts()
    for facts, sent in ((known, present), (watched, shown)):
        for at, data in sent:
            facts.add(at, data)
    opened = {at for at, data in shown if isinstance(data, bytes) and read(data)[0]["t"] == "welcome"}
    for at, data in shown:
        if START < at < ends[-1] and at not in opened:
            _same(f"{data!r} was sent at the end of a round", at in ends, True)
    for fact, at in watched.since.items():
        if at > START:
            _same(f"{fact!r} was seen at the end of a round", at in ends or at >= ends[-1], True)
            _same(f"{fact!r} was so by then", known.since[fact] <= at, True)
    for at, answer in answers.items():
        if START < at < ends[-1]:
            _same("answers", (answer.description["status"], answer.record), ("running", "running"))
            _same("time", answer.time <= max(end for end in ends if end <= at) - START, True)
    missing = [fact for fact in known.since if fact not in watched.since]
    assert {fact for fact in missing if msgspec.msgpack.decode(fact)[0] in ("line", "talk")} == set()


@ASYNC
async def test_watchers_see_a_round_once_it_is_over(tasks: Tasks) -> None:
    """G4.13: also if another hub takes the room in the middle of a round."""
    evening = Evening(InProcessHub(registry_of(ALMOST), tasks))
    check_rounds(*await play_rounds(evening), evening.answers)


def rounds_that_end_with_every_move(patch: Patch) -> None:
    patch.setattr(delayed_watchers, "ends_round", lambda rules, before, after: before is not after)


def rebuilt_to_the_present(patch: Patch) -> None:
    patch.setattr(watch_delay, "_count_shown", lambda rules, commits, delay: len(commits))


@pytest.mark.parametrize(
    "plant",
    [
        rounds_that_end_with_every_move,
        rebuilt_to_the_present,
        time_of_the_present,
        description_of_the_present,
    ],
    ids=lambda plant: plant.__name__,
)
@ASYNC
async def test_leaks_from_a_round_are_found(
    plant: Callable[[Patch], None], tasks: Tasks, monkeypatch: Patch
) -> None:
    plant(monkeypatch)
    evening = Evening(InProcessHub(registry_of(ALMOST), tasks))
    sent = await play_rounds(evening)
    with pytest.raises(Leak):
        check_rounds(*sent, evening.answers)


# --- who may watch ---


@ASYNC
async def test_nobody_watches_a_table_where_they_sit(tasks: Tasks) -> None:
    """G4.14: their watching sockets close when they sit down, and their old ticket is of no use."""
    hub = InProcessHub(registry_of(ALMOST), tasks)
    room = new_table(ALMOST, 3, OPTIONS)
    seats = replace_at(room.table.seats, 2, SeatState())
    await hub.put(replace(room, table=replace(room.table, seats=seats)))
    watcher, other = hub.client(None), hub.client(None)
    await watcher.open()
    await hub.finish(hub.rooms.sit(hub.room, hub.person(99), 2))
    assert watcher.wire.out[-1] == 4003
    await other.open()
    error = other.messages()[-1]
    assert (error["t"], error["code"], other.wire.out[-1]) == ("error", "ALREADY_SEATED", 4003)


@ASYNC
async def test_somebody_who_wants_a_seat_is_refused_with_what_they_know(tasks: Tasks) -> None:
    """G4.13"""
    evening = Evening(InProcessHub(registry_of(ALMOST), tasks))
    await evening.begin("30s")
    rooms, late = evening.hub.rooms, evening.hub.person(50)

    async def ask_for_seat(number: int) -> str:
        refused = await evening.hub.finish(rooms.sit(CODE, late, number))
        assert isinstance(refused, RefusedPlace)
        return refused.code

    evening.manage(0, m.Start())
    await evening.pass_time(DELAY + 1000)
    evening.manage(0, m.TakeLatecomers(True))
    evening.manage(1, m.StandIn())
    evening.manage(0, m.Lock(True))
    await evening.hub.settle()
    assert await ask_for_seat(1) == "SEAT_TAKEN", "nobody knows of the lock yet"
    assert await ask_for_seat(9) == "NO_SUCH_SEAT"
    refused = await evening.hub.finish(rooms.play_again(CODE, late, RematchWish(), None, lambda: None))
    assert isinstance(refused, RefusedPlace)
    assert refused.code == "NOT_NOW"


@ASYNC
async def test_somebody_who_asks_to_come_in_learns_nothing_new(tasks: Tasks) -> None:
    """G4.13: that the host lets newcomers in one by one from now on is known once it is shown."""
    evening = Evening(InProcessHub(registry_of(ALMOST), tasks))
    await evening.begin("30s")
    rooms, late = evening.hub.rooms, evening.hub.person(50)

    async def is_admitted() -> bool:
        knocked = await evening.hub.finish(rooms.ask(CODE, late, None))
        assert isinstance(knocked, Knocked)
        return knocked.admitted

    evening.manage(0, m.Start())
    await evening.pass_time(DELAY + 1000)
    before = await is_admitted()
    evening.manage(0, m.Admission(on=True))
    await evening.hub.settle()
    assert await is_admitted() == before
    await evening.pass_time(DELAY + 1000)
    assert (before, await is_admitted()) == (True, False)


@ASYNC
async def test_a_table_stays_awake_until_its_watchers_have_seen_the_end(tasks: Tasks) -> None:
    """Otherwise the lobby would show it as running."""
    evening = Evening(InProcessHub(registry_of(ALMOST), tasks))
    await evening.begin("10min")
    evening.manage(0, m.Start())
    evening.manage(0, m.CallVote("end"))
    for seat in (1, 2):
        evening.manage(seat, m.Vote(1, True))
    await evening.hub.settle()
    for client in evening.seats:
        client.lose()
    evening.hub.advance(9 * 60_000)
    await evening.hub.settle()
    assert [line["status"] for line in (await evening.hub.rooms.lobby(1)).rooms] == ["waiting"]
    evening.hub.advance(3 * 60_000)
    await evening.hub.settle()
    assert evening.hub.store.released
    assert (await evening.hub.rooms.lobby(1)).rooms == []
