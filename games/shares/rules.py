"""Share and Share Alike (Jonathan Leistiko, 2006): the rules.

Each round everybody marks in secret a share of one of five companies; then, turn by turn, cards raise and
pull down the companies' towers, and look into hands and trackers. In the end a company's prize is divided
among the shares that were claimed of it. What the text leaves open is settled by the rulings SSA-1..42 and
GEN-1..13, cited where they act; see RULES.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

import msgspec
from msgspec.structs import replace

from games.api import (
    Ask,
    AskId,
    Choices,
    Dice,
    Game,
    Line,
    Manners,
    Millis,
    Outcome,
    Refusal,
    Seat,
    Section,
    Step,
    Window,
    WindowId,
)
from games.kit import choosing
from games.kit import looks as looking
from games.kit import offers as offering
from games.kit import pace as pacing
from games.kit.looks import StopLooking
from games.kit.offers import Cancel, Decline
from games.kit.pace import Extend, LastCall
from games.shares import (
    actions,
    chance,
    drawing,
    flow,
    market,
    openings,
    scoring,
    selection,
    showing,
    unseen,
    views,
)
from games.shares.choices import choices
from games.shares.moves import (
    Accept,
    Add,
    Adjust,
    Bidding,
    CloseMarket,
    Counter,
    Discard,
    Done,
    DrawUp,
    EndTurn,
    FromDeck,
    FromDiscard,
    Lock,
    OpenMarket,
    Play,
    Propose,
    Remove,
    Select,
    SharesAct,
    SharesMove,
    Show,
    ShowAll,
    Spy,
    Swap,
    Take,
    Target,
    Unlock,
)
from games.shares.options import SharesOptions
from games.shares.texts import LOOSE, NOT_YOUR_MARKET, OTHER_ASK, SEATS, STRICT, TEXTS
from games.shares.values import SECTIONS, SharesState

SILENT: Final = Manners("closed")
STRICT_HONOUR: Final = Manners("open", STRICT)
STRICT_PHRASES: Final = Manners("phrases", STRICT)
OPEN: Final = Manners("open", LOOSE)


class ShareAlike(Game[SharesState, SharesMove, SharesOptions]):
    """The rules of all four variants."""

    key = "shares"
    title = "Share and Share Alike"
    version = 2
    seats = range(3, 7)
    minutes = (45, 75)
    Options = SharesOptions
    State = SharesState
    Move = SharesMove
    silent = frozenset({"select", "bid"})  # others see only who has locked (1c)
    sections: Mapping[str, type[msgspec.Struct]] = SECTIONS
    texts = TEXTS

    def refuse_options(self, seats: int, options: SharesOptions) -> Refusal | None:
        return None if seats in self.seats else SEATS

    def setup(self, seats: int, options: SharesOptions, at: Millis, dice: Dice) -> Step[SharesState]:
        return selection.begin(seats, options, at, dice)

    def asks(self, state: SharesState) -> tuple[Ask, ...] | Outcome:
        if state.reckoning is not None:
            return scoring.outcome(state.reckoning)
        return openings.asks(state)

    def windows(self, state: SharesState) -> tuple[Window, ...]:
        return openings.windows(state)

    def check(
        self, state: SharesState, seat: Seat, ask: AskId, move: SharesMove, at: Millis
    ) -> Refusal | None:
        """From what all see, the seat's own cards and shares, and its own deals alone (GEN-3, SSA-33)."""
        kind, _, _ = ask.partition(":")
        match move:
            case Select() | Bidding() | Lock() | Unlock():
                return (
                    selection.refuse(state, seat, kind, move) if kind in ("select", "lowball") else OTHER_ASK
                )
            case Play() | Discard() | DrawUp() | OpenMarket() | EndTurn():
                return actions.refuse(state, seat, kind, move)
            case Add() | Remove() | Spy():
                return actions.refuse_effect(state, seat, kind, move)
            case Done():
                return None if kind in ("hearts", "spades", "clubs", "draw") else OTHER_ASK
            case StopLooking():
                return None if kind == looking.KIND else OTHER_ASK
            case Adjust() | Target() | Take() | Swap():
                return chance.refuse(state, seat, kind, move)
            case FromDeck() | FromDiscard():
                return drawing.refuse(state, move) if kind in ("draw", "chance3") else OTHER_ASK
            case CloseMarket():
                if kind != "market":
                    return OTHER_ASK
                return None if seat == flow.active_of(state) else NOT_YOUR_MARKET
            case Propose(to=to, give=give, wish=wish):
                if kind != "market":
                    return OTHER_ASK
                refused = market.refuse_propose(state, seat, Seat(to))
                return refused or market.refuse_terms(state, seat, give, wish)
            case Decline() if kind == "chance4":
                return None
            case Counter() | Accept() | Decline() | Cancel():
                return OTHER_ASK if kind != offering.KIND else market.refuse(state, seat, ask, move)
            case Show() | ShowAll():
                return OTHER_ASK if kind != showing.ASK else showing.refuse(state, seat, move)
            case Extend():
                return None if kind == "extend" else OTHER_ASK
            case LastCall():
                return None if kind == "lastCall" else OTHER_ASK
            case _:
                assert_never(move)

    def apply(
        self, state: SharesState, seat: Seat, ask: AskId, move: SharesMove, at: Millis, dice: Dice
    ) -> Step[SharesState]:
        """A seat that is away is back only by what everybody can see: notes and offers are not that."""
        match move:
            case Select() | Bidding():
                return Step(selection.draft(state, seat, move), touched=frozenset({seat}))
            case Propose(to=to):
                return market.propose(state, seat, Seat(to), move, at, dice)
            case Counter():
                answered = offering.get(state.offers, ask)
                left = replace(state, offers=offering.close(state.offers, ask))
                return market.propose(left, seat, answered.by, move, at, dice)
            case Decline() if offering.find(state.offers, ask) is not None:
                offers, lines = offering.decline(state.offers, ask)
                return Step(replace(state, offers=offers), lines)
            case Cancel():
                offers, lines = offering.cancel(state.offers, ask)
                return Step(replace(state, offers=offers), lines)
            case Extend():
                pace, clock, lines = pacing.extend(state.pace, flow.clock_of(state), seat)
                return Step(replace(state, pace=pace, clock=clock), lines)
            case LastCall():
                pace, clock, lines = pacing.last_call(state.pace, flow.clock_of(state), seat, at)
                return Step(replace(state, pace=pace, clock=clock), lines)
            case _:
                pace = pacing.acted(state.pace, seat)
                back = pacing.presence(state.pace, pace)
                here = state if pace is state.pace else replace(state, pace=pace)
                step = self._act(here, seat, ask, move, at, dice)
                return Step(step.state, (*back, *step.lines)) if back else step

    def _act(
        self,
        state: SharesState,
        seat: Seat,
        ask: AskId,
        move: SharesAct,
        at: Millis,
        dice: Dice,
    ) -> Step[SharesState]:
        kind = state.scene.kind
        match move:
            case Lock():
                return selection.lock(state, seat, move, at, dice)
            case Unlock():
                return Step(selection.unlock(state, seat))
            case Play() | Discard() | DrawUp() | OpenMarket():
                return actions.act(state, seat, move, kind == "chance4", at, dice)
            case EndTurn():
                return flow.end_turn(state, at)
            case Done() if kind == "draw":
                return flow.settle(state, at)
            case Add() | Remove() | Spy() | Done():
                return actions.use(state, seat, move, at)
            case StopLooking():
                return actions.stop_looking(state, at)
            case Adjust(by=by):
                return chance.adjust(state, by, at)
            case Target(seat=other):
                if kind == "chance1":
                    return chance.look_to_take(state, seat, Seat(other), at)
                return chance.pass_on(state, seat, Seat(other), at, dice)
            case Take(place=place):
                return chance.take(state, seat, place, at)
            case Swap(seats=seats):
                return chance.swap(state, seat, seats, at)
            case FromDeck() | FromDiscard():
                return drawing.draw(state, seat, move, at)
            case CloseMarket():
                return actions.close_market(state, at)
            case Accept():
                return market.trade(state, offering.get(state.offers, ask))
            case Decline():
                return flow.settle(state, at, (flow.say("shares.declined", seat),))
            case Show() | ShowAll():
                return showing.show(state, seat, move)
            case _:
                assert_never(move)

    def expire(self, state: SharesState, window: WindowId, at: Millis, dice: Dice) -> Step[SharesState]:
        """What was noted, the end of a turn, of a look or a market, or a choice by default (1b, GEN-7).

        Raises ValueError for a window that is not open.
        """
        if state.held is not None and window == state.held.id:
            return self._missed(state, flow.active_of(state), "turn", at, dice)
        alone = pacing.expired(flow.clock_of(state), window)
        match state.scene.kind:
            case "select":
                return selection.time_to_select(state, alone, at, dice)
            case "lowball":
                return selection.time_to_offer(state, alone, at, dice)
            case "look":
                return actions.stop_looking(state, at)
            case "market":
                return actions.close_market(state, at)
            case kind:
                seat = state.scene.seat
                if seat is None:
                    raise ValueError(f"nobody decides: {kind}")
                return self._missed(state, seat, kind, at, dice)

    def _missed(self, state: SharesState, seat: Seat, kind: str, at: Millis, dice: Dice) -> Step[SharesState]:
        """The server decides for the seat."""
        pace = pacing.missed(state.pace, (seat,))
        lines: tuple[Line, ...] = (
            flow.say("shares.auto", seat, what=kind),
            *pacing.presence(state.pace, pace),
        )
        here = replace(state, pace=pace)
        match kind:
            case "turn":
                return flow.abandon(here, at, lines)
            case "hearts" | "spades" | "clubs":
                return actions.lapse(here, seat, at, lines)
            case "draw" | "chance3":
                return drawing.fill(here, seat, at, lines)
            case "chance4":
                return flow.settle(here, at, (*lines, flow.say("shares.declined", seat)))
            case _:
                step = chance.by_default(here, seat, at, dice)
                return Step(step.state, (*lines, *step.lines))

    def extension(self, state: SharesState, seat: Seat, window: WindowId) -> SharesMove | None:
        """A minute more for a disconnected seat that still has something to do."""
        clock = state.clock
        if clock is None or window != clock.id or openings.done(state)[seat]:
            return None
        return Extend() if pacing.spendable(state.pace, clock, seat) else None

    def public(self, state: SharesState) -> dict[str, Section]:
        return views.public(state)

    def private(self, state: SharesState, seat: Seat) -> dict[str, Section]:
        return views.private(state, seat)

    def choices(self, state: SharesState, seat: Seat) -> Choices:
        return choices(state, seat)

    def preview(self, state: SharesState, seat: Seat, move: SharesMove) -> Section | None:
        """What a floor more or less makes of the prizes, and what a card or a roll is good for."""
        found = actions.preview(state, seat, move)
        return None if found is None else Section(found)

    def sample(self, state: SharesState, seat: Seat, dice: Dice) -> tuple[AskId, SharesMove] | None:
        return choosing.sample(self.choices(state, seat), len(state.hands), SharesMove, dice)

    def manners(self, state: SharesState, seat: Seat | None) -> Manners:
        """Talk as the variant has it (SSA-29, SSA-30); who looks neither writes nor talks (1c)."""
        if seat is None:
            return SILENT
        if state.options.talk != "strict":
            return looking.manners(state.look, seat, OPEN)
        honour = state.options.strict_chat == "honour"
        return looking.manners(state.look, seat, STRICT_HONOUR if honour else STRICT_PHRASES)

    def resample(self, state: SharesState, viewer: Seat | None, dice: Dice) -> SharesState:
        return unseen.resample(state, viewer, dice)

    def upgrade(self, version: int, data: Mapping[str, Any]) -> SharesState | None:
        """Version 1 put a seat out of the round as soon as it could spend nothing (SSA-36).

        A state does not tell these seats from those that ended a turn unspent: all stay out for the round.
        """
        return msgspec.convert(data, SharesState) if version in (1, self.version) else None


SHARES: Final = ShareAlike()
