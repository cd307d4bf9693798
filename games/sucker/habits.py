"""How a sensible player plays without looking ahead (2g): quick, so that rounds can be played out by it.

It takes what is its own, feeds nobody, covers what others could take, gives the move to who does least harm
with it or falls, kills the chips of the strongest, saves its ally and not its enemy. All scores are in chips.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from games.sucker import piles
from games.sucker import scene as scenes
from games.sucker.scene import NEW, Chips, Scene
from games.sucker.values import Colour

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


class Chance:
    """Quick numbers from a seed (a linear congruential generator), good enough to break ties with."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, sides: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return (self._state >> 33) % sides

    def whim(self) -> float:
        return self.below(1024) * WHIM / 1024


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
    best, found = -1e9, (NEW, NEW)
    for colour, count in enumerate(scene.hands[scene.mover]):
        if count:
            for index in range(NEW, len(scene.piles)):
                below = scene.piles[index] if index != NEW else ()
                score = _score(scene, heart, threats, colour, below) + chance.whim()
                if score > best:
                    best, found = score, (colour, index)
    return scenes.placed(scene, *found)


def _threats(scene: Scene) -> Threats:
    first, second = [0] * len(scene.alive), [0] * len(scene.alive)
    for pile in scene.piles:
        top, height = pile[-1], len(pile)
        if scene.hands[top][top]:
            if height > first[top]:
                first[top], second[top] = height, first[top]
            elif height > second[top]:
                second[top] = height
    return first, second


def _score(scene: Scene, heart: Heart, threats: Threats, colour: Colour, below: Chips) -> float:
    """What it is worth to put a chip of the mover's there."""
    seat, height = scene.mover, len(below)
    outlook = piles.forecast(below, colour, scene.alive)
    if outlook.what == "capture":
        if colour == seat:
            return height - TEMPO
        return -height * (FED_ALLY if colour == heart.ally else 1.0)
    if outlook.what == "dies":
        return AGAIN - 1.0 - SPENT
    first, second = threats
    best = -1e9
    for to in outlook.seats:
        if to == seat or not any(scene.hands[to]):
            gift = _gift(scene, to, heart, 0, 1)
        else:
            covered = height > 0 and below[-1] == to and height == first[to]
            harm = second[to] if covered else first[to]
            if colour == to and scene.hands[to][to] and height >= harm:
                harm = height + 1
            gift = _gift(scene, to, heart, harm, 1)
        if gift > best:
            best = gift
    return best + (COVER * height if colour == seat else -SPENT)


def _gift(scene: Scene, to: int, heart: Heart, harm: int, spent: int) -> float:
    """What it is worth that a seat has the move next, and may capture `harm` chips; the mover has `spent`."""
    if to == scene.mover:
        return AGAIN if sum(scene.hands[to]) > spent else -FALL
    if any(scene.hands[to]):
        return -harm * (ALLY_MOVES if to == heart.ally else 1.0)
    fall = ENEMY_FALLS if to == heart.enemy else ALLY_FALLS if to == heart.ally else FALL
    return fall / 2 if any(seat != scene.mover for seat in scenes.holders(scene)) else fall


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
    first, _ = _threats(scene)
    to = max(scene.next, key=lambda to: _gift(scene, to, heart, first[to], 0) + chance.whim())
    return scenes.given(scene, to)


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
