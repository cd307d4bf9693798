"""A hub's metrics: complete, in the Prometheus format (M1 of docs/SPEC.md)."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from hub.telemetry.metrics import COMMIT_BOUNDS, Histogram, Metrics

HUB = Path(__file__).resolve().parents[2] / "hub"


def samples(metrics: Metrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    values = {}
    for family in text_string_to_metric_families(metrics.text().decode()):
        assert family.documentation
        assert family.name.startswith("parley_")
        for sample in family.samples:
            values[sample.name, tuple(sorted(sample.labels.items()))] = sample.value
    return values


def test_everything_starts_at_nothing() -> None:
    figures = samples(Metrics())
    assert figures.pop(("parley_store_healthy", ())) == 1
    assert figures.pop(("parley_store_fit", ())) == 1
    assert set(figures.values()) == {0}


def test_each_figure_shows_where_it_belongs() -> None:
    """Every plain attribute is set to a different number, and each number is found once."""
    metrics = Metrics()
    plain = [name for name, value in vars(metrics).items() if type(value) is int and not name.startswith("_")]
    assert len(plain) > 15
    for number, name in enumerate(plain, start=1000):
        setattr(metrics, name, number)
    values = list(samples(metrics).values())
    for number, name in enumerate(plain, start=1000):
        assert values.count(number) == 1, name


def test_each_figure_is_changed_somewhere() -> None:
    """Every public attribute is used somewhere, through an object's `metrics`."""
    used = {
        node.attr
        for file in HUB.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Attribute) and is_metrics(node.value)
    }
    assert {name for name in vars(Metrics()) if not name.startswith("_")} - used == set()


def is_metrics(value: ast.expr) -> bool:
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.endswith("metrics")
        case _:
            return False


def test_figures_with_labels() -> None:
    metrics = Metrics()
    metrics.seats, metrics.watchers = 2, 3
    metrics.applied = 5
    metrics.refused["STALE_PROMPT"] += 7
    metrics.sockets_closed[4009] += 11
    metrics.requests[404] += 13
    metrics.tickets_refused["expired"] += 17
    figures = samples(metrics)
    assert figures["parley_sockets", (("kind", "seat"),)] == 2
    assert figures["parley_sockets", (("kind", "watcher"),)] == 3
    assert figures["parley_commands_total", (("verdict", "applied"),)] == 5
    assert figures["parley_commands_total", (("verdict", "STALE_PROMPT"),)] == 7
    assert figures["parley_sockets_closed_total", (("code", "4009"),)] == 11
    assert figures["parley_http_requests_total", (("status", "404"),)] == 13
    assert figures["parley_tickets_refused_total", (("problem", "expired"),)] == 17


def test_health_turns() -> None:
    metrics = Metrics()
    metrics.store_healthy = False
    metrics.store_fit = False
    metrics.store_used_bytes, metrics.store_max_bytes = 3, 4
    metrics.draining = True
    figures = samples(metrics)
    assert figures["parley_store_healthy", ()] == 0
    assert figures["parley_store_fit", ()] == 0
    assert (figures["parley_store_used_bytes", ()], figures["parley_store_max_bytes", ()]) == (3, 4)
    assert figures["parley_draining", ()] == 1


def test_a_histogram_counts_up_to_each_bound() -> None:
    histogram = Histogram((1, 2, 5))
    for value in (0, 1, 1.5, 2, 3, 9, 9):
        histogram.add(value)
    family: Any = histogram.family("parley_x", "x")
    buckets = {
        sample.labels["le"]: sample.value for sample in family.samples if sample.name.endswith("bucket")
    }
    assert buckets == {"1": 2, "2": 4, "5": 5, "+Inf": 7}
    (total,) = (sample.value for sample in family.samples if sample.name.endswith("sum"))
    (count,) = (sample.value for sample in family.samples if sample.name.endswith("count"))
    assert (total, count) == (25.5, 7)


def test_latencies_are_in_the_text() -> None:
    metrics = Metrics()
    metrics.commit_seconds.add(0.003)
    metrics.window_seconds_late.add(0.02)
    figures = samples(metrics)
    assert figures["parley_commit_seconds_bucket", (("le", "0.002"),)] == 0
    assert figures["parley_commit_seconds_bucket", (("le", "0.005"),)] == 1
    assert figures["parley_commit_seconds_bucket", (("le", "+Inf"),)] == 1
    assert figures["parley_window_late_seconds_sum", ()] == 0.02
    assert list(COMMIT_BOUNDS) == sorted(COMMIT_BOUNDS)


def test_two_hubs_in_one_process_count_apart() -> None:
    one, other = Metrics(), Metrics()
    one.rooms = 4
    assert samples(other)["parley_rooms", ()] == 0
    assert samples(one)["parley_rooms", ()] == 4


def test_the_process_and_the_build() -> None:
    """M1: descriptors and memory, which run out first; and which version runs."""
    metrics = Metrics()
    metrics.add_process("1.2.3")
    families = {family.name: family for family in text_string_to_metric_families(metrics.text().decode())}
    assert {"process_resident_memory_bytes", "process_open_fds", "process_max_fds"} <= families.keys()
    (build,) = families["parley_build_info"].samples
    assert (build.labels, build.value) == ({"version": "1.2.3"}, 1)
