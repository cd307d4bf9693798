"""Plays many games on many cores; the only module in the package with side effects.

Each worker is a new process that loads the game once. Ctrl-C ends the run and keeps the finished rows.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Final, NamedTuple

from games.api import Registration
from games.simulate.plan import Plan, load, match
from games.simulate.playing import Broke, Row, play

BATCH: Final = 8
"""The maximum number of games in one message to a worker."""
AHEAD: Final = 3
"""The batches queued per worker."""


class Played(NamedTuple):
    """Rows in order of game number; `stopped` is true if the run was interrupted."""

    rows: tuple[Row, ...]
    stopped: bool


def cores() -> int:
    """The number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def play_all(plan: Plan, entry: Registration, workers: int, advance: Callable[[int], None]) -> Played:
    """Plays every game of the plan, reporting progress to `advance`. Raises Broke.

    Must be called from the main thread, the only one that can handle Ctrl-C.
    """
    rows: dict[int, Row] = {}

    def collect(batch: list[Row]) -> None:
        rows.update((row.number, row) for row in batch)
        advance(len(batch))

    try:
        if workers == 1:
            for number in range(plan.total):
                collect([play(entry, match(plan, number), plan.limit)])
        else:
            _play_in_workers(plan, workers, collect)
    except KeyboardInterrupt:
        pass
    return Played(tuple(rows[number] for number in sorted(rows)), len(rows) < plan.total)


def _play_in_workers(plan: Plan, workers: int, collect: Callable[[list[Row]], None]) -> None:
    size = max(1, min(BATCH, plan.total // (4 * workers)))
    batches = iter([range(n, min(n + size, plan.total)) for n in range(0, plan.total, size)])
    with _ignore_interrupts():  # the workers inherit this and leave Ctrl-C to this process
        pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (plan,))
        running = {pool.submit(_batch, numbers) for numbers in islice(batches, workers * AHEAD)}
    try:
        while running:
            for batch in wait(running, return_when=FIRST_COMPLETED).done:
                collect(batch.result())
                running.remove(batch)
                running |= {pool.submit(_batch, numbers) for numbers in islice(batches, 1)}
    except BrokenProcessPool as error:
        raise Broke("A worker was killed; was there enough memory?") from error
    except KeyboardInterrupt:
        _end(pool)
        for batch in running:  # keeps the batches that finished in the meantime
            if batch.done() and not batch.cancelled() and batch.exception() is None:
                collect(batch.result())
        raise
    finally:
        _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """Waits for running games, ignoring further Ctrl-C, because a half-closed pool fails noisily at exit."""
    with _ignore_interrupts():
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


# --- in a worker ---

_work: tuple[Plan, Registration] | None = None


def _begin(plan: Plan) -> None:
    global _work
    _work = plan, load(plan.game, plan.bot)


def _batch(numbers: range) -> list[Row]:
    if _work is None:
        raise RuntimeError("a worker needs a plan before it can play")
    plan, entry = _work
    return [play(entry, match(plan, number), plan.limit) for number in numbers]
