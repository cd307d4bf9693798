"""The flow of the game: picks, flips, mergers, passes, cashing out, and the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, Seat, Step, WindowId
from games.kit import offers as offering
from games.kit import sealed as sealing
from games.kit import time_control as time_control
from games.kit.sealed import Sealed
from games.kit.timed_game import count_missed
from games.kit.tuples import replace_at
from games.takeover.rules import counting, draft, mergers
from games.takeover.rules.deals import TRADING
from games.takeover.rules.values import (
    COLUMNS,
    DRAFT_TIME,
    FLIP_TIME,
    LAPSES,
    NAMES,
    ROWS,
    TURN_TIME,
    Bargains,
    Coin,
    Merge,
    Name,
    Passes,
    Pick,
    PickCoin,
    Stage,
    TakeoverOptions,
    TakeoverState,
    Trades,
    value_of,
)

NO_OFFERS: Final[Bargains] = offering.Offers()
NO_TRADES: Final = Trades(())


def no_flips(seats: int) -> Sealed[tuple[Name, ...]]:
    """Flips with nothing marked: every coin stays value-up."""
    return Sealed(((),) * seats, (False,) * seats)


def _no_passes(seats: int) -> Passes:
    return Passes((False,) * seats, (0,) * seats)


def _set(values: tuple[bool, ...], seat: Seat) -> tuple[bool, ...]:
    return replace_at(values, seat, True)


def _increment(values: tuple[int, ...], seat: Seat) -> tuple[int, ...]:
    return replace_at(values, seat, values[seat] + 1)


# --- the draft ---


def begin(seats: int, options: TakeoverOptions, at: Millis, dice: Dice) -> Step[TakeoverState]:
    """Lays out all tiles on the grid and chooses who starts, both at random (TKO-3, GEN-1)."""
    tiles = dice.shuffle("tiles", NAMES)
    first = Seat(dice.below("first", seats))
    control = time_control.start(seats, options.timers)
    state = TakeoverState(
        options,
        Stage("draft", 0, first, first),
        tuple((tile,) for tile in tiles[: COLUMNS * ROWS]),
        draft.start_draft(seats, first, options.draft_suits == "shown"),
        no_flips(seats),
        ((),) * seats,
        (),
        None,
        _no_passes(seats),
        NO_TRADES,
        time_control=control,
        timer=time_control.timer(control, WindowId("draft:0"), "draft", (first,), DRAFT_TIME, at),
    )
    return Step(state, (LogLine("takeover.began", {"seat": first}, None),))


def pick(
    state: TakeoverState, seat: Seat, move: Pick | PickCoin, auto: bool, at: Millis, dice: Dice
) -> Step[TakeoverState]:
    """Gives the seat the coin; if industries are hidden, only that seat learns which coin it is."""
    coin = draft.choose_coin(state.draft, state.hands, move, dice)
    hand = draft.receive(state.hands[seat], (Coin(coin, False),))
    hands = replace_at(state.hands, seat, hand)
    lines = [LogLine("takeover.auto", {"seat": seat}, None)] if auto else []
    if state.draft.coins is None:
        lines.append(LogLine("takeover.picked", {"seat": seat, "value": value_of(coin)}, None))
        lines.append(LogLine("takeover.drew", {"coin": coin}, frozenset({seat})))
    else:
        lines.append(LogLine("takeover.pickedCoin", {"seat": seat, "coin": coin}, None))
    after, gone = count_missed(state, (seat,) if auto else ())
    after = after.with_coins("draft", hands, ())
    after = replace(after, draft=draft.add_pick(state.draft, seat, coin))
    lines.extend(gone)
    number = len(after.draft.picks)
    if number == len(after.draft.order):
        return Step(_open_flips(after, at), tuple(lines))
    turn = after.draft.order[number]
    timer = time_control.timer(
        after.time_control, WindowId(f"draft:{number}"), "draft", (turn,), DRAFT_TIME, at
    )
    stage = Stage("draft", number, turn, state.stage.first)
    return Step(replace(after, stage=stage, timer=timer), tuple(lines))


# --- the flips ---


def _open_flips(state: TakeoverState, at: Millis) -> TakeoverState:
    seats = tuple(Seat(seat) for seat in range(len(state.hands)))
    timer = time_control.timer(state.time_control, WindowId("flip"), "flip", seats, FLIP_TIME, at)
    stage = Stage("flip", 0, None, state.stage.first)
    return replace(state, stage=stage, flips=no_flips(len(seats)), timer=timer)


def lock(
    state: TakeoverState, seat: Seat, stocks: tuple[Name, ...] | None, at: Millis
) -> Step[TakeoverState]:
    flips = sealing.lock(state.flips, seat, stocks)
    after = replace(state, flips=flips)
    if not sealing.complete(flips):
        return Step(after)
    return flip(after, _absent(state, but=seat), at)


def _absent(state: TakeoverState, but: Seat | None = None) -> tuple[Seat, ...]:
    """The seats that the rules lock for: those that are away, and those that have not locked yet."""
    return tuple(
        Seat(seat)
        for seat, locked in enumerate(state.flips.locked)
        if time_control.is_away(state.time_control, Seat(seat)) or (not locked and seat != but)
    )


def time_to_flip(state: TakeoverState, at: Millis) -> Step[TakeoverState]:
    """Flips the marked coins because time is up (5b)."""
    return flip(replace(state, flips=sealing.fill(state.flips, lambda seat: ())), _absent(state), at)


def flip(state: TakeoverState, missed: tuple[Seat, ...], at: Millis) -> Step[TakeoverState]:
    """Turns marked coins industry up and the rest value up, all at once (GEN-5), and begins play."""
    marked = sealing.reveal(state.flips)
    hands = tuple(
        tuple(Coin(coin.name, coin.name in stocks) for coin in hand)
        for hand, stocks in zip(state.hands, marked, strict=True)
    )
    first = state.stage.first
    lines = [LogLine("takeover.autoFlips", {"seats": [int(seat) for seat in missed]}, None)] if missed else []
    state, gone = count_missed(state, missed)
    lines.extend(gone)
    lines.append(LogLine("takeover.play", {"seat": first}, None))
    after = replace(state.with_coins("play", hands, ()), flips=no_flips(len(hands)))
    return _turn(after, 0, first, at, tuple(lines))


# --- play ---


def _turn(
    state: TakeoverState, number: int, seat: Seat, at: Millis, lines: tuple[LogLine, ...]
) -> Step[TakeoverState]:
    """Starts the seat's turn, unless nobody can merge any more (TKO-17)."""
    if counting.is_over(state.options, state.grid, state.hands, state.spent):
        return _end(state, (*lines, LogLine("takeover.noMergers", {}, None)))
    offers = state.offers
    gone: tuple[LogLine, ...] = ()
    if state.options.trading == "ownTurnOnly":
        offers, gone = offering.sweep(offers, lambda offer: False)
    timer = time_control.timer(state.time_control, WindowId(f"turn:{number}"), "turn", (seat,), TURN_TIME, at)
    stage = Stage("play", number, seat, state.stage.first)
    return Step(replace(state, stage=stage, offers=offers, timer=timer), (*lines, *gone))


def _next_turn(
    state: TakeoverState, seat: Seat, at: Millis, lines: tuple[LogLine, ...]
) -> Step[TakeoverState]:
    following = Seat((seat + 1) % len(state.hands))
    return _turn(state, state.stage.number + 1, following, at, lines)


def merge(state: TakeoverState, seat: Seat, move: Merge, at: Millis) -> Step[TakeoverState]:
    """Pays, moves the stack, and flips the swallowed company's stock, whoever holds it (5b: merge 1 to 6)."""
    way = mergers.ways(state.grid)[move.pair]
    paid = (*move.pay, *(() if move.null is None else (move.null,)))
    hands = list(state.hands)
    hands[seat] = tuple(coin for coin in hands[seat] if coin.name not in paid)
    facts = {
        "seat": seat,
        "source": way.covering,
        "onto": way.covered,
        "paid": sorted(map(value_of, move.pay), reverse=True),
    }
    lines = [
        LogLine("takeover.merged" if way.touch else "takeover.special", facts, None),
        LogLine("takeover.subsumed", {"coin": way.covered}, None),
    ]
    for owner, hand in enumerate(hands):
        if Coin(way.covered, True) in hand:  # payment first, flip after (TKO-13); at most one owner (TKO-20)
            hands[owner] = _cash_coins(hand, (way.covered,))
            lines.append(_flip_line(state, Seat(owner), way.covered))
    spent = tuple(sorted((*state.spent, *paid), key=NAMES.index))
    after, gone = TRADING.sweep(state.with_coins("play", tuple(hands), spent))
    after = replace(after, grid=mergers.merge_stacks(state.grid, way), passes=_no_passes(len(hands)))
    return _next_turn(after, seat, at, (*lines, *gone))


def _flip_line(state: TakeoverState, owner: Seat, coin: Name) -> LogLine:
    """The line about a flipped stock; if holdings are concealed, only its owner sees the line (5c)."""
    if state.options.holdings == "concealed":
        return LogLine("takeover.yourFlip", {"coin": coin}, frozenset({owner}))
    return LogLine("takeover.flipped", {"seat": owner, "coin": coin}, None)


def _cash_coins(hand: tuple[Coin, ...], coins: Iterable[Name]) -> tuple[Coin, ...]:
    gone = set(coins)
    return tuple(Coin(coin.name, False) if coin.name in gone else coin for coin in hand)


def cash_out(state: TakeoverState, seat: Seat, coins: tuple[Name, ...]) -> Step[TakeoverState]:
    """Turns stocks into cash; the turn continues (TKO-6). If holdings are concealed, nobody else notices."""
    hands = replace_at(state.hands, seat, _cash_coins(state.hands[seat], coins))
    after, gone = TRADING.sweep(state.with_coins("play", hands, state.spent))
    lines = [LogLine("takeover.youCashedOut", {"coins": sorted(coins)}, frozenset({seat}))]
    if state.options.holdings != "concealed":
        lines.insert(0, LogLine("takeover.cashedOut", {"seat": seat, "count": len(coins)}, None))
    return Step(after, (*lines, *gone))


def pass_on(state: TakeoverState, seat: Seat, auto: bool, at: Millis) -> Step[TakeoverState]:
    """Passes. Play ends once each seat has passed or let two turns lapse since the last merger (TKO-21)."""
    passes = state.passes
    if auto:
        passes = Passes(passes.passed, _increment(passes.lapses, seat))
    else:
        passes = Passes(_set(passes.passed, seat), passes.lapses)
    line = LogLine("takeover.auto" if auto else "takeover.passed", {"seat": seat}, None)
    after, gone = count_missed(state, (seat,) if auto else ())
    after = replace(after, passes=passes)
    lines = (line, *gone)
    if all(done or lapses >= LAPSES for done, lapses in zip(passes.passed, passes.lapses, strict=True)):
        return _end(after, (*lines, LogLine("takeover.allPassed", {}, None)))
    return _next_turn(after, seat, at, lines)


# --- the end ---


def _end(state: TakeoverState, lines: tuple[LogLine, ...]) -> Step[TakeoverState]:
    """Ends the game: cashes out all stocks and reveals everything (GEN-9)."""
    _, gone = offering.sweep(state.offers, lambda offer: False)
    reckoning = counting.reckoning(state.grid, state.hands, state.spent)
    over = replace(
        state.with_coins("end", ((),) * len(state.hands), ()),
        stage=Stage("end", state.stage.number, None, state.stage.first),
        offers=NO_OFFERS,
        timer=None,
        reckoning=reckoning,
    )
    winners = [int(seat) for seat in counting.outcome(reckoning.totals).winners]
    return Step(over, (*lines, *gone, LogLine("takeover.won", {"seats": winners}, None)))
