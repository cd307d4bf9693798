"""So Long Sucker (Hausner, Nash, Shapley, Shubik, 1964), with blind allies and blackmail (2019): the rules.

Chips are stacked on piles: a matching chip captures; otherwise the move passes to another seat. A seat that
gets the move but has no chips is defeated unless it is rescued. The rulings SLS-1..36 and GEN-1..13 settle
what the text leaves open; they are cited where they apply, and RULES.md explains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from games.api import (
    Advice,
    Choices,
    Dice,
    Millis,
    Observation,
    Outcome,
    Prompt,
    PromptId,
    Refusal,
    Seat,
    Section,
    Step,
    TalkPolicy,
    Window,
    WindowId,
    open_prompts,
)
from games.kit import choices as kit_choices
from games.kit import time_control as time_control
from games.kit.lessons import read_lesson
from games.kit.time_control import TimeControl
from games.kit.timed_game import TimedGame, timer_of
from games.sucker import coach
from games.sucker.rules import actions, determinization, endings, legal, previews, prompts, talk, turn_flow
from games.sucker.rules.promises import SuckerPromises
from games.sucker.rules.values import (
    BASE,
    Continue,
    GiveMove,
    Hands,
    Kill,
    KillPrisoners,
    Match,
    Place,
    PlayCard,
    Readiness,
    Refuse,
    Relent,
    RescueWith,
    Stage,
    SuckerMove,
    SuckerOptions,
    SuckerPlay,
    SuckerState,
    Transfer,
)
from games.sucker.rules.views import Cards, History, Mine, Piles, Rescue, Trail
from games.sucker.texts import SEATS, TEXTS


class Sucker(TimedGame[SuckerState, SuckerPlay, SuckerOptions]):
    """The rules of both versions: without blind allies and blackmail, this is the 1964 game.

    All talk is public: there are no secret agreements (seed 6). Defeated players may keep talking.
    """

    key = "sucker"
    version = 2
    readable_versions = (1,)  # which counted a pile that nobody could have taken as spared
    seats = range(min(BASE), max(BASE) + 1)
    minutes = (20, 45)
    sections: Mapping[str, type[msgspec.Struct]] = {
        "stage": Stage,
        "hands": Hands,
        "piles": Piles,
        "trail": Trail,
        "cards": Cards,
        "rescue": Rescue,
        "match": Match,
        "readiness": Readiness,
        "history": History,
        "time_control": TimeControl,
        "mine": Mine,
    }
    private_sections = frozenset({"mine"})
    texts = TEXTS
    lesson = read_lesson("games.sucker")
    promises = SuckerPromises()

    def refuse_options(self, seats: int, options: SuckerOptions) -> Refusal | None:
        return None if seats in self.seats else SEATS

    def setup(self, seats: int, options: SuckerOptions, at: Millis, dice: Dice) -> Step[SuckerState]:
        return turn_flow.begin(seats, options, at, dice)

    def prompts(self, state: SuckerState) -> tuple[Prompt, ...] | Outcome:
        if state.stage.phase == "end":
            return endings.outcome(state.match.points)
        return prompts.prompts(state)

    def out_seats(self, state: SuckerState) -> frozenset[Seat]:
        """The seats defeated in the round under way; the next round asks them again (SLS-31)."""
        return prompts.out_seats(state.stage)

    def windows(self, state: SuckerState) -> tuple[Window, ...]:
        return prompts.windows(state)

    def check_move(
        self, state: SuckerState, seat: Seat, prompt: PromptId, move: SuckerPlay, at: Millis
    ) -> Refusal | None:
        """Depends only on the public state and the cards the seat holds (GEN-3)."""
        return legal.refuse(state, seat, prompt.partition(":")[0], move)

    def apply_move(
        self, state: SuckerState, seat: Seat, prompt: PromptId, move: SuckerPlay, at: Millis, dice: Dice
    ) -> Step[SuckerState]:
        """Every move of this game is public."""
        match move:
            case Place():
                return actions.place(state, seat, move, at)
            case PlayCard():
                return actions.play_card(state, seat, move, at)
            case GiveMove(to=to):
                return actions.give(state, seat, Seat(to), at)
            case Kill(colour=colour):
                return actions.kill(state, seat, colour, at)
            case RescueWith():
                return actions.rescue(state, seat, move, at)
            case Refuse():
                return actions.refuse(state, seat, at)
            case Relent():
                return actions.relent(state, seat)
            case Transfer():
                return actions.transfer(state, seat, move, at)
            case KillPrisoners():
                return actions.kill_prisoners(state, seat, move, at)
            case Continue():
                return actions.ready(state, (seat,), at, (), dice)

    def talk_policy(self, state: SuckerState, seat: Seat | None) -> TalkPolicy:
        """Open talk for seats, with the phrases that fit the moment, and none for spectators."""
        return super().talk_policy(state, seat) if seat is None else talk.find_policy(state.stage, seat)

    def done(self, state: SuckerState) -> tuple[bool, ...]:
        return actions.done_of(state)

    def expire(self, state: SuckerState, window: WindowId, at: Millis, dice: Dice) -> Step[SuckerState]:
        """Plays the phase's default (2b) for a seat that is away, or for all seats the window is waiting for.

        Raises ValueError for a window that is not open.
        """
        return actions.expire(state, time_control.find_window_seat(timer_of(state), window), at, dice)

    def public(self, state: SuckerState) -> dict[str, Section]:
        return prompts.public(state)

    def private(self, state: SuckerState, seat: Seat) -> dict[str, Section]:
        return prompts.private(state, seat)

    def choices(self, state: SuckerState, seat: Seat) -> Choices:
        return prompts.choices(state, seat)

    def preview(self, state: SuckerState, seat: Seat, move: SuckerMove) -> Section | None:
        """Shows who would be next, who would capture or need a rescue, and which chips would move."""
        prompts = open_prompts(self.prompts(state), seat)
        if all(legal.refuse(state, seat, prompt.kind, move) is not None for prompt in prompts):
            return None
        preview = previews.preview(state, seat, move)
        return None if preview is None else Section(preview)

    def sample(self, state: SuckerState, seat: Seat, dice: Dice) -> tuple[PromptId, SuckerMove] | None:
        """Usually answers the phase's prompt and places on existing piles, so that games make progress."""
        offered = self.choices(state, seat)
        main = prompts.main_id(state.stage)
        if main in offered and dice.below("main", 4):
            onto = tuple(
                choice for choice in offered[main] if choice.move != "place" or "pile" in choice.fields
            )
            offered = {main: onto if onto and dice.below("onto", 8) else offered[main]}
        return kit_choices.sample(offered, len(state.stage.alive), SuckerMove, dice)

    def coach(self, observation: Observation, prompt: Prompt) -> Advice | None:
        return coach.advise(observation, prompt)

    def resample(self, state: SuckerState, viewer: Seat | None, dice: Dice) -> SuckerState:
        return determinization.resample(state, viewer, dice)


SUCKER: Final = Sucker()
