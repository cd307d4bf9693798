"""Games with one fault each, for the tests of the conformance suite: each is Almost with that fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from games.almost.rules.game import Almost
from games.almost.rules.values import AlmostState, Lock, Stage
from games.api import (
    Choice,
    Choices,
    Dice,
    LogLine,
    Millis,
    OwnerOnly,
    Prompt,
    PromptId,
    Public,
    Refusal,
    Seat,
    Secret,
    Section,
    Step,
    Struct,
    TalkPolicy,
    Window,
    WindowId,
)


def _drafted(state: AlmostState) -> int:
    return sum(value is not None for value in state.bids.draft)


class BidInALine(Almost):
    """Locking a bid reveals its number in the log."""

    texts = replace(Almost.texts, lines={**Almost.texts.lines, "almost.locked": ("seat", "number")})

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        if not isinstance(move, Lock):
            return step
        number = step.state.bids.draft[seat] if move.number is None else move.number
        line = LogLine("almost.locked", {"seat": seat, "number": number}, None)
        return Step(step.state, (*step.lines, line))


class DraftInALine(Almost):
    """The log reveals to a seat's neighbour alone that the seat has drafted."""

    texts = replace(Almost.texts, lines={**Almost.texts.lines, "almost.drafted": ("seat",)})

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        if msgspec.to_builtins(move)["move"] != "bid":
            return step
        neighbour = Seat((seat + 1) % len(state.done))
        line = LogLine("almost.drafted", {"seat": seat}, frozenset({neighbour}))
        return Step(step.state, (*step.lines, line))


class CountingState(AlmostState, frozen=True):
    commands: Public[int] = 0


class CountingStage(Stage, frozen=True):
    commands: int = 0


class RoomWideCounter(Almost):
    """Every command, including a draft, increments a public number."""

    State = CountingState
    sections: Mapping[str, type[msgspec.Struct]] = {**Almost.sections, "stage": CountingStage}

    def setup(self, seats: int, options: Any, at: Millis, dice: Dice) -> Any:
        step = super().setup(seats, options, at, dice)
        return Step(CountingState(**msgspec.structs.asdict(step.state)), step.lines)

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        return Step(replace(step.state, commands=state.commands + 1), step.lines)

    def public(self, state: Any) -> dict[str, Section]:
        stage = CountingStage(**msgspec.structs.asdict(state.stage), commands=state.commands)
        return {**super().public(state), "stage": Section(stage)}

    def upgrade(self, version: int, data: Any) -> Any:
        return msgspec.convert(data, CountingState)


class PromptChangesWithADraft(Almost):
    """The id of the prompt counts the drafts."""

    def prompts(self, state: AlmostState) -> Any:
        prompts = super().prompts(state)
        if not isinstance(prompts, tuple):
            return prompts
        return tuple(
            replace(prompt, id=PromptId(f"{prompt.id}:{_drafted(state)}")) if prompt.kind == "bid" else prompt
            for prompt in prompts
        )

    def choices(self, state: AlmostState, seat: Seat) -> Choices:
        return {
            PromptId(f"{prompt}:{_drafted(state)}") if prompt.startswith("bid:") else prompt: choices
            for prompt, choices in super().choices(state, seat).items()
        }


class LongerRefusal(Almost):
    """A refusal reveals that another seat has drafted a ten."""

    texts = replace(Almost.texts, refusals={**Almost.texts.refusals, "TAKEN": ()})

    def check(
        self, state: AlmostState, seat: Seat, prompt: PromptId, move: Any, at: Millis
    ) -> Refusal | None:
        refusal = super().check(state, seat, prompt, move, at)
        others = (value for other, value in enumerate(state.bids.draft) if other != seat)
        if refusal is not None and 10 in others:
            return Refusal("TAKEN", "ALM-1")
        return refusal


class Length(Struct, frozen=True):
    digits: int


class SectionLeaksLength(Almost):
    """A section reveals how many digits have been drafted."""

    sections: Mapping[str, type[msgspec.Struct]] = {**Almost.sections, "paper": Length}

    def public(self, state: AlmostState) -> dict[str, Section]:
        digits = sum(len(str(value)) for value in state.bids.draft if value is not None)
        return {**super().public(state), "paper": Section(Length(digits))}


class PrivateOfAnother(Almost):
    """Seat 0 is shown its neighbour's draft."""

    def private(self, state: AlmostState, seat: Seat) -> dict[str, Section]:
        return super().private(state, Seat(1) if seat == 0 else seat)


class TalkPolicyTells(Almost):
    """Talk opens once every seat has drafted."""

    def talk_policy(self, state: AlmostState, seat: Seat | None) -> TalkPolicy:
        return TalkPolicy("open") if None not in state.bids.draft else super().talk_policy(state, seat)


class TalkPolicyDrifts(Almost):
    """A seat that is ready may no longer talk, which no prompt or window shows."""

    def talk_policy(self, state: AlmostState, seat: Seat | None) -> TalkPolicy:
        quiet = seat is not None and state.stage.phase == "discuss" and state.done[seat]
        return TalkPolicy("closed") if quiet else super().talk_policy(state, seat)


class TouchesInSecret(Almost):
    """Locking a bid declares no seat as affected, so the seat that locked would see no change."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        secret = isinstance(move, Lock) and step.affected_seats is not None
        return replace(step, affected_seats=frozenset()) if secret else step


class TouchesTooFew(Almost):
    """The last lock opens other prompts, but declares only its own seat as affected."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        return replace(step, affected_seats=frozenset({seat})) if isinstance(move, Lock) else step


class WindowTells(Almost):
    """The window is of a different kind while nobody has drafted."""

    def windows(self, state: AlmostState) -> tuple[Window, ...]:
        windows = super().windows(state)
        if state.stage.phase != "bid" or _drafted(state):
            return windows
        return tuple(replace(window, kind="discuss") for window in windows)


class ExpiryTells(Almost):
    """When the rules play for a seat that is away, the log reveals whether it had drafted."""

    texts = replace(Almost.texts, lines={**Almost.texts.lines, "almost.drawn": ("seat",)})

    def expire(self, state: AlmostState, window: Any, at: Millis, dice: Dice) -> Any:
        step = super().expire(state, window, at, dice)
        _, away, seat = window.partition(":away:")
        if away and state.stage.phase == "bid" and state.bids.draft[int(seat)] is None:
            return Step(step.state, (*step.lines, LogLine("almost.drawn", {"seat": int(seat)}, None)))
        return step


# --- faults other than leaks ---


class Unmarked(AlmostState, frozen=True):
    extra: int = 0


class UnmarkedField(Almost):
    State = Unmarked


class HiddenNeverDrawn(AlmostState, frozen=True):
    secret: Secret[int] = 0


class ResampleForgets(Almost):
    """A hidden field that differs from game to game is never redrawn."""

    State = HiddenNeverDrawn

    def setup(self, seats: int, options: Any, at: Millis, dice: Dice) -> Any:
        step = super().setup(seats, options, at, dice)
        fields = msgspec.structs.asdict(step.state)
        return Step(HiddenNeverDrawn(**fields, secret=dice.below("secret", 1000)), step.lines)

    def upgrade(self, version: int, data: Any) -> Any:
        return msgspec.convert(data, HiddenNeverDrawn)


class ResampleTakesOwn(Almost):
    """Resampling redraws the viewer's own draft."""

    def resample(self, state: AlmostState, viewer: Seat | None, dice: Dice) -> AlmostState:
        return super().resample(state, None, dice)


class OffersTooMuch(Almost):
    """The number pad has one key too many."""

    def choices(self, state: AlmostState, seat: Seat) -> Choices:
        return {
            prompt: tuple(
                replace(one, fields={"number": replace(one.fields["number"], most=state.stage.most + 1)})
                if "number" in one.fields
                else one
                for one in moves
            )
            for prompt, moves in super().choices(state, seat).items()
        }


class OffersTooLittle(Almost):
    """A locked seat is not offered the choice to unlock."""

    def choices(self, state: AlmostState, seat: Seat) -> Choices:
        return {
            prompt: tuple(one for one in moves if one.move != "unlock")
            for prompt, moves in super().choices(state, seat).items()
        }


class WindowComesBack(Almost):
    """Every round's bidding has the same window."""

    def windows(self, state: AlmostState) -> tuple[Window, ...]:
        return tuple(replace(one, id="bid") if one.kind == "bid" else one for one in super().windows(state))

    def prompts(self, state: AlmostState) -> Any:
        prompts = super().prompts(state)
        if not isinstance(prompts, tuple):
            return prompts
        return tuple(
            replace(prompt, window="bid") if prompt.window and prompt.window[:3] == "bid" else prompt
            for prompt in prompts
        )

    def expire(self, state: AlmostState, window: Any, at: Millis, dice: Dice) -> Any:
        known_id = WindowId(f"bid:{state.stage.round}") if window == "bid" else window
        return super().expire(state, known_id, at, dice)


class WindowStays(Almost):
    """Nothing happens when a reveal's window ends."""

    def expire(self, state: AlmostState, window: Any, at: Millis, dice: Dice) -> Any:
        if window.startswith("reveal:") and "away" not in window:
            return Step(state)
        return super().expire(state, window, at, dice)


class Stuck(Almost):
    """Nobody is prompted after the first round, and no window runs."""

    def prompts(self, state: AlmostState) -> Any:
        return () if state.score.rows else super().prompts(state)

    def windows(self, state: AlmostState) -> tuple[Window, ...]:
        return () if state.score.rows else super().windows(state)

    def choices(self, state: AlmostState, seat: Seat) -> Choices:
        return {} if state.score.rows else super().choices(state, seat)


class Remembers(Almost):
    """The same move has a different effect the second time: something is kept outside the state."""

    def __init__(self) -> None:
        self.seen = 0

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        self.seen += 1
        return super().apply(state, seat, prompt, move, Millis(at + self.seen % 2), dice)


class UndeclaredLine(Almost):
    """A log line is missing from the game's strings."""

    texts = replace(
        Almost.texts, lines={key: args for key, args in Almost.texts.lines.items() if key != "almost.scored"}
    )


class UndeclaredSection(Almost):
    sections: Mapping[str, type[msgspec.Struct]] = {
        name: kind for name, kind in Almost.sections.items() if name != "plans"
    }


class UntitledOption(Almost):
    """The catalogue has no texts for the options."""

    texts = replace(Almost.texts, catalogue={**Almost.texts.catalogue, "options": {}})


class TakesTheHubsName(Almost):
    sections: Mapping[str, type[msgspec.Struct]] = {**Almost.sections, "choices": Length}


class Huge(Almost):
    """A view of more than 16 KB."""

    def public(self, state: AlmostState) -> dict[str, Section]:
        rows = state.score.rows * 2_000
        return {**super().public(state), "score": Section(replace(state.score, rows=rows))}


class Ghost(Almost):
    """Prompts a seat that is not at the table."""

    def prompts(self, state: AlmostState) -> Any:
        prompts = super().prompts(state)
        return (
            prompts
            if not isinstance(prompts, tuple)
            else (
                *prompts,
                Prompt(PromptId("x"), "bid", frozenset({Seat(99)}), None, None),
            )
        )


class OutWithoutNotice(Almost):
    """Who has drafted a number is out of it, which no prompt shows."""

    def out_seats(self, state: AlmostState) -> frozenset[Seat]:
        return frozenset({Seat(99)} if _drafted(state) else ())


class OutAndAsked(Almost):
    """Calls a seat out that still has to bid."""

    def out_seats(self, state: AlmostState) -> frozenset[Seat]:
        return frozenset({Seat(0)})


class UnknownChoice(Almost):
    """Offers a move the game does not have."""

    def choices(self, state: AlmostState, seat: Seat) -> Choices:
        offered = super().choices(state, seat)
        return {prompt: (*choices, Choice("dance")) for prompt, choices in offered.items()}


class MutableState(AlmostState, frozen=True):
    notes: OwnerOnly[tuple[list[int], ...]] = ()


class Mutable(Almost):
    State = MutableState
