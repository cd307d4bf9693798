"""The players of Subdivision that are not people (section 3g): three levels, from what their seat sees alone.

Each tries all placements and takes the best, by dice among equals. `easy` counts its own points, and not
too well. `normal` counts everybody's, and minds that its 3s and 1s do not get left over. `hard` goes by what
all will have in the end (`games.subdivision.bot.forecast`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from games.api import Bot, Choice, Decision, Dice, Observation, OneOf, PromptId
from games.kit.observations import part, phrase
from games.subdivision.bot.features import (
    Places,
    Position,
    Survey,
    Worth,
    lie,
    mask,
    position,
    room,
    squares_of,
)
from games.subdivision.bot.forecast import Forecast, stranded
from games.subdivision.rules.values import SIZES, Board, Park, Place, Score, Stash, SubdivisionMove

RIVALS: Final = 0.7
"""What a point of the best of the others weighs to `normal` (3g)."""
PATIENCE: Final = 0.5
"""How far room for a piece goes, to `normal` (see `stranded`)."""
WHIM: Final = 300
"""By how much, in hundredths of a point, `easy` may misjudge a placement."""
EQUAL: Final = 0.05
"""Points: no more than that below the best, a placement is as good; so no two games are the same."""
RARELY: Final = 6
"""One in so many occasions to say something is taken."""


def _open(observation: Observation, kind: str) -> tuple[PromptId, tuple[Choice, ...]] | None:
    """The ask of this kind with what answers it, if there is one."""
    for prompt in observation.prompts:
        if prompt.kind == kind and observation.choices.get(prompt.id):
            return prompt.id, observation.choices[prompt.id]
    return None


def _numbers(choice: Choice, field: str) -> tuple[int, ...]:
    """The numbers a field of a choice offers. Raises TypeError where it offers something else."""
    domain = choice.fields[field]
    if not isinstance(domain, OneOf):
        raise TypeError(f"{field} is not picked from a list")
    return tuple(value for value in domain.of if isinstance(value, int))


def _places(choices: Sequence[Choice]) -> Places:
    """What may be placed: also what may stand only because nothing fits (SUB-1)."""
    return [
        (pips, mask(_numbers(choice, "square"))) for choice in choices for pips in _numbers(choice, "pips")
    ]


# --- judging ---


def _each(places: Places) -> Iterator[tuple[int, int]]:
    """Every placement: pips, square."""
    return ((pips, square) for pips, squares in places for square in squares_of(squares))


def _easy(here: Position, places: Places, dice: Dice) -> list[Worth]:
    survey = Survey(here)
    return [
        Worth(survey.changes(pips, square)[here.me] + dice.below("whim", WHIM) / 100, pips, square)
        for pips, square in _each(places)
    ]


def _normal(here: Position, places: Places, dice: Dice) -> list[Worth]:
    survey, free, me = Survey(here), room(here, here.me), here.me
    ones, _, threes = here.left[me]
    found = []
    for pips, square in _each(places):
        totals = [
            before + more for before, more in zip(here.totals, survey.changes(pips, square), strict=True)
        ]
        best = max(total for seat, total in enumerate(totals) if seat != me)
        for_threes, for_ones = free.after(here.size, pips, square)
        left_over = 3 * stranded(threes - (pips == 3), for_threes, PATIENCE)
        left_over += stranded(ones - (pips == 1), for_ones, PATIENCE)
        found.append(Worth(totals[me] - RIVALS * best - left_over, pips, square))
    return found


def _hard(here: Position, places: Places, dice: Dice) -> list[Worth]:
    return Forecast(here).worths(places)


JUDGES: Final[Mapping[str, Callable[[Position, Places, Dice], list[Worth]]]] = {
    "easy": _easy,
    "normal": _normal,
    "hard": _hard,
}
"""By level: what each placement is taken to be worth."""


def best(worths: Sequence[Worth], dice: Dice) -> Worth:
    """The best placement; one of them by dice, if there are several. Raises ValueError if there is none."""
    most = max(worth.points for worth in worths)
    found = [worth for worth in worths if worth.points >= most - EQUAL]
    return found[dice.below("equal", len(found))]


# --- parks ---


def _park(board: Board, squares: Sequence[int], level: str, dice: Dice) -> Park:
    """Anywhere; but who is no beginner puts it near no other park, for as long as it can.

    Parks help nobody more than others when they are set; apart, they cut off no land.
    """
    near, parks = lie(board.size).near, mask(board.parks)
    apart = [square for square in squares if not near[square] & parks]
    sites = squares if level == "easy" or not apart else apart
    return Park(sites[dice.below("park", len(sites))])


# --- talking ---


def _occasion(here: Position, board: Board, chosen: Worth) -> str | None:
    """What there is to say with this placement, if anything."""
    survey, me = Survey(here), here.me
    if board.last is not None and sum(here.ones) & ~here.ones[me] & 1 << board.last:
        mine = squares_of(here.threes[me] & survey.near[board.last])
        if any(survey.ones_near(three) > 1 for three in mine):
            return "ouch"
    if sum(here.left[me]) == 1:
        return "wellPlayed"
    if survey.joined(chosen.square, me) > 1:
        return "myStreet"
    return "oops" if survey.changes(chosen.pips, chosen.square)[me] < 0 else None


class SubdivisionBot(Bot[SubdivisionMove]):
    """The bot, with all options of 3a."""

    levels = tuple(JUDGES)

    def decide(self, observation: Observation, level: str, dice: Dice) -> Decision[SubdivisionMove] | None:
        """Raises KeyError for a level it does not have."""
        judge = JUDGES[level]
        board = part(observation, "board", Board)
        found = _open(observation, "park")
        if found is not None:
            prompt, choices = found
            squares = [square for choice in choices for square in _numbers(choice, "square")]
            return Decision(prompt, _park(board, squares, level, dice))
        found = _open(observation, "place")
        if found is None:
            return None
        prompt, choices = found
        here = position(
            observation.seat, board, part(observation, "stash", Stash), part(observation, "score", Score)
        )
        chosen = best(judge(here, _places(choices), dice), dice)
        move = Place(SIZES[chosen.pips - 1], chosen.square)
        occasion = _occasion(here, board, chosen)
        return Decision(prompt, move, phrase(observation, f"subdivision.say.{occasion}", RARELY, dice))


BOT: Final = SubdivisionBot()
