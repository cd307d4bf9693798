"""What is open to whom, and what is shown: prompts, windows, choices, sections.

Made once per distinct situation and shared, for these are asked for at every command.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.api import Choice, Choices, OneOf, Prompt, PromptId, Range, Seat, Section, Window, WindowId
from games.kit import time_control as time_control
from games.kit.memo import memoize
from games.kit.time_control import TimerPrompt
from games.sucker.rules import actions, blackmail, piles, turn_flow
from games.sucker.rules import hands as chips_of
from games.sucker.rules.blackmail import Own
from games.sucker.rules.endings import Row
from games.sucker.rules.values import TRAIL_SHOWN, Deed, Hands, Need, Pile, Stage, SuckerState
from games.sucker.rules.views import Answer, History, Known, Mine, Rescue, Trail

# --- prompts and windows ---


def main_id(stage: Stage) -> PromptId:
    """The ask of this phase."""
    if stage.phase == "review":
        return PromptId(f"continue:{stage.round}")
    return PromptId(f"{stage.phase}:{stage.number}")


def prisoners_id(stage: Stage) -> PromptId:
    """The standing ask of a round: to give and to kill prisoners at any time (SLS-10)."""
    return PromptId(f"prisoners:{stage.round}")


@memoize
def holders(stage: Stage, hands: Hands) -> frozenset[Seat]:
    """The living seats that have prisoners."""
    prisoners = chips_of.prisoners(hands)
    return frozenset(Seat(seat) for seat, living in enumerate(stage.alive) if living and prisoners[seat])


@memoize
def _prompts(
    stage: Stage, hands: Hands, seats: frozenset[Seat], window: WindowId | None, control: TimerPrompt | None
) -> tuple[Prompt, ...]:
    kind = "continue" if stage.phase == "review" else stage.phase
    found = [Prompt(main_id(stage), kind, seats, window, None)]
    if stage.phase != "review" and holders(stage, hands):
        found.append(Prompt(prisoners_id(stage), "prisoners", holders(stage, hands), None, None))
    return tuple(found) if control is None else (*found, control.prompt)


def prompts(state: SuckerState) -> tuple[Prompt, ...]:
    timer, stage = state.timer, state.stage
    if timer is None:
        return ()
    window = timer.id if timer.clock is not None else None
    seats = frozenset(actions.waiting(state) if stage.phase == "review" else timer.concerns)
    return _prompts(stage, state.hands, seats, window, time_control.prompt(state.time_control, timer))


def windows(state: SuckerState) -> tuple[Window, ...]:
    timer = state.timer
    return () if timer is None else time_control.windows(state.time_control, timer, actions.done_of(state))


# --- choices ---


def choices(state: SuckerState, seat: Seat) -> Choices:
    """The seat's legal moves, from the public state and the cards it holds."""
    timer, stage, need = state.timer, state.stage, state.need
    if timer is None:
        return NOTHING
    more = time_control.prompt(state.time_control, timer)
    if more is not None and seat not in more.prompt.seats:
        more = None
    if stage.phase == "review":
        return _review_choices(stage, state.ready.done[seat], more)
    asked = stage.mover == seat if need is None else seat in timer.concerns
    refused = need is not None and need.refused[seat]
    cards = blackmail.own(state, seat) if stage.mover == seat else ()
    return _choices(seat, stage, state.hands, state.piles, cards, asked, refused, more)


NOTHING: Final[Choices] = {}


def _with(found: dict[PromptId, tuple[Choice, ...]], more: TimerPrompt | None) -> Choices:
    return found if more is None else {**found, more.prompt.id: more.choices}


@memoize
def _review_choices(stage: Stage, ready: bool, more: TimerPrompt | None) -> Choices:
    return _with({} if ready else {main_id(stage): (Choice("continue"),)}, more)


@memoize
def _choices(
    seat: Seat,
    stage: Stage,
    hands: Hands,
    table: tuple[Pile, ...],
    cards: tuple[Own, ...],
    asked: bool,
    refused: bool,
    more: TimerPrompt | None,
) -> Choices:
    found: dict[PromptId, tuple[Choice, ...]] = {}
    if asked:
        match stage.phase:
            case "turn":
                found[main_id(stage)] = (
                    *_placings(seat, hands, table, cards),
                    *_plays(seat, stage, hands, cards),
                )
            case "choose":
                found[main_id(stage)] = (Choice("giveMove", {"to": OneOf(stage.next)}),)
            case "kill":
                pile = piles.find(table, stage.pile)
                colours = () if pile is None else tuple(sorted(set(pile.chips)))
                found[main_id(stage)] = (Choice("kill", {"colour": OneOf(colours)}),)
            case "rescue":
                found[main_id(stage)] = _answers(seat, stage, hands, cards, refused)
            case "review" | "end":
                pass
    if stage.alive[seat]:
        loose = chips_of.loose(hands, seat, stage.bound and stage.mover == seat)
        others = tuple(other for other, living in enumerate(stage.alive) if living and other != seat)
        if loose:
            found[prisoners_id(stage)] = (
                *(_some("transfer", colour, count, to=OneOf(others)) for colour, count in loose.items()),
                *(_some("killPrisoners", colour, count) for colour, count in loose.items()),
            )
    return _with(found, more)


def _some(move: str, colour: int, count: int, **more: OneOf) -> Choice:
    """A move of some chips of one colour."""
    return Choice(move, {"colour": OneOf((colour,)), "count": Range(1, count), **more})


def _placings(seat: Seat, hands: Hands, table: tuple[Pile, ...], cards: tuple[Own, ...]) -> Iterator[Choice]:
    colours = OneOf(tuple(colour for colour, count in enumerate(hands.chips[seat]) if count))
    yield Choice("place", {"colour": colours})
    if table:
        yield Choice("place", {"colour": colours, "pile": OneOf(tuple(pile.id for pile in table))})
    for card in cards:
        alike = tuple(pile.id for pile in table if pile.chips[-1] == card.token)
        if card.kind == "capture" and card.token != seat and hands.chips[seat][card.token] and alike:
            where = {"colour": OneOf((card.token,)), "pile": OneOf(alike), "card": OneOf((card.id,))}
            yield Choice("place", where)


def _plays(seat: Seat, stage: Stage, hands: Hands, cards: tuple[Own, ...]) -> Iterator[Choice]:
    """Cards of return and tribute that move a chip (SLS-24)."""
    for card in cards:
        if not stage.alive[card.token]:
            continue
        if card.kind == "return" and blackmail.returnable(hands, card.token):
            if not stage.bound or blackmail.keeps(hands, card, seat):
                yield Choice("playCard", {"card": OneOf((card.id,))})
        elif card.kind == "tribute" and (colours := blackmail.payable(hands, card, seat)):
            yield Choice("playCard", {"card": OneOf((card.id,)), "colour": OneOf(colours)})


def _answers(
    seat: Seat, stage: Stage, hands: Hands, cards: tuple[Own, ...], refused: bool
) -> tuple[Choice, ...]:
    """To a rescue: prisoners, a card of tribute of the needy one's own (SLS-23), or no."""
    no = Choice("relent" if refused else "refuse")
    if seat == stage.mover:
        return (*(one for one in _plays(seat, stage, hands, cards) if "colour" in one.fields), no)
    loose = chips_of.loose(hands, seat, False)
    return (*(_some("rescue", colour, count) for colour, count in loose.items()), no)


# --- sections ---


@memoize
def _trail(trail: tuple[Seat, ...], alive: tuple[bool, ...], moving: bool) -> Trail:
    shown = trail[-TRAIL_SHOWN:]
    return Trail(shown, len(trail) - len(shown), turn_flow.back(trail, alive) if moving else None)


@memoize
def _rescue(
    stage: Stage, needy: Seat, need: Need, asked: tuple[Seat, ...], hands: Hands, back: Seat | None
) -> Rescue:
    prisoners = chips_of.prisoners(hands)
    answers = tuple(Answer(seat, prisoners[seat], need.refused[seat]) for seat in asked)
    return Rescue(needy, answers, back, need.award)


@memoize
def _history(deeds: tuple[Deed, ...]) -> History:
    return History(deeds)


def public(state: SuckerState) -> dict[str, Section]:
    stage, timer = state.stage, state.timer
    found = {
        "stage": Section(stage),
        "hands": Section(state.hands),
        "piles": Section(piles.section(state.piles, stage.alive)),
        "trail": Section(_trail(state.trail, stage.alive, stage.mover is not None)),
        "match": Section(state.match),
        "time_control": Section(state.time_control),
    }
    if state.options.blackmail:
        found["cards"] = Section(blackmail.section(state))
    if state.need is not None and stage.mover is not None and timer is not None:
        back = turn_flow.back(state.trail, stage.alive)
        shown = _rescue(stage, stage.mover, state.need, timer.concerns, state.hands, back)
        found["rescue"] = Section(shown)
    if stage.mover is None:
        found["history"] = Section(_history(state.deeds))
    if stage.phase == "review":
        found["readiness"] = Section(state.ready)
    return found


@memoize
def _mine(seat: Seat, row: Row, kinds: tuple[Known, ...], alive: tuple[bool, ...]) -> dict[str, Section]:
    """Without blind allies all but oneself may fall last, and nobody wins by coming second."""
    others = tuple(Seat(other) for other, living in enumerate(alive) if living and other != seat)
    enemy, ally = (Seat(row[0]), Seat(row[-1])) if row else (None, None)
    rivals = others if alive[seat] else ()
    over = tuple(other for other in rivals if other != enemy)
    under = tuple(other for other in rivals if other == ally)
    return {"mine": Section(Mine(row, enemy, ally, over, under, kinds))}


def private(state: SuckerState, seat: Seat) -> dict[str, Section]:
    """The own row and cards; nothing between rounds, when all is shown."""
    if state.stage.mover is None:
        return UNSEEN
    return _mine(seat, state.rows[seat], blackmail.known(state, seat), state.stage.alive)


UNSEEN: Final[dict[str, Section]] = {}
