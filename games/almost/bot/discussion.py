"""The talk before a round: a bot answers what was proposed, proposes a plan itself, and gets ready.

It answers every plan: it backs it, makes another one, or says why not. It leaves its own plan for one with
more support, so that a table of bots always settles on one. A bot whose plan is still unanswered waits for
those who are not ready yet.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.almost.bot import answers, replies
from games.almost.bot.observation import OWN_PLANS, Table, pays, weigh_favour
from games.almost.bot.planning import benefits, choose_shape, choose_winner, shuts_out
from games.almost.bot.remarks import BotContext, Meanings, choose_remark, roll_mood
from games.almost.rules.values import Agree, AlmostMove, Plan, Propose, Ready
from games.api import NewPromise, Remark

LAST_TALKERS: Final = 3
"""A bot proposes a plan for sure if no more seats than this, its own included, are not ready yet."""


class Act(NamedTuple):
    """What to do, before it becomes a `Decision`: a move for a kind of prompt, words, or both."""

    kind: str | None
    move: AlmostMove | None
    remark: Remark | None = None
    promise: NewPromise | None = None


def discuss(context: BotContext) -> Act | None:
    table = context.table
    better = find_better_plan(context)
    if better is not None:
        return Act("plan", Agree(better.number), choose_remark(context, answers.accept(context, better)))
    reply = replies.reply(context)
    if reply is not None and reply.bids is not None:
        return Act("plan", Propose(reply.bids), reply.remark, reply.promise)
    if reply is not None:
        return Act(None, None, reply.remark, reply.promise)
    refused = _find_refused_plan(table)
    if table.done[table.seat]:
        return _refuse_late(context, refused)
    if refused is not None and _may_propose(context) and _counters(context, refused):
        return _counter(context, refused)
    if not table.plans and _may_propose(context) and _opens(context):
        opening = _open(context)
        if opening is not None:
            return opening
    if _waits(table):
        return None
    meanings: Meanings = () if refused is None else answers.refuse(context, refused)
    return Act("ready", Ready(), choose_remark(context, meanings))


# --- answering plans ---


def _joins(context: BotContext, plan: Plan) -> bool:
    """Whether this seat joins a plan: always if the plan pays it, or if it has won and bears no grudge."""
    table, winner = context.table, pays(plan)
    if winner == table.seat:
        return True
    if table.has_won and winner is not None:
        return weigh_favour(table, context.temper, winner) >= 0
    return roll_mood(table, plan.number, sum(plan.bids)) < context.skill.agree


def find_better_plan(context: BotContext) -> Plan | None:
    """The plan to back instead of the one backed so far; None to stay with that.

    A bot leaves a plan only for one with at least as much support. Each such step makes the plans more
    unequal, so the table settles.
    """
    table, backed = context.table, context.table.backed

    def rank(plan: Plan) -> tuple[bool, int, int, int]:
        winner = pays(plan)
        favour = 0 if winner is None else weigh_favour(table, context.temper, winner)
        return winner == table.seat, favour, len(plan.behind), -plan.number

    others = [plan for plan in table.plans if plan is not backed]
    if backed is not None:
        others = [plan for plan in others if len(plan.behind) >= len(backed.behind)]
    good = [plan for plan in others if benefits(table, plan) and _joins(context, plan)]
    best = max(good, key=rank, default=None)
    if best is None or backed is None:
        return best
    if pays(backed) == table.seat and pays(best) != table.seat:
        return best if len(best.behind) > 1 else None
    return best if rank(best) > rank(backed) else None


def _find_refused_plan(table: Table) -> Plan | None:
    """The newest plan of another seat that this seat does not back; it is newer than the one it backs."""
    oldest = 0 if table.backed is None else table.backed.number
    return next(
        (
            plan
            for plan in reversed(table.plans)
            if plan.by != table.seat and table.seat not in plan.behind and plan.number > oldest
        ),
        None,
    )


def _refuse_late(context: BotContext, plan: Plan | None) -> Act | None:
    """Says why not to a plan that came after this seat was ready."""
    if plan is None or answers.has_answered_plan(context, plan):
        return None
    remark = choose_remark(context, answers.refuse(context, plan))
    return None if remark is None else Act(None, None, remark)


def _waits(table: Table) -> bool:
    """Returns whether somebody who is not ready has yet to answer this seat's own plan."""
    own_plan = table.backed
    if own_plan is None or own_plan.by != table.seat:
        return False
    answered = {seat for plan in table.plans if plan.number >= own_plan.number for seat in plan.behind}
    return any(not done and seat not in answered for seat, done in enumerate(table.done))


# --- making plans ---


def _may_propose(context: BotContext) -> bool:
    """Returns whether the bot has not yet proposed much in this round, nor has the table."""
    table = context.table
    proposed_count = 0
    for line in reversed(context.observation.lines):
        if line.key == "almost.round":
            break
        proposed_count += line.key == "almost.proposed" and line.args["seat"] == table.seat
    plan_count = sum(plan.by == table.seat for plan in table.plans)
    return (
        max(proposed_count, plan_count) < OWN_PLANS and plan_count < 1 and table.next_plan <= table.seats + 1
    )


def _opens(context: BotContext) -> bool:
    table = context.table
    talking = table.done.count(False)
    return talking <= LAST_TALKERS or context.dice.below("propose", 100) < context.skill.propose


def _open(context: BotContext) -> Act | None:
    table = context.table
    selfish = context.dice.below("selfish", 100) < context.skill.selfish
    winner = choose_winner(table, context.temper, selfish)
    if winner is None:
        return None
    bids = choose_shape(table, winner, context.level, context.dice.below("shape", 12))
    meanings, promise = answers.pitch_with_promise(context, bids)
    return Act("plan", Propose(bids), choose_remark(context, meanings), promise)


def _counters(context: BotContext, plan: Plan) -> bool:
    """Returns whether to answer this plan with one that pays this seat."""
    table = context.table
    if table.stage.target is None or table.seat not in table.in_need or pays(plan) == table.seat:
        return False
    return shuts_out(table, plan) or roll_mood(table, 5, plan.number) < context.skill.counter


def _counter(context: BotContext, plan: Plan) -> Act:
    table = context.table
    bids = choose_shape(table, table.seat, context.level, context.dice.below("shape", 12))
    return Act("plan", Propose(bids), choose_remark(context, answers.counter(context, plan, bids)))
