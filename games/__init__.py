"""The registry of games: one explicit line per game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.almost.bot.bot import BOT as ALMOST_BOT
from games.almost.rules.game import ALMOST
from games.api import Registration
from games.shares.bot.bot import BOT as SHARES_BOT
from games.shares.rules.game import SHARES
from games.subdivision.bot.bot import BOT as SUBDIVISION_BOT
from games.subdivision.rules.game import SUBDIVISION
from games.sucker.bot.bot import BOT as SUCKER_BOT
from games.sucker.rules.game import SUCKER
from games.takeover.bot.bot import BOT as TAKEOVER_BOT
from games.takeover.rules.game import TAKEOVER

GAMES: Final[Mapping[str, Registration]] = {
    ALMOST.key: Registration(ALMOST, ALMOST_BOT),
    SHARES.key: Registration(SHARES, SHARES_BOT),
    SUBDIVISION.key: Registration(SUBDIVISION, SUBDIVISION_BOT),
    SUCKER.key: Registration(SUCKER, SUCKER_BOT),
    TAKEOVER.key: Registration(TAKEOVER, TAKEOVER_BOT),
}
