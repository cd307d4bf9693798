"""Taking over a bot's seat over the wire: who may, who may not, and two at once (R16)."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import httpx
import pytest

from games import GAMES
from hub.table.records import Verified, verify
from tests.hostile.live_hub import LiveHub, Person, Socket, Table, asked, table

ASYNC = pytest.mark.asyncio
QUICK: Final[dict[str, Any]] = {"discussion": "none", "timers": "off", "target": 4}


async def begin(hub: LiveHub, http: httpx.AsyncClient) -> Table:
    """A running private table of three people."""
    sitting = await table(hub, http, **QUICK)
    assert "code" not in await act(sitting, 0, do="start")
    return sitting


async def act(sitting: Table, by: int, /, **act: Any) -> dict[str, Any]:
    return await sitting.sockets[by].command("manage", act=act)


async def outcome(person: Person, path: str) -> str | None:
    answer = await person.prompt(path)
    code: str | None = answer.json().get("code")
    assert (answer.status_code == 200) == (code is None)
    return code


@ASYNC
async def test_who_may_not_take_over_a_seat(live_hub: LiveHub) -> None:
    """R16: a person's seat, a second seat, another's after one's own, a locked table, a removal, a switch."""
    async with live_hub.http() as http:
        sitting = await begin(live_hub, http)
        ann, bea, cy = sitting.people
        dan = await Person.come(live_hub, http, "Dan")
        path = f"/api/rooms/{sitting.room}/seats"
        assert await outcome(dan, f"{path}/1") == "SEAT_TAKEN"
        assert "code" not in await act(sitting, 1, do="free_seat", seat=1)
        assert await sitting.sockets[1].until_closed() == 4010
        assert await outcome(cy, f"{path}/1") == "ALREADY_SEATED"
        assert await outcome(dan, f"{path}/7") == "NO_SUCH_SEAT"
        assert (await act(sitting, 2, do="take_latecomers", on=False))["code"] == "NOT_HOST"
        for switch, refusal in (
            ({"do": "lock", "locked": True}, "TABLE_LOCKED"),
            ({"do": "lock", "locked": False}, None),
            ({"do": "take_latecomers", "on": False}, "NO_LATECOMERS"),
            ({"do": "take_latecomers", "on": True}, None),
            ({"do": "admission", "on": True}, "ASK_TO_COME_IN"),
            ({"do": "admission", "on": False}, None),
        ):
            assert "code" not in await act(sitting, 0, **switch)
            if refusal is not None:
                assert await outcome(dan, f"{path}/1") == refusal
        assert await outcome(dan, f"{path}/1") is None
        assert "code" not in await act(sitting, 2, do="free_seat", seat=2)
        assert await outcome(bea, f"{path}/2") == "HELD_ANOTHER_SEAT"
        assert "code" not in await act(sitting, 0, do="free_seat", seat=1)
        assert await outcome(dan, f"{path}/1") == "REMOVED"
        assert await outcome(ann, f"{path}/2") == "ALREADY_SEATED"
        await sitting.leave()


@ASYNC
async def test_two_latecomers_at_once(live_hub: LiveHub) -> None:
    """R2, R16: one gets the seat and plays to the end; the record says who held it; the other is refused."""
    async with live_hub.http() as http:
        sitting = await begin(live_hub, http)
        assert "code" not in await act(sitting, 1, do="free_seat", seat=1)
        late = [await Person.come(live_hub, http, name) for name in ("Dan", "Eve")]
        path = f"/api/rooms/{sitting.room}/seats/1"
        answers = await asyncio.gather(*(person.prompt(path) for person in late))
        assert sorted(answer.json().get("code", "") for answer in answers) == ["", "SEAT_TAKEN"]
        winner = next(i for i, answer in enumerate(answers) if answer.status_code == 200)
        socket = await Socket.sit(live_hub, answers[winner].json())
        host = sitting.sockets[0]
        await host.until(lambda: host.sections["table"]["seats"][1]["name"] == late[winner].name)
        assert any(
            line[1:3] == ["table.took_over", {"name": late[winner].name, "seat": 1, "previous": "Guest B"}]
            for message in host.heard
            for line in message.get("lines", ())
        )
        finished = sitting._replace(sockets=[host, socket, sitting.sockets[2]])
        await finish(finished)
        record = await http.get(f"/api/rooms/{sitting.room}/record")
        report = verify(record.content, GAMES)
        assert isinstance(report, Verified), report
        assert [(place.seat, name) for place, name in report.latecomers] == [(1, late[winner].name)]
        assert report.names[1] == "Guest B"
        await sitting.sockets[1].cut()
        await finished.leave()


async def finish(sitting: Table) -> None:
    for round in (1, 2):
        for phase, move in (("bid", {"move": "lock"}), ("continue", {"move": "continue"})):
            for seat, socket in enumerate(sitting.sockets):
                number = {"number": seat + 1} if phase == "bid" else {}
                prompt = f"{phase}:{round}"
                await socket.until(lambda socket=socket, prompt=prompt: prompt in asked(socket))  # type: ignore[misc]
                await socket.command("do", prompt=prompt, move={**move, **number})
