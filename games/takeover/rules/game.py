"""Takeover (James Kyle and Chris Young, 2001), a piecepack game of mergers and trades: the rules.

The seats draft coins, whose industries only their owners see, and secretly flip some of them into stocks.
Then they take turns merging stacks of tiles, and may all trade coins. The rulings TKO-1..30 and GEN-1..13
settle what the text leaves open. They are cited where they apply, and RULES.md explains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from games.api import (
    Advice,
    Choices,
    Dice,
    Millis,
    Observation,
    Outcome,
    Prompt,
    PromptId,
    Refusal,
    Seat,
    Section,
    Step,
    Window,
    WindowId,
)
from games.kit import offers as offering
from games.kit import sealed as sealing
from games.kit import time_control as time_control
from games.kit.lessons import read_lesson
from games.kit.offers import Cancel, Decline
from games.kit.time_control import TimeControl
from games.kit.timed_game import OTHER_PROMPT, TimedGame, timer_of
from games.takeover import coach
from games.takeover.rules import counting, determinization, draft, mergers, prompts, turns
from games.takeover.rules.deals import TRADING
from games.takeover.rules.promises import TakeoverPromises
from games.takeover.rules.values import (
    Accept,
    Board,
    CashOut,
    Coin,
    Counter,
    Deals,
    Draft,
    Flip,
    Hand,
    Holdings,
    Lock,
    Merge,
    Mergers,
    Pass,
    Passes,
    Pick,
    PickCoin,
    Preview,
    Propose,
    Readiness,
    Reckoning,
    SetStocks,
    Stage,
    TakeoverMove,
    TakeoverOptions,
    TakeoverPlay,
    TakeoverState,
    Trades,
    Unlock,
    value_of,
)
from games.takeover.texts import (
    NO_CASH_OUT,
    NOT_STOCKS,
    NOT_YOUR_COINS,
    SEATS,
    TEXTS,
)


class Takeover(TimedGame[TakeoverState, TakeoverPlay, TakeoverOptions]):
    """The rules of the draft, the flips, and play with trades.

    Everybody may talk at any time; promises bind nobody (TKO-23, GEN-12).
    """

    key = "takeover"
    seats = range(2, 7)
    minutes = (15, 30)
    silent = frozenset({"setStocks"})  # others see only who has locked (5c)
    sections: Mapping[str, type[msgspec.Struct]] = {
        "stage": Stage,
        "board": Board,
        "draft": Draft,
        "holdings": Holdings,
        "readiness": Readiness,
        "mergers": Mergers,
        "passes": Passes,
        "trades": Trades,
        "reckoning": Reckoning,
        "time_control": TimeControl,
        "hand": Hand,
        "flip": Flip,
        "deals": Deals,
    }
    private_sections = frozenset({"hand", "flip", "deals"})
    texts = TEXTS
    lesson = read_lesson("games.takeover")
    promises = TakeoverPromises()

    def refuse_options(self, seats: int, options: TakeoverOptions) -> Refusal | None:
        return None if seats in self.seats else SEATS

    def setup(self, seats: int, options: TakeoverOptions, at: Millis, dice: Dice) -> Step[TakeoverState]:
        return turns.begin(seats, options, at, dice)

    def prompts(self, state: TakeoverState) -> tuple[Prompt, ...] | Outcome:
        if state.reckoning is not None:
            return counting.outcome(state.reckoning.totals)
        return prompts.prompts(state)

    def windows(self, state: TakeoverState) -> tuple[Window, ...]:
        return prompts.windows(state)

    def check_move(
        self, state: TakeoverState, seat: Seat, prompt: PromptId, move: TakeoverPlay, at: Millis
    ) -> Refusal | None:
        """Depends only on the public state and the seat's own coins and deals (GEN-3, TKO-24)."""
        kind, _, _ = prompt.partition(":")
        hand = state.hands[seat]
        match move:
            case Pick() | PickCoin():
                return OTHER_PROMPT if kind != "draft" else draft.refuse(state.draft, move)
            case SetStocks() | Lock() | Unlock():
                return OTHER_PROMPT if kind != "flip" else self._check_flip(state, seat, move)
            case Merge():
                if kind != "turn":
                    return OTHER_PROMPT
                return mergers.refuse(state.grid, hand, move, state.options.exact_pay)
            case Pass():
                return None if kind == "turn" else OTHER_PROMPT
            case CashOut(coins=coins):
                return OTHER_PROMPT if kind != "turn" else self._check_cash_out(state, seat, coins)
            case Propose() | Counter() | Accept() | Decline() | Cancel():
                return TRADING.check(state, seat, prompt, move)

    def _check_flip(
        self, state: TakeoverState, seat: Seat, move: SetStocks | Lock | Unlock
    ) -> Refusal | None:
        if isinstance(move, Unlock):
            return sealing.refuse_unlock(state.flips, seat)
        coins = move.coins
        if coins is not None:
            held = {coin.name for coin in state.hands[seat]}
            if len(set(coins)) < len(coins) or not held >= set(coins):
                return NOT_YOUR_COINS
        if isinstance(move, SetStocks):
            return sealing.refuse_draft(state.flips, seat)
        return sealing.refuse_lock(state.flips, seat, coins is not None)

    def _check_cash_out(self, state: TakeoverState, seat: Seat, coins: tuple[str, ...]) -> Refusal | None:
        if not state.options.voluntary_cash_out:
            return NO_CASH_OUT
        stocks = {coin.name for coin in state.hands[seat] if coin.stock}
        good = coins and len(set(coins)) == len(coins) and stocks >= set(coins)
        return None if good else NOT_STOCKS

    def apply_move(
        self, state: TakeoverState, seat: Seat, prompt: PromptId, move: TakeoverPlay, at: Millis, dice: Dice
    ) -> Step[TakeoverState]:
        match move:
            case SetStocks(coins=coins):
                after = replace(state, flips=sealing.draft(state.flips, seat, coins))
                return Step(
                    after,
                    affected_seats=None
                    if time_control.is_anybody_away(state.time_control)
                    else frozenset({seat}),
                )
            case CashOut(coins=coins):
                return turns.cash_out(state, seat, coins)
            case Propose() | Counter() | Accept() | Decline() | Cancel():
                return TRADING.apply(state, seat, prompt, move, at, dice)
            case Pick() | PickCoin():
                return turns.pick(state, seat, move, False, at, dice)
            case Lock(coins=coins):
                return turns.lock(state, seat, coins, at)
            case Unlock():
                return Step(replace(state, flips=sealing.unlock(state.flips, seat)))
            case Merge():
                return turns.merge(state, seat, move, at)
            case Pass():
                return turns.pass_on(state, seat, False, at)

    def resets_misses(self, state: TakeoverState, prompt: PromptId, move: TakeoverPlay) -> bool:
        """Whether everybody sees the move: marks and offers are private, and cashing out may be."""
        return not isinstance(move, SetStocks | CashOut | Propose | Counter | Decline | Cancel)

    def done(self, state: TakeoverState) -> tuple[bool, ...]:
        return state.flips.locked

    def expire(self, state: TakeoverState, window: WindowId, at: Millis, dice: Dice) -> Step[TakeoverState]:
        """Picks the highest value, flips as marked, passes, or ends an offer (5b, GEN-7).

        Raises ValueError for a window that is not open; an offer that is already gone stays gone.
        """
        if window.startswith(f"{offering.KIND}:"):
            return TRADING.expire(state, window)
        alone = time_control.find_window_seat(timer_of(state), window)
        turn = state.stage.turn
        if turn is None:
            return turns.time_to_flip(state, at) if alone is None else turns.lock(state, alone, None, at)
        if state.stage.phase == "draft":
            return turns.pick(state, turn, draft.default(state.draft, dice), True, at, dice)
        return turns.pass_on(state, turn, True, at)

    def public(self, state: TakeoverState) -> dict[str, Section]:
        return prompts.public(state)

    def private(self, state: TakeoverState, seat: Seat) -> dict[str, Section]:
        return prompts.private(state, seat)

    def choices(self, state: TakeoverState, seat: Seat) -> Choices:
        return prompts.choices(state, seat)

    def preview(self, state: TakeoverState, seat: Seat, move: TakeoverMove) -> Section | None:
        """The cost and the result of a merger, and its effect on the seat's own coins."""
        if not isinstance(move, Merge) or state.stage.phase != "play":
            return None
        hand, exact = state.hands[seat], state.options.exact_pay
        if mergers.refuse(state.grid, hand, move, exact) is not None:
            return None
        way = mergers.ways(state.grid)[move.pair]
        cheapest = mergers.cheapest(mergers.purse(hand))[way.cost]
        grid = mergers.merge_stacks(state.grid, way)
        paid = (*move.pay, move.null)
        left = (coin for coin in hand if coin.name not in paid)
        after = tuple(Coin(coin.name, coin.stock and coin.name != way.covered) for coin in left)
        return Section(
            Preview(
                way.cost,
                way.covered,
                way.worth,
                len(grid[way.onto]),
                cheapest or (),
                sum(map(value_of, move.pay)) - way.cost,
                Coin(way.covered, True) in hand,
                counting.total(grid, after) - counting.total(state.grid, hand),
            )
        )

    def coach(self, observation: Observation, prompt: Prompt) -> Advice | None:
        return coach.advise(observation, prompt)

    def resample(self, state: TakeoverState, viewer: Seat | None, dice: Dice) -> TakeoverState:
        return determinization.resample(state, viewer, dice)


TAKEOVER: Final = Takeover()
