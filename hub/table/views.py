"""The view that each audience has of a room, section by section, and the changes since the last update (G4).

An audience is a seat, or all watchers together. Some sections are the same for everybody: the table, presence
and the game's public ones. The others are rendered per audience. Sections are rendered as values first:
a value identical to the last one is neither encoded nor sent, and what audiences share is encoded once.

A view is rendered before its commit, and shown only after it (G1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from games.api import Audience, Choices, Millis, Outcome, Prompt, Running, Seat, Section, Window, WindowId
from hub.table.actions import host_seat, talk_policy
from hub.table.room import Room, Rules, Table
from hub.wire import messages as m

_encode = msgspec.msgpack.Encoder(order="deterministic").encode

NIL = b"\xc0"
START: Final = Millis(0)


class PackedSection(Struct, frozen=True, gc=False):
    """One section of one view: its value, and its name and value packed as msgpack."""

    data: Any
    packed: bytes


def _pack_part(name: str, data: Any) -> PackedSection:
    return PackedSection(data, _encode(name) + _encode(data))


PackedSections: TypeAlias = dict[str, PackedSection]


class Update(Struct, gc=False):
    """The changes made by a render: packed sections to send, and new parts for the views when it is shown."""

    shared: list[bytes]
    """Packed sections for everybody."""
    per_audience: dict[int, list[bytes]]
    """Other packed sections, by audience; watchers come last."""
    parts: list[tuple[PackedSections, str, PackedSection | None]]

    def put(
        self,
        parts: PackedSections,
        name: str,
        data: Any,
        place: int | None,
        make: Callable[[str, Any], PackedSection] = _pack_part,
    ) -> None:
        """Sets a section's value, for one audience or (None) for everybody; sends it if its bytes differ."""
        before = parts.get(name)
        if before is not None and before.data is data:
            return
        part = make(name, data)
        self.parts.append((parts, name, part))
        if before is None or before.packed != part.packed:
            self.add(part.packed, place)

    def add(self, packed: bytes, place: int | None) -> None:
        """Adds bytes to send."""
        if place is None:
            self.shared.append(packed)
        elif place in self.per_audience:
            self.per_audience[place].append(packed)
        else:
            self.per_audience[place] = [packed]


class Views:
    """The views of one room as last shown. Every render must be shown before the next one.

    Every batch is rendered, but most values in a room stay identical, so sections that depend only on
    unchanged values are skipped.
    """

    __slots__ = (
        "_audiences",
        "_choices",
        "_live",
        "_notes",
        "_per_audience",
        "_presence",
        "_private",
        "_private_sections",
        "_prompts",
        "_public",
        "_running_windows",
        "_seats",
        "_shared",
        "_table",
        "_windows",
    )

    def __init__(self, seats: int) -> None:
        self._seats = tuple(map(Seat, range(seats)))
        self._audiences: tuple[Seat | None, ...] = (*self._seats, None)
        self._shared: PackedSections = {}
        self._per_audience: list[PackedSections] = [{} for _ in self._audiences]
        self._public: PackedSections = {}
        """The game's sections for everybody, kept apart, since any of them may be removed."""
        self._private: list[PackedSections] = [{} for _ in range(seats)]
        self.forget()

    def forget(self) -> None:
        """Drops a render that will not be shown: the next one renders everything again."""
        seats = len(self._seats)
        self._table: Table | None = None
        self._presence: m.PresenceSection | None = None
        self._notes: list[str] = []
        self._prompts: tuple[Prompt, ...] | Outcome | None = None
        self._windows: tuple[Window, ...] | None = None
        self._live = False
        self._running_windows: frozenset[WindowId] = frozenset()
        """Their ids: sections bound to other windows are not shown."""
        self._choices: list[Choices | None] = [None] * seats
        self._private_sections: list[Mapping[str, Section] | None] = [None] * seats
        """The private sections last returned by the game for each seat, valid while the same windows run."""

    def render(
        self,
        rules: Rules,
        room: Room,
        presence: m.PresenceSection,
        *,
        live: bool,
        notes: Sequence[str],
        affected_seats: frozenset[Seat] | None = None,
        at: Millis = START,
    ) -> Update:
        """The update that brings every view up to date with this room.

        Raises what the rules raise; the caller then calls `forget`.
        `affected_seats`: seats whose private sections or choices may have changed; None: every seat's, and
        talk policies. `at`: a peek that has ended by then is not shown, though its window is not closed yet.
        """
        update = Update([], {}, [])
        position = room.position
        if room.table is not self._table or (affected_seats is None and position is not None):
            self._render_talk_policy(rules, room, update)
        if room.table is not self._table:
            self._table = room.table
            update.put(self._shared, "table", table_section(room.table), None)
        if presence is not self._presence:
            self._presence = presence
            update.put(self._shared, "presence", presence, None)
        if notes != self._notes:
            self._notes = list(notes)
            for seat, text in enumerate(notes):
                update.put(self._per_audience[seat], "note", m.NoteSection(text), seat)
        if position is None:
            return update
        if (
            position.prompts is not self._prompts
            or position.windows is not self._windows
            or live is not self._live
        ):
            if position.prompts is not self._prompts:
                self._prompts = position.prompts
                self._render_prompts(position.prompts, update)
            self._windows, self._live = position.windows, live
            self._render_windows(position.windows, live, at, update)
            affected_seats = None
        state, running_windows = position.state, self._running_windows
        _put_game(update, self._public, rules.public(state), running_windows, None)
        for seat in self._seats if affected_seats is None else affected_seats:
            choices = rules.choices(state, seat)
            if choices is not self._choices[seat]:
                self._choices[seat] = choices
                update.put(self._per_audience[seat], "choices", _choices(choices), seat, _part)
            sections = rules.private(state, seat)
            if sections is not self._private_sections[seat]:
                self._private_sections[seat] = sections
                _put_game(update, self._private[seat], sections, running_windows, seat)
        return update

    def show(self, update: Update) -> None:
        """Makes an update part of the views."""
        for parts, name, part in update.parts:
            if part is None:
                del parts[name]
            else:
                parts[name] = part

    def _render_talk_policy(self, rules: Rules, room: Room, update: Update) -> None:
        """Talk policies change only with prompts or windows (games/api.py)."""
        for i, viewer in enumerate(self._audiences):
            update.put(self._per_audience[i], "talk_policy", talk_policy(rules, room, viewer), i, _part)

    def _render_prompts(self, prompts: tuple[Prompt, ...] | Outcome, update: Update) -> None:
        if isinstance(prompts, Outcome):
            update.put(self._shared, "result", m.ResultSection(prompts), None)
            prompts = ()
        for i, viewer in enumerate(self._audiences):
            update.put(self._per_audience[i], "prompts", _prompts_for(viewer, prompts), i)

    def _render_windows(self, windows: tuple[Window, ...], live: bool, at: Millis, update: Update) -> None:
        running = [(w.id, w.clock) for w in windows if live and isinstance(w.clock, Running)]
        self._running_windows = frozenset(window for window, clock in running if clock.end > at)
        self._private_sections = [None] * len(self._seats)
        for i, viewer in enumerate(self._audiences):
            update.put(self._per_audience[i], "windows", _windows_for(viewer, windows, live), i)

    def list_sections(self, seat: Seat | None) -> list[bytes]:
        """All sections of one audience, packed."""
        return [part.packed for parts in self._parts(seat) for part in parts.values()]

    def values(self, seat: Seat) -> dict[str, Any]:
        """The values that a seat's bot sees: all the seat's sections, but never its notes (G4)."""
        parts = (part for parts in self._parts(seat) for part in parts.items())
        return {name: part.data for name, part in parts if name != "note"}

    def _parts(self, seat: Seat | None) -> tuple[PackedSections, ...]:
        shared = (self._shared, self._public)
        if seat is None:
            return (*shared, self._per_audience[-1])
        return (*shared, self._per_audience[seat], self._private[seat])


def _put_game(
    update: Update,
    parts: PackedSections,
    sections: Mapping[str, Section],
    running_windows: frozenset[WindowId],
    place: int | None,
) -> None:
    """Puts the game's sections (those bound to a peek only while it runs), and removes all others."""
    has_removals = sections.keys() != parts.keys()
    for name, section in sections.items():
        before = parts.get(name)
        if section.peek is not None and section.peek not in running_windows:
            has_removals = True
        elif before is None or before.data is not section.data:
            update.put(parts, name, section.data, place, _part)
    if not has_removals:
        return
    for name in parts:
        current = sections.get(name)
        if current is None or (current.peek is not None and current.peek not in running_windows):
            update.parts.append((parts, name, None))
            update.add(_encode(name) + NIL, place)


_PARTS: Final[dict[tuple[str, int], PackedSection]] = {}
"""Packed parts by name and identity of their data, which they keep alive.

Games return the same small values again and again, in all rooms (games/api.py, `public`): each is
packed once for all of them. Values of a single room, such as notes, are not kept here.
"""
MOST_PARTS: Final = 4096


_CHOICES: Final[dict[int, m.ChoicesSection]] = {}
"""Sections `choices` by identity of the choices they contain, for the same reason."""


def _choices(choices: Choices) -> m.ChoicesSection:
    section = _CHOICES.get(id(choices))
    if section is None:
        if len(_CHOICES) == MOST_PARTS:
            _CHOICES.clear()
        section = _CHOICES[id(choices)] = m.ChoicesSection(choices)
    return section


def _part(name: str, data: Any) -> PackedSection:
    part = _PARTS.get((name, id(data)))
    if part is None:
        if len(_PARTS) == MOST_PARTS:
            _PARTS.clear()
        part = _PARTS[name, id(data)] = _pack_part(name, data)
    return part


def _may_see(to: Audience, viewer: Seat | None) -> bool:
    return to is None or (viewer is not None and viewer in to)


# --- the hub's own sections ---


def _prompts_for(viewer: Seat | None, prompts: tuple[Prompt, ...]) -> m.PromptsSection:
    return m.PromptsSection(
        tuple(
            m.PromptInfo(prompt.id, prompt.kind, tuple(sorted(prompt.seats)), prompt.window)
            for prompt in prompts
            if _may_see(prompt.to, viewer)
        )
    )


def _windows_for(viewer: Seat | None, windows: tuple[Window, ...], live: bool) -> m.WindowsSection:
    return m.WindowsSection(live, tuple(_window(window) for window in windows if _may_see(window.to, viewer)))


def _window(window: Window) -> m.WindowInfo:
    concerns = tuple(sorted(window.concerns))
    if isinstance(window.clock, Running):
        end, left = window.clock.end, None
    else:
        end, left = None, window.clock.left
    return m.WindowInfo(
        window.id, window.kind, concerns, window.span, end, left, window.extend, window.sections
    )


def table_section(table: Table) -> m.TableSection:
    finished = table.status == "finished"
    return m.TableSection(
        room=table.room,
        code=table.code,
        game=table.game,
        options=table.options,
        open=table.open,
        locked=table.locked,
        watching=table.watching,
        status=table.status,
        paused_for=table.paused_for,
        host=host_seat(table),
        seats=tuple(
            m.SeatInfo(seat.name, seat.colour, seat.bot, seat.substitute, seat.ready) for seat in table.seats
        ),
        seed_hash=sha256(table.seed).hexdigest(),
        seed=table.seed.hex() if finished else None,
        record=finished,
    )
