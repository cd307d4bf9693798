"""Networks share the bots' worker equally, and so do the people of one network (G8.14)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest

from hub.wire.limits import Opener
from hub.worker import fair_queue
from hub.worker.fair_queue import FairQueue


@dataclass
class FakeTask:
    opener: Opener
    number: int = 0
    cancelled: bool = False


Queue = FairQueue[FakeTask]

ANN, ANNS_FRIEND = Opener("203.0.113.7", "ann"), Opener("203.0.113.7", "friend")
BEA = Opener("198.51.100.8", "bea")
LOCAL, WOKEN = Opener(None, "cat"), Opener(None, "room")


def fill(queue: Queue, opener: Opener, count: int) -> None:
    for number in range(count):
        queue.add(FakeTask(opener, number))


def run(queue: Queue, count: int, seconds: float = 1) -> list[Opener]:
    """Runs this many tasks of the same length; returns their openers."""
    openers = []
    for _ in range(count):
        task = queue.pop()
        assert task is not None
        queue.charge(task.opener, seconds)
        openers.append(task.opener)
    return openers


def test_tasks_of_one_opener_stay_in_order() -> None:
    queue = Queue()
    fill(queue, ANN, 5)
    assert [task.number for _ in range(5) if (task := queue.pop())] == [0, 1, 2, 3, 4]
    assert queue.pop() is None


def test_a_newcomer_is_next() -> None:
    """However many tasks the others have waiting, and however often they have been served."""
    queue = Queue()
    fill(queue, ANN, 200)
    run(queue, 10)
    fill(queue, BEA, 1)
    assert run(queue, 2) == [BEA, ANN]


def test_networks_take_turns() -> None:
    """The number of people in one of them makes no difference."""
    queue = Queue()
    for number in range(100):
        fill(queue, Opener(ANN.network, f"{number}"), 2)
    fill(queue, BEA, 50)
    fill(queue, LOCAL, 50)
    networks = Counter(opener.network for opener in run(queue, 150))
    assert networks == {ANN.network: 50, BEA.network: 50, None: 50}


def test_the_networks_of_one_site_are_one() -> None:
    """G8.14: an IPv6 /48 has 65,536 networks."""
    queue = Queue()
    for number in range(100):
        fill(queue, Opener(f"2001:db8:5:{number:x}::/64", f"{number}"), 2)
    fill(queue, BEA, 50)
    assert Counter(opener.site for opener in run(queue, 100)) == {"2001:db8:5::/48": 50, BEA.site: 50}


def test_persons_of_one_network_take_turns() -> None:
    queue = Queue()
    fill(queue, ANN, 100)
    fill(queue, WOKEN, 100)
    run(queue, 20)
    fill(queue, ANNS_FRIEND, 2)
    fill(queue, LOCAL, 2)
    assert Counter(run(queue, 8)) == {ANN: 2, ANNS_FRIEND: 2, LOCAL: 2, WOKEN: 2}


def test_time_counts_and_not_tasks() -> None:
    """A network whose bots think ten times as long gets a tenth of the tasks."""
    queue = Queue()
    fill(queue, ANN, 100)
    fill(queue, BEA, 100)
    served: Counter[Opener] = Counter()
    while served[BEA] < 50:
        task = queue.pop()
        assert task is not None
        queue.charge(task.opener, 10 if task.opener == ANN else 1)
        served[task.opener] += 1
    assert served == {ANN: 5, BEA: 50}


def test_nobody_saves_up_time() -> None:
    """A network that was idle does not get the worker to itself afterwards; nor does one that comes again and
    again with a single task."""
    queue = Queue()
    fill(queue, ANN, 100)
    run(queue, 50)
    fill(queue, BEA, 100)
    assert Counter(run(queue, 20)) == {ANN: 10, BEA: 10}
    queue = Queue()
    fill(queue, ANN, 100)
    served: Counter[Opener] = Counter()
    for _ in range(20):
        fill(queue, BEA, 1)
        served.update(run(queue, 1))
    assert served == {ANN: 10, BEA: 10}


def test_cancelled_tasks_cost_nothing() -> None:
    queue = Queue()
    for _ in range(10):
        queue.add(FakeTask(ANN, cancelled=True))
    fill(queue, ANN, 3)
    fill(queue, BEA, 3)
    assert Counter(run(queue, 4)) == {ANN: 2, BEA: 2}
    queue.add(FakeTask(ANN, cancelled=True))
    run(queue, 2)
    assert queue.pop() is None


def test_networks_without_debt_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "SPARE_ENTRIES", 3)
    queue = Queue()
    fill(queue, ANN, 1000)
    for number in range(100):
        fill(queue, Opener(f"198.51.100.{number}", "guest"), 1)
        run(queue, 2)
    assert len(queue._sites._used) < 10


def test_a_queue_that_is_cleared_is_empty() -> None:
    queue = Queue()
    fill(queue, ANN, 3)
    queue.clear()
    assert queue.pop() is None
