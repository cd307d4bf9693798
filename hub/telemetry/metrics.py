"""The hub's metrics: plain integers incremented on the hot path, turned into Prometheus families on request.

No message costs a label lookup: the hub adds to attributes and counters, and `collect` names them. No number
reveals anything about a single table, seat or person.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Info, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

COMMIT_BOUNDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds from sending a commit to its answer."""
LATENESS_BOUNDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds of table time from the end of a window to the decision to close it."""
LAG_BOUNDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds by which the event loop runs a timer late."""
REQUEST_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds from an HTTP request to its response."""


class Histogram:
    """Counts of values by upper bound (inclusive), and their sum."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def family(self, name: str, help: str) -> HistogramMetricFamily:
        total = 0
        buckets: list[tuple[str, float]] = []
        for bound, count in zip((*map(str, self.bounds), "+Inf"), self.counts, strict=True):
            total += count
            buckets.append((bound, total))
        return HistogramMetricFamily(name, help, buckets=buckets, sum_value=self.total)


class Metrics:
    """All metrics of one hub. Attributes are incremented where things happen; `text()` exports them."""

    def __init__(self) -> None:
        self.rooms = 0
        """Rooms this hub owns."""
        self.seats = 0
        """Sockets following a room in a seat."""
        self.watchers = 0
        """Sockets following a room as watchers."""
        self.sockets_opened = 0
        self.sockets_closed: Counter[int] = Counter()
        """By close code."""
        self.frames_in = 0
        self.bytes_in = 0
        self.frames_out = 0
        self.frames_relayed = 0
        """Clients' messages that arrived here and were passed on to a room's owner."""
        self.frames_from_links = 0
        """Clients' messages for rooms of this hub that arrived at another one."""
        self.links = 0
        """Links from this hub to owners."""
        self.links_failed = 0
        """Links to owners that could not be opened."""
        self.applied = 0
        """Commands applied; a separate field, because it is by far the most common verdict."""
        self.repeated = 0
        """Commands answered with their stored verdict (G2)."""
        self.refused: Counter[str] = Counter()
        """Commands refused, by the hub's code; the game's own codes count as `GAME`."""
        self.dropped = 0
        """Sockets aborted because the client did not read."""
        self.commits = 0
        """Commits answered `applied` or `already`."""
        self.commits_fenced = 0
        self.commits_damaged = 0
        self.commits_resent = 0
        """Commits sent again because no answer arrived."""
        self.commit_seconds = Histogram(COMMIT_BOUNDS)
        self.pipelines = 0
        """Batches of commits sent in one write."""
        self.takeovers = 0
        """Rooms taken over from another hub, or from an earlier run of this one."""
        self.orphans_taken = 0
        """Rooms of a dead or stopped hub that this one took without a visitor; they are takeovers, too."""
        self.rooms_given = 0
        """Rooms handed over to other hubs because they belong there; those count them as takeovers."""
        self.passivated = 0
        self.window_seconds_late = Histogram(LATENESS_BOUNDS)
        self.windows_closed = 0
        self.tickets_refused: Counter[str] = Counter()
        self.pushes: Counter[str] = Counter()
        """Calls to absent people by result: sent, failed, or gone or refused with their subscription."""
        self.requests: Counter[int] = Counter()
        """HTTP responses by status."""
        self.request_seconds = Histogram(REQUEST_BOUNDS)
        self.loop_lag_seconds = Histogram(LAG_BOUNDS)
        self.overload_level = 0
        """What gives way, because this hub has too much to do (hub/runtime/overload.py)."""
        self.store_restarts = 0
        """Restarts of the bundled store."""
        self.untrusted_forwarding = 0
        """HTTP requests with a proxy's header from an address that is not a trusted proxy."""
        self.limited: Counter[str] = Counter()
        """Refusals because a limit was reached, by the limit's name (docs/OPERATIONS.md)."""
        self.tasks_failed = 0
        """Background tasks that failed: each is a defect and is logged."""
        self.store_healthy = True
        self.store_fit = True
        """Whether the store's settings are still what the hub needs."""
        self.store_used_bytes = 0
        self.store_max_bytes = 0
        """The memory that the store uses, and may use; 0 if unknown."""
        self.draining = False
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(_Families(self))

    def add_process(self, build: str) -> None:
        """Adds the process's own metrics (memory, descriptors, processor time) and the build of Parley."""
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        Info("parley_build", "The version of Parley.", registry=self._registry).info({"version": build})

    def text(self) -> bytes:
        """All metrics in the Prometheus text format."""
        return generate_latest(self._registry)


class _Families(Collector):
    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        m = self._metrics
        yield _gauge("parley_rooms", "Rooms this hub currently owns.", m.rooms)
        sockets = GaugeMetricFamily("parley_sockets", "Sockets attached now.", labels=["kind"])
        sockets.add_metric(["seat"], m.seats)
        sockets.add_metric(["watcher"], m.watchers)
        yield sockets
        yield _counter("parley_sockets_opened", "Sockets accepted.", m.sockets_opened)
        yield _counters("parley_sockets_closed", "Sockets closed, by close code.", "code", m.sockets_closed)
        frames = CounterMetricFamily("parley_frames", "Socket frames.", labels=["direction"])
        frames.add_metric(["in"], m.frames_in)
        frames.add_metric(["out"], m.frames_out)
        yield frames
        volume = CounterMetricFamily("parley_frame_bytes", "Bytes of frames received.", labels=["direction"])
        volume.add_metric(["in"], m.bytes_in)  # not "out": counting would cost something for every frame
        yield volume
        relayed = CounterMetricFamily(
            "parley_relayed_frames", "Clients' messages relayed between hubs.", labels=["direction"]
        )
        relayed.add_metric(["to_owner"], m.frames_relayed)
        relayed.add_metric(["from_front"], m.frames_from_links)
        yield relayed
        yield _gauge("parley_links", "Links from this hub to others.", m.links)
        yield _counter("parley_links_failed", "Links that could not be opened.", m.links_failed)
        verdicts = {"applied": m.applied, "repeated": m.repeated, **m.refused}
        yield _counters("parley_commands", "Commands answered, by verdict.", "verdict", verdicts)
        yield _counter("parley_drops", "Sockets aborted because their client did not read.", m.dropped)
        commits = {
            "applied": m.commits,
            "fenced": m.commits_fenced,
            "damaged": m.commits_damaged,
            "resent": m.commits_resent,
        }
        yield _counters("parley_commits", "Commits, by outcome.", "answer", commits)
        yield m.commit_seconds.family("parley_commit_seconds", "Time from sending a commit to its answer.")
        yield _counter("parley_commit_pipelines", "Batches of commits sent in one write.", m.pipelines)
        yield _counter("parley_takeovers", "Rooms taken over.", m.takeovers)
        yield _counter(
            "parley_orphans", "Rooms of dead or stopped hubs taken without a visitor.", m.orphans_taken
        )
        yield _counter("parley_rooms_given", "Rooms handed over to other hubs.", m.rooms_given)
        yield _counter("parley_passivations", "Rooms put to sleep.", m.passivated)
        yield m.window_seconds_late.family(
            "parley_window_late_seconds", "Table time from a window's end to the decision to close it."
        )
        yield _counter("parley_windows_closed", "Windows that ran out.", m.windows_closed)
        yield _counters(
            "parley_tickets_refused", "Tickets refused, by problem.", "problem", m.tickets_refused
        )
        yield _counters("parley_pushes", "Calls to absent people, by result.", "result", m.pushes)
        yield _counters("parley_http_requests", "HTTP responses, by status.", "status", m.requests)
        yield m.request_seconds.family("parley_http_seconds", "Time from an HTTP request to its response.")
        yield m.loop_lag_seconds.family("parley_loop_lag_seconds", "Delay of timers on the event loop.")
        yield _gauge("parley_overload_level", "What gives way: 0 is nothing, 3 the most.", m.overload_level)
        yield _counter("parley_store_restarts", "Restarts of the bundled store.", m.store_restarts)
        yield _counters(
            "parley_limited", "Refusals because a limit was reached, by limit.", "limit", m.limited
        )
        yield _counter(
            "parley_untrusted_forwarding",
            "Requests with a proxy's header from an address that is not a trusted proxy.",
            m.untrusted_forwarding,
        )
        yield _counter("parley_tasks_failed", "Background tasks that ended with an error.", m.tasks_failed)
        yield _gauge("parley_store_healthy", "1 while the store answers.", int(m.store_healthy))
        yield _gauge("parley_store_fit", "1 while the store's settings suit.", int(m.store_fit))
        yield _gauge("parley_store_used_bytes", "Memory that the store uses.", m.store_used_bytes)
        yield _gauge("parley_store_max_bytes", "Memory that the store may use.", m.store_max_bytes)
        yield _gauge("parley_draining", "1 while this hub is handing its rooms over.", int(m.draining))


def _gauge(name: str, help: str, value: int) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, help, value=value)


def _counter(name: str, help: str, value: int) -> CounterMetricFamily:
    return CounterMetricFamily(name, help, value=value)


def _counters(
    name: str, help: str, label: str, values: dict[str, int] | Counter[str] | Counter[int]
) -> CounterMetricFamily:
    family = CounterMetricFamily(name, help, labels=[label])
    for key, value in values.items():
        family.add_metric([str(key)], value)
    return family
