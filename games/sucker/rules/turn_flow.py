"""How the move goes round: who has it, who falls, where it rebounds to, and rounds one after another (2b)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from games.api import EVERYONE, Dice, LogLine, Millis, Seat, Step, WindowId
from games.kit import time_control as time_control
from games.kit.memo import memoize
from games.kit.timed_game import timer_of
from games.kit.tuples import replace_at
from games.sucker.rules import blackmail, endings
from games.sucker.rules import hands as chips_of
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
    """A line that everybody reads."""
    return LogLine(key, args, EVERYONE)


# --- rounds ---


def begin(seats: int, options: SuckerOptions, at: Millis, dice: Dice) -> Step[SuckerState]:
    """The first round; who begins it is drawn (SLS-3)."""
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
    """Everybody has chips of its own colour and a new row; cards are shuffled (SLS-2, SLS-27)."""
    seats = range(len(chips))
    options = state.options
    rows: tuple[tuple[int, ...], ...] = tuple(
        dice.shuffle("row", [other for other in seats if other != seat]) if options.blind_ally else ()
        for seat in seats
    )
    own = tuple(tuple(chips[seat] if colour == seat else 0 for colour in seats) for seat in seats)
    stage = Stage(state.stage.round + 1, "turn", state.stage.number, first, first, (True,) * len(seats), ())
    match = state.match
    began = replace(
        state,
        stage=stage,
        hands=Hands(own, (0,) * len(seats)),
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
    first = _first(state, dice)
    chips = endings.next_chips(state.options, state.match.results[-1])
    return begin_round(state, first, chips, at, lines, dice)


def _first(state: SuckerState, dice: Dice) -> Seat:
    """Who begins the round after this one (SLS-3)."""
    over, seats = state.match.results[-1], len(state.match.points)
    match state.options.first_player:
        case "random":
            return Seat(dice.below("first", seats))
        case "lastOut":
            return over.out[-1]
        case "rotate":
            return Seat((over.first + 1) % seats)


def finish(state: SuckerState, at: Millis, lines: Lines) -> Step[SuckerState]:
    """One seat is left: the round is over, and what was secret in it is shown."""
    over = endings.result(state)
    match = endings.counted(state.match, over)
    seats = tuple(Seat(seat) for seat in range(len(match.points)))
    done = replace(state, match=match, need=None, rows=(), deck=(), ready=Readiness((False,) * len(seats)))
    lines = (*lines, *endings.told(over, match))
    if len(match.results) < match.rounds:
        return Step(opened(done, "review", None, seats, REVIEW_TIME, at), lines)
    return Step(replace(opened(done, "end", None, seats, None, at), timer=None), lines)


# --- phases ---


def opened(
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
    """The next phase, with its own window."""
    before = state.stage
    stage = Stage(
        before.round,
        phase,
        before.number + 1,
        mover,
        before.first,
        before.alive,
        before.out,
        pile,
        choice,
        bound,
    )
    window = WindowId(f"{phase}:{stage.number}")
    timer = time_control.timer(state.time_control, window, phase, concerns, span, at, rigid=phase == "rescue")
    return replace(state, stage=stage, timer=timer)


def mover_of(state: SuckerState) -> Seat:
    """Who has the move. Raises ValueError between rounds and at the end."""
    if state.stage.mover is None:
        raise ValueError("nobody has the move")
    return state.stage.mover


def handed(state: SuckerState, to: Seat, award: Seat | None, at: Millis, lines: Lines) -> Step[SuckerState]:
    """The move goes to a seat; `award` takes a blackmail card if that is not its end."""
    return receive(replace(state, trail=(*state.trail, to)), award, at, lines)


def receive(state: SuckerState, award: Seat | None, at: Millis, lines: Lines) -> Step[SuckerState]:
    """The last of the trail has the move: it moves, or may be rescued, or falls, and the move rebounds."""
    mover = state.trail[-1]
    if chips_of.held(state.hands)[mover]:
        return _turn(state, mover, award, False, at, lines)
    state = replace(state, stage=replace(state.stage, mover=mover))
    if not asked(state):
        return _lost(state, mover, at, lines)
    need = Need((False,) * len(state.stage.alive), award)
    waiting = opened(state, "rescue", mover, asked(state), RESCUE_TIME, at)
    return Step(replace(waiting, need=need), (*lines, say("sucker.needy", seat=mover)))


def _lost(state: SuckerState, needy: Seat, at: Millis, lines: Lines) -> Step[SuckerState]:
    """Nobody saves the mover: one is left, or the move rebounds, and is tested anew (SLS-16).

    No card is taken for a move that defeats (SLS-21, SLS-33).
    """
    state, more = _fallen(state, needy)
    lines = (*lines, *more)
    if sum(state.stage.alive) == 1:
        return finish(state, at, lines)
    return receive(state, None, at, (*lines, say("sucker.back", seat=state.trail[-1])))


def _turn(
    state: SuckerState, mover: Seat, award: Seat | None, bound: bool, at: Millis, lines: Lines
) -> Step[SuckerState]:
    if award is not None:
        state, more = blackmail.awarded(state, award, mover)
        lines = (*lines, *more)
    state = replace(state, need=None)
    return Step(opened(state, "turn", mover, (mover,), TURN_TIME, at, bound=bound), lines)


def _fallen(state: SuckerState, seat: Seat) -> tuple[SuckerState, Lines]:
    """A seat is defeated for good: out of the order, its cards void, the move back along the trail."""
    stage = state.stage
    alive = replace_at(stage.alive, seat, False)
    fallen = replace(
        state,
        stage=replace(stage, alive=alive, out=(*stage.out, seat)),
        trail=rebound(state.trail, alive, seat),
        need=None,
    )
    fallen, lines = blackmail.voided(fallen, seat)
    return noted(fallen, "fall", seat, None, None), (say("sucker.fell", seat=seat), *lines)


def rebound(trail: tuple[Seat, ...], alive: tuple[bool, ...], fallen: Seat) -> tuple[Seat, ...]:
    """The trail down to the first living seat; from its start on to the left of the fallen one (SLS-17)."""
    while trail and not alive[trail[-1]]:
        trail = trail[:-1]
    if trail:
        return trail
    seats = len(alive)
    left = ((fallen + steps) % seats for steps in range(1, seats))
    return (Seat(next(seat for seat in left if alive[seat])),)


@memoize
def back(trail: tuple[Seat, ...], alive: tuple[bool, ...]) -> Seat | None:
    """Who has the move if the mover falls; None: the round is over then."""
    if sum(alive) <= 2:
        return None
    mover = trail[-1]
    return rebound(trail, replace_at(alive, mover, False), mover)[-1]


def noted(state: SuckerState, what: What, seat: Seat, colour: int | None, pile: int | None) -> SuckerState:
    """With a step more in the history of the round."""
    deed = Deed(what, seat, colour, pile, chips_of.held(state.hands))
    return replace(state, deeds=(*state.deeds, deed)[-DEEDS_KEPT:])


# --- the rescue ---


def asked(state: SuckerState) -> tuple[Seat, ...]:
    """Who must answer before the mover falls: all with prisoners, and itself where a card might help it.

    Once asked it stays so while anybody has prisoners, for these may go to the player its card names
    (SLS-15, SLS-23).
    """
    needy, stage = mover_of(state), state.stage
    prisoners = chips_of.prisoners(state.hands)
    if not any(prisoners):
        return ()
    was = state.need is not None and needy in timer_of(state).concerns
    itself = was or blackmail.might_save(state, needy)
    return tuple(
        Seat(seat)
        for seat, living in enumerate(stage.alive)
        if living and (prisoners[seat] or (seat == needy and itself))
    )


def refused(state: SuckerState, seats: Iterable[Seat], refusal: bool = True) -> SuckerState:
    """These seats refuse, or (`refusal` False) think again."""
    need = state.need
    if need is None:
        raise ValueError("nobody is in need")
    now = frozenset(seats)
    answers = tuple(refusal if seat in now else before for seat, before in enumerate(need.refused))
    return replace(state, need=Need(answers, need.award))


def settle(state: SuckerState, at: Millis, lines: Lines) -> Step[SuckerState]:
    """After chips changed hands, or an answer was given: whether the mover is in need, saved, or lost."""
    stage, need = state.stage, state.need
    if stage.phase == "turn" and not chips_of.held(state.hands)[mover_of(state)]:
        return receive(state, None, at, lines)  # it gave its last chip away (SLS-36)
    if stage.phase != "rescue" or need is None:
        return Step(state, lines)
    needy = mover_of(state)
    if chips_of.held(state.hands)[needy]:
        lines = (*lines, say("sucker.rescued", seat=needy))
        return _turn(state, needy, need.award, True, at, lines)
    waits = asked(state)
    if all(need.refused[seat] for seat in waits):
        return _lost(state, needy, at, lines)
    return Step(_asking(state, need, waits, at), lines)


def _asking(state: SuckerState, need: Need, waits: tuple[Seat, ...], at: Millis) -> SuckerState:
    """The rescue goes on, of these seats: an answer lapses with the prisoners; the clock runs on (SLS-15)."""
    timer = timer_of(state)
    if waits == timer.concerns:
        return state
    answers = tuple(no and seat in waits for seat, no in enumerate(need.refused))
    late = not set(waits) <= set(timer.concerns)
    short = Millis(at + time_control.MIN_TIMER) if late and timer.short is not None else timer.short
    return replace(state, need=Need(answers, need.award), timer=replace(timer, concerns=waits, short=short))
