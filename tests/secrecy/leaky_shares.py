"""Games of Share and Share Alike with one leak each, for the lockstep tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, Outcome, PromptId, Refusal, Seat, Section, Struct, WindowId
from games.kit import offers as offering
from games.kit import time_control as time_control
from games.shares.rules import market, turn_flow
from games.shares.rules.game import ShareAlike
from games.shares.rules.moves import Bidding, Play, Propose, Select
from games.shares.rules.values import Preview, SharesState, Trades
from tests.secrecy import shares_eyes as eyes


class Told(Struct, frozen=True):
    """The section in which a leak shows its secret."""

    what: tuple[str | int, ...]


class Telling(ShareAlike):
    """A game with one public section too many."""

    sections: Mapping[str, type[msgspec.Struct]] = {**ShareAlike.sections, "told": Told}

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        raise NotImplementedError

    def public(self, state: SharesState) -> dict[str, Section]:
        return {**super().public(state), "told": Section(Told(self.tell(state)))}


class TopOfTheDeck(Telling):
    """Reveals the next card."""

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        return state.deck[:1]


class SuitsCounted(Telling):
    """Reveals how many hearts each seat has."""

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        return tuple(sum(card[-1] == "H" for card in hand) for hand in state.hands)


class MarksCounted(Telling):
    """Reveals how often each seat has marked the first company."""

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        return tuple(marks.count("A") for marks in state.marks)


class DraftsCounted(Telling):
    """Reveals who has noted a company, locked or not."""

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        return tuple(int(company is not None) for company in state.selected.draft)


class BidsCounted(Telling):
    """Reveals who has noted a card in Lowball."""

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        return tuple(int(bool(card)) for card in state.offered.draft)


class OffersCounted(Telling):
    """Reveals how many offers are open."""

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        return (len(state.offers.open),)


class ObservationsForAll(Telling):
    """Shows everybody what one seat peeks at."""

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        return (str(eyes.observation_of(state)),)


class LongestObservation(Telling):
    """Reveals the size in bytes of what a seat peeks at."""

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        return (len(msgspec.json.encode(eyes.observation_of(state))),)


class ShowsForAll(Telling):
    """Reveals to everybody the trackers shown to some seats."""

    def tell(self, state: SharesState) -> tuple[str | int, ...]:
        return tuple("".join(one.tracker.marks) for seen in state.seen for one in seen if one is not None)


class PromptByDrafts(ShareAlike):
    """The prompt for all seats reveals how many have noted something."""

    def prompts(self, state: SharesState) -> tuple[Any, ...] | Outcome:
        prompts = super().prompts(state)
        if isinstance(prompts, Outcome) or state.stage.phase != "select":
            return prompts
        noted = sum(company is not None for company in state.selected.draft)
        return tuple(replace(one, kind=f"{one.kind}{noted}") for one in prompts)


class _Louder(ShareAlike):
    """Reveals more about each step than the rules do."""

    def louder(self, before: SharesState, step: Any) -> Any:
        raise NotImplementedError

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        return self.louder(state, super().apply(state, seat, prompt, move, at, dice))

    def expire(self, state: SharesState, window: WindowId, at: Millis, dice: Dice) -> Any:
        return self.louder(state, super().expire(state, window, at, dice))


class _Key(_Louder):
    """Sends the lines with one key to everybody."""

    key_told = ""

    def louder(self, before: SharesState, step: Any) -> Any:
        lines = [replace(line, to=None) if line.key == self.key_told else line for line in step.lines]
        return replace(step, lines=tuple(lines))


class CardDrawn(_Key):
    """Announces which card was drawn from the deck."""

    key_told = "shares.drewCard"


class CardTaken(_Key):
    """Announces which card was taken (Chance 1)."""

    key_told = "shares.tookCard"


class TradeTold(_Key):
    """Announces what was traded (SSA-31)."""

    key_told = "shares.exchanged"


class RandomMarks(_Louder):
    """Announces whose marks were chosen at random, and so whose had been noted (SSA-8)."""

    def louder(self, before: SharesState, step: Any) -> Any:
        drawn = [line.to for line in step.lines if line.key == "shares.markDrawn"]
        lines = (
            [LogLine("shares.autoMarks", {"seats": [int(min(to)) for to in drawn]}, None)] if drawn else []
        )
        return replace(step, lines=(*step.lines, *lines))


class TradesInFull(_Louder):
    """The trades section shows the shares of the latest trade, private or not."""

    def louder(self, before: SharesState, step: Any) -> Any:
        trades = step.state.trades.trades
        if trades is before.trades.trades or not trades:
            return step
        (shares,) = {
            one.give for one in before.offers.open if offering.find(step.state.offers, one.id) is None
        }
        last = replace(trades[-1], given=shares)
        return replace(step, state=replace(step.state, trades=Trades((*trades[:-1], last))))


class BackByNoting(_Louder):
    """A seat that is away counts as back when it notes something."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = ShareAlike.apply(self, state, seat, prompt, move, at, dice)
        if not isinstance(move, Select | Bidding):
            return step
        control = time_control.reset_misses(state.time_control, seat)
        lines = time_control.list_away_lines(state.time_control, control)
        return type(step)(replace(step.state, time_control=control), (*step.lines, *lines))

    def louder(self, before: SharesState, step: Any) -> Any:
        return step


class WishToldOf(ShareAlike):
    """An offer is refused if the other seat does not have the shares it asks for (SSA-33)."""

    def check(
        self, state: SharesState, seat: Seat, prompt: PromptId, move: Any, at: Millis
    ) -> Refusal | None:
        refused = super().check(state, seat, prompt, move, at)
        if refused is not None or not isinstance(move, Propose):
            return refused
        theirs = turn_flow.tracker_of(state, move.to).holdings
        return None if market.has(theirs, move.wish) else Refusal("NOT_THERE", "SSA-33")


class WishDies(_Louder):
    """An offer ends once the other seat no longer has what it wishes for."""

    def louder(self, before: SharesState, step: Any) -> Any:
        state = step.state
        if not state.offers.open or state.reckoning is not None:
            return step
        offers, gone = offering.sweep(
            state.offers, lambda one: market.has(turn_flow.tracker_of(state, one.to).holdings, one.wish)
        )
        return replace(step, state=replace(state, offers=offers), lines=(*step.lines, *gone))


class PreviewsOfOthers(ShareAlike):
    """A preview of a card reveals how many hearts the next seat has."""

    def preview(self, state: SharesState, seat: Seat, move: Any) -> Section | None:
        if not isinstance(move, Play):
            return super().preview(state, seat, move)
        other = state.hands[(seat + 1) % len(state.hands)]
        return Section(Preview(uses=sum(card[-1] == "H" for card in other)))
