"""Votes over the wire: called and cast by people who may not, and at the same moment (R20, R21)."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest

from games import GAMES
from hub.table import records
from tests.hostile.live_hub import LiveHub, Socket, Table, table
from tests.wire_client import client_frame

ASYNC = pytest.mark.asyncio


async def act(socket: Socket, **act: Any) -> str | None:
    """Does a table action and returns the code of its refusal."""
    code: str | None = (await socket.command("manage", act=act)).get("code")
    return code


async def playing(live_hub: LiveHub, http: Any, seats: int = 3, *, open: bool = False) -> Table:
    sitting = await table(live_hub, http, seats, open=open)
    assert await act(sitting.sockets[0], do="start") is None
    for socket in sitting.sockets:
        await socket.until(lambda socket=socket: socket.sections["table"]["status"] == "running")  # type: ignore[misc]
    return sitting


@ASYNC
async def test_who_may_not_vote(live_hub: LiveHub) -> None:
    """R20: neither watchers, nor the seat concerned, nor anybody in a vote that is over."""
    async with live_hub.http() as http:
        waiting = await table(live_hub, http)
        assert await act(waiting.sockets[1], do="call_vote", kind="remove", seat=0) == "NOT_NOW"
        await waiting.leave()
        sitting = await playing(live_hub, http)
        host, guest, other = sitting.sockets
        place = await waiting.people[0].place(f"/api/rooms/{sitting.room}/enter")
        watcher = await Socket.sit(live_hub, place)
        assert await act(watcher, do="call_vote", kind="end") == "NOT_SEATED"
        assert await act(guest, do="call_vote", kind="remove", seat=2) is None
        await watcher.until(lambda: "vote" in watcher.sections)
        assert watcher.sections["vote"]["may_vote"] is False
        assert await act(watcher, do="vote", number=1, yes=True) == "NOT_SEATED"
        assert await act(other, do="vote", number=1, yes=False) == "NO_VOTE"
        for number in (0, 2, 2**53 - 1):
            assert await act(host, do="vote", number=number, yes=True) == "NO_SUCH_VOTE"
        assert await act(other, do="call_vote", kind="end") == "VOTE_RUNNING"
        assert await act(host, do="vote", number=1, yes=True) is None
        assert await other.until_closed() == 4010
        assert await act(host, do="vote", number=1, yes=True) == "NO_SUCH_VOTE"
        assert await act(guest, do="call_vote", kind="pause") == "CALLED_LATELY"
        entering = await sitting.people[2].prompt(f"/api/rooms/{sitting.room}/enter")
        assert (entering.status_code, entering.json()["code"]) == (409, "REMOVED")
        for socket in (*sitting.sockets, watcher):
            await socket.cut()


@ASYNC
async def test_calls_and_votes_in_one_read(live_hub: LiveHub) -> None:
    """R20: whatever arrives together, one vote runs at a time, and a person counts once."""
    async with live_hub.http() as http:
        sitting = await playing(live_hub, http, 4)
        caller = sitting.sockets[1]
        acts = [
            {"do": "call_vote", "kind": "pause"},
            {"do": "call_vote", "kind": "end"},
            *[{"do": "vote", "number": 1, "yes": True}] * 3,
            *[{"do": "vote", "number": 1, "yes": yes} for yes in (False, True)],
        ]
        frames = [
            client_frame(
                msgpack.packb({"t": "manage", "session": caller.welcome["session"], "n": n, "act": what})
            )
            for n, what in enumerate(acts, start=100)
        ]
        await caller.wire.say(b"".join(frames))
        codes = [(await caller.answer("verdict", n)).get("code") for n in range(100, 100 + len(acts))]
        assert codes == [None, "VOTE_RUNNING", None, None, None, None, None]
        await caller.until(lambda: "vote" in caller.sections)
        vote = caller.sections["vote"]
        assert (vote["yes"], vote["no"], vote["needed"]) == (1, 0, 3)
        await sitting.leave()


@ASYNC
async def test_two_last_votes_at_once(live_hub: LiveHub) -> None:
    """R20, V9: the game ends once, its seed is shown, and its record verifies."""
    async with live_hub.http() as http:
        sitting = await playing(live_hub, http, 4)
        host = sitting.sockets[0]
        assert await act(host, do="call_vote", kind="end") is None
        verdicts = await asyncio.gather(
            *[act(socket, do="vote", number=1, yes=True) for socket in sitting.sockets[1:]]
        )
        assert sorted(map(str, verdicts)) == ["NO_SUCH_VOTE", "None", "None"]
        for socket in sitting.sockets:
            await socket.until(lambda socket=socket: socket.sections["table"]["status"] == "finished")  # type: ignore[misc]
            section = socket.sections["table"]
            assert (section["abandoned"], len(section["seed"])) == (True, 64)
            assert "result" not in socket.sections
        answer = await http.get(f"/api/rooms/{sitting.room}/record")
        assert answer.status_code == 200
        data = answer.content if answer.content[:1] == b"{" else gzip.decompress(answer.content)
        report = records.verify(data, GAMES)
        assert isinstance(report, records.Verified), report
        assert report.outcome is None
        await sitting.leave()


@ASYNC
async def test_at_an_open_table_the_host_asks_the_others(live_hub: LiveHub) -> None:
    """R21: during a game, and as anybody else does."""
    async with live_hub.http() as http:
        sitting = await playing(live_hub, http, open=True)
        host, guest, other = sitting.sockets
        assert await act(host, do="free_seat", seat=2) == "VOTE_NEEDED"
        assert await act(guest, do="free_seat", seat=2) == "NOT_HOST"
        assert await act(host, do="call_vote", kind="remove", seat=2) is None
        assert await act(guest, do="vote", number=1, yes=False) is None
        assert await act(other, do="ready", ready=True) == "NOT_NOW", "still seated"
        assert "vote" not in {name for name, section in other.sections.items() if section is not None}
        await sitting.leave()
