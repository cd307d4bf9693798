"""The secrecy tests, run against leaks planted in the rules and in the hub; they must find each of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest
from msgspec.structs import asdict, replace

from games.almost.rules.game import ALMOST
from games.api import Refusal, Seat
from games.kit import promises as kit_promises
from hub.net import connection, connection_state
from hub.runtime import actor, registry, subscribers, summons
from hub.table import log, promises, room, views
from hub.telemetry.tasks import Tasks
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.framing import encode_frame
from tests.games.testing import leaky
from tests.secrecy.almost_lockstep import AlmostLockstep
from tests.secrecy.pair import Leak, Pair, new_table

Patch = pytest.MonkeyPatch
VIEWERS: Final = (Seat(0), None, Seat(1))
OPTIONS: Final[dict[str, Any]] = {"discussion": "untilReady", "whispers": True}


FIRST: Final[dict[Any, int]] = {
    leaky.PromptChangesWithADraft: 15,
    leaky.LongerRefusal: 20,
    leaky.PrivateOfAnother: 6,
    leaky.TalkPolicyTells: 14,
    leaky.WindowTells: 14,
}
"""The game to begin with, to find a leak soon that the earlier ones do not show; the others follow."""


async def hunt(tasks: Tasks, game: Any = ALMOST, most: int = 60, first: int = 0) -> None:
    """Plays games in lockstep, as a seat and as watchers see them, until one leaks."""
    for seed in (*range(first, most), *range(first)):
        pair = Pair(game, VIEWERS[seed % 3], tasks)
        await AlmostLockstep(pair, random.Random(seed), salted=seed % 2 == 0).play(
            new_table(game, 3, OPTIONS), 60
        )


RULES: Final = (
    leaky.BidInALine,
    leaky.DraftInALine,
    leaky.RoomWideCounter,
    leaky.PromptChangesWithADraft,
    leaky.LongerRefusal,
    leaky.SectionLeaksLength,
    leaky.PrivateOfAnother,
    leaky.TalkPolicyTells,
    leaky.WindowTells,
)


@pytest.mark.parametrize("game", RULES, ids=lambda game: game.__name__)
@pytest.mark.asyncio
async def test_leaks_in_the_rules_are_found(game: Callable[[], Any], tasks: Tasks) -> None:
    """G4.1, G4.2"""
    with pytest.raises(Leak):
        await hunt(tasks, game(), first=FIRST.get(game, 0))


# --- leaks in the hub ---


def sequence_as_frame_number(patch: Patch) -> None:
    publish = subscribers.Subscribers.publish

    def publish_one_counter(self: Any, *args: Any) -> None:
        self._frames = [sum(self._frames)] * len(self._frames)
        publish(self, *args)

    patch.setattr(subscribers.Subscribers, "publish", publish_one_counter)


def empty_frames(patch: Patch) -> None:
    """Everybody is sent something after each commit."""
    publish = subscribers.Subscribers.publish

    def publish_to_all(self: Any, *args: Any) -> None:
        publish(self, *args)
        for viewers in self._viewers:
            for viewer in viewers:
                viewer.send(encode_frame(codec.encode(m.Pong(0, 0))))

    patch.setattr(subscribers.Subscribers, "publish", publish_to_all)


def sequence_in_the_epoch(patch: Patch) -> None:
    add = subscribers.Subscribers.add

    def add_with_commits(self: Any, viewer: Any, welcome: bytes, epoch: str, at: int) -> None:
        add(self, viewer, welcome, f"{epoch}:{self._metrics.commits}", at)

    patch.setattr(subscribers.Subscribers, "add", add_with_commits)


def whispers_for_all(patch: Patch) -> None:
    patch.setattr(log, "hears", lambda line, seat: True)


def whispers_push_out(patch: Patch) -> None:
    """A whisper pushes the oldest message out of everybody's talk."""
    keep = subscribers.Subscribers._remember

    def remember_and_push_out(self: Any, said: m.TalkMessage) -> None:
        keep(self, said)
        if said.to is not None:
            for recent in self._talk:
                if recent:
                    recent.popleft()

    patch.setattr(subscribers.Subscribers, "_remember", remember_and_push_out)


def notes_for_all(patch: Patch) -> None:
    render = views.Views.render

    def render_with_all_notes(self: Any, *args: Any, notes: Any, **more: Any) -> Any:
        return render(self, *args, notes=["".join(notes)] * len(notes), **more)

    patch.setattr(views.Views, "render", render_with_all_notes)


def salts_in_the_table(patch: Patch) -> None:
    section = views.table_section

    def with_salts(table: room.Table) -> Any:
        shown = section(table)
        return replace(shown, code="".join(seat.salt_hash for seat in table.seats))

    patch.setattr(views, "table_section", with_salts)


def drafts_in_presence(patch: Patch) -> None:
    presence = subscribers.Subscribers.tell_presence

    def tell_presence_with_entries(
        self: Any, room_value: room.Room, notes: Any, at: int, host_lists: Any, watchers: int
    ) -> None:
        presence(self, room_value, notes, at, host_lists, watchers)
        self.presence = m.PresenceSection(self.presence.connected, room_value.counts.entries)
        update = self.render(room_value, notes, None)
        self.show(update)
        self.publish(update, at, ())

    patch.setattr(subscribers.Subscribers, "tell_presence", tell_presence_with_entries)


def sequence_in_a_refusal(patch: Patch) -> None:
    answer = connection.Connection.answer

    def answer_with_sequence(self: Any, n: int, refusal: Any) -> None:
        if refusal is not None and isinstance(self._state, connection_state.Following):
            refusal = Refusal(refusal.code, refusal.rule, {"at": self._state.actor.sequence})
        answer(self, n, refusal)

    patch.setattr(connection.Connection, "answer", answer_with_sequence)


def commits_in_the_lobby(patch: Patch) -> None:
    def asdict_with_order(summary: Any) -> Any:
        return {**asdict(summary), "order": random.random()}

    patch.setattr(registry, "asdict", asdict_with_order)


def calls_after_drafts(patch: Patch) -> None:
    """Whoever is away is called back only once somebody else has chosen a number."""
    is_awaited = summons.is_awaited

    def is_awaited_by_drafts(rules: Any, room_value: room.Room, seat: Seat) -> bool:
        position = room_value.position
        return is_awaited(rules, room_value, seat) and position is not None and any(position.state.bids.draft)

    patch.setattr(summons, "is_awaited", is_awaited_by_drafts)


def time_of_the_last_commit(patch: Patch) -> None:
    """Table time advances with each commit."""
    tell = actor.Actor._tell

    def tell_later(self: Any, batch: Any) -> None:
        clock = self._table_clock
        clock.time = replace(clock.time, at=clock.time.at + 1)
        tell(self, batch)

    patch.setattr(actor.Actor, "_tell", tell_later)


def private_promises_for_all(patch: Patch) -> None:
    patch.setattr(promises, "may_see", lambda room, promise, seat: True)


def judgements_for_all(patch: Patch) -> None:
    """Everybody reads in the log that a private promise was made, and what became of it."""
    patch.setattr(kit_promises, "audience", lambda promise: None)


def count_of_promises(patch: Patch) -> None:
    """An id tells how much is in the log."""
    patch.setattr(room, "name_promise", lambda promise, *_: replace(promise, id=f"promise {promise.entry}"))


def private_promises_end(patch: Patch) -> None:
    """At the end, a private promise is told although its maker did not want that."""
    patch.setattr(
        promises,
        "may_see",
        lambda room, promise, seat: not promise.private or room.table.status == "finished",
    )


HUB: Final = (
    private_promises_for_all,
    judgements_for_all,
    count_of_promises,
    private_promises_end,
    sequence_as_frame_number,
    empty_frames,
    sequence_in_the_epoch,
    whispers_for_all,
    whispers_push_out,
    notes_for_all,
    salts_in_the_table,
    drafts_in_presence,
    sequence_in_a_refusal,
    commits_in_the_lobby,
    calls_after_drafts,
    time_of_the_last_commit,
)


@pytest.mark.parametrize("leak", HUB, ids=lambda leak: leak.__name__)
@pytest.mark.asyncio
async def test_leaks_in_the_hub_are_found(
    leak: Callable[[Patch], None], tasks: Tasks, monkeypatch: Patch
) -> None:
    """G4.1, G4.2, G4.3, G4.5, G4.6"""
    leak(monkeypatch)
    with pytest.raises(Leak):
        await hunt(tasks)


@pytest.mark.asyncio
async def test_the_sound_hub_leaks_nothing(tasks: Tasks) -> None:
    """The real rules pass, so the tests above find nothing but the planted leaks."""
    await hunt(tasks, most=6)
