"""A hub that cannot serve any more, because of a defect, ends instead of keeping its sockets."""

from __future__ import annotations

from pathlib import Path

from hub.config import Exit
from tests.harness.processes import HubProcess

BROKEN = """
from hub.cli import main
from hub.store.lease import Lease

beat = Lease.beat

async def fail_after_the_first(lease):
    if hasattr(lease, "has_begun"):
        raise ValueError("a planted defect")
    lease.has_begun = True
    await beat(lease)

Lease.beat = fail_after_the_first
main()
"""


def test_a_hub_whose_heartbeat_fails_ends(tmp_path: Path) -> None:
    """Otherwise it would live on without leases: nothing would be committed, and nobody would be told."""
    hub = HubProcess(tmp_path)
    program, _, _, *arguments = hub.command
    hub.command = [program, "-c", BROKEN, *arguments]
    hub.launch()
    assert hub.wait() == Exit.DEFECT
    assert any("fail_after_the_first" in line for line in hub.lines)
    assert any("Its heartbeat failed" in line for line in hub.lines)
