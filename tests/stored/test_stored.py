"""R34, V1, G7.1: what each released version has stored can be read; its games go on, or end as announced."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from games import GAMES
from games.api import Refusal, Seat
from games.dice import Dice
from hub.runtime.checkout import RoomCheckout, read, restore
from hub.runtime.placement import GameEnded, OtherVersion
from hub.store.store import Ownership
from hub.table import outdated, records
from hub.table import room as rooms
from hub.table.room import Room, Rules
from hub.wire.limits import Opener
from tests.stored.formats import CHECKSUMS, FOLDER, KEY, StoredRoom

RULES: Final[dict[str, Rules]] = {key: registration.game for key, registration in GAMES.items()}
ENDED: Final[frozenset[str]] = frozenset()
"""Rooms, such as 0.1.0/almost, whose games today's rules cannot go on with; the CHANGELOG announces it."""
REFUSED: Final = frozenset({"0.1.0/almost", "0.1.0/shares", "0.1.0/subdivision", "0.1.0/sucker"})
"""Records of rules that have changed since: how promises are judged, in these."""

FILES: Final = sorted(path for path in FOLDER.glob("*/*") if path.suffix in (".room", ".jsonl"))
ROOMS: Final = [path for path in FILES if path.suffix == ".room"]
RECORDS: Final = [path for path in FILES if path.suffix == ".jsonl"]


def name_file(path: Path) -> str:
    return f"{path.parent.name}/{path.name.partition('.')[0]}"


def load(path: Path) -> tuple[StoredRoom, Ownership]:
    stored = msgspec.msgpack.decode(path.read_bytes(), type=StoredRoom)
    tail = stored.log[len(stored.log) - stored.behind :]
    return stored, Ownership(
        "2:one:a",
        2,
        stored.seq,
        stored.at,
        stored.status,
        stored.code,
        stored.snapshot,
        tail,
        stored.talk,
        stored.notes,
    )


def go_on(checkout: RoomCheckout, rules: Rules) -> None:
    """Make a legal move in the room's game."""
    room, dice = checkout.room, Dice(bytes(32))
    assert room.position is not None
    for seat in range(len(room.table.seats)):
        sample = rules.sample(room.position.state, Seat(seat), dice)
        if sample is not None:
            raw: Any = msgspec.to_builtins(sample[1])
            assert not isinstance(rooms.move(rules, room, Seat(seat), sample[0], raw, checkout.at), Refusal)
            return
    raise AssertionError("nobody can move")


def test_nothing_that_was_stored_is_written_again() -> None:
    """Each file has the checksum with which it was released."""
    assert sorted(CHECKSUMS.read_text().splitlines(), key=lambda line: line.split()[1]) == [
        f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(FOLDER).as_posix()}" for path in FILES
    ]


def test_each_version_has_stored_every_game() -> None:
    """Each folder has a room and a record of the same games, and a room that waits."""
    for folder in {path.parent for path in FILES}:
        recorded = {path.name.partition(".")[0] for path in RECORDS if path.parent == folder}
        assert {path.stem for path in ROOMS if path.parent == folder} == {*recorded, "waiting"}
        assert recorded


@pytest.mark.parametrize("path", ROOMS, ids=name_file)
def test_a_stored_room(path: Path) -> None:
    """Its snapshot and the rest of its log lead to a room in which the game goes on, and to no other."""
    stored, owned = load(path)
    if name_file(path) in ENDED:
        with pytest.raises(OtherVersion):
            restore(owned, 0, stored.log, RULES, Opener(None, "a"))
        with pytest.raises(GameEnded):
            read(outdated.end(owned.snapshot, owned.entries, RULES), RULES)
        return
    checkout = restore(owned, 0, stored.log, RULES, Opener(None, "a"))
    room = checkout.room
    assert (room.table.status, room.table.code) == (stored.status, stored.code)
    if room.position is None:
        return
    rules = RULES[room.table.game]
    assert stored.behind, "some of the log is not in the snapshot"
    assert checkout.notes[2] == "remember"
    assert [message.text for message in checkout.talk] == ["Good luck."]
    if not room.table.crossings:
        assert replay(rules, stored, room).position == room.position
    go_on(checkout, rules)


def replay(rules: Rules, stored: StoredRoom, room: Room) -> Room:
    """The room after its whole log, played from the setup on."""
    first = Room(room.table, rooms.Counts(0, 0, 0, room.counts.own_lines, (), room.counts.sessions), None)
    for data in stored.log:
        entry = rooms.unpack_logged(data).entry
        if entry is not None:
            first = rooms.replay_entry(rules, first, entry).room
    return first


@pytest.mark.parametrize("path", RECORDS, ids=name_file)
def test_a_stored_record(path: Path) -> None:
    """V1, V7: it verifies, unless its rules have changed."""
    report = records.verify(path.read_bytes(), GAMES, KEY.public_key().public_bytes_raw())
    if name_file(path) in REFUSED:
        assert isinstance(report, records.Rejected)
        assert "version" in report.reason
        return
    assert isinstance(report, records.Verified), report
    assert report.not_recomputed == ()
    assert report.outcome is not None
