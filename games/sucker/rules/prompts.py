"""Prompts, windows, choices and sections.

Each is built once per distinct situation and then shared, because every command needs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.api import Choice, Choices, OneOf, Prompt, PromptId, Range, Seat, Section, Window, WindowId
from games.kit import time_control as time_control
from games.kit.memo import memoize
from games.kit.time_control import TimerPrompt
from games.sucker.rules import actions, blackmail, piles, turn_flow
from games.sucker.rules import hands as hand_rules
from games.sucker.rules.blackmail import OwnCard
from games.sucker.rules.endings import Row
from games.sucker.rules.values import TRAIL_SHOWN, Deed, Hands, Need, Pile, Stage, SuckerState
from games.sucker.rules.views import Answer, History, Known, Mine, Rescue, Trail

# --- prompts and windows ---


def main_id(stage: Stage) -> PromptId:
    """The id of this phase's prompt."""
    if stage.phase == "review":
        return PromptId(f"continue:{stage.round}")
    return PromptId(f"{stage.phase}:{stage.number}")


def prisoners_id(stage: Stage) -> PromptId:
    """The id of the prompt to give or kill prisoners, which stays open throughout the round (SLS-10)."""
    return PromptId(f"prisoners:{stage.round}")


@memoize
def holders(stage: Stage, hands: Hands) -> frozenset[Seat]:
    """The living seats that have prisoners."""
    counts = hand_rules.prisoner_counts(hands)
    return frozenset(Seat(seat) for seat, living in enumerate(stage.alive) if living and counts[seat])


@memoize
def out_seats(stage: Stage) -> frozenset[Seat]:
    """The defeated seats, until the round is over."""
    return frozenset() if stage.phase in ("review", "end") else frozenset(stage.out)


@memoize
def _prompts(
    stage: Stage, hands: Hands, seats: frozenset[Seat], window: WindowId | None, control: TimerPrompt | None
) -> tuple[Prompt, ...]:
    kind = "continue" if stage.phase == "review" else stage.phase
    prompts = [Prompt(main_id(stage), kind, seats, window, None)]
    if stage.phase != "review" and holders(stage, hands):
        prompts.append(Prompt(prisoners_id(stage), "prisoners", holders(stage, hands), None, None))
    return tuple(prompts) if control is None else (*prompts, control.prompt)


def prompts(state: SuckerState) -> tuple[Prompt, ...]:
    """The open prompts."""
    timer, stage = state.timer, state.stage
    if timer is None:
        return ()
    window = timer.id if timer.clock is not None else None
    seats = frozenset(actions.list_awaited(state) if stage.phase == "review" else timer.concerns)
    return _prompts(stage, state.hands, seats, window, time_control.prompt(state.time_control, timer))


def windows(state: SuckerState) -> tuple[Window, ...]:
    """The open windows."""
    timer = state.timer
    return () if timer is None else time_control.windows(state.time_control, timer, actions.done_of(state))


# --- choices ---


def choices(state: SuckerState, seat: Seat) -> Choices:
    """The seat's legal moves, from the public state and the cards it holds."""
    timer, stage, need = state.timer, state.stage, state.need
    if timer is None:
        return NO_CHOICES
    more = time_control.prompt(state.time_control, timer)
    if more is not None and seat not in more.prompt.seats:
        more = None
    if stage.phase == "review":
        return _review_choices(stage, state.ready.done[seat], more)
    may_answer = stage.mover == seat if need is None else seat in timer.concerns
    refused = need is not None and need.refused[seat]
    cards = blackmail.list_own_cards(state, seat) if stage.mover == seat else ()
    return _choices(seat, stage, state.hands, state.piles, cards, may_answer, refused, more)


NO_CHOICES: Final[Choices] = {}


def _add_timer(choices: dict[PromptId, tuple[Choice, ...]], more: TimerPrompt | None) -> Choices:
    return choices if more is None else {**choices, more.prompt.id: more.choices}


@memoize
def _review_choices(stage: Stage, ready: bool, more: TimerPrompt | None) -> Choices:
    return _add_timer({} if ready else {main_id(stage): (Choice("continue"),)}, more)


@memoize
def _choices(
    seat: Seat,
    stage: Stage,
    hands: Hands,
    table: tuple[Pile, ...],
    cards: tuple[OwnCard, ...],
    may_answer: bool,
    refused: bool,
    more: TimerPrompt | None,
) -> Choices:
    choices: dict[PromptId, tuple[Choice, ...]] = {}
    if may_answer:
        match stage.phase:
            case "turn":
                choices[main_id(stage)] = (
                    *_list_placements(seat, hands, table, cards),
                    *_list_card_plays(seat, stage, hands, cards),
                )
            case "choose":
                choices[main_id(stage)] = (Choice("giveMove", {"to": OneOf(stage.next)}),)
            case "kill":
                pile = piles.find(table, stage.pile)
                colours = () if pile is None else tuple(sorted(set(pile.chips)))
                choices[main_id(stage)] = (Choice("kill", {"colour": OneOf(colours)}),)
            case "rescue":
                choices[main_id(stage)] = _list_answers(seat, stage, hands, cards, refused)
            case "review" | "end":
                pass
    if stage.alive[seat]:
        spare = hand_rules.spare_prisoners(hands, seat, stage.bound and stage.mover == seat)
        receivers = OneOf(tuple(to for to, living in enumerate(stage.alive) if living and to != seat))
        if spare:
            choices[prisoners_id(stage)] = (
                *(_chip_choice("transfer", colour, count, to=receivers) for colour, count in spare.items()),
                *(_chip_choice("killPrisoners", colour, count) for colour, count in spare.items()),
            )
    return _add_timer(choices, more)


def _chip_choice(move: str, colour: int, count: int, **fields: OneOf) -> Choice:
    """A choice of 1 to `count` chips of one colour."""
    return Choice(move, {"colour": OneOf((colour,)), "count": Range(1, count), **fields})


def _list_placements(
    seat: Seat, hands: Hands, table: tuple[Pile, ...], cards: tuple[OwnCard, ...]
) -> Iterator[Choice]:
    colours = OneOf(tuple(colour for colour, count in enumerate(hands.chips[seat]) if count))
    yield Choice("place", {"colour": colours})
    if table:
        yield Choice("place", {"colour": colours, "pile": OneOf(tuple(pile.id for pile in table))})
    for card in cards:
        matching = tuple(pile.id for pile in table if pile.chips[-1] == card.token)
        if card.kind == "capture" and card.token != seat and hands.chips[seat][card.token] and matching:
            fields = {"colour": OneOf((card.token,)), "pile": OneOf(matching), "card": OneOf((card.id,))}
            yield Choice("place", fields)


def _list_card_plays(seat: Seat, stage: Stage, hands: Hands, cards: tuple[OwnCard, ...]) -> Iterator[Choice]:
    """The return and tribute cards that would move a chip (SLS-24)."""
    for card in cards:
        if not stage.alive[card.token]:
            continue
        if card.kind == "return" and blackmail.count_returnable(hands, card.token):
            if not stage.bound or blackmail.keeps_chip(hands, card, seat):
                yield Choice("playCard", {"card": OneOf((card.id,))})
        elif card.kind == "tribute" and (colours := blackmail.list_payable(hands, card, seat)):
            yield Choice("playCard", {"card": OneOf((card.id,)), "colour": OneOf(colours)})


def _list_answers(
    seat: Seat, stage: Stage, hands: Hands, cards: tuple[OwnCard, ...], refused: bool
) -> tuple[Choice, ...]:
    """Answers to a rescue: prisoners or, from the seat in need, a tribute card (SLS-23); or a refusal."""
    refusal = Choice("relent" if refused else "refuse")
    if seat == stage.mover:
        plays = _list_card_plays(seat, stage, hands, cards)
        return (*(play for play in plays if "colour" in play.fields), refusal)
    spare = hand_rules.spare_prisoners(hands, seat, False)
    return (*(_chip_choice("rescue", colour, count) for colour, count in spare.items()), refusal)


# --- sections ---


@memoize
def _trail(trail: tuple[Seat, ...], alive: tuple[bool, ...], moving: bool) -> Trail:
    recent = trail[-TRAIL_SHOWN:]
    return Trail(
        recent, len(trail) - len(recent), turn_flow.find_next_mover(trail, alive) if moving else None
    )


@memoize
def _rescue(
    stage: Stage, needy: Seat, need: Need, rescuers: tuple[Seat, ...], hands: Hands, back: Seat | None
) -> Rescue:
    prisoners = hand_rules.prisoner_counts(hands)
    answers = tuple(Answer(seat, prisoners[seat], need.refused[seat]) for seat in rescuers)
    return Rescue(needy, answers, back, need.award)


@memoize
def _history(deeds: tuple[Deed, ...]) -> History:
    return History(deeds)


def public(state: SuckerState) -> dict[str, Section]:
    """The sections that everybody sees."""
    stage, timer = state.stage, state.timer
    sections = {
        "stage": Section(stage),
        "hands": Section(state.hands),
        "piles": Section(piles.section(state.piles, stage.alive)),
        "trail": Section(_trail(state.trail, stage.alive, stage.mover is not None)),
        "match": Section(state.match),
        "time_control": Section(state.time_control),
    }
    if state.options.blackmail:
        sections["cards"] = Section(blackmail.section(state))
    if state.need is not None and stage.mover is not None and timer is not None:
        back = turn_flow.find_next_mover(state.trail, stage.alive)
        rescue = _rescue(stage, stage.mover, state.need, timer.concerns, state.hands, back)
        sections["rescue"] = Section(rescue)
    if stage.mover is None:
        sections["history"] = Section(_history(state.deeds))
    if stage.phase == "review":
        sections["readiness"] = Section(state.ready)
    return sections


@memoize
def _mine_section(
    seat: Seat, row: Row, kinds: tuple[Known, ...], alive: tuple[bool, ...]
) -> dict[str, Section]:
    """Section `mine`. Without blind allies, only survival wins: `over` has all rivals and `under` none."""
    enemy, ally = (Seat(row[0]), Seat(row[-1])) if row else (None, None)
    opponents = tuple(Seat(to) for to, living in enumerate(alive) if living and to != seat)
    rivals = opponents if alive[seat] else ()
    over = tuple(rival for rival in rivals if rival != enemy)
    under = tuple(rival for rival in rivals if rival == ally)
    return {"mine": Section(Mine(row, enemy, ally, over, under, kinds))}


def private(state: SuckerState, seat: Seat) -> dict[str, Section]:
    """The seat's row and the cards it knows; nothing between rounds, when everything is public."""
    if state.stage.mover is None:
        return NO_SECTIONS
    return _mine_section(seat, state.rows[seat], blackmail.list_known(state, seat), state.stage.alive)


NO_SECTIONS: Final[dict[str, Section]] = {}
