"""How a sensible player plays without looking ahead (2g): quick, so that rounds can be played out by it.

It takes what is its own, feeds nobody, covers what others could take, gives the move to who does least harm
with it or falls, kills the chips of the strongest, saves its ally and not its enemy. All scores are in chips.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from games.sucker.bot import search_state as scenes
from games.sucker.bot.search_state import NEW, Chips, Scene
from games.sucker.rules import piles
from games.sucker.rules.values import Colour

Threats: TypeAlias = tuple[list[int], list[int]]
"""By seat, how high the highest pile is that it could capture with a chip of its own, and the next one."""

WHIM: Final = 1.5
"""A placing may seem so much better than it is."""
TEMPO: Final = 1.5
"""What a capture costs: the chip that dies, and a turn of one's own without handing on the move."""
COVER: Final = 0.25
"""What a chip below one's own is worth, for one may capture it later."""
SPENT: Final = 0.4
"""A prisoner is worth more than an own chip: it can keep the move, and save others."""
FED_ALLY: Final = 0.3
"""What an ally captures by one's chip does so much harm; of others, all of it."""
AGAIN: Final = 0.6
"""To move again, with a chip left."""
FALL: Final = 3.0
"""Somebody falls; oneself, if the last chip is gone."""
ENEMY_FALLS: Final = 7.0
ALLY_FALLS: Final = -5.0
ALLY_MOVES: Final = 0.5
"""What an ally can take does so much harm."""
DEAD_DIES: Final = 0.5
"""To kill a chip whose player is defeated."""
OWN_DIES: Final = -5.0
ALLY_DIES: Final = -4.0
ENEMY_DIES: Final = 2.0

_MASK: Final = (1 << 64) - 1
_FACTOR: Final = 6364136223846793005
_STEP: Final = 1442695040888963407
_WHIM_STEP: Final = WHIM / 1024


class Chance:
    """Quick numbers from a seed (a linear congruential generator), good enough to break ties with."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, sides: int) -> int:
        self._state = (self._state * _FACTOR + _STEP) & _MASK
        return (self._state >> 33) % sides

    def whim(self) -> float:
        self._state = state = (self._state * _FACTOR + _STEP) & _MASK
        return (state >> 33 & 1023) * _WHIM_STEP


class Heart(NamedTuple):
    """Whom a seat must see fall before the end, and whom it may come second to; None without blind allies."""

    enemy: int | None
    ally: int | None


def answer(scene: Scene, seat: int, heart: Heart, chance: Chance) -> Scene:
    """What a seat makes of it, of whom something is asked."""
    match scene.where:
        case "turn":
            return _turn(scene, heart, chance)
        case "choose":
            return _choose(scene, heart, chance)
        case "kill":
            return _kill(scene, heart)
        case "rescue":
            return _rescue(scene, seat, heart)
        case "over":
            return scene


# --- placing ---


def _turn(scene: Scene, heart: Heart, chance: Chance) -> Scene:
    by_card = _by_card(scene) if scene.cards else None
    if by_card is not None:
        return by_card
    threats = _threats(scene)
    gifts = _gifts(scene, heart, threats[0], 1)
    living = [seat for seat, alive in enumerate(scene.alive) if alive]
    liked = sorted(living, key=gifts.__getitem__, reverse=True)
    best, found = -1e9, (NEW, NEW)
    for colour, count in enumerate(scene.hands[scene.mover]):
        if count:
            for index, below in enumerate(((), *scene.piles), NEW):
                if below and below[-1] == colour:
                    score = _taking(scene, heart, colour, len(below))
                else:
                    for to in liked:
                        if to != colour and to not in below:
                            score = gifts[to]
                            break
                    else:
                        score = _forcing(scene, heart, threats, gifts, colour, below)
                    score += COVER * len(below) if colour == scene.mover else -SPENT
                score += chance.whim()
                if score > best:
                    best, found = score, (colour, index)
    return scenes.placed(scene, *found)


def _threats(scene: Scene) -> Threats:
    hands, seats = scene.hands, len(scene.alive)
    first, second = [0] * seats, [0] * seats
    for pile in scene.piles:
        top, height = pile[-1], len(pile)
        if hands[top][top]:
            if height > first[top]:
                first[top], second[top] = height, first[top]
            elif height > second[top]:
                second[top] = height
    return first, second


def _taking(scene: Scene, heart: Heart, colour: Colour, height: int) -> float:
    """What it is worth to put a chip on one of its colour, the top of so many."""
    if not scene.alive[colour]:
        return AGAIN - 1.0 - SPENT
    if colour == scene.mover:
        return height - TEMPO
    return -height * (FED_ALLY if colour == heart.ally else 1.0)


def _forcing(
    scene: Scene,
    heart: Heart,
    threats: Threats,
    gifts: Sequence[float],
    colour: Colour,
    below: Chips,
) -> float:
    """What it is worth that a full pile decides: the chip may cover what is the next one's, or be its own."""
    (to,) = piles.forecast(below, colour, scene.alive).seats
    own = scene.hands[to]
    if to == scene.mover or not any(own):
        return gifts[to]
    first, second = threats
    height = len(below)
    harm = second[to] if below[-1] == to and height == first[to] else first[to]
    if colour == to and own[to] and height >= harm:
        harm = height + 1
    return -harm * (ALLY_MOVES if to == heart.ally else 1.0)


def _gifts(scene: Scene, heart: Heart, harms: Sequence[int], spent: int) -> list[float]:
    """By seat, what it is worth that it has the move next, and may capture `harms`; the mover has `spent`."""
    mover, enemy, ally = scene.mover, heart.enemy, heart.ally
    found = []
    saved: bool | None = None
    for to, own in enumerate(scene.hands):
        if to == mover:
            found.append(AGAIN if sum(own) > spent else -FALL)
        elif any(own):
            found.append(-harms[to] * (ALLY_MOVES if to == ally else 1.0))
        else:
            fall = ENEMY_FALLS if to == enemy else ALLY_FALLS if to == ally else FALL
            if saved is None:
                saved = any(seat != mover for seat in scenes.holders(scene))
            found.append(fall / 2 if saved else fall)
    return found


def _by_card(scene: Scene) -> Scene | None:
    """A capture that a card makes possible, or else the tribute that brings most."""
    seat = scene.mover
    for card in scene.cards:
        if card.owner == seat and card.kind == "capture" and scene.hands[seat][card.token]:
            heights = [(len(pile), n) for n, pile in enumerate(scene.piles) if pile[-1] == card.token]
            if card.token != seat and heights and max(heights)[0] > 1:
                return scenes.placed(scene, card.token, max(heights)[1], card.id)
    demand = _demand(scene, seat)
    return None if demand is None else scenes.played(scene, *demand)


def _demand(scene: Scene, seat: int) -> tuple[int, Colour] | None:
    """The card of tribute, with the colour, that brings most."""
    tokens = {card.id: card.token for card in scene.cards}
    found = scenes.payable(scene, seat)
    return max(found, key=lambda one: scene.hands[tokens[one[0]]][one[1]], default=None)


# --- choosing, killing, saving ---


def _choose(scene: Scene, heart: Heart, chance: Chance) -> Scene:
    gifts = _gifts(scene, heart, _threats(scene)[0], 0)
    return scenes.given(scene, max(scene.next, key=lambda to: gifts[to] + chance.whim()))


def _kill(scene: Scene, heart: Heart) -> Scene:
    captor = scene.mover

    def use(colour: Colour) -> float:
        if colour == captor:
            return OWN_DIES
        if not scene.alive[colour]:
            return DEAD_DIES
        extra = ENEMY_DIES if colour == heart.enemy else ALLY_DIES if colour == heart.ally else 0.0
        return scene.hands[colour][colour] + 1 + extra

    return scenes.killed(scene, max(sorted(set(scene.piles[scene.pile])), key=use))


def _rescue(scene: Scene, seat: int, heart: Heart) -> Scene:
    """Its answer to the mover's need; its own need it ends by a card."""
    needy = scene.mover
    if seat == needy:
        demand = _demand(scene, seat)
        return scenes.refused(scene, seat) if demand is None else scenes.played(scene, *demand)
    if not _saves(scene, heart):
        return scenes.refused(scene, seat)
    hand = scene.hands[seat]
    colour = max(
        (colour for colour, count in enumerate(hand) if count and colour != seat),
        key=lambda colour: (colour == needy, not scene.alive[colour], hand[colour]),
    )
    return scenes.handed(scene, seat, colour, 1, needy)


def _saves(scene: Scene, heart: Heart) -> bool:
    """The ally, while there are others; and whoever keeps one from being left alone with the enemy."""
    left = sum(scene.alive)
    if scene.mover == heart.enemy:
        return False
    if scene.mover == heart.ally:
        return left > 2
    return left == 3 and heart.enemy is not None and scene.alive[heart.enemy]


# --- playing on ---


def played_out(scene: Scene, seat: int, hearts: Sequence[Heart], chance: Chance) -> tuple[Scene, int]:
    """The end of the round, or where the seat falls; and after how many steps that is."""
    steps = 0
    while scene.where != "over" and scene.alive[seat]:
        who = scenes.asked(scene)[0] if scene.where == "rescue" else scene.mover
        scene = answer(scene, who, hearts[who], chance)
        steps += 1
    return scene, steps
