"""The owner of one room on one hub: mailbox -> decide -> commit -> answer -> publish.

Commands arrive as plain calls, and the effect of each is decided at once (hub/runtime/decider.py). At the end
of the tick, one turn commits their changes as one batch, and nothing is published before the store has
answered (G1). Only one commit is in flight at a time; commands that arrive in the meantime wait in a bounded
mailbox for the next batch. There is no task, queue or future per message: turns run from the event loop's
callbacks.
"""

from __future__ import annotations

import random
import secrets
from functools import partial
from typing import Any, Final

import structlog

from games.api import Bot, Millis, Refusal, Seat, SeenLine, Spoken
from games.kit.promises import merge_heard
from hub.runtime.batch import NO_RESPONDER, Batch
from hub.runtime.bots import BotScheduler, list_bot_seats
from hub.runtime.checkout import RoomCheckout
from hub.runtime.deadlines import Deadlines
from hub.runtime.decider import Decider
from hub.runtime.door import Door, KnockResult
from hub.runtime.journal import Journal
from hub.runtime.log_shares import LogShares
from hub.runtime.mailbox import Mailbox, Pending
from hub.runtime.ownership_check import OwnershipCheck
from hub.runtime.ports import Responder, Services, Viewer
from hub.runtime.presence import Presence
from hub.runtime.subscribers import Subscribers
from hub.runtime.summons import Summons
from hub.runtime.table_clock import TableClock
from hub.runtime.talk_budgets import TalkBudgets
from hub.runtime.watching import Watching
from hub.store.pipe import Result
from hub.table import log
from hub.table.absence import MIN_ABSENCE_MS
from hub.table.admission import is_at_table, refuse_entry
from hub.table.commands import (
    Attach,
    ClientCommand,
    Command,
    EndAbsence,
    InternalCommand,
    RepeatStart,
    ReplaceHost,
    ResumeTable,
    SettleVote,
    WatcherSays,
)
from hub.table.latecomers import has_seen_early
from hub.table.promises import list_seen
from hub.table.room import Rules, Table, due
from hub.table.seating import choose_name, host_place, seat_of
from hub.table.speech import refuse_watcher
from hub.table.watch_delay import keep_past
from hub.wire import messages as m

BUSY: Final = Refusal("BUSY", "G8")

_log = structlog.get_logger("actor")


class Actor:
    """The one owner of a room."""

    def __init__(self, checkout: RoomCheckout, rules: Rules, bot: Bot[Any], services: Services) -> None:
        self.room = checkout.room
        self.rules = rules
        self.bot = bot
        self.token = checkout.token
        self.opener = checkout.opener
        self.stopped = False
        self._halted = False
        self._services = services
        self._metrics = services.metrics
        self._live_clock = services.live_clock
        self._table_clock = TableClock(checkout.at, checkout.room.table.status, services.live_clock)
        self._notes = list(checkout.notes)
        self._journal = Journal(checkout.token, checkout.sequence, checkout.talk_history)
        self._mailbox = Mailbox()
        self._turn_is_due = False
        self._batch: Batch | None = None
        """Everything decided in this tick."""
        self._flight: Batch | None = None
        self._ownership = OwnershipCheck(services.live_clock)
        self._is_outdated = False
        """Whether table time has stopped or gone on since the update of the batch in flight was rendered."""
        self._subscribers = Subscribers(
            rules, checkout.room, self._notes, checkout.logged, checkout.talk, services.metrics
        )
        self._bots = BotScheduler(self, services.clock, services.bot_executor, random.Random())
        self._bot_seats = list_bot_seats(checkout.room.table)
        self._deadlines = Deadlines(services.clock, services.live_clock, self._table_clock, self._wake)
        self._talk_budgets = TalkBudgets(services.talk_limits, services.metrics)
        self._decider = Decider(
            rules,
            bot.levels,
            self._table_clock,
            self._deadlines,
            self._talk_budgets,
            LogShares(len(checkout.room.table.seats), checkout.logged, services.metrics),
            services.metrics,
        )
        self._presence = Presence(services.clock, self._publish_presence)
        self._summons = Summons(services.clock, services.summon, self._summon_absent)
        self.watching = Watching(
            self._subscribers,
            self._table_clock,
            self._deadlines,
            self._ownership,
            services,
            self._on_table_shown,
            checkout.token,
        )
        if checkout.backlog is not None:
            self.watching.resume(checkout.backlog, rules, checkout.at)
        epoch = checkout.token.partition(":")[0]
        self._door = Door(services.clock, epoch, partial(self._presence.change, is_watcher=True))
        self._note_absences()
        self._deadlines.note_salts(checkout.room.table)
        self._deadlines.note_vote(checkout.room.table)
        self._subscribers.follow_votes(self._deadlines.vote_time_left)
        self._bots.consider(self._bot_seats)
        self._deadlines.arm(self.room)
        self._metrics.rooms += 1

    @property
    def sequence(self) -> int:
        """The sequence number of the last stored commit."""
        return self._journal.sequence

    @property
    def live(self) -> bool:
        """Whether table time is running."""
        return self._table_clock.is_running

    def table_time(self) -> Millis:
        """Table time, by which moves are judged."""
        return self._table_clock.read()

    def read_seats_time(self) -> Millis:
        """The table time that seats are shown."""
        return self._table_clock.read_shown()

    @property
    def shown_table(self) -> Table:
        """The table as people without a seat may see it."""
        return self.watching.find_shown(self.room.table)

    def read_shown_time(self) -> Millis:
        """The table time that watchers are shown."""
        return self.watching.table_time()

    def find_table(self, person: str | None) -> Table:
        """The table as this person may see it: the present, or what watchers see (also for None)."""
        table = self.room.table
        return table if person is not None and is_at_table(table, person) else self.shown_table

    def _on_table_shown(self) -> None:
        if not self.stopped:
            self._services.summary(self)

    # --- mailbox ---

    def receive(self, seat: Seat, command: ClientCommand, responder: Responder) -> bool:
        """Accepts a client's command; returns False if its seat has too many waiting.

        `seat`: see `decide` in hub/table/commands.py.
        """
        if self._halted or self.stopped:
            return True  # its socket is about to be closed, and the next owner will be asked
        if not self._mailbox.admit(seat):
            return False
        if type(command) is m.Manage:
            command = self._door.resolve(command)
        self._accept(seat, command, responder)
        return True

    def perform(self, command: InternalCommand, responder: Responder) -> bool:
        """Accepts a command from the hub itself, answered like a client's; returns False if too many wait.

        An `Attach` counts as one of its seat's commands: a flood of sockets affects only that seat (G8).
        """
        if self._halted or self.stopped:
            responder.abandoned()
            return True
        if not self._mailbox.admit(command.seat if isinstance(command, Attach) else None):
            return False
        self._accept(None, command, responder)
        return True

    def _accept(self, seat: Seat | None, command: Command, responder: Responder) -> None:
        live = self._live_clock.now_live()
        at = self._table_clock.time.read(live)
        waiting = self._mailbox.waiting
        if self._flight is not None or waiting:
            waiting.append(Pending(at, live, seat, command, responder))
            return
        if self._batch is None:
            self._batch = Batch(self.room, self._notes)
            self._turn_soon()
        self._decider.add_decision(self._batch, at, live, seat, command, responder)

    def _turn_soon(self) -> None:
        if not self._turn_is_due and self._flight is None and not self.stopped:
            self._turn_is_due = True
            self._services.clock.call_soon(self._turn)

    def _turn(self) -> None:
        """Decides what the commands in the mailbox do, and commits everything decided since the last turn."""
        self._turn_is_due = False
        if self._flight is not None or self.stopped:
            return
        live = self._live_clock.now_live()
        batch, self._batch = self._batch or Batch(self.room, self._notes), None
        waiting = self._mailbox.waiting
        while waiting:
            pending = waiting.popleft()
            at = min(pending.at, self._table_clock.time.read(live))  # a pause may have stopped it since
            self._decider.add_decision(
                batch, at, pending.live, pending.seat, pending.command, pending.responder
            )
        self._mailbox.start_over()
        at = self._table_clock.time.read(live)
        self._decider.add_expiries(batch, at)
        if batch.room.table.exchange is not None and self._deadlines.salts_too_late():
            again = RepeatStart(secrets.token_bytes(32))
            self._decider.add_decision(batch, at, live, None, again, NO_RESPONDER)
        if self._deadlines.empty_since is not None and self._deadlines.empty_too_long():
            self._decider.add_pause(batch, "empty", at)
        if self._deadlines.host_due is not None and self._deadlines.host_too_long():
            self._decider.add_decision(batch, at, live, None, ReplaceHost(), NO_RESPONDER)
        if self._deadlines.vote_due is not None and (over := self._deadlines.vote_over()) is not None:
            self._decider.add_decision(batch, at, live, None, SettleVote(over), NO_RESPONDER)
        changed = batch.room is not self.room or bool(batch.talk or batch.notes)
        # While heartbeats fail, another hub may own the room, so refusals also wait for the store (G3).
        ownership = self._ownership
        if (
            changed
            or ownership.is_due
            or (batch.answers and (self._live_clock.is_frozen() or ownership.in_doubt))
        ):
            self._commit(batch, at, live)
        else:
            batch.answer(self._metrics)
            self._arm()

    # --- commit ---

    def verify_ownership(self) -> None:
        """Commits, even if there is nothing to store, to verify that this hub still owns the room (G3).

        No later table time is shown meanwhile: another owner might take it back (G5.4).
        """
        self._ownership.doubt()
        self._table_clock.doubt()
        self._turn_soon()

    def confirm_ownership(self, responder: Responder) -> bool:
        """Answers once the store has confirmed, after this call, that this hub owns the room; returns False
        if too many wait for that.

        A refusal that makes people stay away is sent only then: another owner of the room may know better.
        """
        if self._halted or self.stopped:
            responder.abandoned()
            return True
        if not self._ownership.ask(responder):
            return False
        self._turn_soon()
        return True

    @property
    def in_doubt(self) -> bool:
        """Whether another hub may own the room. Meanwhile, nothing is told that depends on its state."""
        return self._ownership.in_doubt

    def _commit(self, batch: Batch, at: Millis, live: int) -> None:
        table = self.room.table
        if batch.room.table is not table or table.watch_delay == "round":
            wall = int(self._services.wall() * 1000)
            batch.keep(keep_past(self.rules, self.room, batch.room, at, wall))
        try:
            commit = self._journal.build_commit(batch, at, live, whole=self._halted)
        except Exception:  # noqa: BLE001 - a bug in the rules must not bring the room down
            _log.exception("a batch cannot be stored", room=batch.room.table.room)
            self._discard(batch, at, live)
            return
        self._flight = batch
        self._ownership.begin(batch)
        notes = batch.current_notes() if batch.notes else self._notes
        batch.update = self._subscribers.render(batch.room, notes, batch.affected_seats)
        batch.lines = log.number_lines(self.room, batch.logged)
        self._services.commits.submit(commit, self._on_result)

    def _discard(self, batch: Batch, at: Millis, live: int) -> None:
        """Drops a batch: refuses its commands, and pauses the table in its previous state."""
        for responder, n, _ in batch.answers:
            responder.answer(n, Refusal("BROKEN", "GEN-3"))
        pausing = Batch(self.room, self._notes)
        self._decider.add_pause(pausing, "fault", at)
        if pausing.room is not self.room:
            self._commit(pausing, at, live)

    def _on_result(self, result: Result) -> None:
        if result is Result.FENCED:
            self._metrics.commits_fenced += 1
            self.stop("fenced")
        elif result is Result.DAMAGED:
            self._metrics.commits_damaged += 1
            self.stop("damaged")  # whoever opens it again is told so, until it is repaired
        if self.stopped:
            return
        batch = self._flight
        assert batch is not None
        self._metrics.commits += 1
        try:
            self._tell(batch)
        except Exception:  # noqa: BLE001 - everything is stored: the room's next owner publishes it
            _log.exception("a commit could not be published", room=batch.room.table.room)
            self.stop("fault")

    # --- publishing ---

    def _tell(self, batch: Batch) -> None:
        """Answers and publishes what is committed. Commands that arrive in the meantime are kept waiting."""
        former_room, room = self.room, batch.room
        former_table, table = former_room.table, room.table
        self.room = room
        if self._ownership.confirm():
            self._table_clock.trust()
        self._journal.confirm(batch)
        if batch.notes:
            self._notes = batch.current_notes()
        at = self._table_clock.read()
        shown_at = self._table_clock.cap(at)
        rerendered = self._is_outdated or due(room, at) is not None
        if rerendered:
            self._is_outdated = False
            batch.update = self._subscribers.render_again(room, self._notes, at)
        self._subscribers.show(batch.update)  # an answer may welcome somebody (G4.4)
        batch.answer(self._metrics)
        table_changed = former_table is not table
        if table_changed:  # what follows is only for the people who hold the seats from now on (G4)
            self.watching.begin(self.rules, former_room, table, self._notes)
            self._subscribers.close_departed(former_table, table)
            if former_table.seats is not table.seats:
                self.watching.subscribers.close_seated(table)
        self._subscribers.publish(batch.update, shown_at, batch.lines)
        for message in batch.talk:
            self._subscribers.say(message)
        self.watching.hold(room, at, batch.lines, batch.talk, rerendered=rerendered)
        if table_changed:
            came_before = len(former_table.latecomers)
            self._subscribers.hide_past(table.latecomers[came_before:])
            self._bot_seats = list_bot_seats(table)
            self._note_absences()
            self._deadlines.note_salts(table)
            self._deadlines.note_vote(table)
            self._services.summary(self)
            if former_table.status == "waiting" and table.status != "waiting":
                self._services.started(self)
            if table.admission and not former_table.admission:
                self._door.audience = frozenset(self.watching.subscribers.list_watchers())
            if self._door.settle(table):
                self._presence.is_held = True
        if batch.moved_notes:  # not before the sockets of the seats' former holders are closed (G4)
            for seat in batch.moved_notes:
                self._notes[seat] = batch.notes[seat]
            self._presence.is_held = True
        self._flight = None
        if self._presence.is_held:
            self._presence.tell()
        if table.skipping and not former_table.skipping:
            self._bots.stop()  # what they wait for to seem to think
        if self._bot_seats:
            self._bots.consider(self._bot_seats)
        if self._deadlines.absences:
            self._summon_absent()
        if self._mailbox.waiting or self._ownership.is_due:
            self._turn_soon()
        if batch.affected_seats is None or table_changed or self._deadlines.timer is None:
            self._arm()  # otherwise no window's end has changed

    # --- subscribers ---

    def subscribe(self, viewer: Viewer, welcome: bytes, *, hosting: bool = False) -> None:
        """Adds a connection that follows the room from now on: welcomes it, and sends it the full view.

        `hosting`: it is that of a host without a seat, who sees the present even if watchers do not.
        """
        if hosting:
            self._subscribers.add_host(viewer, welcome, self.token, self._table_clock.read_shown())
            self._note_absences()
        elif viewer.seat is None:
            self.watching.add(viewer, welcome)
        else:
            self._subscribers.add(viewer, welcome, self.token, self._table_clock.read_shown())
        self._deadlines.table_is_occupied()
        if viewer.seat is not None:
            since = self._deadlines.absences.get(viewer.seat)
            self._note_absences()
            if since is not None and self._table_clock.read() - since >= MIN_ABSENCE_MS:
                self.perform(EndAbsence(viewer.seat, since), NO_RESPONDER)
            if self.room.table.paused_for == "empty":
                self.perform(ResumeTable(), NO_RESPONDER)
            vote = self.room.table.vote
            if vote is not None and vote.seat == viewer.seat:  # for a bot in this seat, it may be pointless
                self.perform(SettleVote(), NO_RESPONDER)
        self._presence.change(is_watcher=viewer.seat is None and not hosting)
        self._arm()

    def unsubscribe(self, viewer: Viewer) -> None:
        is_watcher = viewer.seat is None and not self._subscribers.is_host(viewer)
        (self.watching.subscribers if is_watcher else self._subscribers).remove(viewer)
        if self.stopped:
            return
        if not self.is_occupied:
            self._deadlines.table_is_empty()
        if not is_watcher:
            self._note_absences()
        self._presence.change(is_watcher=is_watcher)
        self._arm()

    def say_to_watchers(self, person: str, message: m.TalkMessage) -> Refusal | None:
        """Sends talk among watchers, which is neither logged nor stored, unless it comes too soon, or from
        somebody who has seen the game earlier than they do, or while another hub may own the room."""
        if self.in_doubt:
            return BUSY
        if has_seen_early(self.room.table, person):
            return Refusal("TALK_CLOSED", "GEN-8")
        refusal = self._talk_budgets.count_watcher(person, self._services.clock.now_ms())
        if refusal is None:
            self.watching.subscribers.say_to_watchers(message, person)
        return refusal

    def say_to_table(self, person: str, name: str, say: m.Say, responder: Responder) -> Refusal | None:
        """Accepts a watcher's talk to the table, which is stored before anybody hears it; or refuses it."""
        if self.in_doubt:
            return BUSY
        refusal = refuse_watcher(self.rules, self.room, say) or self._talk_budgets.count_watcher(
            person, self._services.clock.now_ms()
        )
        if refusal is None and not self.perform(WatcherSays(name, say), responder):
            refusal = BUSY
        if refusal is None:
            self.watching.subscribers.watchers_talk.note_speaker(person, choose_name(self.room.table, name))
        return refusal

    def knock(self, person: str, name: str, network: str | None) -> bool:
        """Shows the host that this person asks to come in; returns False if too many people ask at once."""
        result = self._door.knock(person, name, network)
        if result is KnockResult.NEW:
            self._presence.change(is_watcher=True)
        return result is not KnockResult.CROWDED

    def is_watching(self, person: str) -> bool:
        return person in self.watching.subscribers.list_watchers()

    def list_watching_people(self) -> tuple[str, ...]:
        return tuple(self.watching.subscribers.list_watchers())

    def find_watcher(self, name: str) -> str | None:
        """The id of the watcher who talks, or entered, under this name."""
        people = self.watching.subscribers.list_watchers()
        return self.watching.subscribers.watchers_talk.find_speaker(name) or next(
            (person for person, other in people.items() if other == name), None
        )

    def list_heard(self, person: str, most: int) -> tuple[m.TalkMessage, ...]:
        """The last messages that this person has heard, oldest first."""
        seat = seat_of(self.room.table, person)
        sees_present = is_at_table(self.room.table, person)
        subscribers = self._subscribers if sees_present else self.watching.subscribers
        return subscribers.list_heard(None if seat is None else Seat(seat), person, most)

    @property
    def is_host_connected(self) -> bool:
        host = host_place(self.room.table)
        return host is not None and self._subscribers.is_connected(host)

    def refuse_watcher(self, person: str, *, invited: bool = True) -> Refusal | None:
        """Why this person may not come in to watch; None if they may (hub/table/admission.py).

        They may if the table as it is, or as it is shown to watchers, lets them in.
        """
        refusal = refuse_entry(self.shown_table, person, invited=invited)
        if refusal is not None and refuse_entry(self.room.table, person, invited=invited) is None:
            return None
        if refusal is not None and refusal.code == "ASK_TO_COME_IN" and person in self._door.audience:
            return None
        return refusal

    @property
    def is_catching_up(self) -> bool:
        """Whether watchers may have seen more from an earlier owner than they could be shown now."""
        return self.watching.is_catching_up

    @property
    def watchers(self) -> int:
        return self.watching.subscribers.watchers

    @property
    def is_occupied(self) -> bool:
        """Whether anybody is connected."""
        return bool(self._subscribers or self.watching.subscribers)

    def observation(self, seat: Seat | None) -> dict[str, Any]:
        """The values that a seat's bot sees: all the seat's sections. If it is None, what everybody sees."""
        return self._subscribers.observation(seat)

    def list_seen_lines(self, seat: Seat) -> tuple[SeenLine, ...]:
        """The last log lines that this seat may read, oldest first."""
        return self._subscribers.list_seen_lines(seat)

    def list_spoken(self, seat: Seat) -> tuple[Spoken, ...]:
        """What a seat's bot remembers of the table's talk, oldest first.

        Only a character has whispers: a substitute must not know what a seat's person said in private.
        """
        whispers = self.room.table.seats[seat].bot is not None
        messages = self._subscribers.list_spoken(seat, whispers=whispers)
        return merge_heard(messages, list_seen(self.room, seat if whispers else None), seat)

    def _publish_presence(self) -> bool:
        """Publishes who is connected. Returns False while a commit is in flight, as its frames come first,
        and while another hub may own the room."""
        if self._flight is not None or self.in_doubt:
            return False
        if not self.stopped:
            lists = self._door.lists(self.room.table, self.watching.subscribers.list_watchers())
            at = self._table_clock.read()
            self._subscribers.tell_presence(self.room, self._notes, at, lists, self.watchers)
            self.watching.hold(self.room, at)
            self._services.summary(self)
        return True

    def store_time(self) -> None:
        """Commits, even if there is nothing to store, so that the store knows how late table time began."""
        self._ownership.is_due = True
        self._turn_soon()

    def show_clock(self, stopped_by: m.StopReason | None) -> None:
        """Shows everybody what stops table time, or (None) that it goes on.

        The frame shows the committed room without waiting for the commit in flight, so it reveals nothing
        uncommitted (G1), and not even whether there is a commit (G4). If the hub may have lost the room,
        nothing is shown before the store confirms a commit (G3).
        """
        subscribers = self._subscribers
        if self.stopped or subscribers.stopped_by == stopped_by:
            return
        subscribers.stopped_by = stopped_by
        self._is_outdated = self._flight is not None or self.in_doubt
        if self.room.table.status != "running" or self.in_doubt:
            return
        at = self._table_clock.read()
        update = subscribers.render_again(self.room, self._notes, at)
        subscribers.show(update)
        subscribers.publish(update, at, ())
        self.watching.hold(self.room, at, rerendered=True)

    # --- deadlines ---

    def _wake(self) -> None:
        """Called when the deadline timer fires."""
        if self._deadlines.empty_too_long() and self.room.table.status != "running":
            if self.idle and not self.watching.is_behind:
                self.stop("asleep")
                return
            self._deadlines.table_is_empty()
        self._turn_soon()

    def _arm(self) -> None:
        if not self.stopped:
            self._deadlines.arm(self.room)

    def _note_absences(self) -> None:
        self._deadlines.note_absences(self.room.table, self._subscribers.is_connected)
        self._summon_absent()

    def _summon_absent(self) -> None:
        """Calls back whom the game waits for."""
        if not (self.stopped or self.in_doubt):
            self._summons.consider(self.rules, self.room, self._deadlines.absences)

    # --- the end of an actor ---

    def stop(self, reason: str) -> None:
        """Gives up the room and drops all its state; its viewers reconnect to its new owner.

        Afterwards nothing in the actor refers back to it, so that reference counting frees it. Cycles would
        keep it until a full garbage collection, which is rare (hub/runtime/garbage.py).
        """
        if self.stopped:
            return
        self.stopped = True
        self._metrics.rooms -= 1
        self._deadlines.close()
        self._door.close()
        self._presence.close()
        self._summons.close()
        self._bots.close()
        for batch in (self._flight, self._batch):
            if batch is not None:
                batch.abandon()
        self._mailbox.abandon()
        self._ownership.abandon()
        self._flight = self._batch = None
        self.watching.close()
        self._subscribers.close_all(4001)
        self._services.stopped(self.room.table.room, reason)

    def halt(self) -> None:
        """Accepts no more commands. Once pending work and a snapshot are stored, the room can be released.

        Its next owner's rules may be newer, and replay the log after an older snapshot differently.
        """
        self._halted = True
        self._deadlines.let_nobody_in()
        if self._journal.behind:
            self.verify_ownership()

    def end_table_time(self) -> Millis:
        """Stops table time for good, and returns it: the room is now released, and goes on from there.

        Otherwise people would see time that their next hub takes back (G5.4), if the store answers late.
        """
        return self._table_clock.end()

    @property
    def is_leaving(self) -> bool:
        """Whether it accepts no more commands."""
        return self._halted or self.stopped

    @property
    def idle(self) -> bool:
        """Whether nothing is in flight, waiting or still to be stored, so that the room can be released."""
        return self._flight is self._batch is None and not (self._mailbox.waiting or self._ownership.is_due)
