"""Bots' remarks: which are allowed, and what those who hear them are told.

The hub and `parley simulate` use the same two functions, so bots hear the same in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.api import Argument, Millis, Refusal, Remark, Seat, Spoken, TalkPolicy, Texts

SEAT_ARGUMENTS: Final = frozenset({"seat", "to", "other", "by", "a", "b", "enemy", "ally"})
"""Arguments of a remark that are one seat each; `seats` is a list of seats, as in log lines."""
MAX_TEXT: Final = 40
"""The maximum length of an argument that is text: a word of the catalogue, never free text."""
MAX_LIST: Final = 32


def refuse_remark(texts: Texts, policy: TalkPolicy, seat: Seat, seats: int, remark: Remark) -> Refusal | None:
    """Why the bot in this seat may not say this under its talk policy; None if it may.

    A phrase must be one that the policy offers. Where people may only say phrases, a remark of the catalogue
    is still allowed: what it says is fixed as well.
    """
    if policy.mode == "closed":
        return Refusal("TALK_CLOSED", "GEN-12")
    names = texts.remarks.get(remark.key)
    if names is None and remark.key not in policy.phrases:
        return Refusal("NO_SUCH_PHRASE", "GEN-12")
    if set(remark.args) != set(names or ()):
        return Refusal("BAD_MOVE", "GEN-12")
    if not all(_is_valid(name, value, seat, seats) for name, value in remark.args.items()):
        return Refusal("BAD_MOVE", "GEN-12")
    if remark.to is not None:
        if not policy.whispers:
            return Refusal("WHISPERS_OFF", "GEN-9")
        if not _is_other(remark.to, seat, seats) or remark.args.get("to", remark.to) != remark.to:
            return Refusal("NO_SUCH_SEAT", "GEN-1")
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


def hears(spoken: Spoken, seat: Seat) -> bool:
    """Whether this seat hears it: a whisper is heard by its two seats only."""
    return spoken.to is None or seat in (spoken.seat, spoken.to)
