"""Who answers for a trade that breaks a promise (R30): whoever made or accepted the offer for the seat."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.api import NewPromise, Outcome, Seat
from games.takeover.rules.game import TAKEOVER
from hub.table import actions, promises, seating
from hub.table.commands import Sit, decide
from hub.table.options import read_options
from hub.table.room import (
    Change,
    Room,
    Snapshots,
    move,
    pack_logged,
    play_on,
    position_of,
    unpack,
    unpack_logged,
)
from hub.wire import messages as m
from tests.games.takeover.table import PLAIN, position
from tests.table.almost_rooms import LEVELS, NOW, SEED, done

RULES: Any = TAKEOVER
HOLD = NewPromise("hold", {"coin": "A1"})
EMBARGO = NewPromise("embargo", {"turn": 4}, (Seat(1),))


def run(room: Room, command: Any, seat: int | None = None) -> Room:
    return done(decide(room, command, NOW, None if seat is None else Seat(seat), RULES, LEVELS))


def manage(room: Room, seat: int, act: m.Act) -> Room:
    return done(actions.manage(RULES, LEVELS, room, Seat(seat), act, NOW, frozenset()))


@pytest.fixture
def table() -> Room:
    """The turn of seat 0 in a game of three people."""
    options: Any = read_options(RULES, {})
    keys = [bytes(16)] * 3
    room = actions.create(RULES, "r" * 22, "BCDFGH", 3, options, SEED, name_keys=keys, open=True)
    for seat, person in enumerate(("ann", "bea", "cy")):
        room = done(seating.sit(room, person, person.title(), seat, seat, NOW))
    room = manage(room, 0, m.Start())
    return replace(room, position=position_of(RULES, position(PLAIN, "S5 c5 a1", "S3 a5", "M4 m5")))


def promise(room: Room, new: NewPromise, by: int = 0) -> Room:
    return done(promises.make(RULES, room, Seat(by), new, NOW))


def do(room: Room, seat: int, prompt: str, **fields: Any) -> Room:
    return done(move(RULES, room, Seat(seat), prompt, fields, NOW))


def find_prompts(room: Room, kind: str) -> list[str]:
    assert room.position is not None
    assert not isinstance(room.position.prompts, Outcome)
    return [prompt.id for prompt in room.position.prompts if prompt.kind == kind]


def offer(room: Room, by: int, to: int, coin: str) -> Room:
    (trade,) = find_prompts(room, "trade")
    return do(room, by, trade, move="propose", to=to, give=[coin], wish=[])


def accept(room: Room, seat: int, number: int = 0) -> Room:
    return do(room, seat, find_prompts(room, "offer")[number], move="accept", coins=[])


def stand_in(room: Room, seat: int = 0) -> Room:
    return done(actions.stand_in(room, Seat(seat), NOW))


def excuses(room: Room) -> list[bool]:
    return [promise.excused for promise in room.promises]


BOTH = pytest.mark.parametrize("new", [HOLD, EMBARGO], ids=lambda new: new.kind)


@BOTH
def test_a_substitute_that_comes_after_the_offer_excuses_nobody(table: Room, new: NewPromise) -> None:
    room = offer(promise(table, new), 0, 1, "A1")
    room = accept(stand_in(room), 1)
    assert excuses(room) == [False]
    if new is EMBARGO:
        assert room.promises[0].judgement == "broken"


@BOTH
def test_what_a_substitute_has_offered_is_not_its_persons_deed(table: Room, new: NewPromise) -> None:
    room = offer(stand_in(promise(table, new)), 0, 1, "A1")
    assert excuses(room) == [False], "nobody else sees an offer (TKO-22)"
    room = accept(manage(room, 0, m.TakeBack()), 1)
    assert excuses(room) == [True]


@BOTH
def test_each_offer_is_of_whoever_made_it(table: Room, new: NewPromise) -> None:
    """The person's and the substitute's offers stand side by side, and either may be accepted."""
    room = offer(promise(table, new), 0, 1, "A1")
    room = offer(stand_in(room), 0, 1, "C5")
    assert excuses(accept(room, 1, 0)) == [False]
    assert excuses(accept(room, 1, 1)) == [True]
    back = manage(room, 0, m.TakeBack())
    assert excuses(accept(back, 1, 0)) == [False]
    assert excuses(accept(back, 1, 1)) == [True]
    if new is HOLD:
        assert accept(back, 1, 1).promises[0].offers_by_substitute == ()


@BOTH
def test_whoever_accepts_an_offer_answers_for_it(table: Room, new: NewPromise) -> None:
    room = offer(promise(table, new), 1, 0, "A5")
    assert excuses(accept(room, 0)) == [False]
    assert excuses(accept(stand_in(room), 0)) == [True]
    assert excuses(accept(manage(stand_in(room), 0, m.TakeBack()), 0)) == [False]


@BOTH
def test_no_promise_binds_whoever_has_taken_the_seat_over(table: Room, new: NewPromise) -> None:
    """The offer of the earlier holder stands; what comes of it is nobody's broken word."""
    room = offer(promise(table, new, by=0), 0, 1, "A1")
    room = manage(room, 0, m.TakeLatecomers(on=True))
    room = manage(room, 0, m.FreeSeat(seat=0))
    room = run(room, Sit("dan", "Dan", 7, 0, b"k" * 16))
    assert excuses(accept(room, 1)) == [True]


def test_whoever_takes_the_room_knows_who_made_each_offer(table: Room) -> None:
    room = promise(table, EMBARGO)
    stored, late = Snapshots().pack(room), stand_in(room)
    (trade,) = find_prompts(late, "trade")
    change = move(RULES, late, Seat(0), trade, {"move": "propose", "to": 1, "give": ["A1"], "wish": []}, NOW)
    assert isinstance(change, Change)
    room = change.room
    assert room.promises[0].offers_by_substitute == tuple(find_prompts(room, "offer"))
    again = unpack(Snapshots().pack(room), {RULES.key: RULES})
    assert again.promises == room.promises
    logged = [unpack_logged(pack_logged(entry)) for entry in change.logged]
    assert play_on(RULES, unpack(stored, {RULES.key: RULES}), logged).promises == room.promises


@pytest.mark.parametrize("is_person_back", [False, True])
def test_a_trade_is_judged_as_the_log_says_whoever_wrote_it(table: Room, is_person_back: bool) -> None:
    """Hubs of before logged who sat there at the end; what they made of it stays, and they can read ours."""
    if is_person_back:
        room = offer(stand_in(promise(table, EMBARGO)), 0, 1, "A1")
        room = manage(room, 0, m.TakeBack())
    else:
        room = stand_in(offer(promise(table, EMBARGO), 0, 1, "A1"))
    (prompt,) = find_prompts(room, "offer")
    change = move(RULES, room, Seat(1), prompt, {"move": "accept", "coins": []}, NOW)
    assert isinstance(change, Change)
    (logged,) = change.logged
    assert logged.entry is not None
    assert logged.entry.substitutes == ((0,) if is_person_back else ())
    assert logged.lines[-1].key == ("promise.broken_by_bot" if is_person_back else "promise.broken")

    before = () if is_person_back else (0,)
    key = "promise.broken" if is_person_back else "promise.broken_by_bot"
    lines = (*logged.lines[:-1], replace(logged.lines[-1], key=key))
    old = replace(logged, entry=replace(logged.entry, substitutes=before), lines=lines)
    room = unpack(Snapshots().pack(room), {RULES.key: RULES})
    (judged,) = play_on(RULES, room, [unpack_logged(pack_logged(old))]).promises
    assert (judged.judgement, judged.excused) == ("broken", not is_person_back)
