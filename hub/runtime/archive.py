"""The records of finished games: built by replaying a game's log, and stored for a few days."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import structlog

from games.api import Registration
from hub.runtime.checkout import read, read_table
from hub.runtime.placement import OtherVersion
from hub.store.client import StoreUnavailable
from hub.store.store import Store
from hub.table import records
from hub.table.admission import is_unseated_host
from hub.table.latecomers import list_held_seats
from hub.table.promises import is_published
from hub.table.replay import LogEntry, ReplayConfig, ReplayError
from hub.table.room import Latecomer, Player, Rules, Table, unpack_logged
from hub.table.watch_delay import is_delayed
from hub.wire.tickets import Signer

_log = structlog.get_logger("archive")


class Archive:
    """Finds records, and builds those that are not stored."""

    def __init__(self, games: Mapping[str, Registration], store: Store, signer: Signer, days: int) -> None:
        self._games = games
        self._rules: Mapping[str, Rules] = {key: registration.game for key, registration in games.items()}
        self._store = store
        self._signer = signer
        self._days = days

    async def find(
        self, room: str, person: str | None, find_shown: Callable[[Table], Table]
    ) -> bytes | Literal["running", "closed"] | None:
        """Like `record` in hub/runtime/placement.py. Raises OtherVersion, StoreUnavailable.

        `find_shown` returns what people who have not played may see of the stored table.
        The stored table determines who may have the record: without its table, nobody may.
        """
        snapshot = await self._store.snapshot(room)
        if snapshot is None:
            return None
        table = read_table(snapshot)
        if table.lesson is not None:
            return None
        if table.status == "finished":
            if person is None or not (_has_played(table, person) or is_unseated_host(table, person)):
                shown = find_shown(table)
                if shown.status != "finished":
                    return "running"
                if not shown.watching:
                    return "closed"
                if table.outdated and is_delayed(table):
                    return "closed"  # nobody shows it to them any more, so nobody knows what they have seen
            record = await self._store.record(room)
            if record is not None:
                return record
        if not table.outdated:
            table = read(snapshot, self._rules).table
        if table.status != "finished":
            return "running"
        try:
            return await self._build(table)
        except ReplayError as error:
            raise OtherVersion from error

    async def add(self, table: Table) -> None:
        """Builds the record of a game that has just ended, unless it is already stored; a lesson has none."""
        if table.lesson is not None:
            return
        try:
            if await self._store.record(table.room) is None:
                await self._build(table)
        except StoreUnavailable:
            _log.warning("the record will be built on request", room=table.room)
        except ReplayError:
            _log.exception("a finished game cannot be replayed", room=table.room)

    async def _build(self, table: Table) -> bytes:
        logged = await self._store.log(table.room)
        every = [entry for data in logged if (entry := unpack_logged(data).entry) is not None]
        entries = [entry for entry in every if is_published(entry)]
        versions = [*(crossing.version for crossing in table.crossings), table.version]
        crossings = [
            records.RecordedCrossing(
                sum(map(is_published, every[: crossing.entries])),
                version,
                crossing.draws,
                crossing.state.hex(),
            )
            for crossing, version in zip(table.crossings, versions[1:], strict=True)
        ]
        config = ReplayConfig(
            game=table.game,
            version=versions[0],
            seats=len(table.seats),
            options=table.options,
            seed=table.seed,
            salts=table.salts,
            restarts=table.restarts,
        )
        hashes = [player.name_hash for player in table.players]
        names = [_record_name(player) for player in table.players]
        latecomers = [_record_latecomer(latecomer, every) for latecomer in table.latecomers]
        key = self._signer.record_key()
        record = await asyncio.to_thread(
            records.build,
            config,
            hashes,
            names,
            entries,
            self._games,
            key,
            latecomers,
            crossings=crossings,
            abandoned=table.abandoned,
        )
        if await self._store.snapshot(table.room) is not None:  # the table may have been forgotten meanwhile
            await self._store.keep_record(table.room, record, self._days)
        return record


def _has_played(table: Table, person: str) -> bool:
    """Whether this person has held a seat in the game, even if they have left since."""
    return bool(list_held_seats(table, person))


def _record_latecomer(
    latecomer: Latecomer, every: Sequence[LogEntry]
) -> tuple[records.TakenSeat, records.Name | None]:
    after = sum(map(is_published, every[: latecomer.entries]))
    place = records.TakenSeat(latecomer.seat, after, latecomer.player.name_hash)
    return place, _record_name(latecomer.player)


def _record_name(player: Player) -> records.Name | None:
    if player.name is None or player.name_key is None:
        return None
    return records.Name(player.name, player.name_key.hex())
