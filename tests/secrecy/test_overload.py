"""What watchers are sent under overload depends on what they may see, and on nothing else (G4, G8.19)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from games.almost.rules.game import ALMOST
from games.api import Seat
from hub.runtime import subscribers
from hub.runtime.overload import Level
from hub.runtime.watcher_pace import PACE_SECONDS
from hub.table.room import next_end
from hub.telemetry.tasks import Tasks
from tests.secrecy.almost_lockstep import AlmostLockstep
from tests.secrecy.pair import Leak, Pair, new_table

OPTIONS: Final[dict[str, Any]] = {"discussion": "untilReady", "whispers": True}
SEEDS: Final = (2, 4, 15, 16)
"""Games in which watchers are sent whole views."""


class Thinned(AlmostLockstep):
    """Plays on two overloaded hubs. Now and then, time passes until watchers get what was held back."""

    async def step(self, what: str) -> None:
        await super().step(what)
        pace = round(PACE_SECONDS[Level.THIN_WATCHERS] * 1000)
        left = next_end(self.pair.room) - self.pair.hubs[0].actor.table_time() if self.running else 0
        if left > pace and self.chance.random() < 0.5:  # at the end of a window, what was hidden shows
            self.pair.advance(pace)
            await self.pair.check()


async def play(tasks: Tasks, seed: int) -> int:
    """Plays a game in lockstep; returns how many whole views a watcher got after the first."""
    pair = Pair(ALMOST, None, tasks)
    for hub in pair.hubs:
        hub.overload.level = Level.THIN_WATCHERS
    await Thinned(pair, random.Random(seed), salted=False).play(new_table(ALMOST, 3, OPTIONS), 60)
    watcher, _ = pair.eyes[-1]
    return len([message for message in watcher.messages() if message["t"] == "view"]) - 1


async def play_all(tasks: Tasks) -> int:
    return sum([await play(tasks, seed) for seed in SEEDS])


@pytest.mark.asyncio
async def test_whole_views_look_the_same_with_other_secrets(tasks: Tasks) -> None:
    """G4.1, G8.19: what they contain, and when they are sent."""
    assert await play_all(tasks) > 10


def seats_sections(patch: pytest.MonkeyPatch) -> None:
    """Watchers are sent a seat's view."""
    send = subscribers.Subscribers.send_view_to_watchers

    def send_seats(self: Any, epoch: str, at: int) -> None:
        views, self._views = self._views, SeatsViews(self._views)
        send(self, epoch, at)
        self._views = views

    patch.setattr(subscribers.Subscribers, "send_view_to_watchers", send_seats)


class SeatsViews:
    def __init__(self, views: Any) -> None:
        self._views = views

    def list_sections(self, seat: Seat | None) -> Any:
        return self._views.list_sections(Seat(1) if seat is None else seat)


def hidden_changes_count(patch: pytest.MonkeyPatch) -> None:
    """Changes that watchers may not see hold back those that they may, and a view follows."""
    publish = subscribers.Subscribers.publish

    def publish_and_hold(self: Any, *args: Any) -> None:
        publish(self, *args)
        if self._pace is not None:
            self._pace.hold(1)

    patch.setattr(subscribers.Subscribers, "publish", publish_and_hold)


@pytest.mark.parametrize("leak", [seats_sections, hidden_changes_count], ids=lambda leak: leak.__name__)
@pytest.mark.asyncio
async def test_leaks_under_overload_are_found(
    leak: Callable[[pytest.MonkeyPatch], None], tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    with pytest.raises(Leak):
        await play_all(tasks)
