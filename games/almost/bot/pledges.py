"""What a seat has promised for this round, and which plans go against a promise."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from games.almost.bot.observation import Table, find_pledged_bid, find_pledges, list_avoided, list_others
from games.almost.bot.remarks import BotContext, roll_mood
from games.almost.rules.promises import is_released_by
from games.almost.rules.values import Plan
from games.api import Promise, Seat

BREAKING: Final = 40
"""How often, in percent, a character of no honesty at all means to break its word in a round."""


def means_to_keep(context: BotContext) -> bool:
    """Whether this seat means to do what it has promised for this round.

    It does not if it would then lose the game for sure, and otherwise by temper.
    """
    table = context.table
    pledged, avoided = find_pledged_bid(table, table.seat), list_avoided(table, table.seat)
    if (pledged is None and not avoided) or table.has_won or table.stage.target is None:
        return True
    must_score = table.need > table.rounds_left * table.stage.most
    able = [pledged] if pledged is not None else [n for n in range(1, table.most + 1) if n not in avoided]
    if must_score and table.score.can[table.seat] and max(able, default=0) < table.least:
        return False
    return roll_mood(table, 20) >= (100 - context.temper.honesty) * BREAKING // 100


def is_bound(context: BotContext) -> bool:
    """Whether this seat has promised a number for this round, and means to bid it."""
    return find_pledged_bid(context.table, context.table.seat) is not None and means_to_keep(context)


def breaks_own_word(
    context: BotContext,
    bids: Sequence[int],
    behind: Collection[Seat] = (),
    backings: Sequence[int] | None = None,
) -> bool:
    """Whether a plan asks this seat to break a promise that it means to keep.

    A plan that all those it was made to have since backed releases it from that. `backings` as in `Plans`;
    without them, `behind` are seats that are still to back the plan.
    """
    table = context.table
    if backings is None:
        backings = (max(table.backings) + 1,) * table.seats
    pledges = [
        promise
        for promise in find_pledges(table, table.seat)
        if not is_released_by(promise, behind, backings)
    ]
    return any(_is_broken_by(promise, bids) for promise in pledges) and means_to_keep(context)


def _is_broken_by(promise: Promise, bids: Sequence[int]) -> bool:
    """Whether the maker of a promise about this round breaks it with these bids."""
    return (bids[promise.by] == promise.terms["number"]) != (promise.kind == "bid")


def find_pledge_against(context: BotContext, plan: Plan) -> Promise | None:
    """The promise to this seat, or to everybody, that another breaks by a plan: first whoever made it."""
    table = context.table
    if plan.by == table.seat:
        return None
    makers = sorted(list_others(table, table.seat), key=lambda seat: seat != plan.by)
    against = (find_bent_promise(table, plan, maker, table.seat) for maker in makers)
    return next((promise for promise in against if promise is not None), None)


def find_bent_promise(table: Table, plan: Plan, maker: Seat, to: Seat) -> Promise | None:
    """The open promise to a seat, or to everybody, that its maker breaks by a plan; None if none."""
    return next(
        (
            promise
            for promise in find_pledges(table, maker)
            if (to in promise.to or not promise.to) and _is_broken_by(promise, plan.bids)
        ),
        None,
    )


def find_own_pledge(context: BotContext) -> Promise | None:
    """What this seat has promised aloud to bid in this round; None if nothing."""
    pledges = find_pledges(context.table, context.table.seat)
    return next((one for one in pledges if one.kind == "bid" and not one.private), None)


def find_own_ban(context: BotContext, number: int) -> Promise | None:
    """What this seat has promised aloud: not to bid this number in this round; None if it has not."""
    pledges = find_pledges(context.table, context.table.seat)
    return next(
        (one for one in pledges if one.kind == "avoid" and not one.private and one.terms["number"] == number),
        None,
    )
