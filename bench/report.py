"""What the repeats say: medians, multiples of floors, a table for people and JSON for programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, Final

import msgspec

from bench.load import Play
from bench.measure import RATE, ROOMS, TOO_BUSY, WATCHERS, Pair, Repeat, per_watcher_frame

NOISY: Final = 0.1
"""Cores' worth of foreign work above which the report warns."""


class Figure(msgspec.Struct, frozen=True):
    """One line: the hub's CPU in microseconds, the floor's, and the median of their quotients; or why not."""

    name: str
    hub: float | None
    floor: float | None
    multiple: float | None
    withheld: str | None = None


class Report(msgspec.Struct, frozen=True):
    machine: Mapping[str, str]
    repeats: int
    figures: tuple[Figure, ...]
    per_second: Mapping[str, float | None]
    """Commands a second at saturation, one core for the server."""
    p50_ms: float
    p99_ms: float
    floor_p50_ms: float
    floor_p99_ms: float
    store_us: float
    """The store's CPU per command, on the load's core."""
    socket_kb: float
    late: Mapping[str, float]
    windows_ms: Sequence[float]
    """How late each window ended, the soonest first, on a hub with nothing else to do."""
    noise: float
    """Cores' worth of work by others on the two cores, at most in any one measurement."""


def report(machine: Mapping[str, str], repeats: Sequence[Repeat], windows_ms: Sequence[float]) -> Report:
    def pairs(name: str) -> list[Pair]:
        return [getattr(repeat, name) for repeat in repeats]

    def saturated(name: str) -> list[Pair]:
        return [pair for pair in pairs(name) if pair.honest]

    echo = median(repeat.echo.server_us for repeat in repeats)
    many = median(pair.hub.server_us for pair in pairs("many"))
    append = median(repeat.append_us for repeat in repeats)
    figures = (
        _figure(f"command, {RATE}/s, {ROOMS} rooms", pairs("steady"), _per_command),
        _figure("command, saturated, 50 rooms", saturated("few"), _per_command),
        _figure(f"command, saturated, {ROOMS} rooms", saturated("many"), _per_command),
        _figure("the same, three at once a room", saturated("joined"), _per_command),
        _figure(f"watcher frame, room of {WATCHERS}", pairs("watched"), per_watcher_frame),
        Figure(
            f"command, {ROOMS} rooms, in bare echoes", many, echo, _ratio(repeats, lambda r: r.echo.server_us)
        ),
        Figure(
            f"command, {ROOMS} rooms, in bare appends", many, append, _ratio(repeats, lambda r: r.append_us)
        ),
    )
    everything = [
        play
        for r in repeats
        for p in (r.few, r.many, r.joined, r.steady, r.watched)
        for play in (p.hub, p.floor)
    ]
    return Report(
        machine=machine,
        repeats=len(repeats),
        figures=figures,
        per_second={name: _rate(saturated(name)) for name in ("few", "many", "joined")},
        p50_ms=median(pair.hub.p50_ms for pair in pairs("steady")),
        p99_ms=median(pair.hub.p99_ms for pair in pairs("steady")),
        floor_p50_ms=median(pair.floor.p50_ms for pair in pairs("steady")),
        floor_p99_ms=median(pair.floor.p99_ms for pair in pairs("steady")),
        store_us=median(pair.hub.store_us for pair in pairs("many")),
        socket_kb=median(repeat.socket_kb for repeat in repeats),
        late=_added(repeats),
        windows_ms=sorted(windows_ms),
        noise=max(play.others for play in everything),
    )


def _per_command(play: Play) -> float:
    return play.server_us


def _figure(name: str, pairs: Sequence[Pair], cost: Callable[[Play], float]) -> Figure:
    if not pairs:
        why = f"the load's core was over {TOO_BUSY:.0%} busy: it would have measured itself"
        return Figure(name, None, None, None, why)
    hub = median(cost(pair.hub) for pair in pairs)
    floor = median(cost(pair.floor) for pair in pairs)
    return Figure(name, hub, floor, median(cost(pair.hub) / cost(pair.floor) for pair in pairs))


def _ratio(repeats: Sequence[Repeat], of: Callable[[Repeat], float]) -> float:
    return median(repeat.many.hub.server_us / of(repeat) for repeat in repeats)


def _rate(pairs: Sequence[Pair]) -> float | None:
    return median(pair.hub.commands / pair.hub.seconds for pair in pairs) if pairs else None


def _added(repeats: Sequence[Repeat]) -> dict[str, float]:
    total: dict[str, float] = {}
    for repeat in repeats:
        for bound, count in repeat.late.items():
            total[bound] = total.get(bound, 0) + count
    return total


# --- for people ---


def table(found: Report) -> str:
    """The report as text."""
    machine = found.machine
    rows = [
        f"{machine['cpu']}, {machine['cores']} cores, Linux {machine['kernel']}, {machine['python']}; "
        f"server on one core, store and load on another; medians of {found.repeats}",
        "",
        f"{'server CPU per':<38}{'hub':>10}{'floor':>10}{'multiple':>10}",
    ]
    for figure in found.figures:
        if figure.hub is None or figure.floor is None or figure.multiple is None:
            rows.append(f"{figure.name:<38}  none: {figure.withheld}")
        else:
            cells = f"{figure.hub:>7.1f} us{figure.floor:>7.1f} us{figure.multiple:>8.2f} x"
            rows.append(f"{figure.name:<38}{cells}")
    rows += [
        "",
        f"from send to the last of four frames, {RATE} commands/s: "
        f"p50 {found.p50_ms:.2f} ms, p99 {found.p99_ms:.2f} ms "
        f"(floor: {found.floor_p50_ms:.2f}, {found.floor_p99_ms:.2f})",
        f"commands a second, one core saturated: 50 rooms {_number(found.per_second['few'])}, "
        f"{ROOMS} rooms {_number(found.per_second['many'])}, "
        f"three at once {_number(found.per_second['joined'])}",
        f"the store's CPU per command: {found.store_us:.1f} us",
        f"memory per idle seated socket: {found.socket_kb:.1f} KB",
        f"windows closed under load: {_lateness(found.late)}",
        lateness(found.windows_ms),
    ]
    if found.noise > NOISY:
        rows += [
            "",
            f"Other programs used up to {found.noise:.1f} cores meanwhile: absolute times are too high.",
        ]
    return "\n".join(rows)


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:,.0f}"


def _lateness(late: Mapping[str, float]) -> str:
    every = late.get("+Inf", 0)
    if not every:
        return "none"
    bounds = [(float(bound), count) for bound, count in late.items() if bound != "+Inf"]
    most = next((bound for bound, count in sorted(bounds) if count == every), None)
    return (
        f"{every:.0f}, all within {most * 1000:.0f} ms"
        if most is not None
        else f"{every:.0f}, some very late"
    )


def lateness(windows_ms: Sequence[float]) -> str:
    """How late windows ended, from their end to the message that says so at a client."""
    late = sorted(windows_ms)

    def share(part: float) -> float:
        return late[max(0, math.ceil(part * len(late)) - 1)]

    return (
        f"{len(late):,} windows in real time were told to have ended late by: "
        f"p50 {share(0.5):.1f} ms, p99 {share(0.99):.1f} ms, max {late[-1]:.1f} ms"
    )


def as_json(found: Report, repeats: Sequence[Repeat]) -> bytes:
    """The report and all it was made from."""
    whole: dict[str, Any] = {"report": found, "repeats": [msgspec.to_builtins(repeat) for repeat in repeats]}
    return msgspec.json.format(msgspec.json.encode(whole))
