"""Ends stored games that no hub has the rules for any more, when somebody asks this hub for one (R34)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

import structlog

from hub.runtime.homes import Homes
from hub.runtime.placement import GameEnded, OtherVersion, RoomsError, RulesElsewhere, Unavailable
from hub.runtime.ports import Services
from hub.runtime.store_calls import STORE_TROUBLE, require_answer
from hub.store.pipe import Commit, Result
from hub.store.store import Ownership, Store
from hub.table import outdated
from hub.table.room import Rules, unpack_table

COMMIT_SECONDS: Final = 5.0
"""How long whoever comes waits until the end is stored."""
MOVING: Final = (
    "this table needs another version of Parley, which another hub may have: try again in a moment"
)

_log = structlog.get_logger("parley.outdated")


class OutdatedGames:
    """Ends games with older rules, which this hub could not convert."""

    def __init__(
        self, store: Store, homes: Homes, incarnation: str, rules: Mapping[str, Rules], services: Services
    ) -> None:
        self._store = store
        self._homes = homes
        self._incarnation = incarnation
        self._rules = rules
        self._services = services

    async def end(self, room_id: str, owned: Ownership, *, is_asked: bool) -> RoomsError:
        """Why a room that this hub has taken, and cannot go on with, cannot be entered.

        Its game is ended if its rules are older than this hub's, no hub had them within the last minute, and
        somebody has asked for it. One with newer rules is left alone, because a newer build may come back.
        Raises Unavailable.
        """
        try:
            table = unpack_table(owned.snapshot)
        except ValueError:
            return OtherVersion()
        if not outdated.is_outdated(table, self._rules):
            return OtherVersion()
        if not (is_asked and self._homes.is_settled) or await self._is_carried(table.game, table.version):
            return RulesElsewhere(MOVING)
        if not await self._store_end(room_id, owned):
            return Unavailable(STORE_TROUBLE)
        _log.warning("newer rules cannot go on with a game, which has ended", room=room_id, game=table.game)
        return GameEnded()

    async def _is_carried(self, game: str, version: int) -> bool:
        """Whether another hub that was there within the last minute has these rules."""
        hubs = await require_answer(self._store.list_descriptions())
        return any(hub.games.get(game) == version for name, hub in hubs.items() if name != self._incarnation)

    async def _store_end(self, room_id: str, owned: Ownership) -> bool:
        """Commits the room with its game ended; returns False if another hub has it, it is damaged, or nobody
        answers."""
        stored: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

        def note(result: Result) -> None:
            if not stored.done():
                stored.set_result(result)

        snapshot = outdated.end(owned.snapshot, owned.entries, self._rules)
        live = self._services.live_clock.now_live()
        commit = Commit(
            room_id, owned.token, owned.seq, owned.seq + 1, owned.at, live, "finished", snapshot, (), (), ()
        )
        self._services.commits.submit(commit, note)
        try:
            async with asyncio.timeout(COMMIT_SECONDS):
                return await stored in (Result.APPLIED, Result.ALREADY)
        except TimeoutError:
            return False
