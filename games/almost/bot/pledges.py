"""What a seat has promised for this round, and which plans go against a promise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.almost.bot.observation import find_pledged_bid, find_pledges
from games.almost.bot.remarks import BotContext, roll_mood
from games.almost.rules.values import Plan
from games.api import Promise, Seat

BREAKING: Final = 40
"""How often, in percent, a character of no honesty at all means to break its word in a round."""


def means_to_keep(context: BotContext) -> bool:
    """Whether this seat means to do what it has promised for this round.

    It does not if it would then lose the game for sure, and otherwise by temper.
    """
    table = context.table
    pledged = find_pledged_bid(table, table.seat)
    if pledged is None or table.has_won or table.stage.target is None:
        return True
    must_score = table.need > table.rounds_left * table.stage.most
    if must_score and table.score.can[table.seat] and pledged < table.least:
        return False
    return roll_mood(table, 20) >= (100 - context.temper.honesty) * BREAKING // 100


def is_bound(context: BotContext) -> bool:
    """Whether this seat has promised a number for this round, and means to bid it."""
    return find_pledged_bid(context.table, context.table.seat) is not None and means_to_keep(context)


def breaks_own_word(context: BotContext, bids: Sequence[int], by: Seat | None = None) -> bool:
    """Whether a plan asks this seat to break a promise that it means to keep.

    A plan made by the only seat that it was made to releases it from that.
    """
    table = context.table
    pledges = [promise for promise in find_pledges(table, table.seat) if promise.to != (by,)]
    if not pledges or not means_to_keep(context):
        return False
    bid = bids[table.seat]
    asked = {promise.terms["number"] for promise in pledges if promise.kind == "bid"}
    avoided = {promise.terms["number"] for promise in pledges if promise.kind == "avoid"}
    return bool(asked - {bid}) or bid in avoided


def find_pledge_against(context: BotContext, plan: Plan) -> Promise | None:
    """The promise to this seat, or to everybody, that whoever made the plan breaks by it; None if none."""
    table = context.table
    if plan.by == table.seat:
        return None
    return next(
        (
            promise
            for promise in find_pledges(table, plan.by)
            if promise.kind == "bid"
            and (table.seat in promise.to or not promise.to)
            and promise.terms["number"] != plan.bids[plan.by]
        ),
        None,
    )


def find_own_pledge(context: BotContext) -> Promise | None:
    """What this seat has promised aloud to bid in this round; None if nothing."""
    pledges = find_pledges(context.table, context.table.seat)
    return next((one for one in pledges if one.kind == "bid" and not one.private), None)
