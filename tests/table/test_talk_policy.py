"""Talk, whispers and notes, as the rules' talk policy permits them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from games.api import Outcome, Refusal, Seat, TalkPolicy
from hub.table import speech
from hub.table.room import Change, Room
from hub.table.views import table_section
from hub.wire import messages as m
from tests.table.almost_rooms import NOW, RULES, act, done, lines, refused, running, seated

# --- talk ---


def say(room: Room, seat: int, **said: Any) -> Change | Refusal:
    return speech.say(RULES, room, Seat(seat), m.Say(0, 0, **{"channel": "table", **said}), NOW)


PHRASE = sorted(ALMOST.texts.phrases)[0]


class FixedTalkPolicy:
    """Rules with a given talk policy."""

    texts = ALMOST.texts

    def __init__(self, allowed: TalkPolicy) -> None:
        self.allowed = allowed

    def talk_policy(self, state: Any, seat: Any) -> TalkPolicy:
        return self.allowed


def test_talk_before_the_start() -> None:
    """GEN-12: everybody may talk, under the name of their seat."""
    change = say(seated("ann", "bea"), 1, text="hello")
    assert isinstance(change, Change)
    assert change.talk == (m.TalkMessage(channel="table", name="Bea", at=NOW, seat=1, text="hello"),)
    assert refused(say(seated("ann"), 0, phrase=PHRASE)) == "NO_SUCH_PHRASE"
    assert refused(say(seated("ann", "bea"), 0, text="psst", to=1)) == "WHISPERS_OFF"


@pytest.mark.parametrize(
    ("said", "open_to", "phrases", "closed"),
    [
        ({"text": "x"}, None, "PHRASES_ONLY", "TALK_CLOSED"),
        ({"phrase": PHRASE}, None, None, "TALK_CLOSED"),
        ({"phrase": "made.up"}, "NO_SUCH_PHRASE", "NO_SUCH_PHRASE", "TALK_CLOSED"),
        ({"text": "x", "phrase": PHRASE}, "BAD_MOVE", "BAD_MOVE", "BAD_MOVE"),
        ({}, "BAD_MOVE", "BAD_MOVE", "BAD_MOVE"),
        ({"text": "\u202e\x00"}, "NOTHING_SAID", "PHRASES_ONLY", "TALK_CLOSED"),
        ({"text": "x", "channel": "watchers"}, "BAD_MOVE", "BAD_MOVE", "BAD_MOVE"),
    ],
)
def test_the_rules_policy(said: Any, open_to: str | None, phrases: str | None, closed: str) -> None:
    """GEN-12"""
    for talk, expected in (("open", open_to), ("phrases", phrases), ("closed", closed)):
        rules: Any = FixedTalkPolicy(TalkPolicy(talk, (PHRASE,)))  # type: ignore[arg-type]
        result = speech.say(rules, running(), Seat(1), m.Say(0, 0, **{"channel": "table", **said}), NOW)
        assert (result.code if isinstance(result, Refusal) else None) == expected


def test_nothing_in_talk_hides_or_reverses_other_text() -> None:
    """T6"""
    change = say(seated("ann", "bea"), 0, text="\u202eten\x07\nfor you")
    assert isinstance(change, Change)
    assert change.talk[0].text == "ten for you"


def test_whispers() -> None:
    """G4.6, GEN-9, ALM-9: whispers need the rules' permission, and go only to another existing seat."""
    quiet, whispering = running(), running(whispers=True)
    assert say(quiet, 0, text="psst", to=1) == Refusal("WHISPERS_OFF", "GEN-9")
    change = say(whispering, 0, text="psst", to=1)
    assert isinstance(change, Change)
    assert change.talk[0].to == 1
    for to in (0, 4, 99):
        assert refused(say(whispering, 0, text="psst", to=to)) == "NO_SUCH_SEAT"


def test_the_talk_policy_of_watchers_and_after_the_end() -> None:
    """GEN-8, GEN-12: watchers always have their own channel; after the end all may talk, also in phrases."""
    room = running()
    assert room.position is not None
    rules: Any = FixedTalkPolicy(TalkPolicy("closed", notes_locked=True))
    assert speech.talk_policy(rules, room, None).mode == "open"
    assert speech.talk_policy(rules, room, Seat(0)).mode == "closed"
    assert speech.talk_policy(rules, seated("ann"), Seat(0)).mode == "open"
    over = replace(room, position=replace(room.position, prompts=Outcome((Seat(0),), (1, 0, 0, 0))))
    after = speech.talk_policy(rules, over, Seat(0))
    assert after.mode == "open"
    assert PHRASE in after.phrases
    assert speech.talk_policy(rules, over, None).phrases == ()


# --- watchers ---


def private(room: Room, **table: Any) -> Room:
    return replace(room, table=replace(room.table, open=False, **table))


def tell(room: Room, name: str = "Wil", **said: Any) -> Change | Refusal:
    return speech.say_as_watcher(RULES, room, name, m.Say(0, 0, **{"channel": "table", **said}), NOW)


def test_a_table_hears_watchers_only_if_its_host_chose_so_before_the_start() -> None:
    """GEN-8, R24: the host of a private table alone, and everybody reads it."""
    waiting = private(seated("ann", "bea"))
    assert refused(tell(waiting, text="hi")) == "WATCHERS_UNHEARD"
    assert refused(act(seated("ann"), 0, m.HearWatchers(on=True))) == "OPEN_TABLE"
    assert refused(act(waiting, 1, m.HearWatchers(on=True))) == "NOT_HOST"
    change = act(waiting, 0, m.HearWatchers(on=True))
    assert lines(change) == [("table.watchers_heard", {})]
    heard = done(change)
    assert lines(act(heard, 0, m.HearWatchers(on=True))) == []
    said = tell(heard, text="hi")
    assert isinstance(said, Change)
    assert said.talk == (m.TalkMessage(channel="table", name="Wil", at=NOW, text="hi"),)
    started = done(act(heard, 0, m.Start()))
    assert refused(act(started, 0, m.HearWatchers(on=False))) == "NOT_NOW"
    for other in (
        replace(heard, table=replace(heard.table, watch_delay="30s")),
        replace(started, table=replace(started.table, open=True)),
    ):
        assert refused(tell(other, text="hi")) == "WATCHERS_UNHEARD"
        assert not table_section(other.table).hears_watchers
    assert table_section(started.table).hears_watchers


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"text": "psst", "to": 0}, "BAD_MOVE"),
        ({"phrase": PHRASE}, "BAD_MOVE"),
        ({"text": "x", "phrase": PHRASE}, "BAD_MOVE"),
        ({"text": "\u202e\x00"}, "NOTHING_SAID"),
    ],
)
def test_watchers_say_words_to_everybody(said: Any, code: str) -> None:
    assert refused(tell(private(seated("ann"), hears_watchers=True), **said)) == code


def test_watchers_are_silent_while_any_seat_has_to_be() -> None:
    """GEN-12: in the phase of bids, nobody talks."""
    discussing = private(running(discussion="untilReady"), hears_watchers=True)
    assert isinstance(tell(discussing, text="hi"), Change)
    bidding = private(running(discussion="none"), hears_watchers=True)
    assert refused(tell(bidding, text="hi")) == "TALK_CLOSED"


def test_a_watcher_never_talks_under_a_seats_name() -> None:
    """R10"""
    change = tell(private(seated("ann"), hears_watchers=True), "\u0410nn", text="hi")
    assert isinstance(change, Change)
    assert change.talk[0].name == "\u0410nn 2"


# --- notes ---


def test_notes() -> None:
    """GEN-9: notes are kept whole, up to 4 KB of UTF-8, unless the rules lock them."""
    room = running()
    change = speech.note(RULES, room, Seat(2), "Bea lies")
    assert isinstance(change, Change)
    assert change.note == (2, "Bea lies")
    assert change.room is room
    assert isinstance(speech.note(RULES, room, Seat(2), "é" * 2048), Change)
    assert refused(speech.note(RULES, room, Seat(2), "é" * 2049)) == "TOO_LONG"
    locked: Any = FixedTalkPolicy(TalkPolicy("open", notes_locked=True))
    assert refused(speech.note(locked, room, Seat(2), "x")) == "NOTES_LOCKED"
