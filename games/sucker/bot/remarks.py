"""The remarks of the catalogue as bots understand them, and what they understand of people: the phrases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.api import Argument
from games.kit.wordings import Wordings
from games.sucker.texts import TEXTS

WORDINGS: Final = Wordings(TEXTS)
MUTUAL: Final = {"pact": "save", "pactTurn": "pass_move", "pactSpare": "spare_chips"}
"""Proposals that both make the same promise, with the kind of this promise."""
LASTING: Final = frozenset({*MUTUAL, "team", "threat", "askPile", "counterPile"})
"""Proposals that do not lapse with the next move."""
OFFERS: Final = frozenset({"offerTurn", "offerTurnSave", "offerTurnBack", "offerTurnSpare"})
"""What a seat that chooses who is next wants in return."""
FOR_TURN: Final = frozenset({"askTurn", "askTurnBack", "askTurnWeak"})
BEGGING: Final = frozenset({"askChip", "begPromise", "begOwn", "begTurn"})
COUNTERS: Final = frozenset({"counterSave", "counterPile"})
"""Answers that demand something first: for the turn a rescue, for a pact about rescues a pile."""
BY_MOVE: Final = FOR_TURN | BEGGING | {"askSpare"}
"""Proposals that a seat answers with its move."""
PROPOSALS: Final = LASTING | OFFERS | BY_MOVE | COUNTERS
AGREEING: Final = frozenset(
    {
        *("yes", "yesDeal", "yesTurn", "yesSpare", "yesWeak", "yesKept", "yesPile", "yesEasy"),
        *("yesChip", "yesSide", "yesAlready"),
    }
)
REFUSING: Final = frozenset(
    {
        *("no", "noStrong", "noCapture", "noPact", "noTeam", "noTeamStrong", "noSide", "noBroke", "noNeed"),
        *("noChips", "noRescue", "defy", "noDeal", "noAsk", "noHands", "noSpare", "noSpoken", "noLeader"),
        *("substitute", "noRescueLied", "noRescueAgain"),
    }
)
COMPLAINTS: Final = frozenset(
    {
        *("brokeTurn", "brokeSave", "brokePile", "brokeSpare", "freed", "noBroke"),
        *("reproachDeal", "reproachKill", "reproachRefuse", "reproachStarve", "reproachOut"),
        *("grudgeBroke", "grudgeDeal", "grudgeKill", "grudgeRefuse", "grudgeStarve"),
    }
)
"""Intents after which a bot is cool to the seat that it spoke to."""
FRIENDLY: Final = frozenset(
    {
        *("gift", "rescued", "thanksTurn", "thanksChip", "thanksKept", "sorryKill", "welcome", "forgive"),
        *("team", "yesKept", "yesSide", "yesDeal", *OFFERS, *MUTUAL),
    }
)
"""Intents that a bot avoids with a seat it is cool to."""
PHRASES: Final = {
    "sucker.say.giveMeTheMove": "askTurnWeak",
    "sucker.say.rescueMe": "askChip",
    "sucker.say.giveMeAChip": "needChip",
    "sucker.say.spareMyChips": "askSpare",
    "sucker.say.keepAwayFromThisPile": "threat",
    "sucker.say.together": "together",
}
"""What a person's phrases propose, to everybody whom they concern."""
SAYING_YES: Final = "sucker.say.deal"
SAYING_NO: Final = "sucker.say.noDeal"
SAY: Final = "sucker.say."
PROMISE: Final = "promise."
"""What a promise that is made to a seat is heard as begins with this."""


def read_pile(args: Mapping[str, Argument]) -> int:
    """The pile that a remark names; -1 if it names none."""
    pile = args.get("pile")
    return pile if isinstance(pile, int) else -1
