"""The hub as it is, but whose bots do not ponder: `python -m tests.harness.quick_hub serve ...`.

For tests that want whole games of bots and care for nothing in between.
"""

from __future__ import annotations

from hub.cli import main
from hub.runtime import bots


def hurry() -> None:
    """Make the bots of this process take a few milliseconds."""
    bots.PACE_MS = (5, 15)


if __name__ == "__main__":
    hurry()
    main()
