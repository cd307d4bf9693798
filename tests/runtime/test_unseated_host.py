"""A host without a seat on a real store: absence, succession, takeovers, and a watching delay (R3, R26)."""

from __future__ import annotations

from typing import Any

import pytest

from hub.runtime.placement import Complaint, Placed
from hub.store.reports import Report
from hub.wire.tickets import Ticket
from tests.harness.follower import Follower
from tests.harness.processes import StoreProcess
from tests.harness.small_hub import WALL, WATCHER, ClientLine, SmallHub, person

pytestmark = pytest.mark.asyncio
HALF_MINUTE = 30_000


async def table(hub: SmallHub, people: int = 2, **how: Any) -> tuple[str, ClientLine, list[ClientLine]]:
    """A private table that person 9 hosts without a seat: its id, the host's line, and the seats'."""
    options = {"discussion": "untilReady"}
    placed = await hub.task(
        hub.rooms.create(
            person(WATCHER),
            "almost",
            3,
            options,
            open=False,
            play_now=False,
            bots=None,
            without_seat=True,
            **how,
        )
    )
    assert (placed.seat, placed.hosting) == (None, True)
    host = await hub.come(hub.follower(placed))
    seats = []
    for seat in range(people):
        sat = await hub.task(hub.rooms.sit(placed.room, person(seat), seat))
        seats.append(await hub.come(hub.follower(sat)))
    return placed.room, host, seats


async def enter(hub: SmallHub, room: str, who: int = WATCHER) -> ClientLine:
    placed = await hub.task(hub.rooms.enter(room, person(who)))
    assert isinstance(placed, Placed)
    somebody = person(who)
    ticket = Ticket(room, None, somebody.id, somebody.name, somebody.colour, 0, int(WALL))
    return await hub.come(Follower(hub.signer.ticket(ticket)))


async def manage(line: ClientLine, **act: Any) -> str | None:
    """Does a table action and returns the code of its refusal."""
    follower = line.follower
    n = await line.do("manage", act=act)
    code: str | None = follower.verdicts[follower.session or 0, n].get("code")
    return code


def seen(line: ClientLine, section: str = "table") -> dict[str, Any]:
    shown: dict[str, Any] = line.follower.sections[section]
    return shown


def crash(hub: SmallHub) -> None:
    """Kills a hub, and all its lines with it."""
    hub.die()
    for line in hub.lines:
        line.closed = True


async def test_a_host_who_is_away_is_replaced(hub: SmallHub) -> None:
    """R3, R26: after half a minute without a socket; coming back, they watch."""
    _, host, (first, second) = await table(hub)
    assert seen(second, "presence")["host"] is True
    first.drop()
    host.drop()
    await hub.advance(HALF_MINUTE - 1000)
    assert (seen(second)["host"], seen(second, "presence")["host"]) == (None, False)
    await hub.advance(1100)
    assert (seen(second)["host"], seen(second)["host_name"]) == (1, None)
    back = await hub.come(Follower(host.follower.ticket))
    assert back.follower.session is None
    assert seen(back, "presence") == {"connected": [False, True, False], "watchers": 0, "host": False}


async def test_whoever_stays_connected_stays_host(hub: SmallHub) -> None:
    """R3: also with several sockets, of which one is lost."""
    _, host, (first, _) = await table(hub)
    other = await hub.come(host.follower)
    host.drop()
    await hub.advance(2 * HALF_MINUTE)
    assert seen(first)["host_name"] == person(WATCHER).name
    assert await manage(other, do="lock", locked=True) is None


async def test_a_host_who_is_replaced_leaves_the_place(hub: SmallHub) -> None:
    """R26: their socket closes, and the ticket lets them watch; what they send then is refused."""
    room, host, (first, _) = await table(hub)
    assert await manage(host, do="hand_over", seat=0) is None
    await hub.settle()
    assert host.code == 4003
    watcher = await enter(hub, room)
    assert watcher.follower.session is None
    assert seen(first)["host"] == 0
    watcher.follower.session = 0
    assert await manage(watcher, do="lock", locked=True) == "NOT_SEATED"


async def test_a_host_who_sits_down_is_an_ordinary_host(hub: SmallHub) -> None:
    """R26, G4.14"""
    room, host, (first, _) = await table(hub)
    sat = await hub.task(hub.rooms.sit(room, person(WATCHER), 2))
    await hub.settle()
    assert host.code == 4003
    seat = await hub.come(hub.follower(Placed(room, "", 2, sat.seat_generation)))
    assert (seat.code, seen(first)["host"], seen(first)["host_name"]) == (4003, 2, None)


async def test_a_room_keeps_its_host_through_a_takeover(hub: SmallHub, store: StoreProcess) -> None:
    """R26, G2, G6: after kill -9, the host repeats a command at the next hub, where it is applied once."""
    _, host, seats = await table(hub)
    assert await manage(host, do="start") is None
    n = host.send_command("manage", act={"do": "pause"})
    await hub.settle()
    crash(hub)
    second = await SmallHub("two", hub.clock).open(store.url, "a:", after=hub)
    back = await second.come(host.follower)
    back.say(back.follower.packed(n))
    await second.settle()
    assert back.follower.applied(n)
    assert seen(back)["host_name"] == person(WATCHER).name
    assert seen(back)["status"] == "paused"
    guest = await second.come(seats[0].follower)
    assert await manage(guest, do="hand_over", seat=0) == "NOT_HOST"
    assert await manage(back, do="resume") is None
    await second.close()


async def test_a_new_owner_counts_their_absence_afresh(hub: SmallHub, store: StoreProcess) -> None:
    """R3"""
    _, host, seats = await table(hub)
    host.drop()
    await hub.advance(HALF_MINUTE - 2000)
    crash(hub)
    second = await SmallHub("two", hub.clock).open(store.url, "a:", after=hub)
    guest = await second.come(seats[1].follower)
    await second.advance(HALF_MINUTE - 2000)
    assert seen(guest)["host"] is None
    await second.advance(3000)
    assert seen(guest)["host"] == 1
    await second.close()


async def test_only_the_host_sees_who_watches_and_knocks(hub: SmallHub) -> None:
    """G4.13, R13: and admits them."""
    room, host, (first, _) = await table(hub)
    watcher = await enter(hub, room, 8)
    await hub.advance(1000)
    ((_, name),) = seen(host, "watchers")["watchers"]
    assert name == person(8).name
    assert "watchers" not in watcher.follower.sections | first.follower.sections
    assert await manage(host, do="admission", on=True) is None
    knocked = await hub.task(hub.rooms.ask(room, person(7), None))
    assert not knocked.admitted
    assert knocked.host
    await hub.advance(1000)
    (knock,) = seen(host, "knocks")["knocks"]
    assert await manage(host, do="admit", id=knock[0]) is None
    assert (await hub.task(hub.rooms.ask(room, person(7), None))).admitted
    host.drop()
    await hub.advance(1000)
    assert not (await hub.task(hub.rooms.ask(room, person(6), None))).host


async def test_a_table_closed_to_watchers_lets_its_host_in(hub: SmallHub) -> None:
    """R26"""
    room, host, _ = await table(hub)
    assert await manage(host, do="close_watching", closed=True) is None
    await hub.settle()
    assert not host.closed
    back = await enter(hub, room)
    assert back.follower.session is not None
    assert await manage(back, do="close_watching", closed=False) is None
    assert await manage(host, do="close_watching", closed=True) is None
    refused = await hub.task(hub.rooms.enter(room, person(8)))
    assert refused.code == "WATCHING_CLOSED"


async def test_they_report_what_they_have_heard(hub: SmallHub) -> None:
    """G8: also at a table that its watchers see late."""
    room, host, (first, _) = await table(hub, watch_delay="2min")
    assert await manage(host, do="start") is None
    await hub.advance(3000)
    await first.do("say", channel="table", text="an insult")
    report = await hub.task(hub.rooms.report(room, person(WATCHER), Complaint("insults", seat=0), 0))
    assert isinstance(report, Report)
    assert report.lines[-1].text == "an insult"  # bots may have spoken before


async def test_a_delay_does_not_hold_back_the_hosts_view(hub: SmallHub) -> None:
    """R26, GEN-8: the screen shows the present, watchers the past; the host tells them nothing."""
    room, host, seats = await table(hub, watch_delay="2min")
    watcher = await enter(hub, room, 8)
    assert (await host.do("say", channel="watchers", text="before the start")) is not None
    assert await manage(host, do="start") is None
    await hub.advance(3000)
    assert seen(host)["status"] == "running"
    assert seen(watcher)["status"] == "waiting"
    n = await host.do("say", channel="watchers", text="it has begun")
    assert host.follower.code(n) == "TALK_CLOSED"
    heard = [message["message"]["text"] for message in watcher.heard if message["t"] == "talk"]
    assert heard == ["before the start"]
    host.say(b"\x82\xa1t\xa4ping\xa1n\x01")
    assert host.follower.table_time >= 2000
    described = await hub.task(hub.rooms.describe(room, person(WATCHER).id))
    assert described["status"] == "running"
    assert (await hub.task(hub.rooms.describe(room, person(8).id)))["status"] == "waiting"
    refused = await hub.task(hub.rooms.sit(room, person(WATCHER), 2))
    assert refused.code == "HOSTED_LIVE"
    host.drop()
    await hub.advance(HALF_MINUTE + 1000)
    assert seen(seats[0])["host"] == 0
    back = await enter(hub, room)
    assert seen(back)["status"] == "waiting"
    back.follower.session = 0
    n = await back.do("say", channel="watchers", text="it has begun")
    assert back.follower.code(n) == "TALK_CLOSED"
    refused = await hub.task(hub.rooms.sit(room, person(WATCHER), 2))
    assert refused.code == "NOT_NOW", "as far as they know, the game has not begun"
