"""The remarks of the catalogue as bots understand them, and what they understand of people: the phrases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.api import Argument
from games.kit.wordings import Wordings
from games.sucker.texts import TEXTS

WORDINGS: Final = Wordings(TEXTS)
LASTING: Final = frozenset({"pact", "team", "threat", "counterSave", "counterPile"})
"""Proposals that do not lapse with the next move."""
OFFERS: Final = frozenset({"offerTurn", "offerTurnSave", "offerTurnBack", "offerTurnSpare"})
"""What a seat that chooses who is next wants in return."""
FOR_TURN: Final = frozenset({"askTurn", "askTurnBack", "askTurnWeak"})
BY_MOVE: Final = FOR_TURN | {"askChip", "askSpare"}
"""Proposals that a seat answers with its move."""
COUNTERS: Final = frozenset({"counterSave", "counterPile"})
"""Answers that demand something first."""
PROPOSALS: Final = LASTING | OFFERS | BY_MOVE
AGREEING: Final = frozenset({"yes", "yesWeak", "yesKept", "yesPile"})
REFUSING: Final = frozenset({"no", "noStrong", "noCapture", "noBroke", "noNeed", "noChips", "defy"})
PHRASES: Final = {
    "sucker.say.giveMeTheMove": "askTurnWeak",
    "sucker.say.rescueMe": "askChip",
    "sucker.say.giveMeAChip": "pact",
    "sucker.say.spareMyChips": "askSpare",
    "sucker.say.keepAwayFromThisPile": "threat",
    "sucker.say.together": "pact",
}
"""What a person's phrases propose, to everybody whom they concern."""
SAYING_YES: Final = "sucker.say.deal"
SAYING_NO: Final = "sucker.say.noDeal"


def read_pile(args: Mapping[str, Argument]) -> int:
    """The pile that a remark names; -1 if it names none."""
    pile = args.get("pile")
    return pile if isinstance(pile, int) else -1
