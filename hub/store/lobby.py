"""The lobby's summaries and the records of finished games, stored apart from the rooms."""

from __future__ import annotations

from typing import Final, NamedTuple, cast

from hub.store.client import PAGE, StoreClient
from hub.store.fitness import text
from hub.store.scripts import load_script

LISTED_MS: Final = 3600 * 1000
"""How long a room stays in the lobby after its summary was last written."""


class Listing(NamedTuple):
    """A page of the lobby: the number of rooms in it, and the summary of each room on this page."""

    total: int
    summaries: dict[str, bytes]


class LobbyStore(StoreClient):
    """The data about rooms that anybody may see, on whichever hub they are."""

    async def put_summary(self, room: str, epoch: int, seq: int, summary: bytes) -> bool:
        """Shows a room in the lobby as of (epoch, seq); an empty summary removes it.

        Returns False if the lobby has a newer summary.
        """
        async with self._errors():
            written = await self._run(
                LOBBY,
                self.keys.lobby(),
                [room, epoch, seq, summary, LISTED_MS],
            )
        return bool(written == 1)

    async def lobby(self, skip: int = 0, count: int = PAGE) -> Listing:
        """A page of the lobby: `count` rooms after the first `skip`, the most recently written first."""
        async with self._errors():
            keys = self.keys.lobby()[:2]
            total, *page = await self._client.eval(BROWSE, len(keys), *keys, skip, count, LISTED_MS)
        lines = zip(page[::2], page[1::2], strict=True)
        return Listing(total, {text(room): line.partition(b" ")[2] for room, line in lines})

    async def keep_record(self, room: str, record: bytes, days: int) -> None:
        """Stores the record of a finished game for this many days (0: not at all)."""
        async with self._errors():
            if days > 0:
                await self._client.set(self.keys.record(room), record, ex=days * 24 * 3600)

    async def record(self, room: str) -> bytes | None:
        async with self._errors():
            return cast(bytes | None, await self._client.get(self.keys.record(room)))


LOBBY: Final = load_script("lobby")
BROWSE: Final = load_script("browse")
