"""Checks the alert rules, the dashboard and the runbook against the metrics of a real hub (M1)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.processes import HubProcess, Process, free_port

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
ALERTS = (DEPLOY / "prometheus" / "alerts.yml").read_text()
RUNBOOK = (DEPLOY / "RUNBOOK.md").read_text()
DASHBOARD = json.loads((DEPLOY / "grafana" / "parley.json").read_text())
TOKEN = "a token for Prometheus"
SUFFIXES = ("_bucket", "_total", "_info", "")
PROMETHEUS_OWN = {"up"}


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with HubProcess(tmp_path_factory.mktemp("hub"), metrics_token=TOKEN) as hub:
        yield hub


def expressions() -> list[str]:
    """Every expression of the alerts and the dashboard, with Grafana's variables filled in."""
    alerts = re.findall(r"^ +expr: (.+)$", ALERTS, flags=re.M)
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    assert len(alerts) > 10
    assert len(panels) > 20
    filled = [expression.replace("$__rate_interval", "1m") for expression in alerts + panels]
    return [expression.replace("$instance", ".*") for expression in filled]


def read_metrics(hub: HubProcess) -> str:
    request = urllib.request.Request(hub.url + "/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request) as answer:
        text: str = answer.read().decode()
    return text


def test_every_metric_of_the_alerts_and_the_dashboard_exists(hub: HubProcess) -> None:
    """M1"""
    served = set(re.findall(r"^# TYPE (\S+)", read_metrics(hub), flags=re.M)) | PROMETHEUS_OWN
    for expression in expressions():
        names = re.findall(r"\b(?:parley_\w+|process_\w+|up)\b", expression)
        assert names, expression
        for name in names:
            assert {name, name.removesuffix("_bucket")} & served, (name, expression)


def test_each_alert_has_a_section_in_the_runbook() -> None:
    alerts = re.findall(r"- alert: (\w+)", ALERTS)
    sections = re.findall(r"^## (\w+)$", RUNBOOK, flags=re.M)
    assert alerts == sections
    assert re.findall(r"runbook: deploy/RUNBOOK\.md#(\w+)", ALERTS) == [name.lower() for name in alerts]


def test_every_link_to_the_runbook_and_every_setting_in_it_exist() -> None:
    operations = (DEPLOY.parent / "docs" / "OPERATIONS.md").read_text()
    for name in set(re.findall(r"\bPARLEY_[A-Z_]+", RUNBOOK)):
        assert f"`{name}`" in operations, name


needs_promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not on this machine"
)


@needs_promtool
def test_promtool_accepts_the_rules() -> None:
    command = ["promtool", "check", "rules", str(DEPLOY / "prometheus" / "alerts.yml")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


FILLING = """
rule_files: [{alerts}]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {{series: "parley_store_used_bytes{{instance='full'}}", values: "419000000x20"}}
      - {{series: "parley_store_max_bytes{{instance='full'}}", values: "512000000x20"}}
      - {{series: "parley_store_used_bytes{{instance='roomy'}}", values: "400000000x20"}}
      - {{series: "parley_store_max_bytes{{instance='roomy'}}", values: "512000000x20"}}
      - {{series: "parley_store_used_bytes{{instance='silent'}}", values: "0x20"}}
      - {{series: "parley_store_max_bytes{{instance='silent'}}", values: "0x20"}}
    promql_expr_test:
      - expr: count by (instance) (ALERTS{{alertname="StoreFilling", alertstate="firing"}})
        eval_time: 10m
        exp_samples: [{{labels: "{{instance='full'}}", value: 1}}]
"""


OVERLOADED = """
rule_files: [{alerts}]
evaluation_interval: 30s
tests:
  - interval: 30s
    input_series:
      - {{series: "parley_overload_level{{instance='busy'}}", values: "0 2 0 3 0 1 0 0 2 0 3 0 1 0 2 0"}}
      - {{series: "parley_overload_level{{instance='was late once'}}", values: "0 3 3 0x13"}}
    promql_expr_test:
      - expr: count by (instance) (ALERTS{{alertname="Overloaded", alertstate="firing"}})
        eval_time: 7m
        exp_samples: [{{labels: "{{instance='busy'}}", value: 1}}]
"""


BROKEN_LINKS = """
rule_files: [{alerts}]
evaluation_interval: 15s
tests:
  - interval: 15s
    input_series:
      - {{series: "parley_links_failed_total{{instance='cut off'}}", values: "0+1x60"}}
      - {{series: "parley_links_failed_total{{instance='saw a hub die'}}", values: "0x26 12x60"}}
    promql_expr_test:
      - expr: count by (instance) (ALERTS{{alertname="LinksBroken", alertstate="firing"}})
        eval_time: 8m
        exp_samples: [{{labels: "{{instance='cut off'}}", value: 1}}]
"""


@needs_promtool
def test_a_store_that_fills_is_an_alert(tmp_path: Path) -> None:
    """M1: and neither a store with room, nor one that hides its memory."""
    try_alerts(FILLING, tmp_path)


@needs_promtool
def test_broken_links_are_an_alert(tmp_path: Path) -> None:
    """M1: but not the seconds in which a dead hub is looked for."""
    try_alerts(BROKEN_LINKS, tmp_path)


@needs_promtool
def test_an_overload_that_comes_and_goes_is_an_alert(tmp_path: Path) -> None:
    """M1: but not one that is over within minutes."""
    try_alerts(OVERLOADED, tmp_path)


def test_the_dashboard_shows_broken_links_and_overload() -> None:
    """M1: both have an alert, whose reader looks there next."""
    shown = " ".join(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])
    assert {"parley_links_failed_total", "parley_overload_level"} <= set(re.findall(r"parley_\w+", shown))


def try_alerts(series: str, folder: Path) -> None:
    (folder / "test.yml").write_text(series.format(alerts=DEPLOY / "prometheus" / "alerts.yml"))
    command = ["promtool", "test", "rules", str(folder / "test.yml")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.skipif(shutil.which("prometheus") is None, reason="Prometheus is not on this machine")
def test_prometheus_answers_every_expression(hub: HubProcess, tmp_path: Path) -> None:
    """M1: every expression has data, except those that depend on people playing."""
    (tmp_path / "parley.token").write_text(TOKEN)
    config = (DEPLOY / "prometheus" / "prometheus.yml").read_text()
    config = config.replace("/etc/prometheus/parley.token", str(tmp_path / "parley.token"))
    config = config.replace("127.0.0.1:8420", hub.url.removeprefix("http://")).replace("15s", "200ms")
    (tmp_path / "prometheus.yml").write_text(config)
    shutil.copy(DEPLOY / "prometheus" / "alerts.yml", tmp_path)
    port = free_port()
    command = [
        *("prometheus", f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data"),
        f"--web.listen-address=127.0.0.1:{port}",
    ]

    def query(expression: str) -> list[Any]:
        text = urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query?{text}") as answer:
            reply = json.loads(answer.read())
        assert reply["status"] == "success", reply
        found: list[Any] = reply["data"]["result"]
        return found

    with Process(command, ready="Server is ready to receive web requests"):
        deadline = time.monotonic() + 30
        while not query("rate(process_cpu_seconds_total[1m])") and time.monotonic() < deadline:
            pass
        for expression in expressions():
            query(expression)
        assert query("min(parley_store_healthy)")[0]["value"][1] == "1"
        assert query('up{job="parley"} == 0') == []
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/rules") as answer:
            rules = json.loads(answer.read())["data"]["groups"][0]["rules"]
        assert {rule["health"] for rule in rules} <= {"ok", "unknown"}
