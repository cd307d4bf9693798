"""What Share and Share Alike says: refusals, phrases, and every key the client's catalogue must hold."""

from __future__ import annotations

from typing import Final, get_args

from games.api import Refusal, Texts
from games.kit import offers as offering
from games.kit import peeks as peeks
from games.kit import sealed as sealing
from games.kit import time_control as time_control
from games.shares.rules.pieces import Kind

# --- refusals: each depends on what its seat may see alone (GEN-3, SSA-33) ---

SEATS: Final = Refusal("SEATS", "SSA-37", {"least": 3, "most": 6})
OTHER_PROMPT: Final = Refusal("OTHER_PROMPT", "GEN-4")
NOT_YOUR_CARDS: Final = Refusal("NOT_YOUR_CARDS", "GEN-3")
"""Not cards of one's own, each once."""
NO_CARDS: Final = Refusal("NO_CARDS", "SSA-36")
"""At least one card is discarded."""
THREE_ACTIONS: Final = Refusal("THREE_ACTIONS", "SSA-9")
"""Drawing up costs all three at once."""
FULL_HAND: Final = Refusal("FULL_HAND", "SSA-23")
NO_DIAMOND: Final = Refusal("NO_DIAMOND", "SSA-17")
"""A free action brings no other roll of Chance."""
NO_FREE_DRAW: Final = Refusal("NO_FREE_DRAW", "SSA-16")
NO_MARKETS: Final = Refusal("NO_MARKETS", "SSA-35")
"""Open Market is not played."""
NOT_ON_TURN: Final = Refusal("NOT_ON_TURN", "SSA-16")
"""A market is opened on one's own turn."""
NOT_ROYAL: Final = Refusal("NOT_ROYAL", "SSA-35")
NO_FLOORS: Final = Refusal("NO_FLOORS", "SSA-13")
"""There is no floor to take from this tower."""
NOT_YOURSELF: Final = Refusal("NOT_YOURSELF", "SSA-27")
"""No such seat, or one's own."""
EMPTY_HAND: Final = Refusal("EMPTY_HAND", "SSA-21")
TOO_FAR: Final = Refusal("TOO_FAR", "SSA-18")
"""More than the card lets the roll be adjusted, or beyond 1 to 6."""
NO_SUCH_CARD: Final = Refusal("NO_SUCH_CARD", "GEN-3")
"""No card at that place, or not in the Discard Pile."""
TWO_SEATS: Final = Refusal("TWO_SEATS", "GEN-1")
"""Two different seats of the table."""
DECK_EMPTY: Final = Refusal("DECK_EMPTY", "SSA-22")
NOT_WITH_BROKER: Final = Refusal("NOT_WITH_BROKER", "SSA-34")
"""One side of every offer is who opened the market."""
NOT_YOUR_MARKET: Final = Refusal("NOT_YOUR_MARKET", "SSA-34")
"""Who opened it closes it."""
NOT_YOUR_SHARES: Final = Refusal("NOT_YOUR_SHARES", "SSA-32")
"""More shares than one has, or than fit an offer."""
NOTHING: Final = Refusal("NOTHING", "SSA-32")
"""An offer of nothing for nothing."""
NOBODY: Final = Refusal("NOBODY", "SSA-30")
"""To no seat, to oneself, or to one seat twice."""
NOTHING_MARKED: Final = Refusal("NOTHING_MARKED", "SSA-42")
"""No selection is closed yet: there is nothing to show."""
ALREADY_SHOWN: Final = Refusal("ALREADY_SHOWN", "SSA-30")
"""It has been shown just this."""


KINDS: Final = frozenset(get_args(Kind)) - {"over"}


def _says(*phrases: str) -> tuple[str, ...]:
    return tuple(f"shares.say.{phrase}" for phrase in phrases)


TOWERS: Final = _says(
    *(f"{deed}{company}" for deed in ("raise", "lower", "leave") for company in "ABCDE"),
    "whoHasHearts",
    "iHelp",
    "thanks",
    "traitor",
    "wellPlayed",
    "hurry",
)
"""Of towers, and the small change of talk: allowed always (SSA-29)."""
SPIED: Final = _says(
    *(f"spied{company}" for company in "ABCDE"), "spiedHearts", "spiedSpades", "spiedNothing"
)
"""What a spy says that it saw, true or not (SSA-41)."""
OWN: Final = _says(*(f"{deed}{company}" for deed in ("iHold", "iTake") for company in "ABCDE"))
"""Of one's own shares: with Loose Lips or The Whole Truth (SSA-30)."""

STRICT: Final = TOWERS + SPIED
LOOSE: Final = TOWERS + SPIED + OWN

TEXTS: Final = Texts(
    lines={
        "shares.round": ("round", "rounds"),
        # shares are selected
        "shares.autoMarks": ("seats",),
        "shares.markCounted": ("round", "company"),
        "shares.markDrawn": ("round", "company"),
        # who starts
        "shares.autoBids": ("seats",),
        "shares.bid": ("seat", "card"),
        "shares.noBid": ("seat",),
        "shares.starts": ("seat",),
        "shares.highest": ("seat", "card"),
        # turns
        "shares.ended": ("seat",),
        "shares.out": ("seat",),
        "shares.stuck": ("seat",),
        "shares.auto": ("seat", "what"),
        "shares.played": ("seat", "card"),
        "shares.free": ("seat", "card"),
        "shares.discarded": ("seat", "cards"),
        "shares.drawUp": ("seat",),
        "shares.market": ("seat", "card"),
        "shares.marketClosed": ("seat",),
        # effects
        "shares.added": ("seat", "company", "size"),
        "shares.removed": ("seat", "company", "size"),
        "shares.lapsed": ("seat", "uses"),
        "shares.rolled": ("seat", "number"),
        "shares.again": ("seat", "number"),
        "shares.adjusted": ("seat", "number"),
        "shares.chance": ("seat", "number"),
        "shares.inVain": ("seat", "number"),
        "shares.took": ("seat", "other"),
        "shares.tookCard": ("seat", "other", "card"),
        "shares.swapped": ("seat", "seats"),
        "shares.drew": ("seat",),
        "shares.drewCard": ("card",),
        "shares.drewOpen": ("seat", "card"),
        "shares.declined": ("seat",),
        "shares.passed": ("seat", "other"),
        # markets, and trackers shown
        "shares.offered": ("seat", "other", "give", "wish"),
        "shares.countered": ("seat", "other", "give", "wish"),
        "shares.traded": ("seat", "other"),
        "shares.exchanged": ("seat", "other", "give", "back"),
        "shares.showed": ("seat", "seats"),
        "shares.showedAll": ("seat",),
        "shares.won": ("seats",),
        **peeks.LINES,
        **offering.LINES,
        **time_control.LINES,
    },
    refusals={
        "SEATS": ("least", "most"),
        **dict.fromkeys(
            (
                "OTHER_PROMPT",
                "NOT_YOUR_CARDS",
                "NO_CARDS",
                "THREE_ACTIONS",
                "FULL_HAND",
                "NO_DIAMOND",
                "NO_FREE_DRAW",
                "NO_MARKETS",
                "NOT_ON_TURN",
                "NOT_ROYAL",
                "NO_FLOORS",
                "NOT_YOURSELF",
                "EMPTY_HAND",
                "TOO_FAR",
                "NO_SUCH_CARD",
                "TWO_SEATS",
                "DECK_EMPTY",
                "NOT_WITH_BROKER",
                "NOT_YOUR_MARKET",
                "NOT_YOUR_SHARES",
                "NOTHING",
                "NOBODY",
                "NOTHING_MARKED",
                "ALREADY_SHOWN",
                *sealing.REFUSALS,
            ),
            (),
        ),
        **offering.REFUSALS,
    },
    phrases=frozenset(LOOSE),
    prompts=KINDS | {"show"} | peeks.PROMPTS | offering.PROMPTS | time_control.PROMPTS,
    windows=KINDS | peeks.WINDOWS | time_control.WINDOWS,
    moves=frozenset(
        {
            "select",
            "bid",
            "lock",
            "unlock",
            "play",
            "discard",
            "drawUp",
            "openMarket",
            "endTurn",
            "add",
            "remove",
            "spy",
            "done",
            "adjust",
            "target",
            "take",
            "swap",
            "fromDeck",
            "fromDiscard",
            "closeMarket",
            "propose",
            "counter",
            "accept",
            "show",
            "showAll",
        }
    )
    | peeks.MOVES
    | offering.MOVES
    | time_control.MOVES,
)
