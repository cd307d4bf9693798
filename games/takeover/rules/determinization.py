"""Redraws what a viewer cannot know: others' hands, marks and deals, and the industries of spent coins."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from games.api import Dice, Seat
from games.kit import offers as offering
from games.kit.sealed import Sealed
from games.takeover.rules import draft, mergers
from games.takeover.rules.deals import TRADING
from games.takeover.rules.values import Coin, Hands, Name, TakeoverState, suit_of, value_of

Slot = tuple[int, Coin]
"""A coin with the side that is up, preceded by the seat that has it, or SPENT or TABLE."""
SPENT = -1
TABLE = -2


def resample(state: TakeoverState, viewer: Seat | None, dice: Dice) -> TakeoverState:
    """Returns a state that this viewer cannot distinguish from the given one.

    It keeps the viewer's own coins and deals, the coins that others show it in offers, and what everybody
    sees: values in the draft, and later what `holdings` shows. It does not keep past owners, because no view
    shows them.
    """
    phase = state.stage.phase
    if phase == "end":
        return state
    if phase in ("draft", "flip"):
        hands = state.hands if state.seen is not None else _mix_draft(state, viewer, dice)
        mixed = state if state.seen is not None else replace(state, own=hands)
        return replace(mixed, flips=_redraw_flips(state, hands, viewer, dice))
    if state.seen is None:
        hands, spent = _mix_coins(state, viewer, dice)
        state = replace(state, own=hands, gone=spent)
    return TRADING.resample(state, viewer, dice)


def _redraw_flips(
    state: TakeoverState, hands: Hands, viewer: Seat | None, dice: Dice
) -> Sealed[tuple[Name, ...]]:
    """Redraws the other seats' marks; before the flips there are none."""
    if state.stage.phase == "draft":
        return state.flips
    drafts = tuple(
        marked if seat == viewer else tuple(coin.name for coin in hand if dice.below("resample", 2))
        for seat, (hand, marked) in enumerate(zip(hands, state.flips.draft, strict=True))
    )
    return Sealed(drafts, state.flips.locked)


def _mix_draft(state: TakeoverState, viewer: Seat | None, dice: Dice) -> Hands:
    """Shuffles the industries, including those on the table; each seat keeps its values."""
    slots = [(seat, coin) for seat, hand in enumerate(state.hands) if seat != viewer for coin in hand]
    slots.extend((TABLE, Coin(name, False)) for name in draft.table(state.hands, state.spent))
    return _deal(state.hands, viewer, _mix_groups(slots, _value, dice))[0]


def _mix_coins(state: TakeoverState, viewer: Seat | None, dice: Dice) -> tuple[Hands, tuple[Name, ...]]:
    """Shuffles the coins that no open offer shows to the viewer, in ways that it cannot notice."""
    known = () if viewer is None else offering.list_known_offers(state.offers, viewer)
    shown = {coin.name for offer in known for coin in offer.give}
    slots: list[Slot] = []
    fixed: list[Slot] = []
    for seat, hand in enumerate(state.hands):
        for coin in hand if seat != viewer else ():
            (fixed if coin.name in shown else slots).append((seat, coin))
    slots.extend((SPENT, Coin(name, False)) for name in state.spent)
    if state.options.holdings == "faces":
        slots = _mix_groups(slots, lambda coin: suit_of(coin.name) if coin.stock else _value(coin), dice)
    else:
        slots = _mix_concealed(_mix_groups(slots, _value, dice), state, dice)
    return _deal(state.hands, viewer, [*slots, *fixed])


def _mix_concealed(slots: list[Slot], state: TakeoverState, dice: Dice) -> list[Slot]:
    """With only counts visible, puts any coin in any hand, possibly as a stock if its tile tops a stack."""
    spent = [slot for slot in slots if slot[0] == SPENT]
    held = [slot for slot in slots if slot[0] != SPENT]
    names = dice.shuffle("resample", [coin.name for _, coin in held])
    squares = mergers.tops(state.grid)
    mixed = [
        (seat, Coin(name, name in squares and dice.below("resample", 2) == 1))
        for (seat, _), name in zip(held, names, strict=True)
    ]
    return spent + mixed


def _value(coin: Coin) -> str:
    return str(value_of(coin.name))


def _mix_groups(slots: Iterable[Slot], group: Callable[[Coin], str], dice: Dice) -> list[Slot]:
    """Shuffles the names within each group; owners and the sides facing up stay the same."""
    groups: dict[str, list[Slot]] = {}
    for slot in slots:
        groups.setdefault(group(slot[1]), []).append(slot)
    mixed: list[Slot] = []
    for members in groups.values():
        names = dice.shuffle("resample", [coin.name for _, coin in members])
        mixed.extend(
            (holder, Coin(name, coin.stock)) for (holder, coin), name in zip(members, names, strict=True)
        )
    return mixed


def _deal(hands: Hands, viewer: Seat | None, slots: Iterable[Slot]) -> tuple[Hands, tuple[Name, ...]]:
    """Hands and spent coins made from these slots; the viewer's own hand stays as it is."""
    piles: dict[int, list[Coin]] = {}
    for holder, coin in slots:
        piles.setdefault(holder, []).append(coin)
    dealt = tuple(
        hand if seat == viewer else draft.receive((), piles.get(seat, ())) for seat, hand in enumerate(hands)
    )
    spent = draft.receive((), piles.get(SPENT, ()))
    return dealt, tuple(coin.name for coin in spent)
