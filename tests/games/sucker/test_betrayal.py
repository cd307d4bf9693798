"""What So Long Sucker bots say about a broken word: at once, by name, and to whoever it concerns."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from games.api import Judgement, Millis, Observation, Promise, Seat, SeenLine, Spoken
from games.dice import Dice
from games.kit.characters import BY_KEY
from games.kit.promises import MAX_OPEN
from games.kit.wordings import read_intent
from games.sucker.bot import memory
from games.sucker.bot.answers import refuse_rescue
from games.sucker.bot.bot import BOT
from games.sucker.bot.comments import BREACHES, comment
from games.sucker.bot.deals import EXPECTED, TURNS, list_deals
from games.sucker.bot.hearing import find_proposal
from games.sucker.bot.remarks import FRIENDLY, MUTUAL, PROPOSALS
from games.sucker.bot.speaker import GRUDGES, Speaker
from games.sucker.bot.talk import find_betrayed
from games.sucker.rules.values import GiveMove, Kill, Place
from games.sucker.texts import TEXTS
from tests.games.sucker.players import observe
from tests.games.sucker.table import B, G, R, Y, rescue, set_up
from tests.games.sucker.test_talk import capturing, choosing, find_situation, tables

pytestmark = pytest.mark.usefixtures("brief_thought")

ALOUD = ("invite", "lastWords", "boast", "soLong", "bigCapture")
"""Intents of what a bot says to everybody."""
ANSWERS = (
    *(
        "yes",
        "yesDeal",
        "yesTurn",
        "yesSpare",
        "yesKept",
        "yesPile",
        "yesEasy",
        "yesChip",
        "yesSide",
        "yesAlready",
    ),
    *(
        "no",
        "noDeal",
        "noAsk",
        "noSide",
        "noNeed",
        "noChips",
        "noStrong",
        "noLeader",
        "noSpoken",
        "noCapture",
    ),
    *("noPact", "noBroke", "noHands", "noSpare", "defy", "firstPile", "counterSave", "counterPile"),
    *("holdYou", "tooBad", "welcome", "hearVow", "hearTrust", "retort", "because", "forgive", "denial"),
)
"""Intents of what a bot says right below the words that it answers, some of which need no name."""


def betray(observation: Observation, by: int, kind: str, **terms: int) -> Observation:
    """The observation of whoever `by` has just broken such a promise to."""
    to = Seat(observation.seat)
    promise = Promise("p", Seat(by), (to,), kind, terms, Millis(0), 1, judgement="broken")
    line = SeenLine("promise.broken", {"seat": by, "promise": "p"}, None, Millis(2_000))
    return replace(observation, promises=(promise,), lines=(*observation.lines, line))


def say(observation: Observation, seat: int, key: str, at: int = 2_500) -> Observation:
    spoken = Spoken(Seat(seat), None, key, {}, Millis(at), bot=False)
    return replace(observation, messages=(*observation.messages, spoken))


def intent_of(observation: Observation, key: str) -> str | None:
    decision = BOT.decide(observation, BY_KEY[key], Dice(b"answer"))
    if decision is None or decision.remark is None:
        return None
    return read_intent(decision.remark.key)


def test_every_line_to_one_seat_names_it_unless_it_answers_that_seat() -> None:
    nameless = {
        key for key, names in TEXTS.remarks.items() if key.startswith("sucker.") and "to" not in names
    }
    assert {read_intent(key) for key in nameless} == {*ALOUD, *ANSWERS}


@pytest.mark.parametrize("kind", BREACHES)
@pytest.mark.parametrize("is_next", [True, False])
def test_a_betrayed_seat_says_at_once_what_was_promised(kind: str, *, is_next: bool) -> None:
    seen = betray(observe(choosing().state, R if is_next else G), B, kind, pile=0)
    for key in BY_KEY:
        assert intent_of(seen, key) == BREACHES[kind], key


def test_a_bot_is_asked_when_a_promise_is_broken() -> None:
    assert "promise.broken" in BOT.remarkable


class SharedPromise(Struct, frozen=True):
    """A promise as the page is told of it."""

    id: str
    by: Seat
    to: tuple[Seat, ...]
    kind: str
    terms: dict[str, int | str] = {}
    judgement: Judgement | None = None
    excused: bool = False


class Pact(Struct, frozen=True):
    """What happens around a proposal of R's to B, of table time 1,000, and of which pacts a later yes counts.

    The page is tested by the same cases: client-js/tests/unit/sucker.test.ts.
    """

    name: str
    stands: tuple[str, ...]
    lines: tuple[tuple[str, dict[str, int | str], int], ...] = ()
    promises: tuple[SharedPromise, ...] = ()

    def list_lines(self) -> tuple[SeenLine, ...]:
        return tuple(SeenLine(key, args, None, Millis(at)) for key, args, at in self.lines)

    def list_promises(self) -> tuple[Promise, ...]:
        return tuple(
            Promise(
                *(one.id, one.by, one.to, one.kind, one.terms, Millis(300), 1),
                judgement=one.judgement,
                excused=one.excused,
            )
            for one in self.promises
        )


PACTS = {
    case.name: case
    for case in msgspec.json.decode(Path(__file__).with_name("pacts.json").read_bytes(), type=list[Pact])
}
QUIET = PACTS["nothing has happened"]
BY_OTHERS = PACTS["another seat wronged the bot"]
REFUSED = PACTS["the seat refused to save the bot"]
KILLED = PACTS["the seat killed a chip of the bot’s"]
BROKEN = PACTS["the seat broke a promise to the bot"]
ELSEWHERE = PACTS["the seat gave the turn to another, though the bot could have had it"]
PLACED_ONE = PACTS["the seat placed a chip"]
PLACED_TWO = PACTS["the seat placed two chips"]
FULL = PACTS["the bot has three promises open, and no room for its part"]
KILLED_LATER = tuple(replace(line, at=Millis(9_000)) for line in KILLED.list_lines())


def agreeing(intent: str, case: Pact = QUIET, after: int = 5_500, **args: int) -> Observation:
    """R has proposed something to B, who has said yes to it some time after."""
    proposal = Spoken(Seat(R), None, f"sucker.bot.{intent}.1", {"to": B, **args}, Millis(1_000), bot=True)
    seen = observe(choosing().state, R)
    seen = replace(seen, messages=(proposal,), lines=case.list_lines(), promises=case.list_promises())
    return say(seen, B, "sucker.say.deal", 1_000 + after)


@pytest.mark.parametrize("intent", sorted(MUTUAL))
@pytest.mark.parametrize("name", PACTS)
def test_a_yes_counts_for_the_bot_where_the_page_offers_it(name: str, intent: str) -> None:
    speaker = Speaker(agreeing(intent, PACTS[name]), BY_KEY["noor"], Dice(b""))
    assert bool(speaker.deals) == (intent in PACTS[name].stands)


def test_the_cases_know_when_a_proposal_has_lapsed() -> None:
    assert len(PLACED_TWO.lines) == TURNS
    assert len(FULL.promises) == MAX_OPEN


@pytest.mark.parametrize("intent", sorted(MUTUAL))
@pytest.mark.parametrize(
    ("case", "after", "answers"),
    [
        (QUIET, 5_500, set()),
        (BY_OTHERS, 5_500, set()),
        (KILLED, 2_000, {"grudgeKill", "reproachKill", "grudgeDeal", "reproachDeal"}),
        (QUIET, 600_000, set()),
        (PLACED_ONE, 600_000, set()),
        (PLACED_TWO, 5_500, {"tooLate"}),
        (REFUSED, 5_500, {"grudgeRefuse", "reproachRefuse"}),
        (KILLED, 5_500, {"grudgeKill", "reproachKill"}),
        (BROKEN, 5_500, {"brokeSave"}),
    ],
)
def test_a_pact_is_off_once_the_other_seat_has_wronged_it_or_has_had_two_turns(
    intent: str, case: Pact, after: int, answers: set[str]
) -> None:
    seen = agreeing(intent, case, after=after)
    for key, stream in product(BY_KEY, range(4)):
        decision = BOT.decide(seen, BY_KEY[key], Dice(b"%d" % stream))
        assert decision is not None
        said = None if decision.remark is None else read_intent(decision.remark.key)
        if answers:
            assert decision.promise is None
            is_elsewhere = decision.remark is None or decision.remark.args.get("to") in (G, Y)
            assert said in answers or (after == 2_000 and is_elsewhere), key
        else:
            assert decision.promise is not None
            assert (decision.promise.kind, decision.promise.to) == (MUTUAL[intent], (B,))
            assert said == EXPECTED[intent]


def test_a_pact_about_turns_is_off_once_the_other_seat_has_chosen_somebody_else() -> None:
    for key in BY_KEY:
        decision = BOT.decide(agreeing("pactTurn", ELSEWHERE), BY_KEY[key], Dice(b"turn"))
        assert decision is not None
        assert decision.promise is None
        assert intent_of(agreeing("pactTurn", ELSEWHERE), key) == "tooLate"
        assert intent_of(agreeing("pact", ELSEWHERE), key) == "expectPact"


def test_whoever_agreed_too_late_breaks_no_deal_later() -> None:
    for placed, acts in ((PLACED_ONE, ["reneged", "killed"]), (PLACED_TWO, ["killed"])):
        seen = agreeing("pactSpare", placed)
        seen = replace(seen, lines=(*seen.lines, *KILLED_LATER))
        speaker = Speaker(seen, BY_KEY["noor"], Dice(b""))
        assert sorted(deed.act for deed in speaker.deeds) == sorted(acts)


@pytest.mark.parametrize(("pile", "is_owed"), [(0, True), (5, False)])
def test_a_demand_for_a_pile_that_is_gone_is_no_deal(pile: int, *, is_owed: bool) -> None:
    """B asks for R's turn, and R wants a pile spared for it."""
    seen = agreeing("counterPile", pile=pile)
    asked = Spoken(Seat(B), None, "sucker.bot.pact.1", {"to": R}, Millis(500), bot=True)
    seen = replace(seen, messages=(asked, *seen.messages))
    decision = BOT.decide(seen, BY_KEY["noor"], Dice(b"pile"))
    assert decision is not None
    assert (decision.promise is not None) == is_owed


def test_a_traitor_does_not_court_its_victim_in_the_same_breath() -> None:
    betrayals = 0
    for table in tables(8):
        for said in table.sayings:
            broken = {
                (promise.by, seat)
                for promise in said.promises
                for line in said.lines
                if line.key == "promise.broken" and line.args["promise"] == promise.id
                if line.at == said.spoken.at and not promise.excused
                for seat in promise.to
            }
            pair = (said.spoken.seat, said.spoken.addressee)
            betrayals += bool(broken)
            intent = read_intent(said.spoken.key)
            assert pair not in broken or intent not in PROPOSALS | FRIENDLY - {"sorryKill"}, said.spoken
    assert betrayals


@pytest.mark.parametrize(
    ("kind", "make", "move", "betrayed"),
    [
        ("pass_move", choosing, GiveMove(G), {B}),
        ("pass_move", choosing, GiveMove(B), set()),
        ("spare_chips", capturing, Kill(B), {B}),
        ("spare_chips", capturing, Kill(Y), set()),
        ("save", choosing, Place(R, 0), set()),
    ],
)
def test_a_move_betrays_whom_it_breaks_a_promise_to(
    kind: str, make: Any, move: Any, betrayed: set[int]
) -> None:
    promise = Promise("p", Seat(R), (Seat(B),), kind, {}, Millis(0), 1)
    seen = replace(observe(make().state, R), promises=(promise,))
    speaker = Speaker(seen, BY_KEY["noor"], Dice(b""))
    assert find_betrayed(speaker, find_situation(seen), move) == betrayed


@pytest.mark.parametrize("streams", [4, pytest.param(20, marks=pytest.mark.at_length)])
def test_a_traitor_is_told_that_its_victim_is_free(streams: int) -> None:
    seen = betray(observe(choosing().state, R), B, "save")
    own = Promise("q", Seat(R), (Seat(B),), "pass_move", {}, Millis(0), 1)
    earlier = Spoken(Seat(R), None, "sucker.bot.brokeSave.1", {"to": B}, Millis(2_100), bot=True)
    placed = SeenLine("sucker.placed", {"seat": R, "colour": R, "pile": 0}, None, Millis(1_500))
    lines = (placed, *seen.lines)
    seen = replace(seen, promises=(*seen.promises, own), lines=lines, messages=(earlier,))
    said = set()
    for character in BY_KEY.values():
        for stream in range(streams):
            decision = BOT.decide(seen, character, Dice(b"%d" % stream))
            if decision is not None and decision.move == GiveMove(G):
                assert decision.remark is not None
                said.add(read_intent(decision.remark.key))
    assert said == {"freed"}


def test_a_grudge_names_the_deed() -> None:
    assert set(GRUDGES) == set(memory.BAD)
    seen = betray(observe(choosing().state, R), B, "save")
    speaker = Speaker(seen, BY_KEY["noor"], Dice(b""))
    assert [read_intent(one.remark.key) for one in speaker.resent(B)] == ["grudgeBroke"]
    assert list(speaker.resent(G)) == []


def refuse_chip(by: int) -> tuple[SeenLine, ...]:
    """R had no chips, and this seat refused to save it."""
    return (
        SeenLine("sucker.needy", {"seat": R}, None, Millis(1_000)),
        SeenLine("sucker.refused", {"seat": by}, None, Millis(1_100)),
        SeenLine("sucker.rescued", {"seat": R}, None, Millis(1_200)),
    )


def choose_without_chips(by: int) -> tuple[SeenLine, ...]:
    """R had no chips, and this seat gave it the turn."""
    return (
        SeenLine("sucker.gave", {"seat": by, "other": R}, None, Millis(1_000)),
        SeenLine("sucker.needy", {"seat": R}, None, Millis(1_000)),
        SeenLine("sucker.rescued", {"seat": R}, None, Millis(1_200)),
    )


@pytest.mark.parametrize(
    ("hurt", "reproach", "grudge"),
    [
        (refuse_chip, "reproachRefuse", "grudgeRefuse"),
        (choose_without_chips, "reproachStarve", "grudgeStarve"),
    ],
)
def test_a_seat_in_need_resents_what_was_done_to_it(
    hurt: Callable[[int], tuple[SeenLine, ...]], reproach: str, grudge: str
) -> None:
    reproached, resented = set(), set()
    for by, character in product((B, G, Y), BY_KEY.values()):
        seen = replace(observe(choosing().state, R), lines=hurt(by))
        speaker = Speaker(seen, character, Dice(b""))
        reproached |= {read_intent(one.remark.key) for one in comment(speaker, find_situation(seen))}
        resented |= {read_intent(one.remark.key) for one in speaker.resent(by)}
    assert reproached & {"reproachRefuse", "reproachStarve"} == {reproach}
    assert resented == {grudge}


def test_the_seat_that_was_wronged_hears_an_apology() -> None:
    """B has broken its word to R, and killed no chip of G's."""
    said = Spoken(Seat(R), None, "sucker.bot.brokeSave.1", {"to": B}, Millis(2_100), bot=True)
    for seat in (R, G):
        seen = betray(observe(choosing().state, R), B, "save")
        seen = replace(observe(choosing().state, seat), promises=seen.promises, lines=seen.lines)
        heard = say(replace(seen, messages=(said,)), B, "sucker.say.sorry")
        for key in BY_KEY:
            intent = intent_of(heard, key)
            assert (intent in ("grudgeBroke", "forgive")) == (seat == R), (key, intent)


def test_a_liar_answers_whoever_calls_it_one_however_long_ago_it_was() -> None:
    promise = Promise("p", Seat(G), (Seat(B),), "save", {}, Millis(0), 1, judgement="broken")
    seen = replace(observe(choosing().state, G), promises=(promise,))
    for key in BY_KEY:
        assert intent_of(say(seen, B, "sucker.say.liar"), key) == "sorryBroke"


def test_nobody_lets_a_seat_fall_without_a_word() -> None:
    seen = observe(rescue().state, G)
    for key, character in BY_KEY.items():
        speaker = Speaker(seen, character, Dice(b""))
        said = [read_intent(one.remark.key) for one in refuse_rescue(speaker, find_situation(seen))]
        assert said == ["noRescue"], key


def test_whoever_has_promised_help_says_so_when_it_refuses() -> None:
    promise = Promise("p", Seat(G), (Seat(B),), "save", {}, Millis(0), 1, bot=True)
    seen = replace(observe(rescue().state, G), promises=(promise,))
    for key, character in BY_KEY.items():
        said = list(refuse_rescue(Speaker(seen, character, Dice(b"")), find_situation(seen)))
        assert read_intent(said[0].remark.key) == "noRescueLied", key


def test_a_pile_to_keep_away_from_is_the_one_that_was_meant() -> None:
    """B means pile 0, and places on pile 1 before anybody has answered."""
    lines = tuple(
        SeenLine("sucker.placed", {"seat": B, "colour": B, "pile": pile}, None, Millis(at))
        for pile, at in ((0, 2_000), (7, 3_000))
    )
    heard = replace(say(observe(choosing().state, G), B, "sucker.say.keepAwayFromThisPile"), lines=lines)
    proposal = find_proposal(heard, find_situation(heard))
    assert proposal is not None
    assert proposal.args["pile"] == 0


@pytest.mark.parametrize(("other", "acts"), [(G, ["reneged"]), (R, [])])
def test_a_turn_agreed_in_words_and_given_to_another_is_remembered(other: int, acts: list[str]) -> None:
    seen = observe(choosing().state, R)
    asked = Spoken(Seat(R), None, "sucker.bot.pactTurn.1", {"to": B}, Millis(1_000), bot=True)
    agreed = Spoken(Seat(B), None, "sucker.say.deal", {}, Millis(2_000), bot=False)
    lines = (
        SeenLine("sucker.opened", {"seat": B, "colour": B, "pile": 9}, None, Millis(3_000)),
        SeenLine("sucker.gave", {"seat": B, "other": other}, None, Millis(4_000)),
    )
    heard = replace(seen, messages=(asked, agreed), lines=lines)
    deeds = memory.list_deeds(heard, list_deals(heard))
    assert [deed.act for deed in deeds if deed.act == "reneged"] == acts


@pytest.mark.parametrize("intent", sorted(MUTUAL))
@pytest.mark.parametrize("is_full", [False, True])
def test_a_yes_to_a_pact_that_it_can_no_longer_keep_binds_nobody(intent: str, *, is_full: bool) -> None:
    """R has three promises open by then, and no room for its part."""
    others = tuple(
        Promise(f"p{pile}", Seat(R), (Seat(G),), "spare_pile", {"pile": pile}, Millis(1_500), 1)
        for pile in range(MAX_OPEN if is_full else MAX_OPEN - 1)
    )
    seen = replace(agreeing(intent), promises=others)
    for key in BY_KEY:
        decision = BOT.decide(seen, BY_KEY[key], Dice(b"full"))
        assert decision is not None
        assert (decision.promise is None) == is_full
        assert intent_of(seen, key) == ("tooLate" if is_full else EXPECTED[intent])
        speaker = Speaker(replace(seen, lines=KILLED_LATER), BY_KEY[key], Dice(b""))
        reneges = intent == "pactSpare" and not is_full
        assert ("reneged" in {deed.act for deed in speaker.deeds}) == reneges


@pytest.mark.parametrize("intent", sorted(MUTUAL))
@pytest.mark.parametrize("is_wronged", [False, True])
def test_a_yes_that_was_called_too_late_binds_nobody_later(intent: str, *, is_wronged: bool) -> None:
    """R had no room for its part, and has some again; `is_wronged`: B broke its word before it was asked."""
    full = agreeing(intent, FULL)
    if is_wronged:
        earlier = PACTS["the seat broke a promise to the bot before it was asked"]
        protest = Spoken(Seat(R), None, "sucker.bot.brokeSave.1", {"to": B}, Millis(600), bot=True)
        full = replace(
            full,
            lines=earlier.list_lines(),
            promises=(*full.promises, *earlier.list_promises()),
            messages=(protest, *full.messages),
        )
    freed = (replace(full.promises[0], judgement="kept"), *full.promises[1:])
    for key in BY_KEY:
        decision = BOT.decide(full, BY_KEY[key], Dice(b"full"))
        assert decision is not None
        assert decision.remark is not None
        assert read_intent(decision.remark.key) == "tooLate"
        told = Spoken(Seat(R), None, decision.remark.key, decision.remark.args, Millis(6_600), bot=True)
        seen = replace(full, messages=(*full.messages, told), promises=freed)
        again = BOT.decide(seen, BY_KEY[key], Dice(b"freed"))
        assert again is not None
        assert again.promise is None
        speaker = Speaker(replace(seen, lines=(*seen.lines, *KILLED_LATER)), BY_KEY[key], Dice(b""))
        assert "reneged" not in {deed.act for deed in speaker.deeds}
        renewal = replace(full.messages[-2], at=Millis(7_000))
        renewed = say(replace(seen, messages=(*seen.messages, renewal)), B, "sucker.say.deal", 8_000)
        assert len(Speaker(renewed, BY_KEY[key], Dice(b"")).deals) == 1


@pytest.mark.parametrize("intent", sorted(MUTUAL))
def test_a_deal_ends_with_the_round(intent: str) -> None:
    seen = agreeing(intent)
    began = SeenLine("sucker.began", {"round": 2, "seat": R}, None, Millis(7_000))
    for key in BY_KEY:
        decision = BOT.decide(replace(seen, lines=(began,)), BY_KEY[key], Dice(b"round"))
        assert decision is not None
        assert decision.promise is None
        assert decision.remark is None or read_intent(decision.remark.key) != EXPECTED[intent]
        later = Speaker(replace(seen, lines=(began, *KILLED_LATER)), BY_KEY[key], Dice(b""))
        assert [deed.act for deed in later.deeds] == ["killed"]


def test_a_yes_that_came_too_late_ends_no_earlier_deal() -> None:
    """B has agreed to save R in time, and to a truce after two chips."""
    agreed, late = agreeing("pact", after=500), agreeing("pactSpare", PLACED_TWO)
    asked, yes = late.messages
    told = Spoken(Seat(R), None, "sucker.bot.tooLate.1", {"to": B}, Millis(6_600), bot=True)
    messages = (*agreed.messages, replace(asked, at=Millis(1_600)), yes, told)
    speaker = Speaker(replace(late, messages=messages), BY_KEY["noor"], Dice(b""))
    assert [deal.intent for deal in speaker.deals] == ["pact"]


def test_a_seat_without_chips_makes_no_pact_about_turns() -> None:
    table = set_up("3R", "", "2G", "2Y 1B", piles=["Y"], mover=R, trail="Y")
    table.place(R, "R", 0)
    seen = replace(agreeing("pactTurn"), sections=observe(table.state, R).sections)
    for key in BY_KEY:
        decision = BOT.decide(seen, BY_KEY[key], Dice(b"empty"))
        assert decision is None or decision.promise is None
