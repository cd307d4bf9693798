"""What a bot says about the board and the score after its move, if it has nothing else to say."""

from __future__ import annotations

from collections.abc import Callable

from games.api import Remark
from games.subdivision.bot.features import Features, RatedPlacement, list_squares
from games.subdivision.bot.situation import MAX_SAID, Situation


def chat(situation: Situation, before: Features, move: RatedPlacement) -> Remark | None:
    if len(situation.said) + 4 > MAX_SAID or not situation.happens(situation.temper.chatter):
        return None
    remarks: list[Callable[[], Remark | None]] = [
        lambda: _tell_joining(situation, before, move),
        lambda: _tell_crowding(situation, before, move),
        lambda: _praise(situation),
        lambda: _tell_standing(situation),
    ]
    if not situation.count_left(situation.seat):
        return situation.word("last")
    for make in situation.dice.shuffle("chat", remarks):
        remark = make()
        if remark is not None:
            return remark
    return None


def _tell_joining(situation: Situation, before: Features, move: RatedPlacement) -> Remark | None:
    count = before.count_joined(move.square, situation.seat)
    return situation.word("joined", square=situation.name(move.square), count=count) if count > 1 else None


def _tell_crowding(situation: Situation, before: Features, move: RatedPlacement) -> Remark | None:
    """A boast about a 1 that costs somebody a point."""
    if move.pips != 1 or not situation.happens(situation.temper.boldness):
        return None
    for seat in situation.others:
        for three in list_squares(before.position.threes[seat] & before.near[move.square]):
            if 1 <= before.count_ones_near(three) <= 3:
                return situation.word("crowdedYou", to=seat, square=situation.name(three))
    return None


def _praise(situation: Situation) -> Remark | None:
    last = situation.board.last
    piece = None if last is None else situation.board.squares[last]
    if last is None or piece is None or piece.seat == situation.seat:
        return None
    if situation.dislikes[piece.seat] > 0 or not situation.happens(situation.temper.warmth):
        return None
    return situation.word("praise", to=piece.seat, square=situation.name(last))


def _tell_standing(situation: Situation) -> Remark | None:
    best = max(situation.lead_of(seat) for seat in situation.others)
    if best < 0:
        return situation.word("ahead", points=-best)
    return situation.word("behind", points=best) if best > 0 else None
