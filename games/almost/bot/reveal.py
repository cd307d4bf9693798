"""What the bot says once the numbers are out: thanks, reproaches, reasons, praise and regret, by temper.

After the last round, it says how the game went for it.
"""

from __future__ import annotations

from typing import Final

from games.almost.bot.observation import (
    Table,
    find_cover,
    find_spoiled,
    find_wrong,
    has_broken_word,
    list_broken_promises,
    pays,
)
from games.almost.bot.remarks import (
    BotContext,
    Meanings,
    choose_remark,
    is_about_last,
    is_of_round,
    roll_mood,
)
from games.almost.bot.replies import had_won, list_excuses
from games.almost.rules.rounds import lowest_unique
from games.almost.rules.values import Plan, Row
from games.api import Promise, Remark, Seat
from games.kit.promises import list_open
from games.kit.wordings import Meaning, read_intent

BLAMES: Final = frozenset({"stole", "stoleWin"})
"""Intents that blame whoever scored by breaking its word."""
NEAR: Final = 3
"""Whoever is no more points short than this at the end came close."""
CLAIMS: Final = frozenset({"nowMe", "remind"})
"""Intents that claim something from whoever has just won with this seat's help."""
WORTH_PRAISE: Final = 4
"""A round with a lower number hardly deserves praise."""


def comment(context: BotContext) -> Remark | None:
    """A remark on the round that was just played; None if there is nothing to say."""
    listed = (_own_up, _blame_winner, _reproach, _regret, _collide, _thank, _end, _remark)
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


def _blame_winner(context: BotContext) -> Meanings:
    """To whoever scored by breaking its word: one bot that has kept its own says so first."""
    table = context.table
    row, in_round = _last(table)
    thief = row.winner
    if thief is None or thief == table.seat or thief in row.missed:
        return ()
    broken = [promise for promise in list_broken_promises(table, thief, in_round) if not promise.private]
    if find_wrong(table, thief, in_round) is None and not broken:
        return ()
    if has_broken_word(table, table.seat, in_round):
        return ()
    messages = context.observation.messages
    if any(read_intent(said.key) in BLAMES and is_about_last(context, said) for said in messages):
        return ()  # the others have something to say to whoever else broke its word
    if _reaches_target(table, thief):
        return [Meaning("stoleWin", {"to": thief})]
    return [Meaning("stole", {"to": thief, "bid": row.bids[thief]})]


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
    if (
        others
        and not has_broken_word(table, table.seat, in_round)
        and roll_mood(table, 17) < 30 + (temper.grudge + temper.chatter) // 2
    ):
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
    costly = [liar for liar in liars if find_spoiled(table, liar, table.seat) is not None]
    if not liars or (not costly and roll_mood(table, 11) >= 40 + (temper.grudge + temper.chatter) // 2):
        return ()
    liar = costly[0] if costly else liars[roll_mood(table, 12) % len(liars)]
    return [Meaning("reproach", {"to": liar, "number": row.promised[liar] or 0, "bid": row.bids[liar]})]


def _regret(context: BotContext) -> Meanings:
    """When a plan by which this seat was to score has failed: to whoever alone has spoiled it, without having
    backed it; otherwise to nobody in particular."""
    table = context.table
    row, _ = _last(table)
    plan, winner = table.backed, row.winner
    if plan is None or winner == table.seat or pays(plan) != table.seat:
        return ()
    own_bid = row.bids[table.seat]
    if len(plan.behind) < 2 or own_bid != plan.bids[table.seat]:
        return ()
    left = [seat for seat in map(Seat, range(table.seats)) if row.bids[seat] != plan.bids[seat]]
    if len(left) == 1 and left[0] not in plan.behind and left[0] not in row.missed and left[0] != winner:
        return [Meaning("ruined", {"to": left[0], "number": own_bid})]
    lost = [Meaning("fellThrough", {"number": own_bid})]
    if winner is None or winner in plan.behind:
        return lost
    bids = (*row.bids[:winner], plan.bids[winner], *row.bids[winner + 1 :])
    if lowest_unique(bids) != table.seat:
        return lost
    return [Meaning("spoiled", {"to": winner, "number": own_bid, "bid": row.bids[winner]})]


def _collide(context: BotContext) -> Meanings:
    """To the one other seat that bid the same number, if this seat would have scored without it."""
    table = context.table
    row, _ = _last(table)
    number = row.bids[table.seat]
    same = [seat for seat in map(Seat, range(table.seats)) if row.bids[seat] == number and seat != table.seat]
    if len(same) != 1:
        return ()
    other = same[0]
    args = {"to": other}
    if _has_threatened(context, other):
        return [Meaning("toldYou", args)]
    if _find_lowest_without(row, other) != number:
        return ()
    if any(plan.bids[table.seat] == plan.bids[other] == number for plan in table.plans):
        return ()  # they were to hide behind one another
    has_claimed = _claims(table, table.seat, number)
    if not _claims(table, other, number):
        return [Meaning("blocked", args) if has_claimed else Meaning("clash", {**args, "number": number})]
    return [Meaning("standoff", args)] if has_claimed else ()


def _find_lowest_without(row: Row, left_out: Seat) -> int | None:
    """The number that would have scored without this seat's; None if none."""
    rest = tuple(bid for seat, bid in enumerate(row.bids) if seat != left_out)
    winner = lowest_unique(rest)
    return None if winner is None else rest[winner]


def _claims(table: Table, seat: Seat, number: int) -> bool:
    """Whether a plan on the table, which this seat backs, lets it score with this number."""
    return any(
        pays(plan) == seat and plan.bids[seat] == number and seat in plan.behind for plan in table.plans
    )


def _has_threatened(context: BotContext, other: Seat) -> bool:
    """Whether this seat has told another before the bids that it might bid its number, too."""
    return any(
        read_intent(said.key) == "threat"
        and (said.seat, said.addressee) == (context.table.seat, other)
        and said.args["number"] == context.table.score.rows[-1].bids[other]
        and is_of_round(context, said)
        for said in context.observation.messages
    )


def _thank(context: BotContext) -> Meanings:
    """To whoever kept a promise, or to those who hid as planned, so that this seat scored as planned."""
    table, temper = context.table, context.temper
    row, in_round = _last(table)
    kept = [
        promise
        for promise in _list_due(table)
        if promise.judgement == "kept" and promise.to and promise.kind == "bid"
    ]
    if kept:
        return [Meaning("thanksWord", {"to": kept[0].by}, kept[0].private)]
    plan = _find_success(table)
    if plan is None or row.winner != table.seat or roll_mood(table, 13) >= 15 + temper.warmth:
        return ()
    helpers = [
        seat
        for seat in map(Seat, range(table.seats))
        if seat != table.seat and seat in plan.behind and find_cover(table, seat, table.seat) == in_round
    ]
    if plan.by in helpers:
        return [Meaning("thanksPlan", {"to": plan.by})]
    if len(helpers) > 1:
        return [Meaning("thanksAll", {})]
    return [Meaning("thanks", {"to": seat, "number": row.bids[seat]}) for seat in helpers]


def _find_success(table: Table) -> Plan | None:
    """The plan by which somebody scored as several seats had agreed; None if nobody did."""
    row, _ = _last(table)
    return next(
        (
            plan
            for plan in table.plans
            if row.winner is not None
            and pays(plan) == row.winner
            and plan.bids[row.winner] == row.bids[row.winner]
            and len(plan.behind) > 1
        ),
        None,
    )


def _own_up(context: BotContext) -> Meanings:
    """Why it broke its word: to whom it was given in particular, or else to whoever was to score."""
    table = context.table
    _, in_round = _last(table)
    broken = list_broken_promises(table, table.seat, in_round)
    wronged = [promise.to[0] for promise in broken if promise.to and not promise.private]
    wronged += [seat for seat in _list_let_down(table) if find_cost(table, seat) is not None]
    return list_excuses(context, wronged[0]) if wronged and _may_own_up(context, wronged[0]) else ()


def _may_own_up(context: BotContext, wronged: Seat) -> bool:
    """Whether nobody is about to reproach this seat, and so to be answered before anything is said: a bot
    that it has wronged mostly does."""
    if wronged in context.observation.people:
        return True
    return any(
        (said.seat, said.addressee) == (wronged, context.table.seat) and is_about_last(context, said)
        for said in context.observation.messages
    )


def _list_let_down(table: Table) -> list[Seat]:
    """Whom this seat has let down by leaving the plan that it backed: first whoever was to score by it."""
    plan = table.backed
    if plan is None:
        return []
    winner = pays(plan)
    first = [] if winner is None else [winner]
    return [*first, *(seat for seat in plan.behind if seat != winner)]


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
    if table.has_won:  # whoever has won before has said so then
        won_now = _reaches_target(table, table.seat)
        return [Meaning("endWon", {"number": table.score.points[table.seat]})] if won_now else ()
    if table.need <= NEAR:
        return [Meaning("endShort", {"count": table.need})]
    return [Meaning("endLost", {"number": table.score.points[table.seat]})]


def _reaches_target(table: Table, seat: Seat) -> bool:
    """Whether the numbers of the round just played have made this seat win the game."""
    row, _ = _last(table)
    target, points = table.stage.target, table.score.points[seat]
    return row.winner == seat and target is not None and points >= target > points - row.bids[seat]


def _remark(context: BotContext) -> Meanings:
    table, temper = context.table, context.temper
    row, _ = _last(table)
    if roll_mood(table, 15) >= 20 + temper.chatter // 2 + temper.warmth // 4:
        return ()
    if row.winner is None:
        return [Meaning("nobody" if table.rounds_left else "nobodyLast", {})]
    if row.winner == table.seat:
        is_home = _reaches_target(table, table.seat) and table.rounds_left
        if is_home:
            return [Meaning("home", {"number": table.score.points[table.seat]})]
        return [Meaning("windfall", {"number": row.bids[table.seat]})] if _is_windfall(table, row) else ()
    return _remark_on_winner(context, row.winner)


def _is_windfall(table: Table, row: Row) -> bool:
    """Whether this seat scored by doing what a backed plan asked that was to pay another."""
    if table.stage.target is None or had_won(table):
        return False
    plan = table.backed or max(table.plans, key=lambda plan: len(plan.behind), default=None)
    if plan is None or row.bids[table.seat] != plan.bids[table.seat]:
        return False
    is_agreed = table.seat in plan.behind or len(plan.behind) > 1
    return is_agreed and pays(plan) not in (None, table.seat)


def _remark_on_winner(context: BotContext, winner: Seat) -> Meanings:
    """To another seat that has scored: whoever helped it to win wants its own turn."""
    table = context.table
    row, in_round = _last(table)
    own_bid, number, target = row.bids[table.seat], row.bids[winner], table.stage.target
    args = {"to": winner, "number": number}
    success = _find_success(table)
    if _reaches_target(table, winner):
        if table.has_won:
            return ()
        if success is None or table.seat not in success.behind:
            return [Meaning("tooLate", args)]
        return _claim_turn(context, winner)
    if target is not None and table.score.points[winner] >= target:
        return () if table.has_won else [Meaning("spare", {"to": winner})]
    if number == own_bid - 1 and _find_lowest_without(row, winner) == own_bid:
        return [Meaning("outbid", {"to": winner, "number": own_bid})]
    is_worth_it = target is None or number >= WORTH_PRAISE
    if success is None and is_worth_it and not has_broken_word(table, winner, in_round):
        return [Meaning("praise", args)]
    return ()


def _claim_turn(context: BotContext, winner: Seat) -> Meanings:
    """To whoever has just won by a plan that this seat backed: what it owes now, or that it should help."""
    table, messages = context.table, context.observation.messages
    if not table.rounds_left or not table.score.can[table.seat]:
        return ()
    claims = [said for said in messages if read_intent(said.key) in CLAIMS]
    if any(is_about_last(context, said) for said in claims):
        return ()  # one claim in a round is enough
    owed = [
        promise.terms["number"]
        for promise in list_open(table.promises, winner)
        if promise.kind == "bid"
        and promise.terms["round"] == table.stage.round + 1
        and not promise.private
        and table.seat in (promise.to or (table.seat,))
    ]
    if owed:
        heard = any(
            read_intent(said.key) == "heardBid"
            and (said.seat, said.addressee) == (table.seat, winner)
            and is_of_round(context, said)
            for said in messages
        )
        return () if heard else [Meaning("remind", {"to": winner, "number": owed[0]})]
    if any(read_intent(said.key) == "nowMe" and said.seat == table.seat for said in claims):
        return ()  # and one of this kind in a game
    return [Meaning("nowMe", {"to": winner})]
