"""Which phrases fit: what a seat can say about its turn, its chips and the others' at this moment."""

from __future__ import annotations

from typing import Final

from games.api import Seat, TalkPolicy
from games.kit.memo import memoize
from games.sucker.rules.values import Stage
from games.sucker.texts import TEXTS

SAY: Final = "sucker.say."
ABOUT_TURN: Final = {"iGiveYouTheMove"}
"""What only the seat that has the turn says."""
FOR_TURN: Final = {"giveMeTheMove", "iReturnTheMove"}
"""What only the others say about the turn."""
IN_NEED: Final = {"rescueMe"}
TO_NEEDY: Final = {"iWillRescueYou"}
PLAYING: Final = {"giveMeAChip", "spareMyChips", "iSpareYourChips", "keepAwayFromThisPile", "together"}
"""What a defeated seat has no use for."""


def find_policy(stage: Stage, seat: Seat) -> TalkPolicy:
    """The talk policy of a seat: it depends on what everybody sees."""
    is_playing = stage.alive[seat] and stage.mover is not None
    return _make_policy(is_playing, stage.mover == seat, stage.phase == "rescue")


@memoize
def _make_policy(is_playing: bool, has_turn: bool, in_need: bool) -> TalkPolicy:
    if not is_playing:
        missing = ABOUT_TURN | FOR_TURN | IN_NEED | TO_NEEDY | PLAYING
    elif in_need:
        missing = ABOUT_TURN | FOR_TURN | (TO_NEEDY if has_turn else IN_NEED)
    else:
        missing = IN_NEED | TO_NEEDY | (FOR_TURN if has_turn else ABOUT_TURN)
    return TalkPolicy("open", tuple(key for key in TEXTS.phrases if key.removeprefix(SAY) not in missing))
