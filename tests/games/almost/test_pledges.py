"""What Almost's bots do about promises for this round: their own and those of others."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from games.almost.bot.bot import AlmostBot
from games.almost.bot.discussion import find_better_plan
from games.almost.bot.levels import LEVELS, SKILL_LEVELS
from games.almost.bot.observation import read_table
from games.almost.bot.planning import choose_shape, choose_winner, tempts_nobody
from games.almost.bot.pledges import breaks_own_word, means_to_keep
from games.almost.bot.remarks import WORDINGS, BotContext
from games.almost.bot.replies import DEAL_MS, reply
from games.almost.rules.game import ALMOST
from games.almost.rules.values import Agree, Plan, Propose, Readiness, Row
from games.almost.texts import TEXTS
from games.api import Character, Judgement, Millis, Observation, Promise, Seat, SeenLine, Spoken
from games.dice import Dice
from games.kit.characters import CHARACTERS, find_character
from games.kit.tuples import replace_at
from games.kit.wordings import read_intent
from tests.games.almost.test_bot import observation

BOT = AlmostBot()
RELIABLE = find_character("noor", "normal")
NOBODY = Row((1, 1, 2, 2), (), (None,) * 4, None)


def promise_of(
    by: int, number: int, to: tuple[int, ...] = (), round: int = 2, judgement: Judgement | None = None
) -> Promise:
    seats = tuple(map(Seat, to))
    terms = {"number": number, "round": round}
    return Promise("a", Seat(by), seats, "bid", terms, Millis(0), 0, judgement=judgement, bot=True)


def second_round(seat: int, *promises: Promise, plans: tuple[Plan, ...] = ()) -> Observation:
    seen = observation("discuss", seat=seat, number=2, rows=(NOBODY,), plans=plans)
    begun = SeenLine("almost.round", {"round": 2, "rounds": 3}, None, Millis(60_000))
    return replace(seen, promises=promises, lines=(begun,))


def context_of(seen: Observation, character: Character = RELIABLE, stream: int = 0) -> BotContext:
    skill = SKILL_LEVELS[character.level]
    return BotContext(seen, read_table(seen), character, skill, Dice(b"pledge %d" % stream))


def decide(seen: Observation, character: Character, stream: int = 0) -> Any:
    return BOT.decide(seen, character, Dice(b"pledge %d" % stream))


@pytest.mark.parametrize("character", CHARACTERS, ids=lambda character: character.key)
def test_bots_neither_propose_nor_back_what_breaks_a_promise_they_mean_to_keep(character: Character) -> None:
    for seat in range(4):
        other = (seat + 1) % 4
        bids = tuple(10 if one == other else 2 for one in range(4))
        seen = second_round(seat, promise_of(seat, 1), plans=(Plan(1, Seat(other), bids, (Seat(other),)),))
        if not means_to_keep(context_of(seen, character)):
            continue
        assert find_better_plan(context_of(seen, character)) is None
        for stream in range(20):
            move = decide(seen, character, stream).move
            assert not isinstance(move, Agree)
            assert not isinstance(move, Propose) or move.bids[seat] == 1
            opening = decide(second_round(seat, promise_of(seat, 1)), character, stream).move
            assert not isinstance(opening, Propose) or opening.bids[seat] == 1


def test_only_some_mean_to_break_a_promise_unless_they_would_lose_by_it() -> None:
    kept = {
        character.key: [
            means_to_keep(context_of(second_round(seat, promise_of(seat, 1)), character)) for seat in range(4)
        ]
        for character in CHARACTERS
    }
    assert all(kept["noor"])
    assert not all(map(all, kept.values()))
    last = observation("discuss", number=3, rows=(NOBODY, NOBODY))
    lost = replace(last, promises=(promise_of(0, 1, round=3),))
    assert not means_to_keep(context_of(lost))


def test_a_plan_that_the_one_it_promised_backs_releases_it() -> None:
    seen = second_round(0, promise_of(0, 1, (1,)))
    assert breaks_own_word(context_of(seen), (10, 1, 1, 1), (Seat(2),))
    assert not breaks_own_word(context_of(seen), (10, 1, 1, 1), (Seat(1), Seat(2)))


def test_a_plan_that_was_backed_before_a_promise_does_not_release_it() -> None:
    plan = Plan(1, Seat(1), (10, 1, 1, 1), (Seat(1), Seat(2)))
    for to in Seat(1), Seat(3):
        promise = promise_of(0, 1, (to,))
        seen = second_round(0, promise, plans=(plan,))
        completed = ALMOST.promises.complete(promise, seen.sections)
        context = context_of(replace(seen, promises=(completed,)))
        backings = context.table.backings
        assert breaks_own_word(context, plan.bids, plan.behind, backings)
        again = replace_at(backings, to, max(backings) + 1)
        assert not breaks_own_word(context, plan.bids, {*plan.behind, to}, again)
        assert not breaks_own_word(context, plan.bids, (to,)), "a plan still to be backed"


def test_bots_say_that_a_plan_goes_against_their_promise_or_breaks_one() -> None:
    plan = Plan(1, Seat(1), (2, 10, 2, 2), (Seat(1),))
    said = decide(second_round(0, promise_of(0, 1), plans=(plan,)), RELIABLE).remark
    assert read_intent(said.key) == "noPledge"
    said = decide(second_round(0, promise_of(1, 1, (0,)), plans=(plan,)), RELIABLE).remark
    assert read_intent(said.key) == "noPromise"
    for level in LEVELS:
        move = decide(second_round(0, promise_of(1, 1), plans=(plan,)), replace(RELIABLE, level=level)).move
        assert not isinstance(move, Agree)


@pytest.mark.parametrize("kind", ["bid", "avoid"])
@pytest.mark.parametrize("by", [1, 2])
def test_bots_back_no_plan_by_which_another_breaks_a_promise_to_them(kind: str, by: int) -> None:
    """Whoever made the plan; they say whose promise it is."""
    plan = Plan(1, Seat(1), (2, *((10, 2, 2) if by == 1 else (2, 10, 2))), (Seat(1),))
    promise = replace(promise_of(by, 1 if kind == "bid" else 10, (0,)), kind=kind)
    decision = decide(second_round(0, promise, plans=(plan,)), RELIABLE)
    assert not isinstance(decision.move, Agree)
    intent = {1: "noPromise", 2: "noPromiseOf"}[by] + ("" if kind == "bid" else "Avoid")
    assert read_intent(decision.remark.key) == intent


def test_no_bot_gives_a_number_to_whoever_promised_not_to_pick_it() -> None:
    won = Row((10, 1, 1, 1), (), (10, 1, 1, 1), Seat(0))
    seen = replace(observation("discuss", number=2, rows=(won,)), lines=())
    plain = choose_winner(read_table(seen), RELIABLE.temper, selfish=False)
    assert plain is not None
    sworn = replace(seen, promises=(replace(promise_of(plain, 10, (2,)), kind="avoid"),))
    assert choose_winner(read_table(sworn), RELIABLE.temper, selfish=False) not in (plain, None)


def test_a_plan_puts_those_on_one_number_who_have_promised_it() -> None:
    """All others then hide in pairs, so that nobody scores by leaving the plan."""
    seen = observation("discuss", seats=5, seat=1, number=2, rows=(Row((1,) * 5, (), (None,) * 5, None),))
    table = read_table(replace(seen, promises=(promise_of(0, 1), promise_of(3, 1))))
    for roll in range(12):
        bids = choose_shape(table, Seat(1), "normal", roll)
        assert (bids[0], bids[3]) == (1, 1)
        assert tempts_nobody(bids)


def test_you_promised_me_that_is_admitted_before_the_numbers_are_out() -> None:
    plan = Plan(1, Seat(1), (2, 10, 2, 2), (Seat(1),))
    said = Spoken(Seat(0), None, "almost.say.youPromised", {}, Millis(70_000))
    promise = promise_of(1, 1, (0,))
    for seat, intents in ((1, {"admit"}), (2, set())):
        seen = replace(second_round(seat, promise, plans=(plan,)), messages=(said,))
        answers = [reply(context_of(seen, character)) for character in CHARACTERS]
        said_then = {read_intent(one.remark.key) for one in answers if one is not None and one.remark}
        assert said_then == intents


def test_the_first_bot_blames_whoever_scored_by_a_broken_word_and_others_the_rest() -> None:
    """Seats 0 and 4 have left the plan of seat 1; only seat 4 has scored."""
    row = Row((9, 10, 1, 1, 8), (), (1, 10, 1, 1, 1), Seat(4))
    plan = Plan(1, Seat(1), (1, 10, 1, 1, 1), tuple(map(Seat, range(5))))
    broken = promise_of(0, 1, round=1, judgement="broken")
    seen = replace(observation("reveal", seats=5, seat=2, rows=(row,), plans=(plan,)), promises=(broken,))
    first = decide(seen, RELIABLE).remark
    assert (read_intent(first.key), first.args["to"]) == ("stole", 4)
    heard = Spoken(Seat(2), None, first.key, first.args, Millis(0), True)
    second = decide(replace(seen, seat=Seat(3), messages=(heard,)), RELIABLE).remark
    assert (read_intent(second.key), second.args["to"]) == ("reproachPromise", 0)


def test_a_bot_is_wary_of_the_next_plan_of_whoever_broke_the_last_one() -> None:
    row = Row((1, 10, 1, 8), (), (1, 10, 1, 1), Seat(3))
    plan = Plan(1, Seat(3), (1, 10, 1, 1), (Seat(3),))
    seen = observation("discuss", number=2, rows=(row,), plans=(plan,))
    heard = [decide(seen, character) for character in CHARACTERS]
    assert {read_intent(one.remark.key) for one in heard if isinstance(one.move, Agree)} == {"yesWary"}


def test_no_deal_is_answered_by_whoever_asked_for_one() -> None:
    """Not by whoever offers the speaker something."""
    plan = Plan(1, Seat(2), (10, 1, 1, 1), (Seat(1), Seat(2)))
    asked = Spoken(Seat(1), None, "almost.bot.askTurn.1", {"to": 0, "number": 1}, Millis(65_000), True)
    said = Spoken(Seat(0), None, "almost.say.noDeal", {}, Millis(70_000))
    for seat, intents in ((1, {"noPromiseThen"}), (2, set()), (3, set())):
        seen = replace(second_round(seat, plans=(plan,)), messages=(asked, said))
        answers = [reply(context_of(seen, character)) for character in CHARACTERS]
        assert {read_intent(one.remark.key) for one in answers if one is not None and one.remark} == intents


def list_intents(seen: Observation) -> set[str]:
    """What the bots of all characters answer there."""
    answers = [reply(context_of(seen, character)) for character in CHARACTERS]
    return {read_intent(one.remark.key) for one in answers if one is not None and one.remark is not None}


def test_only_the_last_phrase_of_a_person_is_answered() -> None:
    """An answer to an earlier one would stand below it, as if it were meant for it."""
    heard: set[str] = set()
    for person in map(Seat, (0, 1, 3)):
        mine = Spoken(person, None, "almost.say.takeOne", {}, Millis(70_000))
        thanks = replace(mine, key="almost.say.thanks", at=Millis(71_000))
        seen = second_round(2)
        heard |= list_intents(replace(seen, messages=(mine,)))
        assert not list_intents(replace(seen, messages=(mine, thanks)))
    assert heard == {"askPlan"}


def test_a_threat_is_dared_or_bought_off_by_whoever_is_to_score() -> None:
    heard: set[str] = set()
    for number, person in product((1, 2), map(Seat, (0, 2, 3))):
        plan = Plan(1, Seat(1), (1, 10, 1, 1), (Seat(1), person))
        said = Spoken(person, None, "almost.say.threat", {}, Millis(70_000))
        rows = (replace(NOBODY, bids=(number, number, 2, 2)),)
        for seat in {*map(Seat, range(4))} - {person}:
            seen = observation("discuss", seat=seat, number=2, rows=rows, plans=(plan,))
            intents = list_intents(replace(seen, messages=(said,)))
            assert seat == 1 or not intents
            heard |= intents
    assert {"noFear", "grant"} <= heard <= {"noFear", "grant", "half", "deny"}


def test_whoever_breaks_a_promise_owns_up_and_another_mentions_it() -> None:
    broken = promise_of(1, 1, (0,), round=1, judgement="broken")
    row = Row((1, 10, 1, 1), (), (None,) * 4, Seat(1))
    reproach = Spoken(Seat(0), None, "almost.bot.reproachPromise.1", {"to": 1}, Millis(0), True)
    stolen = Spoken(Seat(3), None, "almost.bot.stole.1", {"to": 1, "bid": 10}, Millis(0), True)
    intents = [
        {
            read_intent(decision.remark.key)
            for character in CHARACTERS
            for decision in [
                decide(
                    replace(
                        observation("reveal", seat=seat, rows=(row,)),
                        promises=(broken,),
                        people=people,
                        messages=messages,
                    ),
                    character,
                )
            ]
            if decision.remark is not None
        }
        for seat, people, messages in (
            (1, (Seat(0),), ()),
            (2, (), (stolen,)),
            (1, (), (reproach,)),
            (1, (), ()),
        )
    ]
    to_person, of_another, answered, unasked = intents
    assert to_person
    assert answered
    assert to_person | answered <= {"excuseNeed", "sorry"}
    assert "reproachFor" in of_another
    assert not unasked & {"excuseNeed", "sorry"}  # a bot says first what it thinks of that


def test_nobody_scolds_whoever_left_a_plan_to_keep_a_promise() -> None:
    row = Row((1, 1, 2, 10), (), (1, 2, 2, 10), Seat(2))
    seen = observation("reveal", seat=2, rows=(row,))
    for promises in ((), (promise_of(1, 1, (0,), round=1, judgement="kept"),)):
        heard = {
            read_intent(decision.remark.key)
            for character in CHARACTERS
            for decision in [decide(replace(seen, promises=promises), character)]
            if decision.remark is not None
        }
        assert ("reproach" in heard) == (not promises)


def test_whoever_promised_answers_you_promised_me_that() -> None:
    row = Row((1, 10, 1, 1), (), (None,) * 4, Seat(1))
    said = Spoken(Seat(0), None, "almost.say.youPromised", {}, Millis(0))
    for seat, answers in ((1, True), (2, False)):
        seen = replace(observation("discuss", seat=seat, number=2, rows=(row,)), messages=(said,))
        broken = promise_of(1, 1, (0,), round=1, judgement="broken")
        answer = reply(context_of(replace(seen, promises=(broken,))))
        assert (answer is not None) == answers


def test_follow_the_plan_means_the_plan_that_its_speaker_backs() -> None:
    plans = (
        Plan(1, Seat(1), (1, 10, 1, 1), (Seat(1), Seat(2))),
        Plan(2, Seat(3), (1, 1, 1, 10), (Seat(0), Seat(3))),
    )
    said = Spoken(Seat(0), None, "almost.say.followPlan", {}, Millis(0))
    for seat, intent, plan in ((1, "notThat", 2), (3, "confirm", 2)):
        seen = replace(observation("discuss", seat=seat, plans=plans), messages=(said,))
        remarks = [
            answer.remark
            for character in CHARACTERS
            for answer in [reply(context_of(seen, character))]
            if answer is not None and answer.remark is not None
        ]
        assert remarks
        assert {(read_intent(one.key), one.args["plan"]) for one in remarks} == {(intent, plan)}


def test_a_promise_is_answered_at_once_with_its_round_or_not_at_all() -> None:
    made = replace(promise_of(0, 1, (1,)), bot=False, at=Millis(7_000))
    begun = SeenLine("almost.round", {"round": 1, "rounds": 3}, None, Millis(0))
    shown = SeenLine("almost.revealed", {"round": 1, "bids": []}, None, Millis(9_000))
    talking = replace(observation("discuss", seat=1), promises=(made,), lines=(begun,))
    asked = Spoken(Seat(2), None, "almost.bot.threat.1", {"to": 1, "number": 10}, Millis(5_000), True)
    answer = reply(context_of(replace(talking, messages=(asked,))))
    assert answer is not None
    assert answer.remark is not None
    assert read_intent(answer.remark.key) == "heardBid"
    assert answer.remark.args["round"] == 2
    late = observation("reveal", seat=1, rows=(NOBODY,))
    assert reply(context_of(replace(late, promises=(made,), lines=(begun, shown)))) is None


def asked_for_a_deal(**changes: Any) -> Observation:
    """Seat 1 scores by its plan, made after 3 s; the bot in seat 2 has asked for something after 7 s."""
    begun = SeenLine("almost.round", {"round": 1, "rounds": 3}, None, Millis(0))
    plan = Plan(1, Seat(1), (1, 10, 1, 1), (Seat(1), Seat(2)))
    made = SeenLine("almost.proposed", {"seat": 1, "plan": 1, "bids": list(plan.bids)}, None, Millis(3_000))
    backed = SeenLine("almost.agreed", {"seat": 2, "plan": 1, "by": 1}, None, Millis(7_000))
    asked = Spoken(Seat(2), None, "almost.bot.askTurn.1", {"to": 1, "number": 1}, Millis(7_000), True)
    seen = observation("discuss", seat=1, plans=(plan,))
    return replace(seen, messages=(asked,), lines=(begun, made, backed), people=(Seat(0),), **changes)


def test_bots_leave_people_time_to_ask_before_they_close_a_deal() -> None:
    seen = asked_for_a_deal()
    decision = decide(seen, RELIABLE)
    assert decision.promise.to == (2,)
    assert decision.after == 3_000 + DEAL_MS - 7_000
    assert decide(replace(seen, people=()), RELIABLE).after is None
    ready = {**seen.sections, "readiness": Readiness((True, False, False, False))}
    assert decide(replace(seen, sections=ready), RELIABLE).after is None


def test_a_person_who_asks_meanwhile_is_answered_first() -> None:
    seen = asked_for_a_deal()
    person = Spoken(Seat(0), None, "almost.say.whatFor", {}, Millis(12_000))
    decision = decide(replace(seen, messages=(*seen.messages, person)), RELIABLE)
    assert decision.promise.to == (0,)
    assert decision.after is None
    whisper = replace(person, key="almost.say.trustMe", to=Seat(1))
    private = replace(seen, messages=(*seen.messages, whisper))
    assert decide(private, RELIABLE).after == decide(seen, RELIABLE).after


@pytest.mark.parametrize("phase", ["discuss", "reveal"])
def test_a_person_who_only_agrees_is_promised_nothing(phase: str) -> None:
    """Whatever this seat has asked for, the other one has to promise it or to back a plan."""
    said = set()
    for person, (intent, keys) in product((1, 2, 3), WORDINGS.items()):
        yes = Spoken(Seat(person), None, "almost.say.agreed", {}, Millis(70_000), bot=False)
        args: dict[str, Any] = {**dict.fromkeys(TEXTS.remarks[keys[0]], 1), "to": person}
        asked = Spoken(Seat(0), None, keys[0], args, Millis(65_000), bot=True)
        plan = Plan(1, Seat(0), (10, 2, 1, 1), (Seat(0), Seat(person)))
        for plans, character in product(((), (plan,)), CHARACTERS):
            seen = second_round(0, plans=plans) if phase == "discuss" else observation(phase, rows=(NOBODY,))
            answer = reply(context_of(replace(seen, messages=(asked, yes), may_speak=True), character))
            assert answer is None or answer.promise is None, intent
            if answer is not None and answer.remark is not None:
                said.add(read_intent(answer.remark.key))
    assert ("confirm" in said) == (phase == "discuss")
