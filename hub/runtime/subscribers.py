"""The followers of a room, and the messages to each audience: full views, frames, talk.

An audience is a seat (however many connections it has), or all watchers together; the watchers come last.
Frames are numbered per audience, and encoded once for all its connections.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import structlog

from games.api import MAX_LINES_SEEN, Millis, Seat, SeenLine, Spoken
from games.kit.remarks import LineMemory, SpokenMemory
from hub.runtime.ports import Viewer
from hub.runtime.transcript import WatchersTalk, merge_talk
from hub.runtime.watcher_pace import WatcherPace
from hub.table import log
from hub.table.room import Latecomer, Logged, Room, Rules, Table
from hub.table.talk import read_parts
from hub.table.views import NO_LISTS, HostLists, Update, Views, find_unseated_audience
from hub.table.votes import Vote
from hub.telemetry.metrics import Metrics
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.framing import encode_frame

RECENT: Final = 80
"""The maximum number of log lines, and of talk messages, in a full view; bots remember more of both."""
VIEW_HEAD: Final = 256
"""The maximum size of a full view in bytes, not counting its sections, lines and talk."""

NO_SEATS: Final[frozenset[Seat]] = frozenset()
NO_LATECOMERS: Final[Mapping[int, int]] = {}
START: Final = Millis(0)

_log = structlog.get_logger("subscribers")


class Subscribers:
    """The connections that follow one room, by audience."""

    __slots__ = (
        "_frames",
        "_host_frames",
        "_host_lists",
        "_hosts",
        "_lines",
        "_metrics",
        "_pace",
        "_rules",
        "_seen_lines",
        "_spoken",
        "_talk",
        "_viewers",
        "_views",
        "presence",
        "stopped_by",
        "watchers_talk",
    )

    def __init__(
        self,
        rules: Rules,
        room: Room,
        notes: Sequence[str],
        logged: Sequence[Logged],
        talk: Sequence[m.TalkMessage],
        metrics: Metrics,
    ) -> None:
        seats = len(room.table.seats)
        self._rules = rules
        self._metrics = metrics
        self._viewers: list[dict[Viewer, None]] = [{} for _ in range(seats + 1)]
        self._frames = [0] * (seats + 1)
        self._hosts: dict[Viewer, None] = {}
        """The connections of a host without a seat, who sees what watchers see, and the host's lists."""
        self._host_frames = 0
        self._lines = log.renumber_lines(room, logged, MAX_LINES_SEEN)
        self._seen_lines: dict[Seat, LineMemory] = {}
        """What each seat has read, from when its bot first asks for it."""
        self._spoken = SpokenMemory()
        self._talk: list[deque[bytes]] = [deque(maxlen=RECENT) for _ in self._viewers]
        since = {latecomer.seat: latecomer.at for latecomer in room.table.latecomers}
        for message in talk:
            self._remember(message, since)
        self.presence = m.PresenceSection((False,) * seats, 0)
        """Who is connected; the next render shows it."""
        self.stopped_by: m.StopReason | None = None
        """What has stopped table time although the game is running; the next render shows it."""
        self._host_lists = NO_LISTS
        self.watchers_talk = WatchersTalk()
        self._pace: WatcherPace | None = None
        self._views = Views(seats)
        self._views.show(self.render(room, notes, None))

    def follow_votes(self, time_left: Callable[[Vote], int]) -> None:
        """Shows this many milliseconds left in a running vote."""
        self._views.vote_time_left = time_left

    def pace_watchers(self, pace: WatcherPace) -> None:
        """Sends watchers changes at this pace."""
        self._pace = pace

    def part_with_watchers(self, room: Room, notes: Sequence[str]) -> Subscribers:
        """Moves the watchers to subscribers of their own, who have seen this room so far."""
        other = Subscribers(self._rules, room, notes, (), (), self._metrics)
        other._pace = self._pace
        other.presence = self.presence
        other.show(other.render_again(room, notes, START))
        other._viewers[-1], self._viewers[-1] = self._viewers[-1], other._viewers[-1]
        other.watchers_talk, self.watchers_talk = self.watchers_talk, other.watchers_talk
        for host in self._hosts:
            other.watchers_talk.leave(host.person)
            self.watchers_talk.come(host.person)
        other._frames[-1] = self._frames[-1]
        other._lines[-1] = self._lines[-1].copy()
        other._talk[-1] = self._talk[-1].copy()
        return other

    # --- followers ---

    def __bool__(self) -> bool:
        return any(self._viewers) or bool(self._hosts)

    def is_connected(self, place: int) -> bool:
        """Whether a seat's person is connected, or a host without a seat (`seating.find_unseated_place`)."""
        return bool(self._hosts if place == len(self._viewers) - 1 else self._viewers[place])

    @property
    def watchers(self) -> int:
        return len(self._viewers[-1])

    def list_watchers(self) -> dict[str, str]:
        """The names of the people watching, by person."""
        return {viewer.person: viewer.name for viewer in self._viewers[-1]}

    def add(self, viewer: Viewer, welcome: bytes, epoch: str, at: int) -> None:
        """Adds a connection that follows the room from now on: welcomes it, and sends it the full view.

        The epoch that clients see is the owner's token: it changes with each owner.
        """
        i = self._audience(viewer.seat)
        self._viewers[i][viewer] = None
        if viewer.seat is None:
            self.watchers_talk.come(viewer.person)
        sections = self._views.list_sections(viewer.seat)
        self._welcome(viewer, welcome, epoch, at, sections, self._frames[i])

    def add_host(self, viewer: Viewer, welcome: bytes, epoch: str, at: int) -> None:
        """Like `add`, for a host without a seat."""
        self._hosts[viewer] = None
        self.watchers_talk.come(viewer.person)
        self._welcome(viewer, welcome, epoch, at, self._views.list_host_sections(), self._host_frames)

    def _welcome(
        self, viewer: Viewer, welcome: bytes, epoch: str, at: int, sections: Sequence[bytes], frame: int
    ) -> None:
        viewer.send(welcome + self._encode_view(viewer.seat, epoch, at, sections, frame))

    def send_view_to_watchers(self, epoch: str, at: int) -> None:
        """Brings watchers up to date after changes that were held back."""
        watchers = self._viewers[-1]
        if watchers:
            view = self._encode_view(None, epoch, at, self._views.list_sections(None), self._frames[-1])
            for viewer in watchers:  # `send` never removes a viewer
                viewer.send(view)
            self._metrics.frames_out += len(watchers)

    def _encode_view(
        self, seat: Seat | None, epoch: str, at: int, sections: Sequence[bytes], frame: int
    ) -> bytes:
        i = self._audience(seat)
        space = m.MAX_VIEW - VIEW_HEAD - sum(map(len, sections))
        lines = _last(log.pack_lines(tuple(self._lines[i])[-RECENT:], seat), space * 2 // 3)
        talk = _last(self._talk[i], space - sum(map(len, lines)))
        whole = codec.encode_view(epoch, frame, at, sections, lines, talk)
        if len(whole) > m.MAX_VIEW + m.MAX_NOTES + m.MAX_HOST_LISTS:
            _log.error("a view is too large", epoch=epoch, bytes=len(whole))
        return encode_frame(whole)

    def is_host(self, viewer: Viewer) -> bool:
        """Whether this is a connection of a host without a seat."""
        return viewer in self._hosts

    def remove(self, viewer: Viewer) -> None:
        if viewer in self._hosts:
            del self._hosts[viewer]
            self.watchers_talk.leave(viewer.person)
        elif viewer in self._viewers[self._audience(viewer.seat)]:
            del self._viewers[self._audience(viewer.seat)][viewer]
            if viewer.seat is None:
                self.watchers_talk.leave(viewer.person)

    def close(self, seat: Seat | None, code: int) -> None:
        """Closes every connection of an audience."""
        for viewer in tuple(self._viewers[self._audience(seat)]):
            viewer.close(code)

    def close_departed(self, before: Table, after: Table) -> None:
        """Closes the connections of seats that changed hands, and of watchers who were removed.

        If watching was closed, it closes all watchers' connections. A host without a seat who is not that any
        more comes back as a watcher, or in the seat they have taken.
        """
        if before.host_name is not None and (after.host_name is None or after.host != before.host):
            for viewer in tuple(self._hosts):
                viewer.close(4003)
        for i, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
            if old.person is not None and (
                old.person != new.person or old.seat_generation != new.seat_generation
            ):
                self.close(Seat(i), 4010)
        if before.watching and not after.watching:
            self.close(None, 4013)
        elif before.barred is not after.barred:
            for viewer in tuple(self._viewers[-1]):
                if viewer.person in after.barred:
                    viewer.close(4015)

    def close_seated(self, table: Table) -> None:
        """Closes the connections of watchers who sit at the table: they see their seat's view instead."""
        seated = {seat.person for seat in table.seats}
        for viewer in tuple(self._viewers[-1]):
            if viewer.person in seated:
                viewer.close(4003)

    def hide_past(self, latecomers: Iterable[Latecomer]) -> None:
        """Keeps what was meant for a seat's earlier holder from the latecomer in it (G4.12).

        Call it once everything of before has been published.
        """
        for latecomer in latecomers:
            seat = latecomer.seat
            self._lines[seat] = deque(
                log.hide_past(self._lines[-1], tuple(self._lines[seat]), seat), maxlen=MAX_LINES_SEEN
            )
            self._seen_lines.pop(Seat(seat), None)
            self._talk[seat] = deque(self._talk[-1], maxlen=RECENT)
            self._frames[seat] = 0

    def close_all(self, code: int) -> None:
        for viewers in (*self._viewers, self._hosts):
            for viewer in tuple(viewers):
                viewer.close(code)

    def _audience(self, seat: Seat | None) -> int:
        return len(self._viewers) - 1 if seat is None else seat

    def _seat(self, audience: int) -> int | None:
        return audience if audience < len(self._viewers) - 1 else None

    # --- messages to them ---

    def render(
        self,
        room: Room,
        notes: Sequence[str],
        affected_seats: frozenset[Seat] | None,
        at: Millis = START,
    ) -> Update:
        """The update that brings every audience to this room. Publish it before anything is rendered again.

        `affected_seats`: see `Change` in hub/table/room.py. The update is empty if the rules fail on a view.
        """
        stopped_by = self.stopped_by if room.table.status == "running" else None
        try:
            return self._views.render(
                self._rules,
                room,
                self.presence,
                live=room.table.status == "running" and stopped_by is None,
                notes=notes,
                affected_seats=affected_seats,
                at=at,
                stopped_by=stopped_by,
                host_lists=self._host_lists,
            )
        except Exception:  # noqa: BLE001 - a bug in the rules must not stop verdicts, lines and timers
            _log.exception("the rules failed on a view", room=room.table.room)
            self._views.forget()
            return Update([], {}, [])

    def render_again(self, room: Room, notes: Sequence[str], at: Millis) -> Update:
        """Like `render`, but replaces an update that has not been shown yet, because windows have since ended
        (G4.4) or table time has stopped."""
        self._views.forget()
        return self.render(room, notes, None, at)

    def show(self, update: Update) -> None:
        """Makes this update part of full views from now on; publish it next."""
        self._views.show(update)

    def publish(self, update: Update, at: int, lines: Sequence[log.NumberedLine]) -> None:
        """Sends every audience its changes, and the new lines that it may read; watchers perhaps later."""
        shared, private, frames = update.shared, update.per_audience, self._frames
        watchers, pace = len(frames) - 1, self._pace
        readable = self._lines_by_audience(lines) if lines else NO_LINES
        before_number = codec.frame_before_number
        common = encode_frame(before_number(at, shared), codec.NUMBER) if shared else b""
        frames_sent = 0
        for i, viewers in enumerate(self._viewers):
            if not viewers:
                continue
            is_special = i in private or i in readable
            if not (is_special or common):
                continue
            if i == watchers and pace is not None and pace.hold(len(viewers)):
                continue
            if is_special:
                sections = [*shared, *private.get(i, ())]
                start = encode_frame(before_number(at, sections, readable.get(i, ())), codec.NUMBER)
            else:
                start = common
            frames[i] = n = frames[i] + 1
            frame = start + n.to_bytes(codec.NUMBER, "big")
            frames_sent += len(viewers)
            for viewer in viewers:  # `send` never removes a viewer
                viewer.send(frame)
        if self._hosts:
            frames_sent += self._publish_to_host(update, at, readable)
        self._metrics.frames_out += frames_sent

    def _publish_to_host(self, update: Update, at: int, readable: Mapping[int, Sequence[bytes]]) -> int:
        """Sends a host without a seat what watchers are sent, and changes of the host's lists; returns how
        many frames that took."""
        watchers, private = len(self._viewers) - 1, update.per_audience
        lists = private.get(find_unseated_audience(watchers), ())
        sections = [*update.shared, *private.get(watchers, ()), *lists]
        if not sections and watchers not in readable:
            return 0
        self._host_frames += 1
        start = encode_frame(
            codec.frame_before_number(at, sections, readable.get(watchers, ())), codec.NUMBER
        )
        frame = start + self._host_frames.to_bytes(codec.NUMBER, "big")
        for viewer in self._hosts:
            viewer.send(frame)
        return len(self._hosts)

    def _lines_by_audience(self, lines: Sequence[log.NumberedLine]) -> Mapping[int, Sequence[bytes]]:
        """The lines that each audience may read, packed; audiences that may read none are left out."""
        packed: dict[int, Sequence[bytes]] = {}
        for i, recent in enumerate(self._lines):
            readable = log.for_audience(lines, self._seat(i))
            if readable:
                recent.extend(readable)
                if i in self._seen_lines:
                    for line in readable:
                        self._seen_lines[Seat(i)].add(log.see_line(line, Seat(i)))
                packed[i] = log.pack_lines(readable, self._seat(i))
        return packed

    def tell_presence(
        self,
        room: Room,
        notes: Sequence[str],
        at: int,
        host_lists: HostLists = NO_LISTS,
        watchers: int | None = None,
    ) -> None:
        """Publishes who is connected and, to the host, who knocks and who watches.

        `watchers`: how many watch, if not all of them are here.
        """
        self._host_lists = host_lists
        connected = tuple(bool(viewers) for viewers in self._viewers[:-1])
        count = self.watchers if watchers is None else watchers
        self.presence = m.PresenceSection(connected, count, bool(self._hosts))
        update = self.render(room, notes, NO_SEATS)
        self.show(update)
        self.publish(update, at, ())

    def say(self, message: m.TalkMessage) -> None:
        """Sends talk at the table, and adds it to full views."""
        data = encode_frame(codec.encode(m.Talk(message)))
        for i, viewers in enumerate(self._viewers):
            if log.hears(message, self._seat(i)):
                for viewer in tuple(viewers):
                    viewer.send(data)
        if log.hears(message, None):
            for viewer in tuple(self._hosts):
                viewer.send(data)
        self._remember(message)

    def _remember(self, message: m.TalkMessage, since: Mapping[int, int] = NO_LATECOMERS) -> None:
        """Keeps talk for full views, per audience, so that whispers do not displace what others hear (G4).

        `since`: the table time from which a seat's latecomer hears whispers.
        """
        spoken = read_parts(message)
        if spoken is not None:
            self._spoken.add(spoken)
        data = codec.encode_talk(message)
        for i, recent in enumerate(self._talk):
            if log.hears(message, self._seat(i)) and (
                message.to is None or i not in since or message.at > since[i]
            ):
                recent.append(data)

    def list_heard(self, seat: Seat | None, person: str, most: int) -> tuple[m.TalkMessage, ...]:
        """The last messages heard by this person, in a seat or (None) watching, oldest first."""
        watchers = self.watchers_talk.list_messages(person) if seat is None else []
        return merge_talk(self._talk[self._audience(seat)], watchers, most)

    def say_to_watchers(self, message: m.TalkMessage, person: str = "") -> None:
        """Sends talk among watchers: only they hear it (GEN-8), and full views leave it out."""
        self.watchers_talk.say(person, message)
        data = encode_frame(codec.encode(m.Talk(message)))
        for viewer in (*self._viewers[-1], *self._hosts):
            viewer.send(data)

    def observation(self, seat: Seat | None) -> dict[str, Any]:
        """The values that a seat's bot sees: all the seat's sections. If it is None, what everybody sees."""
        return self._views.values(seat)

    def list_seen_lines(self, seat: Seat) -> tuple[SeenLine, ...]:
        """The log lines that this seat remembers, oldest first."""
        seen = self._seen_lines.get(seat)
        if seen is None:
            lines = log.merge_lines(self._lines[-1], self._lines[seat], seat)
            seen = self._seen_lines[seat] = LineMemory(log.see_line(line, seat) for line in lines)
        return seen.list_lines()

    def list_spoken(self, seat: Seat, *, whispers: bool) -> tuple[Spoken, ...]:
        """What this seat has heard that bots understand, oldest first; with or without its whispers."""
        return self._spoken.list_heard(seat, whispers=whispers)


NO_LINES: Final[Mapping[int, Sequence[bytes]]] = {}


def _last(parts: Sequence[bytes], space: int) -> list[bytes]:
    """As many of the last parts as fit into `space` bytes."""
    fitting: deque[bytes] = deque()
    for part in reversed(parts):
        space -= len(part)
        if space < 0:
            break
        fitting.appendleft(part)
    return list(fitting)
