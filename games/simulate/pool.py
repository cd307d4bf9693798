"""Many games on many cores: numbers go out, rows come back; the only file of the package with an effect.

Each worker is a new process that loads the game once. Ctrl-C ends the run with the rows there are.
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
"""Games that one message asks for, at most."""
AHEAD: Final = 3
"""Batches that wait for each worker."""


class Played(NamedTuple):
    """Rows in the order of their numbers; `stopped`: there were to be more."""

    rows: tuple[Row, ...]
    stopped: bool


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def play_all(plan: Plan, entry: Registration, workers: int, advance: Callable[[int], None]) -> Played:
    """Every game of the plan; `advance` hears how many more are done. Raises Broke.

    Must be called from the main thread, which alone may say what Ctrl-C means.
    """
    rows: dict[int, Row] = {}

    def take(batch: list[Row]) -> None:
        rows.update((row.number, row) for row in batch)
        advance(len(batch))

    try:
        if workers == 1:
            for number in range(plan.total):
                take([play(entry, match(plan, number), plan.limit)])
        else:
            _elsewhere(plan, workers, take)
    except KeyboardInterrupt:
        pass
    return Played(tuple(rows[number] for number in sorted(rows)), len(rows) < plan.total)


def _elsewhere(plan: Plan, workers: int, take: Callable[[list[Row]], None]) -> None:
    size = max(1, min(BATCH, plan.total // (4 * workers)))
    left = iter([range(n, min(n + size, plan.total)) for n in range(0, plan.total, size)])
    with _deaf():  # the workers are born so, and leave Ctrl-C to us
        pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (plan,))
        running = {pool.submit(_batch, numbers) for numbers in islice(left, workers * AHEAD)}
    try:
        while running:
            for batch in wait(running, return_when=FIRST_COMPLETED).done:
                take(batch.result())
                running.remove(batch)
                running |= {pool.submit(_batch, numbers) for numbers in islice(left, 1)}
    except BrokenProcessPool as error:
        raise Broke("A worker was ended from outside; was there enough memory?") from error
    except KeyboardInterrupt:
        _end(pool)
        for batch in running:  # those under way are finished: they are rows as good as any
            if batch.done() and not batch.cancelled() and batch.exception() is None:
                take(batch.result())
        raise
    finally:
        _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """Lets the games under way end, deaf to more Ctrl-C: a pool left half ended fails noisily at exit."""
    with _deaf():
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _deaf() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# --- in a worker ---

_work: tuple[Plan, Registration] | None = None


def _begin(plan: Plan) -> None:
    global _work
    _work = plan, load(plan.game, plan.bot)


def _batch(numbers: range) -> list[Row]:
    if _work is None:
        raise RuntimeError("a worker begins with its plan")
    plan, entry = _work
    return [play(entry, match(plan, number), plan.limit) for number in numbers]
