"""The windows of fixed length, to the millisecond of table time: peeks, and a market (1b, GEN-6)."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from typing import Final, get_args

import pytest

from games.kit.time_control import Timers
from games.shares.rules.game import SHARES
from hub.runtime.placement import socket_url
from hub.store.store import Store
from hub.wire.tickets import Signer
from tests.chaos.conftest import Hubs
from tests.games.shares.windows import ENDED_BY, FIXED, Fixed, opening
from tests.harness.defaults import DEFAULTS
from tests.harness.faults import SECRET, Clock
from tests.harness.follower import Follower, stored_log
from tests.harness.planted import plant, ticket
from tests.harness.players import Player
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import WALL, ClientLine, SmallHub, manual_clock

pytestmark = pytest.mark.asyncio

TIMERS: Final[tuple[Timers, ...]] = get_args(get_args(Timers)[0])
TURN: Final[Mapping[Timers, int | None]] = {"normal": 60_000, "relaxed": 120_000, "fast": 30_000, "off": None}
"""Time left in the turn in which a window opens; the turn is stopped while the window is open (SSA-39)."""
KINDS: Final[Mapping[Fixed, str]] = {"hand": "peek", "tracker": "peek", "taken": "take", "market": "market"}
WITHIN: Final = 1000
"""The milliseconds that may be lost when an owner dies (G5.5)."""


class Opened:
    """A table at which seat 0 has just opened this window."""

    def __init__(self, what: Fixed, room: str, line: ClientLine) -> None:
        self.what = what
        self.room = room
        self.line = line
        window = line.follower.window(KINDS[what])
        assert window is not None
        self.id, self.span, self.end = str(window["id"]), int(window["span"]), int(window["end"])

    @classmethod
    async def at(cls, hub: SmallHub, what: Fixed, timers: Timers, number: int) -> Opened:
        opened = opening(what, timers=timers)
        room = f"{what}{timers}{number}".ljust(22, "_")
        code = f"{''.join(map(chr, (65 + TIMERS.index(timers), 65 + number)))}CDFG"
        await plant(hub.store, SHARES, opened.state, 4, room, code, opened.at)
        line = await hub.come(Follower(ticket(hub.signer, room, 0, WALL)))
        n = await line.do("do", prompt=opened.prompt, move=opened.move)
        assert line.follower.applied(n)
        opening_table = cls(what, room, line)
        assert opening_table.end == opened.at + FIXED[what]
        return opening_table

    def turn(self, at: int) -> int | None:
        """The time left in the turn at this table time."""
        window = self.line.follower.window("turn")
        if window is None:
            return None
        return int(window["left"] if "left" in window else window["end"] - at)

    @property
    def now(self) -> int:
        return int(self.line.hub.rooms._actors[self.room].table_time())

    @property
    def open(self) -> bool:
        """Whether seat 0 sees the window, which must come with its content."""
        sections = self.line.follower.sections
        shows = "deals" in sections if self.what == "market" else "peek_content" in sections
        there = self.line.follower.window(self.id) is not None
        assert shows == ((there and sections["windows"]["live"]) or (there and self.what == "market"))
        return there

    async def end_window(self) -> tuple[str | None, str | None]:
        """End the window, and return the verdict's code and rule."""
        n = await self.line.do("do", prompt=self.id, move=ENDED_BY[self.what])
        verdict = self.line.follower.verdicts[self.line.follower.session or 0, n]
        return verdict.get("code"), verdict.get("rule")

    async def closed_at(self) -> list[int]:
        """The table times at which it timed out, from the log."""
        log = await stored_log(self.line.hub.store, self.room)
        entries = [logged.entry for logged in log if logged.entry is not None]
        return [entry.at for entry in entries if (entry.kind, entry.window) == ("expire", self.id)]


@pytest.mark.parametrize("what", FIXED)
async def test_fixed_windows_last_to_the_millisecond(what: Fixed, store: StoreProcess) -> None:
    """G5.1-G5.3, G5.6, GEN-6, SSA-28, SSA-39: whatever the `timers` option says."""
    clock = manual_clock()
    hub = await SmallHub("one", clock).open(store.url, "w:")
    tables = [[await Opened.at(hub, what, timers, number) for number in range(4)] for timers in TIMERS]
    in_time, too_late, alone, paused = ([four[case] for four in tables] for case in range(4))
    for timers, four in zip(TIMERS, tables, strict=True):
        for one in four:
            assert one.span == FIXED[what]
            assert one.open
            assert one.turn(one.now) == TURN[timers]
    await hub.advance(7001)
    for one in paused:
        await one.line.do("manage", act={"do": "pause"})
    await hub.advance(FIXED[what] - 7002)

    clock.fire()
    await hub.settle()
    for one in (*in_time, *too_late, *alone):  # in its last millisecond
        assert one.now == one.end - 1
        assert one.open
    for one in in_time:
        assert await one.end_window() == (None, None)
        assert not one.open
    clock.move(1)
    for one in too_late:
        assert one.now == one.end
        assert await one.end_window() == ("STALE_PROMPT", "GEN-4")
        assert not one.open
    clock.move(1)  # the hub's own timer fires no sooner than the end
    clock.fire()
    await hub.settle()
    for one in alone:
        assert not one.open
    for timers, (early, late, quiet, _) in zip(TIMERS, tables, strict=True):
        assert [await one.closed_at() for one in (early, late, quiet)] == [[], [late.end], [quiet.end]]
        assert early.turn(early.end - 1) == late.turn(late.end) == quiet.turn(quiet.end) == TURN[timers]

    await hub.advance(60_000)
    for one in paused:
        assert one.end - one.now == FIXED[what] - 7001
        await one.line.do("manage", act={"do": "resume"})
        assert one.open
    await hub.advance(FIXED[what] - 7002)
    for one in paused:
        assert one.open
        assert one.now == one.end - 1
    assert await paused[0].end_window() == (None, None)
    clock.move(1)
    for one in paused:
        assert await one.end_window() == ("STALE_PROMPT", "GEN-4")
    assert [await one.closed_at() for one in paused] == [[], *([one.end] for one in paused[1:])]
    await hub.close()


async def time_left(what: Fixed, player: Player) -> int:
    """The time left, as the hub reports it."""
    await player.ping()
    return player.knows.left(KINDS[what])


@pytest.mark.parametrize("moment", [200, 11_000, 18_900])
async def test_a_window_survives_a_hub_killed_while_it_is_open(
    moment: int, hubs: Hubs, store: StoreProcess, clock: Clock
) -> None:
    """G5.2, G5.3, G5.5, G6.1: after kill -9, the window still has its remaining time, and closes once."""
    hub = hubs(clock=clock)
    opened = await Store.open(store.url, forget_days=DEFAULTS.forget_days)
    signer = Signer(SECRET.encode(), DEFAULTS.token_days)
    players: dict[Fixed, Player] = {}
    before: dict[Fixed, int] = {}
    try:
        for number, (what, span) in enumerate(FIXED.items()):
            case = opening(what)
            room = what.ljust(22, "_")
            await plant(opened, SHARES, case.state, 4, room, f"BCDF{'GHJK'[number]}M", case.at)
            players[what] = player = Player(what, "", {"socket": socket_url(hub.url, room)})
            player.knows = Follower(ticket(signer, room, 0, time.time()))
            await player.resume()
            await player.move(case.prompt, **case.move)
            assert player.knows.left(KINDS[what]) == span
        await asyncio.to_thread(clock.advance, moment, hub)
        for what, player in players.items():
            before[what] = await time_left(what, player)
            assert before[what] == FIXED[what] - moment
        await asyncio.to_thread(hub.kill)
        clock.jump(25_000)
        await asyncio.to_thread(hub.start)
        for what, player in players.items():
            await player.resume()
            after = player.knows.left(KINDS[what])
            assert abs(after - before[what]) <= WITHIN
            assert ("peek_content" in player.knows.sections) == (what != "market")
            before[what] = after
        while open_at := {what: one for what, one in players.items() if one.knows.window(KINDS[what])}:
            left = {what: await time_left(what, one) for what, one in open_at.items()}
            await asyncio.to_thread(clock.advance, min(left.values()) - 1, hub)
            for what, player in open_at.items():
                assert await time_left(what, player) == left[what] - min(left.values()) + 1
            await asyncio.to_thread(clock.advance, 2, hub)
            for what, player in open_at.items():
                if left[what] == min(left.values()):
                    await player.until(lambda p=player, k=KINDS[what]: p.knows.window(k) is None)  # type: ignore[misc]
                    assert "peek_content" not in player.knows.sections
        for what in FIXED:
            entries = [logged.entry for logged in await stored_log(opened, what.ljust(22, "_"))]
            kinds = Counter(entry.kind for entry in entries if entry is not None)
            assert kinds == {"move": 1, "expire": 1}
    finally:
        for player in players.values():
            await player.drop()
        await opened.close()
