"""A position for the bot's search: its public part, the cards the bot knows, and the effects of moves.

It has no log and no clock, so that a search can visit thousands of positions. It is a second model of the
rules; docs/adr/0010-the-search-has-its-own-state.md explains why, and tests/games/sucker/test_search_state.py
checks it against the rules. Piles are identified by their index, in the order in which they were begun.
It assumes these default options: a seat gets no card for forcing itself, and cards that name a defeated seat
are void.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from games.sucker.rules import piles as pile_rules
from games.sucker.rules import turn_flow
from games.sucker.rules.values import KINDS, Colour, Counts, Hands, Kind, Stage
from games.sucker.rules.views import Cards, Mine, Piles, Rescue, Trail

Chips: TypeAlias = tuple[Colour, ...]
SearchPhase: TypeAlias = Literal["turn", "choose", "kill", "rescue", "over"]
NEW_PILE: Final = -1
"""The index of a pile that does not exist yet."""


class HeldCard(NamedTuple):
    """A blackmail card in a hand; `kind` is None if the bot does not know it."""

    id: int
    owner: int
    token: int
    kind: Kind | None


class SearchState(NamedTuple):
    """A position.

    `order` has the living seats in the order in which they last had the move, the mover last; it decides
    where the move rebounds to. `last_out` is the last defeated seat. `pile` is the pile that a choice or kill
    concerns, and `candidates` are the seats to choose from. `refused` is indexed by seat; `award` is the seat
    that takes a card if the mover is rescued. `asks_mover`: the mover must answer as well, since one of its
    cards can save it, or could when it was asked. `stack` has the kinds of the cards not yet taken, where the
    bot knows them. In phase "over", `mover` is the survivor.
    """

    phase: SearchPhase
    mover: int
    alive: tuple[bool, ...]
    hands: tuple[Counts, ...]
    piles: tuple[Chips, ...]
    order: tuple[int, ...]
    last_out: int | None
    cards: tuple[HeldCard, ...]
    stack: tuple[Kind | None, ...]
    pile: int = NEW_PILE
    candidates: tuple[int, ...] = ()
    refused: tuple[bool, ...] = ()
    award: int | None = None
    asks_mover: bool = False


# --- chips ---


def _add_chips(hands: tuple[Counts, ...], seat: int, colour: Colour, count: int) -> tuple[Counts, ...]:
    hand = hands[seat]
    hand = (*hand[:colour], hand[colour] + count, *hand[colour + 1 :])
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _remove_pile(piles: tuple[Chips, ...], index: int) -> tuple[Chips, ...]:
    return piles[:index] + piles[index + 1 :]


def list_holders(state: SearchState) -> Iterator[int]:
    """The living seats that have prisoners."""
    for seat, hand in enumerate(state.hands):
        if state.alive[seat] and sum(hand) > hand[seat]:
            yield seat


# --- passing the move ---


def _pass_move(order: tuple[int, ...], to: int) -> tuple[int, ...]:
    if to not in order:
        return (*order, to)
    index = order.index(to)
    return (*order[:index], *order[index + 1 :], to)


def receive_move(state: SearchState, award: int | None = None) -> SearchState:
    """Gives the move to the last seat in the order: it plays, needs a rescue or is defeated (2b step 3)."""
    return _receive_move(state, state.hands, state.piles, state.order, award)


def _receive_move(
    state: SearchState,
    hands: tuple[Counts, ...],
    piles: tuple[Chips, ...],
    order: tuple[int, ...],
    award: int | None,
) -> SearchState:
    """Like `receive_move`, but with these hands, piles and order."""
    mover = order[-1]
    phase: SearchPhase = "turn" if any(hands[mover]) else "rescue"
    alive, last_out, cards, stack = state.alive, state.last_out, state.cards, state.stack
    if phase == "rescue":
        refused = (False,) * len(hands)
        state = SearchState(
            phase, mover, alive, hands, piles, order, last_out, cards, stack, NEW_PILE, (), refused, award
        )
        state = _ask_mover(state)
        return state if list_rescuers(state) else defeat_mover(state)
    if award is not None and stack:
        cards = (*cards, HeldCard(len(KINDS) - len(stack), award, mover, stack[0]))
        stack = stack[1:]
    return SearchState(phase, mover, alive, hands, piles, order, last_out, cards, stack)


def defeat_mover(state: SearchState) -> SearchState:
    """Defeats the mover; the move rebounds, possibly to another seat in need (SLS-16)."""
    seat = state.mover
    alive = (*state.alive[:seat], False, *state.alive[seat + 1 :])
    if sum(alive) == 1:
        return state._replace(phase="over", mover=alive.index(True), alive=alive, last_out=seat)
    order = turn_flow.rebound(state.order, alive, seat)  # type: ignore[arg-type]
    cards = tuple(card for card in state.cards if seat not in (card.owner, card.token))
    return receive_move(state._replace(alive=alive, last_out=seat, order=order, cards=cards))


# --- moves ---


def place(state: SearchState, colour: Colour, index: int, card: int | None = None) -> SearchState:
    """Places the mover's chip on a pile or begins one (NEW_PILE); `card` makes it capture (2b, resolve)."""
    mover, alive, order = state.mover, state.alive, state.order
    hands = _add_chips(state.hands, mover, colour, -1)
    below = () if index == NEW_PILE else state.piles[index]
    if index == NEW_PILE:
        index, piles = len(state.piles), (*state.piles, (colour,))
    else:
        piles = (*state.piles[:index], (*below, colour), *state.piles[index + 1 :])
    if card is not None:
        cards = tuple(held for held in state.cards if held.id != card)
        return _capture(state._replace(cards=cards), hands, piles, mover, index)
    forecast = pile_rules.forecast(below, colour, alive)
    what, seats = forecast.what, forecast.seats
    if what == "capture":
        return _capture(state, hands, piles, colour, index)
    if what == "dies":
        return _receive_move(state, hands, _remove_pile(piles, index), order, None)
    if what == "forced":
        (to,) = seats
        return _receive_move(state, hands, piles, _pass_move(order, to), mover if to != mover else None)
    if len(seats) == 1:
        return _receive_move(state, hands, piles, _pass_move(order, seats[0]), None)
    last_out, cards, stack = state.last_out, state.cards, state.stack
    return SearchState("choose", mover, alive, hands, piles, order, last_out, cards, stack, index, seats)


def give_move(state: SearchState, to: int) -> SearchState:
    return _receive_move(state, state.hands, state.piles, _pass_move(state.order, to), None)


def _capture(
    state: SearchState, hands: tuple[Counts, ...], piles: tuple[Chips, ...], captor: int, index: int
) -> SearchState:
    order = _pass_move(state.order, captor)
    state = state._replace(phase="kill", mover=captor, hands=hands, piles=piles, order=order, pile=index)
    chips = piles[index]
    return kill(state, chips[0]) if len(set(chips)) == 1 else state


def kill(state: SearchState, colour: Colour) -> SearchState:
    """Kills one chip of the colour; the captor takes the others."""
    captor = state.mover
    hand = list(state.hands[captor])
    for chip in state.piles[state.pile]:
        hand[chip] += 1
    hand[colour] -= 1
    hands = (*state.hands[:captor], tuple(hand), *state.hands[captor + 1 :])
    return _receive_move(state, hands, _remove_pile(state.piles, state.pile), state.order, None)


def transfer(state: SearchState, seat: int, colour: Colour, count: int, to: int | None) -> SearchState:
    """Gives prisoners of a seat to another seat, or kills them if `to` is None."""
    hands = _add_chips(state.hands, seat, colour, -count)
    return settle(state._replace(hands=hands if to is None else _add_chips(hands, to, colour, count)))


def play_card(state: SearchState, number: int, colour: Colour | None) -> SearchState:
    """Plays one of the mover's cards: a return, or a tribute of this colour."""
    (card,) = [held for held in state.cards if held.id == number]
    hands, token = state.hands, card.token
    if colour is None:
        returned = sum(hand[token] for seat, hand in enumerate(hands) if seat != token)
        for seat in range(len(hands)):
            count = hands[seat][token]
            hands = _add_chips(hands, seat, token, returned - 1 if seat == token else -count)
    else:
        count = hands[token][colour]
        hands = _add_chips(_add_chips(hands, token, colour, -count), card.owner, colour, count)
    cards = tuple(held for held in state.cards if held.id != number)
    return settle(state._replace(hands=hands, cards=cards))


# --- the rescue ---


def list_payable(state: SearchState, seat: int) -> Iterator[tuple[int, Colour]]:
    """The tribute cards that the seat is known to hold, with each colour that could be demanded."""
    for card in state.cards:
        if card.owner == seat and card.kind == "tribute" and card.token != seat and state.alive[card.token]:
            for colour, count in enumerate(state.hands[card.token]):
                if count and colour != card.token:
                    yield card.id, colour


def list_rescuers(state: SearchState) -> tuple[int, ...]:
    """The seats that may still save the mover: holders of prisoners, and the mover if it was asked."""
    able = list(list_holders(state))
    if able and state.asks_mover:
        able.append(state.mover)
    return tuple(seat for seat in able if not state.refused[seat])


def _ask_mover(state: SearchState) -> SearchState:
    """Asks the mover as well if a card can save it. It stays asked, since prisoners may be given to the seat
    that its card names (SLS-23)."""
    if state.asks_mover or not any(True for _ in list_payable(state, state.mover)):
        return state
    return state._replace(asks_mover=True)


def refuse(state: SearchState, seat: int) -> SearchState:
    return settle(state._replace(refused=(*state.refused[:seat], True, *state.refused[seat + 1 :])))


def settle(state: SearchState) -> SearchState:
    """Decides, after a transfer or an answer, whether the mover is in need, saved or defeated."""
    has_chips = any(state.hands[state.mover])
    if state.phase == "turn" and not has_chips:
        return receive_move(state)
    if state.phase != "rescue":
        return state
    if has_chips:
        return receive_move(state, state.award)
    able = {state.mover, *list_holders(state)}  # a seat without prisoners loses its refusal (SLS-15)
    refused = tuple(answer and seat in able for seat, answer in enumerate(state.refused))
    state = _ask_mover(state._replace(refused=refused))
    return state if list_rescuers(state) else defeat_mover(state)


# --- reading a view ---


def read_state(
    stage: Stage,
    hands: Hands,
    piles: Piles,
    trail: Trail,
    private: Mine,
    cards: Cards | None,
    rescue: Rescue | None,
) -> SearchState:
    """The search state for a seat's view. Raises ValueError if no seat has the move."""
    if stage.mover is None or stage.phase == "review" or stage.phase == "end":
        raise ValueError("nobody has the move")
    last = {int(seat): index for index, seat in enumerate(trail.seats)}
    order = sorted((seat for seat in last if stage.alive[seat]), key=last.__getitem__)
    if trail.earlier:
        order = [seat for seat, living in enumerate(stage.alive) if living and seat not in last] + order
    known = {card.id: card.kind for card in private.kinds}
    drawn = () if cards is None else cards.cards
    kinds = {card.id: card.kind or known.get(card.id) for card in drawn}
    pool = list(KINDS)
    for kind in kinds.values():
        if kind is not None:
            pool.remove(kind)
    only_kind = pool[0] if len(set(pool)) == 1 else None
    held = tuple(
        HeldCard(card.id, card.owner, card.token, kinds[card.id] or only_kind)
        for card in drawn
        if card.status == "held"
    )
    index = next((index for index, pile in enumerate(piles.piles) if pile.id == stage.pile), NEW_PILE)
    answers = {int(answer.seat): answer.refused for answer in rescue.answers} if rescue else {}
    return SearchState(
        stage.phase,
        stage.mover,
        stage.alive,
        hands.chips,
        tuple(pile.chips for pile in piles.piles),
        tuple(order),
        stage.out[-1] if stage.out else None,
        held,
        (only_kind,) * (0 if cards is None else cards.left),
        index,
        tuple(map(int, stage.next)),
        tuple(answers.get(seat, False) for seat in range(len(stage.alive))) if rescue else (),
        None if rescue is None else rescue.award,
        stage.mover in answers,
    )
