"""A table of any game that a test drives move by move; subclasses add what is specific to one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic

import msgspec

from games.api import Dice, Game, LogLine, Millis, Outcome, Prompt, PromptId, Refusal, S, Seat, Step
from games.kit.moves import convert_move
from games.testing import random_play

START: Final = Millis(1_000)


class HandTable(Generic[S]):
    """A game in progress, from its start or from a given state; time passes only on request."""

    state: S

    def __init__(
        self,
        game: Game[S, Any, Any],
        seats: int,
        options: Mapping[str, Any],
        dice: Dice,
        *,
        state: S | None = None,
        at: Millis = START,
    ) -> None:
        self.game = game
        self.dice = dice
        self.at = at
        self.lines: list[LogLine] = []
        if state is not None:
            self.state = state
        else:
            chosen = msgspec.convert(options, game.Options)
            self._follow(game.setup(seats, chosen, at, dice))

    def _follow(self, step: Step[S]) -> None:
        self.state = step.state
        self.lines.extend(step.lines)

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        prompts = self.game.prompts(self.state)
        return () if isinstance(prompts, Outcome) else prompts

    def prompt(self, kind: str, seat: int = 0) -> PromptId:
        """The open prompt of this kind, or with this id."""
        (prompt,) = [one for one in self.prompts if kind in (one.kind, one.id) and seat in one.seats]
        return prompt.id

    def check(self, seat: int, kind: str, tag: str, /, **fields: Any) -> Refusal | None:
        move = convert_move({"move": tag, **fields}, self.game.Move)
        return self.game.check(self.state, Seat(seat), self.prompt(kind, seat), move, self.at)

    def do(self, seat: int, kind: str, tag: str, /, **fields: Any) -> None:
        refused = self.check(seat, kind, tag, **fields)
        assert refused is None, refused
        move = convert_move({"move": tag, **fields}, self.game.Move)
        prompt = self.prompt(kind, seat)
        self._follow(self.game.apply(self.state, Seat(seat), prompt, move, self.at, self.dice))

    def refused(self, seat: int, kind: str, tag: str, /, **fields: Any) -> str:
        """Asserts that the move is refused and changes nothing, and returns the code of the refusal."""
        before = msgspec.msgpack.encode(self.state)
        refusal = self.check(seat, kind, tag, **fields)
        assert refusal is not None
        assert msgspec.msgpack.encode(self.state) == before
        return refusal.code

    def expire(self) -> str:
        """Lets time pass until the next window ends, and returns its id."""
        due = random_play.first_due(self.game.windows(self.state))
        assert due is not None
        window, self.at = due
        self._follow(self.game.expire(self.state, window.id, self.at, self.dice))
        return window.id

    # views

    def window(self, kind: str) -> Any:
        (window,) = [one for one in self.game.windows(self.state) if one.kind == kind]
        return window

    def public(self, name: str) -> Any:
        return self.game.public(self.state)[name].data

    def private(self, seat: int, name: str) -> Any:
        return self.game.private(self.state, Seat(seat))[name].data

    @property
    def outcome(self) -> Outcome:
        outcome = self.game.prompts(self.state)
        assert isinstance(outcome, Outcome)
        return outcome

    def told(self, key: str, viewer: int | None = None) -> list[dict[str, Any]]:
        """The arguments of every line with this key that the viewer (None: everybody) may read."""
        return [
            dict(line.args)
            for line in self.lines
            if line.key == key and (line.to is None or (viewer is not None and viewer in line.to))
        ]
