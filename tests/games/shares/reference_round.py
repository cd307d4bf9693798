"""Rounds and turns in the reference Share and Share Alike (reference.py): who acts, and in what order.

Every function that takes a seat is an event: it changes the game in place, or returns the rule that forbids
it and changes nothing.
"""

from __future__ import annotations

from tests.games.shares.reference_table import ACTIONS, COMPANIES, RANKS, SUITS, Game, rank, suit

# --- SELECT ---


def select(game: Game, seat: int, company: int) -> str | None:
    if game.phase != "select":
        return "GEN-4"
    if game.locked[seat]:
        return "GEN-5"
    if not 0 <= company < COMPANIES:
        return "SSA-6"
    game.drafts[seat] = company
    return None


def lock(game: Game, seat: int) -> str | None:
    """Locks the seat's company or Lowball card; the last lock closes the phase."""
    if game.phase == "select":
        if game.locked[seat]:
            return "GEN-5"
        if game.drafts[seat] is None:
            return "SSA-6"
        game.locked[seat] = True
        if all(game.locked):
            close_selection(game)
        return None
    if game.phase == "lowball":
        if game.locked[seat] or game.offered[seat] is None:
            return "GEN-5"
        game.locked[seat] = True
        reveal_if_all_locked(game)
        return None
    return "GEN-4"


def unlock(game: Game, seat: int) -> str | None:
    if game.phase not in ("select", "lowball"):
        return "GEN-4"
    if not game.locked[seat]:
        return "GEN-5"
    game.locked[seat] = False
    return None


def close_selection(game: Game) -> None:
    for seat, company in enumerate(game.drafts):
        if company is None:
            raise ValueError(f"seat {seat} has no company")
        game.marks[seat].append(company)
    game.drafts = [None] * game.seats
    game.locked = [False] * game.seats
    lowball = game.options.lowball and any(game.hands)
    game.phase = "lowball" if lowball else "start"


# --- LOWBALL ---


def offer_card(game: Game, seat: int, card: str) -> str | None:
    if game.phase != "lowball":
        return "GEN-4"
    if game.locked[seat]:
        return "GEN-5"
    if card not in game.hands[seat]:
        return "1b LOWBALL"
    game.offered[seat] = card
    return None


def no_card(game: Game, seat: int) -> str | None:
    """The seat's time is up: it offers nothing, even if it had chosen a card without locking it."""
    if game.phase != "lowball" or game.locked[seat] or not game.hands[seat]:
        return "GEN-4"
    game.offered[seat] = None
    game.locked[seat] = True
    reveal_if_all_locked(game)
    return None


def reveal_if_all_locked(game: Game) -> None:
    if all(game.locked[seat] for seat in range(game.seats) if game.hands[seat]):
        reveal(game)


def reveal(game: Game) -> None:
    """The highest card starts; if there is none, the starting seat is chosen at random (SSA-24 to SSA-26)."""
    game.revealed = game.offered
    game.offered = [None] * game.seats
    game.locked = [False] * game.seats
    shown = [(card, seat) for seat, card in enumerate(game.revealed) if card is not None]
    if game.options.lowball_card != "return":
        for card, seat in shown:
            game.hands[seat].remove(card)
            pile = game.discards if game.options.lowball_card == "discard" else game.deck
            pile.append(card)
    if not shown:
        game.phase = "start"
        return
    best = max(shown, key=lambda entry: (RANKS.index(rank(entry[0])), SUITS.index(suit(entry[0]))))
    begin_turn(game, best[1])


def begin(game: Game, seat: int) -> str | None:
    """Chance event: this seat was chosen at random to start the round's actions (SSA-38)."""
    if game.phase != "start" or not 0 <= seat < game.seats:
        return "SSA-38"
    begin_turn(game, seat)
    return None


# --- turns ---


def begin_turn(game: Game, seat: int) -> None:
    """Begins a turn; a seat that can spend nothing is out at once, and the next turn begins (SSA-36)."""
    game.active = seat
    game.spent = 0
    if can_spend(game, seat):
        game.phase = "action"
        game.decider = seat
    else:
        game.out[seat] = True
        next_turn(game)


def can_spend(game: Game, seat: int) -> bool:
    """Whether the seat can spend actions: it needs a card, or all three actions to draw up."""
    return bool(game.hands[seat]) or game.actions[seat] == ACTIONS


def stay_in_turn(game: Game) -> None:
    """Lets the active seat continue, or ends its turn; it keeps the actions it has left (1b, SSA-36)."""
    seat = game.active
    if seat is None:
        raise ValueError("it is nobody's turn")
    game.phase = "action"
    game.decider = seat
    if game.actions[seat] == 0 or not can_spend(game, seat):
        next_turn(game)


def end_turn(game: Game, seat: int) -> str | None:
    """A seat that spent nothing on its turn is out for the round (SSA-9)."""
    if game.phase != "action" or seat != game.active:
        return "GEN-4"
    if game.spent == 0:
        game.out[seat] = True
    next_turn(game)
    return None


def next_turn(game: Game) -> None:
    """Passes the turn clockwise to a seat that is not out and has actions left, trying itself last (1b)."""
    if game.active is None:
        raise ValueError("it is nobody's turn")
    for step in range(1, game.seats + 1):
        seat = (game.active + step) % game.seats
        if not game.out[seat] and game.actions[seat] > 0:
            begin_turn(game, seat)
            return
    end_round(game)


def end_round(game: Game) -> None:
    game.active = None
    game.decider = None
    game.spent = 0
    if game.round == game.options.rounds:
        game.phase = "over"
        return
    game.round += 1
    game.phase = "select"
    game.revealed = []
    game.actions = [ACTIONS] * game.seats
    game.out = [False] * game.seats


def effect_over(game: Game) -> None:
    """Ends an effect and puts its cards under the deck, starting with the one played last (SSA-11).

    Each card below that one is a diamond whose only effect was the card above.
    """
    while game.resolving:
        game.deck.append(game.resolving.pop().card)
    game.uses = 0
    game.rolled = None
    game.peeking = None
    game.to_draw = 0
    stay_in_turn(game)
