"""The Subdivision bot (section 3g): three skill levels, each playing only from its own seat's observation.

Every level rates all placements and takes the best one, choosing at random among equals. `easy` counts only
its own points, with a random error. `normal` counts all totals and avoids having 3s and 1s left over. `hard`
estimates the totals at the end of the game (`games.subdivision.bot.forecast`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from games.api import Bot, Character, Choice, Decision, Dice, Millis, Observation, OneOf, PromptId
from games.kit.observations import part
from games.subdivision.bot.answers import answer_pending
from games.subdivision.bot.bargaining import Speech
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
from games.subdivision.bot.pledges import forbids, respect
from games.subdivision.bot.proposals import admit, comment, list_broken, reproach_deal, settle
from games.subdivision.bot.situation import PROPOSALS, REPLIES, Situation
from games.subdivision.bot.voices import WORDINGS
from games.subdivision.rules.values import SIZES, Board, Park, Place, Score, Stage, Stash, SubdivisionMove

RIVALS: Final = 0.7
"""The weight of the best opponent's points for `normal` (3g)."""
PATIENCE: Final = 0.5
"""The decay rate in `count_stranded` for `normal`."""
MISJUDGEMENT: Final = 300
"""The largest error of `easy` in rating a placement, in hundredths of a point."""
EQUAL: Final = 0.05
"""A placement within this many points of the best counts as equal, so that games vary."""


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


def _count_own(position: Position, placements: Placements) -> list[RatedPlacement]:
    features = Features(position)
    return [
        RatedPlacement(features.score_changes(pips, square)[position.seat], pips, square)
        for pips, square in _list_placements(placements)
    ]


def _misjudge(rated: Sequence[RatedPlacement], dice: Dice) -> list[RatedPlacement]:
    return [
        RatedPlacement(points + dice.below("whim", MISJUDGEMENT) / 100, pips, square)
        for points, pips, square in rated
    ]


def _rate_normal(position: Position, placements: Placements) -> list[RatedPlacement]:
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


def _rate_hard(position: Position, placements: Placements) -> list[RatedPlacement]:
    return Forecast(position).rate_placements(placements)


EVALUATIONS: Final[Mapping[str, Callable[[Position, Placements], list[RatedPlacement]]]] = {
    "easy": _count_own,
    "normal": _rate_normal,
    "hard": _rate_hard,
}
"""By level, the function that rates placements; only `easy` then misjudges them."""


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


# --- deciding ---


def _prefer(rated: Sequence[RatedPlacement], situation: Situation) -> Sequence[RatedPlacement]:
    """Of placements that are about equally good, those that cost others most, and of these, whom it dislikes.

    A grudge only chooses who is hurt: everybody does as much harm. Of those that hurt equally, the bot avoids
    squares that it has said it can do without.
    """
    position, dislikes = situation.position, situation.dislikes
    highest = max(placement.points for placement in rated)
    best = [placement for placement in rated if placement.points >= highest - EQUAL]
    if len(best) == 1:
        return best
    features, seat = Features(position), position.seat

    def harm(placement: RatedPlacement) -> tuple[float, float]:
        if placement.pips != 1:
            return 0.0, 0.0
        changes = features.score_changes(1, placement.square)
        losses = [0.0 if other == seat else -change for other, change in enumerate(changes)]
        spite = sum(loss * dislike for loss, dislike in zip(losses, dislikes, strict=True))
        return sum(losses), spite

    harms = [harm(placement) for placement in best]
    most = max(harms)
    worst = [placement for placement, done in zip(best, harms, strict=True) if done == most]
    return [each for each in worst if not situation.has_waived(situation.name(each.square))] or worst


class SubdivisionBot(Bot[SubdivisionMove]):
    """A bot that plays with every option in 3a."""

    levels = tuple(EVALUATIONS)
    proposals = WORDINGS.list_keys(PROPOSALS)
    answers = WORDINGS.list_keys(REPLIES)
    """What `parley simulate` counts as exchanges."""

    def decide(
        self, observation: Observation, character: Character, dice: Dice
    ) -> Decision[SubdivisionMove] | None:
        """The bot's next move with a remark, an answer on somebody else's turn, or None to wait.

        Raises KeyError for an unknown level.
        """
        level = character.level
        evaluate = EVALUATIONS[level]
        board = part(observation, "board", Board)
        park = _find_open(observation, "park")
        if park is not None:
            prompt, choices = park
            squares = [square for choice in choices for square in _list_numbers(choice, "square")]
            return Decision(prompt, _choose_park(board, squares, level, dice))
        place = _find_open(observation, "place")
        position = read_position(
            observation.seat, board, part(observation, "stash", Stash), part(observation, "score", Score)
        )
        situation = Situation(
            observation, character, board, position, lambda placements: evaluate(position, placements), dice
        )
        if place is None:
            if part(observation, "stage", Stage).phase != "place" or not situation.may_speak:
                return None
            speech = answer_pending(situation)
            return None if speech is None else Decision(remark=speech.remark, promise=speech.promise)
        prompt, choices = place
        rated = evaluate(position, _read_placements(choices))
        if level == "easy":
            rated = _misjudge(rated, dice)
        rated_by_word = respect(rated, observation, board, character.temper)
        best = choose_best(_prefer(rated_by_word, situation), dice)
        speech = _speak_after(situation, best, rated)
        move = Place(SIZES[best.pips - 1], best.square)
        return Decision(prompt, move, speech.remark, speech.promise)


def _speak_after(situation: Situation, move: RatedPlacement, rated: Sequence[RatedPlacement]) -> Speech:
    """What the bot says after its move: an answer that is due, or something of its own.

    It still thinks of the other placements as it did before, but only of those that are still legal.
    """
    if not situation.may_speak:
        return SILENCE
    changes = situation.features.score_changes(move.pips, move.square)
    position = situation.position.place(move.pips, move.square, changes)

    def recall(placements: Placements) -> list[RatedPlacement]:
        sites = dict(placements)
        return [other for other in rated if sites.get(other.pips, 0) >> other.square & 1]

    after = Situation(
        situation.observation,
        situation.character,
        situation.board,
        position,
        recall,
        situation.dice,
        moved=True,
    )
    broken = list_broken(situation, move, rated)
    own_word = admit(after, broken)
    if own_word is not None:
        return Speech(own_word)
    if not any(after.list_placements(seat) for seat in range(after.seats)):
        return SILENCE  # the game is over: what it says then is about the result
    reproach = settle(after, "broken") or reproach_deal(after)
    if reproach is not None:
        return Speech(reproach)
    speech = answer_pending(after) or comment(after, situation.features, move, broken)
    if speech is None or speech.remark is None:
        return SILENCE
    if speech.promise is not None:  # it is made before the move, and so the move must keep it
        ones, others = forbids(speech.promise.promise("", situation.seat, Millis(0), 0), situation.board)
        if (ones if move.pips == 1 else others) >> move.square & 1:
            return SILENCE
    return speech


SILENCE: Final = Speech(None)
BOT: Final = SubdivisionBot()
