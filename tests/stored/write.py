"""Writes rooms and records as this version stores them: `python -m tests.stored.write`, once a release.

Later versions must read them (tests/stored/test_stored.py), so a folder is written once and never again. Each
game has a room in the middle of a game, with entries that its snapshot does not have yet, and the record of a
whole game; one more room waits for its start.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import msgspec

from games import GAMES
from games.api import Seat
from games.dice import Dice
from hub.store.binary import find_binary
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import ClientLine, SmallHub, manual_clock, stepping
from tests.stored.formats import CHECKSUMS, FOLDER, KEY, StoredRoom
from tests.whole_games import play, record_of

MOVES: Final = 24
SEATS: Final = 4


async def write_rooms(folder: Path) -> None:
    binary = await find_binary()
    with (
        tempfile.TemporaryDirectory(prefix="parley-") as temporary,
        StoreProcess(binary, Path(temporary)) as store,
        stepping(),
    ):
        hub = await SmallHub("one", manual_clock()).open(store.url, "a:")
        for game in GAMES:
            (folder / f"{game}.room").write_bytes(await play_room(hub, game))
        waiting, _ = await hub.table(SEATS, seats=SEATS)
        (folder / "waiting.room").write_bytes(await read_room(hub, waiting))
        await hub.close()


async def play_room(hub: SmallHub, game: str) -> bytes:
    """A room with some moves, talk and a note, as the store holds it."""
    room, followers = await hub.table(SEATS, game=game, seats=SEATS)
    lines = [await hub.come(follower) for follower in followers]
    await lines[0].do("manage", act={"do": "start"})
    await lines[1].do("say", channel="table", text="Good luck.")
    await lines[2].do("note", text="remember")
    dice = Dice(sha256(game.encode()).digest())
    for _ in range(MOVES):
        await make_move(hub, room, lines, dice)
    return await read_room(hub, room)


async def make_move(hub: SmallHub, room: str, lines: Iterable[ClientLine], dice: Dice) -> None:
    """A random legal move of the first seat that has one, in the order of the dice."""
    actor = hub.rooms._actors[room]
    assert actor.room.position is not None
    for seat, line in dice.shuffle("who", tuple(enumerate(lines))):
        sample = actor.rules.sample(actor.room.position.state, Seat(seat), dice)
        if sample is not None:
            await line.do("do", prompt=sample[0], move=msgspec.to_builtins(sample[1]))
            return


async def read_room(hub: SmallHub, room: str) -> bytes:
    """Everything that the store holds of a room."""
    head: Any = await hub.store.call("HGETALL", hub.store.keys.room(room)[0])
    fields = {bytes(name).decode(): bytes(value) for name, value in head.items()}
    log = await hub.store.log(room)
    behind = int(fields["seq"]) - int(fields["snapped"])
    return msgspec.msgpack.encode(
        StoredRoom(
            seq=int(fields["seq"]),
            at=int(fields["at"]),
            status=fields["status"].decode(),
            code=fields["code"].decode(),
            snapshot=fields["snapshot"],
            log=tuple(log),
            behind=min(behind, len(log)),
            talk=await hub.store.talk(room),
            notes=await hub.store.notes(room),
        )
    )


def write_records(folder: Path) -> None:
    for key, registration in GAMES.items():
        config, log, _ = play(registration, SEATS, registration.game.Options(), sha256(key.encode()).digest())
        record = record_of(config, log, GAMES, KEY)
        (folder / f"{key}.parley.jsonl").write_bytes(record)


def main() -> None:
    folder = FOLDER / version("parley")
    if folder.exists():
        sys.exit(f"{folder} has been written: it is never written again.")
    folder.mkdir()
    asyncio.run(write_rooms(folder))
    write_records(folder)
    lines = [
        f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(FOLDER).as_posix()}\n"
        for file in sorted(folder.iterdir())
    ]
    with CHECKSUMS.open("a") as checksums:
        checksums.writelines(lines)


if __name__ == "__main__":
    main()
