"""Almost (Yehuda Berlinger, 2009) and the postal game Banbury Merton Street: the rules.

Rounds of three phases: `discuss` (all talk, propose plans, get ready), `bid` (all choose a number in secret
and lock it), `reveal` (all numbers are shown; the lowest that stands alone scores its value). What the text
leaves open is settled by the rulings ALM-1..14 and GEN-1..13, cited where they act; see RULES.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from games.almost.rules import plans, prompts, rounds
from games.almost.rules.values import (
    HIGHEST,
    Agree,
    AlmostMove,
    AlmostOptions,
    AlmostPlay,
    AlmostState,
    Bid,
    Continue,
    Lock,
    Mine,
    Plans,
    Propose,
    Readiness,
    Ready,
    Score,
    Stage,
    Unlock,
    Unready,
    Withdraw,
)
from games.almost.texts import (
    ALREADY_BEHIND,
    ALREADY_READY,
    BEHIND_NONE,
    NO_SUCH_PLAN,
    NOT_READY,
    OTHER_PROMPT,
    OUT_OF_REACH,
    PLAN_SHAPE,
    SEATS,
    TEXTS,
    bid_range,
)
from games.api import (
    Choices,
    Dice,
    Millis,
    Outcome,
    Prompt,
    PromptId,
    Refusal,
    Seat,
    Section,
    Step,
    TalkPolicy,
    WindowId,
)
from games.kit import sealed as sealing
from games.kit import time_control as time_control
from games.kit.time_control import TimeControl
from games.kit.timed_game import SILENT, TimedGame, timer_of
from games.kit.tuples import replace_at

WHISPERING: Final = TalkPolicy("open", TEXTS.phrases, whispers=True)


class Almost(TimedGame[AlmostState, AlmostPlay, AlmostOptions]):
    """The rules of both modes."""

    key = "almost"
    seats = range(3, 11)  # ALM-13: with two seats it degenerates
    minutes = (5, 15)
    silent = frozenset({"bid"})  # others see only who has locked (4c)
    sections: Mapping[str, type[msgspec.Struct]] = {
        "stage": Stage,
        "readiness": Readiness,
        "score": Score,
        "plans": Plans,
        "time_control": TimeControl,
        "mine": Mine,
    }
    texts = TEXTS

    def refuse_options(self, seats: int, options: AlmostOptions) -> Refusal | None:
        if seats not in self.seats:
            return SEATS
        if options.mode == "almost" and options.target > options.max_bid * (seats - 1):
            return OUT_OF_REACH
        return None

    def setup(self, seats: int, options: AlmostOptions, at: Millis, dice: Dice) -> Step[AlmostState]:
        """Round 1. The number of rounds is fixed now, whoever leaves (ALM-6)."""
        almost = options.mode == "almost"
        stage = Stage(
            options.mode,
            options.scoring,
            "discuss",
            1,
            seats - 1 if almost else options.banbury_rounds,
            options.target if almost else None,
            options.max_bid if almost else HIGHEST,
        )
        nothing = (0,) * seats
        state = AlmostState(
            options,
            stage,
            (False,) * seats,
            sealing.sealed(seats, int),
            plans.NO_PLANS,
            rounds.standing(stage, (), nothing, nothing),
            time_control=time_control.start(seats, options.timers),
            timer=None,
        )
        return rounds.begin(state, 1, at)

    def prompts(self, state: AlmostState) -> tuple[Prompt, ...] | Outcome:
        timer = state.timer
        if timer is None:
            return rounds.outcome(state)
        return prompts.prompts(
            state.stage, len(state.done), timer, time_control.prompt(state.time_control, timer)
        )

    def check_move(
        self, state: AlmostState, seat: Seat, prompt: PromptId, move: AlmostPlay, at: Millis
    ) -> Refusal | None:
        kind, _, _ = prompt.partition(":")
        match move:
            case Lock(number=number):
                if kind != "bid":
                    return OTHER_PROMPT
                if number is not None and not 1 <= number <= state.stage.most:
                    return bid_range(state.stage.most)
                return sealing.refuse_lock(state.bids, seat, number is not None)
            case Bid(number=number):
                if kind != "bid":
                    return OTHER_PROMPT
                if not 1 <= number <= state.stage.most:
                    return bid_range(state.stage.most)
                return sealing.refuse_draft(state.bids, seat)
            case Unlock():
                return OTHER_PROMPT if kind != "bid" else sealing.refuse_unlock(state.bids, seat)
            case Ready():
                if kind != "ready":
                    return OTHER_PROMPT
                return ALREADY_READY if state.done[seat] else None
            case Unready():
                if kind != "ready":
                    return OTHER_PROMPT
                return None if state.done[seat] else NOT_READY
            case Continue():
                if kind != "continue":
                    return OTHER_PROMPT
                return ALREADY_READY if state.done[seat] else None
            case Propose() | Agree() | Withdraw():
                return OTHER_PROMPT if kind != "plan" else self._check_plan(state, seat, move)

    def _check_plan(self, state: AlmostState, seat: Seat, move: Propose | Agree | Withdraw) -> Refusal | None:
        match move:
            case Propose(bids=bids):
                most = state.stage.most
                good = len(bids) == len(state.done) and all(1 <= bid <= most for bid in bids)
                return None if good else PLAN_SHAPE
            case Agree(plan=number):
                own = plans.plan_of(state.plans, seat)
                if own is not None and own.number == number:
                    return ALREADY_BEHIND
                known = any(plan.number == number for plan in state.plans.plans)
                return None if known else NO_SUCH_PLAN
            case Withdraw():
                return BEHIND_NONE if plans.plan_of(state.plans, seat) is None else None

    def apply_move(
        self, state: AlmostState, seat: Seat, prompt: PromptId, move: AlmostPlay, at: Millis, dice: Dice
    ) -> Step[AlmostState]:
        match move:
            case Bid(number=number):  # no line and no light: drafting is as secret as the number (4c)
                after = replace(state, bids=sealing.draft(state.bids, seat, number))
                return Step(after, affected_seats=_alone(state, seat))
            case Lock(number=number):
                return self._locked(state, seat, number, at)
            case Unlock():
                bids = sealing.unlock(state.bids, seat)
                return Step(replace(state, bids=bids), affected_seats=_alone(state, seat))
            case Ready() | Continue():
                return self._done(state, seat, at)
            case Unready():
                done = replace_at(state.done, seat, False)
                return Step(replace(state, done=done), affected_seats=_alone(state, seat))
            case Propose(bids=plan):
                proposals, line = plans.proposed(state.plans, seat, plan)
                return Step(replace(state, plans=proposals), (line,))
            case Agree(plan=number):
                proposals, line = plans.agreed(state.plans, seat, number)
                return Step(replace(state, plans=proposals), (line,))
            case Withdraw():
                proposals, line = plans.withdrawn(state.plans, seat)
                return Step(replace(state, plans=proposals), (line,))

    def _done(self, state: AlmostState, seat: Seat, at: Millis) -> Step[AlmostState]:
        done = replace_at(state.done, seat, True)
        after = replace(state, done=done)
        return (
            Step(after, affected_seats=_alone(state, seat)) if False in done else rounds.all_done(after, at)
        )

    def _locked(self, state: AlmostState, seat: Seat, number: int | None, at: Millis) -> Step[AlmostState]:
        bids = sealing.lock(state.bids, seat, number)
        after = replace(state, bids=bids)
        if sealing.complete(bids):
            return rounds.reveal(after, rounds.absent(after), at)
        return Step(after, affected_seats=_alone(state, seat))

    def expire(self, state: AlmostState, window: WindowId, at: Millis, dice: Dice) -> Step[AlmostState]:
        """Time is up: talk and reveals end; bids are the drafts, or drawn (ALM-4, GEN-7).

        The short window of a seat that is away ends for that seat alone. Raises ValueError for a window
        that is not open.
        """
        alone = time_control.expired(timer_of(state), window)
        if state.stage.phase != "bid":
            return rounds.all_done(state, at) if alone is None else self._done(state, alone, at)
        if alone is None:
            absent = rounds.absent(state)
            filled = sealing.fill(state.bids, lambda seat: rounds.default(state, dice, seat))
            return rounds.reveal(replace(state, bids=filled), absent, at)
        number = None if state.bids.draft[alone] is not None else rounds.default(state, dice, alone)
        return self._locked(state, alone, number, at)

    def done(self, state: AlmostState) -> tuple[bool, ...]:
        return state.bids.locked if state.stage.phase == "bid" else state.done

    def extension(self, state: AlmostState, seat: Seat, window: WindowId) -> AlmostMove | None:
        """A reveal waits for nobody."""
        return None if state.stage.phase == "reveal" else super().extension(state, seat, window)

    def public(self, state: AlmostState) -> dict[str, Section]:
        stage = state.stage
        return {
            "stage": Section(stage),
            "readiness": prompts.readiness(self.done(state)),
            "score": Section(state.score),
            "plans": Section(state.plans),
            "time_control": Section(state.time_control),
        }

    def private(self, state: AlmostState, seat: Seat) -> dict[str, Section]:
        bids = state.bids
        return prompts.mine(bids.draft[seat], bids.locked[seat], state.time_control.extensions[seat])

    def choices(self, state: AlmostState, seat: Seat) -> Choices:
        timer, stage = state.timer, state.stage
        if timer is None:
            return NO_CHOICES
        more = time_control.prompt(state.time_control, timer)
        if more is not None and seat not in more.prompt.seats:
            more = None
        if stage.phase == "bid":
            bids = state.bids
            return prompts.bid_choices(
                stage.round, stage.most, bids.draft[seat] is not None, bids.locked[seat], more
            )
        own = plans.plan_of(state.plans, seat)
        return prompts.ready_choices(
            stage.phase,
            stage.round,
            state.done[seat],
            stage.most,
            state.plans,
            None if own is None else own.number,
            more,
        )

    def preview(self, state: AlmostState, seat: Seat, move: AlmostMove) -> Section | None:
        return None

    def talk_policy(self, state: AlmostState, seat: Seat | None) -> TalkPolicy:
        """Talk is open but while numbers are chosen, or the limit would be void (ALM-8)."""
        options, phase = state.options, state.stage.phase
        if seat is None or (phase == "bid" and not options.talk_while_bidding):
            return SILENT
        return WHISPERING if options.whispers else self.open_talk

    def resample(self, state: AlmostState, viewer: Seat | None, dice: Dice) -> AlmostState:
        """Draw anew what others have drafted; a locked seat has a number, another may have none."""
        if state.stage.phase != "bid":
            return state
        most = state.stage.most

        def drawn(seat: int) -> int | None:
            if not state.bids.locked[seat] and dice.below("resample", 3) == 0:
                return None
            return 1 + dice.below("resample", most)

        drafts = tuple(mine if seat == viewer else drawn(seat) for seat, mine in enumerate(state.bids.draft))
        return replace(state, bids=replace(state.bids, draft=drafts))


def _alone(state: AlmostState, seat: Seat) -> frozenset[Seat] | None:
    """Whom a step touches that changes only what this seat has chosen, or that it has."""
    return None if time_control.anybody_away(state.time_control) else ALONE[seat]


ALONE: Final = tuple(frozenset({Seat(seat)}) for seat in range(10))
"""Each seat as the only one that a step touches."""
NO_CHOICES: Final[Choices] = {}
ALMOST: Final = Almost()
