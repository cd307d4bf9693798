"""What a bot's promises and memories add to its moves: they decide between those that are about equally good.

So no temper makes a bot weaker, and yet its word counts, and what others have done to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from games.api import Promise
from games.kit.promises import list_open
from games.kit.wordings import read_intent
from games.sucker.bot.deals import BEGAN, PLACEMENTS, find_placement
from games.sucker.bot.hearing import find_answer
from games.sucker.bot.policy import Leaning
from games.sucker.bot.search_state import SearchState
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import Speaker
from games.sucker.rules.values import GiveMove, Kill, Place, RescueWith, SuckerMove

FAVOUR: Final = 0.75
"""What a seat that is wholly favoured gains, in chips, where the bot chooses between seats."""
GRATEFUL: Final = 0.5
"""What a seat gains that has promised or agreed to something."""
KEEPING: Final = 2.0
"""The most chips that a bot gives up to keep its word, if it does keep it."""
OPENING: Final = 1.0
"""What a pile of its own gains in a seat's first turn, if it begins the round that way."""
LONERS: Final = 50
"""How often a seat begins a round with a pile of its own where others build on one, as a percentage."""
SAVING_SEATS: Final = 4
"""The fewest living seats with which a promised rescue costs its saviour little."""

Item = TypeVar("Item")


def find_leaning(speaker: Speaker, situation: Situation, enemy: int | None) -> Leaning:
    """What speaks for each move apart from its effect. Its promise to save its secret enemy is a bluff."""
    observation, state = speaker.observation, situation.state
    keeps = speaker.dice.below("keep", 100) < speaker.temper.honesty
    gifts = [favour * FAVOUR for favour in speaker.favour]
    kills = [-favour * FAVOUR for favour in speaker.favour]
    spared: set[int] = set()
    saves = False
    for promise in observation.promises:
        if promise.judgement is None and speaker.seat in promise.to:
            gifts[promise.by] += GRATEFUL
    for seat in situation.list_rivals():
        agrees = find_answer(observation, speaker.deals, seat)
        if agrees is not None:
            gifts[seat] += (KEEPING if keeps else GRATEFUL) if agrees else -GRATEFUL
    for promise in list_open(observation.promises, observation.seat) if keeps else ():
        match promise.kind:
            case "pass_move":
                gifts[promise.to[0]] += KEEPING
            case "spare_chips":
                kills[promise.to[0]] -= KEEPING
            case "spare_pile" if promise.terms["pile"] in situation.piles:
                spared.add(situation.piles.index(int(promise.terms["pile"])))
            case "save" if promise.to[0] == state.mover and promise.to[0] != enemy:
                saves = sum(state.alive) >= SAVING_SEATS
            case _:
                pass
    begins = not _has_placed(speaker) and not any(speaker.seat in chips for chips in state.piles)
    is_loner = begins and speaker.dice.below("opening", 100) < LONERS
    fresh = OPENING if is_loner else 0.0
    return Leaning(tuple(gifts), tuple(kills), frozenset(spared), KEEPING, saves, fresh)


def _has_placed(speaker: Speaker) -> bool:
    """Whether it has placed a chip in this round."""
    for line in reversed(speaker.observation.lines):
        if line.key == BEGAN:
            return False
        if line.key in PLACEMENTS and line.args["seat"] == speaker.seat:
            return True
    return False


def weigh_move(move: SuckerMove, before: SearchState, leaning: Leaning, indices: Mapping[int, int]) -> float:
    """How much a leaning adds to the value of a move, in chips."""
    match move:
        case GiveMove(to=to):
            return leaning.gifts[to]
        case Kill(colour=colour):
            return leaning.kills[colour]
        case Place(colour=colour, pile=pile) if pile is not None and indices[pile] in leaning.spared:
            return -leaning.loss if before.mover == colour == before.piles[indices[pile]][-1] else 0.0
        case Place(pile=None):
            return leaning.fresh
        case RescueWith():
            return KEEPING if leaning.saves else 0.0
        case _:
            return 0.0


def find_pledge(speaker: Speaker) -> int | None:
    """The seat to which the bot has promised this very choice, or for whose sake it has refused another seat.

    The promise of this very choice was made since the chip that led to it was placed, or it is what that seat
    has demanded for taking the turn.

    Whoever promises something and does otherwise at once has only misled the table: an older promise may be
    broken, this one is kept.
    """
    placed = find_placement(speaker.observation)
    demanding = {
        message.seat
        for message in speaker.observation.messages
        if message.at >= placed and message.addressee == speaker.seat
        if read_intent(message.key) == "counterSave"
    }
    for promise in list_open(speaker.observation.promises, speaker.seat):
        is_new = promise.at >= placed
        if promise.kind == "pass_move" and (is_new or _has_named(speaker, promise)):
            return promise.to[0]
        if promise.kind == "save" and is_new and promise.to[0] in demanding:
            return promise.to[0]
    return None


def _has_named(speaker: Speaker, promise: Promise) -> bool:
    """Whether it has told somebody that its choice is promised to this seat."""
    return any(
        message.seat == speaker.seat
        and message.at >= promise.at
        and read_intent(message.key) == "noSpoken"
        and message.args.get("other") == promise.to[0]
        for message in speaker.observation.messages
    )


def drop_unfitting(items: Sequence[Item], extra: Sequence[float]) -> Sequence[Item]:
    """The items without those that would break its word; all of them if they all would."""
    best = max(extra)
    least = best - KEEPING / 2 if best >= KEEPING else -KEEPING / 2
    fitting = [item for item, more in zip(items, extra, strict=True) if more >= least]
    return fitting or items
