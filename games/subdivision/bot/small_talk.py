"""What a bot says about the board and the score after its move, if it has nothing else to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.api import Remark
from games.subdivision.bot.features import Features, RatedPlacement, get_neighbours, list_squares
from games.subdivision.bot.situation import MAX_SAID, Situation, intent_of

CLOSE_BY: Final = 5
"""The number of remarks after which somebody may say the same as another in other words."""
MAX_REPORTS: Final = 1
"""How often a bot says where it stands."""
MAX_PRAISES: Final = 1
MAX_BOASTS: Final = 2
GLOATING: Final = 50
"""How often, in percent, even the shyest speaks of a 1 that costs somebody a point late in the game."""
CLEAR: Final = 2
"""The points between two seats that are worth a word."""

DUEL_CHATTER: Final = 25
"""How much more often, in percent, it speaks of what has happened in a duel."""


def chat(situation: Situation, before: Features, move: RatedPlacement) -> Remark | None:
    more = DUEL_CHATTER if situation.is_duel else 0
    if len(situation.said) + 4 > MAX_SAID or not situation.happens(situation.temper.chatter + more):
        return None
    remarks: list[Callable[[], Remark | None]] = [
        lambda: _tell_joining(situation, before, move),
        lambda: _boast(situation, before, move),
        lambda: _praise(situation),
        lambda: _tell_standing(situation),
    ]
    if not situation.count_left(situation.seat):
        remarks = [lambda: _say_last(situation)]
    echoed = {intent_of(said.key) for said in situation.remarks[-CLOSE_BY:]}
    for make in situation.dice.shuffle("chat", remarks):
        remark = make()
        if remark is not None and intent_of(remark.key) not in echoed:
            return remark
    return None


def _say_last(situation: Situation) -> Remark | None:
    """A word with its last pyramid, while there is something left for others to build."""
    left = sum(situation.count_left(seat) for seat in situation.others if situation.list_placements(seat))
    return situation.word("last") if left > 1 else None


def _tell_joining(situation: Situation, before: Features, move: RatedPlacement) -> Remark | None:
    count = before.count_joined(move.square, situation.seat)
    return situation.word("joined", square=situation.name(move.square), count=count) if count > 1 else None


def gloat(situation: Situation, before: Features, move: RatedPlacement) -> Remark | None:
    """What it says, as a rule, about a 1 that costs somebody a point once the end is in sight."""
    boasts = sum(intent_of(said.key) == "crowdedYou" for said in situation.said)
    if not situation.is_under_way or boasts >= MAX_BOASTS or len(situation.said) + 4 > MAX_SAID:
        return None
    happens = situation.happens(GLOATING + situation.temper.boldness // 3)
    return _tell_crowding(situation, before, move) if happens else None


def _boast(situation: Situation, before: Features, move: RatedPlacement) -> Remark | None:
    return _tell_crowding(situation, before, move) if situation.happens(situation.temper.boldness) else None


def _tell_crowding(situation: Situation, before: Features, move: RatedPlacement) -> Remark | None:
    """A word about a 1 that costs somebody a point."""
    if move.pips != 1:
        return None
    for seat in situation.others:
        for three in list_squares(before.position.threes[seat] & before.near[move.square]):
            if 1 <= before.count_ones_near(three) <= 3:
                return situation.word("crowdedYou", to=seat, square=situation.name(three))
    return None


def _praise(situation: Situation) -> Remark | None:
    """About a pyramid that joined its own group, unless it was meant for the bot or costs it a point."""
    last = situation.board.last
    piece = None if last is None else situation.board.squares[last]
    if last is None or piece is None or piece.seat == situation.seat:
        return None
    praises = sum(intent_of(said.key) == "praise" for said in situation.said)
    if (
        situation.dislikes[piece.seat] > 0
        or praises >= MAX_PRAISES
        or not situation.happens(situation.temper.warmth // 2)
    ):
        return None
    name = situation.name(last)
    beside = situation.features.position.built[piece.seat] & get_neighbours(situation.board.size).beside[last]
    hurts = any(
        crowding.age == 0 and crowding.costs for crowding in situation.relations.list_costly(piece.seat)
    )
    if not beside or hurts or situation.has_claimed(name):
        return None
    return situation.word("praise", to=piece.seat, square=name)


def _tell_standing(situation: Situation) -> Remark | None:
    """How far it is behind; nobody asks a leader how far it leads."""
    reports = sum(intent_of(said.key) == "behind" for said in situation.said)
    best = max(situation.lead_of(seat) for seat in situation.others)
    if best < CLEAR or reports >= MAX_REPORTS or not situation.is_under_way:
        return None
    return situation.word("behind", points=best)
