"""The stored form of a room: batches as commits, with an occasional snapshot."""

from __future__ import annotations

from typing import Final

from games.api import Millis
from hub.runtime.batch import Batch
from hub.store.pipe import Commit
from hub.table.room import Snapshots, pack_logged
from hub.table.talk import TalkHistory

SNAPSHOT_EVERY: Final = 16
"""The number of log entries by which a stored snapshot may be behind: a new owner replays them."""


class Journal:
    """Builds the commits for one owner of a room. `token` proves that it is the owner (G3)."""

    __slots__ = ("_snapshots", "_talk_history", "_token", "behind", "sequence")

    def __init__(self, token: str, sequence: int, talk_history: TalkHistory) -> None:
        self.sequence = sequence
        """The sequence number of the last stored commit."""
        self.behind = SNAPSHOT_EVERY
        """The maximum number of entries by which the stored snapshot may be behind."""
        self._token = token
        self._talk_history = talk_history
        self._snapshots = Snapshots()

    def build_commit(self, batch: Batch, at: Millis, live: int, *, whole: bool) -> Commit:
        """The commit of a batch, with a snapshot if `whole`. Raises for values that cannot be packed."""
        table = batch.room.table
        snapshot = self._snapshot(batch, whole)
        entries = [*map(pack_logged, batch.logged)]
        return Commit(
            table.room,
            self._token,
            self.sequence,
            self.sequence + (len(batch.logged) or 1),
            at,
            live,
            table.status,
            snapshot,
            entries,
            [*map(self._talk_history.store, batch.talk)] if batch.talk else (),
            [(seat, text.encode()) for seat, text in batch.notes.items()] if batch.notes else (),
        )

    def _snapshot(self, batch: Batch, whole: bool) -> bytes:
        """A packed snapshot; empty while replaying the log is cheaper."""
        self.behind += len(batch.logged)
        if batch.played and batch.logged and self.behind <= SNAPSHOT_EVERY and not whole:
            return b""
        packed = self._snapshots.pack(batch.room)
        self.behind = 0
        return packed

    def confirm(self, batch: Batch) -> None:
        """Notes that the store has confirmed the commit of this batch."""
        self.sequence += len(batch.logged) or 1
