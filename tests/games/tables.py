"""Tables that cover all pairs of options and seat counts: `python -m tests.games.tables subdivision`.

Prints them for the client's tests, one JSON object per line: `seats` and `options`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from games import GAMES
from games.subdivision.rules.board import GROUNDS
from games.testing import random_play
from games.testing.random_play import Assignment, Table


def drawn(seats: int, options: Assignment) -> Assignment:
    """The symmetric pattern, if the host draws the parks."""
    ground = GROUNDS[options["set"], seats]
    return {"pattern": ground.symmetric} if options["parks"] == "hostDraws" else {}


FREE: Final[Mapping[str, Callable[[int, Assignment], Assignment]]] = {"subdivision": drawn}
"""For games with free-text options: a function that returns their values."""


@cache
def tables(key: str) -> tuple[Table, ...]:
    game: Any = GAMES[key].game
    return tuple(random_play.tables(game, FREE.get(key, lambda seats, options: {})))


if __name__ == "__main__":
    for key in sys.argv[1:]:
        for table in tables(key):
            print(json.dumps({"game": key, **table._asdict()}))
