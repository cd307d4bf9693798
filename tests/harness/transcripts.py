"""What a client was shown of a game, in order, and what a replay of the log shows the same audience.

A replay renders each state afresh, so it knows nothing of frames, batches, owners or caches. What a client
saw after each message must be among the replayed views, in their order: a batch may skip some, but nothing
may be shown that was never committed, that came earlier, or that this audience may not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple, TypeAlias

import msgpack  # type: ignore[import-untyped]

from games.api import Seat
from hub.table.replay import Crossing, LogEntry, convert_state
from hub.table.room import Counts, Logged, Room, Rules, Table, abandon, position_of, replay_entry
from hub.table.views import Views
from hub.wire.messages import PresenceSection
from tests.harness.other_build import find_rules

HUBS_SECTIONS: Final = frozenset(
    ["table", "presence", "note", "vote", "promises", "knocks", "watchers", "rematch", "talk_policy"]
)
"""Sections that depend on more than the game's log."""
SHOWN_IN_PLAY: Final = "prompts"
"""A section that every audience has as soon as there is a game."""

Digests: TypeAlias = Mapping[str, bytes]
"""The game's sections, by name."""


def digest_section(name: str, value: Any) -> bytes:
    """The digest of a section as it was received; of the windows, without what stops them."""
    seen = value["windows"] if name == "windows" else value
    return blake2b(msgpack.packb(seen), digest_size=8).digest()


class Transcript:
    """What a client was shown of the game after each message, without repetitions."""

    def __init__(self) -> None:
        self.views: list[Digests] = []
        self._shown: dict[str, bytes] = {}

    def show_all(self, sections: Mapping[str, Any]) -> None:
        """The client has received a whole view."""
        self._shown = {}
        self.show(sections)

    def show(self, sections: Mapping[str, Any]) -> None:
        """The client has received these sections; None removes one."""
        for name, value in sections.items():
            if name in HUBS_SECTIONS:
                continue
            if value is None:
                self._shown.pop(name, None)
            else:
                self._shown[name] = digest_section(name, value)
        if SHOWN_IN_PLAY in self._shown and (not self.views or self.views[-1] != self._shown):
            self.views.append(dict(self._shown))


class ReplayedView(NamedTuple):
    """What an audience may see of one state."""

    sections: Digests
    peeks: frozenset[str]
    """The sections that are shown only while a window runs."""

    def matches(self, shown: Digests) -> bool:
        """Whether this is what a client was shown: all of the view, perhaps without peeks."""
        hidden = self.sections.keys() - shown.keys()
        return hidden <= self.peeks and all(self.sections.get(name) == seen for name, seen in shown.items())


class Part(NamedTuple):
    """The entries of a log that one version of the rules played."""

    rules: Rules
    crossing: Crossing | None
    """Where newer rules went on; None for the first part."""
    entries: Sequence[LogEntry]


def list_parts(table: Table, log: Iterable[Logged]) -> Iterator[Part]:
    """The parts of a table's log, in order."""
    entries = [logged.entry for logged in log if logged.entry is not None]
    versions = [*(crossing.version for crossing in table.crossings), table.version]
    ends = [*(crossing.entries for crossing in table.crossings), len(entries)]
    first = 0
    for version, crossing, end in zip(versions, [None, *table.crossings], ends, strict=True):
        yield Part(find_rules(table.game, version), crossing, entries[first:end])
        first = end


def replay_views(
    stored: Room, log: Iterable[Logged], audiences: Iterable[int | None]
) -> dict[int | None, list[ReplayedView]]:
    """What each of these audiences may see after each entry of a room's log."""
    seats = len(stored.table.seats)
    nobody, places = (0,) * seats, seats + 1
    room = Room(stored.table, Counts(0, 0, 0, nobody, (0,) * places, ((),) * places), None)
    views: dict[int | None, list[ReplayedView]] = {audience: [] for audience in audiences}
    for rules, crossing, entries in list_parts(stored.table, log):
        if crossing is not None:
            room = Room(room.table, room.counts, position_of(rules, convert_state(rules, crossing)))
            _render(rules, room, views)
        for entry in entries:
            room = replay_entry(rules, room, entry).room
            _render(rules, room, views)
    if stored.table.abandoned and room.position is not None:
        _render(rules, Room(room.table, room.counts, abandon(room.position)), views)
    return views


def _render(rules: Rules, room: Room, views: Mapping[int | None, list[ReplayedView]]) -> None:
    assert room.position is not None
    renderer = Views(len(room.table.seats))
    presence = PresenceSection((), 0)
    renderer.show(renderer.render(rules, room, presence, live=True, notes=[""] * len(room.table.seats)))
    state = room.position.state
    for audience, replayed in views.items():
        seat = None if audience is None else Seat(audience)
        packed: dict[str, Any] = {}
        for section in renderer.list_sections(seat):
            packed |= msgpack.unpackb(b"\x81" + section)
        sections = {
            name: digest_section(name, value) for name, value in packed.items() if name not in HUBS_SECTIONS
        }
        game = {**rules.public(state), **({} if seat is None else rules.private(state, seat))}
        peeks = frozenset(name for name, section in game.items() if section.peek is not None)
        replayed.append(ReplayedView(sections, peeks))


def find_strangers(shown: Sequence[Digests], replayed: Sequence[ReplayedView]) -> Iterator[str]:
    """What a client was shown that the replay does not show, or not in this order."""
    first = 0
    for number, view in enumerate(shown):
        places = (i for i in range(first, len(replayed)) if replayed[i].matches(view))
        place = next(places, None)
        if place is None:
            yield f"view {number} of {len(shown)}: {_explain(view, replayed, first)}"
        else:
            first = place


def _explain(view: Digests, replayed: Sequence[ReplayedView], first: int) -> str:
    earlier = next((i for i in range(first) if replayed[i].matches(view)), None)
    if earlier is not None:
        return f"it is that after entry {earlier}, but the one after entry {first} had been shown"
    if first >= len(replayed):
        return "the log shows nothing"
    closest = min(replayed[first:], key=lambda one: len(_list_differences(view, one)))
    return f"in no state of the log; the closest differs in {', '.join(_list_differences(view, closest))}"


def _list_differences(view: Digests, replayed: ReplayedView) -> list[str]:
    names = (view.keys() | replayed.sections.keys()) - (replayed.peeks - view.keys())
    return sorted(name for name in names if view.get(name) != replayed.sections.get(name))
