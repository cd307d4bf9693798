"""The options of Share and Share Alike (section 1a). The number of seats is not an option."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from games.kit.options import option_metadata
from games.kit.time_control import Timers


class SharesOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Options combine freely (1a). An option for `strict` talk or for one variant is ignored otherwise."""

    rounds: Annotated[Literal["15", "10", "5"], option_metadata("game", official="15")] = "15"
    talk: Annotated[Literal["strict", "looseLips", "wholeTruth"], option_metadata("talk")] = "strict"
    open_market: Annotated[bool, option_metadata("variants")] = False
    lowball: Annotated[bool, option_metadata("variants")] = False
    lowball_card: Annotated[Literal["return", "discard", "bottom"], option_metadata("variants")] = "return"
    market_log: Annotated[Literal["private", "public"], option_metadata("variants")] = "private"
    strict_chat: Annotated[
        Literal["phrasesOnly", "honour"],
        option_metadata("talk", private="honour"),
    ] = "phrasesOnly"
    company_metric: Annotated[Literal["floors", "pips"], option_metadata("scoring")] = "floors"
    company_tie: Annotated[Literal["average", "high", "low"], option_metadata("scoring")] = "average"
    rounding: Annotated[Literal["exact", "nearest", "floor"], option_metadata("scoring")] = "exact"
    chance3_source: Annotated[Literal["deck", "either"], option_metadata("chance")] = "deck"
    chance4_draw: Annotated[bool, option_metadata("chance")] = False
    timers: Timers = "normal"
