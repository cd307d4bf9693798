"""The examples for reverse proxies: real ones in front of a real hub, with people at a table behind them."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.conftest import BUNDLED
from tests.harness.plain_http import blocking_http, plain_http
from tests.harness.players import Table
from tests.harness.processes import HubProcess, Process, free_port
from tests.harness.proxies import (
    EXAMPLES,
    HUB_EXAMPLES,
    PROXIES,
    ROUND_ROBIN,
    TOKEN,
    Proxy,
    configure,
    serve_two_behind,
    wait_for,
)
from tests.hostile.live_hub import LiveHub, Person, Socket, table


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda proxy: proxy.program)
def behind_proxy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveHub]:
    """A hub as it is reached through a proxy."""
    proxy: Proxy = request.param
    if shutil.which(proxy.program) is None:
        pytest.skip(f"{proxy.program} is not on this machine")
    folder = tmp_path_factory.mktemp(proxy.program)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with HubProcess(folder / "data", port=free_port(), public_url=url) as hub:
        running = Process(configure(proxy, folder, port, int(hub.command[-1])), ready="never printed")
        running.launch()
        try:
            wait_for(port)
            yield LiveHub(url, hub.pid, Path(hub.environment["PARLEY_DATA"]))
        finally:
            running.kill()


@pytest.mark.asyncio
async def test_a_table_behind_a_proxy(behind_proxy: LiveHub) -> None:
    """H14: pages' sockets pass, their addresses are the proxy's, and people hear one another."""
    async with behind_proxy.http() as http:
        sitting = await table(behind_proxy, http)
        assert sitting.places[0]["socket"] == f"ws://127.0.0.1:{behind_proxy.port}/ws/{sitting.room}"
        verdict = await sitting.sockets[0].command("say", channel="table", text="hello")
        assert "code" not in verdict
        other = sitting.sockets[1]
        await other.until(lambda: any(message["t"] == "talk" for message in other.heard))
        await sitting.leave()


@pytest.mark.asyncio
async def test_a_client_cannot_choose_its_address_behind_a_proxy(behind_proxy: LiveHub) -> None:
    """H11: forged headers use up nobody's limit; this machine's own requests have none."""
    async with behind_proxy.http() as http:
        http.headers.update({"x-forwarded-for": "203.0.113.7", "forwarded": "for=203.0.113.7"})
        for number in range(45):
            await Person.come(behind_proxy, http, f"Guest {number}")


@pytest.mark.asyncio
async def test_metrics_are_closed_behind_a_proxy(behind_proxy: LiveHub) -> None:
    """M1: for the operator, on the hub's machine."""
    async with behind_proxy.http() as http:
        assert (await http.get("/metrics")).status_code == 404
        assert (await http.get("/readyz")).status_code == 200


needs_nginx = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not on this machine")


@needs_nginx
def test_pages_reload_while_the_hub_is_away(tmp_path: Path) -> None:
    """What a page shows then needs nothing else from the hub, and nginx notes nobody's address."""
    port = free_port()
    running = Process(configure(EXAMPLES[0], tmp_path, port, free_port()), ready="never printed")
    running.launch()
    try:
        wait_for(port)
        with blocking_http(f"http://127.0.0.1:{port}") as http:
            page = http.get("/t/BCDFGH", headers={"accept": "text/html,*/*;q=0.8"})
            answer = http.post("/api/people", headers={"accept": "*/*"}, json={})
    finally:
        running.kill()
    assert (page.status_code, page.headers["content-type"]) == (503, "text/html")
    assert '<meta http-equiv="refresh"' in page.text
    assert not re.search(r"(src|href)=", page.text)
    assert (answer.status_code, answer.content, answer.headers["retry-after"]) == (503, b"", "5")
    assert "BCDFGH" not in "".join(running.lines) + (tmp_path / "error.log").read_text()


@needs_nginx
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not on this machine")
def test_the_commented_lines_for_tls_are_valid(tmp_path: Path) -> None:
    """As in the comment: they replace the line about port 80, and a second server redirects to it."""
    configure(EXAMPLES[0], tmp_path, 80, 8420)
    site = tmp_path / "site.conf"
    text = site.read_text()
    tls, redirect = (
        re.findall(pattern, text, flags=re.M)[0]
        for pattern in (r"^#\n((?:#    .*\n)+)#\n", r"^# server \{\n(?:#    .*\n)+# \}\n")
    )
    tls, redirect = (re.sub(r"^# ?", "", lines, flags=re.M) for lines in (tls, redirect))
    text = text.replace("\n    listen 127.0.0.1:80;\n", f"\n{tls}") + redirect
    site.write_text(text.replace("/etc/letsencrypt/live/play.example.org", str(tmp_path)))
    files = ["-keyout", f"{tmp_path}/privkey.pem", "-out", f"{tmp_path}/fullchain.pem"]
    subject = ["-subj", "/CN=play.example.org"]
    make = ["openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", *subject, *files]
    subprocess.run(make, check=True, capture_output=True)
    check = ["nginx", "-t", "-c", f"{tmp_path}/nginx.conf", "-e", "stderr"]
    result = subprocess.run(check, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "warn" not in result.stderr


def has_heard_talk(socket: Socket) -> bool:
    return any(message["t"] == "talk" for message in socket.heard)


@pytest.fixture(params=HUB_EXAMPLES, ids=lambda proxy: proxy.program)
def two_behind_proxy(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[LiveHub, list[HubProcess]]]:
    """Two hubs on one store, at the one address that their proxy has."""
    proxy: Proxy = request.param
    if shutil.which(proxy.program) is None:
        pytest.skip(f"{proxy.program} is not on this machine")
    port = free_port()
    with serve_two_behind(proxy, tmp_path, port, BUNDLED) as hubs:
        yield LiveHub(f"http://127.0.0.1:{port}", hubs[0].pid, tmp_path / "a"), hubs


@pytest.mark.at_length
@pytest.mark.asyncio
@pytest.mark.parametrize(
    "two_behind_proxy", [*HUB_EXAMPLES, ROUND_ROBIN], indirect=True, ids=["haproxy", "nginx", "round robin"]
)
async def test_sixty_tables_behind_a_proxy_of_two_hubs(
    two_behind_proxy: tuple[LiveHub, list[HubProcess]], request: pytest.FixtureRequest
) -> None:
    """R8: 240 people, each in the seat and connected at the first try, however the proxy spreads them."""
    hub, hubs = two_behind_proxy
    async with AsyncExitStack() as leaving:
        tables = [await leaving.enter_async_context(await Table.made(hub.url, 4)) for _ in range(60)]
        people = [player for table in tables for player in table.players]
        assert {player.tries for player in people} == {1}
        moved = [player for player in people if player.closed is not None]
        for player in moved:
            assert player.closed == 4001, "both hubs count only after a while, and then share the tables"
            await player.resume()
        for table in tables:
            await table.players[0].do("say", channel="table", text="hello")
        await asyncio.gather(*(player.until(partial(player.has, "talk")) for player in people))
        relayed = sum([await count_relayed_frames(hub) for hub in hubs])
    at_random = "round robin" in request.node.name
    assert relayed > len(people) / 4 if at_random else relayed <= 2 * len(moved), "a stale label costs a hop"


@pytest.mark.parametrize("two_behind_proxy", HUB_EXAMPLES[:1], indirect=True, ids=lambda proxy: proxy.program)
def test_games_on_two_hubs_with_bots(two_behind_proxy: tuple[LiveHub, list[HubProcess]]) -> None:
    """deploy/smoke.py plays a game on each of them through their one address."""
    hub, _ = two_behind_proxy
    command = [sys.executable, str(PROXIES.parent / "smoke.py"), hub.url, "--hubs", "2"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "of hub a" in result.stdout
    assert "of hub b" in result.stdout


async def count_relayed_frames(hub: HubProcess) -> float:
    """Clients' messages that arrived here for a table of the other hub."""
    headers = {"authorization": f"Bearer {TOKEN}"}
    async with plain_http(f"http://127.0.0.1:{hub.command[-1]}", headers=headers) as http:
        text = (await http.get("/metrics")).text
    (count,) = re.findall(r'^parley_relayed_frames_total\{direction="to_owner"\} (\S+)$', text, flags=re.M)
    return float(count)


@pytest.mark.asyncio
async def test_tables_behind_a_proxy_of_two_hubs(
    two_behind_proxy: tuple[LiveHub, list[HubProcess]],
) -> None:
    """R8: every seat at the first try, with the label and without, and after one hub is killed."""
    hub, hubs = two_behind_proxy
    async with hub.http() as http:
        assert (await http.get("/metrics")).status_code == 404
        assert await sit_by_label(hub.url, http) == {"a", "b"}
        assert [await count_relayed_frames(hub) for hub in hubs] == [0, 0], "each to the hub of its table"
        for _ in range(4):
            sitting = await table(hub, http)
            verdict = await sitting.sockets[0].command("say", channel="table", text="hello")
            assert "code" not in verdict
            other = sitting.sockets[1]
            await other.until(partial(has_heard_talk, other))
            await sitting.leave()
        hubs[1].kill()
        for _ in range(4):
            sitting = await table(hub, http)
            await sitting.leave()


async def sit_by_label(url: str, http: httpx.AsyncClient) -> set[str]:
    """People sit down and talk, with their sockets at the addresses that hubs give; returns the labels."""
    labels: set[str] = set()
    for _ in range(2):
        await http.get("/readyz")  # with it, each table takes an odd number of requests
        async with await Table.made(url) as sitting:
            labels |= {player.address.split("/")[-2] for player in sitting.players}
            await sitting.players[0].do("say", channel="table", text="hello")
            await asyncio.gather(
                *(player.until(partial(player.has, "talk")) for player in sitting.players[1:])
            )
    return labels
