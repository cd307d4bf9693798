"""A whole hub calls back somebody who is away from a game that waits for them (R27)."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import time
from pathlib import Path

import pytest

from tests.harness.plain_http import plain_http
from tests.harness.processes import ROOT, Process
from tests.net.push.push_service import Browser, run_service


def encode(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).rstrip(b"=").decode()


@pytest.mark.asyncio
async def test_an_absent_person_is_called_back(tmp_path: Path) -> None:
    async with run_service(tmp_path) as service:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        command = (sys.executable, "-m", "tests.harness.calling_hub", str(service.port))
        hub = Process(
            (*command, tmp_path / "localhost.pem", "serve", "--port", "0", "--data", tmp_path / "data"),
            ready=r"Parley is ready: (\S+)",
            environment=clean,
            folder=ROOT,
        )
        await asyncio.to_thread(hub.start)
        try:
            async with plain_http(hub.ready[1]) as http:
                token = (await http.post("/api/people", json={"name": "Ann", "colour": 0})).json()["token"]
                bearer = {"authorization": f"Bearer {token}"}
                browser = Browser("https://push.example/a", int(time.time()))
                sent = browser.subscription
                keys = {"p256dh": encode(sent.p256dh), "auth": encode(sent.auth)}
                body = {"endpoint": sent.endpoint, "keys": keys}
                assert (await http.post("/api/push", headers=bearer, json=body)).status_code == 201
                table = {"game": "almost", "seats": 3, "play_now": True}
                placed = (await http.post("/api/rooms", headers=bearer, json=table)).json()
                async with asyncio.timeout(30):
                    await service.arrived.wait()
                (request,) = service.requests
                call = json.loads(browser.decrypt(request.body))
                assert call == {"table": placed["code"], "path": f"/t/{placed['room']}"}
        finally:
            hub.kill()
