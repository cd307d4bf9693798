"""The bundled store: one hub per folder, whose data it keeps; it is closed to other users."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from hub.config import Ack, CannotStart, Exit
from hub.store import embedded
from hub.store.embedded import Embedded
from hub.store.store import Store
from tests.harness.defaults import DEFAULTS
from tests.store.bundled_store import refusal, running, until_restarted

pytestmark = pytest.mark.asyncio


async def test_data_survives_a_restart(short_path: Path) -> None:
    async with running(short_path / "data") as (_, client):
        await client.set("a", "b")
    async with running(short_path / "data") as (_, client):
        assert await client.get("a") == b"b"


async def test_the_embedded_store_is_fit_for_a_hub(short_path: Path) -> None:
    """It passes the checks for every store without a warning."""
    acks: tuple[Ack, ...] = ("everysec", "fsync")
    for ack in acks:
        async with running(short_path / ack, ack) as (store, _):
            with capture_logs() as logs:
                opened = await Store.open(
                    f"unix://{store._socket}", ack=ack, forget_days=DEFAULTS.forget_days
                )
                await opened.close()
            assert [entry for entry in logs if entry["log_level"] != "debug"] == []


async def test_only_its_user_can_enter(short_path: Path) -> None:
    data = short_path / "data"
    async with running(data) as (store, client):
        for path, mode in ((data, 0o700), (data / "store", 0o700), (store._socket, 0o700)):
            assert path.stat().st_mode & 0o777 == mode, path
        assert (await client.config_get("port"))["port"] == "0"


async def test_a_killed_server_restarts_with_its_data(short_path: Path) -> None:
    async with running(short_path / "data", "fsync") as (store, client):
        for n in range(1, 3):
            await client.set("a", n)
            pid = store.pid
            with capture_logs() as logs:
                os.kill(pid or 0, signal.SIGKILL)
                await until_restarted(store, n)
            assert store.pid != pid
            assert await client.get("a") == str(n).encode()
            assert "the bundled store died" in [entry["event"] for entry in logs]


async def test_a_folder_has_one_hub(short_path: Path) -> None:
    async with running(short_path / "data") as (_, client):
        problem = await refusal(short_path / "data")
        assert problem.exit is Exit.DATA
        assert f"in use by another hub (process {os.getpid()})" in problem.advice
        assert await client.ping()
    async with running(short_path / "data") as (_, client):
        assert await client.ping()


async def test_a_path_too_long_for_a_socket(short_path: Path) -> None:
    data = short_path / ("d" * 60) / ("e" * 60)
    async with running(data) as (store, client):
        assert len(os.fsencode(store._socket)) < 108
        assert store._socket.parent.stat().st_mode & 0o777 == 0o700
        assert await client.ping()
    assert not store._socket.exists()


async def test_a_short_folder_of_somebody_else_is_not_used(
    short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = short_path / f"parley-{os.getuid()}"
    theirs.mkdir(mode=0o777)
    theirs.chmod(0o777)
    monkeypatch.setattr(embedded, "RUNTIME", short_path)
    problem = await refusal(short_path / ("d" * 60) / ("e" * 60))
    assert "not this user's private folder" in problem.advice
    assert problem.exit is Exit.DATA


async def test_a_file_where_the_folder_should_be(short_path: Path) -> None:
    (short_path / "data").write_text("not a folder")
    problem = await refusal(short_path / "data")
    assert problem.exit is Exit.DATA
    assert "cannot be used" in problem.advice
    assert "PARLEY_DATA" in problem.advice


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
async def test_a_folder_that_cannot_be_written(short_path: Path) -> None:
    (short_path / "data").mkdir(mode=0o500)
    assert (await refusal(short_path / "data")).exit is Exit.DATA


async def test_no_replicas() -> None:
    with pytest.raises(CannotStart, match="PARLEY_ACK is replica"):
        Embedded(Path("anywhere"), ack="replica")
