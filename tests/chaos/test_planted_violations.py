"""Whatever a follower and the comparison with the log must notice is planted, and noticed."""

from __future__ import annotations

import asyncio
import copy
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from hub.runtime.placement import Placed
from hub.table.replay import ReplayError
from hub.table.room import Logged, Room
from hub.table.talk import TalkHistory
from hub.wire.messages import TalkMessage
from tests.chaos.conftest import BUNDLED
from tests.harness.follower import Follower, compare, pack, stored_log, stored_room
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import SmallHub, manual_clock


@dataclass
class Game:
    """A game that was played, as the store and its clients remember it. The last of them watched."""

    room: Room
    log: list[Logged]
    talk: list[TalkMessage]
    followers: list[Follower]

    def compare(self) -> None:
        compare(self.room, self.log, self.talk, self.followers)

    def find(self, kind: str) -> int:
        """The place of the last entry of this kind in the log."""
        return max(i for i, logged in enumerate(self.log) if logged.entry and logged.entry.kind == kind)

    def shift(self, place: int, milliseconds: int) -> None:
        """Change the time of an entry of the log."""
        logged = self.log[place]
        assert logged.entry is not None
        at = logged.at + milliseconds
        self.log[place] = replace(logged, at=at, entry=replace(logged.entry, at=at))


async def play(store: StoreProcess) -> Game:
    """A round of Almost: two seats bid, the third one's window runs out, and the reveal is over."""
    hub = await SmallHub("hub", manual_clock()).open(store.url, "planted:")
    try:
        room, followers = await hub.table(discussion="untilReady", timers="fast")
        followers.append(hub.follower(Placed(room, "", None, 0)))
        lines = [await hub.come(follower) for follower in followers]
        await lines[0].do("manage", act={"do": "start"})
        for seat in (0, 1):
            await lines[seat].move("plan:1", "propose", bids=[1 + seat, 2, 3])
            await lines[seat].do("say", channel="table", text=f"said by {seat}")
        for line in lines[:3]:
            await line.move("ready:1", "ready")
        for seat in (0, 1):
            await lines[seat].move("bid:1", "bid", number=5 + seat)
        refused = await lines[0].move("bid:9", "bid", number=5)
        assert lines[0].follower.code(refused) is not None
        await hub.advance(60_000)
        assert followers[0].sections["score"]["rows"]
        await hub.settle()
        log = await stored_log(hub.store, room)
        talk = TalkHistory.restore(await hub.store.talk(room))[1]
        return Game(await stored_room(hub.store, room), log, list(talk), followers)
    finally:
        await hub.close()


@pytest.fixture(scope="module")
def game() -> Iterator[Game]:
    with (
        tempfile.TemporaryDirectory(prefix="parley-") as folder,
        StoreProcess(BUNDLED, Path(folder)) as store,
    ):
        yield asyncio.run(play(store))


Plant: TypeAlias = Callable[[Game], object]


def forget_verdict(game: Game) -> None:
    game.followers[0].pending[99] = {"t": "do"}


def lose_applied_command(game: Game) -> None:
    follower = game.followers[0]
    key = (follower.session or 0, 99)
    follower.commands[key] = {
        "t": "do",
        "session": key[0],
        "n": 99,
        "prompt": "bid:1",
        "move": {"move": "lock"},
    }
    follower.verdicts[key] = {"t": "verdict", "n": 99}


def lose_talk(game: Game) -> None:
    del game.talk[0]


def double_talk(game: Game) -> None:
    game.talk.append(game.talk[0])


def store_refused_command(game: Game) -> None:
    verdicts = game.followers[1].verdicts
    key = min(verdicts)
    verdicts[key] = {**verdicts[key], "code": "CLOSED"}


def store_unsent_command(game: Game) -> None:
    place = game.find("move")
    logged = game.log[place]
    assert logged.command is not None
    game.log[place] = replace(logged, command=(logged.command[0], 99))


def lose_entry(game: Game) -> None:
    del game.log[game.find("move")]


def double_entry(game: Game) -> None:
    place = game.find("move")
    game.log.insert(place, game.log[place])


def close_window_again(game: Game) -> None:
    place = game.find("expire")
    game.log.insert(place, game.log[place])


def close_window_early(game: Game) -> None:
    game.shift(game.find("expire"), -1)


def close_window_late(game: Game) -> None:
    game.shift(game.find("expire"), 1)


def set_time_back(game: Game) -> None:
    game.shift(game.find("expire"), -100_000)


def change_line(game: Game) -> None:
    lines = game.followers[2].lines
    lines[1] = [*lines[1][:-1], not lines[1][-1]]


def show_unknown_line(game: Game) -> None:
    lines = game.followers[2].lines
    lines[len(lines) + 1] = lines[1]


def show_unknown_view(game: Game) -> None:
    views = game.followers[2].transcript.views
    views.append({**views[-1], "score": b"unknown"})


def show_earlier_view(game: Game) -> None:
    views = game.followers[2].transcript.views
    views.append(views[0])


def show_view_of_another_seat(game: Game) -> None:
    game.followers[2].transcript.views[:] = game.followers[0].transcript.views


def show_section_to_watcher(game: Game) -> None:
    views = game.followers[3].transcript.views
    views[-1] = {**views[-1], "mine": game.followers[0].transcript.views[-1]["mine"]}


def withhold_section(game: Game) -> None:
    views = game.followers[3].transcript.views
    views[-1] = {name: seen for name, seen in views[-1].items() if name != "score"}


@pytest.mark.parametrize(
    ("plant", "notice"),
    [
        (forget_verdict, "every command has its verdict"),
        (lose_applied_command, "'do'"),
        (lose_talk, "'say'"),
        (double_talk, "'say'"),
        (store_refused_command, "'do'"),
        (store_unsent_command, "nobody sent"),
        (lose_entry, "no entry is lost"),
        (double_entry, "no entry is lost or doubled"),
        (close_window_again, "each window closes once"),
        (close_window_early, "did not end there"),
        (close_window_late, "did not end there"),
        (set_time_back, "table time never goes back"),
        (change_line, "not those of the log"),
        (show_unknown_line, "not those of the log"),
        (show_unknown_view, "differs in score"),
        (show_earlier_view, "had been shown"),
        (show_view_of_another_seat, "in no state of the log"),
        (show_section_to_watcher, "in no state of the log"),
        (withhold_section, "in no state of the log"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_planted_violations_are_noticed(game: Game, plant: Plant, notice: str) -> None:
    """G1, G2, G4, G5, G6, G7"""
    game.compare()
    planted = copy.deepcopy(game)
    plant(planted)
    with pytest.raises((AssertionError, ReplayError), match=notice):
        planted.compare()


def frame(n: int, table_time: int = 5, *lines: Any) -> dict[str, Any]:
    return {"t": "frame", "n": n, "now": table_time, "sections": {}, "lines": list(lines)}


@pytest.mark.parametrize(
    ("messages", "notice"),
    [
        ([frame(2)], "no gap in the frames"),
        ([frame(1), frame(1)], "no gap in the frames"),
        ([frame(1, 5, [2, "line", {}, 5, False])], "no gap in the lines"),
        ([frame(1, 90_000), frame(2, 80_000)], "table time does not go back"),
        ([{"t": "verdict", "n": 0}, {"t": "verdict", "n": 0}], "one verdict"),
        ([{"t": "welcome", "epoch": "1:a", "room": "ROOM", "seat": 2, "session": 1}], "one welcome"),
    ],
)
def test_messages_that_break_the_protocol_are_noticed(messages: list[dict[str, Any]], notice: str) -> None:
    """G2.5, G3.2, G4.2, G5.4"""
    follower = Follower("ticket")
    connect(follower, "1:a")
    follower.command("say", text="said")
    follower.packed(0)
    *sound, broken = map(pack, messages)
    for message in sound:
        follower.feed(message)
    with pytest.raises(AssertionError, match=notice):
        follower.feed(broken)


def test_an_epoch_that_comes_back_is_noticed() -> None:
    """G3.2"""
    follower = Follower("ticket")
    connect(follower, "2:b")
    with pytest.raises(AssertionError, match="epochs rise"):
        connect(follower, "1:a")


def connect(follower: Follower, epoch: str) -> None:
    """Feeds it the welcome and the view of a new socket."""
    follower.opened()
    follower.feed(pack({"t": "welcome", "epoch": epoch, "room": "ROOM", "seat": 2, "session": 1}))
    view = {"t": "view", "epoch": epoch, "n": 0, "now": 5, "sections": {}, "lines": [], "talk": []}
    follower.feed(pack(view))
