"""The real hub, but its bots do not pause before a move: `python -m tests.harness.quick_hub serve ...`.

For tests that need complete games between bots, without the pauses.
"""

from __future__ import annotations

from hub.cli import main
from hub.runtime import bots


def hurry() -> None:
    """Make the bots of this process move within a few milliseconds."""
    bots.PACE_MS = (5, 15)


if __name__ == "__main__":
    hurry()
    main()
