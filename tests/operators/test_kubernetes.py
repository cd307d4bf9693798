"""The manifests in deploy/kubernetes/ fit one another, the hub's settings and the compose file.

`make lint` checks them against the schemas of Kubernetes.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from hub import config
from hub.runtime.registry import DRAIN_SECONDS

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
MANIFESTS: dict[tuple[str, str], Any] = {
    (manifest["kind"], manifest["metadata"]["name"]): manifest
    for path in (DEPLOY / "kubernetes").glob("*.yaml")
    for manifest in YAML(typ="safe").load_all(path)
}
HUBS: dict[str, Any] = MANIFESTS["Deployment", "parley-hub"]["spec"]
POD: dict[str, Any] = HUBS["template"]["spec"]
(HUB,) = POD["containers"]
STORE_POD: dict[str, Any] = MANIFESTS["StatefulSet", "parley-store"]["spec"]["template"]["spec"]
LABELS: dict[str, str] = HUBS["template"]["metadata"]["labels"]
PORTS = {port["name"]: port["containerPort"] for port in HUB["ports"]}
SECRETS = {"PARLEY_SECRET": "s" * 32, "PARLEY_ADMIN_TOKEN": "a" * 32, "PARLEY_METRICS_TOKEN": "m" * 32}


def test_a_pods_settings_are_a_hubs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also the address for links, which is that of the pod."""
    assert HUB["envFrom"] == [{"configMapRef": {"name": "parley"}}, {"secretRef": {"name": "parley"}}]
    own = {variable["name"]: variable.get("value", "10.244.1.7") for variable in HUB["env"]}
    for name, value in {**MANIFESTS["ConfigMap", "parley"]["data"], **SECRETS, **own}.items():
        monkeypatch.setenv(name, value.replace("$(POD_IP)", own["POD_IP"]))
    settings = config.load(data=tmp_path)
    assert settings.hub_url == f"wss://10.244.1.7:{PORTS['links']}"
    assert settings.port == PORTS["http"]
    store = MANIFESTS["Service", "parley-store"]
    assert settings.redis_url == f"redis://{store['metadata']['name']}:{store['spec']['ports'][0]['port']}/0"
    (rule,) = MANIFESTS["Ingress", "parley"]["spec"]["rules"]
    assert settings.public_url == f"https://{rule['host']}"
    assert POD["enableServiceLinks"] is False, "Kubernetes would add variables that look like settings"


def test_the_image_is_that_of_this_version() -> None:
    assert HUB["image"].partition(":")[2] == version("parley")


def test_a_pod_has_time_to_drain() -> None:
    """In its hook, and again after SIGTERM, should the hook have failed."""
    command = HUB["lifecycle"]["preStop"]["exec"]["command"][-1]
    drain, _, wait = command.partition("; sleep ")
    assert drain == "parley drain"
    assert POD["terminationGracePeriodSeconds"] > 2 * (2 * DRAIN_SECONDS + int(wait))


def test_only_hubs_reach_links_and_the_store() -> None:
    rules = {
        name: MANIFESTS["NetworkPolicy", name]["spec"]["ingress"] for name in ("parley-hub", "parley-store")
    }
    hubs = [{"podSelector": {"matchLabels": LABELS}}]
    assert [rule["from"] for rule in rules["parley-hub"] if {"port": PORTS["links"]} in rule["ports"]] == [
        hubs
    ]
    assert rules["parley-store"] == [{"from": hubs, "ports": [{"port": 6379}]}]
    assert MANIFESTS["NetworkPolicy", "parley-hub"]["spec"]["podSelector"]["matchLabels"] == LABELS


def test_everything_that_chooses_hubs_chooses_all() -> None:
    assert HUBS["selector"]["matchLabels"] == LABELS
    assert MANIFESTS["Service", "parley-hub"]["spec"]["selector"] == LABELS
    assert MANIFESTS["PodDisruptionBudget", "parley-hub"]["spec"]["selector"]["matchLabels"] == LABELS
    (port,) = MANIFESTS["Service", "parley-hub"]["spec"]["ports"]
    assert port["targetPort"] in PORTS


@pytest.mark.parametrize("pod", [POD, STORE_POD], ids=["hub", "store"])
def test_a_pod_has_no_privileges(pod: dict[str, Any]) -> None:
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_store_is_that_of_compose() -> None:
    store = YAML(typ="safe").load(DEPLOY / "compose.yaml")["services"]["store"]
    (container,) = STORE_POD["containers"]
    assert (container["image"], container["command"]) == (store["image"], store["command"])
