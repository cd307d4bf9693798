"""What the bot says about plans: with one of its own, and in answer to those of others.

Each function lists meanings that are all true of the position, apart from opinions and apologies;
games/almost/bot/remarks.py chooses among them and puts them into words.
"""

from __future__ import annotations

from typing import Final

from games.almost.bot.observation import (
    LITTLE,
    Table,
    find_cover,
    find_pledges,
    find_wrong,
    pays,
)
from games.almost.bot.planning import list_tempted, shuts_out, tempts_nobody, wins_by
from games.almost.bot.pledges import breaks_own_word, find_own_ban, find_own_pledge, find_pledge_against
from games.almost.bot.remarks import BotContext, is_of_round, roll_mood
from games.almost.bot.standing import list_due_standings
from games.almost.rules.rounds import lowest_unique
from games.almost.rules.values import Plan
from games.api import NewPromise, Promise, Seat
from games.kit.promises import has_room, list_open
from games.kit.wordings import Meaning, read_intent

LOW: Final = 1
"""The number that a bot promises to bid for somebody else."""
ACCEPTANCES: Final = (
    "yesMine",
    "yesWin",
    "yesDone",
    "yesPlain",
    "yesSteady",
    "yesTurn",
    "yesSwitch",
    "yesYield",
    "yesThanks",
    "yesWary",
    "askTurn",
)
REFUSALS: Final = (
    *("noShut", "noNobody", "noWord", "noTempted", "noMine", "noWaste", "noLeave", "noDoubt", "threat"),
    *("noPledge", "noPromise", "noPromiseAvoid", "noPromiseOf", "noPromiseOfAvoid"),
    *("counter", "counterFirst", "counterDebt"),
)
BREACHES: Final = frozenset({"pitchBreak", "pitchBreakAvoid"})
"""Intents that come with a plan by which the speaker breaks a promise."""
ANALYSES: Final = frozenset({"pitchSteady", "yesSteady"})
"""Intents that say that nobody gains by leaving a plan."""
PLAN_ANSWERS: Final = frozenset({*ACCEPTANCES, *REFUSALS})
"""Intents that answer a plan; if they name no plan, they answer the newest one of whoever they address."""


def pitch(context: BotContext, bids: tuple[int, ...]) -> list[Meaning]:
    """With a plan of its own: what speaks for it."""
    table = context.table
    winner = lowest_unique(bids)
    if winner is None:
        return []
    most = bids[winner]
    args = {"number": most}
    needs = table.score.needs
    if winner == table.seat:
        breaking = _break_word(context, most)
        if breaking:
            return breaking
        close = table.close
        if close is not None and needs[close] <= LITTLE and bids[close] < most and tempts_nobody(bids):
            return [Meaning("pitchStop", {**args, "seat": close, "count": needs[close]})]
        standings = list_due_standings(context)
        if standings:
            return [Meaning("pitchLast", args), *standings]
        meanings = [Meaning("pitchMine", args)]
        if tempts_nobody(bids) and not _has_anybody_analysed(context):
            meanings.append(Meaning("pitchSteady", args))
        if needs[winner] == most and table.score.rows and table.rounds_left:  # at first all need the same
            meanings.append(Meaning("pitchEnough", args))
        return [*meanings, *_ask_for_turn(table, most)]
    args = {"to": winner, **args}
    if table.in_need == (winner,):
        return [Meaning("pitchOnly", args), Meaning("pitchOther", args)]
    earlier = find_cover(table, winner, table.seat)
    if earlier is not None and find_wrong(table, winner, earlier) is None:
        return [Meaning("pitchDebt", {**args, "earlier": earlier})]
    own_wrong = _find_fresh_wrong(table, table.seat)
    if own_wrong is not None:
        return [Meaning("pitchAmends", {**args, "earlier": own_wrong})]
    if table.rounds_left and table.need and table.score.can[table.seat]:
        return [Meaning("pitchTrade", args)]
    return [Meaning("pitchOther", args)]


def _break_word(context: BotContext, number: int) -> list[Meaning]:
    """With a plan by which it bids another number than it has promised aloud."""
    pledge = find_own_pledge(context)
    if pledge is not None and pledge.terms["number"] != number:
        return [Meaning("pitchBreak", {"number": number, "low": pledge.terms["number"]})]
    if find_own_ban(context, number) is not None:
        return [Meaning("pitchBreakAvoid", {"number": number})]
    return []


def _find_fresh_wrong(table: Table, seat: Seat) -> int | None:
    """The last round, if the seat broke a plan in it."""
    played = len(table.score.rows)
    return find_wrong(table, seat, played) if played else None


def _ask_for_turn(table: Table, number: int) -> list[Meaning]:
    """A plan that pays this seat, as its turn: the first one, or after whoever scored last."""
    earlier = [row.winner for row in table.score.rows if row.winner is not None]
    if not table.rounds_left or table.seat in earlier[-1:]:
        return []
    if earlier:
        return [Meaning("pitchNext", {"number": number, "seat": earlier[-1]})]
    return [Meaning("pitchTurns", {"number": number})]


def pitch_with_promise(context: BotContext, bids: tuple[int, ...]) -> tuple[list[Meaning], NewPromise | None]:
    """With a plan that pays this seat: sometimes it gives its word to hide behind the others next."""
    table, number = context.table, context.table.stage.round
    winner = lowest_unique(bids)
    promises = (
        winner == table.seat
        and table.rounds_left > 0
        and table.need <= bids[table.seat]
        and may_promise(context)
        and roll_mood(table, 10) < 15 + context.temper.honesty // 2
    )
    if not promises:
        return pitch(context, bids), None
    promise = NewPromise("bid", {"number": LOW, "round": number + 1}, bot=True)
    args = {"number": bids[table.seat], "low": LOW}
    return [Meaning("pitchWord", args)], promise


def may_promise(context: BotContext) -> bool:
    """Whether this seat may still promise something, and has promised nothing else that is open."""
    table = context.table
    if context.character.is_substitute or list_open(table.promises, table.seat):
        return False
    return has_room(table.promises, table.seat, table.seats)


def accept(context: BotContext, plan: Plan) -> list[Meaning]:
    """With the support for a plan: why, or what it asks in return. Often it just supports it."""
    table, temper = context.table, context.temper
    backed, winner = table.backed, pays(plan)
    if plan.by == table.seat:
        return []
    args = {"to": plan.by, "plan": plan.number}
    if winner == table.seat:
        gain = {"to": plan.by, "number": plan.bids[table.seat]}
        asks = wins_by(table, plan) and table.score.rows and len(plan.behind) < table.seats - 1
        wins = [Meaning("yesWin", {**args, **gain})] if asks else []
        return [*wins, Meaning("yesMine", gain)]
    given = {"to": plan.by if winner is None else winner, "number": plan.bids[table.seat]}
    if backed is not None and backed.by == table.seat and len(plan.behind) > len(backed.behind):
        return [Meaning("yesSwitch", args)]
    wrong = _find_fresh_wrong(table, plan.by)
    if wrong is not None and _find_fresh_wrong(table, table.seat) is None:
        return [Meaning("yesWary", {**args, "earlier": wrong})]
    if winner is not None and _may_ask(context, winner):
        return [Meaning("askTurn", given)]
    if backed is not None and backed.by == table.seat:
        # Its own plan may be gone by now, so it always says something.
        return [Meaning("yesYield", {"to": plan.by})]
    if roll_mood(table, 1, plan.number) >= 25 + temper.chatter:
        return []
    meanings = []
    if table.has_won:
        meanings.append(Meaning("yesDone", given))
    elif table.rounds_left:
        meanings.append(Meaning("yesTurn", given))
    earlier = find_cover(table, plan.by, table.seat)
    if earlier is not None and winner == plan.by:
        meanings.append(Meaning("yesThanks", {**args, "earlier": earlier}))
    if winner is not None and tempts_nobody(plan.bids):
        is_said = _has_anybody_analysed(context)
        meanings.append(Meaning("yesPlain" if is_said else "yesSteady", args))
    return meanings


def concede(context: BotContext) -> list[Meaning]:
    """If its own plan of this round is gone, and it has not yet answered the maker of the one it backs."""
    table, messages = context.table, context.observation.messages
    backed, proposed = table.backed, context.history.proposed
    if backed is None or backed.by == table.seat or not proposed:
        return []
    if any(plan.by == table.seat for plan in table.plans):
        return []
    spoken = [said for said in messages if said.seat == table.seat and is_of_round(context, said)]
    if any(read_intent(said.key) in PLAN_ANSWERS and said.addressee == backed.by for said in spoken):
        return []
    return [Meaning("yesYield", {"to": backed.by})]


def _has_anybody_analysed(context: BotContext) -> bool:
    """Whether somebody has said in this game that nobody gains by leaving a plan: once is enough."""
    return any(read_intent(said.key) in ANALYSES for said in context.observation.messages)


def _may_ask(context: BotContext, winner: Seat) -> bool:
    """Returns whether to ask the seat that scores now for its low number in the next round."""
    table = context.table
    if winner == table.seat or not table.rounds_left or not table.need or table.stage.target is None:
        return False
    if not table.score.can[table.seat]:
        return False
    asked = any(
        read_intent(said.key) == "askTurn" and said.seat == table.seat and is_of_round(context, said)
        for said in context.observation.messages
    )
    promised = any(
        promise.by == winner
        and promise.judgement is None
        and not promise.private
        and table.seat in (promise.to or (table.seat,))
        for promise in table.promises
    )
    owed = any(
        promise.kind == "bid" and winner in (promise.to or (winner,))
        for promise in find_pledges(table, table.seat)
    )  # nobody has to pay for what was promised before
    return not asked and not promised and not owed and roll_mood(table, 2) < 35 + context.temper.boldness // 2


def refuse(context: BotContext, plan: Plan) -> list[Meaning]:
    """Why this seat does not back a plan, or what it threatens to do."""
    table = context.table
    winner = pays(plan)
    args = {"to": plan.by, "plan": plan.number}
    if winner == table.seat or has_answered_plan(context, plan):
        return []
    pledge, against = find_own_pledge(context), find_pledge_against(context, plan)
    if against is not None and not against.private:
        return [_cite(against, plan)]
    if pledge is not None and breaks_own_word(context, plan.bids, plan.behind, table.backings):
        return [Meaning("noPledge", {**args, "number": pledge.terms["number"]})]
    meanings = []
    backed = table.backed
    if backed is not None and backed.by not in (table.seat, plan.by):
        meanings.append(Meaning("noLeave", {"to": plan.by, "other": backed.by}))
    if winner is None:
        meanings.append(Meaning("noNobody", args))
    elif shuts_out(table, plan):
        number = plan.bids[winner]
        picks_it = backed is not None and backed.bids[table.seat] == number
        if not picks_it and _threatens(context, winner):
            return [Meaning("threat", {"to": winner, "number": number})]
        meanings.append(Meaning("noShut", args))
    wrong = find_wrong(table, plan.by)
    if wrong is not None:
        meanings.append(Meaning("noWord", {**args, "earlier": wrong}))
    if _wastes(table, winner) and winner != plan.by:
        meanings.append(Meaning("noWaste", {**args, "seat": winner}))
    tempted = [seat for seat in list_tempted(table, plan.bids) if seat not in (table.seat, plan.by)]
    if tempted:
        meanings.append(Meaning("noTempted", {**args, "other": tempted[0]}))
    if backed is not None and backed.by == table.seat and pays(backed) == table.seat:
        meanings.append(Meaning("noMine", {"to": plan.by}))
    return meanings or [Meaning("noDoubt", args)]


def _cite(promise: Promise, plan: Plan) -> Meaning:
    """No to a plan by which a promise is broken."""
    avoids = "Avoid" if promise.kind == "avoid" else ""
    args = {"to": plan.by, "plan": plan.number, "number": promise.terms["number"]}
    if promise.by == plan.by:
        return Meaning(f"noPromise{avoids}", args)
    return Meaning(f"noPromiseOf{avoids}", {**args, "other": promise.by})


def _wastes(table: Table, winner: Seat | None) -> bool:
    return winner is not None and table.stage.target is not None and not table.score.needs[winner]


def _threatens(context: BotContext, winner: Seat) -> bool:
    table, character = context.table, context.character
    if character.is_substitute or winner == table.seat:
        return False
    return roll_mood(table, 3) < character.temper.boldness


def counter(context: BotContext, plan: Plan, bids: tuple[int, ...]) -> list[Meaning]:
    """With a plan that pays this seat, in answer to another one."""
    table = context.table
    breaking = _break_word(context, bids[table.seat])
    if breaking:
        return breaking
    args = {"to": plan.by, "number": bids[table.seat]}
    meanings = [Meaning("counter", args)]
    if pays(plan) == plan.by and table.score.needs[plan.by] and table.rounds_left:
        meanings.append(Meaning("counterFirst", args))
    earlier = find_cover(table, table.seat, plan.by)
    if earlier is not None:
        meanings.append(Meaning("counterDebt", {**args, "earlier": earlier}))
    return meanings


def has_answered_plan(context: BotContext, plan: Plan) -> bool:
    """Whether this seat has said what it thinks of a plan of this round."""
    table = context.table
    return any(
        said.seat == table.seat
        and is_of_round(context, said)
        and read_intent(said.key) in PLAN_ANSWERS
        and said.args.get("plan", plan.number) == plan.number
        and said.args.get("to") in (plan.by, pays(plan))
        for said in context.observation.messages
    )
