"""Which promises a move would break, as its preview tells, says nothing of what is hidden (G4)."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest

from games import GAMES
from games.almost.rules.promises import AlmostPromises
from games.almost.rules.values import Score
from games.api import Choice, Judgement, Millis, NewPromise, Promise, PromiseEvent, Range, Seat
from games.dice import Dice
from games.kit.moves import convert_move
from games.kit.promises import section, view_public
from games.testing import random_play
from hub.table.room import list_broken

EVENTS: Final = 150
KEPT: Final = 24


def draw_promise(game: Any, state: Any, by: Seat, to: Seat, chance: Random) -> Promise | None:
    view = view_public(game, state)
    choices: tuple[Choice, ...] = game.promises.choices(view, by)
    if not choices:
        return None
    choice = chance.choice(choices)
    terms: dict[str, int | str] = {}
    for name, domain in choice.fields.items():
        offered: Any = domain
        if name == "to":
            to = Seat(chance.choice(offered.of))
        elif isinstance(domain, Range):
            terms[name] = chance.randint(domain.least, domain.most)
        else:
            terms[name] = chance.choice(offered.of)
    new = NewPromise(choice.move, terms, (to,))
    made: Promise = game.promises.complete(new.promise(str(chance.random()), by, Millis(5), 1), view)
    return made


def count_broken(game: Any, key: str, seed: int = 1) -> int:
    """Previews moves with other secrets, and returns how many promises they would break.

    Raises AssertionError if that depends on the secrets.
    """
    seats, chance, broken = game.seats[0], Random(seed), 0
    style, start = random_play.STYLES[0], f"{key} {seed}".encode()
    made: list[Promise] = []
    for before, after in pairwise(random_play.play(game, seats, game.Options(), start, style, EVENTS)):
        event, seat, state = after.event, after.event.seat, before.state
        for by in map(Seat, range(seats)):
            to = chance.choice([Seat(other) for other in range(seats) if other != by])
            drawn = (draw_promise(game, state, by, to, chance) for _ in range(3))
            made = [*made, *(promise for promise in drawn if promise is not None)][-KEPT * seats :]
        if event.kind != "move" or seat is None or event.prompt is None:
            continue
        move, at = convert_move(event.move, game.Move), Millis(event.at)
        others = (game.resample(state, seat, Dice(b"other %d" % number)) for number in range(2))
        told = [list_broken(game, tuple(made), one, seat, event.prompt, move, at) for one in (state, *others)]
        assert told[1:] == told[:1] * 2, event
        broken += len(told[0])
    return broken


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_promises_that_a_move_would_break_tell_no_secret(key: str) -> None:
    assert count_broken(GAMES[key].game, key)


class _Leaky(AlmostPromises):
    """A promise counts as broken by what another seat has bid."""

    def judge(self, promise: Promise, event: PromiseEvent) -> Judgement | None:
        before, after = (section(view, "score", Score).rows for view in (event.before, event.after))
        if len(before) == len(after):
            return None
        return "broken" if after[-1].bids[promise.by - 1] < 6 else "kept"


def test_a_move_tried_with_the_secrets_as_they_are_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: what is hidden is not redrawn before the move is tried."""
    game: Any = GAMES["almost"].game
    resample = type(game).resample

    def keep(self: Any, state: Any, viewer: Seat | None, dice: Dice | None) -> Any:
        return state if dice is None else resample(self, state, viewer, dice)

    monkeypatch.setattr(type(game), "promises", _Leaky())
    assert all(count_broken(game, "almost", seed) >= 0 for seed in range(5))
    monkeypatch.setattr(type(game), "resample", keep)
    monkeypatch.setattr("hub.table.room.Dice", lambda seed: None)
    with pytest.raises(AssertionError):
        all(count_broken(game, "almost", seed) >= 0 for seed in range(5))
