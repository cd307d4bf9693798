"""A room at work: take -> expire -> decide -> commit -> answer -> publish.

One actor owns one room on one hub. Commands are delivered by plain calls, and decided at once; a turn at the
end of the tick commits what they change as one batch, and only when the store has answered is anybody told
(G1). One commit is in flight at a time; what arrives meanwhile waits in a bounded mailbox for the next batch.
There is no task, queue or future per message: turns run from the event loop's callbacks.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import structlog
from msgspec import Struct
from msgspec.structs import replace

from games.api import Bot, Millis, Refusal, Running, Seat
from hub.runtime.batch import Batch, Command, Deed, Pending
from hub.runtime.bots import Thinker
from hub.runtime.ports import Clock, Commits, Handle, Minds, Responder, Timers, Viewer
from hub.runtime.subscribers import RECENT, Audiences
from hub.store.pipe import Commit, Result
from hub.table import actions, log, room
from hub.table.room import Change, Logged, Room, Rules
from hub.table.table_time import TableTime
from hub.table.talk import Kept
from hub.telemetry.metrics import Metrics
from hub.wire import messages as m

SHARE: Final = 32
"""Commands of one seat that may wait at its table; one more is answered BUSY (G8: nobody else is)."""
MAILBOX: Final = 64
"""The same for commands of the hub's own: those of nobody's seat."""
HUB: Final = Seat(-1)
"""Whose they are."""
ABSENT: Final = 60_000
"""Milliseconds of table time after which a disconnected seat is kept by its bot (GEN-7)."""
EMPTY: Final = 60_000
"""Milliseconds after which a table nobody is connected to pauses itself, and later sleeps."""
SNAPSHOT_EVERY: Final = 16
"""Entries of the log that a stored snapshot may be behind: a new owner plays them again."""
PRESENCE_PACE: Final = 300
"""Milliseconds within which changes of who watches are told together."""

NUMBERED: Final = (m.Do, m.Manage, m.Say, m.Note)
"""Commands of clients; others are the hub's own."""

_log = structlog.get_logger("actor")


class Services(Struct, frozen=True):
    """What every actor of a hub shares."""

    timers: Timers
    clock: Clock
    commits: Commits
    minds: Minds
    metrics: Metrics
    stopped: Callable[[str, str], None]
    """Told (room, reason) when an actor stops: fenced, asleep or handed over."""
    summary: Callable[[Actor], None]
    """Told when what the lobby shows of a room changes."""


class Taken(Struct, frozen=True):
    """A room as an actor takes it over: from the store, or new."""

    room: Room
    token: str
    sequence: int
    at: Millis
    notes: tuple[str, ...]
    kept: Kept
    talk: tuple[m.TalkMessage, ...] = ()
    logged: tuple[Logged, ...] = ()


class Actor:
    """The one owner of a room."""

    def __init__(self, taken: Taken, rules: Rules, bot: Bot[Any], services: Services) -> None:
        self.room = taken.room
        self.rules = rules
        self.bot = bot
        self.token = taken.token
        self.stopped = False
        self._halted = False
        self._services = services
        self._sequence = taken.sequence
        self._notes = list(taken.notes)
        self._kept = taken.kept
        self._mailbox: deque[Pending] = deque()
        self._waiting = [0] * (len(taken.room.table.seats) + 1)
        """How many commands of each seat, and (last) of the hub's own, the next commit is to carry."""
        self._due_turn = False
        self._batch: Batch | None = None
        """What was decided in this tick."""
        self._flight: Batch | None = None
        self._unproven = False
        self._timer: Handle | None = None
        self._armed: tuple[Millis, TableTime, int | None] | None = None
        """What the timer waits for: the next event in table time, by this table time; and how long empty."""
        self._snapshots = room.Snapshots()
        self._behind = SNAPSHOT_EVERY
        """How many entries the stored snapshot is behind, at most."""
        self._empty_since: int | None = services.timers.now()
        self._away: dict[Seat, Millis] = {}
        self._presence_due = False
        self._presence_held = False
        """It changed while a commit was in flight."""
        live = services.clock.now_live() if taken.room.table.status == "running" else None
        self._time = TableTime(taken.at, live)
        self._audiences = Audiences(
            rules,
            taken.room,
            self._notes,
            log.renumbered(taken.room, taken.logged, RECENT),
            taken.talk,
            services.metrics,
        )
        self._thinker = Thinker(self, services.timers, services.minds, random.Random())
        self._bots = _has_bots(taken.room)
        self._note_absences()
        self._thinker.consider()
        self._arm()
        services.metrics.rooms += 1

    # --- time ---

    @property
    def live(self) -> bool:
        return self._time.live is not None

    @property
    def sequence(self) -> int:
        return self._sequence

    def now(self) -> Millis:
        return self._time.read(self._services.clock.now_live())

    def _arm(self) -> None:
        """One timer for whatever comes next by itself; left alone while that stays the same."""
        end = room.NEVER
        if self._time.live is not None:
            end = room.next_end(self.room)
            if self._away:
                end = min(end, *(Millis(at + ABSENT) for at in self._away.values()))
        due = (end, self._time, self._empty_since)
        if self._timer is not None:
            if due == self._armed:
                return
            self._timer.cancel()
            self._timer = None
        if self.stopped:
            return
        self._armed = due
        clock = self._services.clock
        waits: list[int] = []
        if end < room.NEVER:
            left = max(0, end - self.now())
            waits.append(max(100, left) if clock.stands() else left)
        if self._empty_since is not None:
            waits.append(max(0, self._empty_since + EMPTY - self._services.timers.now()))
        if waits:
            self._timer = self._services.timers.later(min(waits) + 1, self._wake)

    def _wake(self) -> None:
        self._timer = None
        if self._empty_since is not None and self._services.timers.now() >= self._empty_since + EMPTY:
            if self.room.table.status == "running":
                self.deed(self._pause_empty)
            elif self.idle:
                self.stop("asleep")
                return
            else:
                self._empty_since = self._services.timers.now()
        self._turn_soon()

    def _pause_empty(self, now: Room, at: Millis) -> Change | Refusal:
        """Unless somebody came while this waited its turn: nobody would resume the table then."""
        return Refusal("NOT_NOW", "GEN-6") if self._audiences else actions.pause(now, "empty", at)

    # --- commands in ---

    def receive(self, seat: Seat, message: Command, responder: Responder) -> bool:
        """A seat's command; False when too many of its commands wait."""
        if self._halted or self.stopped:
            return True  # its socket is about to be closed, and the next owner will be asked
        return self._take(seat, message, responder)

    def perform(self, deed: Deed, responder: Responder, seat: Seat = HUB) -> bool:
        """A command of the hub's own, or for a seat, answered like any other (n = 0); False: as above."""
        if self._halted or self.stopped:
            responder.lost()
            return True
        return self._take(seat, deed, responder)

    def _take(self, seat: Seat, message: Command | Deed, responder: Responder) -> bool:
        if self._waiting[seat] >= (MAILBOX if seat == HUB else SHARE):
            return False
        self._waiting[seat] += 1
        at = self.now()
        if self._flight is not None or self._mailbox:
            self._mailbox.append(Pending(at, seat, message, responder))
            return True
        if self._batch is None:
            self._batch = Batch(self.room, self._notes)
            self._turn_soon()
        self._decide(self._batch, at, seat, message, responder)
        return True

    def deed(self, deed: Deed) -> None:
        """A command of the hub's own that nobody waits for."""
        self.perform(deed, NOBODY)

    def _turn_soon(self) -> None:
        if not self._due_turn and self._flight is None and not self.stopped:
            self._due_turn = True
            self._services.timers.soon(self._turn)

    # --- expire, decide ---

    def _turn(self) -> None:
        self._due_turn = False
        if self._flight is not None or self.stopped:
            return
        live = self._services.clock.now_live()
        batch, self._batch = self._batch or Batch(self.room, self._notes), None
        mailbox = self._mailbox
        while mailbox:
            item = mailbox.popleft()
            at = min(item.at, self._time.read(live))  # the table was paused since: its time stood still
            self._decide(batch, at, item.seat, item.message, item.responder)
        self._waiting = [0] * len(self._waiting)
        self._expire(batch, self._time.read(live))
        changed = batch.room is not self.room or bool(batch.talk or batch.notes)
        # While heartbeats fail somebody else may own the room: a refusal, too, waits for the store then (G3).
        if changed or self._unproven or (batch.answers and self._services.clock.stands()):
            self._commit(batch, live)
        else:
            self._answer(batch)
            self._arm()

    def _expire(self, batch: Batch, at: Millis) -> None:
        """Every window that has ended by `at`, and every seat that has been away for too long."""
        while (window := room.due(batch.room, at)) is not None:
            assert isinstance(window.clock, Running)
            self._services.metrics.windows_closed += 1
            self._services.metrics.window_seconds_late.add((self.now() - window.clock.end) / 1000)
            try:
                change = room.expire(self.rules, batch.room, window, frozenset(self._away))
            except Exception:  # noqa: BLE001 - a bug in the rules must not take the hub with it
                _log.exception("rules failed at a window's end", room=batch.room.table.room, window=window.id)
                paused = actions.pause(batch.room, "fault", at)
                assert isinstance(paused, Change)
                change = paused
            self._add(batch, change, at)
        if not self._away or batch.room.table.status != "running":
            return
        for seat, since in list(self._away.items()):
            if at >= since + ABSENT:
                del self._away[seat]
                change_or = actions.stand_in(batch.room, seat, at)
                if isinstance(change_or, Change):
                    self._add(batch, change_or, at)

    def _decide(
        self, batch: Batch, at: Millis, seat: Seat, message: Command | Deed, responder: Responder
    ) -> None:
        self._expire(batch, at)
        try:
            match message:
                case m.Do():
                    result = self._move(batch.room, seat, message, at)
                case m.Manage():
                    result = self._once(
                        batch.room,
                        seat,
                        message,
                        lambda now: actions.manage(
                            self.rules, tuple(self.bot.levels), now, seat, message.act, at
                        ),
                    )
                case m.Say():
                    result = self._once(
                        batch.room,
                        seat,
                        message,
                        lambda now: actions.say(self.rules, now, seat, message, at),
                    )
                case m.Note():
                    result = self._once(
                        batch.room,
                        seat,
                        message,
                        lambda now: actions.note(self.rules, now, seat, message.text),
                    )
                case deed:
                    result = deed(batch.room, at)
        except Exception:  # noqa: BLE001 - a bug in the rules must not take the hub with it
            _log.exception("a command failed", room=batch.room.table.room, seat=seat)
            result = Refusal("BROKEN", "GEN-3")
        n = message.n if isinstance(message, NUMBERED) else 0
        if isinstance(result, Refusal):
            batch.answers.append((responder, n, result))
            return
        batch.answers.append((responder, n, None))
        self._add(batch, result, at)

    def _add(self, batch: Batch, change: Change, at: Millis) -> None:
        """The change becomes part of the batch; table time runs exactly while the table does."""
        before = batch.room.table
        batch.add(change)
        if batch.room.table is not before:
            self._follow_status(batch.room, at)

    def _move(self, now: Room, seat: Seat, do: m.Do, at: Millis) -> Change | Refusal:
        match room.seen(now.counts, seat, do.session, do.n):
            case "applied":
                self._services.metrics.repeated += 1
                return Change(now)
            case "too old":
                return Refusal("TOO_OLD", "G2")
            case "new":
                pass
        if now.table.seats[seat].substitute:
            return Refusal("BOT_PLAYS", "GEN-7")
        if now.table.status != "running":
            return Refusal("PAUSED" if now.table.status == "paused" else "NOT_NOW", "GEN-6")
        return room.move(self.rules, now, seat, do.prompt, do.move, at, (do.session, do.n))

    def _once(
        self,
        now: Room,
        seat: Seat,
        message: m.Manage | m.Say | m.Note,
        decide: Callable[[Room], Change | Refusal],
    ) -> Change | Refusal:
        match room.seen(now.counts, seat, message.session, message.n):
            case "applied":
                self._services.metrics.repeated += 1
                return Change(now)
            case "too old":
                return Refusal("TOO_OLD", "G2")
            case "new":
                pass
        result = decide(now)
        if isinstance(result, Refusal):
            return result
        after = result.room
        if any(known.number == message.session for known in after.counts.sessions[seat]):
            sessions = room.remember(after.counts, seat, message.session, message.n)
            after = Room(after.table, replace(after.counts, sessions=sessions), after.position)
        return replace(result, room=after)

    def _follow_status(self, now: Room, at: Millis) -> None:
        running = now.table.status == "running"
        if running and not self.live:
            self._time = self._time.run(self._services.clock.now_live())
            self._note_absences()
        elif not running and self.live:
            self._time = TableTime(max(at, self._time.at), None)

    # --- commit ---

    def prove(self) -> None:
        """Commits, be it nothing: only who still owns the room can (G3)."""
        self._unproven = True
        self._turn_soon()

    def _commit(self, batch: Batch, live: int) -> None:
        try:
            snapshot, entries = self._snapshot(batch), [*map(room.pack_logged, batch.logged)]
        except Exception:  # noqa: BLE001 - a bug in the rules must not take the room with it
            _log.exception("what was decided cannot be stored", room=batch.room.table.room)
            self._take_back(batch, live)
            return
        self._flight = batch
        self._unproven = False
        batch.update = self._audiences.render(batch.room, self._noted(batch), batch.affected_seats)
        batch.told = log.number(self.room, batch.logged)
        where = batch.room.table
        self._services.commits.submit(
            Commit(
                where.room,
                self.token,
                self._sequence,
                self._sequence + (len(batch.logged) or 1),
                self._time.read(live),
                live,
                where.status,
                snapshot,
                entries,
                [*map(self._kept.keep, batch.talk)],
                [(seat, text.encode()) for seat, text in batch.notes.items()] if batch.notes else (),
            ),
            self._committed,
        )

    def _snapshot(self, batch: Batch) -> bytes:
        """What is stored of the room beside its log: nothing while the log alone soon leads there."""
        self._behind += len(batch.logged)
        if batch.played and batch.logged and self._behind <= SNAPSHOT_EVERY and not self._halted:
            return b""
        packed = self._snapshots.pack(batch.room)
        self._behind = 0
        return packed

    def _take_back(self, batch: Batch, live: int) -> None:
        """Nothing of it has happened: its commands are refused, and the table is paused as it was before."""
        for responder, n, _ in batch.answers:
            responder.answer(n, Refusal("BROKEN", "GEN-3"))
        paused = actions.pause(self.room, "fault", self._time.read(live))
        if isinstance(paused, Change):
            before = Batch(self.room, self._notes)
            self._add(before, paused, self._time.read(live))
            self._commit(before, live)

    def _committed(self, result: Result) -> None:
        batch = self._flight
        assert batch is not None
        metrics = self._services.metrics
        if result is Result.FENCED or self.stopped:
            metrics.commits_fenced += result is Result.FENCED
            self.stop("fenced")
            return
        metrics.commits += 1
        try:
            self._tell(batch)
        except Exception:  # noqa: BLE001 - all is stored: whoever owns the room next has it, and tells it
            _log.exception("a commit could not be told", room=batch.room.table.room)
            self.stop("fault")

    def _tell(self, batch: Batch) -> None:
        """Answers and shows what is committed. Until that is done, what comes waits as while it flew."""
        before, self.room = self.room, batch.room
        self._sequence += len(batch.logged) or 1
        self._notes = self._noted(batch)
        now = self.now()
        if room.due(self.room, now) is not None:
            batch.update = self._audiences.render_late(self.room, self._notes, now)
        self._audiences.show(batch.update)  # an answer may welcome somebody (G4.4)
        self._answer(batch)
        if before.table is not self.room.table:  # what follows is for those who sit there now (G4)
            self._part(before)
        self._audiences.publish(batch.update, now, batch.told)
        for said in batch.talk:
            self._audiences.say(said)
        if before.table is not self.room.table:
            self._table_changed()
        if batch.moved:  # not before the sockets of who sat there are closed (G4)
            for moved in batch.moved:
                self._notes[moved] = batch.notes[moved]
            self._presence_held = True
        self._flight = None
        if self._presence_held:
            self._tell_presence()
        if self._bots:
            self._thinker.consider()
        if self._mailbox or self._unproven:
            self._turn_soon()
        if batch.affected_seats is None or before.table is not self.room.table or self._timer is None:
            self._arm()  # else all windows end when they did

    def _noted(self, batch: Batch) -> list[str]:
        """The notes with those that were written; those that went with a person wait (see `_tell`)."""
        if not batch.notes:
            return self._notes
        written = {seat: text for seat, text in batch.notes.items() if seat not in batch.moved}
        return [written.get(seat, text) for seat, text in enumerate(self._notes)]

    def _part(self, before: Room) -> None:
        """Seats that changed hands lose their sockets; all watchers theirs when watching is closed."""
        seats = self.room.table.seats
        for i, (old, new) in enumerate(zip(before.table.seats, seats, strict=True)):
            if old.person is not None and (
                old.person != new.person or old.seat_generation != new.seat_generation
            ):
                self._audiences.close(Seat(i), 4010)
        if before.table.watching and not self.room.table.watching:
            self._audiences.close(None, 4013)

    def _table_changed(self) -> None:
        """Others may be bots or away now; the lobby hears of it."""
        self._bots = _has_bots(self.room)
        self._note_absences()
        self._services.summary(self)

    # --- answer, publish ---

    def _answer(self, batch: Batch) -> None:
        metrics = self._services.metrics
        for responder, n, refusal in batch.answers:
            if refusal is None:
                metrics.applied += 1
            else:
                metrics.refused[refusal.code if refusal.code in m.HUB_REFUSALS else "GAME"] += 1
            responder.answer(n, refusal)

    def watchers_say(self, said: m.TalkMessage) -> None:
        """Watchers' talk goes past the log and the store."""
        self._audiences.say_to_watchers(said)

    # --- viewers ---

    def subscribe(self, viewer: Viewer, welcome: bytes) -> None:
        """A socket follows the room from now on: welcomed, and shown the whole view."""
        self._audiences.follow(viewer, welcome, self.token, self.now())
        self._empty_since = None
        if viewer.seat is not None:
            self._away.pop(viewer.seat, None)
            paused_for = self.room.table.paused_for
            if paused_for == "empty":
                self.deed(actions.resume)
        self._presence_changed(at_once=viewer.seat is not None)
        self._arm()

    def unsubscribe(self, viewer: Viewer) -> None:
        self._audiences.leave(viewer)
        if self.stopped:
            return
        if not self._audiences:
            self._empty_since = self._services.timers.now()
        if viewer.seat is not None:
            self._note_absences()
        self._presence_changed(at_once=viewer.seat is not None)
        self._arm()

    @property
    def watchers(self) -> int:
        return self._audiences.watchers

    def _note_absences(self) -> None:
        """Seats of persons who are not connected: since when, in table time."""
        away: dict[Seat, Millis] = {}
        now = self.now()
        for i, state in enumerate(self.room.table.seats):
            seat = Seat(i)
            if state.person is not None and not state.substitute and not self._audiences.connected(i):
                away[seat] = self._away.get(seat, now)
        self._away = away

    def _presence_changed(self, *, at_once: bool) -> None:
        if at_once:
            self._tell_presence()
        elif not self._presence_due:
            self._presence_due = True
            self._services.timers.later(PRESENCE_PACE, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_due = False
        if self.stopped:
            return
        self._presence_held = self._flight is not None
        if self._presence_held:
            return
        self._audiences.presence(self.room, self._notes, self.now())
        self._services.summary(self)

    # --- bots ---

    def observation(self, seat: Seat) -> dict[str, Any]:
        return self._audiences.observation(seat)

    # --- the end of an actor ---

    def stop(self, reason: str) -> None:
        """Gives the room up: nothing of it is kept here, and its viewers go to whoever owns it now."""
        if self.stopped:
            return
        self.stopped = True
        self._services.metrics.rooms -= 1
        if self._timer is not None:
            self._timer.cancel()
        self._thinker.stop()
        for batch in (self._flight, self._batch):
            for responder, _, _ in batch.answers if batch is not None else ():
                responder.lost()
        for item in self._mailbox:
            item.responder.lost()
        self._batch = None
        self._mailbox.clear()
        self._audiences.close_all(4001)
        self._services.stopped(self.room.table.room, reason)

    def halt(self) -> None:
        """Takes no more commands: what waits is finished and stored whole, then the room may be handed over.

        Its next owner's rules may be newer, and play what the log holds beyond the snapshot otherwise.
        """
        self._halted = True
        if self._behind:
            self.prove()

    @property
    def idle(self) -> bool:
        """Nothing in flight, waiting or to be stored: the room may be handed over."""
        return self._flight is self._batch is None and not self._mailbox and not self._unproven


def _has_bots(now: Room) -> bool:
    return any(seat.bot is not None or seat.substitute for seat in now.table.seats)


class _Nobody:
    def answer(self, n: int, refusal: Refusal | None) -> None:
        pass

    def lost(self) -> None:
        pass


NOBODY: Final = _Nobody()
"""Waits for no verdict."""
