"""What Takeover says: refusals, phrases, and every key the client's catalogue must hold."""

from __future__ import annotations

from typing import Final

from games.api import Refusal, Texts
from games.kit import offers as offering
from games.kit import sealed as sealing
from games.kit import time_control as time_control

# --- refusals: each depends on what its seat may see alone (GEN-3, TKO-24) ---

SEATS: Final = Refusal("SEATS", "TKO-2", {"least": 2, "most": 6})
OTHER_PROMPT: Final = Refusal("OTHER_PROMPT", "GEN-4")
SUITS_HIDDEN: Final = Refusal("SUITS_HIDDEN", "TKO-1")
SUITS_SHOWN: Final = Refusal("SUITS_SHOWN", "TKO-1")
NONE_LEFT: Final = Refusal("NONE_LEFT", "TKO-1")
"""No such coin is on the table any more."""
NOT_YOUR_COINS: Final = Refusal("NOT_YOUR_COINS", "GEN-3")
"""Not coins of one's own, each once."""
NO_SUCH_PAIR: Final = Refusal("NO_SUCH_PAIR", "TKO-30")
OUT_OF_REACH: Final = Refusal("OUT_OF_REACH", "TKO-16")
"""Neither touching nor in one row or column."""
NULL_NEEDED: Final = Refusal("NULL_NEEDED", "TKO-16")
NULL_KEPT: Final = Refusal("NULL_KEPT", "TKO-16")
"""These touch: the null is not needed, and stays."""
NO_NULL: Final = Refusal("NO_NULL", "TKO-18")
"""That is no null lying value-up."""
NOT_CASH: Final = Refusal("NOT_CASH", "TKO-13")
NULL_IN_PAY: Final = Refusal("NULL_IN_PAY", "TKO-19")
NOT_ENOUGH: Final = Refusal("NOT_ENOUGH", "TKO-12")
SUPERFLUOUS: Final = Refusal("SUPERFLUOUS", "TKO-12")
NO_CASH_OUT: Final = Refusal("NO_CASH_OUT", "TKO-6")
NOT_STOCKS: Final = Refusal("NOT_STOCKS", "TKO-6")
NOTHING: Final = Refusal("NOTHING", "TKO-22")
"""An offer of nothing for nothing."""
NOT_ON_TURN: Final = Refusal("NOT_ON_TURN", "TKO-22")
"""Trading only with the seat whose turn it is (option)."""
WISH: Final = Refusal("WISH", "TKO-24")
"""A wish that no coin of another seat can meet, or too long a one."""
DOES_NOT_FIT: Final = Refusal("DOES_NOT_FIT", "TKO-24")
"""These coins are not what the offer wishes for."""

PHRASES: Final = tuple(
    f"takeover.say.{phrase}"
    for phrase in (
        "makeAnOffer",
        "needCash",
        "needNull",
        "spareMine",
        "iWillSpare",
        "tooMuch",
        "deal",
        "noDeal",
        "letUsPass",
        "hostile",
        "thanks",
        "wellPlayed",
        "oops",
        "hurry",
    )
)

TEXTS: Final = Texts(
    lines={
        "takeover.began": ("seat",),
        "takeover.picked": ("seat", "value"),
        "takeover.pickedCoin": ("seat", "coin"),
        "takeover.drew": ("coin",),
        "takeover.auto": ("seat",),
        "takeover.autoFlips": ("seats",),
        "takeover.play": ("seat",),
        "takeover.merged": ("seat", "source", "onto", "paid"),
        "takeover.special": ("seat", "source", "onto", "paid"),
        "takeover.subsumed": ("coin",),
        "takeover.flipped": ("seat", "coin"),
        "takeover.yourFlip": ("coin",),
        "takeover.cashedOut": ("seat", "count"),
        "takeover.youCashedOut": ("coins",),
        "takeover.passed": ("seat",),
        "takeover.offered": ("seat", "other", "stocks", "cash", "wish"),
        "takeover.countered": ("seat", "other", "stocks", "cash", "wish"),
        "takeover.traded": ("seat", "other", "gave", "got"),
        "takeover.swapped": ("seat", "other", "stocks", "cash", "backStocks", "backCash"),
        "takeover.noMergers": (),
        "takeover.allPassed": (),
        "takeover.won": ("seats",),
        **offering.LINES,
        **time_control.LINES,
    },
    refusals={
        "SEATS": ("least", "most"),
        **dict.fromkeys(
            (
                "OTHER_PROMPT",
                "SUITS_HIDDEN",
                "SUITS_SHOWN",
                "NONE_LEFT",
                "NOT_YOUR_COINS",
                "NO_SUCH_PAIR",
                "OUT_OF_REACH",
                "NULL_NEEDED",
                "NULL_KEPT",
                "NO_NULL",
                "NOT_CASH",
                "NULL_IN_PAY",
                "NOT_ENOUGH",
                "SUPERFLUOUS",
                "NO_CASH_OUT",
                "NOT_STOCKS",
                "NOTHING",
                "NOT_ON_TURN",
                "WISH",
                "DOES_NOT_FIT",
                *sealing.REFUSALS,
            ),
            (),
        ),
        **offering.REFUSALS,
    },
    phrases=frozenset(PHRASES),
    prompts=frozenset({"draft", "flip", "turn", "trade"}) | offering.PROMPTS | time_control.PROMPTS,
    windows=frozenset({"draft", "flip", "turn"}) | offering.WINDOWS | time_control.WINDOWS,
    moves=frozenset(
        {
            "pick",
            "pickCoin",
            "setStocks",
            "lock",
            "unlock",
            "merge",
            "pass",
            "cashOut",
            "propose",
            "counter",
            "accept",
        }
    )
    | offering.MOVES
    | time_control.MOVES,
)
