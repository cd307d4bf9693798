"""Games of Takeover with one leak each, for the lockstep tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, PromptId, Refusal, Seat, Section, Struct, Window, WindowId
from games.kit import offers as offering
from games.kit import time_control as time_control
from games.kit.offers import Cancel
from games.takeover.rules import counting, draft, mergers, turns
from games.takeover.rules.game import Takeover
from games.takeover.rules.values import (
    NAMES,
    Bargain,
    Coin,
    Hands,
    Merge,
    Propose,
    SetStocks,
    TakeoverOptions,
    TakeoverState,
    value_of,
)


class Told(Struct, frozen=True):
    """The section in which a leak shows its secret."""

    what: tuple[str | int, ...]


class Telling(Takeover):
    """A game with one public section too many."""

    sections: Mapping[str, type[msgspec.Struct]] = {**Takeover.sections, "told": Told}

    def tell(self, state: TakeoverState) -> tuple[str | int, ...]:
        raise NotImplementedError

    def public(self, state: TakeoverState) -> dict[str, Section]:
        return {**super().public(state), "told": Section(Told(self.tell(state)))}


class SuitOnTheTable(Telling):
    """The first coin on the draft table is shown with its suit."""

    def tell(self, state: TakeoverState) -> tuple[str | int, ...]:
        return draft.table(state.hands, state.spent)[:1] if state.stage.phase == "draft" else ()


class StocksCounted(Telling):
    """Reveals how many coins of each seat are suit-up."""

    def tell(self, state: TakeoverState) -> tuple[str | int, ...]:
        return tuple(sum(coin.stock for coin in hand) for hand in state.hands)


class OffersCounted(Telling):
    """Reveals how many offers are open."""

    def tell(self, state: TakeoverState) -> tuple[str | int, ...]:
        return (len(state.offers.open),)


class SpentSuits(Telling):
    """Lists spent coins in the order of their names, so their values reveal something about their suits."""

    def tell(self, state: TakeoverState) -> tuple[str | int, ...]:
        return tuple(value_of(name) for name in state.spent)


class MarksCounted(Telling):
    """Reveals who has marked anything."""

    def tell(self, state: TakeoverState) -> tuple[str | int, ...]:
        return tuple(int(bool(marks)) for marks in state.flips.draft)


class FacesInOrder(Takeover):
    """The sides facing up are listed in the order of the coins' names."""

    def public(self, state: TakeoverState) -> dict[str, Section]:
        sections = super().public(state)
        holdings = sections.get("holdings")
        if state.stage.phase != "play" or holdings is None or state.options.holdings != "faces":
            return sections
        faces = tuple(tuple(map(counting.face, hand)) for hand in state.hands)
        return {**sections, "holdings": Section(replace(holdings.data, faces=faces))}


class OffersNumbered(Takeover):
    """Offers are numbered consecutively."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        opened = step.state.offers.open
        if not isinstance(move, Propose):
            return step
        most = max((int(offer.id[6:], 16) for offer in opened[:-1]), default=0)
        last = replace(opened[-1], id=f"{offering.KIND}:{most + 1:016x}")
        return replace(step, state=replace(step.state, offers=offering.Offers((*opened[:-1], last))))


class DeathWithReason(Takeover):
    """Reveals whether an offer was withdrawn or ended for another reason."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        if not isinstance(move, Cancel):
            return step
        return replace(step, lines=tuple(replace(line, key="offer.lapsed") for line in step.lines))


class WishToldOf(Takeover):
    """An offer is refused if the other seat does not have the stock it asks for (TKO-24)."""

    def check(
        self, state: TakeoverState, seat: Seat, prompt: PromptId, move: Any, at: Millis
    ) -> Refusal | None:
        refused = super().check(state, seat, prompt, move, at)
        if refused is not None or not isinstance(move, Propose):
            return refused
        theirs = {coin.name for coin in state.hands[move.to] if coin.stock}
        return None if set(move.wish) & set(NAMES) <= theirs else Refusal("NOT_THERE", "TKO-24")


class WishDies(Takeover):
    """An offer ends once the other seat no longer has what it wishes for."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        hands = step.state.hands

        def lost(offer: Bargain) -> bool:
            had, has = ({coin.name for coin in hand[offer.to]} for hand in (state.hands, hands))
            return bool(hands and set(offer.wish) & (had - has))

        offers, gone = offering.sweep(step.state.offers, lambda offer: not lost(offer))
        return replace(step, state=replace(step.state, offers=offers), lines=(*step.lines, *gone))


class OwnerOfTheSubsumed(Takeover):
    """Announces every forced cash-out, concealed or not."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        if not isinstance(move, Merge):
            return step
        covered = move.pair[3:]
        owners = [
            owner
            for owner, hand in enumerate(state.hands)
            if covered in (coin.name for coin in hand if coin.stock)
        ]
        lines = [LogLine("takeover.flipped", {"seat": owner, "coin": covered}, None) for owner in owners]
        return replace(step, lines=(*step.lines, *lines))


class PaidInOrder(Takeover):
    """The values of a payment are listed in the order of its coins' names."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        if not isinstance(move, Merge):
            return step
        paid = [value_of(name) for name in sorted(move.pay, key=NAMES.index)]
        payment = [replace(line, args={**line.args, "paid": paid}) for line in step.lines[:1]]
        return replace(step, lines=(*payment, *step.lines[1:]))


class BackByMarking(Takeover):
    """A seat that is away counts as back when it marks something."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        if not isinstance(move, SetStocks):
            return step
        control = time_control.reset_misses(state.time_control, seat)
        back = time_control.list_away_lines(state.time_control, control)
        return type(step)(replace(step.state, time_control=control), (*step.lines, *back))


class TradesInFull(Takeover):
    """The trades section names the coins of the latest trade, private or not."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        trades = step.state.trades.trades
        if trades is state.trades.trades or not trades or not step.state.hands[0]:
            return step
        offer = offering.find(state.offers, prompt)
        if offer is None:
            return step
        last = replace(trades[-1], given=offer.give)
        return replace(step, state=replace(step.state, trades=type(step.state.trades)((*trades[:-1], last))))


class WindowsOfAll(Takeover):
    """Everybody sees the clocks of all offers."""

    def windows(self, state: TakeoverState) -> tuple[Window, ...]:
        return tuple(replace(one, to=None) for one in super().windows(state))


class PreviewsOfOthers(Takeover):
    """A preview reveals whether anybody has the stock that would be subsumed."""

    def preview(self, state: TakeoverState, seat: Seat, move: Any) -> Section | None:
        preview = super().preview(state, seat, move)
        if preview is None:
            return None
        held = any(Coin(preview.data.under, True) in hand for hand in state.hands)  # type: ignore[attr-defined]
        return Section(replace(preview.data, flips=held))


class EndByHands(Takeover):
    """Play ends when nobody has the cash for a merger, concealed or not (TKO-17)."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        return self._ended(super().apply(state, seat, prompt, move, at, dice), at)

    def expire(self, state: TakeoverState, window: WindowId, at: Millis, dice: Dice) -> Any:
        return self._ended(super().expire(state, window, at, dice), at)

    def _ended(self, step: Any, at: Millis) -> Any:
        state = step.state
        if state.stage.phase != "play" or any(
            mergers.possible(state.grid, *purse) for purse in self._purses(state.options, state.hands)
        ):
            return step
        return turns._end(state, step.lines)

    def _purses(self, options: TakeoverOptions, hands: Hands) -> list[tuple[int, int]]:
        cash = [[value_of(coin.name) for coin in hand if not coin.stock] for hand in hands]
        return [(sum(values), values.count(0)) for values in cash]
