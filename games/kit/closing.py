"""What characters say once a game is over: one line each, about the result that everybody sees.

A game that lists `closing` under `kit` in its texts has these lines. The hub asks for them; no bot need know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.api import Character, Dice, Outcome, Remark, Seat, Spoken, Texts
from games.kit.wordings import KIT, Meaning, UsedWords, Wordings, find_tone, rank_tone, read_intent

NOBODY: Final = "closingNobody"
INTENTS: Final = ("closingAlone", "closingShared", "closingOther", "closingOthers", NOBODY)


def find_meaning(outcome: Outcome, seat: Seat) -> Meaning:
    """What a seat has to say about who won."""
    match outcome.winners:
        case ():
            return Meaning(NOBODY, {})
        case winners if seat in winners:
            return Meaning("closingAlone" if len(winners) == 1 else "closingShared", {})
        case (winner,):
            return Meaning("closingOther", {"to": winner})
        case winners:
            return Meaning("closingOthers", {"seats": winners})


def choose_closing(
    texts: Texts, outcome: Outcome, seat: Seat, character: Character, messages: Sequence[Spoken], dice: Dice
) -> Remark | None:
    """A character's last line, in words that nobody has used and in its tone if possible.

    None if the game has no such lines, or the seat has said its own, or all of them have been said. Only one
    character says that nobody has won.
    """
    wordings = Wordings(texts, KIT)
    meaning = find_meaning(outcome, seat)
    if meaning.intent not in wordings:
        return None
    if any(said.seat == seat and read_intent(said.key) in INTENTS for said in messages):
        return None
    if meaning.intent == NOBODY and any(read_intent(said.key) == NOBODY for said in messages):
        return None
    tone = find_tone(character.temper)
    return UsedWords(messages).choose(wordings, [meaning], dice, lambda key: rank_tone(key, tone))
