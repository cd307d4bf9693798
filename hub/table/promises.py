"""Promises at a table: making one, what a seat may promise, and who sees which (R30).

games/kit/promises.py says how they are judged.
"""

from __future__ import annotations

from functools import partial

import msgspec

from games.api import Choice, Millis, NewPromise, Outcome, Promise, Refusal, Seat
from games.kit.promises import RULING, list_makeable, refuse, view_private, view_public
from hub.table.lessons import NOT_IN_LESSON
from hub.table.replay import LogEntry
from hub.table.room import (
    Change,
    Room,
    Rules,
    add_promise,
    count_latecomers,
    find_audience,
    has_changed_hands,
    list_holders_promises,
)
from hub.table.speech import talk_policy
from hub.wire import messages as m


def make(
    rules: Rules,
    room: Room,
    seat: Seat,
    request: NewPromise,
    at: Millis,
    command: tuple[int, int] | None = None,
) -> Change | Refusal:
    """Makes a promise, under the talk policy. `command` is the client's (session, n), if any."""
    table, position = room.table, room.position
    if table.status != "running" or position is None or isinstance(position.prompts, Outcome):
        return Refusal("PAUSED" if table.status == "paused" else "NOT_NOW", "GEN-6")
    if table.lesson is not None:
        return NOT_IN_LESSON
    if rules.promises is None:
        return Refusal("NO_SUCH_PROMISE", RULING)
    policy = talk_policy(rules, room, seat)
    if policy.mode == "closed":
        return Refusal("TALK_CLOSED", "GEN-12")
    if request.private and not policy.whispers:
        return Refusal("WHISPERS_OFF", "GEN-9")
    promise = request.promise("", seat, at, room.counts.entries)
    refusal = refuse(
        rules.promises,
        list_holders_promises(room, seat),
        view_public(rules, position.state),
        promise,
        len(table.seats),
        private=view_private(rules, position.state, seat),
        find_audience=partial(find_audience, room),
        holder=1 + count_latecomers(room, (seat,)),
    )
    if refusal is not None:
        return refusal
    entry = LogEntry("promise", seat, None, msgspec.to_builtins(request, order="deterministic"), None, at)
    return add_promise(rules, room, entry, command)


def has_made(room: Room, seat: Seat, promise: NewPromise) -> bool:
    """Whether a seat has promised this, and it is still open."""
    return any(
        other.judgement is None
        and (other.by, other.kind, other.to) == (seat, promise.kind, promise.to)
        and promise.terms.items() <= other.terms.items()  # completed when it was made
        for other in room.promises
    )


def is_published(entry: LogEntry) -> bool:
    """Whether the record of a finished game has this entry: no private promise that stays untold."""
    if entry.kind != "promise":
        return True
    new_promise = msgspec.convert(entry.move, NewPromise)
    return not new_promise.private or new_promise.told


def list_choices(rules: Rules, room: Room, seat: Seat) -> tuple[Choice, ...]:
    """What a seat may promise, even while the table is paused; nothing before or after the game, and nothing
    in a lesson."""
    position = room.position
    if (
        rules.promises is None
        or room.table.lesson is not None
        or position is None
        or isinstance(position.prompts, Outcome)
    ):
        return ()
    return list_makeable(
        rules.promises, list_holders_promises(room, seat), view_public(rules, position.state), seat
    )


def may_see(room: Room, promise: Promise, seat: Seat | None) -> bool:
    """Whether a seat, or a watcher, may know of a promise.

    A private one is for the people who held its seats when it was made, until the game is over.
    """
    if not promise.private or (promise.told and room.table.status == "finished"):
        return True
    if seat is None or seat not in (promise.by, *promise.to):
        return False
    return not has_changed_hands(room, promise, seat)


def list_seen(room: Room, seat: Seat | None) -> tuple[Promise, ...]:
    """The promises that a seat, or a watcher, may know of, the oldest first."""
    return tuple(promise for promise in room.promises if may_see(room, promise, seat))


def promises_section(seen: tuple[Promise, ...]) -> m.PromisesSection:
    """Section `promises` for somebody who may know of these."""
    return m.PromisesSection(tuple(_info(promise) for promise in seen))


def _info(promise: Promise) -> m.PromiseInfo:
    return m.PromiseInfo(
        id=promise.id,
        by=promise.by,
        kind=promise.kind,
        terms=promise.terms,
        at=promise.at,
        to=promise.to,
        private=promise.private,
        told=promise.told,
        judgement=promise.judgement,
        excused=promise.excused,
        cost=promise.cost,
    )
