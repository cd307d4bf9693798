"""A room as its actor receives it: new, or as loaded from the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.api import Millis
from hub.runtime.placement import GameEnded, OtherVersion
from hub.store.store import Ownership
from hub.table.room import Logged, Outdated, Room, Rules, Table, play_on, unpack, unpack_logged, unpack_table
from hub.table.talk import TalkHistory
from hub.table.watch_delay import Backlog
from hub.wire.limits import Opener
from hub.wire.messages import TalkMessage


class RoomCheckout(Struct, frozen=True):
    """A room with the data its owner needs to continue: its token, its position in the log, its notes and
    talk."""

    room: Room
    token: str
    sequence: int
    at: Millis
    live: int
    """What the live clock read at table time `at`, as the store knows it."""
    notes: tuple[str, ...]
    talk_history: TalkHistory
    opener: Opener
    talk: tuple[TalkMessage, ...] = ()
    logged: tuple[Logged, ...] = ()
    backlog: Backlog | None = None
    """What watchers have yet to see, if the table has a watching delay and its game has begun."""


def begin(room: Room, token: str, live: int, opener: Opener) -> RoomCheckout:
    """A new room, created when the live clock read `live`."""
    notes = ("",) * len(room.table.seats)
    return RoomCheckout(room, token, 0, Millis(0), live, notes, TalkHistory(), opener)


def read(snapshot: bytes, rules: Mapping[str, Rules]) -> Room:
    """The room in a snapshot. Raises OtherVersion if these rules cannot read it, GameEnded if none could."""
    try:
        return unpack(snapshot, rules)
    except Outdated as error:
        raise GameEnded from error
    except (KeyError, ValueError) as error:
        raise OtherVersion from error


def read_table(snapshot: bytes) -> Table:
    """The table in a snapshot, whatever its game. Raises OtherVersion if it cannot be read."""
    try:
        return unpack_table(snapshot)
    except ValueError as error:
        raise OtherVersion from error


def restore(
    owned: Ownership, live: int, log: Sequence[bytes], rules: Mapping[str, Rules], opener: Opener
) -> RoomCheckout:
    """A stored room with its whole log, claimed when the live clock read `live`.

    Raises OtherVersion if these rules cannot read or continue it, GameEnded if none could.
    """
    room = read(owned.snapshot, rules)
    try:
        room = play_on(rules[room.table.game], room, map(unpack_logged, owned.entries))
        talk_history, talk = TalkHistory.restore(owned.talk)
        notes = tuple(owned.notes.get(i, b"").decode() for i in range(len(room.table.seats)))
        logged = tuple(map(unpack_logged, log))
    except ValueError as error:
        raise OtherVersion from error
    return RoomCheckout(
        room, owned.token, owned.seq, Millis(owned.at), live, notes, talk_history, opener, talk, logged
    )
