"""The real hub, but its bots do not pause: `python -m tests.harness.quick_hub serve ...`.

For tests that need complete games between bots, without the pauses.
"""

from __future__ import annotations

from hub.cli import main
from hub.runtime import bots


def hurry() -> None:
    """Make the bots of this process move and answer within a few milliseconds."""
    bots.PACE_MS = bots.ANSWER_MS = (5, 15)
    bots.MAX_ANSWER_MS = bots.MAX_PAUSE_MS = 15


if __name__ == "__main__":
    hurry()
    main()
