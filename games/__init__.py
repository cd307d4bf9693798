"""The games, and the registry: one explicit line per game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.almost.bot import BOT as ALMOST_BOT
from games.almost.rules import ALMOST
from games.api import Entry

GAMES: Final[Mapping[str, Entry]] = {
    ALMOST.key: Entry(ALMOST, ALMOST_BOT),
}
