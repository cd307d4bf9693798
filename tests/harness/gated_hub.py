"""The real hub, but bots do not pause, and So Long Sucker's bots wait at the gate before slow decisions.

`python -m tests.harness.gated_hub serve ...`; see `tests.harness.gate`.
"""

from __future__ import annotations

from typing import Any, cast

from games import GAMES
from games.api import Registration
from hub.cli import main
from hub.runtime import bots
from tests.harness.gate import GatedBot

if __name__ == "__main__":
    bots.PACE_MS = (5, 15)
    cast(dict[str, Any], GAMES)["sucker"] = Registration(GAMES["sucker"].game, GatedBot())
    main()
