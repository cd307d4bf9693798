"""What the tests of games share: a table to play at by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import settings

from games import GAMES, trials
from games.api import AskId, Line, Millis, Outcome, Refusal, Seat
from games.dice import Dice
from games.sucker import bot as sucker_bot
from games.trials import AnyGame

settings.register_profile("games", deadline=None)  # a slow machine is no failure
settings.load_profile("games")


class Table:
    """A game in progress; time passes only when told."""

    def __init__(self, game: str | AnyGame, seats: int, options: dict[str, Any]) -> None:
        self.game = GAMES[game].game if isinstance(game, str) else game
        self.seats = seats
        self.dice = Dice(b"table")
        self.at = Millis(0)
        self.lines: list[Line] = []
        taken = msgspec.convert(options, self.game.Options)
        assert self.game.refuse_options(seats, taken) is None
        self._follow(self.game.setup(seats, taken, self.at, self.dice))

    def _follow(self, step: Any) -> None:
        self.state = step.state
        self.lines.extend(step.lines)

    def ask(self, kind: str, seat: int = 0) -> AskId:
        """The id of the open ask of this kind."""
        asks = self.game.asks(self.state)
        assert not isinstance(asks, Outcome)
        (found,) = [one for one in asks if one.kind == kind and seat in one.seats]
        return found.id

    def check(self, seat: int, kind: str, tag: str, **fields: Any) -> Refusal | None:
        move = msgspec.convert({"move": tag, **fields}, self.game.Move)
        return self.game.check(self.state, Seat(seat), self.ask(kind, seat), move, self.at)

    def do(self, seat: int, kind: str, tag: str, **fields: Any) -> None:
        assert self.check(seat, kind, tag, **fields) is None
        move = msgspec.convert({"move": tag, **fields}, self.game.Move)
        self._follow(self.game.apply(self.state, Seat(seat), self.ask(kind, seat), move, self.at, self.dice))

    def refused(self, seat: int, kind: str, tag: str, **fields: Any) -> str:
        """The code of the refusal there must be."""
        before = msgspec.msgpack.encode(self.state)
        refusal = self.check(seat, kind, tag, **fields)
        assert refusal is not None
        assert msgspec.msgpack.encode(self.state) == before
        return refusal.code

    def expire(self) -> str:
        """Let time pass until the next window ends; its id."""
        due = trials.first_due(self.game.windows(self.state))
        assert due is not None
        window, self.at = due
        self._follow(self.game.expire(self.state, window.id, self.at, self.dice))
        return window.id

    def window(self, kind: str) -> Any:
        (found,) = [one for one in self.game.windows(self.state) if one.kind == kind]
        return found

    def public(self, name: str) -> Any:
        return self.game.public(self.state)[name].data

    def private(self, seat: int, name: str) -> Any:
        return self.game.private(self.state, Seat(seat))[name].data

    @property
    def outcome(self) -> Outcome:
        found = self.game.asks(self.state)
        assert isinstance(found, Outcome)
        return found

    def told(self, key: str) -> list[dict[str, Any]]:
        """The arguments of every line with this key."""
        return [dict(line.args) for line in self.lines if line.key == key]


@pytest.fixture
def brief_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who thinks long does not: for tests of what bots may do and see in very many games."""
    hard = sucker_bot.TEMPERS["hard"]
    monkeypatch.setitem(sucker_bot.TEMPERS, "hard", hard._replace(positions=50, steps=0))


@pytest.fixture
def table() -> Callable[..., Table]:
    """A table of a game, by its key or itself: `table("almost", 4, mode="banbury")`."""

    def make(game: str | AnyGame, seats: int, **options: Any) -> Table:
        return Table(game, seats, options)

    return make
