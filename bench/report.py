"""The report on all repeats: medians and multiples of the floors, as a table and as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, Final

import msgspec

from bench.load import Play
from bench.measure import RATE, ROOMS, TOO_BUSY, WATCHERS, Pair, Repeat, per_watcher_frame

NOISY: Final = 0.1
"""The report warns if other programs used more cores than this."""


class Figure(msgspec.Struct, frozen=True):
    """One line: CPU microseconds for the hub and the floor, and the median of their ratios; or why there are
    none."""

    name: str
    hub: float | None
    floor: float | None
    multiple: float | None
    withheld: str | None = None


class Report(msgspec.Struct, frozen=True):
    """All figures of a run."""

    machine: Mapping[str, str]
    repeats: int
    figures: tuple[Figure, ...]
    per_second: Mapping[str, float | None]
    """Commands per second at saturation, with one core for the server."""
    p50_ms: float
    p99_ms: float
    floor_p50_ms: float
    floor_p99_ms: float
    store_us: float
    """The store's CPU per command, on the load's core."""
    socket_kb: float
    late: Mapping[str, float]
    windows_ms: Sequence[float]
    """The lateness of each window on an otherwise idle hub, in ascending order."""
    noise: float
    """The number of cores that other programs used in the measurement in which they used most."""


def report(machine: Mapping[str, str], repeats: Sequence[Repeat], windows_ms: Sequence[float]) -> Report:
    """The medians over all repeats."""

    def pairs(name: str) -> list[Pair]:
        return [getattr(repeat, name) for repeat in repeats]

    def honest_pairs(name: str) -> list[Pair]:
        return [pair for pair in pairs(name) if pair.honest]

    echo = median(repeat.echo.server_us for repeat in repeats)
    many = median(pair.hub.server_us for pair in pairs("many"))
    append = median(repeat.append_us for repeat in repeats)
    figures = (
        _figure(f"command, {RATE}/s, {ROOMS} rooms", pairs("steady"), _per_command),
        _figure("command, saturated, 50 rooms", honest_pairs("few"), _per_command),
        _figure(f"command, saturated, {ROOMS} rooms", honest_pairs("many"), _per_command),
        _figure("command, saturated, 3 at once per room", honest_pairs("joined"), _per_command),
        _figure(f"watcher frame, room of {WATCHERS}", pairs("watched"), per_watcher_frame),
        Figure(
            f"command, {ROOMS} rooms, in bare echoes", many, echo, _ratio(repeats, lambda r: r.echo.server_us)
        ),
        Figure(
            f"command, {ROOMS} rooms, in bare appends", many, append, _ratio(repeats, lambda r: r.append_us)
        ),
    )
    plays = [
        play
        for r in repeats
        for p in (r.few, r.many, r.joined, r.steady, r.watched)
        for play in (p.hub, p.floor)
    ]
    return Report(
        machine=machine,
        repeats=len(repeats),
        figures=figures,
        per_second={name: _rate(honest_pairs(name)) for name in ("few", "many", "joined")},
        p50_ms=median(pair.hub.p50_ms for pair in pairs("steady")),
        p99_ms=median(pair.hub.p99_ms for pair in pairs("steady")),
        floor_p50_ms=median(pair.floor.p50_ms for pair in pairs("steady")),
        floor_p99_ms=median(pair.floor.p99_ms for pair in pairs("steady")),
        store_us=median(pair.hub.store_us for pair in pairs("many")),
        socket_kb=median(repeat.socket_kb for repeat in repeats),
        late=_add_counts(repeats),
        windows_ms=sorted(windows_ms),
        noise=max(play.others for play in plays),
    )


def _per_command(play: Play) -> float:
    return play.server_us


def _figure(name: str, pairs: Sequence[Pair], cost: Callable[[Play], float]) -> Figure:
    if not pairs:
        reason = f"the load's core was over {TOO_BUSY:.0%} busy: it would have measured itself"
        return Figure(name, None, None, None, reason)
    hub = median(cost(pair.hub) for pair in pairs)
    floor = median(cost(pair.floor) for pair in pairs)
    return Figure(name, hub, floor, median(cost(pair.hub) / cost(pair.floor) for pair in pairs))


def _ratio(repeats: Sequence[Repeat], of: Callable[[Repeat], float]) -> float:
    return median(repeat.many.hub.server_us / of(repeat) for repeat in repeats)


def _rate(pairs: Sequence[Pair]) -> float | None:
    return median(pair.hub.commands / pair.hub.seconds for pair in pairs) if pairs else None


def _add_counts(repeats: Sequence[Repeat]) -> dict[str, float]:
    total: dict[str, float] = {}
    for repeat in repeats:
        for bound, count in repeat.late.items():
            total[bound] = total.get(bound, 0) + count
    return total


# --- as text ---


def table(figures: Report) -> str:
    """The report as text."""
    machine = figures.machine
    rows = [
        f"{machine['cpu']}, {machine['cores']} cores, Linux {machine['kernel']}, {machine['python']}; "
        f"server on one core, store and load on another; medians of {figures.repeats}",
        "",
        f"{'server CPU per':<38}{'hub':>10}{'floor':>10}{'multiple':>10}",
    ]
    for figure in figures.figures:
        if figure.hub is None or figure.floor is None or figure.multiple is None:
            rows.append(f"{figure.name:<38}  none: {figure.withheld}")
        else:
            cells = f"{figure.hub:>7.1f} us{figure.floor:>7.1f} us{figure.multiple:>8.2f} x"
            rows.append(f"{figure.name:<38}{cells}")
    rows += [
        "",
        f"from send to the last of four frames, {RATE} commands/s: "
        f"p50 {figures.p50_ms:.2f} ms, p99 {figures.p99_ms:.2f} ms "
        f"(floor: {figures.floor_p50_ms:.2f}, {figures.floor_p99_ms:.2f})",
        f"commands per second, one core saturated: 50 rooms {_number(figures.per_second['few'])}, "
        f"{ROOMS} rooms {_number(figures.per_second['many'])}, "
        f"three at once {_number(figures.per_second['joined'])}",
        f"the store's CPU per command: {figures.store_us:.1f} us",
        f"memory per idle seated socket: {figures.socket_kb:.1f} KB",
        f"windows closed under load: {_lateness(figures.late)}",
        lateness(figures.windows_ms),
    ]
    if figures.noise > NOISY:
        rows += [
            "",
            f"Other programs used up to {figures.noise:.1f} cores in this run: absolute times are too high.",
        ]
    return "\n".join(rows)


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:,.0f}"


def _lateness(late: Mapping[str, float]) -> str:
    total = late.get("+Inf", 0)
    if not total:
        return "none"
    bounds = [(float(bound), count) for bound, count in late.items() if bound != "+Inf"]
    latest = next((bound for bound, count in sorted(bounds) if count == total), None)
    return (
        f"{total:.0f}, all within {latest * 1000:.0f} ms"
        if latest is not None
        else f"{total:.0f}, some very late"
    )


def lateness(windows_ms: Sequence[float]) -> str:
    """The lateness of windows in real time, as text."""
    late = sorted(windows_ms)

    def share(part: float) -> float:
        return late[max(0, math.ceil(part * len(late)) - 1)]

    return (
        f"{len(late):,} windows closed in real time, late by: "
        f"p50 {share(0.5):.1f} ms, p99 {share(0.99):.1f} ms, max {late[-1]:.1f} ms"
    )


def as_json(figures: Report, repeats: Sequence[Repeat]) -> bytes:
    """The report and the measurements it is based on, as JSON."""
    content: dict[str, Any] = {
        "report": figures,
        "repeats": [msgspec.to_builtins(repeat) for repeat in repeats],
    }
    return msgspec.json.format(msgspec.json.encode(content))
