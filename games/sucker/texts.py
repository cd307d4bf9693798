"""What So Long Sucker says: refusals, phrases, and every key the client's catalogue must hold."""

from __future__ import annotations

from typing import Final

from games.api import Refusal, Texts
from games.kit import time_control as time_control

# --- refusals: each depends on what its seat may see alone (GEN-3) ---

SEATS: Final = Refusal("SEATS", "2a", {"least": 4, "most": 6})
OTHER_PROMPT: Final = Refusal("OTHER_PROMPT", "GEN-4")
NO_CHIP: Final = Refusal("NO_CHIP", "2b")
"""No chip of this colour, or not so many, in one's own hand."""
NO_PILE: Final = Refusal("NO_PILE", "SLS-29")
NO_CAPTURE: Final = Refusal("NO_CAPTURE", "SLS-26")
"""A capture card captures: the chip below must have the colour, and it must be the one the card names."""
OWN_COLOUR: Final = Refusal("OWN_COLOUR", "SLS-13")
"""Own chips are never given away, killed in the hand, or used by a capture card (SLS-26)."""
NOT_YOUR_CARD: Final = Refusal("NOT_YOUR_CARD", "3")
OTHER_CARD: Final = Refusal("OTHER_CARD", "2b")
"""This card is not played so: one of capture with the placing, the others before it."""
NO_EFFECT: Final = Refusal("NO_EFFECT", "SLS-24")
"""It would move no chip."""
NAME_A_COLOUR: Final = Refusal("NAME_A_COLOUR", "2b")
"""Tribute names a colour, return none."""
NOT_NEXT: Final = Refusal("NOT_NEXT", "SLS-4")
"""That seat is defeated, or its colour is in the pile."""
NOT_IN_PILE: Final = Refusal("NOT_IN_PILE", "SLS-9")
DEFEATED: Final = Refusal("DEFEATED", "SLS-12")
"""A defeated seat takes nothing."""
TO_YOURSELF: Final = Refusal("TO_YOURSELF", "2b")
MUST_PLACE: Final = Refusal("MUST_PLACE", "SLS-36")
"""Who was rescued must keep a chip to place."""
ALREADY_REFUSED: Final = Refusal("ALREADY_REFUSED", "SLS-15")
NOT_REFUSED: Final = Refusal("NOT_REFUSED", "SLS-15")
ALREADY_READY: Final = Refusal("ALREADY_READY", "GEN-6")

PHRASES: Final = tuple(
    f"sucker.say.{phrase}"
    for phrase in (
        "giveMeTheMove",
        "iGiveYouTheMove",
        "iReturnTheMove",
        "rescueMe",
        "iWillRescueYou",
        "giveMeAChip",
        "spareMyChips",
        "iSpareYourChips",
        "keepAwayFromThisPile",
        "together",
        "deal",
        "noDeal",
        "trustMe",
        "whyShouldI",
        "liar",
        "thanks",
        "sorry",
        "soLong",
    )
)

TEXTS: Final = Texts(
    lines={
        "sucker.began": ("round", "seat"),
        "sucker.placed": ("seat", "colour", "pile"),
        "sucker.opened": ("seat", "colour", "pile"),
        "sucker.auto": ("seat",),
        "sucker.gave": ("seat", "other"),
        "sucker.kept": ("seat",),
        "sucker.only": ("seat", "other"),
        "sucker.forced": ("seat",),
        "sucker.captured": ("seat", "pile"),
        "sucker.capturedByCard": ("seat", "other", "pile"),
        "sucker.killed": ("seat", "colour", "count"),
        "sucker.pileDied": ("seat", "pile", "count"),
        "sucker.transferred": ("seat", "other", "colour", "count"),
        "sucker.killedPrisoners": ("seat", "colour", "count"),
        "sucker.needy": ("seat",),
        "sucker.refused": ("seat",),
        "sucker.autoRefused": ("seats",),
        "sucker.relented": ("seat",),
        "sucker.rescued": ("seat",),
        "sucker.fell": ("seat",),
        "sucker.back": ("seat",),
        "sucker.tookCard": ("seat", "other"),
        "sucker.cardKind": ("seat", "other", "kind"),
        "sucker.returned": ("seat", "other", "count"),
        "sucker.tribute": ("seat", "other", "colour", "count"),
        "sucker.voided": ("seat", "count"),
        "sucker.survived": ("seat",),
        "sucker.loyalty": ("seat", "enemy", "ally"),
        "sucker.roundWon": ("seats",),
        "sucker.roundLost": ("seat", "other"),
        "sucker.autoReady": ("seats",),
        "sucker.won": ("seats",),
        "sucker.nobodyWon": (),
        **time_control.LINES,
    },
    refusals={
        "SEATS": ("least", "most"),
        **dict.fromkeys(
            (
                "OTHER_PROMPT",
                "NO_CHIP",
                "NO_PILE",
                "NO_CAPTURE",
                "OWN_COLOUR",
                "NOT_YOUR_CARD",
                "OTHER_CARD",
                "NO_EFFECT",
                "NAME_A_COLOUR",
                "NOT_NEXT",
                "NOT_IN_PILE",
                "DEFEATED",
                "TO_YOURSELF",
                "MUST_PLACE",
                "ALREADY_REFUSED",
                "NOT_REFUSED",
                "ALREADY_READY",
            ),
            (),
        ),
    },
    phrases=frozenset(PHRASES),
    prompts=frozenset({"turn", "choose", "kill", "rescue", "prisoners", "continue"}) | time_control.PROMPTS,
    windows=frozenset({"turn", "choose", "kill", "rescue", "review"}) | time_control.WINDOWS,
    moves=frozenset(
        {
            "place",
            "playCard",
            "giveMove",
            "kill",
            "rescue",
            "refuse",
            "relent",
            "transfer",
            "killPrisoners",
            "continue",
        }
    )
    | time_control.MOVES,
)
"""Of lines about cards: `seat` is the owner, `other` the one it names. `sucker.killed`: `count` chips are
taken. `sucker.roundLost`: the survivor `seat` loses, for its enemy `other` was the last one out."""
