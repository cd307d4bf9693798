"""Who follows a room, and what each audience is told: whole views, frames, talk.

An audience is a seat (however many sockets it has), or all watchers together; it comes last. Frames are
numbered per audience, and their bytes made once for all its sockets.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

import structlog

from games.api import Millis, Seat
from hub.runtime.ports import Viewer
from hub.table import log
from hub.table.room import Room, Rules
from hub.table.views import Update, Views
from hub.telemetry.metrics import Metrics
from hub.wire import codec
from hub.wire import messages as m
from hub.wire.framing import encode_frame

RECENT: Final = 80
"""Lines of log, and of talk, that a whole view starts with, at most."""
PLACES: Final = 8
"""Sockets of one seat; one more closes the oldest, which may be a connection that died unheard (G8)."""
VIEW_HEAD: Final = 256
"""Bytes of a whole view beside its sections, lines and talk, at most."""

NOBODY: Final[frozenset[Seat]] = frozenset()
START: Final = Millis(0)

_log = structlog.get_logger("audiences")


class Audiences:
    """The followers of one room."""

    def __init__(
        self,
        rules: Rules,
        room: Room,
        notes: Sequence[str],
        told: list[deque[log.NumberedLine]],
        talk: Sequence[m.TalkMessage],
        metrics: Metrics,
    ) -> None:
        seats = len(room.table.seats)
        self._rules = rules
        self._metrics = metrics
        self._viewers: list[dict[Viewer, None]] = [{} for _ in range(seats + 1)]
        self._frames = [0] * (seats + 1)
        self._told = told
        self._talk: list[deque[bytes]] = [deque(maxlen=RECENT) for _ in self._viewers]
        for said in talk:
            self._keep(said)
        self._presence = m.PresenceSection((False,) * seats, 0)
        self._views = Views(seats)
        self._views.show(self.render(room, notes, None))

    # --- who is here ---

    def __bool__(self) -> bool:
        return any(self._viewers)

    def connected(self, seat: int) -> bool:
        return bool(self._viewers[seat])

    @property
    def watchers(self) -> int:
        return len(self._viewers[-1])

    def follow(self, viewer: Viewer, welcome: bytes, epoch: str, now: int) -> None:
        """A socket follows the room from now on: welcomed, and shown the whole view."""
        i = self._place(viewer.seat)
        if viewer.seat is not None and len(self._viewers[i]) >= PLACES:
            oldest = next(iter(self._viewers[i]))
            self.leave(oldest)
            oldest.close(4011)
        self._viewers[i][viewer] = None
        sections = self._views.whole(viewer.seat)
        left = m.MAX_VIEW - VIEW_HEAD - sum(map(len, sections))
        told = _last(log.packed(self._told[i], viewer.seat), left * 2 // 3)
        talk = _last(self._talk[i], left - sum(map(len, told)))
        whole = codec.encode_view(epoch, self._frames[i], now, sections, told, talk)
        if len(whole) > m.MAX_VIEW + m.MOST_NOTES:
            _log.error("a view is too large", epoch=epoch, bytes=len(whole))
        viewer.send(welcome + encode_frame(whole))

    def leave(self, viewer: Viewer) -> None:
        self._viewers[self._place(viewer.seat)].pop(viewer, None)

    def close(self, seat: Seat | None, code: int) -> None:
        """Closes every socket of an audience."""
        for viewer in tuple(self._viewers[self._place(seat)]):
            viewer.close(code)

    def close_all(self, code: int) -> None:
        for viewers in self._viewers:
            for viewer in tuple(viewers):
                viewer.close(code)

    def _place(self, seat: Seat | None) -> int:
        return len(self._viewers) - 1 if seat is None else seat

    def _seat(self, place: int) -> int | None:
        return place if place < len(self._viewers) - 1 else None

    # --- what they are told ---

    def render(self, room: Room, notes: Sequence[str], affected_seats: frozenset[Seat] | None) -> Update:
        """What will bring every audience up to the room: to be published before anything is rendered again.

        `affected_seats`: as in hub/table/room.py, `Change`. Nothing while the rules fail at a view.
        """
        return self._render(room, notes, affected_seats, START)

    def render_late(self, room: Room, notes: Sequence[str], now: Millis) -> Update:
        """The same in the place of what was rendered and not shown: windows have ended meanwhile (G4.4)."""
        self._views.forget()
        return self._render(room, notes, None, now)

    def _render(
        self, room: Room, notes: Sequence[str], affected_seats: frozenset[Seat] | None, now: Millis
    ) -> Update:
        live = room.table.status == "running"
        try:
            return self._views.render(
                self._rules,
                room,
                self._presence,
                live=live,
                notes=notes,
                affected_seats=affected_seats,
                now=now,
            )
        except Exception:  # noqa: BLE001 - a bug in the rules must not take verdicts, lines and timers with it
            _log.exception("rules failed at a view", room=room.table.room)
            return Update([], {}, [])

    def show(self, update: Update) -> None:
        """What was rendered is what whole views are from now on; to be published next."""
        self._views.show(update)

    def publish(self, update: Update, now: int, told: Sequence[log.NumberedLine]) -> None:
        """Tells every audience what is shown now, and the lines it may read; who just came has seen it."""
        shared, own, frames = update.shared, update.own, self._frames
        mine = self._tell(told) if told else NO_LINES
        common = _unnumbered(now, shared) if shared else b""
        sent = 0
        for i, viewers in enumerate(self._viewers):
            if not viewers:
                continue
            if i in own or i in mine:
                start = _unnumbered(now, [*shared, *own.get(i, ())], mine.get(i, ()))
            elif common:
                start = common
            else:
                continue
            frames[i] = n = frames[i] + 1
            frame = start + n.to_bytes(codec.NUMBER, "big")
            sent += len(viewers)
            for viewer in viewers:  # nobody leaves from inside `send`
                viewer.send(frame)
        self._metrics.frames_out += sent

    def _tell(self, told: Sequence[log.NumberedLine]) -> Mapping[int, Sequence[bytes]]:
        """The lines that each audience may read, packed; those that may read none are left out."""
        packed: dict[int, Sequence[bytes]] = {}
        for i, recent in enumerate(self._told):
            mine = log.for_audience(told, self._seat(i))
            if mine:
                recent.extend(mine)
                packed[i] = log.packed(mine, self._seat(i))
        return packed

    def presence(self, room: Room, notes: Sequence[str], now: int) -> None:
        """Tells who is connected."""
        here = tuple(bool(viewers) for viewers in self._viewers[:-1])
        self._presence = m.PresenceSection(here, self.watchers)
        update = self.render(room, notes, NOBODY)
        self.show(update)
        self.publish(update, now, ())

    def say(self, said: m.TalkMessage) -> None:
        """Talk of the table: whole views tell of it too."""
        data = encode_frame(codec.encode(m.Talk(said)))
        for i, viewers in enumerate(self._viewers):
            if log.hears(said, self._seat(i)):
                for viewer in tuple(viewers):
                    viewer.send(data)
        self._keep(said)

    def _keep(self, said: m.TalkMessage) -> None:
        """For whole views, per audience: whispers push nothing out of what others hear (G4)."""
        data = codec.encode_talk(said)
        for i, recent in enumerate(self._talk):
            if log.hears(said, self._seat(i)):
                recent.append(data)

    def say_to_watchers(self, said: m.TalkMessage) -> None:
        """Talk of watchers: heard by watchers alone (GEN-8), kept nowhere."""
        data = encode_frame(codec.encode(m.Talk(said)))
        for viewer in tuple(self._viewers[-1]):
            viewer.send(data)

    def observation(self, seat: Seat) -> dict[str, Any]:
        """All sections of a seat as values: what its bot sees."""
        return self._views.values(seat)


NO_LINES: Final[Mapping[int, Sequence[bytes]]] = {}


def _unnumbered(now: int, sections: Sequence[bytes], lines: Sequence[bytes] = ()) -> bytes:
    """A frame up to its number."""
    return encode_frame(codec.frame_before_number(now, sections, lines), codec.NUMBER)


def _last(parts: Sequence[bytes], room: int) -> list[bytes]:
    """As many of the last of these as there is room for."""
    kept: deque[bytes] = deque()
    for part in reversed(parts):
        room -= len(part)
        if room < 0:
            break
        kept.appendleft(part)
    return list(kept)
