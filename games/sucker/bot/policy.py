"""A fast policy without lookahead (2g), used as a level and for playouts.

It captures what it can, avoids feeding others, covers piles that others could capture, gives the move to the
seat that can do least harm with it or will be defeated, kills the chips of the strongest seat, and rescues
its ally but not its enemy. All scores are measured in chips.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from games.sucker.bot import search_state
from games.sucker.bot.search_state import NEW_PILE, Chips, SearchState
from games.sucker.rules import piles as pile_rules
from games.sucker.rules.values import Colour

Threats: TypeAlias = tuple[list[int], list[int]]
"""The heights of the highest and second-highest piles each seat could capture with one of its own chips."""

NOISE: Final = 1.5
"""The largest random bonus for a placement."""
TEMPO: Final = 1.5
"""The cost of a capture: the chip that dies, and a turn on which the move is not passed on."""
COVER: Final = 0.25
"""The value of each chip under one of the seat's own chips, which may capture it later."""
SPENT: Final = 0.4
"""How much more a prisoner is worth than a seat's own chip: it can keep the move and rescue others."""
FED_ALLY: Final = 0.3
"""The fraction of a capture fed to the ally that counts as harm; for other seats all of it counts."""
MOVE_AGAIN: Final = 0.6
"""The value of keeping the move with a chip left."""
DEFEAT: Final = 3.0
"""The value of a seat's defeat; a penalty if it is the mover itself, having spent its last chip."""
ENEMY_DEFEAT: Final = 7.0
ALLY_DEFEAT: Final = -5.0
ALLY_MOVES: Final = 0.5
"""The fraction of the ally's possible captures that counts as harm."""
DEAD_COLOUR_DIES: Final = 0.5
"""The value of killing a chip of a defeated seat."""
OWN_COLOUR_DIES: Final = -5.0
ALLY_COLOUR_DIES: Final = -4.0
ENEMY_COLOUR_DIES: Final = 2.0

_MASK: Final = (1 << 64) - 1
_FACTOR: Final = 6364136223846793005
_STEP: Final = 1442695040888963407
_NOISE_STEP: Final = NOISE / 1024


class FastRandom:
    """A linear congruential generator: fast, and good enough to break ties."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, sides: int) -> int:
        self._state = (self._state * _FACTOR + _STEP) & _MASK
        return (self._state >> 33) % sides

    def noise(self) -> float:
        self._state = state = (self._state * _FACTOR + _STEP) & _MASK
        return (state >> 33 & 1023) * _NOISE_STEP


class Allegiance(NamedTuple):
    """A seat's enemy, to be defeated before the end, and the ally it may come second to; both may be None."""

    enemy: int | None
    ally: int | None


class Leaning(NamedTuple):
    """What speaks for a move apart from its effect, in chips: promises, and who has done what to whom.

    `gifts` are added, by seat, for giving it the move, and `kills` for killing a chip of its colour.
    `spared` are piles that cost `loss` to capture. `saves`: it rescues the mover in any case. `fresh` is
    added for a chip that starts a pile.
    """

    gifts: tuple[float, ...]
    kills: tuple[float, ...]
    spared: frozenset[int] = frozenset()
    loss: float = 0.0
    saves: bool = False
    fresh: float = 0.0


def choose_successor(
    state: SearchState, seat: int, allegiance: Allegiance, random: FastRandom, leaning: Leaning | None = None
) -> SearchState:
    """The position after the move of the seat that must act."""
    match state.phase:
        case "turn":
            return _play_turn(state, allegiance, random, leaning)
        case "choose":
            return _choose_next(state, allegiance, random, leaning)
        case "kill":
            return _kill(state, allegiance, leaning)
        case "rescue":
            return _answer_rescue(state, seat, allegiance, leaning is not None and leaning.saves)
        case "over":
            return state


# --- placing ---


def _play_turn(
    state: SearchState, allegiance: Allegiance, random: FastRandom, leaning: Leaning | None
) -> SearchState:
    by_card = _play_by_card(state) if state.cards else None
    if by_card is not None:
        return by_card
    threats = _find_threats(state)
    gifts = _score_gifts(state, allegiance, threats[0], 1)
    living = [seat for seat, alive in enumerate(state.alive) if alive]
    by_gift = sorted(living, key=gifts.__getitem__, reverse=True)
    best, placement = -1e9, (NEW_PILE, NEW_PILE)
    for colour, count in enumerate(state.hands[state.mover]):
        if count:
            for index, below in enumerate(((), *state.piles), NEW_PILE):
                if below and below[-1] == colour:
                    score = _score_capture(state, allegiance, colour, len(below))
                    if leaning is not None and colour == state.mover and index in leaning.spared:
                        score -= leaning.loss
                else:
                    for to in by_gift:
                        if to != colour and to not in below:
                            score = gifts[to]
                            break
                    else:
                        score = _score_forcing(state, allegiance, threats, gifts, colour, below)
                    score += COVER * len(below) if colour == state.mover else -SPENT
                if leaning is not None and not below:
                    score += leaning.fresh
                score += random.noise()
                if score > best:
                    best, placement = score, (colour, index)
    return search_state.place(state, *placement)


def _find_threats(state: SearchState) -> Threats:
    hands, seats = state.hands, len(state.alive)
    first, second = [0] * seats, [0] * seats
    for pile in state.piles:
        top, height = pile[-1], len(pile)
        if hands[top][top]:
            if height > first[top]:
                first[top], second[top] = height, first[top]
            elif height > second[top]:
                second[top] = height
    return first, second


def _score_capture(state: SearchState, allegiance: Allegiance, colour: Colour, height: int) -> float:
    """The value of placing a chip on one of the same colour that tops a pile of this height."""
    if not state.alive[colour]:
        return MOVE_AGAIN - 1.0 - SPENT
    if colour == state.mover:
        return height - TEMPO
    return -height * (FED_ALLY if colour == allegiance.ally else 1.0)


def _score_forcing(
    state: SearchState,
    allegiance: Allegiance,
    threats: Threats,
    gifts: Sequence[float],
    colour: Colour,
    below: Chips,
) -> float:
    """The value of filling a pile, which forces the next mover.

    The chip may cover a pile that the next mover threatens, or give it a pile to capture.
    """
    (to,) = pile_rules.forecast(below, colour, state.alive).seats
    hand = state.hands[to]
    if to == state.mover or not any(hand):
        return gifts[to]
    first, second = threats
    height = len(below)
    harm = second[to] if below[-1] == to and height == first[to] else first[to]
    if colour == to and hand[to] and height >= harm:
        harm = height + 1
    return -harm * (ALLY_MOVES if to == allegiance.ally else 1.0)


def _score_gifts(state: SearchState, allegiance: Allegiance, harms: Sequence[int], spent: int) -> list[float]:
    """By seat, the value of giving it the move; `harms` are the heights of the piles it could capture.

    The mover has used `spent` chips.
    """
    mover, enemy, ally = state.mover, allegiance.enemy, allegiance.ally
    gifts = []
    can_be_saved: bool | None = None
    for to, hand in enumerate(state.hands):
        if to == mover:
            gifts.append(MOVE_AGAIN if sum(hand) > spent else -DEFEAT)
        elif any(hand):
            gifts.append(-harms[to] * (ALLY_MOVES if to == ally else 1.0))
        else:
            defeat = ENEMY_DEFEAT if to == enemy else ALLY_DEFEAT if to == ally else DEFEAT
            if can_be_saved is None:
                can_be_saved = any(seat != mover for seat in search_state.list_holders(state))
            gifts.append(defeat / 2 if can_be_saved else defeat)
    return gifts


def _play_by_card(state: SearchState) -> SearchState | None:
    """A capture that a card makes possible, otherwise the best tribute."""
    seat = state.mover
    for card in state.cards:
        if card.owner == seat and card.kind == "capture" and state.hands[seat][card.token]:
            heights = [(len(pile), index) for index, pile in enumerate(state.piles) if pile[-1] == card.token]
            if card.token != seat and heights and max(heights)[0] > 1:
                return search_state.place(state, card.token, max(heights)[1], card.id)
    tribute = _find_best_tribute(state, seat)
    return None if tribute is None else search_state.play_card(state, *tribute)


def _find_best_tribute(state: SearchState, seat: int) -> tuple[int, Colour] | None:
    """The tribute card and colour that yield the most chips."""
    tokens = {card.id: card.token for card in state.cards}
    tributes = search_state.list_payable(state, seat)
    return max(tributes, key=lambda tribute: state.hands[tokens[tribute[0]]][tribute[1]], default=None)


# --- choosing, killing, rescuing ---


def _choose_next(
    state: SearchState, allegiance: Allegiance, random: FastRandom, leaning: Leaning | None
) -> SearchState:
    gifts = _score_gifts(state, allegiance, _find_threats(state)[0], 0)
    if leaning is not None:
        gifts = [gift + more for gift, more in zip(gifts, leaning.gifts, strict=True)]
    return search_state.give_move(state, max(state.candidates, key=lambda to: gifts[to] + random.noise()))


def _kill(state: SearchState, allegiance: Allegiance, leaning: Leaning | None) -> SearchState:
    def score(colour: Colour) -> float:
        return _score_kill(state, allegiance, colour) + (0.0 if leaning is None else leaning.kills[colour])

    return search_state.kill(state, max(sorted(set(state.piles[state.pile])), key=score))


def _score_kill(state: SearchState, allegiance: Allegiance, colour: Colour) -> float:
    captor = state.mover
    if colour == captor:
        return OWN_COLOUR_DIES
    if not state.alive[colour]:
        return DEAD_COLOUR_DIES
    if colour == allegiance.enemy:
        extra = ENEMY_COLOUR_DIES
    else:
        extra = ALLY_COLOUR_DIES if colour == allegiance.ally else 0.0
    return state.hands[colour][colour] + 1 + extra


def _answer_rescue(state: SearchState, seat: int, allegiance: Allegiance, saves: bool) -> SearchState:
    """The position after the seat answers the rescue; the mover itself can only play a card or refuse."""
    needy = state.mover
    if seat == needy:
        tribute = _find_best_tribute(state, seat)
        if tribute is None:
            return search_state.refuse(state, seat)
        return search_state.play_card(state, *tribute)
    if not saves and not _wants_to_rescue(state, allegiance):
        return search_state.refuse(state, seat)
    hand = state.hands[seat]
    colour = max(
        (colour for colour, count in enumerate(hand) if count and colour != seat),
        key=lambda colour: (colour == needy, not state.alive[colour], hand[colour]),
    )
    return search_state.transfer(state, seat, colour, 1, needy)


def _wants_to_rescue(state: SearchState, allegiance: Allegiance) -> bool:
    """Whether to rescue the mover.

    An ally is rescued if more than two seats are left, any other seat only if the third one is the enemy.
    """
    left = sum(state.alive)
    if state.mover == allegiance.enemy:
        return False
    if state.mover == allegiance.ally:
        return left > 2
    return left == 3 and allegiance.enemy is not None and state.alive[allegiance.enemy]


# --- playouts ---


def play_out(
    state: SearchState, seat: int, allegiances: Sequence[Allegiance], random: FastRandom
) -> tuple[SearchState, int]:
    """Plays until the round ends or the seat is defeated; returns that position and the number of steps."""
    steps = 0
    while state.phase != "over" and state.alive[seat]:
        actor = search_state.list_rescuers(state)[0] if state.phase == "rescue" else state.mover
        state = choose_successor(state, actor, allegiances[actor], random)
        steps += 1
    return state, steps
