"""Bots' remarks: which are allowed, what those who hear them are told, and when bots may speak.

The hub and `parley simulate` use the same functions, so bots say and hear the same in both. They depend only
on what the seat has read and heard.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from operator import itemgetter
from typing import Final

from games.api import (
    MAX_LINES_SEEN,
    MAX_MESSAGES_SEEN,
    Argument,
    Millis,
    Remark,
    Seat,
    SeenLine,
    Spoken,
    TalkPolicy,
    Texts,
)

SEAT_ARGUMENTS: Final = frozenset({"seat", "to", "other", "by", "a", "b", "enemy", "ally"})
"""Arguments of a remark that are one seat each; `seats` is a list of seats, as in log lines."""
ADDRESS: Final = frozenset({"to"})
MAX_TEXT: Final = 40
"""The maximum length of an argument that is text: a word of the catalogue, never free text."""
MAX_LIST: Final = 32
START: Final = Millis(0)


def find_fault(texts: Texts, policy: TalkPolicy, seat: Seat, seats: int, remark: Remark) -> str | None:
    """The code for why the bot in this seat may not say this under its talk policy; None if it may.

    A phrase must be one that the policy offers. Where people may only say phrases, a remark of the catalogue
    is still allowed: what it says is fixed as well. Its argument `to` may name a seat that its text does not.
    """
    if policy.mode == "closed":
        return "TALK_CLOSED"
    names = texts.remarks.get(remark.key)
    if names is None and remark.key not in policy.phrases:
        return "NO_SUCH_PHRASE"
    if set(remark.args) - ADDRESS != set(names or ()) - ADDRESS or not set(names or ()) <= set(remark.args):
        return "BAD_MOVE"
    if not all(_is_valid(name, value, seat, seats) for name, value in remark.args.items()):
        return "BAD_MOVE"
    if remark.to is not None:
        if not policy.whispers:
            return "WHISPERS_OFF"
        if not _is_other(remark.to, seat, seats) or remark.args.get("to", remark.to) != remark.to:
            return "NO_SUCH_SEAT"
    return None


def _is_valid(name: str, value: Argument, seat: Seat, seats: int) -> bool:
    if name == "to":
        return _is_other(value, seat, seats)
    if name in SEAT_ARGUMENTS:
        return _is_seat(value, seats)
    if isinstance(value, str):
        return len(value) <= MAX_TEXT
    if isinstance(value, Sequence):
        return len(value) <= MAX_LIST and all(
            _is_seat(item, seats) if name == "seats" else isinstance(item, int) or len(item) <= MAX_TEXT
            for item in value
        )
    return name != "seats"


def _is_seat(value: Argument, seats: int) -> bool:
    return isinstance(value, int) and 0 <= value < seats


def _is_other(value: Argument, seat: Seat, seats: int) -> bool:
    return _is_seat(value, seats) and value != seat


def hear(remark: Remark, seat: Seat, at: Millis) -> Spoken:
    """What those who hear a bot's remark are told, itself included."""
    return Spoken(seat, remark.to, remark.key, remark.args, at, bot=True)


def is_heard(spoken: Spoken, seat: Seat, *, whispers: bool = True) -> bool:
    """Whether this seat hears it: a whisper is heard by its two seats only."""
    return spoken.to is None or (whispers and seat in (spoken.seat, spoken.to))


class SpokenMemory:
    """What was said at a table in parts: the last of each speaker to each audience.

    So no whisper makes anybody forget what was said aloud, and nobody's talk what another has said (G4).
    """

    __slots__ = ("_count", "_heard", "_rings")

    def __init__(self) -> None:
        self._count = 0
        self._rings: dict[tuple[Seat, Seat | None], deque[tuple[int, Spoken]]] = {}
        self._heard: dict[tuple[Seat, bool], tuple[Spoken, ...]] = {}

    def add(self, spoken: Spoken) -> None:
        self._count += 1
        ring = self._rings.setdefault((spoken.seat, spoken.to), deque(maxlen=MAX_MESSAGES_SEEN))
        ring.append((self._count, spoken))
        for seat, whispers in [key for key in self._heard if is_heard(spoken, key[0], whispers=key[1])]:
            del self._heard[seat, whispers]

    def list_heard(self, seat: Seat, *, whispers: bool = True) -> tuple[Spoken, ...]:
        """What this seat has heard, oldest first; without `whispers`, only what everybody has."""
        heard = self._heard.get((seat, whispers))
        if heard is None:
            items = [
                item
                for ring in self._rings.values()
                for item in ring
                if is_heard(item[1], seat, whispers=whispers)
            ]
            heard = tuple(spoken for _, spoken in sorted(items, key=itemgetter(0)))
            self._heard[seat, whispers] = heard
        return heard


class LineMemory:
    """The log lines that one seat has read: the last of all, and the last public ones.

    So no private line makes its bot forget a public one (G4).
    """

    __slots__ = ("_count", "_lines", "_public", "_recent")

    def __init__(self, lines: Iterable[SeenLine] = ()) -> None:
        self._count = 0
        self._recent: deque[tuple[int, SeenLine]] = deque(maxlen=MAX_LINES_SEEN)
        self._public: deque[tuple[int, SeenLine]] = deque(maxlen=MAX_LINES_SEEN)
        self._lines: tuple[SeenLine, ...] | None = None
        for line in lines:
            self.add(line)

    def add(self, line: SeenLine) -> None:
        self._count += 1
        self._recent.append((self._count, line))
        if line.to is None:
            self._public.append((self._count, line))
        self._lines = None

    def list_lines(self) -> tuple[SeenLine, ...]:
        """Oldest first."""
        if self._lines is None:
            items = {number: line for ring in (self._public, self._recent) for number, line in ring}
            self._lines = tuple(items[number] for number in sorted(items))
        return self._lines


# --- when bots speak ---

MIN_PAUSE_MS: Final = 8_000
"""The least table time between two remarks of one bot."""
ANSWERED_WITHIN_MS: Final = 15_000
"""Bots answer nothing that was said longer ago."""
MAX_ANSWERS: Final = 2
"""The number of answers in a row that bots give without a move of the game, or a word from a person, between.

A remark that comes with a move, or anything that a person says, starts such a chain.
"""


def find_unanswered(messages: Sequence[Spoken], seat: Seat, at: Millis) -> Spoken | None:
    """The last thing said to this seat, or to everybody, that it has not spoken after; None if that is long
    ago."""
    for spoken in reversed(messages):
        if spoken.seat == seat or spoken.at < at - ANSWERED_WITHIN_MS:
            return None
        if spoken.addressee in (None, seat):
            return spoken
    return None


def find_event(lines: Sequence[SeenLine], keys: Collection[str], at: Millis) -> SeenLine | None:
    """The last public line with one of these keys, about which bots are asked; None if it is long ago."""
    for line in reversed(lines):
        if line.at < at - ANSWERED_WITHIN_MS:
            return None
        if line.to is None and line.key in keys:
            return line
    return None


def may_answer(lines: Sequence[SeenLine], messages: Sequence[Spoken]) -> bool:
    """Whether bots may go on answering each other, as far as one seat has heard.

    Lines that not everybody reads neither end an exchange nor begin one: what bots say aloud would show them
    (G4).
    """
    moved = next((line.at for line in reversed(lines) if line.to is None), START)
    answers = 0
    for spoken in reversed(messages):
        if not spoken.bot:
            return answers < MAX_ANSWERS
        if spoken.at < moved:
            break
        answers += 1
    return answers <= MAX_ANSWERS


def find_silence(messages: Sequence[Spoken], seat: Seat, at: Millis) -> Millis:
    """How much longer this seat must stay silent after what it said last."""
    last = next((spoken.at for spoken in reversed(messages) if spoken.seat == seat), None)
    return START if last is None else Millis(max(START, last + MIN_PAUSE_MS - at))
