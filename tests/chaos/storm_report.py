"""What a storm did, how long its people waited, and everything that was wrong."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tests.chaos.storm_figures import Figures, Keys
from tests.chaos.storm_people import Book, Wait
from tests.chaos.storm_schedule import Shape

LONG_WAIT: Final = 1.0
"""Seconds after which somebody who waits for a verdict notices that something is wrong."""
SAME_MOMENT: Final = 0.5
"""A command may have been on its way for this many seconds when a fault hit it."""


class Begun(NamedTuple):
    """A fault, and when it began, on the clock that measures the waits."""

    at: float
    kind: str


def measure_recoveries(waits: Iterable[Wait], faults: Sequence[Begun]) -> dict[str, list[float]]:
    """By kind of fault, the seconds from its beginning until commands that had to wait had their verdicts.

    A wait is the work of the fault that began last before it; others may have gone on.
    """
    recoveries: defaultdict[str, list[float]] = defaultdict(list)
    times = [fault.at for fault in faults]
    for wait in waits:
        if wait.answered - wait.sent > LONG_WAIT and faults:
            fault = faults[max(0, bisect_right(times, wait.sent + SAME_MOMENT) - 1)]
            recoveries[fault.kind].append(wait.answered - fault.at)
    return dict(recoveries)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the sorted values does not exceed; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


@dataclass
class Report:
    """What a storm did, and everything that was wrong. Figures are those of a hub with a bundled store."""

    shape: Shape
    book: Book
    begun: list[Begun] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    """What hubs logged as errors."""
    early: Figures | None = None
    late: Figures | None = None
    alone: Figures | None = None
    """After everybody has left."""
    keys: Keys = field(default_factory=lambda: Keys(Counter(), [], []))

    @property
    def counts(self) -> Counter[str]:
        return self.book.counts

    @property
    def problems(self) -> list[str]:
        """One line for everything that must not be."""
        problems = list(self.book.faults)
        problems += [f"a hub logged: {event} ({times} times)" for event, times in self.errors.items()]
        problems += [f"a key of no known kind: {key}" for key in self.keys.unknown]
        problems += [f"a key without an expiry: {key}" for key in self.keys.without_expiry]
        rooms = self.keys.kinds["heads"]
        if rooms > self.counts["tables"] + self.counts["requests repeated"]:
            problems.append(f"{rooms} rooms for {self.counts['tables']} tables")
        for figures in (self.late, self.alone):
            if self.early is not None and figures is not None:
                problems += self.early.leaks(figures)
        if self.alone is not None and self.alone.rooms:
            problems.append(f"{self.alone.rooms:.0f} rooms stayed awake with nobody in them")
        return problems

    def __str__(self) -> str:
        problems = [f"  {problem}" for problem in self.problems]
        return "\n".join(
            [
                "",
                *(f"  {times:>10,}  {name}" for name, times in sorted(self.counts.items())),
                *(f"  {times:>10,}  keys: {name}" for name, times in sorted(self.keys.kinds.items())),
                *self._list_figures(),
                *self._list_times(),
                *(problems or ["  nothing lost, doubled, changed or leaked"]),
            ]
        )

    def _list_figures(self) -> Iterator[str]:
        if self.early is not None and self.late is not None and self.alone is not None:
            yield "  after five minutes, at the end, and when everybody had left:"
            for name, *values in zip(Figures._fields, self.early, self.late, self.alone, strict=True):
                yield "  " + " ".join(f"{value:>10.1f}" for value in values) + f"  {name}"

    def _list_times(self) -> Iterator[str]:
        waits = [wait.answered - wait.sent for wait in self.book.waits]
        times: Mapping[str, list[float]] = {
            "s until the verdict": waits,
            "s without a table after a lost connection": self.book.absences,
            "s of thinking time lost at a takeover": [loss / 1000 for loss in self.book.losses],
            "s for which a former owner was still heard": self.book.overlaps,
            "s by which a window was closed late": [late / 1000 for late in self.book.lateness],
            **{
                f"s from '{kind}' to verdicts that waited": recoveries
                for kind, recoveries in sorted(measure_recoveries(self.book.waits, self.begun).items())
            },
        }
        yield f"  {'number':>10} {'p50':>8} {'p99':>8} {'max':>8}"
        for name, values in times.items():
            shown = (percentile(values, 0.5), percentile(values, 0.99), max(values, default=0.0))
            yield f"  {len(values):>10,} " + " ".join(f"{value:>8.2f}" for value in shown) + f"  {name}"
