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

from games.api import (
    Audience,
    Choices,
    Millis,
    Outcome,
    Promise,
    Prompt,
    Running,
    Seat,
    Section,
    Window,
    WindowId,
)
from hub.table import voting
from hub.table.promises import list_seen, promises_section
from hub.table.room import NO_RESULT, Position, Room, Rules, Table
from hub.table.seating import host_place, host_seat
from hub.table.speech import hears_watchers, talk_policy
from hub.table.votes import VOTE_MS, Tally, Vote
from hub.wire import messages as m

_encode = msgspec.msgpack.Encoder(order="deterministic").encode

NIL = b"\xc0"
START: Final = Millis(0)


class PackedSection(Struct, frozen=True, gc=False):
    """One section of one view: its value, and its name and value packed as msgpack."""

    data: Any
    packed: bytes


def _pack_section(name: str, data: Any) -> PackedSection:
    return PackedSection(data, _encode(name) + _encode(data))


PackedSections: TypeAlias = dict[str, PackedSection]


class Update(Struct, gc=False):
    """The changes made by a render: packed sections to send, and what showing it puts into the views."""

    shared: list[bytes]
    """Packed sections for everybody."""
    per_audience: dict[int, list[bytes]]
    """Other packed sections, by audience: the seats, the watchers and, with what only they see, a host
    without a seat (`find_unseated_audience`)."""
    changes: list[tuple[PackedSections, str, PackedSection | None]]
    """For each section to set or (None) to remove, the sections it belongs to and its name."""

    def put(
        self,
        sections: PackedSections,
        name: str,
        data: Any,
        place: int | None,
        pack: Callable[[str, Any], PackedSection] = _pack_section,
    ) -> None:
        """Sets a section's value, for one audience or (None) for everybody; sends it if its bytes differ."""
        before = sections.get(name)
        if before is not None and before.data is data:
            return
        section = pack(name, data)
        self.changes.append((sections, name, section))
        if before is None or before.packed != section.packed:
            self.add(section.packed, place)

    def add(self, packed: bytes, place: int | None) -> None:
        """Adds bytes to send."""
        if place is None:
            self.shared.append(packed)
        elif place in self.per_audience:
            self.per_audience[place].append(packed)
        else:
            self.per_audience[place] = [packed]


class HostLists(Struct, frozen=True):
    """The sections for the host alone: the people who knock, and who watch; None while there are
    none."""

    knocks: m.KnocksSection | None = None
    watchers: m.WatchersSection | None = None


def find_unseated_audience(seats: int) -> int:
    """The number of a host without a seat among the audiences: after the watchers."""
    return seats + 1


HOST_SECTIONS: Final = ("knocks", "watchers")
PERSONS_SECTIONS: Final = frozenset({"note", "vote", "promises", *HOST_SECTIONS})
"""Sections for a seat's person, not for a bot that plays in their place."""
NO_LISTS: Final = HostLists()
NO_CHOICES: Final[Choices] = {}
NO_SEATS: Final[frozenset[Seat]] = frozenset()


class Views:
    """The views of one room as last shown. Every render must be shown before the next one.

    Every batch is rendered, but most values in a room stay identical, so sections that depend only on
    unchanged values are skipped.
    """

    __slots__ = (
        "_audiences",
        "_choices",
        "_host_lists",
        "_host_sections",
        "_live",
        "_notes",
        "_per_audience",
        "_presence",
        "_private",
        "_private_sections",
        "_promises",
        "_prompts",
        "_public",
        "_running_windows",
        "_seats",
        "_shared",
        "_stopped_by",
        "_table",
        "_windows",
        "vote_time_left",
    )

    def __init__(self, seats: int) -> None:
        self.vote_time_left: Callable[[Vote], int] = _whole_time
        """Returns the milliseconds left in the running vote."""
        self._seats = tuple(map(Seat, range(seats)))
        self._audiences: tuple[Seat | None, ...] = (*self._seats, None)
        self._shared: PackedSections = {}
        self._per_audience: list[PackedSections] = [{} for _ in self._audiences]
        self._host_sections: PackedSections = {}
        """What a host without a seat sees in addition to what watchers see."""
        self._public: PackedSections = {}
        """The game's sections for everybody, kept apart, since any of them may be removed."""
        self._private: list[PackedSections] = [{} for _ in range(seats)]
        self.forget()

    def forget(self) -> None:
        """Drops a render that will not be shown: the next one renders everything again."""
        seats = len(self._seats)
        self._table: Table | None = None
        self._presence: m.PresenceSection | None = None
        self._host_lists: HostLists | None = None
        self._notes: list[str] = []
        self._prompts: tuple[Prompt, ...] | Outcome | None = None
        self._windows: tuple[Window, ...] | None = None
        self._live = False
        self._promises: tuple[Promise, ...] | None = None
        self._stopped_by: m.StopReason | None = None
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
        stopped_by: m.StopReason | None = None,
        host_lists: HostLists = NO_LISTS,
    ) -> Update:
        """The update that brings every view up to date with this room.

        Raises what the rules raise; the caller then calls `forget`.
        `affected_seats`: seats whose private sections or choices may have changed; None: every seat's, and
        talk policies. `at`: a peek that has ended by then is not shown, though its window is not closed yet.
        """
        update = Update([], {}, [])
        position = room.position
        table_changed = room.table is not self._table
        if table_changed or (affected_seats is None and position is not None):
            self._render_talk_policy(rules, room, update)
        if table_changed or host_lists is not self._host_lists:
            self._host_lists = host_lists
            self._render_host_lists(host_place(room.table), host_lists, update)
        if table_changed or presence is not self._presence:
            self._render_vote(room.table, presence, update)
        if table_changed or room.promises is not self._promises:
            self._render_promises(room, update)
        if table_changed:
            self._table = room.table
            update.put(self._shared, "table", table_section(room.table), None)
            if room.table.status == "finished":
                update.put(self._shared, "rematch", rematch_section(room.table), None)
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
            or stopped_by != self._stopped_by
        ):
            if position.prompts is not self._prompts:
                self._prompts = position.prompts
                self._render_prompts(position.prompts, update)
                self._render_out_seats(rules, position, update)
            self._windows, self._live, self._stopped_by = position.windows, live, stopped_by
            self._render_windows(position.windows, live, stopped_by, at, update)
            affected_seats = None
            if position.prompts is NO_RESULT:
                self._render_abandoned(rules, position.state, update)
                affected_seats = NO_SEATS
        state, running_windows = position.state, self._running_windows
        _put_game(update, self._public, rules.public(state), running_windows, None)
        for seat in self._seats if affected_seats is None else affected_seats:
            choices = rules.choices(state, seat)
            if choices is not self._choices[seat]:
                self._choices[seat] = choices
                update.put(self._per_audience[seat], "choices", _cache_choices(choices), seat, _cache_section)
            sections = rules.private(state, seat)
            if sections is not self._private_sections[seat]:
                self._private_sections[seat] = sections
                _put_game(update, self._private[seat], sections, running_windows, seat)
        return update

    def show(self, update: Update) -> None:
        """Makes an update part of the views."""
        for sections, name, section in update.changes:
            if section is None:
                del sections[name]
            else:
                sections[name] = section

    def _render_host_lists(self, host: int | None, lists: HostLists, update: Update) -> None:
        """Gives these sections to the host alone, and takes them from a former one (G4)."""
        for place, sections in enumerate((*self._per_audience[:-1], self._host_sections)):
            audience = place if place < len(self._seats) else find_unseated_audience(len(self._seats))
            for name, data in zip(HOST_SECTIONS, (lists.knocks, lists.watchers), strict=True):
                if place == host and data is not None:
                    update.put(sections, name, data, audience)
                elif name in sections:
                    update.changes.append((sections, name, None))
                    update.add(_encode(name) + NIL, audience)

    def _render_promises(self, room: Room, update: Update) -> None:
        """Gives each audience the promises that it may know of (G4)."""
        self._promises = room.promises
        for i, seat in enumerate(self._audiences):
            seen = list_seen(room, seat)
            if seen:
                update.put(self._per_audience[i], "promises", promises_section(seen), i)
            elif "promises" in self._per_audience[i]:
                update.changes.append((self._per_audience[i], "promises", None))
                update.add(_encode("promises") + NIL, i)

    def _render_vote(self, table: Table, presence: m.PresenceSection, update: Update) -> None:
        """Shows the running vote; whether a seat has one, and how it has voted, only to that seat (G4)."""
        vote = table.vote
        if vote is None:
            if "vote" in self._per_audience[-1]:
                for i, sections in enumerate(self._per_audience):
                    update.changes.append((sections, "vote", None))
                    update.add(_encode("vote") + NIL, i)
            return
        tally = voting.count_votes(table, vote, presence.connected)
        left = self.vote_time_left(vote)
        for i, seat in enumerate(self._audiences):
            section = _vote_section(table, vote, tally, left, seat)
            update.put(self._per_audience[i], "vote", section, i)

    def _render_abandoned(self, rules: Rules, state: Any, update: Update) -> None:
        """Each seat keeps what it saw, without choices and without what a window had shown for a while."""
        for seat in self._seats:
            self._choices[seat] = NO_CHOICES
            update.put(self._per_audience[seat], "choices", _cache_choices(NO_CHOICES), seat, _cache_section)
            _put_game(update, self._private[seat], rules.private(state, seat), frozenset(), seat)

    def _render_talk_policy(self, rules: Rules, room: Room, update: Update) -> None:
        """Talk policies change only with prompts or windows (games/api.py)."""
        for i, seat in enumerate(self._audiences):
            policy = talk_policy(rules, room, seat)
            update.put(self._per_audience[i], "talk_policy", policy, i, _cache_section)

    def _render_prompts(self, prompts: tuple[Prompt, ...] | Outcome, update: Update) -> None:
        if isinstance(prompts, Outcome):
            if prompts is not NO_RESULT:
                update.put(self._shared, "result", m.ResultSection(prompts), None)
            prompts = ()
        for i, seat in enumerate(self._audiences):
            update.put(self._per_audience[i], "prompts", _prompts_for(seat, prompts), i)

    def _render_out_seats(self, rules: Rules, position: Position, update: Update) -> None:
        ended = isinstance(position.prompts, Outcome)
        seats = () if ended else tuple(sorted(rules.out_seats(position.state)))
        if seats:
            update.put(self._shared, "out_seats", m.OutSeatsSection(seats), None)
        elif "out_seats" in self._shared:
            update.changes.append((self._shared, "out_seats", None))
            update.add(_encode("out_seats") + NIL, None)

    def _render_windows(
        self,
        windows: tuple[Window, ...],
        live: bool,
        stopped_by: m.StopReason | None,
        at: Millis,
        update: Update,
    ) -> None:
        running = [(w.id, w.clock) for w in windows if live and isinstance(w.clock, Running)]
        self._running_windows = frozenset(window for window, clock in running if clock.end > at)
        self._private_sections = [None] * len(self._seats)
        for i, seat in enumerate(self._audiences):
            section = m.WindowsSection(live, _windows_for(seat, windows), stopped_by)
            update.put(self._per_audience[i], "windows", section, i)

    def list_sections(self, seat: Seat | None) -> list[bytes]:
        """All sections of one audience, packed."""
        return [section.packed for sections in self._sections(seat) for section in sections.values()]

    def list_host_sections(self) -> list[bytes]:
        """All sections of a host without a seat, packed."""
        return [*self.list_sections(None), *(section.packed for section in self._host_sections.values())]

    def values(self, seat: Seat | None) -> dict[str, Any]:
        """The values that a seat's bot sees: the seat's sections, except those for its person (G4); if it is
        None, those of everybody."""
        named = (pair for sections in self._sections(seat) for pair in sections.items())
        return {name: section.data for name, section in named if name not in PERSONS_SECTIONS}

    def _sections(self, seat: Seat | None) -> tuple[PackedSections, ...]:
        shared = (self._shared, self._public)
        if seat is None:
            return (*shared, self._per_audience[-1])
        return (*shared, self._per_audience[seat], self._private[seat])


def _put_game(
    update: Update,
    packed: PackedSections,
    sections: Mapping[str, Section],
    running_windows: frozenset[WindowId],
    place: int | None,
) -> None:
    """Puts the game's sections (those bound to a peek only while it runs), and removes all others."""
    others = len(packed)
    for name, section in sections.items():
        if section.peek is not None and section.peek not in running_windows:
            continue
        before = packed.get(name)
        if before is not None:
            others -= 1
            if before.data is section.data:
                continue
        # like `update.put`, which would look it up again
        current = _cache_section(name, section.data)
        update.changes.append((packed, name, current))
        if before is None or before.packed != current.packed:
            update.add(current.packed, place)
    if not others:
        return
    for name in packed:
        shown = sections.get(name)
        if shown is None or (shown.peek is not None and shown.peek not in running_windows):
            update.changes.append((packed, name, None))
            update.add(_encode(name) + NIL, place)


_CACHED_SECTIONS: Final[dict[tuple[str, int], PackedSection]] = {}
"""Packed sections by name and identity of their data, which they keep alive.

Games return the same small values again and again, in all rooms (games/api.py, `public`): each is
packed once for all of them. Values of a single room, such as notes, are not kept here.
"""
MAX_CACHED: Final = 4096


_CACHED_CHOICES: Final[dict[int, m.ChoicesSection]] = {}
"""Sections `choices`, not packed, by identity of the choices they contain, for the same reason."""


def _cache_choices(choices: Choices) -> m.ChoicesSection:
    section = _CACHED_CHOICES.get(id(choices))
    if section is None:
        if len(_CACHED_CHOICES) == MAX_CACHED:
            _CACHED_CHOICES.clear()
        section = _CACHED_CHOICES[id(choices)] = m.ChoicesSection(choices)
    return section


def _cache_section(name: str, data: Any) -> PackedSection:
    """Like `_pack_section`, but packs a value that the rules return again only once."""
    section = _CACHED_SECTIONS.get((name, id(data)))
    if section is None:
        if len(_CACHED_SECTIONS) == MAX_CACHED:
            _CACHED_SECTIONS.clear()
        section = _CACHED_SECTIONS[name, id(data)] = _pack_section(name, data)
    return section


def _may_see(to: Audience, seat: Seat | None) -> bool:
    return to is None or (seat is not None and seat in to)


# --- the hub's own sections ---


def _prompts_for(seat: Seat | None, prompts: tuple[Prompt, ...]) -> m.PromptsSection:
    return m.PromptsSection(
        tuple(
            m.PromptInfo(prompt.id, prompt.kind, tuple(sorted(prompt.seats)), prompt.window)
            for prompt in prompts
            if _may_see(prompt.to, seat)
        )
    )


def _windows_for(seat: Seat | None, windows: tuple[Window, ...]) -> tuple[m.WindowInfo, ...]:
    return tuple(_window(window) for window in windows if _may_see(window.to, seat))


def _whole_time(vote: Vote) -> int:
    return VOTE_MS


def _vote_section(table: Table, vote: Vote, tally: Tally, left: int, seat: Seat | None) -> m.VoteSection:
    person = None if seat is None else table.seats[seat].person
    return m.VoteSection(
        vote.number,
        vote.kind,
        vote.seat,
        vote.caller,
        tally.yes,
        tally.no,
        tally.needed,
        left,
        may_vote=seat is not None and voting.may_vote(table, vote, seat),
        own=None if person is None else True if person in vote.yes else False if person in vote.no else None,
    )


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
        hears_watchers=hears_watchers(table),
        admission=table.admission,
        takes_latecomers=table.takes_latecomers,
        status=table.status,
        paused_for=table.paused_for,
        abandoned=table.abandoned,
        host=host_seat(table),
        host_name=table.host_name,
        seats=tuple(
            m.SeatInfo(
                name=seat.name,
                colour=seat.colour,
                bot=seat.bot,
                substitute=seat.substitute,
                ready=seat.ready,
                vacant=seat.person is None,
                offered=seat.offered,
                asked=seat.asked,
                held=seat.held,
                character=seat.character,
            )
            for seat in table.seats
        ),
        seed_hash=sha256(table.seed).hexdigest(),
        seed=table.seed.hex() if finished else None,
        salt_hashes=None if table.exchange is None else table.exchange.salt_hashes,
        salts=table.salts if finished else None,
        restarts=table.restarts,
        record=finished,
        previous=table.previous,
        grace=table.grace,
        watch_delay=table.watch_delay,
        skipping=table.skipping,
        lesson=table.lesson,
    )


def rematch_section(table: Table) -> m.RematchSection:
    """Everybody's section about the next table: it names seats, not people."""
    people = [(seat, state.person) for seat, state in enumerate(table.seats) if state.person is not None]
    seats = tuple(seat for seat, _ in people)
    rematch = table.rematch
    if rematch is None:
        return m.RematchSection(seats, ())
    pressed = tuple(seat for seat, person in people if person in rematch.pressed)
    return m.RematchSection(seats, pressed, rematch.room, rematch.code, rematch.game, rematch.rotated)
