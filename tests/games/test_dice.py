"""The dice: known answers, exact uniformity, resumption, and the same draws everywhere (GEN-2, G7)."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import dice as module
from games.dice import Dice, Draw, bot_dice, commitment, game_seed
from tests.games.examples import examples

SEED = bytes(range(32))
KNOWN_DIE = [2, 0, 0, 1, 2, 4, 3, 4, 4, 4, 1, 3]
KNOWN_DECK = tuple("caegdhbf")


def value(seed: bytes, counter: int, label: str) -> int:
    """One value of the stream, from the definition alone."""
    return int(hmac.new(seed, f"{counter}:{label}".encode(), hashlib.sha256).hexdigest(), 16)


def test_known_draws() -> None:
    dice = Dice(SEED)
    assert [dice.below("die", 6) for _ in range(12)] == KNOWN_DIE
    assert dice.shuffle("deck", "abcdefgh") == KNOWN_DECK
    assert dice.counter == 19
    assert dice.draws[0] == Draw("die", 6, KNOWN_DIE[0])
    assert [draw.sides for draw in dice.draws[12:]] == [8, 7, 6, 5, 4, 3, 2]


def test_known_seeds() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert game_seed(SEED, ["", "blå"]) == hmac.new(SEED, "salts:0:,4:blå,".encode(), "sha256").digest()
    assert bot_dice(SEED, 2, 7).below("x", 2**64) == value(
        hmac.new(SEED, b"bot:2:7", "sha256").digest(), 0, "x"
    ) % (2**64)


@examples(40, 300, st.integers(1, 2**256), st.integers(0, 2**40), st.text(max_size=8))
def test_a_draw_is_the_first_value_below_the_largest_multiple(sides: int, counter: int, label: str) -> None:
    dice = Dice(SEED, counter)
    result = dice.below(label, sides)
    limit = 2**256 - 2**256 % sides
    tried = [value(SEED, at, label) for at in range(counter, dice.counter)]
    assert all(one >= limit for one in tried[:-1])
    assert tried[-1] < limit
    assert result == tried[-1] % sides
    assert dice.draws == [Draw(label, sides, result)]


def test_values_at_and_above_the_limit_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = 3 * 2**254
    stream = iter([2**256 - 1, sides, sides - 1])
    monkeypatch.setattr(module, "digest", lambda *_: next(stream).to_bytes(32, "big"))
    dice = Dice(SEED)
    assert dice.below("high", sides) == sides - 1
    assert dice.counter == 3


def test_every_result_is_equally_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a span of 20 values, a six-sided die discards two, and each face comes up three times."""
    monkeypatch.setattr(module, "_SPAN", 20)
    faces = []
    for one in range(20):
        stream = iter([one, 0])
        monkeypatch.setattr(module, "digest", lambda *_, s=stream: next(s).to_bytes(32, "big"))
        dice = Dice(SEED)
        result = dice.below("die", 6)
        if dice.counter == 1:
            faces.append(result)
    assert sorted(faces) == sorted([*range(6)] * 3)


def test_every_order_comes_from_one_series_of_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    orders = []
    for series in itertools.product(range(4), range(3), range(2)):
        dice = Dice(SEED)
        results = iter(series)
        monkeypatch.setattr(Dice, "below", lambda *_, r=results: next(r))
        orders.append(dice.shuffle("deck", "abcd"))
    assert sorted(orders) == sorted(itertools.permutations("abcd"))


@pytest.mark.parametrize("sides", [0, -1, 2**256 + 1])
def test_impossible_dice(sides: int) -> None:
    dice = Dice(SEED)
    with pytest.raises(ValueError, match="sides"):
        dice.below("die", sides)
    assert dice.counter == 0
    assert dice.draws == []


@given(st.integers(0, 30), st.lists(st.integers(1, 2**256), min_size=1, max_size=30))
def test_a_stream_goes_on_where_it_stopped(stop: int, sides: list[int]) -> None:
    whole, first = Dice(SEED), Dice(SEED)
    results = [whole.below("x", one) for one in sides]
    head = [first.below("x", one) for one in sides[:stop]]
    second = Dice(SEED, first.counter)
    assert head + [second.below("x", one) for one in sides[stop:]] == results
    assert second.counter == whole.counter


def test_labels_and_counters_do_not_run_into_each_other() -> None:
    """`1:2:x` is counter 1 with label `2:x`, never counter 12 or label `x`."""
    assert Dice(SEED, 1).below("2:x", 2**256) != Dice(SEED, 12).below("x", 2**256)
    assert Dice(SEED, 1).below("2:x", 2**256) != Dice(SEED, 1).below("x", 2**256)


@given(
    st.lists(st.text(max_size=5), max_size=4),
    st.lists(st.text(max_size=5), max_size=4),
)
def test_different_salts_make_different_keys(one: list[str], other: list[str]) -> None:
    assert (game_seed(SEED, one) == game_seed(SEED, other)) == (one == other)


def test_bots_draw_from_streams_of_their_own() -> None:
    streams = [bot_dice(SEED, seat, moment) for seat in range(3) for moment in range(3)]
    first = [stream.below("x", 2**256) for stream in [*streams, Dice(SEED), Dice(game_seed(SEED, []))]]
    assert len(set(first)) == len(first)


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_draws_do_not_hang_on_the_hash_seed(hash_seed: str) -> None:
    program = (
        "from games.dice import Dice; d = Dice(bytes(range(32)));"
        "print([d.below('die', 6) for _ in range(12)], ''.join(d.shuffle('deck', 'abcdefgh')))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.strip() == f"{KNOWN_DIE} {''.join(KNOWN_DECK)}"
