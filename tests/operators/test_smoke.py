"""deploy/smoke.py plays a game at a real hub, and says what is wrong where it cannot."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.harness.processes import HubProcess, free_port
from tests.hostile.live_hub import LiveHub

SMOKE = Path(__file__).resolve().parents[2] / "deploy" / "smoke.py"


def play(url: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return subprocess.run(
        [sys.executable, "-W", "error", SMOKE, url], env=environment, capture_output=True, text=True
    )


def test_a_whole_game_leaves_nobody_behind(short_path: Path) -> None:
    with HubProcess(short_path / "data") as hub:
        result = play(hub.url + "/")
        assert (result.returncode, result.stderr) == (0, "")
        assert "a whole game with a bot; broken connections came back: 1." in result.stdout
        assert not [line for line in result.stdout.splitlines() if not line.startswith("ok       ")]
        live_hub = LiveHub(hub.url, hub.pid, short_path / "data")
        for kind in ("seat", "watcher"):
            name = f'parley_sockets{{kind="{kind}"}}'
            assert asyncio.run(live_hub.settled(name, 0.0)) == 0.0
        with httpx.Client(base_url=hub.url, trust_env=False) as http:
            assert http.get("/api/rooms").json() == {"rooms": [], "total": 0}
            room = result.stdout.split("--room ")[1].split("`")[0]
            assert http.get(f"/api/rooms/{room}").json()["status"] == "finished"


def test_what_is_wrong_is_said(short_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with HubProcess(short_path / "data", port=port, public_url="https://play.example.org"):
        result = play(url)
        assert result.returncode == 1
        assert f"set PARLEY_PUBLIC_URL={url} on every hub" in result.stdout
    result = play(url)
    assert result.returncode == 1
    assert "PROBLEM" in result.stdout
    assert "cannot be reached" in result.stdout
