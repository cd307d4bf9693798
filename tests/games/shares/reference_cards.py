"""Actions in the reference Share and Share Alike (reference.py): cards, their effects, drawing.

Every function that takes a seat is an event: it changes the game in place, or returns the rule that forbids
it and changes nothing.
"""

from __future__ import annotations

from tests.games.shares.reference_round import effect_over
from tests.games.shares.reference_table import (
    ACTIONS,
    COMPANIES,
    FULL_HAND,
    Game,
    Peek,
    Played,
    largest,
    suit,
    uses_of,
)

# --- the actions of a turn, and the free action of Chance 4 ---


def may_act(game: Game, seat: int) -> bool:
    """Whether the seat may take an action now: paid on its turn, or free with Chance 4."""
    return game.phase in ("action", "chance4") and seat == game.decider


def pay(game: Game, cost: int) -> None:
    if game.phase == "action" and game.active is not None:
        game.actions[game.active] -= cost
        game.spent += cost


def play(game: Game, seat: int, card: str) -> str | None:
    if not may_act(game, seat):
        return "GEN-4"
    if card not in game.hands[seat]:
        return "1b ACTION"
    if game.phase == "chance4" and suit(card) == "D":
        return "SSA-17"
    pay(game, 1)
    game.hands[seat].remove(card)
    game.resolving.append(Played(card, seat))
    game.decider = seat
    game.uses = uses_of(card)
    if suit(card) == "H":
        game.phase = "hearts"
        if largest(game) is None:
            effect_over(game)  # the uses lapse (SSA-13)
    elif suit(card) == "S":
        game.phase = "spades"
        if not any(game.towers):
            effect_over(game)
    elif suit(card) == "C":
        game.phase = "clubs"
    else:
        game.uses = 0
        game.phase = "roll"
    return None


def discard(game: Game, seat: int, cards: list[str]) -> str | None:
    if not may_act(game, seat):
        return "GEN-4"
    if not cards or len(set(cards)) < len(cards) or any(card not in game.hands[seat] for card in cards):
        return "SSA-36"
    pay(game, 1)
    for card in cards:
        game.hands[seat].remove(card)
        game.discards.append(card)
    effect_over(game)
    return None


def draw_up(game: Game, seat: int) -> str | None:
    if not may_act(game, seat):
        return "GEN-4"
    if len(game.hands[seat]) >= FULL_HAND:
        return "1b ACTION"
    if game.phase == "chance4" and not game.options.chance4_draw:
        return "SSA-16"
    if game.phase == "action" and game.actions[seat] < ACTIONS:
        return "1b ACTION"
    pay(game, ACTIONS)
    game.phase = "draw"
    go_on_drawing(game)
    return None


# --- hearts, spades, clubs ---


def add(game: Game, seat: int, company: int) -> str | None:
    """Puts the largest floor left in the supply on top."""
    size = largest(game)
    if game.phase != "hearts" or seat != game.decider or size is None:
        return "GEN-4"
    if not 0 <= company < COMPANIES:
        return "SSA-13"
    game.supply[size] -= 1
    game.towers[company].append(size)
    game.uses -= 1
    if game.uses == 0 or largest(game) is None:
        effect_over(game)
    return None


def remove(game: Game, seat: int, company: int) -> str | None:
    """Returns the top floor to the supply (SSA-14)."""
    if game.phase != "spades" or seat != game.decider:
        return "GEN-4"
    if not 0 <= company < COMPANIES or not game.towers[company]:
        return "SSA-13"
    game.supply[game.towers[company].pop()] += 1
    game.uses -= 1
    if game.uses == 0 or not any(game.towers):
        effect_over(game)
    return None


def spy(game: Game, seat: int, target: int, what: str) -> str | None:
    if game.phase != "clubs" or seat != game.decider:
        return "GEN-4"
    if target == seat or not 0 <= target < game.seats or what not in ("hand", "tracker"):
        return "SSA-27"
    game.uses -= 1
    game.peeking = Peek(seat, target, what)
    game.phase = "spy"
    return None


def stop_peeking(game: Game, seat: int) -> str | None:
    if game.phase != "spy" or seat != game.decider:
        return "GEN-4"
    game.peeking = None
    game.phase = "clubs"
    if game.uses == 0:
        effect_over(game)
    return None


def done(game: Game, seat: int) -> str | None:
    """Lets the remaining uses lapse (SSA-12), or stops drawing (SSA-23)."""
    if game.phase not in ("hearts", "spades", "clubs", "draw") or seat != game.decider:
        return "GEN-4"
    effect_over(game)
    return None


# --- diamonds ---


def roll(game: Game, face: int) -> str | None:
    """Chance event: the face that `decider` rolled. A 6 rolled for Chance 6 is rerolled (SSA-19)."""
    if game.phase != "roll" or not 1 <= face <= 6:
        return "1b DIAMONDS"
    diamond = game.resolving[-1]
    own = game.decider == diamond.seat
    if face == 6 and not own:
        return None
    game.rolled = face
    if own and uses_of(diamond.card) > 1:
        game.phase = "adjust"
    else:
        take_chance(game)
    return None


def adjust(game: Game, seat: int, by: int) -> str | None:
    if game.phase != "adjust" or seat != game.decider or game.rolled is None:
        return "GEN-4"
    most = uses_of(game.resolving[-1].card) - 1
    if abs(by) > most or not 1 <= game.rolled + by <= 6:
        return "SSA-18"
    game.rolled += by
    take_chance(game)
    return None


def take_chance(game: Game) -> None:
    """Applies the Chance chart for `decider`."""
    taker = game.decider
    if taker is None:
        raise ValueError("the effect applies to nobody")
    others = [seat for seat in range(game.seats) if seat != taker]
    if game.rolled == 1 and any(game.hands[seat] for seat in others):
        game.phase = "chance1"
    elif game.rolled == 2:
        game.phase = "chance2"
    elif game.rolled == 3:
        game.to_draw = 2
        go_on_with_chance_3(game)
    elif game.rolled == 4 and can_use_a_free_action(game, taker):
        game.phase = "chance4"
    elif game.rolled == 6:
        game.phase = "chance6"
    else:
        effect_over(game)


def can_use_a_free_action(game: Game, seat: int) -> bool:
    """Whether the seat has a card, which it could at least discard, or may draw up (SSA-16)."""
    return game.hands[seat] != [] or game.options.chance4_draw


def target(game: Game, seat: int, other: int) -> str | None:
    """Chooses the hand to take from (Chance 1), or the seat that rolls (Chance 6)."""
    if game.phase not in ("chance1", "chance6") or seat != game.decider:
        return "GEN-4"
    if other == seat or not 0 <= other < game.seats:
        return "SSA-21"
    if game.phase == "chance6":
        game.decider = other
        game.rolled = None
        game.phase = "roll"
        return None
    if not game.hands[other]:
        return "SSA-21"
    game.peeking = Peek(seat, other, "hand")
    game.phase = "peek"
    return None


def take(game: Game, seat: int, card: str) -> str | None:
    """Takes a card from the hand that is being peeked at (Chance 1)."""
    if game.phase != "peek" or seat != game.decider or game.peeking is None:
        return "GEN-4"
    if card not in game.hands[game.peeking.target]:
        return "SSA-21"
    game.hands[game.peeking.target].remove(card)
    game.hands[seat].append(card)
    effect_over(game)
    return None


def swap(game: Game, seat: int, a: int, b: int) -> str | None:
    """Swaps two hands (Chance 2)."""
    if game.phase != "chance2" or seat != game.decider:
        return "GEN-4"
    if a == b or not 0 <= a < game.seats or not 0 <= b < game.seats:
        return "1b CHANCE 2"
    game.hands[a], game.hands[b] = game.hands[b], game.hands[a]
    effect_over(game)
    return None


def decline(game: Game, seat: int) -> str | None:
    """Declines the free action (Chance 4)."""
    if game.phase != "chance4" or seat != game.decider:
        return "GEN-4"
    effect_over(game)
    return None


# --- drawing: up to five cards, or two with Chance 3 ---


def from_deck(game: Game, seat: int) -> str | None:
    if game.phase not in ("draw", "chance3") or seat != game.decider:
        return "GEN-4"
    if not game.deck:
        return "SSA-22"
    game.hands[seat].append(game.deck.pop(0))
    drawn_one(game)
    return None


def from_discard(game: Game, seat: int, card: str) -> str | None:
    if game.phase not in ("draw", "chance3") or seat != game.decider:
        return "GEN-4"
    if card not in game.discards:
        return "SSA-22"
    game.discards.remove(card)
    game.hands[seat].append(card)
    drawn_one(game)
    return None


def drawn_one(game: Game) -> None:
    if game.phase == "draw":
        go_on_drawing(game)
    else:
        game.to_draw -= 1
        go_on_with_chance_3(game)


def go_on_drawing(game: Game) -> None:
    """Ends the draw-up once the hand is full or nothing is left to draw (SSA-22)."""
    if game.decider is None:
        raise ValueError("nobody is drawing")
    if len(game.hands[game.decider]) >= FULL_HAND or not (game.deck or game.discards):
        effect_over(game)


def go_on_with_chance_3(game: Game) -> None:
    """Draws from the deck automatically; if the Discard Pile may be used, the seat chooses (SSA-15)."""
    if game.decider is None:
        raise ValueError("nobody is drawing")
    while game.to_draw > 0 and (game.deck or game.discards):
        if game.discards and (game.options.chance3_source == "either" or not game.deck):
            game.phase = "chance3"
            return
        game.hands[game.decider].append(game.deck.pop(0))
        game.to_draw -= 1
    effect_over(game)
