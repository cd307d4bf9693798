"""Prompts, windows, choices and sections.

They are needed for every command, so they are built once per distinct situation and shared.
"""

from __future__ import annotations

from functools import partial

from games.api import Choice, Choices, Prompt, PromptId, Seat, Section, Subset, Window, WindowId
from games.kit import offers as offering
from games.kit import time_control as time_control
from games.kit import trading
from games.kit.memo import memoize
from games.kit.time_control import TimerPrompt
from games.takeover.rules import counting, deals, draft, mergers
from games.takeover.rules.values import (
    Bargain,
    Bargains,
    Board,
    Coin,
    Deals,
    Draft,
    Flip,
    Grid,
    Hand,
    Hands,
    Holdings,
    Merger,
    Mergers,
    Name,
    Readiness,
    Stack,
    Stage,
    TakeoverOptions,
    TakeoverState,
    offers_each,
    value_of,
)

TRADE = PromptId("trade")
FLIP = PromptId("flip")

# --- prompts and windows ---


@memoize
def _turn_prompts(stage: Stage, seats: int, trading: bool, window: WindowId | None) -> tuple[Prompt, ...]:
    everybody = frozenset(Seat(seat) for seat in range(seats))
    if stage.turn is None:
        return (Prompt(FLIP, "flip", everybody, window, None),)
    prompts = (
        Prompt(
            turn_id(stage), "draft" if stage.phase == "draft" else "turn", _turn_seats(stage), window, None
        ),
    )
    return (*prompts, Prompt(TRADE, "trade", everybody, None, None)) if trading else prompts


def _turn_seats(stage: Stage) -> frozenset[Seat]:
    return frozenset() if stage.turn is None else frozenset({stage.turn})


def turn_id(stage: Stage) -> PromptId:
    """The id of the prompt for a pick or a turn."""
    return PromptId(f"{'draft' if stage.phase == 'draft' else 'turn'}:{stage.number}")


@memoize
def _prompts(
    stage: Stage,
    seats: int,
    trading: bool,
    window: WindowId | None,
    offers: Bargains,
    control: TimerPrompt | None,
) -> tuple[Prompt, ...]:
    prompts = (*_turn_prompts(stage, seats, trading, window), *offering.prompts(offers))
    return prompts if control is None else (*prompts, control.prompt)


def prompts(state: TakeoverState) -> tuple[Prompt, ...]:
    timer = state.timer
    if timer is None:
        return ()
    window = timer.id if timer.clock is not None else None
    trading = state.stage.phase == "play" and state.options.trading != "off"
    control = time_control.prompt(state.time_control, timer)
    return _prompts(state.stage, len(state.hands), trading, window, state.offers, control)


@memoize
def _join_offer_windows(main: tuple[Window, ...], offers: Bargains) -> tuple[Window, ...]:
    return (*main, *offering.windows(offers))


def windows(state: TakeoverState) -> tuple[Window, ...]:
    timer = state.timer
    if timer is None:
        return ()
    return _join_offer_windows(
        time_control.windows(state.time_control, timer, state.flips.locked), state.offers
    )


# --- choices ---


def choices(state: TakeoverState, seat: Seat) -> Choices:
    """The seat's legal moves, from the public state and its own coins and deals."""
    timer, stage = state.timer, state.stage
    if timer is None:
        return {}
    more = time_control.prompt(state.time_control, timer)
    if more is not None and seat not in more.prompt.seats:
        more = None
    if stage.phase == "draft":
        return _draft_choices(stage, state.draft, stage.turn == seat, more)
    if stage.phase == "flip":
        return _flip_choices(state.hands[seat], state.flips.locked[seat], more)
    known = offering.list_known_offers(state.offers, seat)
    return _play_choices(
        state.options, stage, state.grid, state.hands[seat], seat, len(state.hands), known, more
    )


def _add_timer_choices(choices: dict[PromptId, tuple[Choice, ...]], more: TimerPrompt | None) -> Choices:
    return choices if more is None else {**choices, more.prompt.id: more.choices}


@memoize
def _draft_choices(stage: Stage, table: Draft, picks: bool, more: TimerPrompt | None) -> Choices:
    return _add_timer_choices({turn_id(stage): draft.choices(table)} if picks else {}, more)


@memoize
def _flip_choices(hand: tuple[Coin, ...], locked: bool, more: TimerPrompt | None) -> Choices:
    if locked:
        return _add_timer_choices({FLIP: (Choice("unlock"),)}, more)
    marked = {"coins": Subset(tuple(coin.name for coin in hand), 0, len(hand))}
    return _add_timer_choices(
        {FLIP: (Choice("setStocks", marked), Choice("lock", marked), Choice("lock"))}, more
    )


@memoize
def _play_choices(
    options: TakeoverOptions,
    stage: Stage,
    grid: Grid,
    hand: tuple[Coin, ...],
    seat: Seat,
    seats: int,
    known: tuple[Bargain, ...],
    more: TimerPrompt | None,
) -> Choices:
    choices: dict[PromptId, tuple[Choice, ...]] = {}
    if stage.turn == seat:
        turn = [*mergers.choices(grid, hand, options.exact_pay), Choice("pass")]
        stocks = tuple(coin.name for coin in hand if coin.stock)
        if options.voluntary_cash_out and stocks:
            turn.append(Choice("cashOut", {"coins": Subset(stocks, 1, len(stocks))}))
        choices[turn_id(stage)] = tuple(turn)
    if options.trading == "off":
        return _add_timer_choices(choices, more)
    most, terms = offers_each(seats), deals.terms(grid, hand)
    partners = (
        other
        for other in range(seats)
        if other != seat and deals.may_trade(options, stage, seat, Seat(other))
    )
    choices[TRADE] = trading.proposals(known, seat, partners, most, terms)
    choices |= trading.replies(known, seat, most, terms, partial(deals.accept, hand))
    return _add_timer_choices(choices, more)


# --- sections ---


@memoize
def board(grid: Grid) -> Board:
    return Board(
        tuple(Stack(stack, value_of(stack[-1]) + len(stack) - 1) if stack else None for stack in grid)
    )


@memoize
def merger_table(grid: Grid) -> Mergers:
    pairs = sorted(mergers.ways(grid).items())
    return Mergers(tuple(Merger(pair, way.cost, way.worth, way.touch) for pair, way in pairs))


@memoize
def _holdings(show: str, hands: Hands, spent: tuple[Name, ...]) -> Holdings:
    faces = tuple(tuple(sorted(map(counting.face, hand))) for hand in hands) if show == "faces" else None
    values = tuple(sorted(map(value_of, spent)))
    return Holdings(tuple(map(len, hands)), faces, hands if show == "open" else None, values)


@memoize
def _counts(counts: tuple[int, ...], values: tuple[int, ...]) -> Holdings:
    return Holdings(counts, None, None, values)


def holdings(state: TakeoverState) -> Holdings:
    """The visible holdings: only counts until coins have been flipped, or throughout if concealed (TKO-4)."""
    if state.stage.phase in ("draft", "flip") or state.options.holdings == "concealed":
        return _counts(tuple(map(len, state.hands)), tuple(sorted(map(value_of, state.spent))))
    return _holdings(state.options.holdings, state.hands, state.spent)


@memoize
def readiness(locked: tuple[bool, ...]) -> Readiness:
    return Readiness(locked)


@memoize
def hand_section(grid: Grid, hand: tuple[Coin, ...]) -> Hand:
    pay = mergers.cheapest(mergers.purse(hand))
    return Hand(counting.value_hand(grid, hand), counting.total(grid, hand), pay)


@memoize
def flip_section(stocks: tuple[Name, ...], locked: bool) -> Flip:
    return Flip(stocks, locked)


def public(state: TakeoverState) -> dict[str, Section]:
    sections = {
        "stage": Section(state.stage),
        "board": Section(board(state.grid)),
        "draft": Section(state.draft),
        "time_control": Section(state.time_control),
    }
    if state.stage.phase == "flip":
        sections["readiness"] = Section(readiness(state.flips.locked))
    if state.stage.phase == "play":
        sections["mergers"] = Section(merger_table(state.grid))
    if state.stage.phase in ("play", "end"):
        sections["passes"] = Section(state.passes)
        if state.options.trading != "off":
            sections["trades"] = Section(state.trades)
    if state.reckoning is None:
        sections["holdings"] = Section(holdings(state))
    else:
        sections["reckoning"] = Section(state.reckoning)
    return sections


def private(state: TakeoverState, seat: Seat) -> dict[str, Section]:
    if state.reckoning is not None:
        return {}
    sections = {"hand": Section(hand_section(state.grid, state.hands[seat]))}
    if state.stage.phase == "flip":
        stocks = state.flips.draft[seat] or ()
        sections["flip"] = Section(flip_section(stocks, state.flips.locked[seat]))
    if state.stage.phase == "play" and state.options.trading != "off":
        known: Deals = deals.section(offering.list_known_offers(state.offers, seat))
        sections["deals"] = Section(known)
    return sections
