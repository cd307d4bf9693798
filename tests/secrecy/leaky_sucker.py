"""Games of So Long Sucker with one leak each, for the lockstep tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from games.api import (
    Choices,
    Dice,
    LogLine,
    Millis,
    Outcome,
    Prompt,
    PromptId,
    Refusal,
    Seat,
    Section,
    Struct,
    Window,
    WindowId,
)
from games.sucker.rules.game import Sucker
from games.sucker.rules.values import Place, PlayCard, SuckerOptions, SuckerState, Taken
from games.sucker.rules.views import Cards


class Told(Struct, frozen=True):
    """The section in which a leak shows its secret."""

    what: tuple[str | int, ...]


class Telling(Sucker):
    """A game with one public section too many while somebody has the move."""

    sections: Mapping[str, type[msgspec.Struct]] = {**Sucker.sections, "told": Told}

    def tell(self, state: SuckerState) -> tuple[str | int, ...]:
        raise NotImplementedError

    def public(self, state: SuckerState) -> dict[str, Section]:
        sections = super().public(state)
        if state.stage.mover is None:
            return sections
        return {**sections, "told": Section(Told(self.tell(state)))}


class AlliesOfMover(Telling):
    """Reveals whether the mover's ally is the seat before it."""

    def tell(self, state: SuckerState) -> tuple[str | int, ...]:
        mover = state.stage.mover or 0
        return (int(state.rows[mover][-1] == (mover - 1) % len(state.rows)),)


class TopOfTheStack(Telling):
    """Reveals the card that will be taken next."""

    def tell(self, state: SuckerState) -> tuple[str | int, ...]:
        return state.deck[len(state.taken) :][:1]


class CapturesLeft(Telling):
    """Reveals how many captures are left in the stack."""

    def tell(self, state: SuckerState) -> tuple[str | int, ...]:
        return (state.deck[len(state.taken) :].count("capture"),)


class VoidShown(Telling):
    """Reveals what void cards would have done."""

    def tell(self, state: SuckerState) -> tuple[str | int, ...]:
        return tuple(state.deck[i] for i, card in enumerate(state.taken) if card.status == "void")


class RowToTheNextSeat(Sucker):
    """A seat is shown the enemy of the seat before it."""

    def private(self, state: SuckerState, seat: Seat) -> dict[str, Section]:
        sections = super().private(state, seat)
        if not sections:
            return sections
        enemy = state.rows[seat - 1][:1]
        own_section: Any = sections["mine"].data
        return {"mine": Section(replace(own_section, row=(*own_section.row, *enemy)))}


class KindToldToAll(Sucker):
    """Announces what a card does when it is taken (SLS-18)."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        step = super().apply(state, seat, prompt, move, at, dice)
        lines = tuple(replace(one, to=None) if one.key == "sucker.cardKind" else one for one in step.lines)
        return replace(step, lines=lines)


class ReturnsShown(Sucker):
    """The public section shows the kind of every held return card."""

    def public(self, state: SuckerState) -> dict[str, Section]:
        sections = super().public(state)
        cards = sections.get("cards")
        if cards is None or state.stage.mover is None or not isinstance(cards.data, Cards):
            return sections
        shown = tuple(
            replace(one, kind="return") if state.deck[one.id] == "return" else one for one in cards.data.cards
        )
        return {**sections, "cards": Section(Cards(cards.data.left, shown))}


class OnlyCapturesKept(Sucker):
    """Keeps only captures among the cards that name a defeated seat, and so reveals their kind (SLS-25)."""

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        return self._kept(super().apply(state, seat, prompt, move, at, dice))

    def expire(self, state: SuckerState, window: WindowId, at: Millis, dice: Dice) -> Any:
        return self._kept(super().expire(state, window, at, dice))

    def _kept(self, step: Any) -> Any:
        state = step.state
        if state.stage.mover is None:
            return step
        cards = tuple(
            Taken(card.owner, card.token, "void")
            if card.status == "held" and state.deck[i] != "capture" and not state.stage.alive[card.token]
            else card
            for i, card in enumerate(state.taken)
        )
        return replace(step, state=replace(state, taken=cards))


class WaitsForTribute(Sucker):
    """A rescue prompts the seat in need only if it holds a tribute card (SLS-23)."""

    def prompts(self, state: SuckerState) -> tuple[Prompt, ...] | Outcome:
        prompts = super().prompts(state)
        if state.stage.phase != "rescue" or isinstance(prompts, Outcome):
            return prompts
        own_cards = {i for i, card in enumerate(state.taken) if card.owner == state.stage.mover}
        helps = any(state.deck[i] == "tribute" and state.taken[i].status == "held" for i in own_cards)
        return tuple(
            replace(one, seats=one.seats - {state.stage.mover}) if one.kind == "rescue" and not helps else one
            for one in prompts
        )


class SlowWithAllies(Sucker):
    """Turns get more time while the mover's ally is alive."""

    def windows(self, state: SuckerState) -> tuple[Window, ...]:
        mover = state.stage.mover
        if mover is None:
            return super().windows(state)
        longer = state.stage.alive[state.rows[mover][-1]]
        return tuple(
            replace(one, span=Millis(one.span + 1)) if longer else one for one in super().windows(state)
        )


class CardOfOthersRefused(Sucker):
    """Trying another seat's card reveals whether it is a capture (GEN-3)."""

    def check(
        self, state: SuckerState, seat: Seat, prompt: PromptId, move: Any, at: Millis
    ) -> Refusal | None:
        refused = super().check(state, seat, prompt, move, at)
        known = isinstance(move, PlayCard) and refused is not None and move.card < len(state.taken)
        if known and state.deck and state.deck[move.card] == "capture":
            return Refusal("OTHER_CARD", "SLS-22")
        return refused


class LoyaltyTold(Sucker):
    """Announces the ally of a seat that is defeated."""

    texts = replace(Sucker.texts, lines={**Sucker.texts.lines, "sucker.ally": ("seat", "ally")})

    def apply(self, state: Any, seat: Seat, prompt: PromptId, move: Any, at: Millis, dice: Dice) -> Any:
        return self._told(state, super().apply(state, seat, prompt, move, at, dice))

    def expire(self, state: SuckerState, window: WindowId, at: Millis, dice: Dice) -> Any:
        return self._told(state, super().expire(state, window, at, dice))

    def _told(self, before: SuckerState, step: Any) -> Any:
        if len(step.state.stage.out) <= len(before.stage.out) or step.state.stage.mover is None:
            return step
        out = step.state.stage.out[-1]
        line = LogLine("sucker.ally", {"seat": out, "ally": before.rows[out][-1]}, None)
        return replace(step, lines=(*step.lines, line))


class BegunWithRows(Sucker):
    """The setup's last log line is sent again to the enemy of the seat that begins."""

    def setup(self, seats: int, options: SuckerOptions, at: Millis, dice: Dice) -> Any:
        step = super().setup(seats, options, at, dice)
        first = step.state.stage.first
        to = frozenset({Seat(step.state.rows[first][0])})
        return replace(step, lines=(*step.lines, replace(step.lines[-1], to=to)))


class PreviewOfTheStack(Sucker):
    """A preview of a placement reveals whether the next card is a capture."""

    def preview(self, state: SuckerState, seat: Seat, move: Any) -> Section | None:
        preview = super().preview(state, seat, move)
        if preview is None or not isinstance(move, Place):
            return preview
        shown: Any = preview.data
        return Section(replace(shown, forced=state.deck[len(state.taken) :][:1] == ("capture",)))


class ChoicesWithKinds(Sucker):
    """A seat is offered one of its own choices twice if another seat holds a return card."""

    def choices(self, state: SuckerState, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        others = [i for i, card in enumerate(state.taken) if card.status == "held" and seat != card.owner]
        if state.stage.mover is None or not any(state.deck[i] == "return" for i in others):
            return choices
        return {prompt: (*some, some[-1]) for prompt, some in choices.items()}
