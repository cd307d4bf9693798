"""The talk before a round: a bot answers what was proposed, proposes a plan itself, and gets ready.

It answers every plan: it backs it, makes another one, or says why not. It leaves its own plan for one with
more support, so that a table of bots always settles on one. A bot whose plan is still unanswered waits for
those who are not ready yet. As long as a person is talking and there is no plan, a bot that could make one
does so rather than get ready.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.almost.bot import answers, replies
from games.almost.bot.observation import LITTLE, OWN_PLANS, Table, pays, weigh_favour
from games.almost.bot.planning import benefits, choose_shape, choose_winner, is_jumped, shuts_out, wins_by
from games.almost.bot.pledges import breaks_own_word, find_pledge_against, is_bound
from games.almost.bot.remarks import (
    BotContext,
    Meanings,
    choose_remark,
    is_of_round,
    roll_mood,
)
from games.almost.bot.standing import STANDINGS, list_due_standings
from games.almost.rules.values import Agree, AlmostMove, Plan, Propose, Ready
from games.api import Millis, NewPromise, Remark
from games.kit.wordings import Meaning, read_intent

LAST_TALKERS: Final = 3
"""A bot proposes a plan for sure if no more seats than this, its own included, are not ready yet."""


OPENING_MS: Final = (2_000, 4_500)
"""How long a bot takes at least and at most over a plan in a round without one."""
LATE_OPENING_MS: Final = (10_000, 13_000)
"""The same in a round that people have more time to open."""
SILENT_MS: Final = 8_000
"""How much longer it takes to be ready in such a round, in case somebody makes a plan after all."""
ANSWERING_MS: Final = (3_000, 6_000)
"""How long a bot takes over what it does once the last plan was made or backed."""


class Act(NamedTuple):
    """What to do, before it becomes a `Decision`: a move for a kind of prompt, words, or both."""

    kind: str | None
    move: AlmostMove | None
    remark: Remark | None = None
    promise: NewPromise | None = None
    after: Millis | None = None
    """How long it takes at least over mere words."""
    is_late: bool = False
    """Whether it leaves others as much time before it as before it gets ready."""


def discuss(context: BotContext) -> Act | None:
    if context.character.is_substitute:
        return _sit_through(context)
    table = context.table
    better = find_better_plan(context)
    if better is not None:
        meanings: Meanings = answers.accept(context, better)
        speak = choose_remark if pays(better) == table.seat else _prefer_standing
        return Act("plan", Agree(better.number), speak(context, meanings))
    reply = replies.reply(context)
    if reply is not None and reply.bids is not None:
        return Act("plan", Propose(reply.bids), reply.remark, reply.promise)
    if reply is not None:
        return Act(None, None, reply.remark, reply.promise, reply.after)
    refused = _find_refused_plan(table)
    if table.done[table.seat]:
        return _refuse_late(context, refused)
    if refused is not None and _may_propose(context) and _counters(context, refused):
        counter = _counter(context, refused)
        if counter is not None:
            return counter
    if not table.plans and _may_propose(context):
        opens = _opens(context)
        opening = _open(context) if opens or awaits_people(context) else None
        if opening is not None:
            return opening._replace(is_late=not opens)
    if _waits(table):
        return None
    reasons: Meanings = () if refused is None else answers.refuse(context, refused)
    if refused is not None and reasons and refused.by in context.observation.people:
        return Act("ready", Ready(), choose_remark(context, reasons))
    meanings = reasons or answers.concede(context) or _warn(context)
    return Act("ready", Ready(), _prefer_standing(context, meanings))


def _prefer_standing(context: BotContext, meanings: Meanings) -> Remark | None:
    """A remark on who can still win, if one is due in the last round; otherwise one of these.

    Whoever breaks its word by its plan says that in any case.
    """
    if not any(meaning.intent in STANDINGS | answers.BREACHES for meaning in meanings):
        remark = choose_remark(context, list_due_standings(context))
        if remark is not None:
            return remark
    return choose_remark(context, meanings)


def _sit_through(context: BotContext) -> Act | None:
    """What a substitute does: it makes, backs and refuses no plan in its person's name (R30)."""
    reply = replies.reply(context)
    if reply is not None:
        return Act(None, None, reply.remark, reply.promise, reply.after)
    if context.table.done[context.table.seat]:
        return None
    return Act("ready", Ready(), choose_remark(context, _warn(context)))


def choose_pace(context: BotContext) -> Millis:
    """How long to take, from what everybody sees: long enough to read what others propose, and to propose
    something first."""
    table, history, dice = context.table, context.history, context.dice
    if history.newest is None:
        spread = LATE_OPENING_MS if _leaves_opening(table) else OPENING_MS
        pace = spread[0] + dice.below("pace", spread[1] - spread[0])
    else:
        pace = ANSWERING_MS[0] + dice.below("pace", ANSWERING_MS[1] - ANSWERING_MS[0])
        if not history.proposed and not history.agreed:  # it has thought since the round began
            pace += history.newest - history.begun
    return Millis(pace // 2 if table.is_fast else pace)


def choose_pace_of_ready(context: BotContext, usual: Millis) -> Millis | None:
    """How long to take before getting ready, if a plan would take `usual`; None for no longer than usual.

    Without a plan, somebody may still make one; but nobody waits for a bot once all people are ready.
    """
    table = context.table
    if context.observation.people and not awaits_people(context):
        return None
    if table.plans:
        return usual
    return Millis(usual + (SILENT_MS // 2 if table.is_fast else SILENT_MS))


def awaits_people(context: BotContext) -> bool:
    """Returns whether some person is not ready: meanwhile, bots do not get ready before there is a plan."""
    return any(not context.table.done[seat] for seat in context.observation.people)


def _leaves_opening(table: Table) -> bool:
    """Returns whether the bots leave this round's first plan to others for longer: in one of three."""
    return (table.stage.round + sum(sum(row.bids) for row in table.score.rows)) % 3 == 2


def _warn(context: BotContext) -> Meanings:
    """How little another seat needs, once in a round."""
    table = context.table
    close = table.close
    messages = context.observation.messages
    if close is None or table.has_won or table.score.needs[close] > LITTLE:
        return ()
    warned = [said for said in messages if read_intent(said.key) in ("warn", "pitchStop")]
    if any(is_of_round(context, said) for said in warned):
        return ()
    return [Meaning("warn", {"seat": close, "count": table.score.needs[close]})]


# --- answering plans ---


def _joins(context: BotContext, plan: Plan) -> bool:
    """Whether this seat joins a plan: always if the plan pays it, or if it has won and bears no grudge."""
    table, winner = context.table, pays(plan)
    if winner == table.seat:
        return True
    if find_pledge_against(context, plan) is not None:
        return False
    if is_jumped(table, plan) and _may_propose(context):
        return False  # first it makes a plan of its own
    if table.has_won and winner is not None:
        return weigh_favour(table, context.temper, winner) >= 0
    return roll_mood(table, plan.number, plan.by, *plan.bids) < context.skill.agree


def find_better_plan(context: BotContext) -> Plan | None:
    """The plan to back instead of the one backed so far; None to stay with that.

    A bot leaves a plan only for one that makes it win, or that has at least as much support. It never
    returns to one that it has left, so the table settles.
    """
    table, backed = context.table, context.table.backed

    def rank(plan: Plan) -> tuple[bool, int, int, int]:
        winner = pays(plan)
        favour = 0 if winner is None else weigh_favour(table, context.temper, winner)
        return winner == table.seat, favour, len(plan.behind), -plan.number

    left = context.history.agreed
    others = [
        plan
        for plan in table.plans
        if plan is not backed
        and plan.number not in left
        and plan.by != table.seat
        and not breaks_own_word(context, plan.bids, plan.behind, table.backings)
    ]
    if backed is not None:
        keeps = wins_by(table, backed) and len(backed.behind) > 1
        others = [
            plan
            for plan in others
            if not keeps and (wins_by(table, plan) or len(plan.behind) >= len(backed.behind))
        ]
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
    heard = {
        read_intent(said.key)
        for said in context.observation.messages
        if said.addressee == plan.by and is_of_round(context, said)
    }  # long after the plan, the same reason once more would seem to answer something else
    reasons = [reason for reason in answers.refuse(context, plan) if reason.intent not in heard]
    remark = choose_remark(context, reasons)
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
    """Returns whether the bot has proposed little in this round, and backed nobody's plan, and the table has
    not had many."""
    table, history = context.table, context.history
    if history.agreed or any(plan.by == table.seat for plan in table.plans):
        return False
    return len(history.proposed) < OWN_PLANS and table.next_plan <= table.seats + 1


def _is_new(context: BotContext, bids: tuple[int, ...]) -> bool:
    """Returns whether nobody proposes these bids, nor has this seat in this round."""
    proposed = context.history.proposed
    return bids not in proposed and all(plan.bids != bids for plan in context.table.plans)


def _opens(context: BotContext) -> bool:
    table = context.table
    talking = table.done.count(False)
    return talking <= LAST_TALKERS or context.dice.below("propose", 100) < context.skill.propose


def _open(context: BotContext) -> Act | None:
    table = context.table
    selfish = context.dice.below("selfish", 100) < context.skill.selfish
    winner = choose_winner(table, context.temper, selfish, is_bound(context))
    if winner is None:
        return None
    bids = choose_shape(table, winner, context.level, context.dice.below("shape", 12))
    if not _is_new(context, bids) or breaks_own_word(context, bids):
        return None
    meanings, promise = answers.pitch_with_promise(context, bids)
    return Act("plan", Propose(bids), _prefer_standing(context, meanings), promise)


def _counters(context: BotContext, plan: Plan) -> bool:
    """Returns whether to answer this plan with one that pays this seat."""
    table = context.table
    if table.stage.target is None or table.seat not in table.in_need or pays(plan) == table.seat:
        return False
    if is_bound(context):
        return False  # a plan of its own would pay this seat
    if shuts_out(table, plan) or is_jumped(table, plan):
        return True
    return roll_mood(table, 5, plan.by, *plan.bids) < context.skill.counter


def _counter(context: BotContext, plan: Plan) -> Act | None:
    table = context.table
    bids = choose_shape(table, table.seat, context.level, context.dice.below("shape", 12))
    if not _is_new(context, bids) or breaks_own_word(context, bids):
        return None
    remark = choose_remark(context, answers.counter(context, plan, bids))
    if remark is None:  # another has just said the same
        remark = choose_remark(context, [Meaning("pitchMine", {"number": bids[table.seat]})])
    return Act("plan", Propose(bids), remark)
