"""Batches as commits: sequence numbers, and how often a commit has a snapshot."""

from __future__ import annotations

from typing import Any, Final, cast

import pytest
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from games.api import Millis, Seat
from hub.runtime.batch import Batch
from hub.runtime.journal import SNAPSHOT_EVERY, Journal
from hub.store.pipe import Commit
from hub.table.room import Change, Logged, Room, pack_logged, unpack
from hub.table.talk import TalkHistory
from hub.wire.messages import TalkMessage
from tests.secrecy.pair import ROOM, new_table

NEW: Final = new_table(cast(Any, ALMOST), 3, {})
ENTRY: Final = Logged(None, (), 7)


def batch(entries: int = 1, *, played: bool = True, room: Room = NEW, **change: Any) -> Batch:
    """A batch of one change that writes this many entries."""
    filled = Batch(NEW, [""] * 3)
    filled.add(Change(room, logged=(ENTRY,) * entries, played=played, **change))
    return filled


class Owner:
    """A journal whose commits are all stored; the first, with a snapshot, has already been made."""

    def __init__(self, sequence: int = 40) -> None:
        self.journal = Journal("3:hub:x", sequence, TalkHistory())
        self.commit(batch(0))

    def commit(self, filled: Batch, *, whole: bool = False) -> Commit:
        commit = self.journal.build_commit(filled, Millis(9), 1_009, whole=whole)
        self.journal.confirm(filled)
        return commit


def test_a_commit_names_its_owner_and_the_commit_it_follows() -> None:
    """G2, G3: a commit names its owner and the commit it follows."""
    journal = Journal("3:hub:x", 40, TalkHistory())
    talk = TalkMessage(channel="table", name="Ann", at=9, seat=0, text="hello")
    filled = batch(2, talk=(talk,), note=(1, "ä"))
    commit = journal.build_commit(filled, Millis(9), 1_009, whole=False)
    assert (commit.room, commit.token, commit.base, commit.seq) == (ROOM, "3:hub:x", 40, 42)
    assert (commit.at, commit.live, commit.status) == (9, 1_009, "waiting")
    assert list(commit.entries) == [pack_logged(ENTRY)] * 2
    assert list(commit.talk) == [TalkHistory().store(talk)]
    assert list(commit.notes) == [(1, "ä".encode())]
    assert journal.sequence == 40, "unchanged until the commit is stored"
    journal.confirm(filled)
    assert journal.sequence == 42


def test_a_commit_without_entries_is_numbered() -> None:
    owner = Owner(40)
    assert owner.journal.sequence == 41
    commit = owner.commit(batch(0))
    assert (commit.base, commit.seq) == (41, 42)


def test_a_new_owner_stores_a_snapshot_first() -> None:
    """G7: the stored snapshot may be out of date."""
    journal = Journal("3:hub:x", 40, TalkHistory())
    commit = journal.build_commit(batch(1), Millis(9), 1_009, whole=False)
    assert unpack(commit.snapshot, {"almost": cast(Any, ALMOST)}) == NEW


def test_a_snapshot_is_stored_at_regular_intervals() -> None:
    """G6.1: this bounds the log that a new owner has to replay."""
    owner = Owner()
    commits = [owner.commit(batch(1)) for _ in range(2 * (SNAPSHOT_EVERY + 1))]
    assert [i for i, commit in enumerate(commits, 1) if commit.snapshot] == [
        SNAPSHOT_EVERY + 1,
        2 * (SNAPSHOT_EVERY + 1),
    ]


@pytest.mark.parametrize(
    ("filled", "whole"), [(batch(1, played=False), False), (batch(0), False), (batch(1), True)]
)
def test_changes_outside_the_log_are_stored_in_a_snapshot(filled: Batch, whole: bool) -> None:
    """G6.1: such changes are stored in a snapshot at once, and so is a room that is handed over."""
    owner = Owner()
    assert not owner.commit(batch(1)).snapshot
    assert owner.journal.behind == 1
    assert owner.commit(filled, whole=whole).snapshot
    assert owner.journal.behind == 0


def test_a_room_that_cannot_be_packed_is_not_committed() -> None:
    journal = Journal("3:hub:x", 40, TalkHistory())
    odd = Room(replace(NEW.table, options={"odd": object()}), NEW.counts, None)
    unpackable = batch(1, room=odd, affected_seats=frozenset({Seat(0)}))
    with pytest.raises(TypeError):
        journal.build_commit(unpackable, Millis(9), 1_009, whole=False)
    assert journal.sequence == 40
