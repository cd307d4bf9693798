"""What the bot answers to others' words, to their promises, and to people's phrases.

It answers what is said to it once. A request for a low number in the next round gets a promise, half of one
or none, by temper; whoever asks for it has just given its own number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from games.almost.bot.answers import LOW, may_promise
from games.almost.bot.observation import (
    Table,
    find_cover,
    find_spoiled,
    find_wrong,
    has_broken_word,
    list_broken_promises,
    list_others,
    pays,
)
from games.almost.bot.planning import benefits, choose_shape
from games.almost.bot.pledges import breaks_own_word, find_bent_promise
from games.almost.bot.remarks import (
    PHRASE,
    BotContext,
    choose_remark,
    count_said,
    has_answered,
    is_about_last,
    is_of_round,
    roll_mood,
)
from games.almost.rules.values import Plan, Row
from games.api import Millis, NewPromise, Promise, Remark, Seat, Spoken
from games.kit.promises import list_open
from games.kit.wordings import Meaning, read_intent

TALKATIVE: Final = 5
"""A bot answers no more words in a round once it has made this many remarks about it."""
DEAL_MS: Final = 15_000
"""How long after a round's first plan bots leave people time to ask for the same as they do."""


HEARD: Final = frozenset({"heardBid", "heardNow", "heardAvoid", "heardDoubt", "heardClash", "deal"})
"""Intents that answer a promise."""
ABOUT_LAST: Final = frozenset({"youPromised", "somebodyLied", "thanks", "wellPlayed", "oops"})
"""Phrases about the numbers of the last round: they are answered until those of the next one are shown."""
LASTING: Final = frozenset({"whatFor", "promiseMe", "threat", "agreed"})
"""Phrases that are answered even after their speaker has said more; an answer to others would then seem to be
one to its last words."""
EXCUSES: Final = frozenset({"excuseNeed", "excuseShut", "excuseDone", "excuseVain", "excuseClock", "sorry"})


class Reply(NamedTuple):
    """An answer: words, perhaps with a promise or with a plan of its own. A promise may speak for itself."""

    remark: Remark | None
    promise: NewPromise | None = None
    bids: tuple[int, ...] | None = None
    after: Millis | None = None
    """How long it takes at least, if it has no plan."""


def reply(context: BotContext) -> Reply | None:
    """The answer to a promise, or to the oldest words that this seat has not answered yet, if any.

    People are answered before bots.
    """
    table = context.table
    if context.observation.talk_policy.mode == "closed":
        return None
    if count_said(context, table.seat) >= TALKATIVE:
        return None
    answer = _answer_promises(context)
    if answer is not None:
        return answer
    for index, said in sorted(enumerate(context.observation.messages), key=lambda heard: heard[1].bot):
        if said.seat == table.seat or said.to not in (None, table.seat):
            continue
        if not read_intent(said.key):
            answer = _answer_phrase(context, index, said)
        elif said.addressee == table.seat and not has_answered(context, index):
            answer = _answer_remark(context, said)
        else:
            continue
        if answer is not None and said.to is not None:
            answer = _whisper(context, answer, said.seat)
        if answer is not None:
            is_deal = said.bot and said.to is None and answer.promise is not None
            return _leave_time(context, answer, said) if is_deal else answer
    return None


def _leave_time(context: BotContext, answer: Reply, said: Spoken) -> Reply:
    """The same promise, once people have had some time to ask for one, or have all done something."""
    table, history = context.table, context.history
    spoken = {
        heard.seat
        for heard in context.observation.messages
        if not heard.bot and heard.to is None and heard.at >= history.begun
    }
    silent = [
        seat
        for seat in context.observation.people
        if seat not in spoken and seat not in history.planners and not table.done[seat]
    ]
    if not silent or history.opened is None or table.stage.phase != "discuss":
        return answer
    time = DEAL_MS // 2 if table.is_fast else DEAL_MS
    return answer._replace(after=Millis(max(0, history.opened + time - said.at)))


def _whisper(context: BotContext, answer: Reply, to: Seat) -> Reply | None:
    """An answer to a whisper: only its speaker hears it, and it proposes nothing to everybody."""
    if not context.observation.talk_policy.whispers or answer.bids is not None:
        return None
    remark, promise = answer.remark, answer.promise
    return Reply(
        None if remark is None else replace(remark, to=to),
        None if promise is None else replace(promise, private=True),
    )


def _say(context: BotContext, meanings: Sequence[Meaning], promise: NewPromise | None = None) -> Reply | None:
    remark = choose_remark(context, meanings)
    return None if remark is None and promise is None else Reply(remark, promise)


def _answer_remark(context: BotContext, said: Spoken) -> Reply | None:
    table = context.table
    args = {"to": said.seat}
    talks = table.stage.phase == "discuss" and is_of_round(context, said)
    match read_intent(said.key):
        case "askTurn" | "pitchTrade" if talks:
            return _answer_request(context, said.seat)
        case "threat" if talks:
            return _say(context, [Meaning("noFear", args)])
        case "thanks" | "thanksPlan" | "thanksWord" if _answers_thanks(context, said):
            return _say(context, [Meaning("welcome", args)])
        case "reproach" | "reproachPromise" | "reproachAvoid" | "stole" | "stoleWin" if is_about_last(
            context, said
        ):
            return _say(context, list_excuses(context, said.seat))
        case _:
            return None


def _answers_thanks(context: BotContext, said: Spoken) -> bool:
    """Whether to answer thanks for the last round: not once the talk about the next one has begun."""
    temper = context.temper
    if not is_about_last(context, said):
        return False
    others = any(is_of_round(context, other) for other in context.observation.messages if other is not said)
    has_begun = others or context.history.opened is not None
    if has_begun and context.table.stage.phase != "reveal":
        return False
    return roll_mood(context.table, 4, said.seat) < 20 + temper.chatter + temper.warmth // 3


def list_excuses(context: BotContext, to: Seat) -> list[Meaning]:
    """Why this seat broke its word in the last round; nothing if it has told everybody, or did not."""
    table, temper = context.table, context.temper
    rows = table.score.rows
    if not rows or not has_broken_word(table, table.seat, len(rows)):
        return []
    messages = context.observation.messages
    if any(
        said.seat == table.seat and read_intent(said.key) in EXCUSES and is_about_last(context, said)
        for said in messages
    ):
        return []
    args, row = {"to": to}, rows[-1]
    target = table.stage.target
    if table.seat in row.missed:
        return [Meaning("excuseClock", args)]
    if had_won(table):
        return [Meaning("excuseDone", args)]
    meanings = []
    if row.winner == table.seat and (target is None or table.score.can[table.seat]):
        meanings.append(Meaning("excuseNeed", args))
    elif row.winner != table.seat:
        meanings.append(Meaning("excuseVain", args))
    if _was_shut_out(table, row):
        meanings.append(Meaning("excuseShut", args))
    if temper.warmth >= 50 or not meanings:
        meanings.append(Meaning("sorry", args))
    return meanings


def had_won(table: Table) -> bool:
    """Whether this seat had won the game before the last round."""
    before = table.score.rows[:-1]
    points = sum(row.bids[table.seat] for row in before if row.winner == table.seat)
    return table.stage.target is not None and points >= table.stage.target


def _was_shut_out(table: Table, row: Row) -> bool:
    """Whether this seat left its plan since it could not have won without scoring in the last round."""
    target = table.stage.target
    if target is None or row.promised[table.seat] in (None, row.bids[table.seat]):
        return False
    before = table.score.points[table.seat] - (row.bids[table.seat] if row.winner == table.seat else 0)
    return target - before > (table.stage.rounds - len(table.score.rows)) * table.stage.most


def _answer_request(context: BotContext, to: Seat) -> Reply | None:
    """To a request for a low number in the next round: a promise, half of one, or none."""
    table, temper = context.table, context.temper
    following = table.stage.round + 1
    args = {"to": to}
    given = next(
        (promise for promise in list_open(table.promises, table.seat) if promise.terms["round"] == following),
        None,
    )
    if given is not None and given.to and to not in given.to:
        return _say(context, [Meaning("denyGiven", {**args, "other": given.to[0]})])
    if given is not None:
        if given.kind != "bid":
            return None
        return _say(context, [Meaning("already", {**args, "number": given.terms["number"]})])
    if not may_promise(context) or roll_mood(table, 6, to) < temper.boldness - 50:
        return _say(context, [Meaning("deny", args)])
    if roll_mood(table, 7, to) >= temper.honesty + 30:
        number = table.stage.most
        promise = NewPromise("avoid", {"number": number, "round": following}, (to,), bot=True)
        return _say(context, [Meaning("half", {**args, "number": number})], promise)
    promise = NewPromise("bid", {"number": LOW, "round": following}, (to,), bot=True)
    return _say(context, [Meaning("grant", {**args, "number": LOW})], promise)


def _answer_promises(context: BotContext) -> Reply | None:
    """To the promises that others have just made to this seat, or a person to everybody."""
    table, history = context.table, context.history
    since = history.begun if table.stage.phase == "discuss" else history.shown
    for promise in table.promises:
        if promise.by == table.seat or promise.judgement is not None or promise.at < since:
            continue
        if table.seat not in promise.to and (promise.to or promise.bot):
            continue
        args = {"to": promise.by, "number": promise.terms["number"], "round": promise.terms["round"]}
        if promise.private and not context.observation.talk_policy.whispers:
            continue
        if any(
            read_intent(said.key) in HEARD
            and said.seat == table.seat
            and said.args["to"] == promise.by
            and said.at >= promise.at
            for said in context.observation.messages
        ):
            continue
        wrong = find_wrong(table, promise.by)
        if wrong is not None:
            doubt = {"to": promise.by, "number": promise.terms["number"], "earlier": wrong}
            return _say(context, [Meaning("heardDoubt", doubt, promise.private)])
        clash = _find_clash(table, promise)
        if clash is not None:
            args = {"to": promise.by, "number": promise.terms["number"], "planned": clash}
            return _say(context, [Meaning("heardClash", args, promise.private)])
        if promise.kind == "bid" and _has_asked(context, promise):
            return _say(context, [Meaning("deal", {"to": promise.by}, promise.private)])
        if promise.to or roll_mood(table, 8, promise.by) < 40 + context.temper.chatter:
            is_now = table.stage.phase == "discuss" and promise.terms["round"] == table.stage.round
            if is_now and promise.kind == "bid":
                del args["round"]
                return _say(context, [Meaning("heardNow", args, promise.private)])
            intent = "heardBid" if promise.kind == "bid" else "heardAvoid"
            return _say(context, [Meaning(intent, args, promise.private)])
    return None


def _find_clash(table: Table, promise: Promise) -> int | None:
    """What the maker bids by the plan that it and this seat back, if the promise says something else."""
    backed = table.backed
    if promise.kind != "bid" or promise.terms["round"] != table.stage.round or table.stage.phase != "discuss":
        return None
    if backed is None or promise.by not in backed.behind:
        return None
    planned = backed.bids[promise.by]
    return None if planned == promise.terms["number"] else planned


def _has_asked(context: BotContext, promise: Promise) -> bool:
    """Whether this seat has asked for this promise in this round: a low number in the next one."""
    table = context.table
    if promise.terms["round"] != table.stage.round + 1 or promise.terms["number"] != LOW:
        return False
    return any(
        read_intent(said.key) == "askTurn"
        and (said.seat, said.addressee) == (table.seat, promise.by)
        and is_of_round(context, said)
        and said.at <= promise.at
        for said in context.observation.messages
    )


# --- people's phrases ---


def _answer_phrase(context: BotContext, index: int, said: Spoken) -> Reply | None:
    """To a person's phrase: whoever is addressed, or the first bot in the mood to, answers it."""
    table = context.table
    messages = context.observation.messages
    if said.bot or not said.key.startswith(PHRASE):
        return None
    if any(after.seat == table.seat for after in messages[index + 1 :]):
        return None
    phrase = said.key.removeprefix(PHRASE)
    if phrase not in LASTING and any(
        (after.seat, after.to, after.bot) == (said.seat, said.to, False) for after in messages[index + 1 :]
    ):
        return None
    if phrase == "threat":
        return _answer_threat(context, said)
    if phrase == "whatFor" and is_of_round(context, said):
        return _name_price(context, said.seat)
    if phrase == "promiseMe" and _owes(context):
        return _answer_plea(context, said)
    if phrase == "youPromised" and _has_failed(context.table, context.table.seat, said.seat):
        return _answer_reproach(context, said)
    if phrase == "youPromised" and _bends(table, table.seat, said.seat):
        return _say(context, [Meaning("admit", {"to": said.seat})])
    if phrase == "noDeal" and is_of_round(context, said):
        return _answer_no(context, said.seat)
    if phrase == "agreed":
        askers = _list_waiting_askers(context, said.seat)
        if askers:
            makes_it = table.seat == askers[-1] and is_of_round(context, said)
            return _say(context, [Meaning("makeIt", {"to": said.seat})]) if makes_it else None
    if said.to is None and any(after.bot and after.addressee == said.seat for after in messages[index + 1 :]):
        return None
    if said.to is None and roll_mood(table, 9, said.seat, len(said.key)) >= 45 + context.temper.chatter // 2:
        return None
    if phrase == "promiseMe":
        return _answer_plea(context, said)
    if phrase == "myTurn" and said.to is None:
        planned = _plan_for(context, said.seat)
        if planned is not None:
            return planned
    if phrase in ABOUT_LAST and not is_about_last(context, said):
        return None
    return _say(context, list(_list_phrase_answers(context, said.seat, phrase)))


def _answer_threat(context: BotContext, said: Spoken) -> Reply | None:
    """Whoever is to score by a plan that does not pay the speaker dares it, or buys its peace."""
    table = context.table
    if not is_of_round(context, said) or not _owes(context):
        return None
    if not table.rounds_left or roll_mood(table, 21, said.seat) < context.temper.boldness:
        return _say(context, [Meaning("noFear", {"to": said.seat})])
    return _answer_request(context, said.seat)


def _answer_no(context: BotContext, to: Seat) -> Reply | None:
    """To "No deal.": from whoever asked last for a promise or else from those who back another plan."""
    table = context.table
    askers = _list_waiting_askers(context, to)
    if askers:
        return _say(context, [Meaning("noPromiseThen", {"to": to})]) if table.seat == askers[-1] else None
    backed = table.backed
    if table.stage.phase != "discuss" or backed is None or pays(backed) == to or to in backed.behind:
        return None
    return _say(context, [Meaning("yourWish", {"to": to})])


def _bends(table: Table, seat: Seat, to: Seat) -> bool:
    """Whether a seat backs a plan by which it breaks its open promise to another."""
    if table.stage.phase != "discuss" or seat == to:
        return False
    return any(
        seat in plan.behind and find_bent_promise(table, plan, seat, to) is not None for plan in table.plans
    )


def _list_waiting_askers(context: BotContext, seat: Seat) -> list[Seat]:
    """Who has asked a seat in this round for a low number in the next one, and waits for its promise.

    The last to ask comes last.
    """
    table = context.table
    promised = [
        promise
        for promise in list_open(table.promises, seat)
        if promise.terms["round"] == table.stage.round + 1
    ]
    if table.stage.phase != "discuss" or any(not promise.to for promise in promised):
        return []
    return [
        said.seat
        for said in context.observation.messages
        if read_intent(said.key) in ("askTurn", "pitchTrade")
        and said.addressee == seat
        and is_of_round(context, said)
        and not any(said.seat in promise.to for promise in promised)
    ]


def _plan_for(context: BotContext, seat: Seat) -> Reply | None:
    """A plan for somebody who claims the round, if there is none yet and this seat can live with it."""
    table = context.table
    if (
        context.character.is_substitute
        or table.stage.phase != "discuss"
        or table.plans
        or table.stage.target is None
        or seat not in table.in_need
    ):
        return None
    bids = choose_shape(table, seat, context.level, 0)
    if not benefits(table, Plan(0, table.seat, bids, ())) or breaks_own_word(context, bids, (seat,)):
        return None
    args = {"to": seat, "number": bids[seat]}
    wants = table.rounds_left and table.need and table.score.can[table.seat]
    remark = choose_remark(context, [Meaning("pitchTrade" if wants else "pitchOther", args)])
    return None if remark is None else Reply(remark, bids=bids)


def _owes(context: BotContext) -> bool:
    """Whether this seat scores by the plan that it backs: the others may ask something for their numbers."""
    table = context.table
    return table.stage.phase == "discuss" and table.backed is not None and pays(table.backed) == table.seat


def _answer_plea(context: BotContext, said: Spoken) -> Reply | None:
    """To "Promise me a low number next round.", in the round in which it was said."""
    if not is_of_round(context, said):
        return None
    if not context.table.rounds_left:
        return _say(context, [Meaning("noRound", {"to": said.seat})])
    return _answer_request(context, said.seat)


def _answer_reproach(context: BotContext, said: Spoken) -> Reply | None:
    """To "You promised me that.": an excuse of the seat that has just broken its word to whoever says so."""
    return _say(context, list_excuses(context, said.seat)) if is_about_last(context, said) else None


def _has_failed(table: Table, seat: Seat, other: Seat) -> bool:
    """Whether this seat has broken in the last round a promise to another, or a plan that both had backed."""
    last = len(table.score.rows)
    if not last or seat == other:
        return False
    broken = list_broken_promises(table, seat, last)
    if any(other in promise.to or not promise.to for promise in broken):
        return True
    row = table.score.rows[-1]
    return row.promised[seat] not in (None, row.bids[seat]) and any(
        {seat, other} <= {*plan.behind} for plan in table.plans
    )


def _may_have_failed(table: Table, other: Seat) -> bool:
    """Whether some seat may have broken its word to this one: once the plans are gone, any may be meant."""
    last = len(table.score.rows)
    seats = list_others(table, other)
    if any(_bends(table, seat, other) for seat in seats):
        return True
    if last and table.stage.phase != "reveal" and any(has_broken_word(table, seat, last) for seat in seats):
        return True
    return any(_has_failed(table, seat, other) for seat in seats)


def _name_price(context: BotContext, to: Seat) -> Reply | None:
    """To "What do I get for it?": a promise or a reason, if this seat scores by the plan that it backs."""
    table = context.table
    if table.stage.phase != "discuss":
        return None
    if not table.plans:
        return _say(context, [Meaning("noPlanYet", {"to": to})])
    backed = table.backed
    if backed is not None and pays(backed) == table.seat:
        if table.rounds_left:
            return _answer_request(context, to)
        return _say(context, [Meaning("noLater", {"to": to})])
    if backed is not None and pays(backed) == to and all(pays(plan) in (None, to) for plan in table.plans):
        return _say(
            context, [Meaning("youScore", {"to": to, "number": backed.bids[to], "plan": backed.number})]
        )
    return None


def _list_phrase_answers(context: BotContext, to: Seat, phrase: str) -> Iterator[Meaning]:
    table = context.table
    rows, last = table.score.rows, len(table.score.rows)
    args = {"to": to}
    backed = table.backed
    match phrase:
        case "takeOne" if _is_on_one(table):
            yield Meaning("onOne", args)
        case "myTurn" if table.stage.phase == "discuss" and _is_done(table, to):
            yield Meaning("haveYours", args)
        case "myTurn" | "takeOne" if table.stage.phase == "discuss" and not _has_own_plan(table, to):
            yield Meaning("askPlan", args)
        case "yourTurnNext" if table.rounds_left:
            yield Meaning("remember", args)
        case "trustMe":
            wrong = find_wrong(table, to) or _find_broken_promise(table, to)
            if wrong is not None:
                yield Meaning("trustNot", {**args, "earlier": wrong})
            elif not any(has_broken_word(table, to, number) for number in range(1, last + 1)):
                yield Meaning("trust", args)
        case "agreed" | "followPlan" if backed is not None and not context.character.is_substitute:
            meant = next((plan for plan in table.plans if to in plan.behind), None)
            if meant is None and len(table.plans) > 1:
                yield Meaning("whichPlan", args)
            elif phrase == "agreed" and meant is not None and meant.by == to and meant is not backed:
                return  # it cannot be its own plan that it agrees to
            elif meant is None or meant is backed:
                yield Meaning("confirm", {**args, "plan": backed.number})
            else:
                yield Meaning("notThat", {**args, "plan": meant.number, "number": backed.number})
        case "youPromised" if not _may_have_failed(table, to):
            yield Meaning("whoPromised", args)
        case "somebodyLied" if rows:
            yield from _name_liar(context, to)
        case "thanks" if rows:
            if find_cover(table, table.seat, to) == last:
                yield Meaning("welcome", args)
            elif rows[-1].winner == to and table.stage.target is not None and not table.has_won:
                yield Meaning("noThanks", args)
        case "hurry" if table.stage.phase == "discuss":
            yield Meaning("hurried" if table.done[table.seat] else "notYet", args)
        case "wellPlayed" if rows and rows[-1].winner == table.seat:
            yield Meaning("modest", args)
        case "oops" if rows:
            yield from _answer_oops(context, to)
        case _:
            return


def _is_done(table: Table, seat: Seat) -> bool:
    return table.stage.target is not None and not table.score.needs[seat]


def _has_own_plan(table: Table, seat: Seat) -> bool:
    """Whether a plan lies on the table that the seat has made or backs."""
    return any(seat in (plan.by, *plan.behind) for plan in table.plans)


def _is_on_one(table: Table) -> bool:
    """Whether the plan that this seat backs asks it to pick 1."""
    backed = table.backed
    return table.stage.phase == "discuss" and backed is not None and backed.bids[table.seat] == LOW


def _find_broken_promise(table: Table, seat: Seat) -> int | None:
    """The last round in which a seat broke a promise that everybody knows of; None if none."""
    rounds = range(len(table.score.rows), 0, -1)
    return next((number for number in rounds if _breaks_aloud(table, seat, number)), None)


def _breaks_aloud(table: Table, seat: Seat, number: int) -> bool:
    return any(not promise.private for promise in list_broken_promises(table, seat, number))


def _name_liar(context: BotContext, to: Seat) -> Iterator[Meaning]:
    table = context.table
    last = len(table.score.rows)
    liars = [seat for seat in map(Seat, range(table.seats)) if has_broken_word(table, seat, last)]
    if table.seat in liars:
        yield from list_excuses(context, to)
        return
    others = sorted(
        (seat for seat in liars if seat != to), key=lambda seat: seat != table.score.rows[-1].winner
    )
    if to in liars:
        too = [Meaning("youToo", {"to": to, "other": others[0]})] if others else []
        yield from too or [Meaning("youDid", {"to": to})]
    elif others:
        yield Meaning("liar", {"to": to, "other": others[0]})
    else:
        yield Meaning("nobodyLied", {"to": to})


def _answer_oops(context: BotContext, to: Seat) -> Iterator[Meaning]:
    """Comfort for nothing worse than bad luck: whoever has broken its word hears what that cost."""
    table = context.table
    row = table.score.rows[-1]
    if not has_broken_word(table, to, len(table.score.rows)):
        is_planned = row.winner is not None and row.promised[row.winner] == row.bids[row.winner]
        if row.winner != to and not is_planned:
            yield Meaning("console", {"to": to})
        return
    spoiled = find_spoiled(table, to, table.seat)
    if spoiled is not None:
        yield Meaning("notSorry", {"to": to, "number": spoiled})
    if table.rounds_left and not table.has_won and _has_failed(table, to, table.seat):
        yield Meaning("amends", {"to": to})
