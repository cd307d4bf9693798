"""Ends a game that no hub has the rules for any more, without a result; its record is kept (R34).

The rules have become newer, and cannot convert its state. Nobody can enter the table any more, because no hub
can show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from hub.table.replay import Crossing
from hub.table.room import NO_STATE, Rules, Table, replace_stored_table, unpack_logged, unpack_stored


def is_outdated(table: Table, registry: Mapping[str, Rules]) -> bool:
    """Whether a game is being played whose rules are older than these."""
    rules = registry.get(table.game)
    is_played = table.status in ("running", "paused")
    return is_played and rules is not None and table.version < rules.version


def end(snapshot: bytes, tail: Sequence[bytes], registry: Mapping[str, Rules]) -> bytes:
    """The stored room of an outdated game, with the game ended. `tail`: its log after the snapshot."""
    stored = unpack_stored(snapshot)
    table, counts = stored.table, stored.counts
    assert bytes(stored.state) != NO_STATE
    played = sum(unpack_logged(data).entry is not None for data in tail)
    draws, state = (0, b"") if played else (counts.draws, bytes(stored.state))
    crossing = Crossing(table.version, counts.entries + played, draws, state)
    ended = replace(
        table,
        version=registry[table.game].version,
        status="finished",
        paused_for=None,
        abandoned=True,
        outdated=True,
        skipping=False,
        vote=None,
        crossings=(*table.crossings, crossing),
    )
    return replace_stored_table(snapshot, ended)
