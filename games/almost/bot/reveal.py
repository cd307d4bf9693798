"""What the bot says once the numbers are out: thanks, reproaches, reasons, praise and regret, by temper.

After the last round, it says how the game went for it.
"""

from __future__ import annotations

from typing import Final

from games.almost.bot.observation import (
    Table,
    find_spoiled,
    find_wrong,
    has_broken_word,
    list_broken_promises,
    pays,
)
from games.almost.bot.remarks import BotContext, Meanings, choose_remark, roll_mood
from games.almost.bot.replies import list_excuses
from games.almost.rules.rounds import lowest_unique
from games.almost.rules.values import Row
from games.api import Promise, Remark, Seat
from games.kit.wordings import Meaning

NEAR: Final = 3
"""Whoever is no more points short than this at the end came close."""
WORTH_PRAISE: Final = 4
"""A round with a lower number hardly deserves praise."""


def comment(context: BotContext) -> Remark | None:
    """A remark on the round that was just played; None if there is nothing to say."""
    listed = (_own_up, _reproach, _regret, _thank, _end, _remark)
    for meanings in (list_meanings(context) for list_meanings in listed):
        remark = choose_remark(context, meanings)
        if remark is not None:
            return remark
    return None


def _last(table: Table) -> tuple[Row, int]:
    return table.score.rows[-1], len(table.score.rows)


def _list_due(table: Table) -> list[Promise]:
    """The promises for the round just played that were made to this seat, or to everybody."""
    _, in_round = _last(table)
    return [
        promise
        for promise in table.promises
        if promise.by != table.seat
        and (table.seat in promise.to or not promise.to)
        and promise.terms["round"] == in_round
    ]


def _reproach(context: BotContext) -> Meanings:
    """To whoever broke a promise, or a plan that this seat kept."""
    table, temper = context.table, context.temper
    row, in_round = _last(table)
    for promise in _list_due(table):
        if promise.judgement == "broken" and not promise.excused:
            to, number = promise.by, promise.terms["number"]
            if promise.kind == "avoid":
                return [Meaning("reproachAvoid", {"to": to, "number": number}, promise.private)]
            return [Meaning("reproachPromise", {"to": to}, promise.private)]
    others = [
        promise
        for seat in map(Seat, range(table.seats))
        for promise in list_broken_promises(table, seat, in_round)
        if seat != table.seat and promise.kind == "bid" and promise.to and not promise.private
    ]
    if others and roll_mood(table, 17) < 30 + (temper.grudge + temper.chatter) // 2:
        promise = others[0]
        args = {"to": promise.by, "other": promise.to[0], "number": promise.terms["number"]}
        return [Meaning("reproachFor", args)]
    if row.promised[table.seat] is None or row.promised[table.seat] != row.bids[table.seat]:
        return ()
    liars = [
        Seat(seat)
        for seat in range(table.seats)
        if seat != table.seat
        and seat not in row.missed
        and find_wrong(table, Seat(seat), in_round) is not None
    ]
    if not liars or roll_mood(table, 11) >= 40 + (temper.grudge + temper.chatter) // 2:
        return ()
    liar = liars[roll_mood(table, 12) % len(liars)]
    return [Meaning("reproach", {"to": liar, "number": row.promised[liar] or 0, "bid": row.bids[liar]})]


def _regret(context: BotContext) -> Meanings:
    """To whoever has spoiled a plan by which this seat was to score, without having backed it."""
    table = context.table
    row, _ = _last(table)
    plan, winner = table.backed, row.winner
    if plan is None or winner is None or winner == table.seat or pays(plan) != table.seat:
        return ()
    own_bid = row.bids[table.seat]
    if len(plan.behind) < 2 or winner in plan.behind or own_bid != plan.bids[table.seat]:
        return ()
    bids = (*row.bids[:winner], plan.bids[winner], *row.bids[winner + 1 :])
    if lowest_unique(bids) != table.seat:
        return ()
    return [Meaning("spoiled", {"to": winner, "number": own_bid, "bid": row.bids[winner]})]


def _thank(context: BotContext) -> Meanings:
    """To a seat that kept its promise, or hid behind a lower number as planned, so that this seat scored."""
    table, temper = context.table, context.temper
    row, _ = _last(table)
    kept = [
        promise
        for promise in _list_due(table)
        if promise.judgement == "kept" and promise.to and promise.kind == "bid"
    ]
    if kept:
        return [Meaning("thanksWord", {"to": kept[0].by}, kept[0].private)]
    if row.winner != table.seat:
        return ()
    helpers = [
        seat
        for seat in range(table.seats)
        if seat != table.seat and row.promised[seat] == row.bids[seat] < row.bids[table.seat]
    ]
    if not helpers or roll_mood(table, 13) >= 15 + temper.warmth:
        return ()
    helper = helpers[roll_mood(table, 14) % len(helpers)]
    return [Meaning("thanks", {"to": helper, "number": row.bids[helper]})]


def _own_up(context: BotContext) -> Meanings:
    """Why it broke its word: to whom it was given in particular, or else to whoever was to score."""
    table = context.table
    _, in_round = _last(table)
    broken = list_broken_promises(table, table.seat, in_round)
    wronged = [promise.to[0] for promise in broken if promise.to and not promise.private]
    wronged += [seat for seat in map(Seat, range(table.seats)) if find_cost(table, seat) is not None]
    return list_excuses(context, wronged[0]) if wronged else ()


def find_cost(table: Table, seat: Seat) -> int | None:
    """The number with which another seat would have scored, had this one kept to its plan."""
    return None if seat == table.seat else find_spoiled(table, table.seat, seat)


def _end(context: BotContext) -> Meanings:
    """How the game went, once its last numbers are out."""
    table = context.table
    target = table.stage.target
    if table.rounds_left or target is None:
        return ()
    if roll_mood(table, 16) >= 45 + context.temper.chatter // 2:
        return ()
    if table.has_won:
        return [Meaning("endWon", {"number": table.score.points[table.seat]})]
    if table.need <= NEAR:
        return [Meaning("endShort", {"count": table.need})]
    return [Meaning("endLost", {})]


def _remark(context: BotContext) -> Meanings:
    table, temper = context.table, context.temper
    row, in_round = _last(table)
    own_bid, target = row.bids[table.seat], table.stage.target
    if roll_mood(table, 15) >= 20 + temper.chatter // 2 + temper.warmth // 4:
        return ()
    meanings: list[Meaning] = []
    winner = row.winner
    if winner == table.seat:
        points = table.score.points[table.seat]
        if target is not None and points >= target > points - own_bid and table.rounds_left:
            meanings.append(Meaning("home", {"number": points}))
        return meanings
    if winner is None:
        meanings.append(Meaning("nobody", {}))
    else:
        number = row.bids[winner]
        args = {"to": winner, "number": number}
        points = table.score.points[winner]
        if target is not None and points >= target > points - number and not table.has_won:
            meanings.append(Meaning("tooLate", args))
        elif number == own_bid - 1:
            meanings.append(Meaning("outbid", {"to": winner, "number": own_bid}))
        elif (target is None or number >= WORTH_PRAISE) and not has_broken_word(table, winner, in_round):
            meanings.append(Meaning("praise", args))
    others = [seat for seat in range(table.seats) if seat != table.seat and row.bids[seat] == own_bid]
    if len(others) == 1 and row.promised[table.seat] is None:
        meanings.append(Meaning("clash", {"to": others[0], "number": own_bid}))
    return meanings
