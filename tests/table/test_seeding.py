"""Salts are fixed by hash, then revealed; silent seats are left out, which is counted (G7.3)."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Seat
from games.dice import commitment, game_seed
from hub.table import actions, salt_exchange
from hub.table.commands import RepeatStart, decide
from hub.table.room import Room, Snapshots, unpack
from hub.table.views import table_section
from hub.wire import messages as m
from tests.table.almost_rooms import LEVELS, NOW, RULES, SEED, act, done, lines, refused, seated, sit

SALTS = ("a1" * 32, "b2" * 32, "c3" * 32)
NEXT = ("d4" * 32, "e5" * 32, "f6" * 32)
HASHES = tuple(map(salt_exchange.hash_salt, SALTS))
NEXT_HASHES = tuple(map(salt_exchange.hash_salt, NEXT))
FRESH = bytes(range(32))


def committed(*people: str) -> Room:
    """A table with these people, each of whom has fixed a salt."""
    room = seated(*people)
    for seat in range(len(people)):
        room = done(act(room, seat, m.CommitSalt(HASHES[seat])))
    return room


def reveal(room: Room, seat: int, salt: str | None = None) -> Room:
    return done(act(room, seat, m.RevealSalt(salt or SALTS[seat], NEXT_HASHES[seat])))


def repeated(room: Room, seed: bytes = FRESH) -> Room:
    return done(decide(room, RepeatStart(seed), NOW, None, RULES, LEVELS))


def test_a_hash_is_that_of_the_bytes() -> None:
    """G7.3: as for the seed."""
    assert HASHES[0] == sha256(b"\xa1" * 32).hexdigest() == commitment(bytes.fromhex(SALTS[0]))


def test_the_game_starts_with_the_last_salt() -> None:
    """G7.3, R4: hashes are shown before the first salt is revealed; no salt is shown before the end."""
    waiting = committed("ann", "bea", "cy")
    assert table_section(waiting.table).salt_hashes is None
    room = done(act(waiting, 0, m.Start()))
    assert (room.table.status, room.position) == ("waiting", None)
    shown = table_section(room.table)
    assert shown.salt_hashes == (*HASHES, "")
    assert shown.seed_hash == commitment(SEED)
    assert [seat.bot for seat in room.table.seats] == [None, None, None, "good"]
    for seat in (2, 0):
        room = reveal(room, seat)
        assert room.table.status == "waiting"
        assert table_section(room.table) == shown
    change = act(room, 1, m.RevealSalt(SALTS[1], NEXT_HASHES[1]))
    after = done(change)
    assert after.table.status == "running"
    assert after.table.salts == (*SALTS, "")
    assert after.table.game_seed == game_seed(SEED, (*SALTS, ""))
    assert (after.table.exchange, after.table.restarts) == (None, 0)
    assert [key for key, _ in lines(change)][:1] == ["table.started"]
    assert table_section(after.table).salts is None
    finished = replace(after.table, status="finished")
    assert table_section(finished).salts == (*SALTS, "")


def test_without_salts_the_game_starts_at_once() -> None:
    """G7.3: a seat that has fixed none, or whose person is not connected, delays nobody."""
    assert done(act(seated("ann", "bea"), 0, m.Start())).table.salts == ("",) * 4
    room = committed("ann", "bea")
    start = m.Start()
    away = done(actions.manage(RULES, LEVELS, room, Seat(0), start, NOW, {Seat(0), Seat(1)}))
    assert (away.table.status, away.table.salts) == ("running", ("",) * 4)
    alone = done(actions.manage(RULES, LEVELS, room, Seat(0), start, NOW, {Seat(1)}))
    assert table_section(alone.table).salt_hashes == (HASHES[0], "", "", "")
    assert reveal(alone, 0).table.salts == (SALTS[0], "", "", "")


def test_a_salt_is_fixed_once_the_host_has_started() -> None:
    """G7.3: before that, the last hash counts; afterwards, neither it nor a seat can be changed."""
    room = done(act(committed("ann", "bea"), 1, m.CommitSalt(HASHES[2])))
    room = done(act(room, 0, m.Start()))
    assert table_section(room.table).salt_hashes == (HASHES[0], HASHES[2], "", "")
    for seat, action in (
        (1, m.CommitSalt(HASHES[1])),
        (1, m.Ready(ready=False)),
        (1, m.FreeSeat(seat=1)),
        (0, m.FreeSeat(seat=1)),
        (0, m.AddBot(seat=3, level="good")),
        (0, m.SwapSeats(a=0, b=1)),
        (0, m.Start()),
    ):
        assert refused(act(room, seat, action)) == "NOT_NOW", action
    assert refused(sit(room, "dan", 2)) in ("NOT_NOW", "SEAT_TAKEN")
    assert refused(act(room, 1, m.RevealSalt(SALTS[1], NEXT_HASHES[1]))) == "BAD_SALT"
    assert reveal(reveal(room, 0), 1, SALTS[2]).table.salts == (SALTS[0], SALTS[2], "", "")


def test_a_salt_can_only_be_revealed_while_it_is_asked_for() -> None:
    """G7.3"""
    room = committed("ann", "bea")
    early = m.RevealSalt(SALTS[0], NEXT_HASHES[0])
    assert refused(act(room, 0, early)) == "NOT_NOW"
    started = done(actions.manage(RULES, LEVELS, room, Seat(0), m.Start(), NOW, {Seat(1)}))
    assert refused(act(started, 1, m.RevealSalt(SALTS[1], NEXT_HASHES[1]))) == "NOT_NOW"
    running = reveal(started, 0)
    assert refused(act(running, 0, early)) == "NOT_NOW"
    assert refused(decide(running, RepeatStart(FRESH), NOW, None, RULES, LEVELS)) == "NOT_NOW"


def test_a_silent_seat_is_left_out_and_counted() -> None:
    """G7.3: with a fresh seed, whose hash is shown before the others reveal their next salts."""
    room = done(act(committed("ann", "bea", "cy"), 0, m.Start()))
    room = reveal(reveal(room, 0), 2)
    change = decide(room, RepeatStart(FRESH), NOW, None, RULES, LEVELS)
    assert lines(change) == [("table.silent", {"name": "Bea", "seat": 1})]
    again = done(change)
    assert again.table.status == "waiting"
    shown = table_section(again.table)
    assert shown.seed_hash == commitment(FRESH)
    assert shown.salt_hashes == (NEXT_HASHES[0], "", NEXT_HASHES[2], "")
    assert shown.restarts == 1
    assert refused(act(again, 0, m.RevealSalt(SALTS[0], HASHES[0]))) == "BAD_SALT"
    assert refused(act(again, 1, m.RevealSalt(SALTS[1], HASHES[1]))) == "NOT_NOW"
    after = reveal(reveal(again, 0, NEXT[0]), 2, NEXT[2])
    assert (after.table.status, after.table.restarts) == ("running", 1)
    assert after.table.salts == (NEXT[0], "", NEXT[2], "")
    assert after.table.game_seed == game_seed(FRESH, after.table.salts)


def test_if_all_are_silent_the_hub_alone_chooses() -> None:
    """G7.3: the record shows it, with a restart and no salt."""
    after = repeated(done(act(committed("ann", "bea"), 0, m.Start())))
    assert (after.table.status, after.table.restarts, after.table.salts) == ("running", 1, ("",) * 4)
    assert after.table.game_seed == game_seed(FRESH, ("",) * 4)


def test_each_seat_can_stop_the_start_once() -> None:
    """G7.3: a silent seat takes part in no later exchange, so the start cannot be put off for ever."""
    room = done(act(committed("ann", "bea", "cy"), 0, m.Start()))
    for silent in (2, 1, 0):
        for seat in range(silent):
            salts = SALTS if room.table.restarts % 2 == 0 else NEXT
            hashes = NEXT_HASHES if room.table.restarts % 2 == 0 else HASHES
            room = done(act(room, seat, m.RevealSalt(salts[seat], hashes[seat])))
        assert room.table.status == "waiting"
        room = repeated(room)
    assert (room.table.status, room.table.restarts) == ("running", 3)


def test_a_stored_exchange_goes_on() -> None:
    """G6.1, G7.3: what has been revealed is stored, so another hub needs only the rest."""
    room = reveal(done(act(committed("ann", "bea"), 0, m.Start())), 0)
    stored = unpack(Snapshots().pack(room), {"almost": RULES})
    assert stored == room
    assert reveal(stored, 1).table.salts == (*SALTS[:2], "", "")


@pytest.mark.parametrize("salt", ["", "pepper", "A1" * 32, "a1" * 31, "a1" * 33, "a1" * 32 + "\n"])
def test_a_salt_is_never_free_text(salt: str) -> None:
    """V8, G8.1"""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"do": "commit_salt", "salt_hash": salt}, m.CommitSalt)
