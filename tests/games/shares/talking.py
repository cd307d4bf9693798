"""Share and Share Alike's part of the tables whose bots hear one another (tests/games/talking_table.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec

from games import GAMES
from games.kit.characters import cast_levels
from games.shares.bot.sayings import PROPOSALS, read_intent
from games.shares.rules.options import SharesOptions
from games.shares.rules.values import SharesState
from tests.games import talking_table
from tests.games.talking_table import Saying

ENTRY: Final = GAMES["shares"]


class TalkingTable(talking_table.TalkingTable[SharesState]):
    """A game between characters of these levels."""

    def __init__(self, levels: Sequence[str], name: str, options: Mapping[str, Any] = {}) -> None:
        seed = sha256(name.encode()).digest()
        super().__init__(ENTRY, cast_levels(levels, seed), seed, msgspec.convert(options, SharesOptions))

    def list_exchanges(self) -> Iterator[tuple[Saying, Saying]]:
        """Proposals to a seat that answered them next."""
        for index, one in enumerate(self.sayings):
            if read_intent(one.spoken.key) not in PROPOSALS:
                continue
            for other in self.sayings[index + 1 :]:
                if other.spoken.seat == one.spoken.args["to"]:
                    if other.spoken.addressee == one.spoken.seat:
                        yield one, other
                    break
