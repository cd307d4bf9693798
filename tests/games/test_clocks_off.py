"""With timers off, the only clocks are those of windows that rules fix, and one's own move starts them."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import msgspec
import pytest

from games import GAMES
from games.api import Millis, Outcome, Running, Seat
from games.dice import Dice
from games.kit import time_control

FIXED: Final = {"peek": 30_000, "market": 30_000, "take": 20_000}
"""The length of each window that the rules fix, in milliseconds (Share and Share Alike, 1c)."""
VARIANTS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "shares": ({"rounds": "5"}, {"rounds": "5", "openMarket": True, "lowball": True}),
}
"""The options, besides the timers, of tables played alone, and of others that have all fixed windows."""
SEATS: Final = 4


@pytest.mark.parametrize("key", GAMES)
def test_only_ones_own_move_starts_a_clock(key: str) -> None:
    """GEN-6: it has the length that the rules give it. Nobody makes a last call, as nobody alone can."""
    started: Counter[str] = Counter()
    for options in VARIANTS.get(key, ({},)):
        for number in range(8):
            started.update(play(key, options, b"off %d" % number))
    assert set(started) == (set(FIXED) if key == "shares" else set())


def play(key: str, chosen: dict[str, Any], seed: bytes) -> Counter[str]:
    """Plays at random, checks each clock that starts, and returns the kinds of their windows."""
    game = GAMES[key].game
    options = msgspec.convert({"timers": "off", **chosen}, game.Options)
    dice, chance = Dice(seed), Dice(seed + b" chance")
    at = Millis(0)
    state = game.setup(SEATS, options, at, dice).state
    assert game.windows(state) == ()
    kinds: Counter[str] = Counter()
    for _ in range(300):
        if isinstance(game.prompts(state), Outcome):
            break
        before = {window.id for window in game.windows(state)}
        seat = None
        if before and chance.below("wait", 2):
            window = game.windows(state)[0]
            assert isinstance(window.clock, Running)
            at = window.clock.end
            state = game.expire(state, window.id, at, dice).state
        else:
            at = Millis(at + 100)
            seat = Seat(chance.below("seat", SEATS))
            sample = game.sample(state, seat, chance)
            if sample is None or sample[1].__struct_config__.tag in time_control.MOVES:
                continue
            state = game.apply(state, seat, *sample, at, dice).state
        for window in game.windows(state):
            if window.id not in before:
                kinds[window.kind] += 1
                assert seat in window.concerns, f"{window.id} opened by itself"
                assert window.clock == Running(Millis(at + FIXED[window.kind]))
                assert (window.span, window.extend) == (FIXED[window.kind], None)
    return kinds
