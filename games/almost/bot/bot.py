"""The Almost bot (section 4g): three skill levels, each playing only from its own seat's observation.

In the discussion, bots propose plans, answer those of others with yes, no or another plan, and ask one
another for promises (discussion.py, replies.py). When bidding, a bot follows a plan that pays it; one that
pays another seat as long as it could still win later; and any plan once it has won. If a plan shuts it out
for good, it tries to take the round. Without a plan, it samples its bid from a mixed strategy (bidding.py).
A substitute makes, backs and refuses no plan (R30), and bids by the one that its person backs with others.
After the reveal it thanks and reproaches (reveal.py). The level decides how well a bot plays; its temper only
what it says, and what it does where it makes hardly any difference to its chance to win.
"""

from __future__ import annotations

from typing import Final

from games.almost.bot import replies, reveal
from games.almost.bot.answers import REFUSALS
from games.almost.bot.bidding import choose_bid
from games.almost.bot.discussion import Act, choose_pace, choose_pace_of_ready, discuss
from games.almost.bot.levels import LEVELS, SKILL_LEVELS
from games.almost.bot.observation import read_table
from games.almost.bot.remarks import WORDINGS, BotContext, is_about_last
from games.almost.rules.values import AlmostMove, Continue, Lock
from games.api import Bot, Character, Decision, Dice, Observation

ANSWERS: Final = (*REFUSALS, "grant", "half", "deny", "denyGiven", "already")
"""Intents that answer a proposal without a move."""


def _choose_act(context: BotContext) -> Act | None:
    """What to do, for which kind of prompt; None to wait."""
    table = context.table
    pending = not table.done[table.seat]
    match table.stage.phase:
        case "discuss":
            return discuss(context)
        case "bid":
            if not pending:
                return None
            return Act("bid", Lock(_choose_number(context)))
        case "reveal":
            if pending:
                return Act("continue", Continue(), reveal.comment(context))
            reply = replies.reply(context)
            if reply is not None:
                return Act(None, None, reply.remark, reply.promise, reply.after)
            return _comment_late(context)
        case "end":
            return None


def _comment_late(context: BotContext) -> Act | None:
    """A remark on the round by a bot that has had to be silent so far, as it had spoken just before."""
    messages = context.observation.messages
    if any(said.seat == context.table.seat and is_about_last(context, said) for said in messages):
        return None
    remark = reveal.comment(context)
    return None if remark is None else Act(None, None, remark)


def _choose_number(context: BotContext) -> int:
    """What to bid. A substitute bids what its person has agreed to with others, who rely on that."""
    table = context.table
    backed = table.backed
    if context.character.is_substitute and backed is not None and len(backed.behind) > 1:
        return backed.bids[table.seat]
    return choose_bid(table, context.skill, context.temper, context.dice)


class AlmostBot(Bot[AlmostMove]):
    """A bot that plays both modes."""

    levels = LEVELS
    slow = frozenset({"hard"})
    proposals = frozenset({"propose", *WORDINGS.list_keys(("askTurn", "pitchTrade"))})
    remarkable = frozenset({"almost.scored", "almost.nobodyScored"})
    answers = frozenset({"agree", "propose", "promise.bid", "promise.avoid", *WORDINGS.list_keys(ANSWERS)})

    def decide(
        self, observation: Observation, character: Character, dice: Dice
    ) -> Decision[AlmostMove] | None:
        """The bot's next decision, or None to wait. Raises KeyError for an unknown level."""
        skill = SKILL_LEVELS[character.level]
        context = BotContext(observation, read_table(observation), character, skill, dice)
        is_talk = context.table.stage.phase == "discuss"
        after = choose_pace(context) if is_talk else None
        act = _choose_act(context)
        if act is None:
            return None
        if act.kind is None:
            return Decision(remark=act.remark, promise=act.promise, after=act.after)
        if after is not None and (act.kind == "ready" or act.is_late):
            after = choose_pace_of_ready(context, after)
        for prompt in observation.prompts:
            if prompt.kind == act.kind and observation.choices.get(prompt.id):
                return Decision(prompt.id, act.move, act.remark, act.promise, after)
        return None


BOT: Final = AlmostBot()
