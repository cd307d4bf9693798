"""The watching delay: people without a seat see a game as it was some time ago (GEN-8).

Nothing is delayed before the start, which begins with the exchange of salts. From then on, each commit of
the room waits until it is as old as the table's delay. What waits can be told from what is stored: the log
has the moves with their table time, and the table keeps its own earlier values (`Table.past`). So whoever
takes the room continues the delay.

Nothing is ever taken for older than it is: table time stops when nobody owns the room, and the clocks of two
hubs may differ by a minute (T4). A new owner may therefore show things later than the last one would have. It
keeps watchers waiting until it shows everything that they may have seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from games.api import Millis
from hub.table.room import Logged, PastTable, Room, Rules, Table, abandon, replay_entry
from hub.table.table_time import GRACE
from hub.wire.messages import TalkMessage, WatchDelay

DELAY_MS: Final[Mapping[WatchDelay, int]] = {"30s": 30_000, "2min": 120_000, "10min": 600_000}
"""The delays by time. Until a round has ended, everything in it waits, however old it is."""
CLOCK_TOLERANCE_MS: Final = 60_000
"""How far the wall clocks of two hubs may differ (T4)."""
MAX_PAST: Final = 32
"""How many earlier values a table keeps; if there are more, watchers do not see the last ones of them."""
FOREVER: Final = 2**53
STARTED: Final = "table.started"


def is_delayed(table: Table) -> bool:
    """Whether people without a seat see less than the present."""
    return table.watch_delay != "none" and (table.status != "waiting" or table.exchange is not None)


# --- rounds ---


def has_rounds(rules: Rules) -> bool:
    """Whether a game names rounds: in the field `round` of its section `stage`."""
    stage = rules.sections.get("stage")
    return stage is not None and "round" in stage.__struct_fields__


def ends_round(rules: Rules, before: Room, after: Room) -> bool:
    """Whether a round has ended between two values of a room, or there is no more game to wait for."""
    if after.table.status == "finished":
        return True
    try:
        return _find_round(rules, before) != _find_round(rules, after)
    except Exception:  # noqa: BLE001 - a bug in a view, which is logged when it is rendered
        return False


def _find_round(rules: Rules, room: Room) -> int | None:
    if room.position is None:
        return None
    stage: Any = rules.public(room.position.state)["stage"].data
    return int(stage.round)


# --- what a table keeps ---


def keep_past(rules: Rules, before: Room, after: Room, at: Millis, wall: int) -> Room:
    """`after`, whose table remembers the one in `before` while watchers may have to see it.

    `at` is table time, and `wall` the owner's wall clock in milliseconds.
    """
    if not is_delayed(after.table):
        return after
    past = before.table.past
    if after.table.watch_delay == "round":
        if ends_round(rules, before, after):
            return replace(after, table=replace(after.table, past=())) if past else after
    else:
        keep_ms = DELAY_MS[after.table.watch_delay] + 2 * CLOCK_TOLERANCE_MS
        past = tuple(table for table in past if wall - table.wall < keep_ms)
    if after.table is before.table:
        return after
    replaced_at = max(wall, before.table.past[-1].wall if before.table.past else 0)
    counts = after.counts
    last = PastTable(replace(before.table, past=()), replaced_at, at, counts.entries, counts.lines)
    if len(past) == MAX_PAST:  # the table before this one stands for this one, too
        last, past = replace(last, table=past[-1].table), past[:-1]
    return replace(after, table=replace(after.table, past=(*past, last)))


def find_shown(table: Table, wall: int) -> Table:
    """The table that people without a seat may see of a stored room, according to this hub's wall clock.

    Its owner may show more already.
    """
    for past in table.past:
        if table.watch_delay == "round" or (
            wall - past.wall - CLOCK_TOLERANCE_MS < DELAY_MS[table.watch_delay]
        ):
            return past.table
    return table


# --- what a new owner shows ---


class HeldCommit(Struct, frozen=True):
    """Something that people without a seat see once it is old enough: a room, and what is new in it.

    It was committed at least `age` milliseconds ago, at table time `at`. By the wall clock alone, that was at
    most `max_age` milliseconds ago.
    """

    age: int
    at: int
    room: Room
    logged: tuple[Logged, ...] = ()
    talk: tuple[TalkMessage, ...] = ()
    max_age: int = FOREVER


class Backlog(Struct, frozen=True):
    """What people without a seat see when a new owner takes a room, and what they have yet to see.

    `shown` has all lines and talk up to then. After `catch_up_ms` they see everything that the last owner can
    have shown.
    """

    shown: HeldCommit
    held: tuple[HeldCommit, ...]
    catch_up_ms: int = 0


def rebuild(
    rules: Rules, room: Room, logged: Sequence[Logged], talk: Sequence[TalkMessage], at: Millis, wall: int
) -> Backlog:
    """The backlog of a stored room, from its whole log. `at` is table time, `wall` the wall clock.

    If these rules cannot replay the log, nothing of the game is shown before the whole delay is over.
    """
    try:
        commits = list(_replay(rules, room, _measure(room, logged, talk, at, wall)))
    except Exception:  # noqa: BLE001 - the rules of another version, or a bug in them
        counts = replace(room.counts, entries=0, lines=0)
        first = room.table.past[0].table if room.table.past else room.table
        begin = Room(first, counts, None)
        everything = HeldCommit(0, at, room, tuple(logged), tuple(talk))
        return Backlog(HeldCommit(FOREVER, 0, begin), (everything,))
    old = commits[: _count_shown(rules, commits, room.table.watch_delay)]
    shown = replace(
        old[-1],
        logged=tuple(record for commit in old for record in commit.logged),
        talk=tuple(message for commit in old for message in commit.talk),
    )
    catch_up_ms = _count_catch_up(commits, len(old), room.table, at)
    return Backlog(shown, tuple(commits[len(old) :]), catch_up_ms)


def _count_catch_up(commits: Sequence[HeldCommit], shown: int, table: Table, at: Millis) -> int:
    """Milliseconds until everything is shown that the last owner can have shown, who knew its age better.

    `shown`: how many of the commits are shown already.
    """
    if table.watch_delay == "round":
        return 0
    delay = DELAY_MS[table.watch_delay]
    statuses = {table.status, commits[shown - 1].room.table.status}
    catch_up = GRACE if "running" in statuses else 0  # table time may be that far behind
    oldest = [commit.max_age for commit in commits]
    max_age, later = 0, int(at)
    for i, commit in reversed([*enumerate(commits)]):
        runs = commit.room.table.status == "running"  # otherwise, table time does not tell how long it was
        oldest[i] = max_age = min(oldest[i], max_age + later - commit.at if runs else FOREVER)
        later = commit.at
    for max_age, commit in zip(accumulate(oldest, min), commits, strict=True):
        if max_age >= delay > commit.age:
            catch_up = max(catch_up, delay - commit.age)
    return catch_up


def _count_shown(rules: Rules, commits: Sequence[HeldCommit], delay: WatchDelay) -> int:
    if delay != "round":
        return sum(commit.age >= DELAY_MS[delay] for commit in commits)
    shown = 1
    for i, (before, after) in enumerate(pairwise(commits), start=1):
        if ends_round(rules, before.room, after.room):
            shown = i + 1
    return shown


def _measure(
    room: Room, logged: Sequence[Logged], talk: Sequence[TalkMessage], at: Millis, wall: int
) -> Sequence[HeldCommit]:
    """All commits of a room, oldest first, with their ages. Their rooms have the right table, but no game.

    The first commit is always old enough to be shown: it is the table before the game or, if that is no
    longer kept, at the game's setup.
    """
    commits = (*_measure_log(room, logged, at, wall), *_measure_talk(room, talk, at))
    return _order_ages(sorted(commits, key=attrgetter("at")))


def _measure_log(room: Room, logged: Sequence[Logged], at: Millis, wall: int) -> Sequence[HeldCommit]:
    """What was logged, and the changes of the table: what is logged at the same time belongs to a change."""
    changes = room.table.past
    tables = (*(past.table for past in changes), replace(room.table, past=()))
    commits = [HeldCommit(FOREVER, 0, Room(tables[0], room.counts, None))]
    first = 1
    """The commits before this index do not belong to the current table."""
    i = count = 0
    for record in (*logged, None):
        while i < len(changes) and (record is None or count >= changes[i].entries + changes[i].lines):
            change = changes[i]
            together: tuple[Logged, ...] = ()
            while len(commits) > first and commits[-1].at == change.at:
                together = (*commits.pop().logged, *together)
            i += 1
            age = max(at - GRACE - change.at, wall - change.wall - CLOCK_TOLERANCE_MS, 0)
            max_age = max(age, wall - change.wall + CLOCK_TOLERANCE_MS)
            changed = Room(tables[i], room.counts, None)
            commits.append(HeldCommit(age, change.at, changed, together, max_age=max_age))
            first = len(commits)
        if record is None:
            break
        count += (record.entry is not None) + sum(line.to is None for line in record.lines)
        if len(commits) == 1 and not _has_begun(tables[0], commits[0].logged, record):
            commits[0] = replace(commits[0], logged=(*commits[0].logged, record))
        else:
            blank = Room(tables[i], room.counts, None)
            commits.append(HeldCommit(max(0, at - GRACE - record.at), record.at, blank, (record,)))
    return commits


def _measure_talk(room: Room, talk: Sequence[TalkMessage], at: Millis) -> Sequence[HeldCommit]:
    """What was said to everybody."""
    return [
        HeldCommit(max(0, at - GRACE - message.at), message.at, room, talk=(message,))
        for message in talk
        if message.to is None
    ]


def _has_begun(table: Table, before: Sequence[Logged], record: Logged) -> bool:
    """Whether an entry comes after what the oldest known table showed from the first."""
    if table.status == "waiting":
        return any(line.key == STARTED for line in record.lines)
    return any(earlier.entry is not None for earlier in before)


def _order_ages(commits: Sequence[HeldCommit]) -> Sequence[HeldCommit]:
    """The commits, each at least as old as the next ones and the table time until them.

    At a takeover, table time may get ahead of the time that has passed, by up to `GRACE`.
    """
    ordered: list[HeldCommit] = []
    age = latest = 0
    for commit in reversed(commits):
        age = max(age, commit.age, latest - GRACE - commit.at)
        latest = max(latest, commit.age + commit.at)
        ordered.append(replace(commit, age=age))
    return ordered[::-1]


def _replay(rules: Rules, room: Room, commits: Sequence[HeldCommit]) -> Iterator[HeldCommit]:
    """The commits with their rooms. Raises whatever the rules raise, and ValueError for another result."""
    table = commits[0].room.table
    current = Room(room.table, replace(room.counts, draws=0, entries=0, lines=0), None)
    for commit in commits:
        if not commit.talk:
            table = commit.room.table
        lines = current.counts.lines
        for record in commit.logged:
            lines += sum(line.to is None for line in record.lines)
            if record.entry is not None:
                change = replay_entry(rules, current, record.entry, record.lines)
                current = replace(change.room, table=room.table)
        current = replace(current, counts=replace(current.counts, lines=lines))
        position = current.position
        if table.abandoned and position is not None:
            position = abandon(position)
        yield replace(commit, room=replace(current, table=table, position=position))
    if room.position is not None and (
        current.position is None or current.position.state != room.position.state
    ):
        raise ValueError("the log leads to another state")
