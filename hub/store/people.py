"""Finds, exports and removes a person's data in the store; also removes whole tables.

A removal first takes the room, as another hub would, even from a hub that is alive. That hub's token is then
void, so its commits are fenced, and nothing that was removed can come back. It learns of that with its next
heartbeat; its people reconnect, and find the room as it is now.

Every function may raise StoreUnavailable, and may then be called again.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Final

from msgspec import Struct

from hub.store.fitness import text
from hub.store.hubs import HubIdentity
from hub.store.scripts import load_script
from hub.store.store import LeftTo, Missing, OwnedByOther, Ownership, Store, incarnation_of
from hub.table import traces
from hub.table.records import without_names
from hub.table.room import Table, unpack_table
from hub.table.talk import read_message

TRIES: Final = 10
LAST_EPOCH: Final = 10**15
"""Later than any room's epoch, so that the last owner cannot put a removed room back into the lobby."""


class Busy(Exception):
    """Hubs kept taking a room back while it was being changed."""


class Message(Struct, frozen=True):
    """A message from a person at a table, at this table time; `phrase` is the key of a ready-made one."""

    at: int
    name: str
    text: str | None
    phrase: str | None
    whisper: bool


class TablePart(Struct, frozen=True):
    """A person's part in one table."""

    room: str
    code: str
    game: str
    status: str
    is_host: bool
    seats: list[int]
    names: list[str]
    messages: list[Message]
    notes: dict[int, str]
    has_record: bool


# --- finding ---


async def find_tables(store: Store, person: str) -> dict[str, set[str]]:
    """The rooms where a person is or was, with their names there.

    The rooms they entered are listed under them; a scan of all rooms finds them after the list has expired.
    """
    rooms: dict[str, set[str]] = {}
    for place in await store.read_all("SSCAN", store.keys.places(person)):
        room, _, name = text(place).partition(" ")
        rooms.setdefault(room, set()).add(name)
    async for room, table in _all_tables(store):
        if room in rooms or person in traces.list_people(table):
            rooms.setdefault(room, set()).update(traces.list_names(table, person))
    return rooms


async def _all_tables(store: Store) -> AsyncIterator[tuple[str, Table]]:
    start, end = store.key("{room:"), "}:head"
    async for key in store.scan_keys(f"{start}*{end}"):
        room = key.removeprefix(start).removesuffix(end)
        snapshot = await store.snapshot(room)
        table = None if snapshot is None else _read(snapshot)
        if table is not None:
            yield room, table


def _read(snapshot: bytes) -> Table | None:
    """A room's table, None if the snapshot is damaged."""
    try:
        return unpack_table(snapshot)
    except ValueError:
        return None


async def export(store: Store, person: str) -> list[TablePart]:
    """A person's part in every table that still exists."""
    parts = []
    for room, names in (await find_tables(store, person)).items():
        snapshot = await store.snapshot(room)
        if snapshot is not None:
            parts.append(await _export(store, unpack_table(snapshot), person, names))
    return parts


async def _export(store: Store, table: Table, person: str, names: set[str]) -> TablePart:
    messages = [read_message(stored) for stored in (await store.talk(table.room)).values()]
    notes = await store.notes(table.room)
    return TablePart(
        room=table.room,
        code=table.code,
        game=table.game,
        status=table.status,
        is_host=table.host == person,
        seats=traces.list_seats(table, person),
        names=sorted(names),
        messages=[
            Message(talk.at, talk.name, talk.text, talk.phrase, talk.to is not None)
            for talk in sorted(messages, key=lambda talk: talk.at)
            if talk.name in names
        ],
        notes={
            seat: notes[seat].decode()
            for seat, state in enumerate(table.seats)
            if state.person == person and notes.get(seat)
        },
        has_record=await store.record(table.room) is not None,
    )


# --- removing ---


async def forget_person(store: Store, person: str) -> int:
    """Removes a person from every table and record; returns the number of tables. Raises Busy.

    They leave each table; their names, talk and notes there are removed, and their names in records.
    """
    rooms = await find_tables(store, person)
    for room, names in rooms.items():
        await _forget_at(store, room, person, names)
    await store.call("UNLINK", store.keys.places(person))
    await store.call("UNLINK", *store.keys.subscriptions(person))
    return len(rooms)


async def _forget_at(store: Store, room: str, person: str, names: set[str]) -> None:
    for _ in range(TRIES):
        owned = await _take(store, room)
        if owned is None:
            return
        table = unpack_table(owned.snapshot)
        names = names | traces.list_names(table, person)
        record = await store.record(room)
        if record is not None:  # first: only the room says which seats were theirs
            seats = [seat for seat, player in enumerate(table.players) if player.person == person]
            nameless = without_names(record, seats, traces.list_latecomers(table, person))
            await store.call("SET", store.keys.record(room), nameless, "XX", "KEEPTTL")
        log = await store.log_with_ids(room)
        entries = [(id, traces.without_name(entry, names)) for id, entry in log]
        written = await _rewrite(
            store,
            owned.token,
            room,
            traces.leave(owned.snapshot, person),
            entries if entries != log else [],
            [slot for slot, stored in owned.talk.items() if traces.is_said_by(stored, names)],
            [seat for seat, state in enumerate(table.seats) if state.person == person],
        )
        await store.put_summary(room, owned.epoch, owned.seq, b"")  # it names the host
        await store.release(owned.token, room)
        if written:
            return
    raise Busy


async def forget_room(store: Store, room: str) -> bool:
    """Removes a table with its code, its line in the lobby and its record; returns whether there was one."""
    owned = await _take(store, room)
    if owned is not None:
        await store.put_summary(room, LAST_EPOCH, 0, b"")
        table = _read(owned.snapshot)
        if table is not None:
            for person in traces.list_people(table):
                members = _list_members(room, traces.list_names(table, person))
                await store.call("SREM", store.keys.places(person), *members)
        await store.call("UNLINK", store.keys.code(owned.code))
        token = await store.call("HGET", store.keys.room(room)[0], "token")
        await store.call("UNLINK", *store.keys.room(room))
        if token is not None and text(token) != owned.token and incarnation_of(token):
            await store.note_taken(text(token))  # a hub had taken the room back meanwhile
        await store.unlist(incarnation_of(owned.token), room)
    removed = await store.call("UNLINK", store.keys.record(room))
    return owned is not None or removed == 1


async def _take(store: Store, room: str) -> Ownership | None:
    """Takes a room from its owner; None if there is no such room."""
    us = HubIdentity(f"operator-{secrets.token_hex(8)}", "")
    match await store.claim(room, us, 0, evict=True):
        case Missing():
            return None
        case Ownership() as owned:
            return owned
        case OwnedByOther() | LeftTo():
            raise AssertionError("a claim that evicts")


async def _rewrite(
    store: Store,
    token: str,
    room: str,
    snapshot: bytes,
    entries: Sequence[tuple[str, bytes]],
    slots: Collection[bytes],
    seats: Collection[int],
) -> bool:
    """Replaces a snapshot and, if there are any, all entries; removes talk and notes; False if fenced."""
    counts = f"{len(entries)} {len(slots)} {len(seats)}"
    more = [*(word for entry in entries for word in entry), *slots, *seats]
    written = await store.run(REWRITE, store.keys.room(room), [token, snapshot, counts, *more])
    return bool(written == 1)


def _list_members(room: str, names: Collection[str]) -> list[str]:
    """A room's members in the list of a person with these names there."""
    return [f"{room} {name}" for name in (*names, "")]


REWRITE: Final = load_script("rewrite")
