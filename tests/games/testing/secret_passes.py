"""A game in which seats pass in secret, faulty variants of it, and bots that break the contract.

Each of the two rounds shows nothing until a seat claims it, every seat has passed, or ten seconds are up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from games.api import (
    Bot,
    Character,
    Choice,
    Choices,
    Decision,
    Dice,
    LogLine,
    Millis,
    MoveBase,
    Observation,
    Outcome,
    OwnerOnly,
    Prompt,
    PromptId,
    Public,
    Refusal,
    Seat,
    Section,
    Step,
    Struct,
    Texts,
    WindowId,
)
from games.kit import time_control
from games.kit.observations import part
from games.kit.texts import kit_texts
from games.kit.time_control import Extend, LastCall, TimeControl
from games.kit.timed_game import TimedGame, TimedState, count_missed
from games.kit.tuples import replace_at

CLOCKS: Final = kit_texts("time_control")
ROUNDS: Final = 2
SPAN: Final = Millis(10_000)


class PassOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No options."""


class Pass(MoveBase, frozen=True, tag="pass", forbid_unknown_fields=True):
    """Passes on the round in secret."""


class Claim(MoveBase, frozen=True, tag="claim", forbid_unknown_fields=True):
    """Claims the round's point, unless another seat was first."""


PassPlay: TypeAlias = Pass | Claim


class Score(Struct, frozen=True):
    round: Public[int]
    points: Public[tuple[int, ...]]


class Hand(Struct, frozen=True):
    card: int
    passed: bool


class PassState(TimedState, frozen=True):
    score: Public[Score]
    cards: OwnerOnly[tuple[int, ...]]
    passed: OwnerOnly[tuple[bool, ...]]


class PassInSecret(TimedGame[PassState, PassPlay, PassOptions]):
    key = "secret_passes"
    title = "Secret Passes"
    version = 1
    seats = range(2, 5)
    minutes = (1, 1)
    Options = PassOptions
    State = PassState
    Move = PassPlay | Extend | LastCall
    silent = frozenset({"pass"})
    sections: Mapping[str, type[msgspec.Struct]] = {"score": Score, "hand": Hand, "time_control": TimeControl}
    private_sections = frozenset({"hand"})
    texts = Texts(
        title=title,
        lines={"pass.all": ("seats",), "pass.claimed": ("seat",), **CLOCKS.lines},
        refusals={"PASSED": (), "OTHER_PROMPT": ()},
        phrases=(),
        prompts=CLOCKS.prompts | {"round"},
        windows=CLOCKS.windows | {"round"},
    )

    def setup(self, seats: int, options: PassOptions, at: Millis, dice: Dice) -> Step[PassState]:
        score = Score(0, (0,) * seats)
        cards = tuple(dice.below("card", 10) for _ in range(seats))
        control = time_control.start(seats, "normal")
        state = PassState(score, cards, (False,) * seats, time_control=control, timer=None)
        return Step(self.begin_round(state, score, at))

    def begin_round(self, state: PassState, score: Score, at: Millis) -> PassState:
        """Begins the next round, or ends the game."""
        seats = tuple(Seat(seat) for seat in range(len(state.passed)))
        score = replace(score, round=score.round + 1)
        name = WindowId(f"round:{score.round}")
        timer = time_control.reaction(name, "round", seats, SPAN, at) if score.round <= ROUNDS else None
        return replace(state, score=score, passed=(False,) * len(seats), timer=timer)

    def prompts(self, state: PassState) -> tuple[Prompt, ...] | Outcome:
        points = state.score.points
        if state.timer is None:
            return Outcome(tuple(Seat(i) for i, one in enumerate(points) if one == max(points)), points)
        everybody = frozenset(state.timer.concerns)
        return (Prompt(PromptId(state.timer.id), "round", everybody, state.timer.id, None),)

    def check_move(
        self, state: PassState, seat: Seat, prompt: PromptId, move: PassPlay, at: Millis
    ) -> Refusal | None:
        return Refusal("PASSED", "GEN-3") if state.passed[seat] else None

    def apply_move(
        self, state: PassState, seat: Seat, prompt: PromptId, move: PassPlay, at: Millis, dice: Dice
    ) -> Step[PassState]:
        if isinstance(move, Claim):
            points = state.score.points
            score = replace(state.score, points=replace_at(points, seat, points[seat] + 1))
            line = LogLine("pass.claimed", {"seat": seat}, None)
            return Step(self.begin_round(state, score, at), (line,))
        passed = replace_at(state.passed, seat, True)
        if not self.is_over(passed):
            return Step(replace(state, passed=passed))
        line = LogLine("pass.all", {"seats": self.tell_passed(seat, passed)}, None)
        return Step(self.begin_round(state, state.score, at), (line,))

    def is_over(self, passed: tuple[bool, ...]) -> bool:
        return all(passed)

    def tell_passed(self, seat: Seat, passed: tuple[bool, ...]) -> list[int]:
        return [*range(len(passed))]

    def expire(self, state: PassState, window: WindowId, at: Millis, dice: Dice) -> Step[PassState]:
        late = [Seat(seat) for seat, passed in enumerate(state.passed) if not passed]
        after, lines = count_missed(state, late)
        return Step(self.begin_round(after, after.score, at), lines)

    def public(self, state: PassState) -> dict[str, Section]:
        return {"score": Section(state.score), "time_control": Section(state.time_control)}

    def private(self, state: PassState, seat: Seat) -> dict[str, Section]:
        return {"hand": Section(Hand(state.cards[seat], state.passed[seat]))}

    def choices(self, state: PassState, seat: Seat) -> Choices:
        if state.timer is None or state.passed[seat]:
            return {}
        return {PromptId(state.timer.id): (Choice("pass"), Choice("claim"))}

    def resample(self, state: PassState, viewer: Seat | None, dice: Dice) -> PassState:
        """Leaves at least one seat that has not passed yet; otherwise the round would be over."""
        cards = tuple(
            card if seat == viewer else dice.below("resample", 10) for seat, card in enumerate(state.cards)
        )
        passed = tuple(
            one if seat == viewer else bool(dice.below("resample", 2))
            for seat, one in enumerate(state.passed)
        )
        if all(passed):
            others = [seat for seat in range(len(passed)) if seat != viewer]
            passed = replace_at(passed, others[dice.below("resample", len(others))], False)
        return replace(state, cards=cards, passed=passed)


class WhoPassesLast(PassInSecret):
    """The line names the seat that passed last."""

    def tell_passed(self, seat: Seat, passed: tuple[bool, ...]) -> list[int]:
        return [seat]


class FirstPassCounts(PassInSecret):
    """A round is over as soon as anybody passes."""

    def is_over(self, passed: tuple[bool, ...]) -> bool:
        return any(passed)


class Passer(Bot[PassPlay]):
    """Passes or claims depending on its card, after a delay it may choose."""

    levels: tuple[str, ...] = ("easy",)

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Decision[PassPlay] | None:
        after = self.hesitate(observation, dice)
        for prompt, choices in observation.choices.items():
            if choices:
                return Decision(prompt, self.choose(observation), after=after)
        return None

    def hesitate(self, observation: Observation, dice: Dice) -> Millis | None:
        return None

    def choose(self, observation: Observation) -> PassPlay:
        return Claim() if part(observation, "hand", Hand).card > 6 else Pass()


class HesitatesByTheTable(Passer):
    """Hesitates for a time that depends on the round, which everybody sees, and on the dice."""

    def hesitate(self, observation: Observation, dice: Dice) -> Millis | None:
        return Millis(3_000 * part(observation, "score", Score).round + dice.below("after", 3_000))


class HesitatesByItsCards(Passer):
    def hesitate(self, observation: Observation, dice: Dice) -> Millis | None:
        return Millis(1_000 + part(observation, "hand", Hand).card)


class ByTheOrderOfASet(Passer):
    """Decides by the iteration order of a set of words, which differs from process to process."""

    def choose(self, observation: Observation) -> PassPlay:
        card = part(observation, "hand", Hand).card
        return Claim() if next(iter({f"claim {card}", f"pass {card}"})).startswith("claim") else Pass()


GAME: Final = PassInSecret()
