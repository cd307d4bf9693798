"""The lesson of So Long Sucker: what its texts say is so."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from games.api import PROMISE, SAY, Lesson, Outcome, Seat
from games.sucker.rules import piles
from games.sucker.rules.game import SUCKER
from games.sucker.rules.hands import chip_counts, prisoner_counts
from games.sucker.rules.values import SuckerState
from games.sucker.rules.views import Forecast
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
    assert "The turn went on to Bot D, without a chip: you refused, and win. But Bot C trusted you:" in last
    assert play_lesson(SUCKER) == Outcome((Seat(YOU),), (1, 0, 0, 0))
    state = _states()[-1]
    assert chip_counts(state.hands) == (6, 0, 0, 0)
    assert state.stage.out == (B, C, D)


def test_bot_b_gives_the_turn_back_at_first() -> None:
    assert chip_counts(_states()[0].hands) == (7, 7, 7, 7)
    assert _before("Whoever places a chip chooses").stage.next == (YOU, C, D)
    assert _after("Bot B chooses Bot C").stage.mover == C
    only = _after("Only your colour is missing")
    assert only.stage.mover == YOU
    assert _chips(only, 1) == (B, C, D)
    assert chip_counts(only.hands)[YOU] == 7
    forced = _after("Choose your chip and pile 1")
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
    first = _promise_before("Only your colour is missing")
    says = _lesson().steps[find_step(SUCKER, "Only your colour is missing") - 2]
    assert (says.seat, says.prompt) == (B, SAY)  # the learner reads it
    assert first == {"kind": "pass_move", "terms": {}, "to": [YOU]}
    second = _promise_before("it promises not to capture pile 4:")
    assert second == {"kind": "spare_pile", "terms": {"pile": 3}, "to": [YOU]}
    assert _next_of_b("Only your colour is missing", "giveMove") == {"move": "giveMove", "to": YOU}
    assert _next_of_b("it promises not to capture pile 4:", "place")["pile"] == 3
    assert _after("It lied!").stage.phase == "turn"  # the pile was captured, not merely built on


def _next_of_b(text: str, move: str) -> dict[str, object]:
    """The first such move of Bot B after the step with these words."""
    steps = _lesson().steps[find_step(SUCKER, text) :]
    return next(dict(step.move) for step in steps if step.seat == B and step.move.get("move") == move)


def test_the_learner_captures_two_prisoners() -> None:
    assert _chips(_before("One chip must die"), 1) == (B, C, D, YOU, YOU)
    state = _after("Nine chips!")
    assert state.hands.chips[YOU] == (7, 1, 1, 0)
    assert state.stage.mover == YOU
    assert _before("Bot C’s and Bot D’s colours are missing").stage.next == (C, D)


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
    assert find_step(SUCKER, "Bot B is down to its last chip") in placed
    assert {_states()[number].stage.mover for number in placed} == {B}
    deepest = _after("of everybody’s newest chips there, Bot B’s lies deepest")
    assert piles.deciding_seat(_chips(deepest, 2), deepest.stage.alive) == B
    assert set(_chips(deepest, 2)) == {B, YOU, C, D}


def test_only_the_learner_can_save_bot_b() -> None:
    state = _after("For one chip, it promises")
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
    chose = find_step(SUCKER, "Bot B is down to its last chip") - 1
    assert _lesson().steps[chose - 1].move == {"move": "giveMove", "to": YOU}
    assert _states()[chose - 1].stage.next == (YOU, D)
    assert _states()[chose].stage.mover == YOU
    assert chip_counts(_states()[chose].hands)[B] == 1


def test_nobody_but_the_learner_has_chips_at_the_end() -> None:
    begging = _after("No bot has a chip left, and Bot B has the turn.")
    assert begging.hands.chips == ((5, 0, 1, 0), (0,) * 4, (0,) * 4, (0,) * 4)
    assert begging.stage.mover == B
    refused = _after("Now Bot C needs the chip that you promised.")
    assert refused.stage.out == (B,)
    assert refused.stage.mover == C
    assert refused.stage.phase == "rescue"
    assert prisoner_counts(begging.hands) == (1, 0, 0, 0)  # nobody else can help
    assert prisoner_counts(_states()[-2].hands) == (1, 0, 0, 0)
    *_, second, third = _lesson().steps
    assert [(step.seat, step.move["move"]) for step in (second, third)] == [(YOU, "refuse")] * 2
    assert [state.stage.mover for state in _states()[-3:-1]] == [C, D]
    assert _states()[-2].stage.out == (B, C)


def test_the_learner_makes_a_promise_for_a_turn_and_breaks_it() -> None:
    """All at once: what Bot C asks for, what it gets, and what becomes of that."""
    number = find_step(SUCKER, "It picks you if you promise to save it")
    asks, promises, agrees, gives = _lesson().steps[number - 2 : number + 2]
    assert (asks.seat, asks.prompt) == (agrees.seat, agrees.prompt) == (C, SAY)
    assert (promises.seat, promises.prompt) == (YOU, PROMISE)
    assert promises.move == {"kind": "save", "terms": {}, "to": [C]}
    assert gives.move == {"move": "giveMove", "to": YOU}
    assert _states()[number].stage.next == (YOU, D)
    begs, refusal = _lesson().steps[-3:-1]
    assert (begs.seat, begs.prompt, begs.move["key"]) == (C, SAY, "sucker.bot.begPromise.1")
    assert (refusal.seat, refusal.move) == (YOU, {"move": "refuse"})
    assert refusal.task is not None  # the learner decides it
    assert _states()[-3].stage.mover == C
    assert _states()[-3].hands.chips[YOU][C] == 1  # it could have saved it


def test_the_marks_below_piles_are_what_the_texts_say() -> None:
    def forecast(text: str, shown: int) -> Forecast:
        state = _before(text)
        return piles.forecast(_chips(state, shown), YOU, state.stage.alive)

    arrow = forecast("the arrow shows who is next", 1)
    assert (arrow.what, arrow.seats) == ("forced", (B,))
    assert forecast("as the hand below pile 1 shows", 1).what == "capture"
    fork = forecast("Its fork shows whom you can choose next.", 2)
    assert (fork.what, fork.seats) == ("free", (C, D))


def test_the_stops_on_the_way_say_what_is_so() -> None:
    avoided = _before("Bot D passed you over")
    assert _chips(avoided, 2)[-1] == YOU
    assert avoided.hands.chips[YOU][YOU] > 0
    chose = find_step(SUCKER, "Bot D passed you over")
    begs = find_step(SUCKER, "For one chip, it promises")
    later = [step.move for step in _lesson().steps[chose:begs] if step.move.get("move") == "giveMove"]
    assert len(later) > 3
    assert YOU not in {move["to"] for move in later}


def test_no_stop_is_long() -> None:
    """What is read at once: what has happened, what a bot has said, and what to do."""
    steps = _lesson().steps
    for step, after in pairwise(steps):
        assert count_words(step.then) + count_words(after.task) <= 45


def test_there_is_little_to_read_and_few_stops() -> None:
    steps = _lesson().steps
    stops = [step for step, after in pairwise(steps) if step.then is not None and after.task is None]
    assert 1 + len(stops) + 1 <= 8  # with the first pane and the last
    texts = [text for step in steps for text in (step.task, step.then)]
    assert sum(map(count_words, texts)) <= 400


def test_quick_turns_are_the_bots_own() -> None:
    quick = [step for step in _lesson().steps if step.quick]
    assert quick
    assert YOU not in {step.seat for step in quick}
