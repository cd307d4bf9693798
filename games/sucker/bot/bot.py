"""The So Long Sucker bot (2g): three skill levels, each of which sees only its own seat's observation.

`normal` follows a fixed policy (`games.sucker.bot.policy`). `easy` does so half the time, ignoring allies
and enemies, and otherwise plays at random. `hard` searches small positions for a forced win, giving away and
killing prisoners if necessary (`games.sucker.bot.endgame`); elsewhere it compares its moves using playouts
(`games.sucker.bot.playouts`). Bots act only when the table is waiting for them, and never extend a timer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from games.api import (
    Bot,
    Character,
    Choice,
    Decision,
    Dice,
    Observation,
    OneOf,
    PromptId,
    Range,
)
from games.kit.moves import convert_move
from games.kit.observations import optional, part
from games.sucker.bot import playouts, policy, search_state
from games.sucker.bot.endgame import EndgameSolver, SearchLimitError
from games.sucker.bot.hearing import find_wait
from games.sucker.bot.leaning import drop_unfitting, find_leaning, find_pledge, weigh_move
from games.sucker.bot.offers import beg
from games.sucker.bot.playouts import PlayerModel
from games.sucker.bot.policy import Allegiance, FastRandom, Leaning
from games.sucker.bot.remarks import AGREEING, COUNTERS, FOR_TURN, PROPOSALS, REFUSING, WORDINGS
from games.sucker.bot.search_state import NEW_PILE, SearchState
from games.sucker.bot.settling import meet_demand, settle
from games.sucker.bot.situation import Situation, follow
from games.sucker.bot.speaker import Speaker
from games.sucker.bot.talk import speak_only, speak_with_move
from games.sucker.rules.values import (
    Continue,
    GiveMove,
    Hands,
    Kill,
    KillPrisoners,
    Place,
    PlayCard,
    Refuse,
    RescueWith,
    Stage,
    SuckerMove,
    Transfer,
)
from games.sucker.rules.views import Cards, Mine, Piles, Rescue, Trail

Answer: TypeAlias = Decision[SuckerMove]


class SkillLevel(NamedTuple):
    """The parameters of a level."""

    careless: int
    """How often it plays at random, as a percentage; if not 0, it also ignores its enemy and its ally."""
    positions: int
    """The maximum number of positions it visits in search of a forced win."""
    steps: int
    """The maximum number of steps in its playouts."""


SKILL_LEVELS: Final[dict[str, SkillLevel]] = {
    "easy": SkillLevel(50, 0, 0),
    "normal": SkillLevel(0, 0, 0),
    "hard": SkillLevel(0, 1_000, 2_000),
}
SMALL_SEATS: Final = 3
SMALL_CHIPS: Final = 8
"""A small position has at most SMALL_SEATS living seats and SMALL_CHIPS chips across all hands."""
CHIP_WORTH: Final = 0.01
"""The share of games that a chip is worth in playouts."""


class Option(NamedTuple):
    """A legal move and the resulting position."""

    prompt: PromptId
    move: SuckerMove
    after: SearchState


# --- reading the position ---


def read_state(observation: Observation) -> SearchState:
    """The observed position. Raises ValueError if no seat has the move."""
    return search_state.read_state(
        part(observation, "stage", Stage),
        part(observation, "hands", Hands),
        part(observation, "piles", Piles),
        part(observation, "trail", Trail),
        part(observation, "mine", Mine),
        optional(observation, "cards", Cards),
        optional(observation, "rescue", Rescue),
    )


def _list_moves(choice: Choice) -> Iterator[SuckerMove]:
    domains: list[Sequence[int | str]] = []
    for domain in choice.fields.values():
        match domain:
            case OneOf(of=of):
                domains.append(of)
            case Range(least=least, most=most):
                domains.append(range(least, most + 1))
            case _:
                raise TypeError(f"{choice.move} has a field of another kind")
    for values in product(*domains):
        fields = dict(zip(choice.fields, values, strict=True))
        move: SuckerMove = convert_move({"move": choice.move, **fields}, SuckerMove)
        yield move


def apply_move(
    state: SearchState, seat: int, move: SuckerMove, indices: Mapping[int, int]
) -> SearchState | None:
    """The position after a move, given the index of each pile; None if the move does not change it."""
    match move:
        case Place(colour=colour, pile=pile, card=card):
            return search_state.place(state, colour, NEW_PILE if pile is None else indices[pile], card)
        case PlayCard(card=card, colour=colour):
            return search_state.play_card(state, card, colour)
        case GiveMove(to=to):
            return search_state.give_move(state, to)
        case Kill(colour=colour):
            return search_state.kill(state, colour)
        case RescueWith(colour=colour, count=count):
            return search_state.transfer(state, seat, colour, count, state.mover)
        case Transfer(colour=colour, count=count, to=to):
            return search_state.transfer(state, seat, colour, count, to)
        case KillPrisoners(colour=colour, count=count):
            return search_state.transfer(state, seat, colour, count, None)
        case Refuse():
            return search_state.refuse(state, seat)
        case _:
            return None


def list_options(observation: Observation, state: SearchState, kind: str) -> Iterator[Option]:
    """Every move that answers the prompt of this kind, if it is open."""
    indices = {pile.id: index for index, pile in enumerate(part(observation, "piles", Piles).piles)}
    for prompt in observation.prompts:
        if prompt.kind == kind:
            for choice in observation.choices.get(prompt.id, ()):
                for move in _list_moves(choice):
                    after = apply_move(state, observation.seat, move, indices)
                    if after is not None:
                        yield Option(prompt.id, move, after)


# --- choosing a move ---


def _find_forced_win(
    observation: Observation,
    state: SearchState,
    options: Sequence[Option],
    allegiance: Allegiance,
    most: int,
) -> Option | None:
    """A move that wins whatever the others do, if there is one and the position is small."""
    if sum(state.alive) > SMALL_SEATS or sum(map(sum, state.hands)) > SMALL_CHIPS:
        return None
    solver = EndgameSolver(observation.seat, allegiance.enemy, allegiance.ally, most)
    try:
        for option in (*options, *list_options(observation, state, "prisoners")):
            if solver.can_win(option.after):
                return option
    except SearchLimitError:
        pass
    return None


def _choose_option(
    observation: Observation,
    state: SearchState,
    options: Sequence[Option],
    skill: SkillLevel,
    leaning: Leaning,
    dice: Dice,
) -> Option:
    private = part(observation, "mine", Mine)
    allegiance = Allegiance(private.enemy, private.ally)
    indices = {pile.id: index for index, pile in enumerate(part(observation, "piles", Piles).piles)}
    extra = [weigh_move(option.move, state, leaning, indices) for option in options]
    if skill.careless:
        if dice.below("careless", 100) < skill.careless:
            options = drop_unfitting(options, extra)
            return options[dice.below("any", len(options))]
        allegiance = Allegiance(None, None)
    if skill.positions:
        forced = _find_forced_win(observation, state, options, allegiance, skill.positions)
        if forced is not None:
            return forced
    random = FastRandom(dice.below("chance", 1 << 62))
    by_successor = {option.after: option for option in reversed(options)}
    if skill.steps:
        player = PlayerModel(observation.seat, allegiance, bool(private.row))
        more = {option.after: value * CHIP_WORTH for option, value in zip(options, extra, strict=True)}
        best = playouts.choose_best(state, tuple(by_successor), player, skill.steps, random, more)
        return by_successor[best]
    return by_successor[policy.choose_successor(state, observation.seat, allegiance, random, leaning)]


def _find_pledged(speaker: Speaker, options: Sequence[Option]) -> Option | None:
    """The choice that the bot has just promised, if it has promised one and may make it."""
    to = find_pledge(speaker)
    return next((option for option in options if to is not None and option.move == GiveMove(to)), None)


class SuckerBot(Bot[SuckerMove]):
    """A bot that plays with all the options in 2a."""

    levels = tuple(SKILL_LEVELS)
    slow = frozenset({"hard"})
    proposals = WORDINGS.list_keys(PROPOSALS | {"invite"})
    remarkable = frozenset({"sucker.needy", "sucker.killed", "sucker.fell", "promise.broken"})
    answers = WORDINGS.list_keys(AGREEING | REFUSING | COUNTERS | FOR_TURN)

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Answer | None:
        """Raises KeyError for an unknown level."""
        skill, phase = SKILL_LEVELS[character.level], part(observation, "stage", Stage).phase
        if phase == "review":
            prompts = [
                prompt.id
                for prompt in observation.prompts
                if prompt.kind == "continue" and prompt.id in observation.choices
            ]
            return Decision(prompts[0], Continue()) if prompts else None
        if phase == "end":
            return None
        private = part(observation, "mine", Mine)
        state = read_state(observation)
        piles = tuple(pile.id for pile in part(observation, "piles", Piles).piles)
        situation = Situation(observation.seat, state, piles)
        speaker = Speaker(observation, character, dice)
        settlement = settle(speaker, situation) or meet_demand(speaker, situation)
        if settlement is not None:
            return Decision(remark=settlement.remark, promise=settlement.promise)
        plea = None if character.is_substitute else beg(speaker, situation)
        if plea is not None:
            return Decision(remark=plea.remark, promise=plea.promise)
        options = list(list_options(observation, state, phase))
        if not options or (state.refused and state.refused[observation.seat]):
            speech = speak_only(speaker, situation)  # it never takes back a refusal
            return None if speech is None else Decision(remark=speech.remark, promise=speech.promise)
        leaning = find_leaning(speaker, situation, private.enemy)
        option = _find_pledged(speaker, options)
        if option is None:
            option = _choose_option(observation, state, options, skill, leaning, dice)
        after = follow(situation, option.after)
        speech = speak_with_move(speaker, situation, after, option.move)
        wait = find_wait(observation, situation)
        if speech is None:
            return Decision(option.prompt, option.move, after=wait)
        return Decision(option.prompt, option.move, speech.remark, speech.promise, wait)


BOT: Final = SuckerBot()
