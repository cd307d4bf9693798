"""A room as an actor begins with it: from the store, or new."""

from __future__ import annotations

from msgspec import Struct

from games.api import Millis
from hub.table.room import Logged, Room
from hub.table.talk import TalkHistory
from hub.wire.messages import TalkMessage


class RoomCheckout(Struct, frozen=True):
    """A room with what its owner needs to go on: its token, its place in the log, its notes and talk."""

    room: Room
    token: str
    sequence: int
    at: Millis
    notes: tuple[str, ...]
    talk_history: TalkHistory
    talk: tuple[TalkMessage, ...] = ()
    logged: tuple[Logged, ...] = ()
