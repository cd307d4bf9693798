"""The UI strings and refusals of Share and Share Alike; the wording is in texts/en.json."""

from __future__ import annotations

from typing import Final

from games.api import Refusal, Texts
from games.kit.texts import read_texts

TEXTS: Final[Texts] = read_texts("games.shares")

# --- refusals: each depends only on what its seat may see (GEN-3, SSA-33) ---

SEATS: Final = Refusal("SEATS", "SSA-37", {"least": 3, "most": 6})
NOT_YOUR_CARDS: Final = Refusal("NOT_YOUR_CARDS", "GEN-3")
"""Some cards are not in the seat's hand, or are named twice."""
SHARES_FIRST: Final = Refusal("SHARES_FIRST", "SSA-6")
"""Cards are used once everybody has a share."""
FINISH_FIRST: Final = Refusal("FINISH_FIRST", "SSA-11")
"""Cards are used on a turn, once the effect of the last one is over."""
HEART_FIRST: Final = Refusal("HEART_FIRST", "SSA-14")
"""Towers change only by the effects of hearts and spades."""
NO_CARDS: Final = Refusal("NO_CARDS", "SSA-36")
"""At least one card must be discarded."""
THREE_ACTIONS: Final = Refusal("THREE_ACTIONS", "SSA-9")
"""Drawing up costs all three actions at once."""
FULL_HAND: Final = Refusal("FULL_HAND", "SSA-23")
NO_DIAMOND: Final = Refusal("NO_DIAMOND", "SSA-17")
"""A free action cannot cause another Chance roll."""
NO_FREE_DRAW: Final = Refusal("NO_FREE_DRAW", "SSA-16")
NO_MARKETS: Final = Refusal("NO_MARKETS", "SSA-35")
"""The game is played without Open Market."""
NOT_ON_TURN: Final = Refusal("NOT_ON_TURN", "SSA-16")
"""A seat can open a market only on its own turn."""
NOT_ROYAL: Final = Refusal("NOT_ROYAL", "SSA-35")
NO_FLOORS: Final = Refusal("NO_FLOORS", "SSA-13")
"""This tower has no floors to take."""
NOT_YOURSELF: Final = Refusal("NOT_YOURSELF", "SSA-27")
"""There is no such seat, or it is the seat's own."""
EMPTY_HAND: Final = Refusal("EMPTY_HAND", "SSA-21")
TOO_FAR: Final = Refusal("TOO_FAR", "SSA-18")
"""A larger adjustment than the card allows, or a result outside 1 to 6."""
NO_SUCH_CARD: Final = Refusal("NO_SUCH_CARD", "GEN-3")
"""There is no card at that position, or the card is not in the Discard Pile."""
TWO_SEATS: Final = Refusal("TWO_SEATS", "GEN-1")
"""A swap needs two different seats at this table."""
DECK_EMPTY: Final = Refusal("DECK_EMPTY", "SSA-22")
NOT_WITH_BROKER: Final = Refusal("NOT_WITH_BROKER", "SSA-34")
"""One side of every offer must be the seat that opened the market."""
NOT_YOUR_MARKET: Final = Refusal("NOT_YOUR_MARKET", "SSA-34")
"""Only the seat that opened the market may close it."""
NOT_YOUR_SHARES: Final = Refusal("NOT_YOUR_SHARES", "SSA-32")
"""More shares than the seat has, or than an offer may contain."""
NOTHING: Final = Refusal("NOTHING", "SSA-32")
"""An offer without goods on either side."""
NOBODY: Final = Refusal("NOBODY", "SSA-30")
"""The tracker would be shown to no seat, to its owner, or to the same seat twice."""
NOTHING_MARKED: Final = Refusal("NOTHING_MARKED", "SSA-42")
"""No selection has closed yet, so there is nothing to show."""
ALREADY_SHOWN: Final = Refusal("ALREADY_SHOWN", "SSA-30")
"""The current tracker has already been shown."""


OWN: Final = tuple(
    phrase for phrase in TEXTS.phrases if phrase.startswith(("shares.say.iHold", "shares.say.iTake"))
)
"""Phrases about the speaker's own shares, for Loose Lips and The Whole Truth (SSA-30)."""
STRICT: Final = tuple(phrase for phrase in TEXTS.phrases if phrase not in OWN)
"""Phrases that are always allowed (SSA-29), including true or false claims about a peek (SSA-41)."""
