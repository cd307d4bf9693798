"""`parley doctor` finds what is wrong with an installation, and says what to do."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from hub import cli, operator
from hub.config import CannotStart, Config, Exit
from hub.doctor import _examine_metrics, _read_metrics, examine
from hub.signing_secret import signing_secret
from hub.telemetry.metrics import Metrics
from tests.conftest import BUNDLED
from tests.harness.processes import HubProcess, StoreProcess, free_port

TOKEN = "a token for metrics"
NOBODY = 65534
CLIENT = "The browser client is missing"
"""A problem in a clone where nobody has built the client yet."""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    port = free_port()
    folder = tmp_path_factory.mktemp("doctor") / "data"
    settings = {"public_url": f"http://127.0.0.1:{port}", "metrics_token": TOKEN}
    with HubProcess(folder, port=port, **settings) as hub:
        yield hub


def settings_of(hub: HubProcess) -> Config:
    env = hub.environment
    return Config(
        data=Path(env["PARLEY_DATA"]),
        port=int(hub.command[-1]),
        public_url=env["PARLEY_PUBLIC_URL"],
        metrics_token=TOKEN,  # type: ignore[arg-type]
    )


def problems(config: Config) -> list[str]:
    return [finding.text for finding in examine(config) if finding.result == "problem"]


def test_a_sound_installation_has_no_problem(hub: HubProcess) -> None:
    findings = list(examine(settings_of(hub)))
    assert [text for text in problems(settings_of(hub)) if CLIENT not in text] == []
    texts = " ".join(finding.text for finding in findings)
    assert "The store answers" in texts
    assert "is ready" in texts
    assert "sockets too" in texts
    assert "not encrypted" in texts  # a warning: the test's public URL is http


def test_the_command_prints_findings_and_ends_with_a_code(hub: HubProcess) -> None:
    environment = {**hub.environment, "PARLEY_PORT": hub.command[-1]}
    command = [sys.executable, "-m", "hub", "doctor"]
    result = subprocess.run(command, env=environment, cwd=hub.folder, capture_output=True, text=True)
    assert "ok       The store answers" in result.stdout
    assert [line for line in result.stdout.splitlines() if "PROBLEM" in line and CLIENT not in line] == []
    assert result.returncode == (Exit.REFUSED if CLIENT in result.stdout else Exit.OK)
    environment["PARLEY_PUBLIC_URL"] = f"http://127.0.0.1:{free_port()}"
    own = {name: value for name, value in environment.items() if name.startswith("PARLEY_")}
    wrong = CliRunner().invoke(cli.app, ["doctor"], env=own)
    assert wrong.exit_code == Exit.REFUSED
    assert "PROBLEM  http://127.0.0.1:" in wrong.stdout


def test_a_secret_that_others_may_read(hub: HubProcess) -> None:
    secret = Path(hub.environment["PARLEY_DATA"]) / "secret"
    os.chmod(secret, 0o644)
    try:
        assert any("chmod 600" in text for text in problems(settings_of(hub)))
    finally:
        os.chmod(secret, 0o600)


def test_a_store_that_hangs(hub: HubProcess) -> None:
    """It is not taken for one that does not run."""
    config = settings_of(hub)
    (ready,) = (json.loads(line) for line in hub.lines if "bundled store ready" in line)
    os.kill(ready["pid"], signal.SIGSTOP)
    try:
        with pytest.raises(CannotStart, match="but the store there does not answer") as caught:
            operator.export_person(config, "ann")
        assert caught.value.exit is Exit.DATA
        assert any("but the store there does not answer" in text for text in problems(config))
    finally:
        os.kill(ready["pid"], signal.SIGCONT)


def test_a_file_in_place_of_the_data_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for data in (file, file / "data"):
        texts = [finding.text for finding in examine(Config(data=data, port=free_port()))]
        assert f"{file} is a file, not a folder: name the hub's folder with --data or PARLEY_DATA." in texts
    texts = [finding.text for finding in examine(Config(data=tmp_path / "new", port=free_port()))]
    assert f"The data folder {tmp_path / 'new'} does not exist yet: the hub creates it." in texts


def test_a_full_disk(hub: HubProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(hub.environment["PARLEY_DATA"])
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=0))
    assert any("make room" in text for text in problems(settings_of(hub)))


def test_files_of_another_user(tmp_path: Path) -> None:
    """The file is named, and how to hand it over."""
    data = tmp_path / "data"
    (data / "store").mkdir(parents=True)
    (data / "secret").write_text("00" * 32 + "\n")
    with without_rights(data / "secret", data / "store"):
        with pytest.raises(CannotStart, match=f"chown -R .* {data / 'secret'}`"):
            signing_secret(Config(data=data))
        texts = problems(Config(data=data, port=free_port()))
        assert [text for text in texts if "chown" in text and str(data / "secret") in text]
        assert [text for text in texts if "chown" in text and str(data / "store") in text]


@contextmanager
def without_rights(*paths: Path) -> Iterator[None]:
    """These paths cannot be used by anybody; root gives up its rights for as long."""
    for path in paths:
        path.chmod(0)
    user = os.geteuid()
    if user == 0:
        folder = paths[0].parent
        for parent in (folder, *folder.parents):
            if parent == Path(tempfile.gettempdir()):
                break
            parent.chmod(0o777)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
        for path in paths:
            path.chmod(0o700)


def test_a_store_that_may_drop_tables(tmp_path: Path) -> None:
    with StoreProcess(BUNDLED, tmp_path, maxmemory_policy="allkeys-lru") as store:
        config = Config(data=tmp_path / "data", redis_url=store.url, secret="s" * 32, port=free_port())  # type: ignore[arg-type]
        assert any("noeviction" in text for text in problems(config))


def test_a_store_that_writes_no_file(tmp_path: Path) -> None:
    with StoreProcess(BUNDLED, tmp_path, appendonly="no") as store:
        config = Config(data=tmp_path / "data", redis_url=store.url, secret="s" * 32, port=free_port())  # type: ignore[arg-type]
        findings = list(examine(config))
    assert not any("The data folder" in finding.text for finding in findings), "no need for one"
    assert not any("its settings are suitable" in finding.text for finding in findings)
    (warning,) = [finding for finding in findings if "append-only file" in finding.text]
    assert warning.result == "warning"
    assert "`redis-cli config set appendonly yes` and `redis-cli config rewrite`" in warning.text


def test_everybody_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    config = Config(data=tmp_path / "data", port=free_port())
    assert any("FORWARDED_ALLOW_IPS trusts everybody" in text for text in problems(config))


@pytest.mark.parametrize(("host", "expected"), [("0.0.0.0", True), ("::", True), ("127.0.0.1", False)])
def test_a_port_beside_the_proxy(tmp_path: Path, host: str, expected: bool) -> None:
    config = Config(data=tmp_path, port=free_port(), host=host, public_url="https://play.example.org")
    warnings = [finding.text for finding in examine(config) if finding.result == "warning"]
    assert any("beside the proxy" in text for text in warnings) is expected


def test_no_hub_is_a_warning(tmp_path: Path) -> None:
    """The proxy is not blamed for it."""
    public_url = f"http://127.0.0.1:{free_port()}"
    findings = list(examine(Config(data=tmp_path / "data", port=free_port(), public_url=public_url)))
    assert not any("the proxy" in finding.text for finding in findings)
    assert any(finding.result == "warning" and "No hub answers" in finding.text for finding in findings)


def test_a_hub_of_another_store(hub: HubProcess, tmp_path: Path) -> None:
    """It has the port, and is behind the public URL."""
    for settings in ({"data": tmp_path}, {"secret": SecretStr("s" * 32)}):
        texts = problems(settings_of(hub).model_copy(update=settings))
        strange = [text for text in texts if "but it is not on this store" in text]
        assert all(text.startswith(f"A Parley hub answers at {hub.url}, ") for text in strange)
        assert len(strange) == 2


def test_a_proxy_that_is_not_trusted() -> None:
    """Behind it, all clients count as one."""
    metrics = Metrics()
    assert list(_examine_metrics(_read_metrics(metrics.text().decode()))) == []
    metrics.untrusted_forwarding += 1
    metrics.limited["requests"] += 3
    metrics.tasks_failed += 1
    metrics.loop_lag_seconds.add(2.0)
    findings = list(_examine_metrics(_read_metrics(metrics.text().decode())))
    assert [finding.result for finding in findings] == ["problem", "warning", "warning", "warning"]
    assert "FORWARDED_ALLOW_IPS" in findings[0].text


def test_the_hubs_own_check_of_a_socket_leaves_nothing(hub: HubProcess) -> None:
    """The socket of the check is closed before it says hello."""
    list(examine(settings_of(hub)))
    request = urllib.request.Request(f"{hub.url}/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request) as answer:
        text = answer.read().decode()
    assert "parley_tasks_failed_total 0.0" in text
