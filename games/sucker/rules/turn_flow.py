"""The flow of play: who gets the move, who is defeated, where the move rebounds to, and the rounds (2b)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from games.api import EVERYONE, Dice, LogLine, Millis, Seat, Step, WindowId
from games.kit import time_control as time_control
from games.kit.memo import memoize
from games.kit.timed_game import timer_of
from games.kit.tuples import replace_at
from games.sucker.rules import blackmail, endings
from games.sucker.rules import hands as hand_rules
from games.sucker.rules.values import (
    BASE,
    DEEDS_KEPT,
    KINDS,
    RESCUE_TIME,
    REVIEW_TIME,
    TURN_TIME,
    Counts,
    Deed,
    Hands,
    Match,
    Need,
    Phase,
    Readiness,
    Stage,
    SuckerOptions,
    SuckerState,
    What,
)

Lines = tuple[LogLine, ...]


def say(key: str, **args: int | str | list[int]) -> LogLine:
    """A log line for everybody."""
    return LogLine(key, args, EVERYONE)


# --- rounds ---


def begin(seats: int, options: SuckerOptions, at: Millis, dice: Dice) -> Step[SuckerState]:
    """Begins the first round with a random seat (SLS-3)."""
    nobody = (False,) * seats
    nothing = (0,) * seats
    first = Seat(dice.below("first", seats))
    state = SuckerState(
        options,
        Stage(0, "review", 0, None, first, nobody, ()),
        Hands(((),) * seats, nothing),
        (),
        0,
        (),
        (),
        None,
        (),
        Match(options.rounds, nothing, nothing, ()),
        Readiness(nobody),
        (),
        (),
        time_control=time_control.start(seats, options.timers),
        timer=None,
    )
    return begin_round(state, first, (BASE[seats],) * seats, at, (), dice)


def begin_round(
    state: SuckerState, first: Seat, chips: Counts, at: Millis, lines: Lines, dice: Dice
) -> Step[SuckerState]:
    """Deals chips of its own colour and a new row to each seat, and shuffles the cards (SLS-2, SLS-27)."""
    seats = range(len(chips))
    options = state.options
    rows: tuple[tuple[int, ...], ...] = tuple(
        dice.shuffle("row", [other for other in seats if other != seat]) if options.blind_ally else ()
        for seat in seats
    )
    dealt = tuple(tuple(chips[seat] if colour == seat else 0 for colour in seats) for seat in seats)
    stage = Stage(state.stage.round + 1, "turn", state.stage.number, first, first, (True,) * len(seats), ())
    match = state.match
    began = replace(
        state,
        stage=stage,
        hands=Hands(dealt, (0,) * len(seats)),
        piles=(),
        laid=0,
        trail=(first,),
        taken=(),
        need=None,
        deeds=(),
        match=Match(match.rounds, match.points, chips, match.results),
        rows=rows,
        deck=dice.shuffle("deck", KINDS) if options.blackmail else (),
    )
    return receive(began, None, at, (*lines, say("sucker.began", round=stage.round, seat=first)))


def next_round(state: SuckerState, at: Millis, lines: Lines, dice: Dice) -> Step[SuckerState]:
    """Begins the round after this one."""
    first = _choose_first(state, dice)
    chips = endings.next_chips(state.options, state.match.results[-1])
    return begin_round(state, first, chips, at, lines, dice)


def _choose_first(state: SuckerState, dice: Dice) -> Seat:
    """The seat that begins the next round (SLS-3)."""
    last_round, seats = state.match.results[-1], len(state.match.points)
    match state.options.first_player:
        case "random":
            return Seat(dice.below("first", seats))
        case "lastOut":
            return last_round.out[-1]
        case "rotate":
            return Seat((last_round.first + 1) % seats)


def finish(state: SuckerState, at: Millis, lines: Lines) -> Step[SuckerState]:
    """Ends the round, since only one seat is left, and reveals its secrets."""
    result = endings.result(state)
    match = endings.add_result(state.match, result)
    seats = tuple(Seat(seat) for seat in range(len(match.points)))
    state = replace(state, match=match, need=None, rows=(), deck=(), ready=Readiness((False,) * len(seats)))
    lines = (*lines, *endings.list_lines(result, match))
    if len(match.results) < match.rounds:
        return Step(open_phase(state, "review", None, seats, REVIEW_TIME, at), lines)
    return Step(replace(open_phase(state, "end", None, seats, None, at), timer=None), lines)


# --- phases ---


def open_phase(
    state: SuckerState,
    phase: Phase,
    mover: Seat | None,
    concerns: tuple[Seat, ...],
    span: Millis | None,
    at: Millis,
    pile: int | None = None,
    choice: tuple[Seat, ...] = (),
    bound: bool = False,
) -> SuckerState:
    """Opens the next phase with its own window."""
    last_stage = state.stage
    stage = Stage(
        last_stage.round,
        phase,
        last_stage.number + 1,
        mover,
        last_stage.first,
        last_stage.alive,
        last_stage.out,
        pile,
        choice,
        bound,
    )
    window = WindowId(f"{phase}:{stage.number}")
    timer = time_control.timer(state.time_control, window, phase, concerns, span, at, rigid=phase == "rescue")
    return replace(state, stage=stage, timer=timer)


def mover_of(state: SuckerState) -> Seat:
    """The seat that has the move. Raises ValueError between rounds and at the end."""
    if state.stage.mover is None:
        raise ValueError("nobody has the move")
    return state.stage.mover


def pass_move_to(
    state: SuckerState, to: Seat, award: Seat | None, at: Millis, lines: Lines
) -> Step[SuckerState]:
    """Gives the move to a seat; the seat `award` takes a blackmail card unless this defeats `to`."""
    return receive(replace(state, trail=(*state.trail, to)), award, at, lines)


def receive(state: SuckerState, award: Seat | None, at: Millis, lines: Lines) -> Step[SuckerState]:
    """Gives the move to the last seat on the trail, which plays, needs a rescue, or is defeated."""
    mover = state.trail[-1]
    if hand_rules.chip_counts(state.hands)[mover]:
        return _turn(state, mover, award, False, at, lines)
    state = replace(state, stage=replace(state.stage, mover=mover))
    rescuers = list_rescuers(state)
    if not rescuers:
        return _fail_rescue(state, mover, at, lines)
    need = Need((False,) * len(state.stage.alive), award)
    state = open_phase(state, "rescue", mover, rescuers, RESCUE_TIME, at)
    return Step(replace(state, need=need), (*lines, say("sucker.needy", seat=mover)))


def _fail_rescue(state: SuckerState, needy: Seat, at: Millis, lines: Lines) -> Step[SuckerState]:
    """Defeats the mover: the round ends, or the move rebounds to a seat that may need a rescue (SLS-16).

    A move that causes a defeat earns no card (SLS-21, SLS-33).
    """
    state, defeat_lines = _defeat(state, needy)
    lines = (*lines, *defeat_lines)
    if sum(state.stage.alive) == 1:
        return finish(state, at, lines)
    return receive(state, None, at, (*lines, say("sucker.back", seat=state.trail[-1])))


def _turn(
    state: SuckerState, mover: Seat, award: Seat | None, bound: bool, at: Millis, lines: Lines
) -> Step[SuckerState]:
    if award is not None:
        state, award_lines = blackmail.award_card(state, award, mover)
        lines = (*lines, *award_lines)
    state = replace(state, need=None)
    return Step(open_phase(state, "turn", mover, (mover,), TURN_TIME, at, bound=bound), lines)


def _defeat(state: SuckerState, seat: Seat) -> tuple[SuckerState, Lines]:
    """Eliminates a seat: its cards become void, and the move goes back along the trail."""
    stage = state.stage
    alive = replace_at(stage.alive, seat, False)
    state = replace(
        state,
        stage=replace(stage, alive=alive, out=(*stage.out, seat)),
        trail=rebound(state.trail, alive, seat),
        need=None,
    )
    state, lines = blackmail.void_cards(state, seat)
    return record_step(state, "fall", seat, None, None), (say("sucker.fell", seat=seat), *lines)


def rebound(trail: tuple[Seat, ...], alive: tuple[bool, ...], defeated: Seat) -> tuple[Seat, ...]:
    """The trail up to its last living seat; if there is none, the next living seat to the left (SLS-17)."""
    while trail and not alive[trail[-1]]:
        trail = trail[:-1]
    if trail:
        return trail
    seats = len(alive)
    clockwise = ((defeated + steps) % seats for steps in range(1, seats))
    return (Seat(next(seat for seat in clockwise if alive[seat])),)


@memoize
def find_next_mover(trail: tuple[Seat, ...], alive: tuple[bool, ...]) -> Seat | None:
    """The seat that gets the move if the mover is defeated; None if that ends the round."""
    if sum(alive) <= 2:
        return None
    mover = trail[-1]
    return rebound(trail, replace_at(alive, mover, False), mover)[-1]


def record_step(
    state: SuckerState, kind: What, seat: Seat, colour: int | None, pile: int | None
) -> SuckerState:
    """Adds a step to the history of the round."""
    deed = Deed(kind, seat, colour, pile, hand_rules.chip_counts(state.hands))
    return replace(state, deeds=(*state.deeds, deed)[-DEEDS_KEPT:])


# --- the rescue ---


def list_rescuers(state: SuckerState) -> tuple[Seat, ...]:
    """The seats that must answer before the mover is defeated (SLS-15, SLS-23).

    They are the holders of prisoners, and the mover if a card might save it. The mover stays among them while
    anybody has prisoners, because those prisoners may be given to the seat that its card names.
    """
    needy, stage = mover_of(state), state.stage
    prisoners = hand_rules.prisoner_counts(state.hands)
    if not any(prisoners):
        return ()
    was_asked = state.need is not None and needy in timer_of(state).concerns
    asks_needy = was_asked or blackmail.might_save(state, needy)
    return tuple(
        Seat(seat)
        for seat, living in enumerate(stage.alive)
        if living and (prisoners[seat] or (seat == needy and asks_needy))
    )


def set_refusal(state: SuckerState, seats: Iterable[Seat], refusal: bool = True) -> SuckerState:
    """Records or withdraws these seats' refusals. Raises ValueError if no rescue is open."""
    need = state.need
    if need is None:
        raise ValueError("nobody is in need")
    changed = frozenset(seats)
    answers = tuple(refusal if seat in changed else answer for seat, answer in enumerate(need.refused))
    return replace(state, need=Need(answers, need.award))


def settle(state: SuckerState, at: Millis, lines: Lines) -> Step[SuckerState]:
    """Decides, after a transfer or an answer, whether the mover is in need, saved or defeated."""
    stage, need = state.stage, state.need
    if stage.phase == "turn" and not hand_rules.chip_counts(state.hands)[mover_of(state)]:
        return receive(state, None, at, lines)  # the mover gave its last chip away (SLS-36)
    if stage.phase != "rescue" or need is None:
        return Step(state, lines)
    needy = mover_of(state)
    if hand_rules.chip_counts(state.hands)[needy]:
        lines = (*lines, say("sucker.rescued", seat=needy))
        return _turn(state, needy, need.award, True, at, lines)
    rescuers = list_rescuers(state)
    if all(need.refused[seat] for seat in rescuers):
        return _fail_rescue(state, needy, at, lines)
    return Step(_continue_rescue(state, need, rescuers, at), lines)


def _continue_rescue(state: SuckerState, need: Need, rescuers: tuple[Seat, ...], at: Millis) -> SuckerState:
    """Continues the rescue with these seats; seats that drop out lose their answers (SLS-15)."""
    timer = timer_of(state)
    if rescuers == timer.concerns:
        return state
    answers = tuple(refused and seat in rescuers for seat, refused in enumerate(need.refused))
    has_new = not set(rescuers) <= set(timer.concerns)
    short = Millis(at + time_control.MIN_TIMER) if has_new and timer.short is not None else timer.short
    timer = replace(timer, concerns=rescuers, short=short)
    return replace(state, need=Need(answers, need.award), timer=timer)
