"""The lease of a hub's URL: an earlier run of the hub gives it up, another live hub does not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from hub.app import _serve
from hub.config import CannotStart, Config, Exit
from hub.store import url_lease
from hub.store.hubs import HubIdentity
from hub.store.store import OwnedByOther
from hub.store.url_lease import UrlLease
from hub.telemetry.tasks import Tasks
from tests.harness.manual_clock import ManualClock
from tests.harness.owner import Owner
from tests.harness.processes import HubProcess, StoreProcess
from tests.store.contents import raw_client
from tests.store.opening import behind_proxy, opened, taken

pytestmark = pytest.mark.asyncio

OLD = HubIdentity("old", "http://same")
NEW = HubIdentity("new", "http://same")


async def test_a_newcomer_is_refused_while_another_hub_beats(
    store_process: StoreProcess, prefix: str
) -> None:
    clock = ManualClock()
    async with opened(store_process, prefix) as (store, _), Tasks() as tasks:
        old = UrlLease(store, OLD, clock)
        await old.take(alone=False)
        taking = tasks.start("take", UrlLease(store, NEW, clock).take(alone=False))
        while not taking.done():
            await asyncio.wait(
                [taking, asyncio.ensure_future(clock.asleep())], return_when=asyncio.FIRST_COMPLETED
            )
            await old.renew()
            clock.advance(0.1)
        problem = taking.exception()
    assert isinstance(problem, CannotStart)
    assert problem.exit is Exit.STORE
    assert "Another hub is running at http://same" in problem.advice
    assert "PARLEY_PUBLIC_URL" in problem.advice
    assert sum(clock.slept) > 3.0
    assert old.problem is None


async def test_the_lease_of_a_killed_hub_is_waited_for(store_process: StoreProcess, prefix: str) -> None:
    clock = ManualClock()
    async with (
        opened(store_process, prefix) as (store, _),
        raw_client(store_process) as raw,
        Tasks() as tasks,
    ):
        await UrlLease(store, OLD, clock).take(alone=False)
        assert 2_000 < await raw.pttl(f"{prefix}url:http://same") <= 3_000
        new = UrlLease(store, NEW, clock)
        taking = tasks.start("take", new.take(alone=False))
        for _ in range(5):
            await clock.wake()
        await clock.asleep()
        assert not taking.done()
        await raw.delete(f"{prefix}url:http://same")  # as three seconds would
        clock.advance(0.1)
        await taking
        await new.renew()
        assert new.problem is None


async def test_an_earlier_life_that_is_proved_dead_gives_way_at_once(
    store_process: StoreProcess, prefix: str
) -> None:
    """The bundled store's folder is locked, so no other hub can be using it. Its rooms are free, too."""
    async with opened(store_process, prefix) as (store, pipe):
        await store.beat(OLD, 10)
        await UrlLease(store, OLD, ManualClock()).take(alone=False)
        owner = Owner("old", store, pipe)
        await owner.create("r")
        assert await store.claim("r", NEW, 0) == OwnedByOther("http://same")
        clock = ManualClock()
        await UrlLease(store, NEW, clock).take(alone=True)
        assert clock.slept == []
        assert taken(await store.claim("r", NEW, 0)).epoch == 2


async def test_a_hub_that_lost_its_url_says_so_until_it_has_it_again(
    store_process: StoreProcess, prefix: str
) -> None:
    """As after a freeze of more than a lease, in which another hub was started."""
    async with opened(store_process, prefix) as (store, _), raw_client(store_process) as raw:
        old, new = UrlLease(store, OLD, ManualClock()), UrlLease(store, NEW, ManualClock())
        await old.take(alone=False)
        await raw.delete(f"{prefix}url:http://same")  # as three seconds would
        await new.take(alone=False)
        with capture_logs() as logs:
            for _ in range(3):
                await old.renew()
        assert [entry["log_level"] for entry in logs] == ["error"]
        assert old.problem is not None
        assert "http://same" in old.problem
        await new.renew()
        assert new.problem is None
        await store.depart(NEW)
        await old.renew()
        assert old.problem is None


async def test_no_answer(store_process: StoreProcess, prefix: str) -> None:
    async with behind_proxy(store_process, prefix) as (store, proxy):
        old = UrlLease(store, OLD, ManualClock())
        await old.take(alone=False)
        proxy.down = True
        proxy.cut()
        await old.renew()
        assert old.problem is None
        for take in (old.take(alone=False), old.take(alone=True)):
            with pytest.raises(CannotStart) as caught:
                await take
            assert caught.value.exit is Exit.STORE


def settings(store: StoreProcess) -> dict[str, Any]:
    return {"redis_url": store.url, "secret": "0123456789abcdef" * 2, "public_url": "http://play.example"}


async def test_two_hubs_with_one_url(
    own_store: StoreProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed hub is back within one lease; another hub with its URL is refused."""
    first = HubProcess(tmp_path / "one", **settings(own_store))
    await asyncio.to_thread(first.start)
    try:
        await asyncio.to_thread(first.restart)
        monkeypatch.setattr(url_lease, "POLL_SECONDS", 0.001)
        second: Any = {**settings(own_store), "data": tmp_path / "two", "port": 0}
        with pytest.raises(CannotStart, match=r"Another hub is running at http://play\.example") as caught:
            await _serve(Config(**second), ready=lambda _, __: pytest.fail("it started"))
        assert caught.value.exit is Exit.STORE
    finally:
        await asyncio.to_thread(first.kill)
