"""Bots as characters: who sits down, under which name, and what they may say."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from games.api import Millis, Refusal, Remark, Seat, TalkPolicy, Texts
from games.kit.characters import (
    BY_KEY,
    CHARACTERS,
    cast_levels,
    choose_character,
    find_character,
    unnamed,
)
from games.kit.remarks import SpokenMemory, find_fault
from hub.table import actions, seating, speech
from hub.table.room import Change, Room, Rules
from hub.table.talk import MESSAGES_KEPT, TalkHistory, read_parts
from hub.table.views import table_section
from hub.wire import messages as m

LEVELS = ("easy", "normal", "hard")


def new_room(seats: int = 10, seed: bytes = b"s" * 32, rules: Rules = ALMOST) -> Room:
    return actions.create(
        rules, "R" * 22, "BCDFGH", seats, rules.Options(), seed, name_keys=[bytes(16)] * seats, open=True
    )


def add(room: Room, seat: int, level: str) -> Room:
    change = seating.add_bot(room, seat, level, LEVELS, Millis(0))
    assert isinstance(change, Change)
    return change.room


def test_three_characters_play_at_each_level_and_no_two_are_alike() -> None:
    for level in LEVELS:
        tempers = [character.temper for character in CHARACTERS if character.level == level]
        assert len(tempers) == len(set(tempers)) == 3
        honesty = sorted(temper.honesty for temper in tempers)
        assert honesty[0] < 50 < 90 <= honesty[-1]
    assert len(BY_KEY) == len({character.name for character in CHARACTERS}) == 9
    for character in CHARACTERS:
        assert character.key == character.name.lower()
        assert all(0 <= value <= 100 for value in msgspec.structs.astuple(character.temper))


def test_bots_sit_down_as_characters_of_their_level() -> None:
    room = new_room()
    for seat in range(3):
        room = add(room, seat, "hard")
    seats = room.table.seats[:3]
    assert {BY_KEY[seat.character or ""].level for seat in seats} == {"hard"}
    assert len({seat.character for seat in seats}) == 3
    assert [seat.name for seat in seats] == [BY_KEY[seat.character or ""].name for seat in seats]
    assert [seat.character for seat in table_section(room.table).seats[:3]] == [
        seat.character for seat in seats
    ]


def test_other_characters_fill_in_once_all_of_a_level_sit_there() -> None:
    room = new_room()
    for seat in range(10):
        room = add(room, seat, "normal")
    keys = [seat.character for seat in room.table.seats]
    assert {BY_KEY[key].level for key in keys[:3] if key is not None} == {"normal"}
    assert len(set(keys[:9])) == 9
    assert (keys[9], seating.name_of(room.table, 9)) == (None, "Bot J")
    assert find_character(keys[4], "normal").level == "normal"


def test_the_tables_seed_decides_who_comes() -> None:
    """G7: the same seed brings the same characters; another seed does not."""
    tables = [
        [add(new_room(seed=seed), 0, level).table.seats[0].character for level in LEVELS]
        for seed in (b"s" * 32, b"s" * 32, *(bytes([n]) * 32 for n in range(20)))
    ]
    assert tables[0] == tables[1]
    assert {keys[1] for keys in tables} == {"noor", "mateo", "yuki"}


def test_a_person_and_a_character_never_share_a_name() -> None:
    """R10: whoever comes second gets a number."""
    room = new_room()
    for seat, name in enumerate(("Noor", "Mateo", "Yuki")):
        change = seating.sit(room, f"p{seat}", name, seat, seat, Millis(0))
        assert isinstance(change, Change)
        room = change.room
    room = add(room, 3, "normal")
    name = room.table.seats[3].name or ""
    assert name in ("Noor 2", "Mateo 2", "Yuki 2")
    change = seating.sit(room, "p9", name, 9, 9, Millis(0))
    assert isinstance(change, Change)
    assert change.room.table.seats[9].name not in (name, None)


def test_a_bot_keeps_its_name_and_face_when_seats_are_swapped() -> None:
    room = add(new_room(), 0, "easy")
    change = seating.swap(room, 0, 5, Millis(0))
    assert isinstance(change, Change)
    assert change.room.table.seats[5].character == room.table.seats[0].character


def test_no_character_plays_in_a_lesson() -> None:
    """R29: the lesson's texts call its bots by their seats."""
    room = new_room(4)
    room = add(replace(room, table=replace(room.table, lesson=0)), 1, "easy")
    assert (room.table.seats[1].character, seating.name_of(room.table, 1)) == (None, "Bot B")


def test_the_substitute_has_no_character() -> None:
    assert find_character(None, "hard") == find_character("nobody", "hard") == unnamed("hard")
    assert unnamed("hard").is_substitute
    assert not any(character.is_substitute for character in CHARACTERS)


def test_a_table_of_bots_is_cast_without_repeating_anybody() -> None:
    characters = cast_levels(["hard", "easy", "hard", "random"], b"seed")
    assert [character.level for character in characters] == ["hard", "easy", "hard", "random"]
    assert len({character.key for character in characters}) == 4
    assert cast_levels(["hard"] * 10, b"x")[9].is_substitute
    assert choose_character("easy", BY_KEY, b"") is None


# --- remarks ---

TEXTS = Texts(
    title="",
    lines={},
    refusals={},
    phrases=("say.hello",),
    prompts=frozenset(),
    windows=frozenset(),
    remarks={"ask": ("to", "price"), "warn": ("other",), "all": ("seats",)},
)
OPEN = TalkPolicy("open", ("say.hello",), whispers=True)


@pytest.mark.parametrize(
    ("remark", "policy", "code"),
    [
        (Remark("say.hello"), OPEN, None),
        (Remark("ask", {"to": 1, "price": 3}), OPEN, None),
        (Remark("ask", {"to": 1, "price": "all"}, Seat(1)), OPEN, None),
        (Remark("warn", {"other": 0}), OPEN, None),
        (Remark("all", {"seats": [0, 2]}), TalkPolicy("phrases"), None),
        (Remark("say.hello"), TalkPolicy("phrases"), "NO_SUCH_PHRASE"),
        (Remark("nonsense"), OPEN, "NO_SUCH_PHRASE"),
        (Remark("warn", {"other": 0}), TalkPolicy("closed"), "TALK_CLOSED"),
        (Remark("warn"), OPEN, "BAD_MOVE"),
        (Remark("warn", {"other": 3}), OPEN, "BAD_MOVE"),
        (Remark("warn", {"other": "0"}), OPEN, "BAD_MOVE"),
        (Remark("ask", {"to": 0, "price": 1}), OPEN, "BAD_MOVE"),
        (Remark("ask", {"to": 1, "price": "x" * 41}), OPEN, "BAD_MOVE"),
        (Remark("all", {"seats": [0, 7]}), OPEN, "BAD_MOVE"),
        (Remark("all", {"seats": 1}), OPEN, "BAD_MOVE"),
        (Remark("say.hello", to=Seat(1)), TalkPolicy("open", ("say.hello",)), "WHISPERS_OFF"),
        (Remark("say.hello", to=Seat(0)), OPEN, "NO_SUCH_SEAT"),
        (Remark("ask", {"to": 1, "price": 3}, Seat(2)), OPEN, "NO_SUCH_SEAT"),
    ],
)
def test_a_remark_is_one_of_the_catalogues_with_its_arguments(
    remark: Remark, policy: TalkPolicy, code: str | None
) -> None:
    """GEN-12: bots have no free text, and keep to the talk policy."""
    assert find_fault(TEXTS, policy, Seat(0), 3, remark) == code


def test_only_bots_make_remarks() -> None:
    room = new_room(4)
    assert speech.say_as_bot(ALMOST, room, Seat(0), Remark("almost.say.thanks"), Millis(0)) == Refusal(
        "NOT_NOW", "GEN-7"
    )


# --- memory ---


def said(seat: int, number: int, to: int | None = None, *, text: str | None = None) -> m.TalkMessage:
    phrase = None if text is not None else "warn"
    args: dict[str, Any] = {"n": number} if phrase else {}
    return m.TalkMessage(
        channel="table", name="A", at=number, seat=seat, to=to, text=text, phrase=phrase, args=args, bot=True
    )


def remember(memory: SpokenMemory, message: m.TalkMessage) -> None:
    spoken = read_parts(message)
    if spoken is not None:
        memory.add(spoken)


def test_what_bots_remember_is_what_is_stored() -> None:
    """G6: however much else was said in people's own words."""
    memory, history = SpokenMemory(), TalkHistory()
    slots: dict[bytes, bytes] = {}
    for number in range(400):
        seat = number % 3
        messages = [said(seat, number)]
        if number % 7 == 0:
            messages.append(said(seat, number, (seat + 1) % 3))
        messages += [said(seat, number, text="blah")] * (number % 3)
        for message in messages:
            remember(memory, message)
            slots.update([history.store(message)])
            _ = memory.list_heard(Seat(0), whispers=True)
    _, restored = TalkHistory.restore(slots)
    again = SpokenMemory()
    for message in restored:
        remember(again, message)
    for seat in range(3):
        for whispers in (False, True):
            heard = memory.list_heard(Seat(seat), whispers=whispers)
            assert heard == again.list_heard(Seat(seat), whispers=whispers)
            assert [spoken.at for spoken in heard] == sorted(spoken.at for spoken in heard)
    assert len(memory.list_heard(Seat(0), whispers=False)) == 300
    assert sum(message.text is not None for message in restored) == MESSAGES_KEPT


def test_a_bot_remembers_no_whisper_of_others_and_none_as_a_substitute() -> None:
    """G4.6"""
    memory = SpokenMemory()
    for message in (said(0, 1, 1), said(1, 2, 2), said(2, 3), said(2, 4, text="words")):
        remember(memory, message)
    assert [spoken.at for spoken in memory.list_heard(Seat(1), whispers=True)] == [1, 2, 3]
    assert [spoken.at for spoken in memory.list_heard(Seat(0), whispers=True)] == [1, 3]
    assert [spoken.at for spoken in memory.list_heard(Seat(1), whispers=False)] == [3]
