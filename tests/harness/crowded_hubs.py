"""Two hubs behind a proxy, with people at tables: `python -m tests.harness.crowded_hubs haproxy serve ...`.

As for `parley serve`, `--port` is where people reach them (the proxy), and `--data` a folder. SIGUSR1 kills
hub a, SIGUSR2 hub b; whoever was connected to it comes back. SIGTERM ends everything.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from hub.store.binary import find_binary
from tests.harness.players import Player, Table
from tests.harness.proxies import HUB_EXAMPLES, ROUND_ROBIN, serve_two_behind

PROXIES: Final = {proxy.program: proxy for proxy in HUB_EXAMPLES} | {"round-robin": ROUND_ROBIN}
LOOK_SECONDS: Final = 0.5


async def stay(player: Player) -> None:
    """Come back whenever the connection is lost."""
    while True:
        if player.closed is not None:
            await player.resume()
        await asyncio.sleep(LOOK_SECONDS)


async def run(proxy: str, folder: Path, port: int, tables: int) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, ended.set)
    url = f"http://127.0.0.1:{port}"
    with serve_two_behind(PROXIES[proxy], folder, port, await find_binary()) as (first, second):
        loop.add_signal_handler(signal.SIGUSR1, first.kill)
        loop.add_signal_handler(signal.SIGUSR2, second.kill)
        async with AsyncExitStack() as leaving:
            made = [await leaving.enter_async_context(await Table.made(url, 4)) for _ in range(tables)]
            people = [player for table in made for player in table.players]
            staying = [asyncio.create_task(stay(player)) for player in people]
            print(f"Parley is ready: {url}", flush=True)
            await ended.wait()
            for task in staying:
                task.cancel()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.harness.crowded_hubs")
    parser.add_argument("proxy", choices=PROXIES)
    parser.add_argument("serve")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=58)
    options = parser.parse_args()
    options.data.mkdir(exist_ok=True)
    asyncio.run(run(options.proxy, options.data, options.port, options.tables))
