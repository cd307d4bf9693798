"""Almost (Yehuda Berlinger, 2009) and the postal game Banbury Merton Street: the rules.

A round has three phases: `discuss` (everyone talks, proposes plans and gets ready), `bid` (each seat secretly
picks and locks a number) and `reveal` (all numbers are shown; the lowest unique one scores its value). The
rulings ALM-1..14 and GEN-1..13 settle what the printed rules leave open; they are cited where they apply, and
RULES.md explains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from games.almost import coach
from games.almost.rules import plans, prompts, rounds
from games.almost.rules.promises import AlmostPromises
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
    OUT_OF_REACH,
    PLAN_SHAPE,
    SEATS,
    TEXTS,
    bid_range,
)
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
    TalkPolicy,
    WindowId,
)
from games.kit import sealed as sealing
from games.kit import time_control as time_control
from games.kit.lessons import read_lesson
from games.kit.time_control import TimeControl
from games.kit.timed_game import OTHER_PROMPT, SILENT, TimedGame, timer_of
from games.kit.tuples import replace_at

WHISPERING: Final = TalkPolicy("open", TEXTS.phrases, whispers=True)


class Almost(TimedGame[AlmostState, AlmostPlay, AlmostOptions]):
    """The rules for both modes."""

    key = "almost"
    version = 2
    readable_versions = (1,)
    seats = range(3, 11)  # ALM-13: the game degenerates with two seats
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
    private_sections = frozenset({"mine"})
    texts = TEXTS
    lesson = read_lesson("games.almost")
    promises = AlmostPromises()

    def refuse_options(self, seats: int, options: AlmostOptions) -> Refusal | None:
        if seats not in self.seats:
            return SEATS
        if options.mode == "almost" and options.target > options.max_bid * (seats - 1):
            return OUT_OF_REACH
        return None

    def setup(self, seats: int, options: AlmostOptions, at: Millis, dice: Dice) -> Step[AlmostState]:
        """Begins round 1. The number of rounds is fixed, even if players leave (ALM-6)."""
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
            sealing.make_sealed(seats),
            plans.make_no_plans(seats),
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
                highest = state.stage.most
                valid = len(bids) == len(state.done) and all(1 <= bid <= highest for bid in bids)
                return None if valid else PLAN_SHAPE
            case Agree(plan=number):
                supported = plans.plan_of(state.plans, seat)
                if supported is not None and supported.number == number:
                    return ALREADY_BEHIND
                exists = any(plan.number == number for plan in state.plans.plans)
                return None if exists else NO_SUCH_PLAN
            case Withdraw():
                return BEHIND_NONE if plans.plan_of(state.plans, seat) is None else None

    def apply_move(
        self, state: AlmostState, seat: Seat, prompt: PromptId, move: AlmostPlay, at: Millis, dice: Dice
    ) -> Step[AlmostState]:
        match move:
            case Bid(number=number):  # no log line and no readiness: drafting itself is secret, too (4c)
                after = replace(state, bids=sealing.draft(state.bids, seat, number))
                return Step(after, affected_seats=_find_affected_seats(state, seat))
            case Lock(number=number):
                return self._lock(state, seat, number, at)
            case Unlock():
                bids = sealing.unlock(state.bids, seat)
                return Step(replace(state, bids=bids), affected_seats=_find_affected_seats(state, seat))
            case Ready() | Continue():
                return self._set_done(state, seat, at)
            case Unready():
                done = replace_at(state.done, seat, False)
                return Step(replace(state, done=done), affected_seats=_find_affected_seats(state, seat))
            case Propose(bids=plan):
                proposals, line = plans.propose(state.plans, seat, plan)
                return Step(replace(state, plans=proposals), (line,))
            case Agree(plan=number):
                proposals, line = plans.agree(state.plans, seat, number)
                return Step(replace(state, plans=proposals), (line,))
            case Withdraw():
                proposals, line = plans.withdraw(state.plans, seat)
                return Step(replace(state, plans=proposals), (line,))

    def _set_done(self, state: AlmostState, seat: Seat, at: Millis) -> Step[AlmostState]:
        done = replace_at(state.done, seat, True)
        after = replace(state, done=done)
        return (
            Step(after, affected_seats=_find_affected_seats(state, seat))
            if False in done
            else rounds.go_on(after, at)
        )

    def _lock(self, state: AlmostState, seat: Seat, number: int | None, at: Millis) -> Step[AlmostState]:
        bids = sealing.lock(state.bids, seat, number)
        after = replace(state, bids=bids)
        if sealing.complete(bids):
            return rounds.reveal(after, rounds.list_missed(after), at)
        return Step(after, affected_seats=_find_affected_seats(state, seat))

    def expire(self, state: AlmostState, window: WindowId, at: Millis, dice: Dice) -> Step[AlmostState]:
        """Ends the discussion or reveal, or bids for seats that have not locked (ALM-4, GEN-7).

        The short window of a seat that is away ends for that seat only. Raises ValueError for a window that
        is not open.
        """
        alone = time_control.find_window_seat(timer_of(state), window)
        if state.stage.phase != "bid":
            return rounds.go_on(state, at) if alone is None else self._set_done(state, alone, at)
        if alone is None:
            missed = rounds.list_missed(state)
            filled = sealing.fill(state.bids, lambda seat: rounds.default_bid(state, dice, seat))
            return rounds.reveal(replace(state, bids=filled), missed, at)
        number = None if state.bids.draft[alone] is not None else rounds.default_bid(state, dice, alone)
        return self._lock(state, alone, number, at)

    def done(self, state: AlmostState) -> tuple[bool, ...]:
        return state.bids.locked if state.stage.phase == "bid" else state.done

    def extension(self, state: AlmostState, seat: Seat, window: WindowId) -> AlmostMove | None:
        """The move that extends the window; None during a reveal, which cannot be extended."""
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
        return prompts.private(bids.draft[seat], bids.locked[seat], state.time_control.extensions[seat])

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
        supported = plans.plan_of(state.plans, seat)
        return prompts.ready_choices(
            stage.phase,
            stage.round,
            state.done[seat],
            stage.most,
            state.plans,
            None if supported is None else supported.number,
            more,
        )

    def preview(self, state: AlmostState, seat: Seat, move: AlmostMove) -> Section | None:
        return None

    def talk_policy(self, state: AlmostState, seat: Seat | None) -> TalkPolicy:
        """Closes talk during bidding; otherwise the limit on discussion would mean little (ALM-8)."""
        options, phase = state.options, state.stage.phase
        if seat is None or (phase == "bid" and not options.talk_while_bidding):
            return SILENT
        return WHISPERING if options.whispers else self.open_talk

    def coach(self, observation: Observation, prompt: Prompt) -> Advice | None:
        return coach.advise(observation, prompt)

    def resample(self, state: AlmostState, viewer: Seat | None, dice: Dice) -> AlmostState:
        """Redraws the drafts of other seats; only a seat that has not locked may be left without one."""
        if state.stage.phase != "bid":
            return state
        highest = state.stage.most

        def redraw(seat: int) -> int | None:
            if not state.bids.locked[seat] and dice.below("resample", 3) == 0:
                return None
            return 1 + dice.below("resample", highest)

        drafts = tuple(bid if seat == viewer else redraw(seat) for seat, bid in enumerate(state.bids.draft))
        return replace(state, bids=replace(state.bids, draft=drafts))

    def upgrade(self, version: int, data: Mapping[str, Any]) -> AlmostState | None:
        """Accept a state of version 1, which does not say in which order its plans were backed.

        There, a plan released a promise whether it was backed before the promise was made or after: promises
        of version 1 stay so. For promises made after the upgrade, every existing backing counts as earlier.
        """
        if version == 1:
            behind = {seat for plan in data["plans"]["plans"] for seat in plan["behind"]}
            backings = [int(seat in behind) for seat in range(len(data["done"]))]
            data = {**data, "plans": {**data["plans"], "backings": backings}}
        return super().upgrade(version, data)


def _find_affected_seats(state: AlmostState, seat: Seat) -> frozenset[Seat] | None:
    """The seats affected by a step that changes only this seat's choice or readiness."""
    return None if time_control.is_anybody_away(state.time_control) else ALONE[seat]


ALONE: Final = tuple(frozenset({Seat(seat)}) for seat in range(10))
"""By seat, the set that contains only that seat; shared so that no step has to build one."""
NO_CHOICES: Final[Choices] = {}
ALMOST: Final = Almost()
