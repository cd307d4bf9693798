"""The model that the So Long Sucker bot uses for its search, checked against the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from games.api import Millis, Seat
from games.dice import Dice, bot_dice
from games.kit.characters import unnamed
from games.sucker.bot import bot, search_state
from games.sucker.bot.bot import BOT
from games.sucker.bot.search_state import Chips, SearchState
from games.sucker.rules import piles as pile_rules
from games.sucker.rules.game import SUCKER as GAME
from games.sucker.rules.values import SuckerOptions, SuckerState
from games.sucker.rules.views import Forecast
from tests.games.selfplay import answer_of
from tests.games.sucker.players import observe, search_state_of
from tests.games.sucker.positions import POSITIONS, describe
from tests.games.sucker.table import B, G, Y, rescue

ROUNDS = 10
EVERY = 15
RECENT = 8
"""The number of past moves for which a view is guaranteed to show whose move it was."""
PUBLIC: Mapping[str, Any] = {"blackmailFaces": "public"}
"""With these options every seat knows the kinds of all held cards."""


def hide_unknown(state: SearchState, recent: frozenset[int]) -> SearchState:
    """The state, minus what the seat cannot know: kinds of cards, and which seats had the move long ago.

    Without cards in the stack it makes no difference who would take one.
    """
    return state._replace(
        cards=tuple(card._replace(kind=None) for card in state.cards),
        stack=(None,) * len(state.stack),
        order=tuple(seat for seat in state.order if seat in recent),
        award=state.award if state.stack else None,
    )


def waits_for_secret(state: SuckerState) -> bool:
    """Returns whether the table is waiting for a seat in need only to hide that its cards cannot save it.

    The model of a seat that knows these cards does not wait.
    """
    if state.options.blackmail_faces == "public" or state.need is None or state.timer is None:
        return False
    return state.stage.mover in state.timer.concerns


def compare(state: SuckerState, seat: Seat) -> Iterator[str]:
    """Applies every legal move of the seat to the model and the rules; yields the kinds of moves compared."""
    observation = observe(state, seat)
    model = bot.read_state(observation)
    for option in (
        option
        for kind in (state.stage.phase, "prisoners")
        for option in bot.list_options(observation, model, kind)
    ):
        after = GAME.apply(state, seat, option.prompt, option.move, Millis(0), Dice(b"")).state
        if after.stage.mover is None:
            result = after.match.results[-1]
            assert option.after.phase == "over", option.move
            assert (option.after.mover, option.after.last_out) == (result.survivor, result.out[-1])
        elif waits_for_secret(after):
            continue
        else:
            recent = frozenset(map(int, {*state.trail[-RECENT:]} & {*after.trail[-RECENT:]}))
            expected = search_state_of(after, seat)
            assert hide_unknown(option.after, recent) == hide_unknown(expected, recent), option.move
        yield describe(option.move).split()[0]


def play_round(seats: int, options: Mapping[str, Any], seed: bytes) -> Iterator[SuckerState]:
    """The states of a round between bots that often play at random, which leads to many rescues."""
    dice = Dice(seed)
    converted = msgspec.convert({**options, "timers": "off"}, SuckerOptions)
    state = GAME.setup(seats, converted, Millis(0), dice).state
    for moment in count():
        if state.stage.mover is None:
            return
        yield state
        answers = (
            (seat, BOT.decide(observe(state, seat), unnamed("easy"), bot_dice(seed, seat, moment)))
            for seat in map(Seat, range(seats))
        )
        seat, decision = next((seat, decision) for seat, decision in answers if decision is not None)
        state = GAME.apply(state, seat, *answer_of(decision), Millis(0), dice).state


def compare_rounds(seats: int, options: Mapping[str, Any] = {}) -> set[str]:
    """Compares the model with the rules, for every seat, in positions taken from whole rounds.

    Returns the kinds of moves compared. Rescues are rare, so all positions of a rescue are compared, but only
    some of the others.
    """
    kinds: set[str] = set()
    for number in range(ROUNDS):
        for moment, state in enumerate(play_round(seats, options, b"round %d" % number)):
            if state.need is not None or (number + moment) % EVERY == 0:
                for seat in range(seats):
                    kinds.update(compare(state, Seat(seat)))
    return kinds


def compare_puzzles() -> set[str]:
    """The same for the twenty positions, which have many rescues and cards."""
    return {
        kind
        for puzzle in POSITIONS
        for turn in range(3)
        for kind in compare(puzzle.state(turn), puzzle.seat(turn))
    }


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        pytest.param(seats, options, marks=() if seats == usual else pytest.mark.at_length)
        for usual, options in ((4, {}), (5, PUBLIC), (6, {"blindAlly": False, "blackmail": False}))
        for seats in (4, 5, 6)
    ],
    ids=str,
)
def test_2b_every_move_leads_to_the_same_position_as_in_the_rules(
    seats: int, options: Mapping[str, Any]
) -> None:
    kinds = compare_rounds(seats, options)
    assert kinds >= {"place", "give", "kill", "hand", "bury", "refuse"}


def test_2b_moves_in_rescues_and_with_cards_lead_to_the_same_positions() -> None:
    assert compare_puzzles() == {"place", "card", "give", "kill", "rescue", "refuse", "hand", "bury"}


def test_2b_a_seat_in_need_stays_asked_when_its_card_cannot_save_it_for_now() -> None:
    """Y gives its prisoners away after all others have refused: G may still give them back (SLS-23)."""
    cards: Any = [(B, Y, "tribute")]
    table = rescue(cards=cards, **PUBLIC)
    table.refuse(G)
    assert set(compare(table.state, Seat(Y))) >= {"hand", "bury", "refuse", "rescue"}
    table.transfer(Y, 2, "R", G)
    assert search_state.list_rescuers(search_state_of(table.state, Seat(B))) == (B,)
    for seat in range(4):
        list(compare(table.state, Seat(seat)))


# --- planted faults ---

kill, refuse = search_state.kill, search_state.refuse
defeat_mover, receive_move = search_state.defeat_mover, search_state._receive_move


def forecast_top(below: Chips, colour: int, alive: tuple[bool, ...]) -> Forecast:
    """A full pile forces the seat whose chip was placed last."""
    forecast = pile_rules.forecast(below, colour, alive)
    return forecast if forecast.what != "forced" else Forecast("forced", (Seat(colour),))


def kill_nothing(state: SearchState, colour: int) -> SearchState:
    """The captor keeps the chip that should die."""
    hand = [*state.hands[state.mover]]
    hand[colour] += 1
    hands = (*state.hands[: state.mover], tuple(hand), *state.hands[state.mover + 1 :])
    return kill(state._replace(hands=hands), colour)


def pass_move_without_trace(order: tuple[int, ...], to: int) -> tuple[int, ...]:
    """The seats that had the move before are forgotten."""
    return (to,)


def keep_cards(state: SearchState) -> SearchState:
    """Cards that a defeated seat owns, or that name it, stay in play."""
    after = defeat_mover(state)
    return after if after.phase == "over" else after._replace(cards=state.cards)


def award_nothing(state: SearchState, hands: Any, piles: Any, order: Any, award: int | None) -> SearchState:
    """Nobody gets a card for forcing the next mover."""
    return receive_move(state, hands, piles, order, None)


def settle_nothing(state: SearchState) -> SearchState:
    """A mover without chips keeps its turn, and a rescued one stays in need."""
    return state


def refuse_for_all(state: SearchState, seat: int) -> SearchState:
    """One refusal counts for every seat."""
    return refuse(state._replace(refused=(True,) * len(state.refused)), seat)


FAULTS: list[tuple[str, Callable[..., Any]]] = [
    ("kill", kill_nothing),
    ("_pass_move", pass_move_without_trace),
    ("defeat_mover", keep_cards),
    ("_receive_move", award_nothing),
    ("settle", settle_nothing),
    ("refuse", refuse_for_all),
]


def assert_noticed() -> None:
    def compare_all() -> None:
        compare_puzzles()
        compare_rounds(4, PUBLIC)

    with pytest.raises(AssertionError):
        compare_all()


@pytest.mark.parametrize(("name", "fault"), FAULTS, ids=lambda value: getattr(value, "__name__", value))
def test_a_fault_in_the_model_is_noticed(
    monkeypatch: pytest.MonkeyPatch, name: str, fault: Callable[..., Any]
) -> None:
    monkeypatch.setattr(search_state, name, fault)
    assert_noticed()


def test_a_wrong_forecast_in_the_model_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_state, "pile_rules", SimpleNamespace(forecast=forecast_top))
    assert_noticed()
