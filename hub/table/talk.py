"""What was said at a table, as it is kept: of each audience's talk the last, whatever others said meanwhile.

Talk to everybody is one audience, each pair that whispers another. An audience's talk goes round in slots of
its own, so that whispers push nothing out of what others hear: how much comes back would tell of them (G4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self

import msgspec

from hub.wire.messages import TalkMessage

KEPT: Final = 80
"""Things said that are kept for each audience."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[int, TalkMessage]).decode


class Kept:
    """The slots of one room's talk: `<audience>:<slot>` to (order in the room, what was said), packed."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self._order = 0
        self._last: dict[str, int] = {}
        """The slot each audience's talk has reached."""

    @classmethod
    def restored(cls, stored: Mapping[bytes, bytes]) -> tuple[Self, tuple[TalkMessage, ...]]:
        """As it is stored, and what was said, oldest first. Raises ValueError for what cannot be read."""
        found = sorted(((*_decode(data), slot) for slot, data in stored.items()), key=lambda each: each[0])
        kept = cls()
        for order, _, name in found:
            audience, _, slot = name.decode().partition(":")
            kept._order, kept._last[audience] = order, int(slot)
        return kept, tuple(line for _, line, _ in found)

    def keep(self, line: TalkMessage) -> tuple[bytes, bytes]:
        """Where this is to be stored, and as what."""
        audience = _audience(line)
        slot = self._last[audience] = (self._last.get(audience, -1) + 1) % KEPT
        self._order += 1
        return f"{audience}:{slot}".encode(), _encode((self._order, line))


def _audience(line: TalkMessage) -> str:
    """Everybody, or the two seats of a whisper."""
    if line.to is None or line.seat is None:
        return "all"
    return "-".join(map(str, sorted((line.seat, line.to))))
