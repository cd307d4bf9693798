"""Share and Share Alike (Jonathan Leistiko, 2006): the rules.

Each round, everybody secretly marks a share in one of five companies. Then, turn by turn, they play cards to
raise and pull down the companies' towers and to peek at hands and trackers. At the end, each company's prize
is divided among the shares claimed in it. The rulings SSA-1..42 and GEN-1..13 settle what the printed rules
leave open, and are cited where they apply; see RULES.md.
"""

from __future__ import annotations

from typing import Final, assert_never

from games.api import (
    Advice,
    Choices,
    Dice,
    LogLine,
    Millis,
    Observation,
    Outcome,
    Prompt,
    PromptId,
    Refusal,
    Seat,
    Section,
    Step,
    TalkPolicy,
    Window,
    WindowId,
)
from games.kit import offers as offering
from games.kit import peeks as peeks
from games.kit import time_control as time_control
from games.kit.lessons import read_lesson
from games.kit.offers import Cancel, Decline
from games.kit.peeks import StopPeeking
from games.kit.timed_game import OTHER_PROMPT, SILENT, TimedGame, count_missed, timer_of
from games.shares import coach
from games.shares.rules import (
    actions,
    chance,
    determinization,
    drawing,
    prompts,
    scoring,
    selection,
    showing,
    turn_flow,
    views,
)
from games.shares.rules.choices import choices
from games.shares.rules.market import MARKET
from games.shares.rules.moves import (
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
    SharesMove,
    SharesPlay,
    Show,
    ShowAll,
    Spy,
    Swap,
    Take,
    Target,
    Unlock,
)
from games.shares.rules.options import SharesOptions
from games.shares.rules.promises import SharesPromises
from games.shares.rules.values import PRIVATE_SECTIONS, SECTIONS, SharesState
from games.shares.texts import NOT_YOUR_MARKET, SEATS, STRICT, TEXTS

STRICT_HONOUR: Final = TalkPolicy("open", STRICT)
STRICT_PHRASES: Final = TalkPolicy("phrases", STRICT)


class ShareAlike(TimedGame[SharesState, SharesPlay, SharesOptions]):
    """The rules of all four variants."""

    key = "shares"
    version = 3
    readable_versions = (1, 2)
    """Version 1 put a seat out as soon as it could spend nothing (SSA-36). Its states do not tell such seats
    from those that chose to spend nothing, so all of them stay out. Version 2 called a promise to leave a
    tower alone kept that never had a floor."""
    seats = range(3, 7)
    minutes = (45, 75)
    silent = frozenset({"select", "bid"})  # others see only who has locked (1c)
    sections = SECTIONS
    private_sections = PRIVATE_SECTIONS
    texts = TEXTS
    lesson = read_lesson("games.shares")
    promises = SharesPromises()

    def refuse_options(self, seats: int, options: SharesOptions) -> Refusal | None:
        return None if seats in self.seats else SEATS

    def setup(self, seats: int, options: SharesOptions, at: Millis, dice: Dice) -> Step[SharesState]:
        return selection.begin(seats, options, at, dice)

    def prompts(self, state: SharesState) -> tuple[Prompt, ...] | Outcome:
        if state.reckoning is not None:
            return scoring.outcome(state.reckoning)
        return prompts.prompts(state)

    def windows(self, state: SharesState) -> tuple[Window, ...]:
        return prompts.windows(state)

    def check_move(
        self, state: SharesState, seat: Seat, prompt: PromptId, move: SharesPlay, at: Millis
    ) -> Refusal | None:
        """Judge a move only by what is public and the seat's own cards, shares and deals (GEN-3, SSA-33)."""
        kind, _, _ = prompt.partition(":")
        match move:
            case Select() | Bidding() | Lock() | Unlock():
                return (
                    selection.refuse(state, seat, kind, move)
                    if kind in ("select", "lowball")
                    else OTHER_PROMPT
                )
            case Play() | Discard() | DrawUp() | OpenMarket() | EndTurn():
                return actions.refuse(state, seat, kind, move)
            case Add() | Remove() | Spy():
                return actions.refuse_effect(state, seat, kind, move)
            case Done():
                return None if kind in ("hearts", "spades", "clubs", "draw") else OTHER_PROMPT
            case StopPeeking():
                return None if kind == peeks.KIND else OTHER_PROMPT
            case Adjust() | Target() | Take() | Swap():
                return chance.refuse(state, seat, kind, move)
            case FromDeck() | FromDiscard():
                return drawing.refuse(state, move) if kind in ("draw", "chance3") else OTHER_PROMPT
            case CloseMarket():
                if kind != "market":
                    return OTHER_PROMPT
                return None if seat == turn_flow.active_of(state) else NOT_YOUR_MARKET
            case Decline() if kind == "chance4":
                return None
            case Propose() | Counter() | Accept() | Decline() | Cancel():
                return MARKET.check(state, seat, prompt, move)
            case Show() | ShowAll():
                return OTHER_PROMPT if kind != showing.PROMPT else showing.refuse(state, seat, move)
            case _:
                assert_never(move)

    def apply_move(
        self, state: SharesState, seat: Seat, prompt: PromptId, move: SharesPlay, at: Millis, dice: Dice
    ) -> Step[SharesState]:
        kind = state.scene.kind
        match move:
            case Select() | Bidding():
                return Step(selection.draft(state, seat, move), affected_seats=frozenset({seat}))
            case Decline() if kind == "chance4":
                return turn_flow.settle(state, at, (turn_flow.say("shares.declined", seat),))
            case Propose() | Counter() | Accept() | Decline() | Cancel():
                return MARKET.apply(state, seat, prompt, move, at, dice)
            case Lock():
                return selection.lock(state, seat, move, at, dice)
            case Unlock():
                return Step(selection.unlock(state, seat))
            case Play() | Discard() | DrawUp() | OpenMarket():
                return actions.act(state, seat, move, kind == "chance4", at, dice)
            case EndTurn():
                return turn_flow.end_turn(state, at)
            case Done() if kind == "draw":
                return turn_flow.settle(state, at)
            case Add() | Remove() | Spy() | Done():
                return actions.use(state, seat, move, at)
            case StopPeeking():
                return actions.stop_peeking(state, at)
            case Adjust(by=by):
                return chance.adjust(state, by, at)
            case Target(seat=other):
                if kind == "chance1":
                    return chance.peek_to_take(state, seat, Seat(other), at)
                return chance.pass_on(state, seat, Seat(other), at, dice)
            case Take(place=place):
                return chance.take(state, seat, place, at)
            case Swap(seats=seats):
                return chance.swap(state, seat, seats, at)
            case FromDeck() | FromDiscard():
                return drawing.draw(state, seat, move, at)
            case CloseMarket():
                return actions.close_market(state, at)
            case Show() | ShowAll():
                return showing.show(state, seat, move)
            case _:
                assert_never(move)

    def resets_misses(self, state: SharesState, prompt: PromptId, move: SharesPlay) -> bool:
        """Whether everybody sees the move: notes and offers are private; declining a free action is not."""
        if isinstance(move, Decline):
            return offering.find(state.offers, prompt) is None
        return not isinstance(move, Select | Bidding | Propose | Counter | Cancel)

    def done(self, state: SharesState) -> tuple[bool, ...]:
        return prompts.done(state)

    def expire(self, state: SharesState, window: WindowId, at: Millis, dice: Dice) -> Step[SharesState]:
        """Lock what was noted, end a turn, a peek or a market, or choose by default (1b, GEN-7).

        Raises ValueError for a window that is not open.
        """
        if state.held is not None and window == state.held.id:
            return self._decide_by_default(state, turn_flow.active_of(state), "turn", at, dice)
        alone = time_control.find_window_seat(timer_of(state), window)
        match state.scene.kind:
            case "select":
                return selection.time_to_select(state, alone, at, dice)
            case "lowball":
                return selection.time_to_offer(state, alone, at, dice)
            case "peek":
                return actions.stop_peeking(state, at)
            case "market":
                return actions.close_market(state, at)
            case kind:
                seat = state.scene.seat
                if seat is None:
                    raise ValueError(f"nobody decides: {kind}")
                return self._decide_by_default(state, seat, kind, at, dice)

    def _decide_by_default(
        self, state: SharesState, seat: Seat, kind: str, at: Millis, dice: Dice
    ) -> Step[SharesState]:
        """Decide for a seat that has run out of time."""
        state, gone = count_missed(state, (seat,))
        lines: tuple[LogLine, ...] = (turn_flow.say("shares.auto", seat, what=kind), *gone)
        match kind:
            case "turn":
                return turn_flow.abandon(state, at, lines)
            case "hearts" | "spades" | "clubs":
                return actions.lapse(state, seat, at, lines)
            case "draw" | "chance3":
                return drawing.fill(state, seat, at, lines)
            case "chance4":
                return turn_flow.settle(state, at, (*lines, turn_flow.say("shares.declined", seat)))
            case _:
                step = chance.choose_default(state, seat, at, dice)
                return Step(step.state, (*lines, *step.lines))

    def public(self, state: SharesState) -> dict[str, Section]:
        return views.public(state)

    def private(self, state: SharesState, seat: Seat) -> dict[str, Section]:
        return views.private(state, seat)

    def choices(self, state: SharesState, seat: Seat) -> Choices:
        return choices(state, seat)

    def preview(self, state: SharesState, seat: Seat, move: SharesMove) -> Section | None:
        """The prizes after a floor is added or removed, or the effect of a card or a roll."""
        effect = actions.preview(state, seat, move)
        return None if effect is None else Section(effect)

    def talk_policy(self, state: SharesState, seat: Seat | None) -> TalkPolicy:
        """The talk the variant allows (SSA-29, SSA-30); a peeking seat may neither write nor talk (1c)."""
        if seat is None:
            return SILENT
        if state.options.talk != "strict":
            return peeks.talk_policy(state.peek, seat, self.open_talk)
        honour = state.options.strict_chat == "honour"
        return peeks.talk_policy(state.peek, seat, STRICT_HONOUR if honour else STRICT_PHRASES)

    def coach(self, observation: Observation, prompt: Prompt) -> Advice | None:
        return coach.advise(observation, prompt)

    def resample(self, state: SharesState, viewer: Seat | None, dice: Dice) -> SharesState:
        return determinization.resample(state, viewer, dice)


SHARES: Final = ShareAlike()
