"""The lesson of Takeover: what its texts say is so."""

from __future__ import annotations

from typing import Any

from games.api import Outcome, Seat
from games.takeover.rules import counting, mergers
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import Coin, Name
from games.testing.lessons import play_lesson
from tests.games.lesson_positions import check_length, find_step, list_states


def _after(text: str) -> Any:
    """The state after the step with this text."""
    return list_states(TAKEOVER)[find_step(TAKEOVER, text)]


def _before(text: str) -> Any:
    return list_states(TAKEOVER)[find_step(TAKEOVER, text) - 1]


def _worth(state: Any, name: Name) -> int:
    return counting.worth(state.grid, Coin(name, True))


def _totals(state: Any) -> tuple[int, ...]:
    return tuple(counting.total(state.grid, hand) for hand in state.hands)


MEANINGS = {"cash": "money", "stock": "share", "worth": "plus 1 for each tile under it"}
"""By word about money, what the text that has it first must say."""


def test_words_about_money_are_explained_where_they_first_come() -> None:
    assert TAKEOVER.lesson is not None
    steps = TAKEOVER.lesson.steps
    texts = [text for step in steps for text in (step.task, step.then) if text is not None]
    for word, meaning in MEANINGS.items():
        assert meaning in next(text for text in texts if word in text.lower())


def test_tips_explain_words_about_money() -> None:
    tips = TAKEOVER.texts.catalogue["coach"]
    for kind in ("draft.first", "flip."):
        for text in (text for key, text in tips.items() if key.startswith(kind)):
            assert "money" in text or "to spend" in text or "share" in text
    assert "plus 1 for each tile under it" in tips["turn.grow"]


def test_it_is_short() -> None:
    assert TAKEOVER.lesson is not None
    check_length(TAKEOVER.lesson)


def test_it_ends_as_its_last_text_says() -> None:
    assert TAKEOVER.lesson is not None
    assert "You win with 19." in (TAKEOVER.lesson.steps[-1].then or "")
    assert play_lesson(TAKEOVER) == Outcome((Seat(0),), (19, 8, 12, 10, 10, 10))


def test_the_learner_takes_the_coins_that_the_texts_name() -> None:
    state = _before("Choose Arms 5, then Crowns 0")
    assert _picks(state)[0] == [5, 3, 2, 0]
    assert all(pick.coin is None for pick in state.draft.picks)
    square = {stack[-1]: number for number, stack in enumerate(state.grid)}
    assert (square["A3"], square["C0"], square["A5"]) == (3, 9, 15)  # one column
    assert state.hands[0] == tuple(Coin(name, name in ("A3", "A5")) for name in ("C0", "C2", "A3", "A5"))


def _picks(state: Any) -> list[list[int]]:
    """The values that each seat has picked."""
    return [[pick.value for pick in state.draft.picks if pick.seat == seat] for seat in range(6)]


def test_the_learners_first_merger_is_free_and_adds_1() -> None:
    text = "Choose Arms 5, then Crowns 0"
    before, after = _before(text), _after(text)
    assert mergers.ways(before.grid)["A5>C0"].cost == 0
    assert (_worth(before, "A5"), _worth(after, "A5")) == (5, 6)
    assert _worth(_after("Your Arms 5 is now worth 6"), "A5") == 6


def test_bot_b_pays_7_for_a_stock_that_the_learner_then_swallows() -> None:
    state = _before("Bot B offers 7 for it")
    assert state.offers.open[0].give == (Coin("S5", False), Coin("A2", False))
    assert _worth(state, "A5") == 6
    state = _after("Bot B offers 7 for it")
    assert state.stage.turn == 0
    way = mergers.ways(state.grid)["A3>A5"]
    assert (way.cost, way.touch) == (0, True)
    assert Coin("A5", True) in state.hands[1]
    after = _after("Put it onto Arms 5")
    assert Coin("A5", False) in after.hands[1]
    assert (_worth(state, "A3"), _worth(after, "A3")) == (3, 5)
    assert _after("Bot B paid 7 for what is now 5").hands[1].count(Coin("A5", False)) == 1


def test_bot_e_leads_with_a_tower_that_costs_1() -> None:
    state = _after("Suns 1 has six tiles")
    assert Coin("S1", True) in state.hands[4]
    assert (len(state.grid[mergers.tops(state.grid)["S1"]]), _worth(state, "S1")) == (7, 7)
    assert _totals(state) == (14, 8, 12, 10, 16, 10)
    way = mergers.ways(state.grid)["A3>S1"]
    assert (way.cost, way.touch, way.source // 6) == (1, False, way.onto // 6)


def test_the_0_coin_turns_the_game() -> None:
    before, after = _before("Jump onto it with Arms 3"), _after("Jump onto it with Arms 3")
    assert (_worth(before, "A3"), _worth(after, "A3")) == (5, 12)
    assert (_worth(before, "S1"), Coin("S1", False) in after.hands[4]) == (7, True)


def test_no_merger_that_anybody_can_pay_gains_anything_at_the_end() -> None:
    state = _after("Jump onto it with Arms 3")
    for seat in map(Seat, range(6)):
        hand = state.hands[seat]
        for way in mergers.ways(state.grid).values():
            pay = mergers.cheapest(mergers.purse(hand))[way.cost]
            nulls = () if way.touch else mergers.nulls(hand)[:1]
            if pay is None or not (way.touch or nulls):
                continue
            grid = mergers.merge_stacks(state.grid, way)
            left = tuple(coin for coin in hand if coin.name not in (*pay, *nulls))
            flipped = tuple(Coin(coin.name, coin.stock and coin.name != way.covered) for coin in left)
            assert counting.total(grid, flipped) <= counting.total(state.grid, hand)
