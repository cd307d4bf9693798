"""The faults of a storm: a seed gives a list of them, each with its time, its victim and its length.

There are three series with gaps of their own, so that faults meet: of hubs, of the store, and of routes. Now
and then one comes together with another of its series, but never for the store: nobody promises to survive
the loss of all its copies.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

HubFault: TypeAlias = Literal["kill hub", "stop hub", "freeze hub", "step hub's clock", "upgrade hub"]
StoreFault: TypeAlias = Literal[
    "kill store",
    "restart store",
    "freeze store",
    "fail over",
    "fill disk",
    "fill memory",
    "step store's clock",
]
RouteFault: TypeAlias = Literal[
    "partition",
    "hold replies",
    "lose replies",
    "delay",
    "cut",
    "refuse",
    "half-open",
]
FaultKind: TypeAlias = HubFault | StoreFault | RouteFault
Shape: TypeAlias = Literal["bundled", "one", "sentinel", "cluster"]
"""A hub with the store that it starts, or hubs with one store, with one that Sentinels watch, or with a
Cluster."""

HUB_FAULTS: Final[Mapping[HubFault, float]] = {
    "kill hub": 0.62,
    "freeze hub": 0.2,
    "stop hub": 0.08,
    "step hub's clock": 0.1,
}
REPLICATED: Final[Mapping[StoreFault, float]] = {
    "kill store": 0.35,
    "fail over": 0.25,
    "freeze store": 0.2,
    "fill disk": 0.08,
    "fill memory": 0.07,
    "step store's clock": 0.05,
}
STORE_FAULTS: Final[Mapping[Shape, Mapping[StoreFault, float]]] = {
    "bundled": {"kill store": 1.0},
    "one": {
        "kill store": 0.45,
        "restart store": 0.15,
        "freeze store": 0.15,
        "fill disk": 0.1,
        "fill memory": 0.1,
        "step store's clock": 0.05,
    },
    "sentinel": REPLICATED,
    "cluster": REPLICATED,
}
ROUTE_FAULTS: Final[Mapping[RouteFault, float]] = {
    "partition": 3,
    "hold replies": 1,
    "lose replies": 2,
    "delay": 2,
    "cut": 2,
    "refuse": 1,
    "half-open": 1,
}
LENGTHS: Final[Mapping[FaultKind, tuple[float, float]]] = {
    "kill hub": (0.0, 3.0),
    "stop hub": (0.0, 1.0),
    "freeze hub": (0.3, 6.0),
    "kill store": (0.0, 2.0),
    "restart store": (0.0, 1.0),
    "freeze store": (0.3, 4.0),
    "fill disk": (0.5, 3.0),
    "fill memory": (0.5, 3.0),
    "partition": (0.5, 8.0),
    "hold replies": (0.5, 8.0),
    "lose replies": (0.1, 3.0),
    "delay": (1.0, 8.0),
    "refuse": (0.5, 4.0),
}
"""Seconds until it is over: until a process that was killed is started again, a route heals, and so on. Other
faults last no time."""
EVERY_HUB_FAULT: Final = (1.5, 4.5)
EVERY_STORE_FAULT: Final = (10.0, 18.0)
EVERY_ROUTE_FAULT: Final = (2.0, 7.0)
"""Seconds between two faults of a series."""
MEETING_SHARE: Final = 0.15
"""How probable it is that another of the same series comes within half a second."""
HUB_CLOCKS: Final = (-25.0, -2.0, 0.0, 2.0, 25.0)
"""The seconds by which a hub's clock may be wrong after a step: those of two hubs never differ by a minute,
beyond which they refuse each other's tokens (`SKEW` in hub/wire/tickets.py)."""
STORE_CLOCKS: Final = (-3600.0, -30.0, 0.0, 30.0, 3600.0)
"""The seconds by which a store's clock may be wrong after a step."""
DELAYS: Final = (0.005, 0.05, 0.4)
"""Seconds that everything on a route takes longer, each way."""
AMOUNTS: Final[Mapping[FaultKind, tuple[float, ...]]] = {
    "step hub's clock": HUB_CLOCKS,
    "step store's clock": STORE_CLOCKS,
    "delay": DELAYS,
}


class TimedFault(NamedTuple):
    """A fault, when it begins, and for how long it lasts, in seconds."""

    at: float
    kind: FaultKind
    victim: str
    """A hub (`hub 0`), the store, or a route (`hub 0 to store`)."""
    seconds: float = 0.0
    amount: float = 0.0
    """The seconds by which a clock is wrong from then on, or of a delay."""

    def __str__(self) -> str:
        return f"{self.at:6.1f} s  {self.kind}: {self.victim}, {self.seconds:.1f} s"


def plan_faults(seed: int, seconds: float, shape: Shape, hubs: Sequence[str]) -> list[TimedFault]:
    """The faults of a storm of this length, in order."""
    fate = random.Random(f"{seed} {shape}")
    faults = [*_plan_hub_faults(fate, seconds, hubs, shape), *_plan_store_faults(fate, seconds, shape)]
    if shape != "bundled":
        faults += _plan_route_faults(fate, seconds, hubs)
    return sorted(faults)


def plan_rolls(
    rolls: int, hubs: Sequence[str], gap: float, kind: HubFault = "stop hub", upgrades_at: int | None = None
) -> list[TimedFault]:
    """Rolling restarts: each hub in turn is stopped, or killed, and started again, every `gap` seconds.

    In the roll `upgrades_at`, counted from 1, each hub is stopped and comes back with newer rules.
    """
    kinds: list[HubFault] = ["upgrade hub" if roll == upgrades_at else kind for roll in range(1, rolls + 1)]
    restarts = [(kind, hub) for kind in kinds for hub in hubs]
    return [TimedFault(gap * number, kind, hub) for number, (kind, hub) in enumerate(restarts, start=1)]


def _plan_hub_faults(
    fate: random.Random, seconds: float, hubs: Sequence[str], shape: Shape
) -> Iterator[TimedFault]:
    kinds: Mapping[HubFault, float] = HUB_FAULTS if shape != "bundled" else {"kill hub": 1.0}
    for at in _draw_times(fate, seconds, EVERY_HUB_FAULT, MEETING_SHARE):
        yield _draw(fate, at, kinds, fate.choice(hubs))


def _plan_store_faults(fate: random.Random, seconds: float, shape: Shape) -> Iterator[TimedFault]:
    for at in _draw_times(fate, seconds, EVERY_STORE_FAULT, 0.0):
        yield _draw(fate, at, STORE_FAULTS[shape], "store")


def _plan_route_faults(fate: random.Random, seconds: float, hubs: Sequence[str]) -> Iterator[TimedFault]:
    for at in _draw_times(fate, seconds, EVERY_ROUTE_FAULT, MEETING_SHARE):
        source = fate.choice(hubs)
        target = fate.choice(["store", *(hub for hub in hubs if hub != source)])
        yield _draw(fate, at, ROUTE_FAULTS, f"{source} to {target}")


def _draw_times(
    fate: random.Random, seconds: float, every: tuple[float, float], together: float
) -> Iterator[float]:
    at = fate.uniform(*every)
    while at < seconds:
        yield at
        at += fate.uniform(0.0, 0.5) if fate.random() < together else fate.uniform(*every)


def _draw(
    fate: random.Random,
    at: float,
    kinds: Mapping[HubFault, float] | Mapping[StoreFault, float] | Mapping[RouteFault, float],
    victim: str,
) -> TimedFault:
    kind: FaultKind = fate.choices([*kinds], [*kinds.values()])[0]
    amounts = AMOUNTS.get(kind, (0.0,))
    return TimedFault(at, kind, victim, fate.uniform(*LENGTHS.get(kind, (0.0, 0.0))), fate.choice(amounts))
