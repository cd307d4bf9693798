"""What the bot says once the numbers are out: thanks, reproaches, praise and regret, by temper."""

from __future__ import annotations

from games.almost.bot.observation import Table, find_wrong
from games.almost.bot.remarks import BotContext, Meanings, choose_remark, roll_mood
from games.almost.rules.values import Row
from games.api import Remark, Seat
from games.kit.wordings import Meaning


def comment(context: BotContext) -> Remark | None:
    """A remark on the round that was just played; None if there is nothing to say."""
    meanings = _reproach(context) or _thank(context) or _remark(context)
    return choose_remark(context, meanings)


def _last(table: Table) -> tuple[Row, int]:
    return table.score.rows[-1], len(table.score.rows)


def _reproach(context: BotContext) -> Meanings:
    """To whoever broke a promise made to this seat, or a plan that it kept."""
    table, temper = context.table, context.temper
    row, in_round = _last(table)
    for promise in table.promises:
        is_broken = promise.judgement == "broken" and not promise.excused
        if is_broken and table.seat in promise.to and promise.terms["round"] == in_round:
            return [Meaning("reproachPromise", {"to": promise.by, "round": in_round})]
    if row.promised[table.seat] not in (None, row.bids[table.seat]):
        return ()
    liars = [
        Seat(seat)
        for seat in range(table.seats)
        if seat != table.seat and find_wrong(table, Seat(seat), in_round) is not None
    ]
    if not liars or row.promised[table.seat] is None:
        return ()
    if roll_mood(table, 11) >= 20 + (temper.grudge + temper.chatter) // 2:
        return ()
    liar = liars[roll_mood(table, 12) % len(liars)]
    number = row.promised[liar]
    return [Meaning("reproach", {"to": liar, "round": in_round, "number": number, "bid": row.bids[liar]})]


def _thank(context: BotContext) -> Meanings:
    """To a seat that kept its promise, or hid behind a lower number as planned, so that this seat scored."""
    table, temper = context.table, context.temper
    row, in_round = _last(table)
    kept = [
        promise.by
        for promise in table.promises
        if promise.judgement == "kept" and table.seat in promise.to and promise.terms["round"] == in_round
    ]
    if kept:
        return [Meaning("thanksWord", {"to": kept[0], "round": in_round})]
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
    return [Meaning("thanks", {"to": helper, "round": in_round, "number": row.bids[helper]})]


def _remark(context: BotContext) -> Meanings:
    table, temper = context.table, context.temper
    row, in_round = _last(table)
    own_bid = row.bids[table.seat]
    meanings: list[Meaning] = []
    if roll_mood(table, 15) >= 20 + temper.chatter // 2 + temper.warmth // 4:
        return ()
    if row.winner == table.seat:
        target = table.stage.target
        points = table.score.points[table.seat]
        if target is not None and points >= target > points - own_bid:
            meanings.append(Meaning("home", {"round": in_round, "number": points}))
        return meanings
    others = [seat for seat in range(table.seats) if seat != table.seat and row.bids[seat] == own_bid]
    if row.winner is not None:
        meanings.append(
            Meaning("praise", {"to": row.winner, "round": in_round, "number": row.bids[row.winner]})
        )
    else:
        meanings.append(Meaning("nobody", {"round": in_round}))
    if len(others) == 1 and row.promised[table.seat] is None:
        meanings.append(Meaning("clash", {"to": others[0], "round": in_round, "number": own_bid}))
    return meanings
