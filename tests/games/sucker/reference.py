"""A second implementation of So Long Sucker, slow but simple, written from the rulings (section 2).

Nothing here is shared with the game itself. A seat and its colour share one number.

*Events.* States are immutable: each function takes one and returns the next, or the id of the rule it would
break (a string). `feed(game, name, ...)` calls them by name, and `legal(game)` lists all legal events.

    place(seat, colour, pile, card)    pile: its index in `piles`, None for a new one; card: a capture card
    give_move(seat, to)                CHOOSE_NEXT
    kill(seat, colour)                 KILL
    transfer(seat, colour, n, to), kill_prisoner(seat, colour, n)    at any time
    refuse(seat), unrefuse(seat)       RESCUE
    play_card(seat, card, colour)      a return (colour None) or a tribute, in MOVE or in its own RESCUE
    next_round(rows, deck, first)      in phase "roundOver"; not in `legal`, because it is entirely random

*Randomness* enters only through `start` and `next_round`: the rows of cards (left to right, without the
seat's colour; empty without blindAlly), the blackmail stack (top first) and the first seat (None if a rule
names it).

*Time-outs.* `expire(game)` applies the default of the phase. Where the rulings leave it open (two equally
numerous colours), `defaults(game)` lists all acceptable ones: feed the one that was taken. For a
time-out in RESCUE, feed `refuse` for each seat in `waiting(game)`; if only one seat's shorter time has run
out, feed its `refuse` alone.

*Simultaneous moves.* None are secret: feed the moves of several seats in the hub's order.

*State* (`Game`), compared field by field: `phase` is "move", "choose", "kill", "rescue", "roundOver" or
"over"; `holder(game)` has the move, and `waiting(game)` must act. In "choose" and "kill" the mover is still
on top of `stack`; the next holder is pushed when it gets the move. `piles` are listed oldest first, and a
pile that is gone leaves no gap. Cards are numbered in stack order. `refused` lists the seats that refused in
this window.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.games.sucker.reference_table import (
    NOBODY,
    Card,
    Game,
    ally,
    asked,
    begin,
    chips_of,
    enemy,
    fresh,
    holder,
    living,
    might_save_itself,
    next_chips,
    next_first,
    prisoners,
    unanswered,
)

Event = tuple[str, tuple[int | None, ...]]


# --- placing, and the next mover ---


def cannot_place(game: Game, seat: int, colour: int, pile: int | None, card: int | None) -> str | None:
    if game.phase != "move" or seat != holder(game):
        return "GEN-4"
    if not 0 <= colour < game.seats or game.chips[seat][colour] == 0:
        return "2b MOVE"
    if pile is not None and not 0 <= pile < len(game.piles):
        return "SLS-29"
    if card is not None:
        held = held_card(game, seat, card)
        if held is None or held.kind != "capture" or held.token != colour or colour == seat:
            return "SLS-26"
        if pile is None or game.piles[pile][-1] != colour:
            return "SLS-26"
    return None


def place(game: Game, seat: int, colour: int, pile: int | None, card: int | None = None) -> Game | str:
    """Places a chip on a pile and resolves it according to 2b: a capture, or the next holder of the move."""
    reason = cannot_place(game, seat, colour, pile, card)
    if reason is not None:
        return reason
    game = fresh(game)
    game.bound = False
    game.chips[seat][colour] -= 1
    if pile is None:
        game.piles.append([])
        pile = len(game.piles) - 1
    captures = game.piles[pile] != [] and game.piles[pile][-1] == colour
    game.piles[pile].append(colour)

    if captures:
        if card is not None:
            spend(game, card)
            game.captor = seat
        elif game.alive[colour]:
            game.captor = colour  # no matter who placed it (SLS-7)
        else:
            for chip in game.piles.pop(pile):
                game.killed[chip] += 1
            settle(game)  # the mover moves again, if it can
            return game
        game.phase = "kill"
        game.captured = pile
        return game

    missing = [other for other in living(game) if other not in game.piles[pile]]
    if len(missing) >= 2:
        game.phase = "choose"
        game.eligible = missing
    elif len(missing) == 1:
        game.stack.append(missing[0])
        settle(game)
    else:
        following = forced_next(game, game.piles[pile])
        game.stack.append(following)
        if following != seat or game.options.self_blackmail:
            game.award_to = seat
        settle(game)
    return game


def forced_next(game: Game, pile: list[int]) -> int:
    """The living seat whose highest chip is lowest in the pile (SLS-5, SLS-6)."""
    highest = {colour: height for height, colour in enumerate(pile) if game.alive[colour]}
    return min(highest, key=lambda colour: highest[colour])


def cannot_give_move(game: Game, seat: int, to: int) -> str | None:
    if game.phase != "choose" or seat != holder(game):
        return "GEN-4"
    return None if to in game.eligible else "SLS-4"


def give_move(game: Game, seat: int, to: int) -> Game | str:
    reason = cannot_give_move(game, seat, to)
    if reason is not None:
        return reason
    game = fresh(game)
    game.eligible = []
    game.stack.append(to)
    settle(game)
    return game


def cannot_kill(game: Game, seat: int, colour: int) -> str | None:
    if game.phase != "kill" or seat != game.captor:
        return "GEN-4"
    return None if colour in game.piles[game.captured] else "SLS-9"


def kill(game: Game, seat: int, colour: int) -> Game | str:
    """Kills one chip of the captured pile; the captor gets the rest and the move."""
    reason = cannot_kill(game, seat, colour)
    if reason is not None:
        return reason
    game = fresh(game)
    pile = game.piles.pop(game.captured)
    pile.remove(colour)
    game.killed[colour] += 1
    for chip in pile:
        game.chips[seat][chip] += 1
    game.captor = NOBODY
    game.captured = NOBODY
    game.stack.append(seat)
    settle(game)
    return game


# --- the holder of the move has no chip: rescue, defeat, rebound (step 3) ---


def settle(game: Game) -> None:
    """Applies step 3 to the holder of the move: it moves, is in need, or falls and the move goes back."""
    rescued = game.phase == "rescue"
    while chips_of(game, holder(game)) == 0:
        game.bound = False
        game.pleads = game.pleads or might_save_itself(game)
        game.refused = [seat for seat in game.refused if seat in asked(game)]  # if still asked (SLS-15)
        if unanswered(game):
            game.phase = "rescue"
            return
        rescued = False
        defeat(game, holder(game))
        if len(living(game)) == 1:
            finish(game)
            return
    game.refused = []
    game.pleads = False
    game.bound = game.bound or rescued
    game.phase = "move"
    if game.award_to is not None:
        take_card(game, game.award_to, holder(game))
        game.award_to = None


def defeat(game: Game, seat: int) -> None:
    game.alive[seat] = False
    game.eliminated.append(seat)
    game.refused = []
    game.pleads = False
    game.award_to = None  # SLS-21
    for card in list(game.cards):
        kept = game.options.dead_cards == "keepCapture"  # whatever its kind, so as not to reveal that
        if card.owner == seat or (card.token == seat and not kept):
            game.cards.remove(card)
            game.void.append(card)
    while game.stack and not game.alive[game.stack[-1]]:
        game.stack.pop()
    if not game.stack:  # SLS-17
        clockwise = [(seat + step) % game.seats for step in range(1, game.seats)]
        game.stack.append(next(other for other in clockwise if game.alive[other]))


def finish(game: Game) -> None:
    """Ends a round in which one seat is left: finds the winners according to 2d, and gives each a point."""
    survivor = living(game)[0]
    last = game.eliminated[-1]
    if not game.options.blind_ally:
        game.round_winners = [survivor]
    elif enemy(game, survivor) == last:
        game.round_winners = [last] if ally(game, last) == survivor else []
    elif ally(game, last) == survivor:
        game.round_winners = sorted([survivor, last])
    else:
        game.round_winners = [survivor]
    for seat in game.round_winners:
        game.points[seat] += 1
    game.phase = "over" if game.round == game.options.rounds else "roundOver"


def next_round(game: Game, rows: list[list[int]], deck: list[str], first: int | None) -> Game | str:
    """Begins the round after this one; `first` is needed only if it is drawn at random."""
    if game.phase != "roundOver":
        return "2b ROUND END"
    named = next_first(game)
    beginner = first if named is None else named
    if beginner is None or (named is not None and first not in (None, named)):
        return "SLS-3"
    return begin(
        game.seats, game.options, game.round + 1, beginner, next_chips(game), rows, deck, game.points
    )


def cannot_refuse(game: Game, seat: int) -> str | None:
    return None if game.phase == "rescue" and seat in unanswered(game) else "SLS-15"


def refuse(game: Game, seat: int) -> Game | str:
    """Refuses a rescue; the last seat to refuse makes the defeat final."""
    reason = cannot_refuse(game, seat)
    if reason is not None:
        return reason
    game = fresh(game)
    game.refused.append(seat)
    settle(game)
    return game


def cannot_unrefuse(game: Game, seat: int) -> str | None:
    return None if game.phase == "rescue" and seat in game.refused else "SLS-15"


def unrefuse(game: Game, seat: int) -> Game | str:
    reason = cannot_unrefuse(game, seat)
    if reason is not None:
        return reason
    game = fresh(game)
    game.refused.remove(seat)
    return game


# --- prisoners, at any time (SLS-10) ---


def must_place(game: Game, seat: int, less: int) -> bool:
    """Returns whether a rescued seat that gives away this many chips would have none left to place."""
    return game.bound and seat == holder(game) and chips_of(game, seat) == less


def cannot_kill_prisoner(game: Game, seat: int, colour: int, n: int) -> str | None:
    if game.phase in ("roundOver", "over"):
        return "SLS-10"
    if not game.alive[seat]:
        return "SLS-12"
    if colour == seat:
        return "SLS-13"
    if not 1 <= n <= prisoners(game, seat).get(colour, 0):
        return "SLS-10"
    return "2b RESCUE" if must_place(game, seat, n) else None


def cannot_transfer(game: Game, seat: int, colour: int, n: int, to: int) -> str | None:
    if not 0 <= to < game.seats or to == seat:
        return "SLS-10"
    if not game.alive[to]:
        return "SLS-12"
    return cannot_kill_prisoner(game, seat, colour, n)


def transfer(game: Game, seat: int, colour: int, n: int, to: int) -> Game | str:
    reason = cannot_transfer(game, seat, colour, n, to)
    if reason is not None:
        return reason
    game = fresh(game)
    game.chips[seat][colour] -= n
    game.chips[to][colour] += n
    hands_changed(game)
    return game


def kill_prisoner(game: Game, seat: int, colour: int, n: int) -> Game | str:
    reason = cannot_kill_prisoner(game, seat, colour, n)
    if reason is not None:
        return reason
    game = fresh(game)
    game.chips[seat][colour] -= n
    game.killed[colour] += n
    hands_changed(game)
    return game


def hands_changed(game: Game) -> None:
    """Settles the move again: the seat in need may now have a chip, or the holder may have none (SLS-36).

    While somebody chooses or kills, nobody has a move to make, so nobody can fall (SLS-35).
    """
    if game.phase in ("move", "rescue"):
        settle(game)


# --- blackmail ---


def take_card(game: Game, owner: int, token: int) -> None:
    """Takes the top card of the stack, if there is one (SLS-19, SLS-27)."""
    if game.deck:
        game.cards.append(Card(game.taken, game.deck.pop(0), owner, token))
        game.taken += 1


def held_card(game: Game, seat: int, number: int) -> Card | None:
    for card in game.cards:
        if card.number == number and card.owner == seat:
            return card
    return None


def spend(game: Game, number: int) -> None:
    card = next(card for card in game.cards if card.number == number)
    game.cards.remove(card)
    game.played.append(card)


def cannot_play_card(game: Game, seat: int, card: int, colour: int | None) -> str | None:
    """Returns the rule that forbids playing this card, or None.

    Cards are taken at the end of a turn, so every held card is from an earlier turn.
    """
    if game.phase not in ("move", "rescue") or seat != holder(game):
        return "SLS-22"
    held = held_card(game, seat, card)
    if held is None or held.kind == "capture":
        return "SLS-22"
    if held.kind == "return":
        if game.phase == "rescue":
            return "SLS-23"
        if not game.alive[held.token]:
            return "SLS-25"
        anywhere = any(held.token in prisoners(game, other) for other in range(game.seats))
        if colour is not None or not anywhere:
            return "SLS-24"
        gives = game.chips[seat][held.token] if held.token != seat else 0
        return "2b RESCUE" if must_place(game, seat, gives) else None
    has = colour is not None and colour in prisoners(game, held.token)
    return None if has and held.token != seat else "SLS-24"


def play_card(game: Game, seat: int, card: int, colour: int | None = None) -> Game | str:
    reason = cannot_play_card(game, seat, card, colour)
    held = held_card(game, seat, card)
    if reason is not None or held is None:
        return reason or "SLS-22"
    game = fresh(game)
    spend(game, card)
    if held.kind == "return":
        for other in range(game.seats):
            if other != held.token:
                game.chips[held.token][held.token] += game.chips[other][held.token]
                game.chips[other][held.token] = 0
        game.chips[held.token][held.token] -= 1
        game.killed[held.token] += 1
    elif colour is not None:
        game.chips[seat][colour] += game.chips[held.token][colour]
        game.chips[held.token][colour] = 0
    hands_changed(game)
    return game


# --- events as data ---

FEED: dict[str, tuple[Callable[..., Game | str], Callable[..., str | None]]] = {
    "place": (place, cannot_place),
    "give_move": (give_move, cannot_give_move),
    "kill": (kill, cannot_kill),
    "transfer": (transfer, cannot_transfer),
    "kill_prisoner": (kill_prisoner, cannot_kill_prisoner),
    "refuse": (refuse, cannot_refuse),
    "unrefuse": (unrefuse, cannot_unrefuse),
    "play_card": (play_card, cannot_play_card),
}


def feed(game: Game, name: str, *arguments: int | None) -> Game | str:
    """The state after this event, or the rule that forbids it."""
    return FEED[name][0](game, *arguments)


def legal(game: Game) -> list[Event]:
    """All events of all seats that may be fed now."""
    everybody = range(game.seats)
    conceivable: list[Event] = []
    for seat in everybody:
        cards = [card.number for card in game.cards]
        for colour in everybody:
            for pile in [None, *range(len(game.piles))]:
                conceivable += [("place", (seat, colour, pile, card)) for card in [None, *cards]]
            for n in range(1, game.chips[seat][colour] + 1):
                conceivable.append(("kill_prisoner", (seat, colour, n)))
                conceivable += [("transfer", (seat, colour, n, to)) for to in everybody]
            conceivable.append(("kill", (seat, colour)))
            conceivable += [("play_card", (seat, card, colour)) for card in cards]
        conceivable += [("play_card", (seat, card, None)) for card in cards]
        conceivable += [("give_move", (seat, to)) for to in everybody]
        conceivable += [("refuse", (seat,)), ("unrefuse", (seat,))]
    return [(name, arguments) for name, arguments in conceivable if FEED[name][1](game, *arguments) is None]


def defaults(game: Game) -> list[Event]:
    """The events of a time-out: any one of these, or in RESCUE all of them."""
    seat = holder(game)
    if game.phase == "move":
        if game.chips[seat][seat] > 0:
            return [("place", (seat, seat, None, None))]
        held = prisoners(game, seat)
        return [
            ("place", (seat, colour, None, None)) for colour in held if held[colour] == max(held.values())
        ]
    if game.phase == "choose":
        clockwise = [(seat + step) % game.seats for step in range(1, game.seats + 1)]
        nearest = [other for other in clockwise if other in game.eligible]
        better = [other for other in nearest if other != seat and chips_of(game, other) > 0]
        return [("give_move", (seat, (better or nearest)[0]))]
    if game.phase == "kill":
        pile = game.piles[game.captured]
        foreign = [colour for colour in pile if colour != game.captor]
        counts = {colour: foreign.count(colour) for colour in foreign} or {game.captor: 1}
        most = max(counts.values())
        return [("kill", (game.captor, colour)) for colour in counts if counts[colour] == most]
    if game.phase == "rescue":
        return [("refuse", (other,)) for other in unanswered(game)]
    return []


def expire(game: Game) -> Game | str:
    """Applies the first default, or in RESCUE all refusals. Returns a rule id if no clock is running."""
    events = defaults(game)
    if not events:
        return "GEN-7"
    after: Game | str = game
    for name, arguments in events if game.phase == "rescue" else events[:1]:
        if isinstance(after, str):
            break
        after = feed(after, name, *arguments)
    return after
