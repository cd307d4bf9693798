"""Talk at the table and a seat's notes, under the current talk policy.

Watchers talk among themselves. They may talk to the table only where the host chose so (GEN-8).
"""

from __future__ import annotations

from typing import Final

from games.api import Millis, Outcome, Refusal, Remark, Seat, TalkPolicy
from games.kit.remarks import find_fault
from hub.table.room import Change, Room, Rules, Table
from hub.table.seating import bot_name, choose_name, name_of
from hub.wire import messages as m
from hub.wire.names import clean_talk

OPEN_TALK: Final = TalkPolicy("open")
FAULTS: Final = {
    refusal.code: refusal
    for refusal in (
        Refusal("TALK_CLOSED", "GEN-12"),
        Refusal("NO_SUCH_PHRASE", "GEN-12"),
        Refusal("BAD_MOVE", "GEN-12"),
        Refusal("WHISPERS_OFF", "GEN-9"),
        Refusal("NO_SUCH_SEAT", "GEN-1"),
    )
}
"""The refusal of a bot's remark, by the code of its fault."""


def talk_policy(rules: Rules, room: Room, seat: Seat | None) -> TalkPolicy:
    """The talk policy for a seat: while the game runs, the rules decide; then anything may be said.

    Watchers have their own channel.
    """
    if seat is None or room.position is None:
        return OPEN_TALK
    if isinstance(room.position.prompts, Outcome):
        return TalkPolicy("open", tuple(rules.texts.phrases))
    return rules.talk_policy(room.position.state, seat)


def say(rules: Rules, room: Room, seat: Seat, request: m.Say, at: Millis) -> Change | Refusal:
    """Adds a seat's message to the table's talk: its own words, or one of the game's phrases."""
    if request.channel != "table" or (request.text is None) == (request.phrase is None):
        return Refusal("BAD_MOVE", "GEN-12")
    policy = talk_policy(rules, room, seat)
    if policy.mode == "closed":
        return Refusal("TALK_CLOSED", "GEN-12")
    if request.phrase is not None and request.phrase not in policy.phrases:
        return Refusal("NO_SUCH_PHRASE", "GEN-12")
    if request.text is not None and policy.mode == "phrases":
        return Refusal("PHRASES_ONLY", "GEN-12")
    if request.to is not None:
        if not policy.whispers:
            return Refusal("WHISPERS_OFF", "GEN-9")
        if request.to == seat or request.to >= len(room.table.seats):
            return Refusal("NO_SUCH_SEAT", "GEN-1")
    text = None if request.text is None else clean_talk(request.text)
    if request.text is not None and text is None:
        return Refusal("NOTHING_SAID", "GEN-12")
    message = m.TalkMessage(
        channel="table",
        name=name_of(room.table, seat),
        at=at,
        seat=seat,
        to=request.to,
        text=text,
        phrase=request.phrase,
    )
    return Change(room, talk=(message,))


def say_as_bot(rules: Rules, room: Room, seat: Seat, remark: Remark, at: Millis) -> Change | Refusal:
    """Adds a bot's remark to the table's talk.

    It speaks under its own name: a character's, or the bot's if it plays for a person.
    """
    state = room.table.seats[seat]
    if not state.is_played_by_bot:
        return Refusal("NOT_NOW", "GEN-7")
    policy = talk_policy(rules, room, seat)
    fault = find_fault(rules.texts, policy, seat, len(room.table.seats), remark)
    if fault is not None:
        return FAULTS[fault]
    message = m.TalkMessage(
        channel="table",
        name=bot_name(seat) if state.substitute else name_of(room.table, seat),
        at=at,
        seat=seat,
        to=remark.to,
        phrase=remark.key,
        args=remark.args,
        bot=True,
    )
    return Change(room, talk=(message,))


def hears_watchers(table: Table) -> bool:
    """Whether watchers may talk to this table: a private one, whose host chose so, and which they see live.

    Whoever sees a game late answers what is long past, and would be answered with what is not yet theirs.
    """
    return table.hears_watchers and not table.open and table.watch_delay == "none"


def refuse_watcher(rules: Rules, room: Room, request: m.Say) -> Refusal | None:
    """Why a watcher may not say this to the table; None if they may.

    They may whenever every seat may talk freely, so that they never help where the rules ask for silence.
    """
    if not hears_watchers(room.table):
        return Refusal("WATCHERS_UNHEARD", "GEN-8")
    if request.text is None or request.phrase is not None or request.to is not None:
        return Refusal("BAD_MOVE", "GEN-8")
    if any(talk_policy(rules, room, Seat(seat)).mode != "open" for seat in range(len(room.table.seats))):
        return Refusal("TALK_CLOSED", "GEN-12")
    return None if clean_talk(request.text) else Refusal("NOTHING_SAID", "GEN-12")


def say_as_watcher(rules: Rules, room: Room, name: str, request: m.Say, at: Millis) -> Change | Refusal:
    """Adds a watcher's message to the table's talk. A name that looks like a seat's gets a number (R10)."""
    refusal = refuse_watcher(rules, room, request)
    if refusal is not None:
        return refusal
    name = choose_name(room.table, name)
    text = clean_talk(request.text or "")
    return Change(room, talk=(m.TalkMessage(channel="table", name=name, at=at, text=text),))


def note(rules: Rules, room: Room, seat: Seat, text: str) -> Change | Refusal:
    """Replaces a seat's notebook."""
    if talk_policy(rules, room, seat).notes_locked:
        return Refusal("NOTES_LOCKED", "GEN-9")
    if len(text.encode()) > m.MAX_NOTES:
        return Refusal("TOO_LONG", "GEN-9")
    return Change(room, note=(seat, text))
