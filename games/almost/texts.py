"""What Almost says: refusals, phrases, and every key the client's catalogue must hold."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.api import Refusal, Texts
from games.kit import sealed as sealing
from games.kit import time_control as time_control

# --- refusals: the same for every value, so that none tells of another hand (GEN-3, 4c) ---

SEATS: Final = Refusal("SEATS", "ALM-13", {"least": 3, "most": 10})
OUT_OF_REACH: Final = Refusal("OUT_OF_REACH", "ALM-10")
OTHER_PROMPT: Final = Refusal("OTHER_PROMPT", "GEN-4")
ALREADY_READY: Final = Refusal("ALREADY_READY", "GEN-6")
NOT_READY: Final = Refusal("NOT_READY", "GEN-6")
PLAN_SHAPE: Final = Refusal("PLAN_SHAPE", "ALM-1")
NO_SUCH_PLAN: Final = Refusal("NO_SUCH_PLAN", "GEN-12")
ALREADY_BEHIND: Final = Refusal("ALREADY_BEHIND", "GEN-12")
BEHIND_NONE: Final = Refusal("BEHIND_NONE", "GEN-12")


@lru_cache(128)
def bid_range(most: int) -> Refusal:
    return Refusal("BID_RANGE", "ALM-1", {"most": most})


PHRASES: Final = tuple(
    f"almost.say.{phrase}"
    for phrase in (
        "agreed",
        "trustMe",
        "followPlan",
        "yourTurnNext",
        "myTurn",
        "takeOne",
        "noDeal",
        "somebodyLied",
        "thanks",
        "wellPlayed",
        "oops",
        "hurry",
    )
)

TEXTS: Final = Texts(
    lines={
        "almost.round": ("round", "rounds"),
        "almost.proposed": ("seat", "plan", "bids"),
        "almost.agreed": ("seat", "plan", "by"),
        "almost.withdrew": ("seat", "plan", "by"),
        "almost.revealed": ("round", "bids"),
        "almost.auto": ("seats",),
        "almost.scored": ("seat", "number", "round"),
        "almost.nobodyScored": ("round",),
        "almost.won": ("seats",),
        "almost.nobodyWon": (),
        **time_control.LINES,
    },
    refusals={
        "SEATS": ("least", "most"),
        "BID_RANGE": ("most",),
        **dict.fromkeys(
            (
                "OUT_OF_REACH",
                "OTHER_PROMPT",
                "ALREADY_READY",
                "NOT_READY",
                "PLAN_SHAPE",
                "NO_SUCH_PLAN",
                "ALREADY_BEHIND",
                "BEHIND_NONE",
                *sealing.REFUSALS,
            ),
            (),
        ),
    },
    phrases=frozenset(PHRASES),
    prompts=frozenset({"ready", "plan", "bid", "continue"}) | time_control.PROMPTS,
    windows=frozenset({"discuss", "bid", "reveal"}) | time_control.WINDOWS,
    moves=frozenset({"ready", "unready", "propose", "agree", "withdraw", "bid", "lock", "unlock", "continue"})
    | time_control.MOVES,
)
