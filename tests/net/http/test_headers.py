"""Security headers, on every response (H10)."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from hub.telemetry import log
from tests.net.http.world import (
    World,
    asynchronous,
    refused,
)


@asynchronous
@pytest.mark.parametrize("path", ["/", "/api/games", "/nothing", "/metrics", "/api/people"])
async def test_security_headers_everywhere(path: str) -> None:
    """H10"""
    headers = (await World().get(path)).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"


@asynchronous
async def test_files_that_pages_load_have_no_policy_of_their_own(tmp_path: Path) -> None:
    """H10: except for a worker, whose script has the worker's policy."""
    (tmp_path / "index.html").write_text("the page")
    (tmp_path / "sw.js").write_text("the worker")
    (tmp_path / "assets").mkdir()
    for name in ("a-1.js", "a-2.css", "a-3.woff2", "a-4.svg"):
        (tmp_path / "assets" / name).write_text("a file")
    world = World(web=tmp_path)
    for path in ("/assets/a-1.js", "/assets/a-2.css", "/assets/a-3.woff2"):
        headers = (await world.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "content-security-policy" not in headers
    for path in ("/", "/sw.js", "/assets/a-4.svg", "/assets/none"):
        headers = (await world.get(path, headers={"accept": "text/html"})).headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["x-frame-options"] == "DENY"


@asynchronous
async def test_a_browser_at_an_unknown_path(tmp_path: Path) -> None:
    """H10, H12"""
    (tmp_path / "index.html").write_text("the page")
    world = World(web=tmp_path)
    browser = {"accept": "text/html,*/*;q=0.8"}
    answer = await world.get("/nothing", headers=browser)
    assert (answer.status_code, answer.text) == (404, "the page")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["x-content-type-options"] == "nosniff"
    refused(await world.get("/nothing"), 404, "NOT_FOUND")
    refused(await world.get("/api/nothing", headers=browser), 404, "NOT_FOUND")
    refused(await world.get("/api/people", headers=browser), 405, "METHOD_NOT_ALLOWED")
    refused(await world.post("/nothing", headers=browser), 404, "NOT_FOUND")
    refused(await world.post("/healthz", headers=browser), 405, "METHOD_NOT_ALLOWED")


@asynchronous
async def test_security_headers_of_a_defect() -> None:
    """H10: the response to a defect is generated outside the application's middleware."""
    world = World()
    world.rooms.answer = RuntimeError()
    log.configure(stream=io.StringIO())
    answer = await world.get("/api/rooms")
    refused(answer, 500, "DEFECT")
    assert answer.headers["x-content-type-options"] == "nosniff"


@asynchronous
async def test_foreign_pages() -> None:
    """H10: no page from another origin may read a response, unless the operator has allowed that origin."""
    asking = {"origin": "https://a.example", "access-control-request-method": "POST"}
    asking["access-control-request-headers"] = "authorization,content-type"
    strict = World()
    assert "access-control-allow-origin" not in (await strict.get("/api/games", headers=asking)).headers
    assert (await strict.prompt("OPTIONS", "/api/rooms", headers=asking)).status_code == 405
    world = World(origins=("https://a.example",))
    answer = await world.prompt("OPTIONS", "/api/rooms", headers=asking)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://a.example"
    other = {**asking, "origin": "https://b.example"}
    answer = await world.prompt("OPTIONS", "/api/rooms", headers=other)
    refused(answer, 403, "BAD_ORIGIN")
    assert "access-control-allow-origin" not in answer.headers
    for change in (
        {"access-control-request-method": "DELETE"},
        {"access-control-request-headers": "x-other"},
    ):
        refused(
            await world.prompt("OPTIONS", "/api/rooms", headers={**asking, **change}), 400, "BAD_PREFLIGHT"
        )
    policy = (await world.get("/")).headers["content-security-policy"]
    assert "connect-src 'self' https://a.example wss://a.example;" in policy
