"""A game small enough for a test to tamper with every byte of its record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from games import api
from games.api import Millis, Outcome, PromptId, Running, Seat, Step, Window, WindowId


class ToyOptions(api.Struct, frozen=True):
    sides: int = 6


class Guess(api.Struct, frozen=True, tag_field="move", tag="guess"):
    number: int


class Longer(api.Struct, frozen=True, tag_field="move", tag="longer"):
    pass


class ToyState(api.Struct, frozen=True):
    sides: int
    end: int
    target: int
    longer: int
    guesses: tuple[int | None, ...]


class Toy:
    """Seats guess what a die shows; a seat that has not guessed when the window ends gets a random guess."""

    key = "toy"
    title = "Toy"
    lesson: api.Lesson | None = None
    texts = api.Texts(
        title=title,
        lines={},
        refusals={},
        phrases=(),
        prompts=frozenset(),
        windows=frozenset(),
        catalogue={"title": title},
    )
    version = 3
    seats = range(2, 4)
    minutes = (1, 1)
    Options = ToyOptions
    State = ToyState
    Move = Guess | Longer
    sections: Mapping[str, type[msgspec.Struct]] = {}

    def refuse_options(self, seats: int, options: ToyOptions) -> api.Refusal | None:
        return None if options.sides > 1 else api.Refusal("ONE_SIDE", "TOY-1")

    def setup(self, seats: int, options: ToyOptions, at: Millis, dice: api.Dice) -> Step[ToyState]:
        return Step(
            ToyState(options.sides, at + 1000, dice.below("target", options.sides), 0, (None,) * seats)
        )

    def prompts(self, state: ToyState) -> tuple[api.Prompt, ...] | Outcome:
        if None in state.guesses:
            missing = frozenset(Seat(i) for i, guess in enumerate(state.guesses) if guess is None)
            everybody = frozenset(Seat(i) for i in range(len(state.guesses)))
            return (
                api.Prompt(PromptId("guess"), "guess", missing, WindowId("w"), None),
                api.Prompt(PromptId("longer"), "longer", everybody, None, None),
            )
        scores = tuple(int(guess == state.target) for guess in state.guesses)
        return Outcome(tuple(Seat(i) for i, score in enumerate(scores) if score), scores)

    def windows(self, state: ToyState) -> tuple[Window, ...]:
        if None not in state.guesses:
            return ()
        concerns = frozenset(Seat(i) for i, guess in enumerate(state.guesses) if guess is None)
        clock, span = Running(Millis(state.end)), Millis(1000 * (1 + state.longer))
        return (
            Window(WindowId(f"w{state.longer}"), "guess", None, concerns, clock, span, PromptId("longer")),
        )

    def check(
        self, state: ToyState, seat: Seat, prompt: PromptId, move: Any, at: Millis
    ) -> api.Refusal | None:
        if isinstance(move, Guess) and not 0 <= move.number < state.sides:
            return api.Refusal("NOT_ON_THE_DIE", "TOY-2")
        return None

    def apply(
        self, state: ToyState, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: api.Dice
    ) -> Step[ToyState]:
        if isinstance(move, Longer):
            return Step(msgspec.structs.replace(state, end=state.end + 1000, longer=state.longer + 1))
        guesses = (*state.guesses[:seat], move.number, *state.guesses[seat + 1 :])
        return Step(msgspec.structs.replace(state, guesses=guesses))

    def expire(self, state: ToyState, window: WindowId, at: Millis, dice: api.Dice) -> Step[ToyState]:
        drawn = tuple(dice.below("auto", state.sides) if g is None else g for g in state.guesses)
        return Step(msgspec.structs.replace(state, guesses=drawn))

    def extension(self, state: ToyState, seat: Seat, window: WindowId) -> Longer | None:
        return Longer() if state.longer == 0 else None


class Bot:
    levels = ("easy", "hard")


def registry(version: int = 3) -> dict[str, api.Registration]:
    game = Toy()
    game.version = version
    return {"toy": api.Registration(game, Bot())}  # type: ignore[arg-type]
