"""What the bot answers to others' words, to their promises, and to people's phrases.

It answers what is said to it once. A request for a low number in the next round gets a promise, half of one
or none, by temper; whoever asks for it has just given its own number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.almost.bot.answers import LOW, may_promise
from games.almost.bot.observation import find_wrong
from games.almost.bot.planning import benefits, choose_shape
from games.almost.bot.remarks import (
    PHRASE,
    BotContext,
    choose_remark,
    count_said,
    has_answered,
    roll_mood,
)
from games.almost.rules.values import Plan
from games.api import NewPromise, Remark, Seat, Spoken
from games.kit.promises import list_open
from games.kit.wordings import Meaning, read_intent

TALKATIVE: Final = 5
"""A bot answers no more words in a round once it has made this many remarks about it."""


class Reply(NamedTuple):
    """An answer: words, perhaps with a promise or with a plan of its own. A promise may speak for itself."""

    remark: Remark | None
    promise: NewPromise | None = None
    bids: tuple[int, ...] | None = None


def reply(context: BotContext) -> Reply | None:
    """The answer to the oldest words or promise that this seat has not answered yet, if any."""
    table = context.table
    if context.observation.talk_policy.mode == "closed":
        return None
    if count_said(context, table.seat, table.stage.round) >= TALKATIVE:
        return None
    for index, said in enumerate(context.observation.messages):
        if said.seat == table.seat or said.to not in (None, table.seat):
            continue
        if not read_intent(said.key):
            answer = _answer_phrase(context, index, said)
        elif said.addressee == table.seat and not has_answered(context, index):
            answer = _answer_remark(context, said)
        else:
            continue
        if answer is not None:
            return answer
    return _answer_promises(context)


def _say(context: BotContext, meanings: Sequence[Meaning], promise: NewPromise | None = None) -> Reply | None:
    remark = choose_remark(context, meanings)
    return None if remark is None and promise is None else Reply(remark, promise)


def _answer_remark(context: BotContext, said: Spoken) -> Reply | None:
    table = context.table
    in_round = said.args.get("round")
    if not isinstance(in_round, int) or not table.stage.round - 1 <= in_round <= table.stage.round:
        return None
    args = {"to": said.seat, "round": in_round}
    match read_intent(said.key):
        case "askTurn" if in_round == table.stage.round and table.stage.phase == "discuss":
            return _answer_request(context, said)
        case "threat" if in_round == table.stage.round:
            return _say(context, [Meaning("noFear", args)])
        case "thanks" | "thanksWord" if _is_polite(context, said.seat):
            return _say(context, [Meaning("welcome", args)])
        case "reproach" | "reproachPromise" if len(table.score.rows) >= in_round:
            return _say(context, list(_excuse(context, said.seat, in_round)))
        case _:
            return None


def _is_polite(context: BotContext, to: Seat) -> bool:
    temper = context.temper
    return roll_mood(context.table, 4, to) < 20 + temper.chatter + temper.warmth // 3


def _excuse(context: BotContext, to: Seat, in_round: int) -> Iterator[Meaning]:
    table, temper = context.table, context.temper
    args = {"to": to, "round": in_round}
    row = table.score.rows[in_round - 1]
    if row.missed.count(table.seat):
        yield Meaning("excuseClock", args)
    elif _had_won(context, in_round):
        yield Meaning("excuseDone", args)
    elif row.winner == table.seat:
        yield Meaning("excuseNeed", args)
    else:
        yield Meaning("excuseVain", args)
    if temper.warmth >= 50:
        yield Meaning("sorry", args)


def _had_won(context: BotContext, in_round: int) -> bool:
    """Whether this seat had won the game before this round."""
    table = context.table
    before = table.score.rows[: in_round - 1]
    points = sum(row.bids[table.seat] for row in before if row.winner == table.seat)
    return table.stage.target is not None and points >= table.stage.target


def _answer_request(context: BotContext, said: Spoken) -> Reply | None:
    """To a request for a low number in the next round: a promise, half of one, or none."""
    table, temper = context.table, context.temper
    following = table.stage.round + 1
    args = {"to": said.seat, "round": following}
    given = next(
        (promise for promise in list_open(table.promises, table.seat) if promise.terms["round"] == following),
        None,
    )
    if given is not None and given.to and said.seat not in given.to:
        return _say(context, [Meaning("denyGiven", {**args, "other": given.to[0]})])
    if given is not None:
        return None
    if not may_promise(context) or roll_mood(table, 6, said.seat) < temper.boldness - 50:
        return _say(context, [Meaning("deny", args)])
    if roll_mood(table, 7, said.seat) >= temper.honesty + 30:
        number = table.stage.most
        promise = NewPromise("avoid", {"number": number, "round": following}, (said.seat,), bot=True)
        return _say(context, [Meaning("half", {**args, "number": number})], promise)
    promise = NewPromise("bid", {"number": LOW, "round": following}, (said.seat,), bot=True)
    return _say(context, [Meaning("grant", {**args, "number": LOW})], promise)


def _answer_promises(context: BotContext) -> Reply | None:
    """To the promises that others have made to this seat, or a person to everybody."""
    table = context.table
    for promise in table.promises:
        if promise.by == table.seat or promise.judgement is not None:
            continue
        if table.seat not in promise.to and (promise.to or promise.bot):
            continue
        in_round, number = promise.terms["round"], promise.terms["number"]
        args = {"to": promise.by, "round": in_round, "number": number}
        if any(
            read_intent(said.key) in ("heardBid", "heardAvoid", "heardDoubt")
            and said.seat == table.seat
            and all(said.args.get(name) == args[name] for name in ("to", "round"))
            for said in context.observation.messages
        ):
            continue
        wrong = find_wrong(table, promise.by)
        if wrong is not None:
            return _say(context, [Meaning("heardDoubt", {**args, "earlier": wrong})])
        if promise.to or roll_mood(table, 8, promise.by) < 40 + context.temper.chatter:
            return _say(context, [Meaning("heardBid" if promise.kind == "bid" else "heardAvoid", args)])
    return None


# --- people's phrases ---


def _answer_phrase(context: BotContext, index: int, said: Spoken) -> Reply | None:
    """To a person's phrase: whoever is addressed, or the first bot in the mood to, answers it."""
    table = context.table
    messages = context.observation.messages
    if said.bot or not said.key.startswith(PHRASE):
        return None
    if any(after.seat == table.seat for after in messages[index + 1 :]):
        return None
    if said.to is None and any(after.bot and after.addressee == said.seat for after in messages[index + 1 :]):
        return None
    if said.to is None and roll_mood(table, 9, said.seat, len(said.key)) >= 45 + context.temper.chatter // 2:
        return None
    phrase = said.key.removeprefix(PHRASE)
    if phrase == "myTurn":
        planned = _plan_for(context, said.seat)
        if planned is not None:
            return planned
    return _say(context, list(_list_phrase_answers(context, said.seat, phrase)))


def _plan_for(context: BotContext, seat: Seat) -> Reply | None:
    """A plan for somebody who claims the round, if there is none yet and this seat can live with it."""
    table = context.table
    if (
        table.stage.phase != "discuss"
        or table.plans
        or table.stage.target is None
        or seat not in table.in_need
    ):
        return None
    bids = choose_shape(table, seat, context.level, 0)
    if not benefits(table, Plan(0, table.seat, bids, ())):
        return None
    args = {"to": seat, "round": table.stage.round, "number": bids[seat]}
    remark = choose_remark(context, [Meaning("pitchOther", args)])
    return None if remark is None else Reply(remark, bids=bids)


def _list_phrase_answers(context: BotContext, to: Seat, phrase: str) -> Iterator[Meaning]:
    table = context.table
    in_round, rows = table.stage.round, table.score.rows
    args = {"to": to, "round": in_round}
    backed = table.backed
    match phrase:
        case "myTurn" | "takeOne" | "noDeal" if table.stage.phase == "discuss":
            yield Meaning("askPlan", args)
        case "yourTurnNext" if table.rounds_left:
            yield Meaning("remember", {"to": to, "round": in_round + 1})
        case "trustMe":
            wrong = find_wrong(table, to)
            yield (
                Meaning("trustNot", {**args, "earlier": wrong})
                if wrong is not None
                else Meaning("trust", args)
            )
        case "agreed" | "followPlan" if backed is not None:
            yield Meaning("confirm", {**args, "plan": backed.number})
        case "somebodyLied" if rows:
            last = len(rows)
            liars = [seat for seat in range(table.seats) if find_wrong(table, Seat(seat), last) is not None]
            if table.seat in liars:
                yield from _excuse(context, to, last)
            elif liars and liars[0] != to:
                yield Meaning("liar", {"to": to, "round": last, "other": liars[0]})
            elif not liars:
                yield Meaning("nobodyLied", {"to": to, "round": last})
        case "thanks" if rows:
            yield Meaning("welcome", {"to": to, "round": len(rows)})
        case "hurry" if table.stage.phase == "discuss":
            yield Meaning("hurried", args)
        case "wellPlayed" if rows and rows[-1].winner == table.seat:
            yield Meaning("modest", {"to": to, "round": len(rows)})
        case "oops" if rows:
            yield Meaning("console", {"to": to, "round": len(rows)})
        case _:
            return
