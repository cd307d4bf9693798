"""What the seats do: placing, choosing, killing, prisoners, cards, rescue (2b)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, Seat, Step
from games.kit import time_control as time_control
from games.kit.timed_game import count_missed, timer_of
from games.sucker.rules import blackmail, piles, turn_flow
from games.sucker.rules import hands as chips_of
from games.sucker.rules.turn_flow import Lines, handed, mover_of, noted, opened, say
from games.sucker.rules.values import (
    CHOOSE_TIME,
    KILL_TIME,
    Colour,
    KillPrisoners,
    Pile,
    Place,
    PlayCard,
    Readiness,
    RescueWith,
    SuckerState,
    Transfer,
)

# --- the move ---


def place(state: SuckerState, seat: Seat, move: Place, at: Millis, lines: Lines = ()) -> Step[SuckerState]:
    """A chip on a pile: it captures, or the pile says who may be next (2b, resolve)."""
    colour = move.colour
    below = piles.find(state.piles, move.pile)
    pile = Pile(state.laid, (colour,)) if below is None else Pile(below.id, (*below.chips, colour))
    put = replace(
        state,
        hands=chips_of.gained(state.hands, seat, colour, -1),
        piles=piles.with_pile(state.piles, pile.id, pile.chips),
        laid=state.laid + (below is None),
    )
    put = noted(put, "place", seat, colour, pile.id)
    key = "sucker.opened" if below is None else "sucker.placed"
    lines = (*lines, say(key, seat=seat, colour=colour, pile=pile.id))
    found = piles.forecast(() if below is None else below.chips, colour, state.stage.alive)
    if move.card is not None:
        return _captured_by_card(put, seat, pile, move.card, at, lines)
    match found.what:
        case "capture":
            line = say("sucker.captured", seat=found.seats[0], pile=pile.id)
            return _captured(put, found.seats[0], pile, at, (*lines, line))
        case "dies":
            return _died(put, seat, pile, at, lines)
        case "forced":
            return _forced(put, seat, found.seats[0], at, lines)
        case "free":
            if len(found.seats) == 1:
                return handed(put, found.seats[0], None, at, (*lines, _given(seat, found.seats[0], "only")))
            chosen = opened(put, "choose", seat, (seat,), CHOOSE_TIME, at, pile.id, found.seats)
            return Step(chosen, lines)


def _given(seat: Seat, to: Seat, key: str) -> LogLine:
    if seat == to:
        return say("sucker.kept", seat=seat)
    return say(f"sucker.{key}", seat=seat, other=to)


def _forced(state: SuckerState, seat: Seat, to: Seat, at: Millis, lines: Lines) -> Step[SuckerState]:
    """All colours are in (SLS-5); the placer takes a card, unless this defeats the next (SLS-21)."""
    award = seat if blackmail.available(state, seat, to) else None
    return handed(state, to, award, at, (*lines, say("sucker.forced", seat=to)))


def _died(state: SuckerState, seat: Seat, pile: Pile, at: Millis, lines: Lines) -> Step[SuckerState]:
    """Captured with a defeated seat's colour: the pile is gone, and the placer moves again (seed 2.vii)."""
    gone = replace(
        state,
        hands=chips_of.buried(state.hands, pile.chips),
        piles=piles.with_pile(state.piles, pile.id, ()),
    )
    gone = noted(gone, "dies", seat, None, pile.id)
    line = say("sucker.pileDied", seat=seat, pile=pile.id, count=len(pile.chips))
    return turn_flow.receive(gone, None, at, (*lines, line))


def _captured_by_card(
    state: SuckerState, seat: Seat, pile: Pile, card: int, at: Millis, lines: Lines
) -> Step[SuckerState]:
    """The owner of the card captures in place of the colour's player, living or not (SLS-25, SLS-26)."""
    token = state.taken[card].token
    spent = replace(state, taken=blackmail.played(state.taken, card))
    line = say("sucker.capturedByCard", seat=seat, other=token, pile=pile.id)
    return _captured(spent, seat, pile, at, (*lines, line))


def _captured(state: SuckerState, captor: Seat, pile: Pile, at: Millis, lines: Lines) -> Step[SuckerState]:
    """The captor has the move, and kills a chip first; where all are alike there is nothing to choose."""
    moved = replace(state, trail=(*state.trail, captor))
    if len(set(pile.chips)) == 1:
        return _taken(moved, captor, pile, pile.chips[0], at, lines)
    return Step(opened(moved, "kill", captor, (captor,), KILL_TIME, at, pile.id), lines)


def _taken(
    state: SuckerState, captor: Seat, pile: Pile, colour: Colour, at: Millis, lines: Lines
) -> Step[SuckerState]:
    """One chip of the colour dies, the captor has the others (SLS-9)."""
    rest = list(pile.chips)
    rest.remove(colour)
    hands = chips_of.died(chips_of.took(state.hands, captor, rest), colour, 1)
    done = replace(state, hands=hands, piles=piles.with_pile(state.piles, pile.id, ()))
    done = noted(done, "capture", captor, colour, pile.id)
    line = say("sucker.killed", seat=captor, colour=colour, count=len(rest))
    return turn_flow.receive(done, None, at, (*lines, line))


def kill(
    state: SuckerState, captor: Seat, colour: Colour, at: Millis, lines: Lines = ()
) -> Step[SuckerState]:
    return _taken(state, captor, _pile(state), colour, at, lines)


def _pile(state: SuckerState) -> Pile:
    """The pile this phase is about. Raises ValueError where it is about none."""
    pile = piles.find(state.piles, state.stage.pile)
    if pile is None:
        raise ValueError("no pile is at stake")
    return pile


def give(state: SuckerState, seat: Seat, to: Seat, at: Millis, lines: Lines = ()) -> Step[SuckerState]:
    """The move goes to a seat of the placer's choice (SLS-4)."""
    return handed(state, to, None, at, (*lines, _given(seat, to, "gave")))


# --- prisoners ---


def transfer(state: SuckerState, seat: Seat, move: Transfer, at: Millis) -> Step[SuckerState]:
    """For good, and seen by all (SLS-10, SLS-11)."""
    to, colour, count = Seat(move.to), move.colour, move.count
    moved = replace(state, hands=chips_of.given(state.hands, seat, to, colour, count))
    line = say("sucker.transferred", seat=seat, other=to, colour=colour, count=count)
    return turn_flow.settle(moved, at, (line,))


def rescue(state: SuckerState, seat: Seat, move: RescueWith, at: Millis) -> Step[SuckerState]:
    """A transfer to the one in need."""
    return transfer(state, seat, Transfer(move.colour, move.count, mover_of(state)), at)


def kill_prisoners(state: SuckerState, seat: Seat, move: KillPrisoners, at: Millis) -> Step[SuckerState]:
    hands = chips_of.died(
        chips_of.gained(state.hands, seat, move.colour, -move.count), move.colour, move.count
    )
    line = say("sucker.killedPrisoners", seat=seat, colour=move.colour, count=move.count)
    return turn_flow.settle(replace(state, hands=hands), at, (line,))


def refuse(state: SuckerState, seat: Seat, at: Millis) -> Step[SuckerState]:
    return turn_flow.settle(turn_flow.refused(state, (seat,)), at, (say("sucker.refused", seat=seat),))


def relent(state: SuckerState, seat: Seat) -> Step[SuckerState]:
    return Step(turn_flow.refused(state, (seat,), False), (say("sucker.relented", seat=seat),))


# --- cards ---


def play_card(state: SuckerState, seat: Seat, move: PlayCard, at: Millis) -> Step[SuckerState]:
    """A card of return, or of tribute where a colour is named; the move stays (2b)."""
    token = state.taken[move.card].token
    if move.colour is None:
        hands, count = blackmail.returned(state.hands, token)
        line = say("sucker.returned", seat=seat, other=token, count=count)
    else:
        hands, count = blackmail.paid(state.hands, token, seat, move.colour)
        line = say("sucker.tribute", seat=seat, other=token, colour=move.colour, count=count)
    done = replace(state, hands=hands, taken=blackmail.played(state.taken, move.card))
    return turn_flow.settle(done, at, (line,))


# --- time ---


def ready(
    state: SuckerState, seats: Sequence[Seat], at: Millis, lines: Lines, dice: Dice
) -> Step[SuckerState]:
    """These seats are ready; when all are, the next round begins."""
    done = tuple(ready or seat in seats for seat, ready in enumerate(state.ready.done))
    if all(done):
        return turn_flow.next_round(replace(state, ready=Readiness(done)), at, lines, dice)
    return Step(replace(state, ready=Readiness(done)), lines)


def expired(state: SuckerState, alone: Seat | None, at: Millis, dice: Dice) -> Step[SuckerState]:
    """Time is up: what the server plays for a seat that is away, or for all it waits for (2b, GEN-7)."""
    seats = waiting(state) if alone is None else (alone,)
    state, lines = count_missed(state, seats)
    match state.stage.phase:
        case "turn":
            seat = mover_of(state)
            lines = (say("sucker.auto", seat=seat), *lines)
            return place(state, seat, Place(_plainest(state, seat, dice)), at, lines)
        case "choose":
            seat = mover_of(state)
            lines = (say("sucker.auto", seat=seat), *lines)
            return give(state, seat, _nearest(state, seat), at, lines)
        case "kill":
            seat = mover_of(state)
            lines = (say("sucker.auto", seat=seat), *lines)
            return kill(state, seat, _most_foreign(_pile(state).chips, seat, dice), at, lines)
        case "rescue":
            told = say("sucker.autoRefused", seats=[int(seat) for seat in seats])
            return turn_flow.settle(turn_flow.refused(state, seats), at, (told, *lines))
        case "review":
            told = say("sucker.autoReady", seats=[int(seat) for seat in seats])
            return ready(state, seats, at, (told, *lines), dice)
        case "end":
            raise ValueError("the game is over")


def waiting(state: SuckerState) -> tuple[Seat, ...]:
    """Whom the window of this phase waits for."""
    done = done_of(state)
    return tuple(seat for seat in timer_of(state).concerns if not done[seat])


def done_of(state: SuckerState) -> tuple[bool, ...]:
    """By seat, who need not act any more in this phase."""
    if state.stage.phase == "review":
        return state.ready.done
    return (False,) * len(state.stage.alive) if state.need is None else state.need.refused


def _plainest(state: SuckerState, seat: Seat, dice: Dice) -> Colour:
    """Its own colour, else that of which it has the most prisoners."""
    own = state.hands.chips[seat]
    return seat if own[seat] else _most(own, dice)


def _most(counts: Sequence[int], dice: Dice) -> Colour:
    """The colour with the highest count; of several, one by chance (GEN-1)."""
    most = [colour for colour, count in enumerate(counts) if count == max(counts)]
    return most[0] if len(most) == 1 else most[dice.below("auto", len(most))]


def _most_foreign(chips: Sequence[Colour], captor: Seat, dice: Dice) -> Colour:
    """The colour not the captor's with the most chips here; its own where there is no other."""
    counts = [chips.count(colour) if colour != captor else 0 for colour in range(max(chips) + 1)]
    return _most(counts, dice) if any(counts) else captor


def _nearest(state: SuckerState, seat: Seat) -> Seat:
    """The nearest to the left that may be next and holds a chip, but for the placer; else the nearest."""
    seats = len(state.stage.alive)
    order = [Seat((seat + steps) % seats) for steps in range(1, seats + 1)]
    may = [other for other in order if other in state.stage.next]
    held = chips_of.held(state.hands)
    return next((other for other in may if other != seat and held[other]), may[0])
