"""The Subdivision bot (section 3g): three skill levels, each playing only from its own seat's observation.

Every level rates all placements and takes the best one, choosing at random among equals. `easy` counts only
its own points, with a random error. `normal` counts all totals and avoids having 3s and 1s left over. `hard`
estimates the totals at the end of the game (`games.subdivision.bot.forecast`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from games.api import Bot, Character, Choice, Decision, Dice, Observation, OneOf, PromptId
from games.kit.observations import part, phrase
from games.subdivision.bot.features import (
    Features,
    Placements,
    Position,
    RatedPlacement,
    find_room,
    get_neighbours,
    list_squares,
    read_position,
    to_mask,
)
from games.subdivision.bot.forecast import Forecast, count_stranded
from games.subdivision.rules.values import SIZES, Board, Park, Place, Score, Stash, SubdivisionMove

RIVALS: Final = 0.7
"""The weight of the best opponent's points for `normal` (3g)."""
PATIENCE: Final = 0.5
"""The decay rate in `count_stranded` for `normal`."""
MISJUDGEMENT: Final = 300
"""The largest error of `easy` in rating a placement, in hundredths of a point."""
EQUAL: Final = 0.05
"""A placement within this many points of the best counts as equal, so that games vary."""
SPEAKS_ONE_IN: Final = 6
"""On average, the bot speaks up once in this many opportunities."""


def _find_open(observation: Observation, kind: str) -> tuple[PromptId, tuple[Choice, ...]] | None:
    """The open prompt of this kind with its choices, if there is one."""
    for prompt in observation.prompts:
        if prompt.kind == kind and observation.choices.get(prompt.id):
            return prompt.id, observation.choices[prompt.id]
    return None


def _list_numbers(choice: Choice, field: str) -> tuple[int, ...]:
    """The numbers that a field of a choice offers. Raises TypeError if it offers anything else."""
    domain = choice.fields[field]
    if not isinstance(domain, OneOf):
        raise TypeError(f"the domain of {field} is not a list of values")
    return tuple(value for value in domain.of if isinstance(value, int))


def _read_placements(choices: Sequence[Choice]) -> Placements:
    """The legal placements, including those allowed only because nothing else fits (SUB-1)."""
    return [
        (pips, to_mask(_list_numbers(choice, "square")))
        for choice in choices
        for pips in _list_numbers(choice, "pips")
    ]


# --- rating ---


def _list_placements(placements: Placements) -> Iterator[tuple[int, int]]:
    """Every placement as pips and square."""
    return ((pips, square) for pips, squares in placements for square in list_squares(squares))


def _rate_easy(position: Position, placements: Placements, dice: Dice) -> list[RatedPlacement]:
    features = Features(position)
    return [
        RatedPlacement(
            features.score_changes(pips, square)[position.seat] + dice.below("whim", MISJUDGEMENT) / 100,
            pips,
            square,
        )
        for pips, square in _list_placements(placements)
    ]


def _rate_normal(position: Position, placements: Placements, dice: Dice) -> list[RatedPlacement]:
    features, room, seat = Features(position), find_room(position, position.seat), position.seat
    ones, _, threes = position.left[seat]
    rated = []
    for pips, square in _list_placements(placements):
        totals = [
            total + change
            for total, change in zip(position.totals, features.score_changes(pips, square), strict=True)
        ]
        best = max(total for rival, total in enumerate(totals) if rival != seat)
        for_threes, for_ones = room.count_after(position.size, pips, square)
        left_over = 3 * count_stranded(threes - (pips == 3), for_threes, PATIENCE)
        left_over += count_stranded(ones - (pips == 1), for_ones, PATIENCE)
        rated.append(RatedPlacement(totals[seat] - RIVALS * best - left_over, pips, square))
    return rated


def _rate_hard(position: Position, placements: Placements, dice: Dice) -> list[RatedPlacement]:
    return Forecast(position).rate_placements(placements)


SKILL_LEVELS: Final[Mapping[str, Callable[[Position, Placements, Dice], list[RatedPlacement]]]] = {
    "easy": _rate_easy,
    "normal": _rate_normal,
    "hard": _rate_hard,
}
"""By level, the function that rates placements."""


def choose_best(rated: Sequence[RatedPlacement], dice: Dice) -> RatedPlacement:
    """The best placement, or a random one of several that are equal. Raises ValueError if there is none."""
    highest = max(placement.points for placement in rated)
    best = [placement for placement in rated if placement.points >= highest - EQUAL]
    return best[dice.below("equal", len(best))]


# --- parks ---


def _choose_park(board: Board, squares: Sequence[int], level: str, dice: Dice) -> Park:
    """A random site. All levels but `easy` keep parks apart as long as they can.

    A new park gives no seat an advantage; parks that are apart do not cut off any land.
    """
    near, parks = get_neighbours(board.size).near, to_mask(board.parks)
    apart = [square for square in squares if not near[square] & parks]
    sites = squares if level == "easy" or not apart else apart
    return Park(sites[dice.below("park", len(sites))])


# --- table talk ---


def _find_occasion(position: Position, board: Board, placement: RatedPlacement) -> str | None:
    """The cue for table talk that this placement gives, if any."""
    features, seat = Features(position), position.seat
    if board.last is not None and sum(position.ones) & ~position.ones[seat] & 1 << board.last:
        threes = list_squares(position.threes[seat] & features.near[board.last])
        if any(features.count_ones_near(three) > 1 for three in threes):
            return "ouch"
    if sum(position.left[seat]) == 1:
        return "wellPlayed"
    if features.count_joined(placement.square, seat) > 1:
        return "myStreet"
    return "oops" if features.score_changes(placement.pips, placement.square)[seat] < 0 else None


class SubdivisionBot(Bot[SubdivisionMove]):
    """A bot that plays with every option in 3a."""

    levels = tuple(SKILL_LEVELS)

    def decide(
        self, observation: Observation, character: Character, dice: Dice
    ) -> Decision[SubdivisionMove] | None:
        """The bot's next move, or None to wait. Raises KeyError for an unknown level."""
        level = character.level
        rate = SKILL_LEVELS[level]
        board = part(observation, "board", Board)
        park = _find_open(observation, "park")
        if park is not None:
            prompt, choices = park
            squares = [square for choice in choices for square in _list_numbers(choice, "square")]
            return Decision(prompt, _choose_park(board, squares, level, dice))
        place = _find_open(observation, "place")
        if place is None:
            return None
        prompt, choices = place
        position = read_position(
            observation.seat, board, part(observation, "stash", Stash), part(observation, "score", Score)
        )
        best = choose_best(rate(position, _read_placements(choices), dice), dice)
        move = Place(SIZES[best.pips - 1], best.square)
        occasion = _find_occasion(position, board, best)
        spoken = phrase(observation, f"subdivision.say.{occasion}", SPEAKS_ONE_IN, dice)
        return Decision(prompt, move, spoken)


BOT: Final = SubdivisionBot()
