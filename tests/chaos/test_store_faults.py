"""The store killed, restarted, unreachable, or answering badly, while people play on its hubs."""

from __future__ import annotations

import asyncio
import random
import shutil
from pathlib import Path

import pytest

from tests.chaos.conftest import BUNDLED, Hubs
from tests.chaos.talking_table import TALKING, check, proposes
from tests.harness.fault_proxy import Fault, FaultProxy
from tests.harness.follower import Follower
from tests.harness.players import Player, Table
from tests.harness.processes import StoreProcess

pytestmark = pytest.mark.asyncio


async def wait_for_all_verdicts(table: Table) -> None:
    await asyncio.gather(*(player.answered() for player in table.players))


async def test_killing_a_store_that_syncs_every_write_loses_nothing(hubs: Hubs, folder: Path) -> None:
    """G6.3, G1.1, G1.4, G2.6: whenever the store is killed, nobody even loses the connection."""
    (folder / "fsync").mkdir()
    with StoreProcess(BUNDLED, folder / "fsync", appendfsync="always") as store:
        hub = hubs(store.url, ack="fsync")
        async with await Table.made(hub.url, options=TALKING) as table:
            await table.start()
            for number in range(1, 5):
                for player in table.players:
                    await proposes(player, number, 1, 1 + (player.knows.seat or 0))
                    await proposes(player, number, 2, 1 + (player.knows.seat or 0))
                if number % 2:
                    await table.players[0].until(lambda: len(table.players[0].knows.pending) < 2)
                await asyncio.to_thread(store.restart)
                await wait_for_all_verdicts(table)
                await check(store, table)
            assert [player.closed for player in table.players] == [None] * 3
            assert {len(player.knows.runs) for player in table.players} == {1}


async def test_commands_survive_a_store_restart(hubs: Hubs, store: StoreProcess) -> None:
    """G6.2, G1.4, G2.6: it is down for a while; commands wait, and each gets its verdict once."""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING) as table:
        await table.start()
        for number in range(1, 4):
            await asyncio.to_thread(store.stop)
            for player in table.players:
                await proposes(player, number, 1, 1 + (player.knows.seat or 0))
                await player.ping()  # the hub has received it, and still answers
                assert len(player.knows.pending) == 1
            if number == 2:  # this time the hub does not survive the outage
                await asyncio.to_thread(hub.kill)
            await asyncio.to_thread(store.start)
            if number == 2:
                await asyncio.to_thread(hub.start)
                await table.back()
            await wait_for_all_verdicts(table)
            await check(store, table)


async def test_a_store_that_lost_writes_starts_a_new_epoch(
    hubs: Hubs, store: StoreProcess, folder: Path
) -> None:
    """G6.5: the table goes back by that much, in a new epoch, with one history for everybody."""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING) as table:
        await table.start()
        await proposes(table.players[0], 1, 1, 1)
        await wait_for_all_verdicts(table)
        await asyncio.to_thread(store.stop)
        shutil.copytree(folder / "store" / "appendonlydir", folder / "before")
        await asyncio.to_thread(store.start)
        await proposes(table.players[0], 2, 2, 2)
        await wait_for_all_verdicts(table)
        old = table.players[0].knows.runs[0]
        await asyncio.to_thread(store.kill)
        shutil.rmtree(folder / "store" / "appendonlydir")
        shutil.copytree(folder / "before", folder / "store" / "appendonlydir")
        await asyncio.to_thread(store.start)
        await proposes(table.players[1], 3, 3, 3)
        for player in table.players:
            assert await player.gone() == 4001
            player.knows = Follower(player.knows.ticket)  # the client forgets what the store lost
            await player.resume()
            assert player.knows.run != old
        await proposes(table.players[2], 4, 4, 4)
        await wait_for_all_verdicts(table)
        await check(store, table)
        await table.players[0].ping()  # the frame with the last proposal has come before the answer
        plans = [plan["bids"] for plan in table.players[0].knows.sections["plans"]["plans"]]
        assert plans == [[1, 1, 1], [4, 4, 4]]


@pytest.mark.parametrize("seed", range(3))
async def test_lost_and_repeated_commands_and_replies(seed: int, hubs: Hubs, store: StoreProcess) -> None:
    """G1.4, G2.1, G2.5, G2.6, G3.6: the network loses or repeats both, and clients repeat commands."""
    chance = random.Random(seed)
    faults = [
        *(Fault.REPEAT_REPLY, Fault.GARBLE_REPLY, Fault.CUT_BEFORE, Fault.CUT_AFTER),
        *(Fault.REPEAT_COMMAND, Fault.LOSE_REPLY),
    ]
    chance.shuffle(faults)
    async with FaultProxy(store.socket, folder=store.socket.parent) as proxy:
        hub = await asyncio.to_thread(hubs, proxy.url)
        async with await Table.made(hub.url, options=TALKING) as table:
            await table.start()
            for number, fault in enumerate(faults, start=1):
                proxy.plan(fault, command="EVALSHA", skip=chance.randrange(2))
                for more in range(3):
                    for player in table.players:
                        n = await proposes(player, number, 1 + more, 1 + (player.knows.seat or 0))
                        old = [i for i in range(n) if i > n - 30]
                        for again in chance.sample([n, n, *old], 2):
                            await player.again(again)
                    if more == 1:
                        await wait_for_all_verdicts(table)
                await wait_for_all_verdicts(table)
                await proxy.happened(fault)
            await check(store, table)
            await asyncio.to_thread(hub.kill)


async def test_commands_out_of_order_and_too_old(hubs: Hubs, store: StoreProcess) -> None:
    """G2.1, G2.3, G2.4: the last 32 commands of a seat's last four clients are known, in any order."""
    hub = hubs()
    async with await Table.made(hub.url, options=TALKING) as table:
        await table.start()
        player = table.players[1]
        knows = player.knows
        numbers = [knows.command("do", prompt="plan:1", move=plan(i)) for i in range(32)]
        chance = random.Random(7)
        for n in chance.sample(numbers, 32):
            await player.again(n)
        await player.answered()
        assert all(knows.applied(n) for n in numbers)
        for n in chance.sample(numbers, 32):
            await player.again(n)
        refused = await player.send("do", prompt="plan:9", move=plan(90))
        await player.answered()
        assert knows.code(refused) == "STALE_PROMPT"
        for i in range(32, 40):
            await player.send("do", prompt="plan:1", move=plan(i))
        await player.answered()
        assert await resend(player, numbers[0]) == "TOO_OLD"
        assert await resend(player, numbers[20]) is None
        assert await resend(player, refused) == "STALE_PROMPT"
        await check(store, table)

        first = knows.session
        for _ in range(4):  # four more clients of the same seat
            knows.session, knows._n = None, -1
            await player.resume()
        knows.session = first
        assert await resend(player, numbers[20]) == "TOO_OLD"
        await check(store, table)


def plan(number: int) -> dict[str, object]:
    return {"move": "propose", "bids": [1, 2, 1 + number]}


async def resend(player: Player, n: int) -> str | None:
    """Send a command once more, and return the code of the new verdict."""
    before = len(player.heard)
    await player.again(n)
    await player.until(lambda: any(message["t"] == "verdict" for message in player.heard[before:]))
    (verdict,) = [message for message in player.heard[before:] if message["t"] == "verdict"]
    code = verdict.get("code")
    return None if code is None else str(code)
