"""A short version of the attack of bench/crowd.py that checks counts; the bench reports times."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from bench.crowd import Attack, Latency, attack_hub
from tests.harness.processes import HubProcess

ACCEPTED: Final = 20
WATCHERS: Final = 500


def test_latencies_are_in_milliseconds() -> None:
    latency = Latency.of([n / 1000 for n in range(200, 0, -1)])
    assert (latency.count, latency.p50, latency.p99, latency.worst) == (200, 100.5, 199.0, 200.0)


@pytest.mark.at_length
@pytest.mark.asyncio
async def test_a_crowd_gets_its_share_and_no_more(tmp_path: Path) -> None:
    """G8.9, G8.10, G8.11: of 900 sockets, 500 may watch, and 20 messages of all they say are heard; nobody is
    dropped as a slow reader, and the bystander gets every verdict."""
    settings = {"host": "0.0.0.0", "talk_of_watchers": f"0.0001/{ACCEPTED}"}
    with HubProcess(tmp_path, port=0, **settings) as hub:
        attack = Attack(sockets=900, people=120, talkers=40, seats=4, seconds=5.0)
        outcome = await attack_hub(int(hub.url.rpartition(":")[2]), attack)
        assert (outcome.opened, outcome.still_open) == (WATCHERS, WATCHERS)
        counted = outcome.counted
        assert outcome.said - counted['commands_total{verdict="SLOW_DOWN"}'] == ACCEPTED
        assert counted['limited_total{limit="watcher talk"}'] == outcome.said - ACCEPTED
        assert counted['commands_total{verdict="applied"}'] >= outcome.during.count > 0
        assert 'sockets_closed_total{code="4009"}' not in counted
        assert hub.stop() == 0
