"""rediss+cluster://: all nodes are reached over TLS, also those that are only learned of (G2, G6)."""

from __future__ import annotations

import shutil
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import quote

import pytest

from hub.config import CannotStart, Exit
from hub.store.address import StoreAddress
from hub.store.cluster import find_slot
from hub.store.cluster_pipe import ClusterPipe, make_pipe
from hub.store.pipe import Result
from hub.store.store import Store
from hub.telemetry.tasks import Tasks
from tests.conftest import BUNDLED
from tests.harness.certificates import self_signed
from tests.harness.clusters import PASSWORD, clustered, speaks_tls
from tests.harness.defaults import DEFAULTS
from tests.harness.owner import Owner

pytestmark = pytest.mark.asyncio


def servers() -> list[Path]:
    """The bundled one, which needs proxies for TLS, and one on PATH that needs none."""
    paths = [Path(path) for name in ("valkey-server", "redis-server") if (path := shutil.which(name))]
    return [BUNDLED, *[path for path in paths if speaks_tls(path)][:1]]


@pytest.fixture(params=servers(), ids=lambda path: path.name)
def server(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[tuple[Store, ClusterPipe]]:
    store = await Store.open(url, forget_days=DEFAULTS.forget_days)
    async with Tasks() as tasks:
        pipe = make_pipe(url, tasks)
        assert isinstance(pipe, ClusterPipe)
        await pipe.connect()
        yield store, pipe
        await pipe.close()
    await store.close()


async def refusal(url: str) -> str:
    with pytest.raises(CannotStart) as caught:
        await Store.open(url, forget_days=DEFAULTS.forget_days)
    assert caught.value.exit is Exit.STORE
    assert "\n" not in caught.value.advice
    assert quote(PASSWORD) not in caught.value.advice
    return caught.value.advice


async def test_every_connection_uses_tls_and_the_login(server: Path, short_path: Path) -> None:
    """Also to nodes that are learned of, asked (ASK), moved to (MOVED) and promoted. Only the user of the URL
    may use the hub's keys."""
    certificate = self_signed(short_path)
    async with clustered(server, short_path, replicas=[0], certificates=[certificate]) as cluster:
        for node in cluster.nodes:
            rules = ("on", f">{PASSWORD}, too", "~parley:*", "&parley:*", "+@all")
            await cluster.run(node, "ACL", "SETUSER", "hub", *rules)
            await cluster.run(node, "ACL", "SETUSER", "default", "resetkeys", "%R~*", "~moved:*")
        first, second = cluster.primaries[:2]
        login = f"hub:{quote(PASSWORD + ', too')}@127.0.0.1:{cluster.port_of(first)}"
        async with opened(f"rediss+cluster://{login}?ssl_ca_certs={certificate}") as (store, pipe):
            owners = {node: Owner("one", store, pipe) for node in cluster.primaries}
            for number in range(30):
                room = f"r{number}"
                owner = owners[cluster.home_of(store.keys.room(room)[0])]
                if not owner.room:
                    assert await owner.create(room)
            for owner in owners.values():
                assert await owner.commit(b"a") is Result.APPLIED
            owner = owners[first]
            slot = find_slot(store.keys.room(owner.room)[0])
            await cluster.begin_move(slot, first, second)
            await cluster.run(first, "ACL", "SETUSER", "default", "~*")
            await cluster.run(second, "ACL", "SETUSER", "default", "~*")
            await cluster.move_keys(slot, first, second)
            assert await owner.commit(b"asked") is Result.APPLIED
            await cluster.finish_move(slot, first, second)
            assert await owner.commit(b"moved") is Result.APPLIED
            assert await store.log(owner.room) == [b"a", b"asked", b"moved"]
            await cluster.promote(cluster.replicas[0])
            await cluster.until_agreed()
            owner = Owner("two", store, pipe)
            room = next(f"s{n}" for n in count() if cluster.home_of(store.keys.room(f"s{n}")[0]) is first)
            assert await owner.create(room)
            assert await owner.commit(b"promoted") is Result.APPLIED
            assert await store.log(room) == [b"promoted"]
            assert await cluster.run(cluster.replicas[0], "EXISTS", store.keys.room(room)[0])
            assert pipe.healthy


async def test_what_operators_are_told(server: Path, short_path: Path) -> None:
    certificate = self_signed(short_path)
    other = self_signed(short_path, name="other")
    async with clustered(server, short_path, certificates=[certificate]) as cluster:
        first = cluster.primaries[0]
        node = f"127.0.0.1:{cluster.port_of(first)}"
        url = f"{cluster.url}?ssl_ca_certs={certificate}"
        assert f"{node} refuses the login (WRONGPASS): correct the password" in await refusal(
            url.replace(quote(PASSWORD), "wrong")
        )
        for missing in ("slots", "info"):
            for one in cluster.nodes:
                rules = ("on", ">pw", "~*", "+@all", f"-cluster|{missing}")
                await cluster.run(one, "ACL", "SETUSER", missing, *rules)
            said = await refusal(url.replace(f":{quote(PASSWORD)}", f"{missing}:pw"))
            assert f"{node} does not let this user do what the hub needs (NOPERM)" in said
            assert "CLUSTER INFO and CLUSTER SLOTS" in said
        for wrong in (f"?ssl_ca_certs={other}", ""):
            said = await refusal(cluster.url + wrong)
            assert f"{node} has a certificate that the hub does not trust (self-signed certificate)" in said
            assert "name the file of its authority with ?ssl_ca_certs= in PARLEY_REDIS_URL" in said
        said = await refusal(cluster.url.replace("rediss", "redis"))
        assert "if it speaks TLS, name it with rediss instead of redis in PARLEY_REDIS_URL" in said


async def test_a_node_whose_certificate_differs(server: Path, short_path: Path) -> None:
    """It is found only through the others, whose certificates are good."""
    good, other = self_signed(short_path), self_signed(short_path, name="other")
    elsewhere = self_signed(short_path, "192.0.2.1", "elsewhere")
    trusted = short_path / "both.pem"
    trusted.write_bytes(good.read_bytes() + elsewhere.read_bytes())
    for number, (certificate, said) in enumerate(
        [
            (other, "has a certificate that the hub does not trust"),
            (
                elsewhere,
                "has a certificate that is not valid for '127.0.0.1': have one issued for the address",
            ),
        ]
    ):
        folder = short_path / str(number)
        folder.mkdir()
        async with clustered(server, folder, certificates=[good, certificate, good]) as cluster:
            named = cluster.url.partition(",")[0]
            node = cluster.port_of(cluster.primaries[1])
            advice = await refusal(f"{named}?ssl_ca_certs={trusted}")
            assert f"127.0.0.1:{node} {said}" in advice


async def test_a_node_without_tls(short_path: Path) -> None:
    certificate = self_signed(short_path)
    async with clustered(BUNDLED, short_path, certificates=[certificate, None, certificate]) as cluster:
        plain = f"127.0.0.1:{cluster.primaries[1].port}"
        for named in (cluster.url.partition(",")[0], f"rediss+cluster://:{quote(PASSWORD)}@{plain}"):
            advice = await refusal(f"{named}?ssl_ca_certs={certificate}")
            said = f"{plain} does not answer the TLS handshake: if it does not speak TLS, switch it on there"
            assert said in advice


async def test_a_map_that_is_refused_later(short_path: Path) -> None:
    """The pipe says so, in the log and on /readyz, as the start would."""
    certificate = self_signed(short_path)
    async with clustered(BUNDLED, short_path, certificates=[certificate]) as cluster:
        for node in cluster.nodes:
            await cluster.run(node, "ACL", "SETUSER", "hub", "on", ">first", "~*", "&*", "+@all")
        url = cluster.url.replace(f":{quote(PASSWORD)}", "hub:first")
        async with opened(f"{url}?ssl_ca_certs={certificate}") as (_, pipe):
            assert pipe.problem is None
            for node in cluster.nodes:
                await cluster.run(node, "ACL", "SETUSER", "hub", "resetpass", ">second")
                await cluster.run(node, "CLIENT", "KILL", "USER", "hub")
            said = "the store does not say where its tables are: 127.0.0.1:"
            while not str(pipe.problem).startswith(said):  # at first, perhaps, that it refuses the login
                await cluster.run(cluster.primaries[0], "PING")
            assert "WRONGPASS" in str(pipe.problem)


async def test_the_authorities_are_read_once(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading them again for each connection that reads the map would hold up the hub."""
    certificate = self_signed(short_path)
    made = Mock(wraps=ssl.create_default_context)
    monkeypatch.setattr(ssl, "create_default_context", made)
    async with clustered(BUNDLED, short_path, certificates=[certificate]) as cluster:
        address = StoreAddress.parse(f"{cluster.url}?ssl_ca_certs={certificate}")
        assert address.cluster is not None
        for _ in range(3):
            await address.cluster.refresh()
        assert made.call_count == 1
