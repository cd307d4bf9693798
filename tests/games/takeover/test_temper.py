"""How a Takeover character keeps its word, favours others and drafts: never at a price."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.api import Character
from games.dice import Dice
from games.kit.characters import CHARACTERS, find_character
from games.takeover.bot import evaluation, loyalty
from games.takeover.bot.bot import BOT
from games.takeover.bot.observation import NUMBER, read_table
from games.takeover.rules.values import (
    Merge,
    Pick,
    TakeoverState,
)
from tests.games.takeover.hearing import (
    NOOR,
    RAVI,
    ROW,
    decide,
    knows,
    reads,
)
from tests.games.takeover.players import observe
from tests.games.takeover.table import Table as HandTable
from tests.games.takeover.table import position


def test_it_keeps_its_word_if_that_costs_little() -> None:
    """Both S3>S5 and S3>S4 gain 1: it makes the one that it has not promised to leave out."""
    state = position({(0, 1): "S5", (1, 1): "S3", (2, 1): "S4"}, "S3 c5", "S5", "S4")
    free = {one.move for one in decide(observe(state), NOOR)}
    assert free == {Merge("S3>S5", ()), Merge("S3>S4", ())}
    bound = knows(observe(state), 0, "spare", to=1, coin="S5", turn=1)
    assert {one.move for one in decide(bound, NOOR)} == {Merge("S3>S4", ())}
    assert {one.move for one in decide(bound, RAVI)} == {Merge("S3>S4", ())}


def test_honesty_decides_up_to_a_limit() -> None:
    table = read_table(observe(position(ROW, "S5 c5", "S3 a5", "M4 m5")))
    squares = {name: table.stacks.tops.index(NUMBER[name]) for name in ("S3", "S5", "M4")}
    promised = knows(observe(position(ROW, "S5 c5", "S3 a5", "M4 m5")), 0, "spare", to=1, coin="M4", turn=1)

    def choose(points: float, character: Character) -> set[int]:
        mergers = [
            evaluation.RatedMerger(points, squares["S5"], squares["M4"], 4, True),
            evaluation.RatedMerger(1.0, squares["S5"], squares["S3"], 0, True),
        ]
        chosen = (loyalty.choose(mergers, table, promised, character, Dice(b"%d" % i)) for i in range(60))
        return {merger.onto for merger in chosen if merger is not None}

    assert choose(1.04, RAVI) == {squares["S3"]}
    assert choose(1.6, NOOR) == {squares["S3"]}
    assert choose(1.6, RAVI) == {squares["S3"], squares["M4"]}
    assert choose(2.2, NOOR) == {squares["M4"]}


def test_among_equal_mergers_it_spares_its_friends_and_not_its_foes() -> None:
    state = position({(0, 1): "S5", (1, 1): "S3", (2, 1): "S4"}, "S3 c5", "S5", "S4", holdings="open")
    merged = ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []})
    hurt = reads(observe(state), merged, ("takeover.yourFlip", {"coin": "M1"}))
    tallish = position({(0, 1): "M1 S5", (1, 1): "S3", (2, 1): "M2 S4"}, "S3 c5", "S5", "S4", holdings="open")
    observation = replace(hurt, sections=observe(tallish).sections, choices=observe(tallish).choices)
    moves = {one.move for one in decide(observation, find_character("mateo", "normal"))}
    assert moves == {Merge("S3>S5", ())}


# --- the draft ---


@pytest.mark.parametrize("character", CHARACTERS, ids=lambda character: character.key)
def test_a_character_often_takes_its_favourite_value_if_that_costs_one_point(character: Character) -> None:
    favourite = character.temper.boldness // 18
    for best in range(1, 6):
        state, turn = drafting(best)
        picks = [one.move for one in decide(observe(state, turn), character, 100)]
        values = [int(move.value) for move in picks if isinstance(move, Pick)]
        if best == favourite + 1 and character.level != "easy":
            assert 25 < values.count(favourite) < 75
        elif character.level != "easy":
            assert values.count(best) > (30 if best == favourite + 2 else 60)
        assert character.level == "easy" or set(values) <= {best, best - 1, favourite}


def test_the_three_characters_of_a_level_have_different_favourites() -> None:
    for level in BOT.levels:
        assert len({one.temper.boldness // 18 for one in CHARACTERS if one.level == level}) == 3


def drafting(best: int) -> tuple[TakeoverState, int]:
    """The draft when this is the highest value left."""
    table = HandTable(seats=4)
    while max(value for value, count in enumerate(table.state.draft.left) if count) > best:
        table.expire()
    assert table.state.stage.turn is not None
    return table.state, table.state.stage.turn
