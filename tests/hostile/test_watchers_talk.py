"""Watchers' talk to the table over the wire: who may, who may not, who hears it, and how much (GEN-8)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.hostile.live_hub import LiveHub, Person, Socket, Table, asked, table

ASYNC = pytest.mark.asyncio


async def act(sitting: Table, by: int, /, **act: Any) -> str | None:
    verdict = await sitting.sockets[by].command("manage", act=act)
    code: str | None = verdict.get("code")
    return code


async def watch(hub: LiveHub, http: httpx.AsyncClient, sitting: Table, name: str) -> tuple[Person, Socket]:
    person = await Person.come(hub, http, name)
    socket = await Socket.sit(hub, await person.place(f"/api/rooms/{sitting.room}/enter"))
    sitting.sockets.append(socket)  # which leaves with the others
    return person, socket


async def say(socket: Socket, text: str, channel: str = "table", **more: Any) -> str | None:
    verdict = await socket.command("say", channel=channel, text=text, **more)
    code: str | None = verdict.get("code")
    return code


def texts(socket: Socket) -> list[str]:
    return [message["message"]["text"] for message in socket.heard if message["t"] == "talk"]


@ASYNC
async def test_who_may_talk_to_the_table(live_hub: LiveHub) -> None:
    """GEN-8, R24, G4.6: nobody, unless the host of a private table chose so; then all hear it."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http, discussion="untilReady", timers="off", target=4)
        _, wil = await watch(live_hub, http, sitting, "Wil")
        assert await say(wil, "unheard") == "WATCHERS_UNHEARD"
        assert (await wil.command("manage", act={"do": "hear_watchers", "on": True}))["code"] == "NOT_SEATED"
        assert await act(sitting, 1, do="hear_watchers", on=True) == "NOT_HOST"
        assert await act(sitting, 0, do="hear_watchers", on=True) is None
        await wil.until(lambda: wil.sections["table"]["hears_watchers"])
        assert await say(wil, "to all") is None
        assert await say(wil, "to one", to=1) == "BAD_MOVE"
        assert await say(wil, "among us", channel="watchers") is None
        for socket in sitting.sockets[:3]:
            await socket.until(lambda socket=socket: texts(socket) == ["to all"])  # type: ignore[misc]
            message = socket.heard[-1]["message"]
            assert (message["name"], message["channel"], "seat" in message) == ("Wil", "table", False)
        assert texts(wil) == ["to all", "among us"]

        # it is stored, like the seats' own talk: newcomers can read it
        _, eve = await watch(live_hub, http, sitting, "Eve")
        kept = next(message for message in eve.heard if message["t"] == "view")["talk"]
        assert [message["text"] for message in kept] == ["to all"]

        # the host cannot change it once the game runs; in a phase of bids, nobody talks
        assert await act(sitting, 0, do="start") is None
        assert await act(sitting, 0, do="hear_watchers", on=False) == "NOT_NOW"
        assert await say(eve, "discuss") is None
        for seat, socket in enumerate(sitting.sockets[:3]):
            await socket.until(lambda socket=socket: "ready:1" in asked(socket))  # type: ignore[misc]
            assert "code" not in await socket.command("do", prompt="ready:1", move={"move": "ready"}), seat
        await sitting.sockets[0].until(lambda: "bid:1" in asked(sitting.sockets[0]))
        assert await say(eve, "bid 3") == "TALK_CLOSED"
        assert "bid 3" not in [text for socket in sitting.sockets for text in texts(socket)]
        await sitting.leave()


@ASYNC
async def test_an_open_table_never_hears_its_watchers(live_hub: LiveHub) -> None:
    """GEN-8"""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http, open=True)
        _, wil = await watch(live_hub, http, sitting, "Wil")
        assert await act(sitting, 0, do="hear_watchers", on=True) == "OPEN_TABLE"
        assert await say(wil, "hi") == "WATCHERS_UNHEARD"
        await sitting.leave()


@ASYNC
async def test_a_flood_of_watchers_leaves_the_seats_their_talk(live_hub: LiveHub) -> None:
    """G8.11: to the table as among themselves, watchers have one limit, and seats another."""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        assert await act(sitting, 0, do="hear_watchers", on=True) is None
        wils = [(await watch(live_hub, http, sitting, "Wil"))[1] for _ in range(2)]
        for wil in wils:
            codes = [
                await say(wil, f"flood {n}", channel="table" if n % 2 else "watchers") for n in range(12)
            ]
            assert codes.count(None) < 12
            assert set(codes) == {None, "SLOW_DOWN"}
        assert await say(sitting.sockets[1], "still here") is None
        await sitting.leave()


@ASYNC
async def test_a_watcher_can_be_reported_for_what_they_said_to_the_table(live_hub: LiveHub) -> None:
    """R15"""
    async with live_hub.http() as http:
        sitting = await table(live_hub, http)
        assert await act(sitting, 0, do="hear_watchers", on=True) is None
        _, wil = await watch(live_hub, http, sitting, "Guest A")
        assert await say(wil, "spam") is None
        ann = sitting.sockets[0]
        await ann.until(lambda: texts(ann) == ["spam"])
        assert ann.heard[-1]["message"]["name"] == "Guest A 2"
        path = f"/api/rooms/{sitting.room}/reports"
        answer = await sitting.people[0].prompt(path, reason="spam", watcher="Guest A 2")
        assert answer.status_code == 201
        await sitting.leave()
