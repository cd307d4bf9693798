"""The files in deploy/: privileges, restarts, and the image's health check against a real hub."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from hub import config
from hub.config import Exit
from tests.harness.processes import HubProcess, free_port
from tests.tools.programs import write_program

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
SERVICES: dict[str, Any] = YAML(typ="safe").load(DEPLOY / "compose.yaml")["services"]
HUBS: dict[str, Any] = {name: service for name, service in SERVICES.items() if name.startswith("hub-")}


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_has_no_privileges(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert set(service.get("cap_add", [])) <= {"CHOWN", "SETGID", "SETUID"}
    assert service["read_only"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_only_hubs_reach_the_store_and_their_links() -> None:
    """A hub takes links at its address in the network of the store, and nothing else is in there."""
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert [name for name, service in SERVICES.items() if "back" in service["networks"]] == [*HUBS, "store"]
    assert all("PARLEY_HUB_URL" not in HUBS[name]["environment"] for name in HUBS)


def test_the_proxy_in_compose_leads_to_the_hubs(tmp_path: Path) -> None:
    """Each label to its hub, and the hubs trust the proxy alone."""
    (command,) = re.findall(r"sed '([^']+)' /parley.cfg", SERVICES["proxy"]["entrypoint"][2])
    example = DEPLOY / "proxies" / "haproxy-hubs.cfg"
    result = subprocess.run(["sed", command, example], capture_output=True, text=True, check=True)
    servers = dict(re.findall(r"^ +server (\S+) (\S+) check", result.stdout, flags=re.M))
    assert servers == {
        hub["environment"]["PARLEY_HUB_LABEL"]: f"{hub['networks']['front']['ipv4_address']}:8420"
        for hub in HUBS.values()
    }
    proxy = SERVICES["proxy"]["networks"]["front"]["ipv4_address"]
    assert {hub["environment"]["FORWARDED_ALLOW_IPS"] for hub in HUBS.values()} == {proxy}
    if shutil.which("haproxy") is not None:
        (tmp_path / "parley.cfg").write_text(result.stdout)
        subprocess.run(["haproxy", "-c", "-f", tmp_path / "parley.cfg"], check=True, capture_output=True)


@pytest.mark.parametrize("name", HUBS)
def test_the_settings_in_compose_are_a_hubs(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for variable, value in HUBS[name]["environment"].items():
        text = re.sub(r"\$\{\w+:(-|\?)(.*)\}", r"\2", value)  # its default; for the secret, any long text
        monkeypatch.setenv(variable, text)
    settings = config.load(data=tmp_path)
    assert settings.public_url is not None
    published = SERVICES["proxy"]["ports"][0].split(":")[1]
    assert settings.public_url == f"http://localhost:{published}"


def unit(name: str = "parley.service") -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / name)
    return parser


def test_the_unit_of_several_hubs_is_as_safe_as_that_of_one() -> None:
    """They differ in what each hub has for itself, and in how much of the memory it may use."""
    one, several = unit()["Service"], unit("parley@.service")["Service"]
    differing = {name for name in {*one, *several} if one.get(name) != several.get(name)}
    assert differing == {
        *("ExecStart", "Environment", "EnvironmentFile", "User", "StateDirectory"),
        *("MemoryHigh", "MemoryMax"),
    }
    assert several["StateDirectory"] == several["User"] == "parley-%i"
    slow, most = (int(several[name].removesuffix("%")) for name in ("MemoryHigh", "MemoryMax"))
    assert slow < most < 100 / 3 + 1, "two hubs leave a third to the store"


def test_the_unit_restarts_what_a_restart_may_mend() -> None:
    """After exit codes 4 and 5 a restart may help; an invalid setting (2) needs a change."""
    assert unit()["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit()["Service"]["Restart"] == "on-failure"
    assert unit()["Service"]["RestartPreventExitStatus"] == str(Exit.USAGE.value)


def test_the_unit_leaves_memory_to_the_machine() -> None:
    """The hub is slowed down before anything is killed, and the page for operators gives the same limits."""
    service = unit()["Service"]
    slow, most = (int(service[name].removesuffix("%")) for name in ("MemoryHigh", "MemoryMax"))
    assert slow < most < 100
    assert service["OOMPolicy"] == "continue", "the hub restarts its store"
    operations = (DEPLOY.parent / "docs" / "OPERATIONS.md").read_text()
    assert f"more than {slow}% of" in operations
    assert f"at {most}%, `MemoryMax=`" in operations


@pytest.mark.parametrize(
    ("command", "unit_name"), [("parley", "parley.service"), ("parley@8421", "parley@.service")]
)
def test_the_command_runs_as_the_unit_does(tmp_path: Path, command: str, unit_name: str) -> None:
    """The wrapper of `parley` has the unit's user, folder and settings, and passes its arguments on."""
    write_program(tmp_path / "systemd-run", 'printf "%s\\n" "$@"')
    (tmp_path / command).symlink_to(DEPLOY / "parley.sh")
    words = ["admin", "ban", "--reason", "two words"]
    result = subprocess.run(
        [tmp_path / command, *words],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = result.stdout.splitlines()
    service = {
        name: value.replace("%i", "8421").replace("%S", "/var/lib")
        for name, value in unit(unit_name)["Service"].items()
    }
    program, _, *options = service["ExecStart"].split()
    assert lines[-5:] == [program, *words]
    service.setdefault("User", "parley")  # the name of the unit, which is what its dynamic user is called
    for name in ("DynamicUser", "User", "StateDirectory", "StateDirectoryMode", "EnvironmentFile", "UMask"):
        assert f"--property={name}={service[name]}" in lines
    assert {f"--setenv={setting}" for setting in service["Environment"].split()} <= set(lines)
    assert ("--setenv=PARLEY_PORT=8421" in lines) == (options == ["--port", "8421"])
    files = [line.partition("=-")[2] for line in lines if "EnvironmentFile" in line]
    assert files == ["/etc/parley/env", "/etc/parley/8421.env"][: 1 + ("@" in command)], (
        "the last one prevails"
    )


def test_the_image_is_healthy_under_a_public_url(short_path: Path) -> None:
    """H9: the check asks 127.0.0.1, whatever name browsers use."""
    (words,) = re.findall(r"^ +CMD (\[\"python\".*\])$", (DEPLOY / "Dockerfile").read_text(), flags=re.M)
    command = [sys.executable, *json.loads(words)[1:]]
    port = free_port()
    environment = {"PARLEY_PORT": str(port)}
    with HubProcess(short_path / "data", port=port, public_url="https://play.example.org"):
        subprocess.run(command, env=environment, check=True)
    assert subprocess.run(command, env=environment, stderr=subprocess.DEVNULL).returncode != 0
