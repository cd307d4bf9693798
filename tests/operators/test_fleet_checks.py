"""`parley doctor` on a store of several hubs: their links, clocks and versions."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.config import Config
from hub.finding import Finding
from hub.fleet_checks import examine_clocks, examine_fleet, examine_labels, examine_link, examine_versions
from hub.net.links.credentials import Credentials
from hub.net.links.messages import LINK_SUBPROTOCOL
from hub.store.hubs import HubDescription, HubIdentity, RegisteredHub
from hub.store.store import Store
from tests.conftest import BUNDLED
from tests.harness.players import PATIENCE
from tests.harness.processes import StoreProcess, free_port
from tests.operators.conftest import SECRET, Fleet

DESCRIPTION = HubDescription(2, {"almost": 3}, 1, "0.1.0", "a", 1)


def registered(label: str = "a", ahead_ms: int | None = 0, **fields: object) -> RegisteredHub:
    description = replace(DESCRIPTION, label=label, **fields)
    return RegisteredHub(HubIdentity(f"incarnation of {label}", "wss://10.0.0.7:8421"), description, ahead_ms)


async def list_hubs(url: str) -> list[RegisteredHub]:
    """Both hubs of the fleet, as soon as they have registered."""
    store = await Store.open(url, forget_days=1)
    try:
        async with asyncio.timeout(PATIENCE):
            while len(hubs := await store.list_registered()) < 2:
                pass
        return hubs
    finally:
        await store.close()


def test_two_hubs_that_are_well(fleet: Fleet, tmp_path: Path) -> None:
    hubs = asyncio.run(list_hubs(fleet.store))
    assert all(hub.clock_ahead_ms is not None and hub.clock_ahead_ms <= 0 for hub in hubs), (
        "one clock, told late"
    )
    config = Config(data=tmp_path, redis_url=fleet.store, secret=SECRET)  # type: ignore[arg-type]
    findings = examine_fleet(config)
    assert [finding.result for finding in findings] == ["ok", "ok", "ok"]
    assert all(hub.identity.url in findings[0].text for hub in hubs)
    assert "The clocks of the hubs" in findings[1].text
    assert findings[2].text == f"All 2 hubs run Parley {version('parley')}, with the same rules."


def test_links_that_cannot_be_opened(fleet: Fleet) -> None:
    """Each cause has its own advice."""
    hub = asyncio.run(list_hubs(fleet.store))[0]

    def examine(secret: str, hub: RegisteredHub, version: str = LINK_SUBPROTOCOL) -> str:
        finding = asyncio.run(examine_link(hub, Credentials(secret.encode(), "doctor"), version))
        assert finding is not None
        assert finding.result == "problem"
        return finding.text

    no_certificate = "answers, but not with a certificate of these hubs: it has another PARLEY_SECRET, or"
    assert no_certificate in examine("x" * 32, hub)
    client_port = hub._replace(identity=hub.identity._replace(url=fleet.one.url.replace("http", "wss")))
    assert no_certificate in examine(SECRET, client_port)
    assert "bring both to the same version of Parley" in examine(SECRET, hub, "parley.link.v0")
    another = hub._replace(identity=hub.identity._replace(incarnation="another"))
    assert "Another hub answers" in examine(SECRET, another)
    away = hub._replace(identity=hub.identity._replace(url=f"wss://127.0.0.1:{free_port()}"))
    assert "let hubs connect to one another" in examine(SECRET, away)


def test_no_secret_and_no_fleet(fleet: Fleet, tmp_path: Path) -> None:
    config = Config(data=tmp_path, redis_url=fleet.store)
    (finding,) = examine_fleet(config)
    assert finding.result == "problem"
    assert "PARLEY_SECRET is not" in finding.text
    assert examine_fleet(Config(data=tmp_path)) == []


@pytest.mark.parametrize(
    ("ahead_ms", "result", "names"),
    [
        ({"a": 100, "b": -100}, "ok", "agree to 0.2 seconds"),
        ({"a": 4000, "b": -4000}, "warning", "hub a and hub b differ by 8 seconds"),
        ({"a": 61_000, "b": None}, "problem", "hub a and this machine differ by 61 seconds"),
        ({"a": -31_000, "b": 30_000}, "problem", "hub b and hub a differ by 61 seconds"),
    ],
)
def test_clocks(ahead_ms: dict[str, int | None], result: str, names: str) -> None:
    """Hubs tolerate a minute (tickets are dated), and a store's clock matters to nobody."""
    finding = examine_clocks([registered(label, ahead) for label, ahead in ahead_ms.items()], 0)
    assert finding.result == result
    assert names in finding.text


def test_all_hubs_drain(short_path: Path) -> None:
    """They are alive, and take no part in the fleet."""

    async def beat(url: str) -> None:
        store = await Store.open(url, forget_days=1)
        try:
            await store.beat(HubIdentity("one that drains", "wss://10.0.0.7:8421"), 1)
        finally:
            await store.close()

    with StoreProcess(BUNDLED, short_path) as store:
        asyncio.run(beat(store.url))
        config = Config(data=short_path, redis_url=store.url, secret=SECRET)  # type: ignore[arg-type]
        (finding,) = examine_fleet(config)
    assert finding.result == "warning"
    assert finding.text.startswith("Every hub on the store is draining")


def test_hubs_with_the_same_label() -> None:
    assert list(examine_labels([registered("a"), registered("b")])) == []
    (finding,) = examine_labels([registered("a"), registered("b"), registered("a")])
    assert finding == Finding("warning", "Two hubs have the label a: give each its own PARLEY_HUB_LABEL.")


def test_a_store_whose_clock_is_off_is_a_warning() -> None:
    finding = examine_clocks([registered("a", 90_000)], 90_000)
    assert finding.result == "warning"
    assert "the store differ by 90 seconds" in finding.text


def test_versions() -> None:
    def examine(*hubs: RegisteredHub) -> list[Finding]:
        return list(examine_versions(hubs, "0.1.0"))

    assert examine(registered()) == [Finding("ok", "One hub runs Parley 0.1.0, with the same rules.")]
    (upgrade,) = examine(registered(), registered("b", version="0.2.0"))
    assert upgrade.result == "warning"
    assert "(0.1.0: a; 0.2.0: b): finish the upgrade" in upgrade.text
    (restart,) = examine(registered("b", version="0.2.0"))
    assert "Parley 0.1.0 is installed on this machine, and the hubs run 0.2.0: restart them" in restart.text
    texts = [
        finding.text for finding in examine(registered(), registered("b", schema=2, games={"almost": 4}))
    ]
    assert "(1: a; 2: b)" in texts[0]
    assert "rules of almost (3: a; 4: b)" in texts[1]
    (old,) = examine(registered(), registered("b", version=""))
    assert "unknown: b" in old.text
