"""The UI strings and refusals of Takeover; the wording is in texts/en.json."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from games.api import Refusal, Texts
from games.kit.texts import read_texts

ADVISED: Final = "stocks"
"""The argument of advice about stocks that no text uses: the client marks these coins (*Suggest stocks*)."""


def _declare(texts: Texts) -> Texts:
    coach = {
        key: (*names, ADVISED) if key.startswith("flip.") else names for key, names in texts.coach.items()
    }
    return replace(texts, coach=coach)


TEXTS: Final[Texts] = _declare(read_texts("games.takeover"))

# --- refusals: each depends only on what its seat may see (GEN-3, TKO-24) ---

SEATS: Final = Refusal("SEATS", "TKO-2", {"least": 2, "most": 6})
SUITS_HIDDEN: Final = Refusal("SUITS_HIDDEN", "TKO-1")
SUITS_SHOWN: Final = Refusal("SUITS_SHOWN", "TKO-1")
OFFER_OPEN: Final = Refusal("OFFER_OPEN", "GEN-12")
NONE_LEFT: Final = Refusal("NONE_LEFT", "TKO-1")
"""No such coin is on the table any more."""
VALUE_GONE: Final = Refusal("VALUE_GONE", "TKO-1", {"value": 0})
"""No coin of this value is on the table any more."""
NOT_YOUR_COINS: Final = Refusal("NOT_YOUR_COINS", "GEN-3")
"""Some coins are not the seat's own, or are named twice."""
NO_SUCH_PAIR: Final = Refusal("NO_SUCH_PAIR", "TKO-30")
OUT_OF_REACH: Final = Refusal("OUT_OF_REACH", "TKO-16")
"""Neither touching nor in the same row or column."""
NULL_NEEDED: Final = Refusal("NULL_NEEDED", "TKO-16")
NULL_KEPT: Final = Refusal("NULL_KEPT", "TKO-16")
"""The companies touch, so the 0 coin is not needed."""
NO_NULL: Final = Refusal("NO_NULL", "TKO-18")
"""The coin is not a 0 coin that the seat holds as cash."""
NOT_CASH: Final = Refusal("NOT_CASH", "TKO-13")
NULL_IN_PAY: Final = Refusal("NULL_IN_PAY", "TKO-19")
NOT_ENOUGH: Final = Refusal("NOT_ENOUGH", "TKO-12")
SUPERFLUOUS: Final = Refusal("SUPERFLUOUS", "TKO-12")
NO_CASH_OUT: Final = Refusal("NO_CASH_OUT", "TKO-6")
NOT_STOCKS: Final = Refusal("NOT_STOCKS", "TKO-6")
NOTHING: Final = Refusal("NOTHING", "TKO-22")
"""An offer with no coins on either side."""
NOT_ON_TURN: Final = Refusal("NOT_ON_TURN", "TKO-22")
"""With this option on, one side must be the seat whose turn it is."""
WISH: Final = Refusal("WISH", "TKO-24")
"""A wish that no other seat's coins can fulfil, or that is too long."""
DOES_NOT_FIT: Final = Refusal("DOES_NOT_FIT", "TKO-24")
"""These coins are not what the offer asks for."""
