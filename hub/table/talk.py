"""A room's talk as stored: the last messages for each audience, no matter what other audiences say.

Talk to everybody is one audience; each pair of seats that whisper is another. Each audience has its own ring
of slots, so that whispers do not displace what others hear, since that would reveal them (G4). What bots
understand (phrases and remarks) has a ring for each speaker and audience, so that nobody's free text makes a
bot forget what it has said.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Final, Self

import msgspec

from games.api import MAX_MESSAGES_SEEN, Millis, Seat, Spoken
from hub.wire.messages import TalkMessage

MESSAGES_KEPT: Final = 80
"""Messages in a speaker's own words kept for each audience."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[int, TalkMessage]).decode


class TalkHistory:
    """The slots of one room's talk: `<audience>:<slot>` to (order in the room, message), packed."""

    def __init__(self) -> None:
        """Creates the history for a room in which nothing has been said yet."""
        self._order = 0
        self._last: dict[str, int] = {}
        """The last slot used for each audience."""

    @classmethod
    def restore(cls, slots: Mapping[bytes, bytes]) -> tuple[Self, tuple[TalkMessage, ...]]:
        """The history and its messages, oldest first, from stored slots. Raises ValueError if damaged."""
        ordered = sorted(((*_decode(data), slot) for slot, data in slots.items()), key=itemgetter(0))
        history = cls()
        for order, _, name in ordered:
            audience, _, slot = name.decode().partition(":")
            history._order, history._last[audience] = order, int(slot)
        return history, tuple(message for _, message, _ in ordered)

    def store(self, message: TalkMessage) -> tuple[bytes, bytes]:
        """The slot that this message takes, and what to store there."""
        audience = _audience(message)
        kept = MESSAGES_KEPT if message.phrase is None else MAX_MESSAGES_SEEN
        slot = self._last[audience] = (self._last.get(audience, -1) + 1) % kept
        self._order += 1
        return f"{audience}:{slot}".encode(), _encode((self._order, message))


def read_message(stored: bytes) -> TalkMessage:
    """The message in a slot. Raises ValueError if it is damaged."""
    return _decode(stored)[1]


def _audience(message: TalkMessage) -> str:
    """`all`, the two seats of a whisper, or who speaks in parts to whom: `2.all`, `2.0`."""
    if message.phrase is not None and message.seat is not None:
        return f"{message.seat}.{'all' if message.to is None else message.to}"
    if message.to is None or message.seat is None:
        return "all"
    return "-".join(map(str, sorted((message.seat, message.to))))


def read_parts(message: TalkMessage) -> Spoken | None:
    """A message as bots understand it; None if it is in a person's own words."""
    if message.phrase is None or message.seat is None:
        return None
    to = None if message.to is None else Seat(message.to)
    return Spoken(Seat(message.seat), to, message.phrase, message.args, Millis(message.at), bot=message.bot)
