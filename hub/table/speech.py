"""A seat's talk and notes, under the current talk policy."""

from __future__ import annotations

from typing import Final

from games.api import Millis, Outcome, Refusal, Seat, TalkPolicy
from hub.table.room import Change, Room, Rules
from hub.table.seating import bot_name, name_of
from hub.wire import messages as m
from hub.wire.names import clean_talk

OPEN_TALK: Final = TalkPolicy("open")


def talk_policy(rules: Rules, room: Room, seat: Seat | None) -> TalkPolicy:
    """The talk policy for a seat: the rules decide while the game runs. Watchers have their own channel."""
    if seat is None or room.position is None or isinstance(room.position.prompts, Outcome):
        return OPEN_TALK
    return rules.talk_policy(room.position.state, seat)


def say(
    rules: Rules, room: Room, seat: Seat, request: m.Say, at: Millis, *, bot: bool = False
) -> Change | Refusal:
    """Adds a seat's message to the table's talk: its own words, or one of the game's phrases.

    `bot`: a bot speaks, under its own name even if it plays for a person.
    """
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
        name=bot_name(seat) if bot else name_of(room.table, seat),
        at=at,
        seat=seat,
        to=request.to,
        text=text,
        phrase=request.phrase,
        bot=bot,
    )
    return Change(room, talk=(message,))


def note(rules: Rules, room: Room, seat: Seat, text: str) -> Change | Refusal:
    """Replaces a seat's notebook."""
    if talk_policy(rules, room, seat).notes_locked:
        return Refusal("NOTES_LOCKED", "GEN-9")
    if len(text.encode()) > m.MAX_NOTES:
        return Refusal("TOO_LONG", "GEN-9")
    return Change(room, note=(seat, text))
