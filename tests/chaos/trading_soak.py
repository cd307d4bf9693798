"""Tables of Takeover on two hubs that start in the play phase, with coins drafted and flipped at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.chaos.reference_market import in_order
from tests.chaos.table_soak import TableSoak
from tests.chaos.trading_table import TradingTable
from tests.harness.small_hub import ClientLine

OPTIONS: Final[Mapping[str, Sequence[Any]]] = {
    "draftSuits": ("hidden", "shown"),
    "holdings": ("concealed", "faces", "open"),
    "trading": ("anytime", "anytime", "anytime", "ownTurnOnly"),
    "tradeLog": ("private", "public"),
    "voluntaryCashOut": (True, False),
    "exactPay": (True, False, False, False),
    "timers": ("fast", "fast", "fast", "fast", "normal", "relaxed", "off"),
}


class TradingSoak(TableSoak[TradingTable]):
    """Two hubs on one store with many tables open at once."""

    async def opened(self) -> TradingTable:
        """A table whose coins were drafted and flipped at random."""
        fate = self.fate
        options = {name: fate.choice(values) for name, values in OPTIONS.items()}
        seed = fate.randrange(2**32)
        room, followers, lines = await self.seated("takeover", options, watched=self.seats == 2)
        own_fate = random.Random(seed)
        self._draft(lines, own_fate)
        await self.quiet()
        self._flip(lines, own_fate)
        await self.quiet()
        for line in lines:
            line.heard.clear()
        return TradingTable(room, followers, lines, options, seed)

    def _draft(self, lines: Sequence[ClientLine], fate: random.Random) -> None:
        draft = lines[0].follower.sections["draft"]
        values = fate.sample(list(range(6)) * 4, 24)
        coins = draft["coins"] and fate.sample(draft["coins"], 24)
        for number, seat in enumerate(draft["order"]):
            move = (
                {"move": "pickCoin", "coin": coins[number]}
                if coins
                else {"move": "pick", "value": values[number]}
            )
            lines[seat].send_command("do", prompt=f"draft:{number}", move=move)

    def _flip(self, lines: Sequence[ClientLine], fate: random.Random) -> None:
        for line in lines[: self.seats]:
            names = [coin["name"] for coin in line.follower.sections["hand"]["coins"]]
            stocks = [name for name in names if fate.random() < 0.6]
            line.send_command("do", prompt="flip", move={"move": "lock", "coins": in_order(stocks)})
