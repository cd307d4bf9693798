"""deploy/smoke.py plays a game at a real hub, and says what is wrong where it cannot."""

from __future__ import annotations

import asyncio
import importlib.util
import io
import os
import subprocess
import sys
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from tests.harness.plain_http import blocking_http
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
        with blocking_http(hub.url) as http:
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


def load_smoke() -> Any:
    spec = importlib.util.spec_from_file_location("smoke", SMOKE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def refusal(status: int, *, after: str | None) -> urllib.error.HTTPError:
    headers = Message()
    if after is not None:
        headers["Retry-After"] = after
    return urllib.error.HTTPError("", status, "", headers, io.BytesIO(b'{"advice": "Wait."}'))


def test_a_refused_request_is_sent_again_when_the_hub_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as by a hub that drains; what nobody wants to hear again, such as a proxy's 503, is a problem."""
    smoke = load_smoke()
    answers: list[Any] = [refusal(503, after="0"), refusal(429, after="0"), io.BytesIO(b"{}")]
    give_answers(monkeypatch, answers)
    assert smoke.request("http://127.0.0.1/") == b"{}"
    for refused in (refusal(503, after=None), refusal(429, after="3600")):
        answers.append(refused)
        with pytest.raises(smoke.Problem, match=f"answered {refused.code}: Wait."):
            smoke.request("http://127.0.0.1/")


def test_a_hub_that_drains_is_asked_until_the_proxy_has_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    smoke = load_smoke()
    answers: list[Any] = [refusal(503, after=None), refusal(502, after=None), io.BytesIO(b"{}")]
    give_answers(monkeypatch, answers)
    monkeypatch.setattr(smoke, "RETRY_SECONDS", 0.0)
    smoke.await_ready("http://127.0.0.1")
    assert answers == []
    monkeypatch.setattr(smoke, "READY_SECONDS", -1.0)
    answers.append(refusal(503, after=None))
    with pytest.raises(smoke.Problem, match="answered 503"):
        smoke.await_ready("http://127.0.0.1")


def give_answers(monkeypatch: pytest.MonkeyPatch, answers: list[Any]) -> None:
    """Lets each request have the next of these answers."""

    def answer(*_: object, **__: object) -> Any:
        one = answers.pop(0)
        if isinstance(one, Exception):
            raise one
        return one

    monkeypatch.setattr(urllib.request, "urlopen", answer)
