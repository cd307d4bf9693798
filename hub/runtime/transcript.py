"""The messages that a person at a table has heard, for a report: never more than those.

Talk at the table is kept per audience (hub/runtime/subscribers.py). Talk among watchers is not part of any
view, so a watcher has heard only the messages since they came.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable
from operator import attrgetter
from typing import Final

import msgspec
from msgspec import Struct

from hub.wire.messages import TalkMessage

REMEMBERED: Final = 80
"""The number of watchers' messages that are kept."""

_decode = msgspec.msgpack.Decoder(TalkMessage).decode


class _Remark(Struct, frozen=True):
    """A watcher's message, its number, and the id of the person who said it."""

    number: int
    person: str
    message: TalkMessage


class WatchersTalk:
    """The latest talk among a room's watchers, and the point from which each of them has been listening."""

    __slots__ = ("_arrivals", "_count", "_remarks", "_speakers")

    def __init__(self) -> None:
        self._count = 0
        self._remarks: deque[_Remark] = deque(maxlen=REMEMBERED)
        self._arrivals: dict[str, list[int]] = {}
        """By person: the number of messages before they came, and the number of their sockets."""
        self._speakers: deque[tuple[str, str]] = deque(maxlen=REMEMBERED)
        """The names and ids of watchers who talked to the table, oldest first."""

    def come(self, person: str) -> None:
        self._arrivals.setdefault(person, [self._count, 0])[1] += 1

    def leave(self, person: str) -> None:
        arrival = self._arrivals[person]
        arrival[1] -= 1
        if arrival[1] == 0:
            del self._arrivals[person]

    def say(self, person: str, message: TalkMessage) -> None:
        self._remarks.append(_Remark(self._count, person, message))
        self._count += 1

    def list_messages(self, person: str) -> list[TalkMessage]:
        """The messages since this person came, oldest first."""
        arrival = self._arrivals.get(person)
        if arrival is None:
            return []
        return [remark.message for remark in self._remarks if remark.number >= arrival[0]]

    def find_speaker(self, name: str) -> str | None:
        """The id of the person who last talked under this name, to the watchers or to the table."""
        remarks = ((remark.message.name, remark.person) for remark in reversed(self._remarks))
        return next(
            (person for speaker, person in (*remarks, *reversed(self._speakers)) if speaker == name), None
        )

    def note_speaker(self, person: str, name: str) -> None:
        """Remembers who talked to the table under this name."""
        if (name, person) not in self._speakers:
            self._speakers.append((name, person))


def merge_talk(table: Iterable[bytes], watchers: list[TalkMessage], most: int) -> tuple[TalkMessage, ...]:
    """The last messages of both lists together, oldest first; those said at the table are packed."""
    messages = heapq.merge(map(_decode, table), watchers, key=attrgetter("at"))
    return tuple(messages)[-most:]
