"""How the characters sound: one tone for each of a level's three, and plain words that suit everybody.

A wording whose number is marked `r` suits the reliable characters, who are polite, `s` the shrewd ones, who
count what they get, and `f` the fickle ones, who tease, as in `subdivision.bot.askLeave.r1`.
"""

from __future__ import annotations

from typing import Final

from games.api import Character
from games.kit.wordings import KIT, Wordings, read_intent
from games.subdivision.texts import TEXTS

WORDINGS: Final = Wordings(TEXTS)
TONES: Final = ("r", "s", "f")
RELIABLE: Final = 85
SHREWD: Final = 55
"""From this honesty, in percent, a character sounds reliable or shrewd."""


def find_tone(character: Character) -> str:
    """The tone of a character; empty for a substitute, who has only plain words."""
    if character.is_substitute:
        return ""
    honesty = character.temper.honesty
    return "r" if honesty >= RELIABLE else "s" if honesty >= SHREWD else "f"


def read_tone(key: str) -> str:
    """The tone of a wording; empty for plain words."""
    return key.rpartition(".")[2].rstrip("0123456789")


def leaves_out_name(key: str) -> bool:
    """Whether a wording does not name the seat that other wordings of its intent name."""
    others = WORDINGS[read_intent(key)]
    return "to" not in TEXTS.remarks[key] and any("to" in TEXTS.remarks[other] for other in others)


def _select(tone: str, is_clear: bool) -> Wordings:
    def suits(key: str) -> bool:
        in_tone = key.startswith(KIT) or read_tone(key) in ("", tone)
        return in_tone and (is_clear or key.startswith(KIT) or not leaves_out_name(key))

    return Wordings(TEXTS, suits=suits)


VOICES: Final = {
    (tone, is_clear): _select(tone, is_clear) for tone in ("", *TONES) for is_clear in (False, True)
}
"""By tone, and whether it is clear who is meant without a name, the wordings that suit it."""
