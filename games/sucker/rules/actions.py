"""The effects of moves, and the moves that the rules make when time is up (2b)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, Seat, Step
from games.kit import time_control as time_control
from games.kit.timed_game import count_missed, timer_of
from games.sucker.rules import blackmail, piles, turn_flow
from games.sucker.rules import hands as hand_rules
from games.sucker.rules.turn_flow import Lines, mover_of, open_phase, pass_move_to, record_step, say
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
    """Places a chip on a pile: it captures, or the pile decides who may be next (2b, resolve)."""
    colour = move.colour
    below = piles.find(state.piles, move.pile)
    pile = Pile(state.laid, (colour,)) if below is None else Pile(below.id, (*below.chips, colour))
    state_after = replace(
        state,
        hands=hand_rules.add(state.hands, seat, colour, -1),
        piles=piles.with_pile(state.piles, pile.id, pile.chips),
        laid=state.laid + (below is None),
    )
    state_after = record_step(state_after, "place", seat, colour, pile.id)
    key = "sucker.opened" if below is None else "sucker.placed"
    lines = (*lines, say(key, seat=seat, colour=colour, pile=pile.id))
    forecast = piles.forecast(() if below is None else below.chips, colour, state.stage.alive)
    seats = forecast.seats
    if move.card is not None:
        return _capture_by_card(state_after, seat, pile, move.card, at, lines)
    match forecast.what:
        case "capture":
            line = say("sucker.captured", seat=seats[0], pile=pile.id)
            return _capture(state_after, seats[0], pile, at, (*lines, line))
        case "dies":
            return _kill_pile(state_after, seat, pile, at, lines)
        case "forced":
            return _force(state_after, seat, seats[0], at, lines)
        case "free":
            if len(seats) == 1:
                return pass_move_to(
                    state_after, seats[0], None, at, (*lines, _gift_line(seat, seats[0], "only"))
                )
            return Step(
                open_phase(state_after, "choose", seat, (seat,), CHOOSE_TIME, at, pile.id, seats), lines
            )


def _gift_line(seat: Seat, to: Seat, key: str) -> LogLine:
    if seat == to:
        return say("sucker.kept", seat=seat)
    return say(f"sucker.{key}", seat=seat, other=to)


def _force(state: SuckerState, seat: Seat, to: Seat, at: Millis, lines: Lines) -> Step[SuckerState]:
    """Gives the move to the seat that a full pile decides on (SLS-5).

    The placer earns a card unless this defeats that seat (SLS-21).
    """
    award = seat if blackmail.is_available(state, seat, to) else None
    return pass_move_to(state, to, award, at, (*lines, say("sucker.forced", seat=to)))


def _kill_pile(state: SuckerState, seat: Seat, pile: Pile, at: Millis, lines: Lines) -> Step[SuckerState]:
    """Kills a pile captured with a defeated seat's colour; the placer moves again (seed 2.vii)."""
    state = replace(
        state,
        hands=hand_rules.bury_all(state.hands, pile.chips),
        piles=piles.with_pile(state.piles, pile.id, ()),
    )
    state = record_step(state, "dies", seat, None, pile.id)
    line = say("sucker.pileDied", seat=seat, pile=pile.id, count=len(pile.chips))
    return turn_flow.receive(state, None, at, (*lines, line))


def _capture_by_card(
    state: SuckerState, seat: Seat, pile: Pile, card: int, at: Millis, lines: Lines
) -> Step[SuckerState]:
    """Lets the card's owner capture instead of the seat it names, even a defeated one (SLS-25, SLS-26)."""
    token = state.taken[card].token
    state = replace(state, taken=blackmail.mark_played(state.taken, card))
    line = say("sucker.capturedByCard", seat=seat, other=token, pile=pile.id)
    return _capture(state, seat, pile, at, (*lines, line))


def _capture(state: SuckerState, captor: Seat, pile: Pile, at: Millis, lines: Lines) -> Step[SuckerState]:
    """Gives the captor the move. It first chooses a chip to kill, unless all chips are of one colour."""
    state = replace(state, trail=(*state.trail, captor))
    if len(set(pile.chips)) == 1:
        return _take_pile(state, captor, pile, pile.chips[0], at, lines)
    return Step(open_phase(state, "kill", captor, (captor,), KILL_TIME, at, pile.id), lines)


def _take_pile(
    state: SuckerState, captor: Seat, pile: Pile, colour: Colour, at: Millis, lines: Lines
) -> Step[SuckerState]:
    """Kills one chip of the colour; the captor takes the others (SLS-9)."""
    chips = list(pile.chips)
    chips.remove(colour)
    hands = hand_rules.bury(hand_rules.add_all(state.hands, captor, chips), colour, 1)
    state = replace(state, hands=hands, piles=piles.with_pile(state.piles, pile.id, ()))
    state = record_step(state, "capture", captor, colour, pile.id)
    line = say("sucker.killed", seat=captor, colour=colour, count=len(chips))
    return turn_flow.receive(state, None, at, (*lines, line))


def kill(
    state: SuckerState, captor: Seat, colour: Colour, at: Millis, lines: Lines = ()
) -> Step[SuckerState]:
    """Kills a chip of this colour; the captor takes the rest of the pile."""
    return _take_pile(state, captor, _pile_of_phase(state), colour, at, lines)


def _pile_of_phase(state: SuckerState) -> Pile:
    """The pile that this phase concerns. Raises ValueError if the phase has none."""
    pile = piles.find(state.piles, state.stage.pile)
    if pile is None:
        raise ValueError("this phase has no pile")
    return pile


def give(state: SuckerState, seat: Seat, to: Seat, at: Millis, lines: Lines = ()) -> Step[SuckerState]:
    """Gives the move to the seat that the placer chose (SLS-4)."""
    return pass_move_to(state, to, None, at, (*lines, _gift_line(seat, to, "gave")))


# --- prisoners ---


def transfer(state: SuckerState, seat: Seat, move: Transfer, at: Millis) -> Step[SuckerState]:
    """Gives prisoners to another seat, permanently and publicly (SLS-10, SLS-11)."""
    to, colour, count = Seat(move.to), move.colour, move.count
    state = replace(state, hands=hand_rules.transfer(state.hands, seat, to, colour, count))
    line = say("sucker.transferred", seat=seat, other=to, colour=colour, count=count)
    return turn_flow.settle(state, at, (line,))


def rescue(state: SuckerState, seat: Seat, move: RescueWith, at: Millis) -> Step[SuckerState]:
    """Gives prisoners to the seat in need."""
    return transfer(state, seat, Transfer(move.colour, move.count, mover_of(state)), at)


def kill_prisoners(state: SuckerState, seat: Seat, move: KillPrisoners, at: Millis) -> Step[SuckerState]:
    """Kills prisoners in the seat's own hand."""
    hands = hand_rules.bury(
        hand_rules.add(state.hands, seat, move.colour, -move.count), move.colour, move.count
    )
    line = say("sucker.killedPrisoners", seat=seat, colour=move.colour, count=move.count)
    return turn_flow.settle(replace(state, hands=hands), at, (line,))


def refuse(state: SuckerState, seat: Seat, at: Millis) -> Step[SuckerState]:
    """Records that the seat refuses to save the mover."""
    return turn_flow.settle(turn_flow.set_refusal(state, (seat,)), at, (say("sucker.refused", seat=seat),))


def relent(state: SuckerState, seat: Seat) -> Step[SuckerState]:
    """Withdraws the seat's refusal."""
    return Step(turn_flow.set_refusal(state, (seat,), False), (say("sucker.relented", seat=seat),))


# --- cards ---


def play_card(state: SuckerState, seat: Seat, move: PlayCard, at: Millis) -> Step[SuckerState]:
    """Plays a return card or, with a colour, a tribute card; the seat keeps the move (2b)."""
    token = state.taken[move.card].token
    if move.colour is None:
        hands, count = blackmail.return_chips(state.hands, token)
        line = say("sucker.returned", seat=seat, other=token, count=count)
    else:
        hands, count = blackmail.pay_tribute(state.hands, token, seat, move.colour)
        line = say("sucker.tribute", seat=seat, other=token, colour=move.colour, count=count)
    state = replace(state, hands=hands, taken=blackmail.mark_played(state.taken, move.card))
    return turn_flow.settle(state, at, (line,))


# --- time ---


def ready(
    state: SuckerState, seats: Sequence[Seat], at: Millis, lines: Lines, dice: Dice
) -> Step[SuckerState]:
    """Marks these seats as ready; the next round begins once every seat is ready."""
    done = tuple(ready or seat in seats for seat, ready in enumerate(state.ready.done))
    if all(done):
        return turn_flow.next_round(replace(state, ready=Readiness(done)), at, lines, dice)
    return Step(replace(state, ready=Readiness(done)), lines)


def expire(state: SuckerState, alone: Seat | None, at: Millis, dice: Dice) -> Step[SuckerState]:
    """Plays for the seats whose time is up: `alone`, which is away, or every awaited seat (2b, GEN-7)."""
    seats = list_awaited(state) if alone is None else (alone,)
    state, lines = count_missed(state, seats)
    match state.stage.phase:
        case "turn":
            seat = mover_of(state)
            lines = (say("sucker.auto", seat=seat), *lines)
            return place(state, seat, Place(_default_colour(state, seat, dice)), at, lines)
        case "choose":
            seat = mover_of(state)
            lines = (say("sucker.auto", seat=seat), *lines)
            return give(state, seat, _find_nearest(state, seat), at, lines)
        case "kill":
            seat = mover_of(state)
            lines = (say("sucker.auto", seat=seat), *lines)
            return kill(state, seat, _default_victim(_pile_of_phase(state).chips, seat, dice), at, lines)
        case "rescue":
            line = say("sucker.autoRefused", seats=[int(seat) for seat in seats])
            return turn_flow.settle(turn_flow.set_refusal(state, seats), at, (line, *lines))
        case "review":
            line = say("sucker.autoReady", seats=[int(seat) for seat in seats])
            return ready(state, seats, at, (line, *lines), dice)
        case "end":
            raise ValueError("the game is over")


def list_awaited(state: SuckerState) -> tuple[Seat, ...]:
    """The seats that this phase's window is waiting for."""
    done = done_of(state)
    return tuple(seat for seat in timer_of(state).concerns if not done[seat])


def done_of(state: SuckerState) -> tuple[bool, ...]:
    """For each seat, whether it has already answered in this phase: it is ready, or has refused."""
    if state.stage.phase == "review":
        return state.ready.done
    return (False,) * len(state.stage.alive) if state.need is None else state.need.refused


def _default_colour(state: SuckerState, seat: Seat, dice: Dice) -> Colour:
    """The seat's own colour; if it has no such chip, the most common colour among its prisoners."""
    hand = state.hands.chips[seat]
    return seat if hand[seat] else _draw_most_frequent(hand, dice)


def _draw_most_frequent(counts: Sequence[int], dice: Dice) -> Colour:
    """The colour with the highest count; ties are broken at random (GEN-1)."""
    colours = [colour for colour, count in enumerate(counts) if count == max(counts)]
    return colours[0] if len(colours) == 1 else colours[dice.below("auto", len(colours))]


def _default_victim(chips: Sequence[Colour], captor: Seat, dice: Dice) -> Colour:
    """The most common colour among the chips other than the captor's; the captor's if there is no other."""
    counts = [chips.count(colour) if colour != captor else 0 for colour in range(max(chips) + 1)]
    return _draw_most_frequent(counts, dice) if any(counts) else captor


def _find_nearest(state: SuckerState, seat: Seat) -> Seat:
    """The nearest candidate to the left with a chip, other than the placer; if there is none, the nearest."""
    seats = len(state.stage.alive)
    clockwise = [Seat((seat + steps) % seats) for steps in range(1, seats + 1)]
    candidates = [candidate for candidate in clockwise if candidate in state.stage.next]
    chips = hand_rules.chip_counts(state.hands)
    return next((to for to in candidates if to != seat and chips[to]), candidates[0])
