"""The lesson of So Long Sucker: what its texts say is so."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from games.api import PROMISE, SAY, Lesson, Outcome, Seat
from games.sucker.rules import piles
from games.sucker.rules.game import SUCKER
from games.sucker.rules.hands import chip_counts, prisoner_counts
from games.sucker.rules.values import SuckerState
from games.testing.lessons import play_lesson
from tests.games.lesson_positions import check_length, count_words, find_step, list_states

YOU, B, C, D = range(4)


def _lesson() -> Lesson:
    assert SUCKER.lesson is not None
    return SUCKER.lesson


@cache
def _states() -> list[SuckerState]:
    return list_states(SUCKER)


def _before(text: str) -> SuckerState:
    """The state before the step with these words."""
    return _states()[find_step(SUCKER, text) - 1]


def _after(text: str) -> SuckerState:
    return _states()[find_step(SUCKER, text)]


def _chips(state: SuckerState, shown: int) -> tuple[int, ...]:
    """The chips of a pile, by the number on the screen, which counts from 1."""
    pile = piles.find(state.piles, shown - 1)
    assert pile is not None
    return pile.chips


def test_it_is_short() -> None:
    check_length(_lesson())


def test_it_is_the_game_of_1964_with_the_fewest_seats() -> None:
    assert _lesson().seats == SUCKER.seats.start
    assert _lesson().options == {"blindAlly": False, "blackmail": False, "timers": "off"}


def test_it_ends_as_its_last_text_says() -> None:
    last = _lesson().steps[-1].then
    assert last is not None
    assert "Bot D and Bot B fell the same way, and you win. Bot C had trusted you:" in last
    assert play_lesson(SUCKER) == Outcome((Seat(YOU),), (1, 0, 0, 0))
    state = _states()[-1]
    assert chip_counts(state.hands) == (6, 0, 0, 0)
    assert state.stage.out == (C, D, B)


def test_bot_b_gives_the_turn_back_at_first() -> None:
    assert chip_counts(_states()[0].hands) == (7, 7, 7, 7)
    only = _before("Only your colour is missing from pile 1")
    assert only.stage.mover == YOU
    assert _chips(only, 1) == (B, C, D)
    assert chip_counts(only.hands)[YOU] == 7
    forced = _after("Choose your chip and pile 1")
    assert piles.deciding_seat(_chips(forced, 1), forced.stage.alive) == B
    assert forced.stage.mover == B
    assert _chips(forced, 1) == (B, C, D, YOU)
    kept = _after("It chose you, as promised.")
    assert kept.stage.mover == YOU
    assert _states()[find_step(SUCKER, "It chose you, as promised.") - 1].stage.next == (YOU, C, D)


def _promise_before(text: str) -> dict[str, object]:
    """The promise of Bot B that is made in the step with these words."""
    step = _lesson().steps[find_step(SUCKER, text) - 1]
    assert (step.seat, step.prompt) == (B, "promise")
    return dict(step.move)


def test_bot_b_keeps_its_first_promise_and_breaks_the_second() -> None:
    opening = find_step(SUCKER, "Only your colour is missing from pile 1") - 1
    says, promises = _lesson().steps[opening - 2 : opening]
    assert (says.seat, says.prompt) == (B, SAY)  # the learner reads it
    assert (promises.seat, promises.prompt) == (B, PROMISE)
    assert promises.move == {"kind": "pass_move", "terms": {}, "to": [YOU]}
    second = _promise_before("promises not to capture pile 4,")
    assert second == {"kind": "spare_pile", "terms": {"pile": 3}, "to": [YOU]}
    assert _next_of_b("Only your colour is missing from pile 1", "giveMove") == {
        "move": "giveMove",
        "to": YOU,
    }
    assert _next_of_b("promises not to capture pile 4,", "place")["pile"] == 3
    assert _after("It lied!").stage.phase == "turn"  # the pile was captured, not merely built on


def _next_of_b(text: str, move: str) -> dict[str, object]:
    """The first such move of Bot B after the step with these words."""
    steps = _lesson().steps[find_step(SUCKER, text) :]
    return next(dict(step.move) for step in steps if step.seat == B and step.move.get("move") == move)


def test_the_learner_captures_two_prisoners() -> None:
    assert _chips(_before("One chip dies"), 1) == (B, C, D, YOU, YOU)
    state = _after("Nine chips!")
    assert state.hands.chips[YOU] == (7, 1, 1, 0)
    assert state.stage.mover == YOU
    assert _before("from the colours missing there").stage.next == (C, D)


def test_pile_2_gives_bot_b_the_turn_again_and_again() -> None:
    full = next(
        number
        for number, state in enumerate(_states())
        if any(pile.id == 1 and set(pile.chips) == {B, YOU, C, D} for pile in state.piles)
    )
    assert _chips(_states()[full], 2) == (B, YOU, C, D)
    placed = [
        number
        for number, step in enumerate(_lesson().steps, start=1)
        if number >= full and step.move.get("move") == "place" and step.move.get("pile") == 1
    ]
    assert find_step(SUCKER, "Make Bot B play its last chip") in placed
    assert {_states()[number].stage.mover for number in placed} == {B}
    deepest = _after("where its last chip is oldest")
    assert piles.deciding_seat(_chips(deepest, 2), deepest.stage.alive) == B
    assert set(_chips(deepest, 2)) == {B, YOU, C, D}


def test_only_the_learner_can_save_bot_b() -> None:
    state = _after("It asks for one, and promises")
    assert state.stage.mover == B
    assert state.stage.phase == "rescue"
    assert chip_counts(state.hands)[B] == 0
    assert prisoner_counts(state.hands) == (2, 0, 0, 0)
    heights = {pile.id: len(pile.chips) for pile in state.piles if pile.chips[-1] == B}
    assert heights.pop(3) > max(heights.values())


def test_the_lie_pays() -> None:
    saved = _after("Save Bot B")
    assert chip_counts(saved.hands)[B] == 1
    assert _chips(saved, 4)[-1] == B
    told = find_step(SUCKER, "took three chips and the turn")
    lied = _states()[told]
    placed, says, kills = _lesson().steps[told - 3 : told]
    assert [step.move.get("move") for step in (placed, kills)] == ["place", "kill"]
    assert (says.seat, says.prompt) == (B, SAY)
    assert placed.move["pile"] == 3
    assert chip_counts(lied.hands)[B] == 3
    assert lied.stage.mover == B
    with_another_chip = [piles.forecast(pile.chips, C, saved.stage.alive) for pile in saved.piles]
    assert not any(each.what == "capture" and B in each.seats for each in with_another_chip)


def test_bot_c_could_have_given_bot_d_the_turn() -> None:
    chose = find_step(SUCKER, "Make Bot B play its last chip") - 1
    assert _lesson().steps[chose - 1].move == {"move": "giveMove", "to": YOU}
    assert _states()[chose - 1].stage.next == (YOU, D)
    assert _states()[chose].stage.mover == YOU
    assert chip_counts(_states()[chose].hands)[B] == 1


def test_nobody_but_the_learner_has_chips_at_the_end() -> None:
    begging = _after("No bot has a chip left")
    assert begging.hands.chips == ((5, 0, 1, 0), (0,) * 4, (0,) * 4, (0,) * 4)
    assert prisoner_counts(begging.hands) == (1, 0, 0, 0)  # nobody else can help
    refusals = _lesson().steps[-3:]
    assert [(step.seat, step.move["move"]) for step in refusals] == [(YOU, "refuse")] * 3
    assert [step.task is None for step in refusals] == [False, True, True]
    assert [state.stage.mover for state in _states()[-4:-1]] == [C, D, B]
    assert {state.stage.phase for state in _states()[-4:-1]} == {"rescue"}


def test_the_learner_makes_a_promise_for_a_turn_and_breaks_it() -> None:
    """All at once: what Bot C asks for, what it gets, and what becomes of that."""
    number = find_step(SUCKER, "Bot C picks you if you promise to save it")
    asks, promises, agrees, gives = _lesson().steps[number - 2 : number + 2]
    assert (asks.seat, asks.prompt) == (agrees.seat, agrees.prompt) == (C, SAY)
    assert (promises.seat, promises.prompt) == (YOU, PROMISE)
    assert promises.move == {"kind": "save", "terms": {}, "to": [C]}
    assert gives.move == {"move": "giveMove", "to": YOU}
    assert _states()[number].stage.next == (YOU, D)
    begs, refusal = _lesson().steps[-4:-2]
    assert (begs.seat, begs.prompt, begs.move["key"]) == (C, SAY, "sucker.bot.begPromise.1")
    assert (refusal.seat, refusal.move) == (YOU, {"move": "refuse"})
    assert refusal.task is not None  # the learner decides it
    assert _states()[-4].stage.mover == C
    assert _states()[-4].hands.chips[YOU][C] == 1  # it could have saved it


def test_no_stop_is_long() -> None:
    """What is read at once: what has happened, what a bot has said, and what to do."""
    steps = _lesson().steps
    first = next(step for step in steps if step.task is not None)
    assert count_words(_lesson().about) + count_words(first.task) <= 45  # both are on the first pane
    for step, after in pairwise(steps):
        assert count_words(step.then) + count_words(after.task) <= 45


def test_there_is_little_to_read_and_few_stops() -> None:
    steps = _lesson().steps
    stops = [step for step, after in pairwise(steps) if step.then is not None and after.task is None]
    assert [step.then for step in stops] == [_lesson().steps[find_step(SUCKER, "It lied!") - 1].then]
    assert sum(step.task is not None for step in steps) <= 9
    texts = [_lesson().about, *(text for step in steps for text in (step.task, step.then))]
    assert sum(map(count_words, texts)) <= 270


def test_quick_turns_are_the_bots_own() -> None:
    quick = [step for step in _lesson().steps if step.quick]
    assert quick
    assert YOU not in {step.seat for step in quick}
