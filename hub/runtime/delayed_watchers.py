"""The watchers of a table with a watching delay: they are shown each of its commits once it is old enough.

They have subscribers of their own (hub/runtime/subscribers.py), which follow an earlier value of the room:
the same frames, talk and closes as without a delay, only later. hub/table/watch_delay.py says what that delay
is, and how a new owner finds out what its watchers have yet to see.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from games.api import Millis
from hub.clock import Clock, Timer
from hub.runtime.deadlines import FROZEN_RETRY_MS
from hub.runtime.ownership_check import OwnershipCheck
from hub.runtime.ports import LiveClock
from hub.runtime.subscribers import RECENT, Subscribers
from hub.table import log
from hub.table.log import NumberedLine
from hub.table.room import Room, Rules, Table
from hub.table.table_time import GRACE, TableTime
from hub.table.votes import VOTE_MS, Vote
from hub.table.watch_delay import DELAY_MS, FOREVER, Backlog, ends_round
from hub.telemetry.metrics import Metrics
from hub.wire import messages as m

MAX_HELD: Final = 2000
"""How many publications wait for one table's watchers; beyond that, the last ones are shown as one."""


class Publication(Struct, frozen=True):
    """What a room publishes at one moment: itself and what it says besides its sections.

    `at` is the table time in its frame, and `time` what table time does from then on. `vote_left`: see
    `Deadlines.vote_time_left`.
    """

    room: Room
    at: Millis
    time: TableTime
    presence: m.PresenceSection
    stopped_by: m.StopReason | None = None
    vote_left: int = 0
    lines: Sequence[NumberedLine] = ()
    talk: Sequence[m.TalkMessage] = ()
    rerendered: bool = False
    """Whether its update was rendered again, because windows had ended or table time had stopped."""


class DelayedWatchers:
    """Holds what a room publishes, and shows it to `subscribers` when it is due.

    `shown` is what they have seen so far. `on_table` is called when they see a change of the table.
    """

    __slots__ = (
        "_at",
        "_catch_up_due",
        "_clock",
        "_delay",
        "_held",
        "_live_clock",
        "_notes",
        "_on_table",
        "_ownership",
        "_presence",
        "_rules",
        "_time",
        "_timer",
        "_vote_left",
        "room",
        "subscribers",
    )

    def __init__(
        self,
        subscribers: Subscribers,
        rules: Rules,
        shown: Publication,
        clock: Clock,
        live_clock: LiveClock,
        ownership: OwnershipCheck,
        delay: m.WatchDelay,
        on_table: Callable[[], None],
    ) -> None:
        self.subscribers = subscribers
        self.room = shown.room
        """The room as these watchers see it."""
        self._presence = shown.presence
        self._at = shown.at
        self._time = shown.time
        self._vote_left = shown.vote_left
        self._notes = ("",) * len(shown.room.table.seats)
        self._clock = clock
        self._live_clock = live_clock
        self._ownership = ownership
        self._rules = rules
        self._delay = DELAY_MS.get(delay)
        """In milliseconds; None: until the round has ended."""
        self._on_table = on_table
        self._held: deque[tuple[int, Publication]] = deque()
        """What is not shown yet, with when it is due on the live clock."""
        self._catch_up_due = 0
        """When they see everything on the live clock that an earlier owner can have shown."""
        self._timer: Timer | None = None
        subscribers.follow_votes(self._vote_time_left)

    def __bool__(self) -> bool:
        """Whether anything is held that will be shown by and by."""
        return bool(self._held) and self._delay is not None

    @property
    def is_catching_up(self) -> bool:
        """Whether an earlier owner of the room may have shown more than these watchers see."""
        due = self._catch_up_due
        return self._live_clock.now_live() < due or (bool(self._held) and self._held[0][0] <= due)

    def catch_up(self, milliseconds: int) -> None:
        """Counts as catching up for so long."""
        self._catch_up_due = self._live_clock.now_live() + milliseconds if milliseconds else 0

    @property
    def presence(self) -> m.PresenceSection:
        """Who is connected, as these watchers see it."""
        return self._presence

    def table_time(self) -> Millis:
        """The table time that these watchers are shown."""
        time = self._time
        at = time.at
        if self._delay is None:
            return self._at  # it stands still until the next round has ended
        if time.live is not None:
            at = Millis(at + self._live_clock.now_live() - self._delay - time.live)
        if self._held:
            at = min(at, self._held[0][1].at)
        self._at = max(self._at, at)
        return self._at

    def hold(self, publication: Publication, age: int = 0) -> None:
        """Shows this once it is old enough. `age`: how many milliseconds ago it was published."""
        live = self._live_clock.now_live()
        if self._delay is not None:
            due = live - age + self._delay
        else:
            before = self._held[-1][1].room if self._held else self.room
            due = live if ends_round(self._rules, before, publication.room) else FOREVER
        if len(self._held) == MAX_HELD:
            _, last = self._held.pop()
            lines = (*last.lines, *publication.lines)[-RECENT:]
            talk = (*last.talk, *publication.talk)[-RECENT:]
            publication = replace(publication, lines=lines, talk=talk)
        self._held.append((due, publication))
        if self._delay is not None:
            self._arm()
        elif due == live:  # the round has ended: everything in it is shown, in order
            while self._held:
                self._show(self._held.popleft()[1])

    def _arm(self) -> None:
        if self._timer is None and self._held:
            left = max(0, self._held[0][0] - self._live_clock.now_live())
            if self._live_clock.is_frozen() or self._ownership.in_doubt:
                left = max(FROZEN_RETRY_MS, left)
            self._timer = self._clock.call_later(left / 1000, self._show_due)

    def _show_due(self) -> None:
        self._timer = None
        if not self._ownership.in_doubt:  # otherwise another hub may show it to them
            self._show_until(self._live_clock.now_live())
        self._arm()

    def _show_until(self, live: int) -> None:
        while self._held and self._held[0][0] <= live:
            self._show(self._held.popleft()[1])

    def _show(self, shown: Publication) -> None:
        """Does what the actor does for everybody else (hub/runtime/actor.py)."""
        before, self.room = self.room.table, shown.room
        table = shown.room.table
        self._at, self._time = max(self._at, shown.at), shown.time
        self._presence, self._vote_left = shown.presence, shown.vote_left
        subscribers = self.subscribers
        subscribers.presence = shown.presence
        subscribers.stopped_by = shown.stopped_by if self._delay is not None else "round"
        if shown.rerendered:
            update = subscribers.render_again(shown.room, self._notes, shown.at)
        else:
            update = subscribers.render(shown.room, self._notes, None)
        subscribers.show(update)
        if table is not before:
            subscribers.close_departed(before, table)
        subscribers.publish(update, shown.at, shown.lines)
        for message in shown.talk:
            subscribers.say(message)
        if table is not before:
            self._on_table()

    def _vote_time_left(self, _vote: Vote) -> int:
        return self._vote_left

    def close(self) -> None:
        """Stops the timer, and lets go of the room's actor."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._held.clear()
        self._on_table = _ignore
        self.subscribers.follow_votes(_no_time)


def resume(
    backlog: Backlog,
    rules: Rules,
    at: Millis,
    clock: Clock,
    live_clock: LiveClock,
    ownership: OwnershipCheck,
    metrics: Metrics,
    on_table: Callable[[], None],
) -> DelayedWatchers:
    """The watchers' side of a room that this hub has just taken, at table time `at`.

    Who was connected is not stored: whoever sits there is shown as connected.
    """
    shown = backlog.shown
    table = shown.room.table
    subscribers = Subscribers(rules, shown.room, ("",) * len(table.seats), shown.logged, shown.talk, metrics)
    live = live_clock.now_live()
    first = Publication(
        shown.room,
        Millis(shown.at),
        _follow(table, shown.at, at, live),
        _guess_presence(table),
        vote_left=VOTE_MS,
    )
    watchers = DelayedWatchers(
        subscribers, rules, first, clock, live_clock, ownership, table.watch_delay, on_table
    )
    subscribers.presence = first.presence
    subscribers.stopped_by = "round" if table.watch_delay == "round" else None
    subscribers.show(subscribers.render_again(shown.room, ("",) * len(table.seats), watchers.table_time()))
    before = shown.room
    for held in backlog.held:
        table = held.room.table
        watchers.hold(
            Publication(
                held.room,
                Millis(held.at),
                _follow(table, held.at, at, live),
                _guess_presence(table),
                vote_left=VOTE_MS,
                lines=log.number_lines(before, held.logged),
                talk=held.talk,
                rerendered=True,
            ),
            held.age,
        )
        before = held.room
    watchers.catch_up(backlog.catch_up_ms)
    return watchers


def _follow(table: Table, since: int, at: Millis, live: int) -> TableTime:
    """What table time did after a commit, as measured backwards from the room's table time `at`."""
    if table.status != "running":
        return TableTime(Millis(since), None)
    return TableTime(Millis(max(0, at - GRACE)), live)


def _guess_presence(table: Table) -> m.PresenceSection:
    connected = tuple(seat.person is not None and not seat.substitute for seat in table.seats)
    return m.PresenceSection(connected, 0, table.host_name is not None)


def _no_time(_vote: Vote) -> int:
    return 0


def _ignore() -> None:
    pass
