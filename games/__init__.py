"""The games, and the registry: one explicit line per game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.almost.bot import BOT as ALMOST_BOT
from games.almost.rules import ALMOST
from games.api import Entry
from games.shares.bot import BOT as SHARES_BOT
from games.shares.rules import SHARES
from games.subdivision.bot import BOT as SUBDIVISION_BOT
from games.subdivision.rules import SUBDIVISION
from games.sucker.bot import BOT as SUCKER_BOT
from games.sucker.rules import SUCKER
from games.takeover.bot import BOT as TAKEOVER_BOT
from games.takeover.rules import TAKEOVER

GAMES: Final[Mapping[str, Entry]] = {
    ALMOST.key: Entry(ALMOST, ALMOST_BOT),
    SHARES.key: Entry(SHARES, SHARES_BOT),
    SUBDIVISION.key: Entry(SUBDIVISION, SUBDIVISION_BOT),
    SUCKER.key: Entry(SUCKER, SUCKER_BOT),
    TAKEOVER.key: Entry(TAKEOVER, TAKEOVER_BOT),
}
