"""What Almost's bots say: they propose, answer, promise, thank and reproach, and each line is true (R30)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import pytest
from msgspec.structs import replace

from games.almost.bot import replies
from games.almost.bot.answers import ACCEPTANCES, ANALYSES, REFUSALS, concede, refuse
from games.almost.bot.bot import AlmostBot
from games.almost.bot.discussion import OPENING_MS, SILENT_MS
from games.almost.bot.levels import LEVELS, SKILL_LEVELS
from games.almost.bot.observation import read_table
from games.almost.bot.remarks import CLOSE_BY, ECHOES, WORDINGS, BotContext, choose_remark
from games.almost.bot.reveal import CLAIMS
from games.almost.bot.standing import STANDINGS
from games.almost.rules.values import Agree, AlmostOptions, Continue, Lock, Plan, Propose, Ready, Row
from games.almost.texts import TEXTS
from games.api import (
    Decision,
    Millis,
    NewPromise,
    Observation,
    Outcome,
    PromptId,
    Seat,
    SeenLine,
    Spoken,
)
from games.dice import Dice
from games.kit.characters import CHARACTERS, cast_levels, unnamed
from games.kit.wordings import Meaning, read_intent
from tests.games.almost.talking import GAME, TalkingTable
from tests.games.almost.test_bot import observation
from tests.games.almost.test_pledges import promise_of
from tests.games.almost.truth import MAY_BE_A_LIE, TRUE, Facts
from tests.games.talking_table import Saying

BOT = AlmostBot()
SLOW_MS = 6_000
"""A turn at a table with people, who need some seconds for each decision."""
LATER = ("next", "again", "while it lasts", "will cost", "forget")
"""What nobody should speak of when there is no round left."""
TABLES = (("easy",) * 4, ("normal",) * 4, ("hard",) * 4, ("easy", "normal", "hard", "hard"))


@cache
def play(number: int) -> TalkingTable:
    """One of the games of four that the tests below look at: half of them as fast as bots play."""
    levels = TABLES[number % len(TABLES)]
    tick_ms = SLOW_MS if number // len(TABLES) % 2 else 1_500
    seed = b"talk %d" % number
    table = TalkingTable(cast_levels(levels, seed), seed, tick_ms=tick_ms)
    table.play()
    return table


def play_with_people(number: int) -> TalkingTable:
    """Two people at a table of five bots: they say phrases, propose, promise, and bid at random."""
    seed = b"people %d" % number
    fate = Dice(seed + b" people")
    people = (0, 3)
    levels = [LEVELS[(seat + number) % 3] for seat in range(5)]
    options = AlmostOptions(mode="banbury", banbury_rounds=3) if number % 7 == 6 else AlmostOptions()
    options = replace_discussion(options)
    table = TalkingTable(cast_levels(levels, seed), seed, options, people, SLOW_MS)
    phrases = list(TEXTS.phrases)
    for _ in range(400):
        if table.state.timer is None:
            break
        table.turn()
        for seat in people:
            roll = fate.below("act", 8)
            if roll == 0 and GAME.talk_policy(table.state, Seat(seat)).mode == "open":
                table.say_phrase(seat, phrases[fate.below("phrase", len(phrases))])
            elif roll == 1:
                promise_something(table, Seat(seat), fate)
            elif roll > 3 and table.state.timer is not None:
                sampled = GAME.sample(table.state, Seat(seat), fate)
                if sampled is not None and sampled[1].__class__.__name__ not in ("Extend", "LastCall", "Bid"):
                    table.move(Seat(seat), *sampled)
    return table


def play_with_clock(number: int) -> TalkingTable:
    """A game in which one bot never bids in time, so that the clock chooses its number."""
    seed = b"clock %d" % number
    table = TalkingTable(cast_levels(["normal"] * 4, seed), seed, tick_ms=SLOW_MS)
    while table.state.timer is not None:
        if table.state.stage.phase == "bid":
            table.bots = table.seats[1:]
            while table.turn():
                pass
            table.expire()
            table.bots = table.seats
        elif not table.turn():
            table.expire()
    return table


def play_for_one(number: int) -> TalkingTable:
    """A game in which only the seat that scored in the first round can still win."""
    seed = b"one %d" % number
    table = TalkingTable(cast_levels(["normal"] * 4, seed), seed, AlmostOptions(target=25), tick_ms=SLOW_MS)
    rounds: list[tuple[str, list[Any]]] = [
        ("ready", [Ready()] * 4),
        ("bid", [Lock(10), Lock(1), Lock(1), Lock(1)]),
        ("continue", [Continue()] * 4),
    ]
    for kind, moves in rounds:
        for seat, move in zip(table.seats, moves, strict=True):
            table.move(seat, PromptId(f"{kind}:1"), move)
    table.play()
    return table


def replace_discussion(options: AlmostOptions) -> AlmostOptions:
    return AlmostOptions(
        mode=options.mode, banbury_rounds=options.banbury_rounds, discussion="untilReady", timers="off"
    )


def promise_something(table: TalkingTable, seat: Seat, fate: Dice) -> None:
    stage = table.state.stage
    first = stage.round + (stage.phase == "reveal")
    if stage.phase == "end" or first > stage.rounds or stage.phase == "bid":
        return
    kind = ("bid", "avoid")[fate.below("kind", 2)]
    to = () if fate.below("to", 2) else (Seat(1),)
    if not any(one.by == seat and one.judgement is None for one in table.promises):
        table.promise(seat, NewPromise(kind, {"number": 1 + fate.below("number", 10), "round": first}, to))


SOME_PEOPLE: Final = (*range(11), 12, 17, 24, 61)
PEOPLE: Final = pytest.mark.parametrize(
    "people",
    [
        pytest.param(SOME_PEOPLE, id="some"),
        pytest.param((*range(40), 61), id="all", marks=pytest.mark.at_length),
    ],
)
"""The tables with people that the tests below look at."""


@cache
def list_sayings(people: tuple[int, ...]) -> tuple[Saying, ...]:
    """Everything said at many tables, of fours and with people."""
    tables = [play(number) for number in range(24)]
    tables += [play_with_people(number) for number in people]
    tables += [play_with_clock(number) for number in range(8)]
    tables += [play_for_one(number) for number in range(12)]
    for number, seats in enumerate((3, 3, 5, 6, 3, 4)):
        seed = b"others %d" % number
        options = AlmostOptions(discussion="none") if number == 5 else AlmostOptions()
        levels = [LEVELS[(seat + number) % 3] for seat in range(seats)]
        table = TalkingTable(cast_levels(levels, seed), seed, options, tick_ms=SLOW_MS)
        table.play()
        tables.append(table)
    for level in LEVELS:
        table = with_person(level=level)
        table.move(Seat(0), PromptId("plan:1"), Propose((1, 1, 1, 1)))
        table.turn()
        tables.append(table)
    return tuple(saying for table in tables for saying in table.sayings)


# --- whole games ---


def count_exchanges(table: TalkingTable) -> int:
    """The plans and requests that another seat answered, by what it said or did."""
    events: list[tuple[int, str, dict[str, Any]]] = []
    events += [(line.at, line.key, dict(line.args)) for line in table.lines]
    events += [
        (said.spoken.at, read_intent(said.spoken.key), {"seat": said.spoken.seat, **said.spoken.args})
        for said in table.sayings
    ]
    count = 0
    unanswered: list[int] = []
    """The seats whose proposals of this round nobody has answered yet."""
    for _, key, args in sorted(events, key=lambda event: event[0]):
        if key == "almost.round":
            unanswered = []
        elif key in ("almost.agreed", *REFUSALS, "grant", "half", "deny", "denyGiven", "already"):
            proposer = args["by"] if key == "almost.agreed" else args["to"]
            if proposer in unanswered:
                unanswered.remove(proposer)
                count += 1
        elif key in ("almost.proposed", "askTurn", "pitchTrade"):
            others = [seat for seat in unanswered if seat != args["seat"]]
            if key == "almost.proposed" and others:  # another plan is an answer as well
                unanswered.remove(others[-1])
                count += 1
            unanswered.append(args["seat"])
    return count


@pytest.mark.parametrize("number", range(24))
def test_in_each_game_of_four_bots_propose_and_answer(number: int) -> None:
    """An exchange: a plan or a request, and what another seat said or did about it."""
    table = play(number)
    exchanges = count_exchanges(table)
    assert exchanges >= 3
    assert len({saying.spoken.seat for saying in table.sayings}) >= 3


@pytest.mark.parametrize("number", range(24))
def test_no_line_is_said_twice_in_a_game(number: int) -> None:
    lines = [saying.line for saying in play(number).sayings]
    assert len(lines) == len(set(lines))


@PEOPLE
def test_each_line_is_true_of_what_its_seat_saw(people: tuple[int, ...]) -> None:
    assert TRUE.keys() | MAY_BE_A_LIE == WORDINGS.keys()
    for saying in list_sayings(people):
        intent = read_intent(saying.spoken.key)
        if intent not in MAY_BE_A_LIE:
            assert TRUE[intent](Facts(saying)), (saying.spoken, saying.observation.sections)


@PEOPLE
def test_each_intent_is_heard(people: tuple[int, ...]) -> None:
    heard = {read_intent(saying.spoken.key) for saying in list_sayings(people)}
    assert WORDINGS.keys() - heard - RARE.keys() == set()


KEPT, LIED = Row((10, 1, 1, 1), (), (10, 1, 1, 1), Seat(0)), Row((4, 3, 3, 5), (), (1, 3, 3, 5), Seat(0))
VOID = Row((2, 2, 3, 3), (), (None,) * 4, None)
REPROACHED = Spoken(Seat(1), None, "almost.bot.reproach.1", {"to": 0, "number": 1, "bid": 4}, Millis(0), True)
ASKED = Spoken(Seat(1), None, "almost.bot.askTurn.1", {"to": 3, "number": 1}, Millis(0), True)


def plan_of(by: int, *bids: int) -> Plan:
    return Plan(1, Seat(by), bids, (Seat(by),))


def only(seen: Observation, *seats: int) -> Observation:
    """The same position, in which only these seats can still win."""
    score: Any = seen.sections["score"]
    can = tuple(seat in seats for seat in range(seen.seats))
    return replace(seen, sections={**seen.sections, "score": replace(score, can=can)})


WON = Row((1, 10, 1, 1), (), (1, 10, 1, 1), Seat(1))
STOLEN = Row((9, 10, 1, 1), (), (1, 10, 1, 1), Seat(0))
ESCAPED = Row((10, 1, 1, 8), (), (10, 1, 1, 1), Seat(3))
NINE, VOID_OF_FIVE = Row((9, 10, 10, 10, 10), (), (None,) * 5, Seat(0)), Row((1,) * 5, (), (None,) * 5, None)
FALLEN = Row((1, 10, 5, 7), (), (1, 10, None, None), Seat(0))
"""Two others have left a plan for seat 1, so that the 1 that it asked of seat 0 was alone."""
SPOILED, BOTH = Row((10, 1, 1, 2), (), (10, 1, None, None), Seat(3)), (Seat(0), Seat(1))
LOST = Plan(1, Seat(1), (1, 10, 1, 1), BOTH)
HELPED = Row((10, 1, 1, 1), (), (10, 1, None, None), Seat(0))
OOPS = Spoken(Seat(0), None, "almost.say.oops", {}, Millis(0))


def whispered(seen: Observation, said: Spoken) -> Observation:
    """The same at a table that allows whispers, after this one."""
    return replace(seen, messages=(said,), talk_policy=replace(seen.talk_policy, whispers=True))


RARE: dict[str, Observation] = {
    "thanks": observation("reveal", rows=(HELPED,), plans=(Plan(1, Seat(0), (10, 1, 1, 1), BOTH),)),
    "pitchOnly": only(observation("discuss", seat=1, number=3, rows=(WON, VOID)), 1, 2),
    "pitchOther": observation("discuss", number=2, rows=(Row((10, 1, 1, 1), (), (None,) * 4, Seat(0)),)),
    "pitchStop": observation("discuss", seats=5, seat=1, number=4, rows=(NINE, VOID_OF_FIVE, VOID_OF_FIVE)),
    "excuseShut": replace(
        observation(
            "reveal",
            seat=3,
            number=3,
            rows=(VOID, VOID, ESCAPED),
            plans=(Plan(1, Seat(0), (10, 1, 1, 1), tuple(map(Seat, range(4)))),),
        ),
        people=(Seat(0),),
    ),
    "endShort": observation("reveal", number=3, rows=(VOID, VOID, replace(NINE, bids=(9, 10, 10, 10)))),
    "notSorry": whispered(
        observation("discuss", seat=1, number=2, rows=(STOLEN,)), replace(OOPS, to=Seat(1))
    ),
    "haveYours": replace(
        observation("discuss", seat=2, number=2, rows=(KEPT,)),
        messages=(Spoken(Seat(0), None, "almost.say.myTurn", {}, Millis(0)),),
    ),
    "pitchBreakAvoid": replace(
        observation("discuss", seat=1, number=3, rows=(VOID, VOID)),
        promises=(replace(promise_of(1, 10, (2,), round=3), kind="avoid"),),
    ),
    "pitchLast": observation("discuss", seat=1, number=3, rows=(VOID, VOID)),
    "pitchSteady": observation("discuss", seats=5, seat=1),
    "pitchDebt": observation("discuss", seat=0, number=2, rows=(KEPT,)),
    "counterDebt": observation(
        "discuss", seat=1, number=3, rows=(KEPT, VOID), plans=(plan_of(0, 1, 1, 10, 1),)
    ),
    "noWaste": observation("discuss", seat=2, number=2, rows=(KEPT,), plans=(plan_of(1, 10, 1, 1, 1),)),
    "excuseNeed": replace(observation("discuss", number=2, rows=(LIED,)), messages=(REPROACHED,)),
    "excuseDone": replace(
        observation("discuss", number=3, rows=(KEPT, LIED)),
        messages=(REPROACHED,),
    ),
    "half": replace(observation("discuss", seat=3), messages=(ASKED,)),
    "fellThrough": observation(
        "reveal", seat=1, rows=(FALLEN,), plans=(Plan(1, Seat(1), (1, 10, 1, 1), BOTH),)
    ),
    "windfall": observation("reveal", rows=(FALLEN,), plans=(Plan(1, Seat(1), (1, 10, 1, 1), BOTH),)),
    "spoiled": observation("reveal", seat=0, rows=(SPOILED,), plans=(Plan(1, Seat(0), (10, 1, 1, 1), BOTH),)),
}


@pytest.mark.parametrize("intent", RARE)
def test_each_rare_intent_is_said_where_it_is_true(intent: str) -> None:
    """In a position of its own, by some character, with some dice."""
    seen = RARE[intent]
    for stream in range(20):
        for character in CHARACTERS:
            decision = BOT.decide(seen, character, Dice(b"rare %d" % stream))
            if decision is not None and decision.remark is not None:
                spoken = Spoken(seen.seat, None, decision.remark.key, decision.remark.args, Millis(0), True)
                if read_intent(spoken.key) == intent:
                    saying = Saying(spoken, seen, decision, character, None, seen.promises, seen.lines, ())
                    assert TRUE[intent](Facts(saying))
                    return
    raise AssertionError("never said")


@pytest.mark.parametrize("behind", [BOTH, (Seat(1), Seat(2)), (Seat(1), Seat(3))])
def test_whoever_loses_a_round_by_a_plan_that_fails_says_something(behind: tuple[Seat, ...]) -> None:
    """Also if several have left it, and somebody has scored by what it asked of them."""
    promised = tuple((1, 10, 1, 1)[seat] if seat in behind else None for seat in range(4))
    rows = (replace(FALLEN, promised=promised),)
    seen = observation("reveal", seat=1, rows=rows, plans=(Plan(1, Seat(1), (1, 10, 1, 1), behind),))
    for character in CHARACTERS:
        decision = BOT.decide(seen, character, Dice(b"fallen"))
        assert decision is not None
        assert decision.remark is not None


def test_whoever_had_to_be_silent_comments_on_the_round_later() -> None:
    """It had spoken just before the numbers were shown, and has gone on since."""
    seen = RARE["fellThrough"]
    stale = Spoken(Seat(1), None, "almost.bot.pitchMine.1", {"number": 10}, Millis(0), True)
    waiting = replace(seen, prompts=(), choices={}, messages=(stale,), lines=(shown(),))
    readiness: Any = waiting.sections["readiness"]
    done = replace(readiness, done=tuple(seat == 1 for seat in range(4)))
    waiting = replace(waiting, sections={**waiting.sections, "readiness": done})
    decision = BOT.decide(waiting, CHARACTERS[0], Dice(b"late"))
    assert decision is not None
    assert decision.answer is None
    assert decision.remark is not None
    assert read_intent(decision.remark.key) == "fellThrough"
    spoken = replace(stale, key=decision.remark.key, args=decision.remark.args, at=Millis(9))
    assert BOT.decide(replace(waiting, messages=(stale, spoken)), CHARACTERS[0], Dice(b"late")) is None
    assert {"almost.scored", "almost.nobodyScored"} <= BOT.remarkable


def shown() -> SeenLine:
    return SeenLine("almost.revealed", {"round": 1, "bids": FALLEN.bids}, None, Millis(5))


def test_whoever_leaves_a_plan_says_why_only_to_those_who_backed_it() -> None:
    """Seat 0 would have scored by a plan of its own, had seat 2 kept to the plan of seat 3."""
    row = Row((5, 1, 2, 10, 1), (), (5, 1, 6, 10, None), Seat(2))
    plans = (
        Plan(1, Seat(3), (6, 1, 6, 10, 1), (Seat(2), Seat(3))),
        Plan(2, Seat(0), (5, 1, 6, 10, 1), BOTH),
    )
    for backed, heard in ((plans, False), ((plans[1],), True)):
        behind = tuple(replace(plan, behind=(*plan.behind, Seat(2))) for plan in backed[-1:] if heard)
        seen = observation("reveal", seats=5, seat=2, rows=(row,), plans=behind or backed)
        seen = replace(seen, people=(Seat(0),))
        decisions = [BOT.decide(seen, character, Dice(b"why")) for character in CHARACTERS]
        remarks = [one.remark for one in decisions if one is not None and one.remark is not None]
        excuses = [one for one in remarks if read_intent(one.key) in replies.EXCUSES]
        assert any(one.args["to"] == 0 for one in excuses) == heard


@pytest.mark.parametrize("number", range(24))
def test_nobody_gains_by_leaving_a_plan_is_said_once_in_a_game(number: int) -> None:
    intents = [read_intent(saying.spoken.key) for saying in play(number).sayings]
    assert sum(intent in ANALYSES for intent in intents) <= 1


def test_in_nearly_each_last_round_somebody_says_who_can_still_win() -> None:
    """Once, as it begins: more often only about those whose own plan it is."""
    counts = []
    for number in range(24):
        sayings = [
            saying
            for saying in play(number).sayings
            if Facts(saying).left == 0 and Facts(saying).stage.phase == "discuss"
        ]
        counts.append(sum(read_intent(saying.spoken.key) in STANDINGS for saying in sayings))
    assert counts.count(0) <= 2
    assert max(counts) <= 1


def test_nothing_said_about_the_last_numbers_is_about_a_later_round() -> None:
    for saying in [saying for number in range(24) for saying in play(number).sayings]:
        facts = Facts(saying)
        if facts.last == facts.stage.rounds:
            words = TEXTS.catalogue["remarks"][saying.spoken.key].lower()
            assert not any(later in words for later in LATER), words


def test_nobody_is_pressed_twice_for_help_after_a_round() -> None:
    """Whoever has just won hears one claim from those who helped, and each asks for its turn once.

    Nobody reminds of a promise who has answered it in the same round.
    """
    for number in range(24):
        claims = [saying for saying in play(number).sayings if read_intent(saying.spoken.key) in CLAIMS]
        rounds = [Facts(saying).last for saying in claims]
        assert len(rounds) == len(set(rounds))
        for saying in claims:
            claimant, winner, opened = saying.spoken.seat, saying.spoken.args["to"], Facts(saying).begun
            heard = [one for one in saying.before if "heardBid" in one.key and one.at >= opened]
            assert (claimant, winner) not in {(one.seat, one.args["to"]) for one in heard}
        pressing = [saying.spoken.seat for saying in claims if read_intent(saying.spoken.key) == "nowMe"]
        assert len(pressing) == len(set(pressing))


@pytest.mark.parametrize("agreed", [True, False])
def test_nobody_is_called_clever_for_what_all_had_agreed_on(agreed: bool) -> None:
    said = set()
    for number in range(4, 10):
        bids = (number, 1, 1, 1)
        row = Row(bids, (), bids if agreed else (None,) * 4, Seat(0))
        plans = (replace(plan_of(0, *bids), behind=BOTH),) if agreed else ()
        seen = observation("reveal", seat=2, rows=(row,), plans=plans)
        decisions = [BOT.decide(seen, character, Dice(b"praise")) for character in CHARACTERS]
        said |= {
            read_intent(one.remark.key) for one in decisions if one is not None and one.remark is not None
        }
    assert ("praise" in said) != agreed


def test_promises_are_made_kept_and_broken() -> None:
    judged = {promise.judgement for number in range(24) for promise in play(number).promises}
    assert judged == {"kept", "broken"}


def test_few_games_of_four_end_without_a_winner() -> None:
    outcomes = [GAME.prompts(play(number).state) for number in range(24)]
    assert sum(isinstance(outcome, Outcome) and not outcome.winners for outcome in outcomes) <= 2


# --- words ---


def context(table: TalkingTable, seat: int, stream: int = 0) -> BotContext:
    seen = replace(table.observe(Seat(seat)), may_speak=True)
    character = CHARACTERS[0]
    return BotContext(seen, read_table(seen), character, SKILL_LEVELS["easy"], Dice(b"words %d" % stream))


def arguments(keys: Sequence[str]) -> dict[str, Any]:
    return dict.fromkeys(sorted({name for key in keys for name in TEXTS.remarks[key]}), 1)


@pytest.mark.parametrize("intent", WORDINGS)
def test_each_variant_is_used_and_none_repeated(intent: str) -> None:
    """Whoever says the same again says it in other words, until there are no more; then nobody does."""
    table = TalkingTable(cast_levels(["easy"] * 3, b"words"), b"words")
    meaning = Meaning(intent, arguments(WORDINGS[intent]))
    assert len(WORDINGS[intent]) >= 2
    for count in range(len(WORDINGS[intent])):
        remark = choose_remark(context(table, 0, count), [meaning])
        assert remark is not None
        named = set(TEXTS.remarks[remark.key])
        assert named <= set(remark.args) <= named | {"to"}  # an answer need not name whom it answers
        table.say(Spoken(Seat(0), None, remark.key, remark.args, table.at, bot=True))
    assert {said.key for said in table.talk.memory.list_heard(Seat(0))} == set(WORDINGS[intent])
    assert choose_remark(context(table, 0), [meaning]) is None


def test_a_line_without_a_name_is_not_said_to_another_seat_again() -> None:
    """It would read the same."""
    table = TalkingTable(cast_levels(["easy"] * 3, b"words"), b"words")
    said: list[str] = []
    for to in (1, 2) * len(WORDINGS["deal"]):
        remark = choose_remark(context(table, 0), [Meaning("deal", {"to": to})])
        if remark is not None:
            said.append(remark.key)
            table.say(Spoken(Seat(0), None, remark.key, remark.args, table.at, bot=True))
    unnamed_keys = [key for key in WORDINGS["deal"] if "to" not in TEXTS.remarks[key]]
    assert unnamed_keys
    assert [said.count(key) for key in unnamed_keys] == [1] * len(unnamed_keys)


def test_a_bot_that_may_not_speak_says_nothing_but_plays() -> None:
    seen = play(0).sayings[0].observation
    character = play(0).characters[seen.seat]
    decision = BOT.decide(replace(seen, may_speak=False), character, Dice(b"mute"))
    assert decision is not None
    assert decision.answer is not None
    assert decision.remark is None


# --- people ---


def with_person(level: str) -> TalkingTable:
    """A person in seat 0, who has not done anything yet."""
    seed = b"person"
    characters = cast_levels([level] * 4, seed)
    options = AlmostOptions(discussion="untilReady")
    return TalkingTable(characters, seed, options, people=(0,), tick_ms=10_000)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("bids", [(10, 1, 1, 1), (1, 10, 1, 1), (1, 1, 1, 1), (1, 2, 3, 4)])
def test_bots_answer_a_persons_plan_within_a_turn(level: str, bids: tuple[int, ...]) -> None:
    """Each of them supports it, answers with another plan, or gets ready and mostly says why not."""
    table = with_person(level=level)
    table.move(Seat(0), PromptId("plan:1"), Propose(bids))
    table.turn()
    for seat in (1, 2, 3):
        plans = table.state.plans.plans
        backs = any(seat in plan.behind for plan in plans)
        spoke = any(saying.spoken.seat == seat for saying in table.sayings)
        assert backs or table.state.done[seat]
        assert backs or spoke or table.sayings  # one of them says it for all


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("stream", range(6))
def test_bots_make_a_plan_before_they_get_ready_while_a_person_talks(level: str, stream: int) -> None:
    table = with_person(level=level)
    for seat in (1, 2, 3):
        seen = replace(table.observe(Seat(seat)), people=(Seat(0),))
        decision = BOT.decide(seen, table.characters[seat], Dice(b"opening %d" % stream))
        assert decision is not None
        assert isinstance(decision.move, Propose)
        assert decision.after is not None
        assert OPENING_MS[0] <= decision.after <= OPENING_MS[1] + SILENT_MS


@pytest.mark.parametrize("level", LEVELS)
def test_no_bot_makes_a_late_plan_once_all_people_are_ready(level: str) -> None:
    """Some of them get ready at once, and others propose something, as they would without people."""
    table = with_person(level=level)
    table.move(Seat(0), PromptId("ready:1"), Ready())
    seen = table.observe(Seat(1))
    alone, with_people = (
        [
            BOT.decide(replace(seen, people=people), table.characters[1], Dice(b"quick %d" % stream))
            for stream in range(12)
        ]
        for people in ((), (Seat(0),))
    )
    assert [one and one.move for one in alone] == [one and one.move for one in with_people]


def test_a_bot_makes_a_plan_for_whoever_claims_the_round() -> None:
    table = with_person(level="normal")
    table.say_phrase(0, "almost.say.myTurn")
    for seat in (1, 2, 3):
        seen = table.observe(Seat(seat))
        decision = BOT.decide(seen, table.characters[seat], Dice(b"claim"))
        if decision is not None and decision.remark is not None and "pitchTrade" in decision.remark.key:
            assert isinstance(decision.move, Propose)
            assert decision.move.bids[0] == 10
            return
    raise AssertionError("nobody took up the claim")


@pytest.mark.parametrize("level", LEVELS)
def test_whoever_asks_what_they_get_gets_a_promise_or_a_reason(level: str) -> None:
    """From the bot that scores, also if somebody else has spoken, and at once."""
    table = with_person(level=level)
    table.move(Seat(1), PromptId("plan:1"), Propose((1, 10, 1, 1)))
    table.say_phrase(0, "almost.say.whatFor")
    decision = BOT.decide(table.observe(Seat(1)), table.characters[1], Dice(b"price"))
    assert decision is not None
    assert decision.remark is not None
    intent = decision.remark.key.split(".")[2]
    assert decision.remark.args["to"] == 0
    assert intent in ("grant", "half", "deny")
    assert (decision.promise is not None) == (intent != "deny")


def test_in_the_last_round_there_is_nothing_to_get() -> None:
    seen = observation("discuss", seat=1, number=3, rows=(VOID, VOID), plans=(plan_of(1, 1, 10, 1, 1),))
    asked = replace(seen, messages=(replace(OOPS, key="almost.say.whatFor"),))
    decision = BOT.decide(asked, CHARACTERS[3], Dice(b"price"))
    assert decision is not None
    assert decision.remark is not None
    assert "noLater" in decision.remark.key


@pytest.mark.parametrize("level", LEVELS)
def test_whoever_asks_for_a_promise_gets_an_answer_from_the_bot_that_scores(level: str) -> None:
    table = with_person(level=level)
    table.move(Seat(1), PromptId("plan:1"), Propose((1, 10, 1, 1)))
    table.say_phrase(0, "almost.say.promiseMe")
    decision = BOT.decide(table.observe(Seat(1)), table.characters[1], Dice(b"plea"))
    assert decision is not None
    assert decision.remark is not None
    assert decision.remark.args["to"] == 0
    assert (decision.promise is not None) == (read_intent(decision.remark.key) in ("grant", "half"))


def test_nobody_promises_anything_for_a_round_that_never_comes() -> None:
    seen = observation("discuss", seat=1, number=3, rows=(VOID, VOID), plans=(plan_of(1, 1, 10, 1, 1),))
    asked = replace(seen, messages=(replace(OOPS, key="almost.say.promiseMe"),))
    decision = BOT.decide(asked, CHARACTERS[3], Dice(b"plea"))
    assert decision is not None
    assert decision.promise is None
    assert decision.remark is not None
    assert "noRound" in decision.remark.key


def test_an_answer_names_whom_it_is_for_once_another_has_spoken() -> None:
    table = TalkingTable(cast_levels(["easy"] * 3, b"words"), b"words")
    promised = Spoken(Seat(1), None, "promise.bid", {}, Millis(1), True)
    other = Spoken(Seat(2), None, "almost.bot.confirm.1", {"to": 1, "plan": 1}, Millis(2), True)
    for messages, named in (((promised,), {True, False}), ((promised, other), {True})):
        named_in = set()
        for stream in range(12):
            speaker = context(table, 0, stream)
            heard = replace(speaker.observation, messages=messages)
            speaker = dataclasses.replace(speaker, observation=heard)
            for character in CHARACTERS:
                remark = choose_remark(
                    dataclasses.replace(speaker, character=character), [Meaning("deal", {"to": 1})]
                )
                assert remark is not None
                named_in.add("to" in TEXTS.remarks[remark.key])
        assert named_in == named


def list_answers(seen: Observation, phrase: str, *before: Spoken) -> set[str]:
    """What characters answer when the person in seat 0 says this to them, after what was said before."""
    said = Spoken(Seat(0), seen.seat, f"almost.say.{phrase}", {}, Millis(9))
    policy = replace(seen.talk_policy, whispers=True)
    seen = replace(seen, messages=(*before, said), people=(Seat(0),), talk_policy=policy)
    answers = set()
    for character in CHARACTERS:
        speaker = BotContext(seen, read_table(seen), character, SKILL_LEVELS["easy"], Dice(b"answer"))
        answer = replies.reply(speaker)
        if answer is not None and answer.remark is not None:
            answers.add(read_intent(answer.remark.key))
    return answers


def test_whoever_broke_a_promise_is_not_trusted() -> None:
    broken = promise_of(0, 1, round=1, judgement="broken")
    seen = observation("discuss", seat=1, number=2, rows=(VOID,))
    assert list_answers(seen, "trustMe") == {"trust"}
    assert list_answers(replace(seen, promises=(broken,)), "trustMe") == {"trustNot"}
    assert list_answers(replace(seen, promises=(replace(broken, private=True),)), "trustMe") == set()


@pytest.mark.parametrize("done", [True, False])
def test_only_who_is_ready_says_so(done: bool) -> None:
    seen = observation("discuss", seat=1)
    readiness: Any = seen.sections["readiness"]
    seen = replace(seen, sections={**seen.sections, "readiness": replace(readiness, done=(done,) * 4)})
    assert list_answers(seen, "hurry") == {"hurried" if done else "notYet"}


def test_agreed_answers_who_has_asked_for_a_promise() -> None:
    """Not with a plan: only a promise counts, and the one who has asked says so."""
    asked = replace(ASKED, args={"to": 0, "number": 1})
    for seat, answers in ((1, {"makeIt"}), (2, set())):
        seen = observation("discuss", seat=seat, plans=(replace(plan_of(0, 10, 1, 1, 1), behind=BOTH),))
        assert list_answers(seen, "agreed", asked) == answers
    given = promise_of(0, 1, (1,))
    seen = observation("discuss", seat=1, plans=(replace(plan_of(0, 10, 1, 1, 1), behind=BOTH),))
    heard = replace(ASKED, key="almost.bot.deal.1", args={"to": 0})
    assert list_answers(replace(seen, promises=(given,)), "agreed", asked, heard) == {"confirm"}


def test_nobody_guesses_which_of_several_plans_is_meant() -> None:
    plans = (plan_of(1, 1, 10, 1, 1), Plan(2, Seat(2), (1, 1, 10, 1), (Seat(2),)))
    seen = observation("discuss", seat=1, plans=plans)
    assert list_answers(seen, "followPlan") == {"whichPlan"}
    seen = observation("discuss", seat=1, plans=plans[:1])
    assert list_answers(seen, "followPlan") == {"confirm"}
    own = (*plans[:1], Plan(2, Seat(0), (10, 1, 1, 1), (Seat(0),)))
    seen = observation("discuss", seat=1, plans=own)
    assert list_answers(seen, "followPlan") == {"notThat"}
    assert list_answers(seen, "agreed") == set()  # it is not its own plan that seat 0 agrees to


def test_only_whom_it_cost_something_asks_for_amends() -> None:
    row = Row((5, 1, 2, 2), (), (None,) * 4, Seat(1))
    broken = (promise_of(0, 2, (2,), round=1, judgement="broken"),)
    for seat, answers in ((2, {"amends"}), (3, set())):
        seen = replace(observation("discuss", seat=seat, number=2, rows=(row,)), promises=broken)
        assert list_answers(seen, "oops") == answers


def test_comfort_is_for_bad_luck_in_the_last_round_only() -> None:
    row = Row((2, 1, 2, 5), (), (None,) * 4, Seat(1))
    seen = observation("discuss", seat=1, number=2, rows=(row,))
    assert list_answers(seen, "oops") == {"console"}
    assert list_answers(observation("discuss", seat=1, number=2, rows=(KEPT,)), "oops") == set()
    late = SeenLine("almost.revealed", {"round": 1, "bids": row.bids}, None, Millis(10))
    assert list_answers(replace(seen, lines=(late,)), "oops") == set()


def test_nobody_threatens_with_a_number_that_its_plan_gives_it_anyway() -> None:
    """In the last round, a plan for another shuts seat 1 out, which has a plan of its own."""
    plan = Plan(2, Seat(0), (10, 1, 1, 1), (Seat(0),))
    for own, threatens in (((1, 10, 1, 1), False), ((1, 9, 1, 1), True)):
        seen = observation("discuss", seat=1, number=3, rows=(VOID, VOID), plans=(plan_of(1, *own), plan))
        table = read_table(seen)
        intents = {
            meaning.intent
            for character in CHARACTERS
            for meaning in refuse(
                BotContext(seen, table, character, SKILL_LEVELS["easy"], Dice(b"threat")), plan
            )
        }
        assert ("threat" in intents) == threatens
        assert "noShut" in intents


def test_whoever_has_dropped_its_plan_says_so_at_the_latest_when_it_is_ready() -> None:
    plan = Plan(2, Seat(2), (1, 1, 10, 1), (Seat(1), Seat(2)))
    proposed = SeenLine("almost.proposed", {"seat": 1, "plan": 1, "bids": [1, 10, 1, 1]}, None, Millis(0))
    seen = replace(observation("discuss", seat=1, plans=(plan,)), lines=(proposed,))
    spoken = Spoken(Seat(1), None, "almost.bot.yesTurn.1", {"to": 2, "number": 1}, Millis(1), True)
    for before, heard in (((), True), ((spoken,), False)):
        talk = replace(seen, messages=before)
        speaker = BotContext(talk, read_table(talk), CHARACTERS[0], SKILL_LEVELS["easy"], Dice(b"drop"))
        assert bool(concede(speaker)) == heard


def test_nobody_says_what_another_has_just_said() -> None:
    """In other words: unless it is addressed to somebody in particular."""
    for number in range(24):
        table = play(number)
        for saying in table.sayings:
            seen, said = saying.observation, saying.spoken
            begun = max((line.at for line in seen.lines if line.key == "almost.round"), default=0)
            heard = [
                one
                for one in seen.messages
                if one.bot and one.at >= begun and not one.key.startswith("promise")
            ]
            echoed = {read_intent(one.key) for one in heard[-CLOSE_BY:] if one.seat != said.seat}
            assert read_intent(said.key) not in echoed - ECHOES


def test_characters_sound_different() -> None:
    """In the same position, the warm, the plain and the bold have words of their own."""
    table = TalkingTable(cast_levels(["easy"] * 3, b"tones"), b"tones")
    tones = {}
    for character in CHARACTERS:
        speaker = dataclasses.replace(context(table, 0), character=character)
        remark = choose_remark(speaker, [Meaning("noDoubt", {"to": 1, "plan": 1})])
        assert remark is not None
        tones[character.key] = remark.key.rpartition(".")[2].strip("0123456789")
    assert tones["amara"] == tones["noor"] == "w"
    assert tones["yuki"] == tones["ravi"] == "b"
    assert tones["mateo"] == tones["zofia"] == ""


def test_whoever_is_asked_for_a_low_number_promises_it_and_keeps_it() -> None:
    for number in range(24):
        table = play(number)
        for promise in table.promises:
            if promise.to and promise.kind == "bid" and promise.judgement == "kept":
                row = table.state.score.rows[int(promise.terms["round"]) - 1]
                assert row.bids[promise.by] == promise.terms["number"]
                return
    raise AssertionError("nobody kept a promise")


def test_a_substitute_promises_and_threatens_nobody() -> None:
    for number in range(12):
        seed = b"substitutes %d" % number
        table = TalkingTable([unnamed("hard")] * 4, seed, tick_ms=SLOW_MS)
        table.play()
        assert not table.promises
        assert all(set(row.promised) == {None} for row in table.state.score.rows)
        intents = {read_intent(saying.spoken.key) for saying in table.sayings}
        assert intents.isdisjoint({"threat", *ACCEPTANCES})


class LeavingTable(TalkingTable):
    """Seat 0 backs the last plan, whatever it says, and is played by a substitute whenever it bids."""

    def decide(self, seat: Seat, observation: Observation) -> Decision[Any] | None:
        stage, plans = self.state.stage, self.state.plans.plans
        if seat == 0 and stage.phase == "bid":
            return BOT.decide(observation, unnamed("normal"), Dice(b"substitute %d" % len(self.lines)))
        if seat == 0 and stage.phase == "discuss" and plans and seat not in plans[-1].behind:
            (prompt,) = (prompt.id for prompt in observation.prompts if prompt.kind == "plan")
            return Decision(prompt, Agree(plans[-1].number))
        return super().decide(seat, observation)


def test_a_substitute_keeps_to_every_plan_that_its_person_has_backed() -> None:
    rows: list[Row] = []
    for number in range(12):
        characters = cast_levels(("hard", "normal", "hard", "easy"), b"%d" % number)
        table = LeavingTable(characters, b"leaving %d" % number, tick_ms=SLOW_MS)
        table.play()
        rows += table.state.score.rows
    assert all(row.promised[0] in (None, row.bids[0]) for row in rows)
    assert sum(row.promised[0] is not None for row in rows) > 5


def test_the_same_observation_gives_the_same_decision() -> None:
    """All memory is in the observation: a bot that starts again goes on as if nothing had happened."""
    for saying in [saying for number in range(8) for saying in play(number).sayings][:60]:
        seen = saying.observation
        again = AlmostBot().decide(seen, CHARACTERS[3], Dice(b"again"))
        assert again == BOT.decide(seen, CHARACTERS[3], Dice(b"again"))


PRIVATE = AlmostOptions(discussion="untilReady", whispers=True, timers="off")


@pytest.mark.parametrize("phrase", sorted(TEXTS.phrases))
def test_bots_answer_a_whisper_in_a_whisper_and_never_with_a_plan(phrase: str) -> None:
    """G4.6"""
    for number in range(6):
        characters = cast_levels(("easy", "normal", "hard"), b"%d" % number)
        table = TalkingTable(characters, b"whisper %d" % number, PRIVATE, people=(0,))
        table.say_phrase(0, phrase, to=1)
        context = BotContext(
            table.observe(Seat(1)),
            read_table(table.observe(Seat(1))),
            characters[1],
            SKILL_LEVELS[characters[1].level],
            Dice(b"words"),
        )
        answer = replies.reply(context)
        assert answer is None or (answer.bids is None and answer.remark is not None)
        assert answer is None or answer.remark is None or answer.remark.to == 0


@pytest.mark.parametrize("kind", ["bid", "avoid"])
@pytest.mark.parametrize("whispers", [True, False])
def test_bots_say_nothing_aloud_about_a_private_promise(kind: str, whispers: bool) -> None:
    """G4.6, R30: neither when it is made, nor once it is kept or broken."""
    heard = 0
    for number in range(12):
        characters = cast_levels(("easy", "normal", "hard"), b"%d" % number)
        table = TalkingTable(characters, b"promise %d" % number, PRIVATE, people=(0,))
        promise = NewPromise(kind, {"number": 1 + number % 3, "round": 1}, (Seat(1),), private=True)
        table.promise(Seat(0), promise)
        for judgement in (None, "kept", "broken"):
            table.promises = (replace(table.promises[0], judgement=judgement),)
            for _ in range(4):
                seen = table.observe(Seat(1))
                seen = replace(seen, talk_policy=replace(seen.talk_policy, whispers=whispers))
                context = BotContext(
                    seen,
                    read_table(seen),
                    characters[1],
                    SKILL_LEVELS[characters[1].level],
                    Dice(b"%d" % number),
                )
                answer = replies.reply(context)
                if answer is not None and answer.remark is not None:
                    assert answer.remark.to == 0
                    heard += 1
    assert bool(heard) == whispers
