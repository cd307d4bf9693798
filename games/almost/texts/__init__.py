"""The UI strings and refusals of Almost; the wording is in en.json."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.api import Refusal, Texts
from games.kit.texts import read_texts

TEXTS: Final[Texts] = read_texts("games.almost")

# --- refusals: the same for all hidden values, so that they reveal nothing (GEN-3, 4c) ---

SEATS: Final = Refusal("SEATS", "ALM-13", {"least": 3, "most": 10})
OUT_OF_REACH: Final = Refusal("OUT_OF_REACH", "ALM-10")
ALREADY_READY: Final = Refusal("ALREADY_READY", "GEN-6")
NOT_READY: Final = Refusal("NOT_READY", "GEN-6")
PLAN_SHAPE: Final = Refusal("PLAN_SHAPE", "ALM-1")
NO_SUCH_PLAN: Final = Refusal("NO_SUCH_PLAN", "GEN-12")
ALREADY_BEHIND: Final = Refusal("ALREADY_BEHIND", "GEN-12")
BEHIND_NONE: Final = Refusal("BEHIND_NONE", "GEN-12")


@lru_cache(128)
def bid_range(most: int) -> Refusal:
    return Refusal("BID_RANGE", "ALM-1", {"most": most})
